// What the verbs compute is there for callers of the libraries: sweeps and the cards of netlists, each
// with one compilation.
#include "coenergy/analyze/sweep.hpp"
#include "coenergy/base/argument.hpp"
#include "coenergy/io/netlist_analyses.hpp"
#include "coenergy/model/expand.hpp"
#include "tests/inline_model.hpp"

namespace coenergy::tests {
namespace {

/// A chain of n resistors from a source over a capacitor, as a part with values of all kinds.
const std::string chain =
    "parameters: {R0: 4 ohm, n: 3, tau: 2 ms}\n"
    "parts:\n"
    "  Chain:\n"
    "    ports: [a, b]\n"
    "    parameters: {R: R0, n: 1}\n"
    "    components:\n"
    "      r: {type: electrical.Resistor, repeat: {k: n}, p: \"m[k]\", n: \"m[k+1]\", R: R, first: {p: a}, last: {n: "
    "b}}\n"
    "components:\n"
    "  U: {type: electrical.VoltageSource, p: x, n: gnd, v: \"6 V*(1 + time/(1 s))\"}\n"
    "  row: {type: Chain, a: x, b: y, n: n}\n"
    "  load: {type: electrical.Resistor, p: y, n: gnd, R: 2*R0}\n"
    "  C: {type: electrical.Capacitor, p: y, n: gnd, C: tau/R0}\n"
    "  twice: {type: blocks.Gain, u: C.v, k: 2}\n"
    "  limit: {type: blocks.Saturation, u: C.v, lower: -1, upper: 5}\n"
    "simulate: {t_end: 10*tau, method: radau, rtol: 1e-9, atol: 1e-9}\n";

analyze::SweepTable run_sweep(const std::string& path, const std::vector<std::string>& values,
                              bool compiled_each = false) {
  const model::Registry registry = domains::make_standard_registry();
  analyze::SweepTable all;
  analyze::SweepRequest request;
  request.values = compiled_each ? 1 : values.size();
  request.signals = {"C.v", "load.i", "limit.y"};
  for (std::size_t first = 0; first < (compiled_each ? values.size() : 1); ++first) {
    request.make = [&](std::size_t k) {
      analyze::Variant variant;
      model::Model m = io::parse_model(chain, "m.yaml");
      m.set(path, values[first + k]);
      variant.model = model::expand(m, registry);
      variant.options = io::read_simulation_options(variant.model);
      return variant;
    };
    const analyze::SweepTable table = analyze::sweep(registry, request);
    EXPECT_TRUE(table.good) << table.text;
    all.compilations += table.compilations;
    all.units = table.units;
    all.rows.insert(all.rows.end(), table.rows.begin(), table.rows.end());
  }
  return all;
}

TEST(Sweeps, CompileOnceAndGiveWhatEachModelGives) {
  const std::pair<const char*, const char*> paths[] = {{"R0", " ohm"},     {"tau", " ms"}, {"row.R", " ohm"},
                                                       {"load.R", " ohm"}, {"C.C", " mF"}, {"twice.k", ""}};
  for (const auto& [path, unit] : paths) {
    std::vector<std::string> values;
    for (const char* number : {"1", "0.5", "3", "1"}) values.push_back(std::string(number) + unit);
    const analyze::SweepTable once = run_sweep(path, values), each = run_sweep(path, values, true);
    EXPECT_EQ(once.compilations, 1) << path;
    EXPECT_EQ(each.compilations, 4) << path;
    EXPECT_EQ(once.units, (std::vector<std::string>{"V", "A", ""})) << path;
    ASSERT_EQ(once.rows.size(), 4u);
    // the same equations, but sums in another order where numbers were folded
    for (std::size_t k = 0; k < 4; ++k)
      for (std::size_t i = 0; i < 3; ++i)
        EXPECT_NEAR(once.rows[k][i], each.rows[k][i], 1e-10 * (1 + std::abs(each.rows[k][i]))) << path << " " << k;
  }
}

TEST(Sweeps, CompileAgainWhereAValueDecidesOnTheEquations) {
  // 6 V*1.02 over n R0 and 2 R0, in the long run
  const analyze::SweepTable number = run_sweep("n", {"1", "1", "5"});
  EXPECT_EQ(number.compilations, 2);
  EXPECT_GT(number.rows[0][0], number.rows[2][0]);
  EXPECT_EQ(number.rows[0], number.rows[1]);
  // an expression of time in the place of a number, and words
  EXPECT_EQ(run_sweep("twice.u", {"3", "3*time/(1 s)"}).compilations, 2);
}

TEST(Sweeps, RefuseValuesAsACompilationDoes) {
  const auto message = [](const char* path, const char* value) -> std::string {
    try {
      run_sweep(path, {"2 ohm", value});
    } catch (const Error& e) {
      return e.what();
    }
    return "accepted";
  };
  EXPECT_EQ(message("load.R", "-2 ohm"), "set load.R: load.R = -2 ohm must be > 0");
  EXPECT_NE(message("R0", "-4 ohm").find("load.R = 2*R0 must be > 0; it is -8 ohm"), std::string::npos)
      << message("R0", "-4 ohm");
  EXPECT_NE(message("load.R", "3 V").find("load.R = 3 V must be in ohm, not in V"), std::string::npos);
  // a component looked at the number: it looks again
  try {
    run_sweep("limit.lower", {"2", "7"});
    FAIL();
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("limit: lower is greater than upper"), std::string::npos) << e.what();
  }
}

TEST(Sweeps, NameSignalsThatAreNone) {
  const model::Registry registry = domains::make_standard_registry();
  analyze::SweepRequest request;
  request.values = 1;
  request.signals = {"C.w"};
  request.make = [&](std::size_t) {
    return analyze::Variant{model::expand(io::parse_model(chain, "m.yaml"), registry), {}};
  };
  try {
    analyze::sweep(registry, request);
    FAIL();
  } catch (const Error& e) {
    EXPECT_NE(tell_error(e, "--").find("--signal: there is no signal \"C.w\"; did you mean C.v?"), std::string::npos)
        << e.what();
  }
}

TEST(NetlistAnalyses, AllCardsWorkWithOneSystem) {
  const io::Netlist netlist = io::parse_netlist(
      "a filter\n"
      "V1 in 0 DC 8 AC 2\n"
      "R1 in out 3k\n"
      "R2 out 0 1k\n"
      "C1 out 0 1u\n"
      ".op\n"
      ".dc V1 0 12 4\n"
      ".ac lin 1 212.2065907891938 212.2065907891938\n"
      ".meas dc half find v(out) at=6\n"
      ".meas dc twice param='2*half'\n"
      ".end\n",
      "filter.cir");
  const model::Model m = io::make_dc_model(netlist);
  io::NetlistAnalyses analyses(netlist, compile_model(m), io::read_simulation_options(m));
  std::vector<io::NetlistTable> tables;
  for (const io::Netlist::Analysis& analysis : netlist.analyses) tables.push_back(analyses.run(analysis));
  ASSERT_EQ(tables.size(), 3u);
  const auto column = [](const io::NetlistTable& table, const std::string& name) {
    const auto place = std::find(table.names.begin(), table.names.end(), name);
    EXPECT_NE(place, table.names.end()) << name;
    return static_cast<std::size_t>(place - table.names.begin());
  };
  EXPECT_NEAR(tables[0].rows[0][column(tables[0], "out.v")], 2, 1e-9);
  ASSERT_EQ(tables[1].rows.size(), 4u);
  for (std::size_t k = 0; k < 4; ++k) EXPECT_NEAR(tables[1].rows[k][column(tables[1], "out.v")], double(k), 1e-9);
  ASSERT_EQ(tables[1].measures.size(), 2u);
  EXPECT_NEAR(tables[1].measures[1].result.value.value(), 3, 1e-9);
  EXPECT_NEAR(analyses.known_measures().at("half"), 1.5, 1e-9);
  // the corner, 1/(2 pi 750 ohm 1 uF): a quarter of 2 V over the root of 2; the sweep before has left no trace
  EXPECT_NEAR(tables[2].rows[0][column(tables[2], "out.v magnitude")], 0.5 / std::sqrt(2.0), 1e-9);
  EXPECT_NEAR(tables[2].rows[0][column(tables[2], "out.v phase")], -45, 1e-6);
}

}  // namespace
}  // namespace coenergy::tests
