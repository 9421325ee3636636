// Devices of netlists, their .model cards and the values that stand for missing parameters: operating points and small
// signals at the pins as ngspice has them.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <nlohmann/json.hpp>
#include <numbers>

#include "coenergy/io/spice_lines.hpp"
#include "tests/ngspice.hpp"

namespace coenergy::tests {
namespace {

using Complex = std::complex<double>;

nlohmann::json run_netlist(const std::string& text) {
  const Folder folder;
  folder.write("circuit.cir", text);
  const Outcome outcome = run_program({"run", (folder / "circuit.cir").string(), "--json"});
  EXPECT_EQ(outcome.status, 0) << outcome.all();
  return nlohmann::json::parse(outcome.output, nullptr, false);
}

Complex find_phasor(const nlohmann::json& row, const std::string& name) {
  return std::polar(row[name + " magnitude"].get<double>(),
                    row[name + " phase"].get<double>() * std::numbers::pi / 180);
}

/// Currents of voltage sources, at rest and as phasors from 1 MHz to 1 GHz, are those of ngspice.
///
/// Both have k/q to some 3e-7, of which 30 kT/q over a junction make 1e-5 of a current; another such factor is left for
/// conductances, which follow from it. ngspice adds 1e-12 S to every junction: 1e-11 A.
void expect_as_ngspice(const std::string& netlist, const std::vector<std::string>& sources) {
  const auto j = run_netlist(netlist + ".op\n.ac dec 1 1meg 1g\n.end\n");
  if (!has_ngspice()) GTEST_SKIP() << "ngspice is not installed";
  std::string names;
  for (const std::string& s : sources) names += " i(" + s + ")";
  const NgspiceOutput reference = command_ngspice(netlist, "option reltol=1e-9 abstol=1e-16 vntol=1e-12\nop\nprint" +
                                                               names + "\nac dec 1 1meg 1g\nwrdata table" + names);
  ASSERT_EQ(reference.table.size(), 4u) << reference.log;
  constexpr double part = 1e-4, smallest = 3e-11;
  for (std::size_t s = 0; s < sources.size(); ++s) {
    const double expected = reference.printed(io::spice::to_lower("i(" + sources[s] + ")"));
    EXPECT_NEAR(j["op"]["signals"][sources[s] + ".i"].get<double>(), expected, part * std::abs(expected) + smallest)
        << sources[s] << " at rest";
    for (std::size_t k = 0; k < 4; ++k) {
      const auto& row = j["ac"][0][k];
      const Complex found = find_phasor(row, sources[s] + ".i");
      const Complex wanted(reference.table[k][1 + 2 * s], reference.table[k][2 + 2 * s]);
      EXPECT_LT(std::abs(found - wanted), part * std::abs(wanted) + smallest)
          << sources[s] << " at " << reference.table[k][0] << " Hz: " << found << " instead of " << wanted;
    }
  }
}

TEST(NetlistModels, DiodesScaleWithTheirArea) {
  expect_as_ngspice(R"(diodes: forward, blocking, in breakdown, of a default model
.model d1 D(IS=1e-13 N=1.3 RS=4 CJO=3p VJ=0.8 M=0.4 FC=0.6 TT=2n)
.model dz D(IS=1e-13 BV=5 IBV=2m RS=3 CJO=10p)
.model dd D
V1 a 0 DC 0.8 AC 1
D1 a 0 d1 2.5
V2 b 0 DC -2 AC 1
D2 b 0 d1 area=3
V3 c 0 DC -5.1 AC 1
D3 c 0 dz area=2
V4 d 0 DC 0.6 AC 1
D4 d 0 dd
)",
                    {"V1", "V2", "V3", "V4"});
}

const std::string bipolar_card =
    "(IS=2e-15 BF=120 NF=1.02 BR=4 NR=1.05 VAF=60 VB=25 IKF=20m IKR=5m ISE=3e-14 NE=1.6 ISC=2e-14 NC=1.8 RB=80 RC=5 "
    "RE=1 CJE=8p VJE=0.7 CJC=4p TF=0.5n XTF=3 VTF=3 ITF=30m TR=20n)\n";

TEST(NetlistModels, BipolarTransistorsAreThoseOfTheirCardInAllRegions) {
  for (const std::string kind : {"NPN", "PNP"}) {
    const std::string s = kind == "NPN" ? "" : "-";
    // normal, saturated, reverse; one of a default model. Of several areas in the normal region only: currents of the
    // collector junction grow with the square of the area in ngspice 39
    expect_as_ngspice("transistors\n.model q " + kind + bipolar_card + ".model qd " + kind + "\n" + "Vb1 b1 0 DC " + s +
                          "0.75 AC 1\nVc1 c1 0 DC " + s + "3\nQ1 c1 b1 0 q 3\n" +  //
                          "Vb2 b2 0 DC " + s + "0.8 AC 1\nVc2 c2 0 DC " + s + "0.1\nQ2 c2 b2 0 q\n" + "Vb3 b3 0 DC " +
                          s + "0.7 AC 1\nVe3 e3 0 DC " + s + "1.5\nQ3 0 b3 e3 q\n" + "Vb4 b4 0 DC " + s +
                          "0.7 AC 1\nVc4 c4 0 DC " + s + "2\nQ4 c4 b4 0 qd\n",
                      {"Vb1", "Vc1", "Vb2", "Vc2", "Vb3", "Ve3", "Vb4", "Vc4"});
  }
}

TEST(NetlistModels, ATransitTimeThatRisesWithTheCurrentDoesSoWithTheArea) {
  // far above ITF the rise is XTF, far below it is none; between them the area decides
  expect_as_ngspice(
      "transit\n.model q NPN(IS=1e-15 BF=100 CJE=1p CJC=1p TF=1n XTF=5 VTF=2 ITF=2m VAR=8)\n"
      "Vb b 0 DC 0.74 AC 1\nVc c 0 DC 1.2\nQ1 c b 0 q 4\n",
      {"Vb", "Vc"});
}

TEST(NetlistModels, MosTransistorsHaveTheirProcessAndGeometry) {
  // with TOX the channel has a charge in ngspice, which is left out here, so at rest only
  const std::string text = R"(process
.model mn NMOS(LEVEL=1 VTO=0.7 TOX=50n UO=450 NSUB=3e15 LD=0.2u RSH=20 LAMBDA=0.03)
.model mu NMOS(LEVEL=1 VTO=0.7 TOX=50n)
.model md NMOS(LEVEL=1)
.model mp PMOS(LEVEL=1 VTO=-0.6 KP=30u GAMMA=0.6 PHI=0.7 IS=1e-13 RD=300 RS=100)
Vg g 0 2.5
Vd d 0 2
Vb b 0 -1
M1 d g 0 b mn W=20u L=2u NRD=3 NRS=2 M=2
Vd2 d2 0 0.4
M2 d2 g 0 b mu W=20u L=2u
Vd3 d3 0 1.3
M3 d3 g 0 b md
Vd4 d4 0 -2
Vg4 g4 0 -2.5
Vb4 b4 0 -0.5
M4 d4 g4 0 b4 mp W=30u L=1u M=3
)";
  const auto j = run_netlist(text + ".op\n.end\n");
  if (!has_ngspice()) GTEST_SKIP() << "ngspice is not installed";
  const NgspiceOutput reference = command_ngspice(
      text, "option reltol=1e-9 abstol=1e-16 vntol=1e-12\nop\nprint i(Vd) i(Vd2) i(Vd3) i(Vd4) i(Vb) i(Vb4)");
  for (const char* name : {"Vd", "Vd2", "Vd3", "Vd4", "Vb", "Vb4"}) {
    const double expected = reference.printed(io::spice::to_lower("i(" + std::string(name) + ")"));
    // constants of nature as above; eps of silicon oxide and the electron's charge agree to 1e-6
    EXPECT_NEAR(j["op"]["signals"][std::string(name) + ".i"].get<double>(), expected, 1e-4 * std::abs(expected) + 1e-11)
        << name;
  }
}

