#pragma once
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "coenergy/symbolic/buffer.hpp"
#include "coenergy/symbolic/expr.hpp"
#include "coenergy/symbolic/node_store.hpp"
#include "coenergy/symbolic/number.hpp"

namespace coenergy::symbolic {

inline constexpr Id zero = 0, one = 1, minus_one = 2;  ///< the first nodes of every graph

/// coefficient · node, the coefficient a number node.
struct Term {
  Id coefficient, node;
};
/// base^exponent.
struct Factor {
  Id base;
  std::int32_t exponent;
};
using Terms = Buffer<Term, 32>;
using Factors = Buffer<Factor, 32>;

/// Facts about a node that constructors ask for often. Those of a sum or product spare a look at every term: a flag
/// that is not set is certain, one that is set may be a leftover of terms that cancelled (except flag_negative, and
/// flag_trig of a product).
enum NodeFlag : std::uint8_t {
  flag_exact = 1,      ///< number: a rational
  flag_negative = 2,   ///< number: below zero; sum of at most flatten_width terms: its first coefficient is
  flag_boolean = 4,    ///< the value is 0 or 1
  flag_trig = 8,       ///< product: two or more sine and cosine factors (powers counted); sum: such a term
  flag_circular = 16,  ///< sine or cosine; product: with such a base
  flag_power = 32,     ///< sqrt, exp, abs or pow, whose powers have rules; product: with such a base
  flag_nested = 64,    ///< sum with a term that is a sum; product with a base that is a product
};

/// Scratch memory of a traversal: one word per node, cleared in constant time by a new epoch.
struct Scratch {
  std::vector<Id> value;
  std::vector<std::uint32_t> mark;
  std::uint32_t epoch = 0;
};

/// Storage and constructors of a graph, in terms of node indices.
/// Stored words by kind: number {| n, d as 64-bit, or double}; symbol {| name}; sum {c0, c1, t1, …}; product {b1, n1,
/// …}; let {value | name}; functions {arguments}; table {arguments | table, dx, dy}; external {arguments | function,
/// k}. Words after the bar are not arguments.
struct Graph::Impl : NodeStore {
  explicit Impl(Graph& graph);

  bool has(Id id, NodeFlag flag) const { return (flags(id) & flag) != 0; }

  // ---- named nodes and calls (graph.cpp)
  std::string_view name(Id id) const;
  Id symbol(std::string_view name);
  Id find_symbol(std::string_view name);  ///< NodeIndex::none if there is none
  Id let(std::string_view name, Id value);
  Id table(std::uint32_t index, std::span<const Id> arguments, int dx, int dy);
  Id external(std::uint32_t index, std::span<const Id> arguments, int derivative);
  std::size_t bytes() const;

  // ---- numbers (graph.cpp): a positive number k and its negative k + 1 are made together
  bool is_number(Id id) const { return op(id) == Op::number; }
  bool is_negative(Id number) const { return has(number, flag_negative); }
  Number number(Id id) const;
  Id number(const Number& value);
  Id negate_number(Id a) const {
    if (a <= minus_one) return a == zero ? zero : one + minus_one - a;
    return is_negative(a) ? a - 1 : a + 1;
  }
  Id add_numbers(Id a, Id b) { return a == zero ? b : b == zero ? a : number(number(a) + number(b)); }
  Id multiply_numbers(Id a, Id b) {
    if (a == one) return b;
    if (b == one) return a;
    if (a == minus_one) return negate_number(b);
    if (b == minus_one) return negate_number(a);
    return number(number(a) * number(b));
  }

  // ---- sums (sum.cpp)
  /// c0 + Σ cᵢ·xᵢ in canonical form; operands that are sums are merged while the result has at most `limit` terms.
  Id linear(Id c0, std::span<const Term> operands, std::size_t limit = flatten_width);
  Id add(Id a, Id b);
  Id subtract(Id a, Id b);
  Id negate(Id a);
  Id scale(Id number, Id a);
  /// x is a negative number, or a sum whose first coefficient is negative: −x is the canonical one of the two.
  bool has_minus_sign(Id x) const { return has(x, flag_negative); }
  /// Number of terms of a sum, 1 otherwise.
  std::size_t width(Id x) const { return op(x) == Op::sum ? (count(x) - 1) / 2 : 1; }
  /// Puts c·x on a list of terms: numbers go into c0, an unscaled sum of at most `widest` terms is merged.
  void append(Terms& terms, Id& c0, Term operand, std::size_t widest);

  // ---- products (product.cpp)
  /// Π xᵢ^nᵢ in canonical form; operands that are products are merged while the result has at most `limit` factors.
  Id product(std::span<const Factor> operands, std::size_t limit = flatten_width);
  Id multiply(Id a, Id b);
  Id divide(Id a, Id b);
  Id power(Id base, int exponent);

  // ---- functions (functions.cpp, logic.cpp)
  Id function(Op op, Id x);  ///< sin … floor
  Id power(Id base, Id exponent);
  Id atan2(Id y, Id x);
  Id minimum(Op op, Id a, Id b);  ///< min, max
  Id compare(Op op, Id a, Id b);  ///< less, less_equal, equal
  Id logical(Op op, Id a, Id b);  ///< logical_and, logical_or
  Id logical_not(Id a);
  Id select(Id condition, Id if_true, Id if_false);
  /// The node with the kind and data of `id` over other arguments, by the constructors above.
  /// Sums and products give their terms and bases only: arguments[i] replaces the i-th one.
  Id rebuild(Id id, std::span<const Id> arguments);
  /// Terms of a sum, bases of a product, else the arguments: the children that are not numbers by construction.
  void children(Id id, Buffer<Id, 16>& out) const;

  // ---- text (text.cpp)
  /// Infix text, cut with an ellipsis at about `limit` characters.
  std::string text(Id id, std::size_t limit) const;

  Id id_of(const Expr& e) { return e.graph() != nullptr ? e.id() : number(Number::real(e.number())); }
  Expr expr(Id id) { return graph.at(id); }

  Graph& graph;
  std::vector<std::string> names;
  NodeIndex symbols;                                         ///< by the hash of their names
  std::unordered_map<std::string, std::uint32_t> let_names;  ///< how often a let name was asked for
  std::vector<std::shared_ptr<const Table>> tables;
  std::vector<std::shared_ptr<const External>> externals;
  std::unordered_map<const void*, std::uint32_t> table_index, external_index;
  std::vector<std::unique_ptr<Scratch>> scratch;  ///< free ones

 private:
  std::string unique_let_name(std::string_view name);
};

/// One trigonometric rewrite of a list of terms, if a rule applies (trigonometry.cpp):
///   c·R·sin²a + c·R·cos²a = c·R              c·R·cos²a − c·R·sin²a = c·R·cos 2a      2·R·sin a·cos a = R·sin 2a
///   c·R·cos a·cos b ∓ c·R·sin a·sin b = c·R·cos(a ± b)      c·R·sin a·cos b ± c·R·cos a·sin b = c·R·sin(a ± b)
/// The terms that take part are removed and the result is appended; the list is then unordered. R is any common
/// cofactor.
bool rewrite_trigonometry(Graph::Impl& g, Terms& terms, Id& c0);

}  // namespace coenergy::symbolic
