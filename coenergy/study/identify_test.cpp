// Parameters from measured numbers: closed forms, and intervals that cover the truth as often as they say.
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <random>

#include "coenergy/study/least_squares.hpp"
#include "coenergy/study/regression.hpp"

namespace coenergy::study {
namespace {

using Named = std::vector<std::pair<std::string, model::Value>>;

model::Value make_map(const Named& entries) {
  model::Value value;
  value.kind = model::Value::Kind::map;
  value.map = entries;
  return value;
}

model::Model make_model(const Named& unknowns, const std::vector<std::string>& residuals,
                        const Named& parameters = {}) {
  model::Model m;
  m.parameters = parameters;
  m.problems.emplace_back("unknowns", make_map(unknowns));
  m.problems.emplace_back("residuals", model::Value(std::vector<model::Value>(residuals.begin(), residuals.end())));
  return m;
}

Measured make_data(const std::vector<std::string>& names, const std::vector<std::vector<double>>& rows) {
  Measured m{"run1.csv", {}};
  m.data.names = names, m.data.units.assign(names.size(), "");
  for (const std::vector<double>& row : rows) m.data.values.insert(m.data.values.end(), row.begin(), row.end());
  return m;
}

TEST(LeastSquares, QuantilesAreThoseOfStudentsTable) {
  EXPECT_NEAR(student_quantile(0.95, 1), 12.7062047362, 1e-9);
  EXPECT_NEAR(student_quantile(0.95, 10), 2.2281388520, 1e-9);
  EXPECT_NEAR(student_quantile(0.99, 5), 4.0321429836, 1e-9);
  EXPECT_NEAR(student_quantile(0.95, 1e7), 1.9599641, 1e-6);
}

TEST(LeastSquares, TheTriangleOfManyRowsGivesTheNormalEquations) {
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  RowTriangle triangle(3);
  math::Matrix sums(4, 4);
  for (int k = 0; k < 1000; ++k) {  // three blocks and a rest
    double row[4];
    for (double& x : row) x = normal(random);
    triangle.add({row, 3}, row[3]);
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j) sums(i, j) += row[i] * row[j];
  }
  const math::Matrix& r = triangle.triangle();
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) {
      double product = 0;
      for (int k = 0; k < 4; ++k) product += r(k, i) * r(k, j);
      EXPECT_NEAR(product, sums(i, j), 1e-10) << i << j;  // round-off of sums of 1000 squares
    }
}

/// A mass on spring and damper, struck at rest: m = 2 kg, b = 3 N.s/m, k = 50 N/m.
std::vector<double> oscillate(double t) {
  const double d = 3.0 / 4, w = std::sqrt(25 - d * d), e = std::exp(-d * t);
  const double y = e * std::sin(w * t) / w, v = e * (std::cos(w * t) - d * std::sin(w * t) / w);
  return {t, y, v, -(3 * v + 50 * y) / 2};
}

TEST(Identify, SpringAndDamperOfTheNotes) {
  // example 5 of the notes: k and b by (6.27); exact samples give exact parameters
  std::vector<std::vector<double>> rows;
  for (int k = 0; k < 200; ++k) rows.push_back(oscillate(0.01 * k));
  Regression fit(make_model({{"k", 1.0}, {"b", 1.0}}, {"m*ydd + b*yd + k*y = 0"}, {{"m", 2.0}}),
                 {make_data({"time", "y", "yd", "ydd"}, rows)}, {});
  EXPECT_TRUE(fit.is_linear());
  const Identification found = fit.identify({});
  ASSERT_TRUE(found.fit.good) << found.fit.text;
  EXPECT_NEAR(found.fit.p[0], 50, 1e-11);  // round-off
  EXPECT_NEAR(found.fit.p[1], 3, 1e-12);
  EXPECT_EQ(found.fit.rank, 2);
}

/// How often the interval of each parameter covers the truth.
std::vector<double> cover(const model::Model& model, const std::vector<std::string>& columns,
                          const std::function<std::vector<std::vector<double>>(std::mt19937&)>& draw,
                          const std::vector<double>& truth, int repetitions) {
  std::mt19937 random(7);
  std::vector<double> covered(truth.size(), 0);
  for (int k = 0; k < repetitions; ++k) {
    const Identification found = Regression(model, {make_data(columns, draw(random))}, {}).identify({});
    EXPECT_TRUE(found.fit.good) << found.fit.text;
    for (std::size_t i = 0; i < truth.size(); ++i)
      covered[i] += std::abs(found.fit.p[i] - truth[i]) <= found.fit.half_width[i] ? 1.0 / repetitions : 0;
  }
  return covered;
}

