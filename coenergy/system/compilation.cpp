#include "coenergy/system/compilation.hpp"

#include <algorithm>
#include <numeric>

#include "coenergy/symbolic/algebra.hpp"
#include "coenergy/system/circuit.hpp"
#include "coenergy/system/component_equations.hpp"
#include "coenergy/system/component_probe.hpp"
#include "coenergy/system/flux_couplings.hpp"

namespace coenergy::system {

using model::Quantity;
using model::VariableInfo;
using symbolic::Expr;
using symbolic::Op;

namespace {

Quantity make_signal(const Expr& e, const std::string& unit) {
  if (unit.empty() || unit == model::any_unit) return {e, {}, false, false};
  return {e, parse_unit(unit).dimension, true, false};
}

/// An output described as "y#" stands for y1, y2, ….
bool is_output(const std::string& described, const std::string& field) {
  if (described.empty() || described.back() != '#') return described == field;
  const std::size_t n = described.size() - 1;
  return field.size() > n && field.compare(0, n, described, 0, n) == 0 &&
         field.find_first_not_of("0123456789", n) == std::string::npos;
}

/// Counts the components being written, also when one of them is refused.
class Deeper {
 public:
  explicit Deeper(int& depth) : depth_(depth) { ++depth_; }
  ~Deeper() { --depth_; }
  Deeper(const Deeper&) = delete;
  Deeper& operator=(const Deeper&) = delete;

