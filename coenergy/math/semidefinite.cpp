#include "coenergy/math/semidefinite.hpp"

#include <cmath>

namespace coenergy::math {

namespace {

constexpr double nothing = 1e-12;

}  // namespace

SemidefiniteFactors factorize_semidefinite(const Matrix& p) {
  const int n = p.rows;
  SemidefiniteFactors result{{}, {}, false, {}, Matrix(n, n)};
  for (int i = 0; i < n; ++i) result.scale.push_back(p(i, i) > 0 ? std::sqrt(p(i, i)) : 1);
  Matrix& f = result.f;
  // what the first pivots leave of an entry
  const auto left_of = [&](int i, int j, int steps) {
    double sum = i == j && p(i, i) > 0 ? 1 : p(i, j) / (result.scale[i] * result.scale[j]);
    for (int m = 0; m < steps; ++m) sum -= f(i, m) * f(j, m);
    return sum;
  };
  std::vector<char> is_pivot(static_cast<std::size_t>(n), 0);
  for (int step = 0; step < n; ++step) {
    int best = -1;
    double most = nothing;
    for (int i = 0; i < n; ++i)
      if (const double left = is_pivot[i] != 0 ? 0 : left_of(i, i, step); left > most + nothing) best = i, most = left;
    if (best < 0) break;
    is_pivot[best] = 1;
    result.pivots.push_back(best);
    for (int i = 0; i < n; ++i)
      if (is_pivot[i] == 0 || i == best) f(i, step) = left_of(i, best, step) / std::sqrt(most);
  }
  // where nothing is left on the diagonal nothing may be left beside it
  const int rank = static_cast<int>(result.pivots.size());
  for (int i = 0; i < n; ++i) {
    if (is_pivot[i] != 0) continue;
    result.rest.push_back(i);
    for (const int j : result.rest) {
      const double left = left_of(i, j, rank);
      if (i == j ? left < -nothing : std::abs(left) > std::sqrt(nothing)) result.is_indefinite = true;
    }
  }
  return result;
}

/// A F_p = F_q with the triangle F_p, from its last column on.
std::vector<double> SemidefiniteFactors::ratios(int q) const {
  const int rank = static_cast<int>(pivots.size());
  std::vector<double> a(static_cast<std::size_t>(rank));
  for (int m = rank - 1; m >= 0; --m) {
    double sum = f(q, m);
    for (int j = m + 1; j < rank; ++j) sum -= a[j] * f(pivots[j], m);
    a[m] = sum / f(pivots[m], m);
  }
  for (int m = 0; m < rank; ++m) a[m] *= scale[q] / scale[pivots[m]];
  return a;
}

bool is_positive_definite(std::vector<std::map<int, double>> upper) {
  std::vector<double> diagonal(upper.size(), 1.0);
  for (std::size_t i = 0; i < upper.size(); ++i) {
    if (!(diagonal[i] > nothing)) return false;
    for (auto a = upper[i].begin(); a != upper[i].end(); ++a) {
      diagonal[a->first] -= a->second * a->second / diagonal[i];
      for (auto b = std::next(a); b != upper[i].end(); ++b)
        upper[a->first][b->first] -= a->second * b->second / diagonal[i];
    }
  }
  return true;
}

}  // namespace coenergy::math
