// Integrals against their closed forms.
#include "coenergy/symbolic/integral.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "coenergy/symbolic/algebra.hpp"
#include "coenergy/symbolic/derivative.hpp"
#include "coenergy/symbolic/function.hpp"
#include "coenergy/symbolic/printer.hpp"

namespace coenergy::symbolic {
namespace {

/// Value of an expression of x and a.
double value(Graph& g, const Expr& e, double x, double a = 0, Engine engine = Engine::interpreter) {
  const Expr symbols[] = {g.symbol("x"), g.symbol("a")};
  const NamedExpr outputs[] = {{"e", e}};
  const double in[] = {x, a};
  return evaluate(Function(make_program(symbols, outputs), engine), in)[0];
}

// a sum of some ten rounded terms, for well-conditioned integrals
constexpr double round_off = 1e-14;

TEST(Integral, OfAPolynomialIsClosed) {
  Graph g;
  const Expr x = g.symbol("x"), a = g.symbol("a"), e = integral(3 * a * x * x + 2 * x + pow(x, 11) + a, x);
  EXPECT_TRUE(find_nodes(std::span(&e, 1), Op::external).empty());
  EXPECT_NEAR(value(g, e, 1.5, 0.7), 0.7 * 3.375 + 2.25 + std::pow(1.5, 12) / 12 + 0.7 * 1.5, 1e-13);
}

TEST(Integral, OfASaturationIsRightFarBeyondIt) {
  Graph g;
  const Expr x = g.symbol("x"), a = g.symbol("a"), e = integral(tanh(a * x), x);
  for (const double u : {-40.0, -2.0, -1e-3, 0.0, 0.1, 1.0, 5.0, 60.0, 3000.0}) {
    const double z = std::abs(1.3 * u), exact = (z + std::log1p(std::expm1(-2 * z) / 2)) / 1.3;
    EXPECT_NEAR(value(g, e, u, 1.3), exact, round_off * exact + 1e-16 * z) << u;  // the closed form rounds, too
    EXPECT_EQ(value(g, e, u, 1.3), value(g, e, u, 1.3, Engine::native));
  }
}

TEST(Integral, HasExactDerivativesOfAnyOrder) {
  Graph g;
  const Expr x = g.symbol("x"), a = g.symbol("a"), e = integral(exp(a * x), x);  // (e^{ax} − 1)/a
  const double X = 0.8, A = 1.7, E = std::exp(A * X);
  EXPECT_NEAR(value(g, derivative(e, x), X, A), E, round_off * E);
  EXPECT_NEAR(value(g, derivative(e, a), X, A), X * E / A - (E - 1) / (A * A), 10 * round_off);
  EXPECT_NEAR(value(g, derivative(derivative(e, a), a), X, A),
              X * X * E / A - 2 * X * E / (A * A) + 2 * (E - 1) / (A * A * A), 10 * round_off);
  EXPECT_NEAR(value(g, derivative(derivative(e, a), x), X, A), X * E, round_off * E);
}

TEST(Integral, IsDividedAtCorners) {
  Graph g;
  const Expr x = g.symbol("x"), a = g.symbol("a");
  // |u − a| and a polygon 0, 2, 3 at 0, 1, 3 of 2u
  EXPECT_NEAR(value(g, integral(abs(x - a), x), 3, 1.1), (1.1 * 1.1 + 1.9 * 1.9) / 2, round_off);
  auto table = std::make_shared<Table>();
  table->x = {0, 1, 3};
  table->values = {0, 2, 3};
  table->prepare();
  // ∫₀^1.25 of 4u to 0.5, then 2 + (2u − 1)/2
  EXPECT_NEAR(value(g, integral(g.table(table, 2 * x), x), 1.25), 0.5 + 1.5 * 0.75 + (1.5625 - 0.25) / 2, round_off);
}

TEST(Integral, FindsWhatHappensInASmallPart) {
  Graph g;
  const Expr x = g.symbol("x"), e = integral(atan(1e5 * (x - 0.3)), x);
  // F(z) = z atan z − ½ ln(1 + z²)
  const auto F = [](double z) { return z * std::atan(z) - std::log1p(z * z) / 2; };
  EXPECT_NEAR(value(g, e, 1), (F(0.7e5) - F(-0.3e5)) / 1e5, 1e-13);
}

TEST(Integral, CannotBePrintedAsCode) {
  Graph g;
  const Expr x = g.symbol("x"), a = g.symbol("a"), symbols[] = {x, a};
  const NamedExpr outputs[] = {{"e", integral(tanh(a * x), x)}};
  const Program program = make_program(symbols, outputs);
  try {
    print(program, Language::c);
    FAIL() << "no error";
  } catch (const std::exception& e) {
    EXPECT_NE(std::string(e.what()).find("without a closed integral"), std::string::npos) << e.what();
  }
}

}  // namespace
}  // namespace coenergy::symbolic
