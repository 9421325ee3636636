#include "coenergy/io/spice_arguments.hpp"

#include "coenergy/base/names.hpp"

namespace coenergy::io::spice {

Arguments::Arguments(const Element& e, std::size_t first_word) {
  const auto& t = e.tokens();
  std::size_t k = 1;
  pins.reserve(first_word - 1), words.reserve(1);
  for (; k < first_word && k < t.size() && !(k + 1 < t.size() && t[k + 1].is("=")); ++k) pins.push_back(t[k]);
  if (pins.size() + 1 < first_word)
    throw Error(e.where(), t[0].text + " has " + std::to_string(pins.size()) + (pins.size() == 1 ? " node" : " nodes") +
                               "; it needs " + std::to_string(first_word - 1));
  while (k < t.size()) {
    if (k + 1 < t.size() && t[k + 1].is("=")) {
      if (k + 2 >= t.size()) throw Error(t[k].where, t[0].text + ": " + t[k].text + " has no value");
      pairs_.push_back({to_lower(t[k].text), parse_value(t[k + 2]), t[k].where});
      k += 3;
    } else {
      words.push_back(t[k++]);
    }
  }
  read_.assign(pairs_.size(), 0);
}

void Arguments::add_pair(const std::string& name, const Token& value) {
  pairs_.push_back({name, parse_value(value), value.where});
  read_.push_back(0);
}

const Assignment* Arguments::take(const std::string& name) {
  for (std::size_t k = 0; k < pairs_.size(); ++k) {
    if (pairs_[k].name != name) continue;
    read_[k] = 1;
    return &pairs_[k];
  }
  return nullptr;
}

void Arguments::ignore(const std::vector<std::string>& names) {
  for (const std::string& name : names) take(name);
}

bool Arguments::take_word(const std::string& word) {
  for (std::size_t k = 0; k < words.size(); ++k) {
    if (words[k].quoted || to_lower(words[k].text) != word) continue;
    words.erase(words.begin() + static_cast<std::ptrdiff_t>(k));
    return true;
  }
  return false;
}

void Arguments::finish(const Element& e) const {
  const std::string& name = e.tokens()[0].text;
  if (!words.empty()) throw Error(words.front().where, name + ": \"" + words.front().text + "\" is not understood");
  for (std::size_t k = 0; k < pairs_.size(); ++k)
    if (!read_[k]) throw Error(pairs_[k].where, name + ": the parameter " + pairs_[k].name + " is not understood");
}

double take_temperature(Expander& x, const Element& e, Arguments& a) {
  double celsius = x.temperature();
  if (const Assignment* more = a.take("dtemp")) celsius += x.number(x.resolve(e, more->value), more->where);
  if (const Assignment* own = a.take("temp")) celsius = x.number(x.resolve(e, own->value), own->where);
  if (!(celsius > -273.15))
    throw Error(e.where(), e.tokens()[0].text + ": the temperature must be > -273.15 (degrees Celsius)");
  x.set_element_temperature(celsius);
  return celsius;
}

void add_temperatures(Expander& x, double celsius, double nominal_celsius, const Location& where, Entries& entries) {
  constexpr double zero = 273.15, usual = 27;
  if (nominal_celsius != usual) entries.emplace_back("Tnom", x.quantity(nominal_celsius + zero, "K", where));
  if (celsius != nominal_celsius) entries.emplace_back("T", x.quantity(celsius + zero, "K", where));
}

bool ModelValues::has(const std::string& name) {
  read_.insert(name);
  return card_.find(name) != nullptr;
}

ExpressionPtr ModelValues::find(const std::string& name) {
  if (!has(name)) return nullptr;
  return x_.resolve(e_, card_.find(name)->value);
}

double ModelValues::number(const std::string& name, double fallback) {
  const ExpressionPtr value = find(name);
  return value ? x_.number(value, card_.find(name)->where) : fallback;
}

void ModelValues::copy(Entries& entries, const std::string& name, const std::string& entry, const std::string& unit) {
  if (const ExpressionPtr value = find(name))
    entries.emplace_back(entry, x_.quantity(e_, value, unit, card_.find(name)->where));
}

void ModelValues::copy_scaled(Entries& entries, const std::string& name, const std::string& entry,
                              const std::string& unit, double factor, double fallback) {
  ExpressionPtr value = find(name);
  if (!value && (fallback == 0 || factor == 1)) return;
  const Location where = value ? card_.find(name)->where : card_.where;
  if (!value) value = make_number(fallback);
  if (factor != 1) value = x_.resolve(e_, make_binary("*", value, make_number(factor)));
  entries.emplace_back(entry, x_.quantity(e_, value, unit, where));
}

void ModelValues::ignore(const std::vector<std::string>& names) { read_.insert(names.begin(), names.end()); }

void ModelValues::note_unused(const std::vector<std::string>& names, const std::string& text) {
  std::string found;
  for (const std::string& name : names)
    if (has(name)) found += (found.empty() ? "" : ", ") + name;
  if (!found.empty()) x_.note(card_.where, "model " + card_.name + ": " + found + ": " + text);
}

void ModelValues::expect(const std::string& name, double neutral) {
  const double value = number(name, neutral);
  if (value != neutral)
    throw Error(card_.find(name)->where, "model " + card_.name + ": " + name + " = " + format_short(value) +
                                             " is not modelled; only " + format_short(neutral) + " is");
}

void ModelValues::finish() const {
  for (const Assignment& a : card_.values)
    if (read_.count(a.name) == 0)
      throw Error(a.where, "model " + card_.name + ": the parameter " + a.name + " is not understood");
}

}  // namespace coenergy::io::spice
