#pragma once
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "coenergy/equations/system.hpp"
#include "coenergy/io/netlist_measures.hpp"
#include "coenergy/io/spice.hpp"
#include "coenergy/solve/options.hpp"

namespace coenergy::io {

/// What an .op, .dc or .ac card gave.
struct NetlistTable {
  Netlist::Analysis::Kind kind = Netlist::Analysis::Kind::op;
  std::string method;                     ///< how the operating point was found
  std::vector<std::string> names, units;  ///< of the columns; signals are called as the user did
  std::size_t keys = 0;                   ///< how many columns come before the signals: frequency, values of sources
  std::vector<std::vector<double>> rows;  ///< .op: one; .ac: magnitude and phase (degrees) of every signal
  std::set<std::string> wanted;           ///< columns that .print asks for
  std::vector<NetlistMeasure> measures;   ///< of the .meas cards of this kind
  std::vector<std::pair<std::string, double>> totals;  ///< .noise: root mean squares over all frequencies, V or A

  bool good = true;
  std::string text;  ///< why not
};

/// The analyses of a netlist that begin at its operating point. All work with one system, that of make_dc_model():
/// values of sources are parameters of it.
class NetlistAnalyses {
 public:
  /// `at_rest` is compiled from make_dc_model(netlist), `options` are those of this model. The netlist has to outlive
  /// this.
  NetlistAnalyses(const Netlist& netlist, equations::System at_rest, solve::Options options);
  /// The system with other values in the netlist, which .dc asks for where these are no parameters of the system.
  std::function<equations::System(const NetlistValues&)> compile_with;
  /// The system of a model that is the one at rest with more components, which .tf and .noise ask for.
  std::function<equations::System(const model::Model&)> compile_model;

  /// Carries out one card. Throws Error for cards that ask for what the circuit does not have.
  NetlistTable run(const Netlist::Analysis& analysis);
  /// Measures that have a value by now; those of a .tran card may use them.
  std::map<std::string, double>& known_measures() { return known_; }

 private:
  class Rest;
  NetlistTable run_op(Rest& rest);
  NetlistTable run_dc(const Netlist::Analysis& analysis);
  NetlistTable run_ac(Rest& rest, const Netlist::Analysis& analysis);
  class Injections;
  NetlistTable run_transfer(const Netlist::Analysis& analysis);
  NetlistTable run_noise(const Netlist::Analysis& analysis);
  class SweptCircuits;
  using SweepPoint = std::pair<std::vector<std::vector<double>>, std::vector<double>>;  ///< values, what is measured
  std::string entry_of(const Netlist::Sweep& sweep) const;
  void measure_between(Measures& measures, SweptCircuits& circuits, const SweepPoint& from, const SweepPoint& to);
  using Inputs = std::vector<std::pair<int, std::complex<double>>>;
  void measure_ac(Measures& measures, Rest& rest, const equations::Point& point, const Netlist::AcAnalysis& ac,
                  const Inputs& inputs);

  const Netlist& netlist_;
  equations::System system_;
  solve::Options options_;
  std::vector<int> kept_;  ///< signals that .save keeps
  std::map<std::string, double> known_;
};

}  // namespace coenergy::io
