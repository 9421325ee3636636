// What is shown and kept of the results: .print, .plot and .save
#include <algorithm>

#include "coenergy/io/spice_expander.hpp"

namespace coenergy::io::spice {

using model::Value;

namespace {

/// The words v, i, vm, vp, vdb, vr, vi and the same of i.
bool is_quantity(const std::string& word) {
  static const std::set<std::string> parts = {"", "m", "p", "db", "r", "i"};
  return !word.empty() && (word[0] == 'v' || word[0] == 'i') && parts.count(word.substr(1)) != 0;
}

void add_once(std::vector<std::string>& list, const std::string& name) {
  if (std::find(list.begin(), list.end(), name) == list.end()) list.push_back(name);
}

}  // namespace

/// Names inside a subcircuit are x1.mid for nodes and v.x1.sense for elements, or x1_mid and x1_sense.
std::string Expander::find_inner(const Token& name, bool is_node) {
  std::string path = to_lower(name.text);
  const Instance& top = instances_.front();
  if (path.find('.') == std::string::npos)
    return is_node ? find_node(top, path, name.where) : find_element(top, path, name.where);
  if (!is_node && path.size() > 2 && path[1] == '.') path.erase(0, 2);
  std::replace(path.begin(), path.end(), '.', '_');
  // a node that only later elements of its subcircuit use
  const std::size_t last = to_lower(name.text).rfind('.') + 1;
  if (is_node && node_names_.count(path) == 0)
    for (const Instance& instance : instances_)
      if (to_lower(instance.prefix) == path.substr(0, last)) return find_node(instance, path.substr(last), name.where);
  return is_node ? find_node(top, path, name.where) : find_element(top, path, name.where);
}

/// The voltage between two nodes, by a voltmeter; the same one for all cards.
std::string Expander::add_voltmeter(const Token& word, const Token& p, const Token& n) {
  const std::string from = find_inner(p, true), to = find_inner(n, true);
  auto [place, is_new] = voltmeters_.try_emplace({from, to});
  if (!is_new) return place->second;
  const std::string name(make_name("v_" + from + "_" + to, "e_"));
  model::Component& c = netlist_.model.add(name, "electrical.Voltmeter", {{"p", from}, {"n", to}});
  c.where = c.type_where = word.where;
  for (auto& [entry, value] : c.values) value.where = word.where;
  place->second = name + ".v";
  netlist_.labels[place->second] = word.text.substr(0, 1) + "(" + p.text + "," + n.text + ")";
  return place->second;
}

/// An expression in braces or quotes, by a block.
std::string Expander::add_expression(const Element& e, const Token& word) {
  const ExpressionPtr value = resolve(e, parse_value(word));
  const std::string name(make_name("expression_" + std::to_string(++expressions_), "e_"));
  model::Component& c = netlist_.model.add(name, "blocks.Expression", {{"value", quantity(e, value, "", word.where)}});
  c.where = c.type_where = word.where;
  netlist_.labels[name + ".y"] = "{" + word.text + "}";
  return name + ".y";
}

std::optional<Expander::Probe> Expander::read_probe(const Card& card, std::size_t k) {
  const auto& t = card.tokens;
  const std::string word = to_lower(t[k].text);
  if (t[k].quoted || !is_quantity(word) || k + 3 >= t.size() || !t[k + 1].is("(")) return std::nullopt;
  Probe probe{"", word.substr(1), k + 4};
  if (t[k + 3].is(")")) {
    const std::string name = find_inner(t[k + 2], word[0] == 'v');
    if (name == "gnd") throw Error(t[k + 2].where, t[k].text + "(" + t[k + 2].text + ") is zero: it is the ground");
    probe.signal = name + (word[0] == 'v' ? ".v" : ".i");
    return probe;
  }
  if (word[0] != 'v' || k + 4 >= t.size() || !t[k + 4].is(")")) return std::nullopt;
  probe.signal = add_voltmeter(t[k], t[k + 2], t[k + 3]);
  probe.end = k + 5;
  return probe;
}

/// .print tran v(a) i(V1) v(a,b), also of ac, dc and op, or of all analyses without such a word
void Expander::read_plot(const Card& card) {
  const auto& t = card.tokens;
  const std::string kind = t.size() > 1 ? to_lower(t[1].text) : "";
  const bool has_kind = kind == "tran" || kind == "ac" || kind == "dc" || kind == "op";
  if (!has_kind && !(t.size() > 2 && t[2].is("("))) {
    if (t.size() > 1) note(card.first().where, t[0].text + " " + t[1].text + " is left out");
    return;
  }
  std::vector<std::string> signals;
  model::Plot plot;
  for (std::size_t k = has_kind ? 2 : 1; k < t.size();) {
    const std::optional<Probe> probe = read_probe(card, k);
    if (!probe || (!probe->part.empty() && kind != "ac")) {
      note(t[k].where, t[0].text + ": only v(node), v(node,node) and i(element) are shown" +
                           (kind == "ac" ? ", and vm, vp, vdb, vr, vi of them" : ""));
      while (k < t.size() && !t[k++].is(")")) {
      }
      continue;
    }
    signals.push_back(probe->signal);
    add_once(shown_, probe->signal);
    if (!has_kind || kind == "tran") {
      Value value(probe->signal);
      value.where = t[k].where;
      plot.y.push_back(std::move(value));
    }
    k = probe->end;
  }
  if (!has_kind || kind == "ac")
    for (const std::string& s : signals) add_once(netlist_.ac_signals, s);
  if (!has_kind || kind == "dc")
    for (const std::string& s : signals) add_once(netlist_.dc_signals, s);
  if (!plot.y.empty()) netlist_.model.plots.push_back(std::move(plot));
}

/// .save v(a) i(V1) v(a,b) out, or all
void Expander::read_save(const Card& card) {
  const auto& t = card.tokens;
  for (std::size_t k = 1; k < t.size();) {
    const std::string word = to_lower(t[k].text);
    if (word == "all") {
      saves_all_ = true;
      ++k;
    } else if (const std::optional<Probe> probe = read_probe(card, k)) {
      add_once(netlist_.saved, probe->signal);
      k = probe->end;
    } else if (node_names_.count(word) != 0 && !(k + 1 < t.size() && t[k + 1].is("("))) {
      add_once(netlist_.saved, std::string(node_names_.at(word)) + ".v");
      ++k;
    } else {
      note(t[k].where, ".save: only v(node), v(node,node), i(element), nodes and all are kept by name");
      const bool is_call = k + 1 < t.size() && t[k + 1].is("(");
      while (is_call && k < t.size() && !t[k].is(")")) ++k;
      ++k;
    }
  }
}

/// What .save chooses is kept, and what other cards show.
void Expander::finish_saves() {
  if (saves_all_) netlist_.saved.clear();
  if (netlist_.saved.empty()) return;
  for (const std::string& name : shown_) add_once(netlist_.saved, name);
  std::vector<Value> names(netlist_.saved.begin(), netlist_.saved.end());
  netlist_.model.simulate.emplace_back("signals", Value(std::move(names)));
}

}  // namespace coenergy::io::spice
