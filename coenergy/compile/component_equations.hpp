#pragma once
#include "coenergy/compile/compilation.hpp"
#include "coenergy/compile/energy_records.hpp"

namespace coenergy::compile {

/// Equations of one component, written straight into the builder of a compilation.
class ComponentEquations : public model::Equations {
 public:
  ComponentEquations(Compilation& compilation, int component) : m_(compilation), c_(component) {}

  symbolic::Graph& graph() override { return m_.builder.graph(); }
  model::Expr time() override { return m_.builder.variables().time(); }
  const std::string& component() const override { return bound().name(); }

  model::Expr operator[](model::Parameter h) override { return m_.parameter(c_, h.index, 0); }
  model::Vec3 operator[](model::Vector h) override;
  std::vector<model::Expr> operator[](model::List h) override;
  std::string operator[](model::Choice h) override { return bound().parameters[h.index].word; }
  bool has(model::Parameter h) const override { return bound().parameters[h.index].present; }
  bool has(model::Vector h) const override { return bound().parameters[h.index].present; }
  bool has(model::List h) const override { return bound().parameters[h.index].present; }
  double number(model::Parameter h) override;
  std::vector<double> numbers(model::List h) override;
  std::size_t size(model::List h) const override { return bound().parameters[h.index].scalars.size(); }
  std::string path(const std::string& file) const override;
  using Equations::numbers;
  bool connected(model::Frame h) const override { return bound().connections[h.index] != nullptr; }
  [[noreturn]] void refuse(const std::string& text) const override;
  void note(const std::string& text) override;

  model::Expr stretched(model::Fluid h) override;

  model::Expr operator[](model::State h) override;
  model::Expr der(model::State h) override;
  model::Expr operator[](model::Algebraic h) override { return m_.builder.variables().algebraic(variable(h.index)); }
  model::Expr operator[](model::Discrete h) override { return m_.builder.variables().discrete(variable(h.index)); }
  model::Expr operator[](model::Multiplier h) override { return m_.builder.variables().multiplier(variable(h.index)); }
  using Equations::operator[];
  using Equations::der;
  void zero(model::State h, const model::Expr& e) override;
  void zero(model::Algebraic h, const model::Expr& e) override { m_.builder.add_algebraic_row(variable(h.index), e); }
  model::State make_state(const std::string& name, const std::string& unit, double start, double nominal) override;
  model::Algebraic make_algebraic(const std::string& name, const std::string& unit) override;
  model::Discrete make_discrete(const std::string& name, const std::string& unit, double start) override;
  model::Multiplier make_multiplier(const std::string& name, const std::string& unit) override;
  void constraint(model::Multiplier h, const model::Expr& phi) override;
  void velocity_constraint(model::Multiplier h, const model::Expr& psi) override;
  bool follow_voltage(model::State current, const model::Expr& e) override;

  model::FrameMotion frame(model::Frame h) override;
  void apply(model::Frame h, const model::Vec3& force_W, const model::Vec3& torque_W) override;

  model::Expr coenergy(const model::Expr& w) override;
  void stored(const model::Expr& energy) override;
  void dissipated(const model::Expr& power) override;
  void supplied(const model::Expr& power) override;
  void output(const std::string& name, const std::string& unit, const model::Expr& e) override;
  model::Expr signal(const std::string& name) override;
  void add_to_row(const std::string& other, const std::string& variable, const model::Expr& e) override;
  void add_to_output(const std::string& other, const std::string& name, const model::Expr& e) override;
  void add_to_port(const std::string& other, const std::string& port, const model::Expr& e) override;
  std::optional<double> number(const std::string& other, const std::string& parameter) const override;
  std::optional<model::Expr> parameter(const std::string& other, const std::string& parameter) override;
  std::optional<model::Expr> flux_deviation(const std::string& coil) override;
  void add_deviating_flux(const std::string& coil, const model::Expr& flux) override;
  model::Expr time_derivative(const model::Expr& e) override;

  model::Expr delayed(const std::string& name, const model::Expr& u, const model::Expr& delay, double longest,
                      const model::Expr& before) override;
  model::Expr relation(const std::string& name, const model::Expr& g) override;
  void sample(model::Discrete h, const model::Expr& period, const model::Expr& offset,
              const model::Expr& value) override;
  void mode(model::Discrete h, const model::Expr& value) override { m_.builder.set_mode(variable(h.index), value); }
  void indicator(const std::string& name, const model::Expr& g) override;
  void require(const std::string& name, const model::Expr& g, const std::string& text) override;
  void at_impact(model::Discrete h, double value) override { m_.builder.set_mode_at_impact(variable(h.index), value); }
  void contact(const std::string& name, const std::string& force_unit, const model::Expr& depth,
               const model::Expr& restitution, const model::Expr& rest_rate) override;

 protected:
  model::Expr across(int port, int order) override;
  void add_through(int port, const model::Expr& e) override;
  bool port_connected(int port) const override { return m_.network.node_of[c_][port] >= 0 || is_own_shaft(port); }
  const model::Description& description() const override { return bound().type->description; }

 private:
  const BoundComponent& bound() const { return m_.components[c_]; }
  int variable(int index) const { return m_.written[c_].variables[index]; }
  mechanics::FrameId frame_id(model::Frame h);
  int find_other(const std::string& other) const;  ///< refuses unknown names
  bool is_own_shaft(int port) const;               ///< the port is the shaft of the joint this component is
  const NetworkNode* find_shaft(const equations::Address& at) const;
  int add_variable(int builder_index);
  model::Expr locate_kinks(model::Expr e);
  model::Expr add_forces(const model::Expr& w);  ///< ∂W*/∂q on whatever holds the positions; returns their power
  std::string unknown_name(const std::string& name) const;
  equations::UnknownInfo unknown_info(const std::string& name, const std::string& unit) const;
  void show(const std::string& name, const std::string& unit, const model::Expr& e, equations::SignalKind kind);
  EnergyRecords::Component* record() const;  ///< null where none are kept
  void join(int other) const;                ///< other's rows have parts of this component
  Compilation& m_;
  int c_;
};

/// Runs a step of one component; its mistake is noted and the others go on.
template <class Action>
void guard(Compilation& m, int c, ErrorList& errors, Action&& action) {
  try {
    ComponentEquations equations(m, c);
    action(equations);
  } catch (const Error& e) {
    if (e.items().size() == 1 && !e.items()[0].where.known())
      errors.add(m.components[c].component->where, m.components[c].name() + ": " + e.items()[0].text);
    else
      errors.add(e);
  }
}

}  // namespace coenergy::compile
