#include "coenergy/solve/settle.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "coenergy/math/sparse_lu.hpp"

namespace coenergy::solve {
namespace {

using system::Evaluator;
using system::Point;
using system::System;

constexpr double still = 1e-10;          // relative change that counts as none
constexpr double longest_step = 1e9;     // s: beyond all time constants, also those of leakage conductances
constexpr double shortest_step = 1e-15;  // of the time of the run
constexpr int most_steps = 300, most_iterations = 60;

/// States that appear in their own row only.
std::vector<char> find_integrals(const System& s) {
  std::vector<char> integral(s.nx());
  const int first = s.nv() + s.nl();
  const auto& pattern = s.pattern();
  for (int i = 0; i < s.nx(); ++i) {
    integral[i] = 1;
    for (int k = pattern.column_start[first + i]; k < pattern.column_start[first + i + 1]; ++k)
      if (pattern.row[k] != first + i) integral[i] = 0;
  }
  return integral;
}

/// Newton's iteration for (a, λ, x, y) with ẋ = (x − x₀)/τ.
class Settling {
 public:
  Settling(Evaluator& evaluator, Statistics& statistics)
      : evaluator_(evaluator),
        s_(evaluator.system()),
        statistics_(statistics),
        lu_(s_.n(), s_.pattern().column_start, s_.pattern().row, multiplier_indices(s_)),
        integral_(find_integrals(s_)),
        matrix_(s_.pattern().row.size()),
        residual_(s_.n()),
        delta_(s_.n()) {}

  const std::vector<char>& integral() const { return integral_; }
  const std::string& reason() const { return reason_; }

  bool step(Point& p, double tau) {
    const std::vector<double> x0 = p.x;
    evaluate(p, x0, tau);
    for (int k = 0; k < most_iterations; ++k) {
      evaluator_.jacobian(p, system::Level::acceleration, {.a = 1, .lambda = 1, .x = 1, .xd = 1 / tau, .y = 1},
                          matrix_);
      ++statistics_.jacobians, ++statistics_.factorizations, ++statistics_.newton_iterations;
      if (!lu_.factor(matrix_)) {
        reason_ = fmt::format("the equations do not determine {}", s_.unknown(lu_.weakest_column()).name);
        return false;
      }
      for (std::size_t i = 0; i < delta_.size(); ++i) delta_[i] = -residual_[i];
      lu_.solve(delta_);
      const double size = correction_size(p);
      if (!std::isfinite(size) || !take(p, x0, tau)) break;
      if (size <= still) return true;
      if (k > 20 && size <= 1e3 * still) return true;
    }
    reason_ = worst_row();
    return false;
  }

 private:
  double scale(double value, int unknown) const { return std::max(std::abs(value), s_.unknown(unknown).nominal); }

  double correction_size(const Point& p) const {
    double size = 0;
    const int x = s_.nv() + s_.nl(), y = x + s_.nx();
    for (int i = 0; i < s_.nx(); ++i)
      if (!integral_[i]) size = std::max(size, std::abs(delta_[x + i]) / scale(p.x[i], x + i));
    for (int i = 0; i < s_.ny(); ++i) size = std::max(size, std::abs(delta_[y + i]) / scale(p.y[i], y + i));
    return std::any_of(delta_.begin(), delta_.end(), [](double d) { return std::isnan(d); }) ? std::nan("") : size;
  }

  /// Takes the correction, halved while the residual is not finite or much larger.
  bool take(Point& p, const std::vector<double>& x0, double tau) {
    const double before = residual_size();
    const Point old = p;
    double factor = 1;
    for (int k = 0; k < 8; ++k, factor /= 2) {
      p = old;
      const double* d = delta_.data();
      for (auto* part : {&p.a, &p.lambda, &p.x, &p.y})
        for (double& value : *part) value += factor * *d++;
      evaluate(p, x0, tau);
      if (residual_size() <= 2 * before + 1e-12) return true;
    }
    return std::isfinite(residual_size());
  }

  void evaluate(Point& p, const std::vector<double>& x0, double tau) {
    for (int i = 0; i < s_.nx(); ++i) p.xd[i] = (p.x[i] - x0[i]) / tau;
    evaluator_.residual(p, system::Level::acceleration, residual_);
    ++statistics_.residuals;
  }

  double residual_size() const {
    double size = 0;
    for (std::size_t i = 0; i < residual_.size(); ++i) {
      const double r = std::abs(residual_[i]) * lu_.row_scale()[i];
      if (!std::isfinite(r)) return std::numeric_limits<double>::infinity();
      size = std::max(size, r);
    }
    return size;
  }

  std::string worst_row() const {
    int worst = 0;
    for (int i = 1; i < s_.n(); ++i)
      if (!(std::abs(residual_[i]) * lu_.row_scale()[i] <= std::abs(residual_[worst]) * lu_.row_scale()[worst]))
        worst = i;
    return fmt::format("largest residual: {}, {:.2g}", s_.row_name(worst), residual_[worst]);
  }

  Evaluator& evaluator_;
  const System& s_;
  Statistics& statistics_;
  math::SparseLu<double> lu_;
  std::vector<char> integral_;
  std::vector<double> matrix_, residual_, delta_;
  std::string reason_;
};

/// The state that changed most, relative to its size; −1 if none did.
int find_moving(const System& s, const std::vector<double>& from, const std::vector<double>& to,
                const std::vector<char>& left_out) {
  int which = -1;
  double largest = 10 * still;
  for (int i = 0; i < s.nx(); ++i) {
    if (left_out[i]) continue;
    const double size = std::max(std::abs(to[i]), s.unknown(s.nv() + s.nl() + i).nominal);
    const double change = std::abs(to[i] - from[i]) / size;
    if (change > largest) largest = change, which = i;
  }
  return which;
}

}  // namespace

Settled settle(Evaluator& evaluator, const Options& options, EventHandler& events, Point& p, Statistics& statistics) {
  const System& s = evaluator.system();
  const double span = options.t_end > options.t_start ? options.t_end - options.t_start : 1;
  const std::vector<double> start = p.x;
  Settling settling(evaluator, statistics);

  double tau = 1e-3 * span;
  bool at_rest = s.nx() == 0;
  std::string reason;
  for (int k = 0; k < most_steps && !at_rest; ++k) {
    Point next = p;
    if (!settling.step(next, tau)) {
      reason = settling.reason();
      if ((tau /= 20) < shortest_step * span) break;
      continue;
    }
    const int moving = find_moving(s, p.x, next.x, settling.integral());
    p = next;
    const bool switched = evaluator.update_modes(p);
    at_rest = moving < 0 && tau >= longest_step && !switched;
    tau = std::min(10 * tau, longest_step);
    if (moving >= 0) reason = s.unknown(s.nv() + s.nl() + moving).name + " does not come to rest";
    if (switched) reason = "modes do not settle";
  }
  for (int i = 0; i < s.nx(); ++i)
    if (settling.integral()[i]) p.x[i] = start[i];
  std::fill(p.xd.begin(), p.xd.end(), 0.0);
  if (!at_rest) return {false, "no operating point: " + reason};

  // rates and algebraic variables that belong to these states
  const EventHandler::Outcome outcome = events.pass(p);
  return {outcome.good, outcome.good ? "" : "no operating point: " + outcome.text};
}

}  // namespace coenergy::solve
