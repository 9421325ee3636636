// Control design as Octave's control package has it, where that is installed; and by the program, as blocks of a model.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <numbers>
#include <sstream>

#include "coenergy/control/discretize.hpp"
#include "coenergy/control/margins.hpp"
#include "coenergy/control/norms.hpp"
#include "coenergy/control/regulators.hpp"
#include "coenergy/math/matrix_algebra.hpp"
#include "coenergy/reduce/linear.hpp"
#include "tests/linear_systems.hpp"
#include "tests/program.hpp"

namespace coenergy::tests {
namespace {

// ---- Octave

std::string text_of(const Matrix& m) {
  std::string text = "[";
  for (int i = 0; i < m.rows; ++i) {
    for (int j = 0; j < m.columns; ++j) text += fmt::format("{:.17g} ", m(i, j));
    text += "; ";
  }
  return text + "]";
}

/// Numbers that Octave prints by name; nothing where it or its package is not there.
std::map<std::string, std::vector<double>> ask_octave(const std::string& script) {
  const Folder folder;
  const std::string file =
      folder.write("ask.m", "pkg load control\nshow = @(n, x) printf('%s %s\\n', n, sprintf('%.17g ', x));\n" + script);
  const std::string output = folder / "answer";
  if (std::system(("octave --no-gui --no-history --quiet " + file + " > " + output + " 2>/dev/null").c_str()) != 0 &&
      read_text(output).empty())
    return {};
  std::map<std::string, std::vector<double>> answers;
  std::istringstream lines(read_text(output));
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string name;
    words >> name;
    for (double x; words >> x;) answers[name].push_back(x);
  }
  return answers;
}

TEST(Design, AgreesWithOctave) {
  const LinearSystem s = random_system(5, 2, 3, 1), one = select_channel(s, 0, 0);
  LinearSystem stable = s;
  for (int i = 0; i < 5; ++i) stable.a(i, i) -= 3;
  const GeneralPlant general = mixed_plant(0.5);
  const auto system = [](const LinearSystem& x) {
    return fmt::format("ss({}, {}, {}, {})", text_of(x.a), text_of(x.b), text_of(x.c), text_of(x.d));
  };
  const auto answers =
      ask_octave(fmt::format("s = {}; t = {}; g = {};\n"
                             "show('lqr', lqr(s, eye(5), diag([1 2])));\n"
                             "[x, l, k] = dare(s.a, s.b, eye(5), eye(2)); show('dlqr', k);\n"
                             "show('kalman', lqe(s.a, eye(5), s.c, 2*eye(5), eye(3)));\n"
                             "show('place', place(s.a, s.b(:,1), [-1 -2 -3 -4+1i -4-1i]));\n"
                             "show('h2', norm(t, 2)); show('hinf', norm(t, inf, 1e-12)); show('hankel', hsvd(t));\n"
                             "show('lyap', lyap(t.a, eye(5)));\n"
                             "d = c2d(t, 0.1); show('zoh', [d.a d.b]);\n"
                             "d = c2d(t, 0.1, 'tustin'); show('tustin', [d.c d.d]);\n"
                             "show('zeros', real(sort(zero(ss(t.a, t.b(:,1), t.c(1,:), 0)))));\n"
                             "[gm, pm, wg, wp] = margin(tf(4, [1 3 3 1])); show('margin', [gm pm wg wp]);\n"
                             "[k, n, gam] = hinfsyn(g, 1, 1, 'tolgam', 1e-6); show('hinfsyn', norm(n, inf));\n"
                             "k = h2syn(g, 1, 1); show('h2syn', norm(lft(g, k), 2));\n",
                             system(s), system(stable), system(general.system)));
  if (answers.empty()) GTEST_SKIP() << "Octave with its control package is not installed";
  const auto compare = [&](const std::string& name, const std::vector<double>& ours, double tolerance = 1e-8) {
    ASSERT_TRUE(answers.count(name)) << name;
    const std::vector<double>& theirs = answers.at(name);
    ASSERT_EQ(theirs.size(), ours.size()) << name;
    double size = 0;
    for (const double x : theirs) size = std::max(size, std::abs(x));
    for (std::size_t i = 0; i < ours.size(); ++i) EXPECT_NEAR(ours[i], theirs[i], tolerance * size) << name;
  };
  compare("lqr", design_lqr(s, math::identity(5), rows({{1, 0}, {0, 2}})).gain.data);
  LinearSystem samples = s;
  samples.period = 1;
  compare("dlqr", design_lqr(samples, math::identity(5), math::identity(2)).gain.data);
  compare("kalman", design_kalman(s, 2.0 * math::identity(5), math::identity(3)).gain.data);
  compare("place", place_poles(select_channel(s, 0, 0), {-1, -2, -3, {-4, 1}, {-4, -1}}).data);
  compare("h2", {find_h2_norm(stable)});
  compare("hinf", {find_hinf_norm(stable).gain});
  compare("hankel", reduce::find_hankel_values(stable));
  compare("lyap", solve_lyapunov(stable.a, math::identity(5)).data);
  const LinearSystem zoh = to_sampled(stable, 0.1), tustin = to_sampled(stable, 0.1, Hold::tustin);
  compare("zoh", math::beside(zoh.a, zoh.b).data);
  compare("tustin", math::beside(tustin.c, tustin.d).data);
  std::vector<double> zeros;
  for (const Complex z : find_zeros(select_channel(stable, 0, 0))) zeros.push_back(z.real());
  std::vector<double> theirs = answers.at("zeros");
  std::sort(zeros.begin(), zeros.end()), std::sort(theirs.begin(), theirs.end());
  ASSERT_EQ(zeros.size(), theirs.size());
  for (std::size_t i = 0; i < zeros.size(); ++i) EXPECT_NEAR(zeros[i], theirs[i], 1e-8 * std::abs(theirs[i]));
  const Margins m = find_margins(function({4}, {1, 3, 3, 1}));
  compare("margin", {m.gain[0].margin, m.phase[0].margin * 180 / pi, m.gain[0].omega, m.phase[0].omega});
  // both stop where another gamma would not help: ours within 1e-6, theirs where its equations end
  EXPECT_LE(design_hinf(general).gamma, answers.at("hinfsyn")[0] * (1 + 1e-5));
  compare("h2syn", {design_h2(general).gamma});
}

// ---- command line

const char* const crane = R"(
model: crane
parameters: {m: 2 kg}
components:
  gravity: {type: multibody.Gravity}
  cart: {type: multibody.Body, mass: 5 kg, inertia: [1, 1, 1]}
  load: {type: multibody.Body, mass: m, inertia: [0.01, 0.01, 0.01], com: [0, 0, -1]}
  rail: {type: multibody.Prismatic, parent: ground, child: cart, axis: x, force: FORCE}
  hinge: {type: multibody.Revolute, parent: cart, child: load, axis: y}
inputs: [rail.force]
outputs: [rail.q]
simulate: {t_end: 5 s}
)";

