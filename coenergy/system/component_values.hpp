#pragma once
#include <map>
#include <memory>
#include <memory_resource>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "coenergy/model/expression.hpp"
#include "coenergy/model/model.hpp"
#include "coenergy/model/registry.hpp"

namespace coenergy::system {

/// One scalar the user gave: a number, or an expression that varies during a run.
struct ScalarValue {
  std::shared_ptr<const model::Expression> varying;  ///< set if it depends on time or signals
  double number = 0;                                 ///< SI, if it does not
  Location where;
  std::string text;
};

/// What a component's description asks for, read from the model: every scalar is a number in SI or a parsed expression.
struct ParameterValue {
  explicit ParameterValue(std::pmr::memory_resource* memory) : scalars(memory) {}
  bool given = false;                     ///< by the user, not by default
  bool present = false;                   ///< given or default
  std::pmr::vector<ScalarValue> scalars;  ///< one (scalar), three (vector) or any number (list)
  std::string word;                       ///< of a choice
  Location where;
};

/// A component bound to its type, with its values read.
struct BoundComponent {
  const model::Component* component = nullptr;
  const model::ComponentType* type = nullptr;
  std::pmr::vector<ParameterValue> parameters;        ///< by index of the description
  std::pmr::vector<const model::Value*> connections;  ///< what the model gives for each port; null: nothing
  const std::string& name() const { return component->name; }
};

/// All components of known types, and where to find them. Their lists lie in one memory, given back at once.
struct BoundModel {
  static constexpr int unknown_type = -1;
  std::unique_ptr<std::pmr::monotonic_buffer_resource> memory = std::make_unique<std::pmr::monotonic_buffer_resource>();
  std::vector<BoundComponent> components;
  std::unordered_map<std::string_view, int> index;  ///< component by name, or unknown_type, which has been reported
};

/// The model's own parameters as numbers with dimensions, and its functions.
class ModelParameters {
 public:
  ModelParameters(const model::Model& model, symbolic::Graph& graph, ErrorList& errors);
  std::optional<model::Quantity> find(const std::string& name) const;
  std::vector<std::string> names() const;
  const model::UserFunctions& functions() const { return functions_; }
  /// Whether an expression uses a parameter whose own mistake has been reported.
  bool uses_failed(const model::Expression& e) const;

 private:
  model::UserFunctions functions_;
  std::map<std::string, model::Quantity> values_;
  std::set<std::string> failed_;
};

/// What to say of an unknown type: the nearest one ("Resistor" is near to electrical.Resistor), or where to look.
std::string type_hint(const std::string& type, const std::vector<std::string>& names);

/// Reads all components against the registry; every independent mistake is added to `errors`.
BoundModel bind_components(const model::Model& model, const model::Registry& registry,
                           const ModelParameters& parameters, symbolic::Graph& graph, ErrorList& errors);

}  // namespace coenergy::system
