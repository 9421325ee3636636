#pragma once
#include <string>
#include <vector>

#include "coenergy/analyze/direction.hpp"
#include "coenergy/math/matrix.hpp"
#include "coenergy/study/measures.hpp"

namespace coenergy::study {

/// Measures of a run with their derivatives to directions, all from the variational equations of one run:
///
///   a value at a time                  δy there
///   an extremum at t*                  δy(t*), since ẏ(t*) = 0, or t* is an end of the run or an instant that y jumps at
///   the time of a crossing of a level  −δy(t*)/ẏ(t*)
///   ∫ y dt, mean, rms                  the same sums of Gauss's rule over the same pieces of steps, of δy
struct MeasureSlopes {
  bool good = false;
  std::string text;
  std::vector<double> values;
  math::Matrix slopes;  ///< measures × directions
};
/// Throws Error for the time of an extremum and for a range, which follow from no single instant.
MeasureSlopes differentiate_measures(equations::Evaluator& evaluator, const solve::Options& options,
                                     const std::vector<analyze::Direction>& directions,
                                     const std::vector<RunMeasure>& measures);

}  // namespace coenergy::study
