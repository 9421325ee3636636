#include "coenergy/base/units.hpp"

#include <algorithm>
#include <cmath>

#include "coenergy/base/error.hpp"
#include "coenergy/base/unit_table.hpp"

namespace coenergy {
namespace {

constexpr int largest_power = 12;
constexpr int deepest_nesting = 20;
constexpr std::string_view base_symbols[] = {"kg", "m", "s", "A", "K", "mol", "cd"};
constexpr int base_index[] = {1, 0, 2, 3, 4, 5, 6};

// superscript digits ⁰…⁹ at the start of the text; length 0 if there is none
struct Superscript {
  int digit = 0;
  std::size_t length = 0;
};
Superscript read_superscript(std::string_view s) {
  constexpr std::string_view digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  for (int d = 0; d < 10; ++d)
    if (s.starts_with(digits[d])) return {d, digits[d].size()};
  return {};
}

/// Recursive descent: product = factor { ('.' | '*' | '·' | ' ' | '/') factor }, factor = (symbol | '1' | '(' product
/// ')') [power]. The first mistake is kept in `problem` and ends the reading.
class UnitReader {
 public:
  explicit UnitReader(std::string_view text) : text_(text) {}

  Unit read() {
    skip_spaces();
    if (at_end()) return {};
    const Unit unit = read_product(0);
    if (problem.empty() && !at_end()) fail_at_rest();
    return unit;
  }

  std::string problem;

 private:
  bool at_end() const { return position_ >= text_.size(); }
  std::string_view rest() const { return text_.substr(position_); }
  bool take(std::string_view token) {
    if (!rest().starts_with(token)) return false;
    position_ += token.size();
    return true;
  }
  void skip_spaces() {
    while (!at_end() && text_[position_] == ' ') ++position_;
  }
  static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
  static bool is_digit(char c) { return c >= '0' && c <= '9'; }

  void fail(std::string what) {
    if (problem.empty()) problem = std::move(what);
  }
  std::string inside() const { return " in \"" + std::string(text_) + "\""; }
  void fail_at_rest() {
    fail("cannot read \"" + std::string(rest()) + "\" in the unit \"" + std::string(text_) + "\"");
  }

  Unit read_product(int depth) {
    Unit product = read_factor(depth);
    bool divided = false;
    while (problem.empty()) {
      const auto before = position_;
      skip_spaces();
      if (at_end() || rest().starts_with(')')) break;
      const bool divides = take("/");
      if (!divides && !take("*") && !take(".") && !take("·") && !take("⋅") && position_ == before) break;
      skip_spaces();
      const auto start = position_;
      const Unit factor = read_factor(depth);
      if (!problem.empty()) break;
      if (divided && !divides) fail_ambiguous(start);
      divided = divided || divides;
      combine(product, factor, divides);
    }
    return product;
  }

  void combine(Unit& product, const Unit& factor, bool divides) {
    if (product.offset != 0 || factor.offset != 0)
      return fail("degC" + inside() + " has an offset and stands alone; write K for a temperature difference");
    product.dimension = divides ? product.dimension / factor.dimension : product.dimension * factor.dimension;
    product.factor = divides ? product.factor / factor.factor : product.factor * factor.factor;
    check_size(product);
  }

  void fail_ambiguous(std::size_t start) {
    const auto slash = text_.find('/');
    const std::string below(text_.substr(slash + 1, position_ - slash - 1));
    fail("the unit \"" + std::string(text_) + "\" can be read in two ways; put the denominator in parentheses, /(" +
         below + "), or write " + std::string(text_.substr(start, position_ - start)) + " before the /");
  }

  Unit read_factor(int depth) {
    Unit unit;
    if (depth > deepest_nesting) {
      fail("too many parentheses" + inside());
    } else if (take("(")) {
      skip_spaces();
      unit = read_product(depth + 1);
      skip_spaces();
      if (problem.empty() && !take(")")) fail("missing )" + inside());
    } else if (take("1")) {
      if (!at_end() && (is_digit(text_[position_]) || text_[position_] == '.'))
        fail("a unit cannot contain a number" + inside());
      return unit;
    } else {
      unit = read_symbol();
    }
    return problem.empty() ? read_power(unit) : unit;
  }

  Unit read_symbol() {
    // letters of the alphabet and the signs µ μ Ω ° %
    const auto start = position_;
    while (!at_end()) {
      if (is_letter(text_[position_])) {
        ++position_;
      } else if (!take("µ") && !take("μ") && !take("Ω") && !take("\u2126") && !take("°") && !take("%")) {
        break;
      }
    }
    const auto symbol = text_.substr(start, position_ - start);
    if (symbol.empty()) {
      if (at_end())
        fail("the unit \"" + std::string(text_) + "\" ends where a unit is expected");
      else
        fail_at_rest();
      return {};
    }
    const auto unit = find_unit_symbol(symbol);
    if (unit) return *unit;
    fail("unknown unit \"" + std::string(symbol) + "\"" + (symbol == text_ ? "" : inside()) +
         suggest_unit_symbol(symbol));
    return {};
  }

