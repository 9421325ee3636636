#pragma once
#include <algorithm>
#include <string>
#include <vector>

#include "coenergy/analyze/variation.hpp"
#include "coenergy/solve/drive_jumps.hpp"
#include "coenergy/solve/event_trace.hpp"
#include "coenergy/solve/impact.hpp"

namespace coenergy::analyze {

/// Takes variations over the events of a run.
///
/// At an event the instant itself moves: by t' = −(g_p + g_z δz)/(dg/dt) where an indicator g(t, z, p) = 0 located it,
/// by t' = d(offset + k period)/dp where a clock ticks. What the event finds there changes by Δz = δz⁻ + ż⁻ t', and each
/// of its stages (see solve::EventTrace) takes Δ on by its own derivative:
///
///   solved    S₀ (Δa, Δλ, Δẋ, Δy) = −(R_q Δq + R_v Δv + R_x Δx + R_d Δd + R_p + R_t t')
///   sampled, modes    Δd = ∂(new value) by the chain rule, in the order of the signal flow
///   jumped, hit       Δ(v, x, q)⁺ = the derivative of the drive's or the impact's own equations, who takes part being
///                     held: by differences of fourth order along Δ (2·10⁻³ of the variables), exact to 10⁻¹¹
///
/// Afterwards δz⁺ = Δz⁺ − ż⁺ t'. In this, δx⁺ = h_x δx⁻ + h_p + (h_x f⁻ + h_t − f⁺) t' of a reset x⁺ = h(x⁻, t, p).
class MovingEvents {
 public:
  MovingEvents(equations::Evaluator& evaluator, const solve::Options& options);

  /// `before` and `after` are the points of the run on both sides. Returns why there are no derivatives, or nothing.
  std::string pass(const equations::Point& before, const equations::Point& after, const std::vector<int>& crossed,
                   const solve::EventTrace& trace, const std::vector<Direction>& directions,
                   std::vector<Variation>& variations);
  /// Whether the instant of the last event moves with any direction, or with this one.
  bool has_moved() const { return std::find(moved_.begin(), moved_.end(), 1) != moved_.end(); }
  bool has_moved(std::size_t direction) const { return direction < moved_.size() && moved_[direction] != 0; }
  /// What happens at the start of a run, whose instant does not move.
  std::string start(const equations::Point& after, const solve::EventTrace& trace,
                    const std::vector<Direction>& directions, std::vector<Variation>& variations);
  /// A switching that the start lies on, of which the derivatives know one side only: the motion does not leave it, or
  /// the equations jump there and a direction moves it; "" where there is none.
  std::string name_switching_at(const equations::Point& start, const std::vector<Direction>& directions,
                                const std::vector<Variation>& variations);

 private:
  /// Of one direction: Δz at the moved instant.
  struct Passage {
    const Direction* direction;
    double shift = 0;
    Variation total;
    Deviation all;  ///< a, λ, ẋ, y by the last solution
  };
  std::string find_shift(const equations::Point& before, const equations::Point& after, const std::vector<int>& crossed,
                         const std::vector<equations::Evaluator::Tick>& ticks, const Direction& direction,
                         const Variation& variation, Response& response, double& shift);
  std::vector<int> add_simultaneous(const equations::Point& before, const equations::Point& after,
                                    std::vector<int> crossed, const Deviation& rates);
  bool acts_alone(const equations::Point& before, int indicator);
  std::string take_stages(const solve::EventTrace& trace, std::vector<Passage>& passages, bool at_start);
  std::string find_mode_on_its_boundary(const equations::Point& at,
                                        const std::vector<equations::Evaluator::Update>& updates,
                                        const Passage& passage);
  double find_size(const equations::Point& at, const Passage& passage) const;
  void solve(const equations::Point& p, Passage& passage, Response& response);
  void update(const std::vector<equations::Evaluator::Update>& updates, Passage& passage);
  bool move(const solve::EventStage& stage, Passage& passage);
  bool repeat(const solve::EventStage& stage, equations::Point& p);
  equations::Point displaced(const equations::Point& p, const Passage& passage, double by);
  /// Carries something out with the parameters moved by · Δ, and puts them back.
  template <class Action>
  void with_parameters(const Passage& passage, double by, const Action& action);

  std::vector<char> moved_;
  equations::Evaluator& evaluator_;
  solve::Options options_;
  solve::Statistics statistics_;
  solve::ImpactSolver impacts_;
  solve::DriveJumps jumps_;
  solve::Tangent tangent_;
};

}  // namespace coenergy::analyze
