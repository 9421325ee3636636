// V, I: constant values and functions of time
#include <cmath>
#include <numbers>

#include "coenergy/io/spice_arguments.hpp"
#include "coenergy/io/spice_functions.hpp"

namespace coenergy::io::spice {

using model::Value;

namespace {

/// What stands behind the nodes of a source.
struct Source {
  ExpressionPtr dc;
  Location dc_where;
  std::string function;  ///< sin, pulse …; "" for none
  std::vector<ExpressionPtr> arguments;
  std::vector<Assignment> pairs;  ///< r=, td= of a pwl
  Location function_where;
  double magnitude = 0, phase = 0;  ///< of an .ac analysis
  double parts = 1;                 ///< m=, equal sources in parallel
};

bool is_function(const std::string& word) {
  for (const char* name : {"sin", "sine", "pulse", "pwl", "exp", "sffm", "am", "trnoise", "trrandom", "external"})
    if (word == name) return true;
  return false;
}

/// Reads the arguments of a time function, with or without parentheses; returns the first token behind them.
std::size_t read_function(Expander& x, const Element& e, std::size_t k, Source& s) {
  const auto& t = e.tokens();
  s.function = to_lower(t[k].text);
  if (s.function == "sine") s.function = "sin";
  s.function_where = t[k].where;
  ++k;
  const bool closed = k < t.size() && t[k].is("(");
  if (closed) ++k;
  while (k < t.size() && !t[k].is(")")) {
    const std::string word = to_lower(t[k].text);
    if (k + 2 < t.size() && t[k + 1].is("=")) {
      s.pairs.push_back({word, x.value(e, t[k + 2]), t[k].where});
      k += 3;
    } else if (!closed && (word == "ac" || word == "dc")) {
      return k;
    } else if (t[k].is("(")) {
      ++k;
    } else {
      s.arguments.push_back(x.value(e, t[k++]));
    }
  }
  if (closed && k == t.size())
    throw Error(s.function_where, t[0].text + ": the parenthesis of " + s.function + "( is not closed");
  if (k < t.size()) ++k;
  // r= and td= may follow the parenthesis
  while (k + 2 < t.size() && t[k + 1].is("=")) {
    s.pairs.push_back({to_lower(t[k].text), x.value(e, t[k + 2]), t[k].where});
    k += 3;
  }
  return k;
}

Source read_source(Expander& x, const Element& e) {
  const auto& t = e.tokens();
  Source s;
  int open = 0;  // parentheses about a function of time
  for (std::size_t k = 3; k < t.size();) {
    const std::string word = t[k].quoted ? "" : to_lower(t[k].text);
    if (word == "dc" || word == "ac") {
      ++k;
      if (k < t.size() && t[k].is("=")) ++k;
      std::vector<double> numbers;
      while (word == "ac" && k < t.size() && numbers.size() < 2 && !t[k].is("(") && !t[k].is(")") &&
             !is_function(to_lower(t[k].text)) && to_lower(t[k].text) != "dc") {
        numbers.push_back(x.number(x.value(e, t[k]), t[k].where));
        ++k;
      }
      if (word == "ac") {
        s.magnitude = numbers.empty() ? 1 : numbers[0], s.phase = numbers.size() > 1 ? numbers[1] : 0;
        continue;
      }
      if (k == t.size()) throw Error(t[k - 1].where, t[0].text + ": dc has no value");
      s.dc_where = t[k].where;
      s.dc = x.value(e, t[k++]);
    } else if (is_function(word)) {
      if (!s.function.empty()) throw Error(t[k].where, t[0].text + " has two functions of time");
      k = read_function(x, e, k, s);
    } else if (word == "m" && k + 2 < t.size() && t[k + 1].is("=")) {
      s.parts = x.number(x.value(e, t[k + 2]), t[k + 2].where);
      if (!(s.parts > 0)) throw Error(t[k + 2].where, t[0].text + ": m must be > 0");
      k += 3;
    } else if (t[k].is("(") && k + 1 < t.size() && is_function(to_lower(t[k + 1].text))) {
      ++k, ++open;  // of the whole function
    } else if (t[k].is(")") && open > 0) {
      ++k, --open;
    } else if (t[k].is("(") || t[k].is(")") || t[k].is("=") || s.dc) {
      throw Error(t[k].where, t[0].text + ": \"" + t[k].text + "\" is not understood");
    } else {
      s.dc_where = t[k].where;
      s.dc = x.value(e, t[k++]);
    }
  }
  return s;
}

/// Current sources in parallel are one with the sum: factors of what is a current among the arguments.
void multiply(Expander& x, const Element& e, Source& s, double parts) {
  const auto scale = [&](ExpressionPtr& value) { value = x.resolve(e, make_binary("*", value, make_number(parts))); };
  if (s.dc) scale(s.dc);
  s.magnitude *= parts;
  const bool is_table = s.function == "pwl";
  for (std::size_t k = 0; k < s.arguments.size(); ++k)
    if (is_table ? k % 2 == 1 : k < (s.function == "am" ? 1u : 2u)) scale(s.arguments[k]);
}

/// Writes one source from what it is.
class SourceWriter {
 public:
  SourceWriter(Expander& x, const Element& e, const Source& s)
      : x_(x), e_(e), s_(s), is_voltage_(std::tolower(static_cast<unsigned char>(e.tokens()[0].text[0])) == 'v') {
    entries_ = {{"p", x.node(e, e.tokens()[1])}, {"n", x.node(e, e.tokens()[2])}};
  }

