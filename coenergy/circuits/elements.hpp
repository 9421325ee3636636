#pragma once
#include <optional>
#include <string>
#include <vector>

#include "coenergy/base/error.hpp"
#include "coenergy/model/circuit.hpp"

namespace coenergy::circuits {

/// A branch of an element of a circuit, between two nodes.
struct BranchInfo {
  int component, index;  ///< which branch of which component
  model::BranchKind kind;
  int state;             ///< variable of the component; −1
  int p, n;              ///< nodes
  bool follows = false;  ///< see model::Branch
  bool in_tree = false;
};

/// Two coils, numbers of their components, that share flux; see model::FluxCoupling.
struct CoilPair {
  int component, a, b;  ///< the coupling and its coils
  double L_a, L_b, M;
};

/// What circuits ask of the elements they consist of; components have numbers.
class Elements {
 public:
  virtual ~Elements() = default;

  virtual int nodes() const = 0;  ///< with the ground, to which all grounds are joined: the last one
  /// All branches, in the order of the model.
  struct Branches {
    std::vector<BranchInfo> list;
    std::vector<std::pair<int, int>> algebraic;  ///< component and variable: states that are algebraic in this instance
    int inner_states = 0;                        ///< of elements, beside those of their branches
  };
  virtual Branches branches() const = 0;
  /// All couplings; mistakes are added to `errors`.
  virtual std::vector<CoilPair> couplings(ErrorList& errors) const = 0;

  virtual const std::string& name(int component) const = 0;
  virtual Location where(int component) const = 0;
  /// The start value of a variable, and whether the user gave it.
  struct Start {
    double value = 0;
    bool given = false;
  };
  virtual Start start(int component, int variable) const = 0;
  virtual std::optional<double> inductance(int component) const = 0;  ///< of a coil, where it is a number
};

}  // namespace coenergy::circuits
