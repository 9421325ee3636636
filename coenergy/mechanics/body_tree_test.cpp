#include "coenergy/mechanics/body_tree.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "coenergy/mechanics/forward_dynamics.hpp"
#include "coenergy/mechanics/inverse_dynamics.hpp"
#include "coenergy/mechanics/kinematics.hpp"
#include "coenergy/mechanics/link_origins.hpp"
#include "coenergy/mechanics/mass_matrix.hpp"
#include "coenergy/mechanics/mass_matrix_function.hpp"
#include "coenergy/mechanics/point_kinematics.hpp"
#include "coenergy/symbolic/algebra.hpp"
#include "coenergy/symbolic/derivative.hpp"
#include "coenergy/symbolic/function.hpp"

namespace coenergy::mechanics {
namespace {

using symbolic::Expr;
using symbolic::Graph;
using symbolic::Mat3;
using symbolic::NamedExpr;
using symbolic::Vec3;

/// A random tree with all numbers as parameters; most frames parallel or turned by quarters, some by any angle.
struct RandomTree {
  Graph graph;
  BodyTree tree;
  std::vector<Expr> inputs;
  std::vector<double> values;
  std::vector<Expr> q, v, a, rates, accelerations;  ///< of all degrees of freedom; quaternions in q
  std::vector<Expr> quaternion_rates;
  std::mt19937 random;

  double number(double low, double high) { return std::uniform_real_distribution(low, high)(random); }
  int integer(int n) { return static_cast<int>(random() % n); }
  Expr symbol(const std::string& name, double value) {
    values.push_back(value);
    return inputs.emplace_back(graph.symbol(name));
  }

  RandomTree(int seed, int links, bool spherical) : random(seed) {
    tree.graph = &graph;
    for (int i = 0; i < 3; ++i) tree.gravity[i] = symbol("g" + std::to_string(i), number(-10, 10));
    for (int i = 0; i < links; ++i) {
      BodyTree::Link link;
      const std::string id = std::to_string(i + 1);
      link.name = "j" + id;
      link.parent = integer(i + 1) - 1;
      link.axis = integer(3);
      // inner prismatic joints are what a wrong d_z breaks
      link.kind = integer(3) == 0                ? BodyTree::Kind::translation
                  : spherical && integer(3) == 0 ? BodyTree::Kind::spherical
                                                 : BodyTree::Kind::rotation;
      const int frame = integer(3);
      if (frame > 0) {
        Vec3 angles;
        angles[integer(3)] = frame == 1 ? Expr(std::acos(0.0)) : symbol("angle" + id, number(-2, 2));
        link.A = make_fixed_rotation(graph, angles).R;
      }
      for (int k = 0; k < 3; ++k) {
        if (integer(3) > 0) link.d[k] = symbol("d" + id + "_" + std::to_string(k), number(-1, 1));
        link.com[k] = symbol("c" + id + "_" + std::to_string(k), number(-1, 1));
        for (int l = k; l < 3; ++l)
          link.inertia(k, l) = link.inertia(l, k) =
              symbol("I" + id + std::to_string(k) + std::to_string(l), k == l ? number(1, 2) : number(-0.3, 0.3));
        link.force[k] = symbol("f" + id + std::to_string(k), number(-3, 3));
        link.torque[k] = symbol("t" + id + std::to_string(k), number(-3, 3));
      }
      link.mass = symbol("m" + id, number(0.5, 3));
      add_coordinates(link, id);
      tree.links.push_back(link);
    }
  }

  void add_coordinates(BodyTree::Link& link, const std::string& id) {
    if (link.kind != BodyTree::Kind::spherical) {
      link.q = symbol("q" + id, number(-2, 2));
      link.v = symbol("v" + id, number(-2, 2));
      link.a = symbol("a" + id, number(-2, 2));
      q.push_back(link.q), rates.push_back(link.v);
      v.push_back(link.v), a.push_back(link.a);
      return;
    }
    std::array<double, 4> p;
    double norm = 0;
    for (double& x : p) x = number(-1, 1), norm += x * x;
    for (int k = 0; k < 4; ++k) link.p[k] = symbol("p" + id + std::to_string(k), p[k] / std::sqrt(norm));
    for (int k = 0; k < 3; ++k) {
      link.w[k] = symbol("w" + id + std::to_string(k), number(-2, 2));
      link.wd[k] = symbol("wd" + id + std::to_string(k), number(-2, 2));
      v.push_back(link.w[k]), a.push_back(link.wd[k]);
    }
    const auto rate = symbolic::quaternion_rate(link.p, link.w);
    q.insert(q.end(), link.p.begin(), link.p.end());
    rates.insert(rates.end(), rate.begin(), rate.end());
  }