  void write() {
    write_element();
    if (s_.dc && is_varying(s_.dc)) return;  // it depends on signals: no independent source
    x_.add_source({e_.name, is_voltage_, s_.function.empty(), find_value_at_rest(), s_.magnitude, s_.phase});
  }

 private:
  /// The dc value, else that of the function at time zero.
  double find_value_at_rest() {
    if (s_.dc) return x_.number(s_.dc, s_.dc_where);
    if (s_.function.empty()) return 0;
    if (s_.function == "pwl") {
      double before = number(0, 0), value = number(1, 0);
      for (std::size_t k = 2; k + 1 < s_.arguments.size() && before < 0; k += 2) {
        const double t = number(k, 0), next = number(k + 1, 0);
        value = t <= 0 ? next : value + (next - value) * (0 - before) / (t - before);
        before = t;
      }
      return value;
    }
    if (s_.function == "sin" && number(3, 0) >= 0)
      return number(0, 0) + number(1, 0) * std::sin(number(5, 0) * std::numbers::pi / 180);
    return number(0, 0);
  }

  void write_element() {
    if (s_.function.empty()) return write_constant();
    if (s_.function == "pulse") return write_pulse();
    if (s_.function == "pwl") return write_points();
    std::string text;
    if (s_.function == "sin")
      text = make_sine();
    else if (s_.function == "exp")
      text = make_exponential();
    else if (s_.function == "sffm")
      text = make_modulated();
    else if (s_.function == "am")
      text = make_amplitude_modulated();
    else
      throw Error(s_.function_where, name() + ": the function " + s_.function +
                                         " is not understood; there are sin, pulse, pwl, exp, sffm and am");
    Value v(text);
    v.where = s_.function_where;
    add_expression(v);
  }

  const std::string& name() const { return e_.tokens()[0].text; }
  const char* unit() const { return is_voltage_ ? "V" : "A"; }

  void add_expression(Value v) {
    entries_.emplace_back(is_voltage_ ? "v" : "i", std::move(v));
    x_.add(e_, "", is_voltage_ ? "electrical.VoltageSource" : "electrical.CurrentSource", std::move(entries_));
  }

  void write_constant() {
    const Location where = s_.dc ? s_.dc_where : e_.where();
    add_expression(x_.quantity(e_, s_.dc ? s_.dc : make_number(0), unit(), where));
  }

  // ---- arguments
  bool has(std::size_t k) const { return k < s_.arguments.size(); }
  double number(std::size_t k, double fallback) {
    return has(k) ? x_.number(s_.arguments[k], s_.function_where) : fallback;
  }
  void expect_arguments(std::size_t least, std::size_t most) const {
    if (s_.arguments.size() < least || s_.arguments.size() > most)
      throw Error(s_.function_where, name() + ": " + s_.function + "(...) has " + std::to_string(s_.arguments.size()) +
                                         " values; it needs " + std::to_string(least) + " to " + std::to_string(most));
    if (!s_.pairs.empty())
      throw Error(s_.pairs.front().where, name() + ": " + s_.pairs.front().name + "= is not understood");
  }
  /// Text of an argument with its unit, as a factor: "5 V" or "1 V*(vp)".
  std::string factor(std::size_t k, const std::string& unit, double fallback = 0) {
    const ExpressionPtr e = has(k) ? s_.arguments[k] : make_number(fallback);
    const std::string text = x_.quantity(e_, e, e->is_number() ? unit : "", s_.function_where).text;
    if (e->is_number()) return e->value < 0 ? "(" + text + ")" : text;
    return unit.empty() ? "(" + text + ")" : "1 " + unit + "*(" + text + ")";
  }
  bool is_zero(std::size_t k) const { return !has(k) || (s_.arguments[k]->is_number() && s_.arguments[k]->value == 0); }

