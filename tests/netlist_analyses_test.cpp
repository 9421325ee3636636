// .op, .dc and .ac cards of netlists: against closed forms, and against ngspice where it is installed.
#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>
#include <complex>
#include <nlohmann/json.hpp>
#include <numbers>

#include "coenergy/io/csv.hpp"
#include "tests/ngspice.hpp"

namespace coenergy::tests {
namespace {

nlohmann::json run_netlist(const std::string& text, std::vector<std::string> arguments = {}) {
  const Folder folder;
  folder.write("circuit.cir", text);
  arguments.insert(arguments.begin(), {"run", (folder / "circuit.cir").string(), "--json"});
  const Outcome outcome = run_program(arguments);
  EXPECT_EQ(outcome.status, 0) << outcome.all();
  return nlohmann::json::parse(outcome.output, nullptr, false);
}

const std::string amplifier = R"(common-emitter amplifier
.model bc547 NPN(IS=7e-15 BF=300 NF=1 VAF=70 IKF=0.08 ISE=7e-15 NE=1.5 BR=6 RB=50 RC=1 RE=0.4 CJE=14p MJE=0.3 CJC=5p MJC=0.4 TF=0.4n
+ XTF=2 VTF=4 ITF=0.05)
Vcc vcc 0 12
Vin in 0 DC 0.05 AC 2 30 SIN(0 10m 10k)
Rs in s 600
Cin s b 10u
R1 vcc b 47k
R2 b 0 10k
Q1 c b e bc547
Rc vcc c 2.2k
Re e 0 560
Ce e x 100u
Rx x 0 47
Cout c out 10u
Rl out 0 10k
)";

TEST(NetlistAnalyses, TheOperatingPointOfAnAmplifierIsThatOfNgspice) {
  const auto j = run_netlist(amplifier + ".op\n.end\n");
  // the source has a value for rest beside its function of time
  EXPECT_NEAR(j["op"]["signals"]["in.v"].get<double>(), 0.05, 1e-12);
  if (!has_ngspice()) GTEST_SKIP() << "ngspice is not installed";
  const NgspiceOutput reference = command_ngspice(
      amplifier, ".options reltol=1e-9 abstol=1e-15 vntol=1e-12\nop\nprint v(c) v(b) v(e) v(s) v(out) i(vcc)");
  // constants of nature: ngspice has k/q to 1e-6, which moves junction voltages of 0.6 V by as much
  for (const char* node : {"c", "b", "e", "s", "out"})
    EXPECT_NEAR(j["op"]["signals"][std::string(node) + ".v"].get<double>(),
                reference.printed("v(" + std::string(node) + ")"), 1e-5)
        << node;
  EXPECT_NEAR(j["op"]["signals"]["Vcc.i"].get<double>(), reference.printed("i(vcc)"), 1e-8);
}

TEST(NetlistAnalyses, TheSweepOfAnAmplifierIsThatOfNgspice) {
  const auto j = run_netlist(amplifier + ".ac dec 5 10 100meg\n.end\n");
  const auto& rows = j["ac"][0];
  ASSERT_EQ(rows.size(), 36u);
  EXPECT_NEAR(rows[35]["frequency"].get<double>(), 1e8, 1);
  if (!has_ngspice()) GTEST_SKIP() << "ngspice is not installed";
  const NgspiceOutput reference = command_ngspice(amplifier, "ac dec 5 10 100meg\nwrdata table v(out) v(e) i(vin)");
  ASSERT_EQ(reference.table.size(), rows.size()) << reference.log;
  const char* signals[] = {"out.v", "e.v", "Vin.i"};
  for (std::size_t k = 0; k < rows.size(); ++k)
    for (std::size_t s = 0; s < 3; ++s) {
      const std::string name = signals[s];
      const auto z = std::polar(rows[k][name + " magnitude"].get<double>(),
                                rows[k][name + " phase"].get<double>() * std::numbers::pi / 180);
      const std::complex<double> expected(reference.table[k][1 + 2 * s], reference.table[k][2 + 2 * s]);
      // the operating point agrees to 1e-5 of 25 mV over a junction, and so do the conductances
      EXPECT_LT(std::abs(z - expected), 5e-4 * std::abs(expected)) << name << " at " << reference.table[k][0];
    }
}

const std::string rlc = "RLC\nV1 in 0 AC 1\nR1 in a 5\nL1 a out 2m\nR2 out 0 7\nC1 out 0 3u\n";

const std::string divider = R"(a source with a value at rest beside its function of time
V1 a 0 DC 5 AC 1 SIN(0 1 1k)
R1 a b 1k
R2 b 0 1k
C1 b 0 1u
.ic v(b)=1
)";

