#include "coenergy/reduce/kinematics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "coenergy/base/error.hpp"
#include "coenergy/solve/tangent.hpp"

namespace coenergy::reduce {

using equations::Point;

namespace {

constexpr int most_iterations = 12;
constexpr double small_change = 1e-12;   // m, rad in units of their nominal values
constexpr double longest_step = 0.25;    // of θ at a time, in units of its nominal value
constexpr double shortest_step = 1e-6;   // of the way: beyond it a singular configuration is taken for certain
constexpr double largest_detour = 0.25;  // of the predicted move, which a step may differ from it, …
constexpr double free_detour = 1e-3;     // … and what it may in any case
constexpr double strain = 1e-7;          // m, rad: forces of more than such a move of one node are strain

class Walk {
 public:
  Walk(Mechanism& mechanism, const Point& from) : mechanism_(mechanism), tangent_(mechanism.system()), point_(from) {
    for (auto* part : {&point_.v, &point_.a, &point_.lambda, &point_.xd}) std::fill(part->begin(), part->end(), 0.0);
  }
  const Point& point() const { return point_; }
  const std::string& text() const { return text_; }

  bool step(const std::vector<double>& theta) {
    try {
      return try_step(theta);
    } catch (const Error& error) {
      return fail(error.what());
    }
  }

 private:
  bool fail(std::string text) { return text_ = std::move(text), false; }

  bool try_step(const std::vector<double>& theta) {
    const equations::System& s = mechanism_.system();
    Point p = point_;
    double predicted = 0;
    for (int k = 0; k < most_iterations; ++k) {
      const RigidMotion motion(s, p);
      std::vector<double> z = find_correction(p, motion, theta);
      z.resize(motion.size());
      const std::vector<double> move = motion.finite_move(z);
      const double size = measure(move);
      if (!std::isfinite(size)) return fail("the iteration broke down");
      if (k == 0) predicted = size;
      mechanism_.evaluator().retract(p.q, move);
      mechanism_.evaluator().normalize(p.q);
      if (k > 0 && size <= small_change) return accept(p, predicted);
    }
    return fail("the iteration did not converge");
  }

  std::vector<double> find_correction(const Point& p, const RigidMotion& motion, const std::vector<double>& theta) {
    const int nv = mechanism_.system().nv();
    const std::vector<double> residual = mechanism_.residual(p);
    std::vector<double> force = motion.collect(std::span(residual).first(nv)), held = mechanism_.theta_of(p);
    force.insert(force.end(), residual.begin() + nv, residual.end());
    for (double& x : force) x = -x;
    for (std::size_t i = 0; i < held.size(); ++i) held[i] = theta[i] - held[i];
    return mechanism_.hold_rigid(p, motion).solve(force, held).displacement;
  }

  double measure(const std::vector<double>& move) const {
    double size = 0;
    for (std::size_t i = 0; i < move.size(); ++i)
      size = std::max(size, std::abs(move[i]) / mechanism_.system().unknown(int(i)).nominal);
    return size;
  }

  bool accept(Point& p, double predicted) {
    std::vector<double> moved(mechanism_.system().nv());
    tangent_.difference(point_.q, p.q, moved);
    if (std::abs(measure(moved) - predicted) > largest_detour * predicted + free_detour)
      return fail("the pose leaves its branch");
    if (const int i = find_strain(p); i >= 0)
      return fail(
          mechanism_.system().row_name(i) +
          ": it is loaded there; the reduction is about configurations without strain, springs and motors at rest");
    point_ = std::move(p);
    return true;
  }

  /// A coordinate on which more than a little force is left, −1: none.
  int find_strain(const Point& p) {
    const std::vector<double> force = mechanism_.residual(p);
    const math::SparseMatrix k = mechanism_.stiffness(p);
    for (int j = 0; j < mechanism_.system().nv(); ++j) {
      double stiffness = 0;
      for (int e = k.column_start[j]; e < k.column_start[j + 1]; ++e)
        if (k.row[e] < mechanism_.system().nv()) stiffness = std::max(stiffness, std::abs(k.value[e]));
      if (std::abs(force[j]) > strain * std::max(stiffness, 1.0)) return j;
    }
    return -1;
  }

  Mechanism& mechanism_;
  solve::Tangent tangent_;
  Point point_;
  std::string text_;
};

}  // namespace

Pose find_pose(Mechanism& mechanism, const Point& from, const std::vector<double>& theta) {
  if (theta.size() != mechanism.theta().size())
    throw Error(fmt::format("theta has {} values, the mechanism {} coordinates: {}", theta.size(),
                            mechanism.theta().size(), fmt::join(mechanism.choice().theta, ", ")));
  Walk walk(mechanism, from);
  const std::vector<double> start = mechanism.theta_of(from);
  double way = 0;
  for (std::size_t i = 0; i < theta.size(); ++i)
    way = std::max(way, std::abs(theta[i] - start[i]) / mechanism.system().unknown(mechanism.theta()[i]).nominal);
  double done = 0, step = std::min(1.0, longest_step / std::max(way, longest_step));
  while (done < 1) {
    const double next = done + step > 1 - shortest_step ? 1 : done + step;
    std::vector<double> at(theta);
    for (std::size_t i = 0; i < theta.size(); ++i)
      if (next < 1) at[i] = start[i] + next * (theta[i] - start[i]);
    if (walk.step(at)) {
      done = next;
      step = std::min(2 * step, longest_step / std::max(way, longest_step));
    } else if ((step /= 2) < shortest_step) {
      return {false,
              fmt::format("{} = {:.9g}: the way there ends at {:.9g}, where the mechanism is singular: {}",
                          fmt::join(mechanism.choice().theta, ", "), fmt::join(theta, ", "),
                          fmt::join(mechanism.theta_of(walk.point()), ", "), walk.text()),
              walk.point()};
    }
  }
  return {true, "", walk.point()};
}

}  // namespace coenergy::reduce
