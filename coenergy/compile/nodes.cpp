#include "coenergy/compile/nodes.hpp"

#include <algorithm>
#include <numeric>
#include <string_view>
#include <unordered_map>

#include "coenergy/base/names.hpp"

namespace coenergy::compile {

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
  std::size_t size() const { return parent_.size(); }
  void join(int a, int b) { parent_[std::max(find(a), find(b))] = std::min(find(a), find(b)); }

 private:
  std::vector<int> parent_;
};

bool is_ground_label(Domain domain, const std::string& label) {
  if (domain == Domain::electrical) return label == "gnd" || label == "ground" || label == "0";
  return (domain == Domain::rotational || domain == Domain::translational) && label == "ground";
}

/// The word of a user behind a label: that of a ground is kept apart by domains.
std::string plain_label(const std::string& label) { return label.substr(0, label.find('@')); }

class NetworkMaker {
 public:
  NetworkMaker(const BoundModel& model, const model::Scopes* scopes, ErrorList& errors)
      : components_(model.components), index_(model.index), scopes_(scopes), errors_(errors) {}

  Network make() {
    // one element per port
    labels_.reserve(components_.size());
    for (const BoundComponent& c : components_) {
      first_id_.push_back(static_cast<int>(sets_.size()));
      for (std::size_t p = 0; p < c.type->description.ports.size(); ++p) sets_.add();
    }
    for (int c = 0; c < static_cast<int>(components_.size()); ++c)
      for (int p = 0; p < ports(c); ++p) connect(c, p);
    return collect();
  }

 private:
  int ports(int c) const { return static_cast<int>(components_[c].type->description.ports.size()); }
  int id(int c, int p) const { return first_id_[c] + p; }
  const model::PortInfo& info(int c, int p) const { return components_[c].type->description.ports[p]; }

  void connect(int c, int p) {
    const auto& value = components_[c].connections[p];
    const Domain domain = info(c, p).domain;
    if (!value || domain == Domain::frame) return;
    const std::string& text = value->text;
    const bool is_ground = is_ground_label(domain, text);
    if (const auto place = index_.find(text); !is_ground && place != index_.end()) {
      // a component of unknown type has been reported
      if (place->second != BoundModel::unknown_type) connect_to_component(c, p, place->second);
      return;
    }
    // names of components may have dots themselves: the last one that leaves a component's name
    for (std::size_t dot = text.rfind('.'); dot != std::string::npos && dot > 0; dot = text.rfind('.', dot - 1))
      if (index_.count(std::string_view(text).substr(0, dot)) != 0)
        return connect_to_port(c, p, text.substr(0, dot), text.substr(dot + 1));
    const std::size_t last = text.rfind('.');
    const bool is_inside =
        last != std::string::npos && scopes_ != nullptr && scopes_->find(text.substr(0, last)) != nullptr;
    if (last != std::string::npos && !is_inside)
      return connect_to_port(c, p, text.substr(0, text.find('.')), text.substr(text.find('.') + 1));
    if (is_inside || check_label(c, p)) connect_to_label(c, p, text);
  }

  /// A label becomes part of signal names.
  bool check_label(int c, int p) {
    const auto& value = *components_[c].connections[p];
    const Domain domain = info(c, p).domain;
    if (!is_identifier("_" + value.text)) {
      errors_.add(value.where, full_name(c, p) + ": node name \"" + value.text + "\" must be letters, digits and _");
      return false;
    }
    const bool flows = domain == Domain::hydraulic || domain == Domain::pneumatic;
    if (!flows || (value.text != "ground" && value.text != "gnd")) return true;
    errors_.add(value.where,
                full_name(c, p) + ": " + to_string(domain) + " nodes have no " + value.text + "; connect a " +
                    (domain == Domain::hydraulic ? "hydraulic.Tank" : "pneumatic.Reservoir") + " to the node");
    return false;
  }

  void connect_to_label(int c, int p, const std::string& label) {
    const Domain domain = info(c, p).domain;
    auto [place, inserted] = labels_.try_emplace(label, Label{0, domain, c, p});
    Label& known = place->second;
    if (inserted) known.id = sets_.add();
    if (!inserted && known.domain != domain && !is_ground_label(domain, label))
      return mismatch(c, p, known.component, known.port);
    if (known.domain != domain) {
      // the word ground names the fixed node of every domain
      auto [other, fresh] = labels_.try_emplace(label + "@" + to_string(domain), Label{0, domain, c, p});
      if (fresh) other->second.id = sets_.add();
      sets_.join(id(c, p), other->second.id);
      return;
    }
    sets_.join(id(c, p), known.id);
  }

