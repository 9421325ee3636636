#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>

#include "coenergy/base/error.hpp"
#include "coenergy/io/output_file.hpp"
#include "coenergy/solve/saved_state.hpp"
#include "coenergy/solve/simulation.hpp"
#include "tests/example_run.hpp"

namespace coenergy::tests {
namespace {

using solve::Options;
using solve::Simulation;

/// Rows as they come, with their times.
struct Rows {
  std::vector<double> numbers;
  solve::Hooks hooks() {
    solve::Hooks hooks;
    hooks.keep_rows = false;
    hooks.row = [this](double t, std::span<const double> values) {
      numbers.push_back(t);
      numbers.insert(numbers.end(), values.begin(), values.end());
    };
    return hooks;
  }
};

bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0);
}

struct Outcome {
  Rows rows;
  solve::Status status = solve::Status::done;
  std::string text;
  long steps = 0, newton_iterations = 0, events = 0;
};

Outcome outcome_of(Simulation& s, Rows rows) {
  const solve::Result result = s.take_result();
  return {
      std::move(rows),         result.status, result.text, result.statistics.steps, result.statistics.newton_iterations,
      result.statistics.events};
}

Outcome run_straight(const equations::System& system, const Options& options, long most_steps) {
  Rows rows;
  equations::Evaluator evaluator(system);
  Simulation s(evaluator, options, rows.hooks());
  for (long k = 0; k < most_steps && s.step(); ++k) {
  }
  return outcome_of(s, std::move(rows));
}

/// The same, but after the given numbers of steps everything is thrown away except for the saved bytes.
Outcome run_in_pieces(const equations::System& system, const Options& options, long most_steps,
                      const std::vector<long>& pauses) {
  Rows rows;
  std::string state;
  long step = 0;
  for (std::size_t piece = 0;; ++piece) {
    equations::Evaluator evaluator(system);
    Simulation s(evaluator, options, rows.hooks());
    if (piece > 0) s.load(state);
    const bool is_last = piece == pauses.size();
    const long until = is_last ? most_steps : pauses[piece];
    bool goes_on = true;
    while (step < until && goes_on) goes_on = s.step(), ++step;
    if (is_last || !goes_on) return outcome_of(s, std::move(rows));
    state = s.save();
  }
}

struct Case {
  std::string folder, name;
  double t_end;  ///< shorter than the example's own, 0: that
  Settings set = {};
};

/// Runs with events of all kinds: samples, friction, stops, diodes, switches, loops, redundant constraints, rotations.
const std::vector<Case> cases = {{"01_pendulum", "pendulum", 1},
                                 {"02_rlc", "rlc", 0},
                                 {"03_dc_servo", "dc_servo", 0.02},
                                 {"04_four_bar_pid", "four_bar_digital", 0.3},
                                 {"06_hydraulic_cylinder", "hydraulic_cylinder", 0.2},
                                 {"stick_slip", "stick_slip", 2},
                                 {"class_e", "class_e", 2e-6},
                                 {"bricard", "bricard", 0.3},
                                 {"robot_arm", "robot_arm", 0.1},
                                 {"transistor_amplifier", "transistor_amplifier", 0.005}};

class EveryMethod : public testing::TestWithParam<std::string> {};

