#include <algorithm>

#include "coenergy/symbolic/lowering.hpp"

namespace coenergy::symbolic::lowering {

namespace {

/// Factors one sum, and the sums that arise inside it.
class Factoring {
 public:
  Factoring(Dag& dag, const std::vector<std::uint32_t>& uses) : dag_(dag), uses_(uses) {}

  /// The children the sum should have; empty where nothing is gained.
  std::vector<Ref> factor(std::span<const Ref> terms) {
    std::vector<Ref> rest(terms.begin(), terms.end());
    bool changed = false;
    while (rest.size() > 1) {
      const std::uint32_t best = most_common_factor(rest);
      if (best == none) break;
      rest = extract(best, rest);
      changed = true;
    }
    return changed ? rest : std::vector<Ref>{};
  }

 private:
  static constexpr std::uint32_t none = ~0u;

  /// A product that belongs to this sum alone and carries no name.
  bool is_open(Ref r) const {
    const std::uint32_t node = node_of(r);
    if (dag_[node].kind != Kind::product || dag_[node].label != 0) return false;
    return node >= uses_.size() || uses_[node] == 1;
  }

  std::uint32_t most_common_factor(std::span<const Ref> terms) {
    found_.clear();
    for (const Ref t : terms) {
      if (!is_open(t)) continue;
      const std::span<const Ref> factors = dag_.children(node_of(t));
      for (std::size_t i = 0; i < factors.size(); ++i)
        if (i == 0 || factors[i] != factors[i - 1]) found_.push_back(node_of(factors[i]));
    }
    std::sort(found_.begin(), found_.end());
    std::uint32_t best = none;
    std::size_t most = 1;
    for (std::size_t i = 0; i < found_.size();) {
      std::size_t j = i;
      while (j < found_.size() && found_[j] == found_[i]) ++j;
      if (j - i > most) best = found_[i], most = j - i;
      i = j;
    }
    return best;
  }

  /// The terms with x·a + x·b + … replaced by x·(a + b + …).
  std::vector<Ref> extract(std::uint32_t x, std::span<const Ref> terms) {
    std::vector<Ref> kept, inner;
    for (const Ref t : terms) {
      const std::span<const Ref> factors = is_open(t) ? dag_.children(node_of(t)) : std::span<const Ref>{};
      const auto at = std::find(factors.begin(), factors.end(), 2 * x);
      if (at == factors.end()) {
        kept.push_back(t);
        continue;
      }
      std::vector<Ref> others(factors.begin(), at);
      others.insert(others.end(), at + 1, factors.end());
      inner.push_back(with_sign(dag_.product(std::move(others)), is_negative(t)));
    }
    if (const std::vector<Ref> better = factor(inner); !better.empty()) inner = better;
    kept.push_back(dag_.product({2 * x, dag_.sum(std::move(inner))}));
    return kept;
  }

  Dag& dag_;
  const std::vector<std::uint32_t>& uses_;  ///< newer nodes have one use
  std::vector<std::uint32_t> found_;
};

}  // namespace

bool factor_sums(Dag& dag) {
  bool any = false;
  const std::vector<std::uint32_t> needed = needed_nodes(dag), uses = count_uses(dag, needed);
  Factoring factoring(dag, uses);
  for (const std::uint32_t node : needed) {
    if (dag[node].kind != Kind::sum) continue;
    const std::vector<Ref> terms(dag.children(node).begin(), dag.children(node).end());
    if (const std::vector<Ref> better = factoring.factor(terms); !better.empty()) {
      dag.set_children(node, better);
      any = true;
    }
  }
  return any;
}

}  // namespace coenergy::symbolic::lowering
