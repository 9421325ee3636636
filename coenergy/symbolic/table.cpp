#include "coenergy/symbolic/table.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "coenergy/base/error.hpp"
#include "coenergy/base/names.hpp"

namespace coenergy::symbolic {

namespace {

void check_axis(const Table& t, const std::vector<double>& grid, const char* axis) {
  const std::string where = "table \"" + t.name + "\": ";
  if (grid.size() < 2)
    throw Error(where + axis + " has " + std::to_string(grid.size()) + " grid points; at least 2 are needed");
  for (std::size_t i = 0; i < grid.size(); ++i) {
    if (!std::isfinite(grid[i]))
      throw Error(where + axis + "[" + std::to_string(i) + "] = " + format_short(grid[i]) + " must be finite");
    if (i > 0 && !(grid[i - 1] < grid[i]))
      throw Error(where + axis + "[" + std::to_string(i) + "] = " + format_short(grid[i]) + " must be > " + axis + "[" +
                  std::to_string(i - 1) + "] = " + format_short(grid[i - 1]));
  }
}

// Second derivatives m of the natural cubic spline through f[0], f[stride], …: m = 0 at both ends, between
//   h₋ mᵢ₋₁ + 2 (h₋ + h₊) mᵢ + h₊ mᵢ₊₁ = 6 ((fᵢ₊₁ − fᵢ)/h₊ − (fᵢ − fᵢ₋₁)/h₋)      (tridiagonal, Thomas' elimination)
void natural_spline(const std::vector<double>& x, const double* f, double* m, std::size_t stride) {
  const std::size_t n = x.size();
  std::vector<double> upper(n, 0), right(n, 0);
  for (std::size_t i = 1; i + 1 < n; ++i) {
    const double h0 = x[i] - x[i - 1], h1 = x[i + 1] - x[i];
    const double slope0 = (f[i * stride] - f[(i - 1) * stride]) / h0;
    const double slope1 = (f[(i + 1) * stride] - f[i * stride]) / h1;
    const double pivot = 2 * (h0 + h1) - h0 * upper[i - 1];
    upper[i] = h1 / pivot;
    right[i] = (6 * (slope1 - slope0) - h0 * right[i - 1]) / pivot;
  }
  m[0] = m[(n - 1) * stride] = 0;
  for (std::size_t i = n - 1; i-- > 1;) m[i * stride] = right[i] - upper[i] * m[(i + 1) * stride];
}

// weights inside a cell of length h at t = (x − x[i])/h; order counts derivatives with respect to x
TableWeights cell_weights(std::size_t cell, double h, double t, Table::Method method, int order) {
  const double s = 1 - t;
  TableWeights r{cell, {0, 0}, {0, 0}};
  if (order == 0) r.v[0] = s, r.v[1] = t;
  if (order == 1) r.v[0] = -1 / h, r.v[1] = 1 / h;
  if (method == Table::Method::linear) return r;
  switch (order) {
    case 0:
      r.w[0] = (s * s * s - s) * h * h / 6, r.w[1] = (t * t * t - t) * h * h / 6;
      break;
    case 1:
      r.w[0] = (1 - 3 * s * s) * h / 6, r.w[1] = (3 * t * t - 1) * h / 6;
      break;
    case 2:
      r.w[0] = s, r.w[1] = t;
      break;
    case 3:
      r.w[0] = -1 / h, r.w[1] = 1 / h;
      break;
    default:
      break;
  }
  return r;
}

}  // namespace

TableWeights table_weights(const std::vector<double>& grid, Table::Method method, double x, int order) {
  const std::size_t n = grid.size();
  const auto above = std::upper_bound(grid.begin() + 1, grid.end() - 1, x);
  const std::size_t cell = static_cast<std::size_t>(above - grid.begin()) - 1;
  const double h = grid[cell + 1] - grid[cell];
  const bool below = x<grid[0], beyond = x> grid[n - 1];
  if (!below && !beyond) return cell_weights(cell, h, (x - grid[cell]) / h, method, order);
  // outside: s(end) + s′(end)·(x − end)
  const double end = below ? grid[0] : grid[n - 1], t = below ? 0 : 1;
  if (order > 1) return {cell, {0, 0}, {0, 0}};
  TableWeights slope = cell_weights(cell, h, t, method, 1);
  if (order == 1) return slope;
  TableWeights r = cell_weights(cell, h, t, method, 0);
  for (int k = 0; k < 2; ++k) r.v[k] += slope.v[k] * (x - end), r.w[k] += slope.w[k] * (x - end);
  return r;
}

void Table::prepare() {
  check_axis(*this, x, "x");
  if (!y.empty()) check_axis(*this, y, "y");
  const std::size_t nx = x.size(), ny = y.empty() ? 1 : y.size(), n = nx * ny;
  if (values.size() != n)
    throw Error("table \"" + name + "\": has " + std::to_string(values.size()) + " values; the grid needs " +
                std::to_string(n));
  for (std::size_t i = 0; i < n; ++i)
    if (!std::isfinite(values[i]))
      throw Error("table \"" + name + "\": values[" + std::to_string(i) + "] = " + format_short(values[i]) +
                  " must be finite");
  second.clear();
  if (method == Method::cubic) {
    second.resize(y.empty() ? n : 3 * n);
    for (std::size_t j = 0; j < ny; ++j) natural_spline(x, &values[j], &second[j], ny);
    if (!y.empty())
      for (std::size_t i = 0; i < nx; ++i) {
        natural_spline(y, &values[i * ny], &second[n + i * ny], 1);
        natural_spline(y, &second[i * ny], &second[2 * n + i * ny], 1);
      }
  }
  prepared_size = n;
}

double Table::evaluate(double xv, double yv, int dx, int dy) const {
  assert(is_prepared());
  const TableWeights a = table_weights(x, method, xv, dx);
  const bool cubic = method == Method::cubic;
  if (y.empty()) {
    if (dy > 0) return 0;
    double r = a.v[0] * values[a.cell] + a.v[1] * values[a.cell + 1];
    if (cubic) r += a.w[0] * second[a.cell] + a.w[1] * second[a.cell + 1];
    return r;
  }
  const TableWeights b = table_weights(y, method, yv, dy);
  const std::size_t ny = y.size(), n = values.size();
  double r = 0;
  for (std::size_t p = 0; p < 2; ++p)
    for (std::size_t q = 0; q < 2; ++q) {
      const std::size_t i = (a.cell + p) * ny + b.cell + q;
      r += a.v[p] * b.v[q] * values[i];
      if (cubic)
        r += a.w[p] * b.v[q] * second[i] + a.v[p] * b.w[q] * second[n + i] + a.w[p] * b.w[q] * second[2 * n + i];
    }
  return r;
}

}  // namespace coenergy::symbolic
