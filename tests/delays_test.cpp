// Signals that are read later: transport delays against closed forms, by every kind of method.
#include <cmath>

#include "coenergy/analyze/delays.hpp"
#include "coenergy/analyze/linearize.hpp"
#include "coenergy/analyze/periodic.hpp"
#include "coenergy/analyze/sensitivity.hpp"
#include "coenergy/solve/initialize.hpp"
#include "coenergy/solve/simulation.hpp"
#include "tests/inline_model.hpp"

namespace coenergy::tests {
namespace {

/// dx/dt = −x(t − 1) with x = 1 before the start.
const std::string feedback = R"yaml(
components:
  x: {type: blocks.Integrator, u: -d.y/(1 s), y0: 1}
  d: {type: blocks.TransportDelay, u: x.y, delay: 1 s, before: 1}
)yaml";

/// By the method of steps: x = Σ (−1)^k (t − k + 1)^k/k!, k = 0 … ⌊t⌋ + 1.
double feedback_at(double t) {
  double x = 0, factorial = 1;
  for (int k = 0; k <= static_cast<int>(t) + 1; ++k) {
    if (k > 0) factorial *= k;
    x += (k % 2 == 0 ? 1 : -1) * std::pow(t - k + 1, k) / factorial;
  }
  return x;
}

solve::Result run(const std::string& text, const solve::Options& options) {
  return run_model(io::parse_model(text, "m.yaml"), options);
}

/// The largest error of x.y over the rows.
double error_of_feedback(const solve::Options& options) {
  const solve::Result r = run(feedback, options);
  const std::vector<double> x = r.signal("x.y");
  double error = 0;
  for (std::size_t k = 0; k < x.size(); ++k) error = std::max(error, std::abs(x[k] - feedback_at(r.times[k])));
  return error;
}

TEST(Delays, AFeedbackFollowsTheMethodOfSteps) {
  for (const char* method : {"radau", "esdirk", "dopri", "dop853"})
    for (const double rtol : {1e-6, 1e-8, 1e-10}) {
      // a run of a dozen steps and events, each with an error of the tolerance at most
      const double error =
          error_of_feedback({.t_end = 5.5, .method = method, .output_step = 0.037, .rtol = rtol, .atol = rtol});
      EXPECT_LE(error, 10 * rtol) << method << " at " << rtol;
    }
}

TEST(Delays, MethodsWithFixedStepsKeepTheirOrder) {
  // steps that do not divide the delay; rows at the ends of steps only
  const struct {
    const char* method;
    int order;
  } all[] = {{"euler", 1}, {"trapez", 2}, {"generalized-alpha", 2}, {"newmark", 2}, {"rk4", 4}};
  for (const auto& [method, order] : all) {
    const double coarse = error_of_feedback({.t_end = 5.5, .method = method, .step = 0.14});
    const double fine = error_of_feedback({.t_end = 5.5, .method = method, .step = 0.14 / 16});
    // the past is read at ever other parts of its steps, where polynomials have other errors: within a quarter
    EXPECT_GE(coarse / fine, 0.75 * std::pow(16, order)) << method;
  }
}

TEST(Delays, WhatIsDelayedIsThePastOfTheSignal) {
  // u = sin 3t is a state; before the start it is what is said
  const auto r = run(R"yaml(
components:
  u: {type: blocks.Integrator, u: 3*cos(3*time/(1 s))/(1 s)}
  d: {type: blocks.TransportDelay, u: u.y, delay: 0.37 s, before: sin(3*time/(1 s))}
  e: {type: blocks.TransportDelay, u: d.y, delay: 0.2 s, before: -2}
)yaml",
                     {.t_end = 4, .method = "radau", .output_step = 0.05, .rtol = 1e-10, .atol = 1e-10});
  for (const double t : {0.0, 0.15, 0.35, 0.4, 1.0, 3.95}) {
    EXPECT_NEAR(value_at(r, "d.y", t), std::sin(3 * (t - 0.37)), 1e-9) << t;
    EXPECT_NEAR(value_at(r, "e.y", t), t < 0.2 ? -2 : std::sin(3 * (t - 0.57)), 1e-9) << t;
  }
}

