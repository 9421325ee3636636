#include "coenergy/solve/impact.hpp"

#include <algorithm>
#include <cmath>

#include "coenergy/math/dense_lu.hpp"
#include "coenergy/math/matrix.hpp"
#include "coenergy/solve/newton.hpp"
#include "coenergy/system/data.hpp"

namespace coenergy::solve {

using system::Point;
using system::System;

namespace {
constexpr int values_per_contact = 4;
constexpr double damping = 1e-8;     // of multipliers, relative to the equilibrated matrix
constexpr int corrections = 5;       // of damped solutions
constexpr double round_off = 1e-12;  // of the largest rate: differences below are none
}  // namespace

ImpactSolver::ImpactSolver(system::Evaluator& evaluator) : evaluator_(&evaluator) {
  const System& s = evaluator.system();
  if (s.data().contacts.empty()) return;
  lu_.emplace(s.n(), s.pattern().column_start, s.pattern().row, multiplier_indices(s));
  // constraints may be redundant: they share their impulse then
  if (s.nl() > 0) lu_->set_damping(damping);
  values_.resize(values_per_contact * s.data().contacts.size() + s.data().contact_entries.size());
  matrix_.resize(s.pattern().row.size());
}

/// The contacts that take part: those that touch and approach, and those that rest. True if any approaches.
bool ImpactSolver::find_contacts(const Point& p) {
  const System::Data& data = evaluator_->system().data();
  index_.clear();
  contacts_.clear();
  evaluator_->contacts(p, values_);
  bool any = false;
  for (std::size_t k = 0; k < data.contacts.size(); ++k) {
    const double* value = values_.data() + values_per_contact * k;
    Contact c{value[0], value[1], value[2], false, {}};
    const bool closed = p.d[data.contacts[k].closed] != 0;
    const bool hits = !closed && c.depth >= 0 && c.rate > 0;
    if (!hits && !closed) continue;
    any = any || hits;
    c.rests = closed || c.restitution * c.rate < value[3];
    if (c.rests) c.restitution = 0;
    index_.push_back(static_cast<int>(k));
    contacts_.push_back(std::move(c));
  }
  return any;
}

bool ImpactSolver::find_responses(const Point& p) {
  const System::Data& data = evaluator_->system().data();
  evaluator_->jacobian(p, system::Level::acceleration, {.a = 1, .lambda = 1, .xd = 1, .y = 1}, matrix_);
  if (!lu_->factor(matrix_)) return false;
  const std::size_t first = values_per_contact * data.contacts.size();
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    std::vector<double>& response = contacts_[i].response;
    response.assign(evaluator_->system().n(), 0.0);
    for (std::size_t e = 0; e < data.contact_entries.size(); ++e)
      if (data.contact_entries[e].contact == index_[i]) response[data.contact_entries[e].unknown] = values_[first + e];
    solve(response);
  }
  return true;
}

/// b ← S⁻¹ b. Where S is damped, corrections by the residual of S itself bring the jumps to round-off.
void ImpactSolver::solve(std::vector<double>& b) {
  std::vector<double> left = b, sum(b.size(), 0.0);
  const system::SparsePattern& pattern = evaluator_->system().pattern();
  for (int pass = 0; pass < (lu_->damping() > 0 ? corrections : 1); ++pass) {
    lu_->solve(left);
    for (std::size_t i = 0; i < b.size(); ++i) sum[i] += left[i];
    left = b;
    for (int j = 0; j < pattern.n; ++j)
      for (int k = pattern.column_start[j]; k < pattern.column_start[j + 1]; ++k)
        left[pattern.row[k]] -= matrix_[k] * sum[j];
  }
  b = sum;
}

/// N_k (S⁻¹ N_lᵀ): how much a unit impulse of contact l slows the rate of contact k.
double ImpactSolver::rate_change(int k, int l) const {
  const System::Data& data = evaluator_->system().data();
  const std::size_t first = values_per_contact * data.contacts.size();
  double sum = 0;
  for (std::size_t e = 0; e < data.contact_entries.size(); ++e)
    if (data.contact_entries[e].contact == index_[k])
      sum += values_[first + e] * contacts_[l].response[data.contact_entries[e].unknown];
  return sum;
}

