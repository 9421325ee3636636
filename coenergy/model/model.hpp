#pragma once
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "coenergy/model/part.hpp"
#include "coenergy/model/plot.hpp"
#include "coenergy/model/scopes.hpp"
#include "coenergy/model/user_function.hpp"
#include "coenergy/model/value.hpp"

namespace coenergy::model {

/// What may be done with the shared libraries that a model names: they are code, and run with all rights of the user.
enum class Libraries {
  refused,  ///< a model that calls one is an error
  allowed,  ///< those in the folder of the model, or below it, are loaded
  replaced  ///< none is loaded: a stand-in that is always 1 takes the place of every function, to see names and units
};

/// A machine: named components with their values. Editable, no numerics; nothing is checked against the registry yet.
/// A model with parts and arrays becomes one of components alone by expand().
struct Model {
  std::string title;
  Entries parameters;  ///< model-wide quantities usable in all expressions; of instances in a flat model: "x.gear"
  Entries functions;   ///< of the user's own, in shared libraries
  Libraries libraries = Libraries::refused;
  /// Functions of the program that made the model, by the names that expressions call them.
  std::map<std::string, std::shared_ptr<const UserFunction>> own_functions;
  std::vector<Part> parts;  ///< of which components may be instances
  std::vector<Port> ports;  ///< where the model itself is used as a part
  std::vector<Component> components;
  Entries overrides;  ///< `x.motor.R`: entries inside instances and of elements of arrays
  Entries simulate;   ///< options of the run
  Entries problems;   ///< what studies are to find, section by section: unknowns, residuals, optimize, identify
  std::vector<Plot> plots;
  std::vector<Value> inputs;         ///< entries and parameters others may set: "U1.v"
  std::vector<Value> outputs;        ///< signals that are the model's outputs
  std::string formulation = "auto";  ///< of mechanisms: auto, relative, absolute, lagrange
  bool energy = false;               ///< keep an energy account (signals energy.stored, .supplied, .dissipated)
  std::string file;
  Location formulation_where;
  std::vector<std::string> notes;  ///< of readers: what was left out or understood in a particular way
  /// Of a flat model: parameters that decided which components there are, and the entry that asked (`s.repeat`).
  std::map<std::string, std::string> structural;
  std::shared_ptr<const Scopes> scopes;  ///< of a flat model that was expanded: what names mean inside instances

  Component& add(std::string name, std::string type, std::vector<std::pair<std::string, Value>> values);
  Component* find(const std::string& name);
  const Component* find(const std::string& name) const;
  const Part* find_part(const std::string& name) const;
  /// The component whose name begins a dotted path ("x.motor" of "x.motor.R"), and the rest of the path.
  std::pair<const Component*, std::string> find_owner(const std::string& path) const;
  /// Sets `component.entry` (`body.shape.sphere` inside a map), a model parameter, `simulate.entry`, `formulation` or
  /// `energy`, as `--set` does; `x.gear`, `x.motor.R`, `s3.R` of an instance and of an element of an array. Throws Error
  /// naming what is unknown, with a suggestion.
  void set(const std::string& path, Value value);
};

/// Places for errors that only know names: an item without one gets that of the first component or node its text names
/// (`rotor.w`, `a.v`), else the file.
Error locate(const Error& e, const Model& model);

}  // namespace coenergy::model
