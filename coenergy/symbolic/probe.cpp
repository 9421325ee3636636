#include "coenergy/symbolic/probe.hpp"

#include <algorithm>
#include <cmath>

#include "coenergy/symbolic/traverse.hpp"

namespace coenergy::symbolic {

namespace {

using Impl = Graph::Impl;

double random_value(Id id) {
  std::uint64_t h = (id + 1) * 0x9E3779B97F4A7C15u;
  h = (h ^ (h >> 32)) * 0xD6E8FEB86659FD93u;
  h ^= h >> 29;
  return 0.5 + static_cast<double>(h >> 11) * 0x1p-53;
}

double sum_value(const Impl& g, Id id, std::span<const double> x) {
  const auto a = g.arguments(id);
  double s = g.number(a[0]).value();
  for (std::size_t i = 0; i < x.size(); ++i) s += g.number(a[2 * i + 1]).value() * x[i];
  return s;
}

double product_value(const Impl& g, Id id, std::span<const double> x) {
  const auto a = g.arguments(id);
  double p = 1;
  for (std::size_t i = 0; i < x.size(); ++i) p *= std::pow(x[i], static_cast<std::int32_t>(a[2 * i + 1]));
  return p;
}

double table_value(const Impl& g, Id id, std::span<const double> x) {
  return g.graph.table_of(id)->evaluate(x[0], x.size() > 1 ? x[1] : 0, g.graph.table_derivative(id, 0),
                                        g.graph.table_derivative(id, 1));
}

double function_value(const Impl& g, Id id, std::span<const double> x) {
  switch (g.op(id)) {
    case Op::sin:
      return std::sin(x[0]);
    case Op::cos:
      return std::cos(x[0]);
    case Op::tan:
      return std::tan(x[0]);
    case Op::asin:
      return std::asin(x[0]);
    case Op::acos:
      return std::acos(x[0]);
    case Op::atan:
      return std::atan(x[0]);
    case Op::sinh:
      return std::sinh(x[0]);
    case Op::cosh:
      return std::cosh(x[0]);
    case Op::tanh:
      return std::tanh(x[0]);
    case Op::exp:
      return std::exp(x[0]);
    case Op::log:
      return std::log(x[0]);
    case Op::sqrt:
      return std::sqrt(x[0]);
    case Op::abs:
      return std::abs(x[0]);
    case Op::sign:
      return x[0] > 0 ? 1 : x[0] < 0 ? -1 : 0;
    case Op::floor:
      return std::floor(x[0]);
    case Op::atan2:
      return std::atan2(x[0], x[1]);
    case Op::pow:
      return std::pow(x[0], x[1]);
    case Op::min:
      return std::min(x[0], x[1]);
    case Op::max:
      return std::max(x[0], x[1]);
    case Op::less:
      return x[0] < x[1];
    case Op::less_equal:
      return x[0] <= x[1];
    case Op::equal:
      return x[0] == x[1];
    case Op::logical_and:
      return x[0] != 0 && x[1] != 0;
    case Op::logical_or:
      return x[0] != 0 || x[1] != 0;
    case Op::logical_not:
      return x[0] == 0;
    case Op::select:
      return x[0] != 0 ? x[1] : x[2];
    case Op::let:
      return x[0];
    case Op::table:
      return table_value(g, id, x);
    default:
      return random_value(id);
  }
}

}  // namespace

std::vector<double> probe(Impl& g, std::span<const Id> ids) {
  const std::vector<Id> order = reachable(g, ids);
  NodeMap position(g);
  std::vector<double> value(order.size());
  Buffer<Id, 16> children;
  Buffer<double, 16> x;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const Id id = order[i];
    position.set(id, static_cast<Id>(i));
    g.children(id, children);
    x.clear();
    for (const Id c : children) x.push_back(value[position.at(c)]);
    const std::span<const double> arguments(x.data(), x.size());
    switch (g.op(id)) {
      case Op::number:
        value[i] = g.number(id).value();
        break;
      case Op::symbol:
        value[i] = random_value(id);
        break;
      case Op::sum:
        value[i] = sum_value(g, id, arguments);
        break;
      case Op::product:
        value[i] = product_value(g, id, arguments);
        break;
      default:
        value[i] = function_value(g, id, arguments);
    }
  }
  std::vector<double> result;
  for (const Id id : ids) result.push_back(value[position.at(id)]);
  return result;
}

}  // namespace coenergy::symbolic
