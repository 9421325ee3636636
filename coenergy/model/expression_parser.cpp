#include <algorithm>
#include <cmath>

#include "coenergy/model/expression_syntax.hpp"
#include "coenergy/model/expression_tokens.hpp"

namespace coenergy::model {
namespace {

constexpr int deepest_nesting = 200;  // of the parser's own recursion
constexpr int deepest_tree = 1000;    // also of long sums, which are left-deep

constexpr FunctionInfo functions[] = {
    {"sin", 1, 1, FunctionInfo::Rule::dimensionless},  {"cos", 1, 1, FunctionInfo::Rule::dimensionless},
    {"tan", 1, 1, FunctionInfo::Rule::dimensionless},  {"asin", 1, 1, FunctionInfo::Rule::dimensionless},
    {"acos", 1, 1, FunctionInfo::Rule::dimensionless}, {"atan", 1, 1, FunctionInfo::Rule::dimensionless},
    {"sinh", 1, 1, FunctionInfo::Rule::dimensionless}, {"cosh", 1, 1, FunctionInfo::Rule::dimensionless},
    {"tanh", 1, 1, FunctionInfo::Rule::dimensionless}, {"exp", 1, 1, FunctionInfo::Rule::dimensionless},
    {"log", 1, 1, FunctionInfo::Rule::dimensionless},  {"floor", 1, 1, FunctionInfo::Rule::dimensionless},
    {"abs", 1, 1, FunctionInfo::Rule::same},           {"min", 2, 100, FunctionInfo::Rule::same},
    {"max", 2, 100, FunctionInfo::Rule::same},         {"atan2", 2, 2, FunctionInfo::Rule::custom},
    {"sqrt", 1, 1, FunctionInfo::Rule::custom},        {"sign", 1, 1, FunctionInfo::Rule::custom},
    {"pow", 2, 2, FunctionInfo::Rule::custom},         {"if", 3, 3, FunctionInfo::Rule::custom},
    {"table", 3, 3, FunctionInfo::Rule::custom},       {"spline", 3, 3, FunctionInfo::Rule::custom},
};

// how tightly an infix sign holds its left and right operand; 0: no infix sign
struct Binding {
  int left = 0, right = 0;
};
constexpr int binding_not = 8, binding_negate = 15;
Binding binding_of(const Token& token) {
  if (token.kind != Token::Kind::sign) return {};
  const auto& s = token.text;
  if (s == "?") return {2, 1};
  if (s == "or") return {4, 5};
  if (s == "and") return {6, 7};
  if (s == "<" || s == "<=" || s == ">" || s == ">=" || s == "==" || s == "!=") return {9, 10};
  if (s == "+" || s == "-") return {11, 12};
  if (s == "*" || s == "/") return {13, 14};
  if (s == "^") return {17, 16};
  return {};
}

bool is_comparison(const Syntax& node) {
  return node.kind == Syntax::Kind::binary &&
         (node.text[0] == '<' || node.text[0] == '>' || node.text == "==" || node.text == "!=");
}

/// Pratt parser: an operator takes operands as long as they bind tighter than its surroundings.
class Parser {
 public:
  Parser(const std::string& text, const Location& where)
      : text_(text), where_(where), tokens_(read_tokens(text, where)) {}

  Syntax read() {
    if (peek().kind == Token::Kind::end) fail(0, "the expression is empty");
    Syntax root = read_expression(0, 0);
    if (is_sign(")")) fail(peek().begin, "this ) closes nothing; remove it or add a (");
    if (peek().kind != Token::Kind::end) fail_unexpected(peek(), "an operator");
    return root;
  }

 private:
  const Token& peek() const { return tokens_[next_]; }
  Token take() { return tokens_[next_ + 1 < tokens_.size() ? next_++ : next_]; }
  bool is_sign(std::string_view sign) const { return peek().kind == Token::Kind::sign && peek().text == sign; }

  [[noreturn]] void fail(std::size_t offset, const std::string& text) const {
    throw Error(locate(text_, offset, where_), text);
  }
  std::string slice(const Token& t) const { return text_.substr(t.begin, t.end - t.begin); }
  [[noreturn]] void fail_unexpected(const Token& token, const std::string& wanted) const {
    if (token.kind == Token::Kind::end)
      fail(token.begin, "the expression \"" + text_ + "\" ends where " + wanted + " is expected");
    fail(token.begin, "unexpected \"" + slice(token) + "\"; " + wanted + " is expected");
  }

