#include "coenergy/mechanics/regressor.hpp"

#include <array>
#include <cmath>
#include <random>

#include "coenergy/mechanics/inverse_dynamics.hpp"
#include "coenergy/symbolic/algebra.hpp"
#include "coenergy/symbolic/derivative.hpp"
#include "coenergy/symbolic/function.hpp"

namespace coenergy::mechanics {

using symbolic::Expr;

namespace {

constexpr int per_link = 10;
constexpr std::array<const char*, per_link> words = {"m",   "mcx", "mcy", "mcz", "Ixx",
                                                     "Iyy", "Izz", "Ixy", "Ixz", "Iyz"};
constexpr std::array<const char*, per_link> unit_words = {"kg",    "kg.m",  "kg.m",  "kg.m",  "kg.m2",
                                                          "kg.m2", "kg.m2", "kg.m2", "kg.m2", "kg.m2"};

std::array<Expr, per_link> list(const SpatialInertia& x) {
  return {x.mass,          x.moment[0],     x.moment[1],     x.moment[2],     x.inertia(0, 0),
          x.inertia(1, 1), x.inertia(2, 2), x.inertia(0, 1), x.inertia(0, 2), x.inertia(1, 2)};
}

SpatialInertia from_list(const std::array<Expr, per_link>& e) {
  SpatialInertia x;
  x.mass = e[0];
  for (int i = 0; i < 3; ++i) x.moment[i] = e[1 + i], x.inertia(i, i) = e[4 + i];
  x.inertia(0, 1) = x.inertia(1, 0) = e[7];
  x.inertia(0, 2) = x.inertia(2, 0) = e[8];
  x.inertia(1, 2) = x.inertia(2, 1) = e[9];
  return x;
}

}  // namespace

Regressor compute_regressor(const BodyTree& tree) {
  Regressor result;
  BodyTree linear = tree;
  std::vector<Expr> symbols;
  for (BodyTree::Link& link : linear.links) {
    std::array<Expr, per_link> own;
    const std::array<Expr, per_link> values = list(inertia_about_origin(*tree.graph, link));
    for (int k = 0; k < per_link; ++k) {
      result.names.push_back(link.name + "." + words[k]);
      result.units.emplace_back(unit_words[k]);
      own[k] = tree.graph->symbol("phi " + result.names.back());
      symbols.push_back(own[k]);
      result.values.push_back(values[k]);
    }
    link.origin = from_list(own);
    link.lumped = true;
    link.force = link.torque = {};
  }
  result.Y = symbolic::dense_jacobian(compute_inverse_dynamics(linear).forces, symbols);
  return result;
}

std::vector<int> find_base_parameters(const BodyTree& tree, const Regressor& regressor) {
  constexpr double negligible = 1e-9;  // of a column: what is left of it beside the columns before
  const std::vector<Expr> inputs = symbolic::free_symbols(regressor.Y);
  std::vector<symbolic::NamedExpr> outputs;
  for (const Expr& e : regressor.Y) outputs.push_back({"", e});
  const symbolic::Function f(symbolic::make_program(inputs, outputs));
  const std::size_t columns = regressor.names.size(), rows = regressor.Y.size() / columns;
  const std::size_t motions = 2 * columns / rows + 2;
  std::mt19937 random(7);
  std::uniform_real_distribution<double> anything(0.3, 2);
  std::vector<std::vector<double>> column(columns);
  std::vector<double> in(inputs.size());
  for (std::size_t m = 0; m < motions; ++m) {
    for (double& x : in) x = (random() % 2 == 0 ? -1 : 1) * anything(random);
    for (const BodyTree::Link& link : tree.links) {
      if (link.kind != BodyTree::Kind::spherical) continue;
      // quaternions are of unit length
      double size = 0;
      std::array<double*, 4> at{};
      for (std::size_t i = 0; i < inputs.size(); ++i)
        for (std::size_t k = 0; k < 4; ++k)
          if (same(inputs[i], link.p[k])) at[k] = &in[i], size += in[i] * in[i];
      for (double* p : at)
        if (p != nullptr) *p /= std::sqrt(size);
    }
    const std::vector<double> Y = symbolic::evaluate(f, in);
    for (std::size_t j = 0; j < columns; ++j)
      for (std::size_t i = 0; i < rows; ++i) column[j].push_back(Y[i * columns + j]);
  }
  std::vector<int> base;
  std::vector<std::vector<double>> directions;
  for (std::size_t j = 0; j < columns; ++j) {
    std::vector<double> left = column[j];
    const auto dot = [](const std::vector<double>& a, const std::vector<double>& b) {
      double sum = 0;
      for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
      return sum;
    };
    const double size = std::sqrt(dot(left, left));
    // twice, against round-off
    for (int pass = 0; pass < 2; ++pass)
      for (const std::vector<double>& d : directions) {
        const double part = dot(left, d);
        for (std::size_t i = 0; i < left.size(); ++i) left[i] -= part * d[i];
      }
    const double rest = std::sqrt(dot(left, left));
    if (rest <= negligible * size) continue;
    for (double& x : left) x /= rest;
    directions.push_back(std::move(left));
    base.push_back(static_cast<int>(j));
  }
  return base;
}

}  // namespace coenergy::mechanics
