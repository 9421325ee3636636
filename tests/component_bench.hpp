#pragma once
#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "coenergy/base/names.hpp"
#include "coenergy/model/model.hpp"
#include "coenergy/model/registry.hpp"

namespace coenergy::conformance {

using model::Component;
using model::ComponentType;
using model::Domain;
using model::Model;
using model::ParameterInfo;
using model::Value;

/// A component on the bench: its type, the entries it needs beyond what can be guessed, and a name for the test.
struct Case {
  std::string name, type;
  std::vector<std::pair<std::string, Value>> values;
  std::vector<Component> companions = {};  ///< components it knows by name
  std::string formulation = "auto";        ///< of a mechanism
};

/// Whether a kind belongs to a mechanism: a body, a joint, a field, or something with frames.
inline bool is_of_mechanism(const ComponentType& type) {
  for (const auto& port : type.description.ports)
    if (port.domain == Domain::frame) return true;
  return type.body || type.joint || type.flexible || type.gravity;
}

/// Puts one component of any kind into a machine that moves all its ports: every port lies on a node with a source and
/// something that makes the node determinate. Entries that must be given get random values within their bounds.
class Bench {
 public:
  Bench(const Case& subject, const ComponentType& type, bool varying, unsigned seed)
      : subject_(subject), type_(type), varying_(varying), random_(seed) {}

  Model make() {
    // a rotor that turns beside the subject, for entries that vary
    add("rotor", "mechanical.Inertia",
        {{"shaft", "rotor_shaft"}, {"J", "0.7 kg.m2"}, {"phi0", number(-0.4, 0.4)}, {"w0", number(0.5, 2)}});
    add("rotor_load", "mechanical.RotationalSpringDamper",
        {{"a", "ground"}, {"b", "rotor_shaft"}, {"k", "3"}, {"d", "0.2"}});
    for (const Component& c : subject_.companions) add(c.name, c.type, c.values);
    if (is_of_mechanism(type_)) add_mechanism();
    model_.formulation = subject_.formulation;
    std::vector<std::pair<std::string, Value>> values = subject_.values;
    for (const auto& port : type_.description.ports) connect(port, values);
    for (std::size_t k = 0; k < type_.description.parameters.size(); ++k) give(static_cast<int>(k), values);
    values.erase(std::remove_if(values.begin(), values.end(), [](const auto& v) { return is_open(v.second); }),
                 values.end());
    add("subject", type_.description.type, values);
    return model_;
  }

 private:
  using Entries = std::vector<std::pair<std::string, Value>>;

  void add(const std::string& name, const std::string& type, Entries values) {
    model_.add(name, type, std::move(values));
  }
  std::string number(double low, double high) {
    return format_short(std::round(std::uniform_real_distribution(low, high)(random_) * 1e4) / 1e4);
  }
  /// What a case writes at a port that is to stay unconnected.
  static bool is_open(const Value& v) { return v.kind == Value::Kind::text && v.text == "open"; }
  static bool has(const Entries& values, const std::string& name) {
    return std::any_of(values.begin(), values.end(), [&](const auto& v) { return v.first == name; });
  }
  bool has_multipliers() const {
    for (const auto& v : type_.description.variables)
      if (v.kind == model::VariableInfo::Kind::multiplier) return true;
    return false;
  }

  void connect(const model::PortInfo& port, Entries& values) {
    if (has(values, port.name)) return;
    const std::string node = "node_" + port.name;
    if (port.domain == Domain::frame) return connect_frame(port, values);
    values.emplace_back(port.name, node);
    // start values come from the subject itself, or from the first port of a coupling
    const bool couples = has_multipliers(), mechanism = is_of_mechanism(type_);
    const bool free_start =
        port.start < 0 && first_ && !type_.joint && (!couples || (type_.description.ports.size() > 1 && !mechanism));
    if (couples) first_ = false;
    switch (port.domain) {
      case Domain::electrical:
        return load_electrical(node);
      case Domain::rotational:
        return load_rotational(node, free_start);
      case Domain::translational:
        return load_translational(node, free_start);
      case Domain::hydraulic:
        return load_hydraulic(node);
      case Domain::pneumatic:
        return load_pneumatic(node);
      case Domain::frame:
        return;
    }
  }

