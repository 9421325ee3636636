#include "coenergy/study/regression.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "coenergy/base/names.hpp"
#include "coenergy/math/decompositions.hpp"
#include "coenergy/study/roots.hpp"

namespace coenergy::study {

namespace {

/// Weights of the samples −half … half that give the derivative of an order, in samples, of the polynomial of degree 3
/// that fits them best at the place `at`.
std::vector<double> make_filter(int half, int order, int at) {
  const int n = 2 * half + 1, degree = std::min(3, n - 1);
  math::Matrix a(n, degree + 1), unit = math::identity(n);
  for (int i = 0; i < n; ++i)
    for (int k = 0; k <= degree; ++k) a(i, k) = std::pow(static_cast<double>(i - half) / half, k);
  const math::Matrix c = math::solve_least_squares(a, unit);
  std::vector<double> weights(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i)
    for (int k = order; k <= degree; ++k) {
      double factor = 1;
      for (int j = 0; j < order; ++j) factor *= (k - j) / static_cast<double>(half);
      weights[static_cast<std::size_t>(i)] += c(k, i) * factor * std::pow(static_cast<double>(at) / half, k - order);
    }
  return weights;
}

struct MadeColumn {
  std::string name, from;
  int order = 0;
  double window = 0;
  Location where;
};

}  // namespace

struct Regression::Impl {
  Formulas formulas;
  std::vector<int> unknowns;  ///< variables that are found
  std::vector<std::string> columns;
  std::vector<MadeColumn> made;
  /// An experiment: the values of all columns, row by row.
  struct Samples {
    std::string name;
    std::vector<double> times;
    std::vector<std::vector<double>> columns;
  };
  std::vector<Samples> samples;
  std::vector<double> weights;
  int first_column = 0;

  explicit Impl(const model::Model& model) : formulas(model) {}

