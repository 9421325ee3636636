#include "coenergy/domains/flexible/element_forces.hpp"

#include "coenergy/symbolic/derivative.hpp"

namespace coenergy::domains::flexible {

using Node = model::FlexibleBody::ElementNode;

namespace {

/// Symbols the strains depend on and their rates: seven of each node.
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

Expr half_square(const StrainPoint& point, const std::array<Expr, 6>& value) {
  Expr sum;
  for (int i = 0; i < 6; ++i) {
    sum += point.stiffness[i][i] * value[i] * value[i] / 2;
    for (int k = 0; k < i; ++k) sum += point.stiffness[i][k] * value[i] * value[k];
  }
  return sum;
}

void add_damping(const std::vector<StrainPoint>& points, const Expr& tau, const Motion& motion,
                 model::FlexibleBody::Element& e) {
  Expr half_power;
  for (std::size_t g = 0; g < points.size(); ++g) {
    std::array<Expr, 6> rate;
    for (int i = 0; i < 6; ++i)
      rate[i] = e.graph->let("rate" + std::to_string(g) + std::to_string(i + 1),
                             symbolic::time_derivative(points[g].value[i], motion.symbols, motion.rates));
    half_power += tau * half_square(points[g], rate);
  }
  e.dissipated += 2 * half_power;
  for (Node& n : e.nodes) {
    std::vector<Expr> rates(n.xd.e.begin(), n.xd.e.end());
    rates.insert(rates.end(), n.w.e.begin(), n.w.e.end());
    const std::vector<Expr> slope = symbolic::gradient(half_power, rates);
    for (int i = 0; i < 3; ++i) n.force[i] += slope[i], n.torque[i] += slope[3 + i];
  }
}

}  // namespace

void add_elastic_forces(const std::vector<StrainPoint>& points, const Expr& tau, model::FlexibleBody::Element& e) {
  Expr energy;
  for (const StrainPoint& point : points) energy += half_square(point, point.value);
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
  if (!tau.is_zero()) add_damping(points, tau, motion, e);
}

void add_node_inertia(const NodeInertia& piece, int node, model::FlexibleBody::Element& e) {
  Node& n = e.nodes[node];
  const Vec3 free = n.xdd - e.gravity, &S = piece.moment;
  const Vec3 spin = piece.inertia * n.w;
  n.force += piece.mass * free;
  n.torque += piece.inertia * n.alpha + cross(n.w, spin);
  e.stored += piece.mass * dot(n.xd, n.xd) / 2 + dot(n.w, spin) / 2 - piece.mass * dot(e.gravity, n.x);
  if (S[0].is_zero() && S[1].is_zero() && S[2].is_zero()) return;
  const Mat3 R = symbolic::rotation_of_quaternion(n.p);
  n.force += R * (cross(n.alpha, S) + cross(n.w, cross(n.w, S)));
  n.torque += cross(S, transpose_times(R, free));
  e.stored += dot(n.xd, R * cross(n.w, S)) - dot(e.gravity, R * S);
}

}  // namespace coenergy::domains::flexible
