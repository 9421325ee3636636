#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "coenergy/base/error.hpp"
#include "coenergy/equations/equation_set.hpp"
#include "coenergy/equations/history.hpp"
#include "coenergy/equations/layout.hpp"
#include "coenergy/equations/lazy_function.hpp"
#include "coenergy/equations/system.hpp"
#include "coenergy/equations/variables.hpp"

namespace coenergy::equations {

/// Puts a System together from equations in symbolic form. compile(Model) ends here; tests may start here.
///
///   Builder b;
///   int x = b.add_coordinate({"mass.x", "m"}, 0.1, 0.0);
///   auto c = b.variables().coordinate(x);
///   b.add_balance(x, m * c.a + k * c.q);
///   System system = b.build();
class Builder {
 public:
  Builder();
  ~Builder();
  Builder(const Builder&) = delete;
  Builder& operator=(const Builder&) = delete;

  symbolic::Graph& graph();
  Variables& variables();

  int add_coordinate(UnknownInfo info, double q0, double v0);
  /// Quaternion and body angular velocity at the start.
  int add_rotation(UnknownInfo info, std::array<double, 4> p0, std::array<double, 3> w0);
  int add_multiplier(UnknownInfo info);
  int add_state(UnknownInfo info, double x0);
  int add_algebraic(UnknownInfo info, double y0 = 0);
  void add_dependent_start(DependentStart start);
  /// Of each node the three coordinates of its position and its rotation.
  struct NodeUnknowns {
    std::array<int, 3> x;
    int rotation;
  };
  void add_flexible_body(std::vector<NodeUnknowns> nodes);
  int add_discrete(const std::string& name, double d0);
  int add_parameter(ParameterInfo info, double value);
  int add_parameter(const std::string& name, const std::string& unit, double value) {
    return add_parameter(ParameterInfo{name, unit}, value);
  }

  /// The parameter follows others: its value is an expression of parameters that were added before.
  void set_law(int parameter, const symbolic::Expr& value);
  /// The start value of a variable q, v, x or y is an expression of parameters.
  void set_start(const symbolic::Expr& variable, const symbolic::Expr& value);
  /// The number of a parameter went into the equations; `entry` says where.
  void mark_built_in(int parameter, const std::string& entry);

  // what has been put in so far
  const EquationSet& equations() const;
  const UnknownInfo& coordinate_info(int k) const;
  const UnknownInfo& algebraic_info(int k) const;
  double coordinate_start(int k) const;
  double coordinate_start_rate(int k) const;
  std::string row_name(const symbolic::Expr& unknown) const;  ///< "" where none was set
  /// The value a mode takes at events; nothing for a discrete variable that a clock sets.
  std::optional<symbolic::Expr> mode_value(int discrete) const;
  double parameter_value(int k) const;  ///< to make equations by: see System::find_built_in
  void mark_checked(int k);  ///< its number says whether the model is right, and nothing else follows from it
  const ParameterInfo& parameter_info(int k) const;

  // rows: contributions to the same row add up
  void add_balance(int coordinate, const symbolic::Expr& e);
  void add_rotation_balance(int rotation, const symbolic::Vec3& e);         ///< torque balance in body axes
  void set_constraint(int multiplier, const symbolic::Expr& phi);           ///< also adds Φ_qᵀλ to the balances
  void set_velocity_constraint(int multiplier, const symbolic::Expr& psi);  ///< non-holonomic: ψ = A(q,t) v + b(q,t)
  /// Where the row of an algebraic variable y holds velocities alone, linearly, and neither y nor anything else that is solved
  /// for (a flow that is given through ideal cylinders): makes it a velocity constraint with a multiplier λ = y, whose
  /// forces are those that y exerts already. False, and nothing done, where the row is another one.
  bool follow_rates(int algebraic, const UnknownInfo& multiplier);
  void add_state_row(int state, const symbolic::Expr& e);
  void add_algebraic_row(int algebraic, const symbolic::Expr& e);
  /// What the row of an unknown states, for messages; without it the row has the unknown's name.
  void set_row_name(const symbolic::Expr& unknown, const std::string& name);
  /// The row is a balance of a node or joint: "OWNER force balance", and `axis` behind it.
  void set_balance(const symbolic::Expr& unknown, const std::string& owner, RowKind kind, const std::string& axis = "");

