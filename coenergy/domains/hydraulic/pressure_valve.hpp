#pragma once
#include "coenergy/domains/hydraulic/orifice_flow.hpp"

namespace coenergy::domains::hydraulic {

/// A valve that its own pressure drop Δp = p_a − p_b opens, without dynamics of its poppet:
///
///   Q = opening · K sign(Δp) √|Δp|,   opening = (Δp − p_open)/range, held within 0 … 1
///
/// `CheckValve`: opens at a low cracking pressure, lets oil pass from a to b only. `ReliefValve`: opens at its setting,
/// from the protected line a to the tank b (Merritt 1967).
template <bool is_relief>
struct PressureValve {
  Fluid a, b;
  OrificeSize size;
  Parameter p_open, range;

  void describe(Description& d) {
    if constexpr (is_relief) {
      d.name("hydraulic.ReliefValve", "relief valve: opens from a to b while the pressure drop exceeds p_set");
      d.port(a, "a", "protected side");
      d.port(b, "b", "tank side");
      d.parameter(p_open, "p_set", "Pa", "pressure drop at which it starts to open").positive();
      d.parameter(range, "range", "Pa", "further rise to fully open").positive().fallback("10 bar");
    } else {
      d.name("hydraulic.CheckValve", "check valve: lets oil pass from a to b only");
      d.port(a, "a", "inlet");
      d.port(b, "b", "outlet");
      d.parameter(p_open, "p_crack", "Pa", "pressure drop at which it starts to open")
          .not_negative()
          .fallback("0.3 bar");
      d.parameter(range, "range", "Pa", "further rise to fully open").positive().fallback("0.5 bar");
    }
    size.describe(d);
    d.output("q", "m3/s", "flow from a to b");
    d.output("opening", "", "0 closed, 1 fully open");
  }

  void equations(Equations& eq) const {
    const Expr dp = eq[a] - eq[b];
    const Expr opening = min(max((dp - eq[p_open]) / eq[range], 0), 1);
    const Expr q = opening * orifice_flow(size.coefficient(eq), dp, eq[size.transition]);
    eq.through(a, q);
    eq.through(b, -q);
    eq.dissipated(q * dp);
    eq.output("q", "m3/s", q);
    eq.output("opening", "", opening);
  }
};

using CheckValve = PressureValve<false>;
using ReliefValve = PressureValve<true>;

}  // namespace coenergy::domains::hydraulic
