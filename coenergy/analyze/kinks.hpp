#pragma once
#include <string>
#include <vector>

#include "coenergy/analyze/variation.hpp"
#include "coenergy/equations/system.hpp"
#include "coenergy/symbolic/function.hpp"

namespace coenergy::analyze {

/// Where the derivatives of a system jump without being events: arguments of abs, a − b of min(a, b), max(a, b) and of
/// comparisons, x − x_k of the corners of tables without a smooth curve, in rows and signals. Variables stay continuous
/// there to their first derivatives, but the derivatives of the equations, and with them the rates of variations, do not.
///
/// Where the motion rests on a kink, k(z) = 0 over a whole step, a direction that leaves it (δk ≠ 0) meets other equations
/// on either side: R(z + ε δz) − 2 R(z) + R(z − ε δz) is of the size of ε, not of ε². There are two one-sided derivatives.
class Kinks {
 public:
  explicit Kinks(equations::Evaluator& evaluator);
  bool empty() const { return count_ == 0; }
  /// On which side p is of each of them.
  void find_sides(const equations::Point& p, std::vector<char>& sides);
  /// Whether the arguments of some are exactly zero at all three points of a step; they are remembered.
  bool rests(const equations::Point& from, const equations::Point& middle, const equations::Point& to);
  /// The row with a corner at the last of those points along a direction that leaves one of the remembered kinks; empty
  /// where there is none. `all` are the deviations of all variables, of which the four numbers of rotations are left out.
  std::string find_corner(const equations::Point& p, const Direction& direction, const Deviation& all,
                          const std::vector<double>& d);

 private:
  const std::vector<double>& find_values(const equations::Point& p);
  equations::Evaluator& evaluator_;
  std::size_t count_ = 0;
  symbolic::Function function_;
  std::vector<double> values_, work_;
  std::vector<std::size_t> resting_;
};

}  // namespace coenergy::analyze
