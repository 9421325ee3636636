#include "coenergy/model/expression_evaluator.hpp"

#include <cmath>
#include <numbers>

#include "coenergy/base/names.hpp"
#include "coenergy/model/data_column.hpp"
#include "coenergy/model/expression_tokens.hpp"

namespace coenergy::model {
namespace {

using symbolic::Expr;

class Evaluator {
 public:
  explicit Evaluator(const EvaluationContext& context) : context_(context) {}

  Quantity evaluate(const Syntax& node) {
    try {
      return evaluate_node(node);
    } catch (const Error& e) {
      // the engine and the scope do not know the place
      if (e.items().at(0).where.known() || !context_.where.known()) throw;
      fail(node.at, e.items()[0].text);
    }
  }

 private:
  Quantity evaluate_node(const Syntax& node) {
    switch (node.kind) {
      case Syntax::Kind::number:
        return evaluate_number(node);
      case Syntax::Kind::name:
        return evaluate_name(node);
      case Syntax::Kind::negate:
        return negate(evaluate(node.arguments[0]));
      case Syntax::Kind::logical_not:
        return make_condition(logical_not(evaluate_condition(node.arguments[0])));
      case Syntax::Kind::select:
        return evaluate_select(node);
      case Syntax::Kind::binary:
        return evaluate_binary(node);
      case Syntax::Kind::call:
        return evaluate_call(node);
      case Syntax::Kind::list:
      case Syntax::Kind::text:
        break;
    }
    fail(node.at, "a list or text cannot stand here");
  }

  [[noreturn]] void fail(std::size_t offset, const std::string& text) const {
    const std::string what = context_.what.empty() ? "" : context_.what + ": ";
    throw Error(locate(context_.text, offset, context_.where), what + text);
  }

  std::string text_of(const Syntax& node) const {
    constexpr std::size_t longest = 60;
    auto text = context_.text.substr(node.begin, node.end - node.begin);
    if (text.size() <= longest) return text;
    // cut between characters
    std::size_t cut = longest;
    while (cut > 0 && (static_cast<unsigned char>(text[cut]) & 0xc0) == 0x80) --cut;
    return text.substr(0, cut) + "…";
  }

  // `5 A` speaks for itself; `R1.v (V)` needs its unit
  std::string describe(const Syntax& node, const Quantity& quantity) const {
    return text_of(node) + (node.unit ? "" : " (" + dimension_text(quantity) + ")");
  }

  static Quantity make_condition(const Expr& value) { return {value, {}, true, false}; }

  static Quantity negate(Quantity a) {
    a.value = -a.value;
    return a;
  }

  // ---- numbers and names

  Quantity evaluate_number(const Syntax& node) {
    for (const auto& name : node.denominators)
      if (context_.scope(name)) fail_ambiguous(node, name);
    if (!node.unit) return make_plain(node.value);
    auto quantity = make_quantity(node.value, *node.unit);
    if (!std::isfinite(quantity.value.number())) fail(node.at, "the number " + text_of(node) + " is out of range");
    return quantity;
  }

  [[noreturn]] void fail_ambiguous(const Syntax& node, const std::string& name) const {
    const auto at = context_.text.find(name, node.begin);
    fail(at, "\"" + name + "\" in " + text_of(node) +
                 " is a unit and a name of the model; put spaces around the / to divide by the name, or use ^ for a "
                 "power of the unit");
  }

  Quantity evaluate_name(const Syntax& node) {
    if (const auto constant = find_constant(node.text)) return make_plain(*constant);
    if (auto found = context_.scope(node.text)) return *found;
    const auto unit = find_unit(node.text);
    if (node.may_be_unit && unit && unit->offset == 0) {
      if (node.behind_slash && node.text.find('.') != std::string::npos)
        fail(node.at,
             "the unit /" + node.text + " can be read in two ways; write /(" + node.text + ") if all of it divides");
      return make_quantity(1, *unit);
    }
    if (node.text == "time") fail(node.at, "this value must be constant; it cannot depend on time");
    auto hint = did_you_mean(node.text, context_.known);
    if (hint.empty() && find_function(node.text)) hint = "; a function needs its arguments in parentheses";
    if (hint.empty() && unit)
      hint = "; if the unit is meant, write it directly behind a number, as in \"1 " + node.text + "\"";
    fail(node.at, "unknown name \"" + node.text + "\"" + hint);
  }

