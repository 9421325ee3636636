// The cards that say what to compute: .tran, .ac, .dc, .op, .tf, .noise, .ic, .nodeset, .options
#include <algorithm>
#include <cmath>

#include "coenergy/base/names.hpp"
#include "coenergy/io/spice_expander.hpp"
#include "coenergy/io/spice_steps.hpp"
#include "coenergy/solve/options.hpp"

namespace coenergy::io::spice {

using model::Value;

namespace {

const Instance* top(const std::list<Instance>& instances) { return &instances.front(); }

}  // namespace

/// .tran step stop [start [largest step]], and as LTspice has it with a step of zero, or with the stop alone: rows then
/// are a thousandth of the run apart.
Expander::TransientTimes Expander::read_transient_times(const Card& card) {
  constexpr double rows = 1000;
  const Element here{&card, top(instances_), ""};
  std::vector<Token> words;
  TransientTimes times;
  for (std::size_t k = 1; k < card.tokens.size(); ++k) {
    const std::string word = to_lower(card.tokens[k].text);
    if (word == "uic")
      times.given = true;
    else if (word == "startup" || word == "steady" || word == "step" || word == "nodiscard")
      throw Error(card.tokens[k].where, ".tran: the word " + word + " is not understood; leave it out");
    else if (word == "op" && k > 1)
      continue;
    else
      words.push_back(card.tokens[k]);
  }
  if (words.empty() || words.size() > 4)
    throw Error(card.first().where, ".tran must be written .tran step stop [start [largest step]] [uic]");
  const auto time = [&](std::size_t k) { return number(value(here, words[k]), words[k].where); };
  const bool alone = words.size() == 1;
  const Token& stop = words[alone ? 0 : 1];
  times.stop_text = stop, times.step_text = words[0];
  times.stop = number(value(here, stop), stop.where);
  if (!(times.stop > 0)) throw Error(stop.where, ".tran: the time to stop must be > 0");
  times.step = alone ? 0 : time(0);
  if (!(times.step >= 0) || times.step > times.stop)
    throw Error(words[0].where, ".tran: the step must not be negative, nor beyond the end");
  if (times.step == 0) times.step = times.stop / rows, times.step_text.reset();
  if (words.size() > 2) times.start = time(2), times.start_text = words[2];
  if (!(times.start >= 0) || !(times.start < times.stop))
    throw Error(words[2].where, ".tran: the start of the record must be within the run");
  if (words.size() > 3 && time(3) > 0) times.largest = words[3];
  return times;
}

/// The times of .tran are needed before the elements: they are defaults of pulses.
void Expander::read_times() {
  for (const Card& card : cards_.controls) {
    if (to_lower(card.first().text) != ".tran") continue;
    try {
      const TransientTimes times = read_transient_times(card);
      step_ = times.step, stop_ = times.stop;
      break;
    } catch (const Error&) {
      // reported when the card is read
    }
  }
}

/// Options that are the defaults of elements.
static bool is_of_elements(const std::string& name) {
  for (const char* known : {"scale", "defw", "defl", "defad", "defas", "gmin"})
    if (name == known) return true;
  return false;
}

/// .temp and the options that elements depend on are needed before them; the last one counts.
void Expander::read_early_options() {
  wants_noise_ = std::any_of(cards_.controls.begin(), cards_.controls.end(),
                             [](const Card& card) { return to_lower(card.first().text) == ".noise"; });
  const auto read = [&](const Card& card, std::size_t k, double& temperature) {
    const double celsius = number(value({&card, top(instances_), ""}, card.tokens[k]), card.tokens[k].where);
    if (!(celsius > -273.15))
      throw Error(card.tokens[k].where,
                  "the temperature " + card.tokens[k].text + " must be > -273.15 (degrees Celsius)");
    temperature = celsius;
  };
  for (const Card& card : cards_.controls) {
    const std::string word = to_lower(card.first().text);
    const auto& t = card.tokens;
    try {
      if (word == ".temp") {
        if (t.size() != 2) throw Error(card.first().where, ".temp must be written .temp value, with one value");
        read(card, 1, temperature_);
      } else if (word.starts_with(".opt")) {
        for (std::size_t k = 1; k + 2 < t.size(); ++k) {
          if (!t[k + 1].is("=")) continue;
          if (to_lower(t[k].text) == "temp") read(card, k + 2, temperature_);
          if (to_lower(t[k].text) == "tnom") read(card, k + 2, nominal_temperature_);
          if (const std::string name = to_lower(t[k].text); is_of_elements(name)) {
            options_[name] = number(value({&card, top(instances_), ""}, t[k + 2]), t[k + 2].where);
            if (!(options_[name] > 0) && name != "defad" && name != "defas" && name != "gmin")
              throw Error(t[k + 2].where, ".options: " + name + " must be > 0");
            if (!(options_[name] >= 0)) throw Error(t[k + 2].where, ".options: " + name + " must not be negative");
          }
        }
      }
    } catch (const Error& e) {
      errors_.add(e);
    }
  }
  if (cards_.temperature) temperature_ = *cards_.temperature;
}

/// .ic v(a)=1 v(b)=2, and .nodeset likewise
std::map<std::string, double> Expander::read_voltages(const std::string& word) {
  std::map<std::string, double> voltages;
  const auto read = [&](const Card& card, const Instance& instance) {
    if (to_lower(card.first().text) != word) return;
    const auto& t = card.tokens;
    const Element here{&card, &instance, ""};
    try {
      for (std::size_t k = 1; k < t.size(); k += 6) {
        const bool good =
            k + 5 < t.size() && to_lower(t[k].text) == "v" && t[k + 1].is("(") && t[k + 3].is(")") && t[k + 4].is("=");
        if (!good)
          throw Error(t[k].where, "\"" + t[k].text + "\" is not understood; " + word + " must be written " + word +
                                      " v(node)=value");
        const bool is_inner = t[k + 2].text.find('.') != std::string::npos;
        voltages[is_inner ? find_inner(t[k + 2], true) : find_node(instance, to_lower(t[k + 2].text), t[k + 2].where)] =
            number(value(here, t[k + 5]), t[k + 5].where);
      }
    } catch (const Error& e) {
      errors_.add(e);
    }
  };
  for (const Card& card : cards_.controls) read(card, instances_.front());
  for (const Instance& instance : instances_)
    for (const Card& card : instance.definition->starts) read(card, instance);
  return voltages;
}

/// simulate.hold or simulate.guess
void Expander::add_start_voltages(const char* entry, const std::map<std::string, double>& voltages) {
  Value map;
  map.kind = Value::Kind::map;
  for (const auto& [node, voltage] : voltages)
    if (node != "gnd") map.map.emplace_back(node, quantity(voltage, "V", {}));
  if (!map.map.empty()) netlist_.model.simulate.emplace_back(entry, std::move(map));
}

void Expander::read_controls() {
  add_start_voltages("hold", initial_);
  add_start_voltages("guess", guess_);
  for (const Card& card : cards_.controls) {
    try {
      read_control(card);
    } catch (const Error& e) {
      if (card.is_command)
        for (const Error::Item& item : e.items()) note(item.where, item.text);
      else
        errors_.add(e);
    }
  }
  finish_measures();
  finish_saves();
}

void Expander::read_control(const Card& card) {
  const std::string word = to_lower(card.first().text);
  if (word == ".tran") return read_transient(card);
  if (word == ".ac") return read_ac(card);
  if (word == ".dc") return read_dc(card);
  if (word == ".tf") return read_transfer(card);
  if (word == ".noise") return read_noise(card);
  if (word == ".op") {
    netlist_.analyses.push_back({Netlist::Analysis::Kind::op, {}, {}, card.first().where, "", ""});
  } else if (word == ".print" || word == ".plot") {
    read_plot(card);
  } else if (word == ".save") {
    read_save(card);
  } else if (word == ".meas" || word == ".measure") {
    read_measure(card);
  } else if (word == ".four") {
    read_fourier(card);
  } else if (word != ".ic" && word != ".nodeset" && word != ".temp") {
    read_options(card);
  }
}

/// One card is a run; a command that says the same is none.
void Expander::read_transient(const Card& card) {
  const TransientTimes times = read_transient_times(card);
  for (const auto& [name, value] : netlist_.model.simulate) {
    if (name != "t_end") continue;
    if (!card.is_command) throw Error(card.first().where, "there are two .tran cards");
    if (times.step != step_ || times.stop != stop_)
      note(card.first().where, "a second .tran is left out; one run is made of a netlist");
    return;
  }
  const Element here{&card, top(instances_), ""};
  auto& options = netlist_.model.simulate;
  const auto add = [&](const char* option, const ExpressionPtr& e, const Token& token) {
    options.emplace_back(option, quantity(here, e, "s", token.where));
  };
  const ExpressionPtr step = times.step_text ? value(here, *times.step_text) : make_number(times.step);
  add("t_end", value(here, times.stop_text), times.stop_text);
  add("output_step", step, times.step_text ? *times.step_text : times.stop_text);
  if (times.start > 0)
    note(times.start_text->where, "the run is recorded from its start, not from " + times.start_text->text);
  // without a largest step a step spans at most two rows, so that nothing between them is skipped
  if (times.largest)
    add("max_step", value(here, *times.largest), *times.largest);
  else
    add("max_step", resolve(here, make_binary("*", make_number(2), step)), times.step_text.value_or(times.stop_text));
  if (std::none_of(options.begin(), options.end(), [](const auto& entry) { return entry.first == "method"; }))
    options.emplace_back("method", Value("radau"));
  netlist_.analyses.push_back({Netlist::Analysis::Kind::transient, {}, {}, card.first().where, "", ""});
  if (times.given) return;
  options.emplace_back("start", Value("steady"));
}

/// A method of this program, and none of SPICE (gear, trap), of which it has no equal.
static bool is_own_method(const std::string& name) {
  const auto& names = solve::method_names();
  return std::find(names.begin(), names.end(), solve::canonical_method(name)) != names.end();
}

void Expander::read_options(const Card& card) {
  const Element here{&card, top(instances_), ""};
  std::string ignored;
  for (std::size_t k = 1; k < card.tokens.size(); ++k) {
    const std::string name = to_lower(card.tokens[k].text);
    const bool has_value = k + 2 < card.tokens.size() && card.tokens[k + 1].is("=");
    if (has_value && (name == "reltol" || name == "vntol")) {
      netlist_.model.simulate.emplace_back(
          name == "reltol" ? "rtol" : "atol",
          quantity(here, value(here, card.tokens[k + 2]), "", card.tokens[k + 2].where));
    } else if (has_value && name == "method" && is_own_method(to_lower(card.tokens[k + 2].text))) {
      auto& simulate = netlist_.model.simulate;
      std::erase_if(simulate, [](const auto& entry) { return entry.first == "method"; });
      simulate.emplace_back("method", Value(to_lower(card.tokens[k + 2].text)));
    } else if (has_value && (name == "temp" || name == "tnom" || is_of_elements(name))) {
      // read before the elements
    } else {
      ignored += (ignored.empty() ? "" : ", ") + name;
    }
    if (has_value) k += 2;
  }
  if (!ignored.empty()) note(card.first().where, "options left out: " + ignored);
}

/// dec points from to, from a word on
Netlist::AcAnalysis Expander::read_frequencies(const Card& card, std::size_t k) {
  const auto& t = card.tokens;
  const std::string name = to_lower(t[0].text);
  const std::string spacing = t.size() > k ? to_lower(t[k].text) : "";
  if (t.size() < k + 4 || (spacing != "dec" && spacing != "oct" && spacing != "lin"))
    throw Error(card.first().where, name + " must be written " + name + (k > 1 ? " v(node) source" : "") +
                                        " dec points from to (or oct, lin)");
  const Element here{&card, top(instances_), ""};
  Netlist::AcAnalysis ac{spacing, 0, number(value(here, t[k + 2]), t[k + 2].where),
                         number(value(here, t[k + 3]), t[k + 3].where)};
  const double points = number(value(here, t[k + 1]), t[k + 1].where);
  if (!(points >= 1) || points > 1e6 || points != std::floor(points))
    throw Error(t[k + 1].where, name + ": the number of points must be a whole number >= 1");
  if (!(ac.from >= 0) || !(ac.to >= ac.from)) throw Error(t[k + 2].where, name + ": the frequencies must increase");
  if (spacing != "lin" && !(ac.from > 0)) throw Error(t[k + 2].where, name + ": the first frequency must be > 0");
  ac.points = static_cast<int>(points);
  return ac;
}

/// .ac dec points from to
void Expander::read_ac(const Card& card) {
  const Netlist::AcAnalysis ac = read_frequencies(card, 1);
  if (card.tokens.size() > 5) throw Error(card.tokens[5].where, ".ac: \"" + card.tokens[5].text + "\" is too much");
  netlist_.analyses.push_back({Netlist::Analysis::Kind::ac, ac, {}, card.first().where, "", ""});
}

/// v(a), v(a,b) or i(V1), and a source behind it
Netlist::Analysis Expander::read_output_and_input(const Card& card, Netlist::Analysis::Kind kind, std::size_t& next) {
  const auto& t = card.tokens;
  const std::string name = to_lower(t[0].text);
  Netlist::Analysis analysis{kind, {}, {}, card.first().where, "", ""};
  const std::optional<Probe> probe = t.size() > 1 ? read_probe(card, 1) : std::nullopt;
  if (!probe || !probe->part.empty() || probe->end >= t.size())
    throw Error(card.first().where, name + " must be written " + name + " v(node) source" +
                                        (kind == Netlist::Analysis::Kind::noise ? " dec points from to" : ""));
  const Token& source = t[probe->end];
  analysis.output = probe->signal;
  analysis.input = find_element(instances_.front(), to_lower(source.text), source.where);
  const auto is_it = [&](const Netlist::Source& s) { return s.component == analysis.input; };
  if (std::none_of(netlist_.sources.begin(), netlist_.sources.end(), is_it))
    throw Error(source.where, name + ": " + source.text + " is no independent voltage or current source");
  next = probe->end + 1;
  return analysis;
}

/// .tf v(out) source
void Expander::read_transfer(const Card& card) {
  std::size_t next = 0;
  Netlist::Analysis analysis = read_output_and_input(card, Netlist::Analysis::Kind::transfer, next);
  if (next < card.tokens.size())
    throw Error(card.tokens[next].where, ".tf: \"" + card.tokens[next].text + "\" is too much");
  netlist_.analyses.push_back(std::move(analysis));
}

/// .noise v(out) source dec points from to; a number behind it asks for a summary that is not made
void Expander::read_noise(const Card& card) {
  std::size_t next = 0;
  Netlist::Analysis analysis = read_output_and_input(card, Netlist::Analysis::Kind::noise, next);
  analysis.ac = read_frequencies(card, next);
  if (!(analysis.ac.from > 0)) throw Error(card.tokens[next + 2].where, ".noise: the first frequency must be > 0");
  netlist_.analyses.push_back(std::move(analysis));
}

/// .dc source from to step, and further ones with the same; also list, dec and oct, and values of the netlist
void Expander::read_dc(const Card& card) {
  const auto& t = card.tokens;
  const Element here{&card, top(instances_), ""};
  Netlist::Analysis analysis{Netlist::Analysis::Kind::dc, {}, {}, card.first().where, "", ""};
  for (std::size_t k = 1; k < t.size();) {
    Sweep read = read_sweep(card, k, cards_, [&](const Token& w) { return number(value(here, w), w.where); });
    Netlist::Sweep sweep{read.names, "", std::move(read.rows)};
    const auto is_storage = [&](const std::string& name) {
      return (name[0] == 'c' || name[0] == 'l') && element_names_.count(name) != 0;
    };
    const bool is_source = sweep.names.size() == 1 && std::string("vir").find(sweep.names[0][0]) != std::string::npos;
    if (is_source && sweep.names[0].find(':') == std::string::npos &&
        cards_.top->parameters.count(sweep.names[0]) == 0) {
      sweep.component = find_element(*here.instance, sweep.names[0], t[k].where);
      sweep.names[0] = sweep.component;
    }
    for (const std::string& name : sweep.names)
      if (sweep.component.empty() && (!has_value(cards_, name) || is_storage(name)))
        throw Error(t[k].where,
                    ".dc: \"" + t[k].text + "\" is no voltage source, current source or resistor, nor a parameter");
    analysis.sweeps.push_back(std::move(sweep));
    k = read.end;
  }
  if (analysis.sweeps.empty()) throw Error(card.first().where, ".dc must be written .dc source from to step");
  netlist_.analyses.push_back(std::move(analysis));
}

}  // namespace coenergy::io::spice
