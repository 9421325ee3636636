#include "coenergy/analyze/moving_events.hpp"

#include <fmt/format.h>

#include <cmath>

#include "coenergy/solve/events.hpp"

namespace coenergy::analyze {
namespace {

using equations::Evaluator;
using equations::Level;
using equations::Point;

/// Rates of all variables along the motion: time is one more parameter, along which q moves by v, v by a, x by ẋ.
Deviation compute_rates(Evaluator& evaluator, const Point& p, Response& response) {
  std::vector<double> term(evaluator.system().n());
  evaluator.time_derivative(p, Level::acceleration, term);
  Deviation rates;
  rates.q = p.v, rates.v = p.a, rates.x = p.xd;
  response.complete(rates, term);
  return rates;
}

/// One event and one direction: Δz = δz + ż t' are the changes of what is found at the moved instant.
class Passage {
 public:
  Passage(Evaluator& evaluator, const Direction& direction, const Variation& variation, double shift,
          const Point& before)
      : evaluator_(evaluator), direction_(direction), shift_(shift), total_(variation) {
    for (std::size_t i = 0; i < before.v.size(); ++i)
      total_.q[i] += shift * before.v[i], total_.v[i] += shift * before.a[i];
    for (std::size_t i = 0; i < before.x.size(); ++i) total_.x[i] += shift * before.xd[i];
  }

  /// Updates of discrete variables at p.
  void update(const Point& p, Response& response, bool clocks) {
    const std::vector<Evaluator::Update> updates = evaluator_.updates(p, clocks);
    if (updates.empty()) return;
    const Deviation all = complete(p, response);
    std::vector<double> d = total_.d;
    int turn = 0;
    for (const Evaluator::Update& u : updates) {
      if (u.turn != turn) total_.d = d, turn = u.turn;
      d[u.discrete] = u.gradient.t * shift_ + differentiate(u.gradient, all, total_.d, direction_);
    }
    total_.d = d;
  }

  Variation after(const Point& p) const {
    Variation v = total_;
    for (std::size_t i = 0; i < p.v.size(); ++i) v.q[i] -= shift_ * p.v[i], v.v[i] -= shift_ * p.a[i];
    for (std::size_t i = 0; i < p.x.size(); ++i) v.x[i] -= shift_ * p.xd[i];
    return v;
  }

 private:
  Deviation complete(const Point& p, Response& response) {
    std::vector<double> term = compute_parameter_term(evaluator_, p, Level::acceleration, direction_, total_.d);
    if (shift_ != 0) {
      std::vector<double> by_time(term.size());
      evaluator_.time_derivative(p, Level::acceleration, by_time);
      for (std::size_t i = 0; i < term.size(); ++i) term[i] += shift_ * by_time[i];
    }
    return complete_variation(response, total_, term);
  }

  Evaluator& evaluator_;
  const Direction& direction_;
  double shift_;
  Variation total_;
};

/// Whether the rates of states are the same on both sides, so that a shift of the event moves nothing.
bool is_smooth(const Point& before, const Point& after) {
  const auto same = [](const std::vector<double>& a, const std::vector<double>& b) {
    double difference = 0, size = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
      difference = std::max(difference, std::abs(a[i] - b[i])), size = std::max({size, std::abs(a[i]), std::abs(b[i])});
    return difference <= 1e-9 * size;
  };
  return same(before.xd, after.xd) && same(before.a, after.a);
}

/// t' of the event by every indicator that crossed; `why` where they contradict each other.
double find_shift(Evaluator& evaluator, const Point& before, const Point& after, const std::vector<int>& crossed,
                  const Direction& direction, const Variation& variation, Response& response, std::string& why) {
  if (crossed.empty()) return 0;
  const Deviation rates = compute_rates(evaluator, before, response);
  const Deviation all = complete_variation(
      response, variation, compute_parameter_term(evaluator, before, Level::acceleration, direction, variation.d));
  const Direction none;
  const auto& name = [&](int k) { return evaluator.system().indicator_name(k); };
  double shift = 0;
  for (std::size_t j = 0; j < crossed.size(); ++j) {
    const Evaluator::Gradient g = evaluator.indicator_gradient(before, crossed[j]);
    const double rate = g.t + differentiate(g, rates, {}, none);
    const double moved = differentiate(g, all, variation.d, direction);
    if (moved != 0 && !(std::abs(rate) > 0)) {
      why = fmt::format("{} only touches its switching point", name(crossed[j]));
      return 0;
    }
    const double own = moved == 0 ? 0 : -moved / rate;
    const bool differs = j > 0 && std::abs(own - shift) > 1e-6 * (std::abs(own) + std::abs(shift));
    if (differs && !is_smooth(before, after))
      why = fmt::format("{} and {} switch at one instant, but move apart with {}", name(crossed[0]), name(crossed[j]),
                        direction.name);
    if (j == 0) shift = own;
  }
  return shift;
}

}  // namespace

std::string move_event(Evaluator& evaluator, const Point& before, const Point& after, const std::vector<int>& crossed,
                       const std::vector<Direction>& directions, std::vector<Variation>& variations) {
  std::string why;
  Response response(evaluator, before);
  std::vector<Passage> passages;
  for (std::size_t k = 0; k < directions.size(); ++k) {
    const double shift = find_shift(evaluator, before, after, crossed, directions[k], variations[k], response, why);
    if (!why.empty()) return why;
    passages.emplace_back(evaluator, directions[k], variations[k], shift, before);
  }

  // the same passes as in the run: clocks, modes, and modes again until none changes
  Point p = before;
  for (Passage& passage : passages) passage.update(p, response, true);
  evaluator.update_clocks(p);
  for (int pass = 0; pass < 50; ++pass) {
    if (pass > 0 && !solve::restart(evaluator, p).converged) return "the equations after an event have no solution";
    Response now(evaluator, p);
    for (Passage& passage : passages) passage.update(p, now, false);
    if (!evaluator.update_modes(p) && pass > 0) break;
  }
  for (std::size_t k = 0; k < directions.size(); ++k) variations[k] = passages[k].after(after);
  return why;
}

}  // namespace coenergy::analyze
