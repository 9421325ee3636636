#include "coenergy/equations/state_equations.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "coenergy/equations/data.hpp"
#include "coenergy/equations/open_equations.hpp"
#include "coenergy/equations/rates.hpp"
#include "coenergy/symbolic/algebra.hpp"
#include "coenergy/symbolic/derivative.hpp"

namespace coenergy::equations {

using symbolic::Expr;

namespace {

constexpr double longest_simplified = 400, longest = 4000;  // operations, written out

/// Elimination has made the equations longer than anyone reads.
struct TooLong {};

/// Operations of an expression that is written out, with everything that it shares as often as it stands there.
double count_written(const Expr& e) {
  if (e.is_number()) return 0;
  const symbolic::Graph& graph = *e.graph();
  // of products only every other word is a node, the others are exponents
  const auto for_each_child = [&](std::uint32_t id, auto&& action) {
    const auto words = graph.arguments(id);
    const std::size_t step = graph.op(id) == symbolic::Op::product ? 2 : 1;
    for (std::size_t k = 0; k < words.size(); k += step) action(words[k]);
  };
  std::map<std::uint32_t, double> counted;
  std::vector<std::uint32_t> open{e.id()};
  while (!open.empty()) {
    const std::uint32_t id = open.back();
    open.pop_back();
    if (counted.emplace(id, 1).second) for_each_child(id, [&](std::uint32_t child) { open.push_back(child); });
  }
  // a node is made after its children: they come first in the map
  for (auto& [id, count] : counted)
    for_each_child(id, [&, &sum = count](std::uint32_t child) { sum += counted.at(child); });
  return counted.at(e.id());
}

/// The shorter of the ways to write an expression; a long one as it is.
Expr make_readable(const Expr& e) {
  const double length = count_written(e);
  if (length > longest) throw TooLong{};
  if (e.is_number() || length > longest_simplified) return e;
  const symbolic::Fraction fraction = symbolic::together(e);
  Expr best = e;
  for (const Expr& other : {symbolic::simplify(e), symbolic::simplify(fraction.numerator) / fraction.denominator,
                            symbolic::simplify(fraction.numerator) / symbolic::simplify(fraction.denominator)})
    if (to_string(other).size() < to_string(best).size()) best = other;
  return best;
}

class Elimination {
 public:
  explicit Elimination(const System::Data& data) : variables_(data.kernels.front()->set->variables) {
    const Kernel& kernel = *data.kernels.front();
    for (int k = 0; k < variables_.algebraics(); ++k) algebraic_.insert(variables_.algebraic(k).id());
    for (int k = 0; k < variables_.states(); ++k) rate_.insert(variables_.state(k).xd.id());
    for (std::size_t i = 0; i < kernel.rows.size(); ++i) {
      if (kernel.rows[i] < kernel.layout.nv() + kernel.layout.multipliers) continue;
      rows_.push_back({data.rows[kernel.rows[i]].name, put_rates(data, symbolic::unbind(kernel.row_expr[i])), {}});
      find_unknowns(rows_.back());
    }
  }

  /// Takes an algebraic variable from a sum of signals that is zero.
  void use(const System::Data& data, const Relations::value_type& relation) {
    Expr rest = 0, unknown = 0;
    for (const auto& [name, sign] : relation) {
      const int k = data.signal_index.find(data.signals, name);
      if (k < 0) return;
      const Expr value = symbolic::unbind(data.signal_values[static_cast<std::size_t>(k)]);
      if (unknown.is_zero())
        unknown = value;
      else
        rest -= sign * value;
    }
    if (!unknown.is_number() && algebraic_.count(unknown.id()) != 0) put(unknown, rest);
  }

  StateEquations run() {
    eliminate(algebraic_);
    eliminate(rate_);
    // a rate may stand in the equation of one that was solved before it
    for (std::size_t k = solved_.size(); k-- > 0;)
      for (std::size_t j = 0; j < k; ++j)
        solved_[j].second = substitute(solved_[j].second, solved_[k].first, solved_[k].second);
    StateEquations result;
    for (int k = 0; k < variables_.states(); ++k)
      for (const auto& [unknown, value] : solved_)
        if (same(unknown, variables_.state(k).xd))
          result.rates.emplace_back(to_string(variables_.state(k).x), make_readable(value));
    for (const Row& row : rows_) result.implicit.emplace_back(row.name, row.zero);
    return result;
  }

 private:
  struct Row {
    std::string name;
    Expr zero;
    std::vector<Expr> unknowns;
  };
  struct Choice {
    std::size_t row;
    Expr unknown, coefficient;
  };

