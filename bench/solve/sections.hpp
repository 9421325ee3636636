#pragma once
#include <string>

#include "bench/symbolic/report.hpp"

namespace bench {

/// Stiff problems with published end values: the program against IDA on the same equations, at equal accuracy. All
/// of them, or those whose names contain `problem`.
void run_stiff(Report& report, const std::string& problem);
/// Cost of a step of chains of bodies, in both formulations, up to `bodies`.
void run_growth(Report& report, int bodies);
/// This program against an earlier one: the command `before`.
void run_before(Report& report, const std::string& program, const std::string& before);

}  // namespace bench
