#pragma once
#include <optional>
#include <string>
#include <vector>

#include "coenergy/model/description.hpp"
#include "coenergy/symbolic/vector.hpp"

namespace coenergy::model {

using symbolic::Expr;
using symbolic::Mat3;
using symbolic::Vec3;

/// Position and motion of a frame B against the world W.
struct FrameMotion {
  Mat3 R_WB;    ///< v_W = R_WB v_B
  Vec3 p_WB;    ///< origin, in world axes
  Vec3 v_WB;    ///< velocity of the origin, in world axes
  Vec3 w_WB_B;  ///< angular velocity, in body axes
};

/// What a component writes its equations with. Plain C++ over symbols; implemented by the system compiler.
///
/// Sign rule for all domains: a through variable is positive *into* the component; at a node the through variables of
/// all components sum to zero.
class Equations {
 public:
  virtual ~Equations() = default;
  virtual symbolic::Graph& graph() = 0;
  virtual Expr time() = 0;
  /// Full name of the component, e.g. "R1".
  virtual const std::string& component() const = 0;

  // ---- what the user gave
  virtual Expr operator[](Parameter) = 0;
  virtual Vec3 operator[](Vector) = 0;
  virtual std::vector<Expr> operator[](List) = 0;
  virtual std::string operator[](Choice) = 0;
  virtual bool has(Parameter) const = 0;  ///< given, or has a default
  virtual bool has(Vector) const = 0;
  virtual bool has(List) const = 0;
  virtual double number(
      Parameter) = 0;  ///< value of a constant parameter, where structure depends on it (counts, periods)
  virtual std::vector<double> numbers(List) = 0;  ///< values of a list of constants; empty if it is absent
  virtual std::size_t size(List) const = 0;       ///< number of its items, which are not read
  /// Where a file is that the user named: beside the model.
  virtual std::string path(const std::string& file) const = 0;
  std::vector<double> numbers(Vector v) { return numbers(List{v.index}); }
  virtual bool connected(Frame) const = 0;
  bool connected(Pin h) const { return port_connected(h.index); }
  bool connected(Rotational h) const { return port_connected(h.index); }
  bool connected(Translational h) const { return port_connected(h.index); }
  bool connected(Fluid h) const { return port_connected(h.index); }
  bool connected(Gas h) const { return port_connected(h.index); }
  [[noreturn]] virtual void refuse(const std::string& text) const = 0;  ///< user error located at this component

  virtual void note(const std::string& text) = 0;  ///< something the user should know, for `check` and reports

  // ---- across variables of nodes and their rates, through variables
  Expr operator[](Pin h) { return across(h.index, 0); }
  Expr operator[](Rotational h) { return across(h.index, 0); }
  Expr operator[](Translational h) { return across(h.index, 0); }
  Expr operator[](Fluid h) { return across(h.index, 0); }
  Expr operator[](Gas h) { return across(h.index, 0); }
  /// The pressure that the oil of a node would have if it could be pulled: where a node stores oil, its state p̂. The
  /// pressure is max(p̂, vacuum), and der() the rate of p̂; see hydraulic/oil.hpp.
  virtual Expr stretched(Fluid) = 0;
  template <class Port>
  Expr der(Port h) {
    return across(h.index, 1);
  }
  template <class Port>
  Expr der2(Port h) {
    return across(h.index, 2);
  }
  template <class Port>
  void through(Port h, const Expr& e) {
    add_through(h.index, e);
  }

  // ---- own variables
  virtual Expr operator[](State) = 0;
  virtual Expr der(State) = 0;
  virtual Expr operator[](Algebraic) = 0;
  virtual Expr operator[](Discrete) = 0;
  virtual Expr operator[](Multiplier) = 0;
  virtual void zero(State, const Expr& e) = 0;  ///< the row that belongs to a state: e = 0
  virtual void zero(Algebraic, const Expr& e) = 0;
  /// An own variable that only some instances have (a count or an option decides). Known to others as component.name
  /// once the equations are written.
  virtual State make_state(const std::string& name, const std::string& unit, double start, double nominal = 1) = 0;
  virtual Algebraic make_algebraic(const std::string& name, const std::string& unit) = 0;
  virtual Discrete make_discrete(const std::string& name, const std::string& unit, double start) = 0;
  virtual Multiplier make_multiplier(const std::string& name, const std::string& unit) = 0;
  /// Φ = 0 over across variables of mechanical nodes (and time); forces Φ_qᵀλ follow.
  virtual void constraint(Multiplier, const Expr& phi) = 0;
  /// Non-holonomic: ψ = A(q, t) q̇ + b(q, t) = 0 over the same and their rates; forces Aᵀλ follow.
  virtual void velocity_constraint(Multiplier, const Expr& psi) = 0;

  /// For a branch of kind voltage that follows others. Where sources alone hold its voltage u, motion obeys: writes
  /// ψ = u − e = 0 with the current as multiplier, e the voltage that the motion makes, so that the forces i ∂e/∂q̇ act;
  /// returns true. Else nothing is written.
  virtual bool follow_voltage(State current, const Expr& e) = 0;

