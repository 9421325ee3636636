#include "coenergy/reduce/local_model.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "coenergy/base/error.hpp"
#include "coenergy/reduce/likeness.hpp"

namespace coenergy::reduce {

using equations::Point;
using equations::System;
using math::Matrix;

namespace {

using Shape = std::vector<double>;

/// Differences of fourth order over four neighbours at ±1 and ±2 steps. Near a singular configuration at the distance d
/// the error is (step/d)⁴, elsewhere round-off of the modes over the step.
constexpr double difference_step = 2e-4;  // of θ in units of its nominal value
constexpr int offsets[] = {-2, -1, 1, 2};
constexpr double weights[] = {1. / 12, -8. / 12, 8. / 12, -1. / 12};

double dot(const Shape& a, const Shape& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

/// Vibrations have no sign of their own: the largest part is positive.
void orient(Shape& shape) {
  const auto largest =
      std::max_element(shape.begin(), shape.end(), [](double a, double b) { return std::abs(a) < std::abs(b); });
  if (*largest < 0)
    for (double& x : shape) x = -x;
}

Matrix project(const math::SparseMatrix& m, const std::vector<Shape>& shapes) {
  const int n = int(shapes.size());
  Matrix result(n, n);
  for (int j = 0; j < n; ++j) {
    Shape x = shapes[j], product(m.n, 0.0);
    x.resize(m.n, 0.0);
    m.add_product(x, product);
    product.resize(shapes[j].size());
    for (int i = 0; i < n; ++i) result(i, j) = dot(shapes[i], product);
  }
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < i; ++j) result(i, j) = result(j, i) = (result(i, j) + result(j, i)) / 2;
  return result;
}

/// How the modes change from pose to pose, Γ, and the forces that follow.
class Curvature {
 public:
  Curvature(Mechanism& mechanism, const LocalModel& model)
      : mechanism_(mechanism), s_(mechanism.system()), model_(model), count_(int(model.modes.shapes.size())) {
    for (int k = 0; k < rigid(); ++k) differentiate(k);
  }

  std::vector<Matrix> find_forces() {
    std::vector<Matrix> h(count_, Matrix(count_, count_));
    std::vector<Shape> single(count_);
    const Shape none(s_.nv(), 0.0);
    rest_ = force(none, none);
    for (int j = 0; j < count_; ++j) single[j] = even_force(model_.modes.shapes[j], gamma(j, j));
    for (int j = 0; j < count_; ++j)
      for (int k = 0; k <= j; ++k) {
        Shape f = single[j];
        if (k < j) {
          Shape rate = model_.modes.shapes[j], curve = gamma(j, j);
          add(rate, model_.modes.shapes[k], 1), add(curve, gamma(k, k), 1), add(curve, gamma(j, k), 2);
          f = even_force(rate, curve);
          add(f, single[j], -1), add(f, single[k], -1);
          for (double& x : f) x /= 2;
        }
        for (int i = 0; i < count_; ++i) h[i](j, k) = h[i](k, j) = dot(model_.modes.shapes[i], f);
      }
    return h;
  }

 private:
  int rigid() const { return int(mechanism_.theta().size()); }

  static void add(Shape& a, const Shape& b, double factor) {
    for (std::size_t i = 0; i < a.size(); ++i) a[i] += factor * b[i];
  }

  /// ∂Ψ_j/∂θ_k of all modes j.
  void differentiate(int k) {
    const double step = difference_step * s_.unknown(mechanism_.theta()[k]).nominal;
    std::vector<Shape>& slopes = slopes_.emplace_back(count_, Shape(s_.nv(), 0.0));
    for (int m = 0; m < 4; ++m) {
      std::vector<double> theta = model_.theta;
      theta[k] += offsets[m] * step;
      const Pose beside = find_pose(mechanism_, model_.pose, theta);
      if (!beside.good) throw Error(beside.text);
      const PoseModes modes = find_modes(mechanism_, beside.point, &model_.pose, &model_.modes);
      for (int j = 0; j < count_; ++j) add(slopes[j], modes.shapes[j], weights[m] / step);
    }
  }

  /// The symmetric Γ_jk.
  Shape gamma(int j, int k) const {
    if (j >= rigid() && k >= rigid()) return Shape(s_.nv(), 0.0);
    if (j < rigid() && k < rigid()) {
      Shape both = slopes_[k][j];
      add(both, slopes_[j][k], 1);
      for (double& x : both) x /= 2;
      return both;
    }
    if (j < rigid()) std::swap(j, k);
    Shape result = slopes_[k][j];
    const Shape &spin = model_.modes.shapes[j], &rigid_spin = model_.modes.shapes[k];
    for (int i = first_rotation(s_); i < s_.nv(); i += 3)
      for (int l = 0; l < 3; ++l) {
        const int a = i + (l + 1) % 3, b = i + (l + 2) % 3;
        result[i + l] -= (spin[a] * rigid_spin[b] - spin[b] * rigid_spin[a]) / 2;
      }
    return result;
  }

