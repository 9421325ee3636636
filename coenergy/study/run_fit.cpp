#include "coenergy/study/run_fit.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>

#include "coenergy/analyze/sensitivity.hpp"
#include "coenergy/base/argument.hpp"
#include "coenergy/solve/simulate.hpp"
#include "coenergy/study/settings.hpp"
#include "coenergy/study/texts.hpp"

namespace coenergy::study {

namespace {

/// Reads signals at given times while a run goes on.
class CourseReader : public solve::Observer {
 public:
  CourseReader(equations::Evaluator& evaluator, const std::vector<double>& times, const std::vector<int>& signals)
      : evaluator_(evaluator), times_(times), signals_(signals), all_(evaluator.system().signals().size()) {}
  void begin(const equations::Point& p, const solve::EventTrace&) override {
    while (next_ < times_.size() && times_[next_] <= p.t) read(p);
  }
  void step(const equations::Point& from, const equations::Point& to, const Interpolate& at) override {
    while (next_ < times_.size() && times_[next_] <= to.t)
      read(times_[next_] < to.t ? at((times_[next_] - from.t) / (to.t - from.t)) : to);
  }
  std::vector<double> values;  ///< times × signals

 private:
  void read(const equations::Point& p) {
    evaluator_.signals(p, all_);
    for (const int k : signals_) values.push_back(all_[static_cast<std::size_t>(k)]);
    ++next_;
  }
  equations::Evaluator& evaluator_;
  const std::vector<double>& times_;
  const std::vector<int>& signals_;
  std::vector<double> all_;
  std::size_t next_ = 0;
};

struct Experiment {
  std::string name;
  std::optional<equations::System> system;
  std::optional<equations::Evaluator> evaluator;
  std::optional<Settings> settings;
  solve::Options options;
  std::vector<double> times;
  std::vector<int> signals;
  std::vector<std::string> columns;
  std::vector<std::vector<double>> measured;  ///< column by column
  std::vector<int> places;                    ///< of each setting among the parameters of the fit
};

/// Whether an entry of a component of the model may follow a signal.
bool may_vary(const model::Model& model, const model::Registry& registry, const std::string& path) {
  const auto [component, entry] = model.find_owner(path);
  const model::ComponentType* type = component == nullptr ? nullptr : registry.find(component->type);
  if (type == nullptr) return false;
  for (const model::ParameterInfo& info : type->description.parameters)
    if (info.name == entry) return info.varying;
  return false;
}

double deviation(const std::vector<double>& values) {
  double mean = 0, square = 0;
  for (const double v : values) mean += v / static_cast<double>(values.size());
  for (const double v : values) square += (v - mean) * (v - mean) / static_cast<double>(values.size());
  return square > 0 ? std::sqrt(square) : std::abs(mean) > 0 ? std::abs(mean) : 1;
}

}  // namespace

struct RunFit::Impl {
  std::vector<Experiment> experiments;
  std::vector<std::string> names, units;
  LeastSquares problem;
  std::vector<std::string> groups, group_units;  ///< compared columns, each once
  std::vector<double> weights;
  std::vector<std::string> notes;