  // ---- frames (multibody)
  virtual FrameMotion frame(Frame) = 0;
  /// A force (at the frame's origin) and a torque acting *on* the body that carries the frame, in world axes.
  virtual void apply(Frame, const Vec3& force_W, const Vec3& torque_W) = 0;

  // ---- energies: forces follow by differentiation to the mechanical ports, and the energy account is kept
  void potential(const Expr& v);    ///< V(across): through += ∂V/∂across, stored += V
  void kinetic(const Expr& t);      ///< T(rates): through += d/dt ∂T/∂rate (T without across), stored += T
  void dissipation(const Expr& d);  ///< D(rates): through += ∂D/∂rate, dissipated += Σ rate ∂D/∂rate
  /// W*(coordinates, own variables): the forces ∂W*/∂q act on all coordinates that W* depends on, whatever component
  /// they belong to. Returns the power they deliver, Σ ∂W*/∂q q̇.
  virtual Expr coenergy(const Expr& w) = 0;
  virtual void stored(const Expr& energy) = 0;  ///< account only
  virtual void dissipated(const Expr& power) = 0;
  virtual void supplied(const Expr& power) = 0;

  virtual void output(const std::string& name, const std::string& unit, const Expr& e) = 0;

  // ---- couplings between components that know each other by name
  virtual Expr signal(const std::string& name) = 0;  ///< of another component, e.g. "L1.i"; refuses unknown names
  /// Adds to the row that belongs to a described variable of another component.
  virtual void add_to_row(const std::string& other, const std::string& variable, const Expr& e) = 0;
  /// Adds to a signal of another component, which is to be what flows through its ports.
  virtual void add_to_output(const std::string& other, const std::string& name, const Expr& e) = 0;
  /// Adds to the through variable of another component's port.
  virtual void add_to_port(const std::string& other, const std::string& port, const Expr& e) = 0;

  /// A constant parameter of another component; nothing where there is none, or where it varies.
  virtual std::optional<double> number(const std::string& other, const std::string& parameter) const = 0;
  /// A scalar parameter of another component, which may vary; nothing where there is none.
  virtual std::optional<Expr> parameter(const std::string& other, const std::string& parameter) = 0;
  /// Of a coil that shares all its flux with others: the current δ whose flux, added to by all such coils, is zero
  /// (circuits/flux_couplings.hpp). Nothing for all other coils, whose currents are states or follow by Kirchhoff's laws.
  virtual std::optional<Expr> flux_deviation(const std::string& coil) = 0;
  /// Adds to the flux of the deviations in a coil.
  virtual void add_deviating_flux(const std::string& coil, const Expr& flux) = 0;

  // ---- time derivative of an expression of across variables, states and time
  virtual Expr time_derivative(const Expr& e) = 0;

  // ---- the past
  /// u at the time t − delay of a run, no longer ago than `longest` (s); `before`, an expression of time, is what u was
  /// before the start. Jumps and bends of u arrive as located events, which the discrete variable `name` counts. Where
  /// nothing moves (operating points), it is u itself. The output name_input shows u.
  virtual Expr delayed(const std::string& name, const Expr& u, const Expr& delay, double longest,
                       const Expr& before) = 0;

  // ---- events
  virtual Expr relation(const std::string& name, const Expr& g) = 0;  ///< g > 0 as a mode, located
  /// d ← value at t = offset + k·period, in the order of the flow; period 0: once. Both are of parameters only.
  virtual void sample(Discrete, const Expr& period, const Expr& offset, const Expr& value) = 0;
  virtual void mode(Discrete, const Expr& value) = 0;  ///< re-evaluated at every event
  virtual void indicator(const std::string& name, const Expr& g) = 0;
  /// What must not happen: a start with g > 0 is refused with this text, and a run in which g becomes positive ends.
  virtual void require(const std::string& name, const Expr& g, const std::string& text) = 0;
  /// The value of a mode while an impact passes, from which it is decided anew afterwards.
  virtual void at_impact(Discrete, double value) = 0;
  /// A rigid unilateral contact δ(q, t) ≤ 0. Open until δ would become positive; then an impulse through the whole
  /// machine reverses the rate, δ̇⁺ = −e δ̇⁻ (Newton), or, where e δ̇⁻ is below rest_rate, closes the contact: δ̇ = 0
  /// with a force ≥ 0 (algebraic variable name_force, discrete name_closed) until the force would have to pull.
  virtual void contact(const std::string& name, const std::string& force_unit, const Expr& depth,
                       const Expr& restitution, const Expr& rest_rate) = 0;

 protected:
  virtual Expr across(int port, int order) = 0;
  virtual void add_through(int port, const Expr& e) = 0;
  virtual bool port_connected(int port) const = 0;
  virtual const Description& description() const = 0;
};

}  // namespace coenergy::model
