#pragma once
#include <string>
#include <vector>

#include "coenergy/circuits/elements.hpp"
#include "coenergy/compile/charge_formulation.hpp"
#include "coenergy/compile/compilation.hpp"
#include "coenergy/compile/energy_records.hpp"

namespace coenergy::compile {

/// The charge formulation of all circuits (Enge, Kielau, Maißer 1996; Sass 2004), made of the energies that components
/// state and of the graph of their branches, beside the equations of nodes and elements that the system consists of:
///
///   d/dt ∂Λ/∂q̇ − ∂Λ/∂q + ∂D/∂q̇ = Q     Λ = T + W'_m(q̇, x) − W_e(q, x) − V,   q charges of meshes, x positions
///
/// A branch outside the normal tree closes a mesh through the tree. Its row is the sum around it of
///
///   a winding     d/dt ∂W'/∂i + ∂D/∂i, and of a machine without W' the voltage k ω that its torque k i belongs to
///   a capacitor   u = ∂W_e/∂Q, whose charge Q = ∂W'_e/∂u is that of the mesh currents through it: Q̇ = Σ ± i
///   a source      its voltage
///   all others    the voltage that the equations give: no function of state represents it
///
/// Currents inside a machine (a cage) have rows of their own. Forces are those of the same Λ where every component gives
/// on all of its ports as much power as its energies say:  Σ v i + Σ τ ω = Ẇ + losses − supply.
class Charges {
 public:
  Charges(Compilation& compilation, const EnergyRecords& records) : m_(compilation), r_(records) {}

  /// Adds the rows to the builder, as signals, and tells them; the equations of all components are written before.
  ChargeFormulation write();

 private:
  friend class ChargeText;
  struct Voltage {
    symbolic::Expr value = 0;
    bool by_energy = false;
  };
  void write_loops();
  void write_inner_loops();
  void write_charges();
  void write_powers();
  void add_row(const std::string& name, const std::string& unit, const std::vector<symbolic::Expr>& terms);
  std::optional<symbolic::Expr> rate(const symbolic::Expr& e) const;
  Voltage voltage(const circuits::BranchInfo& b);
  std::optional<symbolic::Expr> winding_voltage(int component, const symbolic::Expr& current);
  std::optional<symbolic::Expr> motional_voltage(int component, const symbolic::Expr& current);
  std::optional<symbolic::Expr> branch_current(const circuits::BranchInfo& b);
  std::vector<symbolic::Expr> group_symbols(int component, model::BranchKind kind);
  symbolic::Expr variable(int component, int index);
  symbolic::Expr node(int k) const;
  bool has_pin(int component) const;
  bool is_inner_current(int component, int variable);
  std::string tell();  ///< Λ, D and Q

  Compilation& m_;
  const EnergyRecords& r_;
  ChargeFormulation result_;
};

}  // namespace coenergy::compile
