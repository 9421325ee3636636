// What belongs to what in a netlist: subcircuits and their parameters, global nodes, libraries, comments, start
// voltages, polynomials and groups of coils; by circuits whose voltages can be told by hand.
#include <cmath>

#include "coenergy/io/spice.hpp"
#include "coenergy/solve/initialize.hpp"
#include "tests/circuit_compile.hpp"
#include "tests/program.hpp"

namespace coenergy::tests {
namespace {

/// Signals of a netlist at rest.
class Rest {
 public:
  explicit Rest(const io::Netlist& netlist) : system_(compile(io::make_dc_model(netlist)).system) {
    equations::Evaluator evaluator(system_);
    solve::Options options = io::read_simulation_options(netlist.model);
    options.start = "steady";
    const solve::Start start = solve::initialize(evaluator, options);
    EXPECT_TRUE(start.good) << start.text;
    signals_.resize(system_.signals().size());
    evaluator.signals(start.point, signals_);
  }
  explicit Rest(const std::string& text) : Rest(io::parse_netlist(text + ".end\n", "m.cir")) {}
  double operator()(const std::string& name) const {
    EXPECT_GE(system_.find_signal(name), 0) << name;
    return signals_[system_.find_signal(name)];
  }

 private:
  equations::System system_;
  std::vector<double> signals_;
};

TEST(NetlistHierarchy, NamesAreLookedUpWhereASubcircuitIsWrittenNotWhereItIsCalled) {
  // inner is written at the top, where r = 2k; outer has an r of its own
  const Rest rest(R"(scopes
.param r=2k
.subckt inner a
R1 a 0 {r}
.ends
.subckt outer a r=7k
X1 a inner
.ends
V1 a 0 14
X9 a outer
)");
  EXPECT_NEAR(rest("X9_X1_R1.i"), 14 / 2e3, 1e-12);
}

TEST(NetlistHierarchy, AnExpressionMeansTheLocalNodeAlsoBeforeAnElementUsesIt) {
  // m is a node of the subcircuit, though the expression comes first and there is an m outside
  const Rest rest(R"(local
Vm m 0 40
Vq q 0 7
X1 out part
X2 out2 part
Rm m 0 1
.subckt part o
B1 o 0 V={3*V(m) + V(q)}
Rx m2 0 1
Vx m 0 2
E2 m2 0 m 0 5
.ends
R1 out 0 1
R2 out2 0 1
)");
  EXPECT_NEAR(rest("out.v"), 3 * 2 + 7, 1e-9);
  EXPECT_NEAR(rest("out2.v"), 3 * 2 + 7, 1e-9);
  EXPECT_NEAR(rest("m.v"), 40, 1e-12);
  EXPECT_NEAR(rest("X1_m2.v"), 10, 1e-9);
}

TEST(NetlistHierarchy, AValueBehindTheNodesIsNoNode) {
  // the 8 of R1 and the 5 of E1 are numbers: V(8) and V(5) are the nodes outside
  const Rest rest(R"(values
V8 8 0 3
V5 5 0 4
X1 o part
R0 o 0 1
.subckt part o
B1 o 0 V={V(8)*V(5)}
R1 a 0 8
E1 a 0 o 0 5
.ends
)");
  EXPECT_NEAR(rest("o.v"), 12, 1e-9);
}

TEST(NetlistHierarchy, ParametersOfParametersAreFoundOnce) {
  // a chain in which each is the sum of the one before, twice: 2^60 terms when written out
  std::string text = "chain\nV1 1 0 1\nX1 1 0 s\n.subckt s a b\n.param p0=1u\n";
  for (int k = 1; k <= 60; ++k)
    text += ".param p" + std::to_string(k) + "={(p" + std::to_string(k - 1) + "+p" + std::to_string(k - 1) + ")/2.5}\n";
  const Rest rest(text + "R1 a b {1e-6/p60}\n.ends\n");
  EXPECT_NEAR(rest("X1_R1.i"), std::pow(0.8, 60), 1e-9 * std::pow(0.8, 60));
}

TEST(NetlistHierarchy, ACallDecidesBeforeTheDefaultAndTheParameterOfTheSubcircuit) {
  const Rest rest(R"(precedence
.param k=3
.subckt part a r=1k q={2*k}
.param s={10*q}
R1 a 0 {r}
R2 a 0 {q}
R3 a 0 {s}
.ends
.subckt caller a
.param k=100
X1 a part
.ends
V1 a 0 12
X1 a part
X2 a part r=4k
X3 a part params: r=5k q=7
X4 a caller
)");
  EXPECT_NEAR(rest("X1_R1.i"), 12 / 1e3, 1e-12);
  EXPECT_NEAR(rest("X2_R1.i"), 12 / 4e3, 1e-12);
  EXPECT_NEAR(rest("X3_R1.i"), 12 / 5e3, 1e-12);
  EXPECT_NEAR(rest("X1_R2.i"), 12 / 6.0, 1e-12);
  EXPECT_NEAR(rest("X1_R3.i"), 12 / 60.0, 1e-12);
  EXPECT_NEAR(rest("X3_R3.i"), 12 / 70.0, 1e-12);
  // a default is computed where the subcircuit is written: k of the caller has no part in it
  EXPECT_NEAR(rest("X4_X1_R2.i"), 12 / 6.0, 1e-12);
}

TEST(NetlistHierarchy, AParameterOfASubcircuitGivesWayToTheCall) {
  const Rest rest("given\n.subckt part a\n.param r=1k\nR1 a 0 {r}\n.ends\nV1 a 0 12\nX1 a part\nX2 a part r=3k\n");
  EXPECT_NEAR(rest("X1_R1.i"), 12 / 1e3, 1e-12);
  EXPECT_NEAR(rest("X2_R1.i"), 12 / 3e3, 1e-12);
}

TEST(NetlistHierarchy, OnlyGlobalNodesAreTheSameInside) {
  const Rest rest(R"(nodes
.global vdd
.subckt part out
R1 vdd out 1k
R2 out x 1k
R3 x 0 1k
.ends
Vdd vdd 0 9
Vx x 0 5
Rx x 0 1
X1 o part
)");
  EXPECT_NEAR(rest("o.v"), 9 * 2 / 3.0, 1e-9);
  EXPECT_NEAR(rest("X1_x.v"), 9 / 3.0, 1e-9);
}

TEST(NetlistHierarchy, VoltagesOfTheGroundAndDifferencesHaveTheirSigns) {
  const Rest rest(R"(controls
V1 a 0 3
V2 b 0 1
E1 e1 0 0 a 2
E2 e2 0 a b 2
E3 e3 0 a a 2
E4 e4 0 a 0 2
G1 0 g1 0 b 3m
R1 g1 0 1k
B1 b1 0 V=v(0,a)+10*v(a,b)
S1 s 0 0 a sw
V9 s 0 1
.model sw SW(VT=0 RON=1 ROFF=2)
)");
  EXPECT_NEAR(rest("e1.v"), -6, 1e-12);
  EXPECT_NEAR(rest("e2.v"), 4, 1e-12);
  EXPECT_NEAR(rest("e3.v"), 0, 1e-12);
  EXPECT_NEAR(rest("e4.v"), 6, 1e-12);
  EXPECT_NEAR(rest("g1.v"), -3, 1e-12);
  EXPECT_NEAR(rest("b1.v"), -3 + 20, 1e-12);
  EXPECT_NEAR(rest("V9.i"), -0.5, 1e-12);
}

TEST(NetlistHierarchy, PolynomialsCountEveryProductOnce) {
  // POLY(2): 1, x, y, x², x y, y², x³, x² y, x y², y³
  const Rest rest(R"(polynomials
V1 x 0 2
V2 y 0 3
E1 e1 0 POLY(2) x 0 y 0 1 10 100 1000 1e4 1e5 1e6 1e7 1e8 1e9
E2 e2 0 POLY(1) x 0 7
E3 e3 0 POLY(1) x 0 1 2 3
F4 0 f4 POLY(2) V1 V2 0 1 10
R4 f4 0 1
R1 x 0 1
R2 y 0 1
)");
  EXPECT_NEAR(rest("e1.v"), 1 + 20 + 300 + 4e3 + 6e4 + 9e5 + 8e6 + 12e7 + 18e8 + 27e9, 1e-3);  // 1e-13 of it
  EXPECT_NEAR(rest("e2.v"), 14, 1e-12);
  EXPECT_NEAR(rest("e3.v"), 1 + 4 + 12, 1e-12);
  EXPECT_NEAR(rest("f4.v"), -2 - 30, 1e-12);  // currents of the sources run from p to n inside them
}

TEST(NetlistHierarchy, StartVoltagesAreThoseOfBothEnds) {
  const io::Netlist netlist = io::parse_netlist(
      "start\nC1 a b 1u\nC2 b 0 2u\nR1 a 0 1k\nR2 b 0 1k\n.ic v(a)=5 v(b)=-2\n.tran 1u 10u uic\n.end\n", "m.cir");
  solve::Options options = io::read_simulation_options(netlist.model);
  const solve::Result r = run_model(netlist.model, options);
  EXPECT_NEAR(r.row(0)[r.find("a.v")], 5, 1e-12);
  EXPECT_NEAR(r.row(0)[r.find("b.v")], -2, 1e-12);
  EXPECT_NEAR(r.row(0)[r.find("C1.v")], 7, 1e-12);
  // without uic the same voltages are held while the rest is found
  const std::string held = "held\nV1 s 0 9\nRs s a 1k\nC1 a 0 1u\nR2 b a 1k\nR3 b 0 1k\n.ic v(a)=-4\n.tran 1u 10u\n";
  EXPECT_NEAR(Rest(held)("a.v"), -4, 1e-6);  // by a conductance of 1e10 S against 9 mA
  EXPECT_NEAR(Rest(held)("b.v"), -2, 1e-6);
}

TEST(NetlistHierarchy, TolerancesAreThoseOfTheOptions) {
  const io::Netlist netlist =
      io::parse_netlist("options\nV1 a 0 1\nR1 a 0 1\n.options reltol=1e-5 vntol=3e-9\n.tran 1u 10u\n.end\n", "m.cir");
  const solve::Options options = io::read_simulation_options(netlist.model);
  EXPECT_EQ(options.rtol, 1e-5);
  EXPECT_EQ(options.atol, 3e-9);
}

TEST(NetlistHierarchy, AGroupOfCoilsIsCoupledInAllItsPairs) {
  const io::Netlist netlist = io::parse_netlist(
      "coils\nV1 a 0 1\nL1 a 0 1m\nL2 b 0 4m\nL3 c 0 9m\nR1 b 0 1\nR2 c 0 1\nK1 L1 L2 L3 0.5\n.tran 1u 10u\n.end\n",
      "m.cir");
  std::vector<std::pair<std::string, std::string>> pairs;
  for (const auto& c : netlist.model.components)
    if (c.type == "electrical.Coupling") pairs.emplace_back(c.values[0].second.text, c.values[1].second.text);
  EXPECT_EQ(pairs, (std::vector<std::pair<std::string, std::string>>{{"L1", "L2"}, {"L1", "L3"}, {"L2", "L3"}}));
}

std::string refusal(const std::string& text) {
  try {
    compile_model(io::parse_netlist(text, "m.cir").model);
  } catch (const Error& e) {
    return e.what();
  }
  return "none";
}

TEST(NetlistHierarchy, CouplingsAreRefusedWhereSomeCurrentsWouldHaveANegativeEnergy) {
  // 1 − k12² − k13² − k23² + 2 k12 k13 k23 vanishes at k12 = k13 = 0.9 for k23 = 0.62
  const auto text = [](const char* k23) {
    return std::string(
               "coils\nV1 a 0 1\nL1 a 0 1m\nL2 b 0 1m\nL3 c 0 1m\nR1 b 0 1\nR2 c 0 1\nK1 L1 L2 0.9\nK2 L1 L3 0.9\nK3 "
               "L2 "
               "L3 ") +
           k23 + "\n.tran 1u 10u\n.end\n";
  };
  EXPECT_EQ(refusal(text("0.63")), "none");
  EXPECT_EQ(refusal(text("0.61")),
            "m.cir:10:1: the couplings K1, K2, K3 of L1, L2, L3 cannot be true together: some currents would have a "
            "negative energy");
}

TEST(NetlistHierarchy, IncludedFilesAndSectionsOfLibrariesEndWhereTheyEnd) {
  const Folder folder;
  folder.write("part.inc", "R1 a 0 1k\n.end\n");
  folder.write("lib.txt", ".lib slow\nR2 a 0 2k\n.endl\n.lib fast\nR2 a 0 3k\n.endl slow\nR7 a 0 1\n");
  // an .end of an included file does not end the netlist
  const std::string main =
      folder.write("main.cir",
                   "files ; with comments\nV1 a 0 6 ; volts\n.include part.inc\n.lib lib.txt fast\n"
                   "R3 a 0 6k // and a third one\nR4 a 0 {2*3k} $ a fourth\n* R8 a 0 1\n.op\n.end\nR5 a 0 1\n");
  const Rest rest(io::read_netlist(main));
  EXPECT_NEAR(rest("V1.i"), -6 * (1 / 1e3 + 1 / 3e3 + 2 / 6e3), 1e-12);
}

}  // namespace
}  // namespace coenergy::tests
