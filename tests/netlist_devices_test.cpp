// Parameters of devices in netlists, one by one: the current of a source against that of ngspice.
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

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
