#include <unordered_map>

#include "coenergy/base/error.hpp"
#include "coenergy/equations/builder.hpp"
#include "coenergy/mechanics/mechanism_model.hpp"
#include "coenergy/symbolic/algebra.hpp"

namespace coenergy::mechanics {

using equations::Builder;
using equations::EquationSet;
using equations::Source;
using equations::UnknownInfo;
using equations::Variables;
using symbolic::Expr;

namespace {

/// Replaces multipliers by zero, and modes by the relations that set them; a mode that depends on itself stays.
class Cleaner {
 public:
  explicit Cleaner(Builder& builder) {
    Variables& v = builder.variables();
    for (int k = 0; k < v.multipliers(); ++k) from_.push_back(v.multiplier(k)), to_.push_back(0);
    for (int k = 0; k < v.discretes(); ++k) {
      const std::optional<Expr> value = builder.mode_value(k);
      if (!value || (!value->is_number() && symbolic::depends_on(*value, v.discrete(k)))) continue;
      // relations inside relations have the lower index
      const Expr relation = (*this)(*value);
      from_.push_back(v.discrete(k)), to_.push_back(relation);
    }
  }
  Expr operator()(const Expr& e) const { return e.is_number() ? e : symbolic::substitute(e, from_, to_); }

 private:
  std::vector<Expr> from_, to_;
};

}  // namespace

MechanismModel::Forces read_forces(Builder& builder, const MechanismModel& model) {
  using Forces = MechanismModel::Forces;
  Variables& v = builder.variables();
  const EquationSet& set = builder.equations();
  Forces forces;
  forces.time = v.time();

  // coordinates by the symbol of their rate: degrees of freedom first, then shafts
  const int count = static_cast<int>(model.freedoms.size());
  std::unordered_map<std::uint32_t, int> place;
  for (int k = 0; k < count; ++k) place.emplace(model.freedoms[k].v.id(), k);
  for (int k = 0; k < v.coordinates(); ++k) {
    const Variables::Coordinate& c = v.coordinate(k);
    if (!place.emplace(c.v.id(), count + static_cast<int>(forces.shafts.size())).second) continue;
    const UnknownInfo& info = builder.coordinate_info(k);
    forces.shafts.push_back({info.name, info.turns, builder.coordinate_start(k), builder.coordinate_start_rate(k), c.q,
                             c.v, c.a, std::string(info.owner())});
  }

  const Cleaner clean(builder);
  std::vector<std::vector<Expr>> terms(place.size());
  for (const auto& [k, e] : set.balance) terms[place.at(v.coordinate(k).v.id())].push_back(clean(e));
  for (const auto& [k, e] : set.rotation_balance)
    for (int j = 0; j < 3; ++j) terms[place.at(v.rotation(k).w[j].id())].push_back(clean(e[j]));
  for (const std::vector<Expr>& t : terms) forces.rows.push_back(t.empty() ? Expr(0) : symbolic::sum(t));
  std::vector<Expr> all = forces.rows;
  for (const auto& [k, phi] : set.constraint) {
    const Expr h = clean(phi), rate = v.time_derivative(h);
    const std::string name = builder.row_name(v.multiplier(k));
    forces.constraints.push_back(
        {name.empty() ? std::string(v.graph().name(v.multiplier(k).id())) : name, h, rate, v.time_derivative(rate)});
    all.push_back(forces.constraints.back().acceleration);
  }
  if (equations::reads_history(all))
    throw Error(
        "forces of the model read the past of a signal (a transport delay, a line with waves), which generated "
        "functions do not know; put a lag in its place");
  if (!set.velocity_constraint.empty())
    forces.rate_constraint = builder.row_name(v.multiplier(set.velocity_constraint.front().first));

  for (const Expr& s : symbolic::free_symbols(all)) {
    const Source source = v.address(s).source;
    if (source == Source::x || source == Source::xd || source == Source::y || source == Source::d)
      forces.others.push_back({std::string(v.graph().name(s.id())), s});
  }
  return forces;
}

}  // namespace coenergy::mechanics
