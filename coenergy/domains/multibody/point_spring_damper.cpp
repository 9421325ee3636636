#include "coenergy/domains/multibody/point_spring_damper.hpp"

namespace coenergy::domains::multibody {

void PointSpringDamper::describe(Description& d) {
  d.name("multibody.PointSpringDamper", "spring and damper between points of two bodies: f = k (l - length) + d dl/dt");
  d.port(a, "a", "one body (or ground)");
  d.port(b, "b", "other body (or ground)");
  d.parameter(a_at, "a_at", "m", "point in body a").fallback("[0, 0, 0]");
  d.parameter(b_at, "b_at", "m", "point in body b").fallback("[0, 0, 0]");
  d.parameter(stiffness, "stiffness", "N/m", "k").not_negative().fallback("0");
  d.parameter(damping, "damping", "N.s/m", "d").not_negative().fallback("0");
  d.parameter(length, "length", "m", "unstretched length").not_negative().fallback("0");
  d.parameter(input, "force", "N", "given tension, added to the law").varying().optional();
  d.output("l", "m", "distance of the points");
  d.output("ld", "m/s", "its rate");
  d.output("f", "N", "tension, pulls the points together");
}

void PointSpringDamper::equations(Equations& eq) const {
  const PointMotion pa = make_point(eq.frame(a), eq[a_at]), pb = make_point(eq.frame(b), eq[b_at]);
  symbolic::Graph& g = eq.graph();
  const Vec3 r = symbolic::let(g, eq.component() + ".r", pb.p - pa.p);
  const Vec3 v = symbolic::let(g, eq.component() + ".v", pb.v - pa.v);
  const Expr l = g.let(eq.component() + ".l", sqrt(dot(r, r)));
  const Expr k = eq[stiffness], d = eq[damping];
  const bool no_length = eq.number(length) == 0 && !eq.has(input);
  const Expr rate = dot(r, v) / (no_length ? max(l, 1e-30) : l);

  Vec3 force;  // on body a
  Expr tension;
  if (no_length) {
    force = symbolic::let(g, eq.component() + ".F", k * r + d * v);
    tension = k * l + d * rate;
    eq.stored(k * dot(r, r) / 2);
    eq.dissipated(d * dot(v, v));
  } else {
    const Expr stretch = l - eq[length];
    tension = k * stretch + d * rate;
    eq.stored(k * stretch * stretch / 2);
    eq.dissipated(d * rate * rate);
    if (eq.has(input)) {
      tension += eq[input];
      eq.supplied(-eq[input] * rate);
    }
    tension = g.let(eq.component() + ".f", tension);
    force = (tension / l) * r;
  }
  apply_at(eq, a, pa, force);
  apply_at(eq, b, pb, -force);
  eq.output("l", "m", l);
  eq.output("ld", "m/s", rate);
  eq.output("f", "N", tension);
}

}  // namespace coenergy::domains::multibody
