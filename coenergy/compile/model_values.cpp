#include "coenergy/compile/model_values.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "coenergy/compile/component_values.hpp"
#include "coenergy/compile/vectors.hpp"
#include "coenergy/equations/data.hpp"
#include "coenergy/model/expand.hpp"

namespace coenergy::compile {

struct ModelValues::Impl {
  Impl(const model::Model& given, const model::Registry& registry)
      : model(is_hierarchical(given) ? expand(given, registry) : given) {
    ErrorList errors;
    parameters.emplace(model, graph, errors);
    bound = bind_components(model, registry, *parameters, graph, errors);
    expand_vectors(bound, *parameters, errors);
    errors.throw_if_any();
  }

  model::Model model;
  symbolic::Graph graph;
  std::optional<ModelParameters> parameters;
  BoundModel bound;
};

namespace {

using Changes = std::vector<std::pair<std::string, double>>;

std::string item_name(const BoundComponent& c, std::size_t p, std::size_t item) {
  const model::ParameterInfo& info = c.type->description.parameters[p];
  const std::string name = c.name() + "." + info.name;
  return info.kind == model::ParameterInfo::Kind::scalar ? name : name + "[" + std::to_string(item) + "]";
}

/// Parameters of the model and of instances; those that were given signals have no number.
bool compare(const ModelParameters& a, const model::Entries& in_a, const ModelParameters& b, const model::Entries& in_b,
             Changes& changes) {
  if (in_a.size() != in_b.size()) return false;
  for (std::size_t k = 0; k < in_a.size(); ++k) {
    const std::string& name = in_a[k].first;
    if (name != in_b[k].first) return false;
    const std::optional<model::Quantity> before = a.find(name), now = b.find(name);
    if (before.has_value() != now.has_value()) return false;
    if (!before && in_a[k].second.text != in_b[k].second.text) return false;
    if (before && before->value.number() != now->value.number()) changes.emplace_back(name, now->value.number());
  }
  return true;
}

/// Adds the numbers that differ; false where anything else does.
bool compare(const ParameterValue& a, const ParameterValue& b, const BoundComponent& component, std::size_t p,
             Changes& changes) {
  if (a.given != b.given || a.present != b.present || a.word != b.word || a.scalars.size() != b.scalars.size())
    return false;
  for (std::size_t item = 0; item < a.scalars.size(); ++item) {
    const ScalarValue &x = a.scalars[item], &y = b.scalars[item];
    if ((x.varying == nullptr) != (y.varying == nullptr)) return false;
    if (x.varying != nullptr && x.text != y.text) return false;
    if (x.varying == nullptr && x.number != y.number) changes.emplace_back(item_name(component, p, item), y.number);
  }
  return true;
}

bool compare(const BoundComponent& a, const BoundComponent& b, Changes& changes) {
  if (a.name() != b.name() || a.type != b.type) return false;
  for (std::size_t k = 0; k < a.connections.size(); ++k) {
    const model::Value *x = a.connections[k], *y = b.connections[k];
    if ((x == nullptr) != (y == nullptr) || (x != nullptr && x->text != y->text)) return false;
  }
  for (std::size_t p = 0; p < a.parameters.size(); ++p)
    if (!compare(a.parameters[p], b.parameters[p], a, p, changes)) return false;
  return true;
}

}  // namespace

ModelValues::ModelValues(const model::Model& model, const model::Registry& registry)
    : impl_(std::make_unique<Impl>(model, registry)) {}
ModelValues::~ModelValues() = default;

bool ModelValues::set(equations::Evaluator& evaluator, const ModelValues& compiled) const {
  const Impl &old = *compiled.impl_, &own = *impl_;
  if (old.model.formulation != own.model.formulation || old.model.energy != own.model.energy) return false;
  if (old.bound.components.size() != own.bound.components.size()) return false;
  Changes changes;
  if (!compare(*old.parameters, old.model.parameters, *own.parameters, own.model.parameters, changes)) return false;
  for (std::size_t c = 0; c < own.bound.components.size(); ++c)
    if (!compare(old.bound.components[c], own.bound.components[c], changes)) return false;

  const equations::System& s = evaluator.system();
  std::vector<std::pair<int, double>> settings;
  for (const auto& [name, value] : changes) {
    const int k = s.find_parameter(name);
    if (k < 0 || s.data().parameter_read[static_cast<std::size_t>(k)] != 0 || !s.find_built_in(k).empty()) return false;
    settings.emplace_back(k, value);
  }
  // what follows them is among the changes
  for (const auto& [k, value] : settings) evaluator.set_parameter_alone(k, value);
  return true;
}

}  // namespace coenergy::compile
