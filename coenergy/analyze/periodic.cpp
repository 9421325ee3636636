#include "coenergy/analyze/periodic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>

#include "coenergy/analyze/carried_state.hpp"
#include "coenergy/analyze/delays.hpp"
#include "coenergy/analyze/repetition.hpp"
#include "coenergy/analyze/sensitivity.hpp"
#include "coenergy/base/error.hpp"
#include "coenergy/base/names.hpp"
#include "coenergy/equations/data.hpp"
#include "coenergy/math/decompositions.hpp"
#include "coenergy/solve/saved_state.hpp"
#include "coenergy/solve/simulate.hpp"

namespace coenergy::analyze {
namespace {

using equations::Evaluator;
using equations::Point;
using equations::System;
using math::Matrix;

/// Options with which differences of runs mean something.
solve::Options make_accurate(solve::Options options) {
  constexpr double rtol = 1e-9, atol = 1e-11;
  options.record_events = false;
  options.output_step = 0;
  if (solve::is_adaptive(options))
    options.rtol = std::min(options.rtol, rtol), options.atol = std::min(options.atol, atol);
  return options;
}

/// Newton's method on shots over one period.
class Shooting {
 public:
  Shooting(Evaluator& evaluator, const solve::Options& options, const PeriodicOptions& wanted, Periodic& result)
      : evaluator_(evaluator), options_(options), wanted_(wanted), result_(result) {}

  bool run(const Point& start) {
    try {
      return iterate(start);
    } catch (const Error& e) {
      return fail(std::string("beside the orbit: ") + e.what());
    }
  }

  const std::vector<char>& counting() const { return counting_; }
  const Matrix& monodromy() const { return monodromy_; }

 private:
  bool iterate(const Point& start) {
    result_.period = wanted_.period, result_.point = start;
    for (int k = 0; k < wanted_.max_iterations; ++k, ++result_.iterations) {
      const CarriedState state(evaluator_, result_.point);
      const FollowedRun shot = follow_variations(
          evaluator_, continue_from(options_, evaluator_, result_.point, result_.period), state.directions());
      if (!shot.good) return fail(fmt::format("a run over a period of {:g} s: {}", result_.period, shot.text));
      find_monodromy(state, shot);
      double largest = 0;
      if (!correct(state, shot, largest)) return false;
      if (largest < wanted_.tolerance) {
        state.describe(result_.point, result_);
        return true;
      }
    }
    return fail(fmt::format("no periodic state found in {} iterations", result_.iterations));
  }

  bool fail(std::string text) {
    result_.text = std::move(text);
    return false;
  }

  void find_monodromy(const CarriedState& state, const FollowedRun& shot) {
    constexpr double round_off = 1e-9;
    const int n = state.size();
    monodromy_ = Matrix(n, n);
    for (int j = 0; j < n; ++j) {
      const std::vector<double> column = state.reduce(shot.variations[j]);
      for (int i = 0; i < n; ++i) monodromy_(i, j) = column[i];
    }
    counting_.assign(n, 1);
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i) {
        const double difference = std::abs(monodromy_(i, j) - (i == j ? 1 : 0)) * state.scale(j) / state.scale(i);
        if (difference > round_off) counting_[j] = 0;
      }
  }

  /// (M − 1) δz + ż δT = z₀ − z(T), ż·δz = 0 of all that does not only count; by whole turns of angles.
  bool correct(const CarriedState& state, const FollowedRun& shot, double& largest) {
    std::vector<int> kept;
    for (int i = 0; i < state.size(); ++i)
      if (!counting_[i]) kept.push_back(i);
    const int n = static_cast<int>(kept.size()), size = n + (wanted_.free ? 1 : 0);
    const std::vector<double> missing = state.difference(shot.end, result_.point), rate = state.rates(shot.end);
    Matrix a(size, size), b(size, 1);
    for (int i = 0; i < n; ++i) {
      const double row = state.scale(kept[i]);
      for (int j = 0; j < n; ++j)
        a(i, j) = (monodromy_(kept[i], kept[j]) - (i == j ? 1 : 0)) * state.scale(kept[j]) / row;
      if (wanted_.free) a(i, n) = a(n, i) = rate[kept[i]] / row * result_.period;
      b(i, 0) = missing[kept[i]] / row;
    }
    if (size == 0) return true;
    const std::vector<double> sizes = math::compute_singular_values(a).s;
    if (!(sizes.back() > 1e-13 * sizes.front()))
      return fail(
          "the periodic state is not unique: a multiplier is 1 (a free oscillation, whose period is another unknown, "
          "or a motion that nothing brings back)");
    const std::vector<double> step = math::solve(a, b).data;
    std::vector<double> change(state.size(), 0.0);
    for (int i = 0; i < n; ++i) {
      change[kept[i]] = step[i] * state.scale(kept[i]);
      largest = std::max(largest, std::abs(step[i]));
    }
    // a step beyond what is known of the motion is taken in part
    constexpr double largest_step = 30;
    const double part = std::min(1.0, largest_step / std::max(largest, 1e-300));
    for (double& value : change) value *= part;
    if (!state.move(evaluator_, change, result_.point)) return fail("positions beside the orbit fit no constraints");
    if (!wanted_.free) return true;
    // a period that jumps would lead to its multiples
    const double longer = std::clamp(part * step[n], -0.3, 0.3);
    result_.period *= 1 + longer;
    largest = std::max(largest, std::abs(longer));
    return true;
  }

