// Formulation of circuits: matrices, constraints, n-poles and couplings against the worked examples of
// multibody-and-circuits.md (§2.7–2.11, §8) and electromechanical-lagrange.md (G1–G6).
#include <cmath>
#include <random>
#include <set>

#include "coenergy/io/electran.hpp"
#include "coenergy/solve/initialize.hpp"
#include "coenergy/system/circuit_matrices.hpp"
#include "coenergy/system/data.hpp"
#include "coenergy/system/signal_reader.hpp"
#include "coenergy/system/state_equations.hpp"
#include "tests/inline_model.hpp"

namespace coenergy::tests {
namespace {

system::Compiled compile(const model::Model& model) {
  return system::compile(model, domains::make_standard_registry());
}
system::Compiled compile(const std::string& text) { return compile(io::parse_model(text, "m.yaml")); }

using Texts = std::vector<std::vector<std::string>>;

Texts to_texts(const system::CircuitMatrices::Matrix& matrix) {
  Texts texts;
  for (const auto& row : matrix) {
    texts.emplace_back();
    for (const auto& e : row) texts.back().push_back(to_string(e));
  }
  return texts;
}

/// Rows (A | B | C) as texts, each with the sign that makes its first entry positive.
std::multiset<std::string> to_rows(const Texts& a, const Texts& b, const Texts& c) {
  std::multiset<std::string> rows;
  for (std::size_t k = 0; k < a.size(); ++k) {
    std::string row, opposite;
    bool negative = false, decided = false;
    for (const auto* part : {&a[k], &b[k], &c[k]}) {
      for (const std::string& entry : *part) {
        const bool minus = entry[0] == '-';
        if (!decided && entry != "0") decided = true, negative = minus;
        row += " " + entry;
        opposite += " " + (entry == "0" ? entry : minus ? entry.substr(1) : "-" + entry);
      }
      row += " |", opposite += " |";
    }
    rows.insert(negative ? opposite : row);
  }
  return rows;
}

void expect_matrices(const system::CircuitMatrices& found, const Texts& a, const Texts& b, const Texts& c,
                     const Texts& d, const Texts& m) {
  EXPECT_EQ(to_rows(to_texts(found.a), to_texts(found.b), to_texts(found.c)), to_rows(a, b, c)) << found.text();
  EXPECT_EQ(to_texts(found.d), d);
  EXPECT_EQ(to_texts(found.m), m);
}

// ---- the matrices of the thesis

TEST(CircuitTheory, TheFilterHasTheMatricesOfTheThesis) {
  model::Model model = io::read_electran(COENERGY_SOURCE_DIR "/examples/rlc_filter/rlc_filter.electran");
  for (const auto& [path, value] :
       Settings{{"U1.v", "12 V"}, {"R1.R", "5 ohm"}, {"L1.L", "2 mH"}, {"R2.R", "7 ohm"}, {"C1.C", "3 uF"}})
    model.set(path, value);
  const system::CircuitMatrices found = make_circuit_matrices(compile(model));
  EXPECT_EQ(found.y,
            (std::vector<std::string>{"i(U1)", "i(R1)", "i(R2)", "u(U1)", "u(R1)", "u(R2)", "u(L1)", "i(C1)"}));
  EXPECT_EQ(found.w, (std::vector<std::string>{"i(L1)", "u(C1)"}));
  EXPECT_EQ(found.z, (std::vector<std::string>{"U1"}));
  // L2693–2703, entry by entry; the order and the sign of a row are free
  expect_matrices(found,
                  {{"1", "-1", "0", "0", "0", "0", "0", "0"},
                   {"0", "1", "0", "0", "0", "0", "0", "0"},
                   {"0", "0", "1", "0", "0", "0", "0", "1"},
                   {"0", "0", "0", "-1", "1", "1", "1", "0"},
                   {"0", "0", "0", "0", "0", "1", "0", "0"},
                   {"0", "R1.R", "0", "0", "-1", "0", "0", "0"},
                   {"0", "0", "R2.R", "0", "0", "-1", "0", "0"},
                   {"0", "0", "0", "1", "0", "0", "0", "0"}},
                  {{"0", "0"}, {"1", "0"}, {"1", "0"}, {"0", "0"}, {"0", "1"}, {"0", "0"}, {"0", "0"}, {"0", "0"}},
                  {{"0"}, {"0"}, {"0"}, {"0"}, {"0"}, {"0"}, {"0"}, {"1"}},
                  {{"0", "0", "0", "0", "0", "0", "1", "0"}, {"0", "0", "0", "0", "0", "0", "0", "1"}},
                  {{"L1.L", "0"}, {"0", "C1.C"}});
}

const std::string three_inductors = R"(
components:
  U:  {type: electrical.VoltageSource, p: a, n: gnd, v: 10 V}
  L1: {type: electrical.Inductor, p: a, n: b, L: 2 H}
  L2: {type: electrical.Inductor, p: b, n: c, L: 3 H}
  R:  {type: electrical.Resistor, p: b, n: c, R: 4 ohm}
  L3: {type: electrical.Inductor, p: c, n: gnd, L: 5 H}
)";

TEST(CircuitTheory, ThreeInductorsHaveTheMatricesTheConstraintAndTheReducedEquationsOfTheThesis) {
  const system::Compiled compiled = compile(three_inductors);
  // (4.84); its third law is for both nodes of L2 and R at once, i(L1) = i(L3): the difference of these two rows
  expect_matrices(
      make_circuit_matrices(compiled),
      {{"1", "0", "0", "0", "0", "0", "0"},
       {"0", "1", "0", "0", "0", "0", "0"},
       {"0", "1", "0", "0", "0", "0", "0"},
       {"0", "0", "-1", "0", "1", "1", "1"},
       {"0", "0", "0", "1", "0", "-1", "0"},
       {"0", "R.R", "0", "-1", "0", "0", "0"},
       {"0", "0", "1", "0", "0", "0", "0"}},
      {{"1", "0", "0"},
       {"1", "-1", "0"},
       {"0", "-1", "1"},
       {"0", "0", "0"},
       {"0", "0", "0"},
       {"0", "0", "0"},
       {"0", "0", "0"}},
      {{"0"}, {"0"}, {"0"}, {"0"}, {"0"}, {"0"}, {"1"}},
      {{"0", "0", "0", "0", "1", "0", "0"}, {"0", "0", "0", "0", "0", "1", "0"}, {"0", "0", "0", "0", "0", "0", "1"}},
      {{"L1.L", "0", "0"}, {"0", "L2.L", "0"}, {"0", "0", "L3.L"}});
  // (4.86): F = (−1 0 1), G = 0; L1 is the dependent one
  using Row = std::vector<std::pair<std::string, int>>;
  EXPECT_EQ(compiled.summary.circuit.constraints, (std::vector<Row>{{{"L1.i", 1}, {"L3.i", -1}}}));
  // (4.92)
  EXPECT_EQ(make_state_equations(compiled.system, compiled.summary.circuit.constraints).text(),
            "der(L2.i) = -R.R*(L2.i - L3.i)/L2.L\nder(L3.i) = (U.v + R.R*(L2.i - L3.i))/(L1.L + L3.L)\n");
}

/// Numbers of a matrix without symbols.
std::vector<std::vector<double>> to_numbers(const system::CircuitMatrices::Matrix& matrix, std::size_t first,
                                            std::size_t count) {
  std::vector<std::vector<double>> rows;
  for (std::size_t k = first; k < first + count; ++k) {
    rows.emplace_back();
    for (const auto& e : matrix[k]) rows.back().push_back(e.number());
  }
  return rows;
}

int find_rank(std::vector<std::vector<double>> m) {
  int rank = 0;
  for (std::size_t column = 0; column < m[0].size() && rank < static_cast<int>(m.size()); ++column) {
    std::size_t pivot = rank;
    while (pivot < m.size() && std::abs(m[pivot][column]) < 1e-12) ++pivot;
    if (pivot == m.size()) continue;
    std::swap(m[rank], m[pivot]);
    for (std::size_t row = rank + 1; row < m.size(); ++row) {
      const double factor = m[row][column] / m[rank][column];
      for (std::size_t k = column; k < m[0].size(); ++k) m[row][k] -= factor * m[rank][k];
    }
    ++rank;
  }
  return rank;
}

TEST(CircuitTheory, TheTreeOfSixElementsHasItsLawsOfKirchhoff) {
  // parents 0 1 1 1 4 0, loops (2,4) (3,4) (5,6): L3281–3339
  const std::string text =
      "% "
      "interaction\n0\n%circuits\n1\n%magnets\n0\n%elements\n6\n0\nR\n1\nR\n1\nR\n1\nR\n4\nR\n0\nR\n%"
      "loops\n3\n2\n4\n3\n4\n5\n6\n"
      "%influences\n0\n";
  model::Model model = io::parse_electran(text, "six.electran");
  for (int k = 1; k <= 6; ++k) model.set("R" + std::to_string(k) + ".R", "1 ohm");
  const system::CircuitMatrices found = make_circuit_matrices(compile(model));
  ASSERT_EQ(found.a.size(), 12u);  // 3 nodes, 3 loops, 6 resistors
  const auto currents = to_numbers(found.a, 0, 3), voltages = to_numbers(found.a, 3, 3);
  // columns i1 … i6, u1 … u6
  std::vector<std::vector<double>> expected_i = {{1, -1, -1, -1, 0, 0}, {0, 1, 1, 1, -1, 0}, {0, 0, 0, 0, 1, 1}};
  std::vector<std::vector<double>> expected_u = {{1, 0, 0, 1, 1, -1}, {0, -1, 0, 1, 0, 0}, {0, 0, -1, 1, 0, 0}};
  for (auto& row : expected_i) row.resize(12);
  for (auto& row : expected_u) row.insert(row.begin(), 6, 0.0);
  // each law at a node is one of them, up to its sign
  for (const auto& row : currents) {
    auto negative = row;
    for (double& x : negative) x = x == 0 ? 0 : -x;
    EXPECT_TRUE(std::count(expected_i.begin(), expected_i.end(), row) +
                    std::count(expected_i.begin(), expected_i.end(), negative) ==
                1);
  }
  // the loops are others, but say the same
  auto both = voltages;
  both.insert(both.end(), expected_u.begin(), expected_u.end());
  EXPECT_EQ(find_rank(voltages), 3);
  EXPECT_EQ(find_rank(both), 3);
}

TEST(CircuitTheory, LoopsAndCutsAreOrthogonal) {
  // G2: AᵀQ = 0 for the triangle of six resistors, three coils, three capacitors and a source
  const system::Compiled compiled = compile(read_example("triangle", "triangle"));
  const system::CircuitMatrices found = make_circuit_matrices(compiled);
  const auto& branches = compiled.summary.circuit.branches;
  // coefficients of all branch currents and voltages, passive signs
  const auto coefficient = [&](std::size_t row, const char* letter, const std::string& element,
                               model::BranchKind kind) {
    const std::string name = std::string(letter) + "(" + element + ")";
    const auto find = [&](const std::vector<std::string>& names) {
      return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
    };
    const bool flips = kind == (letter[0] == 'i' ? model::BranchKind::voltage : model::BranchKind::current);
    if (const std::size_t k = find(found.y); k < found.y.size()) return (flips ? -1 : 1) * found.a[row][k].number();
    return -found.b[row][find(found.w)].number();
  };
  std::size_t nodes = 0, loops = 0;
  for (std::size_t i = 0; i < found.a.size(); ++i) {
    std::vector<double> cut;
    for (const auto& b : branches) cut.push_back(coefficient(i, "i", b.element, b.kind));
    if (std::all_of(cut.begin(), cut.end(), [](double x) { return x == 0; })) break;
    ++nodes;
    loops = 0;
    for (std::size_t j = 0; j + nodes < branches.size() + nodes && j < found.a.size(); ++j) {
      std::vector<double> loop;
      bool is_loop = true;
      for (const auto& e : found.a[j]) is_loop = is_loop && e.is_number();
      for (const auto& e : found.c[j]) is_loop = is_loop && e.is_zero();
      if (!is_loop) continue;
      for (const auto& b : branches) loop.push_back(coefficient(j, "u", b.element, b.kind));
      if (std::all_of(loop.begin(), loop.end(), [](double x) { return x == 0; })) continue;
      ++loops;
      double product = 0;
      for (std::size_t k = 0; k < branches.size(); ++k) product += cut[k] * loop[k];
      EXPECT_EQ(product, 0) << i << " " << j;
    }
  }
  EXPECT_EQ(nodes + loops, branches.size());
}

TEST(CircuitTheory, MatricesOfOtherElementsAreRefused) {
  try {
    make_circuit_matrices(
        compile("components:\n  D: {type: electrical.Diode, p: a, n: gnd}\n"
                "  R: {type: electrical.Resistor, p: a, n: gnd, R: 1 ohm}\n"));
    FAIL();
  } catch (const Error& e) {
    EXPECT_STREQ(e.what(), "D: matrices are written for circuits of resistors, inductors, capacitors and sources");
  }
}

// ---- constraints

TEST(CircuitTheory, ASeriesCircuitOfAllElementsHasNoConstraint) {
  // Fig 4.6: the charge form would count one state
  const auto summary = compile(R"(
components:
  U: {type: electrical.VoltageSource, p: a, n: gnd, v: 10 V}
  R: {type: electrical.Resistor, p: a, n: b, R: 4 ohm}
  L: {type: electrical.Inductor, p: b, n: c, L: 3 H}
  C: {type: electrical.Capacitor, p: c, n: gnd, C: 3 F}
)")
                           .summary.circuit;
  EXPECT_TRUE(summary.constraints.empty());
  EXPECT_EQ(summary.order, 2);
}

TEST(CircuitTheory, ACapacitorOnASourceTakesTheDerivativeOfTheSource) {
  const auto r = run_text(R"(
components:
  U:  {type: electrical.VoltageSource, p: a, n: gnd, v: 3 V*sin(7 1/s*time) + 1 V*exp(-2 1/s*time)}
  C1: {type: electrical.Capacitor, p: a, n: b, C: 2 F}
  C2: {type: electrical.Capacitor, p: b, n: gnd, C: 5 F, v0: 0.3 V}
  R:  {type: electrical.Resistor, p: b, n: gnd, R: 4 ohm}
)",
                          1);
  // at nodes of the run: between them all variables are interpolated
  for (double t : {0.0, 1.0}) {
    const double du = 21 * std::cos(7 * t) - 2 * std::exp(-2 * t), u2 = value_at(r, "C2.v", t);
    // C1 (U' − u2') = C2 u2' + u2/R
    const double du2 = (2 * du - u2 / 4) / 7;
    EXPECT_NEAR(value_at(r, "C1.i", t), 2 * (du - du2), 1e-9) << t;
    EXPECT_NEAR(value_at(r, "U.i", t), -2 * (du - du2), 1e-9) << t;
    EXPECT_NEAR(value_at(r, "C1.v", t), 3 * std::sin(7 * t) + std::exp(-2 * t) - u2, 1e-12) << t;
  }
}

