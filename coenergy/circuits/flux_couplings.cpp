#include "coenergy/circuits/flux_couplings.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <unordered_map>

#include "coenergy/math/semidefinite.hpp"

namespace coenergy::circuits {

using equations::Variables;
using math::Matrix;
using model::BranchKind;
using symbolic::Expr;

namespace {

std::string join(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

}  // namespace

FluxCouplings::FluxCouplings(const Elements& elements, const Circuit& circuit, equations::Builder& builder,
                             ErrorList& errors)
    : elements_(elements), circuit_(circuit), builder_(builder), pairs_(elements.couplings(errors)) {
  for (std::size_t k = 0; k < pairs_.size(); ++k)
    for (int coil : {pairs_[k].a, pairs_[k].b}) pairs_of_[coil].push_back(static_cast<int>(k));
  if (pairs_.empty()) return;
  const std::vector<BranchInfo>& branches = circuit_.branches();
  for (std::size_t b = 0; b < branches.size(); ++b)
    if (branches[b].kind == BranchKind::inductive && branches[b].state >= 0)
      branch_of_.emplace(branches[b].component, static_cast<int>(b));
  check(errors);
}

/// Coils joined by couplings, in the order of the model.
std::vector<std::vector<int>> FluxCouplings::group_coils() const {
  std::unordered_map<int, int> parent;
  const auto root = [&](int c) {
    while (parent.emplace(c, c).first->second != c) c = parent[c] = parent[parent[c]];
    return c;
  };
  for (const CoilPair& p : pairs_) parent[root(p.a)] = root(p.b);
  std::map<int, std::vector<int>> groups;
  for (const auto& [coil, pairs] : pairs_of_) groups[root(coil)].push_back(coil);
  std::vector<std::vector<int>> list;
  for (auto& [key, coils] : groups) list.push_back(std::move(coils));
  return list;
}

/// The usual case, without a matrix: a group may be large.
bool FluxCouplings::is_regular(const std::vector<int>& coils) const {
  std::map<int, int> place;
  for (std::size_t i = 0; i < coils.size(); ++i) place[coils[i]] = static_cast<int>(i);
  std::vector<std::map<int, double>> upper(coils.size());
  for (int c : coils)
    for (int k : pairs_of_.at(c)) {
      const CoilPair& p = pairs_[k];
      const auto [i, j] = std::minmax({place[p.a], place[p.b]});
      upper[i][j] = p.M / std::sqrt(p.L_a * p.L_b);
    }
  return math::is_positive_definite(std::move(upper));
}

Matrix FluxCouplings::make_inductances(const std::vector<int>& coils) const {
  const int n = static_cast<int>(coils.size());
  Matrix l(n, n);
  std::map<int, int> place;
  for (int i = 0; i < n; ++i) place[coils[i]] = i;
  for (const auto& [c, i] : place) {
    const auto coupled = pairs_of_.find(c);
    if (coupled == pairs_of_.end()) {
      // any inductance of a coil that is coupled to none leaves the rank
      l(i, i) = elements_.inductance(c).value_or(1);
      continue;
    }
    for (int k : coupled->second) {
      const CoilPair& p = pairs_[k];
      l(i, i) = p.a == c ? p.L_a : p.L_b;
      if (const auto other = place.find(p.a == c ? p.b : p.a); other != place.end()) l(i, other->second) = p.M;
    }
  }
  return l;
}

void FluxCouplings::check(ErrorList& errors) {
  for (const std::vector<int>& coils : group_coils()) {
    if (is_regular(coils)) continue;
    if (!math::factorize_semidefinite(make_inductances(coils)).is_indefinite) {
      find_followers(coils, errors);
      continue;
    }
    std::vector<std::string> names, elements;
    Location where;
    for (int c : coils) names.push_back(elements_.name(c));
    for (const CoilPair& p : pairs_) {
      if (std::find(coils.begin(), coils.end(), p.a) == coils.end()) continue;
      elements.push_back(elements_.name(p.component));
      where = elements_.where(p.component);
    }
    if (elements.size() == 1)
      errors.add(where, elements[0] + ": the mutual inductance of " + names[0] + " and " + names[1] +
                            " is more than sqrt(L_a L_b); some currents would have a negative energy");
    else
      errors.add(where, "the couplings " + join(elements) + " of " + join(names) +
                            " cannot be true together: some currents would have a negative energy");
  }
}

int FluxCouplings::find_branch(int component) const {
  const auto place = branch_of_.find(component);
  return place == branch_of_.end() ? -1 : place->second;
}

/// The current of an inductive branch by free currents of coils.
std::vector<std::pair<int, double>> FluxCouplings::find_free(int b) const {
  const BranchInfo& branch = circuit_.branches()[b];
  const int k = circuit_.find_constraint(branch.component, branch.state);
  if (k < 0) return {{branch.component, 1.0}};
  std::vector<std::pair<int, double>> free;
  for (const Circuit::Term& term : circuit_.constraints()[k].terms) {
    const BranchInfo& other = circuit_.branches()[term.branch];
    if (other.kind == BranchKind::inductive && other.state >= 0) free.emplace_back(other.component, term.sign);
  }
  return free;
}

double FluxCouplings::start_of(int c) const {
  return elements_.start(c, circuit_.branches()[find_branch(c)].state).value;
}

/// All coils whose currents hold the same free ones as these, and those coupled to them; returns the free ones.
std::vector<int> FluxCouplings::add_connected(std::vector<int>& coils) {
  if (holders_.empty())
    for (const auto& [coil, b] : branch_of_)
      for (const auto& [c, entry] : find_free(b)) holders_[c].push_back(coil);
  std::set<int> free, inside(coils.begin(), coils.end());
  const auto enter = [&](int coil) {
    if (inside.insert(coil).second) coils.push_back(coil);
  };
  for (std::size_t k = 0; k < coils.size(); ++k) {
    const int coil = coils[k];
    if (const auto coupled = pairs_of_.find(coil); coupled != pairs_of_.end())
      for (int pair : coupled->second) enter(pairs_[pair].a), enter(pairs_[pair].b);
    if (find_branch(coil) < 0) continue;
    for (const auto& [c, entry] : find_free(find_branch(coil)))
      if (free.insert(c).second)
        for (int holder : holders_[c]) enter(holder);
  }
  coils.assign(inside.begin(), inside.end());
  return {free.begin(), free.end()};
}

/// P = Tᵀ L T; what rounding leaves of a current whose fluxes cancel, as in equal windings against each other, is zero.
Matrix FluxCouplings::make_projection(const std::vector<int>& coils, const Matrix& t) const {
  const Matrix l = make_inductances(coils);
  Matrix p = multiply(multiply(transpose(t), l), t);
  constexpr double rounding = 1e-12;
  for (int j = 0; j < t.columns; ++j) {
    double sum = 0;
    for (int i = 0; i < t.rows; ++i) sum += t(i, j) * t(i, j) * l(i, i);
    if (p(j, j) > rounding * sum) continue;
    for (int i = 0; i < t.columns; ++i) p(i, j) = p(j, i) = 0;
  }
  return p;
}

void FluxCouplings::find_followers(std::vector<int> coils, ErrorList& errors) {
  const std::vector<int> free = add_connected(coils);
  if (std::any_of(free.begin(), free.end(), [&](int c) { return roles_.count(c) != 0; })) return;  // seen before
  const int n = static_cast<int>(coils.size()), count = static_cast<int>(free.size());
  Matrix t(n, count);
  for (int i = 0; i < n; ++i) {
    if (find_branch(coils[i]) < 0) continue;
    for (const auto& [c, entry] : find_free(find_branch(coils[i])))
      t(i, static_cast<int>(std::lower_bound(free.begin(), free.end(), c) - free.begin())) += entry;
  }
  const math::SemidefiniteFactors f = math::factorize_semidefinite(make_projection(coils, t));
  constexpr double no_part = 1e-6;  // the root of what counts as nothing there
  for (int q : f.rest) {
    const std::vector<double> ratios = f.ratios(q);
    roles_[free[q]].is_follower = true;
    std::vector<int> partners;
    for (std::size_t k = 0; k < ratios.size(); ++k) {
      const int p = f.pivots[k];
      if (std::abs(ratios[k]) * f.scale[p] < no_part * f.scale[q]) continue;
      partners.push_back(free[p]);
      roles_[free[p]].start += ratios[k] * start_of(free[q]);
    }
    check_voltages(partners, free[q], errors);
  }
  for (int c : free)
    if (const auto role = roles_.find(c); role != roles_.end()) {
      role->second.variable = circuit_.branches()[find_branch(c)].state;
      if (!role->second.is_follower) role->second.start += start_of(c);
    }
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < count; ++j)
      if (t(i, j) != 0 && roles_.count(free[j]) != 0) coils_[coils[i]].emplace_back(free[j], t(i, j));
}

/// Refuses v_q = A v_p where only capacitors and voltage sources decide on all of these voltages.
void FluxCouplings::check_voltages(const std::vector<int>& partners, int follower, ErrorList& errors) const {
  std::vector<int> all = partners;
  all.push_back(follower);
  std::vector<std::string> names, fixing;
  for (int c : all) {
    names.push_back(elements_.name(c));
    for (const Circuit::Term& term : circuit_.tree_path(find_branch(c))) {
      const BranchKind kind = circuit_.branches()[term.branch].kind;
      if (kind != BranchKind::voltage && kind != BranchKind::capacitive) return;
      const std::string name = circuit_.branch_name(term.branch);
      if (std::find(fixing.begin(), fixing.end(), name) == fixing.end()) fixing.push_back(name);
    }
  }
  errors.add(
      elements_.where(follower),
      join(names) + " share all their flux, so their voltages are in a fixed ratio; but " +
          (fixing.empty() ? "both are shorted" : join(fixing) + (fixing.size() > 1 ? " fix" : " fixes") + " them") +
          "; put a resistor in series with one of them, or give the coupling some leakage (|k| < 1)");
}

bool FluxCouplings::shares_all(int component, int variable) const {
  const auto role = roles_.find(component);
  return role != roles_.end() && role->second.variable == variable;
}

std::optional<double> FluxCouplings::magnetising_start(int component) const {
  const Role& role = roles_.at(component);
  return role.is_follower ? std::nullopt : std::optional(role.start);
}

int FluxCouplings::followers() const {
  return static_cast<int>(
      std::count_if(roles_.begin(), roles_.end(), [](const auto& r) { return r.second.is_follower; }));
}

Expr FluxCouplings::current(const Role& role) const { return builder_.variables().algebraic(role.current); }

void FluxCouplings::set_rates() {
  Variables& v = builder_.variables();
  for (const auto& [c, role] : roles_) v.set_rate(current(role), role.is_follower ? Expr(0) : v.state(role.state).xd);
}

std::optional<Expr> FluxCouplings::deviation(int component) const {
  const auto coil = coils_.find(component);
  if (coil == coils_.end()) return std::nullopt;
  Expr sum = 0;
  for (const auto& [c, entry] : coil->second) {
    const Role& role = roles_.at(c);
    const Expr m = role.is_follower ? Expr(0) : builder_.variables().state(role.state).x;
    sum += entry * (m - current(role));
  }
  return sum;
}

void FluxCouplings::add_flux(int component, const Expr& flux) {
  const auto coil = coils_.find(component);
  if (coil == coils_.end()) return;
  for (const auto& [c, entry] : coil->second)
    if (const Role& role = roles_.at(c); !role.is_follower) builder_.add_state_row(role.state, entry * flux);
}

}  // namespace coenergy::circuits
