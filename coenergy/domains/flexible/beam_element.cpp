#include "coenergy/domains/flexible/beam_element.hpp"

#include "coenergy/symbolic/derivative.hpp"

namespace coenergy::domains::flexible {

using Node = model::FlexibleBody::ElementNode;

namespace {

struct Strains {
  std::array<Expr, 6> value;      ///< Γ, K
  std::array<Expr, 6> stiffness;  ///< of each, times the length
};

Strains make_strains(const BeamElement& b, model::FlexibleBody::Element& e) {
  symbolic::Graph& g = *e.graph;
  const RotationDifference turn = make_rotation_difference(e.nodes[0].p, e.nodes[1].p);
  const Vec3 d = symbolic::let(g, "d", e.nodes[1].x - e.nodes[0].x);
  const Expr half = b.angle / 2;
  const Expr chord = b.angle.is_zero() ? Expr(1) : sin(half) / half;
  const Vec3 gamma = transpose_times(turn.R_mid, d);
  const SectionProperties& s = b.section;
  const Expr& L = b.length;
  auto softened = [&](const Expr& GA, const Expr& EI) { return 1 / (1 / GA + L * L / (12 * EI)); };

  Strains strains;
  for (int i = 0; i < 3; ++i) {
    strains.value[i] = g.let("gamma" + std::to_string(i + 1), gamma[i] / L - (i == 0 ? chord : Expr(0)));
    strains.value[3 + i] = g.let("kappa" + std::to_string(i + 1), (turn.psi[i] - (i == 2 ? b.angle : Expr(0))) / L);
  }
  strains.stiffness = {s.EA, softened(s.GAy, s.EIz), softened(s.GAz, s.EIy), s.GJ, s.EIy, s.EIz};
  for (int i = 0; i < 6; ++i) strains.stiffness[i] = g.let("C" + std::to_string(i + 1), L * strains.stiffness[i]);
  return strains;
}

/// Symbols the strains depend on and their rates.
struct Motion {
  std::vector<Expr> symbols, rates;
};
Motion list_motion(const std::vector<Node>& nodes) {
  Motion m;
  for (const Node& n : nodes) {
    m.symbols.insert(m.symbols.end(), n.x.e.begin(), n.x.e.end());
    m.rates.insert(m.rates.end(), n.xd.e.begin(), n.xd.e.end());
    m.symbols.insert(m.symbols.end(), n.p.begin(), n.p.end());
    const std::array<Expr, 4> rate = symbolic::quaternion_rate(n.p, n.w);
    m.rates.insert(m.rates.end(), rate.begin(), rate.end());
  }
  return m;
}

void add_elastic_forces(const Strains& strains, model::FlexibleBody::Element& e) {
  Expr energy;
  for (int i = 0; i < 6; ++i) energy += strains.stiffness[i] * strains.value[i] * strains.value[i] / 2;
  e.stored += energy;
  const Motion motion = list_motion(e.nodes);
  const std::vector<Expr> slope = symbolic::gradient(energy, motion.symbols);
  for (std::size_t k = 0; k < e.nodes.size(); ++k) {
    Node& n = e.nodes[k];
    for (int i = 0; i < 3; ++i) n.force[i] += slope[7 * k + i];
    // ∂V/∂p along a turn about each body axis
    for (int j = 0; j < 3; ++j) {
      Vec3 unit;
      unit[j] = 1;
      const std::array<Expr, 4> rate = symbolic::quaternion_rate(n.p, unit);
      for (int i = 0; i < 4; ++i) n.torque[j] += slope[7 * k + 3 + i] * rate[i];
    }
  }
}

void add_damping(const BeamElement& b, const Strains& strains, model::FlexibleBody::Element& e) {
  if (b.damping.is_zero()) return;
  const Motion motion = list_motion(e.nodes);
  Expr half_power;
  for (int i = 0; i < 6; ++i) {
    const Expr rate = e.graph->let("rate" + std::to_string(i + 1),
                                   symbolic::time_derivative(strains.value[i], motion.symbols, motion.rates));
    half_power += b.damping * strains.stiffness[i] * rate * rate / 2;
  }
  e.dissipated += 2 * half_power;
  for (Node& n : e.nodes) {
    std::vector<Expr> rates(n.xd.e.begin(), n.xd.e.end());
    rates.insert(rates.end(), n.w.e.begin(), n.w.e.end());
    const std::vector<Expr> slope = symbolic::gradient(half_power, rates);
    for (int i = 0; i < 3; ++i) n.force[i] += slope[i], n.torque[i] += slope[3 + i];
  }
}

void add_inertia(const BeamElement& b, model::FlexibleBody::Element& e) {
  const SectionProperties& s = b.section;
  Node &n = e.nodes[0], &o = e.nodes[1];
  const Expr mass = e.graph->let("m", s.mass * b.length);
  e.stored += mass / 6 * (dot(n.xd, n.xd) + dot(n.xd, o.xd) + dot(o.xd, o.xd));
  e.stored += -(mass / 2) * dot(e.gravity, n.x + o.x);
  n.force += (mass / 6) * (Expr(2) * n.xdd + o.xdd) - (mass / 2) * e.gravity;
  o.force += (mass / 6) * (Expr(2) * o.xdd + n.xdd) - (mass / 2) * e.gravity;
  const Expr J[] = {s.Jx * b.length / 2, s.Jy * b.length / 2, s.Jz * b.length / 2};
  for (Node& node : e.nodes) {
    const Vec3& w = node.w;
    for (int i = 0; i < 3; ++i) {
      const int j = (i + 1) % 3, k = (i + 2) % 3;
      node.torque[i] += J[i] * node.alpha[i] + (J[k] - J[j]) * (w[j] * w[k]);
      e.stored += J[i] * w[i] * w[i] / 2;
    }
  }
}

}  // namespace

void BeamElement::write(model::FlexibleBody::Element& e) const {
  const Strains strains = make_strains(*this, e);
  add_elastic_forces(strains, e);
  add_damping(*this, strains, e);
  add_inertia(*this, e);
}

}  // namespace coenergy::domains::flexible
