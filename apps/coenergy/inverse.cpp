#include <fmt/ranges.h>

#include <cmath>
#include <optional>

#include "apps/coenergy/answer.hpp"
#include "coenergy/analyze/actuation.hpp"
#include "coenergy/analyze/spline.hpp"
#include "coenergy/analyze/state_inputs.hpp"
#include "coenergy/base/data_file.hpp"
#include "coenergy/domains/standard.hpp"
#include "coenergy/io/csv.hpp"
#include "coenergy/solve/initialize.hpp"
#include "coenergy/solve/simulate.hpp"

namespace coenergy::app {

namespace {

using equations::Evaluator;
using equations::Point;

/// Actuator forces, powers and motion over time.
class Table {
 public:
  Table(Evaluator& evaluator, const std::vector<std::string>& wish, const std::vector<std::string>& inputs)
      : actuated(wish), evaluator_(evaluator) {
    for (const std::string& name : inputs) {
      inputs_.push_back(evaluator.system().find_parameter(name));
      if (inputs_.back() < 0) throw Error("--input " + name + ": it has no part in the equations of this model");
    }
  }

  void add(const Point& p) {
    if (!inputs_.empty()) return add_inputs(p);
    if (!actuation_) open(p);
    const std::optional<std::vector<double>> forces = actuation_->forces(p);
    if (!forces)
      throw Failure(fmt::format(
          "inverse: at t = {:g} s the actuated joints cannot make this motion: the mechanism is singular for them",
          p.t));
    values.push_back(p.t);
    double power = 0;
    for (std::size_t k = 0; k < forces->size(); ++k) {
      const int i = actuation_->coordinates()[k];
      values.push_back(p.q[i]), values.push_back(p.v[i]), values.push_back((*forces)[k]);
      power += (*forces)[k] * p.v[i];
    }
    values.push_back(power);
  }

  /// Rows that are known only after the last one.
  void finish() {
    if (!by_states_) return;
    const std::optional<math::Matrix> rows = by_states_->compute();
    if (!rows) throw Failure("inverse: the inputs cannot make the rates of this motion");
    for (int k = 0; k < rows->rows; ++k) {
      values.push_back(times_[static_cast<std::size_t>(k)]);
      for (int c = 0; c < rows->columns; ++c) values.push_back((*rows)(k, c));
    }
  }

  std::vector<std::string> actuated;  ///< by name; none: the driven ones
  std::vector<std::string> names, units;
  std::vector<double> values;  ///< rows

 private:
  void add_inputs(const Point& p) {
    const equations::System& s = evaluator_.system();
    evaluator_.open_inputs(p);
    if (!actuation_) {
      actuation_.emplace(evaluator_, p, inputs_);
      names = {"time"}, units = {"s"};
      for (const int k : inputs_) names.push_back(s.parameter_name(k)), units.push_back(s.parameter_unit(k));
    }
    if (by_states_) return add_states(p);
    const std::optional<std::vector<double>> u = actuation_->input_values(p);
    if (!u && values.empty()) {
      // not at once: voltages, whose currents have the forces
      by_states_.emplace(evaluator_, p, inputs_);
      for (const std::string& name : by_states_->states()) {
        names.push_back(name);
        units.push_back(s.signals()[static_cast<std::size_t>(s.find_signal(name))].unit);
      }
      return add_states(p);
    }
    if (!u)
      throw Failure(fmt::format(
          "inverse: at t = {:g} s the inputs cannot make this motion: its forces do not depend on them", p.t));
    values.push_back(p.t);
    values.insert(values.end(), u->begin(), u->end());
  }

  void add_states(const Point& p) {
    if (!times_.empty() && p.t == times_.back()) return;  // the other side of an event
    times_.push_back(p.t);
    if (!by_states_->add(p))
      throw Failure(
          fmt::format("inverse: at t = {:g} s no {} make this motion", p.t, fmt::join(by_states_->states(), ", ")));
  }

  void open(const Point& p) {
    actuation_.emplace(evaluator_, p, actuated);
    names = {"time"}, units = {"s"};
    for (const int i : actuation_->coordinates()) {
      const equations::UnknownInfo& info = evaluator_.system().unknown(i);
      const std::string joint(info.owner());
      names.insert(names.end(), {info.name, info.name + "d", joint + ".actuator"});
      units.insert(units.end(), {info.unit, info.unit + "/s", info.turns ? "N.m" : "N"});
    }
    names.push_back("power"), units.push_back("W");
  }

