#pragma once
#include <string>
#include <vector>

#include "coenergy/equations/system.hpp"
#include "coenergy/math/matrix.hpp"
#include "coenergy/solve/event_trace.hpp"
#include "coenergy/solve/impulses.hpp"
#include "coenergy/solve/instant.hpp"

namespace coenergy::solve {

/// Impacts of rigid contacts δ_k(q) ≤ 0 at an instant, by Newton's law, in turn.
///
/// With N = ∂δ̇/∂v the impulses P ≥ 0 change the rates of all contacts that touch by −G P, G = N S⁻¹ Nᵀ (see Impulses).
/// The contact that approaches fastest has its impact first, δ̇⁺ = −e δ̇⁻, and changes the rates of the others; then the
/// one that is fastest now, until none approaches. This is what contacts a hair apart would do: in Newton's cradle the
/// last ball leaves, whatever the gaps, the round-off and the tolerance. Two kinds of contacts act at once with it:
/// those equally fast (to one part in a thousand), so that what is symmetric stays symmetric, and those without
/// restitution, which hold what they have stopped:
///
///   0 ≤ P ⟂ δ̇⁺ + e δ̇⁻ ≤ 0   of all of them
///
/// Each turn conserves momentum and loses the energy ½ Σ P (δ̇⁻ + δ̇⁺) = ½ Σ (1 − e) P δ̇⁻ ≥ 0: none where e = 1. It does
/// not matter whether a contact is closed (rests) or only touches. A contact whose rebound would be slower than its
/// rest rate counts with e = 0 and closes.
class ImpactSolver {
 public:
  ImpactSolver(equations::Evaluator& evaluator, const Options& options);

  struct Outcome {
    bool any = false;  ///< velocities have changed
    bool good = true;
    std::string text;  ///< why not
  };
  /// Carries out what happens at p: contacts that touch and approach.
  Outcome pass(equations::Point& p);
  const ImpactRecord& record() const { return record_; }  ///< of the last impact
  /// The same impact at a point beside the one where it happened. False where it has no solution there.
  bool repeat(equations::Point& p, const ImpactRecord& record);
  /// The name of an open contact that p is beyond, and by how much; none where the name is empty.
  struct Beyond {
    std::string name;
    double depth = 0;
  };
  Beyond find_beyond(const equations::Point& p);

 private:
  struct Contact {
    double rate, restitution, rest_rate;
    bool rests;                    ///< closed before, or too slow to rebound in its last turn
    std::vector<double> response;  ///< S⁻¹ (N_kᵀ, 0, 0, 0)
  };
  bool find_contacts(const equations::Point& p);
  bool find_responses(const equations::Point& p, Impulses& impulses);
  bool take_turns();
  bool take_turn(const std::vector<int>& members, bool plastic);
  bool find_impulses(const std::vector<int>& members, const std::vector<double>& needed);
  bool solve_active(const std::vector<int>& members, const std::vector<char>& active,
                    const std::vector<double>& needed);
  void add_impulses(const std::vector<int>& members);
  void apply(const Impulses& impulses, equations::Point& p) const;

  equations::Evaluator* evaluator_;
  Options options_;
  std::vector<double> values_;
  std::vector<int> index_;  // of the contacts that touch
  std::vector<Contact> contacts_;
  math::Matrix G_;
  std::vector<double> impulse_, total_;  // of a turn, by member; of all turns
  double lost_ = 0;
  ImpactRecord record_;
};

}  // namespace coenergy::solve
