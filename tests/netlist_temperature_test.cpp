// Temperature of netlists: .temp, .options temp= tnom=, temp= and dtemp= of elements; against closed forms, and against
// ngspice where it is installed.
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "tests/ngspice.hpp"

namespace coenergy::tests {
namespace {

nlohmann::json run_netlist(const std::string& text) {
  const Folder folder;
  const Outcome outcome = run_program({"run", folder.write("c.cir", text), "--json"});
  EXPECT_EQ(outcome.status, 0) << outcome.all();
  return nlohmann::json::parse(outcome.output, nullptr, false);
}

const std::string devices = R"(devices of all kinds
.model dd D(IS=1e-14 N=1.2 RS=2 CJO=10p VJ=0.8 M=0.4 TT=5n)
.model de D(IS=2e-13 XTI=2 EG=0.69 TNOM=50)
.model qn NPN(IS=7e-15 BF=300 VAF=70 IKF=0.08 ISE=7e-15 NE=1.5 BR=6 RB=50 XTB=1.5 CJE=14p CJC=5p TF=0.4n XTF=2 VTF=4)
.model qp PNP(IS=1e-15 BF=80 XTI=3.5 EG=1.15)
.model mn NMOS(VTO=0.8 KP=60u GAMMA=0.5 PHI=0.65 LAMBDA=0.02)
.model mp PMOS(VTO=-0.9 KP=25u GAMMA=0.4 PHI=0.6 LAMBDA=0.03)
V1 v 0 10
R1 v a 1k tc1=2m tc2=5u
D1 a 0 dd
R2 v b 10k
D2 b 0 de
R3 v c1 2k
Q1 c1 b1 0 qn
R4 v b1 1meg
R5 c2 0 2k
Q2 c2 b2 v qp
R6 b2 0 470k
R7 v d1 10k
M1 d1 g1 s1 0 mn W=20u L=2u
Rs1 s1 0 1k
R8 v g1 1meg
R9 g1 0 400k
R10 d2 0 10k
M2 d2 g2 v v mp W=40u L=2u
R11 v g2 400k
R12 g2 0 1meg
R13 v e1 1k tc1=1m temp=80
R14 e1 0 1k
R15 v f1 1k
D3 f1 0 dd dtemp=20
)";

TEST(NetlistTemperature, OperatingPointsAreThoseOfNgspiceFromColdToHot) {
  for (const char* card : {".temp -40", ".temp 27", ".temp 125", ".options temp=85 tnom=20"}) {
    const auto j = run_netlist(devices + card + "\n.op\n.end\n");
    if (!has_ngspice()) GTEST_SKIP() << "ngspice is not installed";
    const NgspiceOutput reference =
        command_ngspice(devices + card + "\n.options reltol=1e-9 abstol=1e-15 vntol=1e-12\n",
                        "op\nprint v(a) v(b) v(c1) v(b1) v(c2) v(b2) v(d1) v(s1) v(d2) v(e1) v(f1)");
    // ngspice has k/q to 1e-6: junction voltages of 0.5 to 0.9 V move by a part of that; and it has 1e-12 S from the
    // substrate to the base of the pnp, whose collector shows them 80 times
    for (const char* node : {"a", "b", "c1", "b1", "c2", "b2", "d1", "s1", "d2", "e1", "f1"}) {
      const double own = j["op"]["signals"][std::string(node) + ".v"].get<double>(),
                   other = reference.printed("v(" + std::string(node) + ")");
      EXPECT_NEAR(own, other, *node == 'c' ? 2e-6 : 5e-7) << node << " with " << card;
      if (std::getenv("COENERGY_SHOW_FIGURES") != nullptr)
        std::printf("%-26s %-3s %.9f difference %.1e\n", card, node, own, own - other);
    }
  }
}

TEST(NetlistTemperature, JunctionCapacitancesOfDiodesAreThoseOfNgspice) {
  const std::string text =
      "capacitance\n.model dd D(IS=1e-14 CJO=100p VJ=0.8 M=0.4)\nV1 in 0 DC -3 AC 1\nR1 in a 10k\nD1 a 0 dd\n";
  for (const char* card : {".temp -40", ".temp 125", ".options temp=125 tnom=60"}) {
    const auto j = run_netlist(text + card + "\n.ac lin 1 200k 200k\n.end\n");
    if (!has_ngspice()) GTEST_SKIP() << "ngspice is not installed";
    const NgspiceOutput reference = command_ngspice(text + card + "\n", "ac lin 1 200k 200k\nprint vm(a)");
    // the law holds k/q, which ngspice has to 1e-6, and CJO changes by a part of 0.1 only
    EXPECT_NEAR(j["ac"][0][0]["a.v magnitude"].get<double>(), reference.printed("vm(a)"), 1e-6) << card;
  }
}

TEST(NetlistTemperature, ResistorsFollowTheirCoefficients) {
  const auto j = run_netlist(
      "resistors\nV1 a 0 1\nR1 a 0 1k tc1=1m tc2=2u\nR2 a 0 1k tc=1m,2u\nR3 a 0 1k tc1=1m temp=27\n"
      "R4 a 0 1k tc1=1m dtemp=10 m=2\nR5 a 0 1k\n.temp 77\n.op\n.end\n");
  const auto i = [&](const char* name) { return j["op"]["signals"][std::string(name) + ".i"].get<double>() * 1e3; };
  constexpr double rounding = 1e-13;
  EXPECT_NEAR(i("R1"), 1 / (1 + 0.05 + 2e-6 * 2500), rounding);
  EXPECT_NEAR(i("R2"), i("R1"), rounding);
  EXPECT_NEAR(i("R3"), 1, rounding);
  EXPECT_NEAR(i("R4"), 2 / 1.06, rounding);
  EXPECT_NEAR(i("R5"), 1, rounding);
}

TEST(NetlistTemperature, ATransistorsTransitTimeFactorHasTheCurrentOfItsTemperature) {
  // the charge of Cbe at rest over TF is the current that the transistor itself has at this temperature
  const auto j = run_netlist(
      "factor\n.model q NPN(IS=1e-15 BF=100 TF=1n XTF=1 ITF=1 CJC=1p)\nV1 c 0 5\nV2 b 0 0.5\nQ1 c b 0 q\n.temp "
      "120\n.op\n"
      ".end\n");
  const double i = j["op"]["signals"]["Q1.i"].get<double>(), q = j["op"]["signals"]["Q1_Cbe.q"].get<double>();
  const double rise = i / (i + 1);
  const double smallest = 1e-15 * 0.5;                                    // of a junction without CJE: 1 fF
  EXPECT_NEAR((q - smallest) / (1e-9 * i * (1 + rise * rise)), 1, 1e-6);  // the collector has the reverse current too
}

TEST(NetlistTemperature, AModelFileHasTheSameLaws) {
  const Folder folder;
  const std::string file = folder.write("m.yaml", R"(
components:
  I: {type: electrical.CurrentSource, p: gnd, n: a, i: 1 mA}
  D: {type: electrical.Diode, p: a, n: gnd, Is: 1e-14 A, gmin: 0 S, T: 350 K, EG: 1.2 V, XTI: 2}
  E: {type: electrical.Diode, p: b, n: gnd, Is: 1e-14 A, gmin: 0 S, Tnom: 350 K}
  J: {type: electrical.CurrentSource, p: gnd, n: b, i: 1 mA}
  R: {type: electrical.TemperatureDependentResistor, p: a, n: gnd, R: 1 Gohm, TC1: 10 1/K, T: 300.15 K + 20 K*sin(1 rad)}
)");
  const Outcome outcome = run_program({"op", file, "--json"});
  ASSERT_EQ(outcome.status, 0) << outcome.all();
  const auto j = nlohmann::json::parse(outcome.output, nullptr, false);
  const double V = 1.380649e-23 / 1.602176634e-19 * 350, r = 350 / 300.15,
               Is = 1e-14 * r * r * std::exp((r - 1) * 1.2 / V);
  EXPECT_NEAR(j["signals"]["D.v"].get<double>(), V * std::log(1e-3 / Is + 1), 1e-9);  // the resistor takes 1e-12 A
  EXPECT_NEAR(j["signals"]["E.v"].get<double>(), V * std::log(1e-3 / 1e-14 + 1), 1e-9);
  EXPECT_NEAR(j["signals"]["R.R"].get<double>(), 1e9 * (1 + 200 * std::sin(1)), 1);
}

}  // namespace
}  // namespace coenergy::tests
