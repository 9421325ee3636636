#pragma once
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "coenergy/compile/component_values.hpp"

namespace coenergy::compile {

/// A connection point of the network domains: all ports that meet there share one across variable.
struct NetworkNode {
  model::Domain domain = model::Domain::electrical;
  std::string name;                        ///< the user's label, or component.port
  bool fixed = false;                      ///< ground: across variable 0
  bool chosen = false;                     ///< a ground that the user did not state
  std::vector<std::pair<int, int>> ports;  ///< (component, port)
  int order = 0;                           ///< highest derivative of the across variable that any component uses
  bool constrained = false;                ///< takes part in a constraint
  bool named = false;                      ///< an expression uses its across variable
  int holder = -1;                         ///< component that gives its across variable; −1
  int coordinate = -1;                     ///< joint coordinate it is bound to, or its own once allocated (order 2)
  int state = -1, algebraic = -1;          ///< its unknown otherwise; the state may be that of a component
  symbolic::Expr start_law = 0, start_rate_law = 0;  ///< parameters that gave them
  double start = 0, start_rate = 0;
  bool start_given = false;
  std::string start_giver;  ///< "V1.p0"
};

/// The node of each port, [component][port]; −1: a frame port or unconnected.
class PortNodes {
 public:
  void add_component() { first_.push_back(static_cast<int>(nodes_.size())); }
  void add_port(int node) { nodes_.push_back(node); }  ///< of the component added last
  std::span<const int> operator[](std::size_t component) const {
    const std::size_t end = component + 1 < first_.size() ? first_[component + 1] : nodes_.size();
    return std::span(nodes_).subspan(first_[component], end - first_[component]);
  }

 private:
  std::vector<int> first_, nodes_;
};

/// The nodes of all network domains and which node each port lies on.
struct Network {
  std::vector<NetworkNode> nodes;
  PortNodes node_of;
  std::unordered_map<std::string, int> by_label;
};

/// Joins ports into nodes: equal labels, `component.port`, or the name of a component with one port of that domain.
/// Reports ports of different domains on one node, and unknown components. Nodes inside instances have dotted labels;
/// `scopes` knows the instances (null: there are none).
Network make_network(const BoundModel& model, const model::Scopes* scopes, ErrorList& errors);

/// Two ports of a component between which a current can flow.
struct JoinedPorts {
  int component, p, n;
};
/// Electrical islands without a ground get one: their first node. `joined` tells which ports of components are
/// connected inside them (the two sides of a transformer are not). Returns notes for the user.
std::vector<std::string> ground_islands(Network& network, const std::vector<JoinedPorts>& joined);

}  // namespace coenergy::compile
