// R, L, C and K
#include <optional>

#include "coenergy/io/spice_device.hpp"

namespace coenergy::io::spice {

using model::Value;

namespace {

/// Of a resistor, capacitor or inductor.
struct TwoPole {
  const char *key, *other;  ///< r, res: kinds of models; the first also names the value
  const char* value;        ///< of a model, where the element has none
  const char* unit;
  bool grows;  ///< with the number of parallel parts
};
constexpr TwoPole resistor{"r", "res", "r", "ohm", false}, capacitor{"c", "cap", "cap", "F", true},
    inductor{"l", "ind", "ind", "H", false};

/// What an element and its model say of its value, and of how it depends on the temperature.
struct TwoPoleValue {
  ExpressionPtr value;
  Location where;
  ExpressionPtr tc1, tc2;  ///< 1/K, 1/K²; may be null
  Location tc_where;
  double celsius = 27, nominal = 27;
};

/// Sheet resistance times squares, capacitance of an area and its edges.
std::optional<double> compute_from_geometry(Expander& x, const Element& e, Arguments& a, ModelValues& m,
                                            const TwoPole& kind) {
  const double scale = x.option("scale", 1);
  const auto read = [&](const char* key, double fallback) {
    const Assignment* value = a.take(key);
    return scale * (value == nullptr ? fallback : x.number(x.resolve(e, value->value), value->where));
  };
  const double narrow = m.number("narrow", m.number("dw", 0)), cut = m.number("short", m.number("dlr", 0));
  // a resistor loses them on both sides
  const double sides = kind.unit == resistor.unit ? 2 : 1;
  const double L = read("l", m.number("l", m.number("defl", 1e-5))) - sides * cut,
               W = read("w", m.number("w", m.number("defw", 1e-5))) - sides * narrow;
  const bool is_resistor = kind.unit == resistor.unit;
  if (is_resistor ? !m.has("rsh") : !(m.has("cj") || m.has("cjsw"))) return std::nullopt;
  if (!(L > 0) || !(W > 0))
    throw Error(e.where(), e.tokens()[0].text + ": L and W must be > 0, also without NARROW and SHORT");
  if (is_resistor) return m.number("rsh", 0) * L / W;
  return m.number("cj", 0) * L * W + 2 * m.number("cjsw", 0) * (L + W);
}

/// Tells where a scale of SPICE is not what a human reads: 1M is 1e-3, 1F is 1e-15.
void note_scale(Expander& x, const Element& e, const Token& token, const TwoPole& kind) {
  std::size_t used = 0;
  if (token.quoted || !parse_number(token.text, used)) return;
  const std::size_t at = token.text.find_first_not_of("+-.0123456789");
  if (at == std::string::npos) return;
  const std::string suffix = to_lower(token.text.substr(at));
  const bool is_milli = token.text[at] == 'M' && !suffix.starts_with("meg") && !suffix.starts_with("mil");
  if (kind.unit == resistor.unit && is_milli)
    x.note(token.where, e.tokens()[0].text + " = " + token.text + " is in thousandths, as in SPICE; a million is meg");
  if (kind.unit == capacitor.unit && suffix[0] == 'f')
    x.note(token.where,
           e.tokens()[0].text + " = " + token.text + " is in femtofarad, as in SPICE; leave the F out for farad");
}

/// Takes name= or the word behind the value that names a model; null without one.
const ModelCard* take_two_pole_model(Expander& x, const Element& e, Arguments& a, const TwoPole& kind) {
  for (std::size_t k = 0; k < a.words.size() && k < 2; ++k) {
    const Token word = a.words[k];
    if (word.quoted || parse_number(word.text) || e.instance->definition->find_model(to_lower(word.text)) == nullptr)
      continue;
    a.words.erase(a.words.begin() + static_cast<std::ptrdiff_t>(k));
    return &x.find_model(e, word, {kind.key, kind.other});
  }
  return nullptr;
}

void read_coefficients(Expander& x, const Element& e, Arguments& a, TwoPoleValue& v) {
  for (const auto& [name, target] : {std::pair("tc1", &v.tc1), std::pair("tc", &v.tc1), std::pair("tc2", &v.tc2)}) {
    const Assignment* given = a.take(name);
    if (given == nullptr) continue;
    *target = x.resolve(e, given->value);
    v.tc_where = given->where;
    // tc=first,second: commas are spaces
    if (std::string(name) != "tc" || a.words.empty() || !parse_number(a.words.front().text)) continue;
    v.tc2 = make_number(*parse_number(a.words.front().text));
    a.words.erase(a.words.begin());
  }
}

/// The value: the fourth word, or key=value, or what the model makes of the geometry.
TwoPoleValue read_two_pole(Expander& x, const Element& e, Arguments& a, const TwoPole& kind) {
  TwoPoleValue v;
  v.celsius = take_temperature(x, e, a);
  v.nominal = x.nominal_temperature();
  const ModelCard* card = take_two_pole_model(x, e, a, kind);
  for (const char* key : {kind.key, kind.value}) {
    const Assignment* named = v.value ? nullptr : a.take(key);
    if (named == nullptr) continue;
    v.where = named->where;
    v.value = x.resolve(e, named->value);
  }
  if (!v.value && !a.words.empty()) {
    const Token token = a.words.front();
    a.words.erase(a.words.begin());
    v.where = token.where;
    v.value = x.value(e, token);
    note_scale(x, e, token, kind);
  }
  read_coefficients(x, e, a, v);
  if (card != nullptr) {
    ModelValues m(x, e, *card);
    const std::optional<double> made = compute_from_geometry(x, e, a, m, kind);
    v.nominal = m.number("tnom", m.number("tref", v.nominal));
    const bool has_value = m.has(kind.value) || m.has(kind.key);
    const double own = m.number(kind.value, m.number(kind.key, 0));
    if (v.value && has_value && own != 1)
      x.note(card->where, "model " + card->name + ": " + e.tokens()[0].text +
                              " has a value of its own, which counts; " + kind.value +
                              " of the model is no factor, as in ngspice");
    if (!v.value && (made || has_value)) v.value = make_number(made ? *made : own), v.where = card->where;
    for (const auto& [name, target] : {std::pair("tc1", &v.tc1), std::pair("tc2", &v.tc2)})
      if (const ExpressionPtr given = m.find(name); given && !*target) *target = given, v.tc_where = card->where;
    if (x.wants_noise() && m.number("kf", 0) != 0)
      x.note(card->where, "model " + card->name + ": the flicker of resistors is left out of .noise");
    m.ignore(ratings());
    m.ignore({"kf", "af", "ef", "wf", "lf"});
    m.finish();
  }
  if (!v.value) throw Error(e.where(), e.tokens()[0].text + " has no value");
  if (const double parts = take_multiplier(x, e, a); parts != 1)
    v.value = x.resolve(e, make_binary(kind.grows ? "*" : "/", v.value, make_number(parts)));
  if (const Assignment* factor = a.take("scale"))
    v.value = x.resolve(e, make_binary("*", v.value, x.resolve(e, factor->value)));
  return v;
}

/// The value at the temperature of the element.
void warm_up(Expander& x, const Element& e, TwoPoleValue& v) {
  const double rise = v.celsius - v.nominal;
  if (rise == 0 || (!v.tc1 && !v.tc2)) return;
  const double factor =
      1 + rise * (v.tc1 ? x.number(v.tc1, v.tc_where) : 0) + rise * rise * (v.tc2 ? x.number(v.tc2, v.tc_where) : 0);
  v.value = x.resolve(e, make_binary("*", v.value, make_number(factor)));
}

/// A value of zero, or below.
enum class Sign { positive, zero, negative };
Sign find_sign(Expander& x, const TwoPoleValue& v) {
  if (is_varying(v.value)) return Sign::positive;
  const double number = x.number(v.value, v.where);
  return number > 0 ? Sign::positive : number < 0 ? Sign::negative : Sign::zero;
}

void refuse_negative(Expander& x, const Element& e, const TwoPoleValue& v, const TwoPole& kind) {
  throw Error(v.where, e.tokens()[0].text + " = " + x.quantity(x.number(v.value, v.where), kind.unit, v.where).text +
                           " must be > 0");
}

/// A wire, whose current is a signal like that of the element.
void add_wire(Expander& x, const Element& e, Arguments& a) {
  x.add(e, "", "electrical.VoltageSource",
        {{"p", x.node(e, a.pins[0])}, {"n", x.node(e, a.pins[1])}, {"v", x.quantity(0, "V", e.where())}});
}

}  // namespace

void write_resistor(Expander& x, const Element& e) {
  Arguments a(e, 3);
  TwoPoleValue v = read_two_pole(x, e, a, resistor);
  const Assignment* noisy = a.take("noisy");
  a.finish(e);
  Entries entries{{"p", x.node(e, a.pins[0])}, {"n", x.node(e, a.pins[1])}};
  const Sign sign = find_sign(x, v);
  if (sign == Sign::zero) return add_wire(x, e, a);
  const bool warms = v.tc1 || v.tc2;
  if (sign == Sign::negative) {
    warm_up(x, e, v);
    const std::string law = e.name + ".v/(" + x.quantity(e, v.value, "ohm", v.where).text + ")";
    entries.emplace_back(
        "i",
        Value(v.value->is_number() ? law : e.name + ".v/(1 ohm*(" + x.quantity(e, v.value, "", v.where).text + "))"));
    x.add(e, "", "electrical.NonlinearResistor", std::move(entries));
    return;
  }
  entries.emplace_back("R", x.quantity(e, v.value, "ohm", v.where));
  if (warms) {
    if (v.tc1) entries.emplace_back("TC1", x.quantity(e, v.tc1, "1/K", v.tc_where));
    if (v.tc2) entries.emplace_back("TC2", x.quantity(e, v.tc2, "1/K2", v.tc_where));
    add_temperatures(x, v.celsius, v.nominal, e.where(), entries);
  }
  const std::string p = entries[0].second.text, n = entries[1].second.text;
  const std::string component =
      x.add(e, "", warms ? "electrical.TemperatureDependentResistor" : "electrical.Resistor", std::move(entries)).name;
  if (noisy != nullptr && x.number(x.resolve(e, noisy->value), noisy->where) == 0) return;
  const bool is_number = !warms && v.value->is_number();
  x.add_noise({.component = component,
               .p = p,
               .n = n,
               .current = "i",
               .resistance = is_number ? x.number(v.value, v.where) : 0,
               .kelvin = v.celsius + 273.15});
}

void write_capacitor(Expander& x, const Element& e) {
  Arguments a(e, 3);
  const std::string p = x.node(e, a.pins[0]), n = x.node(e, a.pins[1]);
  const Assignment* start = a.take("ic");
  const Assignment* charge = a.take("q");
  Entries entries;
  entries.reserve(3);
  entries.emplace_back("p", p), entries.emplace_back("n", n);
  std::string type = "electrical.Capacitor";
  if (charge != nullptr) {
    type = "electrical.NonlinearCapacitor";
    entries.emplace_back("charge", x.charge(e, x.resolve(e, charge->value), charge->where, p, n));
  } else {
    TwoPoleValue v = read_two_pole(x, e, a, capacitor);
    if (is_varying(v.value))
      throw Error(v.where, e.tokens()[0].text +
                               ": a capacitance that depends on signals is not unique; give the charge, Q={...}");
    warm_up(x, e, v);
    const Sign sign = find_sign(x, v);
    if (sign == Sign::negative) refuse_negative(x, e, v, capacitor);
    if (sign == Sign::zero) {
      a.finish(e);
      return x.note(e.where(), e.tokens()[0].text + " of zero is left out");
    }
    entries.emplace_back("C", x.quantity(e, v.value, "F", v.where));
  }
  a.finish(e);
  if (start != nullptr) {
    entries.emplace_back("v0", x.quantity(e, x.resolve(e, start->value), "V", start->where));
  } else {
    const auto v_p = x.initial_voltage(p), v_n = x.initial_voltage(n);
    // a node without .ic starts from 0 V
    const double v0 = v_p.value_or(0) - v_n.value_or(0);
    if (v0 != 0) entries.emplace_back("v0", x.quantity(v0, "V", e.where()));
  }
  x.add(e, "", type, std::move(entries));
}

void write_inductor(Expander& x, const Element& e) {
  Arguments a(e, 3);
  const Assignment* start = a.take("ic");
  TwoPoleValue v = read_two_pole(x, e, a, inductor);
  if (is_varying(v.value))
    throw Error(v.where, e.tokens()[0].text + ": an inductance that depends on signals is not understood");
  warm_up(x, e, v);
  // the losses of an inductor, as LTspice has them
  const Assignment* series = a.take("rser");
  const double R = series == nullptr ? 0 : x.number(x.resolve(e, series->value), series->where);
  a.finish(e);
  const Sign sign = find_sign(x, v);
  if (sign == Sign::negative) refuse_negative(x, e, v, inductor);
  if (sign == Sign::zero && R <= 0) return add_wire(x, e, a);
  const std::string p = add_series(x, e, x.node(e, a.pins[0]), R, "Rser", e.where());
  Entries entries{{"p", p}, {"n", x.node(e, a.pins[1])}, {"L", x.quantity(e, v.value, "H", v.where)}};
  if (start != nullptr) entries.emplace_back("i0", x.quantity(e, x.resolve(e, start->value), "A", start->where));
  x.add(e, "", "electrical.Inductor", std::move(entries));
}

/// K1 L1 L2 … k: every pair of the inductors is coupled by k.
void write_coupling(Expander& x, const Element& e) {
  const auto& t = e.tokens();
  if (t.size() < 4) throw Error(e.where(), t[0].text + " must be written K1 L1 L2 k");
  const Token& last = t.back();
  const ExpressionPtr k = x.value(e, last);
  std::vector<std::string> inductors;
  for (std::size_t i = 1; i + 1 < t.size(); ++i) {
    if (std::tolower(static_cast<unsigned char>(t[i].text[0])) != 'l')
      throw Error(t[i].where, t[0].text + ": " + t[i].text + " is no inductor");
    inductors.push_back(x.find_element(*e.instance, t[i].text, t[i].where));
  }
  int count = 0;
  for (std::size_t i = 0; i < inductors.size(); ++i)
    for (std::size_t j = i + 1; j < inductors.size(); ++j)
      x.add(e, count++ == 0 ? "" : std::to_string(count), "electrical.Coupling",
            {{"a", inductors[i]}, {"b", inductors[j]}, {"k", x.quantity(e, k, "", last.where)}});
}

}  // namespace coenergy::io::spice
