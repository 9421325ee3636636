#pragma once
#include "coenergy/domains/component.hpp"

namespace coenergy::domains::blocks {

/// A signal taken as yes (above 0.5) or no, switched by a located event.
inline Expr is_on(Equations& eq, const std::string& name, const Expr& signal) {
  return eq.relation(name, signal - 0.5);
}

/// A signal that acts when it rises above 0.5, not while it is there, and not by being there at the start.
class Trigger {
 public:
  Trigger(Equations& eq, const std::string& name, const Expr& signal) {
    const Expr on = is_on(eq, name, signal);
    const Discrete before = eq.make_discrete(name + "_was_on", "", 1);
    eq.mode(before, on);
    rises_ = logical_and(on, logical_not(eq[before]));
  }
  /// 1 in the one evaluation of modes in which it rises.
  const Expr& rises() const { return rises_; }

 private:
  Expr rises_;
};

}  // namespace coenergy::domains::blocks
