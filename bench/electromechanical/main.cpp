// Switched drives, their averaged forms, and real-time factors of examples.
#include <fmt/format.h>

#include <cmath>
#include <ctime>
#include <string>

#include "coenergy/compile/compile.hpp"
#include "coenergy/domains/standard.hpp"
#include "coenergy/io/model_file.hpp"
#include "coenergy/io/simulation_options.hpp"
#include "coenergy/solve/simulate.hpp"

namespace {

using namespace coenergy;

struct Outcome {
  double seconds = 0, speed = 0, torque = 0;  ///< processor time; means of the last fifth
  double span = 0;
  bool good = false;
};

double mean_of_end(const std::vector<double>& x) {
  double sum = 0;
  std::size_t n = 0;
  for (std::size_t k = x.size() * 4 / 5; k < x.size(); ++k) sum += x[k], ++n;
  return sum / static_cast<double>(n);
}

Outcome run(const std::string& file, const std::string& form, const char* speed, const char* torque) {
  model::Model model = io::read_model(file);
  if (!form.empty()) model.set("inverter.form", form);
  const solve::Options options = io::read_simulation_options(model);
  const equations::System system = compile::compile(model, domains::make_standard_registry()).system;
  solve::simulate(system, [&] {
    solve::Options first = options;  // makes the programs
    first.t_end = options.t_end / 1000;
    return first;
  }());
  const std::clock_t begin = std::clock();
  const solve::Result result = solve::simulate(system, options);
  Outcome outcome;
  outcome.seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  outcome.span = options.t_end;
  outcome.good = result.status == solve::Status::done;
  if (speed != nullptr) outcome.speed = mean_of_end(result.signal(speed));
  if (torque != nullptr) outcome.torque = mean_of_end(result.signal(torque));
  return outcome;
}

}  // namespace

int main() {
  int missed = 0;
  const auto judge = [&](bool good) { return missed += good ? 0 : 1, good ? "" : "   MISSED"; };
  for (const std::string name : {"induction_drive", "ipm_drive"}) {
    const std::string file = std::string(BENCH_MODELS) + "/" + name + ".yaml";
    const Outcome edges = run(file, "switched", "rotor.w", "motor.tau"),
                  mean = run(file, "averaged", "rotor.w", "motor.tau");
    fmt::print("{:<18} switched {:.3f} s (at most 0.3){}\n", name, edges.seconds,
               judge(edges.good && edges.seconds <= 0.3));
    const double ratio = edges.seconds / mean.seconds;
    fmt::print("{:<18} averaged {:.3f} s, {:.1f} times faster (at least 10){}\n", "", mean.seconds, ratio,
               judge(mean.good && ratio >= 10));
    const double apart = std::max(std::abs(mean.speed / edges.speed - 1), std::abs(mean.torque / edges.torque - 1));
    fmt::print("{:<18} means differ by {:.2g} (at most 0.01){}\n", "", apart, judge(apart <= 0.01));
  }
  for (const std::string name :
       {"scara/scara", "induction_motor/induction_motor", "parking_gate/parking_gate", "maglev/maglev"}) {
    const Outcome o = run(std::string(BENCH_EXAMPLES) + "/" + name + ".yaml", "", nullptr, nullptr);
    fmt::print("{:<34} {:.3f} s for {:g} s: {:.1f} times real time{}\n", name, o.seconds, o.span, o.span / o.seconds,
               judge(o.good));
  }
  fmt::print("{} limits missed\n", missed);
  return missed == 0 ? 0 : 1;
}
