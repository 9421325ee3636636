#include "coenergy/generate/constraints.hpp"

#include "coenergy/compile/compile.hpp"
#include "coenergy/equations/data.hpp"
#include "coenergy/equations/open_equations.hpp"
#include "coenergy/symbolic/algebra.hpp"
#include "coenergy/symbolic/derivative.hpp"

namespace coenergy::generate {

using symbolic::Expr;
using symbolic::NamedExpr;

namespace {

struct Arguments {
  std::vector<Array> arrays;
  std::vector<Expr> symbols;
  void open(const char* name, const char* meaning) { arrays.push_back({name, meaning, {}}); }
  void add(const std::string& name, const std::string& unit, const Expr& symbol, double start) {
    arrays.back().entries.push_back({name, unit, start});
    symbols.push_back(symbol);
  }
};

/// Time, configuration and rates of a system, as arguments.
Arguments make_arguments(const equations::System& system, equations::Variables& v) {
  const equations::Point& start = system.start();
  Arguments a;
  a.open("t", "time");
  a.add("time", "s", v.time(), start.t);
  a.open("q", "configuration");
  for (int k = 0; k < v.coordinates(); ++k)
    a.add(system.unknown(k).name, system.unknown(k).unit, v.coordinate(k).q, start.q[k]);
  for (int k = 0; k < v.rotations(); ++k)
    for (int j = 0; j < 4; ++j)
      a.add(std::string(v.graph().name(v.rotation(k).p[j].id())), "", v.rotation(k).p[j],
            start.q[v.coordinates() + 4 * k + j]);
  a.open("qd", "rates");
  for (int k = 0; k < v.coordinates(); ++k)
    a.add(system.unknown(k).name + "d", system.unknown(k).unit + "/s", v.coordinate(k).v, start.v[k]);
  for (int k = 0; k < v.rotations(); ++k)
    for (int j = 0; j < 3; ++j)
      a.add(system.unknown(v.coordinates() + 3 * k + j).name, "rad/s", v.rotation(k).w[j],
            start.v[v.coordinates() + 3 * k + j]);
  return a;
}

}  // namespace

Generated generate_constraints(const model::Model& model, const model::Registry& registry, const Request& request) {
  const compile::Compiled compiled = compile::compile(model, registry);
  const equations::System& system = compiled.system;
  const equations::OpenEquations equations(system);
  equations::EquationSet& set = *equations;
  equations::Variables& v = set.variables;
  if (set.constraint.empty())
    throw Error({model.file}, "the model has no constraints: no closed loops, gears or drives");

  // h, J along the rates, and b = ḧ without accelerations
  std::vector<Expr> rates, accelerations;
  for (int k = 0; k < v.coordinates(); ++k)
    rates.push_back(v.coordinate(k).v), accelerations.push_back(v.coordinate(k).a);
  for (int k = 0; k < v.rotations(); ++k)
    for (int j = 0; j < 3; ++j) rates.push_back(v.rotation(k).w[j]), accelerations.push_back(v.rotation(k).alpha[j]);
  const std::vector<Expr> zeros(accelerations.size(), Expr(0));
  std::vector<NamedExpr> h, J, b;
  for (const auto& [multiplier, phi] : set.constraint) {
    const std::string& name = system.row_name(system.nv() + multiplier);
    const Expr rate = v.time_derivative(phi);
    h.push_back({name, phi});
    const std::vector<Expr> row =
        rate.is_number() ? std::vector<Expr>(rates.size(), Expr(0)) : symbolic::gradient(rate, rates);
    for (std::size_t k = 0; k < rates.size(); ++k)
      J.push_back({name + " to " + system.unknown(static_cast<int>(k)).name, row[k]});
    b.push_back({name, symbolic::substitute(v.time_derivative(rate), accelerations, zeros)});
  }

  Arguments arguments = make_arguments(system, v);
  std::vector<NamedExpr> outputs = h;
  outputs.insert(outputs.end(), J.begin(), J.end());
  outputs.insert(outputs.end(), b.begin(), b.end());
  if (request.parameters == Parameters::numeric) {
    std::vector<Expr> from, to;
    for (int k = 0; k < v.parameters(); ++k) from.push_back(v.parameter(k)), to.push_back(system.parameter(k));
    for (NamedExpr& e : outputs) e.value = symbolic::substitute(e.value, from, to);
  } else {
    std::vector<Expr> values;
    for (const NamedExpr& e : outputs) values.push_back(e.value);
    arguments.open("p", "parameters");
    for (const Expr& s : symbolic::free_symbols(values))
      if (const equations::Address at = v.address(s); at.source == equations::Source::parameter)
        arguments.add(system.parameter_name(at.index), system.parameter_unit(at.index), s, system.parameter(at.index));
    if (arguments.arrays.back().entries.empty()) arguments.arrays.pop_back();
  }
  Generated result;
  result.model = model.title;
  result.has_quaternions = v.rotations() > 0;
  const auto entries = [](const std::vector<NamedExpr>& list) {
    std::vector<Array::Entry> e;
    for (const NamedExpr& x : list) e.push_back({x.name, "", 0});
    return e;
  };
  result.main = {
      identifier(Task::constraints),
      "constraints h(t, q) = 0, their Jacobian J (dh/dt = J qd + ...), and b: d2h/dt2 = J qdd + b",
      arguments.arrays,
      {{"h", "constraints", entries(h)}, {"J", "Jacobian, row by row", entries(J)}, {"b", "bias", entries(b)}},
      symbolic::make_program(arguments.symbols, outputs)};
  result.operations = result.main.program.count().total();
  return result;
}

}  // namespace coenergy::generate
