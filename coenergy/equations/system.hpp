#pragma once
#include <array>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "coenergy/equations/declarations.hpp"
#include "coenergy/equations/point.hpp"

namespace coenergy::equations {

class History;

/// Compressed-column pattern of a square matrix.
struct SparsePattern {
  int n = 0;
  std::vector<int> column_start, row;
};

/// A node of a flexible body: unknowns of its position (world axes) and the first of its three turns (body axes).
struct FlexibleNode {
  std::array<int, 3> x;
  int turn;
};

/// An input that was bound to an expression of signals when the system was compiled for it (CompileOptions::inputs).
struct OpenedInput {
  int parameter;
  std::string was;  ///< the expression, as the user wrote it
};

/// Signals that are the pose of a frame: x y z p0 p1 p2 p3 follow each other.
struct FrameSignals {
  std::string name;
  int first;
};

/// A start value the user gave to a variable that follows from others (see Circuit).
struct DependentStart {
  int algebraic;         ///< its index among y
  std::string entry;     ///< "C1.v0"
  std::string relation;  ///< "C1.v = C2.v + U1.v"
};

/// The coupled equations of a model. Immutable and shareable between threads; an Evaluator computes with it.
///
/// Unknowns and rows, in this order (n = nv + nl + nx + ny of each, one row belongs to one unknown):
///   rows 0..nv        balance of forces      R_q(t, q, v, a, λ, x, ẋ, y, d) = 0     (contains M a + Φ_qᵀ λ − g)
///   rows nv..nv+nl    constraints            Φ(q, t) = 0, or Φ̇, Φ̈ by Level; of a non-holonomic one A v + b = 0 stands
///                                            for the first two
///   then nx rows      states                 R_x(…) = 0  (ẋ − f, or any row that makes the system regular in ẋ and y)
///   then ny rows      algebraic              R_y(…) = 0
/// The system is regular in (a, λ, ẋ, y) when q, v, x are given and constraints are taken at acceleration level (index
/// 1).
class System {
 public:
  struct Data;
  explicit System(std::shared_ptr<const Data> data) : data_(std::move(data)) {}
  const Data& data() const { return *data_; }

  int nq() const;  ///< configuration numbers
  int nv() const;  ///< velocities (= degrees of freedom before constraints)
  int nl() const;
  int nx() const;
  int ny() const;
  int nd() const;
  int n() const { return nv() + nl() + nx() + ny(); }

  /// Unknown (and row) i of n, in the order above. Velocity entries of a rotation are named name.wx, .wy, .wz.
  const UnknownInfo& unknown(int i) const;
  bool is_velocity_constraint(int multiplier) const;  ///< non-holonomic
  const std::string& row_name(int i) const;           ///< "a current balance", for messages
  const RowInfo& row(int i) const;

  const SparsePattern& pattern() const;  ///< union over all weights and levels
  /// Of the matrix that implicit methods factor: pattern(), or a larger one with fewer entries, whose first n rows and
  /// columns are those of the unknowns (see SolverForm).
  const SparsePattern& solver_pattern() const;
  bool has_mass_solver() const;  ///< Evaluator::solve_mass serves: the bodies form a tree
  /// In all unknowns, as long as the discrete variables keep their values; or with any values of those.
  bool is_linear() const { return is_linear(false); }
  bool is_linear_in_all_modes() const { return is_linear(true); }
  const std::vector<int>& matrix_modes()
      const;  ///< the discrete variables that the matrix of a linear system depends on
  /// In accelerations, multipliers, rates and algebraic variables, as long as the others keep their values.
  bool is_linear_in_rates() const;
  const std::vector<SignalInfo>& signals() const;
  int find_signal(const std::string& name) const;  ///< −1 if there is none
  /// The same; throws Error where there is none: "WHAT: there is no signal "NAME"", with the nearest name.
  int get_signal(const std::string& name, const std::string& what) const;
  const std::vector<FrameSignals>& frames() const;  ///< of bodies, and of frames that flexible bodies name
  const Point& start() const;                       ///< start values (not yet consistent)
  const std::vector<DependentStart>& dependent_starts() const;
  /// The nodes of each flexible body: as long as they keep their distances, it is not strained.
  const std::vector<std::vector<FlexibleNode>>& flexible_bodies() const;
  int indicators() const;  ///< number of event indicators
  int delays() const;      ///< number of signals that are read later
  const std::string& indicator_name(int k) const;

