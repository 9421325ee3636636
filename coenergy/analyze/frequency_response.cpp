#include "coenergy/analyze/frequency_response.hpp"

#include <fmt/format.h>

#include <Eigen/LU>

#include "coenergy/base/error.hpp"

namespace coenergy::analyze {

std::vector<std::complex<double>> compute_frequency_response(const StateSpace& model, double omega) {
  const int n = model.a.rows, inputs = model.b.columns, outputs = model.c.rows;
  const std::complex<double> jw(0, omega);
  Eigen::MatrixXcd m(n, n), b(n, inputs);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) m(i, j) = std::complex<double>(-model.a(i, j), i == j ? omega : 0);
    for (int j = 0; j < inputs; ++j) b(i, j) = model.b(i, j) + jw * model.e(i, j);
  }
  const Eigen::PartialPivLU<Eigen::MatrixXcd> lu(m);
  const Eigen::MatrixXcd x = n > 0 ? Eigen::MatrixXcd(lu.solve(b)) : b;
  if (!x.allFinite())
    throw Error(fmt::format("there is no steady state at {:g} rad/s: the model oscillates freely at it", omega));
  std::vector<std::complex<double>> response;
  for (int i = 0; i < outputs; ++i)
    for (int j = 0; j < inputs; ++j) {
      std::complex<double> sum = model.d(i, j) + jw * model.f(i, j);
      for (int k = 0; k < n; ++k) sum += model.c(i, k) * x(k, j);
      response.push_back(sum);
    }
  return response;
}

}  // namespace coenergy::analyze
