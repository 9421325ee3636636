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

namespace coenergy::compile {

/// One scalar the user gave: a number, or an expression that varies during a run.
struct ScalarValue {
  std::shared_ptr<const model::Expression> varying;  ///< set if it depends on time or signals
  double number = 0;                                 ///< SI, if it does not
  Location where;
  std::string text;
  std::shared_ptr<const model::Expression> law;  ///< of a number that was written with parameters of the model
  bool opened = false;                           ///< it is to be an input: see CompileOptions
  mutable bool is_read = false;                  ///< its number was asked for, to make equations by …
  mutable bool is_checked = false;               ///< … or only to see that it is right

  /// It stays a symbol, whatever its number is.
  bool is_symbol() const { return varying != nullptr || law != nullptr || opened; }
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
  /// By its name in the whole model: "g", or "x.gear" of the parameter of an instance.
  std::optional<model::Quantity> find(const std::string& name) const;
  /// What a name means where it stands: an index variable or a parameter.
  std::optional<model::Quantity> find(const std::string& name, const Way* inside) const;
  /// A parameter of an instance that was given signals or time; null if there is none of that name.
  std::shared_ptr<const model::Expression> find_varying(const std::string& name) const;
  /// The first name in an expression that is neither a constant nor a parameter that is one; "" if there is none.
  std::string first_signal(const model::Expression& e) const;
  /// The name in the whole model.
  std::string resolve(const std::string& name, const Way* inside) const;
  const std::vector<std::string>& names() const { return names_; }
  model::Expression::Cache& parsed() const { return parsed_; }
  /// The expression of other parameters that a parameter was given as; null where it was given as a number.
  const model::Expression* find_law(const std::string& name) const;
  /// Whether an expression uses any of them.
  bool uses_any(const model::Expression& e) const;
  const model::UserFunctions& functions() const { return functions_; }
  /// Whether an expression uses a parameter whose own mistake has been reported.
  bool uses_failed(const model::Expression& e) const;

 private:
  std::optional<model::Quantity> evaluate(const std::string& name, symbolic::Graph& graph);

  const model::Scopes* scopes_;
  model::UserFunctions functions_;
  std::map<std::string, const model::Value*> texts_;
  std::vector<std::string> names_;
  std::vector<std::string> open_;  ///< being evaluated, for cycles
  std::map<std::string, model::Quantity> values_;
  std::map<std::string, std::shared_ptr<const model::Expression>> varying_;
  std::map<std::string, model::Expression> laws_;
  std::set<std::string> failed_;
  mutable model::Expression::Cache parsed_;
};

/// What to say of an unknown type: the nearest one ("Resistor" is near to electrical.Resistor), or where to look.
std::string type_hint(const std::string& type, const std::vector<std::string>& names);

/// Reads all components against the registry; every independent mistake is added to `errors`.
BoundModel bind_components(const model::Model& model, const model::Registry& registry,
                           const ModelParameters& parameters, symbolic::Graph& graph, ErrorList& errors);

}  // namespace coenergy::compile