TEST_P(EveryMethod, GoesOnFromASavedStateToTheSameBits) {
  constexpr long most_steps = 400;
  int compared = 0;
  for (const Case& c : cases) {
    const model::Model model = read_example(c.folder, c.name, c.set);
    Options options = io::read_simulation_options(model);
    options.method = GetParam();
    options.adaptive.reset();
    if (c.t_end > 0) options.t_end = c.t_end;
    if (!solve::is_adaptive(options)) {
      options.step = options.t_end / 300;
      options.rtol = Options{}.rtol, options.atol = Options{}.atol;
    }
    const equations::System system = compile_model(model);
    Outcome straight;
    try {
      options.check();
      straight = run_straight(system, options, most_steps);
    } catch (const Error&) {
      continue;  // a method that refuses this model
    }
    if (straight.steps < 4) continue;
    // early, in the middle of everything, and two saves in a row
    const long n = straight.steps;
    const std::vector<long> pauses = {1, 2, n / 3, n / 3 + 1, n / 2, n - 1};
    const Outcome pieces = run_in_pieces(system, options, most_steps, pauses);
    EXPECT_TRUE(same_bits(straight.rows.numbers, pieces.rows.numbers)) << c.name << " by " << GetParam();
    EXPECT_EQ(straight.status, pieces.status) << c.name;
    EXPECT_EQ(straight.text, pieces.text) << c.name;
    EXPECT_EQ(straight.steps, pieces.steps) << c.name;
    EXPECT_EQ(straight.newton_iterations, pieces.newton_iterations) << c.name;
    EXPECT_EQ(straight.events, pieces.events) << c.name;
    ++compared;
  }
  EXPECT_GE(compared, 5);
}

