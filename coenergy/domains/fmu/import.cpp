#include "coenergy/domains/fmu/import.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <memory>
#include <mutex>

#include "coenergy/base/error.hpp"
#include "coenergy/base/names.hpp"
#include "coenergy/base/units.hpp"
#include "coenergy/fmi/session.hpp"

namespace coenergy::domains::fmu {
namespace {

using fmi::Session;

/// Sessions by number, for the functions that equations call: these know numbers alone. A session of the same FMU with
/// the same settings serves every compilation of a component.
struct Sessions {
  std::recursive_mutex mutex;
  std::map<std::string, int> numbers;
  std::vector<std::unique_ptr<Session>> all;
};
Sessions& sessions() {
  static Sessions known;
  return known;
}

/// What a call wants. Its arguments are session, what, which, memory, time, step; then states and inputs.
enum Wanted { memory, next_event, output, rate, indicator };
constexpr int fixed_arguments = 6;

double pick(const Session::Answer& answer, const double* a) {
  const auto which = static_cast<std::size_t>(a[2]);
  switch (static_cast<int>(a[1])) {
    case memory:
      return answer.memory;
    case next_event:
      return std::min(answer.next, 1e300);
    case output:
      return answer.outputs[which];
    case rate:
      return answer.rates[which];
    default:
      return answer.indicators[which];
  }
}

/// Calls of an exchanged model, its events, and steps of a co-simulation.
enum class Call { evaluate, event, step, look };
template <Call kind>
double call(const double* a) {
  Sessions& known = sessions();
  const std::lock_guard lock(known.mutex);
  Session& session = *known.all[static_cast<std::size_t>(a[0])];
  const auto states = static_cast<std::ptrdiff_t>(session.description().derivatives.size()),
             inputs = static_cast<std::ptrdiff_t>(session.inputs().size());
  const double* const rest = a + fixed_arguments;
  if constexpr (kind == Call::look) return pick(session.at(a[3]), a);
  if constexpr (kind == Call::step) return pick(session.step(a[3], a[4], a[5], {rest, rest + inputs}), a);
  const std::vector<double> x(rest, rest + states), u(rest + states, rest + states + inputs);
  if constexpr (kind == Call::event) return pick(session.event(a[3], a[4], x, u), a);
  return pick(session.evaluate(a[3], a[4], x, u), a);
}

std::string name_of(std::string name) {
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0 && c != '_'; }, '_');
  return name;
}

/// A unit of the FMU: SI name and how its values become SI; what is not defined there has none.
struct Scale {
  std::string unit;
  double factor = 1, offset = 0;
};
Scale scale_of(const fmi::Description& d, const fmi::Variable& v) {
  for (const fmi::Unit& unit : d.units)
    if (unit.name == v.unit && unit.has_base) {
      // kg m s A K mol cd rad there, m kg s A K mol cd here
      const int* e = unit.exponents;
      const std::string name = unit_name(Dimension{{e[1], e[0], e[2], e[3], e[4], e[5], e[6]}});
      return {name == "1" ? (e[7] == 1 ? "rad" : "") : name, unit.factor, unit.offset};
    }
  return {};
}

class Importer {
 public:
  Importer(Equations& eq, const Import& c) : eq_(eq), c_(c) {}

  void write() {
    number_ = open();
    const fmi::Description& d = session_->description();
    take_inputs(d);
    session_->kind() == fmi::Kind::exchange ? write_exchange(d) : write_cosimulation(d);
  }

 private:
  int open() {
    const std::string file = eq_.path(eq_[c_.file]), kind = eq_[c_.kind], start = eq_[c_.start];
    Sessions& known = sessions();
    const std::lock_guard lock(known.mutex);
    const auto [place, is_new] = known.numbers.emplace(file + "\n" + kind + "\n" + start + "\n" + eq_.component(), -1);
    if (is_new) {
      try {
        const std::optional<fmi::Kind> wanted = kind == "me"   ? std::optional(fmi::Kind::exchange)
                                                : kind == "cs" ? std::optional(fmi::Kind::cosimulation)
                                                               : std::nullopt;
        std::vector<fmi::Slave::Setting> settings;
        if (start != "none") settings = read_settings(file, start);
        known.all.push_back(std::make_unique<Session>(file, wanted, settings));
        known.all.back()->start_states();
      } catch (...) {
        known.numbers.erase(place);
        throw;
      }
      place->second = static_cast<int>(known.all.size()) - 1;
    }
    session_ = known.all[static_cast<std::size_t>(place->second)].get();
    return place->second;
  }

