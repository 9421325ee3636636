// Q: bipolar transistors
#include <cmath>

#include "coenergy/domains/electrical/junction.hpp"
#include "coenergy/domains/electrical/temperature.hpp"
#include "coenergy/io/spice_device.hpp"

namespace coenergy::io::spice {

using model::Value;

namespace {

/// What multiplies the diffusion charge TF I_f: 1/q_b, and 1 + XTF (I_f/(I_f + ITF))² e^{v_bc/(1.44 VTF)}.
std::string make_transit_factor(Expander& x, const Element& e, ModelValues& m, const ModelCard& card, double area,
                                const Temperatures& temperatures, bool has_collector_charge) {
  const auto text = [&](double value, const char* unit) { return x.quantity(value, unit, card.where).text; };
  const std::string v_be = e.name + "_Cbe.v", v_bc = e.name + "_Cbc.v";
  const domains::electrical::Warming warm{temperatures.own + 273.15, temperatures.nominal + 273.15};
  const double thermal = 8.617333262e-5 * (temperatures.own + 273.15), vaf = m.number(m.has("vaf") ? "vaf" : "va", 0),
               var = m.number(m.has("var") ? "var" : "vb", 0), ikf = area * m.number(m.has("ikf") ? "ikf" : "ik", 0),
               ikr = area * m.number("ikr", 0), xtf = m.number("xtf", 0), itf = area * m.number("itf", 0),
               vtf = m.number("vtf", 0);
  if (m.number("tf", 0) <= 0) return "";
  if (!has_collector_charge && (vaf > 0 || ikr > 0 || (xtf > 0 && vtf > 0)))
    x.note(card.where,
           "model " + card.name + ": without CJC the transit time does not depend on the collector voltage");
  // currents of the junctions; the exponents are limited, for iterations that stray
  const double saturation =
      warm.saturation_current(m.number("is", 1e-16) * area, m.number("eg", 1.11), m.number("xti", 3), 1).number();
  const std::string limit = text(domains::electrical::exponent_limit(area * m.number("is", 1e-16)), "");
  const auto junction = [&](const std::string& v, const char* emission) {
    return text(saturation, "A") + "*(exp(min(" + v + "/(" + text(m.number(emission, 1) * thermal, "V") + "), " +
           limit + ")) - 1)";
  };
  const std::string current = junction(v_be, "nf");
  std::string early = "1", factor;
  if (vaf > 0 && has_collector_charge) early += " - " + v_bc + "/(" + text(vaf, "V") + ")";
  if (var > 0) early += " - " + v_be + "/(" + text(var, "V") + ")";
  if (early != "1") factor = "(" + early + ")";
  const auto multiply = [&](const std::string& more) { factor += (factor.empty() ? "" : "*") + more; };
  std::string knee;
  if (ikf > 0) knee = current + "/(" + text(ikf, "A") + ")";
  if (ikr > 0 && has_collector_charge)
    knee += (knee.empty() ? "" : " + ") + junction(v_bc, "nr") + "/(" + text(ikr, "A") + ")";
  if (!knee.empty())
    multiply("2/(1 + (1 + 4*max(" + knee + ", 0))^(" + text(m.number(m.has("nk") ? "nk" : "nkf", 0.5), "") + "))");
  if (xtf > 0) {
    std::string rise = text(xtf, "");
    if (itf > 0) {
      const std::string positive = "max(" + current + ", 0 A)";
      rise += "*(" + positive + "/(" + positive + " + " + text(itf, "A") + "))^2";
    }
    if (vtf > 0 && has_collector_charge) rise += "*exp(min(" + v_bc + "/(" + text(1.44 * vtf, "V") + "), 60))";
    multiply("(1 + " + rise + ")");
  }
  return factor;
}

/// Nodes inside a transistor, behind its series resistances, and the pin of its base.
struct BipolarNodes {
  std::string c, b, e, base_pin, substrate;
};

void add_bipolar_charges(Expander& x, const Element& e, ModelValues& m, const ModelCard& card, double area,
                         const Temperatures& temperatures, const BipolarNodes& n) {
  const bool npn = card.kind == "npn";
  const auto add = [&](const char* suffix, const std::string& base, const std::string& end, const char* kind,
                       double share, const char* transit, const char* emission, const std::string& factor) {
    const std::string cj = std::string("cj") + kind, vj = std::string("vj") + kind, mj = std::string("mj") + kind,
                      other = std::string("p") + kind, grade = std::string("m") + kind;
    const double capacitance = share * m.number(cj, 0) * area, tau = *transit != '\0' ? m.number(transit, 0) : 0,
                 potential = m.number(m.has(vj) ? vj : other, 0.75), grading = m.number(m.has(mj) ? mj : grade, 0.33);
    const double emission_coefficient = *emission != '\0' ? m.number(emission, 1) : 1;
    if ((capacitance <= 0 && tau <= 0) || base == end) return;
    Entries entries{{"p", npn ? base : end},
                    {"n", npn ? end : base},
                    {"Cj0", x.quantity(capacitance, "F", card.where)},
                    {"Vj", x.quantity(potential, "V", card.where)},
                    {"M", x.quantity(grading, "", card.where)},
                    {"FC", x.quantity(m.number("fc", 0.5), "", card.where)},
                    {"TT", x.quantity(tau, "s", card.where)},
                    {"Is", x.quantity(m.number("is", 1e-16) * area, "A", card.where)},
                    {"N", x.quantity(emission_coefficient, "", card.where)}};
    m.copy(entries, "eg", "EG", "V");
    m.copy(entries, "xti", "XTI", "");
    add_temperatures(x, temperatures.own, temperatures.nominal, e.where(), entries);
    if (tau > 0 && !factor.empty()) entries.emplace_back("factor", Value(factor));
    x.add(e, suffix, "electrical.JunctionCapacitor", std::move(entries));
  };
  // a part of the charge of the collector lies outside the resistance of the base
  const double inside = m.number(m.has("xcjc") ? "xcjc" : "cdis", 1);
  if (!(inside >= 0 && inside <= 1)) throw Error(card.where, "model " + card.name + ": xcjc must be between 0 and 1");
  const bool has_collector_charge = (inside * m.number("cjc", 0) > 0 || m.number("tr", 0) > 0) && n.b != n.c;
  add("Cbe", n.b, n.e, "e", 1, "tf", "nf",
      make_transit_factor(x, e, m, card, area, temperatures, has_collector_charge));
  add("Cbc", n.b, n.c, "c", inside, "tr", "nr", "");
  add("Cbx", n.base_pin, n.c, "c", 1 - inside, "", "", "");
}

/// The junction between the substrate and the collector of an npn, or the base of a pnp (SUBS = 1 and −1).
void add_substrate(Expander& x, const Element& e, ModelValues& m, const ModelCard& card, double area,
                   const Temperatures& temperatures, const BipolarNodes& n) {
  const bool npn = card.kind == "npn";
  const double C = area * m.number(m.has("cjs")    ? "cjs"
                                   : m.has("csub") ? "csub"
                                                   : "ccs",
                                   0),
               Is = area * m.number("iss", 0),
               potential = m.number(m.has("vjs")    ? "vjs"
                                    : m.has("psub") ? "psub"
                                                    : "ps",
                                    0.75),
               grading = m.number(m.has("mjs")    ? "mjs"
                                  : m.has("esub") ? "esub"
                                                  : "ms",
                                  0),
               kind = m.number("subs", npn ? 1 : -1);
  m.ignore({"ns"});
  const std::string& inner = kind > 0 ? n.c : n.b;
  if ((C <= 0 && Is <= 0) || inner == n.substrate) return;
  // reversed where a vertical pnp or a lateral npn has its substrate of the other kind
  const bool from_substrate = npn == (kind > 0);
  Entries entries{{"p", from_substrate ? n.substrate : inner}, {"n", from_substrate ? inner : n.substrate},
                  {"Cj0", x.quantity(C, "F", card.where)},     {"Vj", x.quantity(potential, "V", card.where)},
                  {"M", x.quantity(grading, "", card.where)},  {"FC", x.quantity(0, "", card.where)}};
  if (Is > 0) {
    entries.emplace_back("Is", x.quantity(Is, "A", card.where));
    m.copy(entries, "ns", "N", "");
    add_gmin(x, e, entries);
  }
  add_temperatures(x, temperatures.own, temperatures.nominal, e.where(), entries);
  x.add(e, "sub", Is > 0 ? "electrical.Diode" : "electrical.JunctionCapacitor", std::move(entries));
}

/// The resistance of the base falls from RB to RBM as the transistor conducts: by the charge of the base, or by the
/// current IRB at which it has fallen half way.
std::string add_base_resistance(Expander& x, const Element& e, ModelValues& m, const ModelCard& card, double area,
                                const std::string& pin) {
  const double rb = m.number("rb", 0) / area, irb = m.number(m.has("irb") ? "irb" : "jrb", 0) * area;
  double rbm = m.number("rbm", 0) / area;
  if (rbm <= 0) rbm = rb;
  if (rb <= 0 || rbm == rb) return add_series(x, e, pin, rb, "Rb", card.where);
  const auto ohm = [&](double r) { return x.quantity(r, "ohm", card.where).text; };
  std::string text;
  if (irb > 0) {
    const double sign = card.kind == "npn" ? 1 : -1;
    const std::string part = "max(" + e.name + ".i_b/(" + x.quantity(sign * irb, "A", card.where).text + "), 1e-9)";
    const std::string angle = "((sqrt(1 + 14.59025*" + part + ") - 1)/(2.4317*sqrt(" + part + ")))";
    text = ohm(rbm) + " + " + ohm(3 * (rb - rbm)) + "*(tan(" + angle + ") - " + angle + ")/(" + angle + "*tan(" +
           angle + ")^2)";
  } else {
    text = ohm(rbm) + " + " + ohm(rb - rbm) + "/" + e.name + ".q_b";
  }
  const std::string inside = x.add_node(e, "Rb_n");
  const std::string component =
      x.add(e, "Rb", "electrical.Resistor", {{"p", pin}, {"n", inside}, {"R", Value(text)}}).name;
  x.add_noise({.component = component, .p = pin, .n = inside, .current = "i", .kelvin = x.element_kelvin()});
  return inside;
}

/// ISE and ISC, or by C2 and C4 in units of IS.
void copy_leakage(Expander& x, ModelValues& m, Entries& entries, const ModelCard& card, double area) {
  const auto copy = [&](const char* name, const char* relative, const char* entry) {
    if (!m.has(name) && m.has(relative))
      entries.emplace_back(entry, x.quantity(area * m.number(relative, 0) * m.number("is", 1e-16), "A", card.where));
    m.copy_scaled(entries, name, entry, "A", area);
  };
  copy("ise", "c2", "Ise");
  copy("isc", "c4", "Isc");
}

}  // namespace

void write_bipolar(Expander& x, const Element& e) {
  // the fourth word is the model, or the substrate
  const auto& t = e.tokens();
  const bool has_substrate =
      t.size() > 5 && e.instance->definition->find_model(to_lower(t[4].text)) == nullptr && !t[5].is("=");
  Arguments a(e, has_substrate ? 5 : 4);
  const Token name = take_model(e, a);
  const ModelCard& card = x.find_model(e, name, {"npn", "pnp"});
  const double multiplier = take_multiplier(x, e, a), area = multiplier * take_area(x, e, a);
  ModelValues m(x, e, card);
  m.expect("level", 1);
  const Temperatures temperatures = take_temperatures(x, e, a, m);
  a.ignore({"ic"});
  a.take_word("off");
  a.finish(e);

  // series resistances
  BipolarNodes n;
  n.base_pin = x.node(e, a.pins[1]);
  n.c = add_series(x, e, x.node(e, a.pins[0]), m.number("rc", 0) / area, "Rc", card.where);
  n.b = add_base_resistance(x, e, m, card, area, n.base_pin);
  n.e = add_series(x, e, x.node(e, a.pins[2]), m.number("re", 0) / area, "Re", card.where);
  n.substrate = has_substrate ? x.node(e, a.pins[3]) : "gnd";

  // the transistor itself
  Entries entries{{"c", n.c}, {"b", n.b}, {"e", n.e}, {"kind", card.kind}};
  m.copy_scaled(entries, "is", "Is", "A", area, 1e-16);
  m.copy(entries, "bf", "Bf", "");
  m.copy(entries, "br", "Br", "");
  m.copy(entries, "nf", "Nf", "");
  m.copy(entries, "nr", "Nr", "");
  struct Optional {
    const char *name, *other, *entry, *unit;
    double factor;
  };
  for (const Optional& o : {Optional{"vaf", "va", "Vaf", "V", 1}, Optional{"var", "vb", "Var", "V", 1},
                            Optional{"ikf", "ik", "Ikf", "A", area}, Optional{"ikr", "ikr", "Ikr", "A", area}}) {
    const char* key = m.has(o.name) ? o.name : o.other;
    if (m.number(key, 0) > 0) m.copy_scaled(entries, key, o.entry, o.unit, o.factor);
  }
  m.copy(entries, m.has("nk") ? "nk" : "nkf", "Nk", "");
  add_gmin(x, e, entries);
  copy_leakage(x, m, entries, card, area);
  m.copy(entries, "ne", "Ne", "");
  m.copy(entries, "nc", "Nc", "");
  m.copy(entries, "eg", "EG", "V");
  m.copy(entries, "xti", "XTI", "");
  m.copy(entries, "xtb", "XTB", "");
  const auto has_charge = [&](const char* depletion, const char* transit) {
    return m.number(depletion, 0) > 0 || m.number(transit, 0) > 0;
  };
  if (has_charge("cje", "tf") && has_charge("cjc", "tr")) entries.emplace_back("junctions", Value("voltage"));
  add_temperatures(x, temperatures.own, temperatures.nominal, e.where(), entries);
  const std::string component = x.add(e, "", "electrical.BipolarTransistor", std::move(entries)).name;
  using Law = Netlist::NoiseSource::Law;
  x.add_noise({.law = Law::shot, .component = component, .p = n.c, .n = n.e, .current = "i"});
  add_device_noise(x, m, {.law = Law::shot, .component = component, .p = n.b, .n = n.e, .current = "i_b"}, multiplier);
  add_bipolar_charges(x, e, m, card, area, temperatures, n);
  add_substrate(x, e, m, card, area, temperatures, n);
  if (m.number("ptf", 0) != 0)
    x.note(card.where,
           "model " + card.name +
               ": ptf is left out: near the transit frequency the collector current lags less than by this card");
  m.ignore({"vtf", "itf", "fc", "va", "vb", "ik", "irb", "jrb", "rbm", "is", "eg", "xti", "bf", "br"});
  m.ignore({"kf", "af"});
  m.ignore(ratings());
  if (!temperatures.differ()) m.ignore({"trs"});
  m.finish();
}

}  // namespace coenergy::io::spice