  Evaluator& evaluator_;
  const solve::Options& options_;
  const PeriodicOptions& wanted_;
  Periodic& result_;
  Matrix monodromy_;
  std::vector<char> counting_;
};

/// Clocks that have no tick at the same place of the next period.
std::string find_clock_beside(const System& s, double period) {
  const System::Data& data = s.data();
  for (std::size_t i = 0; i < data.update_clock.size(); ++i) {
    if (data.update_clock[i] < 0) continue;
    const double tick = data.clocks[data.update_clock[i]].period, count = tick > 0 ? period / tick : 0;
    if (tick > 0 && std::abs(count - std::round(count)) > 1e-9 * count)
      return fmt::format("{} is sampled every {} s, which is no part of it",
                         data.discrete_names[data.update_discrete[i]], format_short(tick));
  }
  return "";
}

/// What is left when all that only counts is left out.
std::vector<std::complex<double>> find_multipliers(const Matrix& monodromy, const std::vector<char>& counting) {
  std::vector<int> kept;
  for (std::size_t i = 0; i < counting.size(); ++i)
    if (!counting[i]) kept.push_back(static_cast<int>(i));
  Matrix m(static_cast<int>(kept.size()), static_cast<int>(kept.size()));
  for (int i = 0; i < m.rows; ++i)
    for (int j = 0; j < m.columns; ++j) m(i, j) = monodromy(kept[i], kept[j]);
  std::vector<std::complex<double>> values =
      m.rows > 0 ? math::compute_eigenpairs(m).values : std::vector<std::complex<double>>();
  std::stable_sort(values.begin(), values.end(),
                   [](const auto& a, const auto& b) { return std::abs(a) > std::abs(b); });
  return values;
}

}  // namespace

solve::Options continue_from(const solve::Options& options, Evaluator& evaluator, const Point& p, double time) {
  solve::Options next = options;
  auto state = std::make_shared<solve::SavedState>();
  state->model = solve::ModelIdentity(evaluator);
  state->point = p;
  next.from = std::move(state);
  next.start = "given", next.states.clear();
  next.t_start = p.t, next.t_end = p.t + time;
  return next;
}

Periodic find_periodic(Evaluator& evaluator, const solve::Options& given, const PeriodicOptions& wanted) {
  const System& s = evaluator.system();
  refuse_delays(s, "periodic");
  if (!(wanted.period > 0)) throw Error("periodic: the period must be > 0 s");
  if (s.nx() + s.nv() + s.nd() == 0) throw Error("periodic: the model has no states");
  Periodic result;
  result.period = wanted.period;
  if (const std::string why = find_clock_beside(s, wanted.period); !wanted.free && !why.empty())
    throw Error(
        fmt::format("periodic: the excitation does not repeat after {} s: {}", format_short(wanted.period), why));

  // nearer and nearer to where the motion leads by itself
  const solve::Options options = make_accurate(given);
  Shooting shooting(evaluator, options, wanted, result);
  solve::Options way = options;
  way.t_end = way.t_start;
  for (const int periods : {1, 9, 40}) {
    way.t_end += periods * wanted.period;
    const solve::Result run = solve::simulate(evaluator, way, {.keep_rows = false});
    if (run.status != solve::Status::done) {
      result.text = "the run before the period: " + run.text;
      return result;
    }
    result.good = shooting.run(run.end);
    if (result.good) break;
    way = continue_from(options, evaluator, run.end, 0);
  }
  if (!result.good) return result;
  result.multipliers = find_multipliers(shooting.monodromy(), shooting.counting());
  for (std::size_t i = 0; i < result.names.size(); ++i)
    if (shooting.counting()[i]) result.counting.push_back(result.names[i]);

  // what repeats, and after which time
  solve::Options twice = continue_from(options, evaluator, result.point, 2 * result.period);
  const Repetition repetition =
      find_repetition(evaluator, twice, result.period, CarriedState(evaluator, result.point), shooting.counting());
  result.smallest = repetition.smallest;
  if (!repetition.text.empty()) result.good = false, result.text = repetition.text;
  if (result.good && result.smallest == 0)
    result.notes.push_back("nothing moves: this is a state of rest, which has any period");
  else if (result.good && result.smallest < 0.99 * result.period)
    result.notes.push_back(fmt::format("everything repeats after {} s already; the multipliers are those of {} s",
                                       format_short(result.smallest), format_short(result.period)));
  return result;
}

}  // namespace coenergy::analyze
