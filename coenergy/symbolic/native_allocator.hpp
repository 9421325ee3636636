#pragma once
#include <array>
#include <cstdint>
#include <limits>
#include <vector>

#include "coenergy/symbolic/native_emitter.hpp"

namespace coenergy::symbolic {

/// Where the values of a program are while its code is being written: in a register, in memory, or in both. Memory is
/// the input array, the constant pool, the output array or a slot of the work array; slots of dead values are used
/// again.
///
/// When registers run out, the value whose next use is farthest away leaves (Belady). It is stored only if it has no
/// memory copy yet.
class Allocator {
 public:
  static constexpr std::uint32_t never = std::numeric_limits<std::uint32_t>::max();

  /// `next_use` is the first use of every value; slots are `width` bytes, numbered from `first_slot`.
  Allocator(Emitter& emitter, std::vector<std::uint32_t> next_use, std::int32_t width, std::int32_t first_slot);

  int reg(std::uint32_t v) const { return reg_[v]; }  ///< −1: in memory only
  Place place(std::uint32_t v) const { return place_[v]; }
  std::uint32_t next_use(std::uint32_t v) const { return next_use_[v]; }
  bool is_dead(std::uint32_t v) const { return next_use_[v] == never; }
  std::int32_t slots() const { return slots_; }  ///< in use so far
  bool has_free_register() const { return (free_ & ~pinned_) != 0; }

  void set_next_use(std::uint32_t v, std::uint32_t position) { next_use_[v] = position; }
  void set_register(std::uint32_t v, int reg);
  void set_place(std::uint32_t v, Place place) { place_[v] = place; }

  // ---- registers
  int take_register();
  void give_back(int reg) { free_ |= 1u << reg; }
  /// The register of a value, loaded if it has none.
  int ensure_register(std::uint32_t v);
  void pin(int reg) { pinned_ |= 1u << reg; }  ///< may not be taken until unpin_all
  void unpin_all() { pinned_ = 0; }
  /// Gives up the register of a dead value; its slot, if any, may still be read.
  void release_register(std::uint32_t v);

  // ---- slots
  Place take_slot();
  /// So many new slots side by side; the offset of the first.
  std::int32_t take_slots(std::int32_t count);
  void give_back_slot(std::int32_t offset) { free_slots_.push_back(offset); }
  /// Gives up the register and the slot of a dead value.
  void release(std::uint32_t v);

  // ---- calls keep no vector register
  /// Gives every live value a memory copy.
  void save_registers();
  void forget_registers();

 private:
  void evict(int reg);
  void store(std::uint32_t v, int reg);

  Emitter& emit_;
  std::int32_t width_, slots_;
  std::uint32_t all_;                       ///< bit set of registers
  std::uint32_t free_, pinned_ = 0;         ///< bit sets
  std::array<std::uint32_t, 32> value_in_;  ///< never: none
  std::vector<std::int8_t> reg_;
  std::vector<Place> place_;
  std::vector<std::uint32_t> next_use_;
  std::vector<std::int32_t> free_slots_;
};

}  // namespace coenergy::symbolic
