#include "coenergy/analyze/random_states.hpp"

#include "coenergy/solve/events.hpp"
#include "coenergy/solve/initialize.hpp"

namespace coenergy::analyze {

namespace {
constexpr int position_attempts = 6;  // each with half the displacement of the one before
}

bool RandomStates::move(equations::Point& p) {
  std::uniform_real_distribution<> uniform(-options_.spread, options_.spread);
  const equations::System& s = evaluator_.system();
  solve::Statistics statistics;
  solve::ConstraintProjection projection(evaluator_, statistics);
  std::vector<double> step(static_cast<std::size_t>(s.nv()));
  for (int i = 0; i < s.nv(); ++i) step[i] = uniform(random_) * s.unknown(i).nominal;
  for (int i = 0; i < s.nv(); ++i) p.v[i] = uniform(random_) * s.unknown(i).nominal;
  const std::vector<double> from = p.q;
  bool good = false;
  for (int k = 0; k < position_attempts && !good; ++k) {
    p.q = from;
    evaluator_.retract(p.q, step);
    good = projection.project_position(p).good;
    for (double& x : step) x /= 2;
  }
  if (!good || !projection.project_velocity(p).good) return false;
  for (int i = 0; i < s.nx(); ++i) p.x[i] += uniform(random_) * s.unknown(s.nv() + s.nl() + i).nominal;
  evaluator_.update_modes(p);
  return true;
}

std::string complete(equations::Evaluator& evaluator, solve::Newton& newton, equations::Point& p) {
  newton.forget_matrix();
  if (!solve::find_redundant_constraints(evaluator, p).empty()) newton.damp_multipliers();
  const solve::NewtonReport report = solve::restart(newton, p);
  return report.converged ? "" : report.text(evaluator.system());
}

}  // namespace coenergy::analyze
