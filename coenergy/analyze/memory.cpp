#include "coenergy/analyze/memory.hpp"

#include <cmath>
#include <optional>
#include <unordered_map>

#include "coenergy/equations/data.hpp"
#include "coenergy/symbolic/algebra.hpp"

namespace coenergy::analyze {
namespace {

using equations::Source;
using symbolic::Expr;
using symbolic::Graph;
using symbolic::Op;

bool is_whole(double value) { return value == std::floor(value); }

/// Whether expressions are whole numbers whatever the unknowns are, given those discrete variables that are.
class Whole {
 public:
  Whole(const equations::Variables& variables, const std::vector<char>& memory)
      : variables_(variables), memory_(memory) {}

  bool operator()(const Expr& e) {
    if (e.is_number()) return is_whole(e.number());
    const auto [place, is_new] = known_.try_emplace(e.id(), 0);
    if (!is_new) return place->second != 0;
    const bool whole = decide(e);
    known_[e.id()] = whole;
    return whole;
  }

 private:
  bool decide(const Expr& e) {
    Graph& g = *e.graph();
    const auto arguments = g.arguments(e.id());
    const auto all = [&](std::size_t first, std::size_t step) {
      for (std::size_t k = first; k < arguments.size(); k += step)
        if (!(*this)(g.at(arguments[k]))) return false;
      return true;
    };
    switch (e.op()) {
      case Op::symbol: {
        const equations::Address at = variables_.address(e);
        return at.source == Source::d && !memory_[at.index];
      }
      case Op::less:
      case Op::less_equal:
      case Op::equal:
      case Op::logical_and:
      case Op::logical_or:
      case Op::logical_not:
      case Op::floor:
      case Op::sign:
        return true;
      case Op::sum:
      case Op::let:
      case Op::min:
      case Op::max:
      case Op::abs:
        return all(0, 1);
      case Op::select:
        return all(1, 1);
      case Op::product:
        for (std::size_t k = 0; k + 1 < arguments.size(); k += 2)
          if (static_cast<std::int32_t>(arguments[k + 1]) < 0) return false;
        return all(0, 2);
      default:
        return false;
    }
  }

  const equations::Variables& variables_;
  const std::vector<char>& memory_;
  std::unordered_map<std::uint32_t, char> known_;
};

/// By how much expressions change where time and the marked discrete variables do by one; nothing where that depends.
class Translation {
 public:
  Translation(const equations::Variables& variables, const std::vector<char>& marked)
      : variables_(variables), marked_(marked) {}

  std::optional<double> operator()(const Expr& e) {
    if (e.is_number()) return 0;
    if (const auto known = known_.find(e.id()); known != known_.end()) return known->second;
    const std::optional<double> change = decide(e);
    known_[e.id()] = change;
    return change;
  }

 private:
  std::optional<double> decide(const Expr& e) {
    Graph& g = *e.graph();
    const auto arguments = g.arguments(e.id());
    const auto of = [&](std::size_t k) { return (*this)(g.at(arguments[k])); };
    switch (e.op()) {
      case Op::symbol: {
        const equations::Address at = variables_.address(e);
        return at.source == Source::time || (at.source == Source::d && marked_[at.index]) ? 1 : 0;
      }
      case Op::let:
        return of(0);
      case Op::sum: {
        double sum = 0;
        for (std::size_t k = 1; k + 1 < arguments.size(); k += 2) {
          const std::optional<double> change = of(k + 1);
          if (!change) return std::nullopt;
          sum += *change * g.number(arguments[k]);
        }
        return sum;
      }
      case Op::min:
      case Op::max:
        return of(0) == of(1) ? of(0) : std::nullopt;
      case Op::select:
        return of(1) == of(2) ? of(1) : std::nullopt;
      case Op::less:
      case Op::less_equal:
      case Op::equal:
        return 0;
      default:
        for (std::size_t k = 0; k < arguments.size(); k += e.op() == Op::product ? 2 : 1)
          if (of(k) != 0.0) return std::nullopt;
        return 0;
    }
  }

  const equations::Variables& variables_;
  const std::vector<char>& marked_;
  std::unordered_map<std::uint32_t, std::optional<double>> known_;
};

}  // namespace

namespace {

/// Takes the marks of those away that do not move along.
void keep_moving(const equations::System::Data& data, std::vector<char>& instants) {
  for (bool changed = true; changed;) {
    changed = false;
    Translation translate(data.kernels.front()->set->variables, instants);
    for (std::size_t i = 0; i < data.update_values.size(); ++i) {
      char& mark = instants[data.update_discrete[i]];
      if (!mark || translate(data.update_values[i]) == 1.0) continue;
      mark = 0, changed = true;
    }
  }
}

/// Marks of those that are set to time, or to others that are.
std::vector<char> find_set_to_time(const equations::System::Data& data) {
  std::vector<char> set(data.start.d.size(), 0);
  for (bool changed = true; changed;) {
    changed = false;
    Translation translate(data.kernels.front()->set->variables, set);
    for (std::size_t i = 0; i < data.update_values.size(); ++i) {
      char& mark = set[data.update_discrete[i]];
      if (mark || translate(data.update_values[i]) == 0.0) continue;
      mark = 1, changed = true;
    }
  }
  return set;
}

}  // namespace

std::vector<char> find_instants(const equations::System& system) {
  std::vector<char> instants = find_memory(system);
  const equations::System::Data& data = system.data();
  const std::lock_guard lock(data.kernels.front()->set->mutex);
  // a sum of samples moves along with itself, and yet is no instant
  const std::vector<char> set = find_set_to_time(data);
  for (std::size_t i = 0; i < instants.size(); ++i) instants[i] = instants[i] && set[i];
  keep_moving(data, instants);
  return instants;
}

std::vector<char> find_memory(const equations::System& system) {
  const equations::System::Data& data = system.data();
  const equations::Kernel& own = *data.kernels.front();
  const std::lock_guard lock(own.set->mutex);
  std::vector<char> memory(system.nd(), 0);
  for (int k = 0; k < system.nd(); ++k) memory[k] = !is_whole(data.start.d[k]);
  // one that is set by another that remembers does so too
  for (bool changed = true; changed;) {
    changed = false;
    Whole is_whole_number(own.set->variables, memory);
    for (std::size_t i = 0; i < data.update_values.size(); ++i) {
      char& mark = memory[data.update_discrete[i]];
      if (mark || is_whole_number(data.update_values[i])) continue;
      mark = 1, changed = true;
    }
  }
  return memory;
}

}  // namespace coenergy::analyze