  std::size_t group_of(const std::string& column, const std::string& unit) {
    const auto found = std::find(groups.begin(), groups.end(), column);
    if (found != groups.end()) return static_cast<std::size_t>(found - groups.begin());
    groups.push_back(column), group_units.push_back(unit);
    return groups.size() - 1;
  }
  Experiment make_experiment(const model::Model& model, const model::Registry& registry, const Measured& data,
                             const Request& request);
  void add_parameters(const Request& request);
  void read_bounds(const Request& request);
  std::vector<double> settings_of(const Experiment& e, std::span<const double> p) const {
    std::vector<double> values;
    for (const int k : e.places) values.push_back(p[static_cast<std::size_t>(k)]);
    return values;
  }
  std::string run(Experiment& e, std::span<const double> p, std::vector<double>& values) const;
  std::string each(std::span<const double> p, bool slopes, const LeastSquares::Row& row);
  std::vector<MeasuredCourse> courses(std::span<const double> p);
};

Experiment RunFit::Impl::make_experiment(const model::Model& model, const model::Registry& registry,
                                         const Measured& data, const Request& request) {
  Experiment e;
  e.name = data.file;
  e.times = read_times(data.data, data.file);
  model::Model own = model;
  std::vector<std::string> outputs, inputs, unused;
  const std::string file = std::filesystem::absolute(data.file).string();
  for (const std::string& column : data.data.names) {
    if (column == "time") continue;
    if (!may_vary(model, registry, column)) {
      outputs.push_back(column);
      continue;
    }
    const std::string source = "measured_" + std::to_string(inputs.size() + 1);
    own.add(source, "blocks.FileSource", {{"data", model::Value(file + ":" + column)}});
    own.set(column, model::Value(source + ".y"));
    inputs.push_back(column);
  }
  e.system.emplace(request.compile(own));
  const equations::System& s = *e.system;
  for (const std::string& column : outputs) {
    const int k = s.find_signal(column);
    if (k < 0) {
      unused.push_back(column);
      continue;
    }
    const std::string& unit = s.signals()[static_cast<std::size_t>(k)].unit;
    e.signals.push_back(k), e.columns.push_back(column);
    e.measured.push_back(read_quantity(data.data, data.file, column, unit));
  }
  if (e.signals.empty()) {
    std::vector<std::string> known;
    for (const equations::SignalInfo& info : s.signals()) known.push_back(info.name);
    std::string hint;
    for (const std::string& column : unused)
      if (hint.empty()) hint = did_you_mean(column, known);
    throw Error({data.file},
                fmt::format("no column is a signal of the model ({}){}", fmt::join(data.data.names, ", "), hint));
  }
  if (!unused.empty()) notes.push_back(fmt::format("{}: not used: {}", data.file, fmt::join(unused, ", ")));
  if (!inputs.empty()) notes.push_back(fmt::format("{}: inputs: {}", data.file, fmt::join(inputs, ", ")));
  if (e.times.size() < 2) throw Error({data.file}, "a run needs two rows at least");
  e.options = request.options(own);
  e.options.t_start = e.times.front(), e.options.t_end = e.times.back();
  e.options.output_step = e.options.t_end - e.options.t_start, e.options.record_events = false;
  std::vector<std::string> paths = request.parameters;
  paths.insert(paths.end(), request.own.begin(), request.own.end());
  e.settings.emplace(own, registry, s, paths);
  return e;
}

void RunFit::Impl::add_parameters(const Request& request) {
  const Settings& first = *experiments.front().settings;
  const std::size_t common = request.parameters.size();
  for (std::size_t k = 0; k < common; ++k) {
    names.push_back(first.path(k)), units.push_back(first.unit(k));
    problem.start.push_back(first.value(k));
  }
  for (Experiment& e : experiments) {
    for (std::size_t k = 0; k < common; ++k) e.places.push_back(static_cast<int>(k));
    for (std::size_t k = common; k < first.size(); ++k) {
      e.places.push_back(static_cast<int>(names.size()));
      names.push_back(experiments.size() > 1 ? first.path(k) + " in " + e.name : first.path(k));
      units.push_back(first.unit(k));
      problem.start.push_back(e.settings->value(k));
    }
  }
  constexpr double infinite = std::numeric_limits<double>::infinity();
  problem.lower.assign(names.size(), -infinite), problem.upper.assign(names.size(), infinite);
}

void RunFit::Impl::read_bounds(const Request& request) {
  for (const auto& [name, text] : request.bounds) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end())
      throw Error(argument("bounds ") + name + ": it is none of the parameters that are looked for" +
                  did_you_mean(name, names));
    const auto k = static_cast<std::size_t>(found - names.begin());
    const std::size_t colon = text.find(':');
    const auto read = [&](const std::string& part) { return read_number(part, units[k], argument("bounds ") + name); };
    if (colon == std::string::npos) throw Error(argument("bounds ") + name + "=" + text + ": write LOW:HIGH");
    problem.lower[k] = read(text.substr(0, colon)), problem.upper[k] = read(text.substr(colon + 1));
    if (!(problem.lower[k] < problem.upper[k]) ||
        !(problem.start[k] >= problem.lower[k] && problem.start[k] <= problem.upper[k]))
      throw Error(fmt::format("{}{}={}: the value of the model, {:g}, must lie between them", argument("bounds "), name,
                              text, problem.start[k]));
  }
}

std::string RunFit::Impl::run(Experiment& e, std::span<const double> p, std::vector<double>& values) const {
  CourseReader reader(*e.evaluator, e.times, e.signals);
  solve::Hooks hooks;
  hooks.keep_rows = false, hooks.observer = &reader;
  const solve::Result result = solve::simulate(*e.evaluator, e.options, hooks);
  static_cast<void>(p);
  if (result.status != solve::Status::done || reader.values.size() != e.times.size() * e.signals.size())
    return e.name + ": " + result.text;
  values = std::move(reader.values);
  return "";
}

