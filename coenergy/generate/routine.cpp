#include "coenergy/generate/routine.hpp"

#include <algorithm>
#include <functional>

#include "coenergy/base/argument.hpp"
#include "coenergy/compile/compile.hpp"
#include "coenergy/generate/constants.hpp"
#include "coenergy/generate/constraints.hpp"
#include "coenergy/generate/loops.hpp"
#include "coenergy/generate/shafts.hpp"
#include "coenergy/mechanics/forward_dynamics.hpp"
#include "coenergy/mechanics/inverse_dynamics.hpp"
#include "coenergy/mechanics/mass_matrix.hpp"
#include "coenergy/mechanics/mechanism_model.hpp"
#include "coenergy/mechanics/regressor.hpp"
#include "coenergy/symbolic/algebra.hpp"
#include "coenergy/symbolic/derivative.hpp"

namespace coenergy::generate {

using mechanics::BodyTree;
using mechanics::MechanismModel;
using symbolic::Expr;
using symbolic::Graph;
using symbolic::Mat3;
using symbolic::NamedExpr;
using symbolic::Vec3;

std::string_view name(Task task) {
  constexpr std::string_view names[] = {"inverse-dynamics",
                                        "forward-dynamics",
                                        "mass-matrix",
                                        "kinematics",
                                        "constraints",
                                        "inverse-dynamics-derivatives",
                                        "forward-dynamics-derivatives",
                                        "regressor"};
  return names[static_cast<int>(task)];
}

std::string identifier(Task task) {
  std::string text(name(task));
  std::replace(text.begin(), text.end(), '-', '_');
  return text;
}

namespace {

/// An array with the symbols or values that stand for its entries.
struct Group {
  Array array;
  std::vector<Expr> values;
  void add(std::string name, std::string unit, const Expr& value, double start = 0) {
    array.entries.push_back({std::move(name), std::move(unit), start});
    values.push_back(value);
  }
};

/// Every expression of a tree, in a fixed order.
void for_each_expression(BodyTree& tree, const std::function<void(Expr&)>& f) {
  const auto vector = [&](Vec3& v) { std::for_each(v.e.begin(), v.e.end(), f); };
  const auto matrix = [&](Mat3& m) {
    for (auto& row : m.e) std::for_each(row.begin(), row.end(), f);
  };
  vector(tree.gravity);
  for (BodyTree::Link& link : tree.links) {
    matrix(link.A), vector(link.d), f(link.mass), vector(link.com), matrix(link.inertia);
    f(link.origin.mass), vector(link.origin.moment), matrix(link.origin.inertia);
  }
}

/// Parameters replaced by their numbers.
BodyTree with_numbers(BodyTree tree, const std::vector<MechanismModel::Parameter>& parameters) {
  std::vector<Expr> all, from, to;
  for_each_expression(tree, [&](Expr& e) { all.push_back(e); });
  for (const MechanismModel::Parameter& p : parameters) from.push_back(p.symbol), to.push_back(p.value);
  all = symbolic::substitute(all, from, to);
  std::size_t i = 0;
  for_each_expression(tree, [&](Expr& e) { e = symbolic::unbind(all[i++]); });
  return tree;
}

class Generator {
 public:
  Generator(const model::Model& model, MechanismModel mechanism, const Request& request)
      : request_(request), mechanism_(std::move(mechanism)), graph_(*mechanism_.tree.graph) {
    result_.model = model.title;
    for (const MechanismModel::Parameter& p : mechanism_.parameters) parameters_.push_back(p.symbol);
    if (request.parameters == Parameters::numeric)
      mechanism_.tree = with_numbers(std::move(mechanism_.tree), mechanism_.parameters);
    if (request.task == Task::mass_matrix) beside_ = include_shafts(mechanism_);
    result_.has_quaternions = mechanism_.configuration.size() != mechanism_.freedoms.size();
    if (mechanism_.forces) still_ = rows_at_rest();
  }

  Generated run() {
    choose_freedoms();
    result_.main.name = identifier(request_.task);
    switch (request_.task) {
      case Task::inverse_dynamics:
        make_inverse_dynamics();
        break;
      case Task::forward_dynamics:
        make_forward_dynamics();
        break;
      case Task::mass_matrix:
        make_mass_matrix();
        break;
      case Task::inverse_dynamics_derivatives:
        make_inverse_derivatives();
        break;
      case Task::forward_dynamics_derivatives:
        make_forward_derivatives();
        break;
      case Task::regressor:
        make_regressor();
        break;
      default:
        make_kinematics();
        break;
    }
    if (!mechanism_.cut_joints.empty()) note_cuts();
    return std::move(result_);
  }

