#include "coenergy/analyze/moving_events.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "coenergy/equations/data.hpp"
#include "coenergy/solve/instant.hpp"

namespace coenergy::analyze {
namespace {

using equations::Evaluator;
using equations::Level;
using equations::Point;
using equations::System;
using solve::EventStage;

/// Rates of all variables along the motion: time is one more parameter, along which q moves by v, v by a, x by ẋ.
Deviation compute_rates(Evaluator& evaluator, const Point& p, Response& response) {
  std::vector<double> term(evaluator.system().n());
  evaluator.time_derivative(p, Level::acceleration, term);
  Deviation rates;
  rates.q = p.v, rates.v = p.a, rates.x = p.xd;
  response.complete(rates, term);
  return rates;
}

/// Whether the rates of states are the same on both sides, so that a shift of the event moves nothing.
bool is_smooth(const Point& before, const Point& after) {
  const auto same = [](const std::vector<double>& a, const std::vector<double>& b) {
    double difference = 0, size = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
      difference = std::max(difference, std::abs(a[i] - b[i])), size = std::max({size, std::abs(a[i]), std::abs(b[i])});
    return difference <= 1e-9 * size;
  };
  return same(before.xd, after.xd) && same(before.a, after.a) && same(before.v, after.v) && same(before.x, after.x);
}

/// t' by a clock.
double slope_of(const Evaluator::Tick& tick, const Direction& direction) {
  double slope = 0;
  for (const auto& [k, weight] : direction.parameters) slope += tick.slope[k] * weight;
  return slope;
}

/// sum += factor · part
void add(std::vector<double>& sum, const std::vector<double>& part, double factor) {
  for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += factor * part[i];
}

}  // namespace

MovingEvents::MovingEvents(Evaluator& evaluator, const solve::Options& options)
    : evaluator_(evaluator),
      options_(options),
      impacts_(evaluator, options),
      jumps_(evaluator, options, statistics_),
      tangent_(evaluator.system()) {}

/// With the comparisons that changed at the same instant on their own, as the three legs of a bridge do whose references
/// are equal: their indicators are as near to zero as those that were located.
std::vector<int> MovingEvents::add_simultaneous(const Point& before, const Point& after, std::vector<int> crossed,
                                                const Deviation& rates) {
  const System::Data& data = evaluator_.system().data();
  std::vector<double> g(evaluator_.system().indicators());
  evaluator_.indicators(before, g);
  const Direction none;
  const auto time_to = [&](int k) {
    const Evaluator::Gradient gradient = evaluator_.indicator_gradient(before, k);
    const double rate = std::abs(gradient.t + differentiate(gradient, rates, {}, none));
    return g[k] == 0 ? 0 : std::abs(g[k]) / rate;
  };
  double nearest = solve::same_instant(options_, before.t);
  for (const int k : crossed) nearest = std::max(nearest, std::min(time_to(k), 1e3 * nearest));
  for (std::size_t i = 0; i < data.update_comparison.size(); ++i) {
    const int k = data.update_comparison[i], d = data.update_discrete[i];
    if (k < 0 || before.d[d] == after.d[d] || std::find(crossed.begin(), crossed.end(), k) != crossed.end()) continue;
    if (time_to(k) <= 10 * nearest) crossed.push_back(k);
  }
  return crossed;
}

/// Whether the comparison of an indicator changes the equations on its own: all legs of a bridge that switch at one
/// instant change no voltage between them, each alone does.
bool MovingEvents::acts_alone(const Point& before, int indicator) {
  constexpr double much = 1e-6;  // of the nominal size; where a corner is passed it is round-off
  const System& s = evaluator_.system();
  const System::Data& data = s.data();
  Point flipped = before;
  bool is_comparison = false;
  for (std::size_t i = 0; i < data.update_comparison.size(); ++i)
    if (data.update_comparison[i] == indicator) {
      double& mode = flipped.d[data.update_discrete[i]];
      mode = 1 - mode, is_comparison = true;
    }
  if (!is_comparison) return false;
  std::vector<double> now(s.n()), then(s.n());
  evaluator_.residual(before, Level::acceleration, now);
  evaluator_.residual(flipped, Level::acceleration, then);
  for (int i = 0; i < s.n(); ++i)
    if (std::abs(then[i] - now[i]) > much * s.unknown(i).nominal) return true;
  return false;
}

/// t' of the event by every indicator that crossed and every clock that ticks; the text where they contradict.
std::string MovingEvents::find_shift(const Point& before, const Point& after, const std::vector<int>& crossed,
                                     const std::vector<Evaluator::Tick>& ticks, const Direction& direction,
                                     const Variation& variation, Response& response, double& shift) {
  shift = 0;
  std::string first;
  const auto take = [&](const std::string& name, double own, bool moves_alone) -> std::string {
    const bool differs = std::abs(own - shift) > 1e-6 * (std::abs(own) + std::abs(shift));
    if (first.empty()) shift = own;
    if (!first.empty() && differs && (moves_alone || !is_smooth(before, after)))
      return fmt::format("{} and {} happen at one instant, but move apart with {}", first, name, direction.name);
    if (first.empty()) first = name;
    return "";
  };
  for (const Evaluator::Tick& tick : ticks)
    if (std::string why = take(tick.name, slope_of(tick, direction), true); !why.empty()) return why;
  if (crossed.empty()) return "";
  const Deviation rates = compute_rates(evaluator_, before, response);
  const Deviation all = complete_variation(
      response, variation, compute_parameter_term(evaluator_, before, Level::acceleration, direction, variation.d));
  const Direction none;
  for (int k : add_simultaneous(before, after, crossed, rates)) {
    const std::string name = evaluator_.system().indicator_name(k);
    const Evaluator::Gradient g = evaluator_.indicator_gradient(before, k);
    const double rate = g.t + differentiate(g, rates, {}, none);
    const double moved = differentiate(g, all, variation.d, direction);
    if (moved != 0 && !(std::abs(rate) > 0)) return fmt::format("{} only touches its switching point", name);
    const bool matters = !ticks.empty() || acts_alone(before, k);
    if (std::string why = take(name, moved == 0 ? 0 : -moved / rate, matters); !why.empty()) return why;
  }
  return "";
}

/// Everything that follows from the total changes of q, v, x and d at a solution.
void MovingEvents::solve(const Point& p, Passage& passage, Response& response) {
  std::vector<double> term =
      compute_parameter_term(evaluator_, p, Level::acceleration, *passage.direction, passage.total.d);
  if (passage.shift != 0) {
    std::vector<double> by_time(term.size());
    evaluator_.time_derivative(p, Level::acceleration, by_time);
    add(term, by_time, passage.shift);
  }
  passage.all = complete_variation(response, passage.total, term);
}

/// New values of discrete variables.
void MovingEvents::update(const std::vector<Evaluator::Update>& updates, Passage& passage) {
  Variation& total = passage.total;
  passage.all.q = total.q, passage.all.v = total.v, passage.all.x = total.x;
  std::vector<double> d = total.d;
  int turn = 0;
  for (const Evaluator::Update& u : updates) {
    if (u.turn != turn) total.d = d, turn = u.turn;
    d[u.discrete] = u.gradient.t * passage.shift + differentiate(u.gradient, passage.all, total.d, *passage.direction);
  }
  total.d = d;
}

/// The point p + by · Δ, with the parameters there too.
Point MovingEvents::displaced(const Point& p, const Passage& passage, double by) {
  Point moved = p;
  moved.t += by * passage.shift;
  std::vector<double> dq = passage.total.q;
  for (double& value : dq) value *= by;
  evaluator_.retract(moved.q, dq);
  add(moved.v, passage.total.v, by), add(moved.x, passage.total.x, by), add(moved.d, passage.total.d, by);
  add(moved.a, passage.all.a, by), add(moved.lambda, passage.all.lambda, by);
  add(moved.xd, passage.all.xd, by), add(moved.y, passage.all.y, by);
  return moved;
}

bool MovingEvents::repeat(const EventStage& stage, Point& p) {
  return stage.kind == EventStage::Kind::hit ? impacts_.repeat(p, stage.impact)
                                             : jumps_.repeat(p, stage.positions_jump);
}

template <class Action>
void MovingEvents::with_parameters(const Passage& passage, double by, const Action& action) {
  std::vector<double> before;
  for (const auto& [k, slope] : passage.direction->parameters) {
    before.push_back(evaluator_.parameter(k));
    evaluator_.set_parameter_alone(k, before.back() + by * slope);
  }
  action();
  for (std::size_t j = 0; j < before.size(); ++j)
    evaluator_.set_parameter_alone(passage.direction->parameters[j].first, before[j]);
}

/// The largest change of a variable or parameter along Δ, relative to its size.
double MovingEvents::find_size(const Point& at, const Passage& passage) const {
  const System& s = evaluator_.system();
  double size = 0;
  const auto watch = [&](double change, double value, double nominal) {
    size = std::max(size, std::abs(change) / std::max(std::abs(value), nominal));
  };
  for (int i = 0; i < s.nv(); ++i) {
    watch(passage.total.q[i], tangent_.size(at.q, i), s.unknown(i).nominal);
    watch(passage.total.v[i], at.v[i], s.unknown(i).nominal);
  }
  for (int i = 0; i < s.nx(); ++i) watch(passage.total.x[i], at.x[i], s.unknown(s.nv() + s.nl() + i).nominal);
  for (const auto& [k, slope] : passage.direction->parameters)
    watch(slope, evaluator_.parameter(k), evaluator_.parameter(k) == 0 ? 1 : 0);
  return size;
}

/// An impact or a drive that jumps: the change of what it makes along Δ.
bool MovingEvents::move(const EventStage& stage, Passage& passage) {
  const System& s = evaluator_.system();
  const double size = find_size(stage.at, passage);
  if (size == 0) return true;
  const double step = 1e-3 / size;  // a thousandth of the variables

  Variation slope{std::vector<double>(s.nv()), std::vector<double>(s.nv()), std::vector<double>(s.nx()), {}};
  bool good = true;
  std::vector<double> way(s.nv());
  for (const auto& [steps, weight] : {std::pair(-2, 1.0), std::pair(-1, -8.0), std::pair(1, 8.0), std::pair(2, -1.0)}) {
    const double by = steps * step, factor = weight / (12 * step);
    Point p = displaced(stage.at, passage, by);
    p.d = stage.to.d;  // modes of the stage itself
    add(p.d, passage.total.d, by);
    with_parameters(passage, by, [&] { good = good && repeat(stage, p); });
    tangent_.difference(stage.to.q, p.q, way);
    add(slope.q, way, factor), add(slope.v, p.v, factor), add(slope.x, p.x, factor);
  }
  if (stage.positions_jump) passage.total.q = slope.q;
  passage.total.v = slope.v, passage.total.x = slope.x;
  return good;
}

/// The mode that is decided otherwise just beside a start: friction that holds where two velocities are the same.
std::string MovingEvents::find_mode_on_its_boundary(const Point& at, const std::vector<Evaluator::Update>& updates,
                                                    const Passage& passage) {
  constexpr double part = 1e-7, round_off = 1e-9;  // of the variables; of what is smooth over such a distance
  const double size = find_size(at, passage);
  for (const double by : {-part / size, part / size}) {
    if (size == 0) break;
    const Point beside = displaced(at, passage, by);
    std::vector<Evaluator::Update> other;
    with_parameters(passage, by, [&] { other = evaluator_.updates(beside, false); });
    for (std::size_t k = 0; k < updates.size(); ++k) {
      const Evaluator::Update& u = updates[k];
      const double change = other[k].value - u.value;
      const double smooth = by * differentiate(u.gradient, passage.all, passage.total.d, *passage.direction);
      if (std::abs(change) > round_off * std::max(1.0, std::abs(u.value)) &&
          std::abs(change - smooth) > 1e-3 * std::abs(change))
        return evaluator_.system().data().discrete_names[u.discrete];
    }
  }
  return "";
}

std::string MovingEvents::take_stages(const solve::EventTrace& trace, std::vector<Passage>& passages, bool at_start) {
  for (const EventStage& stage : trace) switch (stage.kind) {
      case EventStage::Kind::solved: {
        Response response(evaluator_, stage.at);
        for (Passage& passage : passages) solve(stage.at, passage, response);
        break;
      }
      case EventStage::Kind::sampled:
      case EventStage::Kind::modes: {
        const auto updates = evaluator_.updates(stage.at, stage.kind == EventStage::Kind::sampled);
        for (Passage& passage : passages) {
          if (at_start && stage.kind == EventStage::Kind::modes)
            if (const std::string mode = find_mode_on_its_boundary(stage.at, updates, passage); !mode.empty())
              return fmt::format("{} is decided exactly on its boundary at the start, and otherwise with {} beside it",
                                 mode, passage.direction->name);
          update(updates, passage);
        }
        break;
      }
      case EventStage::Kind::jumped:
      case EventStage::Kind::hit:
        for (Passage& passage : passages)
          if (!move(stage, passage))
            return fmt::format("{} has no derivative to {}",
                               stage.kind == EventStage::Kind::hit ? "an impact" : "a drive that jumps",
                               passage.direction->name);
        break;
    }
  return "";
}

std::string MovingEvents::pass(const Point& before, const Point& after, const std::vector<int>& crossed,
                               const solve::EventTrace& trace, const std::vector<Direction>& directions,
                               std::vector<Variation>& variations) {
  const bool samples =
      std::any_of(trace.begin(), trace.end(), [](const EventStage& s) { return s.kind == EventStage::Kind::sampled; });
  const std::vector<Evaluator::Tick> ticks = samples ? evaluator_.ticks(before) : std::vector<Evaluator::Tick>();
  Response response(evaluator_, before);
  std::vector<Passage> passages;
  moved_.clear();
  for (std::size_t k = 0; k < directions.size(); ++k) {
    Passage passage{.direction = &directions[k], .shift = 0, .total = variations[k], .all = {}};
    std::string why = find_shift(before, after, crossed, ticks, directions[k], variations[k], response, passage.shift);
    if (!why.empty()) return why;
    moved_.push_back(passage.shift != 0);
    add(passage.total.q, before.v, passage.shift), add(passage.total.v, before.a, passage.shift);
    add(passage.total.x, before.xd, passage.shift);
    passages.push_back(std::move(passage));
  }
  std::string why = take_stages(trace, passages, false);
  for (std::size_t k = 0; k < directions.size(); ++k) {
    variations[k] = passages[k].total;
    add(variations[k].q, after.v, -passages[k].shift), add(variations[k].v, after.a, -passages[k].shift);
    add(variations[k].x, after.xd, -passages[k].shift);
  }
  return why;
}

std::string MovingEvents::start(const Point& after, const solve::EventTrace& trace,
                                const std::vector<Direction>& directions, std::vector<Variation>& variations) {
  if (trace.empty()) return "";
  for (const Evaluator::Tick& tick : evaluator_.ticks(after))
    for (const Direction& direction : directions)
      if (slope_of(tick, direction) != 0)
        return fmt::format("{} changes at the start itself, and with {} before or after it", tick.name, direction.name);
  std::vector<Passage> passages;
  for (std::size_t k = 0; k < directions.size(); ++k)
    passages.push_back({.direction = &directions[k], .shift = 0, .total = variations[k], .all = {}});
  std::string why = take_stages(trace, passages, true);
  for (std::size_t k = 0; k < directions.size(); ++k) variations[k] = passages[k].total;
  return why;
}

std::string MovingEvents::name_switching_at(const Point& start, const std::vector<Direction>& directions,
                                            const std::vector<Variation>& variations) {
  constexpr double on_it = 1e-12, still = 1e-9;  // of the terms of an indicator; of its rate in nominal units
  const equations::System& s = evaluator_.system();
  std::vector<double> g(s.indicators());
  evaluator_.indicators(start, g);
  Response response(evaluator_, start);
  const Direction none;
  for (std::size_t k = 0; k < g.size(); ++k) {
    const int mode = s.data().indicator_mode[k];
    if (mode < 0 || std::abs(g[k]) > on_it || evaluator_.is_time_indicator(int(k))) continue;
    const Evaluator::Gradient gradient = evaluator_.indicator_gradient(start, int(k));
    bool depends = false;
    for (const auto* part :
         {&gradient.q, &gradient.v, &gradient.a, &gradient.lambda, &gradient.x, &gradient.xd, &gradient.y})
      for (const double slope : *part) depends = depends || slope != 0;
    if (!depends) continue;
    const double rate = gradient.t + differentiate(gradient, compute_rates(evaluator_, start, response), {}, none);
    if (std::abs(rate) <= still) return s.indicator_name(int(k));

    // what jumps with the mode
    std::vector<double> here(s.n()), beside(s.n());
    Point other = start;
    other.d[mode] = other.d[mode] != 0 ? 0 : 1;
    evaluator_.residual(start, Level::acceleration, here);
    evaluator_.residual(other, Level::acceleration, beside);
    double jump = 0, size = 0;
    for (std::size_t i = 0; i < here.size(); ++i)
      jump = std::max(jump, std::abs(here[i] - beside[i])),
      size = std::max({size, std::abs(here[i]), std::abs(beside[i])});
    if (jump <= still * std::max(size, 1.0)) continue;
    for (std::size_t i = 0; i < directions.size(); ++i) {
      const Deviation all = complete_variation(
          response, variations[i],
          compute_parameter_term(evaluator_, start, Level::acceleration, directions[i], variations[i].d));
      if (differentiate(gradient, all, variations[i].d, directions[i]) != 0) return s.indicator_name(int(k));
    }
  }
  return "";
}

}  // namespace coenergy::analyze
