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
/// A node is one record of words {kind, flags, extra | argument count | words}; its words are the arguments and then
/// `extra` words of data that only its own kind reads. Records lie in blocks that never move, so a span of arguments
/// stays valid while new nodes are made. An index costs 4 bytes for the place of its record, and a slot of 8 bytes with
/// its hash in the look-up table: a new node and its operands touch about five cache lines in all.
class NodeStore {
 public:
  NodeStore() : slots_(1024) {}
  NodeStore(const NodeStore&) = delete;
  NodeStore& operator=(const NodeStore&) = delete;

  /// The node with these words, made if it is new. A let is identified by its first word alone.
  Id intern(Op op, std::span<const std::uint32_t> words, std::size_t extra = 0, std::uint8_t flags = 0);

  std::size_t size() const { return place_.size(); }
  std::size_t bytes() const;

  Op op(Id id) const { return static_cast<Op>(record(id)[0] & 0xFF); }
  std::uint8_t flags(Id id) const { return static_cast<std::uint8_t>(record(id)[0] >> 8 & 0xFF); }
  std::size_t count(Id id) const { return record(id)[1]; }
  const std::uint32_t* words(Id id) const { return record(id) + header; }
  std::span<const std::uint32_t> arguments(Id id) const {
    const std::uint32_t* r = record(id);
    return {r + header, r[1]};
  }
  /// Words after the arguments.
  const std::uint32_t* data(Id id) const {
    const std::uint32_t* r = record(id);
    return r + header + r[1];
  }
  /// Starts to bring a node near before it is read.
  void prefetch(Id id) const {
    const std::uint32_t* r = record(id);
    __builtin_prefetch(r);
    __builtin_prefetch(r + 16);
  }

 private:
  struct Slot {
    std::uint32_t hash = 0;
    Id id = 0;  ///< index + 1; 0 is a free slot
  };
  static constexpr std::uint32_t header = 2, block_bits = 14, block_words = 1u << block_bits;

  const std::uint32_t* record(Id id) const {
    const std::uint32_t p = place_[id];
    return blocks_[p >> block_bits] + (p & (block_words - 1));
  }
  std::uint32_t* allocate(std::size_t words);
  bool matches(Id id, std::uint32_t kind, std::span<const std::uint32_t> words, std::size_t extra) const;
  void grow_slots();

  std::vector<std::uint32_t, PageAllocator<std::uint32_t>> place_;  ///< of each node's record
  std::vector<std::uint32_t*> blocks_;                              ///< start of each run of block_words words
  std::vector<std::vector<std::uint32_t, PageAllocator<std::uint32_t>>> owned_;
  std::uint32_t next_ = 0, end_ = 0;  ///< free words of the last block
  std::size_t word_bytes_ = 0;
  std::vector<Slot, PageAllocator<Slot>> slots_;  ///< open addressing
};

}  // namespace coenergy::symbolic