  // parameters by full name, e.g. "motor.k"
  int parameters() const;
  const ParameterInfo& parameter_info(int k) const;
  const std::string& parameter_name(int k) const;
  const std::string& parameter_unit(int k) const;
  double parameter(int k) const;
  int find_parameter(const std::string& name) const;
  /// The parameter that is the rate of another one in the equations, or of "time"; −1 where the equations hold no such
  /// rate. Rates of parameters are zero, that of time is one: inputs of a linear model and operating points change
  /// them.
  int find_rate(const std::string& name) const;
  const std::vector<OpenedInput>& opened() const;
  /// The entry by which a parameter (or one that follows it) became a number in the equations, so that only compiling
  /// again can change it; "" where it may be set.
  std::string find_built_in(int parameter) const;
  /// A discrete variable that is set at times which follow the parameter (a sample whose period it is), "" where there
  /// is none.
  std::string find_clocked(int parameter) const;

  /// Text of the equations by row, in readable form.
  std::string equations() const;

 private:
  bool is_linear(bool in_all_modes) const;
  std::shared_ptr<const Data> data_;
};

/// Computes with a system: owns all working memory, so that no call but the first of its kind allocates (that one also
/// makes the program, where no other evaluator of the system has needed it before). One evaluator per thread.
class Evaluator {
 public:
  explicit Evaluator(System system);
  ~Evaluator();
  Evaluator(Evaluator&&) noexcept;
  Evaluator& operator=(Evaluator&&) noexcept;

  const System& system() const;
  /// Parameters that follow k by the model ("motor.k" of `k: 2*kT`) take their new values. One that follows may be set
  /// itself, until what it follows is set again.
  void set_parameter(int k, double value);
  void set_parameter_alone(int k, double value);  ///< what follows it keeps its value: to put back a state of all
  /// The same; throws Error for a name that is none, and for one that is built into the equations.
  void set_parameter(const std::string& name, double value);
  /// dp/dp_k of k itself (1) and of all parameters that follow it, at their present values.
  std::vector<std::pair<int, double>> parameter_slopes(int k) const;
  double parameter(int k) const;
  std::span<const double> parameters() const;
  /// Cuts the opened inputs from the expressions they were bound to: from here on they are parameters, which keep the
  /// values they have at p. Before that they follow their expressions, and so they do in every new evaluator.
  void open_inputs(const Point& p);

  /// What delayed signals are read from; it must outlive its use. Without (nullptr) every delayed signal has its
  /// present value, as in a steady state.
  void follow(const std::vector<History>* histories);
  struct Delayed {
    double u, at;  ///< a signal that is read later, and the time at which it is read now
  };
  void delays(const Point& p, std::span<Delayed> values);

  /// r (n numbers) = all rows at a point; constraint rows by level.
  void residual(const Point& p, Level level, std::span<double> r);
  /// values of S = Σ weight·∂R/∂variable in System::pattern(); derivatives to q are along the tangent (body rotation
  /// increments).
  void jacobian(const Point& p, Level level, const Weights& w, std::span<double> values);
  /// Several such matrices at once, which may cost no more than one.
  void jacobian(const Point& p, Level level, std::span<const MatrixPart> parts);
  /// The same in System::solver_pattern(); with zeros below a right-hand side its solution is that of the smaller matrix.
  void solver_matrix(const Point& p, Level level, std::span<const MatrixPart> parts);
  /// The values of the further unknowns of that matrix.
  void bound_values(const Point& p, std::span<double> z);
  /// The rows of constraints alone: r gets nl numbers.
  void constraints(const Point& p, Level level, std::span<double> r);
  /// The same of the matrix: entries of other rows are zero.
  void constraint_jacobian(const Point& p, Level level, const Weights& w, std::span<double> values);
  /// r ← M⁻¹ r (nv numbers) with M = ∂R_q/∂a at p, by articulated bodies: in a time that grows with the number of
  /// bodies. M leaves out loads that depend on accelerations of other coordinates than their own.
  void solve_mass(const Point& p, std::span<double> r);
  /// The same for ∂R/∂parameter k, n numbers.
  void parameter_derivative(const Point& p, Level level, int k, std::span<double> r);
  void discrete_derivative(const Point& p, Level level, int k, std::span<double> r);  ///< ∂R/∂(discrete variable k)
  void time_derivative(const Point& p, Level level, std::span<double> r);             ///< ∂R/∂t, all else held