  Evaluator& evaluator_;
  std::vector<int> inputs_;
  std::optional<analyze::Actuation> actuation_;
  std::optional<analyze::StateInputs> by_states_;
  std::vector<double> times_;
};

/// A motion from a file: columns time, and for each given coordinate its value, and its rate and acceleration or not.
struct Motion {
  std::vector<double> times;
  std::vector<int> coordinates;
  std::vector<std::vector<double>> q, v, a;
};

Motion read_motion(const equations::System& s, const std::string& file) {
  const io::CsvData data = read_data(file);
  Motion motion;
  motion.times = coenergy::read_times(data, file);
  const auto has = [&](const std::string& name) {
    return std::find(data.names.begin(), data.names.end(), name) != data.names.end();
  };
  if (motion.times.size() < 4) throw Error({file}, "a motion needs at least four rows");
  for (int i = 0; i < s.nv() - 3 * (s.nq() - s.nv()); ++i) {
    const std::string& name = s.unknown(i).name;
    if (!has(name)) continue;
    motion.coordinates.push_back(i);
    const std::string& unit = s.unknown(i).unit;
    motion.q.push_back(coenergy::read_quantity(data, file, name, unit));
    if (has(name + "d") && has(name + "dd")) {
      motion.v.push_back(coenergy::read_quantity(data, file, name + "d", unit + "/s"));
      motion.a.push_back(coenergy::read_quantity(data, file, name + "dd", unit + "/s2"));
      continue;
    }
    analyze::SplineDerivatives d = analyze::differentiate_spline(motion.times, motion.q.back());
    motion.v.push_back(std::move(d.first)), motion.a.push_back(std::move(d.second));
  }
  return motion;
}

/// Of a motion that gives more coordinates than there are degrees of freedom (as a run does), those that stay: the
/// actuated ones, or the ones pivoting chooses.
Motion reduce(Evaluator& evaluator, const Point& p, const Motion& motion, const std::string& file,
              const std::vector<std::string>& actuated) {
  const equations::System& s = evaluator.system();
  solve::Statistics statistics;
  solve::Closure closure(evaluator, statistics);
  closure.choose(p);
  std::vector<int> chosen = closure.partition().independent;
  const std::size_t freedoms = chosen.size();
  std::string wanted;
  for (const int i : chosen) wanted += (wanted.empty() ? "" : ", ") + s.unknown(i).name;
  if (motion.coordinates.size() == freedoms) return motion;
  if (actuated.size() == freedoms) chosen = analyze::find_coordinates(s, actuated, "actuated");
  Motion reduced;
  reduced.times = motion.times;
  for (const int i : chosen) {
    const auto at = std::find(motion.coordinates.begin(), motion.coordinates.end(), i);
    if (at == motion.coordinates.end())
      throw Error({file},
                  fmt::format("the motion gives {} coordinates, and the mechanism has {} degrees of freedom; give "
                              "columns for as many, such as {}",
                              motion.coordinates.size(), freedoms, wanted));
    const std::size_t k = at - motion.coordinates.begin();
    reduced.coordinates.push_back(i);
    reduced.q.push_back(motion.q[k]), reduced.v.push_back(motion.v[k]), reduced.a.push_back(motion.a[k]);
  }
  return reduced;
}

/// Points of the motion: dependent coordinates follow by closing the loops.
void follow(Evaluator& evaluator, const Motion& motion, const std::string& file, Point p, Table& table) {
  const equations::System& s = evaluator.system();
  solve::Statistics statistics;
  solve::Closure closure(evaluator, statistics);
  std::vector<char> keep(s.nv(), 0);
  for (const int i : motion.coordinates) keep[i] = 1;
  closure.choose(p, keep);
  if (closure.partition().independent.size() != motion.coordinates.size())
    throw Error({file}, "the coordinates of the motion depend on each other at the start of the model; give others");
  const auto fail = [&](const char* what, double t, const solve::Closure::Outcome& o) {
    throw Failure(fmt::format("inverse: {} at t = {:g} s: {} is off by {:.3g}", what, t,
                              s.row_name(s.nv() + o.constraint), o.violation));
  };
  for (std::size_t k = 0; k < motion.times.size(); ++k) {
    p.t = motion.times[k];
    for (std::size_t c = 0; c < motion.coordinates.size(); ++c) {
      const int i = motion.coordinates[c];
      p.q[i] = motion.q[c][k], p.v[i] = motion.v[c][k], p.a[i] = motion.a[c][k];
    }
    if (const auto o = closure.close_position(p); !o.good) fail("the loops cannot be closed", p.t, o);
    if (const auto o = closure.close_velocity(p); !o.good) fail("the mechanism is singular", p.t, o);
    if (const auto o = closure.close_acceleration(p); !o.good) fail("the mechanism is singular", p.t, o);
    table.add(p);
    closure.renew(p);
  }
}

/// Whether a name is that of an entry, "U1.v", and so an actuator that is an input.
bool is_entry(const model::Model& model, const std::string& name) {
  const std::size_t dot = name.rfind('.');
  const model::Component* c = dot == std::string::npos ? nullptr : model.find(name.substr(0, dot));
  if (c == nullptr) return false;
  const model::Registry registry = domains::make_standard_registry();
  const model::ComponentType* type = registry.find(c->type);
  if (type == nullptr) return false;
  const auto& parameters = type->description.parameters;
  return std::any_of(parameters.begin(), parameters.end(),
                     [&](const model::ParameterInfo& p) { return p.name == name.substr(dot + 1); });
}

}  // namespace

int inverse(const InverseArguments& given) {
  InverseArguments arguments = given;
  model::Model changed = load_model(arguments.model);
  if (!arguments.actuated.empty() && arguments.inputs.empty() &&
      std::all_of(arguments.actuated.begin(), arguments.actuated.end(),
                  [&](const std::string& name) { return is_entry(changed, name); }))
    std::swap(arguments.actuated, arguments.inputs);
  for (const auto& [name, text] :
       {std::pair("t_end", arguments.t_end), std::pair("output_step", arguments.output_step)}) {
    if (text.empty()) continue;
    model::Value value(text);
    value.where.file = "--" + std::string(name) + " " + text;
    changed.set(std::string("simulate.") + name, std::move(value));
  }
  if (!arguments.actuated.empty() && !arguments.inputs.empty())
    throw Error("--input and --actuated both say what makes the motion; give one of them");
  const Prepared p = prepare(std::move(changed), arguments.inputs);
  Evaluator evaluator(p.compiled.system);
  Table table(evaluator, arguments.actuated, arguments.inputs);
  with_places(p.model, [&] {
    if (!arguments.motion.empty()) {
      const Motion motion = read_motion(p.compiled.system, arguments.motion);
      const Point start = solve::initialize(evaluator, p.options).point;
      const Motion reduced = reduce(evaluator, start, motion, arguments.motion, arguments.actuated);
      // without another wish the moved joints have the actuators
      if (arguments.actuated.empty())
        for (const int i : reduced.coordinates) table.actuated.push_back(p.compiled.system.unknown(i).name);
      follow(evaluator, reduced, arguments.motion, start, table);
      table.finish();
      return;
    }
    struct : solve::Observer {
      void row(const Point& point) override { table->add(point); }
      Table* table;
    } rows;
    rows.table = &table;
    solve::Hooks hooks;
    hooks.keep_rows = false;
    hooks.observer = &rows;
    Evaluator running(p.compiled.system);
    const solve::Result result = solve::simulate(running, p.options, hooks);
    if (result.status == solve::Status::failed) throw Failure("inverse: " + result.text);
    table.finish();
  });

  const std::size_t columns = table.names.size(), rows = table.values.size() / columns;
  if (!arguments.output.empty()) io::write_csv(arguments.output, table.names, table.units, table.values);
  nlohmann::json j = begin_answer(p);
  j["rows"] = rows;
  if (!arguments.output.empty()) j["output"] = arguments.output;
  for (const equations::OpenedInput& input : p.compiled.system.opened())
    j["opened"][p.compiled.system.parameter_name(input.parameter)] = input.was;
  for (std::size_t c = 1; c < columns; ++c) {
    double largest = 0, squares = 0;
    for (std::size_t r = 0; r < rows; ++r) {
      const double x = table.values[r * columns + c];
      largest = std::max(largest, std::abs(x)), squares += x * x;
    }
    j["units"][table.names[c]] = table.units[c];
    j["largest"][table.names[c]] = largest;
    j["rms"][table.names[c]] = std::sqrt(squares / static_cast<double>(rows));
    j["first"][table.names[c]] = table.values[c];
    j["last"][table.names[c]] = table.values[(rows - 1) * columns + c];
  }
  if (arguments.model.json) return print_answer(j);
  for (const std::string& line : describe_opened(p.compiled.system)) fmt::print("{}\n", line);
  fmt::print("{:<32}{:>16}{:>16}\n", "", "largest", "root mean square");
  for (std::size_t c = 1; c < columns; ++c)
    fmt::print("{:<32}{:>16.6g}{:>16.6g} {}\n", table.names[c], j["largest"][table.names[c]].get<double>(),
               j["rms"][table.names[c]].get<double>(), table.units[c]);
  if (!arguments.output.empty()) fmt::print("result: {}\n", arguments.output);
  return 0;
}

}  // namespace coenergy::app