  void expect(std::string_view sign, const std::string& opened_by, std::size_t opened_at) {
    if (is_sign(sign)) {
      take();
      return;
    }
    if (peek().kind == Token::Kind::end)
      fail(opened_at, "the " + opened_by + " is not closed; " + std::string(sign) + " is missing");
    fail_unexpected(peek(), std::string(sign) + " or an operator");
  }

  Syntax finish(Syntax node) const {
    for (const auto& a : node.arguments) node.depth = std::max(node.depth, a.depth + 1);
    if (node.depth > deepest_tree) fail(node.at, "the expression is too long; split it into several parameters");
    return node;
  }

  Syntax read_expression(int binding, int nesting) {
    if (nesting > deepest_nesting) fail(peek().begin, "the expression is nested too deeply");
    Syntax left = read_operand(nesting + 1);
    while (true) {
      const auto infix = binding_of(peek());
      if (infix.left == 0 || infix.left < binding) return left;
      left =
          is_sign("?") ? read_select(std::move(left), nesting + 1) : read_binary(std::move(left), infix, nesting + 1);
    }
  }

  Syntax read_select(Syntax condition, int nesting) {
    const auto sign = take();
    Syntax node{.kind = Syntax::Kind::select, .begin = condition.begin, .at = sign.begin, .text = "?"};
    node.arguments.push_back(std::move(condition));
    node.arguments.push_back(read_expression(0, nesting));
    expect(":", "\"?\"", sign.begin);
    node.arguments.push_back(read_expression(1, nesting));
    node.end = node.arguments.back().end;
    return finish(std::move(node));
  }

  Syntax read_binary(Syntax left, const Binding& infix, int nesting) {
    const auto sign = take();
    Syntax node{.kind = Syntax::Kind::binary, .begin = left.begin, .at = sign.begin, .text = sign.text};
    Syntax right = read_expression(infix.right, nesting);
    if (is_comparison(node) && is_comparison(left) && !left.grouped)
      fail(sign.begin, "comparisons cannot be chained; write \"a < b and b < c\"");
    // 2 kg*m^2: a unit, unless m is a name
    if ((sign.text == "*" || sign.text == "/") && left.has_unit && is_product_of_names(right)) {
      mark_units(right);
      if (sign.text == "/" && !right.grouped) (right.text == "^" ? right.arguments[0] : right).behind_slash = true;
      node.has_unit = true;
    }
    node.end = right.end;
    node.arguments.push_back(std::move(left));
    node.arguments.push_back(std::move(right));
    return finish(std::move(node));
  }

  static bool is_product_of_names(const Syntax& node) {
    if (node.kind == Syntax::Kind::name) return true;
    if (node.kind != Syntax::Kind::binary) return false;
    if (node.text == "^") {
      const auto& exponent =
          node.arguments[1].kind == Syntax::Kind::negate ? node.arguments[1].arguments[0] : node.arguments[1];
      return node.arguments[0].kind == Syntax::Kind::name && exponent.kind == Syntax::Kind::number && !exponent.unit;
    }
    return (node.text == "*" || node.text == "/") && is_product_of_names(node.arguments[0]) &&
           is_product_of_names(node.arguments[1]);
  }

  static void mark_units(Syntax& node) {
    if (node.kind == Syntax::Kind::name) node.may_be_unit = true;
    for (auto& a : node.arguments) mark_units(a);
  }

  // ---- operands

  Syntax read_operand(int nesting) {
    const auto token = take();
    if (token.kind == Token::Kind::number) return make_number(token);
    if (token.kind == Token::Kind::name) return is_sign("(") ? read_call(token, nesting) : make_name(token);
    if (token.kind == Token::Kind::sign) {
      if (token.text == "(") return read_group(token, nesting);
      if (token.text == "-" || token.text == "+" || token.text == "not") return read_prefix(token, nesting);
      if (token.text == "[")
        fail(token.begin, "a list [ ] can only stand in table(x, [...], [...]) and spline(x, [...], [...])");
    }
    if (is_text(token)) fail(token.begin, "a text can only stand in table(\"file.csv\", \"column\")");
    fail_unexpected(token, "a value");
  }

  Syntax make_number(const Token& token) const {
    Syntax node{
        .kind = Syntax::Kind::number, .begin = token.begin, .end = token.end, .at = token.begin, .value = token.value};
    if (token.has_unit) node.unit = token.unit;
    node.has_unit = token.has_unit;
    node.denominators = token.denominators;
    return node;
  }

  Syntax make_name(const Token& token) const {
    return {.kind = Syntax::Kind::name, .begin = token.begin, .end = token.end, .at = token.begin, .text = token.text};
  }

