#include "coenergy/domains/electrical/storage.hpp"

#include "coenergy/symbolic/algebra.hpp"
#include "coenergy/symbolic/derivative.hpp"
#include "coenergy/symbolic/integral.hpp"

namespace coenergy::domains::electrical {

namespace {

Expr substitute(const Expr& f, const Expr& x, const Expr& value) {
  return f.is_number() ? f : symbolic::substitute(f, std::span(&x, 1), std::span(&value, 1));
}

}  // namespace

void write_storage(Equations& eq, const Expr& f, const Expr& x) {
  const Expr slope = f.is_number() ? Expr(0) : symbolic::derivative(f, x);
  if (slope.is_number() || !symbolic::depends_on(slope, x)) {
    // f = f₀ + s x: the part f₀ is the flux of magnets, whose energy is counted as theirs
    const Expr rest = substitute(f, x, 0);
    eq.stored(slope * x * x / 2);
    const Expr slope_rate = eq.time_derivative(slope), rest_rate = eq.time_derivative(rest);
    if (slope_rate.is_zero() && rest_rate.is_zero()) return;
    const Expr moved = eq.coenergy(slope * x * x / 2 + rest * x);
    eq.supplied(moved - slope_rate * x * x / 2 - rest_rate * x);
    return;
  }
  const Expr coenergy = symbolic::integral(f, x), energy = x * f - coenergy;
  eq.stored(energy);
  const Expr moved = eq.coenergy(coenergy);
  eq.supplied(moved + eq.time_derivative(energy) - x * eq.time_derivative(f));
}

void write_mutual_storage(Equations& eq, const Expr& c, const Expr& x_a, const Expr& x_b) {
  eq.stored(c * x_a * x_b);
  const Expr rate = eq.time_derivative(c);
  if (rate.is_zero()) return;
  const Expr moved = eq.coenergy(c * x_a * x_b);
  eq.supplied(moved - rate * x_a * x_b);
}

}  // namespace coenergy::domains::electrical
