// .meas cards
#include <algorithm>
#include <cmath>
#include <numbers>

#include "coenergy/base/names.hpp"
#include "coenergy/io/spice_expander.hpp"

namespace coenergy::io::spice {

using analyze::Crossing;
using analyze::Measure;
using AnalysisKind = Netlist::Analysis::Kind;

namespace {

Token as_expression(const std::string& text, const Token& place) {
  Token word = place;
  word.text = text, word.quoted = true;
  return word;
}

}  // namespace

/// Reads one card: .meas tran name …
class MeasureReader {
 public:
  MeasureReader(Expander& x, const Card& card) : x_(x), card_(card), here_{&card, &x.instances_.front(), ""} {}

  /// Nothing for a measure of another program, which is told.
  std::optional<Netlist::Measure> read() {
    measure_.where = card_.first().where;
    if (!read_analysis()) return std::nullopt;
    measure_.name = to_lower(take("a name").text);
    if (!read_what()) return std::nullopt;
    if (k_ < card_.tokens.size())
      throw Error(card_.tokens[k_].where, prefix() + "\"" + card_.tokens[k_].text + "\" is not understood");
    return std::move(measure_);
  }

 private:
  bool read_analysis() {
    static const std::set<std::string> others = {"noise", "fft", "sp", "tran_cont", "ac_cont", "dc_cont", "noise_cont"};
    static const std::map<std::string, AnalysisKind> kinds = {
        {"tran", AnalysisKind::transient}, {"ac", AnalysisKind::ac}, {"dc", AnalysisKind::dc}};
    const auto place = k_ < card_.tokens.size() ? kinds.find(to_lower(card_.tokens[k_].text)) : kinds.end();
    if (place == kinds.end() && k_ < card_.tokens.size() && others.count(to_lower(card_.tokens[k_].text)) != 0)
      return leave_out(card_.tokens[k_]);
    if (place == kinds.end())
      throw Error(card_.first().where, ".meas must be written .meas tran name …, or of ac or dc");
    measure_.analysis = place->second;
    ++k_;
    return true;
  }

  bool leave_out(const Token& word) {
    x_.note(word.where, prefix() + to_lower(word.text) + " is left out");
    return false;
  }

  bool read_what() {
    static const std::set<std::string> others = {"error",   "err",      "err1", "err2", "err3", "four", "freq", "duty",
                                                 "on_time", "off_time", "enob", "sfdr", "sndr", "snr",  "thd",  "fft"};
    using Kind = Measure::Kind;
    static const std::map<std::string, Kind> over = {
        {"max", Kind::max},       {"min", Kind::min},        {"max_at", Kind::max_at},
        {"min_at", Kind::min_at}, {"pp", Kind::range},       {"avg", Kind::mean},
        {"rms", Kind::rms},       {"integ", Kind::integral}, {"integral", Kind::integral}};
    const Token word = take("what to measure");
    const std::string kind = to_lower(word.text);
    Measure& m = measure_.what;
    if (others.count(kind) != 0) return leave_out(word);
    if (kind == "param" || kind == "expr" || kind == "eqn") {
      read_expression();
    } else if (kind == "trig") {
      m.kind = Kind::distance;
      m.trigger = read_edge();
      if (to_lower(take("targ").text) != "targ")
        throw Error(card_.tokens[k_ - 1].where, prefix() + "targ was expected");
      m.target = read_edge();
    } else if (kind == "when") {
      m.kind = Kind::when;
      m.target = read_when();
    } else if (kind == "find" || kind == "deriv" || kind == "derivative") {
      m.kind = kind == "find" ? Kind::find : Kind::slope;
      m.column = read_quantity();
      if (has_word("when")) {
        ++k_;
        m.target = read_when();
      } else {
        read_pairs({{"at", [&](double v) { m.target.at = v; }}});
        if (!m.target.at) throw Error(card_.first().where, prefix() + kind + " needs at=… or when …");
      }
    } else if (const auto place = over.find(kind); place != over.end()) {
      m.kind = place->second;
      m.column = read_quantity();
      read_pairs({{"from", [&](double v) { m.from = std::max(m.from, v); }},
                  {"to", [&](double v) { m.to = v; }},
                  {"td", [&](double v) { m.from = std::max(m.from, v); }}});
      if (m.to < m.from) throw Error(card_.first().where, prefix() + "from must not be beyond to");
    } else {
      throw Error(word.where, prefix() + "\"" + word.text +
                                  "\" is not understood; there are trig, find, when, deriv, max, min, pp, avg, rms, "
                                  "integ, max_at, min_at and param");
    }
    return true;
  }

