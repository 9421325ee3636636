#include "coenergy/system/nodes.hpp"

#include <algorithm>
#include <numeric>
#include <set>

#include "coenergy/base/names.hpp"

namespace coenergy::system {

using model::Domain;

namespace {

/// Disjoint sets with path halving.
class Sets {
 public:
  int add() {
    parent_.push_back(static_cast<int>(parent_.size()));
    return parent_.back();
  }
  int find(int i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void join(int a, int b) { parent_[std::max(find(a), find(b))] = std::min(find(a), find(b)); }

 private:
  std::vector<int> parent_;
};

bool is_ground_label(Domain domain, const std::string& label) {
  if (domain == Domain::electrical) return label == "gnd" || label == "ground" || label == "0";
  return (domain == Domain::rotational || domain == Domain::translational) && label == "ground";
}

class NetworkMaker {
 public:
  NetworkMaker(const model::Model& model, const std::vector<BoundComponent>& components, ErrorList& errors)
      : components_(components), errors_(errors) {
    for (const model::Component& component : model.components) all_names_.insert(component.name);
    for (std::size_t c = 0; c < components.size(); ++c) index_[components[c].name()] = static_cast<int>(c);
  }

  Network make() {
    // one element per port
    for (const BoundComponent& c : components_) {
      port_id_.emplace_back();
      for (std::size_t p = 0; p < c.type->description.ports.size(); ++p) port_id_.back().push_back(sets_.add());
    }
    for (std::size_t c = 0; c < components_.size(); ++c)
      for (std::size_t p = 0; p < port_id_[c].size(); ++p) connect(static_cast<int>(c), static_cast<int>(p));
    return collect();
  }

 private:
  const model::PortInfo& info(int c, int p) const { return components_[c].type->description.ports[p]; }

  void connect(int c, int p) {
    const auto& value = components_[c].connections[p];
    const Domain domain = info(c, p).domain;
    if (!value || domain == Domain::frame) return;
    const std::string& text = value->text;
    const std::size_t dot = text.find('.');
    if (dot != std::string::npos) return connect_to_port(c, p, text.substr(0, dot), text.substr(dot + 1));
    if (!is_ground_label(domain, text) && index_.count(text) != 0) return connect_to_component(c, p, index_.at(text));
    if (check_label(c, p)) connect_to_label(c, p, text);
  }

  /// A label becomes part of signal names.
  bool check_label(int c, int p) {
    const auto& value = *components_[c].connections[p];
    const Domain domain = info(c, p).domain;
    // its type is unknown, which has been reported
    if (!is_ground_label(domain, value.text) && all_names_.count(value.text) != 0) return false;
    if (!is_identifier("_" + value.text)) {
      errors_.add(value.where, full_name(c, p) + ": node name \"" + value.text + "\" must be letters, digits and _");
      return false;
    }
    if (domain != Domain::hydraulic || (value.text != "ground" && value.text != "gnd")) return true;
    errors_.add(value.where,
                full_name(c, p) + ": hydraulic nodes have no " + value.text + "; connect a hydraulic.Tank to the node");
    return false;
  }

  void connect_to_label(int c, int p, const std::string& label) {
    const Domain domain = info(c, p).domain;
    auto [place, inserted] = labels_.try_emplace(label, Label{sets_.add(), domain, c, p});
    Label& known = place->second;
    if (!inserted && known.domain != domain && !is_ground_label(domain, label))
      return mismatch(c, p, known.component, known.port);
    if (known.domain != domain) {
      // the word ground names the fixed node of every domain
      auto [other, fresh] = labels_.try_emplace(label + "@" + to_string(domain), Label{0, domain, c, p});
      if (fresh) other->second.id = sets_.add();
      sets_.join(port_id_[c][p], other->second.id);
      return;
    }
    sets_.join(port_id_[c][p], known.id);
  }

  void connect_to_port(int c, int p, const std::string& owner, const std::string& port) {
    const auto& value = *components_[c].connections[p];
    auto place = index_.find(owner);
    // a component of unknown type has been reported
    if (place == index_.end() && all_names_.count(owner) != 0) return;
    if (place == index_.end()) {
      errors_.add(value.where,
                  full_name(c, p) + ": there is no component \"" + owner + "\"" + did_you_mean(owner, names()));
      return;
    }
    const auto& ports = components_[place->second].type->description.ports;
    std::vector<std::string> known;
    for (std::size_t k = 0; k < ports.size(); ++k) {
      known.push_back(ports[k].name);
      if (ports[k].name != port) continue;
      if (ports[k].domain != info(c, p).domain) return mismatch(c, p, place->second, static_cast<int>(k));
      if (place->second == c && static_cast<int>(k) == p) {
        errors_.add(value.where, full_name(c, p) + " is connected to itself; name another port or a node");
        return;
      }
      sets_.join(port_id_[c][p], port_id_[place->second][k]);
      return;
    }
    errors_.add(value.where,
                full_name(c, p) + ": " + owner + " has no port \"" + port + "\"" +
                    (suggest(port, known).empty() ? "; it has " + join(known) : did_you_mean(port, known)));
  }

