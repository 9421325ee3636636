// Random circuits against a formulation that shares nothing with the program's: all branch voltages, currents and node
// potentials ξ in one descriptor form
//
//   d/dt(E(t) ξ) + A ξ = s(t)
//
// of index ≤ 2, solved together with its time derivative (the derivative array) for ξ and ξ̇ by a dense rank-revealing
// decomposition, given the values of the independent states. A circuit is well posed where the pencil λE + A is
// regular. DC machines, each with an inertia of its own, bring inductances and resistances that are inside of elements.
#include <fmt/format.h>

#include <Eigen/Dense>
#include <cmath>
#include <map>
#include <random>
#include <set>

#include "coenergy/equations/state_equations.hpp"
#include "coenergy/solve/newton.hpp"
#include "tests/example_run.hpp"

namespace coenergy::tests {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// f(t) = mean + amplitude sin(ω t), with two derivatives.
struct Wave {
  double mean = 0, amplitude = 0, omega = 0;
  double at(double t, int order) const {
    const double a = omega * t;
    if (order == 0) return mean + amplitude * std::sin(a);
    return order == 1 ? amplitude * omega * std::cos(a) : -amplitude * omega * omega * std::sin(a);
  }
  std::string text(const std::string& unit) const {
    if (amplitude == 0) return fmt::format("{:.17g} {}", mean, unit);
    return fmt::format("{:.17g} {} + {:.17g} {}*sin({:.17g} 1/s*time)", mean, unit, amplitude, unit, omega);
  }
};

struct Branch {
  char kind;  ///< U I R L C, M: a machine with the inductance `value`, which may be zero
  int p, n;
  Wave value, flux;
  std::string name;
  double R = 0, k = 0, J = 0;  ///< of a machine: v = R i + value di/dt + k ω, J ω̇ = k i
};
struct Mutual {
  int a, b;
  Wave value;
};
struct Circuit {
  int nodes = 0;
  std::vector<Branch> branches;
  std::vector<Mutual> mutuals;
};

class Maker {
 public:
  Maker(unsigned seed, bool with_machines) : random_(seed), with_machines_(with_machines) {}

  Circuit make() {
    Circuit c;
    c.nodes = pick(3, 8);
    // one island, or two that only share flux and charge
    const int first = c.nodes >= 5 && pick(0, 3) == 0 ? pick(2, c.nodes - 2) : c.nodes;
    add_island(c, 0, first);
    if (first < c.nodes) add_island(c, first, c.nodes);
    add_mutuals(c, 'L');
    add_mutuals(c, 'C');
    return c;
  }

 private:
  int pick(int low, int high) { return std::uniform_int_distribution(low, high)(random_); }
  double value(double low, double high) {
    return std::round(std::uniform_real_distribution(low, high)(random_) * 1e3) / 1e3;
  }
  Wave wave(double low, double high, double amplitude, int chance) {
    Wave w{value(low, high), 0, 0};
    if (pick(0, chance) == 0) w.amplitude = value(0.1, 1) * amplitude, w.omega = value(0.5, 3);
    return w;
  }

  /// A random tree over the nodes, so that nothing is apart, and chords.
  void add_island(Circuit& c, int begin, int end) {
    for (int k = begin + 1; k < end; ++k) add_branch(c, pick(begin, k - 1), k);
    for (int k = pick(1, 2 * (end - begin)); k > 0; --k) {
      const int p = pick(begin, end - 1), n = pick(begin, end - 1);
      if (p != n || pick(0, 9) == 0) add_branch(c, p, n);
    }
  }

  void add_branch(Circuit& c, int p, int n) {
    const char kind = with_machines_ ? "RRRLLLLCCCCUUIMMMM"[pick(0, 17)] : "RRRLLLLCCCCUUI"[pick(0, 13)];
    Branch b{kind, p, n, {}, {}, (kind == 'M' ? 'D' : kind) + std::to_string(c.branches.size() + 1)};
    if (pick(0, 1) == 0) std::swap(b.p, b.n);
    if (kind == 'U' || kind == 'I') b.value = wave(-2, 2, 1, 1);
    if (kind == 'R') b.value = wave(0.5, 2, 0.2, 4);
    if (kind == 'L' || kind == 'C') b.value = wave(1, 2, 0.2, 4);
    if (kind == 'M') {
      b.k = value(0.5, 2), b.J = value(0.5, 2);
      if (pick(0, 2) > 0) b.value.mean = value(1, 2);
      if (b.value.mean == 0 || pick(0, 1) == 0) b.R = value(0.5, 2);
    }
    if (kind == 'L' && pick(0, 3) == 0) b.flux = wave(-1, 1, 1, 1);
    c.branches.push_back(b);
  }

