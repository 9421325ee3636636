#pragma once
#include <string>

#include "coenergy/system/component_equations.hpp"

namespace coenergy::system {

/// Gives components and nodes their unknowns, with names and start values. A node's across variable is a coordinate, a
/// state or algebraic by the highest derivative of it that any component uses.
class UnknownMaker {
 public:
  UnknownMaker(Compilation& compilation, ErrorList& errors) : m_(compilation), errors_(errors) {}

  void add_variables();  ///< of components; finds the topology of circuits first, which decides what they are
  void add_nodes();

 private:
  double start_of(const BoundComponent& bound, int parameter, bool& given);
  int add_variable(model::VariableInfo::Kind kind, const UnknownInfo& info, double start);
  void note_orders(int c);
  void bind_shafts();
  void find_start(NetworkNode& node);
  void take_start(NetworkNode& node, int c, int parameter, double& start, std::string& giver);
  void add_node(NetworkNode& node);
  static const char* balance_name(model::Domain domain);

  Compilation& m_;
  ErrorList& errors_;
};

}  // namespace coenergy::system