  // ---- operators

  Quantity evaluate_binary(const Syntax& node) {
    const auto& op = node.text;
    if (op == "and" || op == "or") {
      const auto a = evaluate_condition(node.arguments[0]), b = evaluate_condition(node.arguments[1]);
      return make_condition(op == "and" ? logical_and(a, b) : logical_or(a, b));
    }
    const auto a = evaluate(node.arguments[0]), b = evaluate(node.arguments[1]);
    if (op == "*") return a * b;
    if (op == "/") return divide(node, a, b);
    if (op == "^") return raise(node, node.arguments[0], a, node.arguments[1], b);
    auto common = unify(node, a, b);
    if (op == "+") return common.value = a.value + b.value, common;
    if (op == "-") return common.value = a.value - b.value, common;
    return make_condition(compare(op, a.value, b.value));
  }

  static Expr compare(const std::string& op, const Expr& a, const Expr& b) {
    if (op == "<") return less(a, b);
    if (op == "<=") return less_equal(a, b);
    if (op == ">") return less(b, a);
    if (op == ">=") return less_equal(b, a);
    return op == "==" ? equal(a, b) : logical_not(equal(a, b));
  }

  Quantity divide(const Syntax& node, const Quantity& a, const Quantity& b) {
    if (b.value.is_zero()) fail(node.arguments[1].begin, "division by zero in " + text_of(node));
    return a / b;
  }

  // the dimension both operands share
  Quantity unify(const Syntax& node, const Quantity& a, const Quantity& b) const {
    const auto common = find_common(a, b);
    if (common) return *common;
    const auto left = describe(node.arguments[0], a), right = describe(node.arguments[1], b);
    if (node.text == "+") fail(node.at, "cannot add " + left + " and " + right);
    if (node.text == "-") fail(node.at, "cannot subtract " + right + " from " + left);
    fail(node.at, "cannot compare " + left + " with " + right);
  }

  // base^exponent, with the operator at node
  Quantity raise(const Syntax& node, const Syntax& base_node, const Quantity& base, const Syntax& exponent_node,
                 const Quantity& exponent) {
    check_number(exponent_node, exponent, "an exponent");
    const std::optional<double> number = find_number(exponent.value);
    const bool constant = number.has_value();
    const double n = number.value_or(0);
    constexpr double largest_power = 100;
    if (constant && base.value.is_zero() && n < 0) fail(node.at, "division by zero in " + text_of(node));
    if (constant && n == std::floor(n) && std::abs(n) <= largest_power) return power(base, static_cast<int>(n));
    if (constant && n == 0.5) return square_root(base);
    Quantity result{pow(base.value, constant ? Expr(n) : exponent.value),
                    {},
                    base.dimension_known,
                    base.plain_number && exponent.plain_number};
    if (!base.dimension_known || base.dimension.is_none()) return result;
    if (!constant)
      fail(node.at,
           "the exponent of " + describe(base_node, base) + " must be a number; divide the base by its unit first");
    result.dimension_known = false;
    return result;
  }

  /// The number of a constant, also of one that parameters make.
  std::optional<double> find_number(const Expr& e) const {
    if (e.is_number()) return e.number();
    return context_.constant ? context_.constant(e) : std::nullopt;
  }

  Expr evaluate_condition(const Syntax& node) {
    const auto condition = evaluate(node);
    check_number(node, condition, "a condition");
    return condition.value;
  }

  Quantity evaluate_select(const Syntax& node) {
    const auto condition = evaluate_condition(node.arguments[0]);
    const auto a = evaluate(node.arguments[1]), b = evaluate(node.arguments[2]);
    const auto common = find_common(a, b);
    if (!common)
      fail(node.at, "the two values " + describe(node.arguments[1], a) + " and " + describe(node.arguments[2], b) +
                        " must have the same unit");
    auto result = *common;
    result.value = select(condition, a.value, b.value);
    return result;
  }

  // ---- functions

  void check_number(const Syntax& node, const Quantity& quantity, const std::string& what) const {
    if (fits(quantity, {})) return;
    fail(node.begin, what + " must be a number without unit, not " + describe(node, quantity));
  }

