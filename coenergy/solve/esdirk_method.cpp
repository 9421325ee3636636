#include "coenergy/solve/esdirk_method.hpp"

namespace coenergy::solve {
namespace {

// the root of γ³ − 3γ² + 3γ/2 − 1/6 = 0 that makes three stages of order 3 L-stable
constexpr double gamma = 0.43586652150845899942;

/// The third node is free. Stage order 2 (Σ a_ij cⱼ = cᵢ²/2) gives the stages, the conditions Σ bᵢ = 1, Σ bᵢcᵢ = ½,
/// Σ bᵢcᵢ² = ⅓ with b₄ = γ the weights. The embedded formula has order 2 and is as good as L-stable (|R(∞)| = 0.075).
EsdirkMethod make_esdirk() {
  EsdirkMethod m;
  m.stages = 4, m.explicit_first = true, m.gamma = gamma;
  const double c2 = 2 * gamma, c3 = 0.6;
  m.c = {0, c2, c3, 1};
  const double a32 = (c3 * c3 / 2 - gamma * c3) / c2;
  const double first = 0.5 - gamma, second = 1.0 / 3 - gamma;
  const double b2 = (first * c3 - second) / (c2 * (c3 - c2)), b3 = (second - first * c2) / (c3 * (c3 - c2));
  m.a[1] = {gamma, gamma};
  m.a[2] = {c3 - a32 - gamma, a32, gamma};
  m.a[3] = {1 - b2 - b3 - gamma, b2, b3, gamma};
  // b̂₄ is free in an embedded formula of order 2 with b̂₂ : b̂₃ chosen for damping
  const double embedded[] = {2756255671327.0 / 12835298489170.0, -10771552573575.0 / 22201958757719.0,
                             9247589265047.0 / 10645013368117.0, 2193209047091.0 / 5459859503100.0};
  for (int i = 0; i < 4; ++i) m.error[i] = m.a[3][i] - embedded[i];
  return m;
}

EsdirkMethod make_sdirk() {
  EsdirkMethod m;
  m.stages = 3, m.gamma = gamma;
  const double c2 = (1 + gamma) / 2;
  m.c = {gamma, c2, 1};
  m.a[0] = {gamma};
  m.a[1] = {c2 - gamma, gamma};
  m.a[2] = {-(6 * gamma * gamma - 16 * gamma + 1) / 4, (6 * gamma * gamma - 20 * gamma + 5) / 4, gamma};
  // order 2 by the first two stages
  const double b2 = (0.5 - gamma) / (c2 - gamma);
  m.error = {m.a[2][0] - (1 - b2), m.a[2][1] - b2, gamma};
  return m;
}

}  // namespace

const EsdirkMethod& esdirk_method() {
  static const EsdirkMethod m = make_esdirk();
  return m;
}

const EsdirkMethod& sdirk_method() {
  static const EsdirkMethod m = make_sdirk();
  return m;
}

}  // namespace coenergy::solve
