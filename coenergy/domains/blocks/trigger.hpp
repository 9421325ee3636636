#pragma once
#include "coenergy/domains/blocks/sampling.hpp"

namespace coenergy::domains::blocks {

/// A signal taken as yes (above 0.5) or no, switched by a located event; in a sampled block as it is at the sample.
inline Expr is_on(Equations& eq, const Sampling& sampling, const std::string& name, const Expr& signal) {
  return sampling.relation(eq, name, signal - 0.5);
}

/// A signal that acts when it rises above 0.5, not while it is there, and not by being there at the start. In a
/// sampled block it has risen where it is up at a sample and was not at the one before.
class Trigger {
 public:
  Trigger(Equations& eq, const Sampling& sampling, const std::string& name, const Expr& signal) {
    const Expr on = is_on(eq, sampling, name, signal);
    const Discrete before = eq.make_discrete(name + "_was_on", "", 1);
    sampling.update_or_mode(eq, before, on);
    rises_ = logical_and(on, logical_not(eq[before]));
  }
  /// 1 in the one evaluation of modes, or at the one sample, in which it rises.
  const Expr& rises() const { return rises_; }

 private:
  Expr rises_;
};

}  // namespace coenergy::domains::blocks
