#include "coenergy/io/report.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>

#include "coenergy/base/error.hpp"

namespace coenergy {
namespace {

Report make_report() {
  Report report;
  report.title = "two samples";
  report.time = {0, 0.1};
  report.signals = {{"a.v", "V", {1.0 / 3.0, 2}}, {"a.i", "A", {0, std::numeric_limits<double>::quiet_NaN()}}};
  report.plots = {{"a.v", "a.i"}};
  report.frames = {{"arm", {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0}}, {"base", {0, 0, 1, 1, 0, 0, 0}}};
  report.shapes = {{"sphere", {0.1}, "#112233", "bob", 0}};
  return report;
}

std::string error_text(const Report& report) {
  try {
    to_json(report);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(Report, WritesDataThatReadsBack) {
  const auto data = nlohmann::json::parse(to_json(make_report()));
  EXPECT_EQ(data["title"], "two samples");
  EXPECT_EQ(data["time"], (std::vector<double>{0, 0.1}));
  EXPECT_EQ(data["signals"][0]["unit"], "V");
  EXPECT_EQ(data["signals"][0]["values"], (std::vector<double>{0.3333333, 2}));
  EXPECT_EQ(data["plots"][0]["signals"], (std::vector<std::string>{"a.v", "a.i"}));
  EXPECT_EQ(data["frames"][0]["pose"].size(), 14u);
  EXPECT_EQ(data["frames"][1]["pose"].size(), 7u);
  EXPECT_EQ(data["shapes"][0]["kind"], "sphere");
  EXPECT_EQ(data["up"], (std::vector<double>{0, 0, 1}));
}

TEST(Report, TurnsWhatIsNoNumberIntoAGap) {
  const auto data = nlohmann::json::parse(to_json(make_report()));
  EXPECT_TRUE(data["signals"][1]["values"][1].is_null());
}

TEST(Report, ResolvesAMillionthOfTheRangeOnALargeOffset) {
  Report report = make_report();
  report.signals[0].values = {101325.0, 101325.0123456};
  const auto data = nlohmann::json::parse(to_json(report));
  const double step = data["signals"][0]["values"][1].get<double>() - 101325.0;
  // twelve digits of 1e5 are steps of 1e-6
  EXPECT_NEAR(step, 0.0123456, 1e-6);
}

TEST(Report, EscapesTextThatWouldEndTheScript) {
  Report report = make_report();
  report.title = "</script><!-- \xff \"quoted\"";
  const std::string text = to_json(report);
  EXPECT_EQ(text.find('<'), std::string::npos);
  EXPECT_EQ(nlohmann::json::parse(text)["title"], "</script><!-- \uFFFD \"quoted\"");
}

TEST(Report, ThinsLongSignalsAndPoses) {
  Report report;
  report.signals = {{"s", "m", {}}};
  report.frames = {{"f", {}}};
  for (int i = 0; i < 60'000; ++i) {
    report.time.push_back(1e-3 * i);
    report.signals[0].values.push_back(i == 31'415 ? 5 : 0);
    report.frames[0].pose.insert(report.frames[0].pose.end(), {1e-3 * i, 0, 0, 1, 0, 0, 0});
  }
  const auto data = nlohmann::json::parse(to_json(report));
  EXPECT_EQ(data["samples"], 60'000);
  EXPECT_EQ(data["time"].size(), 20'000u);
  EXPECT_EQ(data["signals"][0]["values"].size(), 20'000u);
  const auto values = data["signals"][0]["values"].get<std::vector<double>>();
  EXPECT_EQ(std::count(values.begin(), values.end(), 5.0), 1);
  // poses stay with their own times
  const auto times = data["frameTime"].get<std::vector<double>>();
  ASSERT_EQ(data["frames"][0]["pose"].size(), 7 * times.size());
  EXPECT_NEAR(data["frames"][0]["pose"][7 * 1234].get<double>(), times[1234], 1e-6);
  EXPECT_EQ(times.back(), report.time.back());
}

TEST(Report, NamesEveryPartThatDoesNotFit) {
  Report report = make_report();
  report.signals[0].values.pop_back();
  report.plots = {{"a.w"}};
  report.frames[0].pose.pop_back();
  report.shapes = {{"spere", {1}, "", "ball", 0}, {"box", {1, -1, 1}, "", "crate", 7}, {"spring", {}, "", "coil", -1}};
  report.up = {0, 0, 0};
  report.tables = {{"Modes", {"name", "frequency"}, {{"bending"}}}};
  const std::string text = error_text(report);
  for (const char* line :
       {"report: signal a.v has 1 values for 2 times",
        "report: a plot names the unknown signal \"a.w\"; did you mean a.v?",
        "report: frame arm has 13 pose numbers; it takes 7, or 7 for each of 2 times",
        "report: shape ball has the unknown kind \"spere\"; known are box, cylinder, sphere, mesh, frame, ground, "
        "line, "
        "spring, arrow, trace; did you mean sphere?",
        "report: shape crate (box) has size -1 m; it must be > 0",
        "report: shape crate (box) names a frame outside -1 … 1",
        "report: shape coil (spring) has 0 points; it takes 2 to 2", "report: the upward direction must not be zero",
        "report: table Modes has a row of 1 cells for 2 columns"})
    EXPECT_NE(text.find(line), std::string::npos) << "missing: " << line << "\nin:\n" << text;
}

TEST(Report, RefusesTimeThatRunsBackwards) {
  Report report = make_report();
  report.time = {0.1, 0};
  EXPECT_EQ(error_text(report), "report: time must never decrease");
}

TEST(Report, BecomesOnePageWithItsDataInside) {
  const Report report = make_report();
  if (report_template.empty()) {
    EXPECT_THROW(to_html(report), Error);
    GTEST_SKIP() << "built without npm";
  }
  const std::string html = to_html(report);
  EXPECT_EQ(html.find("<!doctype html>"), 0u);
  EXPECT_NE(html.find("id=\"coenergy-data\">" + to_json(report) + "</script>"), std::string::npos);
  // nothing is loaded from elsewhere
  EXPECT_EQ(html.find("src=\"http"), std::string::npos);
  EXPECT_EQ(html.find("@import"), std::string::npos);
}

TEST(Report, IsWrittenToAFileOrSaysWhyNot) {
  if (report_template.empty()) GTEST_SKIP() << "built without npm";
  const auto path = std::filesystem::temp_directory_path() / "coenergy_report_test.html";
  write_report(path, make_report());
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  EXPECT_EQ(text.str(), to_html(make_report()));
  std::filesystem::remove(path);
  try {
    write_report("/nonexistent/folder/report.html", make_report());
    FAIL() << "wrote into a folder that does not exist";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "cannot write /nonexistent/folder/report.html: No such file or directory");
  }
}

}  // namespace
}  // namespace coenergy