 private:
  std::vector<Expr> rows_at_rest() {
    MechanismModel::Forces& forces = *mechanism_.forces;
    std::vector<Expr> from, to;
    if (request_.parameters == Parameters::numeric)
      for (const MechanismModel::Parameter& p : mechanism_.parameters) from.push_back(p.symbol), to.push_back(p.value);
    forces.rows = symbolic::substitute(forces.rows, from, to);
    for (const auto& f : mechanism_.freedoms) from.push_back(f.a), to.push_back(0);
    for (const auto& f : forces.shafts) from.push_back(f.a), to.push_back(0);
    return symbolic::substitute(forces.rows, from, to);
  }

  // ---- arguments
  Group positions() const {
    Group g{{"q", "configuration", {}}, {}};
    for (const auto& c : mechanism_.configuration) g.add(c.name, c.unit, c.symbol, c.start);
    return g;
  }
  Group rates() const {
    Group g{{"qd", "rates", {}}, {}};
    for (const auto& f : mechanism_.freedoms)
      g.add(f.name + (f.q.is_number() ? "" : "d"), f.turns ? "rad/s" : "m/s", f.v, f.v0);
    return g;
  }
  Group accelerations() const {
    Group g{{"qdd", "accelerations", {}}, {}};
    for (const auto& f : mechanism_.freedoms) g.add(acceleration_name(f), f.turns ? "rad/s2" : "m/s2", f.a);
    return g;
  }
  Group forces(bool with_symbols) const {
    Group g{{"Q", "joint forces and torques", {}}, {}};
    for (const auto& f : mechanism_.freedoms)
      g.add("Q " + f.name, f.turns ? "N.m" : "N", with_symbols ? graph_.symbol("Q " + f.name) : Expr(0));
    return g;
  }
  static std::string acceleration_name(const MechanismModel::Freedom& f) {
    return f.name + (f.q.is_number() ? "d" : "dd");
  }

  /// Degrees of freedom the user wants, by name of joint or coordinate.
  void choose_freedoms() {
    const std::size_t n = mechanism_.freedoms.size();
    chosen_.assign(n, request_.joints.empty());
    std::vector<std::string> known;
    for (const auto& f : mechanism_.freedoms) known.push_back(f.owner);
    for (const std::string& wish : request_.joints) {
      bool found = false;
      for (std::size_t k = 0; k < n; ++k)
        if (mechanism_.freedoms[k].name == wish || known[k] == wish) chosen_[k] = true, found = true;
      if (!found) throw Error(argument("joints") + ": there is no joint \"" + wish + "\"" + did_you_mean(wish, known));
    }
  }

  Group chosen(Group all, const std::vector<Expr>& values) const {
    Group g{{all.array.name, all.array.meaning, {}}, {}};
    for (std::size_t k = 0; k < values.size(); ++k)
      if (chosen_[k]) g.add(all.array.entries[k].name, all.array.entries[k].unit, values[k]);
    return g;
  }

  /// Time and other variables of the model that forces depend on.
  std::vector<Group> outer_variables(const std::vector<Expr>& used) const {
    std::vector<Group> groups;
    if (!mechanism_.forces) return groups;
    const auto is_used = [&](const Expr& s) {
      return std::any_of(used.begin(), used.end(), [&](const Expr& e) { return same(e, s); });
    };
    if (is_used(mechanism_.forces->time)) {
      groups.push_back({{"t", "time", {}}, {}});
      groups.back().add("time", "s", mechanism_.forces->time);
    }
    Group x{{"x", "other variables of the model that forces depend on", {}}, {}};
    for (const auto& other : mechanism_.forces->others)
      if (is_used(other.symbol)) x.add(other.name, "", other.symbol);
    for (const auto& shaft : mechanism_.forces->shafts) {
      if (is_used(shaft.q)) x.add(shaft.name, shaft.turns ? "rad" : "m", shaft.q, shaft.q0);
      if (is_used(shaft.v)) x.add(shaft.name + "d", shaft.turns ? "rad/s" : "m/s", shaft.v, shaft.v0);
    }
    if (!x.values.empty()) groups.push_back(std::move(x));
    return groups;
  }

