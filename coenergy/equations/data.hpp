#pragma once
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "coenergy/base/error.hpp"
#include "coenergy/equations/history.hpp"
#include "coenergy/equations/kernel.hpp"
#include "coenergy/equations/name_index.hpp"
#include "coenergy/equations/system.hpp"

namespace coenergy::equations {

/// A kernel at work: which values it reads, which rows and matrix places it adds to.
struct Instance {
  const Kernel* kernel = nullptr;
  std::vector<int> gather;  ///< value index of each kernel input; empty: the system's own array, unchanged
  std::vector<int> rows;    ///< system row of each residual output
  bool fills_rows = false;  ///< it is alone, and output k is row k
  // place in the pattern of each entry of the balances, and of the constraints at their levels
  std::vector<int> places, position_places, velocity_places, acceleration_places;
  std::vector<int> parameters;  ///< system parameter of each local one; empty: the same

  const std::vector<int>& constraint_places(Level level) const {
    return level == Level::position   ? position_places
           : level == Level::velocity ? velocity_places
                                      : acceleration_places;
  }
};

struct Followers;   ///< see parameter_laws.hpp
struct SolverForm;  ///< see solver_form.hpp

struct Clock {
  double period = 0, offset = 0;
};

/// Everything a System is; see system.hpp.
struct System::Data {
  Layout layout;
  std::vector<UnknownInfo> unknowns;  ///< in the order of unknowns
  std::vector<RowInfo> rows;
  std::vector<std::unique_ptr<Kernel>> kernels;  ///< the first holds the system's own equations
  std::vector<Instance> instances;
  SparsePattern pattern;
  mutable std::once_flag solver_once;  ///< made when first asked for
  mutable std::shared_ptr<const SolverForm> solver_form;
  std::vector<int> matrix_modes;             ///< discrete variables that the matrix of a linear system depends on
  LazyFunction mass_solver;                  ///< M⁻¹ r over the value array and r; none without a tree
  std::vector<char> is_velocity_constraint;  ///< by multiplier: it has no position level
  Point start;
  std::vector<DependentStart> dependent_starts;
  std::vector<std::vector<FlexibleNode>> flexible_bodies;

  std::vector<SignalInfo> signals;
  NameIndex<SignalInfo> signal_index;
  std::vector<FrameSignals> frames;
  LazyRows signal_function;
  std::vector<symbolic::Expr> signal_values;  ///< over the variables of the first kernel, for derivatives
  int energy_signal = -1;                     ///< energy.stored, where an account is kept

  std::vector<ParameterInfo> parameters;
  std::vector<double> parameter_values;
  NameIndex<ParameterInfo> parameter_index;
  struct ParameterLaw {
    int parameter;
    symbolic::Expr value;  ///< of parameters that have their laws before it
  };
  std::vector<ParameterLaw> parameter_laws;
  std::vector<std::string> built_in;  ///< by parameter: the entry that made a number of it; "" where none did
  std::vector<char> parameter_read;   ///< by parameter: its number was looked at when the model was compiled
  struct StartLaw {
    std::vector<double> Point::*part;
    int index;
  };
  std::vector<StartLaw> start_laws;
  std::vector<symbolic::Expr> start_values;  ///< of parameters
  LazyFunction start_function;
  mutable std::once_flag used_once;
  mutable std::vector<char> parameter_used;  ///< by parameter: it stands in the equations; found when first asked for
  mutable std::map<int, std::shared_ptr<Followers>> followers;  ///< by parameter, guarded by sensitivity_mutex
  std::vector<OpenedInput> opened;
  std::vector<symbolic::Expr> opened_values;  ///< the expressions they were bound to
  int closed_parameter = -1;                  ///< 1: opened inputs follow their expressions; 0: they are parameters

  /// A signal that is read later; see Builder::add_delay.
  struct Delay {
    std::string name;
    double longest;
    int passed, indicator;  ///< discrete variable; the indicator of the end of a stretch
    std::string input;      ///< signal that is delayed
    int added;              ///< parameter, zero, that is added to what is read
    bool varies;            ///< the delay is no constant
  };
  std::vector<Delay> delays;
  LazyFunction delay_function;         ///< of each delay the signal, and the time at which it is read
  bool delays_are_solved_for = false;  ///< states and time do not tell these
  bool delays_are_reflected = false;   ///< some may leave again in the instant in which they arrive
  int history_parameter = -1;          ///< address of the Histories of a run

  std::vector<std::string> discrete_names;
  std::vector<Clock> clocks;               ///< for the parameters as the model gives them
  std::vector<symbolic::Expr> clock_laws;  ///< of parameters: period and offset of each
  LazyFunction clock_function;             ///< their values
  std::vector<char> sets_clock;            ///< by parameter: it stands in a clock_law
  std::vector<int> update_discrete;        ///< discrete variable of each update
  std::vector<int> update_clock;           ///< its clock, −1: a mode, updated at every event
  std::vector<int> update_comparison;      ///< of a mode without memory, g > 0: the indicator g; −1 of all others
  std::vector<int> update_turn;            ///< of those that clocks carry out: order at one instant
  LazyFunction update_function;
  std::vector<symbolic::Expr> update_values;  ///< over the variables of the first kernel
  std::vector<std::string> indicator_names;
  std::vector<char> indicator_time_only;
  std::vector<int> indicator_mode;  ///< the discrete variable that says whether it is positive, −1: none does
  LazyFunction indicator_function;
  std::vector<symbolic::Expr> indicator_values;

  /// A run in which the indicator becomes positive ends with the text; a start there is refused at the place in the
  /// model, where one is known. Of a bound that is excluded itself, zero is no better.
  struct Requirement {
    int indicator;
    std::string text;
    Location where;
    bool excludes_zero = false;
    bool is_broken(double g) const { return g > 0 || (excludes_zero && g == 0); }
  };
  std::vector<Requirement> requirements;

  // rigid contacts: of each depth, rate, restitution, rest rate, then ∂(rate)/∂(unknown) by entry
  struct Contact {
    std::string name;
    int closed;  ///< discrete variable
  };
  struct ContactEntry {
    int contact, unknown;
  };
  std::vector<Contact> contacts;
  std::vector<ContactEntry> contact_entries;
  LazyFunction contact_function;
  std::vector<symbolic::Expr> contact_values;
  std::vector<std::pair<int, double>> modes_at_impact;
  int dissipated_state = -1;  ///< energy.dissipated, where an account is kept

  // derivatives to what is no unknown (parameters, discrete variables, time) are made when first asked for
  struct SensitivityKey {
    const Kernel* kernel;
    int input, level;  ///< value index in the kernel; of the constraints
    auto operator<=>(const SensitivityKey&) const = default;
  };
  mutable std::mutex sensitivity_mutex;
  mutable std::map<SensitivityKey, std::unique_ptr<symbolic::Function>> sensitivities;
  /// Gradient of an expression of a kernel: value indices it depends on, and their partial derivatives.
  struct Gradient {
    std::vector<int> indices;
    symbolic::Function function;
  };
  /// By kernel and expression.
  mutable std::map<std::pair<const Kernel*, std::uint32_t>, std::unique_ptr<Gradient>> gradients;
};

}  // namespace coenergy::equations
