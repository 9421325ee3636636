#include "coenergy/solve/round_off.hpp"

#include <cmath>
#include <limits>

namespace coenergy::solve {

bool RoundOff::is_all(std::span<const double> matrix, std::initializer_list<const std::vector<double>*> parts,
                      std::span<const double> residual) {
  constexpr double rounding = 16 * std::numeric_limits<double>::epsilon();
  terms_.assign(column_start_.size() - 1, 0);
  std::size_t column = 0;
  for (const std::vector<double>* part : parts)
    for (const double value : *part) {
      for (int k = column_start_[column]; k < column_start_[column + 1]; ++k)
        terms_[row_[k]] += std::abs(matrix[k] * value);
      ++column;
    }
  for (std::size_t i = 0; i < residual.size(); ++i)
    if (!(std::abs(residual[i]) <= rounding * terms_[i])) return false;
  return true;
}

}  // namespace coenergy::solve
