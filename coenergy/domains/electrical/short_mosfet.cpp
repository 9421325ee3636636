#include "coenergy/domains/electrical/short_mosfet.hpp"

#include "coenergy/domains/electrical/junction.hpp"

namespace coenergy::domains::electrical {

void ShortMosfet::describe_edges(Description& m) {
  m.parameter(narrow, "narrow", "", "influence of the edges along the channel on the bulk charge").fallback("0");
  m.parameter(X, "X", "m", "width of the depletion layer at 1 V; 0: unknown").fallback("0 m").not_negative();
  m.parameter(Xj, "Xj", "m", "depth of the junctions; 0: without influence").fallback("0 m").not_negative();
  m.parameter(fast, "fast", "", "charge of fast surface states against the oxide; 0: no weak inversion")
      .fallback("0")
      .not_negative();
  m.parameter(Vc, "Vc", "V", "largest speed of carriers times L over the mobility; 0: no limit")
      .fallback("0 V")
      .not_negative();
}

Expr ShortMosfet::root(const Expr& phi, const Expr& v) { return sqrt(phi - min(v, 0)) / (1 + max(v, 0) / (2 * phi)); }

Expr ShortMosfet::thermal(Equations& eq) const { return thermal_voltage(eq, T, Tnom); }

// ---- level 2

void GeometricMosfet::describe(Description& m) {
  m.name("electrical.GeometricMosfet", "MOS transistor, level 2: bulk charge along the channel, with gate charges");
  describe_law(m);
  describe_modulation(m);
  describe_charges(m);
  describe_edges(m);
  m.parameter(Ucrit, "Ucrit", "V", "overdrive from which on the mobility falls").fallback("0 V").not_negative();
  m.parameter(Uexp, "Uexp", "", "exponent of the mobility").fallback("0").not_negative();
  m.parameter(Neff, "Neff", "", "factor of the bulk charge beside the drain").fallback("1").positive();
  m.parameter(Pb, "Pb", "V", "potential of the junctions").fallback("0.8 V").positive();
}

/// What the edges and the gate make of the channel.
struct GeometricMosfet::Edges {
  Expr F, s, gamma, bin;           ///< narrow, r(v_bs), Γ, v_bin
  Expr on, swing;                  ///< v_on, n V_t
  Expr gate, mobility, potential;  ///< v, μ, φ − v_bs
};

GeometricMosfet::Edges GeometricMosfet::find_edges(Equations& eq, const Values& at, const Voltages& v) const {
  Edges e;
  e.F = eq[narrow], e.s = root(at.phi, v.bulk), e.gamma = eq[gamma], e.potential = at.phi - v.bulk;
  const Expr d = root(at.phi, v.bulk - v.drain);
  // ∂r/∂v
  const auto slope = [&](const Expr& r, const Expr& x) {
    return select(less(0, x), -r * r / (2 * at.phi * sqrt(at.phi)), -1 / (2 * r));
  };
  const Expr slope_s = slope(e.s, v.bulk);
  Expr held_slope = 0;
  if (eq.number(Xj) > 0 && eq.number(X) > 0) {
    const Expr at_source = sqrt(1 + 2 * eq[X] * e.s / eq[Xj]), at_drain = sqrt(1 + 2 * eq[X] * d / eq[Xj]);
    e.gamma = eq[gamma] * (1 - eq[Xj] / (2 * eq[L]) * (at_source + at_drain - 2));
    held_slope = -eq[gamma] * eq[X] / (2 * eq[L]) * (slope_s / at_source + slope(d, v.bulk - v.drain) / at_drain);
  }
  e.bin = at.threshold - eq[gamma] * sqrt(at.phi) + e.F * e.potential;
  e.on = e.bin + e.gamma * e.s, e.swing = 0, e.gate = v.gate;
  if (eq.number(fast) > 0) {
    e.swing = thermal(eq) * (1 + eq[fast] + e.F - e.gamma * slope_s - held_slope * e.s);
    e.on += e.swing;
    e.gate = max(v.gate, e.on);
  }
  e.mobility = 1;
  if (eq.number(Ucrit) > 0 && eq.number(Uexp) > 0)
    e.mobility = pow(eq[Ucrit] / max(v.gate - e.on, eq[Ucrit]), eq[Uexp]);
  return e;
}

namespace {

/// √x where x ≥ 0; a number elsewhere, so that branches that are not taken stay finite.
Expr safe_root(const Expr& x) { return sqrt(max(x, 1e-30)); }
Expr cube_root(const Expr& x) { return sign(x) * exp(log(max(abs(x), 1e-200)) / 3); }

/// The smallest positive root of x⁴ + a x³ + b x² + c x + d, `none` if there is none: Ferrari's way, with the largest real
/// root y of the resolvent cubic.
Expr find_smallest_root(const Expr& a, const Expr& b, const Expr& c, const Expr& d, double none) {
  const Expr A = -b, B = a * c - 4 * d, C = -d * (a * a - 4 * b) - c * c;
  const Expr r = B - A * A / 3, s = 2 * A * A * A / 27 - A * B / 3 + C;
  const Expr p = s * s / 4 + r * r * r / 27, q = safe_root(abs(p));
  const Expr three = 2 * safe_root(-r / 3) * cos(atan2(q, -s / 2) / 3),
             one = cube_root(q - s / 2) + cube_root(-q - s / 2);
  const Expr y = select(less(p, 0), three, one) - A / 3;
  const Expr u = safe_root(a * a / 4 - b + y), w = safe_root(y * y / 4 - d);
  Expr smallest = none;
  for (const auto& [k, j] : {std::pair(1, 1), std::pair(-1, 1), std::pair(1, -1), std::pair(-1, -1)}) {
    const Expr half = (a / 2 + k * u) / 2, rest = half * half - (y / 2 + j * w), spread = safe_root(rest);
    for (const int side : {1, -1}) {
      const Expr x = side * spread - half;
      smallest = min(smallest, select(logical_and(less_equal(0, rest), less(0, x)), x, none));
    }
  }
  return smallest;
}

}  // namespace

Expr GeometricMosfet::find_saturation(Equations& eq, const Values& at, const Voltages& v, const Edges& e) const {
  constexpr double none = 1e15;
  const Expr eta = 1 + e.F, drive = (e.gate - e.bin) / eta, g = e.gamma / eta, sum = drive + e.potential;
  // the charge at the drain ends
  const Expr square = max(g * g, 1e-24);
  const Expr with_bulk = drive + square * (1 - sqrt(1 + 4 * max(sum, 0) / square)) / 2;
  const Expr open = max(select(less(0, g), select(less(0, sum), with_bulk, 0), drive), 0);
  if (eq.number(Vc) <= 0) return open;
  const Expr V = eq[Vc] / e.mobility;
  const Expr x =
      find_smallest_root(g / 0.75, -2 * (sum + V), -2 * g * V,
                         2 * sum * (e.potential + V) - e.potential * e.potential - 4.0 / 3 * g * e.s * e.s * e.s, none);
  const Expr limited = max(x * x - e.potential, 0);
  return select(less(x, none / 2), limited, open);
}

/// c: what is left of the channel.
Expr GeometricMosfet::shorten(Equations& eq, const Voltages& v, const Edges& e, const Expr& v_sat) const {
  const bool has_layer = eq.number(X) > 0;
  Expr lost = eq[lambda] * v.drain;
  if (has_layer && eq.number(lambda) <= 0) {
    if (eq.number(Vc) > 0) {
      const Expr Y = eq[X] / sqrt(eq[Neff]), y = eq[Vc] * Y / (2 * eq[L] * e.mobility);
      lost = Y / eq[L] * (sqrt(y * y + max(v.drain - v_sat, 0)) - y);
    } else {
      const Expr w = (v.drain - v_sat) / 4;
      lost = eq[X] / eq[L] * sqrt(w + sqrt(1 + w * w));
    }
  }
  // where the depletion layers of source and drain meet
  const auto warm = find_warming(eq, T, Tnom);
  const Expr potential = warm ? warm->potential(eq[Pb]) : eq[Pb];
  const Expr least = has_layer ? eq[X] * sqrt(potential) / eq[L] : 0.25e-6 / eq[L];
  const Expr beyond = lost - 1 + (has_layer ? least : Expr(0));
  return select(less(1 - lost, least), least / (1 + max(beyond / least, 0)), 1 - lost);
}

Mosfet::Channel GeometricMosfet::make_channel(Equations& eq, const Values& at) const {
  constexpr double least = 1e-4;  // V
  const Voltages v = voltages(eq);
  const Edges e = find_edges(eq, at, v);
  const Expr v_sat = find_saturation(eq, at, v, e), u = min(v.drain, v_sat), end = root(at.phi, v.bulk - u);
  // (r(v_bs − u)³ − s³)/u: r² is linear in the voltage, but not where the bulk is forward
  const Expr part = max(u, least), forward_end = root(at.phi, v.bulk - part);
  const Expr body = select(less(0, v.bulk), (forward_end * forward_end * forward_end - e.s * e.s * e.s) / part,
                           (end * end + end * e.s + e.s * e.s) / (end + e.s));
  Expr G = at.Kp * eq[W] / eq[L] * e.mobility / shorten(eq, v, e, v_sat) *
           (e.gate - e.bin - (1 + e.F) * u / 2 - e.gamma * body / 1.5);
  if (eq.number(fast) > 0) G = G * exp(min(v.gate - e.on, 0) / e.swing);
  return {G, v.gate - e.on, v_sat};
}

void GeometricMosfet::equations(Equations& eq) const {
  const Values at = values(eq);
  write(eq, at, make_channel(eq, at));
}

// ---- level 3

void EmpiricalMosfet::describe(Description& m) {
  m.name("electrical.EmpiricalMosfet",
         "MOS transistor, level 3: semi-empirical law of short channels, with gate charges");
  describe_law(m);
  describe_charges(m);
  describe_edges(m);
  m.parameter(Ld, "Ld", "m", "lateral diffusion").fallback("0 m").not_negative();
  m.parameter(feedback, "feedback", "", "fall of the threshold with the drain voltage").fallback("0").not_negative();
  m.parameter(theta, "theta", "1/V", "fall of the mobility with the overdrive").fallback("0 1/V").not_negative();
  m.parameter(kappa, "kappa", "", "shortening of the channel in saturation").fallback("0.2").not_negative();
}

/// ΔL/L
Expr EmpiricalMosfet::shorten(Equations& eq, const Expr& v_ds, const Expr& v_sat, const Expr& i, const Expr& V) const {
  constexpr double least = 1e-9, least_conductance = 1e-12;  // V, S
  const Expr alpha = eq[X] * eq[X] / (eq[L] * eq[L]), beyond = max(v_ds - v_sat, 0);
  Expr lost;
  if (eq.number(Vc) > 0) {
    // at the threshold of saturation, where u = v_sat
    const Expr conductance = max(least_conductance, i * v_sat / (V * (V + v_sat)));
    const Expr e = alpha * eq[kappa] * i / conductance / 2;
    lost = sqrt(e * e + alpha * eq[kappa] * beyond + 1e-30) - sqrt(e * e + 1e-30);
  } else {
    const Expr open = max(v_sat, least), part = min(v_ds / open, 1);
    lost = sqrt(alpha * eq[kappa] * (beyond + open / 8)) * part * part * part * part;
  }
  return select(less(0.5, lost), 1 - 1 / (4 * max(lost, 0.5)), lost);
}

Mosfet::Channel EmpiricalMosfet::make_channel(Equations& eq, const Values& at) const {
  const Voltages v = voltages(eq);
  const Expr s = root(at.phi, v.bulk);
  Expr bulk_factor = eq[gamma];
  if (eq.number(Xj) > 0 && eq.number(X) > 0) {
    const Expr w = eq[X] * s / eq[Xj], part = w / (1 + w), l = eq[Ld] / eq[Xj];
    const Expr edge = 0.0631353 + 0.8013292 * w - 0.01110777 * w * w + l;
    bulk_factor = bulk_factor * (1 - eq[Xj] / eq[L] * (edge * sqrt(1 - part * part) - l));
  }
  const Expr B = bulk_factor / (4 * s) + eq[narrow], charge = bulk_factor * s + eq[narrow] * s * s;
  const Expr threshold = at.threshold - eq[gamma] * sqrt(at.phi) - eq[feedback] * v.drain + charge;
  const bool has_swing = eq.number(fast) > 0;
  const Expr swing = thermal(eq) * (1 + eq[fast] + charge / (2 * s * s));
  const Expr on = has_swing ? threshold + swing : threshold, g = max(v.gate, on) - threshold;
  const Expr mobility = 1 / (1 + eq[theta] * g);
  const auto warm = find_warming(eq, T, Tnom);
  const Expr V = eq[Vc] / mobility * (warm ? pow(warm->ratio(), 1.5) : Expr(1));
  const bool is_limited = eq.number(Vc) > 0;
  const Expr a = g / (1 + B), v_sat = is_limited ? a + V - sqrt(a * a + V * V) : a, u = min(v.drain, v_sat);
  Expr G = at.Kp * eq[W] / eq[L] * mobility * (g - (1 + B) * u / 2);
  if (is_limited) G = G / (1 + u / V);
  if (eq.number(X) > 0 && eq.number(kappa) > 0) G = G / (1 - shorten(eq, v.drain, v_sat, G * u, V));
  if (has_swing) G = G * exp(min(v.gate - on, 0) / swing);
  return {G, v.gate - on, v_sat};
}

void EmpiricalMosfet::equations(Equations& eq) const {
  const Values at = values(eq);
  write(eq, at, make_channel(eq, at));
}

}  // namespace coenergy::domains::electrical
