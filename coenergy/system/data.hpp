#pragma once
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "coenergy/system/kernel.hpp"
#include "coenergy/system/name_index.hpp"
#include "coenergy/system/system.hpp"

namespace coenergy::system {

/// A kernel at work: which values it reads, which rows and matrix places it adds to.
struct Instance {
  const Kernel* kernel = nullptr;
  std::vector<int> gather;  ///< value index of each kernel input; empty: the system's own array, unchanged
  std::vector<int> rows;    ///< system row of each residual output
  bool fills_rows = false;  ///< it is alone, and output k is row k
  // place in the pattern of each entry of the balances, and of the constraints at their levels
  std::vector<int> places, position_places, velocity_places, acceleration_places;
  std::vector<int> parameters;  ///< system parameter of each local one; empty: the same
};

struct Clock {
  double period = 0, offset = 0;
};

/// Everything a System is; see system.hpp.
struct System::Data {
  Layout layout;
  std::vector<UnknownInfo> unknowns;  ///< in the order of unknowns
  std::vector<std::string> row_names;
  std::vector<std::unique_ptr<Kernel>> kernels;  ///< the first holds the system's own equations
  std::vector<Instance> instances;
  SparsePattern pattern;
  LazyFunction mass_solver;                  ///< M⁻¹ r over the value array and r; none without a tree
  std::vector<char> is_velocity_constraint;  ///< by multiplier: it has no position level
  Point start;
  std::vector<DependentStart> dependent_starts;

  std::vector<SignalInfo> signals;
  NameIndex signal_index;
  LazyRows signal_function;
  std::vector<symbolic::Expr> signal_values;  ///< over the variables of the first kernel, for derivatives
  int energy_signal = -1;                     ///< energy.stored, where an account is kept

  std::vector<SignalInfo> parameters;
  std::vector<double> parameter_values;
  NameIndex parameter_index;

  std::vector<std::string> discrete_names;
  std::vector<Clock> clocks;
  std::vector<int> update_discrete;        ///< discrete variable of each update
  std::vector<int> update_clock;           ///< its clock, −1: a mode, updated at every event
  std::vector<char> update_is_comparison;  ///< a mode without memory
  LazyFunction update_function;
  std::vector<symbolic::Expr> update_values;  ///< over the variables of the first kernel
  std::vector<std::string> indicator_names;
  std::vector<char> indicator_time_only;
  LazyFunction indicator_function;
  std::vector<symbolic::Expr> indicator_values;

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
  /// Gradient of an expression: value indices it depends on, and their partial derivatives.
  struct Gradient {
    std::vector<int> indices;
    symbolic::Function function;
  };
  mutable std::map<std::uint32_t, std::unique_ptr<Gradient>> gradients;  ///< by expression
};

}  // namespace coenergy::system
