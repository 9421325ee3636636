#pragma once
#include <cmath>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "coenergy/symbolic/expr.hpp"

namespace coenergy::symbolic {

/// An expression with its value computed beside it in plain doubles, never simplified. `noise` bounds the round-off of
/// that value in units of machine precision (first order), so that cancellation is not mistaken for an error.
struct Traced {
  Expr expr;
  double value;
  double noise;
};

/// Seeded random expressions over a few symbols, for tests.
class RandomExpressions {
 public:
  RandomExpressions(Graph& graph, unsigned seed, int symbols = 4) : graph_(graph), random_(seed) {
    std::uniform_real_distribution<double> range(-1.5, 1.5);
    for (int i = 0; i < symbols; ++i) {
      const std::string name = "x" + std::to_string(i);
      const double value = range(random_);
      point[name] = value;
      pool_.push_back({graph.symbol(name), value, std::abs(value)});
    }
    for (const int n : {1, 2, -1}) pool_.push_back({Expr(n), double(n), 0});
    pool_.push_back({graph.rational(1, 3), 1.0 / 3, 1});
    pool_.push_back({graph.constant(0.7), 0.7, 0});
  }

  /// The last of `operations` random operations, each on earlier results.
  Traced make(int operations) {
    const std::size_t kept = pool_.size();
    Traced last = pool_.front();
    for (int i = 0; i < operations; ++i) {
      last = step();
      // an operation that leaves the comfortable range is not used further
      if (std::isfinite(last.value) && std::abs(last.value) < 1e3 && last.noise < 1e4)
        pool_.push_back(last);
      else
        last = pool_.back();
    }
    pool_.resize(kept);
    return last;
  }

  std::map<std::string, double> point;

 private:
  const Traced& pick() {
    // recent results more often, so that expressions get deep
    const std::size_t n = pool_.size(), from = random_() % 3 == 0 ? 0 : n / 2;
    return pool_[from + random_() % (n - from)];
  }

  Traced step() {
    const Traced a = pick(), b = pick();
    switch (random_() % 24) {
      case 0:
      case 1:
      case 2:
        return {a.expr + b.expr, a.value + b.value, a.noise + b.noise + std::abs(a.value + b.value)};
      case 3:
      case 4:
      case 5:
        return {a.expr - b.expr, a.value - b.value, a.noise + b.noise + std::abs(a.value - b.value)};
      case 6:
      case 7:
      case 8:
      case 9:
        return times(a, b);
      case 10:
        return divide(a, b);
      case 11:
        return function(sin(a.expr), std::sin(a.value), std::cos(a.value), a);
      case 12:
        return function(cos(a.expr), std::cos(a.value), std::sin(a.value), a);
      case 13:
        return times({sin(a.expr), std::sin(a.value), a.noise + 1}, {cos(b.expr), std::cos(b.value), b.noise + 1});
      case 14:
        return times({cos(a.expr), std::cos(a.value), a.noise + 1}, {sin(b.expr), std::sin(b.value), b.noise + 1});
      case 15:
        return {-a.expr, -a.value, a.noise};
      case 16:
        return function(pow(a.expr, 2), a.value * a.value, 2 * a.value, a);
      case 17:
        return function(tanh(a.expr), std::tanh(a.value), 1, a);
      case 18:
        return root(a);
      case 19:
        return exponential(a);
      case 20:
        return {min(a.expr, b.expr), std::min(a.value, b.value), std::max(a.noise, b.noise)};
      case 21:
        return {abs(a.expr), std::abs(a.value), a.noise};
      case 22:
        return choice(a, b);
      default:
        return {graph_.let("v", a.expr), a.value, a.noise};
    }
  }

  static Traced function(const Expr& e, double value, double slope, const Traced& a) {
    return {e, value, std::abs(slope) * a.noise + 2 * std::abs(value)};
  }
  static Traced times(const Traced& a, const Traced& b) {
    const double v = a.value * b.value;
    return {a.expr * b.expr, v, std::abs(a.value) * b.noise + std::abs(b.value) * a.noise + std::abs(v)};
  }
  static Traced divide(const Traced& a, const Traced& b) {
    if (std::abs(b.value) < 0.2 || b.expr.is_zero()) return a;
    const double v = a.value / b.value;
    return {a.expr / b.expr, v, (a.noise + std::abs(v) * b.noise) / std::abs(b.value) + std::abs(v)};
  }
  static Traced root(const Traced& a) {
    if (a.value < 0.1) return a;
    const double v = std::sqrt(a.value);
    return function(sqrt(a.expr), v, 0.5 / v, a);
  }
  static Traced exponential(const Traced& a) {
    if (a.value > 3) return a;
    const double v = std::exp(a.value);
    return function(exp(a.expr), v, v, a);
  }
  static Traced choice(const Traced& a, const Traced& b) {
    // a comparison within round-off may go either way
    if (std::abs(a.value - b.value) < 1e-9) return a;
    const bool below = a.value < b.value;
    return {select(less(a.expr, b.expr), a.expr, b.expr + 1), below ? a.value : b.value + 1,
            std::max(a.noise, b.noise) + 1};
  }

  Graph& graph_;
  std::mt19937 random_;
  std::vector<Traced> pool_;
};

}  // namespace coenergy::symbolic