  /// Small against the self terms, so that the matrices stay positive definite.
  void add_mutuals(Circuit& c, char kind) {
    std::vector<int> all;
    for (std::size_t k = 0; k < c.branches.size(); ++k)
      if (c.branches[k].kind == kind) all.push_back(static_cast<int>(k));
    for (std::size_t i = 0; i < all.size(); ++i)
      for (std::size_t j = i + 1; j < all.size(); ++j)
        if (pick(0, 2) == 0) {
          const double limit = 0.5 / static_cast<double>(all.size());
          c.mutuals.push_back({all[i], all[j], wave(-limit, limit, limit / 2, 2)});
        }
  }

  std::mt19937 random_;
  bool with_machines_;
};

model::Model make_model(const Circuit& c) {
  model::Model model;
  model.file = "circuit.yaml";
  auto node = [](int k) { return k == 0 ? std::string("gnd") : "n" + std::to_string(k); };
  for (const Branch& b : c.branches) {
    if (b.kind == 'M') {
      const auto number = [](double x, const char* unit) { return fmt::format("{:.17g} {}", x, unit); };
      model.add(b.name, "converters.DcMachine",
                {{"p", node(b.p)},
                 {"n", node(b.n)},
                 {"shaft", b.name + "s"},
                 {"k", number(b.k, "V.s/rad")},
                 {"R", number(b.R, "ohm")},
                 {"L", number(b.value.mean, "H")}});
      model.add(b.name + "J", "mechanical.Inertia", {{"shaft", b.name + "s"}, {"J", number(b.J, "kg.m2")}});
      continue;
    }
    const std::map<char, std::array<const char*, 3>> kinds = {{'U', {"VoltageSource", "v", "V"}},
                                                              {'I', {"CurrentSource", "i", "A"}},
                                                              {'R', {"Resistor", "R", "ohm"}},
                                                              {'L', {"Inductor", "L", "H"}},
                                                              {'C', {"Capacitor", "C", "F"}}};
    const auto& [type, entry, unit] = kinds.at(b.kind);
    std::vector<std::pair<std::string, model::Value>> values{
        {"p", node(b.p)}, {"n", node(b.n)}, {entry, b.value.text(unit)}};
    if (b.flux.mean != 0) values.emplace_back("flux", b.flux.text("Wb"));
    model.add(b.name, std::string("electrical.") + type, values);
  }
  for (std::size_t k = 0; k < c.mutuals.size(); ++k) {
    const Mutual& m = c.mutuals[k];
    const bool magnetic = c.branches[m.a].kind == 'L';
    model.add("M" + std::to_string(k + 1), magnetic ? "electrical.Coupling" : "electrical.MutualCapacitance",
              {{"a", c.branches[m.a].name},
               {"b", c.branches[m.b].name},
               {magnetic ? "M" : "C", m.value.text(magnetic ? "H" : "F")}});
  }
  return model;
}

/// ξ = (potentials, voltages, currents, speeds of machines).
class Descriptor {
 public:
  explicit Descriptor(const Circuit& c) : c_(c), B_(static_cast<int>(c.branches.size())), n_(c.nodes + 2 * B_) {
    for (const Branch& b : c.branches) speed_.push_back(b.kind == 'M' ? n_++ : -1);
  }

  bool is_well_posed() const {
    // at any λ that is no eigenvalue; numbers of size one, so the rank is clear
    const MatrixXd pencil = 1.7320508 * matrix(0.4, 0).E + matrix(0.4, 0).A;
    Eigen::FullPivLU<MatrixXd> lu(pencil);
    lu.setThreshold(1e-10);
    return lu.isInvertible();
  }

