#pragma once
#include <string>
#include <unordered_map>
#include <vector>

#include "coenergy/system/component_values.hpp"

namespace coenergy::system {

/// A connection point of the network domains: all ports that meet there share one across variable.
struct NetworkNode {
  model::Domain domain = model::Domain::electrical;
  std::string name;                        ///< the user's label, or component.port
  bool fixed = false;                      ///< ground: across variable 0
  std::vector<std::pair<int, int>> ports;  ///< (component, port)
  int order = 0;                           ///< highest derivative of the across variable that any component uses
  bool constrained = false;                ///< takes part in a constraint
  int coordinate = -1;                     ///< joint coordinate it is bound to, or its own once allocated (order 2)
  int state = -1, algebraic = -1;          ///< its unknown otherwise
  double start = 0, start_rate = 0;
  bool start_given = false;
};

/// The nodes of all network domains and which node each port lies on.
struct Network {
  std::vector<NetworkNode> nodes;
  std::vector<std::vector<int>> node_of;  ///< [component][port]; −1: a frame port or unconnected
  std::unordered_map<std::string, int> by_label;
};

/// Joins ports into nodes: equal labels, `component.port`, or the name of a component with one port of that domain.
/// Reports ports of different domains on one node, and unknown components.
Network make_network(const model::Model& model, const std::vector<BoundComponent>& components, ErrorList& errors);

/// Pairs of ports of one component between which a current can flow.
using PortPairs = std::vector<std::pair<int, int>>;
/// Electrical islands without a ground get one: their first node. `joined` tells which ports of a component are
/// connected inside it (the two sides of a transformer are not). Returns notes for the user.
std::vector<std::string> ground_islands(Network& network, const std::vector<BoundComponent>& components,
                                        const std::vector<PortPairs>& joined);

}  // namespace coenergy::system