  Unit read_power(const Unit& unit) {
    const auto start = position_;
    const bool marked = take("^") || take("**");
    int power = 0;
    bool negative = false, digits = false;
    if (take("⁻")) {
      negative = true;
    } else if (rest().size() > 1 && rest()[0] == '-' && is_digit(rest()[1])) {
      negative = true;
      ++position_;
    }
    while (!at_end() && power <= largest_power) {
      if (is_digit(text_[position_])) {
        power = 10 * power + (text_[position_++] - '0');
      } else if (const auto superscript = read_superscript(rest()); superscript.length > 0) {
        power = 10 * power + superscript.digit;
        position_ += superscript.length;
      } else {
        break;
      }
      digits = true;
    }
    if (!digits && (marked || negative)) fail("a whole number must follow the power sign" + inside());
    if (!digits) return unit;
    if (power == 0 || power > largest_power)
      fail("the power " + std::string(text_.substr(start, position_ - start)) + inside() + " must be between 1 and " +
           std::to_string(largest_power));
    if (power != 1 && unit.offset != 0)
      fail("degC" + inside() + " has an offset and stands alone; write K for a temperature difference");
    return problem.empty() ? raise(unit, negative ? -power : power) : unit;
  }

  Unit raise(const Unit& unit, int power) {
    Unit result{pow(unit.dimension, power), 1, power == 1 ? unit.offset : 0};
    for (int k = 0; k < std::abs(power); ++k)
      result.factor = power > 0 ? result.factor * unit.factor : result.factor / unit.factor;
    check_size(result);
    return result;
  }

  void check_size(const Unit& unit) {
    const auto& e = unit.dimension.exponent;
    if (std::any_of(e.begin(), e.end(), [](int n) { return std::abs(n) > 100; }) || !std::isnormal(unit.factor))
      fail("the powers are too large" + inside());
  }

  std::string_view text_;
  std::size_t position_ = 0;
};

std::string power_text(std::string_view symbol, int power) {
  return power == 1 ? std::string(symbol) : std::string(symbol) + std::to_string(power);
}

}  // namespace

bool Dimension::is_none() const { return *this == Dimension{}; }

Dimension operator*(const Dimension& a, const Dimension& b) {
  Dimension r;
  for (std::size_t i = 0; i < r.exponent.size(); ++i) r.exponent[i] = a.exponent[i] + b.exponent[i];
  return r;
}

Dimension operator/(const Dimension& a, const Dimension& b) { return a * pow(b, -1); }

Dimension pow(const Dimension& a, int n) {
  Dimension r = a;
  for (int& e : r.exponent) e *= n;
  return r;
}

std::string to_string(const Dimension& d) {
  std::string above, below;
  int count_below = 0;
  for (int i = 0; i < 7; ++i) {
    const int power = d.exponent[base_index[i]];
    if (power > 0) above += (above.empty() ? "" : ".") + power_text(base_symbols[i], power);
    if (power < 0) below += (count_below++ ? "." : "") + power_text(base_symbols[i], -power);
  }
  if (above.empty()) above = "1";
  if (count_below == 0) return above;
  return above + "/" + (count_below > 1 ? "(" + below + ")" : below);
}

std::string unit_name(const Dimension& d) {
  for (const char* name : {"N", "N.m", "W", "Pa", "C", "V", "ohm", "S", "F", "H", "Wb", "T"})
    if (parse_unit(name).dimension == d) return name;
  return to_string(d);
}

Unit parse_unit(std::string_view text) {
  UnitReader reader(text);
  const Unit unit = reader.read();
  if (!reader.problem.empty()) throw Error(reader.problem);
  return unit;
}

std::optional<Unit> find_unit(std::string_view text) {
  UnitReader reader(text);
  const Unit unit = reader.read();
  return reader.problem.empty() ? std::optional(unit) : std::nullopt;
}

double to_si(double value, const Unit& unit) {
  const double inverse = std::round(1 / unit.factor);
  return (unit.factor < 1 && 1 / inverse == unit.factor ? value / inverse : value * unit.factor) + unit.offset;
}

double from_si(double value_in_si, const Unit& unit) {
  const double value = value_in_si - unit.offset, inverse = std::round(1 / unit.factor);
  return unit.factor < 1 && 1 / inverse == unit.factor ? value * inverse : value / unit.factor;
}

}  // namespace coenergy
