#pragma once
#include <complex>
#include <map>
#include <string>
#include <vector>

#include "coenergy/analyze/measure.hpp"
#include "coenergy/equations/signal_reader.hpp"
#include "coenergy/io/spice.hpp"
#include "coenergy/solve/observer.hpp"

namespace coenergy::io {

/// What a .meas card gave.
struct NetlistMeasure {
  const Netlist::Measure* card;
  analyze::MeasureResult result;
};

/// The .meas cards of one analysis of a netlist: takes them while the analysis goes on.
class Measures {
 public:
  Measures(const Netlist& netlist, Netlist::Analysis::Kind kind);

  bool empty() const { return cards_.empty(); }
  /// The signals of all quantities, in their order; the columns of the taker are the values of the quantities. Throws
  /// Error at the card where the system has no such signal.
  std::vector<int> find_signals(const equations::System& system) const;
  analyze::MeasureTaker& taker() { return taker_; }
  /// What quantities of .ac measures make of the phasors of their signals.
  std::vector<double> to_values(const std::vector<std::complex<double>>& phasors) const;
  /// In the order of the cards. `known` holds measures by name that expressions may use; those that have a value join
  /// them.
  std::vector<NetlistMeasure> results(std::map<std::string, double>& known) const;

 private:
  const Netlist& netlist_;
  std::vector<const Netlist::Measure*> cards_;
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

}  // namespace coenergy::io