TEST(Identify, IntervalsOfALinearFitCoverTheTruth) {
  // H18 from noisy accelerations: 95 % within the ±2 % that 2,000 repetitions allow (4 standard deviations)
  const auto draw = [](std::mt19937& random) {
    std::normal_distribution<double> noise(0, 0.3);
    std::vector<std::vector<double>> rows;
    for (int k = 0; k < 40; ++k) rows.push_back(oscillate(0.04 * k)), rows.back()[3] += noise(random);
    return rows;
  };
  for (const double share : cover(make_model({{"k", 1.0}, {"b", 1.0}}, {"ydd + (b*yd + k*y)/m = 0"}, {{"m", 2.0}}),
                                  {"time", "y", "yd", "ydd"}, draw, {50, 3}, 2000))
    EXPECT_NEAR(share, 0.95, 0.02);
}

TEST(Identify, IntervalsOfANonlinearFitCoverTheTruth) {
  const auto draw = [](std::mt19937& random) {
    std::normal_distribution<double> noise(0, 0.02);
    std::vector<std::vector<double>> rows;
    for (int k = 0; k < 30; ++k) rows.push_back({0.1 * k, 1.5 * std::exp(-0.1 * k / 0.8) + noise(random)});
    return rows;
  };
  for (const double share :
       cover(make_model({{"A", 1.0}, {"tau", 0.5}}, {"y - A*exp(-time/tau)"}), {"time", "y"}, draw, {1.5, 0.8}, 2000))
    EXPECT_NEAR(share, 0.95, 0.02);
}

TEST(Identify, ProfilesOfALinearFitAreItsIntervals) {
  std::mt19937 random(1);
  std::normal_distribution<double> noise(0, 0.1);
  std::vector<std::vector<double>> rows;
  for (int k = 0; k < 20; ++k) rows.push_back({0.1 * k, 2 + 3 * 0.1 * k + noise(random)});
  IdentifyOptions options;
  options.profiles = true;
  const Identification found =
      Regression(make_model({{"a", 1.0}, {"b", 1.0}}, {"y = a + b*x"}), {make_data({"x", "y"}, rows)}, {})
          .identify(options);
  ASSERT_TRUE(found.fit.good);
  for (std::size_t k = 0; k < 2; ++k) {
    // the ends are halved to 1e-4 of the width
    EXPECT_NEAR(found.profiles[k].low, found.fit.p[k] - found.fit.half_width[k], 2e-4 * found.fit.half_width[k]);
    EXPECT_NEAR(found.profiles[k].high, found.fit.p[k] + found.fit.half_width[k], 2e-4 * found.fit.half_width[k]);
  }
}

TEST(Identify, WhatCannotBeToldApartIsNamed) {
  std::vector<std::vector<double>> rows;
  for (int k = 0; k < 20; ++k) rows.push_back({0.1 * k, 0.75 * std::sin(0.1 * k)});
  const Identification found = Regression(make_model({{"J", 2.0}, {"k", 1.5}, {"c", 3.0}}, {"u = J/k^2*sin(x)"}),
                                          {make_data({"x", "u"}, rows)}, {})
                                   .identify({});
  ASSERT_TRUE(found.fit.good) << found.fit.text;
  EXPECT_EQ(found.fit.rank, 1);
  EXPECT_NEAR(found.fit.p[0] / found.fit.p[1] / found.fit.p[1], 0.75, 1e-9);
  const std::vector<std::string> lines = describe_free(found.fit, found.names);
  ASSERT_EQ(lines.size(), 2u);
  const bool first = lines[0].starts_with("c ");
  EXPECT_EQ(lines[first ? 1 : 0], "J and k are not identifiable: only J/k^2 is");
  EXPECT_EQ(lines[first ? 0 : 1], "c is not identifiable: it changes nothing that was measured");
  EXPECT_TRUE(std::isinf(found.fit.half_width[0]));
}

