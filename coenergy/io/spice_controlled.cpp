// E, F, G, H and B: sources controlled by voltages, currents and expressions
#include <algorithm>
#include <functional>
#include <set>

#include "coenergy/io/spice_arguments.hpp"

namespace coenergy::io::spice {

using model::Value;

namespace {

char letter(const Element& e) {
  return static_cast<char>(std::tolower(static_cast<unsigned char>(e.tokens()[0].text[0])));
}

ExpressionPtr make_signal(Expression::Kind kind, const Token& first, const Token* second) {
  auto s = std::make_shared<Expression>();
  s->kind = kind;
  s->text = to_lower(first.text);
  if (second != nullptr) s->second = to_lower(second->text);
  s->where = first.where;
  return s;
}

void add_source(Expander& x, const Element& e, bool is_voltage, Value value) {
  x.add(e, "", is_voltage ? "electrical.VoltageSource" : "electrical.CurrentSource",
        {{"p", x.node(e, e.tokens()[1])}, {"n", x.node(e, e.tokens()[2])}, {is_voltage ? "v" : "i", std::move(value)}});
}

/// Words behind the value that belong to the element: m=2, tc1=1m.
struct Tail {
  double factor = 1;      ///< of currents: equal sources in parallel; of both, what the temperature makes of the value
  std::size_t words = 0;  ///< where it begins
};

Tail read_tail(Expander& x, const Element& e, bool is_voltage) {
  static const std::set<std::string> known = {"m", "tc1", "tc2", "temp", "dtemp", "smoothbsrc", "noisy"};
  const auto& t = e.tokens();
  Tail tail;
  tail.words = t.size();
  while (tail.words >= 6 && t[tail.words - 2].is("=") && known.count(to_lower(t[tail.words - 3].text)) != 0)
    tail.words -= 3;
  double tc1 = 0, tc2 = 0, parts = e.instance->multiplier, celsius = x.temperature();
  for (std::size_t k = tail.words; k < t.size(); k += 3) {
    const std::string name = to_lower(t[k].text);
    const double value = x.number(x.value(e, t[k + 2]), t[k + 2].where);
    if (name == "tc1") tc1 = value;
    if (name == "tc2") tc2 = value;
    if (name == "temp") celsius = value;
    if (name == "dtemp") celsius += value;
    if (name == "m") parts *= value;
    if (name == "m" && !(value > 0)) throw Error(t[k + 2].where, t[0].text + ": m must be > 0");
    if (name == "smoothbsrc")
      x.note(t[k].where, t[0].text + ": smoothbsrc is without effect: jumps are located events");
  }
  const double rise = celsius - x.nominal_temperature();
  tail.factor = (is_voltage ? 1 : parts) * (1 + tc1 * rise + tc2 * rise * rise);
  return tail;
}

void add_behaviour(Expander& x, const Element& e, bool is_voltage, const ExpressionPtr& resolved,
                   const Location& where) {
  const double factor = read_tail(x, e, is_voltage).factor;
  const ExpressionPtr value = factor == 1 ? resolved : x.resolve(e, make_binary("*", resolved, make_number(factor)));
  add_source(x, e, is_voltage, x.quantity(e, value, is_voltage ? "V" : "A", where));
}

/// The signals that control an element from a token on: pairs of nodes, or names of sources.
std::vector<ExpressionPtr> read_controls(const Element& e, std::size_t first, std::size_t count) {
  const auto& t = e.tokens();
  std::vector<Token> words;
  for (std::size_t k = first; k < t.size(); ++k)
    if (!t[k].is("(") && !t[k].is(")")) words.push_back(t[k]);
  const bool by_voltage = letter(e) == 'e' || letter(e) == 'g';
  std::vector<ExpressionPtr> controls;
  for (std::size_t k = 0; k < count; ++k) {
    if ((by_voltage ? 2 * k + 1 : k) >= words.size())
      throw Error(e.where(), t[0].text + " has too few controlling nodes or sources");
    controls.push_back(by_voltage ? make_signal(Expression::Kind::voltage, words[2 * k], &words[2 * k + 1])
                                  : make_signal(Expression::Kind::current, words[k], nullptr));
  }
  return controls;
}

/// SPICE 2 polynomials: coefficients of 1, x1, x2 …, x1², x1 x2 …, by degree, then by the order of the controls.
ExpressionPtr make_polynomial(const std::vector<ExpressionPtr>& controls,
                              const std::vector<ExpressionPtr>& coefficients) {
  ExpressionPtr sum = coefficients.empty() ? make_number(0) : coefficients[0];
  std::size_t next = 1;
  for (int degree = 1; next < coefficients.size(); ++degree) {
    std::vector<std::size_t> factors(degree, 0);
    for (bool more = true; more && next < coefficients.size();) {
      ExpressionPtr term = coefficients[next++];
      for (std::size_t f : factors) term = make_binary("*", term, controls[f]);
      sum = make_binary("+", sum, term);
      // the next sequence of indices that do not decrease
      int k = degree - 1;
      while (k >= 0 && factors[k] + 1 == controls.size()) --k;
      more = k >= 0;
      if (!more) break;
      const std::size_t value = factors[k] + 1;
      for (; k < degree; ++k) factors[k] = value;
    }
  }
  return sum;
}

/// E1 p n POLY(2) a b c d p0 p1 …
void write_polynomial(Expander& x, const Element& e, bool is_voltage) {
  const auto& t = e.tokens();
  if (t.size() < 7 || !t[4].is("(") || !t[6].is(")"))
    throw Error(t[3].where, t[0].text + ": poly must be written POLY(n)");
  const auto count = parse_number(t[5].text);
  if (!count || *count < 1 || *count > 20 || *count != static_cast<int>(*count))
    throw Error(t[5].where, t[0].text + ": POLY(" + t[5].text + ") must have a whole number");
  const std::size_t n = static_cast<std::size_t>(*count);
  const std::vector<ExpressionPtr> controls = read_controls(e, 7, n);
  const std::size_t used = letter(e) == 'e' || letter(e) == 'g' ? 2 * n : n;
  std::vector<ExpressionPtr> coefficients;
  std::size_t seen = 0;
  const std::size_t end = read_tail(x, e, is_voltage).words;
  for (std::size_t k = 7; k < end; ++k) {
    if (t[k].is("(") || t[k].is(")") || seen++ < used) continue;
    coefficients.push_back(x.value(e, t[k]));
  }
  // a single coefficient of a single control is its gain
  if (coefficients.size() == 1 && n == 1) coefficients.insert(coefficients.begin(), make_number(0));
  if (coefficients.empty()) throw Error(e.where(), t[0].text + " has no coefficients");
  add_behaviour(x, e, is_voltage, x.resolve(e, make_polynomial(controls, coefficients)), t[3].where);
}

/// E1 p n TABLE {expression} = (x1, y1) (x2, y2) …
void write_table(Expander& x, const Element& e, bool is_voltage) {
  const auto& t = e.tokens();
  std::size_t k = 4;
  if (k >= t.size()) throw Error(t[3].where, t[0].text + ": table has no expression");
  auto call = std::make_shared<Expression>();
  call->kind = Expression::Kind::call;
  call->text = "table";
  call->where = t[3].where;
  call->arguments.push_back(parse_value(t[k++]));
  if (k < t.size() && t[k].is("=")) ++k;
  const std::size_t end = read_tail(x, e, is_voltage).words;
  for (; k < end; ++k)
    if (!t[k].is("(") && !t[k].is(")")) call->arguments.push_back(parse_value(t[k]));
  if (call->arguments.size() < 5 || call->arguments.size() % 2 == 0)
    throw Error(t[3].where, t[0].text + ": table needs at least two points (x, y)");
  add_behaviour(x, e, is_voltage, x.resolve(e, call), t[3].where);
}

void write_linear(Expander& x, const Element& e, bool is_voltage) {
  const auto& t = e.tokens();
  const bool by_voltage = letter(e) == 'e' || letter(e) == 'g';
  std::vector<Token> words;
  const Tail tail = read_tail(x, e, is_voltage);
  for (std::size_t k = 3; k < tail.words; ++k)
    if (!t[k].is("(") && !t[k].is(")")) words.push_back(t[k]);
  const std::size_t controls = by_voltage ? 2 : 1;
  if (words.size() != controls + 1)
    throw Error(e.where(), t[0].text + " must be written " +
                               (by_voltage ? t[0].text + " p n cp cn gain" : t[0].text + " p n source gain"));
  std::string signal;
  if (by_voltage)
    signal = Expander::voltage(x.node(e, words[0]), x.node(e, words[1]));
  else
    signal = x.current(e, words[0]);
  ExpressionPtr gain = x.value(e, words.back());
  if (tail.factor != 1) gain = x.resolve(e, make_binary("*", gain, make_number(tail.factor)));
  if (is_varying(gain)) throw Error(words.back().where, t[0].text + ": the gain must be a constant");
  const char* unit = letter(e) == 'g' ? "S" : letter(e) == 'h' ? "ohm" : "";
  const std::string plain = x.quantity(e, gain, gain->is_number() ? unit : "", words.back().where).text;
  const std::string factor = gain->is_number() ? plain
                             : unit[0] == '\0' ? "(" + plain + ")"
                                               : std::string("1 ") + unit + "*(" + plain + ")";
  Value value(factor + "*(" + signal + ")");
  value.where = words.back().where;
  add_source(x, e, is_voltage, std::move(value));
}

/// The expression behind `key =`, up to the end of the line or a word such as m=2.
ExpressionPtr parse_rest(Expander& x, const Element& e, std::size_t equals) {
  const auto& t = e.tokens();
  if (equals + 1 >= t.size()) throw Error(t[equals].where, e.tokens()[0].text + " has no expression");
  const Token& first = t[equals + 1];
  const std::size_t end = std::max(read_tail(x, e, false).words, equals + 2);
  if (first.quoted && equals + 2 == end) return parse_value(first);
  return parse_expression(e.card->line.text.substr(first.begin, t[end - 1].end - first.begin), first.where);
}

}  // namespace

void write_controlled_source(Expander& x, const Element& e) {
  const auto& t = e.tokens();
  if (t.size() < 4) throw Error(e.where(), t[0].text + " has too few words");
  const bool is_voltage = letter(e) == 'e' || letter(e) == 'h';
  const std::string word = to_lower(t[3].text);
  if (word == "poly") return write_polynomial(x, e, is_voltage);
  if (word == "table") return write_table(x, e, is_voltage);
  if (word == "value" || word == "vol" || word == "cur") {
    const std::size_t at = t.size() > 4 && t[4].is("=") ? 4 : 3;
    const ExpressionPtr value = parse_rest(x, e, at);
    return add_behaviour(x, e, is_voltage, x.resolve(e, value), t[3].where);
  }
  if (word == "laplace" || word == "freq" || word == "chebyshev")
    throw Error(t[3].where, t[0].text + ": " + word + " is not understood");
  write_linear(x, e, is_voltage);
}

void write_behavioural_source(Expander& x, const Element& e) {
  const auto& t = e.tokens();
  const std::string word = t.size() > 4 ? to_lower(t[3].text) : "";
  if ((word != "v" && word != "i") || !t[4].is("="))
    throw Error(e.where(), t[0].text + " must be written " + t[0].text + " p n V={expression} or I={expression}");
  add_behaviour(x, e, word == "v", x.resolve(e, parse_rest(x, e, 4)), t[5 < t.size() ? 5 : 4].where);
}

}  // namespace coenergy::io::spice