  Syntax read_group(const Token& open, int nesting) {
    Syntax inside = read_expression(0, nesting);
    const auto end = peek().end;
    expect(")", "parenthesis", open.begin);
    // the text of the operand is shown with its parentheses
    inside.begin = open.begin;
    inside.end = end;
    inside.has_unit = false;
    inside.grouped = true;
    return inside;
  }

  Syntax read_prefix(const Token& sign, int nesting) {
    Syntax operand = read_expression(sign.text == "not" ? binding_not : binding_negate, nesting);
    if (sign.text == "+") return operand;
    // -5 degC is five degrees below zero, not minus 278 K
    if (sign.text == "-" && operand.kind == Syntax::Kind::number && !operand.grouped) {
      operand.value = -operand.value;
      operand.begin = operand.at = sign.begin;
      return operand;
    }
    Syntax node{.kind = sign.text == "-" ? Syntax::Kind::negate : Syntax::Kind::logical_not,
                .begin = sign.begin,
                .end = operand.end,
                .at = sign.begin,
                .text = sign.text};
    node.arguments.push_back(std::move(operand));
    return finish(std::move(node));
  }

  static bool is_text(const Token& token) { return token.kind == Token::Kind::text; }

  /// table("file.csv", "column"), read at the time of the run.
  Syntax read_file_table(const Token& name, const Token& open) {
    Syntax node{.kind = Syntax::Kind::call, .begin = name.begin, .at = name.begin, .text = name.text};
    node.arguments.push_back(
        {.kind = Syntax::Kind::name, .begin = name.begin, .end = name.end, .at = name.begin, .text = "time"});
    for (const char* what : {"a file", "one of its columns"}) {
      if (node.arguments.size() > 1) {
        if (!is_sign(",")) fail(name.begin, "write " + name.text + "(\"file.csv\", \"column\")");
        take();
      }
      const Token text = take();
      if (!is_text(text) || text.text.empty())
        fail(text.begin, name.text + "(\"file.csv\", \"column\") needs " + what + " in quotes here");
      node.arguments.push_back(
          {.kind = Syntax::Kind::text, .begin = text.begin, .end = text.end, .at = text.begin, .text = text.text});
    }
    node.end = peek().end;
    expect(")", "parenthesis", open.begin);
    return finish(std::move(node));
  }

  Syntax read_call(const Token& name, int nesting) {
    const auto* function = find_function(name.text);
    const auto open = take();
    if ((name.text == "table" || name.text == "spline") && is_text(peek())) return read_file_table(name, open);
    Syntax node{.kind = Syntax::Kind::call, .begin = name.begin, .at = name.begin, .text = name.text};
    const bool takes_lists = name.text == "table" || name.text == "spline";
    while (!is_sign(")") || !node.arguments.empty()) {
      const bool list = takes_lists && !node.arguments.empty() && is_sign("[");
      node.arguments.push_back(list ? read_list(nesting) : read_expression(0, nesting));
      if (!is_sign(",")) break;
      take();
    }
    node.end = peek().end;
    expect(")", "parenthesis", open.begin);
    const int count = static_cast<int>(node.arguments.size());
    if (function != nullptr && (count < function->least || count > function->most))
      fail(name.begin, name.text + " takes " + (function->least == function->most ? "" : "at least ") +
                           std::to_string(function->least) + (function->least == 1 ? " argument" : " arguments") +
                           ", not " + std::to_string(count));
    if (takes_lists && (node.arguments[1].kind != Syntax::Kind::list || node.arguments[2].kind != Syntax::Kind::list))
      fail(name.begin, "write " + name.text + "(x, [x0, x1, ...], [y0, y1, ...])");
    return finish(std::move(node));
  }

  Syntax read_list(int nesting) {
    const auto open = take();
    Syntax node{.kind = Syntax::Kind::list, .begin = open.begin, .at = open.begin};
    while (!is_sign("]")) {
      node.arguments.push_back(read_expression(0, nesting));
      if (!is_sign(",")) break;
      take();
    }
    node.end = peek().end;
    expect("]", "list", open.begin);
    return finish(std::move(node));
  }

  const std::string& text_;
  const Location& where_;
  std::vector<Token> tokens_;
  std::size_t next_ = 0;
};

}  // namespace

const FunctionInfo* find_function(const std::string& name) {
  const auto* found =
      std::find_if(std::begin(functions), std::end(functions), [&](const auto& f) { return name == f.name; });
  return found == std::end(functions) ? nullptr : found;
}

std::vector<std::string> list_functions() {
  std::vector<std::string> names;
  for (const auto& f : functions) names.emplace_back(f.name);
  return names;
}

Syntax parse_syntax(const std::string& text, const Location& where) { return Parser(text, where).read(); }

}  // namespace coenergy::model
