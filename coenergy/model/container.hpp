#pragma once
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "coenergy/model/model.hpp"
#include "coenergy/model/quantity.hpp"
#include "coenergy/model/registry.hpp"
#include "coenergy/symbolic/expr.hpp"

namespace coenergy::model {

/// The model itself, or one instance of a part, while a model is expanded.
struct Container {
  const Part* part = nullptr;  ///< null: the model
  Container* outer = nullptr;
  std::string path;             ///< "" of the model
  const Way* way = nullptr;     ///< of what stands inside
  Location where;               ///< of the instance
  Entries parameters;           ///< of the instance, given or by default
  std::set<std::string> words;  ///< parameters that are no quantities: words, lists
  struct Override {
    std::string path;
    Value value;
    bool used = false;
  };
  std::vector<Override> overrides;  ///< later ones win
  std::set<std::string> used;       ///< ports that the outside names

  /// What stands in it: a component of the flat model, or an instance.
  struct Element {
    std::string name;
    int component = -1;
    std::unique_ptr<Container> inside;
  };
  std::vector<Element> elements;
  std::unordered_map<std::string, int> index;
  std::set<std::string> arrays;

  /// A node of the part that is one of the outside.
  struct Bound {
    Value value;
    enum class State { waiting, running, done } state = State::waiting;
    std::string meaning;
  };
  std::unordered_map<std::string, Bound> bound;
  std::shared_ptr<Scopes::Names> locals;
  bool shares_locals = false;  ///< another instance has collected them

  const Element* find(const std::string& name) const;
  const Value* find_parameter(const std::string& name) const;
  std::string title() const;                        ///< "the model", "x (Axis)"
  std::string full(const std::string& name) const;  ///< "x.motor"
  std::vector<std::string> element_names() const;   ///< to suggest
};

/// Values of constants (repeat, if, indices) inside containers, before anything else is evaluated.
class Constants {
 public:
  Constants(const Model& model, const std::unordered_map<const Way*, Container*>& containers)
      : model_(model), containers_(containers) {}

  /// The value of a text where it stands; `what` names it in messages. Throws unless it is a constant.
  double evaluate(const std::string& text, const Location& where, const std::string& what);
  /// The same, which must be a whole number without unit.
  int evaluate_whole(const std::string& text, const Location& where, const std::string& what);
  /// Parameters that were used, by their names in the flat model, and what used them.
  const std::map<std::string, std::string>& used() const { return used_; }

 private:
  std::optional<Quantity> find(const std::string& name, const Way* inside, int depth);
  Quantity evaluate(const std::string& text, const Location& where, const std::string& what, int depth);

  const Model& model_;
  const std::unordered_map<const Way*, Container*>& containers_;
  symbolic::Graph graph_;
  std::map<std::string, std::string> used_;
  std::string user_;  ///< what is evaluated
};

/// First word of a dotted name, and the rest ("" if there is none).
std::pair<std::string, std::string> split_name(const std::string& name);

/// What connections and names of components mean in the flat model.
class ConnectionResolver {
 public:
  ConnectionResolver(const Registry& registry, const std::unordered_map<const Way*, Container*>& containers,
                     std::vector<Component>& components, Constants& constants, Scopes& scopes,
                     const std::string& model_file, ErrorList& errors)
      : registry_(registry),
        containers_(containers),
        components_(components),
        constants_(constants),
        scopes_(scopes),
        folder_(std::filesystem::path(model_file).parent_path()),
        errors_(errors) {}

  /// Connects what the port of an instance is inside to a value of the outside.
  void bind_port(Container& instance, const Port& port, const Value& value);
  /// Resolves all entries of a component that name nodes, frames or components.
  void resolve_component(Component& component, Container& owner);
  /// Name of the flat model for what a port leads to.
  std::string port_meaning(Container& instance, const Port& port);

 private:
  void bind(Container& in, const Port& port, const std::string& target, const Value& value, int depth);
  std::string connect(const std::string& text, const Location& where, const std::string& what, const Domain* domain);
  std::string connect_in(Container& in, const std::string& text, const Location& where, const std::string& what,
                         const Domain* domain);
  std::string resolve_bound(Container& in, const std::string& label, const Domain* domain);
  std::string step_inside(Container& instance, const std::string& rest, const Location& where, const std::string& what,
                          const Domain* domain);
  std::string place_indices(const std::string& text, const Location& where, const std::string& what);
  void resolve_entries(Container& owner, const Description& d, const std::string& prefix, const std::string& name,
                       Entries& entries);
  void keep_indexed(const Value& value, const std::string& what);
  std::string place_file(const Value& value) const;

  const Registry& registry_;
  const std::unordered_map<const Way*, Container*>& containers_;
  std::vector<Component>& components_;
  Constants& constants_;
  Scopes& scopes_;
  std::filesystem::path folder_;  ///< of the model, from which files are looked for
  ErrorList& errors_;
};

}  // namespace coenergy::model
