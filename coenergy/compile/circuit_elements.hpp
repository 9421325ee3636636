#pragma once
#include "coenergy/circuits/elements.hpp"
#include "coenergy/compile/compilation.hpp"

namespace coenergy::compile {

/// The components of a compilation as elements of circuits.
class CircuitElements : public circuits::Elements {
 public:
  explicit CircuitElements(Compilation& compilation) : m_(compilation) {}

  int nodes() const override { return static_cast<int>(m_.network.nodes.size()) + 1; }
  Branches branches() const override;
  std::vector<circuits::CoilPair> couplings(ErrorList& errors) const override;
  const std::string& name(int component) const override { return m_.components[component].name(); }
  Location where(int component) const override { return m_.components[component].component->where; }
  Start start(int component, int variable) const override;
  std::optional<double> inductance(int component) const override;

 private:
  Compilation& m_;
};

}  // namespace coenergy::compile
