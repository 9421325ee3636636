#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "coenergy/generate/routine.hpp"
#include "coenergy/symbolic/printer.hpp"

namespace coenergy::generate {

struct SourceFile {
  std::string name, text;
};

/// Source files of a generated function, self-contained:
///   NAME.c, NAME.h (C99), NAME.hpp, NAME.cpp (C++), NAME.m (Octave, Matlab) or NAME.py: the function; it does not
///     allocate, keeps nothing between calls, and may run in many threads
///   NAME_main.*: calls it with the start values of the model, or with the numbers of a file, and prints the results;
///   of
///     forward dynamics `run T STEPS` integrates the motion (Runge–Kutta, 4th order)
///   user_forces.*: stub for the user's joint forces, called by the run of forward dynamics
/// The comment at the top states inputs, outputs, units and operation counts. Functions of mechanisms with constraints
/// come with their parts NAME_closure and NAME_terms (see loop_program.hpp).
std::vector<SourceFile> write_sources(const Generated& generated, symbolic::Language language);

/// Writes files into a folder, which is made where it is missing. Throws Error naming what cannot be written.
void save(const std::vector<SourceFile>& files, const std::filesystem::path& folder);

/// "inverse_dynamics: 350 + 360 x 2 / 14 calls", for comments and messages.
std::string describe_count(const symbolic::OperationCount& count);

}  // namespace coenergy::generate
