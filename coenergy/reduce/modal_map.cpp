#include "coenergy/reduce/modal_map.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "coenergy/base/error.hpp"

namespace coenergy::reduce {

namespace {

constexpr double like = 0.95;      // least likeness of a mode with itself in the next pose
constexpr int most_halvings = 12;  // of the way between two poses

double distance(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return sum;
}

void add_half(std::vector<double>& f, const math::Matrix& m) {
  for (int j = 0; j < m.columns; ++j)
    for (int i = 0; i <= j; ++i) f.push_back(m(i, j));
}

}  // namespace

Database::Database(Mechanism& mechanism) : mechanism_(mechanism) {
  const Pose start = find_pose(mechanism, mechanism.start(), mechanism.theta_of(mechanism.start()));
  if (!start.good) throw Error(start.text);
  LocalModel first = make_local_model(mechanism, start.point);
  models_.emplace(first.theta, std::move(first));
}

const LocalModel* Database::find(const std::vector<double>& theta) {
  if (const auto known = models_.find(theta); known != models_.end()) return &known->second;
  const auto nearest = std::min_element(models_.begin(), models_.end(), [&](const auto& a, const auto& b) {
    return distance(a.first, theta) < distance(b.first, theta);
  });
  return make(nearest->second, theta, most_halvings);
}

const LocalModel* Database::make(const LocalModel& from, const std::vector<double>& theta, int halvings) {
  const Pose pose = find_pose(mechanism_, from.pose, theta);
  if (!pose.good) return text_ = pose.text, nullptr;
  try {
    const PoseModes modes = find_modes(mechanism_, pose.point, &from.pose, &from.modes);
    const double worst = modes.likeness.empty() ? 1 : *std::min_element(modes.likeness.begin(), modes.likeness.end());
    if (worst >= like) {
      LocalModel model = make_local_model(mechanism_, pose.point, &from);
      model.theta = theta;
      return &models_.emplace(theta, std::move(model)).first->second;
    }
  } catch (const Error& error) {
    return text_ = error.what(), nullptr;
  }
  if (halvings == 0)
    return text_ = fmt::format("an internal mode is lost near {}: nothing there is like it; take more candidates",
                               fmt::join(theta, ", ")),
           nullptr;
  std::vector<double> middle(theta);
  for (std::size_t i = 0; i < theta.size(); ++i) middle[i] = (theta[i] + from.theta[i]) / 2;
  const LocalModel* half = make(from, middle, halvings - 1);
  return half ? make(*half, theta, halvings - 1) : nullptr;
}

Layout layout_of(const LocalModel& model) {
  return {model.size(), model.sensors.rows, int(model.modes.internal_frequencies.size())};
}

std::vector<double> flatten(const LocalModel& model) {
  std::vector<double> f;
  add_half(f, model.mass), add_half(f, model.stiffness);
  for (const math::Matrix& slice : model.quadratic) add_half(f, slice);
  for (int i = 0; i < model.sensors.rows; ++i)
    for (int j = 0; j < model.sensors.columns; ++j) f.push_back(model.sensors(i, j));
  f.insert(f.end(), model.gravity.begin(), model.gravity.end());
  f.insert(f.end(), model.modes.internal_frequencies.begin(), model.modes.internal_frequencies.end());
  return f;
}

ModalMap make_modal_map(Database& database, const std::vector<double>& low, const std::vector<double>& high,
                        BoxOptions options, const std::vector<std::string>& families,
                        const std::vector<std::string>& coordinates, const std::vector<std::string>& sensors) {
  const LocalModel& first = database.models().begin()->second;
  const Layout layout = layout_of(first);
  const std::vector<double> sizes = flatten(first);
  options.weights.assign(layout.count(), 0.0);
  const std::map<std::string, std::pair<int, int>> places{{"M", {layout.mass(), layout.stiffness()}},
                                                          {"K", {layout.stiffness(), layout.quadratic()}},
                                                          {"h", {layout.quadratic(), layout.sensor_rows()}},
                                                          {"Psi", {layout.sensor_rows(), layout.gravity()}},
                                                          {"gravity", {layout.gravity(), layout.frequencies()}}};
  for (const std::string& family : families) {
    const auto place = places.find(family);
    if (place == places.end()) throw Error(family + ": there are M, K, h, Psi and gravity");
    double sum = 0;
    for (int i = place->second.first; i < place->second.second; ++i) sum += sizes[i] * sizes[i];
    for (int i = place->second.first; i < place->second.second; ++i)
      options.weights[i] = sum > 0 ? 1 / std::sqrt(sum) : 1;
  }
  BoxModel boxes(
      low, high,
      [&](const std::vector<double>& theta) -> std::optional<std::vector<double>> {
        const LocalModel* model = database.find(theta);
        if (!model || layout_of(*model).count() != layout.count()) return std::nullopt;
        return flatten(*model);
      },
      options);
  if (boxes.leaves(BoxModel::State::invalid) == boxes.leaves())
    throw Error("nothing of the region can be reached: " + database.text());
  return {std::move(boxes), layout, coordinates, sensors};
}

std::string write_c(const ModalMap& map, const std::string& name) {
  const std::vector<BoxModel::Box>& boxes = map.boxes.boxes();
  const int s = int(boxes[0].low.size()), count = map.layout.count(), terms = int(map.boxes.monomials().size());
  std::string text = fmt::format(
      "/* Reduced model over {} coordinate(s): {}. f has {} values:\n"
      "   M (upper half by columns) from 0, K from {}, h_i (upper halves) from {}, Psi by rows from {}, gravity from "
      "{},\n"
      "   frequencies (Hz) from {}; n = {}. Returns 1 outside of the region and where there is no model. */\n",
      s, fmt::join(map.coordinates, ", "), count, map.layout.stiffness(), map.layout.quadratic(),
      map.layout.sensor_rows(), map.layout.gravity(), map.layout.frequencies(), map.layout.size);
  std::string tree, ends, numbers;
  int leaves = 0;
  for (const BoxModel::Box& box : boxes) {
    const bool leaf = box.direction < 0, usable = leaf && box.state != BoxModel::State::invalid;
    const double middle = leaf ? 0 : boxes[box.right].low[box.direction];
    tree += fmt::format("  {{{}, {}, {}, {:.17g}}},\n", box.direction, leaf ? (usable ? leaves : -1) : box.left,
                        box.right, middle);
    if (!usable) continue;
    ++leaves;
    for (int k = 0; k < s; ++k) ends += fmt::format("{:.17g}, {:.17g}, ", box.low[k], box.high[k]);
    ends += "\n";
    for (int j = 0; j < terms; ++j)
      for (int i = 0; i < count; ++i)
        numbers += fmt::format("{:.17g},{}", box.coefficients(j, i), i % 8 == 7 ? "\n" : " ");
    numbers += "\n";
  }
  std::string exponents;
  for (const std::vector<int>& m : map.boxes.monomials()) exponents += fmt::format("{{{}}}, ", fmt::join(m, ", "));
  text += fmt::format("static const struct {{ int direction, left, right; double middle; }} {}_tree[] = {{\n{}}};\n",
                      name, tree);
  text += fmt::format("static const double {}_ends[] = {{\n{}}};\n", name, ends);
  text += fmt::format("static const int {}_exponents[][{}] = {{{}}};\n", name, s, exponents);
  text += fmt::format("static const double {}_numbers[] = {{\n{}}};\n\n", name, numbers);
  text += fmt::format(
      "int {0}(const double* theta, double* f) {{\n"
      "  int i, j, k, e, at = 0;\n"
      "  const double *ends, *c;\n"
      "  double local[{1}];\n",
      name, s);
  for (int k = 0; k < s; ++k)
    text += fmt::format("  if (!(theta[{0}] >= {1:.17g} && theta[{0}] <= {2:.17g})) return 1;\n", k, boxes[0].low[k],
                        boxes[0].high[k]);
  text += fmt::format(
      "  while ({0}_tree[at].direction >= 0)\n"
      "    at = theta[{0}_tree[at].direction] < {0}_tree[at].middle ? {0}_tree[at].left : {0}_tree[at].right;\n"
      "  if ({0}_tree[at].left < 0) return 1;\n"
      "  ends = {0}_ends + {1} * {0}_tree[at].left, c = {0}_numbers + {2} * {0}_tree[at].left;\n"
      "  for (k = 0; k < {3}; ++k)\n"
      "    local[k] = (2 * theta[k] - ends[2 * k] - ends[2 * k + 1]) / (ends[2 * k + 1] - ends[2 * k]);\n"
      "  for (i = 0; i < {4}; ++i) f[i] = 0;\n"
      "  for (j = 0; j < {5}; ++j, c += {4}) {{\n"
      "    double factor = 1;\n"
      "    for (k = 0; k < {3}; ++k)\n"
      "      for (e = 0; e < {0}_exponents[j][k]; ++e) factor *= local[k];\n"
      "    for (i = 0; i < {4}; ++i) f[i] += factor * c[i];\n"
      "  }}\n"
      "  return 0;\n"
      "}}\n",
      name, 2 * s, terms * count, s, count, terms);
  return text;
}

}  // namespace coenergy::reduce