  /// v(a) val=0.5 rise=1 td=1n, or at=1n
  Crossing read_edge() {
    Crossing c;
    if (has_word("at")) {
      read_pairs({{"at", [&](double v) { c.at = v; }}});
      return c;
    }
    c.column = read_quantity();
    bool has_level = k_ + 1 < card_.tokens.size() && card_.tokens[k_].is("=");
    if (has_level) {
      const Token level = card_.tokens[k_ + 1];
      c.level = x_.number(x_.value(here_, level), level.where);
      k_ += 2;
    }
    read_pairs({{"val", [&](double v) { c.level = v, has_level = true; }}, {"td", [&](double v) { c.from = v; }}}, &c);
    if (!has_level) throw Error(card_.first().where, prefix() + "the level is missing: val=…");
    return c;
  }

  /// v(a)=0.5 or v(a)=v(b), cross=2 from=… to=… td=…
  Crossing read_when() {
    Crossing c;
    c.column = read_quantity();
    if (!take("=").is("=")) throw Error(card_.tokens[k_ - 1].where, prefix() + "when must be written when v(a)=value");
    if (k_ >= card_.tokens.size()) throw Error(card_.first().where, prefix() + "when has no value");
    if (const auto other = x_.read_probe(card_, k_)) {
      c.other = add_quantity(*other);
      k_ = other->end;
    } else {
      const Token level = take("a value");
      c.level = x_.number(x_.value(here_, level), level.where);
    }
    read_pairs({{"from", [&](double v) { c.from = std::max(c.from, v); }},
                {"to", [&](double v) { c.to = v; }},
                {"td", [&](double v) { c.from = std::max(c.from, v); }}},
               &c);
    return c;
  }

  void read_expression() {
    const bool is_equation = to_lower(card_.tokens[k_ - 1].text) == "eqn";
    if (k_ < card_.tokens.size() && card_.tokens[k_].is("="))
      ++k_;
    else if (!is_equation)
      throw Error((k_ < card_.tokens.size() ? card_.tokens[k_] : card_.first()).where,
                  prefix() + "param='expression' was expected");
    measure_.expression = parse_value(take("an expression"));
  }

  using Setters = std::map<std::string, std::function<void(double)>>;
  /// name=value as long as there are such; with a crossing also rise, fall, cross = n or last.
  void read_pairs(const Setters& setters, Crossing* crossing = nullptr) {
    const auto& t = card_.tokens;
    while (k_ + 2 < t.size() && t[k_ + 1].is("=")) {
      const std::string name = to_lower(t[k_].text);
      const Token value = t[k_ + 2];
      if (crossing != nullptr && (name == "rise" || name == "fall" || name == "cross")) {
        crossing->kind = name == "rise"   ? Crossing::Kind::rise
                         : name == "fall" ? Crossing::Kind::fall
                                          : Crossing::Kind::any;
        crossing->count = read_count(name, value);
      } else if (const auto place = setters.find(name); place != setters.end()) {
        place->second(x_.number(x_.value(here_, value), value.where));
      } else if (name == "default_val" || name == "failvalue" || name == "minval" || name == "goal" ||
                 name == "weight" || name == "precision" || name == "print") {
        x_.note(t[k_].where, prefix() + name + " is left out");
      } else {
        throw Error(t[k_].where, prefix() + "\"" + t[k_].text + "\" is not understood here");
      }
      k_ += 3;
    }
  }