TEST(NetlistModels, MosTransistorsHaveTheirCharges) {
  for (const std::string kind : {"NMOS", "PMOS"}) {
    const std::string s = kind == "NMOS" ? "" : "-", t = kind == "NMOS" ? "-" : "";
    expect_as_ngspice(
        "charges\n.model m " + kind + "(LEVEL=1 VTO=" + s +
            "0.8 KP=40u GAMMA=0.5 PHI=0.65 LAMBDA=0.02 CGSO=0.3n CGDO=0.4n CGBO=0.2n CJ=3e-4 RD=10 RS=15)\n" +
            ".model n " + kind + "(LEVEL=1 VTO=" + s + "0.8 KP=40u CBD=20f CBS=30f MJ=0.4 PB=0.9)\n" + "Vg g 0 DC " +
            s + "2 AC 1\nVd d 0 DC " + s + "3\nVb b 0 DC " + t + "1\nM1 d g 0 b m W=40u L=2u AD=50p AS=60p M=3\n" +  //
            "Vd2 d2 0 DC " + s + "3 AC 1\nVb2 b2 0 DC " + t + "1\nM2 d2 g 0 b2 n W=40u L=2u\n",
        {"Vg", "Vd", "Vb", "Vd2", "Vb2"});
  }
}

TEST(NetlistModels, ParallelPartsAreCountedByTheirMultiplier) {
  expect_as_ngspice(R"(parts in parallel
V1 a 0 DC 1 AC 1
R1 a 0 1k M=4
V2 b 0 DC 0 AC 1
C1 b 0 2p M=3
V3 c 0 DC 0 AC 1
R3 c d 10
L1 d 0 5u M=2
)",
                    {"V1", "V2", "V3"});
}