  /// Equations that many components share: one kernel, whatever the number of instances. The binding names this
  /// system's unknowns.
  void add_instance(std::shared_ptr<EquationSet> equations, Binding binding);

  // signals: each is declared once; what is declared before it has a value can be used in expressions all the same
  void add_signal(SignalInfo info, const symbolic::Expr& e);
  void add_signal(const std::string& name, const std::string& unit, const symbolic::Expr& e) {
    add_signal(SignalInfo{name, unit}, e);
  }
  /// A signal that define_signal() will give its value. `early` tells the value before that, where it can be told.
  void declare_signal(SignalInfo info, std::function<symbolic::Expr()> early = {});
  void define_signal(const std::string& name, const symbolic::Expr& e);
  /// A declared signal and what stands for it: its value, or an algebraic unknown that will be equal to it. Nothing if
  /// none of this name is declared.
  struct DeclaredSignal {
    const SignalInfo* info;
    symbolic::Expr value;
  };
  std::optional<DeclaredSignal> use_signal(const std::string& name);
  std::vector<std::string> declared_signals() const;  ///< names of those that have no value yet
  /// The next seven signals are the pose of a frame.
  void begin_frame(const std::string& name);
  /// Binds an input to an expression of signals that can be cut off: `closed` value + (1 − `closed`) parameter.
  symbolic::Expr add_opened_input(ParameterInfo info, const symbolic::Expr& value, const std::string& was);

  void add_stored_energy(const symbolic::Expr& e);
  void add_supplied_power(const symbolic::Expr& e);
  void add_dissipated_power(const symbolic::Expr& e);
  /// Declares the states energy.supplied and energy.dissipated, integrals of the powers, and the signal energy.stored:
  /// stored(t) − supplied(t) + dissipated(t) stays constant for an exact solution.
  void keep_energy_account();

  // events
  /// Ticks at offset + k·period, k = 0, 1, …; period 0: one instant, at the offset. Both may follow parameters.
  int add_clock(const symbolic::Expr& period, const symbolic::Expr& offset = 0);
  /// Updates of one instant are carried out in the order of the signal flow; see order_samples() about owners.
  void set_clocked_update(int discrete, int clock, const symbolic::Expr& value, int owner = -1);
  void set_mode(int discrete, const symbolic::Expr& value);  ///< re-evaluated at every event
  void add_indicator(const std::string& name, const symbolic::Expr& g);
  /// The relation g > 0 as a mode: 1 or 0, switched by a located event. Same g gives the same mode.
  symbolic::Expr relation(const std::string& name, const symbolic::Expr& g);

  /// A signal u that is read later, at the time `at` before the present one, by at most `longest` (s); `before` is what it
  /// was before the start of a run. `passed` is a discrete variable: the stretch of u that is read (see History).
  struct Delay {
    std::string name;
    symbolic::Expr u, at, before;
    double longest;
    int passed;
    std::string input;  ///< signal that shows u
  };
  /// u at that time: in a run a function of time, elsewhere u itself; and a parameter, zero, that is added to it, by which
  /// linear models tell what they do with it (analyze/delays.hpp).
  symbolic::Expr add_delay(const Delay& delay);

  /// What must not happen: a run in which g becomes positive ends there with this text, and a start is refused with it.
  /// With `excludes_zero` g = 0 is no better.
  void add_requirement(const std::string& name, const symbolic::Expr& g, const std::string& text, Location where = {},
                       bool excludes_zero = false);

  /// A rigid unilateral contact: what the impulse needs to know of it. Its closed mode is a discrete variable.
  struct Contact {
    std::string name;
    symbolic::Expr depth, rate, restitution, rest_rate;
    int closed;
  };
  void add_contact(Contact contact);
  void set_mode_at_impact(int discrete, double value);

  std::size_t balances() const;  ///< contributions to balances of coordinates so far
  /// How M⁻¹ r is computed without the matrix M = ∂R/∂a, where somebody knows (see Evaluator::solve_mass): a function
  /// of the value array and of r.
  using MassSolverMaker = std::function<LazyFunction(const std::shared_ptr<EquationSet>&, const Layout&)>;
  void set_mass_solver(MassSolverMaker make);

  /// Finishes the symbolic derivation and makes the programs. The builder is empty afterwards.
  System build();

 private:
  void add_account();
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace coenergy::equations
