#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "coenergy/system/body_tree.hpp"
#include "coenergy/system/equation_set.hpp"
#include "coenergy/system/system.hpp"
#include "coenergy/system/variables.hpp"

namespace coenergy::system {

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
  int add_discrete(const std::string& name, double d0);
  int add_parameter(const std::string& name, const std::string& unit, double value);

  // what has been put in so far
  const EquationSet& equations() const;
  const UnknownInfo& coordinate_info(int k) const;
  const UnknownInfo& algebraic_info(int k) const;
  double coordinate_start(int k) const;
  double coordinate_start_rate(int k) const;
  std::string row_name(const symbolic::Expr& unknown) const;  ///< "" where none was set
  /// The value a mode takes at events; nothing for a discrete variable that a clock sets.
  std::optional<symbolic::Expr> mode_value(int discrete) const;
  double parameter_value(int k) const;
  const SignalInfo& parameter_info(int k) const;

  // rows: contributions to the same row add up
  void add_balance(int coordinate, const symbolic::Expr& e);
  void add_rotation_balance(int rotation, const symbolic::Vec3& e);         ///< torque balance in body axes
  void set_constraint(int multiplier, const symbolic::Expr& phi);           ///< also adds Φ_qᵀλ to the balances
  void set_velocity_constraint(int multiplier, const symbolic::Expr& psi);  ///< non-holonomic: ψ = A(q,t) v + b(q,t)
  void add_state_row(int state, const symbolic::Expr& e);
  void add_algebraic_row(int algebraic, const symbolic::Expr& e);
  /// What the row of an unknown states, for messages; without it the row has the unknown's name.
  void set_row_name(const symbolic::Expr& unknown, const std::string& name);

  /// Equations that many components share: one kernel, whatever the number of instances. The binding names this
  /// system's unknowns.
  void add_instance(std::shared_ptr<EquationSet> equations, Binding binding);

  void add_signal(const std::string& name, const std::string& unit, const symbolic::Expr& e);
  void add_stored_energy(const symbolic::Expr& e);
  void add_supplied_power(const symbolic::Expr& e);
  void add_dissipated_power(const symbolic::Expr& e);
  /// Adds the states energy.supplied and energy.dissipated, integrals of the powers, and the signal energy.stored:
  /// stored(t) − supplied(t) + dissipated(t) stays constant for an exact solution.
  void keep_energy_account();

  // events
  int add_clock(double period, double offset = 0);  ///< period 0: one instant, at the offset
  void set_clocked_update(int discrete, int clock, const symbolic::Expr& value);
  void set_mode(int discrete, const symbolic::Expr& value);  ///< re-evaluated at every event
  void add_indicator(const std::string& name, const symbolic::Expr& g);
  /// The relation g > 0 as a mode: 1 or 0, switched by a located event. Same g gives the same mode.
  symbolic::Expr relation(const std::string& name, const symbolic::Expr& g);

  /// A rigid unilateral contact: what the impulse needs to know of it. Its closed mode is a discrete variable.
  struct Contact {
    std::string name;
    symbolic::Expr depth, rate, restitution, rest_rate;
    int closed;
  };
  void add_contact(Contact contact);
  void set_mode_at_impact(int discrete, double value);

  std::size_t balances() const;  ///< contributions to balances of coordinates so far
  /// The bodies of the mechanism, where they form a tree whose symbols are coordinates of this builder. All but the
  /// first `component_balances` contributions to balances are the tree's.
  void set_tree(BodyTree tree, std::size_t component_balances);

  /// Finishes the symbolic derivation and makes the programs. The builder is empty afterwards.
  System build();

 private:
  void add_account();
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace coenergy::system