  /// A carrier that swings under gravity; the subject hangs on it, or joins a link to it, or acts on bodies of its own.
  void add_mechanism() {
    if (!type_.gravity) add("gravity", "multibody.Gravity", {});
    add_swinging_body("carrier", "y");
    if (type_.body || type_.flexible)
      add("hinge", "multibody.Revolute",
          {{"parent", "carrier"},
           {"child", "subject"},
           {"axis", "z"},
           {"parent_at", point()},
           {"q0", number(-0.5, 0.5)},
           {"qd0", number(0.5, 2)}});
  }
  void add_body(const std::string& name) {
    add(name, "multibody.Body",
        {{"mass", number(0.5, 2)},
         {"com", point()},
         {"inertia", std::vector<Value>{number(0.2, 0.3), number(0.2, 0.3), number(0.2, 0.3)}}});
  }
  void add_swinging_body(const std::string& name, const std::string& axis) {
    add_body(name);
    add(name + "_joint", "multibody.Revolute",
        {{"parent", "ground"},
         {"child", name},
         {"axis", axis},
         {"parent_at", point()},
         {"q0", number(-0.5, 0.5)},
         {"qd0", number(0.5, 2)}});
  }
  Value point() { return std::vector<Value>{number(-0.5, 0.5), number(-0.5, 0.5), number(-0.5, 0.5)}; }

  void connect_frame(const model::PortInfo& port, Entries& values) {
    if (type_.joint && port.name == "parent") return values.emplace_back(port.name, "carrier"), void();
    const std::string body = "body_" + port.name;
    values.emplace_back(port.name, body);
    type_.joint ? add_body(body) : add_swinging_body(body, port.name == "a" ? "x" : "z");
  }

  void load_electrical(const std::string& node) {
    add(node + "_R", "electrical.Resistor", {{"p", node}, {"n", "gnd"}, {"R", number(1, 4) + " ohm"}});
    add(node + "_I", "electrical.CurrentSource",
        {{"p", "gnd"}, {"n", node}, {"i", number(0.5, 2) + " A*(1 + 0.3*sin(5 1/s*time))"}});
  }
  void load_rotational(const std::string& node, bool start) {
    Entries inertia{{"shaft", node}, {"J", number(0.5, 2)}};
    if (start) inertia.insert(inertia.end(), {{"phi0", number(-0.5, 0.5)}, {"w0", number(0.5, 2)}});
    add(node + "_J", "mechanical.Inertia", inertia);
    add(node + "_K", "mechanical.RotationalSpringDamper",
        {{"a", "ground"}, {"b", node}, {"k", number(1, 4)}, {"d", number(0.1, 1)}});
    add(node + "_T", "mechanical.Torque", {{"flange", node}, {"tau", number(0.5, 2) + " N.m*cos(2 1/s*time)"}});
  }
  void load_translational(const std::string& node, bool start) {
    Entries mass{{"flange", node}, {"m", number(0.5, 2)}};
    if (start) mass.insert(mass.end(), {{"s0", number(0.1, 0.5)}, {"v0", number(0.5, 2)}});
    add(node + "_m", "mechanical.Mass", mass);
    add(node + "_K", "mechanical.TranslationalSpringDamper",
        {{"a", "ground"}, {"b", node}, {"k", number(1, 4)}, {"d", number(0.1, 1)}});
    add(node + "_F", "mechanical.Force", {{"flange", node}, {"f", number(0.5, 2) + " N*cos(2 1/s*time)"}});
  }
  void load_hydraulic(const std::string& node) {
    // nearly linear, so that a node without a volume is found by few iterations
    add(node + "_O", "hydraulic.Orifice",
        {{"a", node}, {"b", node + "_tank"}, {"area", number(0.5, 2) + "e-4"}, {"transition", "20 bar"}});
    add(node + "_t", "hydraulic.Tank", {{"a", node + "_tank"}, {"p", number(0.1, 0.5) + " bar"}});
    add(node + "_Q", "hydraulic.FlowSource", {{"a", node}, {"q", number(0.5, 2) + "e-3"}});
  }

