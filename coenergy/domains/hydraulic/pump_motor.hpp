#pragma once
#include "coenergy/domains/component.hpp"

namespace coenergy::domains::hydraulic {

/// Displacement machine, pump and motor in one (Merritt 1967):
///
///   Q = stroke·D ω − L (p_b − p_a)          from a to b (m³/s), ω of the shaft against the housing (rad/s)
///   τ = stroke·D (p_b − p_a) + d ω          torque that the shaft has to give (N.m)
///
/// D displacement (m³/rad; 10 cm³ a turn are 10 cm3/(2*pi) a radian), L leakage (m³/(s Pa)), d viscous friction
/// (N.m.s/rad). As a pump it is turned by the shaft and delivers at b; as a motor it takes oil of high pressure at a and
/// turns the shaft. A stroke below 0 reverses it. Turns L (p_b − p_a)² + d ω² into heat.
struct PumpMotor {
  Fluid a, b;
  Rotational shaft, housing;
  Parameter displacement, stroke, leakage, friction;

  void describe(Description& d) {
    d.name("hydraulic.PumpMotor", "pump or motor: q = stroke*D*w - leakage*(p_b - p_a), tau = stroke*D*(p_b - p_a)");
    d.port(a, "a", "suction side of a pump, high pressure of a motor");
    d.port(b, "b", "delivery of a pump, return of a motor");
    d.port(shaft, "shaft", "shaft");
    d.port(housing, "housing", "housing; without it fixed to the ground").optional();
    d.parameter(displacement, "D", "m3/rad", "displacement").positive();
    d.parameter(stroke, "stroke", "", "part of the displacement, -1 ... 1")
        .between(-1, 1)
        .varying()
        .limited()
        .fallback("1");
    d.parameter(leakage, "leakage", "m3/(s.Pa)", "leakage from b to a per pressure").not_negative().fallback("0");
    d.parameter(friction, "d", "N.m.s/rad", "viscous friction").not_negative().fallback("0");
    d.output("q", "m3/s", "flow from a to b");
    d.output("tau", "N.m", "torque that the shaft gives to the machine");
    d.output("dp", "Pa", "pressure rise from a to b");
  }

  void equations(Equations& eq) const {
    const Expr rise = eq[b] - eq[a], w = eq.der(shaft) - eq.der(housing), D = eq[stroke] * eq[displacement];
    const Expr leak = eq[leakage] * rise, drag = eq[friction] * w;
    const Expr q = D * w - leak, tau = D * rise + drag;
    eq.through(a, q);
    eq.through(b, -q);
    eq.through(shaft, tau);
    eq.through(housing, -tau);
    eq.dissipated(leak * rise + drag * w);
    eq.output("q", "m3/s", q);
    eq.output("tau", "N.m", tau);
    eq.output("dp", "Pa", rise);
  }
};

}  // namespace coenergy::domains::hydraulic