TEST(CircuitTheory, AnInductorBehindACurrentSourceTakesItsDerivative) {
  const auto r = run_text(R"(
components:
  I:  {type: electrical.CurrentSource, p: gnd, n: a, i: 2 A*cos(5 1/s*time)}
  L1: {type: electrical.Inductor, p: a, n: b, L: 3 H}
  L2: {type: electrical.Inductor, p: b, n: gnd, L: 2 H, i0: 0.5 A}
  R:  {type: electrical.Resistor, p: b, n: gnd, R: 4 ohm}
)",
                          1);
  for (double t : {0.0, 1.0}) {
    EXPECT_NEAR(value_at(r, "L1.v", t), -3 * 10 * std::sin(5 * t), 1e-11) << t;
    EXPECT_NEAR(value_at(r, "L1.i", t), 2 * std::cos(5 * t), 1e-12) << t;
  }
}

TEST(CircuitTheory, AStarWithACurrentInItsNeutral) {
  // i_a + i_b + i_c = i_n(t): a row with G ≠ 0. Phases L = 2 H with M = −1 H, driven by voltages that sum to zero
  const auto compiled = compile(R"(
components:
  Ua: {type: electrical.VoltageSource, p: a, n: gnd, v: 3 V}
  Ub: {type: electrical.VoltageSource, p: b, n: gnd, v: -1 V}
  Uc: {type: electrical.VoltageSource, p: c, n: gnd, v: -2 V}
  La: {type: electrical.Inductor, p: a, n: star, L: 2 H}
  Lb: {type: electrical.Inductor, p: b, n: star, L: 2 H}
  Lc: {type: electrical.Inductor, p: c, n: star, L: 2 H}
  ab: {type: electrical.Coupling, a: La, b: Lb, M: -0.9 H}
  bc: {type: electrical.Coupling, a: Lb, b: Lc, M: -0.9 H}
  ca: {type: electrical.Coupling, a: Lc, b: La, M: -0.9 H}
  In: {type: electrical.CurrentSource, p: star, n: gnd, i: 0.6 A*sin(4 1/s*time)}
)");
  using Row = std::vector<std::pair<std::string, int>>;
  EXPECT_EQ(compiled.summary.circuit.constraints,
            (std::vector<Row>{{{"La.i", 1}, {"Lb.i", 1}, {"Lc.i", 1}, {"In.i", -1}}}));
  solve::Options options{.t_end = 1, .method = "radau", .output_step = 0.5, .rtol = 1e-11, .atol = 1e-12};
  const solve::Result r = solve::simulate(compiled.system, options);
  // L_d = L − M = 2.9: differences of phases; L_0 = L + 2M = 0.2 carries the common part
  const double t = 1, common = 0.6 * std::sin(4 * t) / 3;
  EXPECT_NEAR(r.signal("La.i").back(), 3 / 2.9 * t + common, 1e-9);
  EXPECT_NEAR(r.signal("Lb.i").back(), -1 / 2.9 * t + common, 1e-9);
  EXPECT_NEAR(r.signal("star.v").back(), -0.2 * 0.6 * 4 * std::cos(4 * t) / 3, 1e-8);
}

