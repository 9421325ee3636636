#include "coenergy/io/spice_expression.hpp"

#include <fmt/format.h>

#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <numbers>

#include "coenergy/io/spice_functions.hpp"
#include "coenergy/io/spice_lines.hpp"

namespace coenergy::io::spice {

namespace {

struct Scale {
  std::string_view letters;
  double factor, divisor;
};
// divisors keep decimal fractions exact: 2.2u is the double nearest to 2.2e-6
constexpr Scale scales[] = {{"meg", 1e6, 1},
                            {"mil", 25.4, 1e6},
                            {"t", 1e12, 1},
                            {"g", 1e9, 1},
                            {"k", 1e3, 1},
                            {"m", 1, 1e3},
                            {"u", 1, 1e6},
                            {"n", 1, 1e9},
                            {"p", 1, 1e12},
                            {"f", 1, 1e15},
                            {"a", 1, 1e18},
                            // the micro sign and the letter mu, in UTF-8 and Latin-1
                            {"\xc2\xb5", 1, 1e6},
                            {"\xce\xbc", 1, 1e6},
                            {"\xb5", 1, 1e6}};

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }
/// Of a unit: also signs such as the omega.
bool is_unit(char c) { return is_letter(c) || static_cast<unsigned char>(c) >= 0x80; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

std::optional<double> parse_number(std::string_view text, std::size_t& used) {
  std::size_t k = 0;
  const bool negative = !text.empty() && text[0] == '-';
  if (!text.empty() && (text[0] == '+' || text[0] == '-')) ++k;
  const std::size_t first = k;
  while (k < text.size() && is_digit(text[k])) ++k;
  if (k < text.size() && text[k] == '.') ++k;
  while (k < text.size() && is_digit(text[k])) ++k;
  if (k == first || (k == first + 1 && text[first] == '.')) return std::nullopt;
  // an e without digits behind it is no exponent
  if (k < text.size() && (text[k] == 'e' || text[k] == 'E')) {
    std::size_t e = k + 1;
    if (e < text.size() && (text[e] == '+' || text[e] == '-')) ++e;
    if (e < text.size() && is_digit(text[e])) {
      k = e;
      while (k < text.size() && is_digit(text[k])) ++k;
    }
  }
  double value = 0;
  const auto [end, error] = std::from_chars(text.data() + first, text.data() + k, value);
  if (error == std::errc::result_out_of_range) value = std::numeric_limits<double>::infinity();
  if (error == std::errc::invalid_argument) return std::nullopt;
  const std::string rest = to_lower(text.substr(k, 4));
  // one ampere is written with a capital A and nothing behind it; a scale stands before a unit, or is small
  const bool is_ampere = k < text.size() && text[k] == 'A' && (k + 1 == text.size() || !is_unit(text[k + 1]));
  for (const Scale& s : scales) {
    if (is_ampere || rest.compare(0, s.letters.size(), s.letters) != 0) continue;
    value = value * s.factor / s.divisor;
    break;
  }
  while (k < text.size() && is_unit(text[k])) ++k;
  used = k;
  return negative ? -value : value;
}

std::optional<double> parse_number(std::string_view text) {
  std::size_t used = 0;
  const auto value = parse_number(text, used);
  // letters, then perhaps digits and a percent sign of a unit: "10uF", "1e3"
  return value && used == text.size() ? value : std::nullopt;
}

ExpressionPtr make_number(double value) {
  auto e = std::make_shared<Expression>();
  e->value = value;
  return e;
}

ExpressionPtr make_binary(const std::string& op, ExpressionPtr a, ExpressionPtr b) {
  auto e = std::make_shared<Expression>();
  e->kind = Expression::Kind::binary;
  e->text = op;
  e->where = a->where;
  e->arguments = {std::move(a), std::move(b)};
  e->size += e->arguments[0]->size + e->arguments[1]->size;
  return e;
}

namespace {

/// Recursive descent over one expression.
class Parser {
 public:
  Parser(std::string_view text, const Location& where) : text_(text), where_(where) {}

  ExpressionPtr parse() {
    ExpressionPtr e = parse_select();
    skip();
    if (at_ < text_.size()) fail("\"" + std::string(text_.substr(at_)) + "\" cannot be read");
    return e;
  }

 private:
  static constexpr int deepest = 200;

  [[noreturn]] void fail(const std::string& text) const {
    throw Error(here(), "in the expression \"" + std::string(text_) + "\": " + text);
  }
  Location here() const {
    Location place = where_;
    place.column += static_cast<int>(at_);
    return place;
  }
  void skip() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
  }
  bool accept(std::string_view sign) {
    skip();
    if (text_.substr(at_, sign.size()) != sign) return false;
    at_ += sign.size();
    return true;
  }
  void expect(std::string_view sign) {
    if (!accept(sign)) fail("\"" + std::string(sign) + "\" is missing");
  }

  std::shared_ptr<Expression> make(Expression::Kind kind, std::string text, std::vector<ExpressionPtr> arguments) {
    auto e = std::make_shared<Expression>();
    e->kind = kind;
    e->text = std::move(text);
    e->arguments = std::move(arguments);
    for (const ExpressionPtr& a : e->arguments) e->size += a->size;
    e->where = here();
    return e;
  }

  ExpressionPtr parse_select() {
    if (++depth_ > deepest) fail("it is nested too deeply");
    ExpressionPtr e = parse_binary(0);
    if (accept("?")) {
      ExpressionPtr a = parse_select();
      expect(":");
      e = make(Expression::Kind::select, "?", {e, a, parse_select()});
    }
    --depth_;
    return e;
  }

  /// Operators by rank, loosest first; the longer sign of two comes first.
  ExpressionPtr parse_binary(std::size_t rank) {
    static const std::vector<std::vector<std::string_view>> ranks = {
        {"||", "|"}, {"&&", "&"}, {"==", "!=", "<=", ">=", "<", ">"}, {"+", "-"}, {"*", "/", "%"}};
    if (rank == ranks.size()) return parse_unary();
    ExpressionPtr e = parse_binary(rank + 1);
    for (;;) {
      const std::string_view found = find_operator(ranks[rank]);
      if (found.empty()) return e;
      // | and & are what || and && are: conditions are numbers
      const std::string sign(found == "|" ? "||" : found == "&" ? "&&" : found);
      e = make(Expression::Kind::binary, sign, {e, parse_binary(rank + 1)});
    }
  }

  std::string_view find_operator(const std::vector<std::string_view>& signs) {
    skip();
    for (std::string_view sign : signs) {
      if (text_.substr(at_, sign.size()) != sign) continue;
      if (sign == "*" && text_.substr(at_, 2) == "**") continue;
      at_ += sign.size();
      return sign;
    }
    return {};
  }

  ExpressionPtr parse_unary() {
    if (++depth_ > deepest) fail("it is nested too deeply");
    ExpressionPtr e;
    if (accept("-"))
      e = make(Expression::Kind::unary, "-", {parse_unary()});
    else if (accept("+"))
      e = parse_unary();
    else if ((text_.substr(at_, 2) != "!=" && accept("!")) || accept("~"))
      e = make(Expression::Kind::unary, "!", {parse_unary()});
    else
      e = parse_power();
    --depth_;
    return e;
  }

  /// From left to right, as ngspice has it: 2^3^2 is 64.
  ExpressionPtr parse_power() {
    ExpressionPtr e = parse_primary();
    while (accept("**") || accept("^")) e = make(Expression::Kind::binary, "^", {e, parse_exponent()});
    return e;
  }

  ExpressionPtr parse_exponent() {
    if (accept("-")) return make(Expression::Kind::unary, "-", {parse_primary()});
    accept("+");
    return parse_primary();
  }

  ExpressionPtr parse_primary() {
    skip();
    if (at_ == text_.size()) fail("it ends too early");
    if (accept("(")) {
      ExpressionPtr e = parse_select();
      expect(")");
      return e;
    }
    for (const auto& [open, close] : {std::pair("{", "}"), std::pair("'", "'")}) {
      if (!accept(open)) continue;
      ExpressionPtr e = parse_select();
      expect(close);
      return e;
    }
    std::size_t used = 0;
    if (is_digit(text_[at_]) || text_[at_] == '.') {
      const auto value = parse_number(text_.substr(at_), used);
      if (!value || !std::isfinite(*value)) fail("\"" + std::string(text_.substr(at_)) + "\" is no number");
      at_ += used;
      return make_number(*value);
    }
    return parse_name();
  }

  static bool is_name_character(char c) { return is_letter(c) || is_digit(c) || c == '_' || c == '#' || c == '.'; }

  ExpressionPtr parse_name() {
    const std::size_t first = at_;
    while (at_ < text_.size() && is_name_character(text_[at_])) ++at_;
    if (at_ == first) fail("\"" + std::string(text_.substr(at_)) + "\" cannot be read");
    const std::string name = to_lower(text_.substr(first, at_ - first));
    if (!accept("(")) {
      if (name == "time") return make(Expression::Kind::time, name, {});
      return make(Expression::Kind::name, name, {});
    }
    if (name == "v" || name == "i") return parse_signal(name);
    std::vector<ExpressionPtr> arguments;
    if (!accept(")")) {
      do arguments.push_back(parse_select());
      while (accept(","));
      expect(")");
    }
    const FunctionInfo* info = find_function(name);
    const int count = static_cast<int>(arguments.size());
    if (info != nullptr && (count < info->least || count > info->most))
      fail(name + "() cannot have " + std::to_string(count) + " argument" + (count == 1 ? "" : "s"));
    return make(Expression::Kind::call, name, std::move(arguments));
  }

  /// v(a), v(a, b) and i(x): names of nodes may hold any sign but these.
  ExpressionPtr parse_signal(const std::string& kind) {
    std::vector<std::string> names(1);
    for (; at_ < text_.size() && text_[at_] != ')'; ++at_) {
      if (text_[at_] == ',')
        names.emplace_back();
      else if (!std::isspace(static_cast<unsigned char>(text_[at_])))
        names.back() += text_[at_];
    }
    expect(")");
    for (const std::string& n : names)
      if (n.empty() || n.find('(') != std::string::npos)
        fail(kind + "(...) needs the name of " + (kind == "v" ? "a node" : "an element"));
    if (names.size() > (kind == "v" ? 2u : 1u)) fail(kind + "(...) has too many names");
    auto e = make(kind == "v" ? Expression::Kind::voltage : Expression::Kind::current, to_lower(names[0]), {});
    if (names.size() == 2) e->second = to_lower(names[1]);
    return e;
  }

  std::string_view text_;
  Location where_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace

ExpressionPtr parse_expression(std::string_view text, const Location& where) { return Parser(text, where).parse(); }

namespace {

ExpressionPtr resolve_name(const ExpressionPtr& e, const ExpressionScope& scope) {
  if (ExpressionPtr found = scope.find_name(e->text)) return found;
  if (const auto constant = find_constant(e->text)) return make_number(*constant);
  throw Error(e->where, "there is no parameter \"" + e->text + "\"");
}

/// Terms of one expression, and terms looked at for all that belongs to one element; real models have hundreds.
constexpr double largest = 1e5, most_work = 1e6;
std::string too_large(double limit) {
  return fmt::format("the expression has more than {:.0f} terms when its functions and parameters are put in", limit);
}
void check_growth(const ExpressionScope& scope) {
  if (scope.work != nullptr && static_cast<double>(++*scope.work) > most_work) throw Error(too_large(most_work));
}

/// The body of a function with its arguments in place; they are resolved already.
ExpressionPtr resolve_call(const Expression& call, const ExpressionScope& scope, int depth) {
  const UserFunction* function = scope.find_function ? scope.find_function(call.text) : nullptr;
  if (function == nullptr) throw Error(call.where, "there is no function " + call.text + "()");
  if (function->arguments.size() != call.arguments.size())
    throw Error(call.where, call.text + "() has " + std::to_string(function->arguments.size()) + " arguments, not " +
                                std::to_string(call.arguments.size()));
  const ExpressionScope inner{[&](const std::string& name) -> ExpressionPtr {
                                for (std::size_t k = 0; k < function->arguments.size(); ++k)
                                  if (function->arguments[k] == name) return call.arguments[k];
                                return scope.find_name(name);
                              },
                              scope.find_function, scope.work};
  return resolve(function->body, inner, depth + 1);
}

}  // namespace

ExpressionPtr resolve(const ExpressionPtr& e, const ExpressionScope& scope, int depth) {
  constexpr int deepest = 500;
  if (depth > deepest) throw Error(e->where, "functions call each other without end");
  check_growth(scope);
  if (e->kind == Expression::Kind::name) return resolve_name(e, scope);
  const bool is_user_call = e->kind == Expression::Kind::call && find_function(e->text) == nullptr;
  if (e->arguments.empty()) return is_user_call ? resolve_call(*e, scope, depth) : e;
  auto copy = std::make_shared<Expression>(*e);
  copy->size = 1;
  bool constant = true;
  std::vector<double> values;
  for (ExpressionPtr& argument : copy->arguments) {
    argument = resolve(argument, scope, depth + 1);
    copy->size += argument->size;
    constant = constant && argument->is_number();
    values.push_back(argument->value);
  }
  if (is_user_call) return resolve_call(*copy, scope, depth);
  if (!constant) {
    if (copy->size > largest) throw Error(too_large(largest));
    return copy;
  }
  const double value = compute(*copy, values);
  if (!std::isfinite(value)) throw Error(e->where, e->text + " gives no finite number here");
  return make_number(value);
}

bool is_varying(const ExpressionPtr& e) {
  if (e->kind == Expression::Kind::voltage || e->kind == Expression::Kind::current || e->kind == Expression::Kind::time)
    return true;
  for (const ExpressionPtr& a : e->arguments)
    if (is_varying(a)) return true;
  return false;
}

}  // namespace coenergy::io::spice