/// 0 ≤ P ⟂ G P − (1 + e) δ̇⁻ ≥ 0 by an active set: contacts whose impulse would pull leave it, contacts that would go on
/// approaching join it.
bool ImpactSolver::find_impulses() {
  const int n = static_cast<int>(contacts_.size());
  math::Matrix G(n, n);
  std::vector<double> needed(n);
  double largest = 0;
  for (int k = 0; k < n; ++k) {
    for (int l = 0; l < n; ++l) G(k, l) = rate_change(k, l);
    needed[k] = (1 + contacts_[k].restitution) * contacts_[k].rate;
    largest = std::max(largest, std::abs(needed[k]));
  }
  std::vector<char> active(n);
  for (int k = 0; k < n; ++k) active[k] = contacts_[k].rate > 0;
  for (int pass = 0; pass < 50 * (n + 1); ++pass) {
    // impulses of the active contacts
    std::vector<int> members;
    for (int k = 0; k < n; ++k)
      if (active[k]) members.push_back(k);
    const std::size_t m = members.size();
    math::DenseLu<double> lu(static_cast<int>(m));
    std::vector<double> P;
    for (std::size_t i = 0; i < m; ++i) {
      for (std::size_t j = 0; j < m; ++j) lu.matrix()[i + j * m] = G(members[i], members[j]);
      P.push_back(needed[members[i]]);
    }
    if (m > 0 && !lu.factor()) return false;
    if (m > 0) lu.solve(P);
    impulse_.assign(n, 0.0);
    for (std::size_t i = 0; i < m; ++i) impulse_[members[i]] = P[i];

    // the worst contradiction decides who leaves or joins
    const auto pulls = std::min_element(impulse_.begin(), impulse_.end());
    if (pulls != impulse_.end() && *pulls < 0) {
      active[pulls - impulse_.begin()] = 0;
      continue;
    }
    int joins = -1;
    double worst = round_off * largest;
    for (int k = 0; k < n; ++k) {
      double left = needed[k];
      for (int l = 0; l < n; ++l) left -= G(k, l) * impulse_[l];
      if (!active[k] && left > worst) worst = left, joins = k;
    }
    if (joins < 0) return true;
    active[joins] = 1;
  }
  return false;
}

void ImpactSolver::apply(Point& p) const {
  const System& s = evaluator_->system();
  double lost = 0, largest = 0;
  for (const Contact& c : contacts_) largest = std::max(largest, std::abs(c.rate));
  for (std::size_t k = 0; k < contacts_.size(); ++k) {
    double after = contacts_[k].rate;
    for (std::size_t l = 0; l < contacts_.size(); ++l)
      after -= rate_change(static_cast<int>(k), static_cast<int>(l)) * impulse_[l];
    lost += impulse_[k] * (contacts_[k].rate + after) / 2;
    // at rest unless it was torn open
    p.d[s.data().contacts[index_[k]].closed] = contacts_[k].rests && after > -round_off * largest;
  }
  const int first_x = s.nv() + s.nl();
  for (std::size_t l = 0; l < contacts_.size(); ++l) {
    for (int i = 0; i < s.nv(); ++i) p.v[i] -= contacts_[l].response[i] * impulse_[l];
    for (int i = 0; i < s.nx(); ++i) p.x[i] -= contacts_[l].response[first_x + i] * impulse_[l];
  }
  if (s.data().dissipated_state >= 0) p.x[s.data().dissipated_state] += lost;
}

ImpactSolver::Outcome ImpactSolver::pass(Point& p) {
  if (values_.empty() || !find_contacts(p)) return {};
  for (const auto& [discrete, value] : evaluator_->system().data().modes_at_impact) p.d[discrete] = value;
  if (!find_responses(p) || !find_impulses())
    return {true, false,
            "the impact of " + evaluator_->system().data().contacts[index_[0]].name +
                " has no solution: what it hits has no mass, or contacts depend on each other"};
  apply(p);
  return {true, true, ""};
}

}  // namespace coenergy::solve
