#include <fmt/core.h>

#include "apps/coenergy/answer.hpp"
#include "apps/coenergy/operating_point.hpp"
#include "coenergy/analyze/actuation.hpp"
#include "coenergy/analyze/effective_load.hpp"

namespace coenergy::app {

int effective(const LinearizeArguments& arguments, const std::vector<std::string>& joints) {
  OperatingPoint at = find_operating_point(arguments);
  const equations::System& s = at.compiled.system;
  nlohmann::json answer = begin_answer(at, arguments.model.file), j = nlohmann::json::array();
  if (!arguments.model.json) fmt::print("{}\n", at.text());
  for (const int k : analyze::find_coordinates(s, joints, "joint")) {
    const analyze::EffectiveLoad e = analyze::compute_effective_load(at.evaluator, at.point, k);
    const bool turns = s.unknown(k).turns;
    const char *inertia = turns ? "kg.m2" : "kg", *force = turns ? "N.m" : "N";
    j.push_back({{"joint", s.unknown(k).name},
                 {"inertia", e.inertia},
                 {"inertia_unit", inertia},
                 {"inertia_slope", e.inertia_slope},
                 {"inertia_slope_unit", fmt::format("{}/{}", inertia, s.unknown(k).unit)},
                 {"load", e.load},
                 {"load_unit", force}});
    if (arguments.model.json) continue;
    fmt::print("{}\n", s.unknown(k).name);
    fmt::print("  effective inertia     {:>16.10g} {}\n", e.inertia, inertia);
    fmt::print("  its slope             {:>16.10g} {}/{}\n", e.inertia_slope, inertia, s.unknown(k).unit);
    fmt::print("  effective load        {:>16.10g} {}\n", e.load, force);
  }
  answer["joints"] = std::move(j);
  return arguments.model.json ? print_answer(answer) : 0;
}

}  // namespace coenergy::app
