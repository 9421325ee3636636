#include "coenergy/solve/impact.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "coenergy/equations/data.hpp"
#include "coenergy/math/dense_lu.hpp"

namespace coenergy::solve {

using equations::Point;
using equations::System;

namespace {
constexpr int values_per_contact = 4;
constexpr double round_off = 1e-12;    // of the largest rate: differences below are none
constexpr double equally_fast = 1e-3;  // rates that differ by less have their impacts at once
constexpr double softness = 1e-12;  // of the largest entry of G: contacts that depend on each other share the impulse
constexpr int most_turns = 2000;    // what is left then comes to rest at once
}  // namespace

ImpactSolver::ImpactSolver(equations::Evaluator& evaluator, const Options& options)
    : evaluator_(&evaluator), options_(options) {
  const System::Data& data = evaluator.system().data();
  if (!data.contacts.empty()) values_.resize(values_per_contact * data.contacts.size() + data.contact_entries.size());
}

ImpactSolver::Beyond ImpactSolver::find_beyond(const Point& p) {
  constexpr double nothing = 1e-9;  // m or rad: what assembly may leave
  const System::Data& data = evaluator_->system().data();
  if (values_.empty()) return {};
  evaluator_->contacts(p, values_);
  for (std::size_t k = 0; k < data.contacts.size(); ++k)
    if (const double depth = values_[values_per_contact * k]; depth > nothing && p.d[data.contacts[k].closed] == 0)
      return {data.contacts[k].name, depth};
  return {};
}

/// The contacts that touch, or will before the instant is over. True if one that is open approaches.
bool ImpactSolver::find_contacts(const Point& p) {
  const System::Data& data = evaluator_->system().data();
  index_.clear();
  contacts_.clear();
  evaluator_->contacts(p, values_);
  bool any = false;
  double fastest = 0;
  for (std::size_t k = 0; k < data.contacts.size(); ++k) {
    const double* value = values_.data() + values_per_contact * k;
    const bool touches = value[0] >= 0 && value[1] > 0 && p.d[data.contacts[k].closed] == 0;
    if (touches) any = true, fastest = std::max(fastest, value[1]);
  }
  if (!any) return false;
  const double hair = fastest * same_instant(options_, p.t);
  for (std::size_t k = 0; k < data.contacts.size(); ++k) {
    const double* value = values_.data() + values_per_contact * k;
    const bool closed = p.d[data.contacts[k].closed] != 0;
    if (!closed && value[0] < -hair) continue;
    index_.push_back(static_cast<int>(k));
    contacts_.push_back({value[1], value[2], value[3], closed, {}});
  }
  return true;
}

bool ImpactSolver::find_responses(const Point& p, Impulses& impulses) {
  const System& s = evaluator_->system();
  const System::Data& data = s.data();
  if (!impulses.good()) return false;
  evaluator_->contacts(p, values_);
  const double* slope = values_.data() + values_per_contact * data.contacts.size();
  const int n = static_cast<int>(contacts_.size());
  for (int i = 0; i < n; ++i) {
    std::vector<double>& response = contacts_[i].response;
    response.assign(s.n(), 0.0);
    for (std::size_t e = 0; e < data.contact_entries.size(); ++e)
      if (data.contact_entries[e].contact == index_[i]) response[data.contact_entries[e].unknown] = slope[e];
    impulses.solve(response);
  }
  G_ = math::Matrix(n, n);
  for (std::size_t e = 0; e < data.contact_entries.size(); ++e) {
    const auto place = std::find(index_.begin(), index_.end(), data.contact_entries[e].contact);
    if (place == index_.end()) continue;
    const int k = static_cast<int>(place - index_.begin());
    for (int l = 0; l < n; ++l) G_(k, l) += slope[e] * contacts_[l].response[data.contact_entries[e].unknown];
  }
  return true;
}

/// Until none of the contacts approaches by more than round-off; what approaches by less rests from then on, since it
/// would otherwise ask for an impact again and again, and get none.
bool ImpactSolver::take_turns() {
  const int n = static_cast<int>(contacts_.size());
  total_.assign(n, 0.0);
  lost_ = 0;
  record_ = {.contacts = index_, .turns = {}};
  double largest = 0;
  for (const Contact& c : contacts_) largest = std::max(largest, std::abs(c.rate));
  for (int turn = 0; turn <= most_turns; ++turn) {
    double fastest = 0;
    for (const Contact& c : contacts_) fastest = std::max(fastest, c.rate);
    if (fastest <= round_off * largest) {
      for (Contact& c : contacts_) c.rests = c.rests || c.rate > 0;
      return true;
    }
    std::vector<int> members;
    for (int k = 0; k < n; ++k) {
      const bool is_fast = contacts_[k].rate >= (1 - equally_fast) * fastest;
      if (is_fast || contacts_[k].restitution == 0 || turn == most_turns) members.push_back(k);
    }
    if (!take_turn(members, turn == most_turns)) return false;
  }
  return true;
}

bool ImpactSolver::take_turn(const std::vector<int>& members, bool plastic) {
  std::vector<double> needed;
  ImpactRecord::Turn& turn = record_.turns.emplace_back();
  turn.members = members;
  for (int k : members) {
    Contact& c = contacts_[k];
    if (c.rate > 0) c.rests = plastic || c.restitution * c.rate < c.rest_rate;
    turn.bounces.push_back(c.rate > 0 && !c.rests);
    needed.push_back((turn.bounces.back() ? 1 + c.restitution : 1) * c.rate);
  }
  if (!find_impulses(members, needed)) return false;
  for (double impulse : impulse_) turn.active.push_back(impulse != 0);
  add_impulses(members);
  return true;
}

/// The impulses of a turn change the rates of all contacts.
void ImpactSolver::add_impulses(const std::vector<int>& members) {
  std::vector<double> before;
  for (const Contact& c : contacts_) before.push_back(c.rate);
  for (std::size_t k = 0; k < contacts_.size(); ++k)
    for (std::size_t i = 0; i < members.size(); ++i)
      contacts_[k].rate -= G_(static_cast<int>(k), members[i]) * impulse_[i];
  for (std::size_t i = 0; i < members.size(); ++i) {
    const int k = members[i];
    total_[k] += impulse_[i];
    lost_ += impulse_[i] * (before[k] + contacts_[k].rate) / 2;
  }
}

/// Impulses of the active members alone, with which each of them gets what it needs.
bool ImpactSolver::solve_active(const std::vector<int>& members, const std::vector<char>& active,
                                const std::vector<double>& needed) {
  double stiffest = 0;
  std::vector<int> on;
  for (std::size_t k = 0; k < members.size(); ++k) {
    stiffest = std::max(stiffest, std::abs(G_(members[k], members[k])));
    if (active[k]) on.push_back(static_cast<int>(k));
  }
  const std::size_t m = on.size();
  math::DenseLu<double> lu(static_cast<int>(m));
  std::vector<double> P;
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j < m; ++j) lu.matrix()[i + j * m] = G_(members[on[i]], members[on[j]]);
    lu.matrix()[i + i * m] += m > 1 ? softness * stiffest : 0;
    P.push_back(needed[on[i]]);
  }
  if (m > 0 && !(stiffest > 0 && lu.factor())) return false;
  if (m > 0) lu.solve(P);
  impulse_.assign(members.size(), 0.0);
  for (std::size_t i = 0; i < m; ++i) impulse_[on[i]] = P[i];
  return true;
}

