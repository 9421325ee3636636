#include "coenergy/compile/circuit_elements.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>
#include <utility>

#include "coenergy/compile/component_equations.hpp"
#include "coenergy/compile/component_probe.hpp"

namespace coenergy::compile {

using model::Branch;
using model::BranchKind;

circuits::Elements::Branches CircuitElements::branches() const {
  const int ground = nodes() - 1;
  auto node_of = [&](int c, model::Pin pin) {
    const int k = m_.network.node_of[c][pin.index];
    return k < 0 || m_.network.nodes[k].fixed ? ground : k;
  };
  Branches found;
  for (std::size_t c = 0; c < m_.components.size(); ++c) {
    if (!m_.components[c].type->branches) continue;
    const std::vector<Branch>& list = m_.probe->branches(static_cast<int>(c));
    // states that belong to no branch are inside the element: the junction behind a series resistance
    const auto& variables = m_.components[c].type->description.variables;
    for (std::size_t v = 0; v < variables.size(); ++v)
      if (variables[v].kind == model::VariableInfo::Kind::state &&
          std::none_of(list.begin(), list.end(), [&](const Branch& b) { return b.state.index == static_cast<int>(v); }))
        ++found.inner_states;
    for (std::size_t k = 0; k < list.size(); ++k) {
      int state = list[k].state.index;
      const bool stores = list[k].kind == BranchKind::capacitive || list[k].kind == BranchKind::inductive;
      const bool is_source = list[k].kind == BranchKind::voltage || list[k].kind == BranchKind::current;
      // the rate of a branch without either would count as zero in loops and cutsets
      if ((stores && state < 0) || (is_source && !list[k].value))
        throw std::logic_error(m_.components[c].type->description.type + ": a branch lacks its state or value");
      if (!stores && state >= 0) found.algebraic.emplace_back(static_cast<int>(c), std::exchange(state, -1));
      found.list.push_back({static_cast<int>(c), static_cast<int>(k), list[k].kind, state,
                            node_of(static_cast<int>(c), list[k].p), node_of(static_cast<int>(c), list[k].n),
                            list[k].follows});
    }
  }
  return found;
}

std::vector<circuits::CoilPair> CircuitElements::couplings(ErrorList& errors) const {
  std::vector<circuits::CoilPair> pairs;
  std::set<std::pair<int, int>> known;
  for (std::size_t c = 0; c < m_.components.size(); ++c) {
    if (!m_.components[c].type->coupling) continue;
    guard(m_, static_cast<int>(c), errors, [&](ComponentEquations& eq) {
      const auto coupling = m_.components[c].type->coupling(eq);
      if (!coupling) return;
      const int a = m_.index.at(coupling->a), b = m_.index.at(coupling->b);
      if (!known.insert(std::minmax({a, b})).second)
        eq.refuse(coupling->a + " and " + coupling->b + " are coupled already");
      pairs.push_back({static_cast<int>(c), a, b, coupling->L_a, coupling->L_b, coupling->M});
    });
  }
  return pairs;
}

circuits::Elements::Start CircuitElements::start(int component, int variable) const {
  const BoundComponent& bound = m_.components[component];
  const int parameter = bound.type->description.variables[variable].start;
  if (parameter < 0 || !bound.parameters[parameter].present) return {};
  bound.parameters[parameter].scalars[0].is_read = true;
  return {bound.parameters[parameter].scalars[0].number, bound.parameters[parameter].given};
}

std::optional<double> CircuitElements::inductance(int component) const {
  return ComponentEquations(m_, component).number(m_.components[component].name(), "L");
}

}  // namespace coenergy::compile
