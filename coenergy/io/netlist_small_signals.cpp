// .tf and .noise: what currents between two nodes do to an output
#include <cmath>
#include <numbers>

#include "coenergy/analyze/phasors.hpp"
#include "coenergy/io/netlist_rest.hpp"

namespace coenergy::io {

using Kind = Netlist::Analysis::Kind;
using Law = Netlist::NoiseSource::Law;

/// The circuit at rest with further current sources of zero, whose values are inputs.
class NetlistAnalyses::Injections {
 public:
  /// A current flows from n to p through a source, and from p to n through the circuit.
  struct Pair {
    std::string p, n;
  };
  Injections(NetlistAnalyses& a, const Netlist::Analysis& analysis, const std::vector<Pair>& pairs)
      : a_(a), analysis_(analysis), system_(a.compile_model(add(pairs))), rest_(system_, a.options_) {
    for (std::size_t k = 0; k < pairs.size(); ++k) parameters_.push_back(system_.find_parameter(names_[k] + ".i"));
  }

  equations::System& system() { return system_; }
  Rest& rest() { return rest_; }
  int parameter(std::size_t k) const { return parameters_[k]; }
  int signal(const std::string& name) const {
    const int k = system_.find_signal(name);
    if (k < 0) throw Error(analysis_.where, "there is no signal " + name);
    return k;
  }
  int input() const { return system_.find_parameter(analysis_.input + (is_voltage(analysis_.input) ? ".v" : ".i")); }
  bool is_voltage(const std::string& component) const {
    return a_.netlist_.model.find(component)->type.find("Voltage") != std::string::npos;
  }

 private:
  model::Model add(const std::vector<Pair>& pairs) {
    model::Model model = make_dc_model(a_.netlist_);
    for (const Pair& pair : pairs) {
      std::string name = "injection_" + std::to_string(names_.size() + 1);
      while (model.find(name) != nullptr) name += "_";
      model::Component& c =
          model.add(name, "electrical.CurrentSource",
                    {{"p", model::Value(pair.n)}, {"n", model::Value(pair.p)}, {"i", model::Value("0 A")}});
      c.where = c.type_where = analysis_.where;
      for (auto& [entry, value] : c.values) value.where = analysis_.where;
      names_.push_back(name);
    }
    return model;
  }

