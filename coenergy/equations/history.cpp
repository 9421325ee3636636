#include "coenergy/equations/history.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>

#include "coenergy/symbolic/algebra.hpp"

namespace coenergy::equations {

using symbolic::Expr;

namespace {

const History* find_history(const double* x) {
  if (!(x[0] >= 1)) return nullptr;
  return &(*reinterpret_cast<const Histories*>(static_cast<std::uintptr_t>(x[0])))[static_cast<std::size_t>(x[1])];
}

int as_stretch(double x) { return static_cast<int>(std::lround(x)); }

// arguments: address, k, s, stretch, before, u
double read_value(const double* x) {
  const History* history = find_history(x);
  if (history == nullptr) return x[5];
  const int stretch = as_stretch(x[3]);
  if (stretch < 0) return history->has_before() ? history->before() : x[4];
  return history->value(x[2], stretch, false);
}

double read_derivative(const double* x, int k) {
  const History* history = find_history(x);
  if (history == nullptr) return k == 5 ? 1 : 0;
  const int stretch = as_stretch(x[3]);
  if (stretch < 0) return k == 4 && !history->has_before() ? 1 : 0;
  return k == 2 ? history->value(x[2], stretch, true) : 0;
}

double read_stretch(const double* x) {
  const History* history = find_history(x);
  return history == nullptr ? x[3] : history->find_stretch(x[2]);
}

double read_has_left(const double* x) {
  constexpr double far = 1e30;  // s
  const History* history = find_history(x);
  if (history == nullptr) return -far;
  const int stretch = as_stretch(x[3]);
  const double past_end = std::max(x[2] - history->end_of(stretch), -far);
  // a delay that grows faster than time goes back
  return stretch < 0 ? past_end
                     : std::max(past_end, history->end_of(stretch - 1) - x[2] - 2 * history->same_time(x[2]));
}

double no_derivative(const double*, int) { return 0; }
double has_left_derivative(const double* x, int k) {
  if (k != 2 || find_history(x) == nullptr) return 0;
  const int stretch = as_stretch(x[3]);
  const History& history = *find_history(x);
  return stretch < 0 || x[2] - history.end_of(stretch) > history.end_of(stretch - 1) - x[2] ? 1 : -1;
}

std::shared_ptr<const symbolic::External> make_external(const char* name, int arity, double (*value)(const double*),
                                                        double (*derivative)(const double*, int)) {
  return std::make_shared<symbolic::External>(symbolic::External{name, arity, value, derivative});
}

}  // namespace

double address_of(const Histories* histories) {
  // addresses have 48 bits, a double holds 53
  return static_cast<double>(reinterpret_cast<std::uintptr_t>(histories));
}

Expr read_history(symbolic::Graph& g, const Expr& address, int k, const Expr& s, const Expr& stretch,
                  const Expr& before, const Expr& u) {
  static const auto call = make_external("delayed", 6, read_value, read_derivative);
  const Expr x[] = {address, k, s, stretch, before, u};
  return g.external(call, x);
}

bool reads_history(std::span<const Expr> e) {
  const std::vector<Expr> calls = symbolic::find_nodes(e, symbolic::Op::external);
  return std::any_of(calls.begin(), calls.end(),
                     [](const Expr& call) { return call.graph()->external_of(call.id())->value == read_value; });
}

Expr find_stretch(symbolic::Graph& g, const Expr& address, int k, const Expr& s, const Expr& stretch) {
  static const auto call = make_external("delayed_stretch", 4, read_stretch, no_derivative);
  const Expr x[] = {address, k, s, stretch};
  return g.external(call, x);
}

Expr has_left(symbolic::Graph& g, const Expr& address, int k, const Expr& s, const Expr& stretch) {
  static const auto call = make_external("delayed_has_left", 4, read_has_left, has_left_derivative);
  const Expr x[] = {address, k, s, stretch};
  return g.external(call, x);
}

const std::array<double, History::points>& History::nodes() {
  static const auto all = [] {
    std::array<double, points> x{};
    for (int j = 0; j < points; ++j) x[j] = (1 - std::cos(std::numbers::pi * j / (points - 1))) / 2;
    return x;
  }();
  return all;
}

void History::begin(double t) {
  *this = History();
  stretches_.push_back({t, 0, 0});
}

void History::add_step(double from, double to, const std::array<double, points>& values) {
  const auto& x = nodes();
  for (double u : values) size_ = std::max(size_, std::abs(u));
  Step step{from, to, values};
  for (int order = 1; order < points; ++order)
    for (int j = points - 1; j >= order; --j)
      step.slopes[j] = (step.slopes[j] - step.slopes[j - 1]) / (x[j] - x[j - order]);
  steps_.push_back(step);
}

double History::Step::value(double s, bool derivative) const {
  const auto& x = nodes();
  // trial steps that are too long read beyond the last one, and are made anew
  const double part = std::clamp((s - from) / (to - from), -1.0, 2.0);
  double y = slopes[points - 1], rate = 0;
  for (int j = points - 2; j >= 0; --j) {
    rate = rate * (part - x[j]) + y;
    y = y * (part - x[j]) + slopes[j];
  }
  return derivative ? rate / (to - from) : y;
}

std::array<double, 3> History::Step::derivatives(double s) const {
  const auto& x = nodes();
  const double h = to - from, part = (s - from) / h;
  double y = slopes[points - 1], rate = 0, half_bend = 0;
  for (int j = points - 2; j >= 0; --j) {
    half_bend = half_bend * (part - x[j]) + rate;
    rate = rate * (part - x[j]) + y;
    y = y * (part - x[j]) + slopes[j];
  }
  return {y, rate / h, 2 * half_bend / (h * h)};
}

void History::join_smooth(double tolerance) {
  if (stretches_.size() < 2 || steps_.size() < 2) return;
  if (stretches_.back().first + 1 != forgotten_steps_ + steps_.size()) return;
  const Step &after = steps_.back(), &before = *(steps_.end() - 2);
  const std::array<double, 3> left = before.derivatives(before.to), right = after.derivatives(after.from);
  // what they are apart after a quarter of the shorter step
  const double h = std::min(before.to - before.from, after.to - after.from) / 4;
  const double apart = std::max(
      {std::abs(right[0] - left[0]), std::abs(right[1] - left[1]) * h, std::abs(right[2] - left[2]) * h * h / 2});
  if (apart <= tolerance * size_) stretches_.pop_back();
}

void History::add_break(double t, int order) {
  const std::uint64_t next = forgotten_steps_ + steps_.size();
  if (order >= smooth_order) return;
  // two events at one instant
  if (stretches_.back().first == next) {
    stretches_.back().order = std::min(stretches_.back().order, order);
    return;
  }
  stretches_.push_back({t, order, next});
}

void History::forget(double t) {
  // now and then, so that the cost stays in proportion
  constexpr std::size_t many = 1000;
  const auto old = std::partition_point(steps_.begin(), steps_.end(), [t](const Step& s) { return s.to < t; });
  if (static_cast<std::size_t>(old - steps_.begin()) < std::max(many, steps_.size() / 2)) return;
  forgotten_steps_ += static_cast<std::uint64_t>(old - steps_.begin());
  steps_.erase(steps_.begin(), old);
  while (stretches_.size() > 1 && stretches_[1].first <= forgotten_steps_) {
    stretches_.erase(stretches_.begin());
    ++forgotten_stretches_;
  }
}

double History::value(double s, int k, bool derivative) const {
  const int kept = std::clamp(k, forgotten_stretches_, stretches() - 1);
  const auto at = [this](std::uint64_t step) { return steps_.begin() + static_cast<long>(step - forgotten_steps_); };
  auto first = at(std::max(stretch(kept).first, forgotten_steps_));
  auto last = kept + 1 < stretches() ? at(stretch(kept + 1).first) : steps_.end();
  // the present stretch has no step yet: what was before it goes on
  if (first == last && first == steps_.begin()) return derivative ? 0 : before_;
  if (first == last) --first;
  const auto found = std::partition_point(first, last - 1, [s](const Step& step) { return step.to < s; });
  // an end is located by a little more than it is; a step of no length there is no ground to go on from
  const bool has_ended = kept + 1 < stretches();
  return found->value(has_ended ? std::clamp(s, first->from, (last - 1)->to) : s, derivative);
}

int History::find_stretch(double s) const {
  const double same = same_time(s);
  const auto next = std::partition_point(stretches_.begin(), stretches_.end(),
                                         [&](const Stretch& stretch) { return stretch.from <= s + same; });
  return forgotten_stretches_ + static_cast<int>(next - stretches_.begin()) - 1;
}

double History::same_time(double s) const { return 1e-12 * std::max(std::abs(s), std::abs(stretches_.back().from)); }

double History::end_of(int k) const {
  return k + 1 < stretches() ? stretch(std::max(k + 1, forgotten_stretches_)).from
                             : std::numeric_limits<double>::infinity();
}

int History::order_of_break(int k) const { return k < forgotten_stretches_ || k >= stretches() ? 0 : stretch(k).order; }

}  // namespace coenergy::equations
