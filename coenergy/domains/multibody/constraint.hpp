#pragma once
#include "coenergy/domains/multibody/words.hpp"
#include "coenergy/model/quantity.hpp"
#include "coenergy/symbolic/derivative.hpp"

namespace coenergy::domains::multibody {

/// A constraint written by the user: h(q, t) = 0 over coordinates of joints, positions of bodies, shafts and time.
/// Forces h_qᵀλ keep it; it supplies −λ ∂h/∂t.
struct Constraint {
  Parameter h;
  Multiplier lambda;

  void describe(Description& d) {
    d.name("multibody.Constraint", "keeps an expression of positions, angles and time at zero");
    d.parameter(h, "zero", model::any_unit, "the expression, such as a.q - 2*b.q").varying();
    d.variable(lambda, "lambda", "", "multiplier, in the unit of the conjugate force");
    d.output("h", "", "the expression: its error");
  }
  void equations(Equations& eq) const {
    const Expr e = eq[h];
    eq.constraint(lambda, e);
    eq.supplied(-eq[lambda] * symbolic::derivative(e, eq.time()));
    eq.output("h", "", e);
  }
};

/// A non-holonomic constraint written by the user, linear in velocities: ψ = A(q, t) q̇ + b(q, t) = 0. Forces Aᵀλ keep
/// it; it supplies −λ b.
struct VelocityConstraint {
  Parameter psi;
  Multiplier lambda;

  void describe(Description& d) {
    d.name("multibody.VelocityConstraint", "keeps an expression at zero that is linear in velocities");
    d.parameter(psi, "zero", model::any_unit, "the expression, such as a.vx*sin(b.q) - a.vy*cos(b.q)").varying();
    d.variable(lambda, "lambda", "", "multiplier, in the unit of the conjugate force");
    d.output("psi", "", "the expression: its error");
  }
  void equations(Equations& eq) const {
    const Expr e = eq[psi];
    eq.velocity_constraint(lambda, e);
    eq.output("psi", "", e);
  }
};

}  // namespace coenergy::domains::multibody
