// Netlists as people write them: one mistake stops nothing else, the order of lines means nothing, other programs' words
// are understood or told to be left out.
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "coenergy/io/csv.hpp"
#include "tests/program.hpp"

namespace coenergy::tests {
namespace {

Outcome run_text(const std::string& text, std::vector<std::string> arguments = {}) {
  const Folder folder;
  arguments.insert(arguments.begin(), {"run", folder.write("circuit.cir", text), "--json"});
  return run_program(arguments);
}

nlohmann::json run_json(const std::string& text) {
  const Outcome outcome = run_text(text);
  EXPECT_EQ(outcome.status, 0) << outcome.all();
  return nlohmann::json::parse(outcome.output, nullptr, false);
}

TEST(NetlistRobustness, ACardThatCannotBeDoneStopsNoOther) {
  const Outcome outcome = run_text(R"(the sweep has no source, the rest runs
V1 a 0 SIN(1 2 1k)
R1 a b 500
C1 b 0 1u
.ac dec 5 10 10k
.op
.tran 20u 1m
.end
)");
  // what is wrong is told, with the status of a wrong input
  EXPECT_EQ(outcome.status, 2);
  EXPECT_NE(outcome.message.find("circuit.cir:5:1: .ac: no source has an ac value"), std::string::npos)
      << outcome.message;
  const auto json = nlohmann::json::parse(outcome.output, nullptr, false);
  EXPECT_EQ(json["status"], "done");
  EXPECT_NEAR(json["op"]["signals"]["b.v"].get<double>(), 1, 1e-12);
  EXPECT_EQ(json["rows"], 51);
}

/// A chain of inverters whose capacitors stand before or behind the transistors.
std::string make_chain(bool capacitors_last) {
  std::string transistors, capacitors;
  for (int k = 0; k < 8; ++k) {
    const std::string in = "s" + std::to_string(k), out = "s" + std::to_string(k + 1), n = std::to_string(k);
    transistors +=
        "MN" + n + " " + out + " " + in + " 0 0 N W=8u L=1u\nMP" + n + " " + out + " " + in + " vdd vdd P W=20u L=1u\n";
    capacitors += "C" + n + " " + out + " 0 30f\n";
  }
  return "chain\nVDD vdd 0 2.5\nVIN s0 0 PULSE(0 2.5 0.5n 0.2n 0.2n 6n 20n)\n"
         ".model N NMOS(VTO=0.6 KP=120u LAMBDA=0.03 CGSO=0.25n CGDO=0.25n)\n"
         ".model P PMOS(VTO=-0.6 KP=50u LAMBDA=0.03 CGSO=0.25n CGDO=0.25n)\n" +
         (capacitors_last ? transistors + capacitors : capacitors + transistors) + ".tran 20p 5n\n.end\n";
}

TEST(NetlistRobustness, TheOrderOfLinesMeansNothing) {
  const Folder folder;
  std::vector<io::CsvData> results;
  for (const bool last : {false, true}) {
    const std::string file = folder.write(last ? "last.cir" : "first.cir", make_chain(last)), table = file + ".csv";
    const Outcome outcome = run_program(
        {"run", file, "-o", table, "--rtol", "1e-3", "--atol", "1e-3", "--set", "simulate.record_events=false"});
    ASSERT_EQ(outcome.status, 0) << outcome.all();
    results.push_back(io::read_csv(table));
  }
  ASSERT_EQ(results[0].rows(), results[1].rows());
  // the same equations in another order: what differs is round-off, which decides on few steps
  for (const char* node : {"s1.v", "s4.v", "s8.v"}) {
    const auto u = results[0].column(node), v = results[1].column(node);
    for (std::size_t k = 0; k < u.size(); ++k) EXPECT_NEAR(u[k], v[k], 1e-4) << node << " row " << k;
  }
}

TEST(NetlistRobustness, TimesOfTranMayBeWrittenAsInLtspice) {
  const std::string circuit = "rc\nV1 a 0 3\nR1 a b 1k\nC1 b 0 1u IC=0\n";
  const auto whole = run_json(circuit + ".tran 0 2m 0 5u uic\n.end\n"),
             stop = run_json(circuit + ".tran 2m uic\n.end\n");
  for (const auto& json : {whole, stop}) {
    EXPECT_EQ(json["rows"], 1001);
    EXPECT_NEAR(json["final"]["b.v"].get<double>(), 3 * (1 - std::exp(-2.0)), 3e-6);  // tolerance 1e-6 of a step
  }
}

TEST(NetlistRobustness, CommandsOfAControlBlockAreCards) {
  const Outcome outcome = run_text(R"(analyses in a block
V1 a 0 5
R1 a b 1k
R2 b 0 4k
.control
set filetype=ascii
op
dc V1 0 10 5
print v(b)
alter R1 2k
op
.endc
.end
)");
  ASSERT_EQ(outcome.status, 0) << outcome.all();
  EXPECT_NE(outcome.all().find("commands of the block .control that are left out: set"), std::string::npos);
  EXPECT_NE(outcome.all().find("circuit.cir:10:1: the command alter is not understood; the analyses behind it in its "
                               "block are left out"),
            std::string::npos)
      << outcome.message;
  const auto json = nlohmann::json::parse(outcome.output, nullptr, false);
  EXPECT_NEAR(json["op"]["signals"]["b.v"].get<double>(), 4, 1e-12);
  ASSERT_EQ(json["dc"][0].size(), 3u);
  EXPECT_NEAR(json["dc"][0][2]["b.v"].get<double>(), 8, 1e-12);
}

TEST(NetlistRobustness, StartVoltagesOfSubcircuitsCount) {
  const auto json = run_json(R"(.ic inside a subcircuit, and from outside
.subckt cell p
R1 p m 1k
C1 m 0 1u
.ic v(m)=2
.ends
X1 0 cell
X2 0 cell
.ic v(x2.m)=1
.tran 10u 1m uic
.end
)");
  // the card of the subcircuit is the last one that is read
  EXPECT_NEAR(json["final"]["X1_m.v"].get<double>(), 2 * std::exp(-1.0), 1e-5);
}

TEST(NetlistRobustness, NodesThatAreNumbersKeepTheirNames) {
  const auto json = run_json("numbers\nV1 7 0 6\nR1 7 12 1k\nR2 12 0 2k\n.op\n.end\n");
  EXPECT_NEAR(json["op"]["signals"]["v(12)"].get<double>(), 4, 1e-12);
  EXPECT_FALSE(json["op"]["signals"].contains("n_12.v"));
}

TEST(NetlistRobustness, ScalesThatAHumanMayMisreadAreTold) {
  const Outcome outcome = run_text("scales\nV1 a 0 1\nR1 a b 2M\nR2 b 0 1Meg\nC1 b 0 3F\nI1 a 0 1A\n.op\n.end\n");
  ASSERT_EQ(outcome.status, 0) << outcome.all();
  EXPECT_NE(outcome.all().find("circuit.cir:3:8: R1 = 2M is in thousandths, as in SPICE; a million is meg"),
            std::string::npos);
  EXPECT_NE(outcome.all().find("circuit.cir:5:8: C1 = 3F is in femtofarad, as in SPICE"), std::string::npos);
  EXPECT_EQ(outcome.all().find("R2 ="), std::string::npos);
  const auto json = nlohmann::json::parse(outcome.output, nullptr, false);
  EXPECT_NEAR(json["op"]["signals"]["V1.i"].get<double>(), -1 - 1e-6, 1e-12);  // the ampere is one
}

}  // namespace
}  // namespace coenergy::tests
