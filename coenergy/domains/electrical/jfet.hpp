#pragma once
#include "coenergy/domains/electrical/temperature.hpp"

namespace coenergy::domains::electrical {

/// Junction field-effect transistor (Shichman–Hodges with a doping tail), without charges: add JunctionCapacitors.
///
/// With voltages of an n-channel (all signs turn for a p-channel), source and drain exchanged where v_ds < 0,
/// v_e = v_gs − Vto, k = (1 − B)/(Pb − Vto):
///
///   i_ds = beta v_e² (B + k v_e) (1 + lambda v_ds)                                     0 < v_e ≤ v_ds, saturation
///   i_ds = beta v_ds (v_ds (k v_ds − B) + v_e (2 B + 3 k (v_e − v_ds))) (1 + lambda v_ds)      v_ds < v_e
///   gate to source and gate to drain: diodes, i = Is (e^{v/(N kT/q)} − 1) + gmin v
///
/// At a temperature T other than the nominal one Is and Pb follow the laws of electrical::Warming (n = 1, x = 0 and
/// the gap 1.11 V). i enters at d, g, s (A). Turns all power into heat.
/// Reference: A. Parker, D. Skellern, An improved FET model for computer simulators, 1990.
struct Jfet {
  Pin d, g, s;
  Choice channel;
  Parameter Vto, beta, lambda, B, Pb, Is, N, gmin, T, Tnom;

  void describe(Description& d);
  std::vector<Branch> branches(Equations&) const;
  void equations(Equations& eq) const;

 private:
  Expr channel_current(Equations& eq, const Expr& v_gs, const Expr& v_ds) const;
};

}  // namespace coenergy::domains::electrical
