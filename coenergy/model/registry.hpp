#pragma once
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "coenergy/model/circuit.hpp"
#include "coenergy/model/description.hpp"
#include "coenergy/model/equations.hpp"
#include "coenergy/model/multibody.hpp"

namespace coenergy::model {

/// A kind of component: its description and what it can state. Which of the functions exist follows from the members of
/// the component's struct:
///   void describe(Description&)                     always
///   void equations(Equations&) const                laws over ports and own variables
///   std::vector<Branch> branches(Equations&) const  how its pins are joined, for the topology of circuits
///   HeldPort held(Equations&) const                 it gives the pressure of a port
///   std::optional<FluxCoupling> coupling(Equations&) const  it couples two coils; nothing where its values vary
///   RigidBody body(Equations&) const                it is a body
///   Joint joint(Equations&) const                   it connects two frames
///   Vec3 gravity(Equations&) const                  it sets the field
///   void flexible(Equations&, FlexibleBody&) const  it is a flexible body
///   std::vector<Shape> drawing(Equations&) const    pictures
struct ComponentType {
  Description description;
  std::function<void(Equations&)> equations;
  std::function<std::vector<Branch>(Equations&)> branches;
  std::function<HeldPort(Equations&)> held;
  std::function<std::optional<FluxCoupling>(Equations&)> coupling;
  std::function<RigidBody(Equations&)> body;
  std::function<Joint(Equations&)> joint;
  std::function<Vec3(Equations&)> gravity;
  std::function<void(Equations&, FlexibleBody&)> flexible;
  std::function<std::vector<Shape>(Equations&)> drawing;
};

template <class T>
ComponentType make_component_type() {
  T prototype;
  ComponentType type;
  prototype.describe(type.description);
  if constexpr (requires(const T& c, Equations& eq) { c.equations(eq); })
    type.equations = [prototype](Equations& eq) { prototype.equations(eq); };
  if constexpr (requires(const T& c, Equations& eq) { c.branches(eq); })
    type.branches = [prototype](Equations& eq) { return prototype.branches(eq); };
  if constexpr (requires(const T& c, Equations& eq) { c.held(eq); })
    type.held = [prototype](Equations& eq) { return prototype.held(eq); };
  if constexpr (requires(const T& c, Equations& eq) { c.coupling(eq); })
    type.coupling = [prototype](Equations& eq) { return prototype.coupling(eq); };
  if constexpr (requires(const T& c, Equations& eq) { c.body(eq); })
    type.body = [prototype](Equations& eq) { return prototype.body(eq); };
  if constexpr (requires(const T& c, Equations& eq) { c.joint(eq); })
    type.joint = [prototype](Equations& eq) { return prototype.joint(eq); };
  if constexpr (requires(const T& c, Equations& eq) { c.gravity(eq); })
    type.gravity = [prototype](Equations& eq) { return prototype.gravity(eq); };
  if constexpr (requires(const T& c, Equations& eq, FlexibleBody& b) { c.flexible(eq, b); })
    type.flexible = [prototype](Equations& eq, FlexibleBody& b) { prototype.flexible(eq, b); };
  if constexpr (requires(const T& c, Equations& eq) { c.drawing(eq); })
    type.drawing = [prototype](Equations& eq) { return prototype.drawing(eq); };
  return type;
}

/// The kinds of components a program knows, by type name.
class Registry {
 public:
  template <class T>
  void add() {
    add(make_component_type<T>());
  }
  void add(ComponentType type);                              ///< asserts that the name is new
  const ComponentType* find(const std::string& type) const;  ///< null if unknown
  std::vector<std::string> names() const;                    ///< sorted

 private:
  std::map<std::string, ComponentType> types_;
};

}  // namespace coenergy::model
