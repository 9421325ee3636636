// J: junction field-effect transistors
#include "coenergy/io/spice_device.hpp"

namespace coenergy::io::spice {

void write_jfet(Expander& x, const Element& e) {
  Arguments a(e, 4);
  const Token name = take_model(e, a);
  const ModelCard& card = x.find_model(e, name, {"njf", "pjf"});
  const double multiplier = take_multiplier(x, e, a), area = multiplier * take_area(x, e, a);
  ModelValues m(x, e, card);
  m.expect("level", 1);
  const Temperatures temperatures = take_temperatures(x, e, a, m);
  a.ignore({"ic"});
  a.take_word("off");
  a.finish(e);
  const bool n_channel = card.kind == "njf";
  const std::string drain = add_series(x, e, x.node(e, a.pins[0]), m.number("rd", 0) / area, "Rd", card.where),
                    gate = x.node(e, a.pins[1]),
                    source = add_series(x, e, x.node(e, a.pins[2]), m.number("rs", 0) / area, "Rs", card.where);
  Entries entries{{"d", drain}, {"g", gate}, {"s", source}, {"channel", n_channel ? "n" : "p"}};
  m.copy(entries, m.has("vto") ? "vto" : "vt0", "Vto", "V");
  m.copy_scaled(entries, "beta", "beta", "A/V2", area, 1e-4);
  m.copy(entries, "lambda", "lambda", "1/V");
  m.copy(entries, "b", "B", "");
  m.copy(entries, "pb", "Pb", "V");
  m.copy_scaled(entries, "is", "Is", "A", area, 1e-14);
  m.copy(entries, "n", "N", "");
  add_gmin(x, e, entries);
  add_temperatures(x, temperatures.own, temperatures.nominal, e.where(), entries);
  const std::string component = x.add(e, "", "electrical.Jfet", std::move(entries)).name;
  using Law = Netlist::NoiseSource::Law;
  add_device_noise(x, m, {.law = Law::channel, .component = component, .p = drain, .n = source, .current = "i"},
                   multiplier);
  for (const auto& [suffix, key, end] : {std::tuple("Cgs", "cgs", source), std::tuple("Cgd", "cgd", drain)}) {
    const double C = m.number(key, 0) * area;
    if (C <= 0 || gate == end) continue;
    Entries charge{{"p", n_channel ? gate : end},           {"n", n_channel ? end : gate},
                   {"Cj0", x.quantity(C, "F", card.where)}, {"Vj", x.quantity(m.number("pb", 1), "V", card.where)},
                   {"M", x.quantity(0.5, "", card.where)},  {"FC", x.quantity(m.number("fc", 0.5), "", card.where)}};
    add_temperatures(x, temperatures.own, temperatures.nominal, e.where(), charge);
    x.add(e, suffix, "electrical.JunctionCapacitor", std::move(charge));
  }
  m.ignore({"fc"});
  for (const char* law : {"vtotc", "betatce", "xti", "tcv", "bex"})
    temperatures.differ() ? m.expect(law, 0) : m.ignore({law});
  m.expect("isr", 0);
  m.expect("alpha", 0);
  m.ignore({"nr", "vk", "m"});
  m.ignore({"kf", "af"});
  m.ignore(ratings());
  m.finish();
}

}  // namespace coenergy::io::spice
