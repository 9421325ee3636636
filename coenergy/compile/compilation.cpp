#include "coenergy/compile/compilation.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "coenergy/base/names.hpp"
#include "coenergy/circuits/circuit.hpp"
#include "coenergy/circuits/flux_couplings.hpp"
#include "coenergy/compile/component_equations.hpp"
#include "coenergy/compile/component_probe.hpp"
#include "coenergy/compile/energy_records.hpp"
#include "coenergy/compile/guarded_roots.hpp"
#include "coenergy/model/fluid.hpp"
#include "coenergy/symbolic/algebra.hpp"
#include "coenergy/symbolic/function.hpp"

namespace coenergy::compile {

using equations::make_signal_info;
using equations::ParameterInfo;
using equations::SignalInfo;
using equations::SignalKind;
using equations::Variables;
using mechanics::FrameId;
using model::Quantity;
using model::VariableInfo;
using symbolic::Expr;
using symbolic::Op;

namespace {

Quantity make_signal(const Expr& e, const std::string& unit) {
  if (unit.empty() || unit == model::any_unit) return {e, {}, false, false};
  return {e, parse_unit(unit).dimension, true, false};
}

/// An output described as "y#" stands for y1, y2, …, one described as "*" for whatever the component shows.
bool is_output(const std::string& described, const std::string& field) {
  if (described == "*") return true;
  if (described.empty() || described.back() != '#') return described == field;
  const std::size_t n = described.size() - 1;
  return field.size() > n && field.compare(0, n, described, 0, n) == 0 &&
         field.find_first_not_of("0123456789", n) == std::string::npos;
}

/// Notes a component as being written, until it is, or is refused.
class Running {
 public:
  Running(std::vector<int>& all, int c) : all_(all) { all_.push_back(c); }
  ~Running() { all_.pop_back(); }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;

