#include "coenergy/generate/loops.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "coenergy/base/argument.hpp"
#include "coenergy/compile/compile.hpp"
#include "coenergy/mechanics/inverse_dynamics.hpp"
#include "coenergy/mechanics/mass_matrix.hpp"
#include "coenergy/solve/initialize.hpp"
#include "coenergy/solve/partition.hpp"
#include "coenergy/symbolic/algebra.hpp"
#include "coenergy/symbolic/derivative.hpp"

namespace coenergy::generate {

using mechanics::MechanismModel;
using symbolic::Expr;
using symbolic::NamedExpr;

namespace {

using Forces = MechanismModel::Forces;

/// The model at its assembled start, and which of its coordinates depend on which.
struct Assembly {
  std::vector<double> q, v;    ///< by coordinate of the generated function
  solve::Partition partition;  ///< likewise; rows by constraint
  std::vector<std::string> notes;
};

class Loops {
 public:
  Loops(const model::Model& model, const model::Registry& registry, const Request& request, MechanismModel mechanism)
      : model_(model),
        registry_(registry),
        request_(request),
        mechanism_(std::move(mechanism)),
        forces_(*mechanism_.forces) {
    coordinates_ = mechanism_.freedoms;
    coordinates_.insert(coordinates_.end(), forces_.shafts.begin(), forces_.shafts.end());
    check();
    for (const auto& p : mechanism_.parameters) from_.push_back(p.symbol), to_.push_back(p.value);
  }

  Generated run() {
    assembly_ = assemble();
    result_.model = model_.title;
    result_.main.name = identifier(request_.task);
    make_closure();
    make_terms();
    make_plan();
    make_main();
    for (const Routine& part : result_.parts) result_.operations += part.program.count().total();
    make_notes();
    return std::move(result_);
  }

 private:
  void check() const {
    if (!forces_.rate_constraint.empty())
      throw Error({model_.file}, forces_.rate_constraint +
                                     " is non-holonomic: positions and rates differ in number, and the generated code "
                                     "partitions both alike");
    for (const auto& f : coordinates_)
      if (f.q.is_number())
        throw Error({model_.file},
                    f.owner +
                        " turns by a quaternion, which the generated code of mechanisms with constraints "
                        "does not hold; write a chain of revolute joints instead");
  }

  // ---- numbers
  Assembly assemble() {
    model::Model relative = model_;
    relative.formulation = "relative";
    equations::Evaluator evaluator(compile::compile(relative, registry_).system);
    const equations::System& s = evaluator.system();
    const equations::Point start = solve::find_start_pose(evaluator);
    std::vector<int> place;  // coordinate of the compiled model by ours
    for (const auto& c : coordinates_) {
      int found = -1;
      for (int i = 0; i < s.nv(); ++i)
        if (s.unknown(i).name == c.name) found = i;
      place.push_back(found);
    }
    Assembly assembly;
    for (const int i : place) assembly.q.push_back(start.q[i]), assembly.v.push_back(start.v[i]);

    solve::Statistics statistics;
    solve::Closure closure(evaluator, statistics);
    closure.choose(start);
    const solve::Partition best = closure.partition();
    std::vector<char> keep(s.nv(), 0);
    for (const int k : find(request_.independent, "independent")) keep[place[k]] = 1;
    if (!request_.independent.empty()) closure.choose(start, keep);
    check_choice(s, best, closure.partition());
    std::vector<int> ours(s.nv(), -1);
    for (std::size_t k = 0; k < place.size(); ++k) ours[place[k]] = static_cast<int>(k);
    assembly.partition = closure.partition();
    for (int& i : assembly.partition.independent) i = ours[i];
    for (int& i : assembly.partition.dependent) i = ours[i];
    for (const int k : assembly.partition.redundant)
      assembly.notes.push_back("constraint " + s.row_name(s.nv() + k) + " follows from the others and is left out");
    return assembly;
  }

  void check_choice(const equations::System& s, const solve::Partition& best, const solve::Partition& chosen) const {
    if (request_.independent.empty()) return;
    const std::size_t freedoms = best.independent.size();
    std::string names;
    for (const int i : best.independent) names += (names.empty() ? "" : ",") + s.unknown(i).name;
    if (request_.independent.size() != freedoms)
      throw Error(
          fmt::format("{}: the mechanism has {} degrees of freedom and {} coordinates are named; name "
                      "{}, such as {}",
                      argument("independent"), freedoms, request_.independent.size(), freedoms, names));
    if (chosen.independent.size() != freedoms)
      throw Error(argument("independent") +
                  ": the named coordinates depend on each other at the start of the model; others would do, "
                  "such as " +
                  names);
  }

