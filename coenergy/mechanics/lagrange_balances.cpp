#include "coenergy/mechanics/lagrange_balances.hpp"

#include "coenergy/mechanics/kinematics.hpp"
#include "coenergy/symbolic/derivative.hpp"

namespace coenergy::mechanics {

using equations::Builder;
using equations::Variables;
using symbolic::Expr;
using symbolic::Mat3;
using symbolic::Vec3;

namespace {

class LagrangeWriter {
 public:
  explicit LagrangeWriter(Builder& builder) : b_(builder), v_(builder.variables()) {
    for (int k = 0; k < v_.coordinates(); ++k) {
      q_.push_back(v_.coordinate(k).q);
      qd_.push_back(v_.coordinate(k).v);
    }
    for (int k = 0; k < v_.rotations(); ++k) {
      const Variables::Rotation& r = v_.rotation(k);
      q_.insert(q_.end(), r.p.begin(), r.p.end());
      qd_.insert(qd_.end(), r.w.e.begin(), r.w.e.end());
    }
    row_.resize(qd_.size());
  }

  void add(const LagrangeBody& body, const Vec3& gravity) {
    const model::RigidBody& p = *body.properties;
    const Vec3 center = body.p_WB + body.R_WB * p.com, velocity = rate(center);
    const Vec3 w = angular_velocity(body.R_WB);
    kinetic_ += p.mass * dot(velocity, velocity) / 2 + dot(w, p.inertia * w) / 2;
    potential_ += -p.mass * dot(gravity, center);
    if (!is_zero(body.force_W)) add_force(rate(body.p_WB), body.force_W);
    if (!is_zero(body.torque_W)) add_force(body.R_WB * w, body.torque_W);
  }

  void write() {
    add_energies();
    const int n = v_.coordinates();
    for (int k = 0; k < n; ++k)
      if (!row_[k].is_zero()) b_.add_balance(k, row_[k]);
    for (int k = 0; k < v_.rotations(); ++k) {
      const int at = n + 3 * k;
      const Vec3 torque{{row_[at], row_[at + 1], row_[at + 2]}};
      if (!is_zero(torque)) b_.add_rotation_balance(k, torque);
    }
    b_.add_stored_energy(kinetic_ + potential_);
  }

 private:
  Vec3 rate(const Vec3& x) const {
    return {{v_.time_derivative(x[0]), v_.time_derivative(x[1]), v_.time_derivative(x[2])}};
  }

  /// Body axes: the skew matrix RᵀṘ, of which each component is taken from the two columns it belongs to.
  Vec3 angular_velocity(const Mat3& R) const {
    Vec3 w;
    for (int i = 0; i < 3; ++i) {
      const int j = (i + 1) % 3, k = (i + 2) % 3;
      for (int row = 0; row < 3; ++row) w[i] += R(row, k) * v_.time_derivative(R(row, j));
    }
    return w;
  }

  /// A force acts on every rate its point's velocity depends on.
  void add_force(const Vec3& velocity, const Vec3& force) {
    for (const symbolic::JacobianEntry& e : symbolic::jacobian(velocity.e, qd_))
      row_[e.column] -= e.value * force[e.row];
  }

  void add_energies() {
    const std::vector<Expr> momentum = symbolic::gradient(kinetic_, qd_);
    const std::vector<Expr> slope = symbolic::gradient(kinetic_ - potential_, q_);
    for (std::size_t k = 0; k < row_.size(); ++k) row_[k] += v_.time_derivative(momentum[k]);
    const int n = v_.coordinates();
    for (int k = 0; k < n; ++k) row_[k] -= slope[k];
    for (int k = 0; k < v_.rotations(); ++k) {
      const int at = n + 3 * k;
      const Vec3 h{{momentum[at], momentum[at + 1], momentum[at + 2]}};
      const Vec3 gyroscopic = cross(v_.rotation(k).w, h);
      for (int i = 0; i < 3; ++i) {
        Vec3 unit;
        unit[i] = 1;
        const SymbolicQuaternion turn = symbolic::quaternion_rate(v_.rotation(k).p, unit);
        row_[at + i] += gyroscopic[i];
        for (int part = 0; part < 4; ++part) row_[at + i] -= slope[n + 4 * k + part] * turn[part];
      }
    }
  }

  Builder& b_;
  const Variables& v_;
  std::vector<Expr> q_, qd_, row_;  ///< a rotation takes four of q_, three of the others
  Expr kinetic_, potential_;
};

}  // namespace

void write_lagrange_balances(Builder& builder, const Vec3& gravity, const std::vector<LagrangeBody>& bodies) {
  LagrangeWriter writer(builder);
  for (const LagrangeBody& body : bodies) writer.add(body, gravity);
  writer.write();
}

}  // namespace coenergy::mechanics
