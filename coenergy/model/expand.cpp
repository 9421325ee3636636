#include "coenergy/model/expand.hpp"

#include <algorithm>

#include "coenergy/base/names.hpp"
#include "coenergy/model/container.hpp"

namespace coenergy::model {

namespace {

/// A value that stands inside an instance or element.
Value place(Value value, const Way* inside) {
  value.where.inside = inside;
  for (Value& item : value.list) item = place(std::move(item), inside);
  for (auto& [key, item] : value.map) item = place(std::move(item), inside);
  return value;
}

bool has_entry(const Part& part, const std::string& key) {
  return std::any_of(part.parameters.begin(), part.parameters.end(), [&](const auto& p) { return p.first == key; }) ||
         std::any_of(part.ports.begin(), part.ports.end(), [&](const Port& p) { return p.name == key; });
}

using Index = std::vector<std::pair<std::string, int>>;  // variables with their counts or values

std::string element_name(const std::string& array, const Index& values) {
  std::string name = array;
  for (const auto& [variable, value] : values)
    name += (&variable == &values.front().first ? "" : "_") + std::to_string(value);
  return name;
}

class Expander {
 public:
  Expander(const Model& model, const Registry& registry, const ExpandOptions& options)
      : model_(model), registry_(registry), options_(options) {}

  Model run() {
    begin();
    for (const auto& [path, value] : model_.overrides) root_.overrides.push_back({path, value});
    fill(root_, model_.components);
    resolve();
    finish();
    errors_.throw_if_any();
    return std::move(flat_);
  }

 private:
  void begin() {
    flat_.title = model_.title;
    flat_.parameters = model_.parameters;
    flat_.functions = model_.functions;
    flat_.libraries = model_.libraries;
    flat_.inputs = model_.inputs;
    flat_.outputs = model_.outputs;
    flat_.simulate = model_.simulate;
    flat_.problems = model_.problems;
    flat_.plots = model_.plots;
    flat_.formulation = model_.formulation;
    flat_.formulation_where = model_.formulation_where;
    flat_.energy = model_.energy;
    flat_.file = model_.file;
    flat_.notes = model_.notes;
    containers_[nullptr] = &root_;
    for (const Part& part : model_.parts) check_part(part);
    errors_.throw_if_any();
  }

  void check_part(const Part& part) {
    if (!parts_.emplace(part.name, &part).second) errors_.add(part.where, "two parts are named " + part.name);
    if (registry_.find(part.name) != nullptr)
      errors_.add(part.where, "a part cannot be named " + part.name + ", which is a type of components");
    for (const auto& [name, value] : part.parameters) {
      check_name("parameter", name, value.where, {}, errors_);
      if (std::any_of(part.ports.begin(), part.ports.end(), [&name = name](const Port& p) { return p.name == name; }))
        errors_.add(value.where, part.name + ": " + name + " is a port and a parameter; rename one of them");
    }
    for (const Port& port : part.ports) check_name("port", port.name, port.where, {}, errors_);
  }

  // ---- structure: which components and instances there are

  void fill(Container& c, const std::vector<Component>& components) {
    for (const Component& component : components) {
      try {
        check_name("component", component.name, place_of(component.where, c.way), {"simulate", "energy"}, errors_);
        const Index counts = read_repeat(c, component);
        if (counts.empty())
          add_element(c, component, component.name, c.way, false, false);
        else
          add_array(c, component, counts);
      } catch (const Error& e) {
        errors_.add(e);
      }
    }
    for (const Container::Override& o : c.overrides)
      if (!o.used) refuse_override(c, o);
  }

  static Location place_of(Location where, const Way* inside) {
    where.inside = inside;
    return where;
  }

