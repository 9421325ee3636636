#include <dart/dynamics/BodyNode.hpp>
#include <dart/dynamics/RevoluteJoint.hpp>
#include <dart/dynamics/Skeleton.hpp>
#include <memory>

#include "bench/multibody/peer.hpp"

namespace bench {

namespace {

namespace dynamics = dart::dynamics;

/// Setting the positions a skeleton already has leaves its caches valid: two states a hair apart take turns.
struct Dart {
  Dart(const std::vector<ChainLink>& links, const ChainState& s) {
    dynamics::BodyNode* parent = nullptr;
    for (std::size_t i = 0; i < links.size(); ++i) {
      const ChainLink& l = links[i];
      dynamics::RevoluteJoint::Properties joint;
      joint.mName = "j" + std::to_string(i);
      joint.mAxis = Eigen::Vector3d::Unit(l.axis);
      joint.mT_ParentBodyToJoint.translation() = Eigen::Vector3d(l.d[0], l.d[1], l.d[2]);
      Eigen::Matrix3d I;
      I << l.inertia[0], l.inertia[3], l.inertia[4], l.inertia[3], l.inertia[1], l.inertia[5], l.inertia[4],
          l.inertia[5], l.inertia[2];
      dynamics::BodyNode::Properties body;
      body.mName = "b" + std::to_string(i);
      body.mInertia = dynamics::Inertia(l.mass, Eigen::Vector3d(l.com[0], l.com[1], l.com[2]), I);
      parent = skeleton->createJointAndBodyNodePair<dynamics::RevoluteJoint>(parent, joint, body).second;
    }
    skeleton->setGravity(Eigen::Vector3d(0, 0, -9.81));
    const auto n = static_cast<Eigen::Index>(links.size());
    q[0] = Eigen::Map<const Eigen::VectorXd>(s.q.data(), n);
    v[0] = Eigen::Map<const Eigen::VectorXd>(s.v.data(), n);
    last = Eigen::Map<const Eigen::VectorXd>(s.last.data(), n);
    q[1] = q[0].array() + 1e-13;
    v[1] = v[0].array() + 1e-13;
  }
  void place() {
    turn = 1 - turn;
    skeleton->setPositions(q[turn]);
  }
  void move() {
    place();
    skeleton->setVelocities(v[turn]);
  }
  void inverse() {
    move();
    skeleton->setAccelerations(last);
    skeleton->computeInverseDynamics(false, false, false);
  }
  void matrix() {
    place();
    M = &skeleton->getMassMatrix();
  }
  void forward() {
    move();
    skeleton->setForces(last);
    skeleton->computeForwardDynamics();
  }
  dynamics::SkeletonPtr skeleton = dynamics::Skeleton::create("chain");
  Eigen::VectorXd q[2], v[2], last;
  int turn = 0;
  const Eigen::MatrixXd* M = nullptr;
};

}  // namespace

Peer make_dart(const std::vector<ChainLink>& links, const ChainState& state) {
  const auto d = std::make_shared<Dart>(links, state);
  return {.name = "DART",
          .inverse = [d] { d->inverse(); },
          .matrix = [d] { d->matrix(); },
          .forward = [d] { d->forward(); },
          .force = [d](int i) { return d->skeleton->getForce(static_cast<std::size_t>(i)); },
          .acceleration = [d](int i) { return d->skeleton->getAcceleration(static_cast<std::size_t>(i)); },
          .mass = [d](int i, int j) { return (*d->M)(i, j); }};
}

}  // namespace bench