 private:
  std::vector<int>& all_;
};

/// The nearest name, or all of them if they are few.
std::string hint(const std::string& name, const std::vector<std::string>& known, const std::string& all) {
  constexpr std::size_t few = 12;
  if (!suggest(name, known).empty() || known.size() > few) return did_you_mean(name, known);
  std::string text = "; " + all;
  for (const std::string& k : known) text += (&k == &known.front() ? " " : ", ") + k;
  return text;
}

}  // namespace

Compilation::Compilation(const model::Model& m) : model(m), probe(std::make_unique<ComponentProbe>(*this)) {}
Compilation::~Compilation() = default;

Compilation::Written::Written(const model::Description& d, std::pmr::memory_resource* memory)
    : values(memory), variables(memory), outputs(memory) {
  variables.reserve(d.variables.size());
  outputs.reserve(d.outputs.size());
}

const Compilation::Written::Output* Compilation::Written::find_output(const std::string& name) const {
  for (const Output& o : outputs)
    if (o.name == name) return &o;
  return nullptr;
}

std::string Compilation::item_name(int c, int p, int item) const {
  const model::ParameterInfo& info = components[c].type->description.parameters[p];
  const std::string name = components[c].name() + "." + info.name;
  return info.kind == model::ParameterInfo::Kind::scalar ? name : name + "[" + std::to_string(item) + "]";
}

std::optional<Expr>& Compilation::slot(int c, int p, int item) {
  const std::pmr::vector<ParameterValue>& given = components[c].parameters;
  const auto count = [](std::size_t sum, const ParameterValue& v) { return sum + v.scalars.size(); };
  auto& values = written[c].values;
  if (values.empty()) values.resize(std::accumulate(given.begin(), given.end(), std::size_t{0}, count));
  return values[std::accumulate(given.begin(), given.begin() + p, std::size_t{0}, count) + item];
}

Expr Compilation::parameter(int c, int p, int item, ParameterInfo::Kind kind) {
  const ParameterValue& value = components[c].parameters[p];
  if (!value.present) return 0;
  if (const auto& known = slot(c, p, item)) return *known;

  const ScalarValue& scalar = value.scalars[item];
  const model::ParameterInfo& info = components[c].type->description.parameters[p];
  const std::string name = item_name(c, p, item);
  // an expression may ask for this entry's own component: the slot is looked for anew
  const auto keep = [&](const Expr& e) { return *(slot(c, p, item) = e); };
  if (scalar.varying) {
    const Quantity q = evaluate(*scalar.varying, name);
    model::check_unit(q, info.unit, scalar.where, components[c].name() + "." + info.name, scalar.text);
    const Expr e = keep_in_bounds(info, scalar, name, make_relations(components[c].name() + "." + info.name, q.value));
    if (!scalar.opened) return keep(e);
    const std::string unit = info.unit == model::any_unit ? (q.dimension_known ? dimension_text(q) : "") : info.unit;
    if (cuts_inputs) {
      opened.push_back("opened: " + name + " (was " + scalar.text + ")");
      const int k = builder.add_parameter({name, unit, ParameterInfo::Kind::input}, 0);
      return keep(builder.variables().parameter(k));
    }
    return keep(builder.add_opened_input({name, unit, ParameterInfo::Kind::input}, e, scalar.text));
  }

  // structural zeros and ones of vectors and lists, and absent defaults, shrink the equations
  const double x = scalar.number;
  const bool is_scalar = info.kind == model::ParameterInfo::Kind::scalar;
  const bool is_structural = (!is_scalar && (x == 0 || x == 1 || x == -1)) || (is_scalar && !value.given && x == 0);
  if (is_structural && !scalar.is_symbol()) return keep(x);
  const int k = builder.add_parameter({name, info.unit == model::any_unit ? "" : info.unit, kind}, x);
  if (scalar.law) builder.set_law(k, evaluate_law(*scalar.law, name));
  return keep(builder.variables().parameter(k));
}

Expr Compilation::keep_in_bounds(const model::ParameterInfo& info, const ScalarValue& scalar, const std::string& name,
                                 const Expr& e) {
  const bool has_minimum = std::isfinite(info.minimum), has_maximum = std::isfinite(info.maximum);
  if (info.limited) {
    const Expr raised = has_minimum ? max(e, info.minimum) : e;
    return has_maximum ? min(raised, info.maximum) : raised;
  }
  const auto require = [&](const Expr& g, const char* sign, double bound) {
    const std::string unit = info.unit.empty() || bound == 0 ? "" : " " + info.unit;
    const std::string text = name + " = " + scalar.text + " must be " + sign + (info.open ? " " : "= ") +
                             format_short(bound) + unit + " at any time";
    if (g.is_number() && (g.number() > 0 || (info.open && g.is_zero()))) throw Error(scalar.where, text);
    builder.add_requirement(name, g, text, scalar.where, info.open);
  };
  if (has_minimum) require(info.minimum - e, ">", info.minimum);
  if (has_maximum) require(e - info.maximum, "<", info.maximum);
  return e;
}

Expr Compilation::start_parameter(int c, int p) {
  if (p < 0 || !components[c].parameters[p].given || components[c].parameters[p].scalars[0].varying) return 0;
  return parameter(c, p, 0, ParameterInfo::Kind::start);
}

std::optional<Quantity> Compilation::find_model_parameter(const std::string& name) {
  std::optional<Quantity> q = parameters->find(name);
  if (!q) return q;
  auto place = model_parameters_.find(name);
  if (place == model_parameters_.end()) {
    const model::Expression* law = parameters->find_law(name);
    const Expr value = law == nullptr ? Expr(0) : evaluate_law(*law, name);
    const std::string unit = q->dimension_known && !q->dimension.is_none() ? dimension_text(*q) : "";
    const int k = builder.add_parameter({name, unit, ParameterInfo::Kind::model}, q->value.number());
    if (law != nullptr) builder.set_law(k, value);
    place = model_parameters_.emplace(name, k).first;
  }
  q->value = builder.variables().parameter(place->second);
  return q;
}

Expr Compilation::evaluate_law(const model::Expression& e, const std::string& entry) {
  const Way* inside = e.where().inside;
  const model::Scope scope = [&](const std::string& n) -> std::optional<Quantity> {
    if (const auto index = model::Scopes::find_index(n, inside)) return model::make_plain(*index);
    return find_model_parameter(parameters->resolve(n, inside));
  };
  const model::ConstantOf constant = [&](const Expr& c) { return make_number(c, entry); };
  return e.evaluate(builder.graph(), scope, {}, parameters->functions(), constant).value;
}

std::optional<double> Compilation::find_value(const Expr& e) {
  if (e.is_number()) return e.number();
  const std::vector<Expr> symbols = symbolic::free_symbols(std::span(&e, 1));
  std::vector<double> values;
  for (const Expr& s : symbols) {
    const equations::Address at = builder.variables().address(s);
    if (at.source != equations::Source::parameter) return std::nullopt;
    values.push_back(builder.parameter_value(at.index));
  }
  const symbolic::NamedExpr output{"value", e};
  return symbolic::evaluate(
      symbolic::Function(symbolic::make_program(symbols, std::span(&output, 1)), symbolic::Engine::interpreter),
      values)[0];
}

std::optional<double> Compilation::make_number(const Expr& e, const std::string& entry) {
  const std::optional<double> value = find_value(e);
  if (!value || e.is_number()) return value;
  for (const Expr& s : symbolic::free_symbols(std::span(&e, 1)))
    builder.mark_built_in(builder.variables().address(s).index, entry);
  return value;
}

void Compilation::note_read(int c, int p, int item) {
  if (reading == Reading::drawing) return;
  const ScalarValue& scalar = components[c].parameters[p].scalars[item];
  (reading == Reading::checks ? scalar.is_checked : scalar.is_read) = true;
}

void Compilation::finish_parameters() {
  for (const std::string& name : parameters->names()) find_model_parameter(name);
  // numbers that were read and have no symbol
  for (std::size_t c = 0; c < components.size(); ++c)
    for (std::size_t p = 0; p < components[c].parameters.size(); ++p)
      for (std::size_t item = 0; item < components[c].parameters[p].scalars.size(); ++item) {
        const ScalarValue& scalar = components[c].parameters[p].scalars[item];
        if (!scalar.is_read && !scalar.is_checked) continue;
        if (const auto& e = slot(int(c), int(p), int(item))) {
          for (const Expr& s : symbolic::free_symbols(std::span(&*e, 1)))
            if (const auto at = builder.variables().address(s); at.source == equations::Source::parameter)
              scalar.is_read ? void(builder.parameter_value(at.index)) : builder.mark_checked(at.index);
          continue;
        }
        if (!scalar.law) continue;
        const Way* inside = scalar.law->where().inside;
        for (const std::string& name : scalar.law->names())
          if (!model::Scopes::find_index(name, inside))
            mark_built_in(parameters->resolve(name, inside), item_name(int(c), int(p), int(item)));
      }
  // numbers that decided on components
  for (const auto& [name, entry] : model.structural) mark_built_in(name, entry);
}

void Compilation::mark_built_in(const std::string& name, const std::string& entry) {
  if (find_model_parameter(name)) builder.mark_built_in(model_parameters_.at(name), entry);
}

Quantity Compilation::evaluate(const model::Expression& e, const std::string& entry) {
  const Way* inside = e.where().inside;
  const model::Scope scope = [&](const std::string& n) -> std::optional<Quantity> {
    if (const auto index = model::Scopes::find_index(n, inside)) return model::make_plain(*index);
    return find_signal(parameters->resolve(n, inside));
  };
  const model::ConstantOf constant = [&](const Expr& c) { return make_number(c, entry); };
  try {
    return e.evaluate(builder.graph(), scope, {}, parameters->functions(), constant);
  } catch (const Error&) {
    // once more with the names to suggest, which are many
    e.evaluate(builder.graph(), scope, known_signals(inside), parameters->functions(), constant);
    throw;
  }
}

Expr Compilation::make_relations(const std::string& name, Expr e) {
  e = keep_guarded_roots(builder.graph(), std::move(e));
  for (Op op : {Op::less, Op::less_equal}) {
    while (!e.is_number()) {
      // innermost first: a relation inside another has the lower index
      const std::vector<Expr> nodes = symbolic::find_nodes(std::span(&e, 1), op);
      if (nodes.empty()) break;
      const auto arguments = builder.graph().arguments(nodes.front().id());
      const Expr a = builder.graph().at(arguments[0]), b = builder.graph().at(arguments[1]);
      const Expr mode = op == Op::less ? builder.relation(name, b - a) : 1 - builder.relation(name, a - b);
      e = symbolic::substitute(e, std::span(&nodes.front(), 1), std::span(&mode, 1));
    }
  }
  return e;
}

Expr Compilation::across(int k, int order) {
  const NetworkNode& node = network.nodes[k];
  if (node.fixed) return 0;
  const Variables& v = builder.variables();
  if (node.coordinate >= 0) {
    const Variables::Coordinate& c = v.coordinate(node.coordinate);
    return order == 0 ? c.q : order == 1 ? c.v : c.a;
  }
  if (node.state >= 0) return order == 0 ? state_of(node) : v.state(node.state).xd;
  const Expr y = v.algebraic(node.algebraic);
  return order == 0 ? y : v.time_derivative(y);
}

/// The across variable of a node that has a state: of oil it is not below vacuum (see Equations::stretched).
Expr Compilation::state_of(const NetworkNode& node) {
  const Expr x = builder.variables().state(node.state).x;
  if (node.domain != model::Domain::hydraulic) return x;
  return symbolic::select(builder.relation(node.name + " cavitation", model::vacuum - x), Expr(model::vacuum), x);
}

FrameId Compilation::find_frame(const model::Value& value, const std::string& what) {
  if (value.text == "ground" || value.text == "world") return {};
  // a body, or a frame of one: the longest beginning that is a component
  std::size_t dot = value.text.size();
  auto place = index.find(value.text);
  while (place == index.end() && dot != std::string::npos && dot > 0) {
    dot = value.text.rfind('.', dot - 1);
    if (dot != std::string::npos) place = index.find(std::string_view(value.text).substr(0, dot));
  }
  if (dot == value.text.size()) dot = std::string::npos;
  if (place == index.end() && model.scopes == nullptr) dot = value.text.find('.');
  const std::string owner = value.text.substr(0, dot);
  if (place == index.end()) {
    std::vector<std::string> bodies{"ground"};
    for (std::size_t c = 0; c < components.size(); ++c)
      if (body_of[c] >= 0) bodies.push_back(components[c].name());
    throw Error(value.where, what + ": there is no body \"" + owner + "\"" + hint(owner, bodies, "the bodies are"));
  }
  const int body = body_of[place->second];
  if (body < 0)
    throw Error(value.where, "cannot connect " + what + " (frame) to " + owner + " (" +
                                 components[place->second].type->description.type + "), which is not a body");
  if (dot == std::string::npos) return {body, 0};
  const std::string frame = value.text.substr(dot + 1);
  const auto& frames = frame_names[body];
  std::vector<std::string> known;
  for (const auto& [name, node] : frames) known.push_back(name);
  for (const auto& [name, node] : frames)
    if (name == frame) return {body, node};
  throw Error(value.where, what + ": " + owner + " has no frame \"" + frame + "\"" +
                               (known.empty() ? "; write " + owner + " alone" : hint(frame, known, "it has")));
}

void Compilation::write_component(int c) {
  Written& w = written[c];
  constexpr std::size_t deepest = 100;
  if (w.progress != Progress::waiting || running.size() > deepest) return;
  const Running writes(running, c);
  w.progress = Progress::running;
  if (components[c].type->equations) {
    ComponentEquations equations(*this, c);
    components[c].type->equations(equations);
    for (const auto& [output, unknown] : w.aliases)
      if (w.find_output(output) == nullptr) equations.refuse("it has no signal \"" + output + "\"");
  }
  w.progress = Progress::done;
}

std::optional<Quantity> Compilation::find_signal(const std::string& name) {
  if (name == "time") return make_signal(builder.variables().time(), "s");
  if (auto q = find_model_parameter(name)) return q;
  if (const auto varying = parameters->find_varying(name)) return evaluate(*varying, name);
  // bodies, joints, energies and momenta
  if (const auto declared = builder.use_signal(name)) return make_signal(declared->value, declared->info->unit);
  // the owner is as long as can be: its own name may have dots
  for (std::size_t dot = name.rfind('.'); dot != std::string::npos && dot > 0; dot = name.rfind('.', dot - 1)) {
    const std::string owner = name.substr(0, dot), field = name.substr(dot + 1);
    if (auto place = network.by_label.find(owner); place != network.by_label.end())
      if (auto q = find_node_signal(place->second, field)) return q;
    if (auto place = index.find(owner); place != index.end() && place->second >= 0)
      return find_component_signal(place->second, field);
  }
  return std::nullopt;
}

/// A node's across variable and its rate.
std::optional<Quantity> Compilation::find_node_signal(int k, const std::string& field) {
  NetworkNode& node = network.nodes[k];
  node.named = true;
  if (field == across_name(node.domain)) return make_signal(across(k, 0), across_unit(node.domain));
  if (field == rate_name(node.domain) && node.coordinate >= 0) return make_signal(across(k, 1), rate_unit(node.domain));
  return std::nullopt;
}

/// Own variables, then outputs, then parameters, then the across variable of a port.
std::optional<Quantity> Compilation::find_component_signal(int c, const std::string& field) {
  const model::Description& d = components[c].type->description;
  for (std::size_t k = 0; k < d.variables.size(); ++k)
    if (d.variables[k].name == field) return find_variable(c, static_cast<int>(k));
  for (const model::Description::OutputInfo& output : d.outputs)
    if (is_output(output.name, field))
      if (auto q = find_output(c, field, output.unit)) return q;
  for (std::size_t k = 0; k < d.parameters.size(); ++k)
    if (d.parameters[k].name == field && d.parameters[k].kind == model::ParameterInfo::Kind::scalar &&
        components[c].parameters[k].present)
      return make_signal(parameter(c, static_cast<int>(k), 0), d.parameters[k].unit);
  for (std::size_t k = 0; k < d.ports.size(); ++k)
    if (d.ports[k].name == field && network.node_of[c][k] >= 0)
      return make_signal(across(network.node_of[c][k], 0), across_unit(d.ports[k].domain));
  // what only some instances have, and show once their equations are written
  write_component(c);
  if (const Written::Output* out = written[c].find_output(field); out != nullptr)
    return make_signal(out->value, out->unit);
  return std::nullopt;
}

Quantity Compilation::find_variable(int c, int k) {
  const VariableInfo& info = components[c].type->description.variables[k];
  const Variables& v = builder.variables();
  const int index = written[c].variables[k];
  switch (info.kind) {
    case VariableInfo::Kind::state:
      if (auto y = written[c].dependent.find(k); y != written[c].dependent.end())
        return make_signal(v.algebraic(y->second), info.unit);
      return make_signal(v.state(index).x, info.unit);
    case VariableInfo::Kind::algebraic:
      return make_signal(v.algebraic(index), info.unit);
    case VariableInfo::Kind::discrete:
      return make_signal(v.discrete(index), info.unit);
    case VariableInfo::Kind::multiplier:
      break;
  }
  return make_signal(v.multiplier(index), info.unit);
}

std::optional<Quantity> Compilation::find_output(int c, const std::string& field, const std::string& unit) {
  Written& w = written[c];
  write_component(c);
  if (const Written::Output* out = w.find_output(field); out != nullptr && w.aliases.count(field) == 0)
    return make_signal(out->value, out->unit);
  if (w.progress == Progress::done && w.aliases.count(field) == 0) return std::nullopt;
  // an algebraic loop, or a very long chain: the output becomes an unknown, solved with everything else
  auto [alias, fresh] = w.aliases.try_emplace(field, -1);
  if (fresh) {
    const SignalInfo info = make_signal_info(components[c].name(), field, unit, SignalKind::output);
    equations::UnknownInfo unknown{info.name, unit, 1, false, false, false, info.owner_size};
    for (auto on_way = std::find(running.begin(), running.end(), c); on_way != running.end(); ++on_way)
      unknown.loop += (unknown.loop.empty() ? "" : ", ") + components[*on_way].name();
    alias->second = builder.add_algebraic(unknown);
    builder.add_signal(info, builder.variables().algebraic(alias->second));
  }
  return make_signal(builder.variables().algebraic(alias->second), unit);
}

std::vector<std::string> Compilation::known_signals(const Way* inside) const {
  std::vector<std::string> known = parameters->names();
  for (const auto& [label, node] : network.by_label)
    known.push_back(label + "." + across_name(network.nodes[node].domain));
  std::sort(known.end() - static_cast<std::ptrdiff_t>(network.by_label.size()), known.end());
  for (std::size_t c = 0; c < components.size(); ++c) {
    const model::Description& d = components[c].type->description;
    const std::string& name = components[c].name();
    for (const auto& v : d.variables) known.push_back(name + "." + v.name);
    for (const auto& o : d.outputs) known.push_back(name + "." + o.name);
  }
  const std::vector<std::string> declared = builder.declared_signals();
  known.insert(known.end(), declared.begin(), declared.end());
  while (inside != nullptr && inside->is_element()) inside = inside->outer;
  if (inside == nullptr) return known;
  // as they are called inside the instance
  const std::string prefix = inside->path + ".";
  for (std::string& name : known)
    if (name.starts_with(prefix)) name.erase(0, prefix.size());
  return known;
}

}  // namespace coenergy::compile
