// What a model asks its report to show: titles, units, one signal over another, the view beside chosen signals.
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "coenergy/io/csv.hpp"
#include "tests/program.hpp"

namespace coenergy::tests {
namespace {

/// A pendulum in the x-y plane, 0.5 m long, gravity along -y; `plots` and `signals` as given.
std::string pendulum(const std::string& plots, const std::string& signals = "") {
  return "components:\n"
         "  gravity: {type: multibody.Gravity, g: [0, -9.81, 0]}\n"
         "  pivot: {type: multibody.Revolute, parent: ground, child: bob, q0: 30 deg}\n"
         "  bob: {type: multibody.Body, mass: 1 kg, com: [0, -0.5, 0]}\n"
         "simulate: {t_end: 0.2 s, output_step: 10 ms" +
         signals + "}\nplots: " + plots + "\n";
}

/// The data inside a page.
nlohmann::json data_of(const std::string& page) {
  const std::string text = read_text(page), begin = "id=\"coenergy-data\"";
  const std::size_t from = text.find('>', text.find(begin)) + 1;
  return nlohmann::json::parse(text.substr(from, text.find("</script>", from) - from));
}

class PlotsOfModel : public testing::Test {
 protected:
  nlohmann::json report(const std::string& text) {
    const Outcome outcome = run_program(
        {"run", folder_.write("m.yaml", text), "-q", "-o", folder_ / "m.csv", "--report", folder_ / "m.html"});
    EXPECT_EQ(outcome.status, 0) << outcome.all();
    return data_of(folder_ / "m.html");
  }
  std::string refusal(const std::string& plots) {
    const Outcome outcome =
        run_program({"run", folder_.write("m.yaml", pendulum(plots)), "--report", folder_ / "m.html"});
    EXPECT_EQ(outcome.status, 2) << outcome.all();
    return outcome.message.substr(outcome.message.find("m.yaml"));
  }
  const Folder folder_;
};

TEST_F(PlotsOfModel, TitlesUnitsAndPathsReachThePage) {
  const nlohmann::json data =
      report(pendulum("[pivot.q, [pivot.q, pivot.qd], {x: bob.x, y: bob.y, title: Path, unit: mm, x_unit: cm}, {y: "
                      "pivot.q, unit: deg}]"));
  const nlohmann::json& plots = data["plots"];
  ASSERT_EQ(plots.size(), 4u);
  EXPECT_EQ(plots[0]["signals"], nlohmann::json({"pivot.q"}));
  EXPECT_EQ(plots[0]["yAxis"]["unit"], "");
  EXPECT_EQ(plots[1]["signals"], nlohmann::json({"pivot.q", "pivot.qd"}));
  EXPECT_EQ(plots[2]["x"], "bob.x");
  EXPECT_EQ(plots[2]["title"], "Path");
  EXPECT_EQ(plots[2]["yAxis"], nlohmann::json({{"unit", "mm"}, {"scale", 1e-3}, {"shift", 0.0}}));
  EXPECT_EQ(plots[2]["xAxis"], nlohmann::json({{"unit", "cm"}, {"scale", 1e-2}, {"shift", 0.0}}));
  EXPECT_NEAR(plots[3]["yAxis"]["scale"].get<double>(), std::acos(-1.0) / 180, 1e-15);
}

TEST_F(PlotsOfModel, WrongPlotsAreRefusedAtTheirPlace) {
  EXPECT_EQ(refusal("[{y: pivot.q, unit: m}]"), "m.yaml:6:28: plots: pivot.q is in rad and cannot be shown in m\n");
  EXPECT_EQ(refusal("[{y: pivot.q, unit: dge}]"), "m.yaml:6:28: plots: unknown unit \"dge\"; did you mean deg?\n");
  EXPECT_EQ(refusal("[{x: pivot.p, y: pivot.q}]"),
            "m.yaml:6:13: plots: there is no signal \"pivot.p\"; did you mean pivot.q?\n");
  EXPECT_EQ(refusal("[{x: pivot.q}]"),
            "m.yaml:6:9: a plot needs y: the signals that it shows, as in {x: tip.x, y: tip.z}\n");
  EXPECT_EQ(refusal("[{y: pivot.q, titel: A}]"), "m.yaml:6:22: unknown key \"titel\" in a plot; did you mean title?\n");
  EXPECT_EQ(refusal("[{y: pivot.q, x_unit: N}]"), "m.yaml:6:30: plots: time is in s and cannot be shown in N\n");
}

TEST_F(PlotsOfModel, UpIsAgainstGravity) {
  EXPECT_EQ(report(pendulum("[]"))["up"], nlohmann::json({0.0, 1.0, 0.0}));
  std::string tilted = pendulum("[]");
  tilted.replace(tilted.find("[0, -9.81, 0]"), 13, "[3, 0, -4]");
  const nlohmann::json up = report(tilted)["up"];
  EXPECT_NEAR(up[0].get<double>(), -0.6, 1e-15);
  EXPECT_NEAR(up[2].get<double>(), 0.8, 1e-15);
}

TEST_F(PlotsOfModel, ChosenSignalsKeepTheView) {
  const nlohmann::json data = report(pendulum("[]", ", signals: [pivot.q]"));
  EXPECT_FALSE(data["shapes"].empty());
  ASSERT_EQ(data["frames"].size(), 1u);
  // the result has what was chosen, no more
  const io::CsvData rows = io::read_csv(folder_ / "m.csv");
  EXPECT_EQ(rows.names, (std::vector<std::string>{"time", "pivot.q"}));
  EXPECT_EQ(rows.rows(), 21u);
  // the body turns about z: its quaternion has sin(q/2) there
  const auto pose = data["frames"][0]["pose"].get<std::vector<double>>();
  const std::vector<double> q = rows.column("pivot.q");
  EXPECT_NEAR(pose[pose.size() - 1], std::sin(q.back() / 2), 1e-6);  // as many digits as the page keeps
}

}  // namespace
}  // namespace coenergy::tests
