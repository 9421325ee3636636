#pragma once
#include <complex>
#include <nlohmann/json.hpp>

#include "coenergy/analyze/measure.hpp"
#include "coenergy/equations/signal_reader.hpp"
#include "coenergy/io/spice.hpp"
#include "coenergy/solve/observer.hpp"

namespace coenergy::app {

/// The .meas cards of one analysis of a netlist: takes them while the analysis goes on, and tells them after it.
class Measures {
 public:
  Measures(const io::Netlist& netlist, io::Netlist::Analysis::Kind kind);

  bool empty() const { return cards_.empty(); }
  /// The signals of all quantities, in their order; the columns of the taker are the values of the quantities.
  std::vector<int> find_signals(const equations::System& system) const;
  analyze::MeasureTaker& taker() { return taker_; }
  /// What quantities of .ac measures make of the phasors of their signals.
  std::vector<double> to_values(const std::vector<std::complex<double>>& phasors) const;

  /// Adds an item for every measure to a list, prints them if `shows`, and tells of those that failed.
  void tell(nlohmann::json& list, bool shows) const;

 private:
  const io::Netlist& netlist_;
  io::Netlist::Analysis::Kind kind_;
  std::vector<const io::Netlist::Measure*> cards_;
  analyze::MeasureTaker taker_;
};

/// Measures of a run: every step is looked at in quarters, by the interpolant of the method, and events are jumps.
class RunMeasures : public solve::Observer {
 public:
  RunMeasures(Measures& measures, const equations::Evaluator& evaluator);
  void begin(const equations::Point& p, const solve::EventTrace& trace) override;
  void step(const equations::Point& from, const equations::Point& to, const Interpolate& interpolate) override;
  void event(const equations::Point& before, const equations::Point& after, const std::vector<int>& crossed,
             const solve::EventTrace& trace) override;
  void visit(StateArchive& archive) { archive(measures_.taker(), last_); }

 private:
  Measures& measures_;
  std::vector<int> signals_;
  equations::SignalReader reader_;
  std::vector<double> last_, next_;
};

}  // namespace coenergy::app