  /// "m=2, c.k=30".
  std::vector<fmi::Slave::Setting> read_settings(const std::string& file, const std::string& text) const {
    const fmi::Archive archive(file);
    const fmi::Description d = fmi::read_description(archive.folder(), file);
    std::vector<std::string> known;
    for (const fmi::Variable& v : d.variables) known.push_back(v.name);
    std::vector<fmi::Slave::Setting> settings;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = std::min(text.find(',', at), text.size()), equals = text.find('=', at);
      const auto trim = [](std::string word) {
        word.erase(0, std::min(word.find_first_not_of(' '), word.size()));
        word.erase(word.find_last_not_of(' ') + 1);
        return word;
      };
      if (equals == std::string::npos || equals > end)
        eq_.refuse("start = " + text + " must be name=number, name=number");
      const std::string name = trim(text.substr(at, equals - at)),
                        number = trim(text.substr(equals + 1, end - equals - 1));
      const int k = d.find(name);
      if (k < 0) eq_.refuse("start: the FMU has no variable \"" + name + "\"" + did_you_mean(name, known));
      double value = 0;
      const auto read = std::from_chars(number.data(), number.data() + number.size(), value);
      if (read.ec != std::errc() || read.ptr != number.data() + number.size())
        eq_.refuse("start: " + name + " = " + number + " is no number");
      const fmi::Variable& v = d.variables[static_cast<std::size_t>(k)];
      if (v.initial != "exact" && v.initial != "approx" && v.causality != "input")
        eq_.refuse("start: " + name + " cannot be set: it is calculated");
      settings.push_back({k, value});
      at = end + 1;
    }
    return settings;
  }

  void take_inputs(const fmi::Description& d) {
    const std::vector<int>& all = session_->inputs();
    std::string names;
    for (const int k : all) names += (names.empty() ? "" : ", ") + d.variables[static_cast<std::size_t>(k)].name;
    if (eq_.has(c_.inputs)) {
      u_ = eq_[c_.inputs];
      if (u_.size() != all.size())
        eq_.refuse("inputs has " + std::to_string(u_.size()) + " entries, but the FMU has " +
                   std::to_string(all.size()) + " inputs" + (names.empty() ? "" : ": " + names));
    }
    for (std::size_t k = 0; k < all.size(); ++k) {
      const fmi::Variable& v = d.variables[static_cast<std::size_t>(all[k])];
      if (!eq_.has(c_.inputs)) {
        const double start = v.start == "true" ? 1 : std::strtod(v.start.c_str(), nullptr);
        u_.emplace_back(start);
      } else if (const Scale s = scale_of(d, v); s.factor != 1 || s.offset != 0) {
        u_[k] = (u_[k] - s.offset) / s.factor;
      }
    }
  }

  Expr ask(Call kind, Wanted what, std::size_t which, const Expr& memory, const Expr& step,
           const std::vector<Expr>& x) {
    auto function = std::make_shared<symbolic::External>();
    function->name = name_of(eq_.component());
    function->value = kind == Call::evaluate ? call<Call::evaluate>
                      : kind == Call::event  ? call<Call::event>
                      : kind == Call::step   ? call<Call::step>
                                             : call<Call::look>;
    std::vector<Expr> arguments{
        double(number_), double(what), double(which), memory, kind == Call::look ? Expr(0) : eq_.time(), step};
    arguments.insert(arguments.end(), x.begin(), x.end());
    if (kind != Call::look) arguments.insert(arguments.end(), u_.begin(), u_.end());
    function->arity = static_cast<int>(arguments.size());
    return eq_.graph().external(std::move(function), arguments);
  }

  void show(const fmi::Description& d, std::size_t k, const Expr& value) {
    const fmi::Variable& v = d.variables[static_cast<std::size_t>(session_->outputs()[k])];
    const Scale s = scale_of(d, v);
    eq_.output(name_of(v.name), s.unit, value * s.factor + s.offset);
  }

  void write_exchange(const fmi::Description& d) {
    if (eq_.has(c_.step)) eq_.refuse("step has no effect with model exchange");
    const std::vector<double>& start = session_->start_states();
    std::vector<State> states;
    std::vector<Expr> x;
    for (std::size_t i = 0; i < start.size(); ++i) {
      const fmi::Variable& rate = d.variables[static_cast<std::size_t>(d.derivatives[i].variable)];
      const std::string name = d.variables[static_cast<std::size_t>(rate.derivative_of)].name;
      states.push_back(eq_.make_state("state_" + name_of(name), "", start[i]));
      x.push_back(eq_[states.back()]);
    }
    const Discrete memory_now = eq_.make_discrete("memory", "", 0);
    const Expr m = eq_[memory_now];
    for (std::size_t i = 0; i < states.size(); ++i)
      eq_.zero(states[i], eq_.der(states[i]) - ask(Call::evaluate, rate, i, m, 0, x));
    for (std::size_t k = 0; k < session_->outputs().size(); ++k) show(d, k, ask(Call::evaluate, output, k, m, 0, x));
    for (int k = 0; k < d.event_indicators; ++k)
      eq_.indicator("event " + std::to_string(k + 1), ask(Call::evaluate, indicator, std::size_t(k), m, 0, x));
    eq_.indicator("time event", eq_.time() - ask(Call::look, next_event, 0, m, 0, {}));
    eq_.mode(memory_now, ask(Call::event, memory, 0, m, 0, x));
  }

  void write_cosimulation(const fmi::Description& d) {
    if (!eq_.has(c_.step) && !d.step) eq_.refuse("step is missing: the FMU names none; give step: 1 ms");
    const Expr h = eq_.has(c_.step) ? eq_[c_.step] : Expr(*d.step);
    const Discrete memory_now = eq_.make_discrete("memory", "", 0);
    const Expr m = eq_[memory_now];
    for (std::size_t k = 0; k < session_->outputs().size(); ++k) show(d, k, ask(Call::look, output, k, m, 0, {}));
    eq_.require("answer", m * Session::broken - 0.5, "the FMU does not answer any more");
    eq_.sample(memory_now, h, 0, ask(Call::step, memory, 0, m, h, {}));
  }

  Equations& eq_;
  const Import& c_;
  Session* session_ = nullptr;
  int number_ = 0;
  std::vector<Expr> u_;
};

}  // namespace

void Import::equations(Equations& eq) const { Importer(eq, *this).write(); }

}  // namespace coenergy::domains::fmu
