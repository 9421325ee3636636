#include "coenergy/io/spice_device.hpp"

namespace coenergy::io::spice {

Token take_model(const Element& e, Arguments& a) {
  if (a.words.empty()) throw Error(e.where(), e.tokens()[0].text + " has no model");
  Token name = a.words.front();
  a.words.erase(a.words.begin());
  return name;
}

double take_multiplier(Expander& x, const Element& e, Arguments& a) {
  const Assignment* value = a.take("m");
  const double multiplier = value == nullptr ? 1 : x.number(x.resolve(e, value->value), value->where);
  if (!(multiplier > 0)) throw Error(e.where(), e.tokens()[0].text + ": m must be > 0");
  return multiplier * e.instance->multiplier;
}

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

std::string add_series(Expander& x, const Element& e, const std::string& outside, double R, const char* name,
                       const Location& where) {
  if (R <= 0) return outside;
  std::string inside = x.add_node(e, std::string(name) + "_n");
  model::Component& c =
      x.add(e, name, "electrical.Resistor", {{"p", outside}, {"n", inside}, {"R", x.quantity(R, "ohm", where)}});
  x.add_noise(
      {.component = c.name, .p = outside, .n = inside, .current = "i", .resistance = R, .kelvin = x.element_kelvin()});
  return inside;
}

void add_gmin(Expander& x, const Element& e, Entries& entries) {
  if (const double given = x.option("gmin", -1); given >= 0)
    entries.emplace_back("gmin", x.quantity(given, "S", e.where()));
}

void add_device_noise(Expander& x, ModelValues& m, Netlist::NoiseSource source, double multiplier) {
  // the law of one device, of which there are so many
  source.flicker = m.number("kf", 0) * std::pow(multiplier, 1 - m.number("af", 1));
  source.exponent = m.number("af", 1);
  source.kelvin = x.element_kelvin();
  x.add_noise(std::move(source));
}

const std::vector<std::string>& ratings() {
  static const std::vector<std::string> names = {"vds", "mfg", "iave", "vpk", "type", "icrating", "vceo", "ron", "qg"};
  return names;
}

Temperatures take_temperatures(Expander& x, const Element& e, Arguments& a, ModelValues& m) {
  double nominal = x.nominal_temperature();
  for (const char* name : {"tref", "t_measured", "tnom"}) nominal = m.number(name, nominal);
  return {take_temperature(x, e, a), nominal};
}

}  // namespace coenergy::io::spice