std::string crane_with(const std::string& force) {
  std::string text = crane;
  return text.replace(text.find("FORCE"), 5, force);
}

nlohmann::json answer_of(const std::vector<std::string>& words) {
  const Outcome outcome = run_program(words);
  EXPECT_EQ(outcome.status, 0) << outcome.all();
  return nlohmann::json::parse(outcome.output, nullptr, false);
}

/// Sorted, with Im ≥ 0.
std::vector<std::pair<double, double>> sorted(const nlohmann::json& poles) {
  std::vector<std::pair<double, double>> list;
  for (const auto& p : poles)
    if (p[1].get<double>() >= 0) list.emplace_back(p[0], p[1]);
  std::sort(list.begin(), list.end());
  return list;
}

TEST(Design, ControllersOfTheProgramAreBlocksThatCloseTheLoopAsDesigned) {
  const Folder folder;
  const std::string plant = folder.write("crane.yaml", crane_with("0 N")), file = folder / "controller.yaml";
  const std::vector<std::vector<std::string>> calls{
      {"--method", "lqr", "--q", "10,10,1,1", "--r", "0.1"},
      {"--method", "place", "--pole", "-2+1j", "--pole", "-3", "--pole", "-4"},
      {"--method", "lqg", "--r", "0.1", "--v", "1e-4"}};
  for (const auto& call : calls) {
    std::vector<std::string> words{"design", plant, "--json", "-o", file};
    words.insert(words.end(), call.begin(), call.end());
    const nlohmann::json j = answer_of(words);
    const std::string closed =
        folder.write("closed.yaml", "include: [controller.yaml]\n" + crane_with("\"controller.y*1 N\""));
    nlohmann::json found = nlohmann::json::array();
    const nlohmann::json modes = answer_of({"modes", closed, "--json"});
    for (const auto& mode : modes["modes"]) found.push_back({mode["real"], mode["imaginary"]});
    const auto wanted = sorted(j["poles"]), have = sorted(found);
    ASSERT_EQ(wanted.size(), have.size()) << call[1];
    for (std::size_t k = 0; k < wanted.size(); ++k) {
      EXPECT_NEAR(wanted[k].first, have[k].first, 1e-7) << call[1];
      EXPECT_NEAR(wanted[k].second, have[k].second, 1e-7) << call[1];
    }
    if (call[1] == "lqr") {
      // a regulator of all states has a phase margin of 60 degrees at least (Safonov, Athans 1977)
      EXPECT_GT(std::abs(j["margins"]["phase"].get<double>()), 60);
      EXPECT_TRUE(j["margins"]["stable"].get<bool>());
      // and may lose half its gain; the two integrators at rest are no crossing
      for (const auto& c : j["margins"]["gains"]) EXPECT_GT(c["frequency"].get<double>(), 1e-3);
    }
  }
}

