#include "coenergy/circuits/circuit.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

namespace coenergy::circuits {

using model::BranchKind;

Circuit::Circuit(const Elements& elements, ErrorList& errors) : elements_(elements) {
  Elements::Branches found = elements.branches();
  branches_ = std::move(found.list);
  algebraic_.insert(found.algebraic.begin(), found.algebraic.end());
  inner_states_ = found.inner_states;
  build_tree();
  find_loops(errors);
  find_cutsets(errors);
  for (std::size_t k = 0; k < constraints_.size(); ++k) {
    const BranchInfo& b = branches_[constraints_[k].branch];
    constraint_of_.emplace(std::pair(b.component, b.state), static_cast<int>(k));
  }
}

bool Circuit::is_start_given(int b) const {
  const BranchInfo& branch = branches_[b];
  return branch.state >= 0 && elements_.start(branch.component, branch.state).given;
}

namespace {

/// Sets of nodes that branches join.
class NodeSets {
 public:
  explicit NodeSets(int nodes) : set_(nodes) { std::iota(set_.begin(), set_.end(), 0); }
  int find(int i) {
    while (set_[i] != i) i = set_[i] = set_[set_[i]];
    return i;
  }
  /// False where both are in one set already.
  bool join(int a, int b) {
    a = find(a), b = find(b);
    set_[a] = b;
    return a != b;
  }

 private:
  std::vector<int> set_;
};

}  // namespace

/// Branches in the order in which they are taken into the tree, while they close no loop.
std::vector<int> Circuit::order_branches() const {
  const int ground = elements_.nodes() - 1;
  NodeSets held(elements_.nodes());
  for (const BranchInfo& b : branches_)
    if (b.kind == BranchKind::voltage) held.join(b.p, b.n);
  const auto distance = [&](const BranchInfo& b) {
    if (b.kind == BranchKind::voltage) return b.follows ? 1 : 0;
    if (b.kind != BranchKind::capacitive) return 0;
    if (b.n == ground || b.p == ground) return b.n == ground ? 0 : 1;
    return held.find(b.p) == held.find(ground) || held.find(b.n) == held.find(ground) ? 2 : 3;
  };
  // of equal ones the first in the model becomes dependent, but none with a start value of its own before one without
  std::vector<std::tuple<BranchKind, bool, int, int>> rank;
  for (std::size_t b = 0; b < branches_.size(); ++b) {
    const int k = static_cast<int>(b);
    const BranchKind kind = branches_[b].kind;
    const bool last_wins = kind == BranchKind::capacitive, keep = is_start_given(k) == last_wins;
    const bool is_storage = kind == BranchKind::capacitive || kind == BranchKind::inductive;
    rank.emplace_back(kind, is_storage && !keep, distance(branches_[b]), last_wins ? -k : k);
  }
  std::vector<int> order(branches_.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int a, int b) { return rank[a] < rank[b]; });
  return order;
}

void Circuit::build_tree() {
  const int nodes = elements_.nodes();
  NodeSets sets(nodes);
  std::vector<std::vector<std::pair<int, int>>> neighbours(nodes);  // node, branch
  for (int b : order_branches()) {
    BranchInfo& branch = branches_[b];
    if (!sets.join(branch.p, branch.n)) continue;
    branch.in_tree = true;
    neighbours[branch.p].emplace_back(branch.n, b);
    neighbours[branch.n].emplace_back(branch.p, b);
  }

  // root every tree, depth first without recursion; ground first
  parent_node_.assign(nodes, -1);
  parent_branch_.assign(nodes, -1);
  depth_.assign(nodes, 0);
  enter_.assign(nodes, -1);
  leave_.assign(nodes, -1);
  int clock = 0;
  std::vector<std::pair<int, std::size_t>> stack;
  for (int root = nodes - 1; root >= 0; --root) {
    if (enter_[root] >= 0) continue;
    enter_[root] = clock++;
    stack.emplace_back(root, 0);
    while (!stack.empty()) {
      auto& [node, next] = stack.back();
      if (next == neighbours[node].size()) {
        leave_[node] = clock;
        stack.pop_back();
        continue;
      }
      const auto [other, branch] = neighbours[node][next++];
      if (enter_[other] >= 0) continue;
      parent_node_[other] = node;
      parent_branch_[other] = branch;
      depth_[other] = depth_[node] + 1;
      enter_[other] = clock++;
      stack.emplace_back(other, 0);
    }
  }
}

/// Branches from one node to another along the tree; sign + where a branch is walked from its p to its n.
std::vector<Circuit::Term> Circuit::tree_path(int from, int to) const {
  std::vector<Term> up, down;
  while (from != to) {
    const bool climb_from = depth_[from] >= depth_[to];
    int& node = climb_from ? from : to;
    const int b = parent_branch_[node];
    const bool leaves_p = branches_[b].p == node;
    if (climb_from)
      up.push_back({b, leaves_p ? 1 : -1});
    else
      down.push_back({b, leaves_p ? -1 : 1});
    node = parent_node_[node];
  }
  up.insert(up.end(), down.rbegin(), down.rend());
  return up;
}