  void refuse_override(const Container& c, const Container::Override& o) {
    const std::string first = split_name(o.path).first;
    if (failed_.count(c.full(first)) != 0) return;
    const auto is_first = [&](const auto& named) { return named.name == first; };
    const std::vector<Component>& all = c.part != nullptr ? c.part->components : model_.components;
    if (std::any_of(all.begin(), all.end(), is_first) && first == o.path) {
      errors_.add(o.value.where,
                  first + " is a component of " + c.title() + "; name an entry of it, as in " + first + ".R");
      return;
    }
    if (std::any_of(all.begin(), all.end(), is_first)) {
      errors_.add(o.value.where, c.title() + " has no " + first +
                                     " here, since its repeat is 0 or its if does not hold; leave this out");
      return;
    }
    if (c.part != nullptr && first == o.path && has_entry(*c.part, first)) {
      errors_.add(o.value.where, first + " is an entry of the part " + c.part->name + " itself; give it beside type, " +
                                     first + ": " + o.value.text + ", instead of in override");
      return;
    }
    std::vector<std::string> known = c.element_names();
    known.insert(known.end(), c.arrays.begin(), c.arrays.end());
    errors_.add(o.value.where, c.title() + " has no component \"" + first + "\"" + did_you_mean(first, known));
  }

  /// Index variables with their counts; nothing where the component stands once.
  Index read_repeat(Container& c, const Component& component) {
    if (!component.arrangement || !component.arrangement->repeat) return {};
    const Value repeat = place(*component.arrangement->repeat, c.way);
    const std::string what = c.full(component.name) + ".repeat";
    if (repeat.kind == Value::Kind::list)
      throw Error(repeat.where, what + " must be a number, or {k: 30} with an index variable");
    Index counts;
    if (repeat.kind == Value::Kind::text) counts.emplace_back("index", read_count(repeat, what));
    for (const auto& [variable, count] : repeat.map) {
      if (count.kind != Value::Kind::text) throw Error(count.where, what + "." + variable + " must be a number");
      check_name("index", variable, count.where, {"previous", "next"}, errors_);
      counts.emplace_back(variable, read_count(count, what));
    }
    if (counts.empty()) throw Error(repeat.where, what + " names no index variable");
    return counts;
  }

  int read_count(const Value& value, const std::string& what) {
    const int count = constants_.evaluate_whole(value.text, value.where, what);
    if (count < 0) throw Error(value.where, what + " = " + value.text + " must be >= 0");
    if (static_cast<std::size_t>(count) > options_.most_components) refuse_size(value.where, what);
    return count;
  }

  [[noreturn]] void refuse_size(const Location& where, const std::string& what) const {
    throw Error(where,
                what + ": the model would have more than " + std::to_string(options_.most_components) + " components");
  }

  void add_array(Container& c, const Component& component, const Index& counts) {
    c.arrays.insert(component.name);
    Index values = counts;
    for (auto& [variable, value] : values) value = 1;
    if (std::any_of(counts.begin(), counts.end(), [](const auto& n) { return n.second == 0; })) return;
    const auto step = [&] {
      for (std::size_t k = values.size(); k-- > 0; values[k].second = 1)
        if (values[k].second++ < counts[k].second) return true;
      return false;
    };
    do {
      Way way{c.full(element_name(component.name, values)), "", c.way, values, "", ""};
      const bool is_line = values.size() == 1, is_first = values == ones(counts), is_last = values == counts;
      if (is_line && !is_first) way.previous = component.name + std::to_string(values[0].second - 1);
      if (is_line && !is_last) way.next = component.name + std::to_string(values[0].second + 1);
      const Way* kept = keep_way(std::move(way));
      containers_[kept] = &c;
      add_element(c, component, element_name(component.name, values), kept, is_first, is_last);
    } while (step());
  }

  static Index ones(Index counts) {
    for (auto& [variable, count] : counts) count = 1;
    return counts;
  }

