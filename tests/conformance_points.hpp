#pragma once
#include <gtest/gtest.h>

#include "coenergy/compile/compile.hpp"
#include "coenergy/equations/data.hpp"
#include "tests/conformance_cases.hpp"

/// Points to evaluate a component on the bench at.
namespace coenergy::conformance {

using equations::Evaluator;
using equations::Level;
using equations::Point;
using equations::System;
using equations::Weights;
using symbolic::Expr;

class ComponentTest : public testing::TestWithParam<Case> {
 protected:
  System compile(bool varying, unsigned seed) {
    const Model model = Bench(GetParam(), *registry().find(GetParam().type), varying, seed).make();
    return compile::compile(model, registry()).system;
  }
};

/// Random values around the start; the differences have the size of each unknown.
inline Point random_point(const System& system, Evaluator& evaluator, std::mt19937& random) {
  std::normal_distribution<double> normal;
  Point p = system.start();
  std::vector<double> dq(system.nv());
  for (double& x : dq) x = 0.3 * normal(random);
  evaluator.retract(p.q, dq);
  auto fill = [&](std::vector<double>& values, int first) {
    for (std::size_t k = 0; k < values.size(); ++k)
      values[k] += system.unknown(first + static_cast<int>(k)).nominal * normal(random);
  };
  fill(p.v, 0);
  fill(p.a, 0);
  fill(p.lambda, system.nv());
  fill(p.x, system.nv() + system.nl());
  fill(p.xd, system.nv() + system.nl());
  fill(p.y, system.nv() + system.nl() + system.nx());
  p.t = 0.3;
  return p;
}

/// All values in the order of the kernels' inputs.
inline std::vector<double> value_array(const System& system, const Point& p) {
  std::vector<double> values{p.t};
  for (const auto* part : {&p.q, &p.v, &p.a, &p.lambda, &p.x, &p.xd, &p.y, &p.d})
    values.insert(values.end(), part->begin(), part->end());
  for (int k = 0; k < system.parameters(); ++k) values.push_back(system.parameter(k));
  return values;
}

}  // namespace coenergy::conformance
