#pragma once
#include <algorithm>
#include <span>
#include <vector>

#include "coenergy/domains/component.hpp"
#include "coenergy/symbolic/algebra.hpp"
#include "coenergy/symbolic/derivative.hpp"

namespace coenergy::domains {

/// Everything that follows from one magnetic co-energy W'(i, q, …) of windings with the currents i_k (Enge, Kielau,
/// Maißer 1996; Sass 2004):
///
///   flux linkages  λ_k = ∂W'/∂i_k         a winding has the voltage v_k = R_k i_k + dλ_k/dt
///   forces         ∂W'/∂q                 on all coordinates of mechanisms that W' depends on
///   stored energy  W = Σ i_k λ_k − W'
///
/// Inductances ∂λ_j/∂i_k = ∂²W'/∂i_j∂i_k are the incremental ones, exact for any saturation. The co-energy without
/// current counts too: its forces are those of magnets on iron (cogging). What changes W' at constant currents and
/// coordinates, such as time, supplies −∂W'/∂t. Currents that follow from others have to be put in before: then λ_k is
/// the sum of fluxes that belongs to i_k.
///
/// The motion s of the part that the component itself carries, the angle of a shaft against its support, stands in W'
/// as a symbol of its own, so that its force is known also where the shaft is held.
struct Fields {
  std::vector<Expr> flux;  ///< λ_k
  Expr force = 0;          ///< ∂W'/∂s
};

/// The symbol of s.
inline Expr make_motion(Equations& eq) { return eq.graph().symbol(eq.component() + "'motion"); }

/// Writes forces and energies of W' with s in place; rows of the windings are the component's own.
inline Fields write_coenergy(Equations& eq, const Expr& coenergy, std::span<const Expr> currents, const Expr& s) {
  const Expr motion = make_motion(eq);
  const auto in_place = [&](const Expr& e) {
    return e.is_number() ? e : symbolic::substitute(e, std::span(&motion, 1), std::span(&s, 1));
  };
  const Expr w = in_place(coenergy);
  Fields fields;
  fields.force = coenergy.is_number() ? Expr(0) : in_place(symbolic::derivative(coenergy, motion));
  fields.flux = symbolic::gradient(w, currents);

  // energies: W = Σ i λ − W', and what else changes W' supplies the rest of Σ ∂W'/∂s ṡ at constant currents
  Expr energy = -w, change = 0;
  for (std::size_t k = 0; k < currents.size(); ++k) energy += currents[k] * fields.flux[k];
  eq.stored(energy);
  const Expr moved = eq.coenergy(w);
  if (w.is_number()) return fields;
  const std::vector<Expr> symbols = symbolic::free_symbols(std::span(&w, 1)), slope = symbolic::gradient(w, symbols);
  for (std::size_t k = 0; k < symbols.size(); ++k)
    if (std::none_of(currents.begin(), currents.end(), [&](const Expr& i) { return same(i, symbols[k]); }))
      if (const Expr rate = eq.time_derivative(symbols[k]); !rate.is_zero()) change += slope[k] * rate;
  if (!same(moved, change)) eq.supplied(moved - change);
  return fields;
}

/// The same of an electric co-energy W'(u, q, …) of charges: Q_k = ∂W'/∂u_k. Laws, forces and energies have the same
/// form.
inline Fields write_electric_coenergy(Equations& eq, const Expr& coenergy, std::span<const Expr> voltages,
                                      const Expr& s) {
  return write_coenergy(eq, coenergy, voltages, s);
}

}  // namespace coenergy::domains
