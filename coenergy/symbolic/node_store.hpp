#pragma once
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <vector>

#include "coenergy/symbolic/expr.hpp"
#include "coenergy/symbolic/node_index.hpp"
#include "coenergy/symbolic/page_array.hpp"

namespace coenergy::symbolic {

using Id = std::uint32_t;

/// The hash-consed nodes: equal kind and words give the same index.
///
/// A node is one cache line {kind, flags, argument count, up to 15 words}; its words are the arguments and then `extra`
/// words of data that only its own kind reads. The words of a wider node lie elsewhere. Neither lines nor words ever
/// move, so a span of arguments stays valid while new nodes are made. Large graphs wait for memory, not for
/// arithmetic: what a constructor asks of an operand is in its line, and a new node costs one line of the index.
class NodeStore {
 public:
  NodeStore() = default;
  NodeStore(const NodeStore&) = delete;
  NodeStore& operator=(const NodeStore&) = delete;

  /// The node with these words, made if it is new. A let is identified by its first word alone.
  Id intern(Op op, std::span<const std::uint32_t> words, std::size_t extra = 0, std::uint8_t flags = 0);

  /// Words that fit in the line of a node.
  static constexpr std::size_t near_words = 15;
  /// Where the words of the next new node will stand: they are written there and then given to intern_next().
  std::uint32_t* next_words() {
    if (size_ >> block_bits == blocks_.size()) add_blocks();
    return blocks_[size_ >> block_bits][size_ & (block_size - 1)].word;
  }
  /// The sum or product whose `count` words stand in next_words(), made if it is new.
  Id intern_next(Op op, std::size_t count, std::uint8_t flags);

  std::size_t size() const { return size_; }
  std::size_t bytes() const;

  Op op(Id id) const { return static_cast<Op>(node(id).op); }
  std::uint8_t flags(Id id) const { return node(id).flags; }
  std::size_t count(Id id) const { return count(node(id)); }
  const std::uint32_t* words(Id id) const { return words(node(id)); }
  std::span<const std::uint32_t> arguments(Id id) const { return {words(node(id)), count(node(id))}; }
  /// Words after the arguments.
  const std::uint32_t* data(Id id) const { return words(id) + count(id); }
  /// Starts to bring a node near before it is read.
  void prefetch(Id id) const { __builtin_prefetch(&node(id)); }

 private:
  struct alignas(64) Node {
    std::uint8_t op, flags;
    std::uint16_t count;             ///< of arguments, or is_wide
    std::uint32_t word[near_words];  ///< of a wide node: the count, and the address of its words
  };
  static_assert(sizeof(Node) == 64);
  static constexpr std::uint16_t is_wide = 0xFFFF;
  static constexpr std::uint32_t block_bits = 8, block_size = 1u << block_bits;

  const Node& node(Id id) const { return blocks_[id >> block_bits][id & (block_size - 1)]; }
  static std::size_t count(const Node& n) { return n.count != is_wide ? n.count : n.word[0]; }
  static const std::uint32_t* words(const Node& n) {
    if (n.count != is_wide) return n.word;
    const std::uint32_t* far;
    std::memcpy(&far, n.word + 1, sizeof far);
    return far;
  }
  Node& next() { return blocks_[size_ >> block_bits][size_ & (block_size - 1)]; }
  void write_wide(Op op, std::uint8_t flags, std::size_t count, std::span<const std::uint32_t> words);
  bool matches(Id id, Op op, std::span<const std::uint32_t> words, std::size_t extra, std::uint8_t flags) const;
  void add_blocks();

  std::size_t size_ = 0;
  std::vector<Node*> blocks_;  ///< start of each run of block_size nodes
  std::vector<PageArray<Node>> owned_;
  std::vector<std::unique_ptr<std::uint32_t[]>> wide_;
  std::size_t wide_bytes_ = 0;
  NodeIndex index_;
};

}  // namespace coenergy::symbolic
