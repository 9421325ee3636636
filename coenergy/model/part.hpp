#pragma once
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "coenergy/model/plot.hpp"
#include "coenergy/model/value.hpp"

namespace coenergy::model {

/// Named values, in the order of the file.
using Entries = std::vector<std::pair<std::string, Value>>;

/// Replaces or adds an entry; `shape.sphere` is the entry sphere of the map shape, where there is one.
void set_entry(Entries& entries, const std::string& key, Value value);

/// How often and with which changes a component stands in its model.
struct Arrangement {
  std::optional<Value> condition;  ///< `if`: it is there where this is not 0
  std::optional<Value> repeat;     ///< a number of elements, or {k: 30}: index variable and number
  Entries first, last;             ///< entries of the first and the last element, instead of those of all
  Entries overrides;               ///< of an instance: `motor.R`, entries of what is inside it
};

/// One component of a machine, as the user wrote it, or one instance of a part.
struct Component {
  std::string name;  ///< unique in the model; of a flat model with the way to it: "robot.x.motor"
  std::string type;  ///< "electrical.Resistor", or the name of a part
  Entries values;    ///< ports and parameters, by name
  Location where, type_where;
  std::shared_ptr<const Arrangement> arrangement;  ///< null: once, as it is

  /// For changes: a copy of its own.
  Arrangement& arrange();
};

/// A thing inside a part under a name for the outside.
struct Port {
  std::string name;
  Value inner;                    ///< a node, a port of a component, a body or frame, a port of an instance, a signal
  bool optional = false;          ///< a node that may stay unconnected
  std::optional<Value> fallback;  ///< what a node is connected to unless the instance says something else
  Location where;
};

/// A reusable piece of a machine: components that see each other, the part's parameters and the model's, and that the
/// outside sees through ports.
struct Part {
  /// The default of a parameter that every instance has to give.
  static constexpr const char* required = "required";

  std::string name;  ///< "Axis", "motors.Axis"
  Location where;
  std::vector<Port> ports;
  Entries parameters;  ///< with their defaults
  std::vector<Component> components;
  Entries overrides;        ///< entries of what a file holds that is read as a part
  std::vector<Plot> plots;  ///< of every instance
};

/// Splits entries of components that say how they stand in the model (if, repeat, first, last, override) from the
/// others. Throws located errors where one of them is no such thing.
void split_arrangement(Component& component);

}  // namespace coenergy::model
