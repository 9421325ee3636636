// M: MOS transistors
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "coenergy/base/names.hpp"
#include "coenergy/io/spice_device.hpp"

namespace coenergy::io::spice {

namespace {

constexpr double eps_oxide = 3.9 * 8.854214871e-12, eps_silicon = 11.7 * 8.854214871e-12, charge = 1.6021766208e-19;

int level_of(ModelValues& m) { return static_cast<int>(m.number("level", 1)); }

/// cm²/Vs
double surface_mobility(ModelValues& m) { return m.number("uo", m.number("u0", 600)); }

struct MosGeometry {
  double W, L, L_effective, multiplier;
  double drain_area, source_area, drain_perimeter, source_perimeter, drain_squares, source_squares;
};

MosGeometry read_geometry(Expander& x, const Element& e, Arguments& a, ModelValues& m) {
  const double scale = x.option("scale", 1);
  const auto read = [&](const char* key, double fallback, double factor) {
    const Assignment* value = a.take(key);
    return factor * (value == nullptr ? fallback : x.number(x.resolve(e, value->value), value->where));
  };
  // W and L may be words behind the model, as in SPICE 2
  for (const char* key : {"l", "w"}) {
    if (a.words.empty() || !parse_number(a.words.front().text)) break;
    a.add_pair(key, a.words.front());
    a.words.erase(a.words.begin());
  }
  MosGeometry g{};
  g.W = read("w", m.number("w", x.option("defw", 1e-4)), scale);
  g.L = read("l", m.number("l", x.option("defl", 1e-4)), scale);
  g.multiplier = take_multiplier(x, e, a);
  g.drain_area = read("ad", x.option("defad", 0), scale * scale);
  g.source_area = read("as", x.option("defas", 0), scale * scale);
  g.drain_perimeter = read("pd", 0, scale);
  g.source_perimeter = read("ps", 0, scale);
  g.drain_squares = read("nrd", 1, 1);
  g.source_squares = read("nrs", 1, 1);
  g.L_effective = g.L - 2 * m.number("ld", 0);
  if (level_of(m) == 3) g.L_effective += m.number("xl", 0), g.W += m.number("xw", 0) - 2 * m.number("wd", 0);
  if (!(g.W > 0) || !(g.L_effective > 0) || !(g.multiplier > 0))
    throw Error(e.where(), e.tokens()[0].text + ": W, L - 2 LD and M must be > 0");
  return g;
}

/// m; levels 2 and 3 have one also where none is given.
double oxide_thickness(ModelValues& m) { return m.number("tox", level_of(m) > 1 ? 1e-7 : 0); }

/// Kp, gamma, phi and Vto from the process, where they are not given themselves. Returns phi.
double copy_channel(Expander& x, ModelValues& m, Entries& entries, const ModelCard& card, double nominal) {
  constexpr double thermal_at_27 = 0.025864186;
  const double T = nominal + 273.15, thermal = thermal_at_27 * T / 300.15;
  // carriers of silicon per m³, of level 3 at the nominal temperature
  const double gap = 1.16 - 7.02e-4 * T * T / (T + 1108);
  const double intrinsic =
      1.45e16 * (level_of(m) < 3 ? 1 : std::pow(T / 300, 1.5) * std::exp(gap / 2 / thermal * (T / 300 - 1)));
  const double tox = oxide_thickness(m), nsub = m.number("nsub", 0) * 1e6, sign = card.kind == "nmos" ? 1 : -1;
  m.copy(entries, m.has("vt0") ? "vt0" : "vto", "Vto", "V");
  m.copy(entries, "kp", "Kp", "A/V2");
  if (!m.has("kp") && tox > 0)
    entries.emplace_back("Kp", x.quantity(surface_mobility(m) * 1e-4 * eps_oxide / tox, "A/V2", card.where));
  if (level_of(m) < 3) m.copy(entries, "lambda", "lambda", "1/V");
  m.copy(entries, "gamma", "gamma", "");
  m.copy(entries, "phi", "phi", "V");
  double phi = m.number("phi", 0.6);
  m.ignore({"uo", "u0", "vto", "nss", "tpg"});
  if (nsub <= intrinsic || tox <= 0) {
    if (nsub > 0 && tox > 0)
      throw Error(card.find("nsub")->where, "model " + card.name + ": NSUB must be > 1.45e10 (1/cm3)");
    return phi;
  }
  if (!m.has("phi")) {
    phi = std::max(0.1, 2 * thermal * std::log(nsub / intrinsic));
    entries.emplace_back("phi", x.quantity(phi, "V", card.where));
  }
  const double gamma = m.number("gamma", std::sqrt(2 * eps_silicon * charge * nsub) * tox / eps_oxide);
  if (!m.has("gamma")) entries.emplace_back("gamma", x.quantity(gamma, "", card.where));
  if (!m.has("vto") && !m.has("vt0")) {
    // work functions of gate and bulk, V
    const double gate = m.number("tpg", 1);
    const double work = (gate == 0 ? 3.2 : 3.25 + gap / 2 - sign * gate * gap / 2) - (3.25 + gap / 2 + sign * phi / 2);
    const double flat = work - m.number("nss", 0) * 1e4 * charge * tox / eps_oxide;
    entries.emplace_back("Vto", x.quantity(flat + sign * (gamma * std::sqrt(phi) + phi), "V", card.where));
  }
  return phi;
}

void add_capacitor(Expander& x, const Element& e, const char* name, const std::string& p, const std::string& n,
                   double C, const Location& where) {
  if (C > 0 && p != n) x.add(e, name, "electrical.Capacitor", {{"p", p}, {"n", n}, {"C", x.quantity(C, "F", where)}});
}

/// Charges of the bulk junctions.
void add_junctions(Expander& x, const Element& e, ModelValues& m, const ModelCard& card, const MosGeometry& g,
                   const Temperatures& temperatures, const std::string& drain, const std::string& source,
                   const std::string& bulk) {
  const bool n_channel = card.kind == "nmos";
  const auto add = [&](const char* suffix, const std::string& end, double c, double grading) {
    if (c <= 0 || bulk == end) return;
    Entries entries{{"p", n_channel ? bulk : end},
                    {"n", n_channel ? end : bulk},
                    {"Cj0", x.quantity(c * g.multiplier, "F", card.where)},
                    {"Vj", x.quantity(m.number("pb", 0.8), "V", card.where)},
                    {"M", x.quantity(grading, "", card.where)},
                    {"FC", x.quantity(m.number("fc", 0.5), "", card.where)}};
    add_temperatures(x, temperatures.own, temperatures.nominal, e.where(), entries);
    x.add(e, suffix, "electrical.JunctionCapacitor", std::move(entries));
  };
  // level 2 has the capacitance of the doping where none is given
  const double doped = std::sqrt(eps_silicon * charge * m.number("nsub", 0) * 1e6 / (2 * m.number("pb", 0.8)));
  const double cj = m.number("cj", level_of(m) == 2 ? doped : 0), mj = m.number("mj", 0.5), side = m.number("cjsw", 0),
               mjsw = m.number("mjsw", level_of(m) == 1 ? 0.5 : 0.33);
  add("Cbd", drain, m.has("cbd") ? m.number("cbd", 0) : cj * g.drain_area, mj);
  add("Cbs", source, m.has("cbs") ? m.number("cbs", 0) : cj * g.source_area, mj);
  // and along the edges of drain and source
  add("Cbd_side", drain, side * g.drain_perimeter, mjsw);
  add("Cbs_side", source, side * g.source_perimeter, mjsw);
}

/// IS, or JS times the areas where both are given.
void copy_saturation(Expander& x, ModelValues& m, Entries& entries, const ModelCard& card, const MosGeometry& g) {
  const double js = m.number("js", 0);
  if (js > 0 && g.drain_area > 0 && g.source_area > 0) {
    entries.emplace_back("Is", x.quantity(js * g.source_area * g.multiplier, "A", card.where));
    entries.emplace_back("Is_d", x.quantity(js * g.drain_area * g.multiplier, "A", card.where));
    m.ignore({"is"});
  } else {
    m.copy_scaled(entries, "is", "Is", "A", g.multiplier, 1e-14);
  }
}

/// What levels 2 and 3 know of the edges of the channel and of the speed of carriers.
void copy_edges(Expander& x, ModelValues& m, Entries& entries, const ModelCard& card, const MosGeometry& g) {
  const bool is_empirical = level_of(m) == 3;
  const double C = eps_oxide / oxide_thickness(m), nsub = m.number("nsub", 0) * 1e6,
               mobility = surface_mobility(m) * 1e-4;
  const auto add = [&](const char* entry, double value, const char* unit) {
    if (value != 0) entries.emplace_back(entry, x.quantity(value, unit, card.where));
  };
  const double round = std::numbers::pi * eps_silicon / (C * g.W);
  add("narrow", m.number("delta", 0) * round / (is_empirical ? 2 : 4), "");
  if (nsub > 0) add("X", std::sqrt(2 * eps_silicon / (charge * nsub)), "m");
  add("Xj", m.number("xj", 0), "m");
  add("fast", charge * m.number("nfs", 0) * 1e4 / C, "");
  add("Vc", std::max(0.0, m.number("vmax", 0)) * g.L_effective / mobility, "V");
  if (is_empirical) {
    add("Ld", m.number("ld", 0), "m");
    add("feedback", m.number("eta", 0) * 8.15e-22 / (C * std::pow(g.L_effective, 3)), "");
    m.copy(entries, "theta", "theta", "1/V");
    m.copy(entries, "kappa", "kappa", "");
    m.note_unused({"lambda", "neff", "ucrit", "uexp", "utra"}, "of other levels, without effect in level 3");
  } else {
    add("Ucrit", m.number("ucrit", 1e4) * 100 * eps_silicon / C, "V");
    m.copy(entries, "uexp", "Uexp", "");
    m.copy(entries, "neff", "Neff", "");
    m.copy(entries, "pb", "Pb", "V");
    m.note_unused({"theta", "eta", "kappa", "utra"},
                  "of other levels, or left out by SPICE, without effect in level 2");
  }
}

/// Noise of the channel. Its flicker is that of SPICE 3, or that of NLEV:
///   none  KF |i|^AF/(f W L Cox²)      0  KF |i|^AF/(f L² Cox)
///   1     KF |i|^AF/(f W L Cox)       2  KF g_m²/(f^AF W L Cox)
void add_mosfet_noise(Expander& x, ModelValues& m, const ModelCard& card, const MosGeometry& g,
                      const std::array<std::string, 3>& names) {
  const double none = -1, level = m.number("nlev", none);
  const double C = eps_oxide / (oxide_thickness(m) > 0 ? oxide_thickness(m) : 1e-7);
  if (level != none && level != 0 && level != 1 && level != 2)
    throw Error(card.find("nlev")->where,
                "model " + card.name + ": noise of NLEV = " + format_short(level) + " is not modelled; 0, 1 and 2 are");
  const double exponent = m.number("af", 1), k = g.multiplier;
  const double area = (level == 0 ? g.L_effective : g.W) * g.L_effective;
  x.add_noise({.law = Netlist::NoiseSource::Law::channel,
               .component = names[0],
               .p = names[1],
               .n = names[2],
               .current = "i",
               .kelvin = x.element_kelvin(),
               .flicker = m.number("kf", 0) / (area * C * (level == none ? C : 1)) *
                          (level == 2 ? 1 / k : std::pow(k, 1 - exponent)),
               .exponent = exponent,
               .flickers_by_slope = level == 2});
}

}  // namespace

void write_mosfet(Expander& x, const Element& e) {
  Arguments a(e, 5);
  const Token name = take_model(e, a);
  const ModelCard& card = x.find_model(e, name, {"nmos", "pmos"});
  ModelValues m(x, e, card);
  const int level = level_of(m);
  if (level < 1 || level > 3 || level != m.number("level", 1))
    throw Error(card.find("level")->where, "model " + card.name + ": level = " + format_short(m.number("level", 1)) +
                                               " is not modelled; levels 1, 2 and 3 are");
  const MosGeometry g = read_geometry(x, e, a, m);
  const double k = g.multiplier;
  const Temperatures temperatures = take_temperatures(x, e, a, m);
  a.ignore({"ic"});
  a.take_word("off");
  a.finish(e);

  // series resistances
  const double rsh = m.number("rsh", 0), rd = m.number("rd", 0), rs = m.number("rs", 0);
  const std::string gate = x.node(e, a.pins[1]), bulk = x.node(e, a.pins[3]);
  const std::string drain =
      add_series(x, e, x.node(e, a.pins[0]), (rd > 0 ? rd : rsh * g.drain_squares) / k, "Rd", card.where);
  const std::string source =
      add_series(x, e, x.node(e, a.pins[2]), (rs > 0 ? rs : rsh * g.source_squares) / k, "Rs", card.where);

  // the transistor itself, with its charges where the oxide is known
  Entries entries{{"d", drain}, {"g", gate}, {"s", source}, {"b", bulk}, {"channel", card.kind == "nmos" ? "n" : "p"}};
  entries.emplace_back("W", x.quantity(g.W * k, "m", e.where()));
  entries.emplace_back("L", x.quantity(g.L_effective, "m", e.where()));
  copy_channel(x, m, entries, card, temperatures.nominal);
  add_temperatures(x, temperatures.own, temperatures.nominal, e.where(), entries);
  copy_saturation(x, m, entries, card, g);
  add_gmin(x, e, entries);
  m.copy(entries, "n", "N", "");
  const double tox = oxide_thickness(m), cgs = m.number("cgso", 0) * g.W * k, cgd = m.number("cgdo", 0) * g.W * k,
               cgb = m.number("cgbo", 0) * g.L_effective * k;
  if (tox > 0) {
    entries.emplace_back("Cox", x.quantity(eps_oxide / tox * g.W * g.L_effective * k, "F", card.where));
    for (const auto& [entry, C] : {std::pair("Cgs", cgs), std::pair("Cgd", cgd), std::pair("Cgb", cgb)})
      if (C > 0) entries.emplace_back(entry, x.quantity(C, "F", card.where));
  }
  if (level > 1) copy_edges(x, m, entries, card, g);
  const char* kinds[] = {tox > 0 ? "electrical.ChargedMosfet" : "electrical.Mosfet", "electrical.GeometricMosfet",
                         "electrical.EmpiricalMosfet"};
  const std::string component = x.add(e, "", kinds[level - 1], std::move(entries)).name;
  if (x.wants_noise()) add_mosfet_noise(x, m, card, g, {component, drain, source});
  if (tox <= 0) {
    add_capacitor(x, e, "Cgs", gate, source, cgs, card.where);
    add_capacitor(x, e, "Cgd", gate, drain, cgd, card.where);
    add_capacitor(x, e, "Cgb", gate, bulk, cgb, card.where);
  }
  add_junctions(x, e, m, card, g, temperatures, drain, source, bulk);
  if (level == 1)
    m.note_unused({"xj", "nfs", "neff", "ucrit", "uexp", "vmax", "delta", "theta", "eta", "kappa", "utra"},
                  "of levels 2 and 3, without effect in level 1");
  m.note_unused({"xqc"}, "without effect: charges are those of Meyer");
  m.ignore({"kf", "af", "nlev"});
  m.ignore(ratings());
  m.finish();
}

}  // namespace coenergy::io::spice
