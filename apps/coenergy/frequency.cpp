#include <fmt/core.h>

#include <cmath>
#include <map>
#include <numbers>
#include <optional>

#include "apps/coenergy/answer.hpp"
#include "apps/coenergy/answer_report.hpp"
#include "apps/coenergy/operating_point.hpp"
#include "apps/coenergy/target.hpp"
#include "coenergy/analyze/averaged.hpp"
#include "coenergy/analyze/delays.hpp"
#include "coenergy/analyze/frequency_response.hpp"
#include "coenergy/analyze/linearize.hpp"
#include "coenergy/analyze/sampled.hpp"
#include "coenergy/base/error.hpp"

namespace coenergy::app {

namespace {

double degrees(std::complex<double> z) { return std::arg(z) * 180 / std::numbers::pi; }

struct LinearModel {
  OperatingPoint at;
  analyze::StateSpace model = {};  ///< what is linear; with samples the part between them, with delays its names
  std::optional<analyze::SampledModel> sampled = {};  ///< the whole, where the system has samples
  std::optional<analyze::DelayedModel> delayed = {};  ///< the whole, where it reads the past of signals
  double averaged = 0;  ///< s: period of the samples of which `model` is the averaged equivalent
  /// Elements that show their voltage and their current, and these outputs.
  struct Element {
    std::string name;
    int v, i;
  };
  std::vector<Element> elements = {};

