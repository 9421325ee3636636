#include <Simbody.h>

#include <memory>

#include "bench/multibody/peer.hpp"

namespace bench {

namespace {

using namespace SimTK;

/// Its operators on a state that is changed before every call, so that nothing of the last one is kept.
struct Simbody {
  Simbody(const std::vector<ChainLink>& links, const ChainState& s)
      : n(static_cast<int>(links.size())), q(n), v(n), last(n) {
    MobilizedBody parent = matter.updGround();
    const CoordinateAxis axes[] = {XAxis, YAxis, ZAxis};
    for (const ChainLink& l : links) {
      const Vec3 com(l.com[0], l.com[1], l.com[2]);
      const Inertia central(Vec3(l.inertia[0], l.inertia[1], l.inertia[2]),
                            Vec3(l.inertia[3], l.inertia[4], l.inertia[5]));
      const Body::Rigid body(MassProperties(l.mass, com, central.shiftFromMassCenter(-com, l.mass)));
      // a pin turns about z: its frames have their z along the axis
      Vec3 e(0);
      e[l.axis] = 1;
      const Rotation turned(UnitVec3(e), ZAxis);
      parent =
          MobilizedBody::Pin(parent, Transform(turned, Vec3(l.d[0], l.d[1], l.d[2])), body, Transform(turned, Vec3(0)));
    }
    system.realizeTopology();
    state = system.getDefaultState();
    system.realizeModel(state);
    for (int i = 0; i < n; ++i) q[i] = s.q[i], v[i] = s.v[i], last[i] = s.last[i];
  }
  void inverse() {
    state.updQ() = q;
    state.updU() = v;
    system.realize(state, Stage::Velocity);
    matter.calcResidualForceIgnoringConstraints(state, none, gravity.getBodyForces(state), last, Q);
  }
  void matrix() {
    state.updQ() = q;
    system.realize(state, Stage::Position);
    matter.calcM(state, M);
  }
  void forward() {
    state.updQ() = q;
    state.updU() = v;
    system.realize(state, Stage::Dynamics);
    matter.calcAccelerationIgnoringConstraints(state, last, gravity.getBodyForces(state), a, body_accelerations);
  }

  int n;
  MultibodySystem system;
  SimbodyMatterSubsystem matter{system};
  GeneralForceSubsystem forces{system};
  Force::Gravity gravity{forces, matter, Vec3(0, 0, -9.81)};
  State state;
  Vector q, v, last, Q, a, none;
  Vector_<SpatialVec> body_accelerations;
  Matrix M;
};

}  // namespace

Peer make_simbody(const std::vector<ChainLink>& links, const ChainState& state) {
  const auto s = std::make_shared<Simbody>(links, state);
  return {.name = "Simbody",
          .inverse = [s] { s->inverse(); },
          .matrix = [s] { s->matrix(); },
          .forward = [s] { s->forward(); },
          .force = [s](int i) { return s->Q[i]; },
          .acceleration = [s](int i) { return s->a[i]; },
          .mass = [s](int i, int j) { return s->M(i, j); }};
}

}  // namespace bench
