#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "coenergy/symbolic/expr.hpp"

namespace coenergy::equations {

/// The shape of an expression: its operations and numbers with the symbols left open. Expressions of equal shape differ
/// by their symbols only, as the current balances along a line of equal sections do.
class RowShape {
 public:
  explicit RowShape(const symbolic::Graph& graph) : graph_(graph) {}

  /// Reads the shape of a node. False where it has more than `most_nodes` nodes, or an operation that is not
  /// arithmetic: such expressions are better shared than repeated.
  bool read(std::uint32_t node);
  /// Equal for equal shapes.
  const std::string& key() const { return key_; }
  /// Nodes of the symbols, in an order that belongs to the shape.
  const std::vector<std::uint32_t>& symbols() const { return symbols_; }

  static constexpr std::size_t most_nodes = 48;

 private:
  int visit(std::uint32_t node);
  void write(std::uint32_t word) { key_.append(reinterpret_cast<const char*>(&word), sizeof word); }

  const symbolic::Graph& graph_;
  std::string key_;
  std::vector<std::uint32_t> symbols_;
  std::vector<std::uint32_t> visited_;  ///< the number of a node is its place
  std::vector<int> children_;           ///< of the nodes being visited
};

}  // namespace coenergy::equations
