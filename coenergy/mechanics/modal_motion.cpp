#include "coenergy/mechanics/modal_motion.hpp"

#include <cmath>

#include "coenergy/symbolic/derivative.hpp"

namespace coenergy::mechanics {

using equations::Builder;
using equations::SignalInfo;
using equations::SignalKind;
using model::ModalBody;
using symbolic::Expr;
using symbolic::Mat3;
using symbolic::Vec3;

namespace {

Vec3 scaled(const Expr& s, const ModalBody::Vector& v) {
  Vec3 r;
  for (int i = 0; i < 3; ++i)
    if (v[i] != 0) r[i] = s * v[i];
  return r;
}
Vec3 numbers(const ModalBody::Vector& v) { return {{v[0], v[1], v[2]}}; }

Mat3 scaled(const Expr& s, const ModalBody::Matrix& m) {
  Mat3 r;
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k)
      if (m[3 * i + k] != 0) r(i, k) = s * m[3 * i + k];
  return r;
}

/// The quantities of the body that its shapes change, their slopes, and their rates.
class ModalInertia {
 public:
  ModalInertia(symbolic::Graph& graph, const ModalBody& body, const ModalMotion& motion)
      : graph_(graph), b_(body), m_(motion) {
    const int n = body.modes;
    S = numbers(body.moment);
    J = scaled(1, body.inertia);
    S_slope.resize(n), J_slope.resize(n), h.resize(n), h_rate.resize(n);
    for (int i = 0; i < n; ++i) add_shape(i);
    S = symbolic::let(graph, "S", S);
    J = mechanics::let(graph, "J", J);
    S_rate = symbolic::let(graph, "Sd", S_rate);
    J_rate = mechanics::let(graph, "Jd", J_rate);
  }

  Vec3 S, S_rate;
  Mat3 J, J_rate;
  std::vector<Vec3> S_slope, h, h_rate;
  std::vector<Mat3> J_slope;

 private:
  void add_shape(int i) {
    const int n = b_.modes;
    // ∂S/∂η_i = E_i + S_ik η_k and the same of J; S itself has half of the second term
    Vec3 s = numbers(b_.slide[i]), s_half = s;
    Mat3 j = scaled(1, b_.inertia_slope[i]), j_half = j;
    Vec3 spin = numbers(b_.spin[i]), spin_rate;
    for (int k = 0; k < n; ++k) {
      const std::size_t at = static_cast<std::size_t>(i) * n + k;
      if (!b_.slide_slope.empty()) {
        const Vec3 part = scaled(m_.q[k], b_.slide_slope[at]);
        s += part, s_half += Expr(0.5) * part;
      }
      const Mat3 part = scaled(m_.q[k], b_.inertia_bend[at]);
      j = j + part;
      j_half = j_half + scaled(m_.q[k] / 2, b_.inertia_bend[at]);
      spin += scaled(m_.q[k], b_.spin_slope[at]);
      spin_rate += scaled(m_.rate[k], b_.spin_slope[at]);
    }
    const std::string suffix = std::to_string(i + 1);
    S_slope[i] = symbolic::let(graph_, "S" + suffix, s);
    J_slope[i] = mechanics::let(graph_, "J" + suffix, j);
    h[i] = symbolic::let(graph_, "h" + suffix, spin);
    h_rate[i] = symbolic::let(graph_, "hd" + suffix, spin_rate);
    S += m_.q[i] * s_half;
    S_rate += m_.rate[i] * S_slope[i];
    for (int a = 0; a < 3; ++a)
      for (int c = 0; c < 3; ++c) {
        J(a, c) += m_.q[i] * j_half(a, c);
        J_rate(a, c) += m_.rate[i] * J_slope[i](a, c);
      }
  }

  symbolic::Graph& graph_;
  const ModalBody& b_;
  const ModalMotion& m_;
};

Expr product(const std::vector<double>& matrix, int i, const std::vector<Expr>& x) {
  const int n = static_cast<int>(x.size());
  Expr sum;
  for (int k = 0; k < n; ++k)
    if (const double c = matrix.empty() ? 0 : matrix[static_cast<std::size_t>(i) * n + k]; c != 0) sum += c * x[k];
  return sum;
}

}  // namespace

