// D, S, W, M and Q: elements with a .model
#include <cmath>

#include "coenergy/domains/electrical/temperature.hpp"
#include "coenergy/io/spice_arguments.hpp"

namespace coenergy::io::spice {

using model::Value;

namespace {

/// The word that names the model; it counts as read.
Token take_model(const Element& e, Arguments& a) {
  if (a.words.empty()) throw Error(e.where(), e.tokens()[0].text + " has no model");
  const Token name = a.words.front();
  a.words.erase(a.words.begin());
  return name;
}

/// Number of equal devices in parallel, m=.
double take_multiplier(Expander& x, const Element& e, Arguments& a) {
  const Assignment* value = a.take("m");
  const double multiplier = value == nullptr ? 1 : x.number(x.resolve(e, value->value), value->where);
  if (!(multiplier > 0)) throw Error(e.where(), e.tokens()[0].text + ": m must be > 0");
  return multiplier;
}

/// Area factor: a word behind the model, or area=.
double take_area(Expander& x, const Element& e, Arguments& a) {
  double area = 1;
  if (!a.words.empty() && parse_number(a.words.front().text)) {
    area = *parse_number(a.words.front().text);
    a.words.erase(a.words.begin());
  }
  if (const Assignment* value = a.take("area")) area *= x.number(x.resolve(e, value->value), value->where);
  if (!(area > 0)) throw Error(e.where(), e.tokens()[0].text + ": the area must be > 0");
  return area;
}

/// A resistor in series with a pin of a device; returns the node behind it.
std::string add_series(Expander& x, const Element& e, const std::string& outside, double R, const char* name,
                       const Location& where) {
  if (R <= 0) return outside;
  const std::string inside = x.add_node(e, std::string(name) + "_n");
  x.add(e, name, "electrical.Resistor", {{"p", outside}, {"n", inside}, {"R", x.quantity(R, "ohm", where)}});
  return inside;
}

/// Parameters that have no part in what is computed here.
const std::vector<std::string> noise_and_ratings = {"kf",   "af",       "vds",  "mfg", "iave", "vpk",
                                                    "type", "icrating", "vceo", "ron", "qg"};

/// The temperature of a device and that of its parameters, °C.
struct Temperatures {
  double own, nominal;

