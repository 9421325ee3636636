#include <Eigen/Cholesky>
#include <kdl/chaindynparam.hpp>
#include <kdl/chainidsolver_recursive_newton_euler.hpp>
#include <memory>

#include "bench/multibody/peer.hpp"

namespace bench {

namespace {

KDL::Chain make_chain(const std::vector<ChainLink>& links) {
  KDL::Chain chain;
  const KDL::Joint::JointType types[] = {KDL::Joint::RotX, KDL::Joint::RotY, KDL::Joint::RotZ};
  // a KDL segment is a joint and then the way to the next one; the first joint's place goes before it
  const auto vector = [](const double* v) { return KDL::Vector(v[0], v[1], v[2]); };
  chain.addSegment(KDL::Segment("base", KDL::Joint(KDL::Joint::None), KDL::Frame(vector(links[0].d))));
  for (std::size_t i = 0; i < links.size(); ++i) {
    const ChainLink& l = links[i];
    const KDL::Vector tip = i + 1 < links.size() ? vector(links[i + 1].d) : KDL::Vector::Zero();
    const KDL::RotationalInertia I(l.inertia[0], l.inertia[1], l.inertia[2], l.inertia[3], l.inertia[4], l.inertia[5]);
    // its inertia refers to the tip's frame
    chain.addSegment(KDL::Segment("s" + std::to_string(i), KDL::Joint(types[l.axis]), KDL::Frame(tip),
                                  KDL::RigidBodyInertia(l.mass, vector(l.com) - tip, I)));
  }
  return chain;
}

/// Recursive Newton–Euler, joint-space inertia (a full matrix), and forward dynamics by both and LDLᵀ.
struct Kdl {
  Kdl(const std::vector<ChainLink>& links, const ChainState& s)
      : n(static_cast<unsigned>(links.size())), chain(make_chain(links)), wrenches(n + 1, KDL::Wrench::Zero()) {
    for (unsigned i = 0; i < n; ++i) q(i) = s.q[i], v(i) = s.v[i], last(i) = s.last[i];
  }
  void forward() {
    rne.CartToJnt(q, v, zero, wrenches, bias);
    parameters.JntToMass(q, M);
    a = M.data.ldlt().solve(last.data - bias.data);
  }
  unsigned n;
  KDL::Chain chain;
  KDL::Vector gravity{0, 0, -9.81};
  KDL::ChainIdSolver_RNE rne{chain, gravity};
  KDL::ChainDynParam parameters{chain, gravity};
  KDL::JntArray q{n}, v{n}, last{n}, zero{n}, Q{n}, bias{n};
  KDL::JntSpaceInertiaMatrix M{static_cast<int>(n)};
  KDL::Wrenches wrenches;
  Eigen::VectorXd a;
};

}  // namespace

Peer make_kdl(const std::vector<ChainLink>& links, const ChainState& state) {
  const auto k = std::make_shared<Kdl>(links, state);
  return {.name = "Orocos KDL",
          .inverse = [k] { k->rne.CartToJnt(k->q, k->v, k->last, k->wrenches, k->Q); },
          .matrix = [k] { k->parameters.JntToMass(k->q, k->M); },
          .forward = [k] { k->forward(); },
          .force = [k](int i) { return k->Q(static_cast<unsigned>(i)); },
          .acceleration = [k](int i) { return k->a(i); },
          .mass = [k](int i, int j) { return k->M.data(i, j); }};
}

}  // namespace bench