  // ---- functions of time
  /// VO + VA e^{−θ(t − TD)} sin(2π f (t − TD) + φ) from TD on
  std::string make_sine() {
    expect_arguments(2, 6);
    const std::string t = is_zero(3) ? "time" : "(time - " + factor(3, "s") + ")";
    const double frequency = number(2, 0) > 0 ? 0 : x_.stop() > 0 ? 1 / x_.stop() : 1;
    const std::string f = frequency > 0 ? x_.quantity(frequency, "Hz", s_.function_where).text : factor(2, "Hz");
    std::string phase = "2*pi*" + f + "*" + t;
    if (!is_zero(5)) phase += " + " + factor(5, "deg");
    std::string wave = factor(1, unit());
    if (!is_zero(4)) wave += "*exp(-" + factor(4, "1/s") + "*" + t + ")";
    wave += "*sin(" + phase + ")";
    const std::string offset = is_zero(0) ? "" : factor(0, unit()) + " + ";
    if (is_zero(3)) return offset + wave;
    std::string before = is_zero(0) ? std::string("0 ") + unit() : factor(0, unit());
    if (!is_zero(5)) before += " + " + factor(1, unit()) + "*sin(" + factor(5, "deg") + ")";
    return "if(time < " + factor(3, "s") + ", " + before + ", " + offset + wave + ")";
  }

  /// V1 until TD1, then towards V2 with TAU1, from TD2 on back with TAU2
  /// Each part is kept from overflow where it is not taken.
  std::string make_exponential() {
    expect_arguments(2, 6);
    const double step = x_.step() > 0 ? x_.step() : 1;
    const double start = number(2, 0);
    const std::string v1 = factor(0, unit()), td1 = factor(2, "s"), tau1 = factor(3, "s", step),
                      td2 = factor(4, "s", start + step), tau2 = factor(5, "s", step),
                      swing = "(" + factor(1, unit()) + " - " + v1 + ")";
    const std::string up = swing + "*(1 - exp(-max(time - " + td1 + ", 0 s)/(" + tau1 + ")))";
    const std::string down = swing + "*(1 - exp(-max(time - " + td2 + ", 0 s)/(" + tau2 + ")))";
    return "if(time < " + td1 + ", " + v1 + ", if(time < " + td2 + ", " + v1 + " + " + up + ", " + v1 + " + " + up +
           " - " + down + "))";
  }

  /// VO + VA sin(2π fc t + m sin(2π fs t))
  std::string make_modulated() {
    expect_arguments(2, 5);
    const double fallback = x_.stop() > 0 ? 1 / x_.stop() : 1;
    return factor(0, unit()) + " + " + factor(1, unit()) + "*sin(2*pi*" + factor(2, "Hz", fallback) + "*time + " +
           factor(3, "") + "*sin(2*pi*" + factor(4, "Hz", fallback) + "*time))";
  }

  /// VA (VO + sin(2π mf (t − TD))) sin(2π fc (t − TD)) from TD on, with phases, as in ngspice
  std::string make_amplitude_modulated() {
    expect_arguments(3, 7);
    const std::string t = is_zero(4) ? "time" : "(time - " + factor(4, "s") + ")";
    const double fallback = x_.stop() > 0 ? 1 / x_.stop() : 1;
    const auto phase = [&](std::size_t k) { return is_zero(k) ? std::string() : " + " + factor(k, "deg"); };
    const std::string wave = factor(0, unit()) + "*(" + factor(1, "") + " + sin(2*pi*" + factor(2, "Hz") + "*" + t +
                             phase(6) + "))*sin(2*pi*" + factor(3, "Hz", fallback) + "*" + t + phase(5) + ")";
    return is_zero(4) ? wave : "if(time < " + factor(4, "s") + ", 0 " + unit() + ", " + wave + ")";
  }

  // ---- waveforms with corners
  void add_argument(const char* entry, std::size_t k, const char* unit) {
    if (has(k)) entries_.emplace_back(entry, x_.quantity(e_, s_.arguments[k], unit, s_.function_where));
  }

