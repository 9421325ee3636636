#include <gtest/gtest.h>

#include <map>

#include "tests/example_run.hpp"
#include "tests/random_machine.hpp"

// Random machines of all domains, each by all methods with error control, in both formulations and at two tolerances:
// they agree with a tight run and their energy accounts close, or the run is refused with a reason. Nothing in between.

namespace coenergy::tests {
namespace {

constexpr double end = 0.4;
constexpr int rows = 40;        // to see how large signals become
constexpr double shift = 1e-7;  // of start values: what it becomes shows how errors grow

struct Variant {
  std::string method, formulation;
  double tolerance;
  std::string name() const { return fmt::format("{} {} {:g}", method, formulation, tolerance); }
};

struct Run {
  bool good = false;
  bool is_model = true;        // it could be read and compiled
  std::string text;            // why not
  std::vector<double> values;  // of the watched signals at the middle and at the end
  std::vector<double> sizes;   // their largest values
  double steps = 0;
  double account = 0, size = 0;  // what the energy account lacks, and the largest of its parts
};

/// Steps of a run that are too many for any of these machines: explicit methods on stiff parts.
constexpr long most_steps = 60000;

Run run(const RandomMachine& machine, const Variant& variant, std::string text) {
  Run run;
  if (machine.has_bodies()) text = "formulation: " + variant.formulation + "\n" + text;
  text +=
      fmt::format("simulate: {{t_end: {}, method: {}, rtol: {:g}, atol: {:g}, output_step: {}, record_events: no}}\n",
                  end, variant.method, variant.tolerance, variant.tolerance * 1e-2, end / rows);
  try {
    run.is_model = false;
    const model::Model model = io::parse_model(text, "random.yaml");
    const equations::System system = compile_model(model);
    run.is_model = true;
    solve::Hooks hooks;
    hooks.progress = [](const solve::Progress& p) { return p.statistics->steps < most_steps; };
    const solve::Result result = solve::simulate(system, io::read_simulation_options(model), hooks);
    if (result.status != solve::Status::done) {
      run.text = result.text;
      return run;
    }
    run.steps = double(result.statistics.steps);
    for (const double t : {end / 2, end})
      for (const std::string& signal : machine.signals()) run.values.push_back(value_at(result, signal, t));
    for (const std::string& signal : machine.signals()) {
      run.sizes.push_back(1e-2);
      for (const double value : result.signal(signal)) run.sizes.back() = std::max(run.sizes.back(), std::abs(value));
    }
    const auto stored = result.signal("energy.stored"), supplied = result.signal("energy.supplied"),
               dissipated = result.signal("energy.dissipated");
    run.account = stored.back() - stored.front() - (supplied.back() - dissipated.back());
    run.size = std::max(
        {std::abs(stored.back()), std::abs(stored.front()), std::abs(supplied.back()), std::abs(dissipated.back())});
    run.good = true;
  } catch (const Error& e) {
    run.text = e.what();
  }
  return run;
}

class Census {
 public:
  void compare(unsigned seed) {
    const RandomMachine machine(seed);
    const std::string formulation = machine.is_flexible() ? "absolute" : "relative";
    const Run reference = run(machine, {"radau", formulation, 1e-11}, machine.text());
    const Run nearby = run(machine, {"radau", formulation, 1e-9}, machine.text());
    const Run shifted = run(machine, {"radau", formulation, 1e-11}, machine.shifted_text(shift));
    EXPECT_TRUE(reference.is_model) << "seed " << seed << ": " << reference.text << "\n" << machine.text();
    if (!reference.good || !nearby.good) {
      tell(seed, "radau (reference)", (reference.good ? nearby : reference).text);
      return;
    }
    for (const Variant& variant : variants(machine)) check(seed, machine, variant, reference, nearby, shifted);
  }

  void print() const {
    fmt::print("{} runs agree, {} are refused, {} disagree\n", agreed_, refused_, disagreed_);
    for (const auto& [reason, count] : reasons_) fmt::print("  {:4} refused: {}\n", count, reason);
  }
  int agreed() const { return agreed_; }
  int refused() const { return refused_; }

