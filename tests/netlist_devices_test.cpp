// Parameters of devices in netlists, one by one: operating points and sweeps against those of ngspice.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <nlohmann/json.hpp>
#include <numbers>

#include "tests/ngspice.hpp"

namespace coenergy::tests {
namespace {

/// Currents of sources in the operating point, by both programs.
void expect_same_currents(const std::string& netlist, const std::vector<std::string>& sources) {
  if (!has_ngspice()) GTEST_SKIP() << "ngspice is not installed";
  const Folder folder;
  const Outcome outcome = run_program({"op", folder.write("circuit.cir", netlist + ".end\n"), "--json"});
  ASSERT_EQ(outcome.status, 0) << outcome.all();
  const auto signals = nlohmann::json::parse(outcome.output)["signals"];
  std::string commands = ".options reltol=1e-9 abstol=1e-15 vntol=1e-12\nop\nprint";
  for (const std::string& source : sources) commands += " i(" + source + ")";
  const NgspiceOutput reference = command_ngspice(netlist, commands);
  for (const std::string& source : sources) {
    const double expected = reference.printed("i(" + source + ")");
    // k/q of ngspice is right to 1e-6, times a junction's 30 thermal voltages; 1e-12 S beside a few volts
    EXPECT_NEAR(signals[source + ".i"].get<double>(), expected, 5e-5 * std::abs(expected) + 1e-11) << source;
  }
}

/// Phasors of a sweep over five decades, by both programs; of the largest value of each, as the operating points and so
/// the capacitances agree to 1e-5.
void expect_same_phasors(const std::string& netlist, const std::vector<std::string>& nodes) {
  if (!has_ngspice()) GTEST_SKIP() << "ngspice is not installed";
  const Folder folder;
  const std::string sweep = "ac dec 2 10k 1000meg";
  const Outcome outcome =
      run_program({"run", folder.write("circuit.cir", netlist + "." + sweep + "\n.end\n"), "--json"});
  ASSERT_EQ(outcome.status, 0) << outcome.all();
  const auto rows = nlohmann::json::parse(outcome.output)["ac"][0];
  std::string commands = ".options reltol=1e-9 abstol=1e-15 vntol=1e-12\n" + sweep + "\nwrdata table";
  for (const std::string& node : nodes) commands += " v(" + node + ")";
  const NgspiceOutput reference = command_ngspice(netlist, commands);
  ASSERT_EQ(reference.table.size(), rows.size()) << reference.log;
  for (std::size_t s = 0; s < nodes.size(); ++s) {
    double largest = 0;
    for (const auto& row : reference.table) largest = std::max(largest, std::hypot(row[1 + 2 * s], row[2 + 2 * s]));
    for (std::size_t k = 0; k < rows.size(); ++k) {
      const auto z = std::polar(rows[k][nodes[s] + ".v magnitude"].get<double>(),
                                rows[k][nodes[s] + ".v phase"].get<double>() * std::numbers::pi / 180);
      const std::complex<double> expected(reference.table[k][1 + 2 * s], reference.table[k][2 + 2 * s]);
      EXPECT_LT(std::abs(z - expected), 5e-4 * largest) << nodes[s] << " at " << reference.table[k][0] << " Hz";
    }
  }
}

TEST(NetlistDevices, TheJunctionsOfAMosTransistorHaveBottomsAndSides) {
  for (const char* kind : {"NMOS", "PMOS"}) {
    const std::string sign = std::string(kind) == "NMOS" ? "" : "-";
    expect_same_phasors(std::string("edges\nvdd s 0 ") + sign + "5\nvg g 0 DC " + sign + R"(2 AC 1
rs s d 10k
rb b 0 1k
re e 0 100
m1 d g e b mm W=20u L=2u AD=100p AS=80p PD=50u PS=40u M=2
.model mm )" + kind + "(VTO=" +
                            sign + "0.8 KP=50u CGSO=0.2n CGDO=0.2n CJ=0.3m CJSW=0.5n MJ=0.45 MJSW=0.33 PB=0.85)\n",
                        {"d", "e", "b"});
  }
}

TEST(NetlistDevices, TheTransitTimeOfASaturatedTransistorShrinksWithBothKneeCurrents) {
  expect_same_phasors(R"(saturated
vcc s 0 5
rc s c 10k
vb x 0 DC 1.5 AC 1
rb x b 1k
q1 c b 0 qq
.model qq NPN(IS=1f BF=100 BR=2 IKF=20m IKR=0.1m TF=1n TR=20n CJE=5p CJC=3p)
)",
                      {"b", "c"});
}

TEST(NetlistDevices, TheJunctionOfADiodeIsAlsoGivenByPbAndMj) {
  expect_same_phasors(R"(aliases
v1 x 0 DC -3 AC 1
r1 x a 1k
d1 a 0 dd
.model dd D(CJO=10p PB=0.6 MJ=0.33)
)",
                      {"a"});
}

TEST(NetlistDevices, ASidewallOfADiodeWithAnEmissionCoefficientOfItsOwnIsRefused) {
  const Folder folder;
  const std::string file =
      folder.write("side.cir", "side\nv1 a 0 1\nd1 a 0 dd PJ=10u\n.model dd D(JSW=1n NS=1.4)\n.op\n.end\n");
  const Outcome outcome = run_program({"run", file});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(outcome.message, file + ":4:1: model dd: NS of the sidewall must be N\n");
}

TEST(NetlistDevices, TheAreaScalesCurrentsThatTheModelLeavesAtTheirDefaults) {
  expect_same_currents(R"(areas
v1 a 0 0.6
d1 a 0 dd area=10
.model dd D
v2 c 0 2
v3 b 0 0.7
q1 c b 0 qq 5
.model qq NPN
v4 bulk 0 0.5
m1 0 g 0 bulk mm m=3
rg g 0 1k
.model mm NMOS
)",
                       {"v1", "v2", "v3", "v4"});
}

}  // namespace
}  // namespace coenergy::tests
