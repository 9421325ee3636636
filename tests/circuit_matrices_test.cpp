// Matrices of circuits against the worked examples of Sass 2004 (chapters 4 and 6) and
// of Enge, Kielau, Maißer 1996.
#include <cmath>
#include <map>
#include <set>

#include "coenergy/circuits/circuit_matrices.hpp"
#include "coenergy/equations/data.hpp"
#include "coenergy/equations/state_equations.hpp"
#include "coenergy/io/electran.hpp"
#include "tests/circuit_compile.hpp"

namespace coenergy::tests {
namespace {

using Texts = std::vector<std::vector<std::string>>;

Texts to_texts(const circuits::CircuitMatrices::Matrix& matrix) {
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

void expect_matrices(const circuits::CircuitMatrices& found, const Texts& a, const Texts& b, const Texts& c,
                     const Texts& d, const Texts& m) {
  EXPECT_EQ(to_rows(to_texts(found.a), to_texts(found.b), to_texts(found.c)), to_rows(a, b, c)) << found.text();
  EXPECT_EQ(to_texts(found.d), d);
  EXPECT_EQ(to_texts(found.m), m);
}

circuits::CircuitMatrices make_matrices(const compile::Compiled& compiled) {
  return circuits::make_circuit_matrices(compiled.system, compiled.summary.circuit);
}

TEST(CircuitMatrices, TheFilterHasTheMatricesOfTheThesis) {
  model::Model model = io::read_electran(COENERGY_SOURCE_DIR "/examples/rlc_filter/rlc_filter.electran");
  for (const auto& [path, value] :
       Settings{{"U1.v", "12 V"}, {"R1.R", "5 ohm"}, {"L1.L", "2 mH"}, {"R2.R", "7 ohm"}, {"C1.C", "3 uF"}})
    model.set(path, value);
  const circuits::CircuitMatrices found = make_matrices(compile(model));
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

TEST(CircuitMatrices, ThreeInductorsHaveTheMatricesTheConstraintAndTheReducedEquationsOfTheThesis) {
  const compile::Compiled compiled = compile(three_inductors);
  // (4.84); its third law is for both nodes of L2 and R at once, i(L1) = i(L3): the difference of these two rows
  expect_matrices(
      make_matrices(compiled),
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
  EXPECT_EQ(make_state_equations(compiled.system, compiled.summary.circuit.constraints).text,
            "der(L2.i) = -R.R*(L2.i - L3.i)/L2.L\nder(L3.i) = (U.v + R.R*(L2.i - L3.i))/(L1.L + L3.L)\n");
}

/// Numbers of a matrix without symbols.
std::vector<std::vector<double>> to_numbers(const circuits::CircuitMatrices::Matrix& matrix, std::size_t first,
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

TEST(CircuitMatrices, TheTreeOfSixElementsHasItsLawsOfKirchhoff) {
  // parents 0 1 1 1 4 0, loops (2,4) (3,4) (5,6): L3281–3339
  const std::string text =
      "% "
      "interaction\n0\n%circuits\n1\n%magnets\n0\n%elements\n6\n0\nR\n1\nR\n1\nR\n1\nR\n4\nR\n0\nR\n%"
      "loops\n3\n2\n4\n3\n4\n5\n6\n"
      "%influences\n0\n";
  model::Model model = io::parse_electran(text, "six.electran");
  for (int k = 1; k <= 6; ++k) model.set("R" + std::to_string(k) + ".R", "1 ohm");
  const circuits::CircuitMatrices found = make_matrices(compile(model));
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

TEST(CircuitMatrices, LoopsAndCutsAreOrthogonal) {
  // G2: AᵀQ = 0 for the triangle of six resistors, three coils, three capacitors and a source
  const compile::Compiled compiled = compile(read_example("triangle", "triangle"));
  const circuits::CircuitMatrices found = make_matrices(compiled);
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

TEST(CircuitMatrices, MatricesOfOtherElementsAreRefused) {
  try {
    make_matrices(
        compile("components:\n  D: {type: electrical.Diode, p: a, n: gnd}\n"
                "  R: {type: electrical.Resistor, p: a, n: gnd, R: 1 ohm}\n"));
    FAIL();
  } catch (const Error& e) {
    EXPECT_STREQ(e.what(), "D: matrices are written for circuits of resistors, inductors, capacitors and sources");
  }
}

TEST(CircuitMatrices, SourcesAreCountedByWhatTheyDeliver) {
  // 9 V behind 1 ohm and 2 A into 3 ohm: (9 − v) + 2 = v/3, so 0.75 A and 8.25 V; both sources deliver u i > 0
  const circuits::CircuitMatrices found = make_matrices(compile(R"(
components:
  U:  {type: electrical.VoltageSource, p: a, n: gnd, v: 9 V}
  R1: {type: electrical.Resistor, p: a, n: b, R: 1 ohm}
  I:  {type: electrical.CurrentSource, p: gnd, n: b, i: 2 A}
  R2: {type: electrical.Resistor, p: b, n: gnd, R: 3 ohm}
)"));
  const std::map<std::string, double> solution = {{"i(U)", 0.75},  {"u(U)", 9},     {"i(I)", 2},     {"u(I)", 8.25},
                                                  {"i(R1)", 0.75}, {"u(R1)", 0.75}, {"i(R2)", 2.75}, {"u(R2)", 8.25}};
  ASSERT_EQ(found.y.size(), solution.size());
  int laws = 0;
  for (std::size_t row = 0; row < found.a.size(); ++row) {
    double sum = 0;
    bool is_number = true;
    for (std::size_t k = 0; k < found.y.size(); ++k) {
      is_number = is_number && found.a[row][k].is_number();
      if (is_number) sum += found.a[row][k].number() * solution.at(found.y[k]);
    }
    for (std::size_t k = 0; k < found.z.size(); ++k) is_number = is_number && found.c[row][k].is_zero();
    if (!is_number) continue;
    ++laws;
    EXPECT_EQ(sum, 0) << "row " << row;
  }
  EXPECT_EQ(laws, 4);  // two nodes, two loops
}

}  // namespace
}  // namespace coenergy::tests