  bool differ() const { return own != nominal; }
};

Temperatures take_temperatures(Expander& x, const Element& e, Arguments& a, ModelValues& m) {
  double nominal = x.nominal_temperature();
  for (const char* name : {"tref", "t_measured", "tnom"}) nominal = m.number(name, nominal);
  return {take_temperature(x, e, a), nominal};
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
  if (const Assignment* perimeter = a.take("pj"))
    if (m.number("cjsw", 0) > 0 || m.number("cjp", 0) > 0 || m.number("jsw", 0) > 0)
      throw Error(perimeter->where,
                  e.tokens()[0].text + ": the sidewall (PJ, CJSW, JSW) is not modelled; leave PJ out");
  Entries entries{{"p", x.node(e, a.pins[0])}, {"n", x.node(e, a.pins[1])}};
  m.copy_scaled(entries, m.has("is") ? "is" : "js", "Is", "A", area, 1e-14);
  m.copy(entries, "n", "N", "");
  m.copy_scaled(entries, "rs", "Rs", "ohm", 1 / area);
  m.copy_scaled(entries, m.has("cjo") ? "cjo" : "cj0", "Cj0", "F", area);
  m.copy(entries, m.has("vj") ? "vj" : "pb", "Vj", "V");
  m.copy(entries, m.has("m") ? "m" : "mj", "M", "");
  m.copy(entries, "fc", "FC", "");
  m.copy(entries, "tt", "TT", "s");
  m.copy(entries, "eg", "EG", "V");
  m.copy(entries, "xti", "XTI", "");
  add_temperatures(x, temperatures.own, temperatures.nominal, e.where(), entries);
  if (m.number("bv", 0) > 0) {
    m.copy(entries, "bv", "BV", "V");
    m.copy_scaled(entries, "ibv", "Ibv", "A", multiplier, 1e-3);  // whatever the area, in SPICE
    m.copy(entries, m.has("nbv") ? "nbv" : "n", "Nbv", "");
  }
  m.ignore({"js", "cjo", "cj0", "ibv", "nbv", "pb", "mj", "jsw", "cjsw", "cjp", "php", "mjsw"});
  m.ignore(noise_and_ratings);
  if (temperatures.differ())
    m.expect("trs", 0);
  else
    m.ignore({"trs"});
  for (const char* name : {"isr", "ikf", "ik", "ikr", "tikf"}) m.expect(name, 0);
  m.ignore({"nr"});
  m.finish();
  if (const Assignment* start = a.take("ic"))
    entries.emplace_back("v0", x.quantity(e, x.resolve(e, start->value), "V", start->where));
  a.finish(e);
  x.add(e, "", "electrical.Diode", std::move(entries));
}

namespace {

/// vswitch, iswitch: from ROFF to RON while the control goes from VOFF to VON.
void write_smooth_switch(Expander& x, const Element& e, Arguments& a, ModelValues& m, const ModelCard& card,
                         Entries entries) {
  const bool by_voltage = card.kind == "vswitch";
  const char* unit = by_voltage ? "V" : "A";
  const double on = m.number(by_voltage ? "von" : "ion", by_voltage ? 1 : 1e-3),
               off = m.number(by_voltage ? "voff" : "ioff", 0);
  if (!(on != off)) throw Error(card.where, "model " + card.name + ": the values of the control on and off are equal");
  // one that closes as its control falls has the negative of it
  const double sign = on > off ? 1 : -1;
  if (sign < 0)
    for (auto& [name, value] : entries)
      if (name == "control") value.text = "-(" + value.text + ")";
  entries.emplace_back("threshold", x.quantity(sign * (on + off) / 2, unit, card.where));
  entries.emplace_back("width", x.quantity(std::abs(on - off) / 2, unit, card.where));
  entries.emplace_back("R_on", x.quantity(m.number("ron", 1), "ohm", card.where));
  entries.emplace_back("R_off", x.quantity(m.number("roff", 1e6), "ohm", card.where));
  m.finish();
  a.finish(e);
  x.add(e, "", "electrical.SmoothSwitch", std::move(entries));
}

}  // namespace

void write_switch(Expander& x, const Element& e) {
  const bool by_voltage = std::tolower(static_cast<unsigned char>(e.tokens()[0].text[0])) == 's';
  Arguments a(e, by_voltage ? 5 : 4);
  const Token model = take_model(e, a);
  const ModelCard& card = x.find_model(
      e, model, by_voltage ? std::vector<std::string>{"sw", "vswitch"} : std::vector<std::string>{"csw", "iswitch"});
  Entries entries{{"p", x.node(e, a.pins[0])}, {"n", x.node(e, a.pins[1])}};
  const char* unit = by_voltage ? "V" : "A";
  if (by_voltage)
    entries.emplace_back("control", Expander::voltage(x.node(e, a.pins[2]), x.node(e, a.pins[3])));
  else
    entries.emplace_back("control", x.find_element(*e.instance, a.pins[2].text, a.pins[2].where) + ".i");
  ModelValues m(x, e, card);
  if (card.kind == "vswitch" || card.kind == "iswitch")
    return write_smooth_switch(x, e, a, m, card, std::move(entries));
  const char* threshold = by_voltage ? "vt" : "it";
  const char* hysteresis = by_voltage ? "vh" : "ih";
  if (!m.has(threshold)) entries.emplace_back("threshold", x.quantity(0, unit, card.where));
  m.copy(entries, threshold, "threshold", unit);
  if (m.number(hysteresis, 0) < 0)
    throw Error(card.find(hysteresis)->where, "model " + card.name + ": " + hysteresis + " must not be negative");
  m.copy(entries, hysteresis, "hysteresis", unit);
  if (!m.has("ron")) entries.emplace_back("R_on", x.quantity(1, "ohm", card.where));
  if (!m.has("roff")) entries.emplace_back("R_off", x.quantity(1e12, "ohm", card.where));
  m.copy(entries, "ron", "R_on", "ohm");
  m.copy(entries, "roff", "R_off", "ohm");
  m.finish();
  a.take_word("off");
  if (a.take_word("on")) entries.emplace_back("initial", x.quantity(1, "", e.where()));
  a.finish(e);
  x.add(e, "", "electrical.Switch", std::move(entries));
}

namespace {

/// Geometry and derived values of a MOS transistor of level 1.
struct MosGeometry {
  double W, L, L_effective, multiplier;
};

MosGeometry read_geometry(Expander& x, const Element& e, Arguments& a, ModelValues& m) {
  MosGeometry g{m.number("w", 1e-4), m.number("l", 1e-4), 1e-4, 1};
  if (const Assignment* w = a.take("w")) g.W = x.number(x.resolve(e, w->value), w->where);
  if (const Assignment* l = a.take("l")) g.L = x.number(x.resolve(e, l->value), l->where);
  if (const Assignment* k = a.take("m")) g.multiplier = x.number(x.resolve(e, k->value), k->where);
  g.L_effective = g.L - 2 * m.number("ld", 0);
  if (!(g.W > 0) || !(g.L_effective > 0) || !(g.multiplier > 0))
    throw Error(e.where(), e.tokens()[0].text + ": W, L - 2 LD and M must be > 0");
  return g;
}

/// Kp, gamma and phi from the process, where they are not given themselves.
void copy_channel(Expander& x, ModelValues& m, Entries& entries, const ModelCard& card, double nominal) {
  constexpr double eps_oxide = 3.9 * 8.854214871e-12, eps_silicon = 11.7 * 8.854214871e-12, charge = 1.6021766208e-19,
                   intrinsic = 1.45e16, thermal_at_27 = 0.025864186;
  const double tox = m.number("tox", 0), nsub = m.number("nsub", 0) * 1e6,
               thermal = thermal_at_27 * (nominal + 273.15) / 300.15;
  m.copy(entries, "vto", "Vto", "V");
  m.copy(entries, "kp", "Kp", "A/V2");
  if (!m.has("kp") && tox > 0)
    entries.emplace_back("Kp", x.quantity(m.number("uo", 600) * 1e-4 * eps_oxide / tox, "A/V2", card.where));
  m.copy(entries, "lambda", "lambda", "1/V");
  m.copy(entries, "gamma", "gamma", "");
  m.copy(entries, "phi", "phi", "V");
  if (nsub > 0 && tox > 0) {
    if (!m.has("vto"))
      throw Error(card.where, "model " + card.name + ": VTO from the process is not computed; give VTO");
    if (!m.has("phi"))
      entries.emplace_back("phi", x.quantity(std::max(0.1, 2 * thermal * std::log(nsub / intrinsic)), "V", card.where));
    if (!m.has("gamma"))
      entries.emplace_back("gamma",
                           x.quantity(std::sqrt(2 * eps_silicon * charge * nsub) * tox / eps_oxide, "", card.where));
  }
  m.ignore({"uo", "nss", "tpg", "xj", "nfs", "neff", "ucrit", "uexp", "vmax", "delta", "theta", "eta", "kappa"});
}

void add_capacitor(Expander& x, const Element& e, const char* name, const std::string& p, const std::string& n,
                   double C, const Location& where) {
  if (C > 0 && p != n) x.add(e, name, "electrical.Capacitor", {{"p", p}, {"n", n}, {"C", x.quantity(C, "F", where)}});
}

}  // namespace

void write_mosfet(Expander& x, const Element& e) {
  Arguments a(e, 5);
  const Token name = take_model(e, a);
  const ModelCard& card = x.find_model(e, name, {"nmos", "pmos"});
  ModelValues m(x, e, card);
  m.expect("level", 1);
  const MosGeometry g = read_geometry(x, e, a, m);
  auto geometry = [&](const char* key, double fallback) {
    const Assignment* value = a.take(key);
    return value == nullptr ? fallback : x.number(x.resolve(e, value->value), value->where);
  };
  const double ad = geometry("ad", 0), as = geometry("as", 0), pd = geometry("pd", 0), ps = geometry("ps", 0),
               nrd = geometry("nrd", 1), nrs = geometry("nrs", 1), k = g.multiplier;
  const Temperatures temperatures = take_temperatures(x, e, a, m);
  a.ignore({"ic"});
  a.take_word("off");
  a.finish(e);

  // series resistances
  const double rsh = m.number("rsh", 0), rd = m.number("rd", 0), rs = m.number("rs", 0);
  const std::string gate = x.node(e, a.pins[1]), bulk = x.node(e, a.pins[3]);
  const std::string drain = add_series(x, e, x.node(e, a.pins[0]), (rd > 0 ? rd : rsh * nrd) / k, "Rd", card.where);
  const std::string source = add_series(x, e, x.node(e, a.pins[2]), (rs > 0 ? rs : rsh * nrs) / k, "Rs", card.where);

  // the transistor itself
  Entries entries{{"d", drain}, {"g", gate}, {"s", source}, {"b", bulk}, {"channel", card.kind == "nmos" ? "n" : "p"}};
  entries.emplace_back("W", x.quantity(g.W * k, "m", e.where()));
  entries.emplace_back("L", x.quantity(g.L_effective, "m", e.where()));
  copy_channel(x, m, entries, card, temperatures.nominal);
  add_temperatures(x, temperatures.own, temperatures.nominal, e.where(), entries);
  m.copy_scaled(entries, "is", "Is", "A", k, 1e-14);
  m.copy(entries, "n", "N", "");
  if (m.number("js", 0) > 0 && (ad > 0 || as > 0))
    throw Error(card.find("js")->where, "model " + card.name + ": JS is not modelled; give IS");
  x.add(e, "", "electrical.Mosfet", std::move(entries));

  // charges
  add_capacitor(x, e, "Cgs", gate, source, m.number("cgso", 0) * g.W * k, card.where);
  add_capacitor(x, e, "Cgd", gate, drain, m.number("cgdo", 0) * g.W * k, card.where);
  add_capacitor(x, e, "Cgb", gate, bulk, m.number("cgbo", 0) * g.L_effective * k, card.where);
  const bool n_channel = card.kind == "nmos";
  auto add_junction = [&](const char* suffix, const std::string& end, double c, double grading) {
    if (c <= 0 || bulk == end) return;
    Entries charge{{"p", n_channel ? bulk : end},
                   {"n", n_channel ? end : bulk},
                   {"Cj0", x.quantity(c * k, "F", card.where)},
                   {"Vj", x.quantity(m.number("pb", 0.8), "V", card.where)},
                   {"M", x.quantity(grading, "", card.where)},
                   {"FC", x.quantity(m.number("fc", 0.5), "", card.where)}};
    add_temperatures(x, temperatures.own, temperatures.nominal, e.where(), charge);
    x.add(e, suffix, "electrical.JunctionCapacitor", std::move(charge));
  };
  const double cj = m.number("cj", 0), mj = m.number("mj", 0.5), side = m.number("cjsw", 0),
               mjsw = m.number("mjsw", 0.5);
  add_junction("Cbd", drain, m.number("cbd", 0) > 0 ? m.number("cbd", 0) : cj * ad, mj);
  add_junction("Cbs", source, m.number("cbs", 0) > 0 ? m.number("cbs", 0) : cj * as, mj);
  // and along the edges of drain and source
  add_junction("Cbd_side", drain, side * pd, mjsw);
  add_junction("Cbs_side", source, side * ps, mjsw);
  if (m.number("tox", 0) > 0)
    x.note(card.where, "model " + card.name + ": the charge of the channel is left out; give CGSO and CGDO");
  m.ignore({"cj", "cjsw", "mjsw", "js", "pb", "mj", "fc", "cbd", "cbs", "rsh"});
  m.ignore(noise_and_ratings);
  m.finish();
}

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
  const auto junction = [&](const std::string& v, const char* emission) {
    return text(saturation, "A") + "*(exp(min(" + v + "/(" + text(m.number(emission, 1) * thermal, "V") +
           "), 60)) - 1)";
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
  if (!knee.empty()) multiply("2/(1 + sqrt(1 + 4*max(" + knee + ", 0)))");
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

void add_bipolar_charges(Expander& x, const Element& e, ModelValues& m, const ModelCard& card, double area,
                         const Temperatures& temperatures, const std::string& c, const std::string& b,
                         const std::string& em) {
  const bool npn = card.kind == "npn";
  auto add = [&](const char* suffix, const std::string& end, const char* cj, const char* vj, const char* mj,
                 const char* transit, const char* emission, const std::string& factor) {
    const double capacitance = m.number(cj, 0) * area, tau = m.number(transit, 0), potential = m.number(vj, 0.75),
                 grading = m.number(mj, 0.33);
    const double n = m.number(emission, 1);
    if ((capacitance <= 0 && tau <= 0) || b == end) return;
    Entries entries{{"p", npn ? b : end},
                    {"n", npn ? end : b},
                    {"Cj0", x.quantity(capacitance, "F", card.where)},
                    {"Vj", x.quantity(potential, "V", card.where)},
                    {"M", x.quantity(grading, "", card.where)},
                    {"FC", x.quantity(m.number("fc", 0.5), "", card.where)},
                    {"TT", x.quantity(tau, "s", card.where)},
                    {"Is", x.quantity(m.number("is", 1e-16) * area, "A", card.where)},
                    {"N", x.quantity(n, "", card.where)}};
    m.copy(entries, "eg", "EG", "V");
    m.copy(entries, "xti", "XTI", "");
    add_temperatures(x, temperatures.own, temperatures.nominal, e.where(), entries);
    if (tau > 0 && !factor.empty()) entries.emplace_back("factor", Value(factor));
    x.add(e, suffix, "electrical.JunctionCapacitor", std::move(entries));
  };
  const bool has_collector_charge = (m.number("cjc", 0) > 0 || m.number("tr", 0) > 0) && b != c;
  add("Cbe", em, "cje", "vje", "mje", "tf", "nf",
      make_transit_factor(x, e, m, card, area, temperatures, has_collector_charge));
  add("Cbc", c, "cjc", "vjc", "mjc", "tr", "nr", "");
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
  const double area = take_multiplier(x, e, a) * take_area(x, e, a);
  ModelValues m(x, e, card);
  m.expect("level", 1);
  const Temperatures temperatures = take_temperatures(x, e, a, m);
  a.ignore({"ic"});
  a.take_word("off");
  a.finish(e);

  // series resistances
  const std::string c = add_series(x, e, x.node(e, a.pins[0]), m.number("rc", 0) / area, "Rc", card.where);
  const std::string b = add_series(x, e, x.node(e, a.pins[1]), m.number("rb", 0) / area, "Rb", card.where);
  const std::string em = add_series(x, e, x.node(e, a.pins[2]), m.number("re", 0) / area, "Re", card.where);

  // the transistor itself
  Entries entries{{"c", c}, {"b", b}, {"e", em}, {"kind", card.kind}};
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
  m.copy_scaled(entries, "ise", "Ise", "A", area);
  m.copy(entries, "ne", "Ne", "");
  m.copy_scaled(entries, "isc", "Isc", "A", area);
  m.copy(entries, "nc", "Nc", "");
  m.copy(entries, "eg", "EG", "V");
  m.copy(entries, "xti", "XTI", "");
  m.copy(entries, "xtb", "XTB", "");
  add_temperatures(x, temperatures.own, temperatures.nominal, e.where(), entries);
  x.add(e, "", "electrical.BipolarTransistor", std::move(entries));
  add_bipolar_charges(x, e, m, card, area, temperatures, c, b, em);

  for (const char* key : {"irb", "ptf"}) {
    if (m.number(key, 0) != 0) x.note(card.where, "model " + card.name + ": " + key + " is left out");
  }
  m.expect("xcjc", 1);
  if (m.number("rbm", m.number("rb", 0)) != m.number("rb", 0)) m.expect("rbm", m.number("rb", 0));
  if (m.number("cjs", 0) > 0)
    x.note(card.where, "model " + card.name + ": the capacitance of the substrate is left out");
  m.ignore({"vtf", "itf", "cjs", "vjs", "mjs", "fc", "va", "vb", "ik", "ns", "iss", "nk", "isp", "rbm", "cjsub"});
  m.ignore(noise_and_ratings);
  if (!temperatures.differ()) m.ignore({"trs"});
  m.finish();
}

}  // namespace coenergy::io::spice
