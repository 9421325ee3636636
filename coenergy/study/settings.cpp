#include "coenergy/study/settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "coenergy/base/names.hpp"

namespace coenergy::study {

Settings::Settings(const model::Model& model, const model::Registry& registry, const equations::System& system,
                   const std::vector<std::string>& paths) {
  ErrorList errors;
  for (std::size_t k = 0; k < paths.size(); ++k) try {
      if (std::find(paths.begin(), paths.begin() + static_cast<std::ptrdiff_t>(k), paths[k]) !=
          paths.begin() + static_cast<std::ptrdiff_t>(k))
        throw Error(paths[k] + " is given twice");
      directions_.push_back(analyze::find_direction(model, registry, system, paths[k]));
      parameters_.push_back(system.find_parameter(paths[k]));
      for (const auto& [parameter, slope] : directions_.back().parameters) {
        const auto [component, entry] = model.find_owner(system.parameter_name(parameter));
        const model::ComponentType* kind = component == nullptr ? nullptr : registry.find(component->type);
        if (kind == nullptr) continue;
        for (const model::ParameterInfo& info : kind->description.parameters)
          if (info.name == entry && (std::isfinite(info.minimum) || std::isfinite(info.maximum)))
            bounds_.push_back({parameter, info.minimum, info.maximum, info.open});
      }
    } catch (const Error& e) {
      errors.add(e);
    }
  errors.throw_if_any();
}

void Settings::apply(equations::Evaluator& evaluator, const std::vector<double>& values) const {
  for (std::size_t k = 0; k < values.size(); ++k) evaluator.set_parameter(parameters_[k], values[k]);
}

std::string Settings::find_refusal(const equations::Evaluator& evaluator) const {
  for (const Bound& b : bounds_) {
    const double value = evaluator.parameter(b.parameter);
    const bool good = b.open ? value > b.minimum && value < b.maximum : value >= b.minimum && value <= b.maximum;
    if (good) continue;
    const bool below = !(value > b.minimum);
    const std::string& unit = evaluator.system().parameter_unit(b.parameter);
    return fmt::format("{} = {}{} must be {}{} {}", evaluator.system().parameter_name(b.parameter), format_short(value),
                       unit.empty() ? "" : " " + unit, below ? ">" : "<", b.open ? "" : "=",
                       format_short(below ? b.minimum : b.maximum));
  }
  return "";
}

std::vector<analyze::Direction> Settings::directions(const equations::Evaluator& evaluator) const {
  std::vector<analyze::Direction> now = directions_;
  for (std::size_t k = 0; k < now.size(); ++k) {
    equations::Point start = evaluator.start_slope(parameters_[k]);
    now[k].value = evaluator.parameter(parameters_[k]);
    now[k].parameters = evaluator.parameter_slopes(parameters_[k]);
    now[k].q = std::move(start.q), now[k].v = std::move(start.v), now[k].x = std::move(start.x),
    now[k].d = std::move(start.d);
  }
  return now;
}

}  // namespace coenergy::study
