// .noise and .tf of netlists: against closed forms, and against ngspice where it is installed.
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "tests/ngspice.hpp"

namespace coenergy::tests {
namespace {

constexpr double k_boltzmann = 1.380649e-23, q_electron = 1.602176634e-19, T = 300.15;

nlohmann::json run_netlist(const std::string& text) {
  const Folder folder;
  folder.write("circuit.cir", text);
  const Outcome outcome = run_program({"run", (folder / "circuit.cir").string(), "--json"});
  EXPECT_EQ(outcome.status, 0) << outcome.all();
  return nlohmann::json::parse(outcome.output, nullptr, false);
}

TEST(NetlistNoise, ACapacitorCarriesTheNoiseOfATemperatureWhateverItsResistor) {
  // √(kT/C), of which the band up to 1 THz leaves out 3e-4 at most; between points a power of f stands for the Lorentzian
  struct Case {
    const char* R;
    double ohm;
  };
  for (const auto& [R, ohm] : {Case{"100", 100}, Case{"47k", 47e3}, Case{"2meg", 2e6}}) {
    const auto j = run_netlist("kT/C\nV1 a 0 DC 0 AC 1\nR1 a b " + std::string(R) +
                               "\nC1 b 0 3p\n.noise v(b) V1 dec 40 1m 1e12\n.end\n");
    const double expected = std::sqrt(k_boltzmann * T / 3e-12), density = std::sqrt(4 * k_boltzmann * T * ohm);
    EXPECT_NEAR(j["noise_totals"][0]["onoise_total"].get<double>(), expected, 1e-3 * expected) << R;
    EXPECT_NEAR(j["noise"][0][0]["onoise"].get<double>(), density, 1e-9 * density);
    EXPECT_EQ(j["units"]["onoise"], "V/sqrt(Hz)");
  }
}

TEST(NetlistNoise, AJunctionHasShotNoise) {
  // 2 q I into the small-signal resistance n V_T/I of the diode beside a current source
  const auto j = run_netlist(R"(shot
I1 0 a DC 1m AC 1
D1 a 0 d
.model d D(IS=1e-15 N=1.2)
.noise v(a) I1 lin 1 1k 1k
.tf v(a) I1
.end
)");
  const double r = 1.2 * k_boltzmann * T / q_electron / 1e-3;
  const auto& row = j["noise"][0][0];
  EXPECT_NEAR(row["inoise"].get<double>(), std::sqrt(2 * q_electron * 1e-3), 1e-6 * row["inoise"].get<double>());
  EXPECT_NEAR(row["onoise"].get<double>(), std::sqrt(2 * q_electron * 1e-3) * r, 1e-5 * row["onoise"].get<double>());
  EXPECT_EQ(j["units"]["inoise"], "A/sqrt(Hz)");
  EXPECT_NEAR(j["tf"][0]["transfer"].get<double>(), r, 1e-5 * r);
  EXPECT_NEAR(j["tf"][0]["output_resistance"].get<double>(), r, 1e-5 * r);
}

TEST(NetlistNoise, TransferFunctionsOfDividersAndBridges) {
  const auto j = run_netlist(R"(loaded bridge
V1 a 0 DC 3
R1 a b 1k
R2 b 0 3k
R3 a c 2k
R4 c 0 2k
V2 c d DC 0
R5 d 0 4k
.tf v(b,c) V1
.tf v(b) V1
.tf i(V2) V1
.end
)");
  const double lower = 2e3 * 4e3 / 6e3, half = lower / (2e3 + lower);
  EXPECT_NEAR(j["tf"][0]["transfer"].get<double>(), 0.75 - half, 1e-12);
  EXPECT_NEAR(j["tf"][0]["output_resistance"].get<double>(), 750 + 2e3 * lower / (2e3 + lower), 1e-9);
  EXPECT_NEAR(j["tf"][1]["input_resistance"].get<double>(), 1 / (1 / 4e3 + 1 / (2e3 + lower)), 1e-9);
  EXPECT_NEAR(j["tf"][2]["transfer"].get<double>(), half / 4e3, 1e-16);
  EXPECT_NEAR(j["tf"][2]["output_resistance"].get<double>(), 4e3 + 1e3, 1e-9);
}

TEST(NetlistNoise, EqualDevicesInParallelAreAsNoisyAsOneOfThatMultiplicity) {
  // whatever the exponent of the flicker and its law: three independent ones
  for (const char* nlev : {"", "NLEV=0", "NLEV=1", "NLEV=2"}) {
    const auto run = [&](const char* devices) {
      return run_netlist(std::string("parallel\nV1 g 0 DC 1.5 AC 1\nVDD d 0 5\nRD d o 2k\n") + devices +
                         ".model nm NMOS(VTO=0.7 KP=80u TOX=15n KF=3e-24 AF=0.8 " + nlev +
                         ")\n.model q NPN(BF=90 KF=1e-13 AF=1.3 RB=200)\n.noise v(o) V1 dec 1 1 1e6\n.end\n");
    };
    const auto one = run("M1 o g 0 0 nm W=5u L=1u M=3\nQ1 o b 0 q M=3\nRB d b 1meg\n"),
               three =
                   run("M1 o g 0 0 nm W=5u L=1u\nM2 o g 0 0 nm W=5u L=1u\nM3 o g 0 0 nm W=5u L=1u\n"
                       "Q1 o b 0 q\nQ2 o b 0 q\nQ3 o b 0 q\nRB d b 1meg\n");
    for (std::size_t k = 0; k < one["noise"][0].size(); ++k) {
      const double a = one["noise"][0][k]["onoise"], b = three["noise"][0][k]["onoise"];
      EXPECT_NEAR(a, b, 1e-6 * b) << nlev << " " << k;  // operating points are as accurate
    }
  }
}

struct Amplifier {
  const char* name;
  const char* netlist;
  const char* output;
  const char* sweep;
  double gain = 3e-5;  ///< how well gains of ngspice are known
};

const Amplifier amplifiers[] = {
    {"bipolar", R"(common emitter
VCC vcc 0 12
V1 in 0 DC 0 AC 1
Rs in a 1k
C1 a b 10u
R1 vcc b 47k
R2 b 0 10k
Rc vcc c 2.2k TC1=1m
Re e 0 470
Ce e 0 100u
Q1 c b e qn M=2
.model qn NPN(IS=1e-15 BF=150 VAF=80 RB=100 RC=5 RE=1 CJE=10p CJC=4p TF=0.4n KF=1e-15 AF=1.2)
.temp 50
)",
     "v(c)", "dec 5 10 10meg"},
    {"mosfet_and_diode", R"(common source and a diode
VDD d 0 5
V1 g 0 DC 1.8 AC 1
RD d o 10k
M1 o g s 0 nm W=20u L=2u
RS s 0 500
D1 o x dd
RX x 0 20k
CX x 0 1n
.model nm NMOS(LEVEL=1 VTO=0.8 KP=60u LAMBDA=0.02 GAMMA=0.4 TOX=20n KF=1e-26 AF=1.1 RD=20 RS=10)
.model dd D(IS=1e-14 RS=30 N=1.1 CJO=2p KF=1e-16 AF=1)
)",
     "v(x)", "dec 3 1 1e8"},
    {"short_mosfet", R"(p-channel transistor of level 3
VDD d 0 5
V1 g 0 DC 3.2 AC 1
M1 o g d d pm W=30u L=1.5u M=2
RL o 0 4.7k
.model pm PMOS(LEVEL=3 VTO=-0.9 KP=25u GAMMA=0.5 TOX=25n NSUB=1e16 THETA=0.05 KF=2e-26 AF=1)
)",
     "v(o)", "dec 3 10 1e7",
     // its slope of level 3 is 2e-3 off the quotient of differences of its own .dc, which ours agrees with to 1e-6
     3e-3},
    {"jfet", R"(JFET source follower
VDD d 0 9
V1 g 0 DC 1 AC 1
J1 d g s jm
RS s 0 2.2k
.model jm NJF(VTO=-1.5 BETA=0.8m LAMBDA=0.01 RD=10 RS=8 KF=1e-16 AF=1.1)
)",
     "v(s)", "dec 3 10 1e6"},
};

