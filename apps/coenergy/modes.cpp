#include "coenergy/analyze/modes.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "apps/coenergy/operating_point.hpp"
#include "coenergy/analyze/linearize.hpp"

namespace coenergy::app {

namespace {

/// The states that move most in a mode, "joint1.q 1.00, arm.tip.y 0.42".
std::string shape_text(const analyze::Mode& mode, const std::vector<std::string>& states) {
  std::vector<int> order;
  for (std::size_t i = 0; i < states.size(); ++i)
    if (std::abs(mode.shape[i]) > 0.05) order.push_back(static_cast<int>(i));
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return std::abs(mode.shape[a]) > std::abs(mode.shape[b]); });
  std::string text;
  for (std::size_t k = 0; k < order.size() && k < 3; ++k)
    text += fmt::format("{}{} {:.2f}", k == 0 ? "" : ", ", states[order[k]], std::abs(mode.shape[order[k]]));
  return text;
}

}  // namespace

int modes(const LinearizeArguments& arguments, int count) {
  OperatingPoint at = find_operating_point(arguments);
  const analyze::Linearization linear = analyze::linearize_states(at.evaluator, at.point);
  const analyze::Modes found = analyze::compute_modes(at.compiled.system, linear);
  const std::vector<analyze::Mode>& all = found.modes;
  if (arguments.model.json) {
    nlohmann::json j = {{"names", found.names}, {"modes", nlohmann::json::array()}};
    for (const analyze::Mode& m : all) {
      nlohmann::json shape = nlohmann::json::array();
      for (const std::complex<double>& entry : m.shape) shape.push_back({entry.real(), entry.imag()});
      j["modes"].push_back({{"real", m.eigenvalue.real()},
                            {"imaginary", m.eigenvalue.imag()},
                            {"frequency", m.frequency},
                            {"damping", m.damping},
                            {"shape", shape}});
    }
    fmt::print("{}\n", j.dump(2));
    return 0;
  }
  fmt::print("{:>22}{:>22}{:>16}{:>12}   {}\n", "real (1/s)", "imaginary (1/s)", "frequency (Hz)", "damping", "shape");
  for (std::size_t k = 0; k < all.size() && static_cast<int>(k) < count; ++k)
    fmt::print("{:>22.14g}{:>22.14g}{:>16.6g}{:>12.4g}   {}\n", all[k].eigenvalue.real(), all[k].eigenvalue.imag(),
               all[k].frequency, all[k].damping, shape_text(all[k], found.names));
  if (static_cast<int>(all.size()) > count) fmt::print("and {} more (--count)\n", static_cast<int>(all.size()) - count);
  return 0;
}

}  // namespace coenergy::app