TEST(Delays, AJumpArrivesAtItsInstant) {
  // the integral of what has arrived tells the instant
  const auto r = run(R"yaml(
components:
  u: {type: blocks.Step, start: 0.123 s, height: 2}
  d: {type: blocks.TransportDelay, u: u.y, delay: 0.5 s}
  i: {type: blocks.Integrator, u: d.y/(1 s)}
)yaml",
                     {.t_end = 1, .method = "radau", .output_step = 0.1, .rtol = 1e-6, .atol = 1e-6});
  EXPECT_NEAR(value_at(r, "i.y", 1), 2 * (1 - 0.623), 1e-12);
  EXPECT_EQ(value_at(r, "d.y", 0.6), 0);
  EXPECT_EQ(value_at(r, "d.y", 0.7), 2);
}

TEST(Delays, ADelayMayVary) {
  // delay 0.5 + 0.2 sin t; the jump at 1 arrives where t − delay = 1
  const auto r = run(R"yaml(
components:
  u: {type: blocks.Integrator, u: 2*cos(2*time/(1 s))/(1 s)}
  j: {type: blocks.Step, start: 1 s}
  tau: {type: blocks.Expression, value: 0.5 s + 0.2 s*sin(time/(1 s))}
  d: {type: blocks.TransportDelay, u: u.y, delay: tau.y, longest: 0.7 s, before: sin(2*time/(1 s))}
  e: {type: blocks.TransportDelay, u: j.y, delay: tau.y, longest: 0.7 s}
  i: {type: blocks.Integrator, u: e.y/(1 s)}
)yaml",
                     {.t_end = 3, .method = "radau", .output_step = 0.1, .rtol = 1e-10, .atol = 1e-10});
  const auto delay = [](double t) { return 0.5 + 0.2 * std::sin(t); };
  for (const double t : {0.2, 0.9, 2.0, 3.0}) EXPECT_NEAR(value_at(r, "d.y", t), std::sin(2 * (t - delay(t))), 1e-9);
  double arrives = 1.7;
  for (int k = 0; k < 100; ++k) arrives = 1 + delay(arrives);
  EXPECT_NEAR(value_at(r, "i.y", 3), 3 - arrives, 1e-10);
}

TEST(Delays, ADelayThatGrowsFasterThanTimeGoesBack) {
  // t − delay: up to 1.5 at t = 2, then back by half a second in half a second
  const auto r = run(R"yaml(
components:
  j: {type: blocks.Step, start: 1.25 s, height: 4}
  d: {type: blocks.TransportDelay, u: j.y, delay: "0.5 s + 2*max(time - 2 s, 0 s)", longest: 2 s}
  i: {type: blocks.Integrator, u: d.y/(1 s)}
)yaml",
                     {.t_end = 2.5, .method = "radau", .output_step = 0.1, .rtol = 1e-8, .atol = 1e-8});
  EXPECT_NEAR(value_at(r, "i.y", 2.5), 4 * 0.5, 1e-10);
  EXPECT_EQ(value_at(r, "d.y", 2.2), 4);
  EXPECT_EQ(value_at(r, "d.y", 2.3), 0);
}

TEST(Delays, WhatIsSolvedForIsReadToo) {
  // the current of a resistor on a source, a velocity, and the acceleration of a mass, at their accuracy
  const auto r = run(R"yaml(
components:
  m: {type: mechanical.Mass, m: 2 kg}
  k: {type: mechanical.TranslationalSpring, a: ground, b: m, k: 50 N/m}
  f: {type: mechanical.Force, flange: m, f: 3 N*sin(2*time/(1 s))}
  d: {type: blocks.TransportDelay, u: m.a, delay: 0.3 s}
)yaml",
                     {.t_end = 2, .method = "radau", .output_step = 0.1, .rtol = 1e-9, .atol = 1e-9});
  for (const double t : {0.4, 1.0, 1.9}) EXPECT_NEAR(value_at(r, "d.y", t), value_at(r, "m.a", t - 0.3), 1e-7) << t;
}

TEST(Delays, ASteadyStartHasASteadyPast) {
  const std::string text = R"yaml(
components:
  x: {type: blocks.Integrator, u: (3 - d.y)/(1 s)}
  d: {type: blocks.TransportDelay, u: x.y, delay: 0.5 s}
)yaml";
  const auto r = run(text, {.t_end = 1, .output_step = 0.1, .start = "steady"});
  for (const double t : {0.0, 0.3, 0.5, 1.0}) {
    EXPECT_NEAR(value_at(r, "x.y", t), 3, 1e-9);
    EXPECT_NEAR(value_at(r, "d.y", t), 3, 1e-9);
  }
}

