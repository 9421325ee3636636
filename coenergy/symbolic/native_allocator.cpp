#if defined(COENERGY_ASMJIT) && defined(__x86_64__)
#include "coenergy/symbolic/native_allocator.hpp"

#include <bit>
#include <cassert>

namespace coenergy::symbolic {

Allocator::Allocator(Emitter& emitter, std::vector<std::uint32_t> next_use, std::int32_t width, std::int32_t first_slot)
    : emit_(emitter),
      width_(width),
      slots_(first_slot),
      all_(emitter.registers() == 32 ? ~0u : (1u << emitter.registers()) - 1),
      free_(all_),
      reg_(next_use.size(), -1),
      place_(next_use.size()),
      next_use_(std::move(next_use)) {
  value_in_.fill(never);
}

void Allocator::set_register(std::uint32_t v, int reg) {
  reg_[v] = static_cast<std::int8_t>(reg);
  value_in_[reg] = v;
  free_ &= ~(1u << reg);
}

int Allocator::take_register() {
  if (const std::uint32_t usable = free_ & ~pinned_; usable != 0) {
    const int reg = std::countr_zero(usable);
    free_ &= ~(1u << reg);
    return reg;
  }
  // the farthest next use leaves; of two equally far ones, the one that needs no store
  int best = -1;
  std::uint64_t farthest = 0;
  for (std::uint32_t candidates = all_ & ~pinned_; candidates != 0; candidates &= candidates - 1) {
    const int reg = std::countr_zero(candidates);
    const std::uint32_t v = value_in_[reg];
    assert(v != never && "bug: a register is in use without a value and not pinned");
    const std::uint64_t key = 2 * static_cast<std::uint64_t>(next_use_[v]) + (place_[v] ? 1 : 0);
    if (best < 0 || key > farthest) best = reg, farthest = key;
  }
  evict(best);
  free_ &= ~(1u << best);
  return best;
}

void Allocator::evict(int reg) {
  const std::uint32_t v = value_in_[reg];
  if (!place_[v]) store(v, reg);
  release_register(v);
}

void Allocator::store(std::uint32_t v, int reg) {
  place_[v] = take_slot();
  emit_.store(place_[v], reg);
}

int Allocator::ensure_register(std::uint32_t v) {
  if (reg_[v] < 0) {
    const int reg = take_register();
    emit_.load(reg, place_[v]);
    set_register(v, reg);
  }
  return reg_[v];
}

void Allocator::release_register(std::uint32_t v) {
  const int reg = reg_[v];
  if (reg < 0) return;
  reg_[v] = -1;
  value_in_[reg] = never;
  free_ |= 1u << reg;
}

void Allocator::release(std::uint32_t v) {
  release_register(v);
  if (place_[v].base == Base::work) free_slots_.push_back(place_[v].offset);
  place_[v] = {};
}

Place Allocator::take_slot() {
  if (free_slots_.empty()) return {Base::work, take_slots(1)};
  const std::int32_t offset = free_slots_.back();
  free_slots_.pop_back();
  return {Base::work, offset};
}

std::int32_t Allocator::take_slots(std::int32_t count) {
  const std::int32_t first = slots_;
  slots_ += count;
  return first * width_;
}

void Allocator::save_registers() {
  for (int reg = 0; reg < emit_.registers(); ++reg) {
    const std::uint32_t v = value_in_[reg];
    if (v != never && !place_[v] && !is_dead(v)) store(v, reg);
  }
}

void Allocator::forget_registers() {
  for (int reg = 0; reg < emit_.registers(); ++reg)
    if (value_in_[reg] != never) release_register(value_in_[reg]);
}

}  // namespace coenergy::symbolic
#endif
