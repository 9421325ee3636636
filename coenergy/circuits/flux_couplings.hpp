#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "coenergy/circuits/circuit.hpp"
#include "coenergy/equations/builder.hpp"
#include "coenergy/math/matrix.hpp"

namespace coenergy::circuits {

/// Coils that share flux, and those of them that share all of it.
///
/// Currents i of coils have the fluxes φ = L i and the voltages v = dφ/dt. L may not be indefinite: currents with
/// iᵀ L i < 0 would have a negative energy. It may be singular, where windings have no leakage.
///
/// By Kirchhoff's laws (Circuit) the currents are i = T x + sources with the free currents x, and ½ xᵀ P x is the
/// energy of these, P = Tᵀ L T. Where P is regular, as with leakage in series with windings that have none themselves,
/// x are states. Else P is regular for some of the currents only, p, and for every other one, q, the column of P is a
/// sum of those of p,
///
///   P_·q = P_·p Aᵀ,   A = P_qp P_pp⁻¹,
///
/// so that x_q has the same fluxes as the currents Aᵀ x_q in p. Hence the currents that carry the flux,
///
///   m = x_p + Aᵀ x_q        magnetising currents (A), one for each p: the states
///
/// and P x = P x* with x*_p = m, x*_q = 0. The voltages are what all coils write, v = d(L i)/dt, with the rates ẋ_p → ṁ
/// and ẋ_q → 0. With δ = x* − x, T δ in currents that follow, the rows of m are
///
///   Σ_k T_kp φ_k(δ) = 0      φ_k(δ) = Σ_j L_kj δ_j,
///
/// which the components add up, so that inductances stay symbols. x_p and x_q are algebraic: as many of their
/// combinations as there are q follow from the rest of the circuit, by v_q = A v_p. Where capacitors and voltage
/// sources alone fix all of these voltages there is no solution, or one that needs derivatives of them: such circuits
/// are refused. Currents p without a part in any q (A = 0) stay states.
///
/// Start: m = i0_p + Aᵀ i0_q, the flux of the currents given.
class FluxCouplings {
 public:
  /// Mistakes are added to `errors`: pairs coupled twice, couplings that cannot be true together, and voltages fixed
  /// twice.
  FluxCouplings(const Elements& elements, const Circuit& circuit, equations::Builder& builder, ErrorList& errors);

  bool empty() const { return roles_.empty(); }
  /// Whether the variable of a component is the current of a p or q.
  bool shares_all(int component, int variable) const;
  /// The start of m, of a p.
  std::optional<double> magnetising_start(int component) const;
  /// The unknowns of a p or q: its current, algebraic, and of a p the state m.
  void set_current(int component, int algebraic) { roles_.at(component).current = algebraic; }
  void set_state(int component, int state) { roles_.at(component).state = state; }
  void set_rates();       ///< ẋ_p = ṁ, ẋ_q = 0
  int followers() const;  ///< how many q there are

  std::optional<symbolic::Expr> deviation(int component) const;  ///< δ of a coil; nothing where it is zero
  void add_flux(int component, const symbolic::Expr& flux);      ///< to φ_k(δ)

 private:
  /// A free current p or q.
  struct Role {
    int variable = -1;  ///< of the component
    bool is_follower = false;
    double start = 0;              ///< of m
    int current = -1, state = -1;  ///< x and m, in the builder
  };

  void check(ErrorList& errors);
  std::vector<std::vector<int>> group_coils() const;
  bool is_regular(const std::vector<int>& coils) const;
  math::Matrix make_inductances(const std::vector<int>& coils) const;
  std::vector<int> add_connected(std::vector<int>& coils);
  math::Matrix make_projection(const std::vector<int>& coils, const math::Matrix& t) const;
  void find_followers(std::vector<int> coils, ErrorList& errors);
  void check_voltages(const std::vector<int>& partners, int follower, ErrorList& errors) const;
  int find_branch(int component) const;  ///< the inductive branch; −1
  std::vector<std::pair<int, double>> find_free(int branch) const;
  double start_of(int component) const;
  symbolic::Expr current(const Role& role) const;

  const Elements& elements_;
  const Circuit& circuit_;
  equations::Builder& builder_;
  std::vector<CoilPair> pairs_;
  std::map<int, std::vector<int>> pairs_of_;  ///< by coil
  std::map<int, int> branch_of_;              ///< of each coil
  std::map<int, std::vector<int>> holders_;   ///< coils whose current holds a free one; filled where it is needed
  /// The current of a coil by those p and q that are in it: components, entries of T.
  std::map<int, std::vector<std::pair<int, double>>> coils_;
  std::map<int, Role> roles_;  ///< by component
};

}  // namespace coenergy::circuits
