#pragma once
#include <memory>

#include "coenergy/symbolic/native.hpp"

namespace coenergy::symbolic {

/// Register allocation over the single basic block of a program, in one pass that emits as it goes.
///
/// A value lives in a register, in memory, or in both. Memory is the input array, the constant pool, the output array
/// (an output is stored where it is defined) or a slot of the work array. When registers run out, the value whose next
/// use is farthest away leaves (Belady); it is stored only if it has no memory copy yet. The second operand is read
/// from memory where it is not worth a register. Slots of dead values are used again.
std::unique_ptr<NativeCode> compile_native(const Program& program, const NativeOptions& options);

}  // namespace coenergy::symbolic
