#include "coenergy/io/spice_expander.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "coenergy/base/names.hpp"

namespace coenergy::io::spice {

namespace {

template <class Names>
std::vector<std::string> sorted_keys(const Names& names) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : names) keys.emplace_back(key);
  std::sort(keys.begin(), keys.end());
  return keys;
}

/// Behind the name of the subcircuit that an X element uses, which is the last word before name=value.
std::size_t end_of_use(const std::vector<Token>& t) {
  for (std::size_t k = 1; k < t.size(); ++k) {
    if (t[k].is("=")) return k - 1;
    if (to_lower(t[k].text) == "params:") return k;
  }
  return t.size();
}

/// How many words behind the name of an element are nodes.
std::size_t count_nodes(const std::vector<Token>& t) {
  switch (std::tolower(static_cast<unsigned char>(t[0].text[0]))) {
    case 'k':
      return 0;
    case 'e':
    case 'g':
      // controlled by two nodes and a number, unless a word or an expression stands there
      return t.size() == 6 && !t[3].quoted && !t[4].is("=") ? 4 : 2;
    case 's':
    case 'm':
      return 4;
    case 'j':
    case 'z':
      return 3;
    case 'q':
      return t.size() > 5 && parse_number(t[5].text) == std::nullopt && !t[5].is("=") ? 4 : 3;
    case 'x':
      return end_of_use(t) > 2 ? end_of_use(t) - 2 : 0;
    default:
      return 2;
  }
}

}  // namespace

Expander::Expander(const Cards& cards, Netlist& netlist, ErrorList& errors)
    : cards_(cards), netlist_(netlist), errors_(errors) {}

void Expander::run() {
  netlist_.model.title = cards_.title;
  netlist_.notes = cards_.notes;
  instances_.push_back({cards_.top.get(), nullptr, nullptr, "", {}, {}});
  name_parameters();
  read_early_options();
  read_parameters();
  read_times();
  const std::size_t count = cards_.top->elements.size();
  element_names_.reserve(count), taken_.reserve(2 * count), elements_.reserve(count);
  netlist_.model.components.reserve(count);
  register_names(instances_.front());
  if (is_too_large_) return;
  initial_ = read_voltages(".ic");
  guess_ = read_voltages(".nodeset");
  for (const Use& use : elements_) {
    try {
      const Card card{*use.line, split_tokens(*use.line)};
      work_ = 0;
      write_element({&card, use.instance, std::string(use.name)});
    } catch (const Error& error) {
      add_error(error, use.line->where);
    }
  }
  read_controls();
}

void Expander::add_error(const Error& error, const Location& where) {
  if (error.items().size() == 1 && !error.items()[0].where.known())
    errors_.add(where, error.items()[0].text);
  else
    errors_.add(error);
}

void Expander::note(const Location& where, const std::string& text) {
  std::string whole = where.text() + ": " + text;
  if (notes_.insert(whole).second) netlist_.notes.push_back(std::move(whole));
}

// ---- names

std::string_view Expander::keep(std::string_view text) {
  char* const place = static_cast<char*>(memory_.allocate(text.size(), 1));
  std::copy(text.begin(), text.end(), place);
  return {place, text.size()};
}

std::string_view Expander::make_name(const std::string& wanted, const std::string& fallback_prefix) {
  std::string name;
  for (char c : wanted) name += std::isalnum(static_cast<unsigned char>(c)) || c == '_' ? c : '_';
  static const std::set<std::string> reserved = {"gnd", "ground", "world", "time", "simulate", "pi", "true", "false"};
  const bool is_usable = is_identifier(name) && reserved.count(name) == 0;
  std::string unique = name;
  if (!is_usable || taken_.count(name) != 0) {
    unique = name = fallback_prefix + name;
    for (int k = 2; taken_.count(unique) != 0; ++k) unique = name + "_" + std::to_string(k);
  }
  return *taken_.insert(keep(unique)).first;
}

void Expander::register_names(Instance& instance) {
  for (const Line& line : instance.definition->elements) {
    const std::string name = first_word(line);
    const std::string path = to_lower(instance.prefix + name);
    try {
      if (element_names_.count(path) != 0) throw Error(line.where, "there are two elements " + name);
      std::string_view& component = element_names_[keep(path)];
      if (std::tolower(static_cast<unsigned char>(name[0])) == 'x') {
        begin_instance(instance, {line, split_tokens(line)});
        continue;
      }
      component = make_name(instance.prefix + name, "e_");
      elements_.push_back({&line, &instance, component});
    } catch (const Error& error) {
      add_error(error, line.where);
    }
  }
}

namespace {
constexpr int deepest = 100;           // subcircuits in subcircuits
constexpr double most_elements = 2e6;  // of all subcircuits in use
}  // namespace

