#pragma once
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "coenergy/math/rotation.hpp"
#include "coenergy/solve/initialize.hpp"
#include "tests/example_run.hpp"

namespace coenergy::tests {

/// Random mechanisms as users write them: all joint types, springs, dampers and loads, joints written backwards,
/// structural zeros now and then. The same seed gives the same text.
class RandomMechanism {
 public:
  explicit RandomMechanism(unsigned seed) : random_(seed) {}

  /// n bodies that hang on each other or on the ground.
  std::string tree(int n) {
    text_ = "components:\n  gravity: {type: multibody.Gravity, g: [0.3, 0, -9.81]}\n";
    bodies_ = n;
    for (int b = 0; b < n; ++b) add_body(b);
    for (int b = 0; b < n; ++b) add_tree_joint(b);
    add_forces();
    return text_;
  }

  /// A tree with one or two joints more, placed where the tree starts, so that the loops close there. Structures that
  /// cannot move or are held more than once are not taken.
  std::string closed(int n) {
    start_rates_ = false;  // which the loops would contradict
    do {
      tree(n);
      const int loops = 1 + integer(2);
      for (int k = 0; k < loops; ++k) add_closing_joint(k);
    } while (!is_movable());
    return text_;
  }

 private:
  double number(double low = -1, double high = 1) { return std::uniform_real_distribution<>(low, high)(random_); }
  int integer(int n) { return std::uniform_int_distribution<>(0, n - 1)(random_); }
  static std::string list(const std::vector<double>& x) {
    std::string text = "[";
    for (std::size_t i = 0; i < x.size(); ++i) text += fmt::format("{}{:.17g}", i == 0 ? "" : ", ", x[i]);
    return text + "]";
  }
  double rate() { return start_rates_ ? number() : 0; }
  std::string vector() {
    std::vector<double> v{number(), number(), number()};
    for (double& x : v)
      if (integer(3) == 0) x = 0;
    return list(v);
  }
  std::string axis() {
    const char* const principal[] = {"x", "y", "z", "-x", "-y", "-z"};
    return integer(2) == 0 ? principal[integer(6)] : list({number(), number(0.1, 1), number()});
  }
  std::string angles() {
    const int kind = integer(4);
    return kind < 2 ? "[0, 0, 0]" : kind == 2 ? "[90 deg, 0, -90 deg]" : list({number(-2, 2), number(), number(-2, 2)});
  }
  void line(const std::string& name, const std::string& entries) { text_ += "  " + name + ": {" + entries + "}\n"; }

  void add_body(int b) {
    // the inertia of four point masses
    double J[6] = {};
    for (int k = 0; k < 4; ++k) {
      const double x = number(), y = number(), z = number();
      J[0] += y * y + z * z, J[1] += x * x + z * z, J[2] += x * x + y * y;
      J[3] -= x * y, J[4] -= x * z, J[5] -= y * z;
    }
    std::vector<double> inertia{J[0], J[1], J[2]};
    if (integer(2) == 0) inertia.insert(inertia.end(), {J[3], J[4], J[5]});
    line(fmt::format("b{}", b), fmt::format("type: multibody.Body, mass: {:.17g}, com: {}, inertia: {}", number(0.5, 3),
                                            vector(), list(inertia)));
  }

  void add_tree_joint(int b) {
    const int on = integer(b + 1) - 1;
    std::string parent = on < 0 ? "ground" : fmt::format("b{}", on), child = fmt::format("b{}", b);
    if (integer(3) == 0) std::swap(parent, child);
    line(fmt::format("j{}", b),
         fmt::format("{}, parent: {}, child: {}, parent_at: {}, child_at: {}, parent_angles: {}, "
                     "child_angles: {}",
                     joint_kind(), parent, child, vector(), vector(), angles(), angles()));
  }

