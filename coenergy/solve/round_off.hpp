#pragma once
#include <initializer_list>
#include <span>
#include <vector>

namespace coenergy::solve {

/// Whether every row of R(z) is zero as far as it can be computed: |R_i| ≤ 16 ε Σ_j |A_ij z_j| with A = ∂R/∂z.
///
/// Corrections A⁻¹R need not be small there: a node that only leakage currents determine moves by microvolts for an
/// error in the last digit of a current of milliamperes.
class RoundOff {
 public:
  /// The pattern must outlive this; `parts` make up z. Rows of the matrix beyond the residual are none of R.
  RoundOff(std::span<const int> column_start, std::span<const int> row) : column_start_(column_start), row_(row) {}
  bool is_all(std::span<const double> matrix, std::initializer_list<const std::vector<double>*> parts,
              std::span<const double> residual);

 private:
  std::span<const int> column_start_, row_;
  std::vector<double> terms_;
};

}  // namespace coenergy::solve