  struct Solution {
    VectorXd xi, rate;
    bool consistent = false, determined = false;
  };
  /// given: index in ξ → value.
  Solution solve(double t, const std::map<int, double>& given) const {
    const Rows r0 = matrix(t, 0), r1 = matrix(t, 1), r2 = matrix(t, 2);
    const int g = static_cast<int>(given.size());
    MatrixXd m = MatrixXd::Zero(2 * n_ + g, 3 * n_);
    VectorXd b = VectorXd::Zero(2 * n_ + g);
    // E ξ̇ + (Ė + A) ξ = s,  E ξ̈ + (2 Ė + A) ξ̇ + (Ë + Ȧ) ξ = ṡ
    m.block(0, 0, n_, n_) = r1.E + r0.A;
    m.block(0, n_, n_, n_) = r0.E;
    m.block(n_, 0, n_, n_) = r2.E + r1.A;
    m.block(n_, n_, n_, n_) = 2 * r1.E + r0.A;
    m.block(n_, 2 * n_, n_, n_) = r0.E;
    b.head(n_) = r0.s;
    b.segment(n_, n_) = r1.s;
    int row = 2 * n_;
    for (const auto& [k, value] : given) m(row, k) = 1, b(row++) = value;

    Eigen::CompleteOrthogonalDecomposition<MatrixXd> decomposition;
    decomposition.setThreshold(1e-10);
    decomposition.compute(m);
    const VectorXd all = decomposition.solve(b);
    Solution solution{all.head(n_), all.segment(n_, n_)};
    solution.consistent = (m * all - b).norm() < 1e-9 * (1 + b.norm());
    // ξ and the rates of states must be the same for every right-hand side: their unit vectors lie in the row space
    solution.determined = true;
    const MatrixXd z = decomposition.matrixZ() * decomposition.colsPermutation().inverse();
    const MatrixXd null = z.bottomRows(3 * n_ - decomposition.rank());
    if (null.leftCols(n_).cwiseAbs().maxCoeff() > 1e-8) solution.determined = false;
    for (int k = 0; k < B_; ++k) {
      const Branch& b = c_.branches[k];
      const int rate = n_ + (b.kind == 'C' ? voltage(k) : current(k));
      const bool stores = b.kind == 'C' || b.kind == 'L' || (b.kind == 'M' && b.value.mean > 0);
      if (stores && null.col(rate).cwiseAbs().maxCoeff() > 1e-8) solution.determined = false;
    }
    return solution;
  }

  int voltage(int branch) const { return c_.nodes + branch; }
  int current(int branch) const { return c_.nodes + B_ + branch; }
  int speed(int branch) const { return speed_[branch]; }  ///< −1: no machine

 private:
  struct Rows {
    MatrixXd E, A;
    VectorXd s;
  };

  /// Derivatives of the given order of E, A and s; s holds −φ̇ of magnets, one order higher.
  Rows matrix(double t, int order) const {
    Rows r{MatrixXd::Zero(n_, n_), MatrixXd::Zero(n_, n_), VectorXd::Zero(n_)};
    const double one = order == 0 ? 1 : 0;
    std::vector<int> island(c_.nodes);
    for (int k = 0; k < c_.nodes; ++k) island[k] = k;
    for (int pass = 0; pass < c_.nodes; ++pass)
      for (const Branch& b : c_.branches) island[b.p] = island[b.n] = std::min(island[b.p], island[b.n]);
    // Kirchhoff's laws; the first node of every island has the potential zero
    for (int k = 0; k < c_.nodes; ++k) {
      if (island[k] == k) {
        r.A(k, k) = one;
        continue;
      }
      for (int b = 0; b < B_; ++b) {
        if (c_.branches[b].p == k) r.A(k, current(b)) += one;
        if (c_.branches[b].n == k) r.A(k, current(b)) -= one;
      }
    }
    for (int b = 0; b < B_; ++b) {
      const int row = c_.nodes + b;
      r.A(row, voltage(b)) = one;
      r.A(row, c_.branches[b].p) -= one;
      r.A(row, c_.branches[b].n) += one;
    }
    for (int b = 0; b < B_; ++b) add_law(r, b, t, order);
    return r;
  }