ModalLoads write_modal_body(symbolic::Graph& graph, const ModalBody& b, const ModalMotion& m) {
  const ModalInertia in(graph, b, m);
  const int n = b.modes;
  const Vec3 &w = m.w, &a = m.free;

  // S̈ = ∂S/∂η_i η̈_i + S_ik η̇_i η̇_k;  L = J ω + h_i η̇_i and its rate
  Vec3 S_rate2, L = in.J * w, L_rate = in.J * m.alpha + in.J_rate * w;
  for (int i = 0; i < n; ++i) {
    S_rate2 += m.acceleration[i] * in.S_slope[i];
    if (!b.slide_slope.empty())
      for (int k = 0; k < n; ++k)
        S_rate2 += scaled(m.rate[i] * m.rate[k], b.slide_slope[static_cast<std::size_t>(i) * n + k]);
    L += m.rate[i] * in.h[i];
    L_rate += m.acceleration[i] * in.h[i] + m.rate[i] * in.h_rate[i];
  }
  ModalLoads loads;
  loads.moment = in.S;
  loads.force = b.mass * a + cross(m.alpha, in.S) + cross(w, cross(w, in.S)) + Expr(2) * cross(w, in.S_rate) + S_rate2;
  loads.torque = cross(in.S, a) + L_rate + cross(w, L);

  Expr kinetic = b.mass * dot(m.v, m.v) / 2 + dot(m.v, cross(w, in.S) + in.S_rate) + dot(w, in.J * w) / 2;
  for (int i = 0; i < n; ++i) {
    const Expr elastic = product(b.stiffness, i, m.q), viscous = product(b.damping, i, m.rate);
    Expr row = dot(in.S_slope[i], a) + dot(in.h_rate[i], w) + dot(in.h[i], m.alpha) +
               product(b.modal_mass, i, m.acceleration) - dot(w, in.J_slope[i] * w) / 2 + elastic + viscous;
    for (int k = 0; k < n; ++k) row -= dot(w, scaled(m.rate[k], b.spin_slope[static_cast<std::size_t>(k) * n + i]));
    loads.shapes.push_back(row);
    kinetic += dot(w, in.h[i]) * m.rate[i] + m.rate[i] * product(b.modal_mass, i, m.rate) / 2;
    loads.stored += m.q[i] * elastic / 2;
    loads.dissipated += m.rate[i] * viscous;
  }
  loads.stored += kinetic;
  return loads;
}

ModalPose modal_pose(symbolic::Graph& graph, const std::string& name, const ModalBody::Place& place,
                     const std::vector<Expr>& q) {
  ModalPose pose;
  pose.p = numbers(place.position);
  Vec3 half;  // θ/2
  for (std::size_t i = 0; i < q.size(); ++i) {
    if (!place.shift.empty()) pose.p += scaled(q[i], place.shift[i]);
    if (!place.turn.empty()) half += scaled(q[i] / 2, place.turn[i]);
    for (std::size_t k = 0; k < q.size() && !place.bend.empty(); ++k)
      pose.p += scaled(q[i] * q[k] / 2, place.bend[i * q.size() + k]);
  }
  pose.p = symbolic::let(graph, name + ".r", pose.p);
  const SymbolicQuaternion own{place.quaternion[0], place.quaternion[1], place.quaternion[2], place.quaternion[3]};
  pose.turn = own;
  if (is_zero(half)) return pose;
  half = symbolic::let(graph, name + ".half", half);
  const Expr scale = graph.let(name + ".scale", 1 / sqrt(1 + dot(half, half)));
  pose.turn = let(graph, name + ".turn", multiply({scale, scale * half[0], scale * half[1], scale * half[2]}, own));
  return pose;
}

int find_modal_frame(const MechanismDescription::Body& body, const std::string& name) {
  if (body.modal)
    for (std::size_t k = 0; k < body.modal->frames.size(); ++k)
      if (body.modal->frames[k].name == name) return static_cast<int>(k) + 1;
  return -1;
}

FlexibleParts::Node start_pose(const ModalBody& body, const ModalBody::Place& place) {
  FlexibleParts::Node node{place.position, place.quaternion};
  math::Vector3 half{};
  const std::size_t n = body.start.size();
  for (std::size_t i = 0; i < n; ++i)
    for (int c = 0; c < 3; ++c) {
      if (!place.shift.empty()) node.position[c] += body.start[i] * place.shift[i][c];
      if (!place.turn.empty()) half[c] += body.start[i] * place.turn[i][c] / 2;
      for (std::size_t k = 0; k < n && !place.bend.empty(); ++k)
        node.position[c] += body.start[i] * body.start[k] * place.bend[i * n + k][c] / 2;
    }
  node.quaternion = math::multiply(math::normalized({1, half[0], half[1], half[2]}), place.quaternion);
  return node;
}

// ---- coordinates and signals

namespace {

std::string eta(int i) { return "eta" + std::to_string(i + 1); }
std::string point_name(const MechanismDescription::Body& body, std::size_t k) {
  return body.name + ".m" + std::to_string(k);
}
constexpr const char* stress_names[] = {"xx", "yy", "zz", "xy", "yz", "zx"};

}  // namespace

