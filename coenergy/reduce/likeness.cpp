#include "coenergy/reduce/likeness.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace coenergy::reduce {

using equations::Point;
using equations::System;

int first_rotation(const System& system) { return system.nv() - 3 * (system.nq() - system.nv()); }

namespace {

using Turn = std::array<double, 4>;

/// The quaternion of a node whose turns are the velocities from `turn` on.
Turn turn_of(const System& s, const Point& p, int turn) {
  const int scalars = first_rotation(s), at = scalars + 4 * (turn - scalars) / 3;
  return {p.q[at], p.q[at + 1], p.q[at + 2], p.q[at + 3]};
}

Turn multiply(const Turn& a, const Turn& b) {
  return {a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3], a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
          a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1], a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0]};
}

Turn inverse(const Turn& a) { return {a[0], -a[1], -a[2], -a[3]}; }

/// The matching with the largest sum: shortest augmenting paths with potentials, rows one by one. Row i gets column
/// result[i]; there are at least as many columns as rows.
std::vector<int> assign(const std::vector<std::vector<double>>& gain) {
  const int rows = int(gain.size()), columns = rows == 0 ? 0 : int(gain[0].size());
  constexpr double far = std::numeric_limits<double>::infinity();
  std::vector<double> of_row(rows + 1, 0.0), of_column(columns + 1, 0.0);
  std::vector<int> row_of(columns + 1, -1);
  for (int i = 0; i < rows; ++i) {
    std::vector<double> shortest(columns + 1, far);
    std::vector<int> way(columns + 1, columns);
    std::vector<char> used(columns + 1, 0);
    int column = columns;
    row_of[columns] = i;
    do {
      used[column] = 1;
      const int row = row_of[column];
      int next = -1;
      for (int j = 0; j < columns; ++j) {
        if (used[j]) continue;
        const double cost = -gain[row][j] - of_row[row] - of_column[j];
        if (cost < shortest[j]) shortest[j] = cost, way[j] = column;
        if (next < 0 || shortest[j] < shortest[next]) next = j;
      }
      const double step = shortest[next];
      for (int j = 0; j <= columns; ++j) {
        if (used[j])
          of_row[row_of[j]] += step, of_column[j] -= step;
        else
          shortest[j] -= step;
      }
      column = next;
    } while (row_of[column] >= 0);
    for (; column != columns; column = way[column]) row_of[column] = row_of[way[column]];
  }
  std::vector<int> result(rows, -1);
  for (int j = 0; j < columns; ++j)
    if (row_of[j] >= 0) result[row_of[j]] = j;
  return result;
}

}  // namespace

std::vector<double> Likeness::carry(std::vector<double> shape, const Point& from, const Point& to) const {
  for (const auto& body : system_.flexible_bodies())
    for (const equations::FlexibleNode& node : body) {
      const Turn turn = multiply(turn_of(system_, to, node.turn), inverse(turn_of(system_, from, node.turn)));
      const Turn moved =
          multiply(multiply(turn, {0, shape[node.x[0]], shape[node.x[1]], shape[node.x[2]]}), inverse(turn));
      for (int i = 0; i < 3; ++i) shape[node.x[i]] = moved[i + 1];
    }
  return shape;
}

double Likeness::product(const std::vector<double>& a, const std::vector<double>& b) const {
  double sum = 0;
  for (int j = 0; j < int(b.size()); ++j)
    for (int e = mass_.column_start[j]; e < mass_.column_start[j + 1]; ++e)
      sum += a[mass_.row[e]] * mass_.value[e] * b[j];
  return sum;
}

double Likeness::compare(const std::vector<double>& a, const std::vector<double>& b) const {
  const double ab = product(a, b), size = product(a, a) * product(b, b);
  return size > 0 ? ab * ab / size : 0;
}

std::vector<Match> Likeness::match(const std::vector<std::vector<double>>& before,
                                   const std::vector<std::vector<double>>& candidates) const {
  std::vector<std::vector<double>> mac(before.size(), std::vector<double>(candidates.size()));
  for (std::size_t i = 0; i < before.size(); ++i)
    for (std::size_t j = 0; j < candidates.size(); ++j) mac[i][j] = compare(before[i], candidates[j]);
  const std::vector<int> columns = assign(mac);
  std::vector<Match> result;
  for (std::size_t i = 0; i < before.size(); ++i)
    result.push_back({columns[i], mac[i][columns[i]], product(before[i], candidates[columns[i]]) < 0});
  return result;
}

}  // namespace coenergy::reduce