  std::size_t count() const {
    std::size_t sum = 0;
    for (const Samples& s : samples) sum += s.columns[0].size();
    return sum;
  }
  std::vector<double> all_variables(std::span<const double> p) const {
    std::vector<double> x;
    for (const Variable& v : formulas.variables()) x.push_back(v.guess);
    for (std::size_t k = 0; k < unknowns.size(); ++k) x[static_cast<std::size_t>(unknowns[k])] = p[k];
    return x;
  }
  void read_made(const model::Value& section);
  void add_columns(const std::vector<Measured>& data);
  Samples read_samples(const Measured& measured) const;
  std::vector<double> make_column(const MadeColumn& column, const Samples& s, const std::vector<double>& from) const;
  std::string each(std::span<const double> p, bool slopes, const LeastSquares::Row& row) const;
  std::vector<MeasuredCourse> courses(std::span<const double> p) const;
};

void Regression::Impl::read_made(const model::Value& section) {
  for (const auto& [entry, value] : section.map) {
    if (entry != "columns")
      throw Error(value.where, "identify has no entry \"" + entry + "\"" + did_you_mean(entry, {"columns"}));
    for (const auto& [name, what] : value.map) {
      MadeColumn column;
      column.name = name, column.where = what.where;
      for (const auto& [key, given] : what.map) {
        const std::string path = "identify.columns." + name + "." + key, second = "s", none;
        if (key == "derivative" || key == "smooth") {
          column.from = given.text;
          if (key == "derivative" && column.order == 0) column.order = 1;
        } else if (key == "order") {
          column.order = static_cast<int>(formulas.evaluate_constant(given, path, &none));
          if (column.order < 1 || column.order > 3)
            throw Error(given.where, path + " = " + given.text + " must be 1, 2 or 3");
        } else if (key == "window") {
          column.window = formulas.evaluate_constant(given, path, &second);
        } else {
          throw Error(given.where, "identify.columns." + name + " has no entry \"" + key + "\"" +
                                       did_you_mean(key, {"derivative", "smooth", "order", "window"}));
        }
      }
      if (column.from.empty() || !(column.window > 0))
        throw Error(what.where,
                    "identify.columns." + name +
                        " must be {derivative: COLUMN, order: 1, window: 20 ms} or {smooth: COLUMN, window: 20 ms}");
      made.push_back(std::move(column));
    }
  }
}

void Regression::Impl::add_columns(const std::vector<Measured>& data) {
  const CsvData& first = data.front().data;
  const auto dimension_of = [&](const std::string& name) -> std::optional<Dimension> {
    for (std::size_t k = 0; k < first.names.size(); ++k)
      if (first.names[k] == name && !first.units[k].empty()) return parse_unit(first.units[k]).dimension;
    return std::nullopt;
  };
  const auto add = [&](const std::string& name, std::optional<Dimension> dimension) {
    Variable v{name, {}};
    v.kind.dimension_known = dimension.has_value();
    if (dimension) v.kind.dimension = *dimension;
    v.differentiated = false;
    v.where = {data.front().file};
    formulas.add_variable(std::move(v));
    columns.push_back(name);
  };
  first_column = static_cast<int>(formulas.variables().size());
  for (const std::string& name : first.names) add(name, dimension_of(name));
  for (const MadeColumn& column : made) {
    if (std::find(first.names.begin(), first.names.end(), column.from) == first.names.end())
      throw Error(column.where, "identify.columns." + column.name + ": the data have no column \"" + column.from +
                                    "\"" + did_you_mean(column.from, first.names));
    std::optional<Dimension> dimension = dimension_of(column.from);
    for (int k = 0; k < column.order && dimension; ++k) dimension = *dimension / parse_unit("s").dimension;
    add(column.name, dimension);
  }
}

std::vector<double> Regression::Impl::make_column(const MadeColumn& column, const Samples& s,
                                                  const std::vector<double>& from) const {
  const std::size_t n = from.size();
  const double step = n > 1 ? (s.times.back() - s.times.front()) / static_cast<double>(n - 1) : 0;
  for (std::size_t k = 1; k < n; ++k)
    if (std::abs(s.times[k] - s.times[k - 1] - step) > 1e-3 * step)
      throw Error({s.name}, fmt::format("{} needs times at even distances; those at {:g} s and {:g} s are not",
                                        column.name, s.times[k - 1], s.times[k]));
  const int half = static_cast<int>(std::round(column.window / step / 2));
  if (half < 2 || 2 * static_cast<std::size_t>(half) + 1 > n)
    throw Error(column.where, fmt::format("identify.columns.{}.window = {:g} s must hold 5 to {} samples of {:g} s",
                                          column.name, column.window, n, step));
  const auto apply = [&](const std::vector<double>& weights, std::size_t first) {
    double sum = 0;
    for (std::size_t i = 0; i < weights.size(); ++i) sum += weights[i] * from[first + i];
    return sum / std::pow(step, column.order);
  };
  std::vector<double> values(n);
  const std::vector<double> inner = make_filter(half, column.order, 0);
  const auto h = static_cast<std::size_t>(half);
  for (std::size_t k = 0; k < n; ++k) {
    if (k >= h && k + h < n)
      values[k] = apply(inner, k - h);
    else
      values[k] = apply(make_filter(half, column.order, static_cast<int>(k < h ? k : k + 2 * h + 1 - n) - half),
                        k < h ? 0 : n - 2 * h - 1);
  }
  return values;
}

Regression::Impl::Samples Regression::Impl::read_samples(const Measured& measured) const {
  Samples s;
  s.name = measured.file;
  const CsvData& data = measured.data;
  for (std::size_t k = 0; k + made.size() < columns.size(); ++k) {
    const Variable& v = formulas.variables()[static_cast<std::size_t>(first_column) + k];
    s.columns.push_back(read_quantity(data, measured.file, columns[k], v.unit()));
  }
  if (std::find(data.names.begin(), data.names.end(), "time") != data.names.end())
    s.times = read_times(data, measured.file);
  else
    for (std::size_t k = 0; k < data.rows(); ++k) s.times.push_back(static_cast<double>(k));
  if (!made.empty() && std::find(data.names.begin(), data.names.end(), "time") == data.names.end())
    throw Error({measured.file}, "the file has no column time, which derivatives need");
  for (const MadeColumn& column : made) {
    const auto from = std::find(columns.begin(), columns.end(), column.from) - columns.begin();
    s.columns.push_back(make_column(column, s, s.columns[static_cast<std::size_t>(from)]));
  }
  return s;
}

std::string Regression::Impl::each(std::span<const double> p, bool slopes, const LeastSquares::Row& row) const {
  std::vector<double> x = all_variables(p), f(static_cast<std::size_t>(formulas.size())), d(unknowns.size());
  for (const Samples& s : samples)
    for (std::size_t k = 0; k < s.times.size(); ++k) {
      for (std::size_t c = 0; c < s.columns.size(); ++c)
        x[static_cast<std::size_t>(first_column) + c] = s.columns[c][k];
      formulas.values(x, f);
      math::Matrix j;
      if (slopes) j = formulas.jacobian(x);
      for (std::size_t i = 0; i < f.size(); ++i) {
        if (!std::isfinite(f[i]))
          return formulas.name(static_cast<int>(i)) + " is no number in row " + std::to_string(k + 1);
        for (std::size_t u = 0; slopes && u < d.size(); ++u) d[u] = j(static_cast<int>(i), unknowns[u]) / weights[i];
        row(f[i] / weights[i], d);
      }
    }
  return "";
}

std::vector<MeasuredCourse> Regression::Impl::courses(std::span<const double> p) const {
  std::vector<MeasuredCourse> all(static_cast<std::size_t>(formulas.size()));
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i].name = formulas.name(static_cast<int>(i)), all[i].unit = formulas.unit(static_cast<int>(i));
    for (const Samples& s : samples) all[i].times.insert(all[i].times.end(), s.times.begin(), s.times.end());
  }
  std::size_t next = 0;
  each(p, false, [&](double r, std::span<const double>) {
    const std::size_t i = next++ % all.size();
    all[i].computed.push_back(r * weights[i]), all[i].measured.push_back(0);
  });
  return all;
}

