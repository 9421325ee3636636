#include "apps/coenergy/design_answer.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "apps/coenergy/answer.hpp"
#include "coenergy/base/names.hpp"
#include "coenergy/control/margins.hpp"
#include "coenergy/control/norms.hpp"

namespace coenergy::app {

using control::Complex;
using control::LinearSystem;

namespace {

constexpr double pi = std::numbers::pi;

nlohmann::json number_or_null(double x) { return std::isfinite(x) ? nlohmann::json(x) : nlohmann::json(); }

/// From a decade below the slowest to one above the fastest pole or zero, rad/s.
std::vector<double> choose_frequencies(const LinearSystem& s) {
  double low = 1e300, high = 0;
  for (const auto& list : {control::find_poles(s), control::find_zeros(s)})
    for (const Complex x : list) {
      const double size = s.is_sampled() ? (std::abs(x) > 0 ? std::abs(std::log(x)) / s.period : 0) : std::abs(x);
      if (size > 1e-9) low = std::min(low, size), high = std::max(high, size);
    }
  if (high == 0) low = high = 1;
  low /= 30, high *= 30;
  if (s.is_sampled()) high = std::min(high, pi / s.period), low = std::min(low, high / 100);
  constexpr int count = 240;
  std::vector<double> frequencies;
  for (int k = 0; k < count; ++k) frequencies.push_back(low * std::pow(high / low, k / (count - 1.0)));
  return frequencies;
}

nlohmann::json crossing_json(const control::Margins::Crossing& c, bool gain) {
  return {{"frequency", c.omega / (2 * pi)}, {gain ? "gain" : "phase", gain ? c.margin : c.margin * 180 / pi}};
}

}  // namespace

nlohmann::json matrices_of(const LinearSystem& s) {
  return {{"A", rows_of(s.a)}, {"B", rows_of(s.b)}, {"C", rows_of(s.c)}, {"D", rows_of(s.d)}};
}

void add_loop(nlohmann::json& answer, const LinearSystem& loop) {
  const control::Margins m = control::find_margins(loop);
  nlohmann::json& j = answer["margins"];
  j = {{"stable", m.stable},
       {"modulus", number_or_null(m.modulus)},
       {"disk", number_or_null(m.disk)},
       {"gains", nlohmann::json::array()},
       {"phases", nlohmann::json::array()},
       {"units", {{"frequency", "Hz"}, {"phase", "deg"}, {"delay", "s"}}}};
  for (const auto& c : m.gain) j["gains"].push_back(crossing_json(c, true));
  for (const auto& c : m.phase) j["phases"].push_back(crossing_json(c, false));
  if (const auto c = m.smallest_gain()) j["gain"] = c->margin;
  if (const auto c = m.smallest_phase()) j["phase"] = c->margin * 180 / pi;
  if (const auto delay = m.delay()) j["delay"] = *delay;
  answer["bode"] = nlohmann::json::array();
  double phase = 0;
  for (const double w : choose_frequencies(loop)) {
    const Complex l = control::respond_at(loop, w)(0, 0);
    const double next = std::arg(l) * 180 / pi;
    phase = answer["bode"].empty() ? next : next - 360 * std::round((next - phase) / 360);
    answer["bode"].push_back({{"frequency", w / (2 * pi)},
                              {"decibel", number_or_null(20 * std::log10(std::abs(l)))},
                              {"phase", phase},
                              {"real", l.real()},
                              {"imaginary", l.imag()}});
  }
  std::vector<double> gains{0};
  for (int k = 0; k <= 160; ++k) gains.push_back(std::pow(10, -2 + k / 40.0));
  nlohmann::json& locus = answer["root_locus"] = nlohmann::json::array();
  const auto rows = control::find_root_locus(loop, gains);
  for (std::size_t k = 0; k < gains.size(); ++k) locus.push_back({{"gain", gains[k]}, {"poles", pairs_of(rows[k])}});
}

void add_analysis(nlohmann::json& answer, const LinearSystem& plant, const analyze::StateSpace& names) {
  const bool stable = control::is_stable(plant);
  answer["poles"] = pairs_of(control::find_poles(plant)), answer["zeros"] = pairs_of(control::find_zeros(plant));
  answer["stable"] = stable, answer["minimal_states"] = control::find_minimal(plant).states();
  if (stable) {
    const control::PeakGain peak = control::find_hinf_norm(plant);
    answer["h2"] = number_or_null(control::find_h2_norm(plant));
    answer["hinf"] = {{"gain", peak.gain}, {"frequency", number_or_null(peak.omega / (2 * pi))}, {"unit", "Hz"}};
  }
  answer["channels"] = nlohmann::json::array();
  for (int i = 0; i < plant.outputs(); ++i)
    for (int j = 0; j < plant.inputs(); ++j) {
      const control::ZeroPoleGain zpk = control::find_zero_pole_gain(plant, i, j);
      const control::TransferFunction f = control::find_transfer_function(plant, i, j);
      nlohmann::json channel = {
          {"output", names.outputs[i]},   {"input", names.inputs[j]},     {"num", f.num},    {"den", f.den},
          {"zeros", pairs_of(zpk.zeros)}, {"poles", pairs_of(zpk.poles)}, {"gain", zpk.gain}};
      const LinearSystem one = control::find_minimal(control::select_channel(plant, i, j));
      if (control::is_stable(one) && one.states() > 0) {
        const control::StepMeasures m = control::measure_step(one);
        channel["step"] = {{"final", m.final_value},   {"rise_time", m.rise_time}, {"settling_time", m.settling_time},
                           {"overshoot", m.overshoot}, {"peak", m.peak},           {"peak_time", m.peak_time}};
      }
      answer["channels"].push_back(std::move(channel));
    }
  // states that only count, such as angles, are no part of the loop: at rest they would have no answer
  if (plant.inputs() == 1 && plant.outputs() == 1) add_loop(answer, control::find_minimal(plant));
}

void add_slow_sample_note(nlohmann::json& answer, const LinearSystem& plant, double period) {
  double fastest = 0;
  for (const Complex p : control::find_poles(plant)) fastest = std::max(fastest, std::abs(p));
  if (fastest * period > pi)
    add_notes(
        answer,
        {fmt::format("the samples, every {} s, are slower than the fastest mode, {} Hz: it is not seen between them",
                     format_short(period), format_short(fastest / (2 * pi)))});
}

void print_design(const nlohmann::json& answer) {
  for (const auto& [name, value] : answer.items()) {
    if (name == "version" || name == "notes" || name == "bode" || name == "root_locus" || name == "operating_point")
      continue;
    const bool matrix = value.is_array() && !value.empty() && value[0].is_array();
    if (!matrix) {
      fmt::print("{:<14} {}\n", name, value.dump());
      continue;
    }
    for (std::size_t i = 0; i < value.size(); ++i) fmt::print("{:<14} {}\n", i == 0 ? name : "", value[i].dump());
  }
  if (answer.contains("notes"))
    for (const auto& note : answer["notes"]) fmt::print("note: {}\n", note.get<std::string>());
}

Report report_design(const nlohmann::json& answer) {
  Report report = begin_report("design", answer);
  report.summary.insert(report.summary.begin(), {"method", answer.value("method", "")});
  if (answer.contains("bode")) {
    ReportChart magnitude{"Open loop: magnitude", "frequency [Hz]", "[dB]", true},
        phase{"Open loop: phase", "frequency [Hz]", "[deg]", true},
        nyquist{"Nyquist", "real part", "imaginary part", false, true}, nichols{"Nichols", "phase [deg]", "[dB]"};
    for (ReportChart* chart : {&magnitude, &phase, &nyquist, &nichols}) chart->curves.push_back({"loop", {}, {}});
    for (const nlohmann::json& row : answer["bode"]) {
      const double f = row["frequency"], db = row["decibel"].is_null() ? NAN : row["decibel"].get<double>();
      magnitude.curves[0].x.push_back(f), magnitude.curves[0].y.push_back(db);
      phase.curves[0].x.push_back(f), phase.curves[0].y.push_back(row["phase"]);
      nyquist.curves[0].x.push_back(row["real"]), nyquist.curves[0].y.push_back(row["imaginary"]);
      nichols.curves[0].x.push_back(row["phase"]), nichols.curves[0].y.push_back(db);
    }
    magnitude.curves.push_back({"gain margins", {}, {}, true}), phase.curves.push_back({"phase margins", {}, {}, true});
    for (const auto& c : answer["margins"]["gains"])
      if (c["frequency"].get<double>() > 0)
        magnitude.curves[1].x.push_back(c["frequency"]),
            magnitude.curves[1].y.push_back(-20 * std::log10(c["gain"].get<double>()));
    for (const auto& c : answer["margins"]["phases"])
      phase.curves[1].x.push_back(c["frequency"]), phase.curves[1].y.push_back(c["phase"].get<double>() - 180);
    nyquist.curves.push_back({"-1", {-1}, {0}, true});
    report.charts = {magnitude, phase, nyquist, nichols};
    ReportChart locus{"Root locus, gains 0 to 100", "real part", "imaginary part", false, true};
    for (const nlohmann::json& row : answer["root_locus"])
      for (std::size_t k = 0; k < row["poles"].size(); ++k) {
        if (locus.curves.size() <= k) locus.curves.push_back({fmt::format("branch {}", k + 1), {}, {}});
        locus.curves[k].x.push_back(row["poles"][k][0]), locus.curves[k].y.push_back(row["poles"][k][1]);
      }
    report.charts.push_back(std::move(locus));
  }
  if (answer.contains("poles")) {
    ReportChart plane{"Poles", "real part", "imaginary part", false, true};
    plane.curves.push_back({"poles", {}, {}, true});
    for (const auto& p : answer["poles"]) plane.curves[0].x.push_back(p[0]), plane.curves[0].y.push_back(p[1]);
    report.charts.push_back(std::move(plane));
  }
  return report;
}

}  // namespace coenergy::app
