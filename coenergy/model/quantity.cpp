#include "coenergy/model/quantity.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <algorithm>

namespace coenergy::model {

Quantity make_plain(double value) { return {value, {}, true, true}; }

Quantity make_quantity(double value, const Unit& unit) { return {to_si(value, unit), unit.dimension, true, false}; }

std::optional<Quantity> find_quantity(std::string_view text) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  if (text.empty() || !is_digit(text[0])) return std::nullopt;
  double value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc()) return std::nullopt;
  std::string_view unit = text.substr(static_cast<std::size_t>(end - text.data()));
  if (unit.empty()) return make_plain(value);
  if (unit.front() != ' ') return std::nullopt;
  unit.remove_prefix(1);
  if (unit.empty() || !std::all_of(unit.begin(), unit.end(), is_letter)) return std::nullopt;
  const std::optional<Unit> known = find_unit(unit);
  if (!known) return std::nullopt;
  const Quantity quantity = make_quantity(value, *known);
  return std::isfinite(quantity.value.number()) ? std::optional(quantity) : std::nullopt;
}

std::optional<Quantity> find_common(const Quantity& a, const Quantity& b) {
  const auto without_value = [](const Quantity& q) {
    return Quantity{0, q.dimension, q.dimension_known, q.plain_number};
  };
  if (a.plain_number) return without_value(b);
  if (b.plain_number) return without_value(a);
  if (!a.dimension_known) return without_value(b);
  if (!b.dimension_known || a.dimension == b.dimension) return without_value(a);
  return std::nullopt;
}

bool fits(const Quantity& quantity, const Dimension& dimension) {
  return quantity.plain_number || !quantity.dimension_known || quantity.dimension == dimension;
}

Quantity operator*(const Quantity& a, const Quantity& b) {
  return {a.value * b.value, a.dimension * b.dimension, a.dimension_known && b.dimension_known,
          a.plain_number && b.plain_number};
}

Quantity operator/(const Quantity& a, const Quantity& b) {
  return {a.value / b.value, a.dimension / b.dimension, a.dimension_known && b.dimension_known,
          a.plain_number && b.plain_number};
}

Quantity power(const Quantity& base, int n) {
  return {symbolic::pow(base.value, n), pow(base.dimension, n), base.dimension_known, base.plain_number};
}

Quantity square_root(const Quantity& a) {
  Quantity root = a;
  root.value = symbolic::sqrt(a.value);
  for (int& e : root.dimension.exponent) {
    if (e % 2 != 0) root.dimension_known = false;
    e /= 2;
  }
  if (!root.dimension_known) root.dimension = {};
  return root;
}

std::string dimension_text(const Quantity& quantity) {
  if (!quantity.dimension_known) return "unknown unit";
  return quantity.dimension.is_none() ? "no unit" : unit_name(quantity.dimension);
}

void check_unit(const Quantity& quantity, std::string_view unit, const Location& where, std::string_view what,
                std::string_view text) {
  if (unit == any_unit) return;
  const auto wanted = parse_unit(unit).dimension;
  if (fits(quantity, wanted)) return;
  const std::string name(what), shown(text);
  if (wanted.is_none()) {
    const bool bare = unit.empty() || unit == "1";
    throw Error(where, name + " = " + shown + " must be a number" + (bare ? "" : " or in " + std::string(unit)) +
                           ", not in " + dimension_text(quantity));
  }
  const bool has_none = quantity.dimension.is_none();
  throw Error(where, name + " = " + shown + " must be in " + std::string(unit) + ", " +
                         (has_none ? "but it has no unit" : "not in " + dimension_text(quantity)));
}

}  // namespace coenergy::model
