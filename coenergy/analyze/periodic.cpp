#include "coenergy/analyze/periodic.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "coenergy/base/error.hpp"
#include "coenergy/math/decompositions.hpp"
#include "coenergy/solve/simulate.hpp"

namespace coenergy::analyze {
namespace {

using math::Matrix;

/// Runs over one period.
class Flow {
 public:
  Flow(equations::Evaluator& evaluator, const solve::Options& options) : evaluator_(evaluator), options_(options) {
    options_.start = "given";
    options_.record_events = false;
  }

  struct End {
    std::vector<double> x, rate;
  };
  bool run(const std::vector<double>& x, double period, End& end) {
    options_.states = x;
    options_.t_end = options_.t_start + period;
    options_.output_step = period;
    const solve::Result result = solve::simulate(evaluator_, options_);
    if (result.status != solve::Status::done) {
      text = "run over a period of " + std::to_string(period) + " s: " + result.text;
      return false;
    }
    end = {result.end.x, result.end.xd};
    return true;
  }
  std::string text;

 private:
  equations::Evaluator& evaluator_;
  solve::Options options_;
};

bool compute_monodromy(Flow& flow, const std::vector<double>& x, double period, const std::vector<double>& nominal,
                       Matrix& monodromy) {
  const int n = static_cast<int>(x.size());
  monodromy = Matrix(n, n);
  for (int j = 0; j < n; ++j) {
    const double step = 1e-4 * std::max(std::abs(x[j]), 0.1 * nominal[j]);
    std::vector<double> moved = x;
    Flow::End above, below;
    moved[j] = x[j] + step;
    if (!flow.run(moved, period, above)) return false;
    moved[j] = x[j] - step;
    if (!flow.run(moved, period, below)) return false;
    for (int i = 0; i < n; ++i) monodromy(i, j) = (above.x[i] - below.x[i]) / (2 * step);
  }
  return true;
}

/// Solves the Newton step (M − 1) δx + ẋ δT = x₀ − x(T), ẋ·δx = 0; false where it is singular.
bool solve_step(const Matrix& a, std::vector<double>& b) {
  const Eigen::Map<const Eigen::MatrixXd> matrix(a.data.data(), a.rows, a.columns);
  Eigen::Map<Eigen::VectorXd> right(b.data(), a.rows);
  right = matrix.partialPivLu().solve(right).eval();
  return right.allFinite();
}

}  // namespace

Periodic find_periodic(equations::Evaluator& evaluator, const solve::Options& options, const PeriodicOptions& wanted) {
  const equations::System& s = evaluator.system();
  if (s.nv() > 0) throw Error("periodic: the model has bodies or shafts; only circuits and blocks are treated");
  if (s.nx() == 0) throw Error("periodic: the model has no states");
  if (!(wanted.period > 0)) throw Error("periodic: the period must be > 0 s");
  const int n = s.nx();
  std::vector<double> nominal;
  for (int k = 0; k < n; ++k) nominal.push_back(s.unknown(k).nominal);

  Flow flow(evaluator, options);
  Periodic result;
  result.period = wanted.period;
  result.x = s.start().x;
  result.x.resize(n);
  Matrix monodromy;
  for (; result.iterations < wanted.max_iterations; ++result.iterations) {
    Flow::End end;
    if (!flow.run(result.x, result.period, end) ||
        !compute_monodromy(flow, result.x, result.period, nominal, monodromy)) {
      result.text = flow.text;
      return result;
    }
    const int size = n + (wanted.free ? 1 : 0);
    Matrix a(size, size);
    std::vector<double> step(size);
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) a(i, j) = monodromy(i, j) - (i == j ? 1 : 0);
      if (wanted.free) a(i, n) = a(n, i) = end.rate[i];
      step[i] = result.x[i] - end.x[i];
    }
    if (!solve_step(a, step)) {
      result.text = "the periodic state is not unique: a multiplier is 1";
      return result;
    }
    double largest = 0;
    for (int i = 0; i < n; ++i) {
      result.x[i] += step[i];
      largest = std::max(largest, std::abs(step[i]) / std::max(std::abs(result.x[i]), nominal[i]));
    }
    if (wanted.free) {
      // a period that jumps would lead to its multiples
      const double change = std::clamp(step[n], -0.3 * result.period, 0.3 * result.period);
      result.period += change;
      largest = std::max(largest, std::abs(change) / result.period);
    }
    if (largest < wanted.tolerance) {
      result.good = true;
      break;
    }
  }
  if (!result.good) {
    result.text = "no periodic state found in " + std::to_string(result.iterations) + " iterations";
    return result;
  }
  result.multipliers = math::compute_eigenpairs(monodromy).values;
  std::sort(result.multipliers.begin(), result.multipliers.end(),
            [](const auto& a, const auto& b) { return std::abs(a) > std::abs(b); });
  return result;
}

}  // namespace coenergy::analyze
