#include "coenergy/symbolic/node_store.hpp"

#include <algorithm>
#include <cassert>
#include <cstring>

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

// room for more nodes, in growing groups of blocks up to a large page
void NodeStore::add_blocks() {
  assert(size_ < 0xFFFFFF00u && "expression graph exceeds 2^32 nodes");
  const std::size_t group =
      std::min<std::size_t>(blocks_.size() + 1, PageAllocator<Node>::page / sizeof(Node) / block_size);
  owned_.emplace_back();
  owned_.back().reserve(group * block_size);
  for (std::size_t i = 0; i < group; ++i) blocks_.push_back(owned_.back().data() + i * block_size);
}

// sets the node after the last one
void NodeStore::write_last(Op op, std::uint8_t flags, std::size_t count, std::span<const std::uint32_t> words) {
  Node& n = blocks_[size_ >> block_bits][size_ & (block_size - 1)];
  n.op = static_cast<std::uint8_t>(op);
  n.flags = flags;
  n.count = static_cast<std::uint16_t>(count);
  for (std::size_t i = 0; i < words.size(); ++i) n.word[i] = words[i];
}

void NodeStore::write_last_wide(Op op, std::uint8_t flags, std::size_t count, std::span<const std::uint32_t> words) {
  wide_.push_back(std::make_unique_for_overwrite<std::uint32_t[]>(words.size()));
  wide_bytes_ += words.size_bytes();
  const std::uint32_t* const far = wide_.back().get();
  std::copy(words.begin(), words.end(), wide_.back().get());
  Node& n = blocks_[size_ >> block_bits][size_ & (block_size - 1)];
  n = {static_cast<std::uint8_t>(op), flags, is_wide, {static_cast<std::uint32_t>(count)}};
  std::memcpy(n.word + 1, &far, sizeof far);
}

bool NodeStore::matches(Id id, Op op, std::span<const std::uint32_t> words, std::size_t extra,
                        std::uint8_t flags) const {
  const Node& n = node(id);
  if (static_cast<Op>(n.op) != op || count(n) + extra != words.size()) return false;
  // two kinds of numbers have data of different size, known by their flags
  if (op == Op::number && n.flags != flags) return false;
  const auto key = identity(op, words);
  return std::equal(key.begin(), key.end(), this->words(n));
}

Id NodeStore::intern(Op op, std::span<const std::uint32_t> words, std::size_t extra, std::uint8_t flags) {
  const std::uint32_t hash = hash_of(op, identity(op, words));
  index_.prefetch(hash);
  if (size_ >> block_bits == blocks_.size()) add_blocks();
  // a narrow node is written while its line of the index is on the way; it counts only where it is new
  const bool is_narrow = words.size() <= near_words;
  if (is_narrow) write_last(op, flags, words.size() - extra, words);
  const Id known = index_.find(hash, [&](Id id) { return matches(id, op, words, extra, flags); });
  if (known != NodeIndex::none) return known;
  if (!is_narrow) write_last_wide(op, flags, words.size() - extra, words);
  const Id id = static_cast<Id>(size_++);
  index_.insert(hash, id);
  return id;
}

std::size_t NodeStore::bytes() const {
  return blocks_.size() * block_size * sizeof(Node) + wide_bytes_ + index_.bytes();
}

}  // namespace coenergy::symbolic
