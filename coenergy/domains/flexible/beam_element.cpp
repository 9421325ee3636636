#include "coenergy/domains/flexible/beam_element.hpp"

#include "coenergy/domains/flexible/element_forces.hpp"

namespace coenergy::domains::flexible {

using Node = model::FlexibleBody::ElementNode;

namespace {

StrainPoint make_strains(const BeamElement& b, model::FlexibleBody::Element& e) {
  symbolic::Graph& g = *e.graph;
  const RotationDifference turn = make_rotation_difference(e.nodes[0].p, e.nodes[1].p);
  const Vec3 d = symbolic::let(g, "d", e.nodes[1].x - e.nodes[0].x);
  const Expr half = b.angle / 2;
  const Expr chord = b.angle.is_zero() ? Expr(1) : sin(half) / half;
  const Vec3 gamma = transpose_times(turn.R_mid, d);
  const SectionProperties& s = b.section;
  const Expr& L = b.length;
  auto softened = [&](const Expr& GA, const Expr& EI) { return 1 / (1 / GA + L * L / (12 * EI)); };

  StrainPoint strains;
  for (int i = 0; i < 3; ++i) {
    strains.value[i] = g.let("gamma" + std::to_string(i + 1), gamma[i] / L - (i == 0 ? chord : Expr(0)));
    strains.value[3 + i] = g.let("kappa" + std::to_string(i + 1), (turn.psi[i] - (i == 2 ? b.angle : Expr(0))) / L);
  }
  const Expr stiffness[] = {s.EA, softened(s.GAy, s.EIz), softened(s.GAz, s.EIy), s.GJ, s.EIy, s.EIz};
  for (int i = 0; i < 6; ++i) strains.stiffness[i][i] = g.let("C" + std::to_string(i + 1), L * stiffness[i]);
  return strains;
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
  add_elastic_forces({make_strains(*this, e)}, damping, e);
  add_inertia(*this, e);
}

}  // namespace coenergy::domains::flexible