TEST(Delays, ARunThatIsSavedGoesOnToTheSameBits) {
  const equations::System system = compile_model(io::parse_model(feedback, "m.yaml"));
  for (const char* method : {"radau", "dopri", "generalized-alpha"}) {
    const solve::Options options{
        .t_end = 5.5, .method = method, .step = std::string(method) == "generalized-alpha" ? 0.01 : 0};
    equations::Evaluator one(system), two(system);
    solve::Simulation whole(one, options);
    whole.advance_to(2.3);
    const std::string state = whole.save();
    whole.advance_to(5.5);
    solve::Simulation half(two, options);
    half.load(state);
    EXPECT_EQ(half.save(), state) << method;
    half.advance_to(5.5);
    EXPECT_EQ(half.save(), whole.save()) << method;
  }
}

TEST(Delays, ALongRunForgetsWhatIsReadNoMore) {
  const equations::System system = compile_model(io::parse_model(R"yaml(
components:
  u: {type: blocks.Integrator, u: cos(40*time/(1 s))/(1 s)}
  d: {type: blocks.TransportDelay, u: u.y, delay: 0.1 s}
)yaml",
                                                                 "m.yaml"));
  equations::Evaluator evaluator(system);
  solve::Simulation s(evaluator, {.t_end = 200, .method = "dopri", .rtol = 1e-8, .atol = 1e-8});
  s.advance_to(50);
  const std::size_t before = s.save().size();
  s.advance_to(200);
  // at most a thousand steps more than before, of 9 numbers each
  EXPECT_LE(s.save().size(), before + 1000 * 9 * 8);
  EXPECT_GT(s.result().statistics.steps, 5000);
  EXPECT_NEAR(s.signal("d.y"), std::sin(40 * 199.9) / 40, 1e-6);
}

TEST(Delays, AMomentWithoutDelayEndsTheRun) {
  const auto compiled = compile_model(io::parse_model(R"yaml(
components:
  d: {type: blocks.TransportDelay, u: time/(1 s), delay: 0.5 s - time, longest: 1 s}
)yaml",
                                                      "m.yaml"));
  const solve::Result r = solve::simulate(compiled, {.t_end = 1, .method = "radau"});
  EXPECT_EQ(r.status, solve::Status::failed);
  EXPECT_NE(r.text.find("d"), std::string::npos);
  EXPECT_NE(r.text.find("t = 0.5"), std::string::npos) << r.text;
}

TEST(Delays, MistakesAreTold) {
  const auto text = [](const std::string& entries) {
    return "components:\n  d: {type: blocks.TransportDelay, u: time/(1 s), " + entries + "}\n";
  };
  EXPECT_NE(error_of(text("delay: 0 s")).find("d.delay = 0 s must be > 0"), std::string::npos);
  EXPECT_NE(error_of(text("delay: 1 s + time")).find("d.delay must be a constant here"), std::string::npos)
      << error_of(text("delay: 1 s + time"));
  EXPECT_NE(error_of(text("delay: 1 s, longest: 0.5 s")).find("d: the delay is longer than 0.5 s"), std::string::npos)
      << error_of(text("delay: 1 s, longest: 0.5 s"));
  EXPECT_NE(error_of(text("delay: 1 s, before: d.y")).find("may depend on time only"), std::string::npos)
      << error_of(text("delay: 1 s, before: d.y"));
}

TEST(Delays, AnalysesThatNeedAllStatesRefuseThem) {
  equations::Evaluator evaluator(compile_model(io::parse_model(feedback, "m.yaml")));
  const equations::Point p = solve::initialize(evaluator).point;
  const auto told = [](const auto& action) -> std::string {
    try {
      action();
    } catch (const Error& e) {
      return e.what();
    }
    return "nothing";
  };
  const std::string why = "d reads the past of a signal";
  EXPECT_NE(told([&] { analyze::linearize(evaluator, p, {}, {}); }).find(why), std::string::npos);
  EXPECT_NE(told([&] { analyze::find_periodic(evaluator, {.t_end = 1}, {.period = 1}); }).find(why), std::string::npos);
  EXPECT_NE(told([&] { analyze::simulate_sensitivity(evaluator, {.t_end = 1}, {}, {"x.y"}); }).find(why),
            std::string::npos);
}