  Shape force(const Shape& v, const Shape& a) {
    Point p = model_.pose;
    p.v = v, p.a = a;
    Shape r = mechanism_.residual(p);
    r.resize(s_.nv());
    return r;
  }

  /// What does not change its sign with the rates: damping is left out.
  Shape even_force(const Shape& v, const Shape& a) {
    Shape back = v;
    for (double& x : back) x = -x;
    Shape f = force(v, a);
    add(f, force(back, a), 1);
    for (double& x : f) x /= 2;
    add(f, rest_, -1);
    return f;
  }

  Mechanism& mechanism_;
  const System& s_;
  const LocalModel& model_;
  int count_;
  std::vector<std::vector<Shape>> slopes_;  // by θ_k, of all modes
  Shape rest_;
};

}  // namespace

PoseModes find_modes(Mechanism& mechanism, const Point& pose, const Point* reference_pose, const PoseModes* reference) {
  const int nv = mechanism.system().nv(), rigid = int(mechanism.theta().size());
  const auto cut = [nv](std::vector<double> shape) { return shape.resize(nv), shape; };
  PoseModes result;
  const RigidMotion motion(mechanism.system(), pose);
  const math::ComponentModes of_theta = mechanism.hold_rigid(pose, motion), of_all = mechanism.hold_all(pose);
  for (int k = 0; k < rigid; ++k) result.shapes.push_back(motion.spread(of_theta.static_mode(k).displacement));
  for (int k = 0; k < mechanism.directions(); ++k)
    result.shapes.push_back(cut(of_all.static_mode(rigid + k).displacement));

  const int wanted = std::max(mechanism.choice().internal, mechanism.choice().candidates);
  if (wanted == 0) return result;
  const math::SparseMatrix mass = mechanism.mass(pose);
  math::ComponentModes::Internal internal = of_all.internal_modes(mass, wanted);
  for (std::size_t k = 0; k < internal.squares.size(); ++k) {
    result.frequencies.push_back(std::sqrt(internal.squares[k]) / (2 * std::numbers::pi));
    result.candidates.push_back(cut(std::move(internal.shapes[k])));
    orient(result.candidates.back());
  }
  std::vector<int> chosen;
  if (reference) {
    const Likeness likeness(mechanism.system(), mass);
    std::vector<Shape> before(reference->shapes.begin() + (result.shapes.size()), reference->shapes.end());
    for (Shape& shape : before) shape = likeness.carry(shape, *reference_pose, pose);
    for (const Match& match : likeness.match(before, result.candidates)) {
      chosen.push_back(match.candidate), result.likeness.push_back(match.likeness);
      if (match.opposite)
        for (double& x : result.candidates[match.candidate]) x = -x;
    }
  } else {
    for (int k = 0; k < std::min(mechanism.choice().internal, int(result.candidates.size())); ++k) chosen.push_back(k);
  }
  for (int k : chosen) {
    result.shapes.push_back(result.candidates[k]);
    result.internal_frequencies.push_back(result.frequencies[k]);
  }
  return result;
}

LocalModel make_local_model(Mechanism& mechanism, const Point& pose, const LocalModel* reference) {
  LocalModel model;
  model.pose = pose;
  model.theta = mechanism.theta_of(pose);
  model.modes =
      find_modes(mechanism, pose, reference ? &reference->pose : nullptr, reference ? &reference->modes : nullptr);
  const std::vector<Shape>& shapes = model.modes.shapes;
  const int count = int(shapes.size()), rigid = int(mechanism.theta().size());
  model.mass = project(mechanism.mass(pose), shapes);
  model.damping = project(mechanism.damping(pose), shapes);
  // multipliers of modes do no work: the constraints hold for each of them
  math::SparseMatrix stiffness = mechanism.stiffness(pose);
  model.stiffness = project(stiffness, shapes);
  for (int i = 0; i < count; ++i)
    for (int j = 0; j < count; ++j)
      if (i < rigid || j < rigid) model.stiffness(i, j) = 0;
  model.quadratic = Curvature(mechanism, model).find_forces();
  const std::vector<double> gravity = mechanism.gravity(pose);
  for (const Shape& shape : shapes) model.gravity.push_back(dot(shape, gravity));
  const int sensors = int(mechanism.sensor_names().size());
  model.sensors = Matrix(sensors, count);
  for (int i = 0; i < sensors; ++i) {
    const std::vector<double> row = mechanism.sensor_row(pose, i);
    for (int j = 0; j < count; ++j) model.sensors(i, j) = dot(row, shapes[j]);
  }
  return model;
}

}  // namespace coenergy::reduce
