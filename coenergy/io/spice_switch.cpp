// S and W: switches
#include <cmath>

#include "coenergy/io/spice_device.hpp"

namespace coenergy::io::spice {

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
  const double parts = take_multiplier(x, e, a);
  entries.emplace_back("R_on", x.quantity(m.number("ron", 1) / parts, "ohm", card.where));
  entries.emplace_back("R_off", x.quantity(m.number("roff", 1e6) / parts, "ohm", card.where));
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
    entries.emplace_back("control", x.current(e, a.pins[2]));
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
  const double parts = take_multiplier(x, e, a);
  m.copy_scaled(entries, "ron", "R_on", "ohm", 1 / parts);
  m.copy_scaled(entries, "roff", "R_off", "ohm", 1 / parts);
  if (!m.has("ron")) entries.emplace_back("R_on", x.quantity(1 / parts, "ohm", card.where));
  if (!m.has("roff")) entries.emplace_back("R_off", x.quantity(1e12 / parts, "ohm", card.where));
  m.finish();
  a.take_word("off");
  if (a.take_word("on")) entries.emplace_back("initial", x.quantity(1, "", e.where()));
  a.finish(e);
  x.add(e, "", "electrical.Switch", std::move(entries));
}

}  // namespace coenergy::io::spice