 private:
  int& depth_;
};

/// The nearest name, or all of them if they are few.
std::string hint(const std::string& name, const std::vector<std::string>& known, const std::string& all) {
  constexpr std::size_t few = 12;
  if (!suggest(name, known).empty() || known.size() > few) return did_you_mean(name, known);
  std::string text = "; " + all;
  for (const std::string& k : known) text += (&k == &known.front() ? " " : ", ") + k;
  return text;
}

/// Across variables show their rates under these names.
const char* rate_name(model::Domain domain) {
  return domain == model::Domain::rotational ? "w" : domain == model::Domain::translational ? "v" : "";
}
const char* rate_unit(model::Domain domain) { return domain == model::Domain::rotational ? "rad/s" : "m/s"; }

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

Expr Compilation::parameter(int c, int p, int item) {
  const std::pmr::vector<ParameterValue>& given = components[c].parameters;
  const ParameterValue& value = given[p];
  if (!value.present) return 0;
  const auto count = [](std::size_t sum, const ParameterValue& v) { return sum + v.scalars.size(); };
  auto& values = written[c].values;
  if (values.empty()) values.resize(std::accumulate(given.begin(), given.end(), std::size_t{0}, count));
  std::optional<Expr>& slot = values[std::accumulate(given.begin(), given.begin() + p, std::size_t{0}, count) + item];
  if (slot) return *slot;

  const ScalarValue& scalar = value.scalars[item];
  const model::ParameterInfo& info = components[c].type->description.parameters[p];
  std::string name = components[c].name() + "." + info.name;
  if (scalar.varying) {
    const Quantity q = evaluate(*scalar.varying);
    model::check_unit(q, info.unit, scalar.where, name, scalar.text);
    return *(slot = make_relations(name, q.value));
  }

  // structural zeros and ones of vectors and lists, and absent defaults, shrink the equations
  const bool is_scalar = info.kind == model::ParameterInfo::Kind::scalar;
  const double x = scalar.number;
  if (!is_scalar) name += "[" + std::to_string(item) + "]";
  if ((!is_scalar && (x == 0 || x == 1 || x == -1)) || (is_scalar && !value.given && x == 0)) return *(slot = Expr(x));
  const int k = builder.add_parameter(name, info.unit, x);
  return *(slot = builder.variables().parameter(k));
}

Quantity Compilation::evaluate(const model::Expression& e) {
  const model::Scope scope = [&](const std::string& n) { return find_signal(n); };
  try {
    return e.evaluate(builder.graph(), scope, {}, parameters->functions());
  } catch (const Error&) {
    // once more with the names to suggest, which are many
    e.evaluate(builder.graph(), scope, known_signals(), parameters->functions());
    throw;
  }
}

Expr Compilation::make_relations(const std::string& name, Expr e) {
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
  if (node.state >= 0) return order == 0 ? v.state(node.state).x : v.state(node.state).xd;
  return v.algebraic(node.algebraic);
}

FrameId Compilation::find_frame(const model::Value& value, const std::string& what) {
  if (value.text == "ground" || value.text == "world") return {};
  const std::size_t dot = value.text.find('.');
  const std::string owner = value.text.substr(0, dot);
  auto place = index.find(owner);
  std::vector<std::string> bodies{"ground"};
  for (std::size_t c = 0; c < components.size(); ++c)
    if (body_of[c] >= 0) bodies.push_back(components[c].name());
  if (place == index.end())
    throw Error(value.where, what + ": there is no body \"" + owner + "\"" + hint(owner, bodies, "the bodies are"));
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
  constexpr int deepest = 100;
  if (w.progress != Progress::waiting || depth > deepest) return;
  const Deeper deeper(depth);
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
  if (auto q = parameters->find(name)) return q;
  const std::size_t dot = name.find('.');
  if (dot == std::string::npos) return std::nullopt;
  const std::string owner = name.substr(0, dot), field = name.substr(dot + 1);

  // a node's across variable and its rate
  if (auto place = network.by_label.find(owner); place != network.by_label.end()) {
    const NetworkNode& node = network.nodes[place->second];
    if (field == across_name(node.domain)) return make_signal(across(place->second, 0), across_unit(node.domain));
    if (field == rate_name(node.domain) && node.coordinate >= 0)
      return make_signal(across(place->second, 1), rate_unit(node.domain));
  }
  auto place = index.find(owner);
  if (place == index.end()) return std::nullopt;
  const int c = place->second;
  const model::Description& d = components[c].type->description;

  // joint coordinates
  if (joint_of[c] >= 0) {
    const auto& names = motion_names[joint_of[c]];
    for (std::size_t k = 0; k < names.size(); ++k) {
      if (names[k].empty() || field.compare(0, names[k].size(), names[k]) != 0) continue;
      const std::string order = field.substr(names[k].size());
      const bool turning = joints[joint_of[c]].properties.motions[k].kind == model::Motion::Kind::rotation;
      const auto& q = builder.variables().coordinate(mechanism->coordinate(joint_of[c], static_cast<int>(k)));
      if (order.empty()) return make_signal(q.q, turning ? "rad" : "m");
      if (order == "d") return make_signal(q.v, turning ? "rad/s" : "m/s");
      if (order == "dd") return make_signal(q.a, turning ? "rad/s2" : "m/s2");
    }
  }
  // position and velocity of a body
  if (body_of[c] >= 0) {
    const char* names[] = {"x", "y", "z", "vx", "vy", "vz", "wx", "wy", "wz"};
    for (int k = 0; k < 9; ++k) {
      if (field != names[k]) continue;
      const model::FrameMotion f = mechanism->frame({body_of[c], 0});
      if (k < 3) return make_signal(f.p_WB[k], "m");
      return k < 6 ? make_signal(f.v_WB[k - 3], "m/s") : make_signal(f.w_WB_B[k - 6], "rad/s");
    }
  }
  // own variables, then parameters, then outputs
  for (std::size_t k = 0; k < d.variables.size(); ++k) {
    if (d.variables[k].name != field) continue;
    const int v = written[c].variables[k];
    const std::string& unit = d.variables[k].unit;
    switch (d.variables[k].kind) {
      case VariableInfo::Kind::state:
        if (auto y = written[c].dependent.find(static_cast<int>(k)); y != written[c].dependent.end())
          return make_signal(builder.variables().algebraic(y->second), unit);
        return make_signal(builder.variables().state(v).x, unit);
      case VariableInfo::Kind::algebraic:
        return make_signal(builder.variables().algebraic(v), unit);
      case VariableInfo::Kind::discrete:
        return make_signal(builder.variables().discrete(v), unit);
      case VariableInfo::Kind::multiplier:
        return make_signal(builder.variables().multiplier(v), unit);
    }
  }
  for (std::size_t k = 0; k < d.outputs.size(); ++k) {
    if (!is_output(d.outputs[k].name, field)) continue;
    Written& w = written[c];
    write_component(c);
    if (const Written::Output* out = w.find_output(field); out != nullptr && w.aliases.count(field) == 0)
      return make_signal(out->value, out->unit);
    if (w.progress == Progress::done && w.aliases.count(field) == 0) continue;
    // an algebraic loop, or a very long chain: the output becomes an unknown, solved with everything else
    auto [alias, fresh] = w.aliases.try_emplace(field, -1);
    if (fresh) {
      alias->second = builder.add_algebraic({name, d.outputs[k].unit});
      builder.add_signal(name, d.outputs[k].unit, builder.variables().algebraic(alias->second));
    }
    return make_signal(builder.variables().algebraic(alias->second), d.outputs[k].unit);
  }
  for (std::size_t k = 0; k < d.parameters.size(); ++k)
    if (d.parameters[k].name == field && d.parameters[k].kind == model::ParameterInfo::Kind::scalar &&
        components[c].parameters[k].present)
      return make_signal(parameter(c, static_cast<int>(k), 0), d.parameters[k].unit);
  // the across variable of a port
  for (std::size_t k = 0; k < d.ports.size(); ++k)
    if (d.ports[k].name == field && network.node_of[c][k] >= 0)
      return make_signal(across(network.node_of[c][k], 0), across_unit(d.ports[k].domain));
  return std::nullopt;
}

std::vector<std::string> Compilation::known_signals() const {
  std::vector<std::string> known = parameters->names();
  for (const auto& [label, node] : network.by_label)
    known.push_back(label + "." + across_name(network.nodes[node].domain));
  std::sort(known.end() - static_cast<std::ptrdiff_t>(network.by_label.size()), known.end());
  for (std::size_t c = 0; c < components.size(); ++c) {
    const model::Description& d = components[c].type->description;
    const std::string& name = components[c].name();
    if (joint_of[c] >= 0)
      for (const std::string& motion : motion_names[joint_of[c]])
        for (const char* order : {"", "d", "dd"})
          if (!motion.empty()) known.push_back(name + "." + motion + order);
    if (body_of[c] >= 0)
      for (const char* field : {"x", "y", "z", "vx", "vy", "vz", "wx", "wy", "wz"}) known.push_back(name + "." + field);
    for (const auto& v : d.variables) known.push_back(name + "." + v.name);
    for (const auto& o : d.outputs) known.push_back(name + "." + o.name);
  }
  return known;
}

}  // namespace coenergy::system
