#pragma once
#include <vector>

#include "coenergy/equations/system.hpp"
#include "coenergy/symbolic/function.hpp"

namespace coenergy::analyze {

/// Where the derivatives of a system jump without being events: arguments of abs, a − b of min(a, b), max(a, b) and of
/// comparisons, x − x_k of the corners of tables without a smooth curve, in rows and signals. Variables stay continuous
/// there to their first derivatives, but the derivatives of the equations, and with them the rates of variations, do not.
class Kinks {
 public:
  explicit Kinks(equations::Evaluator& evaluator);
  bool empty() const { return count_ == 0; }
  /// On which side p is of each of them.
  void find_sides(const equations::Point& p, std::vector<char>& sides);

 private:
  equations::Evaluator& evaluator_;
  std::size_t count_ = 0;
  symbolic::Function function_;
  std::vector<double> values_, work_;
};

}  // namespace coenergy::analyze