  std::string joint_kind() {
    auto start = [&](int n) {
      std::string text;
      for (int k = 1; k <= n; ++k) text += fmt::format(", q{}_0: {:.17g}, q{}d_0: {:.17g}", k, number(), k, rate());
      return text;
    };
    const int kind = integer(12);
    if (kind < 6) {
      const bool turns = kind < 3;
      std::string text = fmt::format("type: multibody.{}, axis: {}, q0: {:.17g}, qd0: {:.17g}",
                                     turns ? "Revolute" : "Prismatic", axis(), number(), rate());
      if (integer(2) == 0) text += fmt::format(", stiffness: {:.17g}, rest: 0.3", number(0, 20));
      if (integer(2) == 0) text += fmt::format(", damping: {:.17g}", number(0, 2));
      if (integer(3) == 0) text += fmt::format(", {}: {:.17g}", turns ? "torque" : "force", number(-5, 5));
      return text;
    }
    if (kind == 6) return "type: multibody.Spherical";
    if (kind == 7) return "type: multibody.Universal, axis1: x, axis2: [0, 0.6, 0.8]" + start(2);
    if (kind == 8) return "type: multibody.Cylindrical, axis: " + axis() + start(2);
    if (kind == 9) return "type: multibody.Planar" + start(3);
    if (kind == 10) return "type: multibody.Free" + start(3);
    return "type: multibody.Fixed";
  }

  std::string any_body() { return fmt::format("b{}", integer(bodies_)); }

  void add_forces() {
    line("spring", fmt::format("type: multibody.PointSpringDamper, a: ground, b: {}, a_at: [3, 2, 4], b_at: {}, "
                               "stiffness: {:.17g}, damping: 0.7, length: 0.5",
                               any_body(), vector(), number(1, 30)));
    line("push", fmt::format("type: multibody.Force, body: {}, at: {}, force: {}, axes: {}", any_body(), vector(),
                             vector(), integer(2) == 0 ? "body" : "world"));
    line("twist", fmt::format("type: multibody.Torque, body: {}, torque: {}, axes: {}", any_body(), vector(),
                              integer(2) == 0 ? "body" : "world"));
  }

  bool is_movable() const {
    equations::Evaluator evaluator(compile_model(io::parse_model(text_, "random.yaml")));
    const solve::Start start = solve::initialize(evaluator);
    return start.redundancy.none() && evaluator.system().nv() > evaluator.system().nl();
  }

  struct Pose {
    math::Vector3 p{};
    math::Quaternion r{1, 0, 0, 0};
  };

  /// Where a body of the present text starts.
  Pose find_pose(const std::string& body) {
    equations::Evaluator evaluator(compile_model(io::parse_model(text_, "random.yaml")));
    const equations::Point p = solve::initialize(evaluator).point;
    std::vector<double> values(evaluator.system().signals().size());
    evaluator.signals(p, values);
    auto read = [&](const std::string& name) { return values[evaluator.system().find_signal(body + "." + name)]; };
    return {{read("x"), read("y"), read("z")}, {read("p0"), read("p1"), read("p2"), read("p3")}};
  }

  /// Position and angles (about x, then y, then z) of a frame in a body, as entries.
  std::string placement(const std::string& side, const Pose& frame, const Pose& body) {
    math::Vector3 d;
    for (int i = 0; i < 3; ++i) d[i] = frame.p[i] - body.p[i];
    d = math::rotate(math::conjugate(body.r), d);
    const math::Matrix3 R = math::rotation_matrix(math::multiply(math::conjugate(body.r), frame.r));
    const std::vector<double> turn{std::atan2(R[2][1], R[2][2]), -std::asin(std::clamp(R[2][0], -1.0, 1.0)),
                                   std::atan2(R[1][0], R[0][0])};
    return fmt::format("{}_at: {}, {}_angles: {}", side, list({d[0], d[1], d[2]}), side, list(turn));
  }

  void add_closing_joint(int k) {
    const std::string child = fmt::format("b{}", bodies_ - 1 - k);
    const Pose frame{{number(-2, 2), number(-2, 2), number(-2, 2)}, math::exponential({number(), number(), number()})};
    const char* const kinds[] = {"Spherical", "Spherical", "Planar", "Cylindrical, axis: z", "Universal"};
    line(fmt::format("c{}", k),
         fmt::format("type: multibody.{}, parent: ground, child: {}, {}, {}", kinds[integer(5)], child,
                     placement("parent", frame, {}), placement("child", frame, find_pose(child))));
  }

  std::mt19937 random_;
  std::string text_;
  int bodies_ = 0;
  bool start_rates_ = true;
};

}  // namespace coenergy::tests