void Circuit::find_loops(ErrorList& errors) {
  for (std::size_t b = 0; b < branches_.size(); ++b) {
    const BranchInfo& branch = branches_[b];
    if (branch.in_tree || (branch.kind != BranchKind::capacitive && branch.kind != BranchKind::voltage)) continue;
    // a chord of this priority closes its loop through branches of at least the same priority
    std::vector<Term> path = tree_path(branch.p, branch.n);
    const auto is_source = [&](const Term& t) { return !branches_[t.branch].follows; };
    if (branch.follows && !path.empty() && std::all_of(path.begin(), path.end(), is_source)) {
      followed_.push_back({static_cast<int>(b), std::move(path)});
      continue;
    }
    if (branch.kind == BranchKind::voltage) {
      const Location where = elements_.where(branch.component);
      errors.add(where, path.empty()
                            ? branch_name(static_cast<int>(b)) + " is a voltage source with both pins on one node"
                            : "loop " + names(static_cast<int>(b), path) +
                                  " contains only voltage sources; the circuit has no solution");
      continue;
    }
    constraints_.push_back({static_cast<int>(b), std::move(path)});
  }
}

/// For every node whose branch to its parent is inductive or a current source, the branches outside the tree between
/// the subtree below it and the rest. A branch crosses all cutsets on the tree path between its ends; those between two
/// of them are skipped, so that the cost is that of the result.
std::vector<std::vector<int>> Circuit::crossing_branches() const {
  const auto is_cut = [&](int node) {
    const int b = parent_branch_[node];
    return b >= 0 && (branches_[b].kind == BranchKind::inductive || branches_[b].kind == BranchKind::current);
  };
  // the nearest such node on the way up, itself included; −1: none. Parents come before their children
  std::vector<int> order(parent_node_.size()), nearest(parent_node_.size(), -1);
  for (std::size_t node = 0; node < enter_.size(); ++node) order[enter_[node]] = static_cast<int>(node);
  for (int node : order)
    nearest[node] = is_cut(node) ? node : parent_node_[node] < 0 ? -1 : nearest[parent_node_[node]];
  std::vector<std::vector<int>> crossing(parent_node_.size());
  for (std::size_t b = 0; b < branches_.size(); ++b) {
    if (branches_[b].in_tree) continue;
    int p = nearest[branches_[b].p], n = nearest[branches_[b].n];
    while (p != n) {
      int& deeper = n < 0 || (p >= 0 && depth_[p] >= depth_[n]) ? p : n;
      crossing[deeper].push_back(static_cast<int>(b));
      deeper = nearest[parent_node_[deeper]];
    }
  }
  return crossing;
}

void Circuit::find_cutsets(ErrorList& errors) {
  const std::vector<std::vector<int>> crossing = crossing_branches();
  for (std::size_t node = 0; node < parent_branch_.size(); ++node) {
    const int b = parent_branch_[node];
    if (b < 0) continue;
    const BranchInfo& branch = branches_[b];
    if (branch.kind != BranchKind::inductive && branch.kind != BranchKind::current) continue;

    // branches between the subtree below and the rest; the current out of the subtree is zero
    auto inside = [&](int k) { return enter_[k] >= enter_[node] && enter_[k] < leave_[node]; };
    const int sign = inside(branch.p) ? 1 : -1;
    std::vector<Term> terms;
    for (const int k : crossing[node]) terms.push_back({k, inside(branches_[k].p) ? -sign : sign});
    if (branch.kind == BranchKind::current) {
      const Location where = elements_.where(branch.component);
      errors.add(where, terms.empty() ? branch_name(b) + " is a current source with no way for its current to return"
                                      : "only current sources (" + names(b, terms) +
                                            ") connect two parts of the circuit; their currents have no other way");
    } else {
      constraints_.push_back({b, std::move(terms)});
    }
  }
}

int Circuit::find_constraint(int component, int variable) const {
  const auto place = constraint_of_.find({component, variable});
  return place == constraint_of_.end() ? -1 : place->second;
}

const Circuit::Constraint* Circuit::find_followed(int component) const {
  const auto place = std::find_if(followed_.begin(), followed_.end(),
                                  [&](const Constraint& c) { return branches_[c.branch].component == component; });
  return place == followed_.end() ? nullptr : &*place;
}

std::string Circuit::branch_name(int b) const { return elements_.name(branches_[b].component); }

std::string Circuit::names(int first, const std::vector<Term>& others) const {
  std::string text = branch_name(first);
  for (const Term& t : others) text += "–" + branch_name(t.branch);
  return text;
}

std::string Circuit::variable_name(int b) const {
  const bool voltage = branches_[b].kind == BranchKind::capacitive || branches_[b].kind == BranchKind::voltage;
  return branch_name(b) + (voltage ? ".v" : ".i");
}

std::vector<std::pair<std::string, int>> Circuit::row(const Constraint& c) const {
  std::vector<std::pair<std::string, int>> entries{{variable_name(c.branch), 1}};
  for (const Term& t : c.terms) entries.emplace_back(variable_name(t.branch), -t.sign);
  return entries;
}

int Circuit::order() const {
  const auto storages =
      std::count_if(branches_.begin(), branches_.end(), [](const BranchInfo& b) { return b.state >= 0; });
  return static_cast<int>(storages) - static_cast<int>(constraints_.size()) + inner_states_;
}

std::vector<std::string> Circuit::tree() const {
  std::vector<std::string> all;
  for (std::size_t b = 0; b < branches_.size(); ++b)
    if (branches_[b].in_tree) all.push_back(branch_name(static_cast<int>(b)));
  return all;
}

}  // namespace coenergy::circuits
