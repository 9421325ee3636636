#pragma once
#include <array>

namespace coenergy::solve {

/// A diagonally implicit Runge–Kutta method with one number γ on the diagonal, stiffly accurate (the last stage is the
/// end of the step) and L-stable.
///
///   zᵢ = z₀ + h Σ_{j<i} a_ij żⱼ + hγ żᵢ      error = h Σ eᵢ żᵢ, of the difference to an embedded formula
///
/// The first stage is either explicit (ż₁ is the slope at the start: stage order 2) or implicit like the others (the
/// slope at the start is not used at all: for the first step behind a switching, where it may belong to a transient
/// much shorter than the step).
struct EsdirkMethod {
  static constexpr int most_stages = 4;
  int stages = 0;
  bool explicit_first = false;
  double gamma = 0;
  std::array<double, most_stages> c{}, error{};
  std::array<std::array<double, most_stages>, most_stages> a{};
};

/// Order 3 with an embedded formula of order 2, four stages of which the first is explicit (ESDIRK3(2)4L[2]SA of
/// Kennedy & Carpenter, NASA/TM-2016-219173).
const EsdirkMethod& esdirk_method();
/// Order 3 with an embedded formula of order 2, three implicit stages (Alexander 1977; embedded formula of Cash 1979);
/// the same γ.
const EsdirkMethod& sdirk_method();

}  // namespace coenergy::solve
