#pragma once
#include <algorithm>
#include <cmath>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "coenergy/symbolic/expr.hpp"

namespace coenergy::symbolic {

/// The plainest possible evaluator, for tests: node by node over the public interface of Graph, in index order.
class ReferenceEvaluator {
 public:
  ReferenceEvaluator(const Graph& graph, const std::map<std::string, double>& symbols)
      : graph_(graph), symbols_(symbols) {}

  double operator()(const Expr& e) {
    if (e.graph() == nullptr) return e.number();
    // nodes below e, found by an explicit stack, then evaluated in topological order
    std::vector<std::uint32_t> stack{e.id()}, order;
    while (!stack.empty()) {
      const std::uint32_t id = stack.back();
      stack.pop_back();
      if (id < known_.size() && known_[id] != 0) continue;
      if (id >= known_.size()) known_.resize(id + 1, 0), value_.resize(id + 1, 0);
      known_[id] = 1;
      order.push_back(id);
      const auto a = graph_.arguments(id);
      const std::size_t step = graph_.op(id) == Op::product ? 2 : 1;
      for (std::size_t i = 0; i < a.size(); i += step) stack.push_back(a[i]);
    }
    std::sort(order.begin(), order.end());
    for (const std::uint32_t id : order) value_[id] = evaluate(id);
    return value_[e.id()];
  }

 private:
  double evaluate(std::uint32_t id) const {
    const auto a = graph_.arguments(id);
    const auto x = [&](std::size_t i) { return value_[a[i]]; };
    switch (graph_.op(id)) {
      case Op::number:
        return graph_.number(id);
      case Op::symbol:
        return symbols_.at(std::string(graph_.name(id)));
      case Op::sum: {
        double s = x(0);
        for (std::size_t i = 1; i < a.size(); i += 2) s += x(i) * x(i + 1);
        return s;
      }
      case Op::product: {
        double p = 1;
        for (std::size_t i = 0; i < a.size(); i += 2) p *= std::pow(x(i), static_cast<std::int32_t>(a[i + 1]));
        return p;
      }
      case Op::let:
        return x(0);
      case Op::sin:
        return std::sin(x(0));
      case Op::cos:
        return std::cos(x(0));
      case Op::tan:
        return std::tan(x(0));
      case Op::asin:
        return std::asin(x(0));
      case Op::acos:
        return std::acos(x(0));
      case Op::atan:
        return std::atan(x(0));
      case Op::sinh:
        return std::sinh(x(0));
      case Op::cosh:
        return std::cosh(x(0));
      case Op::tanh:
        return std::tanh(x(0));
      case Op::exp:
        return std::exp(x(0));
      case Op::log:
        return std::log(x(0));
      case Op::sqrt:
        return std::sqrt(x(0));
      case Op::abs:
        return std::abs(x(0));
      case Op::sign:
        return x(0) > 0 ? 1 : x(0) < 0 ? -1 : 0;
      case Op::floor:
        return std::floor(x(0));
      case Op::atan2:
        return std::atan2(x(0), x(1));
      case Op::pow:
        return std::pow(x(0), x(1));
      case Op::min:
        return std::min(x(0), x(1));
      case Op::max:
        return std::max(x(0), x(1));
      case Op::less:
        return x(0) < x(1);
      case Op::less_equal:
        return x(0) <= x(1);
      case Op::equal:
        return x(0) == x(1);
      case Op::logical_and:
        return x(0) != 0 && x(1) != 0;
      case Op::logical_or:
        return x(0) != 0 || x(1) != 0;
      case Op::logical_not:
        return x(0) == 0;
      case Op::select:
        return x(0) != 0 ? x(1) : x(2);
      case Op::table:
        return graph_.table_of(id)->evaluate(x(0), a.size() > 1 ? x(1) : 0, graph_.table_derivative(id, 0),
                                             graph_.table_derivative(id, 1));
      case Op::external:
        return call(id);
    }
    return NAN;
  }

  double call(std::uint32_t id) const {
    std::vector<double> x;
    for (const std::uint32_t a : graph_.arguments(id)) x.push_back(value_[a]);
    const External& f = *graph_.external_of(id);
    const int k = graph_.external_derivative(id);
    if (k < 0) return f.value(x.data());
    if (f.derivative != nullptr) return f.derivative(x.data(), k);
    const auto i = static_cast<std::size_t>(k);
    const double h = 6e-6 * std::max(1.0, std::abs(x[i])), middle = x[i];
    x[i] = middle + h;
    const double above = f.value(x.data());
    x[i] = middle - h;
    return (above - f.value(x.data())) / (2 * h);
  }

  const Graph& graph_;
  const std::map<std::string, double>& symbols_;
  std::vector<char> known_;
  std::vector<double> value_;
};

inline double reference_value(const Graph& graph, const Expr& e, const std::map<std::string, double>& symbols) {
  return ReferenceEvaluator(graph, symbols)(e);
}

}  // namespace coenergy::symbolic