TEST(CircuitTheory, CurrentSourcesAreNeverInTheTree) {
  // G4
  const auto summary = compile(R"(
components:
  I1: {type: electrical.CurrentSource, p: gnd, n: a, i: 1 A}
  I2: {type: electrical.CurrentSource, p: a, n: b, i: 1 A}
  R1: {type: electrical.Resistor, p: a, n: gnd, R: 4 ohm}
  L1: {type: electrical.Inductor, p: b, n: gnd, L: 4 H}
)")
                           .summary.circuit;
  EXPECT_EQ(summary.tree, (std::vector<std::string>{"R1", "L1"}));
}

// ---- start values of dependent variables

std::string start_error(const std::string& text) {
  try {
    system::Evaluator evaluator(compile(text).system);
    solve::initialize(evaluator, {});
  } catch (const Error& e) {
    return e.what();
  }
  return "none";
}

TEST(CircuitTheory, StartValuesThatContradictAConstraintAreRefusedByName) {
  const std::string coils = R"(
components:
  U:  {type: electrical.VoltageSource, p: a, n: gnd, v: 10 V}
  L1: {type: electrical.Inductor, p: a, n: b, L: 2 H, i0: 3 A}
  L2: {type: electrical.Inductor, p: b, n: c, L: 3 H, i0: 2 A}
  R:  {type: electrical.Resistor, p: c, n: gnd, R: 4 ohm}
)";
  EXPECT_EQ(start_error(coils),
            "L1.i0 = 3 A contradicts L1.i = L2.i, which is 2 A at the start; leave it out, or choose start values that "
            "fit");
  std::string fits = coils;
  fits.replace(fits.find("3 A"), 3, "2 A");
  EXPECT_EQ(start_error(fits), "none");
  EXPECT_EQ(
      start_error(R"(
components:
  U: {type: electrical.VoltageSource, p: a, n: gnd, v: 10 V}
  C: {type: electrical.Capacitor, p: a, n: gnd, C: 2 F, v0: 4 V}
)"),
      "C.v0 = 4 V contradicts C.v = U.v, which is 10 V at the start; leave it out, or choose start values that fit");
}

