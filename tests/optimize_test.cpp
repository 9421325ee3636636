// The verb optimize, and the derivatives that it rests on.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "coenergy/math/decompositions.hpp"
#include "coenergy/study/measure_slopes.hpp"
#include "coenergy/study/settings.hpp"
#include "tests/example_run.hpp"
#include "tests/program.hpp"

namespace coenergy::tests {
namespace {

using Json = nlohmann::json;

const std::string motor =
    "components:\n"
    "  U1: {type: electrical.VoltageSource, p: a, n: gnd, v: \"24 V + 3 V*sin(60*time/(1 s))\"}\n"
    "  motor: {type: converters.DcMachine, p: a, n: gnd, shaft: wheel.shaft, k: 50 mV.s/rad, R: 1.2 ohm, L: 2 mH}\n"
    "  wheel: {type: mechanical.Inertia, J: 1e-4 kg.m2}\n"
    "  oil: {type: mechanical.RotationalDamper, a: ground, b: wheel.shaft, d: 3e-4 N.m.s/rad}\n"
    "simulate: {t_end: 0.2 s, rtol: 1e-9, atol: 1e-10}\n";

TEST(MeasureSlopes, AreDifferencesOfRuns) {
  const model::Model model = io::parse_model(motor, "m.yaml");
  const equations::System system = compile_model(model);
  const solve::Options options = io::read_simulation_options(model);
  const study::Settings settings(model, domains::make_standard_registry(), system, {"motor.R", "wheel.J"});
  const std::vector<study::RunMeasure> measures =
      study::read_measures({"wheel.w", "motor.i at 31 ms", "max(motor.i)", "mean(motor.i)", "rms(motor.i)",
                            "integral(motor.i)", "rise(wheel.w, 200 rad/s)"},
                           system, options);
  equations::Evaluator evaluator(system);
  const std::vector<double> at{1.2, 1e-4};
  settings.apply(evaluator, at);
  const study::MeasureSlopes found =
      study::differentiate_measures(evaluator, options, settings.directions(evaluator), measures);
  ASSERT_TRUE(found.good) << found.text;
  for (std::size_t k = 0; k < 2; ++k) {
    const double h = 1e-3 * at[k];
    // fourth-order differences over 1e-3 of the value: 1e-12 of truncation, 1e-9·1e3 of the runs' tolerance
    std::vector<double> slope(measures.size(), 0);
    for (const auto& [steps, weight] :
         {std::pair(-2, 1.0 / 12), std::pair(-1, -2.0 / 3), std::pair(1, 2.0 / 3), std::pair(2, -1.0 / 12)}) {
      std::vector<double> moved = at;
      moved[k] += steps * h;
      settings.apply(evaluator, moved);
      const study::MeasureSlopes there = study::differentiate_measures(evaluator, options, {}, measures);
      for (std::size_t m = 0; m < measures.size(); ++m) slope[m] += weight * there.values[m] / h;
    }
    for (std::size_t m = 0; m < measures.size(); ++m) {
      const double exact = found.slopes(static_cast<int>(m), static_cast<int>(k));
      EXPECT_NEAR(exact, slope[m], 2e-6 * std::abs(slope[m]) + 1e-9 * std::abs(found.values[m]) / at[k])
          << measures[m].text << " by " << settings.path(k);
    }
  }
}

Outcome optimize(const Folder& folder, const std::string& text, std::vector<std::string> more = {}) {
  std::vector<std::string> words{"optimize", folder.write("m.yaml", text)};
  words.insert(words.end(), more.begin(), more.end());
  return run_program(words);
}

Json answer(const Folder& folder, const std::string& text, std::vector<std::string> more = {}) {
  more.push_back("--json");
  const Outcome outcome = optimize(folder, text, std::move(more));
  EXPECT_EQ(outcome.status, 0) << outcome.message;
  return outcome.status == 0 ? Json::parse(outcome.output) : Json{};
}

const std::string ring =
    "optimize:\n"
    "  variables: {x: {guess: 4, min: 0, max: 10}, y: {guess: 2, min: 0, max: 10}}\n"
    "  minimize: x*y\n"
    "  constraints: {outside: (x - 5)^2 + (y - 3)^2 >= 1, inside: (x - 5)^2 + (y - 3)^2 <= 4}\n";

bool has_ipopt() {
  const Folder folder;
  return optimize(folder, ring, {"--method", "ipopt"}).status == 0;
}
bool has_any() {
  const Folder folder;
  return optimize(folder, ring).message.find("built without it") == std::string::npos;
}

TEST(OptimizeVerb, ProductInTheRing) {
  if (!has_any()) GTEST_SKIP() << "neither Ipopt nor NLopt was there when the program was built";
  const Folder folder;
  for (const std::string method : {"ipopt", "slsqp"}) {
    if (method == "ipopt" && !has_ipopt()) continue;
    const Json j = answer(folder, ring, {"--method", method});
    // example 6 of the notes
    EXPECT_NEAR(j["variables"]["x"].get<double>(), 4.5497, 0.6e-4) << method;
    EXPECT_NEAR(j["variables"]["y"].get<double>(), 1.0514, 0.6e-4) << method;
    EXPECT_NEAR(j["objective"].get<double>(), 4.7833, 0.6e-4) << method;
    ASSERT_EQ(j["active"].size(), 1u) << j.dump();
    EXPECT_TRUE(j["active"][0]["name"].get<std::string>().starts_with("inside: "));
    // y = -2 λ (x - 5): the condition of the minimum gives the multiplier
    const double x = j["variables"]["x"], y = j["variables"]["y"];
    EXPECT_NEAR(j["active"][0]["multiplier"].get<double>(), y / (2 * (5 - x)), 1e-4) << method;
    EXPECT_FALSE(j["constraints"]["outside"]["active"].get<bool>());
  }
  const Json equal = answer(folder,
                            "optimize:\n"
                            "  variables: {x: {guess: 6, min: 0, max: 10}, y: {guess: 1.5, min: 0, max: 10}}\n"
                            "  minimize: x*y\n"
                            "  constraints: [x = 6.5, (x - 5)^2 + (y - 3)^2 <= 4]\n");
  EXPECT_NEAR(equal["variables"]["y"].get<double>(), 3 - std::sqrt(4 - 2.25), 1e-6);  // 1.6771
  EXPECT_NEAR(equal["objective"].get<double>(), 10.9013, 1e-4);
}

TEST(OptimizeVerb, AGearThatAcceleratesMost) {
  if (!has_any()) GTEST_SKIP() << "neither Ipopt nor NLopt was there when the program was built";
  // a constant torque through a gear: the load turns fastest in the end with i = sqrt(J_load/J_motor)
  const Folder folder;
  const Json j = answer(folder,
                        "components:\n"
                        "  drive: {type: mechanical.Torque, flange: rotor, tau: 2 N.m}\n"
                        "  rotor: {type: mechanical.Inertia, J: 0.003 kg.m2}\n"
                        "  gear: {type: mechanical.IdealGear, a: rotor, b: load, ratio: 3}\n"
                        "  load: {type: mechanical.Inertia, J: 0.5 kg.m2}\n"
                        "simulate: {t_end: 0.1 s}\n"
                        "optimize:\n"
                        "  variables: {gear.ratio: {min: 1, max: 100}}\n"
                        "  measures: {speed: load.w}\n"
                        "  maximize: speed\n");
  EXPECT_NEAR(j["variables"]["gear.ratio"].get<double>(), std::sqrt(0.5 / 0.003),
              1e-4);  // flat: its error is that of the gradient
  EXPECT_NEAR(j["objective"].get<double>(), 0.1 * 2 / (2 * std::sqrt(0.5 * 0.003)), 1e-6);
  EXPECT_TRUE(j["maximizes"].get<bool>());
}

TEST(OptimizeVerb, LimitsOfARunAreKept) {
  if (!has_any()) GTEST_SKIP() << "neither Ipopt nor NLopt was there when the program was built";
  // the smallest resistance for which the current stays below 8 A
  const Folder folder;
  const Json j = answer(folder, motor +
                                    "optimize:\n"
                                    "  variables: {motor.R: {min: 0.5 ohm, max: 6 ohm}}\n"
                                    "  measures: {peak: max(motor.i)}\n"
                                    "  minimize: motor.R\n"
                                    "  constraints: [peak <= 8 A]\n");
  EXPECT_NEAR(j["measures"]["peak"].get<double>(), 8, 1e-5);
  ASSERT_EQ(j["active"].size(), 1u) << j.dump();
  const Json run = Json::parse(run_program({"study", folder / "m.yaml", "--vary",
                                            "motor.R=" + std::to_string(j["variables"]["motor.R"].get<double>()),
                                            "--measure", "max(motor.i)", "--json"})
                                   .output);
  EXPECT_NEAR(run["statistics"]["max(motor.i)"]["mean"].get<double>(), 8, 1e-4);  // six digits of R
}

TEST(OptimizeVerb, SeveralStartsFindTheBestMinimum) {
  if (!has_any()) GTEST_SKIP() << "neither Ipopt nor NLopt was there when the program was built";
  const Folder folder;
  const std::string waves =
      "optimize:\n"
      "  variables: {x: {guess: -8, min: -10, max: 10}}\n"
      "  minimize: 0.05*(x - 3)^2 + sin(3*x)\n";
  const double near = answer(folder, waves)["objective"], best = answer(folder, waves, {"--starts", "32"})["objective"];
  EXPECT_GT(near, best + 1);
  double lowest = 1e9;
  for (int k = 0; k <= 2000000; ++k) {
    const double x = -10 + 1e-5 * k;
    lowest = std::min(lowest, 0.05 * (x - 3) * (x - 3) + std::sin(3 * x));
  }
  EXPECT_NEAR(best, lowest, 1e-8);
}

TEST(OptimizeVerb, RefusesAndFailsByName) {
  const Folder folder;
  const auto tell = [&](const std::string& text, int status, std::vector<std::string> more = {}) {
    const Outcome outcome = optimize(folder, text, std::move(more));
    EXPECT_EQ(outcome.status, status) << outcome.all();
    return outcome.message;
  };
  EXPECT_NE(tell("components: {}\n", 2).find("the model has no section optimize"), std::string::npos);
  EXPECT_NE(tell("optimize: {variables: {x: 1}, minimise: x}\n", 2).find("did you mean minimize?"), std::string::npos);
  EXPECT_NE(tell("optimize: {variables: {x: 1}, minimize: x^2, constraints: [x]}\n", 2).find("needs <=, >= or ="),
            std::string::npos);
  EXPECT_NE(tell(motor + "optimize: {variables: {motor.RR: 1}, minimize: motor.RR}\n", 2).find("did you mean R?"),
            std::string::npos);
  EXPECT_NE(tell("parameters: {a: 2, b: 2*a}\ncomponents: {y: {type: blocks.Integrator, u: a, y0: 0}}\n"
                 "optimize: {variables: {a: 1}, minimize: b^2}\n",
                 2)
                .find("b follows a, which varies; write its formula instead"),
            std::string::npos);
  EXPECT_NE(tell(ring, 2, {"--method", "ippopt"}).find("did you mean ipopt?"), std::string::npos);
  if (!has_any()) return;
  const std::string contradiction = tell(
      "optimize: {variables: {x: 1, y: 1}, minimize: x^2 + y^2, constraints: {low: x >= 2, high: x <= 1, free: y <= "
      "9}}\n",
      1);
  for (const char* part : {"contradict", "low: x >= 2 is missed by", "high: x <= 1 is missed by"})
    EXPECT_NE(contradiction.find(part), std::string::npos) << contradiction;
  EXPECT_EQ(contradiction.find("free"), std::string::npos) << contradiction;
}

// ---- motions

const std::string cart =
    "components:\n"
    "  push: {type: mechanical.Force, flange: cart, f: 0 N}\n"
    "  cart: {type: mechanical.Mass, m: 2 kg}\n"
    "simulate: {t_end: 1 s}\n";

TEST(OptimizeVerb, ACartMovesInTheLeastTimeAndWithTheLeastEffort) {
  const Folder folder;
  if (!has_ipopt()) GTEST_SKIP() << "Ipopt was not there when the program was built";
  // full force half of the way, then against it: T = 2 sqrt(m x/F)
  const Json quick =
      answer(folder, cart +
                         "optimize: {inputs: {push.f: {min: -3 N, max: 3 N}}, end: {cart.s: 1.5 m, cart.v: 0}, "
                         "time: {min: 0.1 s, max: 9 s, guess: 3 s}, minimize: time, intervals: 40}\n");
  EXPECT_NEAR(quick["duration"].get<double>(), 2, 2e-7);  // an even number of intervals: the switch is on a node
  EXPECT_NEAR(quick["final"]["cart.s"].get<double>(), 1.5, 1e-8);
  // the least integral of the squared force is 12 m^2 x^2/T^3: a straight line, which collocation holds exactly
  const Json gentle = answer(folder,
                             cart +
                                 "optimize: {inputs: {push.f: {}}, end: {cart.s: 1.5 m, cart.v: 0}, time: 2 s, "
                                 "minimize: {integral: push.f^2}, intervals: 7}\n",
                             {"-o", folder / "way.csv"});
  EXPECT_NEAR(gentle["objective"].get<double>(), 12 * 4 * 2.25 / 8, 1e-7);
  EXPECT_TRUE(read_text(folder / "way.csv").starts_with("time,push.f,"));
}

/// Two links of 1 m and 1 kg in a horizontal plane.
struct Arm {
  using State = std::array<double, 4>;  // angles, rates
  static State rate(const State& z, double torque1, double torque2) {
    const double c = std::cos(z[1]), h = 0.5 * std::sin(z[1]);
    const double m11 = 5.0 / 3 + c, m12 = 1.0 / 3 + c / 2, m22 = 1.0 / 3;
    const double b1 = torque1 + h * (2 * z[2] * z[3] + z[3] * z[3]), b2 = torque2 - h * z[2] * z[2];
    const double d = m11 * m22 - m12 * m12;
    return {z[2], z[3], (m22 * b1 - m12 * b2) / d, (m11 * b2 - m12 * b1) / d};
  }
  /// Where it is after full torques whose signs change at given times: of the second joint at t[0] and t[2], of the first
  /// at t[1]; t[3]: the end. Runge-Kutta steps of order 4, 1/400 of each part.
  static State run(const std::array<double, 4>& t) {
    State z{};
    double torque1 = 25, torque2 = -9, now = 0;
    std::array<std::pair<double, int>, 4> stops{{{t[0], 2}, {t[1], 1}, {t[2], 2}, {t[3], 0}}};
    std::sort(stops.begin(), stops.end() - 1);
    for (const auto& [stop, joint] : stops) {
      const double h = (stop - now) / 400;
      const auto add = [](const State& a, double factor, const State& b) {
        State sum;
        for (std::size_t k = 0; k < 4; ++k) sum[k] = a[k] + factor * b[k];
        return sum;
      };
      for (int k = 0; k < 400; ++k) {
        const State k1 = rate(z, torque1, torque2), k2 = rate(add(z, h / 2, k1), torque1, torque2),
                    k3 = rate(add(z, h / 2, k2), torque1, torque2), k4 = rate(add(z, h, k3), torque1, torque2);
        z = add(add(add(add(z, h / 6, k1), h / 3, k2), h / 3, k3), h / 6, k4);
      }
      now = stop;
      if (joint == 1) torque1 = -torque1;
      if (joint == 2) torque2 = -torque2;
    }
    return z;
  }
};

/// The time of the motion from rest to rest whose torques switch three times, by Newton's method on the switching times:
/// nothing of it is the program's.
double shoot(std::array<double, 4> t, double goal1, double goal2) {
  for (int step = 0; step < 12; ++step) {
    const auto miss = [&](const std::array<double, 4>& times) {
      const Arm::State z = Arm::run(times);
      return std::array<double, 4>{z[0] - goal1, z[1] - goal2, z[2], z[3]};
    };
    const auto r = miss(t);
    math::Matrix a(4, 4), b(4, 1);
    for (int k = 0; k < 4; ++k) {
      auto moved = t;
      moved[static_cast<std::size_t>(k)] += 1e-6;
      const auto there = miss(moved);
      for (int i = 0; i < 4; ++i)
        a(i, k) = (there[static_cast<std::size_t>(i)] - r[static_cast<std::size_t>(i)]) / 1e-6;
    }
    for (int i = 0; i < 4; ++i) b(i, 0) = -r[static_cast<std::size_t>(i)];
    const math::Matrix d = math::solve(a, b);
    for (int k = 0; k < 4; ++k) t[static_cast<std::size_t>(k)] += d(k, 0);
  }
  const Arm::State end = Arm::run(t);
  EXPECT_NEAR(end[0], goal1, 1e-10);
  EXPECT_NEAR(end[3], 0, 1e-10);
  return t[3];
}

TEST(OptimizeVerb, ATwoLinkArmMovesInTheLeastTime) {
  const Folder folder;
  if (!has_ipopt()) GTEST_SKIP() << "Ipopt was not there when the program was built";
  const Json j =
      answer(folder,
             "components:\n"
             "  T1: {type: mechanical.Torque, flange: hip, tau: 0}\n"
             "  T2: {type: mechanical.Torque, flange: knee, tau: 0}\n"
             "  hip: {type: multibody.Revolute, parent: ground, child: link1, axis: z, q0: 0}\n"
             "  link1: {type: multibody.Body, mass: 1 kg, com: [0.5, 0, 0], inertia: [0, 0, 1/12]}\n"
             "  knee: {type: multibody.Revolute, parent: link1, parent_at: [1, 0, 0], child: link2, axis: z, q0: 0}\n"
             "  link2: {type: multibody.Body, mass: 1 kg, com: [0.5, 0, 0], inertia: [0, 0, 1/12]}\n"
             "optimize:\n"
             "  inputs: {T1.tau: {min: -25 N.m, max: 25 N.m}, T2.tau: {min: -9 N.m, max: 9 N.m}}\n"
             "  time: {min: 0.1 s, max: 5 s, guess: 1.5 s}\n"
             "  end: {hip.q: 0.9, knee.q: -0.6, hip.qd: 0, knee.qd: 0}\n"
             "  minimize: time\n"
             "  intervals: 40\n");
  const double exact = shoot({0.026, 0.26, 0.29, 0.52}, 0.9, -0.6);
  EXPECT_NEAR(exact, 0.521807678, 1e-9);
  EXPECT_NEAR(j["duration"].get<double>(), exact,
              1e-4 * exact);  // switches inside intervals: a tenth of what is asked for
}

TEST(OptimizeVerb, RefusesMotionsThatCannotBe) {
  const Folder folder;
  const auto tell = [&](const std::string& section) {
    const Outcome outcome = optimize(folder, cart + section);
    EXPECT_EQ(outcome.status, 2) << outcome.all();
    return outcome.message;
  };
  EXPECT_NE(tell("optimize: {inputs: {push.f: {}}, time: 2 s, minimize: time}\n").find("optimize needs end"),
            std::string::npos);
  EXPECT_NE(tell("optimize: {inputs: {push.f: {min: 3 N, max: -3 N}}, end: {cart.s: 1}, minimize: time}\n")
                .find("must be <= max"),
            std::string::npos);
  EXPECT_NE(tell("optimize: {inputs: {push.f: {}}, end: {cart.ss: 1}, time: 1 s, minimize: time}\n")
                .find("did you mean cart.s?"),
            std::string::npos);
  EXPECT_NE(
      tell("optimize: {inputs: {push.f: {}}, end: {cart.s: 1 s}, time: 1 s, minimize: time}\n").find("must be in m"),
      std::string::npos);
}

}  // namespace
}  // namespace coenergy::tests