/// Elements and subcircuits in one use of a definition, counted without expanding it.
double Expander::count_elements(const Definition& d, int depth) {
  const auto [place, is_new] = sizes_.try_emplace(&d, 0.0);  // zero while open: what contains itself is refused anyway
  if (!is_new || depth > deepest) return place->second;
  double sum = 1;
  for (const Line& line : d.elements) {
    sum += 1;
    if (std::tolower(static_cast<unsigned char>(first_word(line)[0])) != 'x') continue;
    const std::vector<Token> t = split_tokens(line);
    const std::size_t end = end_of_use(t);
    const Definition* inner = end < 2 ? nullptr : d.find_subcircuit(to_lower(t[end - 1].text));
    if (inner != nullptr) sum += count_elements(*inner, depth + 1);
  }
  return place->second = sum;
}

/// Refuses subcircuits that would never end, or would be too many.
void Expander::check_use(const Instance& user, const Definition& d, const Token& name) {
  int depth = 0;
  for (const Instance* i = &user; i != nullptr; i = i->user, ++depth)
    if (i->definition == &d) throw Error(name.where, "the subcircuit " + d.name + " contains itself");
  if (depth > deepest)
    throw Error(name.where, "subcircuits in subcircuits, more than " + std::to_string(deepest) + " deep");
  if (user.user != nullptr || (total_ += count_elements(d, 0)) <= most_elements) return;
  is_too_large_ = true;
  throw Error(name.where, fmt::format("the subcircuits have more than {:.0f} elements", most_elements));
}

void Expander::begin_instance(const Instance& outer, const Card& card) {
  if (is_too_large_) return;
  work_ = 0;
  const auto& t = card.tokens;
  std::size_t last = end_of_use(t);
  if (last < 2) throw Error(t[0].where, t[0].text + " has no subcircuit");
  const Token& name = t[last - 1];
  const Definition* d = outer.definition->find_subcircuit(to_lower(name.text));
  if (d == nullptr) {
    std::vector<std::string> known;
    for (const Definition* s = outer.definition; s != nullptr; s = s->parent)
      for (const auto& [key, other] : s->subcircuits) known.push_back(key);
    throw Error(name.where, "there is no subcircuit \"" + name.text + "\"" + did_you_mean(to_lower(name.text), known));
  }
  check_use(outer, *d, t[0]);

  const Element here{&card, &outer, ""};
  Instance instance{d, &outer, &outer, outer.prefix + t[0].text + "_", {}, {}, outer.multiplier};
  while (instance.outer->definition != d->parent) instance.outer = instance.outer->outer;
  std::vector<Token> pins;
  for (std::size_t k = 1; k + 1 < last; ++k)
    if (!t[k].is("(") && !t[k].is(")")) pins.push_back(t[k]);
  if (pins.size() != d->pins.size())
    throw Error(t[0].where, t[0].text + " has " + std::to_string(pins.size()) + " nodes; the subcircuit " + d->name +
                                " has " + std::to_string(d->pins.size()));
  for (std::size_t k = 0; k < pins.size(); ++k) instance.nodes[d->pins[k]] = node(here, pins[k]);
  for (const Assignment& a : d->defaults)
    instance.values[a.name] = spice::resolve(a.value, make_scope(*instance.outer));
  if (last < t.size() && to_lower(t[last].text) == "params:") ++last;
  for (const Assignment& a : parse_assignments(card, last, t.size())) {
    const bool is_own = d->parameters.count("m") != 0 || std::any_of(d->defaults.begin(), d->defaults.end(),
                                                                     [](const auto& x) { return x.name == "m"; });
    if (a.name == "m" && !is_own) {
      const double count = number(resolve(here, a.value), a.where);
      if (!(count > 0)) throw Error(a.where, t[0].text + ": m must be > 0");
      instance.multiplier *= count;
    } else {
      instance.values[a.name] = resolve(here, a.value);
    }
  }
  instances_.push_back(std::move(instance));
  register_names(instances_.back());
}

std::string Expander::node(const Element& e, const Token& token) {
  if (token.is("(") || token.is(")") || token.is("="))
    throw Error(token.where, e.tokens()[0].text + ": a node was expected, not \"" + token.text + "\"");
  const std::string name = to_lower(token.text);
  if (name == "0" || name == "gnd") return "gnd";
  if (auto pin = e.instance->nodes.find(name); pin != e.instance->nodes.end()) return pin->second;
  const std::string prefix = cards_.globals.count(name) != 0 ? "" : e.instance->prefix;
  const std::string path = to_lower(prefix) + name;
  if (const auto place = node_names_.find(path); place != node_names_.end()) return std::string(place->second);
  const std::string_view label = node_names_[keep(path)] = make_name(prefix + token.text, "n_");
  netlist_.nodes.emplace_back(label, prefix + token.text);
  // a node that is no identifier keeps its name in results
  if (label != prefix + token.text) netlist_.labels[std::string(label) + ".v"] = "v(" + prefix + token.text + ")";
  return std::string(label);
}

/// Nodes that the elements of a definition name as their pins.
const std::map<std::string, std::string>& Expander::local_nodes(const Definition& d) {
  const auto [place, is_new] = local_nodes_.try_emplace(&d);
  if (!is_new) return place->second;
  for (const Line& line : d.elements) {
    const std::vector<Token> t = split_tokens(line);
    for (std::size_t k = 1; k < t.size() && k <= count_nodes(t); ++k)
      if (!t[k].is("(") && !t[k].is(")") && !t[k].is("=") && !t[k].quoted)
        place->second.emplace(to_lower(t[k].text), t[k].text);
  }
  return place->second;
}