  bool is_unknown(const Expr& s) const { return algebraic_.count(s.id()) != 0 || rate_.count(s.id()) != 0; }
  void find_unknowns(Row& row) const {
    row.unknowns.clear();
    if (row.zero.is_number()) return;
    for (const Expr& s : symbolic::free_symbols(std::span(&row.zero, 1)))
      if (is_unknown(s)) row.unknowns.push_back(s);
  }
  static Expr substitute(const Expr& e, const Expr& from, const Expr& to) {
    return e.is_number() ? e : symbolic::substitute(e, std::span(&from, 1), std::span(&to, 1));
  }

  /// The unknown that is easiest to solve for: by ±1, by a number, by anything without unknowns; from a short row.
  std::optional<Choice> choose(const std::set<std::uint32_t>& kind) {
    std::optional<Choice> best;
    std::tuple<int, std::size_t, std::size_t> best_rank;
    for (std::size_t r = 0; r < rows_.size(); ++r)
      for (const Expr& u : rows_[r].unknowns) {
        if (kind.count(u.id()) == 0) continue;
        const Expr c = slope(rows_[r], u);
        if (c.is_zero()) continue;
        if (!c.is_number()) {
          const std::vector<Expr> inside = symbolic::free_symbols(std::span(&c, 1));
          if (std::any_of(inside.begin(), inside.end(), [&](const Expr& s) { return is_unknown(s); })) continue;
        }
        const int how = c.is_number() ? (std::abs(c.number()) == 1 ? 0 : 1) : 2;
        const std::tuple rank(how, rows_[r].unknowns.size(), r);
        if (!best || rank < best_rank) best = Choice{r, u, c}, best_rank = rank;
      }
    return best;
  }

  Expr slope(const Row& row, const Expr& unknown) {
    const auto key = std::pair(row.zero.id(), unknown.id());
    if (const auto place = slopes_.find(key); place != slopes_.end()) return place->second;
    return slopes_[key] = symbolic::derivative(row.zero, unknown);
  }

  void eliminate(const std::set<std::uint32_t>& kind) {
    while (const std::optional<Choice> choice = choose(kind)) {
      const Expr rest = substitute(rows_[choice->row].zero, choice->unknown, 0);
      const Expr value = make_readable(-rest / choice->coefficient);
      rows_.erase(rows_.begin() + static_cast<std::ptrdiff_t>(choice->row));
      put(choice->unknown, value);
    }
  }

  /// Replaces an unknown by its value; rows that say nothing any more are dropped.
  void put(const Expr& unknown, const Expr& value) {
    solved_.emplace_back(unknown, value);
    for (Row& row : rows_) {
      if (std::none_of(row.unknowns.begin(), row.unknowns.end(), [&](const Expr& u) { return same(u, unknown); }))
        continue;
      row.zero = make_readable(substitute(row.zero, unknown, value));
      find_unknowns(row);
    }
    std::erase_if(rows_, [](const Row& row) { return row.zero.is_zero(); });
  }

  const Variables& variables_;
  std::set<std::uint32_t> algebraic_, rate_;
  std::vector<Row> rows_;
  std::vector<std::pair<Expr, Expr>> solved_;  ///< unknown, value
  std::map<std::pair<std::uint32_t, std::uint32_t>, Expr> slopes_;
};

void print(StateEquations& equations) {
  const auto add = [&](const std::string& left, const std::string& gap, const std::string& right) {
    equations.text += left + gap + right + "\n", equations.lines.push_back(left + " " + right);
  };
  for (const auto& [name, value] : equations.rates) add("der(" + name + ") =", " ", to_string(value));
  for (const auto& [name, zero] : equations.implicit) add(name + ":", "\n    ", "0 = " + to_string(zero));
}

}  // namespace

StateEquations make_state_equations(const System& system, const Relations& relations, int limit) {
  const System::Data& data = system.data();
  if (system.nx() == 0 || system.nx() + system.ny() > limit) return {};
  const OpenEquations equations(data);
  try {
    Elimination elimination(data);
    for (const auto& relation : relations) elimination.use(data, relation);
    StateEquations result = elimination.run();
    print(result);
    return result;
  } catch (const TooLong&) {
    return {};
  }
}

std::string System::equations() const {
  std::string text;
  for (const PrintedEquation& e : print_equations(*this)) text += e.row + ":\n    0 = " + e.zero + "\n";
  return text;
}

std::vector<PrintedEquation> print_equations(const System& system) {
  std::vector<PrintedEquation> printed;
  const System::Data& data = system.data();
  const OpenEquations equations(data);
  for (const Instance& instance : data.instances) {
    if (!instance.gather.empty()) continue;
    for (std::size_t r = 0; r < instance.rows.size(); ++r)
      printed.push_back({data.rows[instance.rows[r]].name, to_string(put_rates(data, instance.kernel->row_expr[r]))});
  }
  return printed;
}

}  // namespace coenergy::equations