  /// q ← q ∘ exp(dq): scalar coordinates add, rotations multiply by exp of the body increment (nv numbers).
  void retract(std::vector<double>& q, std::span<const double> dq) const;
  /// q̇ (nq numbers) of v: for explicit integrators. Quaternions are normalised by normalize().
  void configuration_rate(const Point& p, std::span<double> qd) const;
  void normalize(std::vector<double>& q) const;

  /// System::start() with the parameters as they are now (not yet consistent), and its derivative to parameter k.
  Point start() const;
  Point start_slope(int k) const;

  void signals(const Point& p, std::span<double> values);
  /// All values at p in the order of the programs' inputs (see Layout); good until the next call.
  std::span<const double> values(const Point& p);

  /// ∂(value)/∂(variables): along the tangent for q. Made symbolically when first asked for.
  struct Gradient {
    double t = 0;
    std::vector<double> q, v, a, lambda, x, xd, y, d, parameters;
  };
  Gradient signal_gradient(const Point& p, int signal);
  Gradient indicator_gradient(const Point& p, int indicator);

  struct Energy {
    double stored = 0, supplied_power = 0, dissipated_power = 0;
  };
  /// d(stored)/dt = supplied_power − dissipated_power for every exact solution.
  Energy energy(const Point& p);

  // ---- events
  /// Earliest instant > t of any clock (sampling instants, known switching times); +infinity if none.
  double next_clock_time(double t) const;
  /// A clock that ticks at p.t, and how this tick moves with the parameters: d(offset + k period)/dp.
  struct Tick {
    int clock;
    std::string name;  ///< a discrete variable that it sets
    std::vector<double> slope;
  };
  std::vector<Tick> ticks(const Point& p);
  bool is_clock_due(double t) const;  ///< whether update_clocks would carry out anything
  /// Indicator functions g (System::indicators() numbers); an event is a sign change of one of them.
  void indicators(const Point& p, std::span<double> g);
  /// True where the indicator depends on time (and parameters) alone.
  bool is_time_indicator(int k) const;
  /// Carries out the clocked updates that are due at p.t, in the order of the signal flow (see order_samples);
  /// voltages, positions and all other unknowns are those before. Returns whether anything was due.
  bool update_clocks(Point& p);
  /// Sets the modes (discrete variables not driven by a clock) from the present values. Returns whether any changed.
  /// Comparisons of the indicators marked in `held` (none, or one mark for each) keep their values.
  bool update_modes(Point& p, std::span<const char> held = {});
  /// The same of those modes alone that are comparisons of present values, without memory.
  bool update_comparisons(Point& p);
  /// Of every rigid contact depth, rate, restitution and rest rate, then the entries of ∂(rate)/∂(unknown) in the order
  /// of System::Data::contact_entries.
  void contacts(const Point& p, std::span<double> values);
  /// What update_clocks or update_modes would do at p: new values of discrete variables and how they depend on p.
  struct Update {
    int discrete;
    double value;
    Gradient gradient;
    int turn = 0;  ///< those of a later turn depend on the new values of the earlier ones
  };
  std::vector<Update> updates(const Point& p, bool clocks);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace coenergy::equations
