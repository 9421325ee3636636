#include <algorithm>
#include <optional>
#include <queue>

#include "coenergy/symbolic/lowering.hpp"

namespace coenergy::symbolic::lowering {

using Code = Program::Code;

namespace {

/// List scheduling for few live values. A unit is one instruction or one batch of sines and cosines; its score is the
/// number of values it ends minus the number it begins. Of the units whose operands are known, one with the highest
/// score goes next: among those that cost nothing the one that became possible last, since its operands are still in
/// registers; among those that only begin values the one of the lowest rank.
class Reordering {
 public:
  Reordering(Program& program, std::span<const std::uint32_t> rank) : p_(program), rank_(rank) {}

  std::vector<std::uint32_t> run() {
    find_units();
    find_users();
    for (std::uint32_t u = 0; u < units_.size(); ++u)
      if (units_[u].missing == 0) offer(u);
    while (const auto u = take()) place(*u);
    renumber();
    return std::move(order_);
  }

 private:
  struct Unit {
    std::uint32_t first, count;          ///< instructions
    std::uint32_t read_begin, read_end;  ///< values it reads, in reads_
    std::uint32_t missing = 0;           ///< of them, those not known yet
    int score = 0;
    bool placed = false;
  };

  bool is_leaf(std::uint32_t v) const { return p_.code[v].code == Code::input || p_.code[v].code == Code::constant; }

  void find_units() {
    const auto n = static_cast<std::uint32_t>(p_.code.size());
    order_.reserve(n);
    units_.reserve(n);
    reads_.reserve(2 * n);
    for (std::uint32_t k = 0; k < n;) {
      if (is_leaf(k)) {
        order_.push_back(k++);
        continue;
      }
      const std::uint32_t end = std::max(end_of_sincos(p_, k), k + 1);
      Unit unit{.first = k, .count = end - k, .read_begin = static_cast<std::uint32_t>(reads_.size()), .read_end = 0};
      for (; k < end; ++k)
        for (const std::uint32_t v : operands(p_, p_.code[k]))
          if (!is_leaf(v) && std::find(reads_.begin() + unit.read_begin, reads_.end(), v) == reads_.end())
            reads_.push_back(v);
      unit.read_end = static_cast<std::uint32_t>(reads_.size());
      unit.missing = unit.read_end - unit.read_begin;
      units_.push_back(unit);
    }
  }

  std::span<const std::uint32_t> reads(const Unit& u) const {
    return {reads_.data() + u.read_begin, u.read_end - u.read_begin};
  }

  /// Lists of the units that read each value, one behind the other, and the scores.
  void find_users() {
    uses_.assign(p_.code.size(), 0);
    users_.assign(p_.code.size(), 0);
    for (std::uint32_t u = 0; u < units_.size(); ++u)
      for (const std::uint32_t v : reads(units_[u])) ++uses_[v], users_[v] ^= u;
    first_user_.assign(p_.code.size() + 1, 0);
    for (std::size_t v = 0; v < uses_.size(); ++v) first_user_[v + 1] = first_user_[v] + uses_[v];
    std::vector<std::uint32_t> next(first_user_.begin(), first_user_.end() - 1);
    user_.resize(first_user_.back());
    for (std::uint32_t u = 0; u < units_.size(); ++u) {
      for (const std::uint32_t v : reads(units_[u])) {
        user_[next[v]++] = u;
        units_[u].score += uses_[v] == 1;
      }
      for (std::uint32_t k = 0; k < units_[u].count; ++k) units_[u].score -= uses_[units_[u].first + k] > 0;
    }
  }

  void offer(std::uint32_t u) {
    const int score = units_[u].score;
    if (score < 0)
      costly_.push({rank_[units_[u].first], u});
    else
      free_[static_cast<std::size_t>(std::min(score, 1))].push_back(u);
  }

  /// The next unit; entries whose score has changed since they were offered are passed over.
  std::optional<std::uint32_t> take() {
    for (const std::size_t s : {1, 0}) {
      while (!free_[s].empty()) {
        const std::uint32_t u = free_[s].back();
        free_[s].pop_back();
        if (!units_[u].placed && std::min(units_[u].score, 1) == static_cast<int>(s)) return u;
      }
    }
    while (!costly_.empty()) {
      const std::uint32_t u = costly_.top().second;
      costly_.pop();
      if (!units_[u].placed && units_[u].score < 0) return u;
    }
    return std::nullopt;
  }

  void place(std::uint32_t u) {
    Unit& unit = units_[u];
    unit.placed = true;
    for (std::uint32_t k = 0; k < unit.count; ++k) order_.push_back(unit.first + k);
    for (const std::uint32_t v : reads(unit)) {
      users_[v] ^= u;
      if (--uses_[v] != 1) continue;
      // the last reader will end the value
      const std::uint32_t last = users_[v];
      ++units_[last].score;
      if (units_[last].missing == 0) offer(last);
    }
    for (std::uint32_t k = 0; k < unit.count; ++k)
      for (std::uint32_t j = first_user_[unit.first + k]; j < first_user_[unit.first + k + 1]; ++j)
        if (--units_[user_[j]].missing == 0) offer(user_[j]);
  }

  void renumber() {
    const auto n = static_cast<std::uint32_t>(p_.code.size());
    std::vector<std::uint32_t> place(n);
    for (std::uint32_t i = 0; i < n; ++i) place[order_[i]] = i;
    std::vector<Program::Instruction> code(n);
    for (std::uint32_t i = 0; i < n; ++i) {
      Program::Instruction x = p_.code[order_[i]];
      std::uint32_t* const operand[] = {&x.a, &x.b, &x.c};
      for (int j = 0; j < operand_count(x.code); ++j) *operand[j] = place[*operand[j]];
      code[i] = x;
    }
    for (Program::Call& call : p_.calls)
      for (std::uint32_t& v : call.arguments) v = place[v];
    for (std::uint32_t& v : p_.result) v = place[v];
    p_.code = std::move(code);
  }

  Program& p_;
  std::span<const std::uint32_t> rank_;
  std::vector<Unit> units_;
  std::vector<std::uint32_t> reads_;
  std::vector<std::uint32_t> uses_;   ///< units that still read a value
  std::vector<std::uint32_t> users_;  ///< their exclusive or: the last one when one is left
  std::vector<std::uint32_t> first_user_, user_;
  std::vector<std::uint32_t> free_[2];  ///< stacks of units that cost nothing, by score
  using Ranked = std::pair<std::uint32_t, std::uint32_t>;
  std::priority_queue<Ranked, std::vector<Ranked>, std::greater<>> costly_;
  std::vector<std::uint32_t> order_;
};

}  // namespace

std::vector<std::uint32_t> reorder(Program& program, std::span<const std::uint32_t> rank) {
  return Reordering(program, rank).run();
}

}  // namespace coenergy::symbolic::lowering
