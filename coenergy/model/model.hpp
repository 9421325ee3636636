#pragma once
#include <string>
#include <utility>
#include <vector>

#include "coenergy/model/value.hpp"

namespace coenergy::model {

/// One part of a machine, as the user wrote it.
struct Component {
  std::string name;                                   ///< unique in the model
  std::string type;                                   ///< "electrical.Resistor"
  std::vector<std::pair<std::string, Value>> values;  ///< ports and parameters, by name
  Location where, type_where;
};

/// A machine: named parts with their values. Editable, no numerics; nothing is checked against the registry yet.
struct Model {
  std::string title;
  std::vector<std::pair<std::string, Value>> parameters;  ///< model-wide quantities usable in all expressions
  std::vector<std::pair<std::string, Value>> functions;   ///< of the user's own, in shared libraries
  std::vector<Component> components;
  std::vector<std::pair<std::string, Value>> simulate;  ///< options of the run
  std::vector<std::vector<std::string>> plots;          ///< groups of signal names
  std::string formulation = "auto";                     ///< of mechanisms: auto, relative, absolute, lagrange
  bool energy = false;  ///< keep an energy account (signals energy.stored, .supplied, .dissipated)
  std::string file;
  std::vector<Value> plot_values;  ///< plots as written, for located errors
  Location formulation_where;

  Component& add(std::string name, std::string type, std::vector<std::pair<std::string, Value>> values);
  Component* find(const std::string& name);
  const Component* find(const std::string& name) const;
  /// Sets `component.entry` (`body.shape.sphere` inside a map), a model parameter, `simulate.entry`, `formulation` or
  /// `energy`, as `--set` does. Throws Error naming what is unknown, with a suggestion.
  void set(const std::string& path, Value value);
};

/// Places for errors that only know names: an item without one gets that of the first component or node its text names
/// (`rotor.w`, `a.v`), else the file.
Error locate(const Error& e, const Model& model);

}  // namespace coenergy::model