std::string Expander::find_node(const Instance& instance, const std::string& name, const Location& where) {
  if (name == "0" || name == "gnd") return "gnd";
  for (const Instance* i = &instance; i != nullptr; i = i->outer) {
    if (auto pin = i->nodes.find(name); pin != i->nodes.end()) return pin->second;
    if (auto place = node_names_.find(to_lower(i->prefix) + name); place != node_names_.end())
      return std::string(place->second);
    // one that only later elements use
    const auto& local = local_nodes(*i->definition);
    if (auto place = local.find(name); place != local.end())
      return node({nullptr, i, ""}, Token{.text = place->second, .where = where});
  }
  throw Error(where, "there is no node \"" + name + "\"" + did_you_mean(name, sorted_keys(node_names_)));
}

std::string Expander::find_element(const Instance& instance, const std::string& name, const Location& where) const {
  for (const Instance* i = &instance; i != nullptr; i = i->outer)
    if (auto place = element_names_.find(to_lower(i->prefix + name));
        place != element_names_.end() && !place->second.empty())
      return std::string(place->second);
  throw Error(where,
              "there is no element \"" + name + "\"" + did_you_mean(to_lower(name), sorted_keys(element_names_)));
}

double Expander::multiplier_of(const Instance& instance, const std::string& name) const {
  for (const Instance* i = &instance; i != nullptr; i = i->outer)
    if (element_names_.count(to_lower(i->prefix + name)) != 0) return i->multiplier;
  return 1;
}

std::string Expander::voltage(const std::string& p, const std::string& n) {
  if (p == n) return "0 V";
  if (n == "gnd") return p + ".v";
  return p == "gnd" ? "-" + n + ".v" : p + ".v - " + n + ".v";
}

const ModelCard& Expander::find_model(const Element& e, const Token& name,
                                      const std::vector<std::string>& kinds) const {
  const ModelCard* m = e.instance->definition->find_model(to_lower(name.text));
  if (m == nullptr) {
    std::vector<std::string> known;
    for (const Definition* d = e.instance->definition; d != nullptr; d = d->parent)
      for (const auto& [key, other] : d->models) known.push_back(key);
    throw Error(name.where, e.tokens()[0].text + ": there is no .model \"" + name.text + "\"" +
                                did_you_mean(to_lower(name.text), known));
  }
  if (std::find(kinds.begin(), kinds.end(), m->kind) == kinds.end()) {
    std::string wanted;
    for (const std::string& k : kinds) wanted += (wanted.empty() ? "" : " or ") + k;
    throw Error(name.where,
                e.tokens()[0].text + ": the model " + m->name + " is of kind " + m->kind + ", not " + wanted);
  }
  return *m;
}

// ---- components

model::Component& Expander::add(const Element& e, const std::string& suffix, const std::string& type, Entries values) {
  const std::string name = suffix.empty() ? e.name : std::string(make_name(e.name + "_" + suffix, "e_"));
  for (auto& [key, value] : values)
    if (!value.where.known()) value.where = e.where();
  model::Component& c = netlist_.model.add(name, type, std::move(values));
  c.where = c.type_where = e.where();
  return c;
}

std::string Expander::add_node(const Element& e, const std::string& suffix) {
  return std::string(make_name(e.name + "_" + suffix, "n_"));
}

std::optional<double> Expander::initial_voltage(const std::string& label) const {
  if (label == "gnd") return 0;
  auto place = initial_.find(label);
  return place == initial_.end() ? std::nullopt : std::optional(place->second);
}

void Expander::write_element(const Element& e) {
  const std::string& name = e.tokens()[0].text;
  set_element_temperature(temperature_);
  switch (std::tolower(static_cast<unsigned char>(name[0]))) {
    case 'r':
      return write_resistor(*this, e);
    case 'c':
      return write_capacitor(*this, e);
    case 'l':
      return write_inductor(*this, e);
    case 'k':
      return write_coupling(*this, e);
    case 'v':
    case 'i':
      return write_source(*this, e);
    case 'e':
    case 'f':
    case 'g':
    case 'h':
      return write_controlled_source(*this, e);
    case 'b':
      return write_behavioural_source(*this, e);
    case 'd':
      return write_diode(*this, e);
    case 's':
    case 'w':
      return write_switch(*this, e);
    case 'm':
      return write_mosfet(*this, e);
    case 'q':
      return write_bipolar(*this, e);
    case 'j':
      return write_jfet(*this, e);
    case 't':
    case 'o':
      return write_line(*this, e);
    default:
      break;
  }
  throw Error(e.where(), name + ": elements " + std::string(1, name[0]) +
                             " are not understood; there are R L C K V I E F G H B D S W M Q J T O X");
}

}  // namespace coenergy::io::spice