class AgainstNgspice : public testing::TestWithParam<Amplifier> {};

TEST_P(AgainstNgspice, SpectraAgree) {
  const Amplifier& a = GetParam();
  const std::string card = std::string("noise ") + a.output + " V1 " + a.sweep;
  const auto j = run_netlist(std::string(a.netlist) + "." + card + "\n.tf " + a.output + " V1\n.end\n");
  if (!has_ngspice()) GTEST_SKIP() << "ngspice is not installed";
  const NgspiceOutput reference =
      command_ngspice(a.netlist, "option reltol=1e-7 abstol=1e-15 vntol=1e-10\n" + card +
                                     "\nsetplot noise1\nwrdata table onoise_spectrum inoise_spectrum\ntf " + a.output +
                                     " V1\nprint transfer_function");
  const auto& rows = j["noise"][0];
  ASSERT_EQ(rows.size(), reference.table.size()) << reference.log;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    // constants of nature differ by 1e-6, and operating points of junctions by as much
    EXPECT_NEAR(rows[k]["onoise"].get<double>(), reference.table[k][1], 3e-5 * reference.table[k][1]);
    EXPECT_NEAR(rows[k]["inoise"].get<double>(), reference.table[k][2], a.gain * reference.table[k][2]);
  }
  const double H = reference.printed("transfer_function");
  EXPECT_NEAR(j["tf"][0]["transfer"].get<double>(), H, a.gain * std::abs(H) + 1e-15);
}

INSTANTIATE_TEST_SUITE_P(Noise, AgainstNgspice, testing::ValuesIn(amplifiers),
                         [](const auto& p) { return std::string(p.param.name); });

}  // namespace
}  // namespace coenergy::tests
