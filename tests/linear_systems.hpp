#pragma once
#include <random>
#include <utility>
#include <vector>

#include "coenergy/control/hinf.hpp"

namespace coenergy::tests {

using namespace control;
using math::Matrix;

constexpr double pi = 3.14159265358979323846;

inline Matrix rows(const std::vector<std::vector<double>>& values) {
  Matrix m(int(values.size()), int(values[0].size()));
  for (int i = 0; i < m.rows; ++i)
    for (int j = 0; j < m.columns; ++j) m(i, j) = values[i][j];
  return m;
}

inline LinearSystem function(std::vector<double> num, std::vector<double> den) {
  return make_linear_system(TransferFunction{std::move(num), std::move(den)});
}

inline LinearSystem random_system(int n, int inputs, int outputs, double shift) {
  std::mt19937 random(11);
  std::normal_distribution<double> any;
  LinearSystem s{Matrix(n, n), Matrix(n, inputs), Matrix(outputs, n), Matrix(outputs, inputs), 0};
  for (auto* m : {&s.a, &s.b, &s.c})
    for (double& x : m->data) x = any(random);
  for (int i = 0; i < n; ++i) s.a(i, i) -= shift;
  return s;
}

/// A plant with weights: an unstable lag, error weighted by a lag, effort by a gain, noise on the measurement.
inline GeneralPlant mixed_plant(double effort) {
  LinearSystem s{rows({{1, 0}, {-1, -0.1}}), rows({{1, 0, 1}, {0, 0, 0}}), rows({{0, 1}, {0, 0}, {-1, 0}}),
                 rows({{0, 0, 0}, {0, 0, effort}, {0, 0.1, 0}}), 0};
  return {s, 1, 1};
}

}  // namespace coenergy::tests
