#pragma once
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "coenergy/math/matrix.hpp"
#include "coenergy/study/row_triangle.hpp"
#include "coenergy/study/student.hpp"

namespace coenergy::study {

/// Minimises ½ Σ ρ(r_i(p)²) over bounded parameters.
///
/// `residuals` calls `row(r, ∂r/∂p)` for every residual at p, one after the other, so that no Jacobian need be kept; with
/// `slopes` false the second span may be empty. It returns "" or why there are none at p.
struct LeastSquares {
  using Row = std::function<void(double r, std::span<const double> slopes)>;
  std::function<std::string(std::span<const double> p, bool slopes, const Row& row)> residuals;
  std::vector<double> start, lower, upper;
  std::vector<double> scale;   ///< the size of each parameter; where it is zero that of its start, or 1
  bool is_linear = false;      ///< the first step is the last one
  double slope_error = 1e-13;  ///< of ∂r/∂p, relative: what singular values below it mean is not known
};

/// ρ(r²) of large residuals: squares; huber: |r| beyond 1.345 standard deviations; cauchy: the logarithm beyond 2.385.
enum class Loss { squares, huber, cauchy };

struct FitOptions {
  Loss loss = Loss::squares;
  int most_iterations = 60;
  double tolerance = 1e-8;  ///< of the last step, by the sizes of the parameters
};

struct FitIteration {
  std::vector<double> p;
  double cost = 0;     ///< Σ ρ
  double damping = 0;  ///< λ of Marquardt
};

/// The minimum and what the data tell about it, by the linearised model there: residuals of equal variance
/// s² = Σ r²/(m − n), covariance s² (JᵀJ)⁻¹.
struct Fit {
  bool good = false;
  std::string text;
  std::vector<double> p, sigma, half_width;  ///< ± of 95 %, by Student's distribution; infinite: not identifiable
  math::Matrix correlation;
  double variance = 0;  ///< s²
  double cost = 0;
  int residuals = 0, rank = 0, iterations = 0;
  std::vector<std::vector<double>> free;  ///< directions that change no residual, by relative changes of the parameters
  std::vector<char> at_bound;
  std::vector<FitIteration> trace;
};

/// Levenberg–Marquardt: (RᵀR + λ D²) δ = −Rᵀ q with the triangle R of J = Q R, which is found row by row, λ by the ratio
/// of what was gained to what was foreseen. Parameters at a bound that the gradient pushes out stay there.
Fit fit(const LeastSquares& problem, const FitOptions& options = {});

/// The same with one parameter held: the least cost as a function of it. The ends of {p_k : cost ≤ cost_min + t² s²} are
/// its profile likelihood interval, infinite where the cost stays below.
struct Interval {
  double low = -std::numeric_limits<double>::infinity(), high = std::numeric_limits<double>::infinity();
};
Interval find_profile(const LeastSquares& problem, const Fit& fit, int parameter, const FitOptions& options = {});

/// "motor.R and motor.k are not identifiable: only motor.R/motor.k^2 is" of every free direction.
std::vector<std::string> describe_free(const Fit& fit, const std::vector<std::string>& names);

}  // namespace coenergy::study
