#pragma once
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "coenergy/compile/component_values.hpp"
#include "coenergy/compile/nodes.hpp"
#include "coenergy/equations/algebraic_rates.hpp"
#include "coenergy/equations/builder.hpp"
#include "coenergy/mechanics/mechanism.hpp"

namespace coenergy::circuits {
class Circuit;
class Elements;
class FluxCouplings;
}  // namespace coenergy::circuits

namespace coenergy::compile {

class ComponentProbe;
struct EnergyRecords;

/// A model while it is being compiled: what all components share. See compile.cpp for the steps.
struct Compilation {
  const model::Model& model;
  equations::Builder builder;
  equations::AlgebraicRates rates{builder};  ///< of algebraic variables, as far as equations need them
  std::unique_ptr<ModelParameters> parameters;
  BoundModel bound;
  std::vector<BoundComponent>& components = bound.components;
  std::unordered_map<std::string_view, int>& index = bound.index;
  Network network;
  std::unique_ptr<mechanics::Mechanism> mechanism;                    ///< null without bodies
  std::vector<int> body_of, joint_of;                                 ///< mechanism index of each component; −1
  std::vector<std::vector<std::pair<std::string, int>>> frame_names;  ///< of each body: name, node
  std::vector<mechanics::MechanismDescription::Joint> joints;
  std::vector<std::vector<std::string>> motion_names;  ///< of each joint

  std::unique_ptr<ComponentProbe> probe;            ///< what components ask of their ports
  std::unique_ptr<circuits::Elements> elements;     ///< components as elements of circuits
  std::unique_ptr<circuits::Circuit> circuit;       ///< topology of all circuits
  std::unique_ptr<circuits::FluxCouplings> fluxes;  ///< coils that share flux
  std::vector<std::string> notes;                   ///< of components, for the user
  std::unique_ptr<EnergyRecords> records;           ///< of energies and ports, where somebody wants them

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
  bool cuts_inputs = false;         ///< see CompileOptions::cut
  std::vector<std::string> opened;  ///< "opened: U1.v (was pid.y)" of inputs that were cut
  std::vector<int> running;         ///< components being written, each asked for by the one before

  void write_component(int c);
  /// The expression of parameter item: a parameter symbol, a number (structural zero or one), or a signal expression.
  symbolic::Expr parameter(int c, int p, int item,
                           equations::ParameterInfo::Kind kind = equations::ParameterInfo::Kind::entry);
  /// The same of a start value, where the user gave one: it is a parameter, which the start follows.
  symbolic::Expr start_parameter(int c, int p);
  /// A parameter of the model, as a symbol; nothing if there is none of this name.
  std::optional<model::Quantity> find_model_parameter(const std::string& name);
  /// The number of an entry was asked for: to decide on equations by, only to be checked, or to be drawn.
  void note_read(int c, int p, int item);
  enum class Reading { equations, checks, drawing } reading = Reading::equations;
  /// Makes parameters of the model known that no equation has asked for, and marks those that are built in.
  void finish_parameters();
  /// The number of an expression of parameters, which stays symbolic; nothing where other variables stand in it.
  std::optional<double> find_value(const symbolic::Expr& e);
  /// A signal by its full name, e.g. "joint1.q", "a.v", "motor.i"; nothing if there is none.
  /// One place answers for all: parameters of the model, declared signals (see Builder), nodes and components.
  std::optional<model::Quantity> find_signal(const std::string& name);
  std::vector<std::string> known_signals(const Way* inside) const;
  /// The value of a user's expression of signals.
  model::Quantity evaluate(const model::Expression& e, const std::string& entry);
  symbolic::Expr across(int node, int order);
  symbolic::Expr state_of(const NetworkNode& node);
  mechanics::FrameId find_frame(const model::Value& value, const std::string& what);
  /// Comparisons in users' expressions become modes switched by located events.
  symbolic::Expr make_relations(const std::string& name, symbolic::Expr e);

 private:
  std::unordered_map<std::string, int> model_parameters_;  ///< builder index
  std::string item_name(int c, int p, int item) const;
  std::optional<symbolic::Expr>& slot(int c, int p, int item);
  /// A value that varies is held within its bounds where physics holds it there; else a run ends where it leaves them.
  symbolic::Expr keep_in_bounds(const model::ParameterInfo& info, const ScalarValue& scalar, const std::string& name,
                                const symbolic::Expr& e);
  /// A parameter of the model has decided on equations, by the entry.
  void mark_built_in(const std::string& name, const std::string& entry);
  symbolic::Expr evaluate_law(const model::Expression& e, const std::string& entry);
  /// The number of an expression of parameters, which become built in by the entry.
  std::optional<double> make_number(const symbolic::Expr& e, const std::string& entry);
  std::optional<model::Quantity> find_node_signal(int node, const std::string& field);
  std::optional<model::Quantity> find_component_signal(int c, const std::string& field);
  model::Quantity find_variable(int c, int variable);
  std::optional<model::Quantity> find_output(int c, const std::string& field, const std::string& unit);
};

}  // namespace coenergy::compile
