// Functional mock-up units: compiled without a warning, run by an importer of its own, the same as the program.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "coenergy/io/csv.hpp"
#include "tests/fmu_importer.hpp"

namespace coenergy::tests {
namespace {

constexpr int rows = 20;

std::string example(const std::string& name) {
  return std::string(COENERGY_SOURCE_DIR) + "/examples/" + name + ".yaml";
}

bool has_tools() { return std::system("command -v cc >/dev/null && command -v python3 >/dev/null") == 0; }

void make_fmu(const Folder& folder, const std::string& model, int version, const std::vector<std::string>& more = {}) {
  std::vector<std::string> words{"export-fmu", model,   "--fmi", std::to_string(version),
                                 "--kind",     "me,cs", "-o",    (folder / "x.fmu").string()};
  words.insert(words.end(), more.begin(), more.end());
  const Outcome o = run_program(words);
  ASSERT_EQ(o.status, 0) << o.message;
}

/// The run of the program, and by how much rows of an FMU differ from it, relative to the largest value of each output.
class Reference {
 public:
  Reference(const std::string& model, double end) : end_(end) {
    const Outcome o = run_program({"run", model, "-q", "--method", "radau", "--rtol", "1e-11", "--atol", "1e-14",
                                   "--t-end", fmt::format("{}", end), "--output-step", fmt::format("{}", end / rows),
                                   "-o", (folder_ / "run.csv").string()});
    if (o.status != 0) throw std::runtime_error(o.message);
    data_ = io::read_csv(folder_ / "run.csv");
    times_ = data_.column("time");
  }
  double difference(Fmu& fmu, double t) const {
    double worst = 0;
    const auto row =
        static_cast<std::size_t>(std::upper_bound(times_.begin(), times_.end(), t + 1e-9 * end_) - times_.begin()) - 1;
    for (const auto& [name, reference] : fmu.outputs) {
      const std::vector<double> all = data_.column(name);
      double largest = 0;
      for (const double value : all) largest = std::max(largest, std::abs(value));
      worst = std::max(worst, std::abs(fmu.get({reference})[0] - all[row]) / (largest < 1e-9 ? 1 : largest));
    }
    return worst;
  }

