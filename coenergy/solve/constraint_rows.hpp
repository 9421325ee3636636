#pragma once
#include <vector>

#include "coenergy/base/state_archive.hpp"
#include "coenergy/equations/system.hpp"
#include "coenergy/solve/result.hpp"
#include "coenergy/solve/tangent.hpp"

namespace coenergy::solve {

/// The constraints of a system at a point: values, derivatives and how far they are from being satisfied.
///
/// A violation is compared in units of coordinates: |Φ| over the largest derivative of its row.
class ConstraintRows {
 public:
  explicit ConstraintRows(equations::Evaluator& evaluator);

  struct Outcome {
    bool good = true;
    int constraint = -1;   ///< the one violated most, counted from 0
    double violation = 0;  ///< its value
  };
  /// Φ (non-holonomic constraints have none) or Φ̇ at p, kept as value(); and the one violated most.
  Outcome measure(equations::Level level, const equations::Point& p);
  double value(int constraint) const { return residual_[constraint]; }

  /// ∂Φ/∂q (of a non-holonomic constraint A) at p, kept as derivative().
  void differentiate(const equations::Point& p);
  struct Entry {
    int constraint, coordinate, place;  ///< in the pattern of the system
  };
  const std::vector<Entry>& entries() const { return entries_; }
  double derivative(const Entry& e) const { return derivatives_[e.place]; }
  /// Whether a derivative is round-off beside the others of its row.
  bool is_negligible(const Entry& e) const;

  /// A violation in units of the coordinates that the row restricts.
  double relative_size(const Outcome& outcome) const;
  /// Whether it is at most `limit` of the size of those coordinates, or of their rates.
  bool is_satisfied(const Outcome& outcome, const equations::Point& p, bool velocity, double limit) const;
  void visit(StateArchive& archive) { archive(gradient_size_); }
  bool are_closed() const;  ///< the values need no correction at all

 private:
  double gradient(int constraint) const { return gradient_size_[constraint] > 0 ? gradient_size_[constraint] : 1; }

  equations::Evaluator* evaluator_;
  Tangent tangent_;
  int nv_, nl_;
  std::vector<Entry> entries_;
  std::vector<double> derivatives_, residual_, gradient_size_;
};

}  // namespace coenergy::solve