TEST(NetlistModels, AnAreaOfThreeIsThreeInParallel) {
  const std::string cards =
      ".model d1 D(IS=1e-13 N=1.3 RS=4 CJO=3p TT=2n)\n.model dz D(BV=5 RS=2)\n.model dd D\n.model q NPN" +
      bipolar_card + ".model qd PNP\n.model mn NMOS(VTO=0.7 KP=40u CGSO=0.3n CBD=20f RSH=20)\n.model md NMOS\n";
  // each with its sources: forward, blocking, in breakdown; normal, saturated; with a forward bulk diode
  struct Device {
    std::string sources, pins, model, one, three;
  };
  const Device devices[] = {{"V1 a 0 DC 0.8 AC 1\n", "D@ a 0", "d1", "", "3"},
                            {"V1 a 0 DC -2 AC 1\n", "D@ a 0", "d1", "", "area=3"},
                            {"V1 a 0 DC -5.2 AC 1\n", "D@ a 0", "dz", "", "m=3"},
                            {"V1 a 0 DC 0.6 AC 1\n", "D@ a 0", "dd", "", "area=1.5 m=2"},
                            {"V1 a 0 DC 0.75 AC 1\nV2 b 0 DC 2\n", "Q@ b a 0", "q", "", "3"},
                            {"V1 a 0 DC 0.8 AC 1\nV2 b 0 DC 0.1\n", "Q@ b a 0", "q", "", "area=3"},
                            {"V1 a 0 DC -0.7 AC 1\nV2 b 0 DC -0.1\n", "Q@ b a 0", "qd", "", "m=3"},
                            {"V1 a 0 DC 2 AC 1\nV2 b 0 DC 1\n", "M@ b a 0 0", "mn", "W=20u L=2u", "W=20u L=2u M=3"},
                            {"V1 a 0 DC 2 AC 1\nV2 b 0 DC -0.7\n", "M@ b a 0 0", "md", "", "M=3"}};
  for (const Device& d : devices) {
    const auto line = [&](const std::string& n, const std::string& values) {
      return d.pins.substr(0, 1) + n + d.pins.substr(2) + " " + d.model + " " + values + "\n";
    };
    const std::string end = ".op\n.ac dec 1 1meg 1g\n.end\n";
    const auto one = run_netlist("one\n" + cards + d.sources + line("1", d.three) + end);
    const auto three =
        run_netlist("three\n" + cards + d.sources + line("1", d.one) + line("2", d.one) + line("3", d.one) + end);
    for (const char* source : {"V1", "V2"}) {
      const std::string name = std::string(source) + ".i";
      if (!one["op"]["signals"].contains(name)) continue;
      // equal but for round-off, the tolerance of Newton's method and a 1e-12 S across every junction
      const double i = three["op"]["signals"][name].get<double>();
      EXPECT_NEAR(one["op"]["signals"][name].get<double>(), i, 1e-8 * std::abs(i) + 2e-11) << d.pins << d.model;
      for (std::size_t k = 0; k < 4; ++k) {
        const auto y = find_phasor(one["ac"][0][k], name), z = find_phasor(three["ac"][0][k], name);
        EXPECT_LT(std::abs(y - z), 1e-7 * std::abs(z) + 1e-11) << d.pins << d.model << " row " << k;
      }
    }
  }
}

TEST(NetlistModels, SwitchesHaveTheirDefaultsAndTheirGivenState) {
  const auto j = run_netlist(R"(switches within their hysteresis, and defaults
.model s1 SW(VT=1 VH=0.2)
.model s2 SW(RON=2k ROFF=5k)
.model w1 CSW(IT=1m IH=0.2m RON=3k ROFF=7k)
.model sm VSWITCH(VON=1 VOFF=3 RON=10 ROFF=1000)
.model sd VSWITCH
Vc c 0 1.1
V1 a 0 3
S1 a 0 c 0 s1 ON
V2 b 0 3
S2 b 0 c 0 s1 OFF
V3 d 0 3
S3 d 0 c 0 s2
V4 e 0 3
S4 e 0 0 c s2
V5 f 0 3
Vs g 0 1
Rs g 0 1k
W1 f 0 Vs w1
V6 h 0 3
Vm m 0 1.5
S6 h 0 m 0 sm
V7 k 0 3
Vn n 0 0.25
S7 k 0 n 0 sd
.op
.end
)");
  const auto conductance = [&](const char* source) { return -j["op"]["signals"][source].get<double>() / 3; };
  EXPECT_NEAR(conductance("V1.i"), 1, 1e-9);         // closed, 1 ohm
  EXPECT_NEAR(conductance("V2.i"), 1e-12, 1e-18);    // open, 1e12 ohm
  EXPECT_NEAR(conductance("V3.i"), 1 / 2e3, 1e-12);  // above a threshold of 0 V
  EXPECT_NEAR(conductance("V4.i"), 1 / 5e3, 1e-12);  // -1.1 V
  EXPECT_NEAR(conductance("V5.i"), 1 / 7e3, 1e-12);  // -1 mA through the source
  // smooth ones: cubic in the logarithm; 1.5 V is three quarters of the way from VOFF to VON, 0.25 V a quarter
  const auto smooth = [](double x, double on, double off) { return off * std::pow(on / off, x * x * (3 - 2 * x)); };
  EXPECT_NEAR(conductance("V6.i"), 1 / smooth(0.75, 10, 1000), 1e-12);
  EXPECT_NEAR(conductance("V7.i"), 1 / smooth(0.25, 1, 1e6), 1e-12);
}

}  // namespace
}  // namespace coenergy::tests