std::vector<int> add_modal_coordinates(Builder& builder, const MechanismDescription::Body& body) {
  std::vector<int> coordinates;
  for (int i = 0; i < body.modal->modes; ++i) {
    // kept at the start wherever the constraints allow it: bodies move before they bend
    equations::UnknownInfo info{body.name + "." + eta(i), "", 1, true, true};
    info.owner_size = static_cast<int>(body.name.size());
    const int q = builder.add_coordinate(info, body.modal->start[i], body.modal->start_rate[i]);
    builder.set_balance(builder.variables().coordinate(q).q, body.name + "." + eta(i),
                        equations::RowKind::force_balance);
    coordinates.push_back(q);
  }
  return coordinates;
}

void declare_modal_signals(Builder& builder, const MechanismDescription::Body& body,
                           const std::vector<int>& coordinates) {
  const int owner = static_cast<int>(body.name.size());
  for (std::size_t i = 0; i < coordinates.size(); ++i) {
    const auto name = body.name + "." + eta(static_cast<int>(i));
    const auto& c = builder.variables().coordinate(coordinates[i]);
    builder.declare_signal({name, "", SignalKind::coordinate, model::Domain::frame, owner}, [c] { return c.q; });
    builder.declare_signal({name + "d", "1/s", SignalKind::rate, model::Domain::frame, owner}, [c] { return c.v; });
  }
  const auto declare = [&](const std::string& name, const std::string& unit, SignalKind kind) {
    builder.declare_signal({body.name + "." + name, unit, kind, model::Domain::frame, owner});
  };
  for (const ModalBody::Output& output : body.modal->outputs) declare(output.name, output.unit, SignalKind::output);
  for (const ModalBody::Stress& stress : body.modal->stresses) {
    for (const char* component : stress_names) declare(stress.name + "." + component, "Pa", SignalKind::output);
    declare(stress.name + ".mises", "Pa", SignalKind::output);
  }
  for (std::size_t k = 0; k < body.modal->points.size(); ++k)
    for (const char* axis : {"x", "y", "z"})
      builder.declare_signal({point_name(body, k) + "." + axis, "m", SignalKind::pose, model::Domain::frame, owner});
}

void define_modal_signals(Builder& builder, const MechanismDescription::Body& body, const std::vector<int>& coordinates,
                          const model::FrameMotion& frame) {
  std::vector<Expr> q;
  for (std::size_t i = 0; i < coordinates.size(); ++i) {
    const auto& c = builder.variables().coordinate(coordinates[i]);
    const auto name = body.name + "." + eta(static_cast<int>(i));
    builder.define_signal(name, c.q);
    builder.define_signal(name + "d", c.v);
    q.push_back(c.q);
  }
  for (const ModalBody::Output& output : body.modal->outputs)
    builder.define_signal(body.name + "." + output.name, product(output.factors, 0, q));
  for (const ModalBody::Stress& stress : body.modal->stresses) {
    std::array<Expr, 6> s;
    for (int i = 0; i < 6; ++i) {
      s[i] = product(stress.factors[i], 0, q);
      builder.define_signal(body.name + "." + stress.name + "." + stress_names[i], s[i]);
    }
    const Expr a = s[0] - s[1], b = s[1] - s[2], c = s[2] - s[0];
    // without stress the root has no slope: below 1 µPa it is held
    constexpr double least = 1e-12;
    const Expr square = (a * a + b * b + c * c) / 2 + 3 * (s[3] * s[3] + s[4] * s[4] + s[5] * s[5]);
    builder.define_signal(body.name + "." + stress.name + ".mises", sqrt(max(square, least)));
  }
  for (std::size_t k = 0; k < body.modal->points.size(); ++k) {
    const ModalPose pose = modal_pose(builder.graph(), point_name(body, k), body.modal->points[k], q);
    const Vec3 at = frame.p_WB + frame.R_WB * pose.p;
    for (int i = 0; i < 3; ++i) builder.define_signal(point_name(body, k) + "." + "xyz"[i], at[i]);
  }
}

std::vector<Mechanism::Polyline> make_modal_lines(const MechanismDescription::Body& body) {
  std::vector<Mechanism::Polyline> lines;
  for (const ModalBody::Line& line : body.modal->lines) {
    lines.push_back({body.name, {}, line.radius});
    for (int k : line.points) lines.back().nodes.push_back(point_name(body, static_cast<std::size_t>(k)));
  }
  return lines;
}

}  // namespace coenergy::mechanics
