#include "coenergy/study/balance_fit.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "coenergy/base/argument.hpp"
#include "coenergy/study/settings.hpp"

namespace coenergy::study {

using equations::Level;
using equations::Point;

struct BalanceFit::Impl {
  std::optional<equations::System> system;
  std::optional<equations::Evaluator> evaluator;
  std::optional<Settings> settings;
  std::vector<int> inputs;
  struct Samples {
    std::string name;
    std::vector<double> times;
    std::vector<std::vector<double>> q, v, a, u;  ///< by coordinate, by input
  };
  std::vector<Samples> samples;
  std::vector<double> weights;
  LeastSquares problem;

  int rows() const { return system->nv(); }
  std::string name(int row) const { return system->unknown(row).name; }
  void read(const Measured& measured, const std::vector<std::string>& used);
  std::string each(std::span<const double> p, bool slopes, const LeastSquares::Row& row);
  std::vector<MeasuredCourse> courses(std::span<const double> p);
};

void BalanceFit::Impl::read(const Measured& measured, const std::vector<std::string>& used) {
  Samples s;
  s.name = measured.file;
  const CsvData& data = measured.data;
  const auto has = [&](const std::string& column) {
    return std::find(data.names.begin(), data.names.end(), column) != data.names.end();
  };
  std::vector<std::string> missing;
  const auto column = [&](const std::string& name, const std::string& unit, std::vector<std::vector<double>>& into) {
    if (has(name))
      into.push_back(read_quantity(data, measured.file, name, unit));
    else
      missing.push_back(name);
  };
  for (int k = 0; k < rows(); ++k) {
    const std::string base = name(k), unit = system->unknown(k).unit;
    const auto over = [&](const char* second) { return (unit.empty() ? std::string("1") : unit) + second; };
    // a coordinate and its rates: hip.q, hip.qd, hip.qdd of joints, rotor.phi,
    // .w, .a of shafts
    const auto of = [&](const char* joint, const char* shaft) {
      const std::size_t dot = base.rfind('.');
      const std::string owner = base.substr(0, dot);
      return system->find_signal(owner + joint) >= 0 ? owner + joint : owner + shaft;
    };
    column(of(".q", ".phi"), unit, s.q), column(of(".qd", ".w"), over("/s"), s.v),
        column(of(".qdd", ".a"), over("/s2"), s.a);
  }
  for (const std::string& input : used) column(input, system->parameter_unit(system->find_parameter(input)), s.u);
  if (!missing.empty())
    throw Error({measured.file}, fmt::format("the file has no column {}: balances need the motion of all joints",
                                             fmt::join(missing, ", ")));
  if (has("time"))
    s.times = read_times(data, measured.file);
  else
    for (std::size_t k = 0; k < data.rows(); ++k) s.times.push_back(static_cast<double>(k));
  samples.push_back(std::move(s));
}

std::string BalanceFit::Impl::each(std::span<const double> p, bool slopes, const LeastSquares::Row& row) {
  settings->apply(*evaluator, {p.begin(), p.end()});
  if (const std::string why = settings->find_refusal(*evaluator); !why.empty()) return why;
  const std::vector<analyze::Direction> directions =
      slopes ? settings->directions(*evaluator) : std::vector<analyze::Direction>{};
  const auto n = static_cast<std::size_t>(rows());
  std::vector<double> r(static_cast<std::size_t>(system->n())), part(r.size()), d(directions.size());
  std::vector<std::vector<double>> by(directions.size(), std::vector<double>(n));
  Point at = evaluator->start();
  for (const Samples& s : samples)
    for (std::size_t k = 0; k < s.times.size(); ++k) {
      for (std::size_t i = 0; i < n; ++i) at.q[i] = s.q[i][k], at.v[i] = s.v[i][k], at.a[i] = s.a[i][k];
      for (std::size_t i = 0; i < inputs.size(); ++i) evaluator->set_parameter(inputs[i], s.u[i][k]);
      at.t = s.times[k];
      evaluator->residual(at, Level::acceleration, r);
      for (std::size_t j = 0; j < directions.size(); ++j) {
        std::fill(by[j].begin(), by[j].end(), 0);
        for (const auto& [parameter, slope] : directions[j].parameters) {
          evaluator->parameter_derivative(at, Level::acceleration, parameter, part);
          for (std::size_t i = 0; i < n; ++i) by[j][i] += slope * part[i];
        }
      }
      for (std::size_t i = 0; i < n; ++i) {
        if (!std::isfinite(r[i]))
          return fmt::format("the balance of {} is no number in row {}", name(static_cast<int>(i)), k + 1);
        for (std::size_t j = 0; j < d.size(); ++j) d[j] = by[j][i] / weights[i];
        row(r[i] / weights[i], d);
      }
    }
  return "";
}

std::vector<MeasuredCourse> BalanceFit::Impl::courses(std::span<const double> p) {
  std::vector<MeasuredCourse> all(static_cast<std::size_t>(rows()));
  for (int i = 0; i < rows(); ++i) {
    MeasuredCourse& c = all[static_cast<std::size_t>(i)];
    c.name = "balance of " + name(i), c.unit = system->unknown(i).turns ? "N.m" : "N";
    for (const Samples& s : samples) c.times.insert(c.times.end(), s.times.begin(), s.times.end());
  }
  std::size_t next = 0;
  each(p, false, [&](double r, std::span<const double>) {
    const std::size_t i = next++ % all.size();
    all[i].computed.push_back(r * weights[i]), all[i].measured.push_back(0);
  });
  return all;
}

BalanceFit::BalanceFit(const model::Model& model, const model::Registry& registry, const std::vector<Measured>& data,
                       const std::vector<std::string>& parameters, const Compile& compile)
    : impl_(std::make_unique<Impl>()) {
  Impl& m = *impl_;
  if (parameters.empty()) throw Error(argument("parameter") + ": name what is to be found, such as link1.mass");
  // columns that are entries which may vary are inputs
  std::vector<std::string> used, opened;
  for (const std::string& column : data.front().data.names) {
    const auto [component, entry] = model.find_owner(column);
    const model::ComponentType* type = component == nullptr ? nullptr : registry.find(component->type);
    if (type == nullptr) continue;
    for (const model::ParameterInfo& info : type->description.parameters)
      if (info.name == entry && info.varying) used.push_back(column);
  }
  opened = used;
  for (const std::string& path : parameters)
    if (path.ends_with("]")) opened.push_back(path);
  m.system.emplace(compile(model, opened));
  const equations::System& s = *m.system;
  if (s.nv() == 0 || s.nl() > 0 || s.nx() > 0 || s.ny() > 0 || s.nq() != s.nv())
    throw Error({model.file}, fmt::format("{}: balances alone serve machines of joints without closed loops, "
                                          "states and free rotations; "
                                          "this one has {} constraints, {} states, {} algebraic variables",
                                          argument("balances"), s.nl(), s.nx(), s.ny()));
  m.evaluator.emplace(s);
  m.evaluator->open_inputs(m.evaluator->start());
  for (const std::string& input : used) m.inputs.push_back(s.find_parameter(input));
  ErrorList errors;
  for (const Measured& measured : data) try {
      m.read(measured, used);
    } catch (const Error& e) {
      errors.add(e);
    }
  errors.throw_if_any();
  m.settings.emplace(model, registry, s, parameters);
  m.weights.assign(static_cast<std::size_t>(s.nv()), 1);
  std::size_t numbers = 0;
  for (const Impl::Samples& samples : m.samples) numbers += samples.times.size() * static_cast<std::size_t>(s.nv());
  if (numbers < parameters.size())
    throw Error({data.front().file},
                fmt::format("{} parameters cannot be found from {} numbers", parameters.size(), numbers));
}
BalanceFit::~BalanceFit() = default;

Identification BalanceFit::identify(const IdentifyOptions& options) {
  Impl& m = *impl_;
  for (std::size_t k = 0; k < m.settings->size(); ++k) m.problem.start.push_back(m.settings->value(k));
  m.problem.slope_error = 1e-10;  // rows come from many additions, and
                                  // combinations that vanish leave round-off
  m.problem.residuals = [&m](std::span<const double> p, bool slopes, const LeastSquares::Row& row) {
    return m.each(p, slopes, row);
  };
  Identification result = study::identify(
      m.problem, m.weights, [&m](std::span<const double> p) { return m.courses(p); }, options);
  for (std::size_t k = 0; k < m.settings->size(); ++k)
    result.names.push_back(m.settings->path(k)), result.units.push_back(m.settings->unit(k));
  return result;
}

}  // namespace coenergy::study
