#include "coenergy/analyze/buckling.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "coenergy/analyze/equilibrium.hpp"
#include "coenergy/analyze/modes.hpp"
#include "coenergy/solve/tangent.hpp"

namespace coenergy::analyze {
namespace {

using equations::Evaluator;
using equations::Point;

/// A place on the path of equilibria.
struct Place {
  double load;
  Point point;
  double lowest;
  bool is_stable;
};

double distance(const equations::System& s, const Point& a, const Point& b) {
  std::vector<double> moved(s.nv());
  solve::Tangent(s).difference(a.q, b.q, moved);
  double largest = 0;
  for (int i = 0; i < s.nv(); ++i) largest = std::max(largest, std::abs(moved[i]) / s.unknown(i).nominal);
  return largest;
}

/// The equilibrium at a load on the path through another; nothing where there is none, or one far from the path.
std::optional<Place> find_place(Evaluator& evaluator, const Place& from, int parameter, double load) {
  constexpr double same = 1e-3, round_off = 1e-7;  // of the move, and of the coordinates
  evaluator.set_parameter(parameter, load);
  // Newton's method alone: other ways of finding an equilibrium may leave the path
  const Equilibrium rest =
      find_equilibrium(evaluator, from.point, {.t = from.point.t, .max_load_steps = 0, .max_relaxation = 0});
  if (!rest.good) return std::nullopt;
  // the way back leads to where it came from, unless it jumped to another path
  const double moved = distance(evaluator.system(), from.point, rest.point);
  if (load != 0) {
    evaluator.set_parameter(parameter, from.load);
    const Equilibrium back =
        find_equilibrium(evaluator, rest.point, {.t = from.point.t, .max_load_steps = 0, .max_relaxation = 0});
    evaluator.set_parameter(parameter, load);
    if (!back.good || distance(evaluator.system(), from.point, back.point) > round_off + same * moved)
      return std::nullopt;
  }
  const Stability stability = find_stability(evaluator, rest.point);
  return Place{load, rest.point, stability.lowest, stability.negative == 0};
}

/// The next load while the structure is stable: where the line through the last two eigenvalues reaches zero, but not
/// more than twice as far.
double next_load(const Place& before, const Place& last, double first_step) {
  const double slope = (last.lowest - before.lowest) / (last.load - before.load);
  const double most = std::abs(last.load) + std::max(std::abs(last.load), first_step);
  const double sign = first_step < 0 || last.load < 0 ? -1 : 1;
  const double zero = last.load - last.lowest / slope;
  // a little beyond, so that the two sides close in
  const bool is_ahead = std::isfinite(zero) && sign * zero > sign * last.load;
  const double reach = is_ahead ? sign * zero + 0.02 * (sign * zero - sign * last.load) : most;
  return sign * std::min(reach, most);
}

void find_shape(Evaluator& evaluator, Buckling& result) {
  const Modes modes = compute_modes(evaluator.system(), linearize_states(evaluator, result.point));
  if (modes.modes.empty()) return;
  result.names = modes.names;
  for (const std::complex<double>& entry : modes.modes.front().shape) result.shape.push_back(entry.real());
}

}  // namespace

Buckling find_buckling(Evaluator& evaluator, const Point& start, int parameter, const BucklingOptions& options) {
  Buckling result;
  const double limit = options.farthest * options.scale;
  std::optional<Place> below = find_place(evaluator, {0, start, 0, true}, parameter, 0);
  if (!below) return result.text = "no equilibrium found without the load", result;
  if (!below->is_stable)
    return result.text = fmt::format("the equilibrium without the load is unstable: lowest eigenvalue {:.3g} 1/s2",
                                     below->lowest),
           result;
  // outwards until it is unstable, or nowhere
  Place before = *below;
  double above = options.scale / 10;
  for (;;) {
    std::optional<Place> place = find_place(evaluator, *below, parameter, above);
    result.is_limit_point = !place;
    if (!place || !place->is_stable) break;
    before = *below, below = place;
    if (std::abs(below->load) >= std::abs(limit))
      return result.text = fmt::format("the equilibrium is stable up to {:g}, {:g} times the load given", limit,
                                       options.farthest),
             result;
    above = next_load(before, *below, options.scale / 10);
    if (std::abs(above) > std::abs(limit)) above = limit;
  }
  while (std::abs(above - below->load) > options.tolerance * std::abs(above)) {
    const double middle = (above + below->load) / 2;
    std::optional<Place> place = find_place(evaluator, *below, parameter, middle);
    if (place && place->is_stable) {
      below = place;
    } else {
      above = middle;
      result.is_limit_point = !place;
    }
  }
  result.good = true;
  result.load = (above + below->load) / 2, result.lowest = below->lowest, result.point = below->point;
  evaluator.set_parameter(parameter, below->load);
  find_shape(evaluator, result);
  return result;
}

}  // namespace coenergy::analyze
