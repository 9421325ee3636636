#include "coenergy/equations/algebraic_rates.hpp"

#include <algorithm>
#include <unordered_set>

#include "coenergy/equations/rates.hpp"
#include "coenergy/symbolic/algebra.hpp"

namespace coenergy::equations {

using symbolic::Expr;

namespace {

/// The rows of states and algebraic variables, and which unknowns ẋ and y stand in them. Unknowns and rows are numbered
/// alike: states, then algebraic variables. Unknowns in `rates` are rates of algebraic variables.
class Rows {
 public:
  Rows(const EquationSet& set, const std::vector<int>& rates)
      : states_(set.variables.states()), contributions_(states_ + set.variables.algebraics()) {
    for (const auto& [k, e] : set.state) contributions_[k].push_back(e);
    for (const auto& [k, e] : set.algebraic) contributions_[states_ + k].push_back(e);
    unknowns_.resize(contributions_.size());
    has_rates_.resize(contributions_.size(), 0);
    is_rate_.resize(contributions_.size(), 0);
    for (int k : rates) is_rate_[states_ + k] = 1;
    for (int row = 0; row < count(); ++row)
      for (const Expr& s : symbolic::free_symbols(contributions_[row])) add(set.variables.address(s), row);
  }

  int count() const { return static_cast<int>(contributions_.size()); }
  int states() const { return states_; }
  const std::vector<int>& unknowns(int row) const { return unknowns_[row]; }  ///< but for those that are rates
  bool has_rates(int row) const { return has_rates_[row] != 0; }
  bool is_rate(int unknown) const { return is_rate_[unknown] != 0; }
  Expr row(int k) const { return symbolic::sum(contributions_[k]); }

 private:
  void add(const Address& at, int row) {
    const bool is_state = at.source == Source::xd, is_algebraic = at.source == Source::y;
    const int unknown = is_state ? at.index : is_algebraic ? states_ + at.index : -1;
    const bool is_rate = is_algebraic && is_rate_[unknown] != 0;
    if (unknown >= 0 && !is_rate) unknowns_[row].push_back(unknown);
    if (is_state || is_rate || at.source == Source::a || at.source == Source::rotation_a || at.source == Source::lambda)
      has_rates_[row] = 1;
  }

  int states_;
  std::vector<std::vector<Expr>> contributions_;
  std::vector<std::vector<int>> unknowns_;
  std::vector<char> has_rates_, is_rate_;
};

/// A maximum matching of unknowns with rows, by augmenting paths, the rates of states first; the row of every unknown,
/// −1 for none.
std::vector<int> match(const Rows& rows) {
  const int n = rows.count();
  std::vector<std::vector<int>> rows_of(n);
  for (int row = 0; row < n; ++row)
    for (int unknown : rows.unknowns(row)) rows_of[unknown].push_back(row);
  std::vector<int> row_of(n, -1), unknown_of(n, -1), seen(n, -1), asked_by(n, -1);
  for (int start = 0; start < n; ++start) {
    // breadth first: a row that is taken passes the question on to the unknown that has it
    std::vector<int> queue{start};
    int free = -1;
    for (std::size_t k = 0; k < queue.size() && free < 0; ++k)
      for (int row : rows_of[queue[k]]) {
        if (seen[row] == start) continue;
        seen[row] = start;
        asked_by[row] = queue[k];
        if (unknown_of[row] < 0) {
          free = row;
          break;
        }
        queue.push_back(unknown_of[row]);
      }
    while (free >= 0) {
      const int unknown = asked_by[free], before = row_of[unknown];
      row_of[unknown] = free;
      unknown_of[free] = unknown;
      free = before;
    }
  }
  return row_of;
}

}  // namespace

void AlgebraicRates::add(int variable, int component, const std::string& text) {
  // a rate that passes through zero is the difference of large ones: it is known to the round-off of those
  constexpr double rapid = 1e6;  // 1/s
  const UnknownInfo of = builder_.algebraic_info(variable);
  place_.emplace(variable, rates_.size());
  const int unknown = builder_.add_algebraic({rate_name(of.name), of.unit + "/s", rapid * of.nominal});
  rates_.push_back({variable, unknown, component, text});
}

void AlgebraicRates::require(const Expr& e, int component, const std::function<std::string()>& text) {
  if (e.is_number()) return;
  Variables& v = builder_.variables();
  for (const Expr& s : symbolic::free_symbols(std::span(&e, 1))) {
    if (v.address(s).source != Source::y || v.has_rate(s)) continue;
    add(v.address(s).index, component, text());
    v.set_rate(s, v.algebraic(rates_.back().unknown));
  }
}

std::vector<AlgebraicRates::Refusal> AlgebraicRates::write(std::span<const Expr> source_values) {
  std::vector<int> known;
  for (const Rate& rate : rates_) known.push_back(rate.unknown);
  const Rows rows(builder_.equations(), known);
  const std::vector<int> row_of = match(rows);

  // the closed set: variables of equations that are differentiated join those that were asked for
  std::vector<Refusal> refusals;
  std::vector<Expr> equations;
  for (std::size_t k = 0; k < rates_.size(); ++k) {
    const Rate rate = rates_[k];
    const int unknown = rows.states() + rate.variable, row = rows.is_rate(unknown) ? -1 : row_of[unknown];
    if (row < 0 || rows.has_rates(row)) {
      if (refusals.empty() || refusals.back().text != rate.text) refusals.push_back({rate.component, rate.text});
      continue;
    }
    equations.push_back(rows.row(row));
    for (int other : rows.unknowns(row))
      if (place_.count(other - rows.states()) == 0) add(other - rows.states(), rate.component, rate.text);
  }
  if (!refusals.empty()) return refusals;

  // from here on the rate of each of them is its unknown, also of those that follow from others
  Variables& v = builder_.variables();
  for (const Rate& rate : rates_) v.set_rate(v.algebraic(rate.variable), v.algebraic(rate.unknown));
  std::unordered_set<std::uint32_t> inputs;
  for (const Expr& value : source_values)
    if (!value.is_number())
      for (const Expr& s : symbolic::free_symbols(std::span(&value, 1))) inputs.insert(s.id());
  for (const Expr& s : symbolic::free_symbols(equations))
    if (inputs.count(s.id()) != 0) give_rate(builder_, s);
  for (std::size_t k = 0; k < rates_.size(); ++k)
    builder_.add_algebraic_row(rates_[k].unknown, v.time_derivative(equations[k]));
  return {};
}

}  // namespace coenergy::equations