TEST(Identify, OutliersWeighLittleWithARobustLoss) {
  std::mt19937 random(5);
  std::normal_distribution<double> noise(0, 0.05);
  std::vector<std::vector<double>> rows;
  for (int k = 0; k < 100; ++k) rows.push_back({0.1 * k, 2 + 3 * 0.1 * k + noise(random) + (k % 10 == 3 ? 40 : 0)});
  const model::Model model = make_model({{"a", 1.0}, {"b", 1.0}}, {"y = a + b*x"});
  const Identification plain = Regression(model, {make_data({"x", "y"}, rows)}, {}).identify({});
  IdentifyOptions options;
  options.fit.loss = Loss::cauchy;
  const Identification robust = Regression(model, {make_data({"x", "y"}, rows)}, {}).identify(options);
  ASSERT_TRUE(robust.fit.good) << robust.fit.text;
  EXPECT_GT(std::abs(plain.fit.p[0] - 2), 1);
  EXPECT_NEAR(robust.fit.p[0], 2, 0.05);  // four standard deviations of the mean of 90
  EXPECT_NEAR(robust.fit.p[1], 3, 0.01);
}

TEST(Identify, ServoAxisWithFrictionFromManySamples) {
  // a closed loop's torque and position at 1 kHz: J qdd + Fv qd + Fc sign(qd) + offset = tau, with noise of 1e-6 rad and 0.02 N.m
  std::mt19937 random(11);
  std::normal_distribution<double> angle(0, 1e-6), torque(0, 0.02);
  std::vector<std::vector<double>> rows;
  for (int k = 0; k < 25000; ++k) {
    const double t = 1e-3 * k, a = 3 * t, b = 7 * t + 1;
    const double q = std::sin(a) + 0.3 * std::sin(b), v = 3 * std::cos(a) + 2.1 * std::cos(b),
                 acceleration = -9 * std::sin(a) - 14.7 * std::sin(b);
    const double tau = 0.012 * acceleration + 0.05 * v + 0.3 * (v > 0 ? 1 : -1) + 0.04;
    rows.push_back({t, q + angle(random), tau + torque(random)});
  }
  model::Model model = make_model({{"J", 0.01}, {"Fv", 0.0}, {"Fc", 0.0}, {"offset", 0.0}},
                                  {"tau = J*qdd + Fv*qd + Fc*tanh(qd/0.01) + offset"});
  const auto column = [](const char* kind, const char* from, int order) {
    Named entries{{kind, from}, {"window", "40 ms"}};
    if (order > 0) entries.emplace_back("order", static_cast<double>(order));
    return make_map(entries);
  };
  model.problems.emplace_back(
      "identify",
      make_map({{"columns", make_map({{"qd", column("derivative", "q", 1)}, {"qdd", column("derivative", "q", 2)}})}}));
  const auto begin = std::chrono::steady_clock::now();
  const Identification found = Regression(model, {make_data({"time", "q", "tau"}, rows)}, {}).identify({});
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  ASSERT_TRUE(found.fit.good) << found.fit.text;
  const double truth[] = {0.012, 0.05, 0.3, 0.04};
  for (std::size_t k = 0; k < 4; ++k) EXPECT_NEAR(found.fit.p[k], truth[k], 0.01 * truth[k]) << found.names[k];
  EXPECT_LT(seconds, 0.5);
  RecordProperty("seconds", std::to_string(seconds));
}

TEST(Identify, BadDataAreRefusedByName) {
  const auto tell = [](const model::Model& model, const Measured& data, const std::vector<std::string>& names = {}) {
    try {
      Regression(model, {data}, names);
    } catch (const Error& e) {
      return std::string(e.what());
    }
    return std::string("no error");
  };
  const model::Model line = make_model({{"a", 1.0}, {"b", 1.0}}, {"y = a + b*x"});
  EXPECT_NE(tell(line, make_data({"x", "yy"}, {{0, 1}, {1, 2}})).find("did you mean yy?"), std::string::npos);
  EXPECT_NE(tell(line, make_data({"x", "y"}, {{0, 1}})).find("2 parameters cannot be found from 1 residuals"),
            std::string::npos);
  EXPECT_NE(
      tell(line, make_data({"x", "y"}, {{0, 1}, {1, 2}}), {"aa"}).find("there is no such unknown; did you mean a?"),
      std::string::npos);
  EXPECT_NE(tell(line, make_data({"time", "x", "y"}, {{0, 0, 1}, {2, 1, 2}, {1, 1, 2}})).find("time"),
            std::string::npos);
}

}  // namespace
}  // namespace coenergy::study