 private:
  Folder folder_;
  double end_;
  io::CsvData data_;
  std::vector<double> times_;
};

void expect_same_run(const std::string& name, double end, double step) {
  SCOPED_TRACE(name);
  const Reference reference(example(name), end);
  for (const int version : {2, 3}) {
    SCOPED_TRACE(version);
    const Folder folder;
    make_fmu(folder, example(name), version);
    Fmu by_steps(folder / "x.fmu", version, true), by_rates(folder / "x.fmu", version, false);
    EXPECT_GT(by_steps.outputs.size(), 5u);
    by_steps.initialize(0), by_rates.initialize(0);
    FmuIntegrator integrator(by_rates, 0);
    for (int k = 1; k <= rows; ++k) {
      const double t = end * k / rows, from = end * (k - 1) / rows;
      by_steps.do_step(from, t - from);
      // 1e-8 is what is asked for; steps of the importer are chosen small enough for it
      ASSERT_LT(reference.difference(by_steps, t), 1e-8) << "co-simulation at " << t;
      integrator.advance(t, step);
      ASSERT_LT(reference.difference(by_rates, t), 1e-8) << "model exchange at " << t;
    }
  }
}

TEST(Fmu, IsTheRunOfTheProgram) {
  if (!has_tools()) GTEST_SKIP() << "there is no C compiler, or no Python to unpack";
  expect_same_run("01_pendulum/pendulum", 0.98137, 1e-3);
  expect_same_run("04_four_bar_pid/four_bar_digital", 0.298137, 5e-4);
  expect_same_run("06_hydraulic_cylinder/hydraulic_cylinder", 0.0098137, 2e-6);
}

TEST(Fmu, SourcesCompileWithoutAWarning) {
  if (!has_tools()) GTEST_SKIP() << "there is no C compiler, or no Python to unpack";
  for (const int version : {2, 3}) {
    const Folder folder;
    make_fmu(folder, example("class_e/class_e"), version, {"--no-binary", "--inputs", "U1.v"});
    const std::string build = "cd " + (folder / "").string() +
                              " && python3 -m zipfile -e x.fmu x && cd x/sources && cc -std=c99 -O0 -Wall -Wextra "
                              "-Wpedantic -Wconversion -Wshadow -Werror -c *.c";
    EXPECT_EQ(std::system(build.c_str()), 0);
  }
}

TEST(Fmu, StatesComeBackToTheSameBits) {
  if (!has_tools()) GTEST_SKIP() << "there is no C compiler, or no Python to unpack";
  for (const int version : {2, 3}) {
    const Folder folder;
    make_fmu(folder, example("class_e/class_e"), version);
    Fmu fmu(folder / "x.fmu", version, true), other(folder / "x.fmu", version, true);
    std::vector<unsigned> references;
    for (const auto& [name, reference] : fmu.outputs) references.push_back(reference);
    fmu.initialize(0), other.initialize(0);
    // periods of the switch are 1 µs long
    const double h = 0.37e-6;
    for (int k = 0; k < 4; ++k) fmu.do_step(k * h, h);
    const std::string bytes = fmu.save();
    const auto go_on = [&](Fmu& by) {
      std::vector<double> all;
      for (int k = 4; k < 12; ++k) {
        by.do_step(k * h, h);
        const std::vector<double> values = by.get(references);
        all.insert(all.end(), values.begin(), values.end());
      }
      return all;
    };
    const std::vector<double> first = go_on(fmu);
    fmu.load(bytes), other.load(bytes);
    EXPECT_EQ(go_on(fmu), first);
    EXPECT_EQ(go_on(other), first);
  }
}

TEST(Fmu, DirectionalDerivativesAreDifferences) {
  if (!has_tools()) GTEST_SKIP() << "there is no C compiler, or no Python to unpack";
  for (const int version : {2, 3}) {
    const Folder folder;
    make_fmu(folder, example("04_four_bar_pid/four_bar_pid"), version);
    Fmu fmu(folder / "x.fmu", version, false);
    fmu.initialize(0);
    fmu.update();
    std::vector<unsigned> unknowns;
    for (const auto& [name, reference] : fmu.outputs) unknowns.push_back(reference);
    const std::vector<double> x = fmu.get_states();
    // references of states: places in the value array, behind time
    std::vector<unsigned> known;
    const std::regex state(R"rx(valueReference="(\d+)"[^<]*(?:<Real[^<]*)?reinit="true")rx");
    for (std::sregex_iterator i(fmu.description.begin(), fmu.description.end(), state), end; i != end; ++i)
      known.push_back(static_cast<unsigned>(std::stoul((*i)[1])));
    ASSERT_EQ(known.size(), x.size());
    std::sort(known.begin(), known.end());
    for (std::size_t j = 0; j < known.size(); ++j) {
      fmu.set(0, x);
      const std::vector<double> slope = fmu.direction(unknowns, known[j]);
      const double h = 1e-6;
      std::vector<double> more = x, less = x;
      more[j] += h, less[j] -= h;
      fmu.set(0, more);
      const std::vector<double> above = fmu.get(unknowns);
      fmu.set(0, less);
      const std::vector<double> below = fmu.get(unknowns);
      for (std::size_t i = 0; i < unknowns.size(); ++i) {
        const double difference = (above[i] - below[i]) / (2 * h);
        // round-off of the difference: 1e-16 of values over h
        EXPECT_NEAR(slope[i], difference, 1e-8 * std::max({1.0, std::abs(difference), std::abs(above[i])}))
            << i << " " << j;
      }
    }
    if (version == 3) {
      fmu.set(0, x);
      const std::vector<double> seed(unknowns.size(), 0.5), back = fmu.adjoint(unknowns, known, seed);
      for (std::size_t j = 0; j < known.size(); ++j) {
        double sum = 0;
        for (const double s : fmu.direction(unknowns, known[j])) sum += 0.5 * s;
        EXPECT_NEAR(back[j], sum, 1e-12 * std::max(1.0, std::abs(sum)));
      }
    }
    EXPECT_TRUE(fmu.is_refused_with("{wrong}"));
  }
}

TEST(Fmu, WrongArgumentsAreRefused) {
  const auto refuse = [](const std::vector<std::string>& more) {
    std::vector<std::string> words{"export-fmu", example("01_pendulum/pendulum")};
    words.insert(words.end(), more.begin(), more.end());
    const Outcome o = run_program(words);
    EXPECT_EQ(o.status, 2) << o.all();
    return o.message;
  };
  EXPECT_NE(refuse({"-o", "x.zip"}).find("--output x.zip must end in .fmu"), std::string::npos);
  EXPECT_NE(refuse({"--kind", "xy", "-o", "x.fmu"}).find("--kind xy must be me, cs or me,cs"), std::string::npos);
  EXPECT_NE(refuse({"--fmi", "1", "-o", "x.fmu"}).find("--fmi"), std::string::npos);
  EXPECT_NE(refuse({"--outputs", "bob.zz", "-o", "x.fmu"}).find("bob.zz"), std::string::npos);
}

}  // namespace
}  // namespace coenergy::tests