TEST(Design, AnalysesWithoutStatesThatOnlyCount) {
  // a motor's speed: G = k/(J s (L s + R) + k²); its angle is a pole at rest that the speed does not show
  const double k = 0.05, R = 1.2, L = 2e-3, J = 1e-4;
  const Folder folder;
  const std::string model = folder.write("motor.yaml", R"(components:
  U: {type: electrical.VoltageSource, p: a, n: gnd, v: 1 V}
  motor: {type: converters.DcMachine, p: a, n: gnd, shaft: w.shaft, k: 50 mV.s/rad, R: 1.2 ohm, L: 2 mH}
  w: {type: mechanical.Inertia, J: 1e-4 kg.m2}
simulate: {t_end: 1 s}
)");
  const auto analyse = [&](const char* signal) {
    const Outcome o =
        run_program({"design", model, "--method", "analyze", "--input", "U.v", "--signal", signal, "--json"});
    EXPECT_EQ(o.status, 0) << o.all();
    return nlohmann::json::parse(o.output, nullptr, false);
  };
  const auto speed = analyse("w.w");
  const double a = J * J * L * L, b = J * J * R * R - 2 * k * k * J * L, c = k * k * (k * k - 1);
  const double omega = std::sqrt((-b + std::sqrt(b * b - 4 * a * c)) / (2 * a)), pi = std::numbers::pi;
  const auto& phase = speed["margins"]["phases"];
  ASSERT_EQ(phase.size(), 1u);
  EXPECT_NEAR(phase[0]["frequency"].get<double>(), omega / (2 * pi), 1e-9 * omega);
  EXPECT_NEAR(phase[0]["phase"].get<double>(),
              180 - std::atan2(J * R * omega, k * k - J * L * omega * omega) * 180 / pi, 1e-6);
  EXPECT_EQ(speed["margins"]["stable"], true);
  EXPECT_EQ(speed["minimal_states"], 2);
  EXPECT_EQ(analyse("w.phi")["minimal_states"], 3);
}

TEST(Design, ReducedModelsOfTheProgramAreModels) {
  const Folder folder;
  const std::string chain = folder.write("chain.yaml", R"(
model: chain
components:
  s: {type: electrical.VoltageSource, p: a, n: ground, v: 0 V}
  r1: {type: electrical.Resistor, p: a, n: b, R: 1}
  c1: {type: electrical.Capacitor, p: b, n: ground, C: 1}
  r2: {type: electrical.Resistor, p: b, n: c, R: 1}
  c2: {type: electrical.Capacitor, p: c, n: ground, C: 0.01}
inputs: [s.v]
outputs: [c1.v]
simulate: {t_end: 1 s}
)");
  const std::string file = folder / "reduced.yaml";
  const nlohmann::json j = answer_of({"reduce", chain, "--method", "residual", "--order", "1", "-o", file, "--json"});
  // of one state that is left out the bound is the error itself; their equality is to round-off
  EXPECT_NEAR(j["hinf_error"].get<double>(), j["bound"].get<double>(), 1e-9 * j["bound"].get<double>());
  const nlohmann::json l = answer_of({"linearize", file, "--json"});
  EXPECT_EQ(l["A"][0][0], j["A"][0][0]);
  EXPECT_EQ(l["inputs"][0], "s_v");
  const Outcome bad = run_program({"reduce", chain, "--method", "balanced", "--order", "2"});
  EXPECT_EQ(bad.status, 2);
  EXPECT_NE(bad.message.find("below the 2 states"), std::string::npos) << bad.message;
  EXPECT_NE(run_program({"design", chain, "--method", "best"}).message.find("there are analyze, h2, hinf"),
            std::string::npos);
}

}  // namespace
}  // namespace coenergy::tests
