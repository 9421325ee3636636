// R, L, C and K
#include <tuple>

#include "coenergy/io/spice_arguments.hpp"

namespace coenergy::io::spice {

using model::Value;

namespace {

/// The value of a two-pole: the fourth word, or key=value.
ExpressionPtr find_value(Expander& x, const Element& e, Arguments& a, const std::string& key, Location& where) {
  if (const Assignment* named = a.take(key)) {
    where = named->where;
    return x.resolve(e, named->value);
  }
  if (a.words.empty()) throw Error(e.where(), e.tokens()[0].text + " has no value");
  where = a.words.front().where;
  const Token token = a.words.front();
  a.words.erase(a.words.begin());
  if (!token.quoted && !parse_number(token.text) && e.instance->definition->find_model(to_lower(token.text)) != nullptr)
    throw Error(token.where, e.tokens()[0].text +
                                 ": models of resistors, capacitors and inductors are not understood; give the value");
  return x.value(e, token);
}

/// Value scaled by the number of parallel parts.
ExpressionPtr scale(Expander& x, const Element& e, Arguments& a, ExpressionPtr value, bool grows) {
  const Assignment* m = a.take("m");
  if (m == nullptr) return value;
  const ExpressionPtr count = x.resolve(e, m->value);
  if (!(x.number(count, m->where) > 0)) throw Error(m->where, e.tokens()[0].text + ": m must be > 0");
  return x.resolve(e, make_binary(grows ? "*" : "/", std::move(value), count));
}

void check_sign(Expander& x, const Element& e, const ExpressionPtr& value, const Location& where, const char* unit) {
  if (is_varying(value)) return;
  const double number = x.number(value, where);
  if (!(number > 0))
    throw Error(where, e.tokens()[0].text + " = " + x.quantity(number, unit, where).text + " must be > 0");
}

/// tc1=, tc2=, or tc=first,second, with temp= or dtemp=: entries of a resistor that depends on its temperature. False
/// where there are none.
bool take_coefficients(Expander& x, const Element& e, Arguments& a, Entries& entries) {
  const double celsius = take_temperature(x, e, a);
  bool found = false;
  for (const auto& [name, entry, unit] :
       {std::tuple("tc1", "TC1", "1/K"), std::tuple("tc", "TC1", "1/K"), std::tuple("tc2", "TC2", "1/K2")}) {
    const Assignment* given = a.take(name);
    if (given == nullptr) continue;
    found = true;
    entries.emplace_back(entry, x.quantity(e, x.resolve(e, given->value), unit, given->where));
    // tc=first,second: commas are spaces
    if (std::string(name) == "tc" && !a.words.empty() && parse_number(a.words.front().text)) {
      entries.emplace_back("TC2", x.quantity(*parse_number(a.words.front().text), "1/K2", a.words.front().where));
      a.words.erase(a.words.begin());
    }
  }
  if (found) add_temperatures(x, celsius, x.nominal_temperature(), e.where(), entries);
  return found;
}

/// Coefficients of capacitors and inductors count at another temperature only.
void refuse_coefficients(Expander& x, const Element& e, Arguments& a) {
  const bool is_nominal = take_temperature(x, e, a) == x.nominal_temperature();
  for (const char* name : {"tc1", "tc2", "tc"}) {
    const Assignment* given = a.take(name);
    if (given != nullptr && !is_nominal && x.number(x.resolve(e, given->value), given->where) != 0)
      throw Error(given->where, e.tokens()[0].text + ": temperature coefficients of resistors alone are understood");
  }
}

}  // namespace

void write_resistor(Expander& x, const Element& e) {
  Arguments a(e, 3);
  Location where;
  ExpressionPtr r = find_value(x, e, a, "r", where);
  r = scale(x, e, a, r, false);
  Entries entries{{"p", x.node(e, a.pins[0])}, {"n", x.node(e, a.pins[1])}, {"R", x.quantity(e, r, "ohm", where)}};
  a.ignore({"noisy"});
  const bool depends_on_temperature = take_coefficients(x, e, a, entries);
  a.finish(e);
  check_sign(x, e, r, where, "ohm");
  x.add(e, "", depends_on_temperature ? "electrical.TemperatureDependentResistor" : "electrical.Resistor",
        std::move(entries));
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
    Location where;
    ExpressionPtr c = find_value(x, e, a, "c", where);
    if (is_varying(c))
      throw Error(where, e.tokens()[0].text +
                             ": a capacitance that depends on signals is not unique; give the charge, Q={...}");
    c = scale(x, e, a, c, true);
    check_sign(x, e, c, where, "F");
    entries.emplace_back("C", x.quantity(e, c, "F", where));
  }
  refuse_coefficients(x, e, a);
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
  Location where;
  const Assignment* start = a.take("ic");
  ExpressionPtr l = find_value(x, e, a, "l", where);
  if (is_varying(l))
    throw Error(where, e.tokens()[0].text + ": an inductance that depends on signals is not understood");
  l = scale(x, e, a, l, false);
  refuse_coefficients(x, e, a);
  a.finish(e);
  check_sign(x, e, l, where, "H");
  Entries entries{{"p", x.node(e, a.pins[0])}, {"n", x.node(e, a.pins[1])}, {"L", x.quantity(e, l, "H", where)}};
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
