#include "coenergy/analyze/measure.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "coenergy/base/names.hpp"

namespace coenergy::analyze {

namespace {

/// The part of a piece that lies in from … to, as 0 ≤ s0 ≤ s1 ≤ 1.
std::optional<std::pair<double, double>> clip(const Piece& p, double from, double to) {
  const double lower = std::min(p.x0, p.x1), upper = std::max(p.x0, p.x1);
  if (upper < from || lower > to) return std::nullopt;
  if (p.x0 == p.x1) return std::pair(0.0, 1.0);
  const auto place = [&](double x) { return std::clamp((x - p.x0) / (p.x1 - p.x0), 0.0, 1.0); };
  const double a = from <= lower ? (p.x1 > p.x0 ? 0 : 1) : place(from),
               b = to >= upper ? (p.x1 > p.x0 ? 1 : 0) : place(to);
  return std::minmax(a, b);
}

double position(const Piece& p, double s) { return s == 1 ? p.x1 : p.x0 + s * (p.x1 - p.x0); }

}  // namespace

MeasureTaker::MeasureTaker(std::vector<Measure> measures, std::vector<char> angles)
    : measures_(std::move(measures)), angles_(std::move(angles)), states_(measures_.size()), y_(angles_.size()) {}

double MeasureTaker::value(const Piece& piece, double s, int column) {
  const auto c = static_cast<std::size_t>(column);
  if (s <= 0) return piece.y0[c];
  if (s >= 1) return piece.y1[c];
  piece.at(s, y_);
  return y_[c];
}

/// Of the polynomial of degree 4 through s = 0, ¼ … 1, by its form of Lagrange.
double MeasureTaker::slope(const Piece& piece, double s, int column) {
  std::array<double, 5> y{};
  for (int k = 0; k < 5; ++k) y[static_cast<std::size_t>(k)] = value(piece, k / 4.0, column);
  double sum = 0;
  for (int k = 0; k < 5; ++k) {
    double weight = 0;  // derivative of the k-th polynomial
    for (int j = 0; j < 5; ++j) {
      if (j == k) continue;
      double product = 4.0 / (k - j);
      for (int m = 0; m < 5; ++m)
        if (m != j && m != k) product *= (4 * s - m) / (k - m);
      weight += product;
    }
    sum += weight * y[static_cast<std::size_t>(k)];
  }
  return sum / (piece.x1 - piece.x0);
}

double MeasureTaker::side(const Crossing& c, const Piece& piece, double s) {
  if (c.other < 0) return value(piece, s, c.column) - c.level;
  const double y = value(piece, s, c.column);
  return y - value(piece, s, c.other);
}

/// The zero of z between two places where its sign differs: secants, and halves where they do not help.
double MeasureTaker::locate(const Crossing& crossing, const Piece& piece, double s0, double s1) {
  constexpr int most = 100;
  constexpr double close = 1e-14;  // of the piece
  double z0 = side(crossing, piece, s0), z1 = side(crossing, piece, s1);
  for (int k = 0; k < most && s1 - s0 > close && z1 != z0; ++k) {
    double s = k % 3 == 2 ? (s0 + s1) / 2 : s0 + (s1 - s0) * z0 / (z0 - z1);
    s = std::clamp(s, s0 + (s1 - s0) * 1e-3, s1 - (s1 - s0) * 1e-3);
    const double z = side(crossing, piece, s);
    if (z == 0) return s;
    if ((z >= 0) == (z1 >= 0))
      s1 = s, z1 = z;
    else
      s0 = s, z0 = z;
  }
  return z0 == z1 ? s1 : s0 + (s1 - s0) * z0 / (z0 - z1);
}

void MeasureTaker::record(Search& search, const Piece& piece, double s, const Measure& measure) {
  search.x = position(piece, s);
  if (measure.kind == Measure::Kind::find) search.value = value(piece, s, measure.column);
  if (measure.kind == Measure::Kind::slope && piece.x1 != piece.x0) search.value = slope(piece, s, measure.column);
}

void MeasureTaker::follow(const Crossing& c, Search& search, const Piece& piece, const Measure& measure) {
  if (c.at) {
    const auto part = clip(piece, *c.at, *c.at);
    if (part && !search.x) record(search, piece, part->first, measure);
    return;
  }
  if (search.x && c.count != 0) return;
  const auto part = clip(piece, c.from, c.to);
  if (!part) return;
  const auto [s0, s1] = *part;
  const double before = side(c, piece, s0), after = side(c, piece, s1);
  // what begins on the level has not crossed it yet; what stays on it stays on its side
  const bool was_above = search.above.value_or(before > 0);
  const bool is_above = after > 0 || (after == 0 && (was_above ? before == 0 : before < 0));
  search.above = is_above;
  constexpr double half_turn = 180;
  if (angles_[static_cast<std::size_t>(c.column)] != 0 && std::abs(after - before) > half_turn) return;
  if (is_above == was_above || (c.kind == Crossing::Kind::rise && !is_above) ||
      (c.kind == Crossing::Kind::fall && is_above))
    return;
  ++search.crossings;
  if (c.count == 0 || search.crossings == c.count)
    record(search, piece, piece.x0 == piece.x1 ? 1 : locate(c, piece, s0, s1), measure);
}

void MeasureTaker::look_for_extrema(const Measure& m, State& state, const Piece& piece, double s0, double s1) {
  const auto offer = [&](double s, double y) {
    if (!state.best || y > *state.best) state.best = y, state.best_at = position(piece, s);
    if (!state.worst || y < *state.worst) state.worst = y, state.worst_at = position(piece, s);
  };
  const double y0 = value(piece, s0, m.column), y1 = value(piece, s1, m.column);
  offer(s0, y0), offer(s1, y1);
  if (piece.x0 == piece.x1 || s0 == s1) return;
  // the parabola through the middle tells whether there is more to find inside
  const double middle = value(piece, (s0 + s1) / 2, m.column);
  offer((s0 + s1) / 2, middle);
  const double bend = y0 - 2 * middle + y1, tilt = (y1 - y0) / 2;  // y ≈ middle + tilt u + ½ bend u², −1 ≤ u ≤ 1
  if (bend == 0 || std::abs(tilt) > 1.5 * std::abs(bend)) return;
  const double peak = middle - tilt * tilt / (2 * bend), doubt = 0.1 * std::abs(bend);
  if (bend < 0 ? peak + doubt < *state.best : peak - doubt > *state.worst) return;
  constexpr double golden = 0.6180339887498949, close = 1e-9;  // an extremum is flat: more places change nothing
  const double sign = bend < 0 ? 1 : -1;
  double a = s0, b = s1, c = b - golden * (b - a), d = a + golden * (b - a);
  double yc = sign * value(piece, c, m.column), yd = sign * value(piece, d, m.column);
  while (b - a > close) {
    if (yc > yd)
      b = d, d = c, yd = yc, c = b - golden * (b - a), yc = sign * value(piece, c, m.column);
    else
      a = c, c = d, yc = yd, d = a + golden * (b - a), yd = sign * value(piece, d, m.column);
  }
  offer(c, sign * yc), offer(d, sign * yd);
}

void MeasureTaker::integrate(const Measure& m, State& state, const Piece& piece, double s0, double s1) {
  const double width = (s1 - s0) * std::abs(piece.x1 - piece.x0), outer = std::sqrt(0.6);
  if (width == 0) return;
  for (const auto& [u, weight] : {std::pair(-outer, 5.0 / 18), std::pair(0.0, 8.0 / 18), std::pair(outer, 5.0 / 18)}) {
    const double y = value(piece, (s0 + s1) / 2 + u * (s1 - s0) / 2, m.column);
    state.sum += weight * width * y;
    state.squares += weight * width * y * y;
  }
  state.length += width;
}

void MeasureTaker::begin_again() {
  for (State& state : states_) state.trigger.above.reset(), state.target.above.reset();
}

void MeasureTaker::add(const Piece& piece) {
  using Kind = Measure::Kind;
  for (std::size_t k = 0; k < measures_.size(); ++k) {
    const Measure& m = measures_[k];
    State& state = states_[k];
    if (m.kind == Kind::distance) follow(m.trigger, state.trigger, piece, m);
    if (m.kind == Kind::distance || m.kind == Kind::when || m.kind == Kind::find || m.kind == Kind::slope) {
      follow(m.target, state.target, piece, m);
      continue;
    }
    const auto part = clip(piece, m.from, m.to);
    if (!part) continue;
    if (m.kind == Kind::mean || m.kind == Kind::rms || m.kind == Kind::integral)
      integrate(m, state, piece, part->first, part->second);
    else
      look_for_extrema(m, state, piece, part->first, part->second);
  }
}

namespace {

/// Why an instant was not found.
std::string describe_failure(const Crossing& c, int crossings) {
  if (c.at) return "at = " + format_short(*c.at) + " is outside of the analysis";
  const char* what = c.kind == Crossing::Kind::rise   ? " rises"
                     : c.kind == Crossing::Kind::fall ? " falls"
                                                      : " crossings";
  std::string text = std::to_string(crossings) + what + " were found";
  if (c.count > 1) text += ", not " + std::to_string(c.count);
  return crossings == 0 ? std::string("no") + what + " were found" : text;
}

}  // namespace

std::vector<MeasureResult> MeasureTaker::results() const {
  using Kind = Measure::Kind;
  std::vector<MeasureResult> all;
  for (std::size_t k = 0; k < measures_.size(); ++k) {
    const Measure& m = measures_[k];
    const State& s = states_[k];
    MeasureResult r;
    const auto set = [&](const std::optional<double>& value, const std::optional<double>& at) {
      r.value = value, r.target = at;
    };
    switch (m.kind) {
      case Kind::distance:
        r.trigger = s.trigger.x, r.target = s.target.x;
        if (r.trigger && r.target) r.value = *r.target - *r.trigger;
        break;
      case Kind::when:
        set(s.target.x, s.target.x);
        break;
      case Kind::find:
      case Kind::slope:
        set(s.target.value, s.target.x);
        break;
      case Kind::max:
        set(s.best, s.best_at);
        break;
      case Kind::min:
        set(s.worst, s.worst_at);
        break;
      case Kind::max_at:
        r.value = s.best_at;
        break;
      case Kind::min_at:
        r.value = s.worst_at;
        break;
      case Kind::range:
        if (s.best) r.value = *s.best - *s.worst;
        break;
      case Kind::mean:
        if (s.length > 0) r.value = s.sum / s.length;
        break;
      case Kind::rms:
        if (s.length > 0) r.value = std::sqrt(s.squares / s.length);
        break;
      case Kind::integral:
        if (s.length > 0) r.value = s.sum;
        break;
    }
    if (!r.value) {
      if (m.kind == Kind::distance && !r.trigger)
        r.failure = "trigger: " + describe_failure(m.trigger, s.trigger.crossings);
      else if (m.kind == Kind::distance)
        r.failure = "target: " + describe_failure(m.target, s.target.crossings);
      else if (m.kind == Kind::when || m.kind == Kind::find || m.kind == Kind::slope)
        r.failure = describe_failure(m.target, s.target.crossings);
      else
        r.failure = "nothing of the analysis lies between from and to";
    }
    all.push_back(std::move(r));
  }
  return all;
}

}  // namespace coenergy::analyze
