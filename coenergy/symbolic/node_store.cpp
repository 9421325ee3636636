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

// Σ kᵢ·wᵢ of pairs of words by odd constants: the products do not wait for each other. A sum has its constant before
// the pairs {coefficient, term}.
std::uint32_t hash_of(Op op, std::span<const std::uint32_t> words) {
  constexpr std::uint64_t k[] = {0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0xFF51AFD7ED558CCD, 0xD6E8FEB86659FD93,
                                 0xA0761D6478BD642F, 0xE7037ED1A0B428DB, 0x8EBC6AF09C88C6E3, 0x589965CC75374CC3};
  std::uint64_t h = (static_cast<std::uint64_t>(op) + 1) * k[7];
  const std::uint32_t* w = words.data();
  const std::uint32_t* const end = w + words.size();
  if (words.size() % 2 != 0) h += *w++ * k[6];
  for (std::size_t i = 0; w != end; w += 2, i = (i + 1) % 8) {
    std::uint64_t pair;
    std::memcpy(&pair, w, sizeof pair);
    h += pair * k[i];
  }
  h ^= h >> 32;
  h *= k[0];
  return static_cast<std::uint32_t>(h >> 32);
}

}  // namespace

// room for more nodes, in growing groups of blocks up to a large page
void NodeStore::add_blocks() {
  assert(size_ < 0xFFFFFF00u && "expression graph exceeds 2^32 nodes");
  const std::size_t group =
      std::min<std::size_t>(blocks_.size() + 1, PageArray<Node>::page / sizeof(Node) / block_size);
  owned_.emplace_back(group * block_size);
  for (std::size_t i = 0; i < group; ++i) blocks_.push_back(owned_.back().data() + i * block_size);
}

// the next node, with words elsewhere
void NodeStore::write_wide(Op op, std::uint8_t flags, std::size_t count, std::span<const std::uint32_t> words) {
  wide_.push_back(std::make_unique_for_overwrite<std::uint32_t[]>(words.size()));
  wide_bytes_ += words.size_bytes();
  const std::uint32_t* const far = wide_.back().get();
  std::copy(words.begin(), words.end(), wide_.back().get());
  Node& n = next();
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
  const Id known = index_.find(hash, [&](Id id) { return matches(id, op, words, extra, flags); });
  if (known != NodeIndex::none) return known;
  std::uint32_t* const near = next_words();
  const std::size_t count = words.size() - extra;
  if (words.size() > near_words) {
    write_wide(op, flags, count, words);
  } else {
    std::copy(words.begin(), words.end(), near);
    next().op = static_cast<std::uint8_t>(op);
    next().flags = flags;
    next().count = static_cast<std::uint16_t>(count);
  }
  index_.insert(hash, static_cast<Id>(size_));
  return static_cast<Id>(size_++);
}

Id NodeStore::intern_next(Op op, std::size_t count, std::uint8_t flags) {
  Node& n = next();
  const std::span<const std::uint32_t> words(n.word, count);
  const std::uint32_t hash = hash_of(op, words);
  index_.prefetch(hash);
  n.op = static_cast<std::uint8_t>(op);
  n.flags = flags;
  n.count = static_cast<std::uint16_t>(count);
  const Id known = index_.find(hash, [&](Id id) { return matches(id, op, words, 0, flags); });
  if (known != NodeIndex::none) return known;
  index_.insert(hash, static_cast<Id>(size_));
  return static_cast<Id>(size_++);
}

std::size_t NodeStore::bytes() const {
  return blocks_.size() * block_size * sizeof(Node) + wide_bytes_ + index_.bytes();
}

}  // namespace coenergy::symbolic