  /// What the model itself takes from a degree of freedom at accelerations zero: forces of springs and the like, < 0
  /// where they push.
  Expr taken(std::size_t k) const { return mechanism_.forces ? still_[k] : Expr(0); }

  // ---- making programs
  /// Inputs, and parameters that are needed, to a program; in `once` what only depends on parameters.
  static Array array_of(const Group& g) { return g.array; }

  void finish(Routine& routine, std::vector<Group> inputs, std::vector<Group> outputs, std::vector<Routine>& once) {
    std::vector<Expr> values;
    for (const Group& g : outputs) values.insert(values.end(), g.values.begin(), g.values.end());
    Group parameters{{"p", "parameters", {}}, {}};
    const std::vector<Expr> used = symbolic::free_symbols(values);
    for (std::size_t k = 0; k < parameters_.size(); ++k) {
      const auto& p = mechanism_.parameters[k];
      if (std::any_of(used.begin(), used.end(), [&](const Expr& e) { return same(e, p.symbol); }))
        parameters.add(p.info.name, p.info.unit, p.symbol, p.value);
    }
    for (const Group& g : outer_variables(used)) inputs.push_back(g);
    if (request_.parameters == Parameters::constants && !parameters.values.empty()) {
      const Split split = split_constants(graph_, values, parameters.values);
      values = split.values;
      Group constants{{"k", "constants made of the parameters", {}}, {}};
      std::vector<Expr> made;
      for (std::size_t i = 0; i < split.symbols.size(); ++i) {
        constants.add(split.constants[i].name, "", split.symbols[i]);
        made.push_back(split.constants[i].value);
      }
      Routine first{result_.main.name + "_constants",
                    "constants of " + result_.main.name + ", once for all calls",
                    {parameters.array},
                    {constants.array},
                    make_program({parameters}, {constants}, made)};
      once.assign(1, std::move(first));
      parameters = constants;
    }
    if (!parameters.values.empty()) inputs.push_back(parameters);
    routine.program = make_program(inputs, outputs, values);
    routine.inputs.clear(), routine.outputs.clear();
    for (const Group& g : inputs) routine.inputs.push_back(g.array);
    for (const Group& g : outputs) routine.outputs.push_back(g.array);
  }

  static symbolic::Program make_program(const std::vector<Group>& inputs, const std::vector<Group>& outputs,
                                        const std::vector<Expr>& values) {
    std::vector<Expr> symbols;
    std::vector<NamedExpr> named;
    for (const Group& g : inputs) symbols.insert(symbols.end(), g.values.begin(), g.values.end());
    for (const Group& g : outputs)
      for (const auto& entry : g.array.entries) named.push_back({entry.name, values[named.size()]});
    return symbolic::make_program(symbols, named);
  }

  /// Takes a way to compute the outputs if it needs fewer operations than those before.
  void consider(const std::vector<Group>& inputs, const std::vector<Group>& outputs) {
    Routine routine{result_.main.name, result_.main.title, {}, {}, {}};
    std::vector<Routine> once;
    finish(routine, inputs, outputs, once);
    const int operations = routine.program.count().total();
    if (result_.operations > 0 && operations >= result_.operations) return;
    result_.main = std::move(routine);
    result_.once = std::move(once);
    result_.operations = operations;
    result_.once_operations = result_.once.empty() ? 0 : result_.once[0].program.count().total();
  }

  /// The tree as it is and with lumped inertias.
  std::vector<BodyTree> variants() const { return {mechanism_.tree, mechanics::lump(mechanism_.tree)}; }

  // ---- tasks
  void make_inverse_dynamics() {
    result_.main.title = "joint forces Q for a given motion: Q = M(q) qdd + c(q, qd)";
    for (const BodyTree& tree : variants()) {
      std::vector<Expr> Q = mechanics::compute_inverse_dynamics(tree).forces;
      for (std::size_t k = 0; k < Q.size(); ++k) Q[k] += taken(k);
      consider({positions(), rates(), accelerations()}, {chosen(forces(false), Q)});
    }
    note_forces("Q is what actuators have to add");
  }