TEST(NetlistAnalyses, TheVerbsFindTheOperatingPointOfTheCard) {
  const Folder folder;
  const std::string file = folder.write("divider.cir", divider + ".op\n.tran 1u 1m\n.end\n");
  // .ic holds a node at the start of a run only
  const auto card = run_netlist(divider + ".op\n.end\n");
  EXPECT_NEAR(card["op"]["signals"]["b.v"].get<double>(), 2.5, 1e-12);  // round-off
  const auto find_voltage = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"op", file, "--json"});
    const Outcome outcome = run_program(more);
    EXPECT_EQ(outcome.status, 0) << outcome.all();
    return nlohmann::json::parse(outcome.output)["signals"]["b.v"].get<double>();
  };
  EXPECT_NEAR(find_voltage({}), 2.5, 1e-12);
  EXPECT_NEAR(find_voltage({"--set", "V1.v=3"}), 1.5, 1e-12);
  const Outcome sweep =
      run_program({"sweep", file, "--op", "--parameter", "V1.v", "--value", "8", "--signal", "b.v", "--json"});
  EXPECT_NEAR(nlohmann::json::parse(sweep.output)["rows"][0]["signals"]["b.v"].get<double>(), 4, 1e-12) << sweep.all();
}

TEST(NetlistAnalyses, TheVerbsLineariseAboutTheOperatingPoint) {
  // the transistor amplifies there and nowhere else; its netlist has no .tran card
  const Folder folder;
  const std::string file = folder.write("amplifier.cir", amplifier + ".ac lin 1 1k 1k\n.end\n");
  const auto row = run_netlist(amplifier + ".ac lin 1 1k 1k\n.end\n")["ac"][0][0];
  const double magnitude = row["out.v magnitude"].get<double>();
  EXPECT_GT(magnitude, 20);
  const Outcome outcome =
      run_program({"ac", file, "--input", "Vin.v", "--rms", "2", "--frequency", "1000", "--output", "out.v", "--json"});
  ASSERT_EQ(outcome.status, 0) << outcome.all();
  // the same computation: round-off
  EXPECT_NEAR(nlohmann::json::parse(outcome.output)["signals"]["out.v"]["rms"].get<double>(), magnitude,
              1e-9 * magnitude);
}

TEST(NetlistAnalyses, ParametersMayHoldBlanksAndValuesTheMicroSign) {
  const auto j = run_netlist(
      "blanks\n.param a = 2 * 3 + 1 b=min(a, 2) c = {a} + 1\nV1 x 0 {a}\nV2 y 0 {b*c}\nR1 x 0 1kΩ\nR2 y 0 1k\n"
      "I1 0 z 3µA\nR3 z 0 1Meg\n.op\n.end\n");
  EXPECT_EQ(j["op"]["signals"]["x.v"].get<double>(), 7);
  EXPECT_EQ(j["op"]["signals"]["y.v"].get<double>(), 16);
  EXPECT_EQ(j["op"]["signals"]["R1.i"].get<double>(), 7e-3);
  EXPECT_NEAR(j["op"]["signals"]["z.v"].get<double>(), 3, 1e-12);  // round-off
}