// ---- n-poles and matrices of laws

TEST(CircuitTheory, AGyratorTurnsACapacitorIntoAnInductor) {
  // G5, the skew part of a resistance matrix: v1 = L i1' with L = C/G²
  const auto r = run_text(R"(
components:
  U: {type: electrical.VoltageSource, p: a, n: gnd, v: 6 V}
  R: {type: electrical.Resistor, p: a, n: b, R: 4 ohm}
  G: {type: electrical.Gyrator, p1: b, n1: gnd, p2: c, n2: gnd, G: 0.5 S}
  C: {type: electrical.Capacitor, p: c, n: gnd, C: 2 F}
)",
                          3, 1);
  for (double t : {1.0, 3.0}) EXPECT_NEAR(value_at(r, "R.i", t), 1.5 * (1 - std::exp(-t * 4 / 8)), 1e-8) << t;
}

TEST(CircuitTheory, ATransformerShowsItsLoadBySquareOfItsRatio) {
  const auto r = run_text(R"(
components:
  U:  {type: electrical.VoltageSource, p: a, n: gnd, v: 6 V}
  R1: {type: electrical.Resistor, p: a, n: b, R: 4 ohm}
  T:  {type: electrical.IdealTransformer, p1: b, n1: gnd, p2: c, n2: d, n: 3}
  R2: {type: electrical.Resistor, p: c, n: d, R: 2 ohm}
)",
                          0.1, 0.1);
  // v1 = 3 v2: the load is 18 ohm
  EXPECT_NEAR(value_at(r, "R1.i", 0.1), 6.0 / 22, 1e-12);
  EXPECT_NEAR(value_at(r, "R2.i", 0.1), 3 * 6.0 / 22, 1e-12);
}