  void add_element(Container& c, const Component& source, const std::string& name, const Way* way, bool is_first,
                   bool is_last) {
    if (++count_ > options_.most_components) refuse_size(place_of(source.where, way), c.full(name));
    const Arrangement* a = source.arrangement.get();
    if (a != nullptr && a->condition && !is_wanted(*a->condition, c.full(name), way)) return;
    Component component{c.full(name), source.type, {}, place_of(source.where, way), place_of(source.type_where, way),
                        nullptr};
    component.values.reserve(source.values.size());
    for (const auto& [key, value] : source.values) component.values.emplace_back(key, place(value, way));
    if (a != nullptr && is_first) add_entries(component, a->first, way);
    if (a != nullptr && is_last) add_entries(component, a->last, way);
    std::vector<Container::Override> inner;
    take_overrides(c, source.name, name, component, inner, true);
    const auto part = parts_.find(component.type);
    if (part == parts_.end()) check_type(component);
    if (part == parts_.end() && a != nullptr && !a->overrides.empty())
      throw Error(place(a->overrides.front().second, way).where,
                  component.name + " is no instance of a part; give its entries themselves instead of override");
    if (a != nullptr)
      for (const auto& [path, value] : a->overrides) add_override(path, place(value, way), inner);
    take_overrides(c, source.name, name, component, inner, false);

    if (!c.index.emplace(name, static_cast<int>(c.elements.size())).second)
      throw Error(component.where, "two components are named " + component.name);
    c.elements.push_back({name, -1, nullptr});
    if (part != parts_.end()) {
      add_instance(c, *part->second, component, std::move(inner));
    } else {
      c.elements.back().component = static_cast<int>(flat_.components.size());
      flat_.components.push_back(std::move(component));
      owners_.push_back(&c);
    }
  }

  /// Types that are neither are refused by who reads the values; a part may have been meant.
  void check_type(const Component& component) const {
    if (registry_.find(component.type) != nullptr) return;
    std::vector<std::string> known;
    for (const Part& part : model_.parts) known.push_back(part.name);
    if (const std::string hint = did_you_mean(component.type, known); !hint.empty())
      throw Error(component.type_where, "unknown component type \"" + component.type + "\"" + hint);
  }

  bool is_wanted(const Value& condition, const std::string& name, const Way* way) {
    const Value value = place(condition, way);
    if (value.kind != Value::Kind::text) throw Error(value.where, name + ".if must be a condition");
    return constants_.evaluate(value.text, value.where, name + ".if") != 0;
  }

  static void add_entries(Component& component, const Entries& entries, const Way* way) {
    for (const auto& [key, value] : entries) set_entry(component.values, key, place(value, way));
  }

  /// Entries that the outside gives to this element: its own ones at once, those of what is inside it to `inner`.
  void take_overrides(Container& c, const std::string& array, const std::string& name, Component& component,
                      std::vector<Container::Override>& inner, bool only_type) {
    for (Container::Override& o : c.overrides) {
      const auto [first, rest] = split_name(o.path);
      if ((first != name && first != array) || rest.empty()) continue;
      o.used = true;
      if (only_type != (rest == "type")) continue;
      if (only_type) {
        component.type = o.value.text;
        component.type_where = o.value.where;
        continue;
      }
      const auto part = parts_.find(component.type);
      if (part == parts_.end() || has_entry(*part->second, rest))
        set_entry(component.values, rest, o.value);
      else
        inner.push_back({rest, o.value});
    }
  }

  /// `motor: {R: 3}` is motor.R.
  static void add_override(const std::string& path, const Value& value, std::vector<Container::Override>& overrides) {
    if (value.kind == Value::Kind::map && path.find('.') == std::string::npos)
      for (const auto& [key, item] : value.map) overrides.push_back({path + "." + key, item});
    else
      overrides.push_back({path, value});
  }

  void add_instance(Container& c, const Part& part, const Component& component,
                    std::vector<Container::Override> overrides) {
    check_recursion(c, part, component);
    Container::Element& element = c.elements.back();
    element.inside = std::make_unique<Container>();
    Container& inside = *element.inside;
    inside.part = &part;
    inside.outer = &c;
    inside.path = component.name;
    inside.where = component.where;
    inside.way = keep_way({component.name, part.name, c.way, {}, "", ""});
    containers_[inside.way] = &inside;
    instances_.push_back(&inside);
    set_parameters(inside, component);
    for (const auto& [path, value] : part.overrides) add_override(path, place(value, inside.way), inside.overrides);
    for (Container::Override& o : overrides) inside.overrides.push_back(std::move(o));
    fill(inside, part.components);
    connect_ports(inside, component);
  }

  void check_recursion(const Container& c, const Part& part, const Component& component) {
    std::string way = part.name;
    for (const Container* outer = &c; outer != nullptr && outer->part != nullptr; outer = outer->outer) {
      way = outer->part->name + " → " + way;
      if (outer->part == &part)
        throw Error(component.where, component.name + ": the part " + part.name + " contains itself (" + way + ")");
    }
  }

