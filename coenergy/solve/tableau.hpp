#pragma once
#include <vector>

namespace coenergy::solve {

/// Coefficients of an explicit Runge–Kutta method: c, strictly lower triangular A (by rows), b, and b − b̂ of an
/// embedded method (empty: none). `last_is_next`: the last stage is the derivative at the end of the step.
///
/// Continuous extension: z(t₀ + s h) = z₀ + h Σ w_i(s) k_i over all stages and `extra` ones, whose rows of A and c
/// follow those of the stages and which are computed only where something between the ends of a step is asked for.
struct Tableau {
  int stages = 0;
  std::vector<double> c, a, b, b_error;
  std::vector<double> b_coarse =
      {};  ///< b − b̂ of a second embedded method of low order, see RungeKutta::estimate_error
  bool last_is_next = false;
  int error_order = 0;  ///< power of h that the embedded error has
  int extra = 0;
  void (*weights)(double s, double* w) = nullptr;  ///< of the continuous extension; none: Hermite's polynomials

  static const Tableau& euler();
  static const Tableau& rk4();
  static const Tableau& dormand_prince();
  static const Tableau& dormand_prince_853();
};

}  // namespace coenergy::solve
