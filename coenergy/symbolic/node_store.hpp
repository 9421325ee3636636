#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "coenergy/symbolic/expr.hpp"
#include "coenergy/symbolic/page_memory.hpp"

namespace coenergy::symbolic {

using Id = std::uint32_t;

/// The hash-consed nodes: equal kind and words give the same index.
///
/// A node has a head {place of its words, kind, flags, argument count}; its words are the arguments and then `extra`
/// words of data that only its own kind reads. Words lie in blocks that never move, so a span of arguments stays valid
/// while new nodes are made. Constructors decide most cases by the heads of the operands alone, so that a new node
/// touches few cache lines: the heads, one slot of 8 bytes with its hash in the look-up table, and its own words.
class NodeStore {
 public:
  NodeStore() : slots_(1024) {}
  NodeStore(const NodeStore&) = delete;
  NodeStore& operator=(const NodeStore&) = delete;

  /// The node with these words, made if it is new. A let is identified by its first word alone.
  Id intern(Op op, std::span<const std::uint32_t> words, std::size_t extra = 0, std::uint8_t flags = 0);

  std::size_t size() const { return heads_.size(); }
  std::size_t bytes() const;

  Op op(Id id) const { return static_cast<Op>(heads_[id].op); }
  std::uint8_t flags(Id id) const { return heads_[id].flags; }
  std::size_t count(Id id) const { return heads_[id].count != long_count ? heads_[id].count : words(id)[-1]; }
  const std::uint32_t* words(Id id) const {
    const std::uint32_t p = heads_[id].place;
    return blocks_[p >> block_bits] + (p & (block_words - 1));
  }
  std::span<const std::uint32_t> arguments(Id id) const { return {words(id), count(id)}; }
  /// Words after the arguments.
  const std::uint32_t* data(Id id) const { return words(id) + count(id); }
  /// Starts to bring the arguments of a node near before they are read.
  void prefetch(Id id) const {
    const std::uint32_t* w = words(id);
    __builtin_prefetch(w);
    __builtin_prefetch(w + 16);
  }

 private:
  struct Slot {
    std::uint32_t hash = 0;
    Id id = 0;  ///< index + 1; 0 is a free slot
  };
  struct Head {
    std::uint32_t place;
    std::uint8_t op, flags;
    std::uint16_t count;  ///< of arguments; long_count: it stands before the words
  };
  static constexpr std::uint16_t long_count = 0xFFFF;
  static constexpr std::uint32_t block_bits = 14, block_words = 1u << block_bits;

  std::uint32_t allocate(std::size_t words);
  void append(Head head, std::size_t count, std::span<const std::uint32_t> words);
  bool matches(Id id, Op op, std::span<const std::uint32_t> words, std::size_t extra, std::uint8_t flags) const;
  void grow_slots();

  std::vector<Head, PageAllocator<Head>> heads_;
  std::vector<std::uint32_t*> blocks_;  ///< start of each run of block_words words
  std::vector<std::vector<std::uint32_t, PageAllocator<std::uint32_t>>> owned_;
  std::uint32_t next_ = 0, end_ = 0;  ///< free words of the last block
  std::size_t word_bytes_ = 0;
  std::vector<Slot, PageAllocator<Slot>> slots_;  ///< open addressing
};

}  // namespace coenergy::symbolic