INSTANTIATE_TEST_SUITE_P(Methods, EveryMethod, testing::ValuesIn(solve::method_names()), [](const auto& info) {
  std::string name = info.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

// ---- what is refused

class SavedRun : public testing::Test {
 protected:
  SavedRun() : model_(read_example("02_rlc", "rlc")), options_(io::read_simulation_options(model_)) {}
  std::string save_after(int steps) {
    equations::Evaluator evaluator(compile_model(model_));
    Simulation s(evaluator, options_);
    for (int k = 0; k < steps; ++k) s.step();
    return s.save();
  }
  static std::string reason(const std::function<void()>& action) {
    try {
      action();
    } catch (const Error& e) {
      return e.what();
    }
    return "nothing was thrown";
  }
  std::string reason_for(const model::Model& model, const Options& options, const std::string& bytes) {
    equations::Evaluator evaluator(compile_model(model));
    Simulation s(evaluator, options);
    return reason([&] { s.load(bytes); });
  }
  model::Model model_;
  Options options_;
};

TEST_F(SavedRun, AnotherParameterIsRefusedByName) {
  const std::string bytes = save_after(5);
  const model::Model other = read_example("02_rlc", "rlc", {{"R1.R", "17 Ohm"}});
  EXPECT_EQ(reason_for(other, options_, bytes).find("the saved state does not belong to this run: R1.R was "), 0u)
      << reason_for(other, options_, bytes);
}

TEST_F(SavedRun, AnotherModelIsRefused) {
  const std::string bytes = save_after(5);
  const model::Model other = read_example("03_dc_servo", "dc_servo");
  EXPECT_NE(reason_for(other, io::read_simulation_options(other), bytes).find("where this model has"),
            std::string::npos);
}

TEST_F(SavedRun, OtherOptionsAreRefusedButALaterEndIsNot) {
  const std::string bytes = save_after(5);
  Options other = options_;
  other.rtol = 2.5e-5;
  EXPECT_NE(reason_for(model_, other, bytes).find("rtol was \""), std::string::npos);
  EXPECT_NE(reason_for(model_, other, bytes).find("and is \"2.5e-05\" here"), std::string::npos);
  other = options_;
  other.t_end *= 1.5;
  EXPECT_EQ(reason_for(model_, other, bytes), "nothing was thrown");
}

// What is at rest makes the longest steps: a fiftieth of the run, of the one that was saved where another goes on with it.
TEST(SavedRunAtRest, GoesOnWithTheLongestStepOfTheRunThatWasSaved) {
  const equations::System system = compile_model(io::parse_model(R"(
components:
  C: {type: electrical.Capacitor, p: a, n: gnd, C: 1 uF}
  R: {type: electrical.Resistor, p: a, n: gnd, R: 1 kohm}
)",
                                                                 "m.yaml"));
  equations::Evaluator evaluator(system);
  const auto run = [&](double t_end, const std::string& from) {
    Options options;
    options.t_end = t_end;
    Simulation s(evaluator, options);
    if (!from.empty()) s.load(from);
    double longest = 0;
    for (double before = s.now().t; s.step(); before = s.now().t) longest = std::max(longest, s.now().t - before);
    return longest;
  };
  Options options;
  options.t_end = 0.7;
  Simulation s(evaluator, options);
  for (int k = 0; k < 12; ++k) s.step();
  const std::string state = s.save();
  EXPECT_NEAR(run(0.7, state), 0.7 / 50, 1e-15);
  EXPECT_NEAR(run(2.1, state), 0.7 / 50, 1e-15);
  EXPECT_NEAR(run(2.1, ""), 2.1 / 50, 1e-15);
}

TEST_F(SavedRun, DamageIsFoundWhereverItIs) {
  const std::string bytes = save_after(5);
  equations::Evaluator evaluator(compile_model(model_));
  Simulation s(evaluator, options_);
  for (std::size_t k = 0; k < bytes.size(); k += 1 + bytes.size() / 97) {
    std::string damaged = bytes;
    damaged[k] = static_cast<char>(damaged[k] ^ 4);
    EXPECT_NE(reason([&] { s.load(damaged); }), "nothing was thrown") << k;
    EXPECT_NE(reason([&] { s.load(std::string_view(bytes).substr(0, k)); }), "nothing was thrown") << k;
  }
  EXPECT_EQ(reason([&] { s.load("time,a.v\ns,V\n"); }), "this is no saved state of a run");
  EXPECT_EQ(reason([&] { s.load(bytes); }), "nothing was thrown");
}

// ---- stepping

TEST_F(SavedRun, AStateCanBeTakenBackInTheSameRun) {
  equations::Evaluator evaluator(compile_model(model_));
  Simulation s(evaluator, options_);
  for (int k = 0; k < 7; ++k) s.step();
  const std::string state = s.save();
  for (int k = 0; k < 9; ++k) s.step();
  const std::vector<double> first = s.signals();
  s.load(state);
  for (int k = 0; k < 9; ++k) s.step();
  EXPECT_TRUE(same_bits(first, s.signals()));
}

TEST_F(SavedRun, AdvancingEndsExactlyThere) {
  equations::Evaluator evaluator(compile_model(model_));
  Simulation s(evaluator, options_);
  const double t = options_.t_end * 0.37123;
  EXPECT_TRUE(s.advance_to(t));
  EXPECT_EQ(s.now().t, t);
  EXPECT_TRUE(s.advance_to(2 * options_.t_end));
  EXPECT_EQ(s.now().t, options_.t_end);
  EXPECT_TRUE(s.has_ended());
  EXPECT_FALSE(s.step());
}

// ---- inputs

constexpr const char* charging =
    "components:\n"
    "  U1: {type: electrical.VoltageSource, p: a, n: 0, v: 2}\n"
    "  R1: {type: electrical.Resistor, p: a, n: b, R: 50}\n"
    "  C1: {type: electrical.Capacitor, p: b, n: 0, C: 1e-3, v0: 0}\n";

/// τ = RC = 0.05 s: v = 2 (1 − e^(−t/τ)) up to 0.03 s, then towards 5 V.
TEST(Inputs, TakeEffectFromTheInstantOn) {
  for (const std::string& method : solve::method_names()) {
    Options options;
    options.t_end = 0.1, options.method = method;
    if (solve::is_adaptive(options))
      options.rtol = options.atol = 1e-9;
    else
      options.step = 1e-5;
    equations::Evaluator evaluator(compile_model(io::parse_model(charging, "m.yaml")));
    Simulation s(evaluator, options);
    ASSERT_TRUE(s.advance_to(0.03)) << method;
    const double before = 2 * (1 - std::exp(-0.6));
    // order 1 with 3000 steps; order 2 with error control: the errors of some hundred steps add up; others far below
    const double tolerance = method == "euler" || method == "backward-euler" ? 2e-4
                             : solve::is_alpha_method(method)                ? 1e-6
                                                                             : 1e-7;
    EXPECT_NEAR(s.signal("C1.v"), before, tolerance) << method;
    s.set_input("U1.v", 5);
    EXPECT_EQ(s.input("U1.v"), 5);
    // the current jumps at once, the voltage of the capacitor does not
    EXPECT_NEAR(s.signal("R1.i"), (5 - before) / 50, tolerance) << method;
    ASSERT_TRUE(s.advance_to(0.08)) << method;
    EXPECT_NEAR(s.signal("C1.v"), 5 + (before - 5) * std::exp(-1), 2 * tolerance) << method;
  }
}

TEST(Inputs, BelongToTheSavedState) {
  Options options;
  options.t_end = 0.1, options.method = "radau";
  const equations::System system = compile_model(io::parse_model(charging, "m.yaml"));
  equations::Evaluator evaluator(system), other(system);
  Simulation s(evaluator, options), t(other, options);
  s.advance_to(0.03);
  s.set_input("U1.v", 5);
  t.load(s.save());
  EXPECT_EQ(t.input("U1.v"), 5);
  s.advance_to(0.07), t.advance_to(0.07);
  EXPECT_TRUE(same_bits(s.signals(), t.signals()));
}

TEST(Inputs, UnknownNamesAreRefusedWithASuggestion) {
  Options options;
  equations::Evaluator evaluator(compile_model(io::parse_model(charging, "m.yaml")));
  Simulation s(evaluator, options);
  try {
    s.set_input("U1.w", 1);
    ADD_FAILURE() << "nothing was thrown";
  } catch (const Error& e) {
    EXPECT_EQ(std::string(e.what()).find("there is no parameter \"U1.w\" to set; did you mean "), 0u) << e.what();
  }
}

// ---- another run

/// The first half of a run, saved, starts the second: together they are the whole within the tolerance.
TEST(StartFrom, TheEndOfOneRunIsTheStartOfAnother) {
  const std::string path = testing::TempDir() + "coenergy_half.state";
  const equations::System system = compile_model(io::parse_model(charging, "m.yaml"));
  Options options;
  options.t_end = 0.04, options.method = "radau", options.rtol = options.atol = 1e-9;
  equations::Evaluator evaluator(system);
  Simulation s(evaluator, options);
  while (s.step()) {
  }
  io::write_file(path, s.save());
  const model::Model second = io::parse_model(
      std::string(charging) + "simulate: {t_end: 0.09, method: radau, rtol: 1e-9, atol: 1e-9, start: {from: " + path +
          "}}\n",
      "m.yaml");
  const solve::Result result = run_model(second);
  EXPECT_EQ(result.times.front(), 0.04);
  EXPECT_NEAR(result.signal("C1.v").front(), 2 * (1 - std::exp(-0.8)), 1e-7);
  EXPECT_NEAR(result.signal("C1.v").back(), 2 * (1 - std::exp(-1.8)), 1e-7);

  // with a time of its own, and other parameters
  model::Model third = second;
  third.set("simulate.t_start", "1");
  third.set("simulate.t_end", "1.05");
  third.set("U1.v", "0");
  EXPECT_NEAR(run_model(third).signal("C1.v").back(), 2 * (1 - std::exp(-0.8)) * std::exp(-1), 1e-7);

  // another model
  model::Model other = read_example("02_rlc", "rlc");
  Options from = io::read_simulation_options(other);
  from.from = io::read_simulation_options(second).from;
  try {
    solve::simulate(compile_model(other), from);
    ADD_FAILURE() << "nothing was thrown";
  } catch (const Error& e) {
    EXPECT_EQ(std::string(e.what()).find("the saved state does not belong to this run: it has "), 0u) << e.what();
  }
}

TEST(StartFrom, AFileThatIsNoStateIsToldWhereItIsNamed) {
  const model::Model model =
      io::parse_model(std::string(charging) + "simulate: {t_end: 1, start: {from: nowhere.state}}\n", "m.yaml");
  try {
    io::read_simulation_options(model);
    ADD_FAILURE() << "nothing was thrown";
  } catch (const Error& e) {
    EXPECT_STREQ(
        e.what(),
        "m.yaml:5:36: simulate.start.from = nowhere.state: cannot read nowhere.state: No such file or directory");
  }
}

}  // namespace
}  // namespace coenergy::tests
