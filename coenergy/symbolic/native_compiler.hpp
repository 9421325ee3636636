#pragma once
#include <memory>

#include "coenergy/symbolic/native.hpp"

namespace coenergy::symbolic {

/// Machine code of a program, written in one pass over its single basic block. The second operand of an instruction is
/// read from memory where it is not worth a register (see Allocator); a batch of sines and cosines is one call.
std::unique_ptr<NativeCode> compile_native(const Program& program, const NativeOptions& options);

}  // namespace coenergy::symbolic