  void write_pulse() {
    expect_arguments(2, 8);
    const Location& where = s_.function_where;
    add_argument("low", 0, unit());
    add_argument("high", 1, unit());
    add_argument("delay", 2, "s");
    // a time that is missing or zero is the step or the end of the run
    auto add_time = [&](const char* entry, std::size_t k, double fallback) {
      if (number(k, 0) > 0)
        add_argument(entry, k, "s");
      else
        entries_.emplace_back(entry, x_.quantity(fallback, "s", where));
    };
    add_time("rise", 3, x_.step());
    add_time("fall", 4, x_.step());
    add_time("width", 5, x_.stop() > 0 ? x_.stop() : 1);
    if (number(6, 0) > 0) add_argument("period", 6, "s");
    if (number(7, 0) > 0) return write_some_pulses(static_cast<int>(number(7, 0)));
    x_.add(e_, "", is_voltage_ ? "electrical.PulseVoltage" : "electrical.PulseCurrent", std::move(entries_));
  }

  /// A limited number of pulses, corner by corner.
  void write_some_pulses(int count) {
    constexpr int most = 100'000;
    const Location& where = s_.function_where;
    const double period = number(6, 0), low = number(0, 0), high = number(1, 0), delay = number(2, 0);
    if (count > most || number(7, 0) != count || !(period > 0))
      throw Error(where, name() + ": a number of pulses must be whole and at most 100000, with a period");
    const auto time = [&](std::size_t k, double fallback) { return number(k, 0) > 0 ? number(k, 0) : fallback; };
    const double rise = time(3, x_.step()), fall = time(4, x_.step()), width = time(5, x_.stop() > 0 ? x_.stop() : 1);
    if (rise + width + fall > period) throw Error(where, name() + ": a pulse is longer than its period");
    std::vector<Value> times, values;
    const auto add = [&](double t, double value) {
      times.push_back(x_.quantity(t, "s", where)), values.push_back(x_.quantity(value, unit(), where));
    };
    for (int k = 0; k < count; ++k) {
      const double t = delay + k * period;
      if (k == 0 || rise + width + fall < period) add(t, low);
      add(t + rise, high), add(t + rise + width, high), add(t + rise + width + fall, low);
    }
    std::erase_if(entries_, [](const auto& entry) { return entry.first != "p" && entry.first != "n"; });
    entries_.emplace_back("times", std::move(times)), entries_.emplace_back("values", std::move(values));
    x_.add(e_, "", is_voltage_ ? "electrical.PwlVoltage" : "electrical.PwlCurrent", std::move(entries_));
  }

  void write_points() {
    const Location& where = s_.function_where;
    const auto& a = s_.arguments;
    if (a.size() < 2 || a.size() % 2 != 0) throw Error(where, name() + ": pwl(...) needs pairs of time and value");
    std::vector<Value> times, values;
    double last = -std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < a.size(); k += 2) {
      const double t = x_.number(a[k], where);
      if (!(t > last)) throw Error(where, name() + ": the times of pwl(...) must increase");
      last = t;
      times.push_back(x_.quantity(e_, a[k], "s", where));
      values.push_back(x_.quantity(e_, a[k + 1], unit(), where));
    }
    entries_.emplace_back("times", std::move(times));
    entries_.emplace_back("values", std::move(values));
    for (const Assignment& pair : s_.pairs) {
      const double number = x_.number(pair.value, pair.where);
      if (pair.name == "td")
        entries_.emplace_back("delay", x_.quantity(e_, pair.value, "s", pair.where));
      else if (pair.name == "r" && number >= 0)
        entries_.emplace_back("repeat_from", x_.quantity(e_, pair.value, "s", pair.where));
      else if (pair.name != "r")
        throw Error(pair.where, name() + ": " + pair.name + "= is not understood");
    }
    x_.add(e_, "", is_voltage_ ? "electrical.PwlVoltage" : "electrical.PwlCurrent", std::move(entries_));
  }

  Expander& x_;
  const Element& e_;
  const Source& s_;
  bool is_voltage_;
  Entries entries_;
};

}  // namespace

void write_source(Expander& x, const Element& e) {
  if (e.tokens().size() < 3)
    throw Error(e.where(),
                e.tokens()[0].text + (e.tokens().size() == 2 ? " has 1 node" : " has no nodes") + "; it needs 2");
  Source s = read_source(x, e);
  const bool is_current = std::tolower(static_cast<unsigned char>(e.tokens()[0].text[0])) == 'i';
  if (const double parts = e.instance->multiplier * s.parts; is_current && parts != 1) multiply(x, e, s, parts);
  SourceWriter(x, e, s).write();
}

}  // namespace coenergy::io::spice
