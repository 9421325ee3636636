#include "coenergy/solve/saved_state.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "coenergy/base/names.hpp"
#include "coenergy/equations/data.hpp"

namespace coenergy::solve {
namespace {

constexpr std::string_view magic = "coenergy state\n";
constexpr std::uint32_t version = 2;

void add_numbers(Checksum& sum, std::span<const double> values) {
  for (double value : values) {
    // all that is not a number is the same
    if (std::isnan(value)) value = 0.5;
    sum.add({reinterpret_cast<const char*>(&value), sizeof value});
  }
}

/// Residuals and indicators a little beside the start, and the clocks.
std::uint64_t identify_equations(equations::Evaluator& evaluator) {
  const equations::System& s = evaluator.system();
  equations::Point p = s.start();
  p.q.resize(s.nq()), p.v.resize(s.nv()), p.a.resize(s.nv()), p.lambda.resize(s.nl());
  p.x.resize(s.nx()), p.xd.resize(s.nx()), p.y.resize(s.ny()), p.d.resize(s.nd());
  double shift = 0.01;
  for (auto* part : {&p.q, &p.v, &p.a, &p.lambda, &p.x, &p.xd, &p.y})
    for (double& value : *part) value += shift += 1e-3;
  evaluator.normalize(p.q);
  p.t = 0.01;
  std::vector<double> residual(static_cast<std::size_t>(s.n())), g(static_cast<std::size_t>(s.indicators()));
  evaluator.residual(p, equations::Level::acceleration, residual);
  evaluator.indicators(p, g);
  Checksum sum;
  add_numbers(sum, residual), add_numbers(sum, g);
  for (const equations::Clock& clock : s.data().clocks) add_numbers(sum, {{clock.period, clock.offset}});
  return sum.value();
}

[[noreturn]] void refuse(const std::string& what, const std::string& cure) {
  throw Error("the saved state does not belong to this run: " + what + "; " + cure);
}

/// The first name that stands in one list only, or nothing.
void check_names(const char* kind, const std::vector<std::string>& saved, const std::vector<std::string>& here,
                 const std::string& cure) {
  if (saved == here) return;
  for (std::size_t k = 0; k < std::max(saved.size(), here.size()); ++k) {
    if (k < saved.size() && k < here.size() && saved[k] == here[k]) continue;
    if (k >= here.size()) refuse(fmt::format("it has the {} {}, which this model has not", kind, saved[k]), cure);
    if (k >= saved.size()) refuse(fmt::format("it has no {} {}, as this model has", kind, here[k]), cure);
    refuse(fmt::format("it has the {} {} where this model has {}", kind, saved[k], here[k]), cure);
  }
}

std::uint64_t identify(const SavedState& state) {
  Checksum sum;
  sum.add(state.to_bytes());
  return sum.value();
}

}  // namespace

ModelIdentity::ModelIdentity(equations::Evaluator& evaluator) {
  const equations::System& s = evaluator.system();
  for (int i = 0; i < s.n(); ++i) unknowns.push_back(s.unknown(i).name);
  discretes = s.data().discrete_names;
  for (int k = 0; k < s.parameters(); ++k) parameters.push_back(s.parameter_name(k)), values.push_back(s.parameter(k));
  configuration = s.nq();
  // with the parameters of the model, whatever inputs are set
  std::vector<double> inputs(values.size());
  for (int k = 0; k < s.parameters(); ++k) {
    inputs[k] = evaluator.parameter(k);
    evaluator.set_parameter_alone(k, values[k]);
  }
  equations = identify_equations(evaluator);
  for (int k = 0; k < s.parameters(); ++k) evaluator.set_parameter_alone(k, inputs[k]);
}

std::string SavedState::to_bytes() const {
  StateArchive archive;
  SavedState copy = *this;
  archive(copy.model, copy.options, copy.point, copy.rest, copy.besides);
  archive.close();
  return with_head(archive.bytes());
}

std::string SavedState::with_head(const std::string& body) {
  Checksum sum;
  sum.add(body);
  const std::uint64_t numbers[] = {version, sum.value(), body.size()};
  std::string bytes(magic);
  bytes.append(reinterpret_cast<const char*>(numbers), sizeof numbers);
  return bytes + body;
}

SavedState SavedState::from_bytes(std::string_view bytes) {
  if (!bytes.starts_with(magic)) throw Error("this is no saved state of a run");
  bytes.remove_prefix(magic.size());
  std::uint64_t numbers[3] = {};
  if (bytes.size() < sizeof numbers) throw Error("the saved state is not complete");
  std::memcpy(numbers, bytes.data(), sizeof numbers);
  bytes.remove_prefix(sizeof numbers);
  if (numbers[0] != version)
    throw Error(
        fmt::format("the state was saved in version {} of its format, this program reads version {}; run again "
                    "from the start",
                    numbers[0], version));
  Checksum sum;
  sum.add(bytes);
  if (numbers[2] != bytes.size() || numbers[1] != sum.value())
    throw Error("the saved state is damaged: its check sum is wrong");
  SavedState state;
  StateArchive archive(bytes);
  archive(state.model, state.options, state.point, state.rest, state.besides);
  archive.close();
  return state;
}

std::vector<std::pair<std::string, std::string>> options_as_text(const Options& options) {
  // a new option has to be named here, too
  const auto& [t_start, t_end, method, step, max_step, min_step, output_step, record_events, adaptive, rtol, atol,
               rho_inf, alpha_m, alpha_f, gamma, beta, newton_tolerance, max_newton, restart, project, max_event_passes,
               coordinates, start, hold, guess, from, states, signals] = options;
  const auto number = [](double value) { return format_number(value); };
  const auto maybe = [&](const std::optional<double>& value) { return value ? number(*value) : "unset"; };
  const auto voltages = [&](const std::vector<std::pair<std::string, double>>& nodes) {
    std::string text;
    for (const auto& [node, value] : nodes) text += node + ": " + number(value) + " ";
    return text;
  };
  std::string given;
  for (const double x : states) given += number(x) + " ";
  return {{"t_start", number(t_start)},
          {"method", method},
          {"step", number(step)},
          {"max_step", number(max_step)},
          {"min_step", number(min_step)},
          {"output_step", number(output_step)},
          {"record_events", record_events ? "true" : "false"},
          {"adaptive", is_adaptive(options) ? "true" : "false"},
          {"rtol", number(rtol)},
          {"atol", number(atol)},
          {"rho_inf", maybe(rho_inf)},
          {"alpha_m", maybe(alpha_m)},
          {"alpha_f", maybe(alpha_f)},
          {"gamma", maybe(gamma)},
          {"beta", maybe(beta)},
          {"newton_tolerance", number(newton_tolerance)},
          {"max_newton", std::to_string(max_newton)},
          {"restart", restart ? "true" : "false"},
          {"project", project ? "true" : "false"},
          {"max_event_passes", std::to_string(max_event_passes)},
          {"coordinates", coordinates},
          {"start", start},
          {"hold", voltages(hold)},
          {"guess", voltages(guess)},
          {"start.from", from ? fmt::format("{:016x}", identify(*from)) : ""},
          {"states", given},
          {"signals", fmt::format("{}", fmt::join(signals, " "))}};
}

void check_same_variables(const SavedState& state, const ModelIdentity& model) {
  const std::string cure = "start from a state of a model with the same variables";
  check_names("variable", state.model.unknowns, model.unknowns, cure);
  check_names("discrete variable", state.model.discretes, model.discretes, cure);
  if (state.model.configuration != model.configuration) refuse("rotations are described in another way", cure);
}

void check_same_run(const SavedState& state, const ModelIdentity& model, const Options& options) {
  const std::string same = "use the model as it was when the state was saved",
                    other = "give the options of the run that saved it, or start another run by start: {from: FILE}";
  check_names("variable", state.model.unknowns, model.unknowns, same);
  check_names("discrete variable", state.model.discretes, model.discretes, same);
  check_names("parameter", state.model.parameters, model.parameters, same);
  for (std::size_t k = 0; k < model.values.size(); ++k)
    if (const double was = state.model.values[k]; was != model.values[k] && !(std::isnan(was)))
      refuse(fmt::format("{} was {}, and is {} here", model.parameters[k], format_number(was),
                         format_number(model.values[k])),
             same);
  if (state.model.configuration != model.configuration || state.model.equations != model.equations)
    refuse("the equations are others", same);
  const auto here = options_as_text(options);
  if (state.options.size() != here.size()) refuse("it was saved by another build of the program", "run again");
  for (std::size_t k = 0; k < here.size(); ++k)
    if (state.options[k] != here[k])
      refuse(fmt::format("{} was \"{}\", and is \"{}\" here", here[k].first, state.options[k].second, here[k].second),
             other);
}

}  // namespace coenergy::solve