  void make_forward_dynamics() {
    result_.main.title = "accelerations qdd for given joint forces Q: M(q) qdd = Q - c(q, qd)";
    constexpr std::size_t few = 16;  // beyond this the mass matrix never wins
    const Group Q = forces(true);
    std::vector<Expr> all = Q.values;
    for (std::size_t k = 0; k < all.size(); ++k) all[k] -= taken(k);
    for (const BodyTree& tree : variants()) {
      consider({positions(), rates(), Q},
               {chosen(accelerations(), mechanics::compute_articulated_accelerations(tree, all))});
      if (mechanism_.freedoms.size() <= few)
        consider({positions(), rates(), Q},
                 {chosen(accelerations(), mechanics::compute_matrix_accelerations(tree, all))});
    }
    note_forces("Q comes on top of them");
  }

  /// ∂f/∂(variables) in the rows of the chosen freedoms.
  enum class Along { position, rate, acceleration };
  Group jacobian(const std::string& array, const std::string& meaning, const std::vector<Expr>& f, const Group& of,
                 Along along) const {
    std::vector<Expr> symbols;
    for (std::size_t k = 0; k < mechanism_.freedoms.size(); ++k) {
      const auto& freedom = mechanism_.freedoms[k];
      symbols.push_back(along == Along::position ? freedom.q : along == Along::rate ? freedom.v : freedom.a);
    }
    return jacobian(array, meaning, f, of, symbols);
  }
  Group jacobian(const std::string& array, const std::string& meaning, const std::vector<Expr>& f, const Group& of,
                 const std::vector<Expr>& symbols) const {
    Group g{{array, meaning + ", row by row", {}}, {}};
    const std::vector<Expr> all = symbolic::dense_jacobian(f, symbols);
    for (std::size_t i = 0; i < f.size(); ++i)
      for (std::size_t j = 0; j < symbols.size(); ++j)
        if (chosen_[i])
          g.add("d " + of.array.entries[i].name + " / d " + to_string(symbols[j]), "", all[i * symbols.size() + j]);
    return g;
  }
  void refuse_turns(const char* what) const {
    for (const auto& f : mechanism_.freedoms)
      if (f.q.is_number())
        throw Error(f.owner + " turns freely about three axes: " + what +
                    " along its quaternion are not made; replace it by three hinges");
  }

  void make_inverse_derivatives() {
    result_.main.title = "derivatives of the joint forces Q = M(q) qdd + c(q, qd) by q, qd and qdd";
    refuse_turns("derivatives");
    const Group of = forces(false);
    for (const BodyTree& tree : variants()) {
      std::vector<Expr> Q = mechanics::compute_inverse_dynamics(tree).forces;
      for (std::size_t k = 0; k < Q.size(); ++k) Q[k] += taken(k);
      consider({positions(), rates(), accelerations()},
               {jacobian("dQ_dq", "by q", Q, of, Along::position), jacobian("dQ_dqd", "by qd", Q, of, Along::rate),
                jacobian("dQ_dqdd", "by qdd: the mass matrix", Q, of, Along::acceleration)});
    }
    note_forces("their derivatives are in it");
  }

  void make_forward_derivatives() {
    result_.main.title = "derivatives of the accelerations qdd, M(q) qdd = Q - c(q, qd), by q, qd and Q";
    refuse_turns("derivatives");
    const Group Q = forces(true), of = accelerations();
    std::vector<Expr> all = Q.values;
    for (std::size_t k = 0; k < all.size(); ++k) all[k] -= taken(k);
    for (const BodyTree& tree : variants()) {
      const std::vector<Expr> qdd = mechanics::compute_articulated_accelerations(tree, all);
      consider(
          {positions(), rates(), Q},
          {jacobian("dqdd_dq", "by q", qdd, of, Along::position), jacobian("dqdd_dqd", "by qd", qdd, of, Along::rate),
           jacobian("dqdd_dQ", "by Q: the inverse of the mass matrix", qdd, of, Q.values)});
    }
    note_forces("their derivatives are in it");
  }

  void make_regressor() {
    result_.main.title =
        "regressor Y, row by row: joint forces of inertia and gravity are Q = Y phi, linear in the inertial parameters "
        "phi";
    const mechanics::Regressor regressor = mechanics::compute_regressor(mechanism_.tree);
    Group Y{{"Y", "a row for each degree of freedom, a column for each parameter", {}}, {}};
    const Group of = forces(false);
    const std::size_t columns = regressor.names.size();
    for (std::size_t i = 0; i < of.values.size(); ++i)
      for (std::size_t j = 0; j < columns; ++j)
        if (chosen_[i]) Y.add(of.array.entries[i].name + " by " + regressor.names[j], "", regressor.Y[i * columns + j]);
    Group phi{
        {"phi", "the parameters of the model: mass, first moment and inertia about the link's origin, link axes", {}},
        {}};
    for (std::size_t j = 0; j < columns; ++j) phi.add(regressor.names[j], regressor.units[j], regressor.values[j]);
    consider({positions(), rates(), accelerations()}, {Y, phi});
    std::string base;
    for (const int j : mechanics::find_base_parameters(mechanism_.tree, regressor))
      base += (base.empty() ? "" : ", ") + regressor.names[j];
    result_.notes.push_back("base parameters, whose columns are independent: " + base);
    if (mechanism_.forces) result_.notes.push_back("springs, dampers and loads of the model are no part of it");
  }

