#pragma once
#include <bit>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "coenergy/symbolic/table.hpp"

namespace coenergy::symbolic {

/// Closed list of node kinds. Everything the engine does is a function of these.
///
/// Canonical form (holds for every node of a graph):
///  - `sum`      c0 + Σ cᵢ·tᵢ   numbers cᵢ ≠ 0, terms tᵢ distinct, ordered by node index, not numbers;
///               terms that are sums
///               themselves are merged while all fit (see Graph::flatten_width); a sum with c0 = 0 and one term is a
///               scaled term c·t, c ≠ 1; a coefficient common to all terms is pulled out: 2a + 2b is 2·(a + b).
///               A sum that is a term, a factor or the argument of an odd or even function has a positive first
///               coefficient.
///  - `product`  Π bᵢ^nᵢ        integers nᵢ ≠ 0, bases distinct, ordered; no numeric coefficient (it belongs to
///               the sum around it).
///  - functions have canonical arguments: sin(−x) is −sin(x), cos(−x) is cos(x), …
/// Equal expressions are the same node.
enum class Op : std::uint8_t {
  number,  ///< exact rational or double
  symbol,  ///< named input
  sum,
  product,
  let,  ///< named auxiliary variable: opaque to simplification, transparent to values and derivatives
  sin,
  cos,
  tan,
  asin,
  acos,
  atan,
  sinh,
  cosh,
  tanh,
  exp,
  log,
  sqrt,
  abs,
  sign,
  floor,
  atan2,  ///< atan2(y, x)
  pow,    ///< pow(a, b), b not a small integer or half-integer constant
  min,
  max,
  less,  ///< 1 where a < b, else 0
  less_equal,
  equal,
  logical_and,
  logical_or,
  logical_not,
  select,    ///< select(c, a, b): a where c ≠ 0, else b; both are evaluated
  table,     ///< table look-up or its derivative
  external,  ///< call of a C function or of its derivative
};

class Graph;

/// A cheap handle (8 bytes) to a node of a Graph, or a plain number that belongs to no graph yet.
/// Operators simplify on construction; mixing two graphs is a bug and asserts.
///
/// A number is kept as it is. A node is a NaN that no arithmetic gives: its low bits are the number of its graph (from
/// 1) and the index of the node in it. Half the size of a pointer and an index: large models hold millions of handles.
class Expr {
 public:
  Expr() = default;
  Expr(double value) : bits_(value == value ? std::bit_cast<std::uint64_t>(value) : nan) {}  // NOLINT: numbers are
  Expr(int value) : Expr(static_cast<double>(value)) {}                                      // NOLINT: expressions

  Graph* graph() const { return is_node() ? graphs[(bits_ - nan) >> 32] : nullptr; }
  /// Index of the node in its graph (index order is topological order). Only for expressions that belong to a graph.
  std::uint32_t id() const { return static_cast<std::uint32_t>(bits_); }

  bool is_number() const;
  bool is_zero() const;
  bool is_one() const;
  /// The value of a number; asserts is_number().
  double number() const;
  Op op() const;

  /// Same node, or the same number.
  friend bool same(const Expr& a, const Expr& b);

 private:
  friend class Graph;
  static constexpr std::uint64_t nan = 0xFFF8'0000'0000'0000, first_node = nan + (std::uint64_t{1} << 32);
  static constexpr std::size_t max_graphs = 1 << 16;
  static inline Graph* graphs[max_graphs] = {};  ///< those alive, by number