  /// Coordinates by name of joint or coordinate.
  std::vector<int> find(const std::vector<std::string>& wishes, const std::string& what) const {
    std::vector<int> result;
    std::vector<std::string> known;
    for (const auto& c : coordinates_) known.push_back(c.owner);
    for (const std::string& wish : wishes) {
      int found = -1;
      for (std::size_t k = 0; k < coordinates_.size(); ++k)
        if (coordinates_[k].name == wish || known[k] == wish) found = static_cast<int>(k);
      if (found < 0) throw Error(argument(what) + ": there is no joint \"" + wish + "\"" + did_you_mean(wish, known));
      if (std::find(result.begin(), result.end(), found) == result.end()) result.push_back(found);
    }
    return result;
  }

  // ---- arrays
  std::string unit(int k, const char* rest) const { return std::string(coordinates_[k].turns ? "rad" : "m") + rest; }
  Array coordinate_array(const char* name, const char* meaning, const char* suffix, const char* rest,
                         const std::vector<double>& start = {}) const {
    Array a{name, meaning, {}};
    for (int k = 0; k < n(); ++k)
      a.entries.push_back({coordinates_[k].name + suffix, unit(k, rest), start.empty() ? 0 : start[k]});
    return a;
  }
  Array force_array(const char* name, const char* meaning, const std::vector<int>& of) const {
    Array a{name, meaning, {}};
    for (const int k : of) a.entries.push_back({"Q " + coordinates_[k].name, coordinates_[k].turns ? "N.m" : "N", 0});
    return a;
  }
  Array constraint_array(const char* name, const char* meaning) const {
    Array a{name, meaning, {}};
    for (const auto& c : forces_.constraints) a.entries.push_back({c.name, "", 0});
    return a;
  }
  std::vector<int> all() const {
    std::vector<int> k(n());
    for (int i = 0; i < n(); ++i) k[i] = i;
    return k;
  }
  int n() const { return static_cast<int>(coordinates_.size()); }
  Array positions() const { return coordinate_array("q", "configuration", "", "", assembly_.q); }
  Array rates() const { return coordinate_array("qd", "rates", "d", "/s", assembly_.v); }
  static Array time() { return {"t", "time", {{"time", "s", 0}}}; }

  // ---- programs
  using Inputs = std::vector<std::pair<Array, std::vector<Expr>>>;

  std::vector<Expr> symbols(Expr MechanismModel::Freedom::*member) const {
    std::vector<Expr> list;
    for (const auto& c : coordinates_) list.push_back(c.*member);
    return list;
  }

  /// A part: its outputs with names, parameters by request.
  void add_part(const std::string& name, const std::string& title, Inputs inputs, std::vector<Array> outputs,
                std::vector<Expr> values) {
    if (request_.parameters == Parameters::numeric) values = symbolic::substitute(values, from_, to_);
    const std::vector<Expr> used = symbolic::free_symbols(values);
    Array p{"p", "parameters", {}};
    std::vector<Expr> parameters;
    // both parts take all parameters of either, so that main passes one array on
    for (std::size_t k = 0; k < mechanism_.parameters.size() && request_.parameters != Parameters::numeric; ++k) {
      if (!used_parameters_.empty() && !used_parameters_[k]) continue;
      const auto& info = mechanism_.parameters[k];
      p.entries.push_back({info.info.name, info.info.unit, info.value});
      parameters.push_back(info.symbol);
    }
    if (!parameters.empty()) inputs.emplace_back(p, parameters);
    Routine routine{result_.main.name + "_" + name, title, {}, std::move(outputs), {}};
    std::vector<Expr> in;
    for (const auto& [array, list] : inputs) {
      routine.inputs.push_back(array);
      in.insert(in.end(), list.begin(), list.end());
    }
    std::vector<NamedExpr> named;
    for (const Array& a : routine.outputs)
      for (const auto& entry : a.entries) named.push_back({entry.name, values[named.size()]});
    routine.program = symbolic::make_program(in, named);
    result_.parts.push_back(std::move(routine));
  }

  void make_closure() {
    closure_values_.clear();
    const std::vector<Expr> rates = symbols(&MechanismModel::Freedom::v);
    const std::vector<Expr> zeros(rates.size(), Expr(0));
    for (const auto& c : forces_.constraints) closure_values_.push_back(c.h);
    std::vector<Expr> drift;
    for (const auto& c : forces_.constraints) {
      const std::vector<Expr> row =
          c.rate.is_number() ? std::vector<Expr>(rates.size(), Expr(0)) : symbolic::gradient(c.rate, rates);
      closure_values_.insert(closure_values_.end(), row.begin(), row.end());
      drift.push_back(c.rate.is_number() ? c.rate : symbolic::substitute(c.rate, rates, zeros));
    }
    closure_values_.insert(closure_values_.end(), drift.begin(), drift.end());
  }

