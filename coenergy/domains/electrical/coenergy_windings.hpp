#pragma once
#include <array>

#include "coenergy/domains/component.hpp"

namespace coenergy::domains::electrical {

/// A converter of the user's own: up to six windings whose co-energy is any expression of their currents, of
/// coordinates of mechanisms and of time,
///
///   v_k = R_k i_k + dλ_k/dt,   λ_k = ∂W'/∂i_k,   forces ∂W'/∂q
///
/// given as the expression `coenergy` (J) of the own currents i1, i2, …, which has to be zero without currents but for
/// `energy`; or by inductances and fluxes of magnets,
///
///   W' = ½ Σ L_jk i_j i_k + Σ flux_k i_k
///
/// `energy` (J) is added in both: the co-energy without current, for cogging. A constant matrix L must be symmetric and
/// no currents may have a negative energy. Windings without both pins connected are not there.
struct CoenergyWindings {
  static constexpr std::size_t most = 6;
  std::array<Pin, most> p, n;
  Parameter coenergy, energy;
  List L, flux, R;
  std::array<Parameter, most> i0;
  std::array<State, most> i;

  void describe(Description& d);
  std::vector<Branch> branches(Equations& eq) const;
  void equations(Equations& eq) const;

 private:
  std::size_t count(Equations& eq) const;
  void check(Equations& eq, std::size_t count) const;
  void check_constant(Equations& eq, const std::vector<double>& l, std::size_t count) const;
};

}  // namespace coenergy::domains::electrical