  void connect_to_component(int c, int p, int other) {
    const auto& ports = components_[other].type->description.ports;
    const Domain domain = info(c, p).domain;
    int found = -1, count = 0;
    for (std::size_t k = 0; k < ports.size(); ++k) {
      if (ports[k].domain != domain) continue;
      found = static_cast<int>(k);
      ++count;
    }
    const auto& value = *components_[c].connections[p];
    if (count == 0) {
      errors_.add(value.where, "cannot connect " + full_name(c, p) + " (" + to_string(domain) + ") to " +
                                   components_[other].name() + ", which has no " + to_string(domain) + " port");
    } else if (count > 1) {
      errors_.add(value.where, full_name(c, p) + ": " + components_[other].name() + " has several " +
                                   to_string(domain) + " ports; write " + components_[other].name() + "." +
                                   ports[found].name + " or another");
    } else if (other == c && found == p) {
      errors_.add(value.where, full_name(c, p) + " is connected to itself; name another port or a node");
    } else {
      sets_.join(port_id_[c][p], port_id_[other][found]);
    }
  }

  void mismatch(int c, int p, int c2, int p2) {
    errors_.add(components_[c].connections[p]->where, "cannot connect " + full_name(c, p) + " (" +
                                                          to_string(info(c, p).domain) + ") to " + full_name(c2, p2) +
                                                          " (" + to_string(info(c2, p2).domain) + ")");
  }

  static std::string join(const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& n : names) text += (text.empty() ? "" : ", ") + n;
    return text.empty() ? "none" : text;
  }

  std::string full_name(int c, int p) const { return components_[c].name() + "." + info(c, p).name; }
  std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (const BoundComponent& c : components_) all.push_back(c.name());
    return all;
  }

  /// Which ports are connected by their own value or because another names them.
  Network collect() {
    Network network;
    std::map<int, int> size, node_of_set;
    std::map<int, std::string> label_of;
    std::map<int, bool> ground;
    for (const auto& [label, entry] : labels_) {
      const std::string plain = label.substr(0, label.find('@'));
      const int root = sets_.find(entry.id);
      if (is_ground_label(entry.domain, plain)) ground[root] = true;
      if (label_of[root].empty() || ground[root]) label_of[root] = plain;
    }
    for (std::size_t c = 0; c < components_.size(); ++c)
      for (int id : port_id_[c]) ++size[sets_.find(id)];
    network.node_of.resize(components_.size());
    for (std::size_t c = 0; c < components_.size(); ++c) {
      for (std::size_t p = 0; p < port_id_[c].size(); ++p) {
        const int root = sets_.find(port_id_[c][p]);
        const bool used = components_[c].connections[p] || size[root] > 1;
        if (info(c, p).domain == Domain::frame || !used) {
          network.node_of[c].push_back(-1);
          continue;
        }
        auto [place, inserted] = node_of_set.try_emplace(root, static_cast<int>(network.nodes.size()));
        if (inserted) {
          NetworkNode node;
          node.domain = info(c, p).domain;
          node.fixed = ground.count(root) != 0;
          node.name = label_of.count(root) != 0 ? label_of[root] : full_name(c, p);
          if (label_of.count(root) != 0) network.by_label.emplace(label_of[root], place->second);
          network.nodes.push_back(node);
        }
        network.nodes[place->second].ports.emplace_back(static_cast<int>(c), static_cast<int>(p));
        network.node_of[c].push_back(place->second);
      }
    }
    return network;
  }

  struct Label {
    int id;
    Domain domain;
    int component, port;
  };
  const std::vector<BoundComponent>& components_;
  ErrorList& errors_;
  std::set<std::string> all_names_;  ///< also of components whose type is unknown
  std::map<std::string, int> index_;
  std::map<std::string, Label> labels_;
  std::vector<std::vector<int>> port_id_;
  Sets sets_;
};

}  // namespace

Network make_network(const model::Model& model, const std::vector<BoundComponent>& components, ErrorList& errors) {
  return NetworkMaker(model, components, errors).make();
}

std::vector<std::string> ground_islands(Network& network, const std::vector<BoundComponent>& components,
                                        const std::vector<PortPairs>& joined) {
  Sets sets;
  for (std::size_t k = 0; k < network.nodes.size(); ++k) sets.add();
  for (std::size_t c = 0; c < components.size(); ++c) {
    for (const auto& [p, n] : joined[c]) {
      const int a = network.node_of[c][p], b = network.node_of[c][n];
      if (a >= 0 && b >= 0) sets.join(a, b);
    }
  }
  std::map<int, bool> grounded;
  auto is_electrical = [&](std::size_t k) { return network.nodes[k].domain == Domain::electrical; };
  for (std::size_t k = 0; k < network.nodes.size(); ++k)
    if (is_electrical(k) && network.nodes[k].fixed) grounded[sets.find(static_cast<int>(k))] = true;
  std::vector<std::string> notes;
  for (std::size_t k = 0; k < network.nodes.size(); ++k) {
    if (!is_electrical(k) || grounded[sets.find(static_cast<int>(k))]) continue;
    network.nodes[k].fixed = true;
    grounded[sets.find(static_cast<int>(k))] = true;
    notes.push_back("the circuit at node " + network.nodes[k].name + " has no ground; this node is taken as 0 V");
  }
  return notes;
}

}  // namespace coenergy::system