  void load_pneumatic(const std::string& node) {
    add(node + "_O", "pneumatic.Orifice",
        {{"a", node}, {"b", node + "_air"}, {"area", number(0.5, 2) + "e-5"}, {"laminar", "0.7"}});
    add(node + "_A", "pneumatic.Reservoir", {{"a", node + "_air"}});
    add(node + "_Q", "pneumatic.FlowSource", {{"a", node}, {"m_flow", number(0.5, 2) + "e-3"}});
  }

  void give(int k, Entries& values) {
    const ParameterInfo& info = type_.description.parameters[k];
    if (has(values, info.name) || info.kind == ParameterInfo::Kind::choice) return;
    const bool needed = !info.fallback && !info.optional;
    if (!needed && !is_used(k, values)) return;
    if (!needed && !is_start(k) && !(varying_ && info.varying && !info.optional)) return;
    if (info.kind == ParameterInfo::Kind::scalar) values.emplace_back(info.name, scalar(info));
    if (info.kind == ParameterInfo::Kind::list) values.emplace_back(info.name, std::vector<Value>{scalar(info)});
    if (info.kind == ParameterInfo::Kind::vector)
      values.emplace_back(info.name, std::vector<Value>{scalar(info), scalar(info), scalar(info)});
  }

  /// Whether an entry would have an effect beside those that are given.
  bool is_used(int k, const Entries& values) const {
    const auto& infos = type_.description.parameters;
    const auto word = [&](const ParameterInfo& choice) {
      for (const auto& [name, value] : values)
        if (name == choice.name) return value.text;
      return choice.words.front();
    };
    for (const model::Use& use : infos[k].uses) {
      const ParameterInfo& first = infos[use.others[0]];
      const bool given =
          std::any_of(use.others.begin(), use.others.end(), [&](int other) { return has(values, infos[other].name); });
      const bool holds = use.when == model::Use::When::word
                             ? std::find(use.words.begin(), use.words.end(), word(first)) != use.words.end()
                             : given == (use.when == model::Use::When::given);
      if (!holds) return false;
    }
    // nor may it exclude one that is given
    return std::none_of(infos.begin(), infos.end(), [&](const ParameterInfo& info) {
      return has(values, info.name) && std::any_of(info.uses.begin(), info.uses.end(), [&](const model::Use& use) {
               return use.when == model::Use::When::absent &&
                      std::find(use.others.begin(), use.others.end(), k) != use.others.end();
             });
    });
  }

  bool is_start(int k) const {
    for (const auto& v : type_.description.variables)
      if (v.start == k) return true;
    for (const auto& p : type_.description.ports)
      if (p.start == k || p.start_rate == k) return true;
    // joints say so by their names: q0, qd0, q1_0, q1d_0
    const std::string& name = type_.description.parameters[k].name;
    return type_.joint && !type_.description.parameters[k].optional && name.front() == 'q' && name.back() == '0';
  }

  Value scalar(const ParameterInfo& info) {
    const double low = std::max(0.5, info.minimum), high = std::min(2.0, info.maximum);
    const std::string unit = info.unit.empty() || info.unit == "any" ? "" : " " + info.unit;
    std::string text = number(low + 0.2 * (high - low), high - 0.2 * (high - low)) + unit;
    if (varying_ && info.varying) text += "*(1 + 0.1*sin(3 1/s*time) + 0.05*rotor.phi)";
    return text;
  }

  const Case& subject_;
  const ComponentType& type_;
  bool varying_;
  bool first_ = true;
  std::mt19937 random_;
  Model model_;
};

}  // namespace coenergy::conformance
