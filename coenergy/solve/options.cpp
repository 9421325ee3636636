#include "coenergy/solve/options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "coenergy/base/error.hpp"

namespace coenergy::solve {

const std::vector<std::string>& method_names() {
  static const std::vector<std::string> names = {
      "generalized-alpha",
      "hht",
      "newmark",
      "jansen",
      "radau",
      "esdirk",
      "backward-euler",
      "dopri",
      "dop853",
      "rk4",
      "trapez",
      "euler",
#ifdef COENERGY_SUNDIALS
      "ida",
      "cvode",
#endif
  };
  return names;
}

std::string canonical_method(const std::string& name) {
  static const std::map<std::string, std::string> others = {{"generalised-alpha", "generalized-alpha"},
                                                            {"gen-alpha", "generalized-alpha"},
                                                            {"dormand-prince", "dopri"},
                                                            {"dopri5", "dopri"},
                                                            {"dopri8", "dop853"},
                                                            {"dopri853", "dop853"},
                                                            {"runge-kutta", "rk4"},
                                                            {"radau5", "radau"},
                                                            {"radau-iia", "radau"},
                                                            {"forward-euler", "euler"},
                                                            {"explicit-euler", "euler"},
                                                            {"implicit-euler", "backward-euler"}};
  const auto found = others.find(name);
  return found == others.end() ? name : found->second;
}

bool has_error_estimate(const std::string& method) {
  return method != "backward-euler" && method != "rk4" && method != "trapez" && method != "euler";
}

bool is_explicit(const std::string& method) {
  return method == "dopri" || method == "dop853" || method == "rk4" || method == "trapez" || method == "euler";
}

bool is_alpha_method(const std::string& method) {
  return method == "generalized-alpha" || method == "hht" || method == "newmark" || method == "jansen";
}

bool is_adaptive(const Options& options) {
  const bool asks_for_fixed = is_alpha_method(options.method) && options.step > 0;
  return options.adaptive.value_or(has_error_estimate(options.method) && !asks_for_fixed);
}

double newton_tolerance(const Options& options) {
  constexpr double loosest = 1e-8, tightest = 1e-12, part = 0.1;
  if (options.newton_tolerance > 0) return options.newton_tolerance;
  if (!is_adaptive(options)) return loosest;
  return std::clamp(part * std::min(options.rtol, options.atol), tightest, loosest);
}

std::string describe_method(const Options& options) {
  if (!is_adaptive(options)) return fmt::format("{}, fixed step {:g} s", options.method, options.step);
  return fmt::format("{}, rtol {:g}, atol {:g}", options.method, options.rtol, options.atol);
}

std::string refuse_tolerance(const Options& options, const char* name, double value) {
  return fmt::format("{} = {:g} cannot be kept by fixed steps of method {}; leave out {} or {}", name, value,
                     options.method, name, has_error_estimate(options.method) ? "step" : "use another method: radau");
}

namespace {

/// What is wrong with parameters that the method does not have, and with tolerances that it cannot keep.
std::vector<std::string> find_unused(const Options& o) {
  std::vector<std::string> texts;
  const bool is_general = o.method == "generalized-alpha", takes_rho = is_general || o.method == "jansen";
  const auto refuse = [&](const char* name, const std::optional<double>& value, bool is_taken) {
    if (!value || is_taken) return;
    texts.push_back(fmt::format("{} = {:g} is no parameter of method {}; {}", name, *value, o.method,
                                is_alpha_method(o.method) ? "leave it out, or use generalized-alpha"
                                                          : "it belongs to generalized-alpha, hht or jansen"));
  };
  refuse("rho_inf", o.rho_inf, takes_rho);
  refuse("alpha_m", o.alpha_m, is_general);
  refuse("alpha_f", o.alpha_f, is_general || o.method == "hht");
  refuse("gamma", o.gamma, is_alpha_method(o.method));
  refuse("beta", o.beta, is_alpha_method(o.method));
  if ((o.gamma || o.beta) && is_alpha_method(o.method) && is_adaptive(o))
    texts.push_back("gamma and beta need fixed steps: the error estimate is that of second order; give a step");
  if (is_general && o.rho_inf && (o.alpha_m || o.alpha_f))
    texts.push_back("rho_inf and alpha_m, alpha_f exclude each other; give either");
  if (is_adaptive(o)) return texts;
  if (o.rtol != Options{}.rtol) texts.push_back(refuse_tolerance(o, "rtol", o.rtol));
  if (o.atol != Options{}.atol) texts.push_back(refuse_tolerance(o, "atol", o.atol));
  return texts;
}

}  // namespace

void Options::check() const {
  ErrorList errors;
  const auto expect = [&](bool good, const std::string& text) {
    if (!good) errors.add({}, text);
  };
  const auto expect_range = [&](const char* name, double value, double low, double high, const char* unit = "") {
    expect(value >= low && value <= high,
           fmt::format("{} = {:g}{} must be between {:g} and {:g}", name, value, unit, low, high));
  };
  const auto expect_not_negative = [&](const char* name, double value) {
    expect(value >= 0 && std::isfinite(value), fmt::format("{} = {:g} s must be >= 0", name, value));
  };
  const auto& names = method_names();
  if (std::find(names.begin(), names.end(), method) == names.end())
    errors.add({}, fmt::format("unknown method \"{}\"{}", method,
                               suggest(method, names).empty() ? fmt::format("; known are {}", fmt::join(names, ", "))
                                                              : did_you_mean(method, names)));
  const std::vector<std::string> starts = {"given", "steady", "static"};
  if (std::find(starts.begin(), starts.end(), start) == starts.end())
    errors.add({}, fmt::format("start = {} must be given, steady or static{}", start, did_you_mean(start, starts)));
  const std::vector<std::string> coordinate_sets = {"all", "minimal"};
  if (std::find(coordinate_sets.begin(), coordinate_sets.end(), coordinates) == coordinate_sets.end())
    errors.add({}, fmt::format("coordinates = {} must be all or minimal{}", coordinates,
                               did_you_mean(coordinates, coordinate_sets)));
  expect(coordinates != "minimal" || is_explicit(method),
         fmt::format("coordinates: minimal needs an explicit method; use dopri, dop853, rk4, trapez or euler, not {}",
                     method));
  expect(std::isfinite(t_start) && std::isfinite(t_end) && t_end >= t_start,
         fmt::format("t_end = {:g} s must be a finite time >= t_start = {:g} s", t_end, t_start));
  expect_not_negative("step", step);
  constexpr double most_steps = 1e11;  // years
  for (const auto& [name, size] : {std::pair("step", step), std::pair("output_step", output_step)})
    if (size > 0 && (t_end - t_start) / size > most_steps && !(name == std::string("step") && is_adaptive(*this)))
      errors.add({},
                 fmt::format("{} = {:g} s is too small: the run from {:g} s to {:g} s would take {:.0e} of them; at "
                             "most {:.0e} are possible",
                             name, size, t_start, t_end, (t_end - t_start) / size, most_steps));
  const bool is_known = std::find(names.begin(), names.end(), method) != names.end();
  if (is_known && step == 0 && t_end > t_start && !is_adaptive(*this))
    errors.add({}, fmt::format("method {} {}; give the step: {:g} s is a thousandth of the run", method,
                               has_error_estimate(method) ? "without error control makes fixed steps"
                                                          : "has no error estimate and makes fixed steps",
                               (t_end - t_start) / 1000));
  if (is_known)
    for (const std::string& text : find_unused(*this)) errors.add({}, text);
  expect_not_negative("max_step", max_step);
  expect_not_negative("min_step", min_step);
  expect_not_negative("output_step", output_step);
  expect(
      !adaptive.value_or(false) || has_error_estimate(method),
      fmt::format("method {} has no error estimate; use generalized-alpha, radau or dopri for adaptive steps", method));
  expect_range("rtol", rtol, 1e-14, 0.1);
  expect(atol > 0, fmt::format("atol = {:g} must be > 0", atol));
  if (rho_inf) expect_range("rho_inf", *rho_inf, 0, 1);
  if (alpha_f) expect_range("alpha_f", *alpha_f, 0, 0.5);
  if (alpha_m) expect_range("alpha_m", *alpha_m, -1, alpha_f.value_or(0.5));
  if (gamma) expect_range("gamma", *gamma, 0, 2);
  if (beta) expect_range("beta", *beta, 1e-3, 4);
  if (newton_tolerance != 0) expect_range("newton_tolerance", newton_tolerance, 1e-15, 1e-2);
  expect(max_newton >= 1, fmt::format("max_newton = {} must be >= 1", max_newton));
  expect(max_event_passes >= 1, fmt::format("max_event_passes = {} must be >= 1", max_event_passes));
  errors.throw_if_any();
}

}  // namespace coenergy::solve
