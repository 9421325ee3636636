#pragma once
#include "coenergy/symbolic/program.hpp"

namespace coenergy::symbolic {

/// How native code calls what it does not compute itself.
/// Scalar code passes libm's arguments in registers 0 and 1 and finds the result in register 0. All else is called as
/// f(context, arguments side by side[, result]): the result comes in register 0, or in memory for lanes.
struct NativeCall {
  const void* function = nullptr;
  const void* context = nullptr;
  bool takes_registers = false;
};

NativeCall find_native_call(const Program& program, const Program::Instruction& instruction, int lanes);

/// Address of the batch routine: the vector one, or the C library's.
const void* find_sincos(bool vector);

}  // namespace coenergy::symbolic
