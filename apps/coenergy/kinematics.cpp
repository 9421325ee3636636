#include <fmt/core.h>

#include <cmath>
#include "apps/coenergy/answer.hpp"
#include "apps/coenergy/body_point.hpp"
#include "coenergy/analyze/actuation.hpp"
#include "coenergy/analyze/inverse_kinematics.hpp"
#include "coenergy/base/data_file.hpp"
#include "coenergy/io/csv.hpp"
#include "coenergy/solve/initialize.hpp"

namespace coenergy::app {

namespace {

using analyze::Limit;
using analyze::Reach;
using equations::Evaluator;
using equations::Point;
using equations::System;

analyze::Target make_target(const std::vector<double>& x) {
  analyze::Target target{{x[0], x[1], x[2]}, {}};
  if (x.size() == 6) target.rotation = math::quaternion_of_angles({x[3], x[4], x[5]});
  return target;
}

/// The range of every joint that has stops in the model, and those of the command line instead.
std::vector<Limit> find_limits(const System& s, const std::vector<std::string>& given) {
  std::vector<Limit> limits;
  const double none = std::numeric_limits<double>::infinity();
  std::vector<std::string> names;
  std::vector<std::pair<double, double>> ranges;
  for (const std::string& text : given) {
    const std::string complaint = "--limit " + text + ": write JOINT:LOWER,UPPER, such as --limit elbow:-1.5,1.5";
    const std::size_t colon = text.find(':');
    if (colon == std::string::npos) throw Error(complaint);
    const std::vector<double> range = parse_numbers(text.substr(colon + 1), complaint);
    if (range.size() != 2 || !(range[0] < range[1])) throw Error(complaint);
    names.push_back(text.substr(0, colon));
    ranges.emplace_back(range[0], range[1]);
  }
  const std::vector<int> coordinates = analyze::find_coordinates(s, names, "limit");
  for (int i = 0; i < s.nv() - 3 * (s.nq() - s.nv()); ++i) {
    const std::string joint(s.unknown(i).owner());
    const int lower = s.find_parameter(joint + ".lower"), upper = s.find_parameter(joint + ".upper");
    Limit limit{i, lower < 0 ? -none : s.parameter(lower), upper < 0 ? none : s.parameter(upper)};
    for (std::size_t k = 0; k < coordinates.size(); ++k)
      if (coordinates[k] == i) limit.lower = ranges[k].first, limit.upper = ranges[k].second;
    if (limit.lower > -none || limit.upper < none) limits.push_back(limit);
  }
  return limits;
}

/// Angles about x, then y, then z.
math::Vector3 angles_of(const math::Quaternion& p) {
  const math::Matrix3 R = math::rotation_matrix(p);
  return {std::atan2(R[2][1], R[2][2]), std::atan2(-R[2][0], std::hypot(R[0][0], R[1][0])),
          std::atan2(R[1][0], R[0][0])};
}

void print_pose(const analyze::Pose& pose) {
  const math::Vector3 a = angles_of(pose.rotation);
  fmt::print("  position  {:>16.10g}{:>16.10g}{:>16.10g} m\n", pose.position[0], pose.position[1], pose.position[2]);
  fmt::print("  angles    {:>16.10g}{:>16.10g}{:>16.10g} rad, about x, then y, then z\n", a[0], a[1], a[2]);
}

nlohmann::json to_json(const analyze::Pose& pose) {
  return {{"position", pose.position}, {"rotation", pose.rotation}, {"angles", angles_of(pose.rotation)}};
}

/// Where the joints are: coordinates, and of ball joints and free bodies the quaternions of their attitudes.
struct Coordinate {
  std::string name, unit;
  double value;
};
std::vector<Coordinate> list_coordinates(const System& s, const Point& p) {
  std::vector<Coordinate> list;
  const int rotations = s.nq() - s.nv(), scalars = s.nv() - 3 * rotations;
  for (int i = 0; i < scalars; ++i) list.push_back({s.unknown(i).name, s.unknown(i).unit, p.q[i]});
  for (int k = 0; k < rotations; ++k)
    for (int m = 0; m < 4; ++m)
      list.push_back({fmt::format("{}.p{}", s.unknown(scalars + 3 * k).owner(), m), "", p.q[scalars + 4 * k + m]});
  return list;
}

/// An answer with the coordinates of the joints at a point, and units of all that it holds.
nlohmann::json begin_pose_answer(const Prepared& prepared, const Point& p) {
  nlohmann::json j = begin_answer(prepared);
  j["units"] = {{"position", "m"}, {"rotation", ""}, {"angles", "rad"}, {"distance", "m"}, {"angle", "rad"}};
  j["joints"] = nlohmann::json::object();
  for (const Coordinate& c : list_coordinates(prepared.compiled.system, p))
    j["joints"][c.name] = c.value, j["units"][c.name] = c.unit;
  return j;
}

/// Why a target was not reached.
std::string explain(const System& s, const Reach& r, const std::vector<double>& target, const std::string& body) {
  if (!std::isfinite(r.distance)) return "kinematics: the loops of the mechanism cannot be closed near its start";
  std::string text = fmt::format(
      "kinematics: {} cannot reach ({:g}, {:g}, {:g}) m; the nearest place found is ({:g}, {:g}, {:g}) m, {:.3g} m "
      "away",
      body, target[0], target[1], target[2], r.pose.position[0], r.pose.position[1], r.pose.position[2], r.distance);
  if (target.size() == 6) text += fmt::format(", turned by {:.3g} rad", r.angle);
  for (std::size_t k = 0; k < r.at_limit.size(); ++k)
    text += fmt::format("{}{} = {:g}", k == 0 ? "; at their limits: " : ", ", s.unknown(r.at_limit[k]).name,
                        r.point.q[r.at_limit[k]]);
  return text;
}

/// Every row of a file of targets, each from the configuration before.
int follow_path(const Prepared& prepared, Evaluator& evaluator, Point p, const mechanics::BodyPoint& point,
                const std::vector<Limit>& limits, const KinematicsArguments& arguments) {
  const System& s = evaluator.system();
  const io::CsvData data = read_data(arguments.path);
  std::vector<std::vector<double>> columns;
  for (const char* name : {"x", "y", "z"}) columns.push_back(coenergy::read_quantity(data, arguments.path, name, "m"));
  if (std::find(data.names.begin(), data.names.end(), "rx") != data.names.end())
    for (const char* name : {"rx", "ry", "rz"})
      columns.push_back(coenergy::read_quantity(data, arguments.path, name, "rad"));
  const bool has_time = !data.names.empty() && data.names[0] == "time";
  const std::vector<double> times = has_time ? coenergy::read_times(data, arguments.path) : std::vector<double>();
  std::vector<std::string> names{has_time ? "time" : "row"}, units{has_time ? "s" : ""};
  for (const Coordinate& c : list_coordinates(s, p)) names.push_back(c.name), units.push_back(c.unit);
  std::vector<double> values;
  for (std::size_t row = 0; row < data.rows(); ++row) {
    std::vector<double> target;
    for (const auto& column : columns) target.push_back(column[row]);
    // a path is followed from row to row; another branch would be a jump
    const Reach r =
        analyze::find_configuration(evaluator, p, point, make_target(target), limits, {.restarts = row == 0 ? 20 : 0});
    if (!r.good) throw Failure(explain(s, r, target, point.body) + fmt::format("; row {}", row + 1));
    p = r.point;
    values.push_back(has_time ? times[row] : static_cast<double>(row));
    for (const Coordinate& c : list_coordinates(s, p)) values.push_back(c.value);
  }
  if (!arguments.output.empty()) io::write_csv(arguments.output, names, units, values);
  if (arguments.model.json) {
    nlohmann::json j = begin_pose_answer(prepared, p);
    j["rows"] = data.rows();
    if (!arguments.output.empty()) j["output"] = arguments.output;
    return print_answer(j);
  }
  fmt::print("{} rows{}\n", data.rows(), arguments.output.empty() ? "" : ", result: " + arguments.output);
  return 0;
}

}  // namespace

int kinematics(const KinematicsArguments& arguments) {
  const mechanics::BodyPoint point = parse_body_point("--point", arguments.point);
  const Prepared p = prepare(load_model(arguments.model));
  Evaluator evaluator(p.compiled.system);
  const System& s = evaluator.system();
  Point start = with_places(p.model, [&] { return solve::find_start_pose(evaluator, p.options); });
  const std::vector<Limit> limits = find_limits(s, arguments.limits);
  if (!arguments.path.empty() && !arguments.target.empty())
    throw Error("--target and --path are two ways to say where: give one of them");
  if (!arguments.output.empty() && arguments.path.empty()) throw Error("--output is for the joints of a --path");
  if (!arguments.limits.empty() && arguments.path.empty() && arguments.target.empty())
    throw Error("--limit restricts the way to a --target or a --path");
  if (!arguments.path.empty()) return follow_path(p, evaluator, start, point, limits, arguments);

  if (arguments.target.empty()) {
    const analyze::Pose pose = analyze::find_pose(evaluator, start, point);
    if (arguments.model.json) {
      nlohmann::json j = begin_pose_answer(p, start);
      j["pose"] = to_json(pose);
      return print_answer(j);
    }
    fmt::print("{}\n", arguments.point);
    print_pose(pose);
    return 0;
  }
  const std::string complaint = "--target " + arguments.target +
                                ": write X,Y,Z in metres, or X,Y,Z,A,B,C with angles in rad about x, then y, then z";
  const std::vector<double> target = parse_numbers(arguments.target, complaint);
  if (target.size() != 3 && target.size() != 6) throw Error(complaint);
  const Reach r = analyze::find_configuration(evaluator, start, point, make_target(target), limits);
  if (!r.good) throw Failure(explain(s, r, target, point.body));
  if (arguments.model.json) {
    nlohmann::json j = begin_pose_answer(p, r.point);
    j["pose"] = to_json(r.pose), j["distance"] = r.distance, j["angle"] = r.angle, j["iterations"] = r.iterations;
    return print_answer(j);
  }
  fmt::print("{} reached in {} iterations\n", arguments.point, r.iterations);
  print_pose(r.pose);
  for (const Coordinate& c : list_coordinates(s, r.point))
    fmt::print("  {:<30}{:>16.10g} {}\n", c.name, c.value, c.unit);
  return 0;
}

}  // namespace coenergy::app