  void connect_to_port(int c, int p, const std::string& owner, const std::string& port) {
    const auto& value = *components_[c].connections[p];
    auto place = index_.find(owner);
    if (place != index_.end() && place->second == BoundModel::unknown_type) return;
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
      sets_.join(id(c, p), id(place->second, static_cast<int>(k)));
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
      sets_.join(id(c, p), id(other, found));
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
    struct Set {
      int size = 0, node = -1;
      const std::string* label = nullptr;
      bool ground = false;
    };
    std::vector<Set> sets(sets_.size());
    // of several labels the first by the alphabet, a ground before others
    for (const auto& [label, entry] : labels_) {
      Set& set = sets[sets_.find(entry.id)];
      const bool ground = is_ground_label(entry.domain, plain_label(label));
      if (set.label == nullptr || ground > set.ground || (ground == set.ground && label < *set.label))
        set.label = &label;
      set.ground = set.ground || ground;
    }
    network.nodes.reserve(labels_.size());
    network.by_label.reserve(labels_.size());
    const int count = static_cast<int>(components_.size());
    for (int c = 0; c < count; ++c)
      for (int p = 0; p < ports(c); ++p) ++sets[sets_.find(id(c, p))].size;
    for (int c = 0; c < count; ++c) {
      network.node_of.add_component();
      for (int p = 0; p < ports(c); ++p) {
        Set& set = sets[sets_.find(id(c, p))];
        const bool used = components_[c].connections[p] != nullptr || set.size > 1;
        if (info(c, p).domain == Domain::frame || !used) {
          network.node_of.add_port(-1);
          continue;
        }
        if (set.node < 0) {
          set.node = static_cast<int>(network.nodes.size());
          NetworkNode& node = network.nodes.emplace_back();
          node.ports.reserve(set.size);
          node.domain = info(c, p).domain;
          node.fixed = set.ground;
          node.name = set.label != nullptr ? plain_label(*set.label) : full_name(c, p);
          network.by_label.emplace(node.name, set.node);
        }
        network.nodes[set.node].ports.emplace_back(c, p);
        network.node_of.add_port(set.node);
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
  const std::unordered_map<std::string_view, int>& index_;
  const model::Scopes* scopes_;  ///< of a model that was expanded
  ErrorList& errors_;
  std::unordered_map<std::string, Label> labels_;
  std::vector<int> first_id_;  ///< of each component's ports
  Sets sets_;
};

}  // namespace

Network make_network(const BoundModel& model, const model::Scopes* scopes, ErrorList& errors) {
  return NetworkMaker(model, scopes, errors).make();
}

std::vector<std::string> ground_islands(Network& network, const std::vector<JoinedPorts>& joined) {
  Sets sets;
  for (std::size_t k = 0; k < network.nodes.size(); ++k) sets.add();
  for (const auto& [c, p, n] : joined) {
    const int a = network.node_of[c][p], b = network.node_of[c][n];
    if (a >= 0 && b >= 0) sets.join(a, b);
  }
  std::vector<char> grounded(network.nodes.size(), 0);
  auto is_electrical = [&](std::size_t k) { return network.nodes[k].domain == Domain::electrical; };
  for (std::size_t k = 0; k < network.nodes.size(); ++k)
    if (is_electrical(k) && network.nodes[k].fixed) grounded[sets.find(static_cast<int>(k))] = 1;
  std::vector<std::string> notes;
  for (std::size_t k = 0; k < network.nodes.size(); ++k) {
    if (!is_electrical(k) || grounded[sets.find(static_cast<int>(k))]) continue;
    network.nodes[k].fixed = network.nodes[k].chosen = true;
    grounded[sets.find(static_cast<int>(k))] = 1;
    notes.push_back("the circuit at node " + network.nodes[k].name + " has no ground; this node is taken as 0 V");
  }
  return notes;
}

}  // namespace coenergy::compile
