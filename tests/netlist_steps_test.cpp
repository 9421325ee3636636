// .step, .data and .dc over parameters, the temperature, models and lists; subcircuits in parallel; what expressions
// know of the circuit. By closed forms of dividers, and by equal circuits that are written out.
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "coenergy/io/csv.hpp"
#include "tests/program.hpp"

namespace coenergy::tests {
namespace {

nlohmann::json run_text(const std::string& text, std::vector<std::string> more = {}) {
  const Folder folder;
  folder.write("circuit.cir", text);
  more.insert(more.begin(), {"run", (folder / "circuit.cir").string(), "--json"});
  const Outcome outcome = run_program(more);
  EXPECT_EQ(outcome.status, 0) << outcome.all();
  return nlohmann::json::parse(outcome.output, nullptr, false);
}

const std::string divider = "divider\n.param r=1k vin=9\nV1 in 0 {vin}\nR1 in out {r}\nR2 out 0 2k\nC1 out 0 1n\n";

TEST(NetlistSteps, EveryStepRunsAllCardsWithItsValue) {
  const auto j =
      run_text(divider + ".op\n.tran 1n 100n\n.meas tran last find v(out) at=90n\n.step param r list 1k 4k 7k\n");
  ASSERT_EQ(j["steps"].size(), 3u);
  const double r[] = {1e3, 4e3, 7e3};
  for (int k = 0; k < 3; ++k) {
    const auto& step = j["steps"][k];
    EXPECT_EQ(step["values"]["r"].get<double>(), r[k]);
    // a divider, to rounding of the solution of three equations
    EXPECT_NEAR(step["op"]["signals"]["out.v"].get<double>(), 9 * 2e3 / (2e3 + r[k]), 1e-9);
    EXPECT_NEAR(step["measures"][0]["value"].get<double>(), 9 * 2e3 / (2e3 + r[k]), 1e-9);
    EXPECT_EQ(step["status"], "done");
  }
}

TEST(NetlistSteps, TheFirstOfSeveralCardsChangesFastest) {
  const auto j = run_text(divider + ".op\n.step vin 3 9 3\n.step oct param r 1k 2k 1\n");
  ASSERT_EQ(j["steps"].size(), 6u);
  for (int k = 0; k < 6; ++k) {
    const double vin = 3 + 3 * (k % 3), r = k < 3 ? 1e3 : 2e3;
    EXPECT_NEAR(j["steps"][k]["op"]["signals"]["out.v"].get<double>(), vin * 2e3 / (2e3 + r), 1e-9) << k;
  }
}

TEST(NetlistSteps, ElementsTheirParametersModelsAndTheTemperatureAreStepped) {
  const std::string text =
      "parts\nV1 a 0 dc 2 ac 1\nR1 a b 1k tc1=0\nR2 b 0 rm l=10u w=1u\n.model rm r(rsh=100 tc1=1m)\n.op\n";
  const auto out = [&](const std::string& step, int k) {
    return run_text(text + step + "\n")["steps"][k]["op"]["signals"]["b.v"].get<double>();
  };
  EXPECT_NEAR(out(".step R1 list 1k 3k", 1), 2 * 1e3 / 4e3, 1e-9);
  EXPECT_NEAR(out(".step V1 list 2 7", 1), 7 * 1e3 / 2e3, 1e-9);
  EXPECT_NEAR(out(".step R2:l list 10u 40u", 1), 2 * 4e3 / 5e3, 1e-9);
  EXPECT_NEAR(out(".step rm:rsh list 100 300", 1), 2 * 3e3 / 4e3, 1e-9);
  EXPECT_NEAR(out(".step res rm(rsh) list 100 300", 1), 2 * 3e3 / 4e3, 1e-9);
  // a rise by 50 K
  EXPECT_NEAR(out(".step temp list 27 77", 1), 2 * 1.05e3 / 2.05e3, 1e-9);
}

TEST(NetlistSteps, RowsOfATableAreStepsAndPointsOfASweep) {
  const std::string table = ".data pairs r vin\n1k 3\n+ 4k 6\n.enddata\n";
  const auto steps = run_text(divider + table + ".op\n.step data=pairs\n")["steps"];
  ASSERT_EQ(steps.size(), 2u);
  EXPECT_NEAR(steps[1]["op"]["signals"]["out.v"].get<double>(), 6 * 2e3 / 6e3, 1e-9);
  const auto rows = run_text(divider + table + ".dc data=pairs\n")["dc"][0];
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_NEAR(rows[0]["out.v"].get<double>(), 3 * 2e3 / 3e3, 1e-9);
  EXPECT_NEAR(rows[1]["out.v"].get<double>(), 6 * 2e3 / 6e3, 1e-9);
}

TEST(NetlistSteps, StepsWriteFilesOfTheirOwn) {
  const Folder folder;
  folder.write("c.cir", divider + ".tran 1n 10n\n.step param r list 1k 4k\n");
  const Outcome outcome = run_program({"run", (folder / "c.cir").string(), "-o", (folder / "out.csv").string()});
  EXPECT_EQ(outcome.status, 0) << outcome.all();
  EXPECT_NE(outcome.output.find("step 2 of 2: r=4000"), std::string::npos) << outcome.output;
  const io::CsvData data = io::read_csv((folder / "out.step2.csv").string());
  for (std::size_t c = 0; c < data.columns(); ++c)
    if (data.names[c] == "out.v") {
      EXPECT_NEAR(data.at(data.rows() - 1, c), 9 * 2e3 / 6e3, 1e-9);
    }
}

TEST(NetlistSteps, SweepsGoOverParametersThatAreBuiltIntoTheModel) {
  // the width of a transistor is a number of the model, so that it is compiled anew
  const auto rows = run_text(
      "widths\n.param w=10u\nVd d 0 5\nM1 d d 0 0 nm w={w} l=1u\n.model nm nmos(kp=1e-4 vto=1)\n.dc dec w 10u 1000u 1 "
      "Vd "
      "list 2 5\n")["dc"][0];
  ASSERT_EQ(rows.size(), 6u);
  for (int k = 0; k < 6; ++k) {
    const double w = rows[k]["w"].get<double>(), v = rows[k]["Vd"].get<double>();
    EXPECT_NEAR(w, 1e-5 * std::pow(10, k % 3), 1e-9 * w);
    EXPECT_EQ(v, k < 3 ? 2 : 5);
    // saturation; junctions block but for gmin and saturation currents of 1e-14 A
    const double i = 0.5e-4 * w / 1e-6 * (v - 1) * (v - 1);
    EXPECT_NEAR(rows[k]["Vd.i"].get<double>(), -i, 1e-9 * i + 2e-11);
  }
}

TEST(NetlistSteps, MeasuresOfASweepOverAParameterAreLocatedBetweenItsRows) {
  const auto j = run_text(divider + ".dc param r 1k 5k 2k\n.meas dc where when v(out)=4.5\n");
  // half of 9 V at r = 2k, found by secants to 1e-9 of the interval
  EXPECT_NEAR(j["measures"][0]["value"].get<double>(), 2e3, 1e-3);
}

TEST(NetlistSteps, UnknownNamesAreRefusedAtTheirCard) {
  const Folder folder;
  const auto refuse = [&](const std::string& line) {
    folder.write("c.cir", divider + line + "\n.op\n");
    const Outcome outcome = run_program({"run", (folder / "c.cir").string()});
    EXPECT_EQ(outcome.status, 2) << line;
    return outcome.all();
  };
  EXPECT_NE(refuse(".step R9 list 1 2").find("c.cir:7:7: .step: there is no parameter, element or model \"r9\""),
            std::string::npos);
  EXPECT_NE(refuse(".dc data=none").find("there is no .data \"none\""), std::string::npos);
  EXPECT_NE(refuse(".step r 1k 2k -1").find("the step does not lead from the first value to the last"),
            std::string::npos);
  EXPECT_NE(refuse(".data t r\n1k").find(".data has no .enddata"), std::string::npos);
}

/// Every kind of element whose current depends on how many there are.
const std::string cell = R"(
.subckt part a b
R1 a c 1k
Vs c d 0
C1 d b 1u
L1 d b 10m
I1 a b 1m
G1 a b a b 1m
F1 a b Vs 0.5
H1 h b Vs 100
Rh h b 1k
B1 a b I={i(Vs)*0.1 + v(a,b)*1e-4}
D1 a b dm
M1 a h b b nm w=10u l=1u
Q1 a h b qm
W1 a b Vs wm
.ends
.subckt cell a b
X1 a b part
.ends
.model dm D(IS=1e-12)
.model nm nmos(kp=1e-4 vto=0.1)
.model qm npn(is=1e-14)
.model wm csw(it=1 ron=1 roff=1k)
V1 in 0 2 ac 1
Rin in x 100
)";

TEST(NetlistSteps, AMultipliedSubcircuitIsAsManyInParallel) {
  const auto one = run_text("m\n" + cell + "X1 x 0 cell m=3\n.op\n.ac dec 1 10 1k\n");
  const auto three = run_text("m\n" + cell + "X1 x 0 cell\nX2 x 0 cell\nX3 x 0 cell\n.op\n.ac dec 1 10 1k\n");
  for (const char* name : {"x.v", "V1.i", "X1_X1_h.v"}) {
    const double expected = three["op"]["signals"][name].get<double>();
    // both solve to Newton's tolerance, which junctions turn into 1e-9 of the current
    EXPECT_NEAR(one["op"]["signals"][name].get<double>(), expected, 1e-8 * std::abs(expected)) << name;
    for (std::size_t k = 0; k < three["ac"][0].size(); ++k) {
      const std::string column = std::string(name) + " magnitude";
      const double magnitude = three["ac"][0][k][column].get<double>();
      EXPECT_NEAR(one["ac"][0][k][column].get<double>(), magnitude, 1e-7 * magnitude) << column;
    }
  }
}

TEST(NetlistSteps, SourcesTakeAMultiplierAndTemperatureCoefficients) {
  const auto j = run_text(
      "tails\n.temp 37\nI1 0 a 1m m=2\nR1 a 0 1k\nG1 0 b a 0 1m m=3\nR2 b 0 1k\nB1 0 c I={v(a)*1m} m=4 tc1=0.01\nR3 c "
      "0 "
      "1k\nB2 d 0 V={v(a)} tc1=0.02\n.op\n");
  const auto& v = j["op"]["signals"];
  EXPECT_NEAR(v["a.v"].get<double>(), 2, 1e-9);
  EXPECT_NEAR(v["b.v"].get<double>(), 6, 1e-9);
  EXPECT_NEAR(v["c.v"].get<double>(), 8 * 1.1, 1e-8);
  EXPECT_NEAR(v["d.v"].get<double>(), 2 * 1.2, 1e-9);
}

TEST(NetlistSteps, ExpressionsKnowTheTemperatureOfTheCircuit) {
  const auto j = run_text(
      "knows\n.temp 57\nI1 0 a 1m\nR1 a 0 {1k*(1 + temper/100)}\nV2 b 0 {vt}\nV3 c 0 {gmin*1e12}\n"
      "B4 d 0 V={(v(a) > 1 & v(a) < 2 | 0) ? 3 : ~1}\nV5 e 0 {sign(3, -2) + asinh(sinh(0.5))}\n.op\n");
  const auto& v = j["op"]["signals"];
  EXPECT_NEAR(v["a.v"].get<double>(), 1.57, 1e-9);
  // Boltzmann's constant over the charge of the electron, times 330.15 K
  EXPECT_NEAR(v["b.v"].get<double>(), 8.617333262e-5 * 330.15, 1e-10);
  EXPECT_NEAR(v["c.v"].get<double>(), 1, 1e-12);
  EXPECT_NEAR(v["d.v"].get<double>(), 3, 1e-12);
  EXPECT_NEAR(v["e.v"].get<double>(), -2.5, 1e-12);
}

}  // namespace
}  // namespace coenergy::tests