TEST(NetlistAnalyses, TheSweepOfAFilterIsItsTransferFunction) {
  for (const auto& [card, count] : {std::pair(".ac lin 7 100 1.3k", 7), std::pair(".ac oct 2 1k 8k", 7)}) {
    const auto j = run_netlist(rlc + card + "\n.end\n");
    ASSERT_EQ(j["ac"][0].size(), static_cast<std::size_t>(count)) << card;
    for (const auto& row : j["ac"][0]) {
      const std::complex<double> s(0, 2 * std::numbers::pi * row["frequency"].get<double>());
      const auto h = 1.0 / (2e-3 * 3e-6 * s * s + (2e-3 / 7 + 5 * 3e-6) * s + 1.0 + 5.0 / 7);
      EXPECT_NEAR(row["out.v magnitude"].get<double>(), std::abs(h), 1e-12);
      EXPECT_NEAR(row["out.v phase"].get<double>(), std::arg(h) * 180 / std::numbers::pi, 1e-9);
      // the current of a capacitor leads its voltage by a quarter of a period
      EXPECT_NEAR(row["C1.i magnitude"].get<double>(), 3e-6 * std::abs(s * h), 1e-12);
      EXPECT_NEAR(row["C1.i phase"].get<double>(), std::arg(s * h) * 180 / std::numbers::pi, 1e-9);
    }
  }
}

TEST(NetlistAnalyses, ThreeCoilsOnOneCoreHaveTheImpedancesOfTheirMatrix) {
  // (R + jωL) I = V with L_ij = k_ij √(L_i L_j); the loads of the second and the third coil are in R
  const std::string text =
      "coils\nV1 a 0 AC 1\nR1 a b 2\nL1 b 0 1m\nL2 0 c 0.25m\nL3 0 d 4m\nK12 L1 L2 0.95\nK13 L1 L3 0.9\nK23 L2 L3 "
      "0.92\nR2 c 0 8\nR3 d 0 100\n.ac dec 1 1k 100k\n.end\n";
  const auto j = run_netlist(text);
  ASSERT_EQ(j["ac"][0].size(), 3u);
  for (const auto& row : j["ac"][0]) {
    using Complex = std::complex<double>;
    const Complex s(0, 2 * std::numbers::pi * row["frequency"].get<double>());
    const double l[] = {1e-3, 0.25e-3, 4e-3}, k[3][3] = {{1, 0.95, 0.9}, {0.95, 1, 0.92}, {0.9, 0.92, 1}};
    const double r[] = {2, 8, 100};
    Eigen::Matrix3cd z;
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b) z(a, b) = s * k[a][b] * std::sqrt(l[a] * l[b]) + (a == b ? r[a] : 0);
    const Eigen::Vector3cd i = z.partialPivLu().solve(Eigen::Vector3cd(1, 0, 0));
    for (int a = 0; a < 3; ++a) {
      const std::string name = "L" + std::to_string(a + 1) + ".i";
      const Complex found = std::polar(row[name + " magnitude"].get<double>(),
                                       row[name + " phase"].get<double>() * std::numbers::pi / 180);
      EXPECT_LT(std::abs(found - i[a]), 1e-11 * i.norm()) << name;  // the matrix has a condition number of some 100
    }
  }
}

TEST(NetlistAnalyses, ASweepOfTwoSourcesRunsTheFirstWithinTheSecond) {
  const std::string text =
      "two\nV1 a 0 1\nV2 b 0 DC 3 SIN(0 1 1k)\nR1 a c 1k\nR2 b c 3k\nR3 c 0 6k\n.dc V1 0 2 1 V2 -1 1 2\n.end\n";
  const auto j = run_netlist(text);
  const auto& rows = j["dc"][0];
  ASSERT_EQ(rows.size(), 6u);
  for (std::size_t k = 0; k < 6; ++k) {
    const double v1 = static_cast<double>(k % 3), v2 = k < 3 ? -1 : 1;
    EXPECT_EQ(rows[k]["V1"].get<double>(), v1);
    EXPECT_EQ(rows[k]["V2"].get<double>(), v2);
    EXPECT_NEAR(rows[k]["c.v"].get<double>(), (v1 / 1 + v2 / 3) / (1.0 + 1.0 / 3 + 1.0 / 6), 1e-10);
  }
}

