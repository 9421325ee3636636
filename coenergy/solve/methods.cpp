#include "coenergy/solve/backward_euler.hpp"
#include "coenergy/solve/esdirk.hpp"
#include "coenergy/solve/generalized_alpha.hpp"
#include "coenergy/solve/radau.hpp"
#include "coenergy/solve/runge_kutta.hpp"
#include "coenergy/solve/stepper.hpp"
#include "coenergy/solve/sundials.hpp"

namespace coenergy::solve {

std::unique_ptr<Stepper> make_stepper(equations::Evaluator& evaluator, const Options& options, Statistics& statistics,
                                      const Redundancy& redundancy) {
  const bool damp_multipliers = !redundancy.none();
  const auto runge_kutta = [&](const Tableau& tableau) {
    auto stepper = std::make_unique<RungeKutta>(evaluator, options, statistics, tableau);
    if (damp_multipliers) stepper->form().damp_multipliers(redundancy.always);
    return stepper;
  };
#ifdef COENERGY_SUNDIALS
  if (options.method == "ida") return make_ida(evaluator, options, statistics, redundancy);
  if (options.method == "cvode") return make_cvode(evaluator, options, statistics, redundancy);
#endif
  if (options.method == "euler") return runge_kutta(Tableau::euler());
  if (options.method == "rk4") return runge_kutta(Tableau::rk4());
  if (options.method == "dopri") return runge_kutta(Tableau::dormand_prince());
  if (options.method == "dop853") return runge_kutta(Tableau::dormand_prince_853());
  if (options.method == "trapez") {
    auto stepper = std::make_unique<AdamsBashforth2>(evaluator, options, statistics);
    if (damp_multipliers) stepper->form().damp_multipliers(redundancy.always);
    return stepper;
  }
  if (options.method == "backward-euler") {
    auto stepper = std::make_unique<BackwardEuler>(evaluator, options, statistics);
    if (damp_multipliers) stepper->damp_multipliers(redundancy.always);
    return stepper;
  }
  if (options.method == "radau") {
    auto stepper = std::make_unique<Radau>(evaluator, options, statistics);
    if (damp_multipliers) stepper->hold_multipliers(redundancy);
    return stepper;
  }
  if (options.method == "esdirk") {
    auto stepper = std::make_unique<Esdirk>(evaluator, options, statistics);
    if (damp_multipliers) stepper->damp_multipliers();
    return stepper;
  }
  auto stepper = std::make_unique<GeneralizedAlpha>(evaluator, options, statistics);
  if (damp_multipliers) stepper->damp_multipliers(redundancy.always);
  return stepper;
}

}  // namespace coenergy::solve
