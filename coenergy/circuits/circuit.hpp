#pragma once
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "coenergy/circuits/elements.hpp"

namespace coenergy::circuits {

/// Topology of all circuits of a model: which capacitor voltages and inductor currents depend on others.
///
/// A normal tree is a spanning forest built with the priority U, C, R, L, I (Kruskal). Then
///  - a capacitor left out of it closes a loop of capacitors and voltage sources:  u_C = Σ ± u_k   over its tree path
///  - an inductor in it cuts the circuit through inductors and current sources only: i_L = Σ ± i_k  over its cutset
///  - a voltage source left out (loop of voltage sources) or a current source in it (cutset of current sources):
///    no solution, but a voltage that motion makes follows the sources of its loop
/// In a loop of capacitors one without a start value of its own is the dependent one, if there is such; of these one
/// between two nodes rather than one against a node that is held, and that rather than one against ground, whose voltage
/// is that of a node: so rows stay short, whatever the order of the model. Else it is the first one, as it is of the
/// inductors of a cutset. Rows have entries ±1 only. A dependent variable stays an unknown of the equations, but
/// algebraic: its rate is the sum of the others' rates, with source derivatives taken symbolically, so the system is of
/// index 1 and sparse.
class Circuit {
 public:
  /// Throws nothing: ill-posed circuits are added to `errors`, with the names of all elements concerned.
  Circuit(const Elements& elements, ErrorList& errors);

  struct Term {
    int branch;
    int sign;
  };
  struct Constraint {
    int branch;               ///< the dependent one
    std::vector<Term> terms;  ///< its variable is the sum of these
  };
  /// The sources that hold the voltage of a component whose motion follows it; null: none.
  const Constraint* find_followed(int component) const;
  int nodes() const { return elements_.nodes(); }  ///< with the ground, the last one
  const std::vector<BranchInfo>& branches() const { return branches_; }
  const std::vector<Constraint>& constraints() const { return constraints_; }
  /// Whether a component's state variable is dependent; the constraint index or −1.
  int find_constraint(int component, int variable) const;
  /// Whether a component's state variable is algebraic in this instance, by what the component says of its branches.
  bool is_algebraic(int component, int variable) const { return algebraic_.count({component, variable}) != 0; }
  /// A row of F w + G z = 0, the dependent variable first: {L1.i, 1}, {L2.i, -1}, {L3.i, 1}.
  std::vector<std::pair<std::string, int>> row(const Constraint& constraint) const;
  int order() const;                     ///< free voltages and currents of storages, also inside elements
  std::string branch_name(int b) const;  ///< name of the element
  /// Branches of the tree between the ends of a branch.
  std::vector<Term> tree_path(int branch) const { return tree_path(branches_[branch].p, branches_[branch].n); }
  std::vector<std::string> tree() const;  ///< names of the elements in the normal tree

 private:
  bool is_start_given(int b) const;
  std::vector<int> order_branches() const;
  void build_tree();
  void find_loops(ErrorList& errors);
  void find_cutsets(ErrorList& errors);
  std::vector<std::vector<int>> crossing_branches() const;
  std::vector<Term> tree_path(int from, int to) const;
  std::string variable_name(int b) const;  ///< "L1.i", "C2.v"
  std::string names(int first, const std::vector<Term>& others) const;

  const Elements& elements_;
  std::vector<BranchInfo> branches_;
  int inner_states_ = 0;  ///< of elements, beside those of their branches
  std::vector<Constraint> constraints_, followed_;
  std::set<std::pair<int, int>> algebraic_;           ///< component, variable
  std::map<std::pair<int, int>, int> constraint_of_;  ///< component, variable → constraint
  // the tree, rooted: parent node and branch of each node, depth, order of visit
  std::vector<int> parent_node_, parent_branch_, depth_, enter_, leave_;
};

}  // namespace coenergy::circuits