  Quantity evaluate_call(const Syntax& node) {
    if (node.text == "if") return evaluate_select(node);
    if (node.text == "table" || node.text == "spline") return evaluate_table(node);
    std::vector<Quantity> a;
    for (const auto& argument : node.arguments) a.push_back(evaluate(argument));
    const auto* function = find_function(node.text);
    if (function == nullptr) return evaluate_user_function(node, a);
    const auto rule = function->rule;
    if (rule == FunctionInfo::Rule::dimensionless) return evaluate_dimensionless(node, a[0]);
    if (node.text == "pow") return raise(node, node.arguments[0], a[0], node.arguments[1], a[1]);
    if (node.text == "sqrt") return square_root(a[0]);
    if (node.text == "sign") return {sign(a[0].value), {}, true, a[0].plain_number};
    auto common = unify_arguments(node, a);
    if (node.text == "atan2") return {atan2(a[0].value, a[1].value), {}, true, common.plain_number};
    if (node.text == "abs") return common.value = abs(a[0].value), common;
    common.value = a[0].value;
    for (std::size_t i = 1; i < a.size(); ++i)
      common.value = node.text == "min" ? min(common.value, a[i].value) : max(common.value, a[i].value);
    return common;
  }

  Quantity evaluate_user_function(const Syntax& node, const std::vector<Quantity>& a) const {
    const auto place = context_.functions.find(node.text);
    if (place == context_.functions.end()) fail_function(node);
    const UserFunction& function = place->second;
    if (a.size() != function.units.size())
      fail(node.begin, node.text + " takes " + std::to_string(function.units.size()) +
                           (function.units.size() == 1 ? " argument" : " arguments") + ", not " +
                           std::to_string(a.size()));
    std::vector<Expr> x;
    std::vector<double> numbers = function.first;
    for (const double number : function.first) x.push_back(context_.graph.constant(number));
    for (std::size_t i = 0; i < a.size(); ++i) {
      const std::string& unit = function.units[i];
      if (unit != any_unit && !fits(a[i], parse_unit(unit).dimension))
        fail(node.arguments[i].begin, "argument " + std::to_string(i + 1) + " of " + node.text + " must be in " +
                                          (unit.empty() ? "no unit" : unit) + ", not " +
                                          describe(node.arguments[i], a[i]));
      x.push_back(a[i].value);
      if (a[i].value.is_number()) numbers.push_back(a[i].value.number());
    }
    Quantity result;
    result.dimension_known = function.unit != any_unit;
    if (result.dimension_known) result.dimension = parse_unit(function.unit).dimension;
    result.value = numbers.size() == x.size() ? Expr(function.call->value(numbers.data()))
                                              : context_.graph.external(function.call, x);
    return result;
  }

  [[noreturn]] void fail_function(const Syntax& node) const {
    auto known = list_functions();
    for (const auto& [name, function] : context_.functions) known.push_back(name);
    auto hint = did_you_mean(node.text, known);
    if (hint.empty()) {
      hint = "; known are ";
      for (const auto& f : known) hint += (&f == &known.front() ? "" : ", ") + f;
    }
    fail(node.begin, "unknown function \"" + node.text + "\"" + hint);
  }

  Quantity unify_arguments(const Syntax& node, const std::vector<Quantity>& a) const {
    auto common = a[0];
    std::size_t named = 0;
    for (std::size_t i = 1; i < a.size(); ++i) {
      const auto next = find_common(common, a[i]);
      if (!next)
        fail(node.arguments[i].begin, "the arguments of " + node.text + " must have the same unit, not " +
                                          describe(node.arguments[named], a[named]) + " and " +
                                          describe(node.arguments[i], a[i]));
      if (common.plain_number || !common.dimension_known) named = i;
      common = *next;
    }
    return common;
  }

  // a plain number is SI, so that a factor without unit may stand for any: in sin(314*time) for 314 rad/s
  bool has_plain_factor(const Syntax& node) {
    const auto& a = node.arguments;
    switch (node.kind) {
      case Syntax::Kind::number:
      case Syntax::Kind::name:
        return evaluate(node).plain_number;
      case Syntax::Kind::negate:
        return has_plain_factor(a[0]);
      case Syntax::Kind::binary:
        if (node.text == "*" || node.text == "/") return has_plain_factor(a[0]) || has_plain_factor(a[1]);
        if (node.text == "+" || node.text == "-") return has_plain_factor(a[0]) && has_plain_factor(a[1]);
        return false;
      default:
        return false;
    }
  }

