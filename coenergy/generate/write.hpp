#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "coenergy/generate/routine.hpp"
#include "coenergy/symbolic/printer.hpp"

namespace coenergy::generate {

/// The run that a main program makes unless told otherwise; rows + 1 rows at equal distances, times in s.
struct RunPlan {
  double begin = 0, end = 1;
  int steps = 1000, rows = 100;
};

struct SourceFile {
  std::string name, text;
  bool yours = false;  ///< a stub that the user fills in: never written over
};

/// Source files of a generated function, self-contained:
///   NAME.c, NAME.h (C99), NAME.hpp, NAME.cpp (C++), NAME.m (Octave, Matlab) or NAME.py: the function; it does not
///     allocate, keeps nothing between calls, and may run in many threads
///   NAME_main.*: calls it with the start values of the model, or with the numbers of a file, and prints the results;
///     of forward dynamics `run` integrates the motion (Runge–Kutta, 4th order) and prints the rows of the plan
///   user_forces.*: stub for the user's joint forces, called by the run of forward dynamics
///   user_functions.*: stubs for the functions in libraries that the model calls
/// The comment at the top states inputs, outputs, units and operation counts. Functions of mechanisms with constraints
/// come with their parts NAME_closure and NAME_terms (see loop_program.hpp).
std::vector<SourceFile> write_sources(const Generated& generated, symbolic::Language language,
                                      const RunPlan& plan = {});

/// Writes files into a folder, which is made where it is missing; the user's own that are there already stay as they
/// are, and their names are returned. Throws Error naming what cannot be written.
std::vector<std::string> save(const std::vector<SourceFile>& files, const std::filesystem::path& folder);

/// "inverse_dynamics: 350 + 360 x 2 / 14 calls", for comments and messages.
std::string describe_count(const symbolic::OperationCount& count);

}  // namespace coenergy::generate
