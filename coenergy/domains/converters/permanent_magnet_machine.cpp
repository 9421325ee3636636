#include "coenergy/domains/converters/permanent_magnet_machine.hpp"

#include <algorithm>
#include <memory>

#include "coenergy/base/names.hpp"
#include "coenergy/symbolic/algebra.hpp"
#include "coenergy/symbolic/integral.hpp"
#include "coenergy/symbolic/table.hpp"

namespace coenergy::domains::converters {

using symbolic::Table;

void PermanentMagnetMachine::describe(Description& d) {
  d.name("converters.PermanentMagnetMachine",
         "synchronous machine with permanent magnets: torque = 3/2 p (psi i_q + (L_d - L_q) i_d i_q)");
  stator.describe(d, "", "stator");
  rotor.describe(d);
  rotor.describe_poles(d);
  d.parameter(L_d, "L_d", "H", "inductance along the magnets").positive().optional();
  d.parameter(L_q, "L_q", "H", "inductance across the magnets").positive().optional();
  d.parameter(L_0, "L_0", "H", "inductance of the zero sequence").positive().optional();
  d.parameter(psi, "psi", "Wb", "flux linkage of the magnets").optional().varying();
  d.parameter(cogging, "cogging", "N.m", "amplitude of the cogging torque").fallback("0 N.m");
  d.parameter(cogging_periods, "cogging_periods", "", "periods of the cogging torque in a turn")
      .positive()
      .fallback("1");
  d.parameter(map_i_d, "map_i_d", "A", "currents i_d of the flux maps, instead of L_d, L_q, psi").optional();
  d.parameter(map_i_q, "map_i_q", "A", "currents i_q of the flux maps").optional();
  d.parameter(psi_d_map, "psi_d_map", "Wb", "flux linkage along the magnets, a row for each i_d").optional();
  d.parameter(psi_q_map, "psi_q_map", "Wb", "flux linkage across the magnets, a row for each i_d").optional();
  d.output("i_d", "A", "current along the magnets");
  d.output("i_q", "A", "current across the magnets");
  d.output("theta", "rad", "electrical angle p*phi");
}

namespace {

std::shared_ptr<const Table> make_map(Equations& eq, const std::string& name, const std::vector<double>& i_d,
                                      const std::vector<double>& i_q, std::vector<double> values) {
  if (values.size() != i_d.size() * i_q.size())
    eq.refuse(name + " has " + std::to_string(values.size()) + " entries; it needs " + std::to_string(i_d.size()) +
              " rows of " + std::to_string(i_q.size()));
  auto table = std::make_shared<Table>();
  table->name = eq.component() + "." + name;
  table->method = Table::Method::cubic;
  table->x = i_d, table->y = i_q, table->values = std::move(values);
  table->prepare();
  return table;
}

/// The largest part of the largest flux by which ψ_q is not the slope of the co-energy.
double find_contradiction(const Table& d, const Table& q) {
  constexpr int parts = 64;  // of Simpson's rule
  double largest = 0, worst = 0;
  for (const double value : q.values) largest = std::max(largest, std::abs(value));
  for (const double value : d.values) largest = std::max(largest, std::abs(value));
  for (const double i_d : d.x)
    for (const double i_q : d.y) {
      double sum = 0;
      for (int k = 0; k <= parts; ++k)
        sum += (k == 0 || k == parts ? 1 : k % 2 == 1 ? 4 : 2) * d.evaluate(i_d * k / parts, i_q, 0, 1);
      worst = std::max(worst, std::abs(q.evaluate(i_d, i_q) - q.evaluate(0, i_q) - sum * i_d / (3 * parts)));
    }
  return largest > 0 ? worst / largest : 0;
}

}  // namespace

Expr PermanentMagnetMachine::make_mapped_coenergy(Equations& eq, const RotorAxes& i) const {
  if (eq.has(L_d) || eq.has(L_q) || eq.has(psi)) eq.refuse("give either L_d, L_q and psi or the maps of the fluxes");
  if (!eq.has(map_i_d) || !eq.has(map_i_q) || !eq.has(psi_d_map) || !eq.has(psi_q_map))
    eq.refuse("flux maps need map_i_d, map_i_q, psi_d_map and psi_q_map");
  const std::vector<double> x = eq.numbers(map_i_d), y = eq.numbers(map_i_q);
  const auto d = make_map(eq, "psi_d_map", x, y, eq.numbers(psi_d_map));
  const auto q = make_map(eq, "psi_q_map", x, y, eq.numbers(psi_q_map));
  const double contradiction = find_contradiction(*d, *q);
  constexpr double tolerable = 0.1, round_off = 1e-3;
  const std::string text = "psi_d_map and psi_q_map are not the slopes of one co-energy: psi_q differs by " +
                           format_short(std::round(1000 * contradiction) / 10) + " % of the largest flux";
  if (contradiction > tolerable) eq.refuse(text);
  if (contradiction > round_off) eq.note(text + "; psi_d_map is taken, and psi_q_map at i_d = 0");

  // W'/(3/2) = ∫ ψ_q(0, u) du + ∫ ψ_d(u, i_q) du
  symbolic::Graph& g = eq.graph();
  const Expr u = g.symbol(eq.component() + "'i_d"), v = g.symbol(eq.component() + "'i_q");
  const Expr w = symbolic::integral(g.table(q, 0, v), v) + symbolic::integral(g.table(d, u, v), u);
  const Expr from[] = {u, v}, to[] = {i.d, i.q};
  return symbolic::substitute(w, from, to);
}

void PermanentMagnetMachine::equations(Equations& eq) const {
  const std::vector<Expr> currents = stator.free_currents(eq);
  const Expr motion = make_motion(eq), theta = rotor.pairs(eq) * motion;
  const RotorAxes i = to_axes(stator.currents(eq), theta);
  Expr w = 0;
  if (eq.has(map_i_d) || eq.has(psi_d_map) || eq.has(psi_q_map)) {
    w = make_mapped_coenergy(eq, i);
  } else {
    if (!eq.has(L_d) || !eq.has(L_q) || !eq.has(psi)) eq.refuse("give L_d, L_q and psi, or the maps of the fluxes");
    w = eq[L_d] * i.d * i.d / 2 + eq[L_q] * i.q * i.q / 2 + eq[psi] * i.d;
  }
  w = 1.5 * w + stator.zero_sequence(eq, L_0);
  if (eq.number(cogging) != 0) w += eq[cogging] / eq[cogging_periods] * cos(eq[cogging_periods] * motion);

  const Fields fields = write_coenergy(eq, w, currents, rotor.angle(eq));
  stator.equations(eq, fields.flux);
  rotor.equations(eq, fields.force);
  const Expr angle = eq[rotor.pole_pairs] * rotor.angle(eq);
  const RotorAxes shown = to_axes(stator.currents(eq), angle);
  eq.output("i_d", "A", shown.d);
  eq.output("i_q", "A", shown.q);
  eq.output("theta", "rad", angle);
}

}  // namespace coenergy::domains::converters
