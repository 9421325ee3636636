#pragma once
#include <string>

#include "coenergy/compile/component_equations.hpp"

namespace coenergy::compile {

/// Gives components and nodes their unknowns, with names and start values. A node's across variable is a coordinate, a
/// state or algebraic by the highest derivative of it that any component uses. The voltage of a node from which a
/// capacitor of the normal tree leads to ground is the capacitor's, and needs no unknown of its own: the law v = p − n
/// of the capacitor is then void, and the current balance of the node is the row of its state.
class UnknownMaker {
 public:
  UnknownMaker(Compilation& compilation, ErrorList& errors) : m_(compilation), errors_(errors) {}

  void add_variables();  ///< of components; finds the topology of circuits first, which decides what they are
  void add_nodes();

 private:
  double start_of(const BoundComponent& bound, int parameter, bool& given);
  int add_variable(model::VariableInfo::Kind kind, const equations::UnknownInfo& info, double start,
                   const symbolic::Expr& law = 0);
  void note_orders(int c);
  void bind_shafts();
  void bind_capacitors();
  void bind_sources();
  void find_start(NetworkNode& node);
  void take_start(NetworkNode& node, int c, int parameter, double& start, symbolic::Expr& law, std::string& giver);
  void add_node(NetworkNode& node);
  void forbid_vacuum(const NetworkNode& node);
  void name_state(const NetworkNode& node);
  static equations::SignalInfo signal_of(const NetworkNode& node, equations::SignalKind kind);

  Compilation& m_;
  ErrorList& errors_;
};

}  // namespace coenergy::compile