TEST(NetlistAnalyses, ASweepGoesOnFromWhereItIsAndShowsHysteresis) {
  // the output holds the threshold at 2.5 V while it is high, and at 0 V while it is low
  const auto j = run_netlist(
      "trigger\nV1 in 0 0\nE1 x 0 in fb 1000\nB1 out 0 V=2.5-2.5*tanh(v(x))\nR1 out fb 10k\nR2 fb 0 10k\n"
      ".dc V1 0 4 1\n.dc V1 4 0 -1\n.end\n");
  for (const auto& row : j["dc"][0])
    EXPECT_NEAR(row["out.v"].get<double>(), row["V1"].get<double>() < 2.5 ? 5 : 0, 1e-9) << row["V1"];
  ASSERT_EQ(j["dc"][1].size(), 5u);
  for (std::size_t k = 0; k < 4; ++k) EXPECT_NEAR(j["dc"][1][k]["out.v"].get<double>(), 0, 1e-9) << 4 - k;
}

TEST(NetlistAnalyses, TheCharacteristicOfADiodeIsThatOfNgspice) {
  const std::string text = "diode\nV1 a 0 1\nR1 a b 100\nD1 b 0 dd\n.model dd D(IS=1e-12 N=1.5 RS=2 BV=4 IBV=1m)\n";
  const auto j = run_netlist(text + ".dc V1 -6 2 0.5\n.end\n");
  if (!has_ngspice()) GTEST_SKIP() << "ngspice is not installed";
  const NgspiceOutput reference =
      command_ngspice(text, "option reltol=1e-9 abstol=1e-16 vntol=1e-12\ndc v1 -6 2 0.5\nwrdata table v(b) i(v1)");
  ASSERT_EQ(reference.table.size(), 17u) << reference.log;
  for (std::size_t k = 0; k < 17; ++k) {
    // k/q to 1e-6 of ngspice; near zero its 1e-12 S beside every junction
    EXPECT_NEAR(j["dc"][0][k]["b.v"].get<double>(), reference.table[k][1], 1e-5) << reference.table[k][0];
    EXPECT_NEAR(j["dc"][0][k]["V1.i"].get<double>(), reference.table[k][2], 1e-7) << reference.table[k][0];
  }
}

TEST(NetlistAnalyses, SeveralCardsAreAllCarriedOutAndTold) {
  const Folder folder;
  folder.write("circuit.cir", rlc + ".op\n.ac dec 2 10 1k\n.dc V1 0 1 0.5\n.tran 10u 1m\n.end\n");
  const std::string circuit = (folder / "circuit.cir").string(), csv = (folder / "out.csv").string();
  const Outcome outcome = run_program({"run", circuit, "-o", csv});
  ASSERT_EQ(outcome.status, 0) << outcome.all();
  for (const char* text : {".op: operating point by Newton's method", ".ac: 5 rows, result: ", "out.ac.csv",
                           ".dc: 3 rows, result: ", "out.dc.csv", "reached t = 0.001 s", "result: "})
    EXPECT_NE(outcome.output.find(text), std::string::npos) << text << "\n" << outcome.output;
  EXPECT_EQ(io::read_csv((folder / "out.ac.csv").string()).rows(), 5u);
  EXPECT_EQ(io::read_csv((folder / "out.dc.csv").string()).rows(), 3u);
  EXPECT_EQ(io::read_csv(csv).rows(), 101u);
  const Outcome json = run_program({"run", circuit, "--json"});
  const auto j = nlohmann::json::parse(json.output, nullptr, false);
  for (const char* key : {"op", "ac", "dc", "final"}) EXPECT_TRUE(j.contains(key)) << key;
}

