// The verbs of studies as a user meets them: solve, identify, optimize, study.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>
#include <random>
#include <sstream>

#include "tests/program.hpp"

namespace coenergy::tests {
namespace {

using Json = nlohmann::json;

const std::string circles =
    "model: two circles\n"
    "unknowns: {x: {guess: 0 m, min: 0 m, max: 20 m}, y: {guess: 0 m, min: -20 m, max: 30 m}}\n"
    "residuals: [(x - 8 m)^2 + (y - 4 m)^2 = (3 m)^2, (x - 11 m)^2 + (y - 7 m)^2 = (2 m)^2]\n";

TEST(SolveVerb, PrintsUnknownsAndTheTable) {
  const Folder folder;
  const std::string model = folder.write("quadratic.yaml", "unknowns: {x: 0}\nresiduals: [2*x^2 + 7*x + 3 = 0]\n");
  const Outcome told = run_program({"solve", model, "--trace"});
  EXPECT_EQ(told.status, 0) << told.message;
  EXPECT_NE(told.output.find("-0.42857143"), std::string::npos) << told.output;
  EXPECT_NE(told.output.find("-0.5"), std::string::npos);
  const Outcome other = run_program({"solve", model, "--guess", "x=-10", "--json", "--trace"});
  EXPECT_EQ(other.status, 0) << other.message;
  const Json j = Json::parse(other.output);
  EXPECT_NEAR(j["unknowns"]["x"].get<double>(), -3, 1e-14);
  EXPECT_NEAR(j["trace"][1]["unknowns"]["x"].get<double>(), -5.969696969697, 1e-11);
  const Outcome singular = run_program({"solve", model, "--guess", "x=-7/4"});
  EXPECT_EQ(singular.status, 1);
  EXPECT_NE(singular.message.find("solve: the Jacobian is singular at x = -1.75"), std::string::npos)
      << singular.message;
}

TEST(SolveVerb, FindsAllRootsOfABox) {
  const Folder folder;
  const std::string model = folder.write("circles.yaml", circles);
  const Outcome told = run_program({"solve", model, "--all", "--json"});
  EXPECT_EQ(told.status, 0) << told.message;
  const Json j = Json::parse(told.output);
  ASSERT_EQ(j["roots"].size(), 2u);
  EXPECT_NEAR(j["roots"][0]["unknowns"]["x"].get<double>(), 9.0076, 0.5e-4);
  EXPECT_NEAR(j["roots"][1]["unknowns"]["y"].get<double>(), 5.0076, 0.5e-4);
  EXPECT_EQ(j["units"]["x"], "m");
}

TEST(SolveVerb, RefusesWhatIsWrongByName) {
  const Folder folder;
  const auto tell = [&](const std::string& text, std::vector<std::string> more = {}) {
    std::vector<std::string> words{"solve", folder.write("m.yaml", text)};
    words.insert(words.end(), more.begin(), more.end());
    const Outcome outcome = run_program(words);
    EXPECT_EQ(outcome.status, 2) << outcome.all();
    return outcome.message;
  };
  EXPECT_NE(tell("unknowns: {x: 1, y: 2}\nresiduals: [x + y = 3]\n")
                .find("1 residuals for 2 unknowns (x, y): there must be as many"),
            std::string::npos);
  EXPECT_NE(tell("unknowns: {x: 1 m}\nresiduals: [x = 3 s]\n")
                .find("m.yaml:2:15: residual 1: cannot subtract (3 s) from x (m)"),
            std::string::npos);
  EXPECT_NE(
      tell("unknowns: {x: {guess: 4, min: 0, max: 3}}\nresiduals: [x = 2]\n").find("the guess 4 must lie in [0, 3]"),
      std::string::npos);
  EXPECT_NE(tell("components: {}\n").find("the model has no unknowns"), std::string::npos);
  EXPECT_NE(
      tell("unknowns: {x: 1}\nresiduals: [x = 2]\n", {"--guess", "z=1"}).find("--guess z: there is no such unknown"),
      std::string::npos);
  EXPECT_NE(tell("unknowns: {x: 1}\nresiduals: [x = 2]\n", {"--all"}).find("m.yaml:1:15: unknowns.x needs min and max"),
            std::string::npos);
}

// ---- identify

const std::string motor =
    "components:\n"
    "  U1: {type: electrical.VoltageSource, p: a, n: gnd, v: 24 V}\n"
    "  motor: {type: converters.DcMachine, p: a, n: gnd, shaft: wheel.shaft, k: 50 mV.s/rad, R: 1.2 ohm, L: 2 mH}\n"
    "  wheel: {type: mechanical.Inertia, J: 1e-4 kg.m2}\n"
    "  oil: {type: mechanical.RotationalDamper, a: ground, b: wheel.shaft, d: 3e-4 N.m.s/rad}\n"
    "simulate: {t_end: 0.2 s, output_step: 2 ms, signals: [wheel.w, motor.i]}\n";

/// Rows of a run with noise of a fixed pattern.
std::string make_noisy(const std::string& file, double speed, double current, unsigned seed) {
  std::istringstream rows(read_text(file));
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  std::string text, line;
  for (int k = 0; std::getline(rows, line); ++k) {
    if (k < 2) {
      text += line + "\n";
      continue;
    }
    double t = 0, w = 0, i = 0;
    char comma = 0;
    std::istringstream(line) >> t >> comma >> w >> comma >> i;
    text += std::to_string(t) + "," + std::to_string(w + speed * normal(random)) + "," +
            std::to_string(i + current * normal(random)) + "\n";
  }
  return text;
}

TEST(IdentifyVerb, FindsTheParametersOfAMotorFromTwoRuns) {
  const Folder folder;
  const std::string model = folder.write("motor.yaml", motor), first = folder / "a.csv", second = folder / "b.csv";
  ASSERT_EQ(run_program({"run", model, "-o", first, "-q"}).status, 0);
  ASSERT_EQ(run_program({"run", model, "--set", "wheel.w0=200", "-o", second, "-q"}).status, 0);
  folder.write("run1.csv", make_noisy(first, 0.5, 0.05, 1));
  folder.write("run2.csv", make_noisy(second, 0.5, 0.05, 2));
  // each experiment has its own start: 0 and 200 rad/s
  const Outcome told = run_program({"identify", model, "--data", folder / "run1.csv", folder / "run2.csv", "--set",
                                    "motor.R=2", "wheel.J=3e-4", "oil.d=1e-3", "wheel.w0=50", "--parameter", "motor.R",
                                    "wheel.J", "oil.d", "--initial", "wheel.w0", "--json"});
  ASSERT_EQ(told.status, 0) << told.message;
  const Json j = Json::parse(told.output);
  const auto expect_found = [&](const std::string& name, double truth) {
    const Json& p = j["parameters"][name];
    const double sigma = p["sigma"];
    EXPECT_GT(sigma, 0) << name;
    EXPECT_NEAR(p["value"].get<double>(), truth, 4 * sigma) << name;  // once in 16,000
  };
  expect_found("motor.R", 1.2), expect_found("wheel.J", 1e-4), expect_found("oil.d", 3e-4);
  expect_found("wheel.w0 in " + (folder / "run1.csv").string(), 0),
      expect_found("wheel.w0 in " + (folder / "run2.csv").string(), 200);
  EXPECT_LT(j["parameters"]["motor.R"]["sigma"].get<double>(), 0.002);
  EXPECT_NEAR(j["residuals"]["wheel.w"]["rms"].get<double>(), 0.5, 0.1);
  EXPECT_NEAR(j["residuals"]["motor.i"]["rms"].get<double>(), 0.05, 0.01);
}

TEST(IdentifyVerb, MeasuredInputsDriveTheRun) {
  const Folder folder;
  const std::string model = folder.write("motor.yaml", motor);
  // a voltage that swings, as a file and as an expression: the same run to the distance of the samples
  std::string swinging = motor;
  swinging.replace(swinging.find("v: 24 V"), 7, "v: \"24 V + 6 V*sin(100*time/(1 s))\"");
  const std::string other = folder.write("swinging.yaml", swinging), rows = folder / "rows.csv";
  ASSERT_EQ(run_program({"run", other, "-o", rows, "-q", "--set", "simulate.signals=[wheel.w, U1.v]"}).status, 0);
  const Outcome told =
      run_program({"identify", model, "--data", rows, "--set", "motor.R=1.5", "--parameter", "motor.R", "--json"});
  ASSERT_EQ(told.status, 0) << told.message;
  const Json j = Json::parse(told.output);
  EXPECT_NE(j["notes"].dump().find("inputs: U1.v"), std::string::npos);
  // 2 ms of a sine of 100 rad/s between samples as straight lines: ωΔt²/8 of the amplitude, 0.5 %
  EXPECT_NEAR(j["parameters"]["motor.R"]["value"].get<double>(), 1.2, 0.002);
}

TEST(IdentifyVerb, RefusesWhatIsWrongByName) {
  const Folder folder;
  const std::string model = folder.write("motor.yaml", motor);
  const auto tell = [&](const std::string& data, std::vector<std::string> more) {
    std::vector<std::string> words{"identify", model, "--data", folder.write("run1.csv", data)};
    words.insert(words.end(), more.begin(), more.end());
    const Outcome outcome = run_program(words);
    EXPECT_EQ(outcome.status, 2) << outcome.all();
    return outcome.message;
  };
  const std::string good = "time,wheel.w\ns,rad/s\n0,0\n0.1,200\n0.2,300\n";
  EXPECT_NE(tell(good, {"--parameter", "motor.RR"}).find("did you mean R?"), std::string::npos);
  EXPECT_NE(tell("time,wheel.speed\ns,rad/s\n0,0\n0.1,2\n", {"--parameter", "motor.R"})
                .find("no column is a signal of the model"),
            std::string::npos);
  EXPECT_NE(tell("time,wheel.w\ns,rad/s\n0,0\n0.2,2\n0.1,3\n", {"--parameter", "motor.R"}).find("run1.csv"),
            std::string::npos);
  EXPECT_NE(tell("time,wheel.w\ns,rad/s\n0,0\n0.2,2\n", {"--parameter", "motor.R", "wheel.J", "oil.d"})
                .find("3 parameters cannot be found from 2 numbers"),
            std::string::npos);
  EXPECT_NE(tell(good, {}).find("--parameter: name what is to be found"), std::string::npos);
  EXPECT_NE(tell(good, {"--parameter", "motor.R", "--loss", "hubber"}).find("did you mean huber?"), std::string::npos);
}

// ---- study

const std::string lorenz =
    "parameters: {sigma: 10, rho: 28, beta: 8/3}\n"
    "components:\n"
    "  x: {type: blocks.Integrator, u: sigma*(y.y - x.y), y0: 1}\n"
    "  y: {type: blocks.Integrator, u: x.y*(rho - z.y) - y.y, y0: 1}\n"
    "  z: {type: blocks.Integrator, u: x.y*y.y - beta*z.y, y0: 1}\n"
    "simulate: {t_end: 2 s, method: rk4, step: 10 ms}\n";

TEST(StudyVerb, GridsAndSamplesGiveARowForEachVariant) {
  const Folder folder;
  const std::string model = folder.write("motor.yaml", motor), rows = folder / "rows.csv";
  const Outcome told = run_program({"study", model, "--vary", "motor.R=1:0.5:3", "--vary", "wheel.J~normal(1e-4, 5%)",
                                    "--samples", "3", "--seed", "1", "--measure", "max(motor.i)", "--measure",
                                    "wheel.w at 0.1 s", "wheel.w", "-o", rows, "--json"});
  ASSERT_EQ(told.status, 0) << told.message;
  const Json j = Json::parse(told.output);
  EXPECT_EQ(j["variants"], 15);
  EXPECT_EQ(j["failed"], 0);
  std::istringstream lines(read_text(rows));
  std::string line;
  std::getline(lines, line);
  EXPECT_EQ(line, "variant,motor.R,wheel.J,max(motor.i),wheel.w at 0.1 s,wheel.w,failure");
  std::getline(lines, line);
  EXPECT_EQ(line, "-,ohm,kg.m2,A,rad/s,rad/s,-");
  // a variant by itself is the run with its values, to the tolerance of both
  for (int k = 0; k < 8; ++k) std::getline(lines, line);
  std::vector<double> cells;
  std::istringstream row(line);
  for (std::string cell; std::getline(row, cell, ',') && cells.size() < 6;) cells.push_back(std::stod(cell));
  EXPECT_EQ(cells[0], 7);
  EXPECT_EQ(cells[1], 2);
  const Json run = Json::parse(
      run_program({"run", model, "--json", "--set", "motor.R=2", fmt::format("wheel.J={}", cells[2])}).output);
  EXPECT_NEAR(cells[5], run["final"]["wheel.w"].get<double>(), 1e-4);  // rtol 1e-6 of 360 rad/s
}

TEST(StudyVerb, BitsAreTheSameForAnyThreadsLanesAndChunks) {
  const Folder folder;
  const std::string model = folder.write("lorenz.yaml", lorenz), servo = folder.write("motor.yaml", motor);
  const auto bytes = [&](const std::string& file, const std::vector<std::string>& more) {
    std::vector<std::string> words{"study", file, "-o", folder / "rows.csv"};
    words.insert(words.end(), more.begin(), more.end());
    const Outcome outcome = run_program(words);
    EXPECT_EQ(outcome.status, 0) << outcome.message;
    return read_text(folder / "rows.csv");
  };
  const std::vector<std::string> lanes{"--vary", "rho~uniform(20, 30)", "--samples", "101", "--measure",
                                       "x.y",    "y.y at 1 s"};
  std::vector<std::string> other = lanes;
  other.insert(other.end(), {"--threads", "3", "--chunk", "7"});
  const std::string whole = bytes(model, lanes);
  EXPECT_EQ(whole, bytes(model, other));
  other.push_back("--no-native");  // lane by lane, by the interpreter
  EXPECT_EQ(whole, bytes(model, other));
  const std::vector<std::string> runs{"--vary",      "motor.R~uniform(1 ohm, 3 ohm)", "--samples", "20", "--measure",
                                      "rms(motor.i)"};
  other = runs;
  other.insert(other.end(), {"--threads", "2", "--chunk", "3"});
  EXPECT_EQ(bytes(servo, runs), bytes(servo, other));
}

TEST(StudyVerb, LanesAreTheRunsThemselves) {
  const Folder folder;
  const std::string model = folder.write("lorenz.yaml", lorenz);
  // a measure of the whole course keeps a study from lanes
  const auto last = [&](std::vector<std::string> more) {
    std::vector<std::string> words{"study", model, "--vary", "rho=24,28", "--json", "--measure", "x.y"};
    words.insert(words.end(), more.begin(), more.end());
    return Json::parse(run_program(words).output);
  };
  const Json quick = last({}), slow = last({"max(z.y)"});
  EXPECT_GT(quick["lanes"].get<int>(), 0);
  EXPECT_EQ(slow["lanes"], 1);
  for (const char* end : {"min", "max"})  // two seconds of chaos enlarge round-off a hundred times
    EXPECT_NEAR(quick["statistics"]["x.y"][end]["value"].get<double>(),
                slow["statistics"]["x.y"][end]["value"].get<double>(), 1e-11);
}

TEST(StudyVerb, SamplesHaveTheirDistributions) {
  const Folder folder;
  // a straight line y = a·1 s + b of two parameters, so that measures are what was drawn
  const std::string model = folder.write("line.yaml",
                                         "parameters: {a: 1, b: 1}\n"
                                         "components:\n"
                                         "  y: {type: blocks.Integrator, u: a, y0: b}\n"
                                         "  z: {type: blocks.Integrator, u: 3*a, y0: 0}\n"
                                         "simulate: {t_end: 1 s, method: rk4, step: 0.5 s}\n");
  const auto study = [&](std::vector<std::string> more) {
    std::vector<std::string> words{"study", model, "--vary", "a~normal(2, 10%)", "b~uniform(0, 1)", "--measure",
                                   "y.y",   "z.y", "--json"};
    words.insert(words.end(), more.begin(), more.end());
    const Outcome outcome = run_program(words);
    EXPECT_EQ(outcome.status, 0) << outcome.message;
    return Json::parse(outcome.output)["statistics"];
  };
  const double deviation = std::sqrt(0.04 + 1.0 / 12);
  for (const char* sampling : {"random", "lhs", "sobol"}) {
    const Json s = study({"--samples", "20000", "--sampling", sampling});
    // four standard deviations of the mean, and of the deviation, of 20,000
    EXPECT_NEAR(s["y.y"]["mean"].get<double>(), 2.5, 4 * deviation / std::sqrt(20000.0)) << sampling;
    EXPECT_NEAR(s["y.y"]["deviation"].get<double>(), deviation, 4 * deviation / std::sqrt(40000.0)) << sampling;
    EXPECT_NEAR(s["z.y"]["quantiles"]["0.95"].get<double>(), 6 + 0.6 * 1.6448536, 0.02) << sampling;
  }
  const Json correlated = study({"--samples", "20000", "--correlate", "a,b=-0.8"});
  // Var(a + b) with the correlation of a normal and a uniform variable, √(3/π) times that of the scores
  const double covariance = -0.8 * std::sqrt(3 / std::numbers::pi) * 0.2 / std::sqrt(12.0);
  EXPECT_NEAR(correlated["y.y"]["deviation"].get<double>(), std::sqrt(deviation * deviation + 2 * covariance), 0.005);
  const Json shares = study({"--samples", "4096", "--sampling", "saltelli"});
  // of a sum each share is that of the variance; 4096 points of the sequence give three digits
  EXPECT_NEAR(shares["y.y"]["sobol"]["first"]["a"].get<double>(), 0.04 / (deviation * deviation), 5e-3);
  EXPECT_NEAR(shares["y.y"]["sobol"]["total"]["b"].get<double>(), 1.0 / 12 / (deviation * deviation), 5e-3);
}

TEST(StudyVerb, AKilledStudyGoesOnToTheSameBytes) {
  const Folder folder;
  const std::string model = folder.write("motor.yaml", motor);
  const std::vector<std::string> call{"study",     model,          "--vary",  "motor.R~uniform(1 ohm, 3 ohm)",
                                      "--samples", "400",          "--chunk", "10",
                                      "--measure", "max(wheel.w)", "wheel.w", "-o"};
  const auto with = [&](const std::string& name) {
    std::vector<std::string> words = call;
    words.push_back(folder / name);
    return words;
  };
  ASSERT_EQ(run_program(with("whole.csv")).status, 0);
  // two processes, both killed after a while, again and again until they come to the end
  bool was_killed = false;
  for (int round = 0; round < 12 && !std::filesystem::exists(folder / "rows.csv"); ++round) {
    std::vector<pid_t> children;
    for (int rank = 0; rank < 2; ++rank) {
      children.push_back(fork());
      if (children.back() != 0) continue;
      setenv("OMPI_COMM_WORLD_RANK", std::to_string(rank).c_str(), 1);
      setenv("OMPI_COMM_WORLD_SIZE", "2", 1);
      std::vector<std::string> words = with("rows.csv");
      words.insert(words.begin(), COENERGY_PROGRAM);
      std::vector<char*> argv;
      for (std::string& word : words) argv.push_back(word.data());
      argv.push_back(nullptr);
      const int silent = open("/dev/null", O_WRONLY);
      dup2(silent, 1), dup2(silent, 2);
      execv(argv[0], argv.data());
      _exit(127);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(40 + 17 * (round % 10)));
    for (const pid_t child : children) {
      was_killed = kill(child, SIGKILL) == 0 || was_killed;
      waitpid(child, nullptr, 0);
    }
  }
  ASSERT_EQ(run_program(with("rows.csv")).status, 0);
  EXPECT_TRUE(was_killed);
  EXPECT_EQ(read_text(folder / "rows.csv"), read_text(folder / "whole.csv"));
  EXPECT_FALSE(std::filesystem::exists(folder / "rows.csv.chunks"));
}

TEST(StudyVerb, FailedVariantsAreRowsWithAReason) {
  const Folder folder;
  const std::string model = folder.write("motor.yaml", motor), rows = folder / "rows.csv";
  const Outcome told =
      run_program({"study", model, "--vary", "wheel.J=-1e-4,1e-4", "--measure", "wheel.w", "-o", rows, "--json"});
  ASSERT_EQ(told.status, 0) << told.message;
  EXPECT_EQ(Json::parse(told.output)["failed"], 1);
  EXPECT_NE(read_text(rows).find("0,-0.0001,nan,\"wheel.J = -0.0001 kg.m2 must be > 0\"\n"), std::string::npos)
      << read_text(rows);
}

TEST(StudyVerb, RefusesWhatIsWrongByName) {
  const Folder folder;
  const std::string model = folder.write("motor.yaml", motor);
  const auto tell = [&](std::vector<std::string> more) {
    std::vector<std::string> words{"study", model};
    words.insert(words.end(), more.begin(), more.end());
    const Outcome outcome = run_program(words);
    EXPECT_EQ(outcome.status, 2) << outcome.all();
    return outcome.message;
  };
  const auto has = [&](const std::string& vary, const std::string& measure, const std::string& samples,
                       const std::string& text) {
    const std::string told = tell({"--vary", vary, "--measure", measure, "--samples", samples});
    EXPECT_NE(told.find(text), std::string::npos) << told;
  };
  has("motor.RR=1:1:3", "wheel.w", "0", "did you mean R?");
  has("motor.R~normal(1 ohm, 0 ohm)", "wheel.w", "5", "the standard deviation 0 ohm must be > 0");
  has("motor.R~norml(1 ohm, 1 ohm)", "wheel.w", "5", "did you mean normal?");
  has("motor.R~uniform(3 ohm, 1 ohm)", "wheel.w", "5", "the numbers must increase");
  has("motor.R~uniform(1 V, 2 V)", "wheel.w", "5", "must be in ohm");
  has("motor.R=1:-1:3", "wheel.w", "0", "the step does not lead");
  has("motor.R=1:1:3", "wheel.ww", "0", "did you mean wheel.w?");
  has("motor.R=1:1:3", "maxi(wheel.w)", "0", "did you mean max?");
  has("motor.R=1:1:3", "wheel.w at 9 s", "0", "the run lasts from 0 s to 0.2 s");
  has("motor.R=1:1:3", "wheel.w", "5", "all entries vary over grids");
  has("motor.R~uniform(1 ohm, 3 ohm)", "wheel.w", "0", "say how many are to be drawn");
  EXPECT_NE(tell({"--vary", "motor.R~uniform(1, 3)", "motor.k~uniform(1, 3)", "wheel.J~uniform(1, 3)", "--samples", "5",
                  "--measure", "wheel.w", "--correlate", "motor.R,motor.k=0.9", "--correlate", "motor.k,wheel.J=0.9",
                  "--correlate", "motor.R,wheel.J=-0.9"})
                .find("the correlations of wheel.J contradict the others"),
            std::string::npos);
}

}  // namespace
}  // namespace coenergy::tests