TEST(CircuitTheory, ATransistorIsATreeOfTwoBranches) {
  // G1: a 3-pole has two branch currents; its pins carry them and their sum
  const auto r = run_text(R"(
components:
  Vc: {type: electrical.VoltageSource, p: vc, n: gnd, v: 5 V}
  Vb: {type: electrical.VoltageSource, p: vb, n: gnd, v: 0.9 V}
  Ve: {type: electrical.VoltageSource, p: ve, n: gnd, v: 0 V}
  Rc: {type: electrical.Resistor, p: vc, n: c, R: 1 kohm}
  Rb: {type: electrical.Resistor, p: vb, n: b, R: 10 kohm}
  Q:  {type: electrical.BipolarTransistor, c: c, b: b, e: ve}
)",
                          0.1, 0.1);
  const double ic = value_at(r, "Rc.i", 0.1), ib = value_at(r, "Rb.i", 0.1);
  EXPECT_GT(ic, 50 * ib);
  EXPECT_NEAR(value_at(r, "Ve.i", 0.1), ic + ib, 1e-12);
}

TEST(CircuitTheory, ChargesOfCoupledConductorsGiveTheirVoltagesByTheInverseMatrix) {
  // G5: u = C⁻¹ q for C = [2 −0.5; −0.5 3] F after 3 A s on the first and 1 A s on the second
  const auto r = run_text(R"(
components:
  I1: {type: electrical.CurrentSource, p: gnd, n: a, i: 3 A}
  I2: {type: electrical.CurrentSource, p: gnd, n: b, i: 1 A}
  C1: {type: electrical.Capacitor, p: a, n: gnd, C: 2 F}
  C2: {type: electrical.Capacitor, p: b, n: gnd, C: 3 F}
  K:  {type: electrical.MutualCapacitance, a: C1, b: C2, C: -0.5 F}
)",
                          1, 1);
  const double det = 2 * 3 - 0.25;
  EXPECT_NEAR(value_at(r, "C1.v", 1), (3 * 3 + 0.5 * 1) / det, 1e-9);
  EXPECT_NEAR(value_at(r, "C2.v", 1), (0.5 * 3 + 2 * 1) / det, 1e-9);
  EXPECT_NEAR(value_at(r, "C1.i", 1), 3, 1e-9);
}

