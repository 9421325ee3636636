// What .print, .plot and .save show and keep: voltages between nodes, names inside subcircuits, chosen signals.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <nlohmann/json.hpp>
#include <numbers>

#include "coenergy/io/csv.hpp"
#include "tests/ngspice.hpp"

namespace coenergy::tests {
namespace {

const std::string circuit =
    "bridge\nV1 in 0 DC 1 AC 1 SIN(0 1 1k)\nR1 in a 1k\nC1 a b 100n\nR2 b 0 2k\nX1 b half\n"
    ".subckt half p\nR1 p mid 1k\nV2 mid low 0\nR2 low 0 1k\n.ends\n";

struct Tables {
  io::CsvData tran, ac, dc;
  nlohmann::json all;  ///< of --json
};

Tables run_all(const std::string& cards) {
  const Folder folder;
  const std::string file =
      folder.write("c.cir", circuit + cards + ".op\n.dc V1 0 2 1\n.ac dec 1 100 10k\n.tran 10u 1m uic\n.end\n");
  const Outcome outcome = run_program({"run", file, "--json", "-o", (folder / "o.csv").string()});
  EXPECT_EQ(outcome.status, 0) << outcome.all();
  EXPECT_EQ(outcome.message, "");
  return {io::read_csv(folder / "o.csv"), io::read_csv(folder / "o.ac.csv"), io::read_csv(folder / "o.dc.csv"),
          nlohmann::json::parse(outcome.output, nullptr, false)};
}

TEST(NetlistOutputs, AVoltageBetweenNodesIsAColumnOfEveryAnalysisUnderTheNameTheUserWrote) {
  const Tables t = run_all(".print tran v(in,a) V(A, B)\n");
  // the difference of two columns is taken once in the program and once here: rounding alone
  constexpr double rounding = 1e-14;
  const auto in = t.tran.column("in.v"), a = t.tran.column("a.v"), b = t.tran.column("b.v");
  const auto in_a = t.tran.column("v(in,a)"), a_b = t.tran.column("V(A,B)");
  ASSERT_EQ(in.size(), 101u);
  for (std::size_t k = 0; k < in.size(); ++k) {
    EXPECT_NEAR(in_a[k], in[k] - a[k], rounding);
    EXPECT_NEAR(a_b[k], a[k] - b[k], rounding);
  }
  const auto phasor = [&](const std::string& name, std::size_t k) {
    return std::polar(t.ac.column(name + " magnitude")[k], t.ac.column(name + " phase")[k] * std::numbers::pi / 180);
  };
  for (std::size_t k = 0; k < 3; ++k)
    EXPECT_LT(std::abs(phasor("v(in,a)", k) - phasor("in.v", k) + phasor("a.v", k)), rounding);
  EXPECT_NEAR(t.dc.column("V(A,B)")[2], 2, 1e-12);
  EXPECT_NEAR(t.all["op"]["signals"]["V(A,B)"].get<double>(), 1, 1e-12);
  EXPECT_NEAR(t.all["final"]["V(A,B)"].get<double>(), a_b.back(), rounding);
}

TEST(NetlistOutputs, AVoltageBetweenNodesHasTheMagnitudeAndPhaseOfNgspice) {
  const Tables t = run_all(".print ac vdb(in,b) vp(in,b)\n");
  if (!has_ngspice()) GTEST_SKIP() << "ngspice is not installed";
  const NgspiceOutput reference = command_ngspice(circuit, "ac dec 1 100 10k\nwrdata table v(in,b)");
  ASSERT_EQ(reference.table.size(), 3u) << reference.log;
  for (std::size_t k = 0; k < 3; ++k) {
    const std::complex<double> z(reference.table[k][1], reference.table[k][2]);
    EXPECT_NEAR(t.ac.column("v(in,b) magnitude")[k], std::abs(z), 1e-12);  // linear: rounding alone
    EXPECT_NEAR(t.ac.column("v(in,b) phase")[k], std::arg(z) * 180 / std::numbers::pi, 1e-9);
  }
}

TEST(NetlistOutputs, SaveChoosesWhatIsKeptBesideWhatIsShown) {
  using Names = std::vector<std::string>;
  const Tables t = run_all(".save v(b) i(R1) in\n.print tran v(in,a)\n");
  EXPECT_EQ(t.tran.names, (Names{"time", "b.v", "R1.i", "in.v", "v(in,a)"}));
  EXPECT_EQ(t.dc.columns(), 5u);
  EXPECT_EQ(t.ac.columns(), 1u + 2 * 4);
  EXPECT_EQ(t.all["op"]["signals"].size(), 4u);
  EXPECT_EQ(t.all["final"].size(), 5u);
  EXPECT_GT(run_all(".save v(b) all\n").tran.columns(), 8u);
}

TEST(NetlistOutputs, NamesInsideASubcircuitAreWrittenWithDots) {
  const Tables t = run_all(".save v(x1.mid) i(v.x1.v2) v(b,x1.low)\n");
  EXPECT_EQ(t.tran.names, (std::vector<std::string>{"time", "X1_mid.v", "X1_V2.i", "v(b,x1.low)"}));
  EXPECT_NEAR(t.tran.column("X1_mid.v")[50], 1e3 * t.tran.column("X1_V2.i")[50], 1e-14);
}

TEST(NetlistOutputs, WhatIsNotUnderstoodIsToldByLine) {
  const Folder folder;
  const std::string file =
      folder.write("c.cir", circuit + ".tran 10u 1m\n.print tran vdb(a)\n.save @r1[i] v(a)\n.end\n");
  const Outcome outcome = run_program({"run", file});
  EXPECT_EQ(outcome.status, 0);
  for (const char* text : {"c.cir:13:13: .print: only v(node), v(node,node) and i(element) are shown",
                           "c.cir:14:7: .save: only v(node), v(node,node), i(element), nodes and all are kept by name"})
    EXPECT_NE(outcome.message.find(text), std::string::npos) << outcome.message;
}

TEST(NetlistOutputs, AReportPlotsThemByTheirNames) {
  const Folder folder;
  const std::string file = folder.write("c.cir", circuit + ".tran 10u 1m\n.print tran v(in,a)\n.save v(b)\n.end\n");
  const Outcome outcome = run_program({"run", file, "--report", (folder / "r.html").string()});
  EXPECT_EQ(outcome.status, 0) << outcome.all();
  EXPECT_NE(read_text(folder / "r.html").find("\"v(in,a)\""), std::string::npos);
}

TEST(RecordedSignals, AreChosenByAModelFileToo) {
  const Folder folder;
  const std::string file = folder.write("m.yaml", R"(
components:
  U: {type: electrical.VoltageSource, p: a, n: gnd, v: 6 V}
  R: {type: electrical.Resistor, p: a, n: b, R: 2 ohm}
  S: {type: electrical.Resistor, p: b, n: gnd, R: 4 ohm}
  M: {type: electrical.Voltmeter, p: a, n: b}
simulate: {t_end: 1 s, output_step: 0.5 s, signals: [M.v, S.i]}
plots: [[b.v]]
)");
  const Outcome outcome = run_program({"run", file, "-o", (folder / "o.csv").string()});
  EXPECT_EQ(outcome.status, 0) << outcome.all();
  const io::CsvData data = io::read_csv(folder / "o.csv");
  EXPECT_EQ(data.names, (std::vector<std::string>{"time", "M.v", "S.i", "b.v"}));  // what is plotted is recorded too
  EXPECT_NEAR(data.column("M.v")[1], 2, 1e-14);
  EXPECT_NEAR(data.column("S.i")[1], 1, 1e-14);
}

}  // namespace
}  // namespace coenergy::tests
