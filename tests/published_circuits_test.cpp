// Circuits of the test set for initial value problem solvers (F. Mazzia, C. Magherini, 2008) to eight digits: the NAND
// gate of three MOS transistors with junction charges, and the ring modulator.
#include <cmath>

#include "coenergy/io/simulation_options.hpp"
#include "coenergy/io/spice.hpp"
#include "tests/example_run.hpp"

namespace coenergy::tests {
namespace {

const char* const nand_gate = R"(NAND gate of the test set for initial value problem solvers
.param rg=4 rb=10 cg=0.6e-4 cj=2.4e-5 c9=0.5e-4 delta=0.02 is=1e-14 vth=25.85 phib=0.87
* capacitance of a junction, as charge; its current; the threshold of a channel and its current
.func charge(v) {v <= 0 ? 2*phib*cj*(1 - sqrt(1 - min(v,0)/phib)) : cj*(v + v*v/(4*phib))}
.func junction(v) {v <= 0 ? is*(exp(min(v,0)/vth) - 1) : 0}
.func vt1(vb) {-2.43 + 0.2*(sqrt(1.28 - vb) - sqrt(1.28))}
.func vt2(vb) {0.2 + 0.035*(sqrt(1.01 - vb) - sqrt(1.01))}
.func used(v,o) {min(v,o)*(2*o - min(v,o))*(1 + delta*v)}
.func channel(v,of,or,bf,br) {v > 0 ? bf*used(max(v,0),max(of,0)) : -br*used(max(-v,0),max(or,0))}
Vdd dd 0 5
Vbb bb 0 -2.5
V1 a 0 PULSE(0 5 5 5 5 5 20)
V2 b 0 PULSE(0 5 15 5 5 15 40)
* the load
R1 n1 n5 {rg}
R2 n2 dd {rg}
R3 n3 bb {rb}
R4 n4 bb {rb}
C1 n1 n5 {cg} ic=0
C2 n2 n5 {cg} ic=0
C3 n3 n5 q={charge(v(n3,n5))} ic=-7.5
C4 n4 dd q={charge(v(n4,dd))} ic=-7.5
C5 n5 0 {c9} ic=5
B1 n2 n1 I={channel(v(n2,n1), v(n5,n1)-vt1(v(n3,n5)), v(n5,n2)-vt1(v(n4,dd)), 5.35e-4, 5.35e-4)}
B3 n3 n5 I={junction(v(n3,n5))}
B4 n4 dd I={junction(v(n4,dd))}
* the upper driver
R6 n6 n10 {rg}
R7 n7 n5 {rg}
R8 n8 bb {rb}
R9 n9 bb {rb}
C6 a n6 {cg} ic=-3.62385
C7 a n7 {cg} ic=-5
C8 n8 n10 q={charge(v(n8,n10))} ic=-6.12385
C9 n9 n5 q={charge(v(n9,n5))} ic=-7.5
C10 n10 0 {c9} ic=3.62385
B6 n7 n6 I={channel(v(n7,n6), v(a,n6)-vt2(v(n8,n10)), v(a,n7)-vt2(v(n9,n5)), 1.748e-3, 1.748e-4)}
B8 n8 n10 I={junction(v(n8,n10))}
B9 n9 n5 I={junction(v(n9,n5))}
* the lower driver
R11 n11 0 {rg}
R12 n12 n10 {rg}
R13 n13 bb {rb}
R14 n14 bb {rb}
C11 b n11 {cg} ic=0
C12 b n12 {cg} ic=-3.62385
C13 n13 0 q={charge(v(n13))} ic=-2.5
C14 n14 n10 q={charge(v(n14,n10))} ic=-6.12385
B11 n12 n11 I={channel(v(n12,n11), v(b,n11)-vt2(v(n13)), v(b,n12)-vt2(v(n14,n10)), 1.748e-3, 1.748e-4)}
B13 n13 0 I={junction(v(n13))}
B14 n14 n10 I={junction(v(n14,n10))}
.tran 1 80 0 1 uic
.end
)";

TEST(PublishedCircuits, TheNandGateIsThatOfTheTestSet) {
  model::Model model = io::parse_netlist(nand_gate, "nand_gate.cir").model;
  model.set("simulate.rtol", model::Value("1e-10"));
  model.set("simulate.atol", model::Value("1e-11"));
  const solve::Result result = run_model(model);
  // by PSIDE at a tolerance of 1e-16
  const double reference[] = {0.4971088699385777e+1,  0.4999752103929311e+1,  -0.2499998781491227e+1,
                              -0.2499999999999975e+1, 0.4970837023296724e+1,  -0.2091214032073855e+0,
                              0.4970593243278363e+1,  -0.2500077409198803e+1, -0.2499998781491227e+1,
                              -0.2090289583878100e+0, -0.2399999999966269e-3, -0.2091214032073855e+0,
                              -0.2499999999999991e+1, -0.2500077409198803e+1};
  // 1e-9 and 3e-11 were seen at tolerances of 1e-9 and 1e-11: errors of some tolerances
  for (int k = 0; k < 14; ++k)
    EXPECT_NEAR(result.signal("n" + std::to_string(k + 1) + ".v").back(), reference[k], 1e-8) << "node " << k + 1;
}

TEST(PublishedCircuits, TheRingModulatorHasEightDigits) {
  const solve::Result result = run_model(
      read_example("ring_modulator", "ring_modulator", {{"simulate.rtol", "1e-10"}, {"simulate.atol", "1e-13"}}));
  struct Value {
    const char* signal;
    double value;
  };
  const Value reference[] = {
      {"C1.v", -0.2339057358486745e-1}, {"C2.v", -0.7367485485540825e-2}, {"Ca.v", 0.2582956709291169},
      {"Cb.v", 0.4064465721283450},     {"Cc.v", -0.4039455665149794},    {"Cd.v", -0.2607966765422943},
      {"Cp.v", 0.1106761861269975},     {"Lh1.i", 0.2939904342435596e-6}, {"Lh2.i", -0.2840029933642329e-7},
      {"La.i", 0.7267198267264553e-3},  {"Lb.i", 0.7929487196960840e-3},  {"Lc.i", -0.7255283495698965e-3},
      {"Ld.i", -0.7941401968526521e-3}, {"Le.i", 0.7088495416976114e-4},  {"Lo.i", 0.2390059075236570e-4}};
  // relative; 3e-9 was seen, of the capacitances of 2 pF whose phase runs over 1e4 periods
  for (const Value& v : reference)
    EXPECT_NEAR(result.signal(v.signal).back(), v.value, 1e-8 * std::abs(v.value)) << v.signal;
}

}  // namespace
}  // namespace coenergy::tests
