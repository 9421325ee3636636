#include "coenergy/analyze/harmonics.hpp"

#include <fmt/format.h>

#include "apps/coenergy/answer.hpp"

namespace coenergy::app {

namespace {

void print(const analyze::Harmonics& h) {
  fmt::print("{:<30}{:>22.12g} {}\n", h.signal + " mean", h.mean, h.unit);
  fmt::print("{:<30}{:>22.12g} {}\n", h.signal + " rms", h.rms, h.unit);
  for (std::size_t n = 0; n < h.amplitude.size(); ++n)
    fmt::print("{:<30}{:>22.12g} {:<8}{:>12.6g} rad\n", fmt::format("{} harmonic {}", h.signal, n + 1), h.amplitude[n],
               h.unit, h.phase[n]);
  fmt::print("{:<30}{:>22.12g}\n", h.signal + " distortion (THD)", h.thd);
}

}  // namespace

int periodic(const PeriodicArguments& arguments) {
  const auto [model, options, compiled] = prepare(load_model(arguments.model));
  equations::Evaluator evaluator(compiled.system);
  const analyze::Periodic found = with_places(model, [&, &options = options] {
    return analyze::find_periodic(evaluator, options, {.period = arguments.period, .free = arguments.free});
  });
  if (!found.good) throw Failure("periodic: " + found.text);
  nlohmann::json j = begin_answer(model.file, list_notes(model, compiled));
  add_notes(j, found.notes);
  j.update({{"period", found.period},
            {"period_unit", "s"},
            {"smallest", found.smallest},
            {"iterations", found.iterations},
            {"time", found.point.t},
            {"counting", found.counting},
            {"states", nlohmann::json::object()},
            {"units", {{"period", "s"}, {"smallest", "s"}, {"time", "s"}}},
            {"multipliers", nlohmann::json::array()}});
  for (std::size_t k = 0; k < found.names.size(); ++k)
    j["states"][found.names[k]] = found.values[k], j["units"][found.names[k]] = found.units[k];
  for (const std::complex<double>& m : found.multipliers) j["multipliers"].push_back({m.real(), m.imag()});
  std::vector<analyze::Harmonics> harmonics;
  if (!arguments.signals.empty())
    harmonics = analyze::find_harmonics(evaluator, options, found, arguments.signals, arguments.harmonics);
  for (const analyze::Harmonics& h : harmonics)
    j["harmonics"][h.signal] = {{"unit", h.unit},           {"mean", h.mean},   {"rms", h.rms},       {"thd", h.thd},
                                {"amplitude", h.amplitude}, {"phase", h.phase}, {"phase_unit", "rad"}};
  if (arguments.model.json) return print_answer(j);
  for (std::size_t k = 0; k < found.names.size(); ++k)
    fmt::print("{:<30}{:>22.12g} {}\n", found.names[k], found.values[k], found.units[k]);
  for (const std::complex<double>& m : found.multipliers)
    fmt::print("{:<30}{:>22.8g}{:>+16.8g}i\n", "multiplier", m.real(), m.imag());
  fmt::print("{:<30}{:>22.14g} s\n", "period", found.period);
  if (found.smallest > 0) fmt::print("{:<30}{:>22.14g} s\n", "smallest period", found.smallest);
  fmt::print("{:<30}{:>22.12g} s\n", "time of this state", found.point.t);
  for (const analyze::Harmonics& h : harmonics) print(h);
  for (const std::string& name : found.counting)
    fmt::print("note: {} counts on from period to period and decides nothing\n", name);
  for (const std::string& note : found.notes) fmt::print("note: {}\n", note);
  return 0;
}

}  // namespace coenergy::app
