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

std::uint32_t* NodeStore::allocate(std::size_t words) {
  if (end_ - next_ < words) {
    // blocks come in growing groups; a record wider than a group gets its own
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
  place_.push_back(first);
  return blocks_[first >> block_bits] + (first & (block_words - 1));
}

bool NodeStore::matches(Id id, std::uint32_t kind, std::span<const std::uint32_t> words, std::size_t extra) const {
  constexpr std::uint32_t without_flags = 0xFFFF00FF;
  const std::uint32_t* r = record(id);
  if ((r[0] & without_flags) != kind || r[1] + extra != words.size()) return false;
  const auto key = identity(static_cast<Op>(kind & 0xFF), words);
  return std::equal(key.begin(), key.end(), r + header);
}

Id NodeStore::intern(Op op, std::span<const std::uint32_t> words, std::size_t extra, std::uint8_t flags) {
  const std::uint32_t hash = hash_of(op, identity(op, words));
  const std::uint32_t kind = static_cast<std::uint32_t>(op) | static_cast<std::uint32_t>(extra) << 16;
  const std::size_t mask = slots_.size() - 1;
  std::size_t i = hash & mask;
  for (; slots_[i].id != 0; i = (i + 1) & mask)
    if (slots_[i].hash == hash && matches(slots_[i].id - 1, kind, words, extra)) return slots_[i].id - 1;
  assert(size() < 0xFFFFFFF0u && "expression graph exceeds 2^32 nodes");
  const Id id = static_cast<Id>(size());
  std::uint32_t* record = allocate(words.size() + header);
  record[0] = kind | static_cast<std::uint32_t>(flags) << 8;
  record[1] = static_cast<std::uint32_t>(words.size() - extra);
  std::copy(words.begin(), words.end(), record + header);
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
  return place_.capacity() * sizeof(std::uint32_t) + word_bytes_ + slots_.capacity() * sizeof(Slot);
}

}  // namespace coenergy::symbolic
