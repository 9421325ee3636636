#pragma once
#include <algorithm>
#include <vector>

#include "coenergy/base/state_archive.hpp"
#include "coenergy/equations/system.hpp"

namespace coenergy::solve {

/// What the matrix of a linear system depends on, as it was when the matrix was made: as long as that is the same, no
/// event and no sample makes the matrix an old one.
class LinearMatrix {
 public:
  explicit LinearMatrix(const equations::System& s) : modes_(&s.matrix_modes()), is_linear_(s.is_linear()) {}

  void take(const equations::Evaluator& evaluator, const equations::Point& p) {
    if (!is_linear_) return;
    values_.clear();
    for (const int k : *modes_) values_.push_back(p.d[k]);
    const auto parameters = evaluator.parameters();
    parameters_.assign(parameters.begin(), parameters.end());
  }
  /// Whether the matrix at p is the one that was taken; never where the system is not linear.
  bool fits(const equations::Evaluator& evaluator, const equations::Point& p) const {
    if (!is_linear_ || values_.size() != modes_->size()) return false;
    for (std::size_t i = 0; i < values_.size(); ++i)
      if (p.d[(*modes_)[i]] != values_[i]) return false;
    const auto parameters = evaluator.parameters();
    return std::equal(parameters.begin(), parameters.end(), parameters_.begin(), parameters_.end());
  }
  bool is_linear() const { return is_linear_; }
  void visit(StateArchive& archive) { archive(values_, parameters_); }

 private:
  const std::vector<int>* modes_;
  bool is_linear_;
  std::vector<double> values_, parameters_;
};

}  // namespace coenergy::solve
