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
  d.parameter(impact, "impact_damping", "", "b of a damper that acts while the spring does").not_negative().optional();
  d.parameter(length, "length", "m", "unstretched length").not_negative().fallback("0").used_with(stiffness, impact);
  d.choice(side, "side", {"both", "tension", "compression"}, "where the spring acts").used_with(stiffness, impact);
  d.parameter(slack, "slack", "m", "play beyond the unstretched length")
      .not_negative()
      .fallback("0")
      .used_with(stiffness, impact)
      .used_for(side, {"both", "tension"});
  d.parameter(exponent, "exponent", "", "n of the spring (other than 1: k is a plain number)")
      .fallback("1")
      .between(1, 10)
      .used_with(stiffness);
  d.parameter(input, "force", "N", "given tension, added to the law").varying().optional();
  d.output("l", "m", "distance of the points");
  d.output("ld", "m/s", "its rate");
  d.output("f", "N", "tension, pulls the points together");
}

bool PointSpringDamper::is_plain(Equations& eq) const {
  return eq.number(slack) == 0 && eq.number(exponent) == 1 && !eq.has(impact) && eq[side] == "both";
}

Expr PointSpringDamper::make_depth(Equations& eq, const Expr& l) const {
  const Expr stretch = l - eq[length];
  if (eq[side] == "both" && eq.number(slack) == 0) return stretch;
  const Expr pulled = max(stretch - eq[slack], 0), pushed = min(stretch, 0);
  return eq[side] == "tension" ? pulled : eq[side] == "compression" ? pushed : pulled + pushed;
}

void PointSpringDamper::equations(Equations& eq) const {
  const PointMotion pa = make_point(eq.frame(a), eq[a_at]), pb = make_point(eq.frame(b), eq[b_at]);
  symbolic::Graph& g = eq.graph();
  const Vec3 r = symbolic::let(g, eq.component() + ".r", pb.p - pa.p);
  const Vec3 v = symbolic::let(g, eq.component() + ".v", pb.v - pa.v);
  const Expr l = g.let(eq.component() + ".l", sqrt(dot(r, r)));
  const Expr k = eq[stiffness], d = eq[damping];
  const bool no_length = eq.number(length) == 0 && !eq.has(input) && is_plain(eq);
  const Expr rate = dot(r, v) / (no_length ? max(l, 1e-30) : l);
  eq.output("l", "m", l);
  eq.output("ld", "m/s", rate);

  Vec3 force;  // on body a
  Expr tension;
  if (no_length) {
    force = symbolic::let(g, eq.component() + ".F", k * r + d * v);
    tension = k * l + d * rate;
    eq.stored(k * dot(r, r) / 2);
    eq.dissipated(d * dot(v, v));
  } else {
    const Expr depth = make_depth(eq, l);
    tension = k * depth + d * rate;
    Expr energy = k * depth * depth / 2, loss = d * rate * rate;
    if (eq.number(exponent) != 1) {
      const Expr n = eq[exponent];
      tension = k * sign(depth) * pow(abs(depth), n) + d * rate;
      energy = k * pow(abs(depth), n + 1) / (n + 1);
    }
    if (eq.has(impact)) {
      const Expr drag = eq[impact] * sqrt(abs(depth)) * rate;
      tension += drag;
      loss += drag * rate;
    }
    eq.stored(energy);
    eq.dissipated(loss);
    if (eq.has(input)) {
      tension += eq[input];
      eq.supplied(-eq[input] * rate);
    }
    tension = g.let(eq.component() + ".f", tension);
    force = (tension / l) * r;
  }
  apply_at(eq, a, pa, force);
  apply_at(eq, b, pb, -force);
  eq.output("f", "N", tension);
}

}  // namespace coenergy::domains::multibody
