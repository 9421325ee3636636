#include "coenergy/io/netlist_measures.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace coenergy::io {

using Kind = Netlist::Analysis::Kind;

namespace {

std::vector<const Netlist::Measure*> find_cards(const Netlist& netlist, Kind kind) {
  std::vector<const Netlist::Measure*> cards;
  for (const Netlist::Measure& m : netlist.measures)
    if (m.analysis == kind) cards.push_back(&m);
  return cards;
}

analyze::MeasureTaker make_taker(const Netlist& netlist, Kind kind) {
  std::vector<analyze::Measure> measures;
  for (const Netlist::Measure* card : find_cards(netlist, kind))
    if (!card->expression) measures.push_back(card->what);
  std::vector<char> angles;
  for (const Netlist::Quantity& q : netlist.quantities) angles.push_back(q.part == "p" ? 1 : 0);
  return {std::move(measures), std::move(angles)};
}

/// A measure that is an expression of others.
analyze::MeasureResult compute(const Netlist::Measure& card, const std::map<std::string, double>& known) {
  analyze::MeasureResult r;
  try {
    r.value = compute_measure(card, known);
  } catch (const Error& e) {
    r.failure = e.items().front().text;
  }
  return r;
}

}  // namespace

Measures::Measures(const Netlist& netlist, Kind kind)
    : netlist_(netlist), cards_(find_cards(netlist, kind)), taker_(make_taker(netlist, kind)) {}

std::vector<int> Measures::find_signals(const equations::System& system) const {
  std::vector<int> signals;
  for (const Netlist::Quantity& q : netlist_.quantities) {
    signals.push_back(system.find_signal(q.signal));
    if (signals.back() >= 0) continue;
    for (const Netlist::Measure* card : cards_)
      throw Error(card->where, ".meas: there is no signal \"" + q.signal + "\" of the model");
  }
  return signals;
}

std::vector<double> Measures::to_values(const std::vector<std::complex<double>>& phasors) const {
  std::vector<double> values;
  for (std::size_t k = 0; k < phasors.size(); ++k) {
    const std::string& part = netlist_.quantities[k].part;
    const std::complex<double> z = phasors[k];
    values.push_back(part == "m"    ? std::abs(z)
                     : part == "p"  ? std::arg(z) * 180 / std::numbers::pi
                     : part == "db" ? 20 * std::log10(std::abs(z))
                     : part == "i"  ? z.imag()
                                    : z.real());
  }
  return values;
}

std::vector<NetlistMeasure> Measures::results(std::map<std::string, double>& known) const {
  const std::vector<analyze::MeasureResult> taken = taker_.results();
  std::vector<NetlistMeasure> results;
  std::size_t next = 0;
  for (const Netlist::Measure* card : cards_) {
    NetlistMeasure one{card, card->expression ? compute(*card, known) : taken[next++]};
    if (one.result.value) known[card->name] = *one.result.value;
    if (!card->is_inner) results.push_back(std::move(one));
  }
  return results;
}

RunMeasures::RunMeasures(Measures& measures, const equations::Evaluator& evaluator)
    : measures_(measures),
      signals_(measures.find_signals(evaluator.system())),
      reader_(evaluator, signals_),
      last_(signals_.size()),
      next_(signals_.size()) {}

void RunMeasures::begin(const equations::Point& p, const solve::EventTrace&) { reader_.read(p, last_); }

void RunMeasures::step(const equations::Point& from, const equations::Point& to, const Interpolate& interpolate) {
  constexpr int parts = 4;
  const double h = to.t - from.t;
  for (int k = 0; k < parts; ++k) {
    const double s0 = double(k) / parts, s1 = double(k + 1) / parts;
    reader_.read(k + 1 == parts ? to : interpolate(s1), next_);
    measures_.taker().add({from.t + s0 * h, k + 1 == parts ? to.t : from.t + s1 * h, last_, next_,
                           [&](double s, std::span<double> y) { reader_.read(interpolate(s0 + s * (s1 - s0)), y); }});
    std::swap(last_, next_);
  }
}

void RunMeasures::event(const equations::Point& before, const equations::Point& after, const std::vector<int>&,
                        const solve::EventTrace&) {
  reader_.read(after, next_);
  measures_.taker().add({before.t, before.t, last_, next_, [&](double s, std::span<double> y) {
                           std::copy_n(s < 0.5 ? last_.begin() : next_.begin(), y.size(), y.begin());
                         }});
  std::swap(last_, next_);
}

}  // namespace coenergy::io
