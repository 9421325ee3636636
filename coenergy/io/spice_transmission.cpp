// T and O: lines without loss
#include <cmath>

#include "coenergy/io/spice_device.hpp"

namespace coenergy::io::spice {

namespace {

struct Wave {
  double impedance = 0, delay = 0;  // ohm, s
};

/// Z0= and TD=, or F= and NL=: the delay is NL periods of F, a quarter where NL is not given.
Wave read_lossless(Expander& x, const Element& e, Arguments& a) {
  const auto take = [&](const char* name, const char* other = nullptr) -> std::optional<double> {
    const Assignment* given = a.take(name);
    if (given == nullptr && other != nullptr) given = a.take(other);
    if (given == nullptr) return std::nullopt;
    const double value = x.number(x.resolve(e, given->value), given->where);
    if (!(value > 0)) throw Error(given->where, e.tokens()[0].text + ": " + given->name + " must be > 0");
    return value;
  };
  const std::optional<double> impedance = take("z0", "zo"), delay = take("td"), frequency = take("f"),
                              lengths = take("nl");
  if (!impedance) throw Error(e.where(), e.tokens()[0].text + ": a line needs Z0=, its characteristic impedance");
  if (!delay && !frequency) throw Error(e.where(), e.tokens()[0].text + ": a line needs TD=, or F= and NL=");
  if (delay && (frequency || lengths))
    throw Error(e.where(), e.tokens()[0].text + ": a line has TD=, or F= and NL=, not both");
  return {*impedance, delay ? *delay : lengths.value_or(0.25) / *frequency};
}

/// A model ltra with L, C and LEN; losses are a convolution, which this is not.
Wave read_model(Expander& x, const Element& e, Arguments& a) {
  const ModelCard& card = x.find_model(e, take_model(e, a), {"ltra"});
  ModelValues m(x, e, card);
  m.expect("r", 0);
  m.expect("g", 0);
  const double L = m.number("l", 0), C = m.number("c", 0), length = m.number("len", 0);
  // how SPICE steps and compacts what it remembers
  m.ignore({"rel", "abs", "nosteplimit", "steplimit", "nocontrol", "lininterp", "quadinterp", "mixedinterp",
            "compactrel", "compactabs", "truncnr", "truncdontcut"});
  m.finish();
  if (!(L > 0) || !(C > 0) || !(length > 0))
    throw Error(card.where, "model " + card.name + ": a line without loss needs L, C and LEN, all > 0");
  return {std::sqrt(L / C), length * std::sqrt(L * C)};
}

/// IC=v1,i1,v2,i2 (commas are spaces), of a run from given values.
void read_start(Expander& x, const Element& e, Arguments& a, Entries& entries) {
  const Assignment* first = a.take("ic");
  if (first == nullptr) return;
  const char* const names[] = {"v1_0", "i1_0", "v2_0", "i2_0"};
  entries.emplace_back(names[0], x.quantity(e, x.resolve(e, first->value), "V", first->where));
  for (int k = 1; k < 4 && !a.words.empty(); ++k) {
    const Token word = a.words.front();
    a.words.erase(a.words.begin());
    entries.emplace_back(names[k], x.quantity(e, x.value(e, word), k == 2 ? "V" : "A", word.where));
  }
}

}  // namespace

void write_line(Expander& x, const Element& e) {
  Arguments a(e, 5);
  const bool has_model = std::tolower(static_cast<unsigned char>(e.tokens()[0].text[0])) == 'o';
  const Wave wave = has_model ? read_model(x, e, a) : read_lossless(x, e, a);
  Entries entries{{"p1", x.node(e, a.pins[0])},
                  {"n1", x.node(e, a.pins[1])},
                  {"p2", x.node(e, a.pins[2])},
                  {"n2", x.node(e, a.pins[3])}};
  entries.emplace_back("Z0", x.quantity(wave.impedance / take_multiplier(x, e, a), "ohm", e.where()));
  entries.emplace_back("delay", x.quantity(wave.delay, "s", e.where()));
  read_start(x, e, a, entries);
  a.finish(e);
  x.add(e, "", "electrical.TransmissionLine", std::move(entries));
}

}  // namespace coenergy::io::spice