std::string RunFit::Impl::each(std::span<const double> p, bool slopes, const LeastSquares::Row& row) {
  std::vector<double> values, derivative(names.size());
  for (Experiment& e : experiments) {
    e.settings->apply(*e.evaluator, settings_of(e, p));
    if (const std::string why = e.settings->find_refusal(*e.evaluator); !why.empty()) return why;
    analyze::Sensitivity found;
    try {
      if (slopes) {
        std::size_t next = 0;
        const auto times = [&](double, double to, std::vector<double>& wanted) {
          for (; next < e.times.size() && e.times[next] <= to; ++next) wanted.push_back(e.times[next]);
        };
        found = analyze::simulate_sensitivity(*e.evaluator, e.options, e.settings->directions(*e.evaluator), e.columns,
                                              times);
        if (!found.good || found.values.size() != e.times.size() * e.signals.size()) return e.name + ": " + found.text;
        values = std::move(found.values);
      } else if (const std::string why = run(e, p, values); !why.empty()) {
        return why;
      }
    } catch (const Error& error) {
      return e.name + ": " + error.what();
    }
    const std::size_t columns = e.signals.size(), own = e.places.size();
    for (std::size_t c = 0; c < columns; ++c) {
      const double weight = weights[group_of(e.columns[c], "")];
      for (std::size_t i = 0; i < e.times.size(); ++i) {
        std::fill(derivative.begin(), derivative.end(), 0);
        for (std::size_t k = 0; slopes && k < own; ++k)
          derivative[static_cast<std::size_t>(e.places[k])] = found.derivatives[(i * columns + c) * own + k] / weight;
        row((values[i * columns + c] - e.measured[c][i]) / weight, derivative);
      }
    }
  }
  return "";
}

std::vector<MeasuredCourse> RunFit::Impl::courses(std::span<const double> p) {
  // one for each group, experiments behind each other
  std::vector<MeasuredCourse> all(groups.size());
  for (std::size_t g = 0; g < groups.size(); ++g) all[g].name = groups[g], all[g].unit = group_units[g];
  for (Experiment& e : experiments) {
    std::vector<double> values;
    e.settings->apply(*e.evaluator, settings_of(e, p));
    if (!run(e, p, values).empty()) continue;
    for (std::size_t c = 0; c < e.columns.size(); ++c) {
      MeasuredCourse& course = all[group_of(e.columns[c], "")];
      course.times.insert(course.times.end(), e.times.begin(), e.times.end());
      for (std::size_t i = 0; i < e.times.size(); ++i) {
        course.measured.push_back(e.measured[c][i]);
        course.computed.push_back(values[i * e.columns.size() + c]);
      }
    }
  }
  return all;
}

RunFit::RunFit(const model::Model& model, const model::Registry& registry, const std::vector<Measured>& data,
               const Request& request)
    : impl_(std::make_unique<Impl>()) {
  Impl& m = *impl_;
  if (request.parameters.empty() && request.own.empty())
    throw Error(argument("parameter") + ": name what is to be found, such as motor.R");
  ErrorList errors;
  for (const Measured& measured : data) try {
      m.experiments.push_back(m.make_experiment(model, registry, measured, request));
    } catch (const Error& e) {
      errors.add(e);
    }
  errors.throw_if_any();
  std::vector<std::vector<double>> pooled;
  std::size_t rows = 0;
  for (Experiment& e : m.experiments) {
    e.evaluator.emplace(*e.system);
    for (std::size_t c = 0; c < e.columns.size(); ++c) {
      const std::size_t g = m.group_of(e.columns[c], e.system->signals()[static_cast<std::size_t>(e.signals[c])].unit);
      pooled.resize(m.groups.size());
      pooled[g].insert(pooled[g].end(), e.measured[c].begin(), e.measured[c].end());
      rows += e.measured[c].size();
    }
  }
  for (const std::vector<double>& values : pooled) m.weights.push_back(deviation(values));
  m.add_parameters(request);
  m.read_bounds(request);
  if (rows < m.names.size())
    throw Error({data.front().file},
                fmt::format("{} parameters cannot be found from {} numbers", m.names.size(), rows));
}

RunFit::~RunFit() = default;

Identification RunFit::identify(const IdentifyOptions& options) {
  Impl& m = *impl_;
  // derivatives are as accurate as the run: what lies below cannot be told from none
  m.problem.slope_error = 10 * m.experiments.front().options.rtol;
  m.problem.residuals = [&](std::span<const double> p, bool slopes, const LeastSquares::Row& row) {
    return m.each(p, slopes, row);
  };
  Identification result = study::identify(
      m.problem, m.weights, [&](std::span<const double> p) { return m.courses(p); }, options);
  result.names = m.names, result.units = m.units;
  result.notes.insert(result.notes.begin(), m.notes.begin(), m.notes.end());
  return result;
}

}  // namespace coenergy::study
