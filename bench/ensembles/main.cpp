// Runs per second of one core, by the time that the process had the processor: others on the machine do not count.
//   bench_ensembles [variants of the first problem]
#include <fmt/core.h>
#include <sys/resource.h>

#include <cstdlib>
#include <string>

#include "coenergy/compile/compile.hpp"
#include "coenergy/domains/standard.hpp"
#include "coenergy/io/model_file.hpp"
#include "coenergy/io/simulation_options.hpp"
#include "coenergy/study/ensemble.hpp"
#include "coenergy/study/statistics.hpp"

namespace {

using namespace coenergy;

// three states, 1,000 steps of Runge and Kutta's method of order 4
const std::string lorenz =
    "parameters: {sigma: 10, rho: 28, beta: 8/3}\n"
    "components:\n"
    "  x: {type: blocks.Integrator, u: sigma*(y.y - x.y), y0: 1}\n"
    "  y: {type: blocks.Integrator, u: x.y*(rho - z.y) - y.y, y0: 1}\n"
    "  z: {type: blocks.Integrator, u: x.y*y.y - beta*z.y, y0: 1}\n"
    "simulate: {t_end: 10 s, method: rk4, step: 10 ms}\n";

// 20 samples of a controller and a step of its reference: 20 events with a restart each, steps by their error between them
const std::string servo =
    "components:\n"
    "  U: {type: electrical.VoltageSource, p: a, n: gnd, v: pid.y}\n"
    "  motor: {type: converters.DcMachine, p: a, n: gnd, shaft: wheel.shaft, k: 50 mV.s/rad, R: 1.2 ohm, L: 2 mH}\n"
    "  wheel: {type: mechanical.Inertia, J: 1e-4 kg.m2}\n"
    "  pid: {type: blocks.SampledPid, reference: \"time < 20 ms ? 0 : 100 rad/s\", measure: wheel.w, kp: 0.05, ki: 1, "
    "sample: 5 ms}\n"
    "simulate: {t_end: 0.1 s, method: esdirk, rtol: 1e-4, atol: 1e-6}\n";

double processor_time() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

void measure(const char* title, const std::string& text, const std::string& vary, const std::string& what,
             std::uint64_t variants) {
  const model::Model model = io::parse_model(text, "model");
  const model::Registry registry = domains::make_standard_registry();
  const equations::System system = compile::compile(model, registry).system;
  const solve::Options options = io::read_simulation_options(model);
  const study::Settings settings(model, registry, system, {study::spread_path(vary)});
  const study::Design design({study::read_spread(vary, settings.unit(0))}, study::Sampling::random, variants, 1);
  study::Ensemble ensemble({&system, &settings, &design, study::read_measures({what}, system, options), options, 1, 0});
  const double begin = processor_time();
  ensemble.run(nullptr, true, {});
  study::Statistics statistics;
  for (std::uint64_t c = 0; c < ensemble.chunks(); ++c) {
    const study::Chunk chunk = ensemble.read(nullptr, c);
    for (std::size_t k = 0; k < chunk.values.size(); ++k)
      statistics.add(c * ensemble.chunk_size() + k, chunk.values[k]);
  }
  const double time = processor_time() - begin;
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  fmt::print("{:<44}{:>10} runs{:>10.3f} s{:>12.0f} runs/s{}{:>8} MB\n", title, variants, time,
             static_cast<double>(variants) / time,
             ensemble.uses_lanes() ? fmt::format("  {} lanes", study::LaneRunner::lanes()) : std::string("         "),
             usage.ru_maxrss / 1024);
}

}  // namespace

int main(int argc, char** argv) {
  const std::uint64_t variants = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1000000;
  measure("Lorenz, 1,000 steps of order 4", lorenz, "rho~normal(28, 5%)", "x.y", variants);
  measure("DC servo, sampled controller, 20 events", servo, "motor.R~normal(1.2 ohm, 5%)", "wheel.w", 5000);
  return 0;
}