  NetlistAnalyses& a_;
  const Netlist::Analysis& analysis_;
  std::vector<std::string> names_;
  equations::System system_;
  Rest rest_;
  std::vector<int> parameters_;
};

namespace {

/// The component whose output a signal is.
std::string owner_of(const std::string& signal) { return signal.substr(0, signal.rfind('.')); }

bool is_current(const std::string& signal) { return signal.ends_with(".i"); }

/// S(f) of noise at an operating point is white + flicker/f^exponent, A²/Hz.
struct Spectrum {
  double white = 0, flicker = 0, exponent = 1;
  double at(double f) const { return white + flicker / std::pow(f, exponent); }
};

/// ∫ S df where S is a power of f between two frequencies.
double integrate_power(double f0, double s0, double f1, double s1) {
  if (!(s0 > 0) || !(s1 > 0)) return (s0 + s1) / 2 * (f1 - f0);
  const double ratio = std::log(f1 / f0), power = std::log(s1 / s0) / ratio + 1;
  constexpr double least = 1e-6;  // where the closed form is 0/0
  return std::abs(power * ratio) < least ? s0 * f0 * ratio : s0 * f0 * std::expm1(power * ratio) / power;
}

}  // namespace

/// H = ∂out/∂in and the resistances seen by the source and at the output, all at rest.
NetlistTable NetlistAnalyses::run_transfer(const Netlist::Analysis& analysis) {
  const std::string out = owner_of(analysis.output);
  const bool by_current = is_current(analysis.output);
  std::vector<Injections::Pair> pairs;
  if (!by_current) pairs.push_back({out, "gnd"});
  if (const model::Component* meter = netlist_.model.find(out); meter != nullptr && !by_current)
    for (const auto& [entry, value] : meter->values)
      if (entry == "p" || entry == "n") (entry == "p" ? pairs[0].p : pairs[0].n) = value.text;
  Injections circuit(*this, analysis, pairs);
  const solve::Start start = circuit.rest().find();
  const bool by_voltage = circuit.is_voltage(analysis.input);
  analyze::Phasors phasors(
      circuit.rest().evaluator(), start.point,
      {circuit.signal(analysis.output), circuit.signal(analysis.input + (by_voltage ? ".i" : ".v"))});
  const auto from_input = phasors.solve(0, {{circuit.input(), 1}});
  NetlistTable table;
  table.kind = Kind::transfer;
  table.method = start.method;
  const auto add = [&](const char* name, const char* unit, double value) {
    table.names.push_back(name), table.units.push_back(unit);
    if (table.rows.empty()) table.rows.emplace_back();
    table.rows[0].push_back(value);
  };
  // what lets nothing pass has 1e20 ohm, as in SPICE
  constexpr double open = 1e20;
  const auto invert = [](double conductance) { return std::abs(conductance) < 1 / open ? open : 1 / conductance; };
  const double answer = from_input[1].real();
  add("transfer", by_current == by_voltage ? (by_current ? "S" : "ohm") : "", from_input[0].real());
  add("input_resistance", "ohm", by_voltage ? invert(-answer) : -answer);
  if (!by_current) {
    add("output_resistance", "ohm", phasors.solve(0, {{circuit.parameter(0), 1}})[0].real());
  } else if (const int v = circuit.system().find_parameter(out + ".v"); v >= 0) {
    add("output_resistance", "ohm", invert(-phasors.solve(0, {{v, 1}})[0].real()));
  }
  return table;
}

/// Densities of the output, and of the source that would cause them, in V/√Hz or A/√Hz.
///
/// Every source of noise has its own transfer function to the output; densities of independent ones add.
NetlistTable NetlistAnalyses::run_noise(const Netlist::Analysis& analysis) {
  constexpr double k_boltzmann = 1.380649e-23, q_electron = 1.602176634e-19;  // SI, exact since 2019
  std::vector<Injections::Pair> pairs;
  for (const Netlist::NoiseSource& s : netlist_.noise) pairs.push_back({s.p, s.n});
  Injections circuit(*this, analysis, pairs);
  const solve::Start start = circuit.rest().find();
  equations::Evaluator& evaluator = circuit.rest().evaluator();

  std::vector<Spectrum> spectra;
  for (const Netlist::NoiseSource& s : netlist_.noise) {
    const int current = circuit.signal(s.component + "." + s.current);
    const double i = circuit.rest().signals(start.point, {current})[0];
    Spectrum spectrum{0, s.flicker, 1};
    double slope = 0;
    if (s.law == Law::thermal) {
      double R = s.resistance;
      if (R <= 0 && i != 0) R = circuit.rest().signals(start.point, {circuit.signal(s.component + ".v")})[0] / i;
      if (!(R > 0))
        throw Error(analysis.where,
                    ".noise: the resistance of " + s.component + " depends on signals and no current tells it at rest");
      spectrum.white = 4 * k_boltzmann * s.kelvin / R;
    } else if (s.law == Law::shot) {
      spectrum.white = 2 * q_electron * std::abs(i);
    } else {
      const int threshold = circuit.system().find_parameter(s.component + ".Vto");
      slope = std::abs(evaluator.signal_gradient(start.point, current).parameters[static_cast<std::size_t>(threshold)]);
      spectrum.white = 4 * k_boltzmann * s.kelvin * 2 / 3 * slope;
    }
    if (s.flickers_by_slope)
      spectrum.flicker *= slope * slope, spectrum.exponent = s.exponent;
    else if (s.flicker > 0)
      spectrum.flicker *= std::pow(std::abs(i), s.exponent);
    spectra.push_back(spectrum);
  }

  analyze::Phasors phasors(evaluator, start.point, {circuit.signal(analysis.output)});
  const bool by_current = is_current(analysis.output), by_voltage = circuit.is_voltage(analysis.input);
  NetlistTable table;
  table.kind = Kind::noise;
  table.method = start.method;
  table.names = {"frequency", "onoise", "inoise"};
  table.units = {"Hz", by_current ? "A/sqrt(Hz)" : "V/sqrt(Hz)", by_voltage ? "V/sqrt(Hz)" : "A/sqrt(Hz)"};
  table.keys = 1;
  std::vector<analyze::Phasors::Inputs> inputs{{{circuit.input(), 1}}};
  for (std::size_t s = 0; s < spectra.size(); ++s) inputs.push_back({{circuit.parameter(s), 1}});
  double onoise = 0, inoise = 0;
  for (const double f : analysis.ac.frequencies()) {
    const auto gains = phasors.solve_each(2 * std::numbers::pi * f, inputs);
    double out = 0;
    for (std::size_t s = 0; s < spectra.size(); ++s) out += std::norm(gains[s + 1][0]) * spectra[s].at(f);
    const double gain = std::norm(gains[0][0]);
    if (!(gain > 0)) throw Error(analysis.where, ".noise: the source does not reach the output");
    const double in = out / gain;
    if (!table.rows.empty()) {
      const std::vector<double>& last = table.rows.back();
      onoise += integrate_power(last[0], last[1] * last[1], f, out);
      inoise += integrate_power(last[0], last[2] * last[2], f, in);
    }
    table.rows.push_back({f, std::sqrt(out), std::sqrt(in)});
  }
  table.totals = {{"onoise_total", std::sqrt(onoise)}, {"inoise_total", std::sqrt(inoise)}};
  return table;
}

}  // namespace coenergy::io
