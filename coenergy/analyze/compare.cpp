#include "coenergy/analyze/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <stdexcept>

#include "coenergy/base/error.hpp"
#include "coenergy/equations/data.hpp"
#include "coenergy/solve/initialize.hpp"

namespace coenergy::analyze {
namespace {

using equations::Evaluator;
using equations::Level;
using equations::Point;
using equations::System;

/// A system with what is needed to complete its points.
class Side {
 public:
  explicit Side(Evaluator& evaluator)
      : evaluator(evaluator),
        newton_(evaluator, {.tolerance = 1e-10, .max_iterations = 50, .line_search = true}, statistics_) {
    const System& s = evaluator.system();
    for (int i = 0; i < s.n(); ++i) index_.emplace(s.unknown(i).name, i);
    coordinates = s.data().layout.coordinates;
  }

  int find_unknown(const std::string& name) const {
    const auto place = index_.find(name);
    return place == index_.end() ? -1 : place->second;
  }

  /// Accelerations, multipliers, rates and algebraic variables; empty, or why not.
  std::string complete(Point& p) { return analyze::complete(evaluator, newton_, p); }

  Evaluator& evaluator;
  int coordinates = 0;  ///< of the unknowns, those before the rotations

 private:
  solve::Statistics statistics_;
  solve::Newton newton_;
  std::map<std::string, int> index_;
};

/// Carries states from one formulation to the other.
class Transfer {
 public:
  Transfer(Side& from, Side& to) : from_(from), to_(to) {
    const System& s = to.evaluator.system();
    for (int i = 0; i < s.nv(); ++i) add_motion(s.unknown(i), i);
  }

  /// The same motion in the other system; accelerations and multipliers are not set.
  Point move(const Point& p) {
    const System &a = from_.evaluator.system(), &b = to_.evaluator.system();
    signals_.resize(a.signals().size());
    from_.evaluator.signals(p, signals_);
    Point r = b.start();
    r.t = p.t;
    for (int i = 0; i < b.nv(); ++i) {
      const Motion& m = motions_[i];
      r.v[i] = m.unknown >= 0 ? p.v[m.unknown] : signals_[m.rate];
      if (i < to_.coordinates) r.q[i] = m.unknown >= 0 ? p.q[m.unknown] : signals_[m.value];
    }
    for (int i = to_.coordinates; i < b.nv(); i += 3) move_rotation(p, r, i);
    move_rest(p, r);
    return r;
  }

  /// Accelerations of the reference, by the unknowns of the other system.
  std::vector<double> accelerations(const Point& p) {
    std::vector<double> a;
    for (const Motion& m : motions_) a.push_back(m.unknown >= 0 ? p.a[m.unknown] : rate_of(p, m.rate));
    return a;
  }

 private:
  struct Motion {
    int unknown = -1;           ///< of the reference, where it has the same one
    int value = -1, rate = -1;  ///< else its signals
  };

  int signal(const std::string& name) const {
    const int k = from_.evaluator.system().find_signal(name);
    if (k < 0) throw std::logic_error("the reference has no signal " + name);
    return k;
  }

  void add_motion(const equations::UnknownInfo& info, int i) {
    Motion m;
    m.unknown = from_.find_unknown(info.name);
    const std::string owner(info.owner());
    if (m.unknown < 0 && i >= to_.coordinates) {
      m.value = signal(owner + ".p0");
      m.rate = signal(info.name);
    } else if (m.unknown < 0) {
      // a joint's coordinate, or a place of a body
      m.value = signal(info.name);
      const bool is_place = from_.evaluator.system().signals()[m.value].kind == equations::SignalKind::pose;
      m.rate = signal(is_place ? owner + ".v" + info.name.substr(owner.size() + 1) : info.name + "d");
    }
    motions_.push_back(m);
  }

  void move_rotation(const Point& p, Point& r, int i) {
    const Motion& m = motions_[i];
    const int to = to_.coordinates + 4 * ((i - to_.coordinates) / 3);
    const int from = from_.coordinates + 4 * ((m.unknown - from_.coordinates) / 3);
    for (int k = 0; k < 4; ++k) r.q[to + k] = m.unknown >= 0 ? p.q[from + k] : signals_[m.value + k];
  }

