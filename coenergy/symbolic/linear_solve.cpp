#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cmath>
#include <numeric>
#include <string>
#include <tuple>

#include "coenergy/base/error.hpp"
#include "coenergy/symbolic/algebra.hpp"
#include "coenergy/symbolic/probe.hpp"
#include "coenergy/symbolic/traverse.hpp"

namespace coenergy::symbolic {

namespace {

using Impl = Graph::Impl;

// below this part of the operands' size a difference at the probe point is round-off of a zero
constexpr double round_off = 1e-9;

struct Entry {
  Id node = zero;
  double value = 0;  // at the probe point
};

// Elimination on [A | B]; the pivots of the steps are rows[k], columns[k].
class Elimination {
 public:
  Elimination(Impl& g, std::span<const Id> a, std::span<const Id> b, std::size_t n)
      : g_(g), n_(n), right_(b.size() / n), width_(n + right_), entries_(n * width_) {
    std::vector<Id> all;
    for (std::size_t i = 0; i < n; ++i) {
      all.insert(all.end(), a.begin() + static_cast<long>(i * n), a.begin() + static_cast<long>((i + 1) * n));
      all.insert(all.end(), b.begin() + static_cast<long>(i * right_), b.begin() + static_cast<long>((i + 1) * right_));
    }
    const std::vector<double> values = probe(g, all);
    for (std::size_t i = 0; i < all.size(); ++i)
      entries_[i] = is_hidden_zero(all[i], values[i]) ? Entry{} : Entry{all[i], values[i]};
    rows_.resize(n), columns_.resize(n);
    std::iota(rows_.begin(), rows_.end(), 0);
    std::iota(columns_.begin(), columns_.end(), 0);
  }

  std::vector<Id> solve() {
    for (std::size_t k = 0; k < n_; ++k) {
      choose_pivot(k);
      for (std::size_t r = k + 1; r < n_; ++r) eliminate(k, rows_[r]);
    }
    return substitute_back();
  }

 private:
  // a given entry that only expansion shows to be zero
  bool is_hidden_zero(Id x, double value) const {
    constexpr double suspicious = 1e-10;
    return x != zero && std::abs(value) < suspicious && expand(g_.expr(x), true).is_zero();
  }

  Entry& at(std::size_t row, std::size_t column) { return entries_[row * width_ + column]; }

  // 0: ±1, 1: other numbers, 2: variables, 3: the rest
  int rank_of(Id x) const {
    if (x == one || x == minus_one) return 0;
    if (g_.is_number(x)) return 1;
    return g_.op(x) == Op::symbol || g_.op(x) == Op::let ? 2 : 3;
  }

  // the simplest entry, and among those the one that fills in least (Markowitz)
  void choose_pivot(std::size_t k) {
    std::vector<std::size_t> in_row(n_, 0), in_column(n_, 0);
    for (std::size_t r = k; r < n_; ++r)
      for (std::size_t c = k; c < n_; ++c)
        if (at(rows_[r], columns_[c]).node != zero) ++in_row[r], ++in_column[c];
    using Key = std::tuple<int, std::size_t, std::size_t, std::size_t, std::size_t>;
    const std::size_t none = n_;
    Key best{9, 0, 0, none, none};
    for (std::size_t r = k; r < n_; ++r)
      for (std::size_t c = k; c < n_; ++c) {
        const Id x = at(rows_[r], columns_[c]).node;
        if (x == zero) continue;
        const std::size_t size = rank_of(x) < 3 ? 0 : g_.count(x);
        best = std::min(best, Key{rank_of(x), size, (in_row[r] - 1) * (in_column[c] - 1), r, c});
      }
    const auto [rank, size, fill, row, column] = best;
    if (row == none)
      throw Error("linear system: row " + std::to_string(rows_[k] + 1) + " of " + std::to_string(n_) +
                  " depends on the others; the matrix is structurally singular");
    std::swap(rows_[k], rows_[row]);
    std::swap(columns_[k], columns_[column]);
  }

  // row −= (row[pivot]/pivot)·pivot row
  void eliminate(std::size_t k, std::size_t row) {
    const std::size_t pivot_row = rows_[k], column = columns_[k];
    const Entry pivot = at(pivot_row, column), below = at(row, column);
    if (below.node == zero) return;
    const Id factor = g_.let(name("f", row, column), g_.divide(below.node, pivot.node));
    const double f = below.value / pivot.value;
    at(row, column) = {};
    for (std::size_t c = 0; c < width_; ++c) {
      const bool active =
          c >= n_ || std::find(columns_.begin() + static_cast<long>(k) + 1, columns_.end(), c) != columns_.end();
      const Entry above = at(pivot_row, c);
      if (!active || above.node == zero) continue;
      Entry& e = at(row, c);
      const double size = std::abs(e.value) + std::abs(f * above.value);
      e.value -= f * above.value;
      const Id difference = g_.subtract(e.node, g_.multiply(factor, above.node));
      const bool vanishes = std::abs(e.value) <= round_off * size;
      e = vanishes ? Entry{} : Entry{g_.let(name(c < n_ ? "m" : "r", row, c < n_ ? c : c - n_), difference), e.value};
    }
  }

