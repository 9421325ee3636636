#include "coenergy/compile/component_probe.hpp"

#include <algorithm>

#include "coenergy/compile/component_equations.hpp"
#include "coenergy/symbolic/algebra.hpp"

namespace coenergy::compile {

using model::Expr;
using model::Vec3;

namespace {

/// Stands in for everything; records what is asked of the ports.
class Probe : public model::Equations {
 public:
  Probe(Compilation& m, int c, symbolic::Graph& graph)
      : m_(m), c_(c), graph_(graph), needs_(m.components[c].type->description.ports.size()) {}

  std::vector<ComponentProbe::PortNeed> take_needs() { return std::move(needs_); }
  /// Whether another component with the same entries could answer differently.
  bool read_values() const { return read_values_; }

  symbolic::Graph& graph() override { return graph_; }
  Expr time() override { return graph_.symbol("time"); }
  const std::string& component() const override { return bound().name(); }
  Expr operator[](model::Parameter h) override { return item(h.index, 0); }
  Vec3 operator[](model::Vector h) override { return {{item(h.index, 0), item(h.index, 1), item(h.index, 2)}}; }
  std::vector<Expr> operator[](model::List h) override {
    std::vector<Expr> items;
    for (std::size_t k = 0; k < bound().parameters[h.index].scalars.size(); ++k)
      items.push_back(item(h.index, static_cast<int>(k)));
    return items;
  }
  std::string operator[](model::Choice h) override { return bound().parameters[h.index].word; }
  bool has(model::Parameter h) const override { return bound().parameters[h.index].present; }
  bool has(model::Vector h) const override { return bound().parameters[h.index].present; }
  bool has(model::List h) const override { return bound().parameters[h.index].present; }
  double number(model::Parameter h) override {
    read_values_ = true;
    return ComponentEquations(m_, c_).number(h);
  }
  std::vector<double> numbers(model::List h) override {
    read_values_ = true;
    return ComponentEquations(m_, c_).numbers(h);
  }
  std::size_t size(model::List h) const override { return bound().parameters[h.index].scalars.size(); }
  std::string path(const std::string& file) const override { return ComponentEquations(m_, c_).path(file); }
  bool connected(model::Frame h) const override { return bound().connections[h.index] != nullptr; }
  [[noreturn]] void refuse(const std::string& text) const override {
    throw Error(bound().component->where, bound().name() + ": " + text);
  }
  void note(const std::string&) override {}
  Expr operator[](model::State h) override { return own(h.index); }
  Expr der(model::State h) override { return graph_.symbol("rate" + std::to_string(h.index)); }
  Expr operator[](model::Algebraic h) override { return own(h.index); }
  Expr operator[](model::Discrete h) override { return own(h.index); }
  Expr operator[](model::Multiplier h) override { return own(h.index); }
  void zero(model::State, const Expr&) override {}
  void zero(model::Algebraic, const Expr&) override {}
  model::State make_state(const std::string&, const std::string&, double, double) override { return {made_++}; }
  model::Algebraic make_algebraic(const std::string&, const std::string&) override { return {made_++}; }
  model::Discrete make_discrete(const std::string&, const std::string&, double) override { return {made_++}; }
  model::Multiplier make_multiplier(const std::string&, const std::string&) override { return {made_++}; }
  void velocity_constraint(model::Multiplier h, const Expr& psi) override { constraint(h, psi); }
  bool follow_voltage(model::State, const Expr&) override { return false; }
  void constraint(model::Multiplier, const Expr& phi) override {
    for (int port : ports_in(phi)) needs_[port].constrained = true;
  }
  model::FrameMotion frame(model::Frame h) override {
    model::FrameMotion f;
    const std::string name = "frame" + std::to_string(h.index);
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) f.R_WB(i, j) = graph_.symbol(name + "R" + std::to_string(3 * i + j));
      f.p_WB[i] = graph_.symbol(name + "p" + std::to_string(i));
      f.v_WB[i] = graph_.symbol(name + "v" + std::to_string(i));
      f.w_WB_B[i] = graph_.symbol(name + "w" + std::to_string(i));
    }
    return f;
  }
  Expr stretched(model::Fluid h) override { return across(h.index, 0); }
  void apply(model::Frame, const Vec3&, const Vec3&) override {}
  Expr coenergy(const Expr&) override { return graph_.symbol("power"); }
  void stored(const Expr&) override {}
  void dissipated(const Expr&) override {}
  void supplied(const Expr&) override {}
  void output(const std::string&, const std::string&, const Expr&) override {}
  Expr signal(const std::string& name) override { return graph_.symbol(name); }
  void add_to_row(const std::string&, const std::string&, const Expr&) override {}
  void add_to_output(const std::string&, const std::string&, const Expr&) override {}
  void add_to_port(const std::string&, const std::string&, const Expr&) override {}
  std::optional<double> number(const std::string&, const std::string&) const override { return std::nullopt; }
  std::optional<Expr> parameter(const std::string& other, const std::string& name) override {
    return graph_.symbol(other + "." + name);
  }
  std::optional<Expr> flux_deviation(const std::string&) override { return std::nullopt; }
  void add_deviating_flux(const std::string&, const Expr&) override {}
  /// One order more of every across variable inside.
  Expr time_derivative(const Expr& e) override {
    for (int port : ports_in(e)) {
      int order = 0;
      for (const Expr& s : symbolic::free_symbols(std::span(&e, 1)))
        if (auto place = ports_.find(s.id()); place != ports_.end() && place->second.first == port)
          order = std::max(order, place->second.second);
      note(port, order + 1);
    }
    return graph_.symbol("derivative" + std::to_string(++derivatives_));
  }
  Expr delayed(const std::string&, const Expr& u, const Expr&, double, const Expr&) override {
    return graph_.let("delayed", u);
  }
  Expr relation(const std::string&, const Expr& g) override { return graph_.let("relation", g); }
  void sample(model::Discrete, const Expr&, const Expr&, const Expr&) override {}
  void mode(model::Discrete, const Expr&) override {}
  void indicator(const std::string&, const Expr&) override {}
  void require(const std::string&, const Expr&, const std::string&) override {}
  void at_impact(model::Discrete, double) override {}
  void contact(const std::string&, const std::string&, const Expr& depth, const Expr&, const Expr&) override {
    for (int port : ports_in(depth)) note(port, 2);
  }

