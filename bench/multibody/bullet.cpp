#include <BulletDynamics/Featherstone/btMultiBody.h>

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <memory>

#include "bench/multibody/peer.hpp"

namespace bench {

namespace {

btVector3 to_bullet(const Eigen::Vector3d& x) { return {x[0], x[1], x[2]}; }

/// Forward dynamics alone: the headers of its inverse dynamics are in no package. A link's frame has the principal axes
/// E of its inertia, at the centre of mass. The algorithm adds q̈ dt to the velocities; with dt = 1 the change is q̈.
struct Bullet {
  Bullet(const std::vector<ChainLink>& links, const ChainState& s)
      : n(static_cast<int>(links.size())), state(s), body(n, 1, btVector3(1, 1, 1), true, false) {
    Eigen::Matrix3d E_parent = Eigen::Matrix3d::Identity();
    Eigen::Vector3d com_parent = Eigen::Vector3d::Zero();
    for (int i = 0; i < n; ++i) {
      const ChainLink& l = links[i];
      Eigen::Matrix3d I;
      I << l.inertia[0], l.inertia[3], l.inertia[4], l.inertia[3], l.inertia[1], l.inertia[5], l.inertia[4],
          l.inertia[5], l.inertia[2];
      const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> principal(I);
      Eigen::Matrix3d E = principal.eigenvectors();
      if (E.determinant() < 0) E.col(2) = -E.col(2);
      const Eigen::Quaterniond turn(Eigen::Matrix3d(E.transpose() * E_parent));
      const Eigen::Vector3d d(l.d), com(l.com);
      body.setupRevolute(i, l.mass, to_bullet(principal.eigenvalues()), i - 1,
                         btQuaternion(turn.x(), turn.y(), turn.z(), turn.w()),
                         to_bullet(E.transpose() * Eigen::Vector3d::Unit(l.axis)),
                         to_bullet(E_parent.transpose() * (d - com_parent)), to_bullet(E.transpose() * com));
      weight.push_back(l.mass * btVector3(0, 0, -9.81));
      E_parent = E, com_parent = com;
    }
    body.finalizeMultiDof();
    body.setLinearDamping(0);
    body.setAngularDamping(0);
    body.setMaxCoordinateVelocity(1e30);
    body.setUseGyroTerm(true);
  }
  void forward() {
    body.clearForcesAndTorques();
    for (int i = 0; i < n; ++i) {
      body.setJointPosMultiDof(i, &state.q[i]);
      body.setJointVelMultiDof(i, &state.v[i]);
      body.addJointTorque(i, state.last[i]);
      body.addLinkForce(i, weight[i]);
    }
    body.computeAccelerationsArticulatedBodyAlgorithmMultiDof(1, numbers, vectors, matrices, false, false, false);
  }

  int n;
  ChainState state;
  btMultiBody body;
  std::vector<btVector3> weight;
  btAlignedObjectArray<btScalar> numbers;
  btAlignedObjectArray<btVector3> vectors;
  btAlignedObjectArray<btMatrix3x3> matrices;
};

}  // namespace

Peer make_bullet(const std::vector<ChainLink>& links, const ChainState& state) {
  const auto b = std::make_shared<Bullet>(links, state);
  return {.name = "Bullet",
          .forward = [b] { b->forward(); },
          .acceleration = [b](int i) { return b->body.getJointVel(i) - b->state.v[i]; }};
}

}  // namespace bench