  void set_parameters(Container& inside, const Component& component) {
    const Part& part = *inside.part;
    for (const auto& [key, value] : component.values) {
      if (has_entry(part, key)) continue;
      std::vector<std::string> known;
      for (const auto& [name, fallback] : part.parameters) known.push_back(name);
      for (const Port& port : part.ports) known.push_back(port.name);
      std::string all;
      for (const std::string& name : known) all += (all.empty() ? "; it has " : ", ") + name;
      const std::string hint = did_you_mean(key, known);
      errors_.add(value.where,
                  component.name + " (" + part.name + ") has no entry \"" + key + "\"" + (hint.empty() ? all : hint));
    }
    for (const auto& [name, fallback] : part.parameters) {
      const auto given = std::find_if(component.values.begin(), component.values.end(),
                                      [&name = name](const auto& v) { return v.first == name; });
      if (given == component.values.end() && fallback.text == Part::required) {
        errors_.add(component.where,
                    component.name + "." + name + " is missing (" + part.name + " has no default for it)");
        failed_.insert(inside.path);
        continue;
      }
      inside.parameters.emplace_back(name,
                                     given != component.values.end() ? given->second : place(fallback, inside.way));
    }
  }

  void connect_ports(Container& inside, const Component& component) {
    for (const Port& port : inside.part->ports) {
      const auto given = std::find_if(component.values.begin(), component.values.end(),
                                      [&](const auto& v) { return v.first == port.name; });
      const bool is_given = given != component.values.end();
      if (!is_given && !port.fallback) continue;
      try {
        Port placed = port;
        placed.inner.where.inside = placed.where.inside = inside.way;
        resolver_.bind_port(inside, placed, is_given ? given->second : place(*port.fallback, inside.outer->way));
        inside.used.insert(port.name);
      } catch (const Error& e) {
        errors_.add(e);
        inside.used.insert(port.name);
      }
    }
  }

  // ---- names: what connections, ports and parameters mean

  void resolve() {
    std::map<const Part*, std::shared_ptr<Scopes::Names>> shared;
    for (Container* c : instances_) {
      const auto is_same = [](const Component& k) { return k.arrangement == nullptr; };
      const bool is_shared = std::all_of(c->part->components.begin(), c->part->components.end(), is_same);
      auto& names = shared[c->part];
      c->shares_locals = is_shared && names != nullptr;
      c->locals = c->shares_locals ? names : std::make_shared<Scopes::Names>();
      if (is_shared) names = c->locals;
      if (c->shares_locals) continue;
      for (const Container::Element& e : c->elements) c->locals->insert(e.name);
      for (const auto& [name, value] : c->part->parameters) c->locals->insert(name);
    }
    // inner ones first: the outside may name their nodes
    for (std::size_t k = flat_.components.size(); k-- > 0;) note_nodes(flat_.components[k], *owners_[k]);
    for (std::size_t k = 0; k < flat_.components.size(); ++k)
      resolver_.resolve_component(flat_.components[k], *owners_[k]);
    for (Container* c : instances_) finish_ports(*c);
  }

  /// Texts of ports that are no components are nodes of the part.
  void note_nodes(const Component& component, Container& owner) {
    const ComponentType* type = registry_.find(component.type);
    if (type == nullptr || owner.part == nullptr || owner.shares_locals) return;
    for (const PortInfo& port : type->description.ports)
      for (const auto& [key, value] : component.values)
        if (key == port.name && value.kind == Value::Kind::text && value.where.inside == owner.way &&
            value.text.find_first_of(".[") == std::string::npos)
          owner.locals->insert(value.text);
  }

  /// Whether a component of the part names a node, and be it one that is not there in this instance.
  static bool is_named(const Part& part, const std::string& node) {
    const auto names = [&](const auto& entry) { return entry.second.text == node; };
    return std::any_of(part.components.begin(), part.components.end(), [&](const Component& k) {
      return k.arrangement != nullptr && std::any_of(k.values.begin(), k.values.end(), names);
    });
  }