  int read_count(const std::string& name, const Token& value) {
    if (to_lower(value.text) == "last") return 0;
    const double n = x_.number(x_.value(here_, value), value.where);
    constexpr double last = -1;
    if (n == last) return 0;
    if (!(n >= 1) || n > 1e9 || n != std::floor(n))
      throw Error(value.where, prefix() + name + " must be a whole number >= 1, or last");
    return static_cast<int>(n);
  }

  int read_quantity() {
    if (k_ >= card_.tokens.size()) throw Error(card_.first().where, prefix() + "a voltage or current is missing");
    if (const Token& word = card_.tokens[k_]; word.quoted && measure_.analysis != AnalysisKind::ac) {
      ++k_;
      return add_quantity({x_.add_expression(here_, word), "", k_});
    }
    const auto probe = x_.read_probe(card_, k_);
    if (!probe)
      throw Error(card_.tokens[k_].where,
                  prefix() + "\"" + card_.tokens[k_].text + "\" is no v(node), v(node,node) or i(element)");
    if (!probe->part.empty() && measure_.analysis != AnalysisKind::ac)
      throw Error(card_.tokens[k_].where, prefix() + card_.tokens[k_].text + "(…) is a quantity of .ac alone");
    k_ = probe->end;
    return add_quantity(*probe);
  }

  int add_quantity(const Expander::Probe& probe) {
    auto& all = x_.netlist_.quantities;
    for (std::size_t k = 0; k < all.size(); ++k)
      if (all[k].signal == probe.signal && all[k].part == probe.part) return static_cast<int>(k);
    all.push_back({probe.signal, probe.part});
    return static_cast<int>(all.size()) - 1;
  }

  bool has_word(const char* word) const { return k_ < card_.tokens.size() && to_lower(card_.tokens[k_].text) == word; }
  Token take(const char* what) {
    if (k_ >= card_.tokens.size()) throw Error(card_.first().where, prefix() + what + " was expected");
    return card_.tokens[k_++];
  }
  std::string prefix() const { return ".meas" + (measure_.name.empty() ? "" : " " + measure_.name) + ": "; }

