#include "coenergy/analyze/modes.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "apps/coenergy/answer.hpp"
#include "apps/coenergy/answer_report.hpp"
#include "apps/coenergy/operating_point.hpp"
#include "apps/coenergy/target.hpp"
#include "coenergy/analyze/averaged.hpp"
#include "coenergy/analyze/linearize.hpp"
#include "coenergy/analyze/sampled.hpp"

namespace coenergy::app {

namespace {

/// The states that move most in a mode, "joint1.q 1.00, arm.tip.y 0.42".
std::string shape_text(const std::vector<std::complex<double>>& shape, const std::vector<std::string>& states) {
  std::vector<int> order;
  for (std::size_t i = 0; i < states.size(); ++i)
    if (std::abs(shape[i]) > 0.05) order.push_back(static_cast<int>(i));
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return std::abs(shape[a]) > std::abs(shape[b]); });
  std::string text;
  for (std::size_t k = 0; k < order.size() && k < 3; ++k)
    text += fmt::format("{}{} {:.2f}", k == 0 ? "" : ", ", states[order[k]], std::abs(shape[order[k]]));
  return text;
}

/// A number that JSON has, or null.
nlohmann::json finite(double value) { return std::isfinite(value) ? nlohmann::json(value) : nlohmann::json(); }

/// Poles of a system with samples.
int show_sampled(const OperatingPoint& at, const analyze::SampledModel& model, const LinearizeArguments& arguments,
                 int count) {
  const analyze::StateSpace discrete = analyze::discretize(model);
  const std::vector<analyze::SampledMode> all = analyze::compute_sampled_modes(model);
  if (arguments.model.answers()) {
    nlohmann::json j = begin_answer(at, arguments.model.file);
    add_notes(j, model.notes);
    j["sampled"] = {{"period", model.period}, {"samples", model.ticks.size()}, {"unit", "s"}};
    j["names"] = discrete.states, j["modes"] = nlohmann::json::array();
    j["units"] = {{"real", "1/s"}, {"imaginary", "1/s"}, {"frequency", "Hz"}};
    for (const analyze::SampledMode& m : all)
      j["modes"].push_back({{"z", {m.z.real(), m.z.imag()}},
                            {"real", finite(m.s.real())},
                            {"imaginary", finite(m.s.imag())},
                            {"frequency", finite(m.frequency)},
                            {"damping", finite(m.damping)},
                            {"shape", pairs_of(m.shape)}});
    if (!arguments.model.report.empty()) write_page(arguments.model.report, report_poles(j));
    if (arguments.model.json) return print_answer(j);
  }
  fmt::print("{}\nsampled: poles z over the common period of {:.12g} s, and s = ln(z)/T\n", at.text(), model.period);
  fmt::print("{:>20}{:>20}{:>20}{:>20}{:>14}{:>10}   {}\n", "real z", "imaginary z", "real s (1/s)",
             "imaginary s (1/s)", "freq. (Hz)", "damping", "shape");
  for (std::size_t k = 0; k < all.size() && static_cast<int>(k) < count; ++k)
    fmt::print("{:>20.12g}{:>20.12g}{:>20.12g}{:>20.12g}{:>14.6g}{:>10.4g}   {}\n", all[k].z.real(), all[k].z.imag(),
               all[k].s.real(), all[k].s.imag(), all[k].frequency, all[k].damping,
               shape_text(all[k].shape, discrete.states));
  if (static_cast<int>(all.size()) > count) fmt::print("and {} more (--count)\n", static_cast<int>(all.size()) - count);
  for (const std::string& note : model.notes) fmt::print("note: {}\n", note);
  return 0;
}

