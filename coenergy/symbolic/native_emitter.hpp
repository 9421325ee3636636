#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include <asmjit/x86.h>

#include "coenergy/symbolic/native.hpp"

namespace coenergy::symbolic {

/// What an address is relative to.
enum class Base : std::uint8_t { none, in, out, work, pool };

/// A place in memory: byte offset from a base.
struct Place {
  Base base = Base::none;
  std::int32_t offset = 0;
  explicit operator bool() const { return base != Base::none; }
};

/// Second operand of an instruction.
struct Source {
  int reg = -1;  ///< −1: in memory
  Place place{};
};

/// Writes machine code for the operations of a program on vector registers 0, 1, …: scalars (SSE2 or AVX) or W lanes
/// (AVX ymm, AVX-512 zmm). Knows encodings and calling convention, nothing of values.
class Emitter {
 public:
  using Code = Program::Code;

  Emitter(const NativeOptions& options, bool makes_calls, std::int32_t work_bias, std::size_t expected_size);

  int registers() const { return registers_; }
  /// True where `binary` or `operation` writes the code; else the operation is a call.
  static bool is_inline(Code code, const NativeOptions& options);

  void load(int d, Place a);
  void store(Place d, int a);
  void move(int d, int a);
  /// d = a ∘ b for add, sub, mul, div, min, max.
  void binary(Code code, int d, int a, Source b);
  /// Unary operations, comparisons, logic and select on registers; d and the scratch register t differ from a, b, c.
  void operation(Code code, int d, int t, int a, int b, int c);

  // ---- calls: integer arguments in order, then the call through an address in the pool
  void argument_address(int index, Place place);
  void argument_word(int index, Place place);
  void argument_number(int index, std::int32_t number);
  void call(Place address);

  std::vector<std::uint8_t> finish();

  // ---- pool of masks, in words of 8 bytes from its start
  static std::size_t mask_words(int lanes) { return static_cast<std::size_t>(4 * std::max(lanes, 2)); }
  static void fill_masks(std::vector<std::uint64_t>& pool, int lanes);

 private:
  enum Mask { sign_mask, magnitude_mask, one_mask, zero_mask };
  asmjit::x86::Mem memory(Place place) const;
  asmjit::x86::Mem mask(Mask m) const;
  void begin();
  void compare(int d, int a, const asmjit::Operand_& b, int predicate);
  void bitwise(asmjit::x86::Inst::Id sse, asmjit::x86::Inst::Id avx, asmjit::x86::Inst::Id avx512, int d, int a,
               const asmjit::Operand_& b);

  asmjit::CodeHolder holder_;
  asmjit::x86::Assembler a_;
  std::array<asmjit::x86::Vec, 32> r_;  ///< registers in the width of the lanes
  std::array<asmjit::x86::Mem, 5> base_;
  int lanes_, registers_;
  bool avx_, calls_;
  std::int32_t work_bias_;
};

}  // namespace coenergy::symbolic
