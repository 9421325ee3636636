#pragma once

namespace coenergy::symbolic {

/// From now on Engine::automatic is the interpreter, in the whole process: for machines that forbid code made at run
/// time, and to compare.
void turn_native_code_off();

}  // namespace coenergy::symbolic
