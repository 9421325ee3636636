#pragma once
#include <memory>

#include "coenergy/solve/stepper.hpp"

namespace coenergy::solve {

/// IDA (backward differentiation formulas, orders 1–5) on F(t, Y, Ẏ) = 0 with Y = (q, v, x, λ, y):
/// q̇ − q̇(q, v) = 0 and R = 0 with the constraints at acceleration level; multipliers of constraints that follow from
/// the others keep their values. Its steps end with q and v put back on the constraints, within the library.
/// CVODE (the same formulas) on the explicit form, Y = (q, v, x).
///
/// Both choose their own steps and may run beyond a requested time (discrete variables are held, so the equations go on
/// smoothly); the requested point is interpolated. Linear equations are solved by our own sparse factors after
/// eliminating q, for CVODE also v and x. Only where SUNDIALS was found when the program was built.
std::unique_ptr<Stepper> make_ida(equations::Evaluator& evaluator, const Options& options, Statistics& statistics,
                                  const Redundancy& redundancy);
std::unique_ptr<Stepper> make_cvode(equations::Evaluator& evaluator, const Options& options, Statistics& statistics,
                                    const Redundancy& redundancy);

}  // namespace coenergy::solve
