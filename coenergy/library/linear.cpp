#include <cmath>

#include "coenergy/analyze/equilibrium.hpp"
#include "coenergy/analyze/frequency_response.hpp"
#include "coenergy/analyze/linear_notes.hpp"
#include "coenergy/analyze/linearize.hpp"
#include "coenergy/analyze/modes.hpp"
#include "coenergy/analyze/sampled.hpp"
#include "coenergy/analyze/steady_motion.hpp"
#include "coenergy/base/names.hpp"
#include "coenergy/library/prepared.hpp"
#include "coenergy/solve/initialize.hpp"
#include "coenergy/solve/settle.hpp"
#include "coenergy/solve/simulate.hpp"

namespace coenergy {
namespace {

equations::Point find_point(equations::Evaluator& evaluator, solve::Options options, At at, double time) {
  if (at == At::steady) {
    analyze::SteadyMotion motion = analyze::find_steady_motion(evaluator, options);
    if (!motion.good) throw Failure("steady: " + motion.text);
    return motion.point;
  }
  if (at == At::time && !(time >= options.t_start))
    throw Error("time = " + format_short(time) + " s: the run starts at " + format_short(options.t_start) + " s");
  if (at == At::time && time > options.t_start) {
    options.t_end = time;
    solve::Result result = solve::simulate(evaluator, options);
    if (result.status != solve::Status::done) throw Failure("run to t = " + format_short(time) + " s: " + result.text);
    return result.end;
  }
  std::optional<solve::HeldTime> held;
  if (at == At::equilibrium) options.start = "static", held.emplace(evaluator);
  const solve::Start start = solve::initialize(evaluator, options);
  if (!start.good) throw Failure((at == At::equilibrium ? "equilibrium: " : "start: ") + start.text);
  return start.point;
}

struct Linear {
  std::shared_ptr<const library::Prepared> prepared;
  equations::Evaluator evaluator;
  equations::Point point;
  analyze::Linearization linear;
  std::optional<analyze::SampledModel> sampled;
};

Linear linearize_at(const model::Model& model, const LinearOptions& options) {
  const auto prepared = library::prepare(model, options.inputs);
  return library::with_places(prepared->model, [&] {
    equations::Evaluator evaluator(prepared->compiled.system);
    equations::Point point =
        find_point(evaluator, library::make_options(prepared->model, {}), options.at, options.time);
    evaluator.open_inputs(point);
    analyze::Linearization linear = analyze::linearize(evaluator, point, options.inputs, options.outputs);
    std::optional<analyze::SampledModel> sampled;
    if (analyze::has_samples(prepared->compiled.system))
      sampled = analyze::linearize_sampled(evaluator, point, analyze::Linearization(linear));
    return Linear{prepared, std::move(evaluator), std::move(point), std::move(linear), std::move(sampled)};
  });
}

/// Names that are not given are those the model declares.
LinearOptions complete(LinearOptions options, const Model& model) {
  if (options.inputs.empty()) options.inputs = model.inputs();
  if (options.outputs.empty()) options.outputs = model.outputs();
  return options;
}

std::vector<double> numbers(const math::Matrix& m) {
  std::vector<double> all;
  for (int i = 0; i < m.rows; ++i)
    for (int j = 0; j < m.columns; ++j) all.push_back(m(i, j));
  return all;
}

}  // namespace

LinearModel Model::linearize(const LinearOptions& options) const {
  const Linear found = linearize_at(impl_->model, complete(options, *this));
  const analyze::StateSpace s = found.sampled ? analyze::discretize(*found.sampled) : found.linear.model;
  if (s.has_rates())
    throw Error("linearize: an input fixes a state, so that its rate acts, too; the verb linearize tells E and F");
  LinearModel m{numbers(s.a), numbers(s.b), numbers(s.c),  numbers(s.d),  s.states,
                s.inputs,     s.outputs,    s.state_units, s.input_units, s.output_units};
  if (found.sampled) m.period = found.sampled->period;
  m.notes = analyze::describe_linear_point(found.prepared->compiled.system, found.point);
  return m;
}

Modes Model::modes(const LinearOptions& options) const {
  LinearOptions none = options;
  none.inputs.clear(), none.outputs.clear();
  const Linear found = linearize_at(impl_->model, none);
  Modes all;
  if (found.sampled) {
    all.names = analyze::discretize(*found.sampled).states;
    for (const analyze::SampledMode& m : analyze::compute_sampled_modes(*found.sampled))
      all.modes.push_back({m.s, m.frequency, m.damping, m.shape});
    return all;
  }
  const analyze::Modes modes = analyze::compute_modes(found.prepared->compiled.system, found.linear);
  all.names = modes.names;
  for (const analyze::Mode& m : modes.modes) all.modes.push_back({m.eigenvalue, m.frequency, m.damping, m.shape});
  return all;
}

FrequencyResponse Model::bode(const LinearOptions& options, double from, double to, int points) const {
  if (!(from > 0) || !(to >= from) || points < 1) throw Error("bode: from must be > 0, to >= from, points >= 1");
  const LinearOptions chosen = complete(options, *this);
  if (chosen.inputs.empty()) throw Error("bode: name an input, such as U1.v, or declare inputs: in the model");
  const Linear found = linearize_at(impl_->model, chosen);
  const std::optional<analyze::SampledModel> sampled =
      found.sampled ? std::optional(analyze::keep_observable(*found.sampled)) : std::nullopt;
  FrequencyResponse response{{}, found.linear.model.inputs, found.linear.model.outputs, {}};
  for (int k = 0; k < points; ++k) {
    const double f = points == 1 ? from : from * std::pow(to / from, double(k) / (points - 1));
    response.frequencies.push_back(f);
    const double omega = 2 * M_PI * f;
    const std::vector<std::complex<double>> values =
        sampled ? analyze::compute_sampled_response(*sampled, omega, 0)
                : analyze::compute_frequency_response(found.linear.model, omega);
    response.values.insert(response.values.end(), values.begin(), values.end());
  }
  return response;
}

Equilibrium Model::equilibrium() const {
  const auto prepared = impl_->prepare();
  return library::with_places(prepared->model, [&] {
    equations::Evaluator evaluator(prepared->compiled.system);
    const equations::Point point =
        find_point(evaluator, library::make_options(prepared->model, {}), At::equilibrium, 0);
    Equilibrium found;
    for (const equations::SignalInfo& s : prepared->compiled.system.signals())
      found.signals.push_back({s.name, s.unit});
    found.values.resize(found.signals.size());
    evaluator.signals(point, found.values);
    const analyze::Stability stability = analyze::find_stability(evaluator, point);
    found.stable = stability.stable, found.lowest_eigenvalue = stability.lowest;
    return found;
  });
}

}  // namespace coenergy
