// Pages of verbs that compute no run: frequency responses, modes, sweeps, operating points.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <numbers>

#include "tests/program.hpp"

namespace coenergy::tests {
namespace {

class AnswerPages : public testing::Test {
 protected:
  /// The data of the page that a call makes.
  nlohmann::json page(std::vector<std::string> words) {
    const std::string file = folder_ / "page.html";
    words.insert(words.end(), {"--report", file});
    const Outcome outcome = run_program(words);
    EXPECT_EQ(outcome.status, 0) << outcome.all();
    EXPECT_NE(outcome.message.find("report: " + file), std::string::npos);
    const std::string text = read_text(file);
    const std::size_t from = text.find('>', text.find("id=\"coenergy-data\"")) + 1;
    return nlohmann::json::parse(text.substr(from, text.find("</script>", from) - from));
  }

  const Folder folder_;
  const std::string circuit_ = folder_.write("rc.yaml",
                                             "components:\n"
                                             "  U1: {type: electrical.VoltageSource, p: a, n: gnd, v: 5 V}\n"
                                             "  R1: {type: electrical.Resistor, p: a, n: b, R: 1 kohm}\n"
                                             "  C1: {type: electrical.Capacitor, p: b, n: gnd, C: 1 uF}\n");
  /// Two bobs on slides and springs, which swing apart or together.
  const std::string oscillator_ = folder_.write(
      "swing.yaml",
      "components:\n"
      "  gravity: {type: multibody.Gravity, g: [0, 0, 0]}\n"
      "  s1: {type: multibody.Prismatic, parent: ground, child: a, axis: x, stiffness: 30 N/m}\n"
      "  a: {type: multibody.Body, mass: 1 kg, shape: {sphere: 0.1, at: [0, 0, 0]}}\n"
      "  s2: {type: multibody.Prismatic, parent: a, child: b, axis: x, stiffness: 20 N/m, parent_at: [1, 0, 0]}\n"
      "  b: {type: multibody.Body, mass: 1 kg, shape: {sphere: 0.1, at: [0, 0, 0]}}\n");
};

TEST_F(AnswerPages, BodeShowsMagnitudeAndPhase) {
  const nlohmann::json data =
      page({"bode", circuit_, "--input", "U1.v", "--signal", "C1.v", "--from", "1", "--to", "1e4", "--points", "9"});
  ASSERT_EQ(data["charts"].size(), 2u);
  EXPECT_EQ(data["charts"][0]["title"], "Magnitude");
  EXPECT_TRUE(data["charts"][0]["logarithmic"]);
  const nlohmann::json& curve = data["charts"][0]["curves"][0];
  EXPECT_EQ(curve["name"], "C1.v / U1.v");
  ASSERT_EQ(curve["x"].size(), 9u);
  for (std::size_t k = 0; k < 9; ++k) {
    // 1/(1 + i w R C); the page keeps nine digits
    const double w = 2 * std::numbers::pi * curve["x"][k].get<double>() * 1e-3;
    EXPECT_NEAR(curve["y"][k].get<double>(), -10 * std::log10(1 + w * w), 1e-6);
    EXPECT_NEAR(data["charts"][1]["curves"][0]["y"][k].get<double>(), -std::atan(w) * 180 / std::numbers::pi, 1e-6);
  }
}

TEST_F(AnswerPages, ModesSwingTheBodies) {
  const nlohmann::json data = page({"modes", oscillator_});
  const nlohmann::json& plane = data["charts"][0];
  EXPECT_TRUE(plane["equal"]);
  EXPECT_EQ(plane["curves"][0]["x"].size(), 4u);
  // M = [[2, 1], [1, 1]] in the coordinates of the slides, K = diag(30, 20): w^4 - 70 w^2 + 600 = 0
  const double slow = std::sqrt(35 - std::sqrt(35.0 * 35 - 600)), fast = std::sqrt(35 + std::sqrt(35.0 * 35 - 600));
  EXPECT_NEAR(plane["curves"][0]["y"][0].get<double>(), slow, 1e-6);
  EXPECT_NEAR(plane["curves"][0]["y"][2].get<double>(), fast, 1e-6);
  ASSERT_EQ(data["tables"][0]["rows"].size(), 2u);
  // in the slow mode the bodies go the same way, in the fast one against each other; at the start the swing is largest
  ASSERT_EQ(data["frames"].size(), 2u);
  const auto x_of = [&](int frame, double time) {
    const auto times = data["frameTime"].get<std::vector<double>>();
    const std::size_t k = static_cast<std::size_t>(
        std::find_if(times.begin(), times.end(), [&](double t) { return t >= time - 1e-9; }) - times.begin());
    return data["frames"][static_cast<std::size_t>(frame)]["pose"][7 * k].get<double>() - frame;
  };
  EXPECT_GT(x_of(0, 0) * x_of(1, 0), 0);
  EXPECT_LT(x_of(0, 1) * x_of(1, 1), 0);
  EXPECT_GT(std::abs(x_of(1, 0)), 0.02);
  // a quarter of the first swing later they pass the middle
  EXPECT_NEAR(x_of(0, 0.125), 0, 1e-9);
}

TEST_F(AnswerPages, SweepsAndPointsAreShown) {
  const nlohmann::json sweep =
      page({"sweep", circuit_, "--op", "--parameter", "U1.v", "--value", "-3", "2", "7 V", "--signal", "C1.v", "R1.i"});
  ASSERT_EQ(sweep["charts"].size(), 2u);
  const nlohmann::json& volts = sweep["charts"][1];
  EXPECT_EQ(volts["yLabel"], "[V]");
  EXPECT_EQ(volts["curves"][0]["x"], nlohmann::json({-3, 2, 7}));
  EXPECT_NEAR(volts["curves"][0]["y"][2].get<double>(), 7, 1e-9);
  EXPECT_EQ(sweep["tables"][0]["rows"].size(), 3u);
  const nlohmann::json op = page({"op", circuit_});
  bool found = false;
  for (const nlohmann::json& row : op["tables"][0]["rows"])
    if (row[0] == "C1.v") found = row[1] == "5" && row[2] == "V";
  EXPECT_TRUE(found) << op["tables"][0]["rows"];
  EXPECT_EQ(page({"equilibrium", oscillator_})["ended"], "stable");
}

TEST_F(AnswerPages, OtherEndingsAreRefused) {
  const Outcome outcome = run_program({"modes", oscillator_, "--report", folder_ / "page.txt"});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_NE(outcome.message.find("--report"), std::string::npos) << outcome.message;
}

TEST_F(AnswerPages, CardsOfANetlistAreTablesAndDiagrams) {
  const std::string cards =
      "rc\n"
      "V1 in 0 dc 1 ac 1\n"
      "R1 in out 1k\n"
      "C1 out 0 1u\n"
      ".op\n"
      ".dc V1 0 2 1\n"
      ".ac dec 5 10 1k\n"
      ".meas ac f3 when vdb(out)=-3\n";
  for (const bool runs : {false, true}) {
    SCOPED_TRACE(runs);
    const std::string file =
        folder_.write("rc.cir", cards + (runs ? ".tran 100u 1m\n.meas tran top max v(out)\n" : "") + ".end\n");
    std::vector<std::string> words{"run", file};
    if (!runs) words.emplace_back("-q");
    const std::string target = folder_ / "page.html";
    words.insert(words.end(), {"--report", target});
    const Outcome outcome = run_program(words);
    ASSERT_EQ(outcome.status, 0) << outcome.all();
    const std::string text = read_text(target);
    const std::size_t from = text.find('>', text.find("id=\"coenergy-data\"")) + 1;
    const nlohmann::json data = nlohmann::json::parse(text.substr(from, text.find("</script>", from) - from));
    std::map<std::string, nlohmann::json> chart, table;
    for (const nlohmann::json& c : data["charts"]) chart[c["title"]] = c;
    for (const nlohmann::json& t : data["tables"]) table[t["title"]] = t;
    ASSERT_EQ(chart.size(), 3u);
    const nlohmann::json& magnitude = chart["Magnitude"]["curves"];
    ASSERT_EQ(magnitude.size(), 2u);
    const std::size_t out = magnitude[0]["name"] == "out.v" ? 0 : 1;
    for (std::size_t k = 0; k < magnitude[out]["x"].size(); ++k) {
      const double w = 2 * std::numbers::pi * magnitude[out]["x"][k].get<double>() * 1e-3;
      EXPECT_NEAR(magnitude[out]["y"][k].get<double>(), -10 * std::log10(1 + w * w), 1e-6);
      EXPECT_NEAR(chart["Phase"]["curves"][out]["y"][k].get<double>(), -std::atan(w) * 180 / std::numbers::pi, 1e-6);
    }
    EXPECT_EQ(chart["Over V1"]["curves"][out]["y"], nlohmann::json({0, 1, 2}));
    EXPECT_EQ(chart["Over V1"]["yLabel"], "[V]");
    EXPECT_EQ(table["Operating point"]["columns"], nlohmann::json({"name", "value", "unit"}));
    const nlohmann::json& measures = table["Measures"]["rows"];
    ASSERT_EQ(measures.size(), runs ? 2u : 1u);
    EXPECT_EQ(measures[0][0], "f3");
    EXPECT_EQ(measures[0][1], ".ac");
    // 1/(2 pi R C) sqrt(10^0.3 - 1), between points of a decade's fifth
    EXPECT_NEAR(std::stod(measures[0][2].get<std::string>()), 158.78, 3);
  }
}

}  // namespace
}  // namespace coenergy::tests
