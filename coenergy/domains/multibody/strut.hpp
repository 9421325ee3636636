#pragma once
#include "coenergy/domains/multibody/words.hpp"

namespace coenergy::domains::multibody {

/// Massless strut between points of two bodies whose length is a one-dimensional node: a cylinder, a spindle or a
/// linear motor connected to `rod` pushes the points apart.
///
///   Φ = s_rod − l = 0,   l = |p_b − p_a|;   the multiplier f is the force that the rod exerts on the points (thrust,
///   N)
///
/// The points must not coincide. Does no work itself.
struct Strut {
  Frame a, b;
  Vector a_at, b_at;
  Translational rod;
  Multiplier f;

  void describe(Description& d) {
    d.name("multibody.Strut", "strut between points of two bodies; its length is the position of the node rod");
    d.port(a, "a", "one body (or ground)");
    d.port(b, "b", "other body (or ground)");
    d.port(rod, "rod", "one-dimensional node of the length");
    d.parameter(a_at, "a_at", "m", "point in body a").fallback("[0, 0, 0]");
    d.parameter(b_at, "b_at", "m", "point in body b").fallback("[0, 0, 0]");
    d.variable(f, "f", "N", "thrust");
    d.output("l", "m", "length");
  }

  void equations(Equations& eq) const {
    const Vec3 r = make_point(eq.frame(b), eq[b_at]).p - make_point(eq.frame(a), eq[a_at]).p;
    const Expr l = sqrt(dot(r, r));
    eq.constraint(f, eq[rod] - l);
    eq.output("l", "m", l);
  }

  std::vector<Shape> drawing(Equations& eq) const { return {make_line(eq, "line", a, a_at, b, b_at)}; }
};

}  // namespace coenergy::domains::multibody