 private:
  static std::vector<Variant> variants(const RandomMachine& machine) {
    std::vector<Variant> all;
    for (const char* formulation : {"relative", "absolute"}) {
      if (formulation == std::string("relative") && machine.is_flexible()) continue;
      if (formulation == std::string("absolute") && !machine.has_bodies()) continue;
      for (const char* method : {"radau", "esdirk", "generalized-alpha", "dopri", "dop853"})
        for (const double tolerance : {1e-5, 1e-8}) {
          // order 2 at 1e-8 takes tens of thousands of steps and shows nothing new
          if (method == std::string("generalized-alpha") && tolerance < 1e-6) continue;
          all.push_back({method, formulation, tolerance});
        }
    }
    return all;
  }

  void tell(unsigned seed, const std::string& name, const std::string& text) {
    ++refused_;
    if (COENERGY_TELL_REFUSALS) fmt::print("seed {} {}: {}\n", seed, name, text);
    ++reasons_[text.substr(0, text.find(" at t =")).substr(0, 60)];
  }

  /// A tolerance for each step allows about a thousand of it in the end, or as many as there are steps: of order 2 it takes
  /// 3,400 over a hundred swings of a spring (seed 345), and an error that falls with the tolerance to the power 2/3. What makes a difference of start values grow,
  /// such as impacts on the way, makes errors of steps grow as much, and errors of the reference too.
  void check(unsigned seed, const RandomMachine& machine, const Variant& variant, const Run& reference,
             const Run& nearby, const Run& shifted) {
    const Run found = run(machine, variant, machine.text());
    if (!found.good) return tell(seed, variant.name(), found.text);
    const std::size_t n = machine.signals().size();
    double worst = 0;
    std::string where;
    for (std::size_t k = 0; k < 2 * n; ++k) {
      const double scale = reference.sizes[k % n];
      const double amplified = std::abs(nearby.values[k] - reference.values[k]) / 1e-9;
      const double grown = shifted.good ? std::abs(shifted.values[k] - reference.values[k]) / shift : 0;
      const double allowed = variant.tolerance * (std::max(1e3, found.steps) * std::max(scale, grown) + 30 * amplified);
      const double part = std::abs(found.values[k] - reference.values[k]) / allowed;
      if (part > worst || !(part == part))
        worst = part == part ? part : INFINITY,
        where = fmt::format("{} at {} s: {:.10g} instead of {:.10g}", machine.signals()[k % n], k < n ? end / 2 : end,
                            found.values[k], reference.values[k]);
    }
    const double account = std::abs(found.account) / (variant.tolerance * 1e3 * std::max(found.size, 1e-3));
    if (worst <= 1 && account <= 1) {
      ++agreed_;
      return;
    }
    ++disagreed_;
    ADD_FAILURE() << "seed " << seed << ", " << variant.name() << ": " << where << " (" << worst
                  << " of what is allowed); account " << found.account << " J of " << found.size << " J\n"
                  << (COENERGY_TELL_REFUSALS ? machine.text() : "");
  }

  int agreed_ = 0, refused_ = 0, disagreed_ = 0;
  std::map<std::string, int> reasons_;
};

TEST(RandomMachines, AllMethodsAndFormulationsAgreeOrRefuse) {
  Census census;
  const char* const first = std::getenv("COENERGY_FIRST_SEED");
  const char* const count = std::getenv("COENERGY_SEEDS");
  const unsigned from = first != nullptr ? unsigned(std::atoi(first)) : 1,
                 n = count != nullptr ? unsigned(std::atoi(count)) : COENERGY_RANDOM_MACHINES;
  for (unsigned seed = from; seed < from + n; ++seed) census.compare(seed);
  census.print();
  // a program that refuses everything is safe, but of no use: a twentieth may be too much for explicit methods
  EXPECT_LT(census.refused() * 20, census.agreed());
}

}  // namespace
}  // namespace coenergy::tests