TEST(NetlistAnalyses, RatesThatPassThroughZeroDoNotStopARun) {
  // E0 charges Ce0, so that the rates of the nodes are unknowns: those behind the diodes are differences of large ones
  const Folder folder;
  const std::string file = folder.write("rates.cir", R"(diodes and a source that charges a capacitor
V1 n1 0 PWL(0 0 20u 2 50u -1 100u 1)
Rg0 n1 0 1234
Rg1 n2 n1 1934
Rg2 n3 n1 497.8
Rg3 n4 0 117.5
Rg4 n5 0 1506
E0 e0 0 n2 n1 0.139
Re0 e0 n5 447
Ce0 e0 0 5.747e-09
D1 n3 n2 dmod
H2 h2 0 V1 -29.7
Rh2 h2 n1 1825
D3 n3 n5 dmod
D4 n3 0 dmod
F5 n5 n4 V1 0.157
.model dmod D(IS=1e-12 N=1.5 RS=1 CJO=5p TT=5n)
.tran 1u 200u
.end
)");
  const Outcome outcome = run_program({"run", file, "--rtol", "1e-8", "--atol", "1e-10"});
  EXPECT_EQ(outcome.status, 0) << outcome.all();
}

TEST(NetlistAnalyses, EquationsOfATransistorCircuitArePrintedAtOnce) {
  // solved for the rates they would fill books: they are shown as they are
  const Folder folder;
  const std::string file = folder.write("switches.cir", R"(two switches and a transistor
V1 n1 0 PULSE(0 3 5u 1u 1u 40u 90u)
Rg0 n1 0 5943
Rg1 n2 n1 281.5
Rg2 n3 n1 1853
C0 n2 n3 1.266e-10
F1 n1 n3 V1 -0.123
G2 n3 n1 n2 n3 -8.17e-05
S4 n2 n1 n1 0 smod
S5 n1 n2 n1 0 smod
Q6 n3 n2 n1 qn
.model smod SW(VT=0.5 VH=0.1 RON=10 ROFF=1meg)
.model qn NPN(BF=80 CJE=2p CJC=1p TF=1n)
.tran 1u 200u
.end
)");
  const Outcome outcome = run_program({"equations", file}, 20);
  EXPECT_EQ(outcome.status, 0) << outcome.all();
  EXPECT_NE(outcome.output.find("n3 current balance:"), std::string::npos);
  EXPECT_LT(outcome.output.size(), 100'000u);
}

TEST(NetlistAnalyses, ATableIsPrintedWithoutAFile) {
  const Folder folder;
  folder.write("circuit.cir", rlc + ".ac dec 1 10 1k\n.print ac vdb(out)\n.end\n");
  const Outcome outcome = run_program({"run", (folder / "circuit.cir").string()});
  ASSERT_EQ(outcome.status, 0) << outcome.all();
  EXPECT_NE(outcome.output.find("frequency"), std::string::npos);
  EXPECT_NE(outcome.output.find("out.v magnitude"), std::string::npos);
  EXPECT_EQ(outcome.output.find("in.v magnitude"), std::string::npos);
}

TEST(NetlistAnalyses, WhatCannotBeDoneIsRefused) {
  const std::pair<std::string, std::string> cases[] = {
      {"no source\nV1 a 0 1\nR1 a 0 1k\n.ac dec 10 1 1k\n.end\n",
       "circuit.cir:4:1: .ac: no source has an ac value, such as V1 in 0 DC 0 AC 1"},
      {"nothing\nV1 a 0 1\nR1 a 0 1k\n.end\n",
       "circuit.cir: the netlist has no .tran, .op, .dc or .ac card; write one, or give --t-end"}};
  for (const auto& [text, message] : cases) {
    const Folder folder;
    folder.write("circuit.cir", text);
    const Outcome outcome = run_program({"run", (folder / "circuit.cir").string()});
    EXPECT_EQ(outcome.status, 2);
    EXPECT_NE(outcome.message.find(message), std::string::npos) << outcome.message;
  }
  const Folder folder;
  const std::string file = folder.write("circuit.cir", "set\nV1 a 0 DC 2 PULSE(0 1 1m)\nR1 a 0 1k\n.op\n.end\n");
  for (const char* verb : {"run", "op"}) {
    const Outcome outcome = run_program({verb, file, "--set", "V1.high=3"});
    EXPECT_EQ(outcome.status, 2);
    EXPECT_NE(outcome.message.find("--set V1.high=3: V1 is a function of time, of which an operating point takes the "
                                   "value the netlist gives; change it there"),
              std::string::npos)
        << outcome.message;
  }
}

}  // namespace
}  // namespace coenergy::tests