  std::vector<Id> substitute_back() {
    std::vector<Id> x(n_ * right_, zero);
    for (std::size_t b = 0; b < right_; ++b)
      for (std::size_t k = n_; k-- > 0;) {
        Terms terms;
        terms.push_back({one, at(rows_[k], n_ + b).node});
        for (std::size_t l = k + 1; l < n_; ++l)
          terms.push_back({minus_one, g_.multiply(at(rows_[k], columns_[l]).node, x[columns_[l] * right_ + b])});
        const Id numerator = g_.linear(zero, {terms.data(), terms.size()});
        const Id value = g_.divide(numerator, at(rows_[k], columns_[k]).node);
        x[columns_[k] * right_ + b] = g_.let(name("x", columns_[k], b), value);
      }
    return x;
  }

  std::string name(const char* kind, std::size_t i, std::size_t j) const {
    return std::string(kind) + "_" + std::to_string(i + 1) + "_" + std::to_string(j + 1);
  }

  Impl& g_;
  std::size_t n_, right_, width_;
  std::vector<Entry> entries_;
  std::vector<std::size_t> rows_, columns_;
};

Graph* check_system(std::span<const Expr> a, std::span<const Expr> b, int n, std::size_t right) {
  assert(n >= 0 && a.size() == static_cast<std::size_t>(n) * static_cast<std::size_t>(n));
  assert(b.size() == static_cast<std::size_t>(n) * right);
  (void)right;
  return graph_of({a, b});
}

std::vector<Expr> solve(Impl& g, std::span<const Expr> a, std::span<const Expr> b, std::size_t n) {
  return exprs_of(g, Elimination(g, ids_of(g, a), ids_of(g, b), n).solve());
}

// numbers of no graph: solved in a graph of constants
std::vector<Expr> solve_numbers(std::span<const Expr> a, std::span<const Expr> b, std::size_t n) {
  Graph constants;
  std::vector<Expr> result;
  for (const Expr& x : solve(constants.impl(), a, b, n)) result.emplace_back(x.number());
  return result;
}

}  // namespace

std::vector<Expr> solve_linear(std::span<const Expr> a, std::span<const Expr> b, int n) {
  Graph* graph = check_system(a, b, n, 1);
  if (n == 0) return {};
  return graph == nullptr ? solve_numbers(a, b, static_cast<std::size_t>(n))
                          : solve(graph->impl(), a, b, static_cast<std::size_t>(n));
}

namespace {

// the adjugate over the determinant: one division, none where the determinant is a number
std::vector<Expr> inverse_by_adjugate(std::span<const Expr> a, int n) {
  const Expr det = determinant(a, n);
  if (det.is_zero()) throw Error("matrix inverse: the matrix is structurally singular (its determinant is 0)");
  Graph* g = det.graph();
  const Expr divisor = g != nullptr && det.op() == Op::sum ? g->let("det", det) : det;
  const auto entry = [&](int i, int j) { return a[static_cast<std::size_t>(i * n + j)]; };
  if (n == 1) return {1 / divisor};
  if (n == 2) return {entry(1, 1) / divisor, -entry(0, 1) / divisor, -entry(1, 0) / divisor, entry(0, 0) / divisor};
  std::vector<Expr> result;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      // cofactor of (j, i): cyclic indices carry the sign
      const int r0 = (j + 1) % 3, r1 = (j + 2) % 3, c0 = (i + 1) % 3, c1 = (i + 2) % 3;
      result.push_back((entry(r0, c0) * entry(r1, c1) - entry(r0, c1) * entry(r1, c0)) / divisor);
    }
  return result;
}

}  // namespace

std::vector<Expr> inverse(std::span<const Expr> a, int n) {
  if (n == 0) return {};
  if (n <= 3) return inverse_by_adjugate(a, n);
  std::vector<Expr> identity(a.size(), Expr(0));
  for (int i = 0; i < n; ++i) identity[static_cast<std::size_t>(i * n + i)] = 1;
  Graph* graph = check_system(a, identity, n, static_cast<std::size_t>(n));
  return graph == nullptr ? solve_numbers(a, identity, static_cast<std::size_t>(n))
                          : solve(graph->impl(), a, identity, static_cast<std::size_t>(n));
}

Expr determinant(std::span<const Expr> a, int n) {
  assert(n >= 0 && n <= 16 && a.size() == static_cast<std::size_t>(n) * static_cast<std::size_t>(n));
  // minor[S] of the last |S| rows and the columns S, without division; each is made once
  const std::size_t sets = std::size_t{1} << n;
  std::vector<Expr> minor(sets, Expr(0));
  minor[0] = 1;
  for (std::size_t s = 1; s < sets; ++s) {
    const int row = n - std::popcount(s);
    std::vector<Expr> terms;
    int sign = 1;
    for (int c = 0; c < n; ++c) {
      if ((s >> c & 1) == 0) continue;
      const Expr term = a[static_cast<std::size_t>(row * n + c)] * minor[s & ~(std::size_t{1} << c)];
      if (!term.is_zero()) terms.push_back(sign * term);
      sign = -sign;
    }
    minor[s] = sum(terms);
  }
  return minor[sets - 1];
}

}  // namespace coenergy::symbolic