  void make_mass_matrix() {
    result_.main.title = "mass matrix M(q), row by row, and bias forces c(q, qd): M qdd + c = Q";
    for (const std::string& shaft : beside_)
      result_.notes.push_back("left out: the inertia of " + shaft +
                              ", which moves by itself or is held by more than one gear");
    for (const BodyTree& tree : variants()) consider_mass_matrix(tree, mechanics::compute_mass_matrix(tree));
    // world axes cost about 100 operations for each joint and save 13 for each pair
    const mechanics::TreeMatrix pattern(mechanism_.tree);
    std::size_t pairs = 0;
    for (int k = 0; k < pattern.size(); ++k) pairs += pattern.ancestors(k).size();
    if (pairs < 12 * mechanism_.freedoms.size()) return;
    for (const BodyTree& tree : variants())
      consider_mass_matrix(tree, mechanics::compute_mass_matrix(tree, mechanics::MassMatrixAxes::world));
  }

  void consider_mass_matrix(const BodyTree& tree, const mechanics::TreeMatrix& matrix) {
    Group M{{"M", "mass matrix, row by row", {}}, {}};
    for (int i = 0; i < matrix.size(); ++i)
      for (int j = 0; j < matrix.size(); ++j)
        if (chosen_[i] && chosen_[j])
          M.add("M " + mechanism_.freedoms[i].name + ", " + mechanism_.freedoms[j].name, mass_unit(i, j),
                matrix.at(i, j) + shaft_inertia(i, j));
    std::vector<Expr> bias = mechanics::compute_inverse_dynamics(tree, false).forces;
    for (std::size_t k = 0; k < bias.size(); ++k) bias[k] += taken(k);
    Group c = chosen(forces(false), bias);
    c.array.name = "c", c.array.meaning = "forces without accelerations";
    for (auto& entry : c.array.entries) entry.name[0] = 'c';
    consider({positions(), rates()}, {M, c});
  }

  /// Inertia that components on a joint's shaft add.
  Expr shaft_inertia(int i, int j) const {
    if (!mechanism_.forces || mechanism_.forces->rows[i].is_number()) return 0;
    return symbolic::derivative(mechanism_.forces->rows[i], mechanism_.freedoms[j].a);
  }

  void note_forces(const char* rest) {
    result_.notes.push_back(
        mechanism_.forces ? std::string("springs, dampers and loads of the model are part of the function; ") + rest
                          : "the model has no springs, dampers or loads");
  }

  std::string mass_unit(int i, int j) const {
    const int turns = mechanism_.freedoms[i].turns + mechanism_.freedoms[j].turns;
    return turns == 2 ? "kg.m2" : turns == 1 ? "kg.m" : "kg";
  }

  void make_kinematics() {
    result_.main.title = "pose, velocity, Jacobian and bias acceleration of points, world axes";
    std::vector<std::string> names;
    const std::vector<mechanics::LinkPoint> points = find_points(names);
    const auto motions = mechanics::compute_kinematics(mechanism_.tree, points);
    Group x{{"x", "positions", {}}, {}}, R{{"R", "rotation matrices, row by row", {}}, {}},
        v{{"v", "velocities", {}}, {}}, w{{"w", "angular velocities", {}}, {}},
        J{{"J", "Jacobians, 6 rows (velocity, angular velocity) for each point, row by row", {}}, {}},
        b{{"b", "accelerations without qdd: of the point, angular", {}}, {}};
    const char* axis[] = {"x", "y", "z"};
    for (std::size_t i = 0; i < motions.size(); ++i) {
      const mechanics::PointKinematics& k = motions[i];
      for (int r = 0; r < 3; ++r) {
        x.add(names[i] + "." + axis[r], "m", k.position[r]);
        v.add(names[i] + ".v" + axis[r], "m/s", k.velocity[r]);
        w.add(names[i] + ".w" + axis[r], "rad/s", k.angular_velocity[r]);
        for (int c = 0; c < 3; ++c)
          R.add(names[i] + ".R" + std::to_string(r + 1) + std::to_string(c + 1), "", k.R(r, c));
      }
      add_jacobian(J, names[i], k);
      for (int r = 0; r < 3; ++r) b.add(names[i] + ".a" + axis[r], "m/s2", k.bias[r]);
      for (int r = 0; r < 3; ++r) b.add(names[i] + ".wd" + axis[r], "rad/s2", k.angular_bias[r]);
    }
    consider({positions(), rates()}, {x, R, v, w, J, b});
  }

