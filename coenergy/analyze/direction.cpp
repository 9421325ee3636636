#include "coenergy/analyze/direction.hpp"

#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <random>

#include "coenergy/base/error.hpp"
#include "coenergy/model/expression.hpp"
#include "coenergy/system/compile.hpp"
#include "coenergy/system/component_values.hpp"

namespace coenergy::analyze {
namespace {

using system::System;

/// The model with the entry at another value.
class Moved {
 public:
  Moved(const model::Model& model, const model::Registry& registry, const std::string& path)
      : model_(model), registry_(registry), path_(path) {
    path_.find('.') == std::string::npos ? find_parameter() : find_entry();
  }

  double value() const { return value_; }
  const std::string& unit() const { return unit_; }
  /// A change of the value that is small, but not for round-off.
  double step() const { return value_ == 0 ? 1e-3 : 1e-3 * std::abs(value_); }

  System at(double value) const {
    model::Model moved = model_;
    // a parameter keeps its dimension as a multiple of itself
    const std::string text = parameter_.empty() ? fmt::format("{:.17g}{}", value, unit_.empty() ? "" : " " + unit_)
                                                : fmt::format("({})*{:.17g}", parameter_, value / value_);
    moved.set(path_, text);
    return system::compile(moved, registry_).system;
  }

 private:
  void find_parameter() {
    std::vector<std::string> known;
    for (const auto& [name, value] : model_.parameters) {
      known.push_back(name);
      if (name == path_) parameter_ = value.text;
    }
    if (parameter_.empty())
      throw Error("--parameter " + path_ + ": the model has no such parameter" + did_you_mean(path_, known) +
                  "; an entry of a component is written component.entry");
    symbolic::Graph graph;
    ErrorList errors;
    value_ = system::ModelParameters(model_, graph, errors).find(path_)->value.number();
    if (value_ == 0)
      throw Error("--parameter " + path_ +
                  ": its value is 0, so that its unit is not known here; name the entries of "
                  "components that use it");
  }

  void find_entry() {
    const std::size_t dot = path_.find('.');
    const std::string owner = path_.substr(0, dot), entry = path_.substr(dot + 1);
    std::vector<std::string> known;
    for (const model::Component& c : model_.components) known.push_back(c.name);
    const model::Component* component = model_.find(owner);
    if (component == nullptr)
      throw Error("--parameter " + path_ + ": the model has no component \"" + owner + "\"" +
                  did_you_mean(owner, known));
    known.clear();
    for (const model::ParameterInfo& info : registry_.find(component->type)->description.parameters) {
      known.push_back(info.name);
      if (info.name != entry) continue;
      read_entry(*component, info);
      return;
    }
    throw Error("--parameter " + path_ + ": " + component->type + " has no entry \"" + entry + "\"" +
                did_you_mean(entry, known));
  }

  /// The number the entry was given, or its default.
  void read_entry(const model::Component& component, const model::ParameterInfo& info) {
    const std::string* text = info.fallback ? &*info.fallback : nullptr;
    for (const auto& [name, value] : component.values)
      if (name == info.name) text = value.kind == model::Value::Kind::text ? &value.text : nullptr;
    symbolic::Graph graph;
    ErrorList errors;
    const system::ModelParameters parameters(model_, graph, errors);
    if (text != nullptr && info.kind == model::ParameterInfo::Kind::scalar) {
      try {
        const auto find = [&](const std::string& name) { return parameters.find(name); };
        value_ = model::Expression::parse(*text).evaluate(graph, find).value.number();
        unit_ = info.unit == model::any_unit ? "" : info.unit;
        return;
      } catch (const Error&) {
        // a name that is no parameter: the entry depends on signals
      }
    }
    throw Error("--parameter " + path_ + ": it is no number, so that nothing can be differentiated to it");
  }

  const model::Model& model_;
  const model::Registry& registry_;
  std::string path_, unit_, parameter_;
  double value_ = 0;
};

/// Whether both have the same equations once they have the same parameters.
bool has_same_equations(const System& a, const System& b) {
  if (a.n() != b.n() || a.parameters() != b.parameters()) return false;
  system::Evaluator first(a), second(b);
  for (int k = 0; k < b.parameters(); ++k) first.set_parameter(k, b.parameter(k));
  std::mt19937 random(1);
  std::uniform_real_distribution<double> spread(-1, 1);
  std::vector<double> r(a.n()), s(a.n());
  for (int trial = 0; trial < 5; ++trial) {
    system::Point p = a.start();
    p.t = trial == 0 ? 0 : spread(random) * std::pow(10.0, -2 * trial);
    for (auto* part : {&p.v, &p.a, &p.lambda, &p.x, &p.xd, &p.y})
      for (double& value : *part) value += spread(random);
    for (double& d : p.d) d = trial < 2 ? d : std::round(2 * spread(random));
    first.residual(p, system::Level::acceleration, r);
    second.residual(p, system::Level::acceleration, s);
    for (int i = 0; i < a.n(); ++i)
      if (std::abs(r[i] - s[i]) > 1e-9 * (std::abs(r[i]) + std::abs(s[i]))) return false;
  }
  return true;
}

}  // namespace

Direction find_direction(const model::Model& model, const model::Registry& registry, const System& system,
                         const std::string& path) {
  const Moved moved(model, registry, path);
  const double h = moved.step(), p = moved.value();
  const System above = moved.at(p + h), below = moved.at(p - h), far = moved.at(p + 2 * h), near = moved.at(p - 2 * h);
  if (!has_same_equations(system, above))
    throw Error("--parameter " + path + ": it is built into the equations; compare runs by the verb sweep instead");
  // (8 (f₊ − f₋) − (f₊₊ − f₋₋))/(12 h)
  const auto slope = [&](const std::function<double(const System&)>& f) {
    return (8 * (f(above) - f(below)) - (f(far) - f(near))) / (12 * h);
  };

  Direction direction{path, moved.unit(), p, {}, {}, {}, {}, {}};
  for (int k = 0; k < system.parameters(); ++k)
    if (system.parameter(k) != above.parameter(k))
      direction.parameters.emplace_back(k, slope([k](const System& s) { return s.parameter(k); }));
  const auto start = [&](std::vector<double> system::Point::*part, std::vector<double>& to) {
    for (std::size_t i = 0; i < (system.start().*part).size(); ++i)
      to.push_back((above.start().*part)[i] == (below.start().*part)[i] ? 0 : slope([&](const System& s) {
        return (s.start().*part)[i];
      }));
  };
  start(&system::Point::q, direction.q);
  start(&system::Point::v, direction.v);
  start(&system::Point::x, direction.x);
  start(&system::Point::d, direction.d);
  return direction;
}

}  // namespace coenergy::analyze