  Expander& x_;
  const Card& card_;
  Element here_;
  std::size_t k_ = 1;
  Netlist::Measure measure_;
};

void Expander::read_measure(const Card& card) {
  std::optional<Netlist::Measure> m = MeasureReader(*this, card).read();
  if (!m) return;
  for (const Netlist::Measure& other : netlist_.measures)
    if (other.name == m->name) throw Error(card.tokens[2].where, "there are two measures " + card.tokens[2].text);
  netlist_.measures.push_back(std::move(*m));
}

/// .four frequency v(out) …: the Fourier series of the last period T of the run, as measures
///
///   v = dc + Σ mag_n sin(n ω (t − t₀) + phase_n),  t₀ = t_end − T,  thd = √(Σ_{n>1} mag_n²)/mag_1 in percent
///
/// from integrals of v sin and v cos that are as accurate as the run, with harmonics up to 9.
void Expander::read_fourier(const Card& card) {
  const auto& t = card.tokens;
  const Element here{&card, &instances_.front(), ""};
  constexpr int harmonics = 9;
  if (t.size() < 3) throw Error(card.first().where, ".four must be written .four frequency v(node) …");
  const double f = number(value(here, t[1]), t[1].where), period = 1 / f, begin = stop_ - period;
  if (!(f > 0)) throw Error(t[1].where, ".four: the frequency must be > 0");
  if (!(begin > -1e-9 * stop_))
    return note(t[1].where, ".four is left out: the run of " + format_short(stop_) + " s is shorter than a period of " +
                                format_short(period) + " s");
  const auto add = [&](const std::string& name, const std::string& expression, int column, bool is_inner) {
    Netlist::Measure m;
    m.name = name, m.where = card.first().where, m.is_inner = is_inner;
    if (!expression.empty()) m.expression = parse_value(as_expression(expression, card.first()));
    m.what = {.kind = Measure::Kind::integral, .column = column, .from = begin, .to = stop_};
    netlist_.measures.push_back(std::move(m));
  };
  const auto text = [](double x) { return "(" + format_number(x) + ")"; };
  for (std::size_t k = 2; k < t.size();) {
    const std::optional<Probe> probe = read_probe(card, k);
    if (!probe || !probe->part.empty())
      throw Error(t[k].where, ".four: \"" + t[k].text + "\" is no v(node), v(node,node) or i(element)");
    std::string signal, name = "four_";
    for (; k < probe->end; ++k) {
      const std::string word = to_lower(t[k].text);
      const bool is_sign = word == "(" || word == ")";
      // commas between nodes are spaces by now
      const bool is_first_node = signal.ends_with("(") && k + 2 < probe->end;
      signal += word + (is_first_node ? "," : "");
      if (is_sign) continue;
      if (!name.ends_with("_")) name += "_";
      for (const char c : word) name += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
    }
    const auto column = [&](const std::string& expression) {
      const std::string s = add_expression(here, as_expression(expression, card.first()));
      netlist_.quantities.push_back({s, ""});
      return static_cast<int>(netlist_.quantities.size()) - 1;
    };
    add(name + "_sum", "", column(signal), true);
    add(name + "_dc", text(f) + "*" + name + "_sum", 0, false);
    std::string squares = "0";
    for (int n = 1; n <= harmonics; ++n) {
      const std::string angle = "(" + text(2 * std::numbers::pi * n * f) + "*(time-" + text(begin) + "))",
                        number = std::to_string(n), s = name + "_s" + number, c = name + "_c" + number;
      add(s, "", column("(" + signal + ")*sin" + angle), true);
      add(c, "", column("(" + signal + ")*cos" + angle), true);
      const std::string mag = name + "_mag" + number;
      add(mag, text(2 * f) + "*hypot(" + s + "," + c + ")", 0, false);
      add(name + "_phase" + number, text(180 / std::numbers::pi) + "*atan2(" + c + "," + s + ")", 0, false);
      if (n > 1) squares += "+" + mag + "*" + mag;
    }
    add(name + "_thd", "100*sqrt(" + squares + ")/" + name + "_mag1", 0, false);
  }
}

/// Parameters are put in place; the other names are those of measures.
void Expander::finish_measures() {
  for (Netlist::Measure& m : netlist_.measures) {
    const char* card = m.analysis == AnalysisKind::transient ? ".tran" : m.analysis == AnalysisKind::ac ? ".ac" : ".dc";
    if (std::none_of(netlist_.analyses.begin(), netlist_.analyses.end(),
                     [&](const Netlist::Analysis& a) { return a.kind == m.analysis; }))
      note(m.where, ".meas " + m.name + " is not taken: there is no " + card + " card");
    if (!m.expression) continue;
    const auto find = [&](const std::string& name) -> ExpressionPtr {
      for (const Netlist::Measure& other : netlist_.measures) {
        if (other.name != name || &other == &m) continue;
        auto symbol = std::make_shared<Expression>();
        symbol->kind = Expression::Kind::name;
        symbol->text = name;
        return symbol;
      }
      const ExpressionPtr parameter = find_name(instances_.front(), name);
      return parameter ? make_number(number(parameter, m.where)) : nullptr;
    };
    try {
      m.expression = spice::resolve(m.expression, {find, make_scope(instances_.front()).find_function});
      if (is_varying(m.expression))
        throw Error(m.where, ".meas " + m.name + ": an expression may hold other measures and parameters, no signals");
    } catch (const Error& e) {
      errors_.add(e);
    }
  }
}

}  // namespace coenergy::io::spice

namespace coenergy::io {

double compute_measure(const Netlist::Measure& measure, const std::map<std::string, double>& others) {
  const spice::ExpressionPtr e = spice::resolve(measure.expression, {[&](const std::string& name) {
                                                                       const auto place = others.find(name);
                                                                       if (place == others.end())
                                                                         throw Error(name + " has no value");
                                                                       return spice::make_number(place->second);
                                                                     },
                                                                     {}});
  return e->value;
}

}  // namespace coenergy::io
