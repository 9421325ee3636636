#include <fmt/core.h>

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <numbers>

#include "apps/coenergy/operating_point.hpp"
#include "coenergy/analyze/frequency_response.hpp"
#include "coenergy/analyze/linearize.hpp"
#include "coenergy/base/error.hpp"

namespace coenergy::app {

namespace {

double degrees(std::complex<double> z) { return std::arg(z) * 180 / std::numbers::pi; }

analyze::StateSpace make_linear_model(const FrequencyArguments& arguments) {
  OperatingPoint at = find_operating_point(arguments.point);
  return analyze::linearize(at.evaluator, at.point, arguments.point.inputs, arguments.point.outputs).model;
}

}  // namespace

int bode(const FrequencyArguments& arguments) {
  if (arguments.to < arguments.from) throw Error("--to must not be below --from");
  const analyze::StateSpace model = make_linear_model(arguments);
  nlohmann::json rows = nlohmann::json::array();
  for (int k = 0; k < arguments.points; ++k) {
    const double part = arguments.points == 1 ? 0 : double(k) / (arguments.points - 1);
    const double f = arguments.from * std::pow(arguments.to / arguments.from, part);
    const auto h = analyze::compute_frequency_response(model, 2 * std::numbers::pi * f);
    for (std::size_t i = 0; i < h.size(); ++i) {
      const std::string &output = model.outputs[i / model.inputs.size()],
                        &input = model.inputs[i % model.inputs.size()];
      const double decibel = 20 * std::log10(std::abs(h[i]));
      if (!arguments.point.model.json)
        fmt::print("{:>16.8g} Hz  {:<30}{:>16.8g} dB{:>14.6f} deg\n", f, output + "/" + input, decibel, degrees(h[i]));
      rows.push_back({{"frequency", f},
                      {"output", output},
                      {"input", input},
                      {"real", h[i].real()},
                      {"imaginary", h[i].imag()},
                      {"decibel", decibel},
                      {"phase", degrees(h[i])}});
    }
  }
  if (arguments.point.model.json) fmt::print("{}\n", rows.dump(2));
  return 0;
}

int ac(const FrequencyArguments& arguments) {
  const analyze::StateSpace model = make_linear_model(arguments);
  const auto h = analyze::compute_frequency_response(model, 2 * std::numbers::pi * arguments.from);
  // all inputs in phase, each with the given RMS value
  std::map<std::string, std::complex<double>> phasor;
  for (std::size_t i = 0; i < h.size(); ++i) phasor[model.outputs[i / model.inputs.size()]] += arguments.rms * h[i];
  nlohmann::json j = {{"frequency", arguments.from}};
  for (std::size_t k = 0; k < model.outputs.size(); ++k) {
    const std::complex<double> z = phasor[model.outputs[k]];
    j["signals"][model.outputs[k]] = {
        {"rms", std::abs(z)}, {"phase", degrees(z)}, {"real", z.real()}, {"imaginary", z.imag()}};
    if (!arguments.point.model.json)
      fmt::print("{:<30}{:>20.10g} {:<6}{:>14.6f} deg\n", model.outputs[k], std::abs(z), model.output_units[k],
                 degrees(z));
  }
  // an element that shows its voltage and its current takes the average power Re(V I*)
  for (const auto& [name, v] : phasor) {
    if (!name.ends_with(".v")) continue;
    const std::string element = name.substr(0, name.size() - 2);
    const auto i = phasor.find(element + ".i");
    if (i == phasor.end()) continue;
    const std::complex<double> s = v * std::conj(i->second);
    j["powers"][element] = {{"active", s.real()}, {"reactive", s.imag()}};
    if (!arguments.point.model.json) fmt::print("{:<30}{:>20.10g} W     {:>20.10g} var\n", element, s.real(), s.imag());
  }
  if (arguments.point.model.json) fmt::print("{}\n", j.dump(2));
  return 0;
}

}  // namespace coenergy::app
