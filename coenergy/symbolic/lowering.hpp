#pragma once
#include <bit>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "coenergy/symbolic/program.hpp"

namespace coenergy::symbolic::lowering {

/// A node of a Dag or its negative: 2·node + (1 if negative). Negation costs nothing until somebody needs the value
/// itself.
using Ref = std::uint32_t;
inline std::uint32_t node_of(Ref r) { return r >> 1; }
inline bool is_negative(Ref r) { return (r & 1) != 0; }
inline Ref negate(Ref r) { return r ^ 1; }
inline Ref with_sign(Ref r, bool negative) { return r ^ static_cast<Ref>(negative); }

enum class Kind : std::uint8_t {
  input,       ///< data: index
  constant,    ///< value ≥ 0
  sum,         ///< Σ ±children
  product,     ///< Π children, all positive; at most one is a reciprocal
  reciprocal,  ///< 1/child
  power,       ///< child^data, data ≥ 4
  function,    ///< code of the children
  call,        ///< data: index into calls
};

/// Between the expression graph and a program: the nodes the outputs need, without let, with numbers as ordinary
/// factors and signs on the edges, so that factors and terms can be regrouped. Equal nodes are the same node.
class Dag {
 public:
  struct Node {
    Kind kind = Kind::constant;
    Program::Code code = Program::Code::constant;
    std::uint32_t label = 0;             ///< see label_text, 0: none
    std::uint32_t first = 0, count = 0;  ///< children in `links`
    std::uint64_t data = 0;              ///< of a constant, the bits of its value
    double value() const { return std::bit_cast<double>(data); }
  };

  Ref input(std::uint32_t index);
  Ref constant(double value);
  Ref sum(std::vector<Ref> terms);
  Ref product(std::vector<Ref> factors);
  Ref reciprocal(Ref x);
  Ref power(Ref x, std::uint32_t exponent);
  Ref function(Program::Code code, std::span<const Ref> arguments);
  Ref call(std::uint32_t index, std::span<const Ref> arguments);
  /// c·x with a number c.
  Ref scale(double c, Ref x);

  const Node& operator[](std::uint32_t node) const { return nodes_[node]; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(nodes_.size()); }
  std::span<const Ref> children(std::uint32_t node) const {
    return {links_.data() + nodes_[node].first, nodes_[node].count};
  }
  /// Replaces the children of a sum or product by others of the same total, not more in number.
  void set_children(std::uint32_t node, std::span<const Ref> children);
  /// Names a node after a let binding; the first name stays.
  void label(Ref r, std::string_view name);
  std::string_view label_text(std::uint32_t label) const { return labels_[label - 1]; }
  /// Makes room for so many nodes.
  void reserve(std::size_t nodes);

  std::vector<Ref> outputs;

 private:
  Ref intern(Node node, std::span<const Ref> children);
  void grow();
  std::vector<Node> nodes_;
  std::vector<Ref> links_;
  std::vector<std::uint32_t> hash_;       ///< of every node
  std::vector<std::uint32_t> table_;      ///< open addressing: node + 1, 0 is free
  std::vector<std::string_view> labels_;  ///< of nodes that have one, by Node::label
};

/// Nodes needed by the outputs, children before parents, in the order of a depth-first walk.
std::vector<std::uint32_t> needed_nodes(const Dag& dag);
/// The same nodes in any order, which is found faster.
std::vector<std::uint32_t> needed_nodes_unordered(const Dag& dag);
/// How often each node is used: by a child link or an output. Zero for nodes that are not needed.
std::vector<std::uint32_t> count_uses(const Dag& dag, std::span<const std::uint32_t> needed);

/// Operations of all sums, products, powers and divisions that the outputs need; a division counts as four.
double cost(const Dag& dag);

/// Distributive law backwards: terms x·a + x·b of a sum, where the products have no other use, become x·(a + b).
/// False where there was none.
bool factor_sums(Dag& dag);
/// Pairs of terms (or of factors) that several sums (or products) have in common become nodes of their own.
void share_pairs(Dag& dag);
/// Straight-line code of a Dag, sines and cosines in batches, in an order that keeps few values alive. Fills code,
/// constants, result, label of a program that has inputs, outputs and calls.
void schedule(const Dag& dag, Program& program);
/// Puts the instructions of a program in an order that keeps few values alive at once. Where that leaves a choice, the
/// instruction of lower rank goes first. Returns the old place of every instruction.
std::vector<std::uint32_t> reorder(Program& program, std::span<const std::uint32_t> rank);

}  // namespace coenergy::symbolic::lowering