/// 0 ≤ P ⟂ G P − needed ≥ 0 of the members by an active set: contacts whose impulse would pull leave it, contacts that
/// would go on approaching join it.
bool ImpactSolver::find_impulses(const std::vector<int>& members, const std::vector<double>& needed) {
  const int n = static_cast<int>(members.size());
  double largest = 0;
  for (int k = 0; k < n; ++k) largest = std::max(largest, std::abs(needed[k]));
  std::vector<char> active(n);
  for (int k = 0; k < n; ++k) active[k] = needed[k] > 0;
  for (int pass = 0; pass < 50 * (n + 1); ++pass) {
    if (!solve_active(members, active, needed)) return false;

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
      for (int l = 0; l < n; ++l) left -= G_(members[k], members[l]) * impulse_[l];
      if (!active[k] && left > worst) worst = left, joins = k;
    }
    if (joins < 0) return true;
    active[joins] = 1;
  }
  return false;
}

ImpactSolver::Outcome ImpactSolver::pass(Point& p) {
  if (values_.empty() || !find_contacts(p)) return {};
  const System::Data& data = evaluator_->system().data();
  for (const auto& [discrete, value] : data.modes_at_impact) p.d[discrete] = value;
  Impulses impulses(*evaluator_, p);
  if (!find_responses(p, impulses) || !take_turns())
    return {true, false,
            "the impact of " + data.contacts[index_[0]].name +
                " has no solution: what it hits has no mass, or contacts depend on each other"};
  apply(impulses, p);
  // at rest unless it was torn open; where it leaves more slowly than it would rest, its force decides
  for (std::size_t k = 0; k < contacts_.size(); ++k)
    p.d[data.contacts[index_[k]].closed] = contacts_[k].rests && contacts_[k].rate > -contacts_[k].rest_rate;
  return {true, true, ""};
}

/// The velocities and states behind all impulses.
void ImpactSolver::apply(const Impulses& impulses, Point& p) const {
  const System::Data& data = evaluator_->system().data();
  for (std::size_t k = 0; k < contacts_.size(); ++k) impulses.apply(contacts_[k].response, -total_[k], p);
  if (data.dissipated_state >= 0) p.x[data.dissipated_state] += lost_;
}

bool ImpactSolver::repeat(Point& p, const ImpactRecord& record) {
  const System::Data& data = evaluator_->system().data();
  index_ = record.contacts;
  contacts_.clear();
  evaluator_->contacts(p, values_);
  for (int k : index_) {
    const double* value = values_.data() + values_per_contact * k;
    contacts_.push_back({value[1], value[2], value[3], false, {}});
  }
  for (const auto& [discrete, value] : data.modes_at_impact) p.d[discrete] = value;
  Impulses impulses(*evaluator_, p);
  if (!find_responses(p, impulses)) return false;
  total_.assign(contacts_.size(), 0.0);
  lost_ = 0;
  for (const ImpactRecord::Turn& turn : record.turns) {
    std::vector<double> needed;
    for (std::size_t i = 0; i < turn.members.size(); ++i) {
      const Contact& c = contacts_[turn.members[i]];
      needed.push_back((turn.bounces[i] ? 1 + c.restitution : 1) * c.rate);
    }
    if (!solve_active(turn.members, turn.active, needed)) return false;
    add_impulses(turn.members);
  }
  apply(impulses, p);
  return true;
}

}  // namespace coenergy::solve