  /// At a frequency in Hz, and with samples what appears at `alias` sampling frequencies beside it.
  std::vector<std::complex<double>> respond(double f, int alias = 0) const {
    const double omega = 2 * std::numbers::pi * f;
    if (delayed) return analyze::compute_delayed_response(*delayed, omega);
    return sampled ? analyze::compute_sampled_response(*sampled, omega, alias)
                   : analyze::compute_frequency_response(model, omega);
  }
};

/// The names of a model with delays, whose own inputs and outputs come first.
analyze::StateSpace name_delayed(const analyze::DelayedModel& delayed) {
  const auto first = [](const std::vector<std::string>& names, int count) {
    return std::vector<std::string>(names.begin(), names.begin() + count);
  };
  const analyze::StateSpace& open = delayed.open;
  analyze::StateSpace named;
  named.inputs = first(open.inputs, delayed.inputs()), named.input_units = first(open.input_units, delayed.inputs());
  named.outputs = first(open.outputs, delayed.outputs());
  named.output_units = first(open.output_units, delayed.outputs());
  return named;
}

void make_models(const FrequencyArguments& arguments, LinearModel& result) {
  OperatingPoint& at = result.at;
  const equations::System& s = at.compiled.system;
  if (s.delays() > 0) {
    if (analyze::has_samples(s)) analyze::refuse_delays(s, "a frequency response of samples");
    result.delayed = analyze::linearize_delayed(at.evaluator, at.point, at.inputs, at.outputs);
    result.model = name_delayed(*result.delayed);
    return;
  }
  analyze::Linearization linear = analyze::linearize(at.evaluator, at.point, at.inputs, at.outputs);
  result.model = linear.model;
  if (!analyze::has_samples(s)) return;
  result.sampled = analyze::keep_observable(analyze::linearize_sampled(at.evaluator, at.point, std::move(linear)));
  at.notes.insert(at.notes.end(), result.sampled->notes.begin(), result.sampled->notes.end());
  if (!arguments.point.averaged) return;
  result.model = analyze::average(*result.sampled), result.averaged = result.sampled->period;
}

LinearModel make_linear_model(const FrequencyArguments& arguments) {
  LinearModel result{.at = find_operating_point(arguments.point)};
  OperatingPoint& at = result.at;
  if (at.inputs.empty())
    throw Error("a frequency response needs an input: name one, such as --input U1.v, or declare inputs: in the model");
  const equations::System& s = at.compiled.system;
  check_averaged(s, arguments.point.averaged);
  make_models(arguments, result);
  const std::vector<std::string> sampled_notes = result.sampled ? result.sampled->notes : std::vector<std::string>();
  if (result.averaged > 0) result.sampled.reset();
  if (!arguments.point.model.json) {
    fmt::print("{}\n", at.text());
    for (const std::string& line : describe_opened(s)) fmt::print("{}\n", line);
    if (result.sampled)
      fmt::print(
          "sampled with the common period {:.12g} s: what is shown is the part of the answer that has the "
          "frequency of the input; others are at multiples of {:.6g} Hz beside it\n",
          result.sampled->period, 1 / result.sampled->period);
    if (result.averaged > 0) fmt::print(averaged_text, result.averaged);
    for (const std::string& note : sampled_notes) fmt::print("note: {}\n", note);
  }
  std::map<std::string, int> place;
  for (std::size_t k = 0; k < result.model.outputs.size(); ++k) place.emplace(result.model.outputs[k], int(k));
  for (const auto& [name, v] : place) {
    const equations::SignalInfo& signal = s.signals()[s.find_signal(name)];
    const std::string owner(signal.owner());
    if (owner.empty() || signal.name != owner + ".v") continue;
    if (const auto i = place.find(owner + ".i"); i != place.end()) result.elements.push_back({owner, v, i->second});
  }
  return result;
}

/// What a sampled system answers at other frequencies, the nearest ones.
nlohmann::json find_aliases(const LinearModel& linear, double f, std::size_t entry) {
  nlohmann::json aliases = nlohmann::json::array();
  for (const int m : {-1, 1, -2, 2}) {
    const std::complex<double> h = linear.respond(f, m)[entry];
    aliases.push_back({{"frequency", f + m / linear.sampled->period}, {"real", h.real()}, {"imaginary", h.imag()}});
  }
  return aliases;
}

}  // namespace

int bode(const FrequencyArguments& arguments) {
  check_target("--report", arguments.point.model.report, ".html");
  if (arguments.to < arguments.from) throw Error("--to must not be below --from");
  const LinearModel linear = make_linear_model(arguments);
  const analyze::StateSpace& model = linear.model;
  nlohmann::json rows = nlohmann::json::array();
  for (int k = 0; k < arguments.points; ++k) {
    const double part = arguments.points == 1 ? 0 : double(k) / (arguments.points - 1);
    const double f = arguments.from * std::pow(arguments.to / arguments.from, part);
    const auto h = linear.respond(f);
    for (std::size_t i = 0; i < h.size(); ++i) {
      const std::string &output = model.outputs[i / model.inputs.size()],
                        &input = model.inputs[i % model.inputs.size()];
      const double decibel = 20 * std::log10(std::abs(h[i]));
      const std::string unit = unit_of(model.output_units[i / model.inputs.size()],
                                       model.input_units[i % model.inputs.size()]);  // of which 0 dB is one
      if (!arguments.point.model.json)
        fmt::print("{:>16.8g} Hz  {:<30}{:>16.8g} dB{:>14.6f} deg   ({})\n", f, output + "/" + input, decibel,
                   degrees(h[i]), unit);
      rows.push_back({{"frequency", f},
                      {"output", output},
                      {"input", input},
                      {"real", h[i].real()},
                      {"imaginary", h[i].imag()},
                      {"decibel", std::isfinite(decibel) ? nlohmann::json(decibel) : nlohmann::json()},
                      {"unit", unit},
                      {"phase", degrees(h[i])}});
      if (linear.sampled) rows.back()["aliases"] = find_aliases(linear, f, i);
    }
  }
  if (!arguments.point.model.answers()) return 0;
  nlohmann::json j = begin_answer(linear.at, arguments.point.model.file);
  if (linear.sampled) j["sampled"] = {{"period", linear.sampled->period}, {"unit", "s"}};
  if (linear.averaged > 0) j["averaged"] = {{"period", linear.averaged}, {"unit", "s"}};
  j["units"] = {{"frequency", "Hz"}, {"phase", "deg"}, {"outputs", model.output_units}, {"inputs", model.input_units}};
  j["inputs"] = model.inputs, j["outputs"] = model.outputs;
  j["rows"] = std::move(rows);
  if (!arguments.point.model.report.empty()) write_page(arguments.point.model.report, report_response(j));
  return arguments.point.model.json ? print_answer(j) : 0;
}

int ac(const FrequencyArguments& arguments) {
  const LinearModel linear = make_linear_model(arguments);
  const analyze::StateSpace& model = linear.model;
  const auto h = linear.respond(arguments.from);
  // all inputs in phase, each with the given RMS value
  std::vector<std::complex<double>> phasor(model.outputs.size());
  for (std::size_t i = 0; i < h.size(); ++i) phasor[i / model.inputs.size()] += arguments.rms * h[i];
  nlohmann::json j = begin_answer(linear.at, arguments.point.model.file);
  j["frequency"] = arguments.from, j["rms"] = arguments.rms, j["inputs"] = model.inputs;
  j["units"] = {{"frequency", "Hz"}, {"phase", "deg"}, {"active", "W"}, {"reactive", "var"}};
  if (linear.sampled) j["sampled"] = {{"period", linear.sampled->period}, {"unit", "s"}};
  if (linear.averaged > 0) j["averaged"] = {{"period", linear.averaged}, {"unit", "s"}};
  for (std::size_t k = 0; k < model.outputs.size(); ++k) {
    const std::complex<double> z = phasor[k];
    j["signals"][model.outputs[k]] = {{"rms", std::abs(z)},
                                      {"phase", degrees(z)},
                                      {"real", z.real()},
                                      {"imaginary", z.imag()},
                                      {"unit", model.output_units[k]}};
    if (!arguments.point.model.json)
      fmt::print("{:<30}{:>20.10g} {:<6}{:>14.6f} deg\n", model.outputs[k], std::abs(z), model.output_units[k],
                 degrees(z));
  }
  // an element that shows its voltage and its current takes the average power Re(V I*)
  for (const auto& [name, v, i] : linear.elements) {
    const std::complex<double> s = phasor[v] * std::conj(phasor[i]);
    j["powers"][name] = {{"active", s.real()}, {"reactive", s.imag()}};
    if (!arguments.point.model.json) fmt::print("{:<30}{:>20.10g} W     {:>20.10g} var\n", name, s.real(), s.imag());
  }
  return arguments.point.model.json ? print_answer(j) : 0;
}

}  // namespace coenergy::app
