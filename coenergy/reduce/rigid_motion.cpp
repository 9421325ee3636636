#include "coenergy/reduce/rigid_motion.hpp"

#include <cmath>
#include <map>
#include <utility>

#include "coenergy/reduce/likeness.hpp"

namespace coenergy::reduce {

using equations::Point;
using equations::System;

namespace {

constexpr double round_off = 1e-10;  // of the sum of all amounts

std::array<double, 9> rotation_matrix(const double* p) {
  const double a = p[0], b = p[1], c = p[2], d = p[3];
  return {a * a + b * b - c * c - d * d, 2 * (b * c - a * d),           2 * (b * d + a * c),
          2 * (b * c + a * d),           a * a - b * b + c * c - d * d, 2 * (c * d - a * b),
          2 * (b * d - a * c),           2 * (c * d + a * b),           a * a - b * b - c * c + d * d};
}

/// (exp(ω) − 1) r.
std::array<double, 3> turn_by(const double* w, const std::array<double, 3>& r) {
  const double angle = std::sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]), half = angle / 2;
  const double first = angle > 0 ? std::sin(angle) / angle : 1;
  const double sinc = half > 0 ? std::sin(half) / half : 1, second = sinc * sinc / 2;
  const auto cross = [w](const std::array<double, 3>& v) {
    return std::array<double, 3>{w[1] * v[2] - w[2] * v[1], w[2] * v[0] - w[0] * v[2], w[0] * v[1] - w[1] * v[0]};
  };
  const std::array<double, 3> once = cross(r), twice = cross(once);
  return {first * once[0] + second * twice[0], first * once[1] + second * twice[1],
          first * once[2] + second * twice[2]};
}

}  // namespace

RigidMotion::RigidMotion(const System& system, const Point& p) : map_(system.nv()) {
  const int scalars = first_rotation(system);
  std::vector<char> of_body(system.nv(), 0);
  std::vector<int> first;
  for (const auto& body : system.flexible_bodies()) {
    first.push_back(size_);
    size_ += 6;
    for (const equations::FlexibleNode& node : body) {
      Node& n = nodes_.emplace_back();
      n.first = first.back(), n.x = node.x, n.turn = node.turn;
      n.rotation = rotation_matrix(&p.q[scalars + 4 * (node.turn - scalars) / 3]);
      for (int i = 0; i < 3; ++i) {
        n.arm[i] = p.q[node.x[i]] - p.q[body[0].x[i]];
        of_body[node.x[i]] = of_body[node.turn + i] = 1;
      }
      for (int i = 0; i < 3; ++i) {
        const int j = (i + 1) % 3, l = (i + 2) % 3, turns = n.first + 3;
        map_[node.x[i]] = {{n.first + i, 1.0}, {turns + j, n.arm[l]}, {turns + l, -n.arm[j]}};
        for (int m = 0; m < 3; ++m) map_[node.turn + i].push_back({turns + m, n.rotation[3 * m + i]});
      }
    }
  }
  for (int i = 0; i < system.nv(); ++i)
    if (!of_body[i]) map_[i] = {{size_++, 1.0}};
}

int RigidMotion::coordinate_of(int z) const {
  for (std::size_t i = 0; i < map_.size(); ++i)
    for (const Part& part : map_[i])
      if (part.z == z) return int(i);
  return 0;
}

std::vector<double> RigidMotion::spread(std::span<const double> z) const {
  std::vector<double> q(map_.size(), 0.0);
  for (std::size_t i = 0; i < map_.size(); ++i)
    for (const Part& part : map_[i]) q[i] += part.factor * z[part.z];
  return q;
}

std::vector<double> RigidMotion::collect(std::span<const double> force) const {
  std::vector<double> z(size_, 0.0);
  for (std::size_t i = 0; i < map_.size(); ++i)
    for (const Part& part : map_[i]) z[part.z] += part.factor * force[i];
  return z;
}

std::vector<double> RigidMotion::finite_move(std::span<const double> z) const {
  std::vector<double> q = spread(z);
  for (const Node& n : nodes_) {
    const std::array<double, 3> moved = turn_by(&z[n.first + 3], n.arm);
    for (int i = 0; i < 3; ++i) q[n.x[i]] = z[n.first + i] + moved[i];
  }
  return q;
}

math::SparseMatrix RigidMotion::reduce(const math::SparseMatrix& k) const {
  const int nv = int(map_.size());
  struct Sum {
    double value = 0, amount = 0;
  };
  std::map<std::pair<int, int>, Sum> sums;
  for (int j = 0; j < k.n; ++j)
    for (int e = k.column_start[j]; e < k.column_start[j + 1]; ++e) {
      const std::vector<Part> row = k.row[e] < nv ? map_[k.row[e]] : std::vector<Part>{{size_ + k.row[e] - nv, 1.0}};
      const std::vector<Part> column = j < nv ? map_[j] : std::vector<Part>{{size_ + j - nv, 1.0}};
      for (const Part& a : row)
        for (const Part& b : column) {
          Sum& sum = sums[{a.z, b.z}];
          const double part = a.factor * k.value[e] * b.factor;
          sum.value += part, sum.amount += std::abs(part);
        }
    }
  std::vector<math::Triplet> entries;
  for (const auto& [place, sum] : sums)
    if (std::abs(sum.value) > round_off * sum.amount) entries.push_back({place.first, place.second, sum.value});
  return math::make_sparse_matrix(size_ + k.n - nv, std::move(entries));
}

}  // namespace coenergy::reduce