  void add_law(Rows& r, int b, double t, int order) const {
    const Branch& branch = c_.branches[b];
    const int row = c_.nodes + B_ + b, v = voltage(b), i = current(b);
    const double one = order == 0 ? 1 : 0, value = branch.value.at(t, order);
    switch (branch.kind) {
      case 'U':
        r.A(row, v) = one, r.s(row) = value;
        break;
      case 'I':
        r.A(row, i) = one, r.s(row) = value;
        break;
      case 'R':
        r.A(row, v) = one, r.A(row, i) = -value;
        break;
      case 'L':
        r.A(row, v) = -one, r.E(row, i) = value;
        if (order < 2) r.s(row) = -branch.flux.at(t, order + 1);
        break;
      case 'C':
        r.A(row, i) = -one, r.E(row, v) = value;
        break;
      case 'M':
        r.A(row, v) = -one, r.A(row, i) = one * branch.R, r.A(row, speed(b)) = one * branch.k, r.E(row, i) = value;
        r.E(speed(b), speed(b)) = one * branch.J, r.A(speed(b), i) = -one * branch.k;
        break;
      default:
        break;
    }
    for (const Mutual& m : c_.mutuals) {
      if (m.a != b && m.b != b) continue;
      const int other = m.a == b ? m.b : m.a;
      r.E(row, branch.kind == 'L' ? current(other) : voltage(other)) = m.value.at(t, order);
    }
  }

  const Circuit& c_;
  int B_, n_;
  std::vector<int> speed_;
};

std::string text_of(const Circuit& c) {
  std::string text;
  for (const Branch& b : c.branches)
    text += b.name + " " + std::to_string(b.p) + " " + std::to_string(b.n) + "  " + b.value.text("") + "\n";
  for (const Mutual& m : c.mutuals) text += c.branches[m.a].name + " ~ " + c.branches[m.b].name + "\n";
  return text;
}

struct Counts {
  int well_posed = 0, ill_posed = 0, constrained = 0;
};

/// The program's solution at random independent states against the descriptor's.
void compare(const Circuit& c, const compile::Compiled& compiled, const Descriptor& descriptor, std::mt19937& random) {
  const equations::System& s = compiled.system;
  std::map<std::string, int> index;
  for (std::size_t k = 0; k < c.branches.size(); ++k) {
    index[c.branches[k].name + ".v"] = descriptor.voltage(static_cast<int>(k));
    index[c.branches[k].name + ".i"] = descriptor.current(static_cast<int>(k));
    if (const int w = descriptor.speed(static_cast<int>(k)); w >= 0) index[c.branches[k].name + "s.phi"] = w;
  }
  equations::Evaluator evaluator(s);
  equations::Point p = s.start();
  p.t = 0.4;
  p.x.resize(s.nx()), p.xd.resize(s.nx()), p.y.resize(s.ny());
  std::map<int, double> given;
  std::normal_distribution<double> normal;
  const int first = s.nv() + s.nl();
  for (int k = 0; k < s.nv(); ++k) given[index.at(s.unknown(k).name)] = p.v[k] = normal(random);
  for (int k = 0; k < s.nx(); ++k) given[index.at(s.unknown(first + k).name)] = p.x[k] = normal(random);

  solve::Statistics statistics;
  solve::Newton newton(evaluator, {.tolerance = 1e-13}, statistics);
  solve::Rule rule;
  rule.level = equations::Level::acceleration;
  rule.x0 = p.x, rule.v0 = p.v, rule.q0 = p.q, rule.theta0.resize(s.nv());
  newton.solve(rule, p);
  std::vector<double> values(s.signals().size());
  evaluator.signals(p, values);

  const Descriptor::Solution expected = descriptor.solve(p.t, given);
  ASSERT_TRUE(expected.consistent) << "the independent states contradict each other";
  ASSERT_TRUE(expected.determined) << "the independent states do not suffice";
  const double scale = std::max(1.0, expected.xi.cwiseAbs().maxCoeff());
  for (const auto& [name, k] : index)
    if (!name.ends_with("s.phi")) {
      EXPECT_NEAR(values[static_cast<std::size_t>(s.find_signal(name))], expected.xi(k), 1e-9 * scale) << name;
    }
  for (int k = 0; k < s.nx(); ++k) {
    const std::string& name = s.unknown(first + k).name;
    const double rate = expected.rate(index.at(name));
    EXPECT_NEAR(p.xd[k], rate, 1e-9 * std::max(scale, std::abs(rate))) << name;
  }
}

/// Elements named in a refusal: "loop U1–U2 contains only …", "only current sources (I1–I2) connect …", "I1 is a …".
std::vector<int> named_elements(const Circuit& c, const std::string& line) {
  std::vector<int> found;
  for (std::size_t k = 0; k < c.branches.size(); ++k) {
    const std::string& name = c.branches[k].name;
    for (std::size_t at = line.find(name); at != std::string::npos; at = line.find(name, at + 1))
      if (!std::isdigit(static_cast<unsigned char>(line[at + name.size()]))) {
        found.push_back(static_cast<int>(k));
        break;
      }
  }
  return found;
}

/// Every line of a refusal names a closed loop of voltage sources, or a cutset of current sources.
void check_refusal(const Circuit& c, const std::string& text) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const std::vector<int> named = named_elements(c, line);
    ASSERT_FALSE(named.empty()) << line;
    const char kind = c.branches[named[0]].kind;
    ASSERT_TRUE(kind == 'U' || kind == 'I') << line;
    for (int k : named) ASSERT_EQ(c.branches[k].kind, kind) << line;
    if (kind == 'U') {
      std::map<int, int> degree;
      for (int k : named) ++degree[c.branches[k].p], ++degree[c.branches[k].n];
      for (const auto& [node, count] : degree) EXPECT_EQ(count % 2, 0) << line;
      continue;
    }
    // without the named sources their ends are apart
    std::vector<int> part(c.nodes);
    for (int k = 0; k < c.nodes; ++k) part[k] = k;
    for (int pass = 0; pass < c.nodes; ++pass)
      for (std::size_t k = 0; k < c.branches.size(); ++k)
        if (std::find(named.begin(), named.end(), static_cast<int>(k)) == named.end())
          part[c.branches[k].p] = part[c.branches[k].n] = std::min(part[c.branches[k].p], part[c.branches[k].n]);
    for (int k : named) EXPECT_NE(part[c.branches[k].p], part[c.branches[k].n]) << line;
  }
}