// ---- frequency responses

/// H of one output by one input at ω, about the rest of a model.
std::complex<double> respond(const std::string& text, const std::string& input, const std::string& output, double w) {
  equations::Evaluator evaluator(compile_model(io::parse_model(text, "m.yaml")));
  const equations::Point p = solve::initialize(evaluator).point;
  return analyze::compute_delayed_response(analyze::linearize_delayed(evaluator, p, {input}, {output}), w)[0];
}

TEST(Delays, FrequencyResponsesHoldTheirExactPhase) {
  using Complex = std::complex<double>;
  // two of them behind and around each other: x' = v − 2 x(t − 0.3 s), y = 3 x(t − 0.3 s − 0.1 s)
  const std::string loop = R"yaml(
components:
  v: {type: blocks.Constant, value: 0}
  x: {type: blocks.Integrator, u: "v.y - 2*d.y"}
  d: {type: blocks.TransportDelay, u: x.y, delay: 0.3 s}
  e: {type: blocks.TransportDelay, u: "3*d.y", delay: 0.1 s}
)yaml";
  for (const double w : {0.1, 2.0, 7.0, 300.0}) {
    const Complex s(0, w), x = 1.0 / (s + 2.0 * std::exp(-0.3 * s));
    EXPECT_LT(std::abs(respond(loop, "v.value", "x.y", w) - x), 1e-12 * std::abs(x)) << w;
    EXPECT_LT(std::abs(respond(loop, "v.value", "e.y", w) - 3.0 * x * std::exp(-0.4 * s)), 1e-12) << w;
  }
  // the same by a run: the answer to sin 2t once the start has died out (the poles' real parts are about −3/s)
  std::string shaken = loop;
  shaken.replace(shaken.find("type: blocks.Constant, value: 0"), 31, "type: blocks.Sine, frequency: 1 Hz/pi");
  const auto r = run_text(shaken, 12, 0.5);
  const Complex h = respond(loop, "v.value", "e.y", 2);
  for (const double t : {11.0, 11.5, 12.0})
    EXPECT_NEAR(value_at(r, "e.y", t), (h * std::polar(1.0, 2 * t)).imag(), 2e-7);
}

TEST(Delays, ALineRingsAtItsQuarterWaves) {
  // closed at b: the impedance at a is −j Z cot ωT; at a quarter of a wave the pressure falls to nothing
  const std::string text = R"yaml(
components:
  Q: {type: hydraulic.FlowSource, a: a, q: 0 m3/s}
  L: {type: hydraulic.Line, a: a, b: b, length: 10 m, area: 1 cm2}
  R: {type: hydraulic.Orifice, a: b, b: t, area: 1e-9 mm2}
  T: {type: hydraulic.Tank, a: t}
)yaml";
  const double Z = std::sqrt(1.4e9 * 870) / 1e-4, T = 10 / std::sqrt(1.4e9 / 870);
  for (const double part : {0.3, 0.7, 1.4}) {
    const double w = part / T;
    const std::complex<double> expected(0, -Z / std::tan(part));
    // the orifice, a flow of 1e-9 of that of the line, lets the point of rest be found
    EXPECT_LT(std::abs(respond(text, "Q.q", "a.p", w) - expected), 1e-6 * Z) << part;
  }
}

TEST(Delays, AFrequencyResponseNeedsAConstantDelay) {
  const std::string text = R"yaml(
components:
  v: {type: blocks.Constant, value: 1}
  x: {type: blocks.Integrator, u: "v.y - d.y"}
  d: {type: blocks.TransportDelay, u: x.y, delay: "0.3 s*(1 + x.y^2)", longest: 9 s}
)yaml";
  try {
    respond(text, "v.value", "x.y", 1);
    ADD_FAILURE() << "not refused";
  } catch (const Error& e) {
    EXPECT_STREQ(e.what(), "d: its delay varies; a frequency response needs one that is a constant");
  }
}

}  // namespace
}  // namespace coenergy::tests