  void make_terms() {
    const std::vector<Expr> accelerations = symbols(&MechanismModel::Freedom::a);
    const std::vector<Expr> zeros(accelerations.size(), Expr(0));
    std::vector<Expr> bias;
    for (const auto& c : forces_.constraints)
      bias.push_back(c.acceleration.is_number() ? c.acceleration
                                                : symbolic::substitute(c.acceleration, accelerations, zeros));
    std::vector<std::vector<Expr>> candidates;
    for (const mechanics::BodyTree& tree : {mechanism_.tree, mechanics::lump(mechanism_.tree)}) {
      const mechanics::TreeMatrix matrix = mechanics::compute_mass_matrix(tree);
      const std::vector<Expr> c = mechanics::compute_inverse_dynamics(tree, false).forces;
      const int links = static_cast<int>(mechanism_.freedoms.size());
      std::vector<Expr> values;
      for (int i = 0; i < n(); ++i)
        for (int j = 0; j < n(); ++j) {
          Expr m = i < links && j < links ? matrix.at(i, j) : Expr(0);
          if (!forces_.rows[i].is_number()) m += symbolic::derivative(forces_.rows[i], accelerations[j]);
          values.push_back(m);
        }
      for (int i = 0; i < n(); ++i) {
        Expr f = i < links ? -c[i] : Expr(0);
        if (!forces_.rows[i].is_number()) f -= symbolic::substitute(forces_.rows[i], accelerations, zeros);
        values.push_back(f);
      }
      values.insert(values.end(), bias.begin(), bias.end());
      candidates.push_back(std::move(values));
    }
    mark_parameters(candidates);
    write_parts(candidates);
  }

  void mark_parameters(const std::vector<std::vector<Expr>>& candidates) {
    std::vector<Expr> every = closure_values_;
    for (const auto& c : candidates) every.insert(every.end(), c.begin(), c.end());
    const std::vector<Expr> used = symbolic::free_symbols(every);
    const auto is_used = [&](const Expr& s) {
      return std::any_of(used.begin(), used.end(), [&](const Expr& e) { return same(e, s); });
    };
    used_parameters_.clear();
    for (const auto& p : mechanism_.parameters) used_parameters_.push_back(is_used(p.symbol));
  }

  void write_parts(const std::vector<std::vector<Expr>>& candidates) {
    const auto q = symbols(&MechanismModel::Freedom::q), v = symbols(&MechanismModel::Freedom::v);
    Array J{"J", "Jacobian, row by row", {}}, M{"M", "mass matrix, row by row", {}};
    for (const auto& c : forces_.constraints)
      for (const auto& f : coordinates_) J.entries.push_back({c.name + " to " + f.name, "", 0});
    for (const auto& a : coordinates_)
      for (const auto& b : coordinates_) M.entries.push_back({"M " + a.name + ", " + b.name, "", 0});
    if (!forces_.constraints.empty())
      add_part("closure", "constraints h(q, t) = 0, their Jacobian and g: dh/dt = J qd + g",
               {{positions(), q}, {time(), {forces_.time}}},
               {constraint_array("h", "constraints"), J, constraint_array("g", "partial derivative to time")},
               closure_values_);
    Inputs inputs{{positions(), q}, {rates(), v}, {time(), {forces_.time}}};
    if (!forces_.others.empty()) {
      std::vector<Expr> others;
      for (const auto& o : forces_.others) others.push_back(o.symbol);
      inputs.emplace_back(other_array(), others);
    }
    std::vector<Array> outputs{M, force_array("f", "forces of the model less inertia without accelerations", all())};
    for (auto& entry : outputs[1].entries) entry.name[0] = 'f';
    if (!forces_.constraints.empty()) outputs.push_back(constraint_array("b", "d2h/dt2 = J qdd + b"));
    const std::string title = "mass matrix M, forces f and b: M qdd + J' multipliers = Q + f, J qdd + b = 0";
    add_part("terms", title, inputs, outputs, candidates[0]);
    Routine first = std::move(result_.parts.back());
    result_.parts.pop_back();
    add_part("terms", title, inputs, outputs, candidates[1]);
    if (first.program.count().total() <= result_.parts.back().program.count().total())
      result_.parts.back() = std::move(first);
  }

  Array other_array() const {
    Array x{"x", "other variables of the model that forces depend on", {}};
    for (const auto& o : forces_.others) x.entries.push_back({o.name, "", 0});
    return x;
  }

