#pragma once
#include <optional>
#include <string>
#include <vector>

#include "coenergy/math/sparse_lu.hpp"
#include "coenergy/system/system.hpp"

namespace coenergy::solve {

/// Impacts of rigid contacts δ_k(q) ≤ 0 at an instant.
///
/// All that is regular in (a, λ, ẋ, y) is scaled by the short duration of the impact, so that its matrix S gives the
/// jumps: with N = ∂δ̇/∂v and the impulses P ≥ 0
///
///   S (Δv, Λ, Δx, Y) = −(Nᵀ P, 0, 0, 0),     0 ≤ P ⟂ δ̇⁺ + e δ̇⁻ ≤ 0        (Newton's law, all contacts at once)
///
/// Constraints, gears and massless parts between the bodies take part by S: momentum is conserved through all of them.
/// A contact that rests (closed) counts with e = 0, and one whose rebound would be slower than its rest rate closes.
/// The energy lost, ½ Σ P (δ̇⁻ + δ̇⁺), goes to the account.
class ImpactSolver {
 public:
  explicit ImpactSolver(system::Evaluator& evaluator);

  struct Outcome {
    bool any = false;  ///< velocities have changed
    bool good = true;
    std::string text;  ///< why not
  };
  /// Carries out what happens at p: contacts that touch and approach.
  Outcome pass(system::Point& p);

 private:
  struct Contact {
    double depth, rate, restitution;
    bool rests;                    ///< closed before, or too slow to rebound
    std::vector<double> response;  ///< S⁻¹ (N_kᵀ, 0, 0, 0)
  };
  bool find_contacts(const system::Point& p);
  bool find_responses(const system::Point& p);
  void solve(std::vector<double>& b);
  bool find_impulses();
  double rate_change(int k, int l) const;
  void apply(system::Point& p) const;

  system::Evaluator* evaluator_;
  std::optional<math::SparseLu<double>> lu_;  // of S, where there are contacts
  std::vector<double> values_, matrix_;
  std::vector<int> index_;  // of the contacts that take part
  std::vector<Contact> contacts_;
  std::vector<double> impulse_;
};

}  // namespace coenergy::solve