TEST(CircuitTheory, AFluxSourceInAShortedCoilIsAnsweredByItsCurrent) {
  // G5: L i + ψ(t) stays as it was
  const auto r = run_text(R"(
components:
  L: {type: electrical.Inductor, p: gnd, n: gnd, L: 2 H, flux: 0.8 Wb*sin(3 1/s*time), i0: 1 A}
)",
                          1, 0.5);
  for (double t : {0.5, 1.0}) EXPECT_NEAR(value_at(r, "L.i", t), 1 - 0.4 * std::sin(3 * t), 1e-8) << t;
}

// ---- converters

struct Rates {
  system::System system;
  system::Point point;
  double rate(const std::string& state) const {
    for (int k = 0; k < system.nx(); ++k)
      if (system.unknown(system.nv() + system.nl() + k).name == state) return point.xd[k];
    ADD_FAILURE() << state;
    return 0;
  }
};

TEST(CircuitTheory, TheCondensatorSpeakerHasTheEquationsOfThreeMethods) {
  // m ẍ + d ẋ + k x − ½ C' u² = −m g;  L i' = E − R i − u;  i = (C u)'   with C = 2 F·m/(1.5 m − x)
  std::mt19937 random(3);
  std::uniform_real_distribution<double> spread(-0.5, 0.5);
  for (int trial = 0; trial < 5; ++trial) {
    const double x = spread(random), v = spread(random), i = spread(random), u = 1 + spread(random);
    char text[1500];
    std::snprintf(text, sizeof text, R"(
components:
  plate:   {type: mechanical.Mass, m: 0.7 kg, s0: %.17g m, v0: %.17g m/s}
  spring:  {type: mechanical.TranslationalSpringDamper, a: ground, b: plate.flange, k: 11 N/m, d: 0.4 N.s/m}
  weight:  {type: mechanical.Force, flange: plate.flange, f: -0.7*9.81 N}
  E4:      {type: electrical.VoltageSource, p: a, n: gnd, v: 6 V}
  R1:      {type: electrical.Resistor, p: a, n: b, R: 3 ohm}
  L3:      {type: electrical.Inductor, p: b, n: c, L: 0.2 H, i0: %.17g A}
  C2:      {type: electrical.Capacitor, p: c, n: gnd, C: 2 F/(1.5 - plate.s/(1 m)), v0: %.17g V}
)",
                  x, v, i, u);
    const system::System system = compile(text).system;
    system::Evaluator evaluator(system);
    const Rates at{system, solve::initialize(evaluator, {}).point};
    const double C = 2 / (1.5 - x), slope = 2 / ((1.5 - x) * (1.5 - x));
    EXPECT_NEAR(at.point.a[0], (-0.7 * 9.81 - 0.4 * v - 11 * x + 0.5 * slope * u * u) / 0.7, 1e-11);
    EXPECT_NEAR(at.rate("L3.i"), (6 - 3 * i - u) / 0.2, 1e-10);
    EXPECT_NEAR(at.rate("C2.v"), (i - slope * v * u) / C, 1e-11);
  }
}

