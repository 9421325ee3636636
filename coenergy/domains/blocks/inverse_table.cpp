#include "coenergy/domains/blocks/inverse_table.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include "coenergy/base/names.hpp"

namespace coenergy::domains::blocks {

namespace {

/// The least slope within a cell, in the direction `sign`: that of a cubic is a parabola, told by three of its values.
double find_least_slope(const symbolic::Table& table, std::size_t cell, double sign) {
  const double a = table.x[cell], b = table.x[cell + 1];
  const auto slope = [&](double part) {
    // the right end belongs to this cell
    const double at = std::min(a + part * (b - a), std::nextafter(b, a));
    return sign * table.evaluate(at, 0, 1);
  };
  const double d0 = slope(0), dm = slope(0.5), d1 = slope(1);
  const double square = 2 * (d0 + d1 - 2 * dm), linear = 4 * dm - 3 * d0 - d1;
  const double vertex = square != 0 ? -linear / (2 * square) : -1;
  return vertex > 0 && vertex < 1 ? std::min({d0, d1, slope(vertex)}) : std::min(d0, d1);
}

}  // namespace

void InverseTable::equations(Equations& eq) const {
  auto table = std::make_shared<symbolic::Table>();
  table->name = "map";
  table->method = eq[interpolation] == "cubic" ? symbolic::Table::Method::cubic : symbolic::Table::Method::linear;
  table->x = eq.numbers(x), table->values = eq.numbers(values);
  const std::size_t n = table->x.size();
  if (n < 2) eq.refuse("x needs two points or more");
  if (table->values.size() != n)
    eq.refuse("values has " + std::to_string(table->values.size()) + " entries for " + std::to_string(n) + " points");
  const double sign = table->values[1] > table->values[0] ? 1 : -1;
  for (std::size_t k = 1; k < n; ++k) {
    if (!(table->x[k] > table->x[k - 1]))
      eq.refuse("x must increase; " + format_short(table->x[k]) + " follows " + format_short(table->x[k - 1]));
    if (!(sign * (table->values[k] - table->values[k - 1]) > 0))
      eq.refuse("values must rise or fall all the way; " + format_short(table->values[k]) + " follows " +
                format_short(table->values[k - 1]));
  }
  table->prepare();
  for (std::size_t k = 0; k + 1 < n; ++k)
    if (!(find_least_slope(*table, k, sign) > 0))
      eq.refuse("the spline turns between x = " + format_short(table->x[k]) + " and " + format_short(table->x[k + 1]) +
                ", so that it has no inverse; use interpolation: linear, or more points");
  eq.zero(y, eq.graph().table(table, eq[y]) - eq[u]);
}

}  // namespace coenergy::domains::blocks
