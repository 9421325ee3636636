#include "coenergy/symbolic/node_store.hpp"

#include <algorithm>
#include <cassert>

namespace coenergy::symbolic {

namespace {

// a let is found by its value, whatever its name
std::span<const std::uint32_t> identity(Op op, std::span<const std::uint32_t> words) {
  return op == Op::let ? words.first(1) : words;
}

std::uint32_t hash_of(Op op, std::span<const std::uint32_t> words) {
  constexpr std::uint64_t k = 0x9E3779B97F4A7C15u;
  std::uint64_t h = (static_cast<std::uint64_t>(op) + 1) * k;
  const auto mix = [&h](std::uint64_t w) {
    h = (h ^ w) * k;
    h ^= h >> 32;
  };
  std::size_t i = 0;
  for (; i + 2 <= words.size(); i += 2) mix(words[i] | static_cast<std::uint64_t>(words[i + 1]) << 32);
  if (i < words.size()) mix(words[i]);
  return static_cast<std::uint32_t>(h ^ (h >> 29));
}

}  // namespace

// the place of so many free words
std::uint32_t NodeStore::allocate(std::size_t words) {
  if (end_ - next_ < words) {
    // blocks come in growing groups; a node wider than a group gets its own
    const std::size_t usual = std::min<std::size_t>(blocks_.size() + 1, 32);
    const std::size_t group = std::max(usual, (words + block_words - 1) >> block_bits);
    assert(blocks_.size() + group < (std::size_t{1} << (32 - block_bits)) && "expression graph exceeds 2^32 words");
    owned_.emplace_back();
    owned_.back().reserve(group << block_bits);
    next_ = static_cast<std::uint32_t>(blocks_.size() << block_bits);
    end_ = next_ + static_cast<std::uint32_t>(group << block_bits);
    for (std::size_t i = 0; i < group; ++i) blocks_.push_back(owned_.back().data() + (i << block_bits));
    word_bytes_ += (group << block_bits) * sizeof(std::uint32_t);
  }
  const std::uint32_t first = next_;
  next_ += static_cast<std::uint32_t>(words);
  return first;
}

void NodeStore::append(Head head, std::size_t count, std::span<const std::uint32_t> words) {
  const bool is_long = count >= long_count;
  head.count = is_long ? long_count : static_cast<std::uint16_t>(count);
  std::uint32_t place = allocate(words.size() + (is_long ? 1 : 0));
  std::uint32_t* to = blocks_[place >> block_bits] + (place & (block_words - 1));
  if (is_long) *to++ = static_cast<std::uint32_t>(count), ++place;
  std::copy(words.begin(), words.end(), to);
  head.place = place;
  heads_.push_back(head);
}

bool NodeStore::matches(Id id, Op op, std::span<const std::uint32_t> words, std::size_t extra,
                        std::uint8_t flags) const {
  if (this->op(id) != op || count(id) + extra != words.size()) return false;
  // two kinds of numbers have data of different size, known by their flags
  if (op == Op::number && this->flags(id) != flags) return false;
  const auto key = identity(op, words);
  return std::equal(key.begin(), key.end(), this->words(id));
}

Id NodeStore::intern(Op op, std::span<const std::uint32_t> words, std::size_t extra, std::uint8_t flags) {
  const std::uint32_t hash = hash_of(op, identity(op, words));
  const std::size_t mask = slots_.size() - 1;
  std::size_t i = hash & mask;
  for (; slots_[i].id != 0; i = (i + 1) & mask)
    if (slots_[i].hash == hash && matches(slots_[i].id - 1, op, words, extra, flags)) return slots_[i].id - 1;
  assert(size() < 0xFFFFFFF0u && "expression graph exceeds 2^32 nodes");
  const Id id = static_cast<Id>(size());
  append({0, static_cast<std::uint8_t>(op), flags, 0}, words.size() - extra, words);
  slots_[i] = {hash, id + 1};
  if (size() * 4 > slots_.size() * 3) grow_slots();
  return id;
}

void NodeStore::grow_slots() {
  std::vector<Slot, PageAllocator<Slot>> old(slots_.size() * 2);
  old.swap(slots_);
  const std::size_t mask = slots_.size() - 1;
  for (const Slot& s : old) {
    if (s.id == 0) continue;
    std::size_t i = s.hash & mask;
    while (slots_[i].id != 0) i = (i + 1) & mask;
    slots_[i] = s;
  }
}

std::size_t NodeStore::bytes() const {
  return heads_.capacity() * sizeof(Head) + word_bytes_ + slots_.capacity() * sizeof(Slot);
}

}  // namespace coenergy::symbolic