TEST(CircuitTheory, AMagnetInducesTheVoltageThatItsForceCosts) {
  // u i − R i² = d(½ L i²)/dt + Q ṡ with Q = i φ', to round-off; as printed in the thesis (no back-emf) it misses i φ'
  // ṡ
  std::mt19937 random(4);
  std::uniform_real_distribution<double> spread(0.2, 1);
  for (int trial = 0; trial < 5; ++trial) {
    const double s = spread(random), v = spread(random), i = spread(random);
    char text[1200];
    std::snprintf(text, sizeof text, R"(
components:
  coil: {type: mechanical.Mass, m: 0.7 kg, s0: %.17g m, v0: %.17g m/s}
  load: {type: mechanical.Force, flange: coil.flange, f: 0 N}
  U:    {type: electrical.VoltageSource, p: a, n: gnd, v: 6 V}
  R:    {type: electrical.Resistor, p: a, n: b, R: 3 ohm}
  L:    {type: electrical.Inductor, p: b, n: gnd, L: 0.2 H, i0: %.17g A}
  M:    {type: electrical.PermanentMagnet, winding: L, flux: 0.9 Wb*sin(2*coil.s/(1 m))}
)",
                  s, v, i);
    const system::System system = compile(text).system;
    system::Evaluator evaluator(system);
    const Rates at{system, solve::initialize(evaluator, {}).point};
    const double slope = 1.8 * std::cos(2 * s), force = 0.7 * at.point.a[0], didt = at.rate("L.i");
    EXPECT_NEAR(force, i * slope, 1e-12);
    EXPECT_NEAR(6 * i - 3 * i * i, 0.2 * i * didt + force * v, 1e-12);
    EXPECT_GT(std::abs(i * slope * v), 1e-3);  // what would be missing
  }
}

// ---- signals

TEST(CircuitTheory, SignalsThatAreNotRecordedCostNothing) {
  const system::System system = compile(read_example("triangle", "triangle")).system;
  const int one = system.find_signal("C2.i");
  ASSERT_GE(one, 0);
  std::vector<int> all(system.signals().size());
  for (std::size_t k = 0; k < all.size(); ++k) all[k] = static_cast<int>(k);
  system::Evaluator evaluator(system);
  system::SignalReader few(evaluator, std::span(&one, 1)), many(evaluator, all);
  const auto count = [](const system::SignalReader& s) { return s.function().count().total(); };
  EXPECT_LT(count(few), count(many) / 3);
  // and the equations themselves contain no signal: asking for none leaves no program at all
  EXPECT_EQ(count(system::SignalReader(evaluator, {})), 0);
  // the same value either way
  const system::Point p = solve::initialize(evaluator, {}).point;
  std::vector<double> values(all.size());
  double value = 0;
  evaluator.signals(p, values);
  few.read(p, std::span(&value, 1));
  EXPECT_EQ(value, values[one]);
  // a run records one column
  solve::Options options{.t_end = 1e-4, .method = "radau"};
  options.signals = {"C2.i"};
  EXPECT_EQ(solve::simulate(system, options).names, (std::vector<std::string>{"C2.i"}));
}

}  // namespace
}  // namespace coenergy::tests