 protected:
  Expr across(int port, int order) override {
    if (m_.network.node_of[c_][port] < 0) return 0;
    note(port, order);
    Expr s = graph_.symbol("across" + std::to_string(port) + "_" + std::to_string(order));
    ports_[s.id()] = {port, order};
    return s;
  }
  void add_through(int, const Expr&) override {}
  bool port_connected(int port) const override { return m_.network.node_of[c_][port] >= 0; }
  const model::Description& description() const override { return bound().type->description; }

 private:
  const BoundComponent& bound() const { return m_.components[c_]; }
  Expr own(int index) { return graph_.symbol("own" + std::to_string(index)); }
  Expr item(int p, int k) {
    const ParameterValue& value = bound().parameters[p];
    if (value.present && !value.scalars[k].is_symbol() &&
        (value.scalars[k].number == 0 || value.scalars[k].number == 1))
      return value.scalars[k].number;
    return graph_.symbol("p" + std::to_string(p) + "_" + std::to_string(k));
  }
  void note(int port, int order) { needs_[port].order = std::max(needs_[port].order, order); }
  std::vector<int> ports_in(const Expr& e) {
    std::vector<int> found;
    if (e.is_number()) return found;
    for (const Expr& s : symbolic::free_symbols(std::span(&e, 1)))
      if (auto place = ports_.find(s.id()); place != ports_.end()) found.push_back(place->second.first);
    return found;
  }

  Compilation& m_;
  int c_;
  symbolic::Graph& graph_;
  std::vector<ComponentProbe::PortNeed> needs_;
  bool read_values_ = false;
  std::map<std::uint32_t, std::pair<int, int>> ports_;  ///< symbol → port, order
  int derivatives_ = 0;
  int made_ = 1000;  ///< variables made on the way are numbered beyond the described ones
};

}  // namespace

/// Everything a probe answers with, but for the values of parameters other than 0 and 1.
void ComponentProbe::write_key(int c) {
  const BoundComponent& bound = m_.components[c];
  const auto type = reinterpret_cast<std::uintptr_t>(bound.type);
  key_.assign(reinterpret_cast<const char*>(&type), sizeof type);
  for (const int node : m_.network.node_of[c]) key_ += node < 0 ? '-' : '+';
  for (const model::Value* connection : bound.connections) key_ += connection != nullptr ? '+' : '-';
  for (const ParameterValue& value : bound.parameters) {
    key_ += value.present ? '+' : '-';
    for (const ScalarValue& scalar : value.scalars)
      key_ += scalar.is_symbol() ? 'v' : scalar.number == 0 ? '0' : scalar.number == 1 ? '1' : 'x';
    key_ += value.word;
    key_ += '\0';
  }
}

const std::vector<ComponentProbe::PortNeed>& ComponentProbe::needs(int c) {
  write_key(c);
  if (const auto known = needs_.find(key_); known != needs_.end()) return known->second;
  Probe probe(m_, c, graph_);
  m_.components[c].type->equations(probe);
  if (probe.read_values()) return own_needs_ = probe.take_needs();
  return needs_.emplace(key_, probe.take_needs()).first->second;
}

int ComponentProbe::held_port(int c) {
  Probe probe(m_, c, graph_);
  return m_.components[c].type->held(probe).port;
}

const std::vector<model::Branch>& ComponentProbe::branches(int c) {
  write_key(c);
  if (const auto known = branches_.find(key_); known != branches_.end()) return known->second;
  Probe probe(m_, c, graph_);
  std::vector<model::Branch> found = m_.components[c].type->branches(probe);
  if (probe.read_values()) return own_branches_ = std::move(found);
  return branches_.emplace(key_, std::move(found)).first->second;
}

}  // namespace coenergy::compile