  void add_jacobian(Group& J, const std::string& point, const mechanics::PointKinematics& k) const {
    for (int r = 0; r < 6; ++r)
      for (std::size_t f = 0; f < mechanism_.freedoms.size(); ++f) {
        if (!chosen_[f]) continue;
        Expr value = 0;
        for (const auto& column : k.jacobian)
          if (column.freedom == static_cast<int>(f)) value = r < 3 ? column.linear[r] : column.angular[r - 3];
        J.add(point + ".J" + std::to_string(r + 1) + " " + mechanism_.freedoms[f].name, "", value);
      }
  }

  std::vector<mechanics::LinkPoint> find_points(std::vector<std::string>& names) const {
    std::vector<mechanics::LinkPoint> points;
    std::vector<std::string> known;
    for (const auto& body : mechanism_.bodies) known.push_back(body.name);
    if (request_.points.empty()) {
      for (const auto& body : mechanism_.bodies) points.push_back(body.frame);
      names = known;
    }
    for (const mechanics::BodyPoint& p : request_.points) {
      const auto body = std::find_if(mechanism_.bodies.begin(), mechanism_.bodies.end(),
                                     [&](const MechanismModel::Body& b) { return b.name == p.body; });
      if (body == mechanism_.bodies.end())
        throw Error(argument("points") + ": there is no body \"" + p.body + "\"" + did_you_mean(p.body, known));
      mechanics::LinkPoint point = body->frame;
      point.position = point.position + point.axes * Vec3{{p.at[0], p.at[1], p.at[2]}};
      points.push_back(point);
      std::string unique = p.body;
      for (int i = 2; std::find(names.begin(), names.end(), unique) != names.end(); ++i)
        unique = p.body + "_" + std::to_string(i);
      names.push_back(unique);
    }
    return points;
  }

  void note_cuts() {
    std::string joints;
    for (const std::string& j : mechanism_.cut_joints) joints += (joints.empty() ? "" : ", ") + j;
    result_.notes.push_back("loops are cut at " + joints + ": see the function constraints");
  }

  const Request& request_;
  MechanismModel mechanism_;
  Graph& graph_;
  std::vector<Expr> parameters_;
  std::vector<char> chosen_;
  std::vector<std::string> beside_;  ///< shafts that are not in the rows
  std::vector<Expr> still_;          ///< rows of the forces, accelerations zero
  Generated result_;
};

}  // namespace

namespace {

Generated make(const model::Model& model, const model::Registry& registry, const Request& request,
               MechanismModel mechanism) {
  if (request.task == Task::forward_dynamics || request.task == Task::inverse_dynamics) {
    if (is_constrained(mechanism)) return generate_loops(model, registry, request, std::move(mechanism));
    if (!request.independent.empty() || !request.actuated.empty())
      throw Error({model.file},
                  "the mechanism has no loops and no constraints: all its coordinates are independent and "
                  "have actuators; use " +
                      argument("joints") + " to choose some of them");
  }
  return Generator(model, std::move(mechanism), request).run();
}

}  // namespace

Generated generate(const model::Model& model, const model::Registry& registry, const Request& request) {
  if (request.task == Task::constraints && !request.inputs.empty())
    throw Error({model.file}, "the function constraints has no inputs: it depends on positions and time only");
  if (request.task == Task::constraints) return generate_constraints(model, registry, request);
  MechanismModel mechanism = compile::read_mechanism(model, registry, request.inputs);
  const std::vector<std::string> opened = mechanism.opened;
  Generated made = make(model, registry, request, std::move(mechanism));
  made.notes.insert(made.notes.end(), opened.begin(), opened.end());
  return made;
}

}  // namespace coenergy::generate