  void finish_ports(Container& c) {
    Scopes::Instance instance{c.path, c.part->name, c.where, c.locals, {}};
    for (const Port& port : c.part->ports) {
      Port placed = port;
      placed.inner.where.inside = placed.where.inside = c.way;
      try {
        const bool is_node = port.inner.text.find('.') == std::string::npos && c.find(port.inner.text) == nullptr;
        const bool is_there = c.locals->count(port.inner.text) != 0 || c.bound.count(port.inner.text) != 0;
        if (is_node && !is_there && port.optional && is_named(*c.part, port.inner.text)) continue;
        if (is_node && !is_there)
          throw Error(placed.inner.where, "port " + port.name + ": nothing in the part is called \"" + port.inner.text +
                                              "\"" +
                                              did_you_mean(port.inner.text, {c.locals->begin(), c.locals->end()}));
        if (is_node && !port.optional && c.used.count(port.name) == 0)
          errors_.add(c.where, c.path + "." + port.name + " (port of " + c.part->name + ") is not connected");
        instance.aliases.emplace_back(port.name, resolver_.port_meaning(c, placed));
      } catch (const Error& e) {
        errors_.add(e);
      }
    }
    for (const auto& [label, bound] : c.bound)
      if (instance.find_alias(label) == nullptr && !bound.meaning.empty())
        instance.aliases.emplace_back(label, bound.meaning);
    scopes_->add(std::move(instance));
  }

  void finish() {
    for (const Container* c : instances_)
      for (const auto& [name, value] : c->parameters)
        if (c->words.count(name) == 0 && value.kind == Value::Kind::text)
          flat_.parameters.emplace_back(c->full(name), value);
    for (Plot& plot : flat_.plots)
      Plot::visit_signals(plot, [&](Value& name) { name.text = scopes_->resolve(name.text, nullptr); });
    for (std::vector<Value>* names : {&flat_.inputs, &flat_.outputs})
      for (Value& value : *names) value.text = scopes_->resolve(value.text, nullptr);
    for (auto& [key, value] : flat_.simulate)
      if (key == "signals")
        for (Value& name : value.list) name.text = scopes_->resolve(name.text, nullptr);
    for (const Container* c : instances_)
      for (Plot plot : c->part->plots) {
        Plot::visit_signals(plot, [&](Value& name) {
          name = place(name, c->way);
          name.text = scopes_->resolve(name.text, c->way);
        });
        if (plot.title) plot.title->text = c->path + ": " + plot.title->text;
        flat_.plots.push_back(std::move(plot));
      }
    flat_.structural = constants_.used();
    flat_.scopes = scopes_;
  }

  const Model& model_;
  const Registry& registry_;
  const ExpandOptions options_;
  Model flat_;
  Container root_;
  std::unordered_map<const Way*, Container*> containers_;
  std::vector<Container*> owners_;     ///< of the flat components
  std::vector<Container*> instances_;  ///< outer ones first
  std::unordered_map<std::string, const Part*> parts_;
  std::set<std::string> failed_;  ///< paths whose own mistake has been reported
  std::size_t count_ = 0;
  ErrorList errors_;
  std::shared_ptr<Scopes> scopes_ = std::make_shared<Scopes>();
  Constants constants_{model_, containers_};
  ConnectionResolver resolver_{registry_, containers_, flat_.components, constants_, *scopes_, model_.file, errors_};
};

}  // namespace

bool is_hierarchical(const Model& model) {
  return !model.overrides.empty() || !model.parts.empty() ||
         std::any_of(model.components.begin(), model.components.end(),
                     [](const Component& c) { return c.arrangement != nullptr; });
}

Model expand(const Model& model, const Registry& registry, const ExpandOptions& options) {
  return Expander(model, registry, options).run();
}

void check_name(const char* what, const std::string& name, const Location& where,
                std::initializer_list<std::string_view> reserved, ErrorList& errors) {
  constexpr std::string_view words[] = {"time", "pi", "true", "false", "and", "or", "not"};
  if (!is_identifier(name))
    errors.add(where,
               std::string(what) + " name \"" + name + "\" must be letters, digits and _, not starting with a digit");
  if (std::find(reserved.begin(), reserved.end(), name) != reserved.end() ||
      std::find(std::begin(words), std::end(words), name) != std::end(words))
    errors.add(where, "a " + std::string(what) + " cannot be named " + name +
                          ", which has a meaning of its own; choose another name");
}

}  // namespace coenergy::model
