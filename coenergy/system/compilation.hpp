#pragma once
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "coenergy/system/algebraic_rates.hpp"
#include "coenergy/system/builder.hpp"
#include "coenergy/system/component_values.hpp"
#include "coenergy/system/mechanism.hpp"
#include "coenergy/system/nodes.hpp"

namespace coenergy::system {

class Circuit;
class ComponentProbe;
class FluxCouplings;

/// A model while it is being compiled: what all components share. See compile.cpp for the steps.
struct Compilation {
  const model::Model& model;
  Builder builder;
  AlgebraicRates rates{builder};  ///< of algebraic variables, as far as equations need them
  std::unique_ptr<ModelParameters> parameters;
  BoundModel bound;
  std::vector<BoundComponent>& components = bound.components;
  std::unordered_map<std::string_view, int>& index = bound.index;
  Network network;
  std::unique_ptr<Mechanism> mechanism;                               ///< null without bodies
  std::vector<int> body_of, joint_of;                                 ///< mechanism index of each component; −1
  std::vector<std::vector<std::pair<std::string, int>>> frame_names;  ///< of each body: name, node
  std::vector<MechanismDescription::Joint> joints;
  std::vector<std::vector<std::string>> motion_names;  ///< of each joint

  std::unique_ptr<ComponentProbe> probe;  ///< what components ask of their ports
  std::unique_ptr<Circuit> circuit;       ///< topology of all circuits
  std::unique_ptr<FluxCouplings> fluxes;  ///< coils that share flux
  std::vector<std::string> notes;         ///< of components, for the user

  explicit Compilation(const model::Model& m);
  ~Compilation();

  /// State of a component's equations: they may be asked for before their turn, when another component uses an output.
  enum class Progress { waiting, running, done };
  struct Written {
    Written(const model::Description& d, std::pmr::memory_resource* memory);
    Progress progress = Progress::waiting;
    std::pmr::vector<std::optional<symbolic::Expr>> values;  ///< parameters as expressions, item by item
    std::map<int, int> dependent;     ///< states that follow from others: variable → algebraic unknown
    std::pmr::vector<int> variables;  ///< builder index of each own variable
    struct Output {
      std::string name, unit;
      symbolic::Expr value;
    };
    std::pmr::vector<Output> outputs;
    const Output* find_output(const std::string& name) const;  ///< null if there is none
    std::map<std::string, symbolic::Expr> additions;  ///< to outputs, by other components that were written before
    std::map<std::string, int> aliases;               ///< outputs used before they were written: algebraic unknowns
  };
  std::vector<Written> written;
  int depth = 0;  ///< components being written, each asked for by the one before

  void write_component(int c);
  /// The expression of parameter item: a parameter symbol, a number (structural zero or one), or a signal expression.
  symbolic::Expr parameter(int c, int p, int item);
  /// A signal by its full name, e.g. "joint1.q", "a.v", "motor.i"; nothing if there is none.
  std::optional<model::Quantity> find_signal(const std::string& name);
  std::vector<std::string> known_signals() const;
  /// The value of a user's expression of signals.
  model::Quantity evaluate(const model::Expression& e);
  symbolic::Expr across(int node, int order);
  FrameId find_frame(const model::Value& value, const std::string& what);
  /// Comparisons in users' expressions become modes switched by located events.
  symbolic::Expr make_relations(const std::string& name, symbolic::Expr e);
};

}  // namespace coenergy::system
