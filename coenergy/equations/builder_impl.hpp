#pragma once
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "coenergy/equations/builder.hpp"
#include "coenergy/equations/data.hpp"
#include "coenergy/equations/sample_order.hpp"

namespace coenergy::equations {

using symbolic::Expr;
using symbolic::Vec3;

/// What a builder has been told so far; for builder.cpp, which collects it, and system_assembly.cpp, which makes a
/// System of it.
struct Builder::Impl {
  struct Shared {
    std::shared_ptr<EquationSet> equations;
    std::vector<Binding> bindings;
  };
  std::shared_ptr<EquationSet> set = std::make_shared<EquationSet>();
  std::vector<UnknownInfo> coordinates, rotations, multipliers, states, algebraics;
  std::vector<double> q0, v0, x0, y0, d0;
  std::vector<std::array<double, 4>> p0;
  std::vector<std::array<double, 3>> w0;
  std::vector<ParameterInfo> parameters;
  std::vector<double> parameter_values;
  std::vector<std::string> discrete_names;
  std::vector<DependentStart> dependent_starts;
  std::vector<std::vector<NodeUnknowns>> flexible_bodies;
  std::unordered_map<std::uint32_t, RowInfo> rows;
  std::vector<SignalInfo> signals;
  std::vector<Expr> signal_values;
  /// Signals that will be defined, in the order of their declaration.
  struct Declared {
    SignalInfo info;
    std::function<Expr()> early;
    int unknown = -1;  ///< algebraic unknown that stands for it, where it was used before it had a value
  };
  std::map<std::string, Declared> declared;
  std::vector<System::Data::ParameterLaw> parameter_laws;
  std::vector<std::string> built_in;
  mutable std::vector<char> parameter_read;
  std::vector<Address> start_laws;  ///< variables whose start values follow parameters
  std::vector<Expr> start_values;
  std::vector<FrameSignals> frames;
  std::vector<OpenedInput> opened;
  std::vector<Expr> opened_values;
  int closed_parameter = -1, history_parameter = -1;
  std::vector<System::Data::Delay> delays;
  std::vector<Expr> delay_values;  ///< of each delay the signal, and the time at which it is read
  std::vector<Expr> clock_laws;    ///< period and offset of each clock
  std::vector<DiscreteUpdate> updates;
  std::vector<std::string> indicator_names;
  std::vector<Expr> indicators;
  std::unordered_map<std::uint32_t, Expr> relations;
  std::vector<Shared> shared;
  std::vector<Expr> stored, supplied, dissipated;  ///< terms of the energy, and of the powers
  std::vector<Contact> contacts;
  std::vector<System::Data::Requirement> requirements;
  std::vector<std::pair<int, double>> modes_at_impact;
  bool energy_account = false;
  int supplied_state = -1, dissipated_state = -1;  ///< of the account, once used or built
  MassSolverMaker make_mass_solver;

  /// A state of the energy account, added when it is first asked for.
  int account_state(int& state, const char* name) {
    if (state >= 0) return state;
    states.push_back({name, "J"});
    x0.push_back(0);
    return state = set->variables.add_state(name);
  }
};

}  // namespace coenergy::equations
