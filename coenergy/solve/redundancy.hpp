#pragma once
#include <vector>

#include "coenergy/solve/projection.hpp"

namespace coenergy::solve {

/// Constraints (multipliers counted from 0) that follow from the others.
///
/// Rows of Φ_q that are combinations of others at a point may be so everywhere, as in a planar loop of spatial joints:
/// then one of them can be left out. Or only there, as in a parallelogram whose bars lie on each other: then each of
/// them is needed as soon as the mechanism moves on. The two are told apart by a second point a little way along the
/// constraints.
struct Redundancy {
  std::vector<int> always;  ///< redundant wherever the mechanism goes nearby
  std::vector<int> here;    ///< further ones that are dependent at this point only: a singular position
  bool none() const { return always.empty() && here.empty(); }
  void visit(StateArchive& archive) { archive(always, here); }
};

/// Redundancy at p, which satisfies the constraints.
Redundancy find_redundancy(equations::Evaluator& evaluator, ConstraintProjection& projection,
                           const equations::Point& p);

/// All multipliers whose constraints follow from the others at p, by pivoting: those left out are the worst choice.
/// What is left of a row of unit length without the others is at most `tolerance`.
std::vector<int> find_dependent_rows(ConstraintProjection& projection, const equations::Point& p,
                                     double tolerance = 1e-9);

}  // namespace coenergy::solve