  /// States, algebraic variables and modes have the same names in all formulations.
  void move_rest(const Point& p, Point& r) const {
    const System &a = from_.evaluator.system(), &b = to_.evaluator.system();
    const int ax = a.nv() + a.nl(), bx = b.nv() + b.nl();
    for (int i = 0; i < b.nx() + b.ny(); ++i) {
      const int k = from_.find_unknown(b.unknown(bx + i).name);
      if (k < 0) continue;
      (i < b.nx() ? r.x[i] : r.y[i - b.nx()]) = k - ax < a.nx() ? p.x[k - ax] : p.y[k - ax - a.nx()];
    }
    const auto &names = a.data().discrete_names, &others = b.data().discrete_names;
    for (std::size_t i = 0; i < others.size(); ++i) {
      const auto place = std::find(names.begin(), names.end(), others[i]);
      if (place != names.end()) r.d[i] = p.d[place - names.begin()];
    }
  }

  double rate_of(const Point& p, int signal) {
    const Evaluator::Gradient g = from_.evaluator.signal_gradient(p, signal);
    double rate = 0;
    for (std::size_t i = 0; i < p.v.size(); ++i) rate += g.q[i] * p.v[i] + g.v[i] * p.a[i];
    return rate;
  }

  Side &from_, &to_;
  std::vector<Motion> motions_;
  std::vector<double> signals_;
};

class Comparer {
 public:
  Comparer(Evaluator& reference, Evaluator& other, const CompareOptions& options)
      : reference_(reference),
        other_(other),
        transfer_(reference_, other_),
        options_(options),
        random_(reference, options) {}

  Comparison run() {
    const solve::Start start = solve::initialize(reference_.evaluator);
    if (!start.good) throw Error(start.text);
    compare_at(0, start.point);
    for (int k = 1; k <= options_.random_states; ++k) {
      Point p = start.point;
      if (random_.move(p))
        compare_at(k, p);
      else
        ++result_.skipped;
    }
    return std::move(result_);
  }

 private:
  void compare_at(int state, Point p) {
    std::string failure = reference_.complete(p);
    Point q = transfer_.move(p);
    if (failure.empty()) failure = other_.complete(q);
    if (!failure.empty()) {
      result_.failures.push_back(fmt::format("state {}: {}", state, failure));
      return;
    }
    ++result_.states;
    compare_constraints(state, q);
    compare_accelerations(state, p, q);
    compare_energies(state, p, q);
  }

  static void note(Difference& largest, double value, const std::string& where, int state) {
    if (value > largest.value || !std::isfinite(value)) largest = {value, where, state};
  }

  void compare_constraints(int state, const Point& q) {
    const System& s = other_.evaluator.system();
    double speed = 1;
    for (double v : q.v) speed = std::max(speed, std::abs(v));
    residual_.resize(s.n());
    for (const Level level : {Level::position, Level::velocity}) {
      other_.evaluator.residual(q, level, residual_);
      Difference& largest = level == Level::position ? result_.position : result_.velocity;
      for (int i = s.nv(); i < s.nv() + s.nl(); ++i)
        note(largest, std::abs(residual_[i]) / (level == Level::position ? 1 : speed), s.row_name(i), state);
    }
  }

  void compare_accelerations(int state, const Point& p, const Point& q) {
    const System& s = other_.evaluator.system();
    const std::vector<double> expected = transfer_.accelerations(p);
    std::map<std::string, double> scale;
    for (int i = 0; i < s.nv(); ++i) {
      double& largest = scale.emplace(s.unknown(i).unit, 1).first->second;
      largest = std::max(largest, std::abs(expected[i]));
    }
    for (int i = 0; i < s.nv(); ++i)
      note(result_.acceleration, std::abs(q.a[i] - expected[i]) / scale[s.unknown(i).unit], s.unknown(i).name, state);
  }

  void compare_energies(int state, const Point& p, const Point& q) {
    const double a = reference_.evaluator.energy(p).stored, b = other_.evaluator.energy(q).stored;
    if (state == 0) start_energy_ = {a, b};
    const double change = a - start_energy_[0], other = b - start_energy_[1];
    note(result_.energy, std::abs(change - other) / std::max({1.0, std::abs(a), std::abs(change)}), "stored energy",
         state);
  }

  Side reference_, other_;
  Transfer transfer_;
  CompareOptions options_;
  RandomStates random_;
  Comparison result_;
  std::vector<double> residual_;
  std::array<double, 2> start_energy_{};
};

}  // namespace

const Difference& Comparison::largest() const {
  const Difference* largest = &position;
  for (const Difference* d : {&velocity, &acceleration, &energy})
    if (!(d->value <= largest->value)) largest = d;
  return *largest;
}

Comparison compare(Evaluator& reference, Evaluator& other, const CompareOptions& options) {
  return Comparer(reference, other, options).run();
}

}  // namespace coenergy::analyze