  Expr(std::uint32_t graph, std::uint32_t id) : bits_(nan + (std::uint64_t{graph} << 32) + id) {}
  bool is_node() const { return bits_ >= first_node; }
  double value() const { return std::bit_cast<double>(bits_); }
  std::uint64_t bits_ = 0;
};
static_assert(sizeof(Expr) == 8);

Expr operator+(const Expr& a, const Expr& b);
Expr operator-(const Expr& a, const Expr& b);
Expr operator*(const Expr& a, const Expr& b);
Expr operator/(const Expr& a, const Expr& b);
Expr operator-(const Expr& a);
inline Expr& operator+=(Expr& a, const Expr& b) { return a = a + b; }
inline Expr& operator-=(Expr& a, const Expr& b) { return a = a - b; }
inline Expr& operator*=(Expr& a, const Expr& b) { return a = a * b; }
inline Expr& operator/=(Expr& a, const Expr& b) { return a = a / b; }

Expr pow(const Expr& base, int exponent);
Expr pow(const Expr& base, const Expr& exponent);
/// Else a number would become an int, without its fraction.
inline Expr pow(const Expr& base, double exponent) { return pow(base, Expr(exponent)); }
Expr sin(const Expr& x);
Expr cos(const Expr& x);
Expr tan(const Expr& x);
Expr asin(const Expr& x);
Expr acos(const Expr& x);
Expr atan(const Expr& x);
Expr sinh(const Expr& x);
Expr cosh(const Expr& x);
Expr tanh(const Expr& x);
Expr exp(const Expr& x);
Expr log(const Expr& x);
Expr sqrt(const Expr& x);
Expr abs(const Expr& x);
Expr sign(const Expr& x);
Expr floor(const Expr& x);
Expr atan2(const Expr& y, const Expr& x);
Expr min(const Expr& a, const Expr& b);
Expr max(const Expr& a, const Expr& b);
Expr less(const Expr& a, const Expr& b);
Expr less_equal(const Expr& a, const Expr& b);
Expr equal(const Expr& a, const Expr& b);
Expr logical_and(const Expr& a, const Expr& b);
Expr logical_or(const Expr& a, const Expr& b);
Expr logical_not(const Expr& a);
Expr select(const Expr& condition, const Expr& if_true, const Expr& if_false);
/// n-ary sum without a width limit.
Expr sum(std::span<const Expr> terms);

/// A C function callable from programs. `derivative(x, k)`, where given, is ∂f/∂xₖ with the same arguments; without it the
/// derivative is a central difference, computed in the program.
struct External {
  std::string name;
  int arity = 0;
  double (*value)(const double* x) = nullptr;
  double (*derivative)(const double* x, int k) = nullptr;
  bool is_local = false;  ///< its arguments hold an address of this process: no other program can call it
};

/// Arena of hash-consed nodes. Not thread-safe; one graph belongs to one derivation.
/// Node indices grow with construction, so index order is topological order, and output is deterministic from run to
/// run.
class Graph {
 public:
  Graph();
  ~Graph();
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  Expr symbol(std::string_view name);                    ///< the same name gives the same symbol
  Expr find_symbol(std::string_view name) const;         ///< the number 0 without a graph if there is none
  std::uint32_t symbol_index(const Expr& symbol) const;  ///< small, for tables by symbol
  Expr rational(std::int64_t numerator, std::int64_t denominator);
  Expr constant(double value);  ///< a number as a node of this graph
  /// Binds an expression to an auxiliary variable, so that what is built on it does not see inside.
  /// A number, symbol, bound variable, or the negative of one stays transparent (the expression itself is returned).
  /// The same value gives the same binding; a name already used for another value gets a suffix (v, v_2, v_3).
  Expr let(std::string_view name, const Expr& value);
  Expr table(std::shared_ptr<const Table> table, const Expr& x, const Expr& y = 0);
  Expr external(std::shared_ptr<const External> function, std::span<const Expr> arguments);

  std::size_t size() const;   ///< number of nodes
  std::size_t bytes() const;  ///< memory held

  /// Sums and products merge an operand of the same kind only while the result has at most this many terms: wider ones
  /// stay shared nodes, so building stays linear.
  static constexpr int flatten_width = 7;

  // ---- read access for traversals (arguments are node indices)
  Op op(std::uint32_t id) const;
  std::string_view name(std::uint32_t id) const;  ///< of a symbol or let
  double number(std::uint32_t id) const;
  bool exact(std::uint32_t id, std::int64_t& numerator, std::int64_t& denominator) const;  ///< false for doubles
  /// Children. sum: c0, c1, t1, c2, t2 … (node indices; the cᵢ are numbers). product: b1, n1, b2, n2 … (nᵢ are int32
  /// stored in the word). let: the value. functions: the arguments. table and external: the arguments.
  std::span<const std::uint32_t> arguments(std::uint32_t id) const;
  Expr at(std::uint32_t id) { return Expr(number_, id); }
  const std::shared_ptr<const Table>& table_of(std::uint32_t id) const;
  int table_derivative(std::uint32_t id, int axis) const;  ///< order of differentiation along an axis
  const std::shared_ptr<const External>& external_of(std::uint32_t id) const;
  int external_derivative(std::uint32_t id) const;  ///< −1: the value; k: ∂/∂xₖ

  struct Impl;
  Impl& impl() { return *impl_; }
  const Impl& impl() const { return *impl_; }

 private:
  std::unique_ptr<Impl> impl_;
  std::uint32_t number_;  ///< of this graph among those alive
};

/// Readable text of an expression (infix; let shows its name). Deterministic.
std::string to_string(const Expr& e);

}  // namespace coenergy::symbolic