void check_circuit(unsigned seed, bool with_machines, const model::Registry& registry, Counts& counts) {
  const Circuit c = Maker(seed, with_machines).make();
  SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + text_of(c));
  const Descriptor descriptor(c);
  const bool well_posed = descriptor.is_well_posed();
  (well_posed ? counts.well_posed : counts.ill_posed) += 1;
  std::optional<compile::Compiled> compiled;
  std::string refusal;
  try {
    compiled = compile::compile(make_model(c), registry);
  } catch (const Error& e) {
    refusal = e.what();
  }
  ASSERT_EQ(compiled.has_value(), well_posed) << refusal;
  if (!well_posed) return check_refusal(c, refusal);
  counts.constrained += compiled->summary.circuit.constraints.empty() ? 0 : 1;
  std::mt19937 random(seed);
  compare(c, *compiled, descriptor, random);
}

TEST(RandomCircuits, AgreeWithTheDescriptorForm) {
  const model::Registry registry = domains::make_standard_registry();
  Counts counts;
  for (unsigned seed = 1; seed <= 3000; ++seed) {
    check_circuit(seed, false, registry, counts);
    if (testing::Test::HasFailure()) return;
  }
  // all kinds occur in numbers
  EXPECT_GE(counts.well_posed, 2000);
  EXPECT_GE(counts.constrained, 1000);
  EXPECT_GE(counts.ill_posed, 300);
  RecordProperty("well_posed", counts.well_posed);
  RecordProperty("constrained", counts.constrained);
  RecordProperty("ill_posed", counts.ill_posed);
}

TEST(RandomCircuits, WithMachinesAgreeWithTheDescriptorForm) {
  const model::Registry registry = domains::make_standard_registry();
  Counts counts;
  for (unsigned seed = 1; seed <= 1500; ++seed) {
    check_circuit(seed, true, registry, counts);
    if (testing::Test::HasFailure()) return;
  }
  EXPECT_GE(counts.well_posed, 1000);
  EXPECT_GE(counts.constrained, 500);
  EXPECT_GE(counts.ill_posed, 100);
}

}  // namespace
}  // namespace coenergy::tests