/// Poles of a continuous model; of an averaged one with the period of its samples.
int show(OperatingPoint& at, const analyze::Modes& found, const analyze::SampledModel* averaged,
         const LinearizeArguments& arguments, int count) {
  const std::vector<analyze::Mode>& all = found.modes;
  if (arguments.model.answers()) {
    nlohmann::json j = begin_answer(at, arguments.model.file);
    if (averaged != nullptr) j["averaged"] = {{"period", averaged->period}, {"unit", "s"}};
    if (averaged != nullptr) add_notes(j, averaged->notes);
    j["names"] = found.names, j["modes"] = nlohmann::json::array();
    j["units"] = {{"real", "1/s"}, {"imaginary", "1/s"}, {"frequency", "Hz"}};
    for (const analyze::Mode& m : all)
      j["modes"].push_back({{"real", m.eigenvalue.real()},
                            {"imaginary", m.eigenvalue.imag()},
                            {"frequency", m.frequency},
                            {"damping", m.damping},
                            {"shape", pairs_of(m.shape)}});
    if (!arguments.model.report.empty()) {
      Report report = report_poles(j);
      if (averaged == nullptr)
        add_shapes(report, at.compiled, at.evaluator, at.point, found, std::min(count, 20), arguments.model.file);
      write_page(arguments.model.report, report);
    }
    if (arguments.model.json) return print_answer(j);
  }
  fmt::print("{}\n", at.text());
  if (averaged != nullptr) fmt::print(averaged_text, averaged->period);
  fmt::print("{:>22}{:>22}{:>16}{:>12}   {}\n", "real (1/s)", "imaginary (1/s)", "frequency (Hz)", "damping", "shape");
  for (std::size_t k = 0; k < all.size() && static_cast<int>(k) < count; ++k)
    fmt::print("{:>22.14g}{:>22.14g}{:>16.6g}{:>12.4g}   {}\n", all[k].eigenvalue.real(), all[k].eigenvalue.imag(),
               all[k].frequency, all[k].damping, shape_text(all[k].shape, found.names));
  if (static_cast<int>(all.size()) > count) fmt::print("and {} more (--count)\n", static_cast<int>(all.size()) - count);
  if (averaged != nullptr)
    for (const std::string& note : averaged->notes) fmt::print("note: {}\n", note);
  return 0;
}

}  // namespace

int modes(const LinearizeArguments& arguments, int count) {
  check_target("--report", arguments.model.report, ".html");
  OperatingPoint at = find_operating_point(arguments);
  check_averaged(at.compiled.system, arguments.averaged);
  analyze::Linearization linear = analyze::linearize_states(at.evaluator, at.point);
  if (!analyze::has_samples(at.compiled.system))
    return show(at, analyze::compute_modes(at.compiled.system, linear), nullptr, arguments, count);
  const analyze::SampledModel sampled = analyze::linearize_sampled(at.evaluator, at.point, std::move(linear));
  if (!arguments.averaged) return show_sampled(at, sampled, arguments, count);
  return show(at, analyze::compute_modes(analyze::average(sampled)), &sampled, arguments, count);
}

int modes_by_value(const LinearizeArguments& arguments, int count, const std::string& parameter,
                   const std::vector<std::string>& values) {
  nlohmann::json rows = nlohmann::json::array();
  std::vector<std::string> notes;
  if (!arguments.model.json) fmt::print("frequencies in Hz, damping ratios in brackets\n{:>20}\n", parameter);
  for (const std::string& value : values) {
    LinearizeArguments changed = arguments;
    changed.model.sets.push_back(parameter + "=" + value);
    OperatingPoint at = find_operating_point(changed);
    for (const std::string& note : at.notes) notes.push_back(value + ": " + note);
    if (analyze::has_samples(at.compiled.system))
      throw Error("--parameter: a model with samples has its modes by their poles z; leave it out");
    const analyze::Modes found =
        analyze::compute_modes(at.compiled.system, analyze::linearize_states(at.evaluator, at.point));
    nlohmann::json row = {{"value", value}, {"modes", nlohmann::json::array()}};
    std::string line = fmt::format("{:>20}", value);
    for (std::size_t k = 0; k < found.modes.size() && static_cast<int>(k) < count; ++k) {
      const analyze::Mode& m = found.modes[k];
      row["modes"].push_back({{"real", m.eigenvalue.real()},
                              {"imaginary", m.eigenvalue.imag()},
                              {"frequency", m.frequency},
                              {"damping", m.damping}});
      line += fmt::format("{:>14.8g} ({:.3g})", m.frequency, m.damping);
    }
    if (!arguments.model.json) fmt::print("{}\n", line);
    rows.push_back(row);
  }
  if (!arguments.model.json) return 0;
  nlohmann::json j = begin_answer(arguments.model.file, notes);
  j["parameter"] = parameter, j["rows"] = std::move(rows);
  j["units"] = {{"real", "1/s"}, {"imaginary", "1/s"}, {"frequency", "Hz"}};
  return print_answer(j);
}

}  // namespace coenergy::app
