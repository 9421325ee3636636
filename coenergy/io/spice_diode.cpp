// D: diodes
#include "coenergy/io/spice_device.hpp"

namespace coenergy::io::spice {

namespace {

/// The charge along the edge of the junction, in parallel to that of its area.
void add_sidewall(Expander& x, const Element& e, ModelValues& m, const ModelCard& card, double perimeter,
                  const Temperatures& temperatures, const std::string& p, const std::string& n) {
  const double C = perimeter * m.number(m.has("cjp") ? "cjp" : "cjsw", 0);
  Entries entries{{"p", p},
                  {"n", n},
                  {"Cj0", x.quantity(C, "F", card.where)},
                  {"Vj", x.quantity(m.number("php", 1), "V", card.where)},
                  {"M", x.quantity(m.number("mjsw", 0.33), "", card.where)},
                  {"FC", x.quantity(m.number("fcs", 0.5), "", card.where)}};
  if (C <= 0) return;
  add_temperatures(x, temperatures.own, temperatures.nominal, e.where(), entries);
  x.add(e, "side", "electrical.JunctionCapacitor", std::move(entries));
}

/// Parameters that change with the temperature by laws of their own are refused away from the nominal one.
void check_temperature_laws(ModelValues& m, const Temperatures& temperatures) {
  for (const char* name : {"trs", "trs1", "trs2", "ttt1", "ttt2", "tm1", "tm2", "cta", "ctc", "ctp", "tpb", "tvj",
                           "tphp", "tcv", "tlev", "tlevc", "tbv1", "tbv2", "tikf"})
    temperatures.differ() ? m.expect(name, 0) : m.ignore({name});
}

}  // namespace

void write_diode(Expander& x, const Element& e) {
  Arguments a(e, 3);
  const Token model = take_model(e, a);
  const ModelCard& card = x.find_model(e, model, {"d"});
  const double multiplier = take_multiplier(x, e, a), area = multiplier * take_area(x, e, a);
  a.take_word("off");
  ModelValues m(x, e, card);
  m.expect("level", 1);
  const Temperatures temperatures = take_temperatures(x, e, a, m);
  const Assignment* pj = a.take("pj");
  const double perimeter = pj == nullptr ? 0 : multiplier * x.number(x.resolve(e, pj->value), pj->where);
  // the current along the edge is one of the area where both have one emission coefficient
  const double edge = perimeter * m.number("jsw", 0);
  if (edge > 0 && m.number("ns", 1) != m.number("n", 1))
    throw Error(card.where, "model " + card.name + ": NS of the sidewall must be N");
  const std::string cathode = x.node(e, a.pins[1]);
  std::string anode = x.node(e, a.pins[0]);
  const bool has_sidewall = perimeter > 0 && m.number(m.has("cjp") ? "cjp" : "cjsw", 0) > 0;
  Entries entries;
  if (has_sidewall || x.wants_noise())
    anode = add_series(x, e, anode, m.number("rs", 0) / area, "Rs", card.where);
  else
    m.copy_scaled(entries, "rs", "Rs", "ohm", 1 / area);
  entries.emplace_back("p", anode), entries.emplace_back("n", cathode);
  const char* saturation = m.has("is") ? "is" : "js";
  if (edge > 0)
    entries.emplace_back("Is", x.quantity(area * m.number(saturation, 1e-14) + edge, "A", card.where));
  else
    m.copy_scaled(entries, saturation, "Is", "A", area, 1e-14);
  m.copy(entries, "n", "N", "");
  m.copy_scaled(entries, m.has("cjo") ? "cjo" : m.has("cj0") ? "cj0" : "cj", "Cj0", "F", area);
  m.copy(entries, m.has("vj") ? "vj" : "pb", "Vj", "V");
  m.copy(entries, m.has("m") ? "m" : "mj", "M", "");
  m.copy(entries, "fc", "FC", "");
  m.copy(entries, "tt", "TT", "s");
  m.copy(entries, "eg", "EG", "V");
  m.copy(entries, "xti", "XTI", "");
  if (m.number("isr", 0) > 0) m.copy_scaled(entries, "isr", "Isr", "A", area), m.copy(entries, "nr", "Nr", "");
  const char* forward = m.has("ikf") ? "ikf" : "ik";
  if (m.number(forward, 0) > 0) m.copy_scaled(entries, forward, "Ikf", "A", area);
  if (m.number("ikr", 0) > 0) m.copy_scaled(entries, "ikr", "Ikr", "A", area);
  add_gmin(x, e, entries);
  add_temperatures(x, temperatures.own, temperatures.nominal, e.where(), entries);
  if (m.number("bv", 0) > 0) {
    m.copy(entries, "bv", "BV", "V");
    m.copy_scaled(entries, m.has("ibv") ? "ibv" : "ib", "Ibv", "A", multiplier, 1e-3);  // whatever the area, in SPICE
    m.copy(entries, m.has("nbv") ? "nbv" : "n", "Nbv", "");
  }
  if (has_sidewall) add_sidewall(x, e, m, card, perimeter, temperatures, anode, cathode);
  check_temperature_laws(m, temperatures);
  m.ignore({"js",   "cjo", "cj0", "cj", "ibv", "ib", "nbv", "pb",  "mj",     "jsw",    "cjsw",   "cjp",    "php",
            "mjsw", "fcs", "ns",  "nr", "isr", "ik", "ikf", "ikr", "fv_max", "bv_max", "id_max", "te_max", "pd_max"});
  m.ignore({"kf", "af"});
  m.ignore(ratings());
  m.finish();
  if (const Assignment* start = a.take("ic"))
    entries.emplace_back("v0", x.quantity(e, x.resolve(e, start->value), "V", start->where));
  a.finish(e);
  const std::string component = x.add(e, "", "electrical.Diode", std::move(entries)).name;
  using Law = Netlist::NoiseSource::Law;
  add_device_noise(x, m, {.law = Law::shot, .component = component, .p = anode, .n = cathode, .current = "i"},
                   multiplier);
}

}  // namespace coenergy::io::spice