  Quantity evaluate_dimensionless(const Syntax& node, const Quantity& a) {
    if (!fits(a, {}) && !has_plain_factor(node.arguments[0])) {
      const bool is_angle = node.text == "sin" || node.text == "cos" || node.text == "tan";
      fail(node.arguments[0].begin, node.text + " needs a number" + (is_angle ? " or an angle" : "") + ", not " +
                                        describe(node.arguments[0], a) +
                                        "; give every factor its unit, or divide by one");
    }
    struct Row {
      const char* name;
      Expr (*function)(const Expr&);
    };
    constexpr Row rows[] = {{"sin", symbolic::sin},   {"cos", symbolic::cos},   {"tan", symbolic::tan},
                            {"asin", symbolic::asin}, {"acos", symbolic::acos}, {"atan", symbolic::atan},
                            {"sinh", symbolic::sinh}, {"cosh", symbolic::cosh}, {"tanh", symbolic::tanh},
                            {"exp", symbolic::exp},   {"log", symbolic::log},   {"floor", symbolic::floor}};
    for (const auto& row : rows)
      if (node.text == row.name) return {row.function(a.value), {}, true, a.plain_number};
    fail(node.at, "unknown function \"" + node.text + "\"");
  }

  // ---- tables

  struct List {
    std::vector<double> values;
    Quantity unit;
  };

  List evaluate_list(const Syntax& node) {
    List list;
    std::vector<Quantity> items;
    for (const auto& argument : node.arguments) {
      items.push_back(evaluate(argument));
      const std::optional<double> number = find_number(items.back().value);
      if (!number)
        fail(argument.begin, "the values of a table must be numbers; " + text_of(argument) + " is not constant");
      list.values.push_back(*number);
      if (items.size() == 1) list.unit = items.back();
      const auto common = find_common(list.unit, items.back());
      if (!common)
        fail(argument.begin, "the values of a list must have the same unit, not " + dimension_text(list.unit) +
                                 " and " + describe(argument, items.back()));
      list.unit = *common;
    }
    return list;
  }

  Quantity evaluate_table(const Syntax& node) {
    const auto& a = node.arguments;
    if (a[1].kind == Syntax::Kind::text)
      return evaluate_column(context_.graph, *read_data_column(context_.where.file, a[1].text, a[2].text),
                             node.text == "spline", evaluate(a[0]).value);
    const auto x = evaluate(a[0]);
    const auto xs = evaluate_list(a[1]), ys = evaluate_list(a[2]);
    check_grid(node, xs.values, ys.values);
    if (!find_common(x, xs.unit))
      fail(a[1].begin, "the x values of the " + node.text + " are in " + dimension_text(xs.unit) +
                           ", but its argument is " + describe(a[0], x));
    auto table = std::make_shared<symbolic::Table>();
    table->name = node.text;
    table->method = node.text == "spline" ? symbolic::Table::Method::cubic : symbolic::Table::Method::linear;
    table->x = xs.values;
    table->values = ys.values;
    table->prepare();
    return {context_.graph.table(std::move(table), x.value), ys.unit.dimension, ys.unit.dimension_known,
            ys.unit.plain_number};
  }

  void check_grid(const Syntax& node, const std::vector<double>& x, const std::vector<double>& y) const {
    if (x.size() != y.size())
      fail(node.arguments[2].begin, "the " + node.text + " has " + std::to_string(x.size()) + " x values and " +
                                        std::to_string(y.size()) + " y values; give as many of both");
    if (x.size() < 2) fail(node.arguments[1].begin, "the " + node.text + " needs at least two points");
    for (std::size_t i = 1; i < x.size(); ++i)
      if (!(x[i] > x[i - 1]))
        fail(node.arguments[1].arguments[i].begin, "the x values of the " + node.text + " must increase, but " +
                                                       text_of(node.arguments[1].arguments[i]) + " follows " +
                                                       text_of(node.arguments[1].arguments[i - 1]));
  }

  const EvaluationContext& context_;
};

}  // namespace

std::optional<double> find_constant(const std::string& name) {
  if (name == "pi") return std::numbers::pi;
  if (name == "true") return 1;
  if (name == "false") return 0;
  return std::nullopt;
}

Quantity evaluate_syntax(const Syntax& root, const EvaluationContext& context) {
  return Evaluator(context).evaluate(root);
}

}  // namespace coenergy::model
