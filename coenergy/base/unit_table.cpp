#include "coenergy/base/unit_table.hpp"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <numbers>
#include <vector>

#include "coenergy/base/error.hpp"
#include "coenergy/base/names.hpp"

namespace coenergy {
namespace {

struct Symbol {
  std::string_view name;
  std::array<int, 7> exponent;  // of m, kg, s, A, K, mol, cd
  double factor = 1;
  bool takes_prefix = true;
  double offset = 0;
};

constexpr double pi = std::numbers::pi;

constexpr Symbol symbols[] = {
    // base
    {"m", {1}},
    {"g", {0, 1}, 1e-3},
    {"s", {0, 0, 1}},
    {"A", {0, 0, 0, 1}},
    {"K", {0, 0, 0, 0, 1}},
    {"mol", {0, 0, 0, 0, 0, 1}},
    {"cd", {0, 0, 0, 0, 0, 0, 1}},
    // derived
    {"N", {1, 1, -2}},
    {"J", {2, 1, -2}},
    {"W", {2, 1, -3}},
    {"Pa", {-1, 1, -2}},
    {"Hz", {0, 0, -1}},
    {"C", {0, 0, 1, 1}},
    {"V", {2, 1, -3, -1}},
    {"ohm", {2, 1, -3, -2}},
    {"Ohm", {2, 1, -3, -2}},
    {"Ω", {2, 1, -3, -2}},
    {"\u2126", {2, 1, -3, -2}},  // the sign Ω where the line above has the letter
    {"S", {-2, -1, 3, 2}},
    {"F", {-2, -1, 4, 2}},
    {"H", {2, 1, -2, -2}},
    {"Wb", {2, 1, -2, -1}},
    {"T", {0, 1, -2, -1}},
    // angles
    {"rad", {}},
    {"deg", {}, pi / 180, false},
    {"°", {}, pi / 180, false},
    {"rev", {}, 2 * pi, false},
    {"rpm", {0, 0, -1}, 2 * pi / 60, false},
    // accepted beside the SI
    {"min", {0, 0, 1}, 60, false},
    {"h", {0, 0, 1}, 3600, false},
    {"bar", {-1, 1, -2}, 1e5},
    {"l", {3}, 1e-3},
    {"L", {3}, 1e-3},
    {"t", {0, 1}, 1e3, false},
    {"degC", {0, 0, 0, 0, 1}, 1, false, 273.15},
    {"°C", {0, 0, 0, 0, 1}, 1, false, 273.15},
    {"%", {}, 1e-2, false},
};

struct Prefix {
  std::string_view name;
  double factor;
};

constexpr Prefix prefixes[] = {
    {"da", 1e1}, {"h", 1e2},   {"k", 1e3},   {"M", 1e6},   {"G", 1e9},  {"T", 1e12}, {"P", 1e15}, {"E", 1e18},
    {"d", 1e-1}, {"c", 1e-2},  {"m", 1e-3},  {"u", 1e-6},  {"µ", 1e-6}, {"μ", 1e-6},  // micro sign, Greek letter
    {"n", 1e-9}, {"p", 1e-12}, {"f", 1e-15}, {"a", 1e-18},
};

struct Word {
  std::string_view word, symbol;
};

// whole words people write, for suggestions only
constexpr Word words[] = {
    {"meter", "m"},   {"metre", "m"},        {"gram", "g"},     {"kilogram", "kg"}, {"second", "s"},
    {"sec", "s"},     {"ampere", "A"},       {"amp", "A"},      {"kelvin", "K"},    {"newton", "N"},
    {"joule", "J"},   {"watt", "W"},         {"pascal", "Pa"},  {"hertz", "Hz"},    {"volt", "V"},
    {"farad", "F"},   {"henry", "H"},        {"coulomb", "C"},  {"weber", "Wb"},    {"tesla", "T"},
    {"siemens", "S"}, {"radian", "rad"},     {"degree", "deg"}, {"minute", "min"},  {"hour", "h"},
    {"hr", "h"},      {"liter", "l"},        {"litre", "l"},    {"tonne", "t"},     {"celsius", "degC"},
    {"percent", "%"}, {"revolution", "rev"}, {"ohms", "ohm"},   {"degrees", "deg"}, {"degs", "deg"},
};

const Symbol* find_symbol(std::string_view name) {
  const auto* found =
      std::find_if(std::begin(symbols), std::end(symbols), [&](const auto& s) { return s.name == name; });
  return found == std::end(symbols) ? nullptr : found;
}

std::string to_lower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return lower;
}

std::vector<std::string> list_known() {
  std::vector<std::string> known;
  for (const auto& s : symbols) known.emplace_back(s.name);
  for (const char* common :
       {"kg",  "mm",  "cm",   "km",   "ms",   "us", "mA", "kA", "mV", "kV", "kN",  "kW", "MW",   "kPa",  "MPa", "GPa",
        "kHz", "MHz", "kohm", "Mohm", "mohm", "uF", "nF", "pF", "mH", "uH", "mWb", "mT", "mrad", "mbar", "kJ",  "MJ"})
    known.emplace_back(common);
  return known;
}

}  // namespace

