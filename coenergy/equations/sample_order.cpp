#include "coenergy/equations/sample_order.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "coenergy/symbolic/algebra.hpp"

namespace coenergy::equations {
namespace {

using symbolic::Expr;

/// Discrete variables in an expression, those of comparisons replaced by what is compared.
class Readings {
 public:
  Readings(const Variables& variables, const std::vector<DiscreteUpdate>& updates) : variables_(variables) {
    for (const DiscreteUpdate& u : updates)
      if (u.comparison >= 0) comparison_[u.discrete] = &u.value;
  }
  std::set<int> of(const Expr& e) {
    std::set<int> found;
    collect(e, found);
    return found;
  }

 private:
  void collect(const Expr& e, std::set<int>& found) {
    if (e.is_number()) return;
    for (const Expr& s : symbolic::free_symbols(std::span(&e, 1))) {
      const Address at = variables_.address(s);
      if (at.source != Source::d || !found.insert(at.index).second) continue;
      if (const auto compared = comparison_.find(at.index); compared != comparison_.end())
        collect(*compared->second, found);
    }
  }
  const Variables& variables_;
  std::map<int, const Expr*> comparison_;
};

/// Tarjan's strongly connected components, which come out in the order of dependence.
class Circles {
 public:
  explicit Circles(const std::vector<std::vector<int>>& reads)
      : reads_(reads), number_(reads.size(), -1), low_(reads.size()), turn_(reads.size(), -1) {
    for (std::size_t i = 0; i < reads.size(); ++i)
      if (number_[i] < 0) visit(static_cast<int>(i));
  }
  const std::vector<int>& turns() const { return turn_; }

 private:
  void visit(int i) {
    number_[i] = low_[i] = count_++;
    stack_.push_back(i);
    for (int j : reads_[i]) {
      if (number_[j] < 0) visit(j);
      if (turn_[j] < 0) low_[i] = std::min(low_[i], low_[j]);
    }
    if (low_[i] != number_[i]) return;
    // a circle is complete: after all that any of its members reads outside of it
    const auto first = std::find(stack_.begin(), stack_.end(), i);
    int turn = 0;
    for (auto member = first; member != stack_.end(); ++member)
      for (int j : reads_[*member]) turn = std::max(turn, turn_[j] + 1);
    for (auto member = first; member != stack_.end(); ++member) turn_[*member] = turn;
    stack_.erase(first, stack_.end());
  }
  const std::vector<std::vector<int>>& reads_;
  std::vector<int> number_, low_, turn_, stack_;
  int count_ = 0;
};

}  // namespace

std::vector<int> order_samples(const Variables& variables, const std::vector<DiscreteUpdate>& updates) {
  // the updates of one owner are one step: each of them reads what the others have been before
  std::map<int, int> step_of_owner, by_discrete;
  std::vector<int> step(updates.size(), -1);
  int steps = 0;
  for (std::size_t i = 0; i < updates.size(); ++i) {
    if (updates[i].clock < 0) continue;
    by_discrete[updates[i].discrete] = static_cast<int>(i);
    step[i] = updates[i].owner < 0 ? steps : step_of_owner.try_emplace(updates[i].owner, steps).first->second;
    steps = std::max(steps, step[i] + 1);
  }
  std::vector<std::vector<int>> reads(static_cast<std::size_t>(steps));
  if (by_discrete.size() > 1) {
    Readings readings(variables, updates);
    for (const auto& [discrete, i] : by_discrete)
      for (int d : readings.of(updates[i].value))
        if (const auto j = by_discrete.find(d); j != by_discrete.end() && step[j->second] != step[i])
          reads[step[i]].push_back(step[j->second]);
  }
  const Circles circles(reads);
  std::vector<int> turns(updates.size(), 0);
  for (std::size_t i = 0; i < updates.size(); ++i)
    if (step[i] >= 0) turns[i] = circles.turns()[step[i]];
  return turns;
}

}  // namespace coenergy::equations