  std::vector<double> evaluate(const std::vector<Expr>& e) const {
    std::vector<NamedExpr> outputs;
    for (const Expr& x : e) outputs.push_back({"", x});
    return symbolic::evaluate(
        symbolic::Function(symbolic::make_program(inputs, outputs), symbolic::Engine::interpreter), values);
  }
};

void expect_near(const std::vector<double>& expected, const std::vector<double>& actual, const std::string& what,
                 int seed) {
  ASSERT_EQ(expected.size(), actual.size());
  double scale = 1;
  for (const double x : expected) scale = std::max(scale, std::fabs(x));
  // sums of some thousand rounded terms: 1e-10 of the largest is far above round-off and far below any mistake
  for (std::size_t i = 0; i < expected.size(); ++i)
    EXPECT_NEAR(expected[i], actual[i], 1e-10 * scale) << what << " " << i + 1 << ", seed " << seed;
}

/// World pose of every link, without any of the generators: R and the origin.
void world_poses(const BodyTree& tree, std::vector<Mat3>& R, std::vector<Vec3>& p) {
  for (const BodyTree::Link& link : tree.links) {
    const Mat3 Rh = link.parent < 0 ? Mat3::identity() : R[link.parent];
    const Vec3 ph = link.parent < 0 ? Vec3{} : p[link.parent];
    Vec3 e, d = link.d;
    e[link.axis] = 1;
    Mat3 turn = Mat3::identity();
    if (link.kind == BodyTree::Kind::rotation) turn = rotation_about(e, link.q);
    if (link.kind == BodyTree::Kind::spherical) turn = symbolic::rotation_of_quaternion(link.p);
    if (link.kind == BodyTree::Kind::translation) d += link.A * (link.q * e);
    R.push_back(Rh * (link.A * turn));
    p.push_back(ph + Rh * d);
  }
}

/// Q = d/dt ∂L/∂q̇ − ∂L/∂q − Jᵀ·loads, by differentiating the energies of the world poses.
std::vector<Expr> lagrange(RandomTree& r) {
  std::vector<Mat3> R;
  std::vector<Vec3> p;
  world_poses(r.tree, R, p);
  Expr lagrangian, load_power;
  for (std::size_t i = 0; i < r.tree.links.size(); ++i) {
    const BodyTree::Link& link = r.tree.links[i];
    const Vec3 x = p[i] + R[i] * link.com;
    Vec3 vx, vo, w;
    Mat3 Rd;
    for (int k = 0; k < 3; ++k) {
      vx[k] = symbolic::time_derivative(x[k], r.q, r.rates);
      vo[k] = symbolic::time_derivative(p[i][k], r.q, r.rates);
      for (int l = 0; l < 3; ++l) Rd(k, l) = symbolic::time_derivative(R[i](k, l), r.q, r.rates);
    }
    const Mat3 spin = transpose(R[i]) * Rd;
    w = {{spin(2, 1), spin(0, 2), spin(1, 0)}};
    lagrangian += link.mass * dot(vx, vx) / 2 + dot(w, link.inertia * w) / 2 + link.mass * dot(r.tree.gravity, x);
    load_power += dot(R[i] * link.force, vo) + dot(link.torque, w);
  }
  const std::vector<Expr> momentum = symbolic::gradient(lagrangian, r.v), force = symbolic::gradient(lagrangian, r.q),
                          load = symbolic::gradient(load_power, r.v);
  std::vector<Expr> state = r.q, change = r.rates, result;
  state.insert(state.end(), r.v.begin(), r.v.end());
  change.insert(change.end(), r.a.begin(), r.a.end());
  const std::vector<Expr> rate = symbolic::directional_derivative(momentum, state, change);
  for (std::size_t i = 0; i < r.v.size(); ++i) result.push_back(rate[i] - force[i] - load[i]);
  return result;
}

TEST(BodyTree, InverseDynamicsIsLagrangesEquationOfTheEnergies) {
  for (int seed = 1; seed <= 25; ++seed) {
    RandomTree r(seed, 2 + seed % 5, false);
    expect_near(r.evaluate(lagrange(r)), r.evaluate(compute_inverse_dynamics(r.tree).forces), "torque", seed);
  }
}

/// M q̈ + c with M and c from the recursions.
std::vector<Expr> matrix_form(const BodyTree& tree, const std::vector<Expr>& a,
                              MassMatrixAxes axes = MassMatrixAxes::links) {
  const TreeMatrix m = compute_mass_matrix(tree, axes);
  std::vector<Expr> result = compute_inverse_dynamics(tree, false).forces;
  for (int i = 0; i < m.size(); ++i)
    for (int j = 0; j < m.size(); ++j) result[i] += m.at(i, j) * a[j];
  return result;
}

TEST(BodyTree, MassMatrixAndBiasMakeUpInverseDynamics) {
  for (int seed = 1; seed <= 30; ++seed) {
    RandomTree r(seed, 2 + seed % 9, true);
    expect_near(r.evaluate(compute_inverse_dynamics(r.tree).forces), r.evaluate(matrix_form(r.tree, r.a)), "torque",
                seed);
  }
}

TEST(BodyTree, LumpedInertiasGiveTheSameForces) {
  for (int seed = 1; seed <= 30; ++seed) {
    RandomTree r(seed, 2 + seed % 9, true);
    const BodyTree lumped = lump(r.tree);
    const std::vector<double> expected = r.evaluate(compute_inverse_dynamics(r.tree).forces);
    expect_near(expected, r.evaluate(compute_inverse_dynamics(lumped).forces), "torque", seed);
    expect_near(expected, r.evaluate(matrix_form(lumped, r.a)), "torque by M", seed);
    expect_near(expected, r.evaluate(matrix_form(lumped, r.a, MassMatrixAxes::world)), "torque by M, world axes", seed);
  }
}

TEST(BodyTree, OriginsMovedAlongTheAxesGiveTheSameForces) {
  int components_before = 0, components_after = 0;
  for (int seed = 1; seed <= 30; ++seed) {
    RandomTree r(seed, 2 + seed % 9, true);
    const BodyTree moved = move_origins(r.tree);
    expect_near(r.evaluate(compute_inverse_dynamics(r.tree).forces), r.evaluate(compute_inverse_dynamics(moved).forces),
                "torque", seed);
    for (std::size_t i = 0; i < moved.links.size(); ++i)
      for (int k = 0; k < 3; ++k) {
        components_before += r.tree.links[i].d[k].is_zero() ? 0 : 1;
        components_after += moved.links[i].d[k].is_zero() ? 0 : 1;
      }
  }
  EXPECT_LT(components_after, components_before);
}

TEST(BodyTree, AChainOfHingesNeedsTwoComponentsOfEachDistance) {
  RandomTree r(1, 6, false);
  for (int i = 0; i < 6; ++i) {
    BodyTree::Link& link = r.tree.links[i];
    link.parent = i - 1, link.kind = BodyTree::Kind::rotation, link.axis = i % 3, link.A = Mat3::identity();
    link.q = r.a[0], link.v = r.v[0], link.a = r.a[0];
    for (int k = 0; k < 3; ++k) link.d[k] = r.symbol("e" + std::to_string(i) + std::to_string(k), r.number(-1, 1));
  }
  const BodyTree moved = move_origins(r.tree);
  for (const BodyTree::Link& link : moved.links) EXPECT_TRUE(link.d[link.axis].is_zero()) << link.name;
}

TEST(BodyTree, MassMatrixInBlocksIsTheOneOfTheGenerator) {
  for (int seed = 1; seed <= 30; ++seed) {
    // a bush, or a chain that has blocks of related joints only
    RandomTree r(seed, 4 + seed, true);
    if (seed % 2 == 0)
      for (std::size_t i = 0; i < r.tree.links.size(); ++i) r.tree.links[i].parent = static_cast<int>(i) - 1;
    const BodyTree tree = lump(r.tree);
    const TreeMatrix matrix = compute_mass_matrix(tree);
    std::vector<Expr> full, lower;
    for (int k = 0; k < matrix.size(); ++k)
      for (int i = 0; i < matrix.size(); ++i) {
        full.push_back(matrix.at(k, i));
        if (i <= k) lower.push_back(matrix.at(k, i));
      }
    for (const auto form : {MassMatrixFunction::Form::full, MassMatrixFunction::Form::lower}) {
      const bool is_full = form == MassMatrixFunction::Form::full;
      const MassMatrixFunction f(tree, r.inputs, form);
      std::vector<double> result(f.size(), NAN), work(f.work_size());
      f(r.values.data(), result.data(), work.data());
      expect_near(r.evaluate(is_full ? full : lower), result, is_full ? "full" : "lower", seed);
    }
  }
}

TEST(BodyTree, ForwardDynamicsInvertsInverseDynamics) {
  for (int seed = 1; seed <= 30; ++seed) {
    RandomTree r(seed, 2 + seed % 9, true);
    const std::vector<Expr> forces = compute_inverse_dynamics(r.tree).forces;
    const std::vector<double> expected = r.evaluate(r.a);
    for (const BodyTree& tree : {r.tree, lump(r.tree)}) {
      expect_near(expected, r.evaluate(compute_articulated_accelerations(tree, forces)), "articulated", seed);
      expect_near(expected, r.evaluate(compute_matrix_accelerations(tree, forces)), "by M", seed);
    }
  }
}

TEST(BodyTree, ArmaturesAddToTheDiagonalOfTheMassMatrix) {
  for (int seed = 1; seed <= 20; ++seed) {
    RandomTree r(seed, 2 + seed % 9, true);
    // Q = M q̈ + c + armature q̈; some joints have none
    std::vector<Expr> forces = compute_inverse_dynamics(r.tree).forces, armatures(forces.size());
    for (std::size_t k = 0; k < forces.size(); ++k) {
      if (k % 3 != 1) armatures[k] = r.symbol("armature" + std::to_string(k), r.number(0.1, 2));
      forces[k] += armatures[k] * r.a[k];
    }
    expect_near(r.evaluate(r.a), r.evaluate(compute_articulated_accelerations(r.tree, forces, armatures)), "q̈", seed);
  }
}

TEST(BodyTree, ForcesOfSphericalJointsBalanceThePowerOfTheEnergies) {
  for (int seed = 1; seed <= 20; ++seed) {
    RandomTree r(seed, 3, true);
    std::vector<Mat3> R;
    std::vector<Vec3> p;
    world_poses(r.tree, R, p);
    Expr stored, load_power, joint_power;
    for (std::size_t i = 0; i < R.size(); ++i) {
      const BodyTree::Link& link = r.tree.links[i];
      const PointKinematics k = compute_kinematics(r.tree, std::vector<LinkPoint>{{static_cast<int>(i), link.com}})[0];
      const PointKinematics o = compute_kinematics(r.tree, std::vector<LinkPoint>{{static_cast<int>(i), {}}})[0];
      const Vec3 w = transpose_times(R[i], k.angular_velocity);
      stored += link.mass * dot(k.velocity, k.velocity) / 2 + dot(w, link.inertia * w) / 2 -
                link.mass * dot(r.tree.gravity, k.position);
      load_power += dot(R[i] * link.force, o.velocity) + dot(link.torque, w);
    }
    std::vector<Expr> state = r.q, change = r.rates;
    state.insert(state.end(), r.v.begin(), r.v.end());
    change.insert(change.end(), r.a.begin(), r.a.end());
    const std::vector<Expr> forces = compute_inverse_dynamics(r.tree).forces;
    for (std::size_t k = 0; k < forces.size(); ++k) joint_power += forces[k] * r.v[k];
    expect_near(r.evaluate({symbolic::time_derivative(stored, state, change)}), r.evaluate({joint_power + load_power}),
                "power", seed);
  }
}

TEST(BodyTree, PointKinematicsAreTheTimeDerivativesOfThePose) {
  for (int seed = 1; seed <= 20; ++seed) {
    RandomTree r(seed, 2 + seed % 5, true);
    std::vector<Mat3> R;
    std::vector<Vec3> p;
    world_poses(r.tree, R, p);
    const int last = static_cast<int>(R.size()) - 1;
    const Vec3 at{{0.3, -0.2, 0.7}};
    const PointKinematics k = compute_kinematics(r.tree, std::vector<LinkPoint>{{last, at}})[0];
    const Vec3 x = p[last] + R[last] * at;
    std::vector<Expr> state = r.q, change = r.rates, expected, actual;
    state.insert(state.end(), r.v.begin(), r.v.end());
    change.insert(change.end(), r.a.begin(), r.a.end());
    for (int i = 0; i < 3; ++i) {
      const Expr v = symbolic::time_derivative(x[i], r.q, r.rates);
      Expr from_columns, acceleration = k.bias[i];
      for (const PointKinematics::Column& c : k.jacobian) {
        from_columns += c.linear[i] * r.v[c.freedom];
        acceleration += c.linear[i] * r.a[c.freedom];
      }
      expected.insert(expected.end(), {x[i], v, v, symbolic::time_derivative(v, state, change)});
      actual.insert(actual.end(), {k.position[i], k.velocity[i], from_columns, acceleration});
      for (int j = 0; j < 3; ++j) {
        // Ṙ = ω̃ R
        const Mat3 rate = skew(k.angular_velocity) * k.R;
        expected.insert(expected.end(), {R[last](i, j), symbolic::time_derivative(R[last](i, j), r.q, r.rates)});
        actual.insert(actual.end(), {k.R(i, j), rate(i, j)});
      }
    }
    const Vec3 axes = k.angular_velocity;
    for (int i = 0; i < 3; ++i) {
      Expr w, wd = k.angular_bias[i];
      for (const PointKinematics::Column& c : k.jacobian) {
        w += c.angular[i] * r.v[c.freedom];
        wd += c.angular[i] * r.a[c.freedom];
      }
      expected.insert(expected.end(), {axes[i], symbolic::time_derivative(axes[i], state, change)});
      actual.insert(actual.end(), {w, wd});
    }
    expect_near(r.evaluate(expected), r.evaluate(actual), "kinematics", seed);
  }
}

/// The chain of bench/symbolic: all numbers are parameters, joints about z, x, y, z …
TEST(BodyTree, OperationCountsOfASevenJointChain) {
  Graph g;
  BodyTree tree{.graph = &g, .gravity = {{0, 0, -g.symbol("g")}}};
  std::vector<Expr> inputs{g.symbol("g")};
  const auto symbol = [&](const std::string& name) { return inputs.emplace_back(g.symbol(name)); };
  for (int i = 0; i < 7; ++i) {
    const std::string id = std::to_string(i + 1);
    BodyTree::Link link{.name = "j" + id, .parent = i - 1, .axis = (i + 2) % 3};
    link.q = symbol("q" + id), link.v = symbol("v" + id), link.a = symbol("a" + id), link.mass = symbol("m" + id);
    for (int k = 0; k < 3; ++k) {
      link.com[k] = symbol("c" + id + std::to_string(k));
      if (i > 0) link.d[k] = symbol("d" + id + std::to_string(k));
      for (int l = k; l < 3; ++l)
        link.inertia(k, l) = link.inertia(l, k) = symbol("I" + id + std::to_string(k) + std::to_string(l));
    }
    tree.links.push_back(link);
  }
  const auto count = [&](const std::vector<Expr>& e) {
    std::vector<NamedExpr> outputs;
    for (const Expr& x : e) outputs.push_back({"", x});
    return symbolic::make_program(inputs, outputs).count();
  };
  const auto inverse = count(compute_inverse_dynamics(tree).forces);
  EXPECT_LE(inverse.multiplications, 447);
  EXPECT_LE(inverse.additions, 445);
}

}  // namespace
}  // namespace coenergy::mechanics