std::optional<Unit> find_unit_symbol(std::string_view symbol) {
  // a symbol of its own wins: "min" is no milli-"in"
  if (const auto* s = find_symbol(symbol)) return Unit{{s->exponent}, s->factor, s->offset};
  for (const auto& prefix : prefixes) {
    if (!symbol.starts_with(prefix.name)) continue;
    const auto* s = find_symbol(symbol.substr(prefix.name.size()));
    if (!s || !s->takes_prefix) continue;
    // 1 kg is 1 exactly, not 10³·10⁻³ rounded
    const double factor = s->factor < 1 ? prefix.factor / (1 / s->factor) : prefix.factor * s->factor;
    return Unit{{s->exponent}, factor, 0};
  }
  return std::nullopt;
}

std::string suggest_unit_symbol(std::string_view symbol) {
  // a whole word, in any case and number
  auto lower = to_lower(symbol);
  for (int plural = 0; plural < 2; ++plural) {
    for (const auto& w : words)
      if (w.word == lower) return "; did you mean " + std::string(w.symbol) + "?";
    if (!lower.ends_with('s')) break;
    lower.pop_back();
  }
  // two units without a dot between them
  for (std::size_t cut = 1; cut < symbol.size(); ++cut)
    if (find_unit_symbol(symbol.substr(0, cut)) && find_unit_symbol(symbol.substr(cut)))
      return "; did you mean " + std::string(symbol.substr(0, cut)) + "." + std::string(symbol.substr(cut)) + "?";
  // short words are near to everything: only their case may be wrong
  const auto known = list_known();
  if (symbol.size() > 2) return did_you_mean(std::string(symbol), known);
  for (const auto& name : known)
    if (to_lower(name) == to_lower(symbol)) return "; did you mean " + name + "?";
  return "";
}

std::vector<UnitSymbol> list_unit_symbols() {
  std::vector<UnitSymbol> all;
  for (const Symbol& s : symbols) {
    if (s.name == "\u2126") continue;  // looks like the Ω before it
    const bool is_base = s.factor == 1 && s.offset == 0 && std::count(s.exponent.begin(), s.exponent.end(), 0) == 6;
    const std::string dimension = to_string(Dimension{s.exponent});
    std::string meaning = dimension == "1" ? "" : dimension;
    if (s.factor != 1) meaning = format_short(s.factor) + (meaning.empty() ? "" : " " + meaning);
    if (s.offset != 0) meaning += " + " + format_short(s.offset) + " K";
    if (is_base && s.exponent[2] >= 0) meaning.clear();
    all.push_back({s.name, s.takes_prefix, meaning});
  }
  return all;
}

}  // namespace coenergy