Regression::Regression(const model::Model& model, const std::vector<Measured>& data,
                       const std::vector<std::string>& names)
    : impl_(std::make_unique<Impl>(model)) {
  Impl& m = *impl_;
  const model::Value *unknowns = find_section(model, "unknowns"), *residuals = find_section(model, "residuals");
  if (unknowns == nullptr || residuals == nullptr)
    throw Error({model.file}, "a fit of formulas needs unknowns and residuals; without both the model itself is run");
  m.formulas.add_variables(*unknowns, "unknowns");
  std::vector<std::string> known;
  for (const Variable& v : m.formulas.variables()) known.push_back(v.name);
  for (const std::string& name : names.empty() ? known : names) {
    const int k = m.formulas.find_variable(name);
    if (k < 0) throw Error("parameter " + name + ": there is no such unknown" + did_you_mean(name, known));
    m.unknowns.push_back(k);
  }
  for (std::size_t k = 0; k < known.size(); ++k)
    m.formulas.variables()[k].differentiated =
        std::find(m.unknowns.begin(), m.unknowns.end(), static_cast<int>(k)) != m.unknowns.end();
  if (const model::Value* section = find_section(model, "identify")) m.read_made(*section);
  m.add_columns(data);
  m.formulas.add_residuals(*residuals);
  for (const Measured& measured : data) m.samples.push_back(m.read_samples(measured));
  m.weights.assign(static_cast<std::size_t>(m.formulas.size()), 1);
  const std::size_t rows = m.count() * static_cast<std::size_t>(m.formulas.size());
  if (rows < m.unknowns.size())
    throw Error({data.front().file},
                fmt::format("{} parameters cannot be found from {} residuals", m.unknowns.size(), rows));
}

Regression::~Regression() = default;

bool Regression::is_linear() const { return impl_->formulas.is_linear(); }

Identification Regression::identify(const IdentifyOptions& options) {
  Impl& m = *impl_;
  LeastSquares problem;
  for (const int k : m.unknowns) {
    const Variable& v = m.formulas.variables()[static_cast<std::size_t>(k)];
    problem.start.push_back(v.guess), problem.lower.push_back(v.lower), problem.upper.push_back(v.upper);
  }
  problem.is_linear = is_linear();
  problem.residuals = [&](std::span<const double> p, bool slopes, const LeastSquares::Row& row) {
    return m.each(p, slopes, row);
  };
  Identification result = study::identify(
      problem, m.weights, [&](std::span<const double> p) { return m.courses(p); }, options);
  for (const int k : m.unknowns) {
    const Variable& v = m.formulas.variables()[static_cast<std::size_t>(k)];
    result.names.push_back(v.name), result.units.push_back(v.unit());
  }
  return result;
}

}  // namespace coenergy::study