  // ---- the whole
  void make_plan() {
    LoopPlan& plan = result_.loops;
    plan.coordinates = n();
    plan.constraints = static_cast<int>(forces_.constraints.size());
    plan.independent = assembly_.partition.independent;
    plan.dependent = assembly_.partition.dependent;
    plan.rows = assembly_.partition.rows;
    plan.has_others = !forces_.others.empty();
    plan.has_parameters = result_.parts.back().inputs.back().name == "p";
    plan.actuated = request_.actuated.empty() ? plan.independent : find(request_.actuated, "actuated");
    if (plan.actuated.size() != plan.independent.size())
      throw Error(
          fmt::format("{}: the mechanism has {} degrees of freedom and {} actuated joints are named; name "
                      "{}",
                      argument("actuated"), plan.independent.size(), plan.actuated.size(), plan.independent.size()));
  }

  void make_main() {
    Routine& main = result_.main;
    const bool forward = request_.task == Task::forward_dynamics;
    main.title = forward ? "accelerations qdd of a mechanism with constraints for given joint forces Q"
                         : "forces of the actuated joints for a motion of the independent coordinates";
    main.inputs = {positions(), rates()};
    main.inputs.push_back(forward ? force_array("Q", "joint forces and torques", all())
                                  : coordinate_array("qdd", "accelerations", "dd", "/s2"));
    main.inputs.push_back(time());
    if (result_.loops.has_others) main.inputs.push_back(other_array());
    if (result_.loops.has_parameters) main.inputs.push_back(result_.parts.back().inputs.back());
    if (!forward)
      main.outputs.push_back(force_array("Qa", "forces and torques of the actuated joints", result_.loops.actuated));
    main.outputs.push_back(coordinate_array("qc", "configuration with the loops closed", "", ""));
    main.outputs.push_back(coordinate_array("qdc", "rates", "d", "/s"));
    main.outputs.push_back(coordinate_array(forward ? "qdd" : "qddc", "accelerations", "dd", "/s2"));
    if (!forces_.constraints.empty())
      main.outputs.push_back(
          constraint_array("multipliers", "of the constraints: M qdd + J' multipliers = all forces"));
  }

  void make_notes() {
    const auto names = [&](const std::vector<int>& list) {
      std::string text;
      for (const int k : list) text += (text.empty() ? "" : ", ") + coordinates_[k].name;
      return text;
    };
    const LoopPlan& plan = result_.loops;
    std::vector<std::string>& notes = result_.notes;
    notes.push_back("independent coordinates: " + names(plan.independent));
    if (!plan.dependent.empty())
      notes.push_back(
          "dependent coordinates: " + names(plan.dependent) +
          ": their entries of q are where the closure of the loops begins, those of the rates are not read");
    notes.insert(notes.end(), assembly_.notes.begin(), assembly_.notes.end());
    notes.push_back(
        std::string("springs, dampers and loads of the model are part of the function; ") +
        (request_.task == Task::forward_dynamics ? "Q comes on top of them" : "Qa is what actuators have to add"));
    if (request_.parameters == Parameters::constants)
      notes.push_back("constants are not computed beforehand for mechanisms with constraints");
    if (!request_.joints.empty())
      notes.push_back("the choice of joints has no effect on mechanisms with constraints: all coordinates are given");
    for (const Routine& part : result_.parts)
      notes.push_back(fmt::format("{}: {} operations{}", part.name, part.program.count().total(),
                                  part.outputs[0].name == "h" ? " each iteration" : ""));
  }

  const model::Model& model_;
  const model::Registry& registry_;
  const Request& request_;
  MechanismModel mechanism_;
  const Forces& forces_;
  std::vector<MechanismModel::Freedom> coordinates_;
  std::vector<Expr> from_, to_;  ///< parameters and their numbers
  std::vector<Expr> closure_values_;
  std::vector<char> used_parameters_;
  Assembly assembly_;
  Generated result_;
};

}  // namespace

bool is_constrained(const MechanismModel& mechanism) {
  if (!mechanism.forces) return false;
  const Forces& f = *mechanism.forces;
  if (!f.constraints.empty() || !f.shafts.empty() || !f.rate_constraint.empty()) return true;
  for (const Expr& row : f.rows)
    for (const auto& freedom : mechanism.freedoms)
      if (!row.is_number() && symbolic::depends_on(row, freedom.a)) return true;
  return false;
}

Generated generate_loops(const model::Model& model, const model::Registry& registry, const Request& request,
                         MechanismModel mechanism) {
  return Loops(model, registry, request, std::move(mechanism)).run();
}

}  // namespace coenergy::generate
