#include "coenergy/math/sparse_matrix.hpp"

#include <algorithm>
#include <tuple>

namespace coenergy::math {

void SparseMatrix::add_product(std::span<const double> x, std::span<double> r, double factor) const {
  for (int j = 0; j < n; ++j)
    for (int e = column_start[j]; e < column_start[j + 1]; ++e) r[row[e]] += factor * value[e] * x[j];
}

SparseMatrix make_sparse_matrix(int n, std::vector<Triplet> entries) {
  std::sort(entries.begin(), entries.end(),
            [](const Triplet& a, const Triplet& b) { return std::tie(a.column, a.row) < std::tie(b.column, b.row); });
  SparseMatrix m;
  m.n = n;
  m.column_start.assign(n + 1, 0);
  for (std::size_t k = 0; k < entries.size(); ++k) {
    const Triplet& e = entries[k];
    if (k > 0 && entries[k - 1].row == e.row && entries[k - 1].column == e.column) {
      m.value.back() += e.value;
      continue;
    }
    m.row.push_back(e.row), m.value.push_back(e.value);
    ++m.column_start[e.column + 1];
  }
  for (int j = 0; j < n; ++j) m.column_start[j + 1] += m.column_start[j];
  return m;
}

}  // namespace coenergy::math
