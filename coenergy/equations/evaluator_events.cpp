#include <algorithm>
#include <cmath>

#include "coenergy/equations/evaluator_impl.hpp"

namespace coenergy::equations {

namespace {
/// Two instants closer than this are one.
double same_instant(const Clock& c, double t) { return 1e-12 * std::max(c.period, std::abs(t)); }
}  // namespace

double Evaluator::next_clock_time(double t) const {
  double next = std::numeric_limits<double>::infinity();
  for (const Clock& c : impl_->clocks) {
    double at = c.offset;
    const double same = same_instant(c, t);
    if (c.period > 0 && at <= t) {
      const double ticks = std::floor((t + same - c.offset) / c.period);
      at = c.offset + c.period * (ticks + 1);
      if (at <= t + same) at = c.offset + c.period * (ticks + 2);
      // a period below the resolution of time
      if (at <= t + same) at = t + 2 * same;
    }
    if (at > t + same) next = std::min(next, at);
  }
  return next;
}

void Evaluator::indicators(const Point& p, std::span<double> g) {
  if (g.empty()) return;
  const symbolic::Function& f = impl_->data.indicator_function.get();
  f(impl_->load(p), g.data(), impl_->memory.work.fit(f.work_size()));
}

void Evaluator::follow(const std::vector<History>* histories) {
  if (impl_->data.history_parameter >= 0) set_parameter_alone(impl_->data.history_parameter, address_of(histories));
}

void Evaluator::delays(const Point& p, std::span<Delayed> values) {
  if (values.empty()) return;
  const double* out = impl_->call(impl_->data.delay_function.get(), impl_->load(p));
  for (std::size_t k = 0; k < values.size(); ++k) values[k] = {out[2 * k], out[2 * k + 1]};
}

bool Evaluator::is_time_indicator(int k) const { return impl_->data.indicator_time_only[k] != 0; }

namespace {

bool is_due(const Clock& c, double t) {
  const double tolerance = same_instant(c, t);
  if (c.period == 0) return std::abs(t - c.offset) <= tolerance;
  if (t < c.offset - tolerance) return false;
  const double phase = (t - c.offset) / c.period;
  return std::abs(phase - std::round(phase)) * c.period <= tolerance;
}

}  // namespace

bool Evaluator::is_clock_due(double t) const {
  return std::any_of(impl_->clocks.begin(), impl_->clocks.end(), [t](const Clock& c) { return is_due(c, t); });
}

std::vector<Evaluator::Tick> Evaluator::ticks(const Point& p) {
  Impl& m = *impl_;
  std::vector<Tick> all;
  for (std::size_t i = 0; i < m.data.update_clock.size(); ++i) {
    const int k = m.data.update_clock[i];
    const bool known = std::any_of(all.begin(), all.end(), [k](const Tick& tick) { return tick.clock == k; });
    if (k < 0 || known || !is_due(m.clocks[k], p.t)) continue;
    const Clock& c = m.clocks[k];
    const double count = c.period > 0 ? std::round((p.t - c.offset) / c.period) : 0;
    Tick tick{k, m.data.discrete_names[m.data.update_discrete[i]],
              m.gradient(p, m.data.clock_laws[2 * k + 1]).parameters};
    const std::vector<double> by_period = m.gradient(p, m.data.clock_laws[2 * k]).parameters;
    for (std::size_t j = 0; j < by_period.size(); ++j) tick.slope[j] += count * by_period[j];
    all.push_back(std::move(tick));
  }
  return all;
}

bool Evaluator::update_clocks(Point& p) {
  Impl& m = *impl_;
  auto is_due_now = [&](std::size_t i) {
    return m.data.update_clock[i] >= 0 && is_due(m.clocks[m.data.update_clock[i]], p.t);
  };
  bool any = false;
  int done = -1;  // last turn
  for (;;) {
    // the next turn in which anything is due
    int turn = std::numeric_limits<int>::max();
    for (std::size_t i = 0; i < m.data.update_clock.size(); ++i)
      if (m.data.update_turn[i] > done && m.data.update_turn[i] < turn && is_due_now(i)) turn = m.data.update_turn[i];
    if (turn == std::numeric_limits<int>::max()) return any;
    // comparisons of what has just been sampled
    if (any) update_comparisons(p);
    const double* out = m.call(m.data.update_function.get(), m.load(p));
    for (std::size_t i = 0; i < m.data.update_clock.size(); ++i)
      if (m.data.update_turn[i] == turn && is_due_now(i)) p.d[m.data.update_discrete[i]] = out[i];
    any = true, done = turn;
  }
}

void Evaluator::contacts(const Point& p, std::span<double> values) {
  if (values.empty()) return;
  const symbolic::Function& f = impl_->data.contact_function.get();
  f(impl_->load(p), values.data(), impl_->memory.work.fit(f.work_size()));
}

std::vector<Evaluator::Update> Evaluator::updates(const Point& given, bool clocks) {
  Impl& m = *impl_;
  Point p = given;
  std::vector<double> values(m.data.update_clock.size());
  std::vector<Update> all;
  int last = 0;
  for (int turn : m.data.update_turn) last = std::max(last, turn);
  for (int turn = 0; turn <= last && !values.empty(); ++turn) {
    const double* out = m.call(m.data.update_function.get(), m.load(p));
    std::copy(out, out + values.size(), values.begin());
    const std::size_t before = all.size();
    for (std::size_t i = 0; i < values.size(); ++i) {
      const int clock = m.data.update_clock[i];
      if (m.data.update_turn[i] != turn) continue;
      if (clocks ? clock < 0 || !is_due(m.clocks[clock], p.t) : clock >= 0) continue;
      all.push_back({m.data.update_discrete[i], values[i], m.gradient(p, m.data.update_values[i]), turn});
    }
    for (std::size_t k = before; k < all.size(); ++k) p.d[all[k].discrete] = all[k].value;
    if (all.size() > before && turn < last) update_comparisons(p);
  }
  return all;
}

bool Evaluator::update_modes(Point& p, std::span<const char> held) { return impl_->update_modes(p, false, held); }
bool Evaluator::update_comparisons(Point& p) { return impl_->update_modes(p, true, {}); }

bool Evaluator::Impl::update_modes(Point& p, bool comparisons_only, std::span<const char> held) {
  Impl& m = *this;
  if (m.data.update_clock.empty()) return false;
  const double* out = m.call(m.data.update_function.get(), m.load(p));
  bool changed = false;
  for (std::size_t i = 0; i < m.data.update_clock.size(); ++i) {
    const int comparison = m.data.update_comparison[i];
    if (m.data.update_clock[i] >= 0 || (comparisons_only && comparison < 0)) continue;
    if (!held.empty() && comparison >= 0 && held[comparison]) continue;
    double& d = p.d[m.data.update_discrete[i]];
    changed = changed || d != out[i];
    d = out[i];
  }
  return changed;
}

}  // namespace coenergy::equations
