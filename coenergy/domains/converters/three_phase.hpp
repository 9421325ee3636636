#pragma once
#include <array>
#include <span>
#include <string>
#include <vector>

#include "coenergy/domains/component.hpp"

namespace coenergy::domains::converters {

/// Three windings a, b, c with their pins.
///
///   star, n connected    each from its pin to n; three free currents
///   star, n open         i_a + i_b + i_c = 0: i_a and i_b are free, and the rows of a and b are those against c,
///                        v_a − v_c = R (i_a − i_c) + d(λ_a − λ_c)/dt, whatever the zero-sequence inductance
///   delta                a from pin a to b, b from b to c, c from c to a; three free currents
///   shorted              no pin at all (the cage of a rotor): star without voltages
///
/// i_a, i_b, i_c are the currents of the windings, v_a, v_b, v_c their voltages (of a star without n: against the mean of
/// the pins).
class ThreePhase {
 public:
  enum class Joined { star, isolated_star, delta, shorted };

  std::array<Pin, 3> pin;
  Pin star;
  Choice connection;
  Parameter R;
  std::array<Parameter, 3> i0;
  std::array<State, 3> i;

  /// Pins and signals named prefix + a, b, c, n; `role` says what the windings are. With `may_be_shorted` the pins are
  /// optional.
  void describe(Description& d, const std::string& prefix, const std::string& role, bool may_be_shorted = false);
  std::vector<Branch> branches(Equations& eq) const;

  Joined joined(Equations& eq) const;
  std::vector<Expr> free_currents(Equations& eq) const;  ///< two or three
  std::array<Expr, 3> currents(Equations& eq) const;     ///< of the windings, in free ones
  /// Co-energy 3/2 L_0 i_0² of the zero sequence; zero where it can have no current. L_0 must be given where it can.
  Expr zero_sequence(Equations& eq, Parameter L_0) const;
  /// Rows and currents of the pins. `flux` belongs to the free currents: ∂W'/∂i with W' written in currents().
  void equations(Equations& eq, std::span<const Expr> flux) const;

 private:
  std::string prefix_;
  bool may_be_shorted_ = false;
};

/// Of three phase quantities x with the axis at the angle θ (Park, amplitudes kept):
///   x_d = ⅔ Σ x_k cos(θ − k 2π/3),  x_q = −⅔ Σ x_k sin(θ − k 2π/3);      with them x_0 = ⅓ Σ x_k
struct RotorAxes {
  Expr d, q;
};
RotorAxes to_axes(const std::array<Expr, 3>& x, const Expr& angle);

}  // namespace coenergy::domains::converters
