// Operating points of random transistor circuits, against those of ngspice.
//
// A circuit may have several operating points. So the statement is: ngspice, which begins its iteration at the node
// voltages found here (.nodeset), ends at the same voltages.
#include <gtest/gtest.h>

#include <cstdio>
#include <map>
#include <optional>
#include <set>

#include "coenergy/io/spice.hpp"
#include "coenergy/solve/initialize.hpp"
#include "tests/example_run.hpp"
#include "tests/ngspice.hpp"
#include "tests/random_transistors.hpp"

namespace coenergy::tests {
namespace {

struct Bias {
  bool good = false;
  std::string text, method;
  std::map<std::string, double> voltages;  ///< of the nodes, by their names in the netlist
};

/// The temperature at which kT/q is what it is in ngspice at 27 °C, by its older constants of nature.
const double temperature = 300.15 * (1.38064852e-23 / 1.6021766208e-19) / (1.380649e-23 / 1.602176634e-19);

/// ngspice puts 1e-12 S between the ground, where its substrate is, and the collector of every npn and the base of
/// every pnp.
std::string add_substrates(const std::string& netlist) {
  std::istringstream lines(netlist);
  std::string text;
  for (std::string line; std::getline(lines, line);) {
    text += line + "\n";
    std::istringstream words(line);
    std::string name, collector, base, emitter, model;
    words >> name >> collector >> base >> emitter >> model;
    if (name[0] != 'Q') continue;
    const bool npn = netlist.find(".model " + model + " npn") != std::string::npos;
    if (const std::string& node = npn ? collector : base; node != "0") text += "Rsub" + name + " " + node + " 0 1e12\n";
  }
  return text;
}

Bias find_bias(const std::string& netlist) {
  const io::Netlist read = io::parse_netlist(add_substrates(netlist) + ".op\n.end\n", "random.cir");
  model::Model model = io::make_dc_model(read);
  static const std::set<std::string> junctions = {"electrical.Diode", "electrical.Mosfet",
                                                  "electrical.BipolarTransistor", "electrical.JunctionCapacitor"};
  for (const model::Component& c : model.components)
    if (junctions.count(c.type) != 0) model.set(c.name + ".Tnom", fmt::format("{:.17g} K", temperature));
  equations::Evaluator evaluator(compile_model(model));
  const solve::Options options = io::read_simulation_options(model);
  const solve::Start start = solve::initialize(evaluator, options);
  Bias bias{start.good, start.text, start.method, {}};
  std::vector<double> values(evaluator.system().signals().size());
  evaluator.signals(start.point, values);
  for (const auto& [node, name] : read.nodes)
    bias.voltages[name] = values[static_cast<std::size_t>(evaluator.system().find_signal(node + ".v"))];
  return bias;
}

/// What ngspice makes of it from a start; nothing where it fails.
std::map<std::string, double> find_reference(std::string netlist, const Bias* start) {
  if (start != nullptr)
    for (const auto& [name, v] : start->voltages) netlist += fmt::format(".nodeset v({})={:.15g}\n", name, v);
  const NgspiceOutput output =
      command_ngspice(netlist, "option reltol=1e-9 abstol=1e-15 vntol=1e-12 itl1=500\nop\nprint all");
  std::map<std::string, double> voltages;
  std::istringstream lines(output.log);
  for (std::string line; std::getline(lines, line);) {
    char name[100];
    double value = 0;
    if (std::sscanf(line.c_str(), "%99[^ #] = %lf", name, &value) == 2) voltages[name] = value;
  }
  return voltages;
}

/// Largest difference of node voltages; nothing where ngspice has none, or none that are numbers.
std::optional<double> find_difference(const Bias& bias, const std::map<std::string, double>& reference) {
  double largest = 0;
  for (const auto& [node, v] : bias.voltages) {
    const auto place = reference.find(node);
    if (place == reference.end() || !std::isfinite(place->second)) return std::nullopt;
    largest = std::max(largest, std::abs(place->second - v));
  }
  return largest;
}

struct Family {
  const char* name;
  std::string (TransistorCircuits::*make)();
};
class RandomBias : public testing::TestWithParam<Family> {
 protected:
  static std::string make(unsigned k) {
    TransistorCircuits circuits(1000 + k);
    return (circuits.*GetParam().make)();
  }
};

TEST_P(RandomBias, EveryCircuitHasOne) {
  constexpr unsigned count = 150;
  std::map<std::string, int> methods;
  for (unsigned k = 0; k < count; ++k) {
    const std::string netlist = make(k);
    const Bias bias = find_bias(netlist);
    EXPECT_TRUE(bias.good) << "circuit " << k << ": " << bias.text << "\n" << netlist;
    ++methods[bias.method];
  }
  for (const auto& [method, times] : methods) RecordProperty(method, times);
}

TEST_P(RandomBias, IsWhereNgspiceEnds) {
  if (!has_ngspice()) GTEST_SKIP() << "ngspice is not installed";
  // with the same constants and leakages what is left are the reverse currents of junctions, which ngspice approximates
  // (to a few percent of currents below 1e-8 A, over 100 ohm to 1 kohm), and its own tolerance
  constexpr double tolerance = 1e-5;  // V
  constexpr unsigned count = 60;
  int same = 0, other = 0, without = 0;
  for (unsigned k = 0; k < count; ++k) {
    const std::string netlist = make(k);
    const Bias bias = find_bias(netlist);
    const std::optional<double> apart = find_difference(bias, find_reference(netlist, nullptr));
    if (apart && *apart <= tolerance) {
      ++same;
      continue;
    }
    const std::optional<double> from_here = find_difference(bias, find_reference(netlist, &bias));
    if (!apart && !from_here) {
      ++without;
      continue;
    }
    ++other;
    ASSERT_TRUE(from_here.has_value()) << "circuit " << k << "\n" << netlist;
    EXPECT_LE(*from_here, tolerance) << "circuit " << k << "\n" << netlist;
  }
  RecordProperty("same", same), RecordProperty("another", other), RecordProperty("ngspice_without", without);
  EXPECT_LE(other + without, static_cast<int>(count) / 20);  // else the comparison says little
}

INSTANTIATE_TEST_SUITE_P(Of, RandomBias,
                         testing::Values(Family{"chains", &TransistorCircuits::make_chain},
                                         Family{"tangles", &TransistorCircuits::make_tangle}),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace coenergy::tests
