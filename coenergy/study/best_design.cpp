#include "coenergy/study/best_design.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "coenergy/study/measure_slopes.hpp"
#include "coenergy/study/settings.hpp"

namespace coenergy::study {

struct BestDesign::Impl {
  std::optional<Formulas> formulas;
  std::size_t count = 0;  ///< of variables; measures follow them
  std::vector<Variable> variables;
  std::vector<std::string> measure_names;
  std::vector<Constraint> constraints;
  bool maximizes = false;

  std::optional<equations::System> system;
  std::optional<equations::Evaluator> evaluator;
  std::optional<Settings> settings;
  std::vector<std::size_t> set;  ///< variables that are entries, in the order of the settings
  std::vector<RunMeasure> measures;
  solve::Options options;

  // of the last point
  std::vector<double> at;
  bool good = false, has_slopes = false;
  std::vector<double> values;
  math::Matrix slopes;  ///< measures × settings
  std::string failure;

  bool run(std::span<const double> x, bool with_slopes);
  std::vector<double> all(std::span<const double> x) const {
    std::vector<double> v(x.begin(), x.end());
    v.insert(v.end(), values.begin(), values.end());
    return v;
  }
};

bool BestDesign::Impl::run(std::span<const double> x, bool with_slopes) {
  const bool same = at.size() == x.size() && std::equal(x.begin(), x.end(), at.begin());
  if (same && (!good || has_slopes || !with_slopes)) return good;
  at.assign(x.begin(), x.end()), good = true, has_slopes = with_slopes;
  if (measures.empty()) return true;
  std::vector<double> chosen;
  for (const std::size_t k : set) chosen.push_back(x[k]);
  settings->apply(*evaluator, chosen);
  failure = settings->find_refusal(*evaluator);
  if (!failure.empty()) return good = false;
  const MeasureSlopes found = differentiate_measures(
      *evaluator, options, with_slopes ? settings->directions(*evaluator) : std::vector<analyze::Direction>{},
      measures);
  if (!found.good) failure = found.text;
  values = found.values, slopes = found.slopes;
  return good = found.good;
}

BestDesign::BestDesign(const model::Model& model, const model::Registry& registry, const Request& request)
    : impl_(std::make_unique<Impl>()) {
  Impl& m = *impl_;
  const model::Value* section = find_section(model, "optimize");
  if (section == nullptr)
    throw Error({model.file}, "the model has no section optimize; write optimize: {variables: {…}, minimize: …}");
  std::vector<std::string> known{"variables", "measures", "minimize", "maximize", "constraints"};
  const model::Value *variables = nullptr, *measures = nullptr, *objective = nullptr, *constraints = nullptr;
  for (const auto& [entry, value] : section->map) {
    if (entry == "variables")
      variables = &value;
    else if (entry == "measures")
      measures = &value;
    else if (entry == "constraints")
      constraints = &value;
    else if (entry == "minimize" || entry == "maximize") {
      if (objective != nullptr) throw Error(value.where, "optimize has both minimize and maximize; choose one");
      objective = &value, m.maximizes = entry == "maximize";
    } else {
      throw Error(value.where, "optimize has no entry \"" + entry + "\"" + did_you_mean(entry, known));
    }
  }
  if (variables == nullptr)
    throw Error(section->where, "optimize needs variables, such as variables: {motor.R: {min: 0.5 ohm, max: 3 ohm}}");
  if (objective == nullptr) throw Error(section->where, "optimize needs minimize or maximize");

  // variables that are entries take their values from the model where they have no guess
  model::Value given = *variables;
  std::vector<std::string> paths;
  const auto is_entry = [&](const std::string& name) {
    const auto is_same = [&](const auto& p) { return p.first == name; };
    return name.find('.') != std::string::npos ||
           std::any_of(model.parameters.begin(), model.parameters.end(), is_same);
  };
  for (std::size_t k = 0; k < given.map.size(); ++k)
    if (is_entry(given.map[k].first)) paths.push_back(given.map[k].first), m.set.push_back(k);
  if (!paths.empty() || measures != nullptr) {
    m.system.emplace(request.compile(model));
    m.options = request.options(model);
    m.evaluator.emplace(*m.system);
    m.settings.emplace(model, registry, *m.system, paths);
    for (std::size_t k = 0; k < paths.size(); ++k) {
      auto& [name, value] = given.map[m.set[k]];
      const Location where = value.where;
      if (value.kind == model::Value::Kind::map && value.find("guess") == nullptr && value.find("value") == nullptr) {
        model::Value guess(fmt::format("{} {}", m.settings->value(k), m.settings->unit(k)));
        guess.where = where;
        value.map.emplace_back("guess", std::move(guess));
      }
      if (value.kind == model::Value::Kind::map && value.find("unit") == nullptr) {
        model::Value unit(m.settings->unit(k));
        unit.where = where;
        value.map.insert(value.map.begin(), {"unit", std::move(unit)});
      }
    }
  }
  m.formulas.emplace(model);
  m.formulas->add_variables(given, "variables", true);
  m.variables = m.formulas->variables();
  m.count = m.variables.size();
  if (measures != nullptr) {
    std::vector<std::string> texts;
    for (const auto& [name, value] : measures->map) m.measure_names.push_back(name), texts.push_back(value.text);
    m.measures = read_measures(texts, *m.system, m.options);
    for (std::size_t k = 0; k < texts.size(); ++k) {
      Variable v{m.measure_names[k], {}};
      v.where = measures->map[k].second.where;
      v.kind.dimension = parse_unit(m.measures[k].unit).dimension;
      m.formulas->add_variable(std::move(v));
    }
  }
  if (objective->kind != model::Value::Kind::text)
    throw Error(objective->where, "the objective must be one expression");
  m.formulas->add("the objective", objective->text, objective->where);
  if (constraints == nullptr) return;
  std::vector<std::pair<std::string, model::Value>> list = constraints->map;
  if (constraints->kind == model::Value::Kind::text) list = {{"constraint 1", *constraints}};
  for (const model::Value& value : constraints->list)
    list.emplace_back(fmt::format("constraint {}", list.size() + 1), value);
  ErrorList errors;
  for (const auto& [name, value] : list) try {
      const Relation relation = split_relation(value.text, value.where, name);
      if (relation.sign.empty()) throw Error(value.where, name + ": \"" + value.text + "\" needs <=, >= or =");
      m.formulas->add(name, relation.zero, value.where);
      m.constraints.push_back({name, value.text, relation.sign, m.formulas->unit(m.formulas->size() - 1)});
    } catch (const Error& e) {
      errors.add(e);
    }
  errors.throw_if_any();
}

BestDesign::~BestDesign() = default;
const std::vector<Variable>& BestDesign::variables() const { return impl_->variables; }
bool BestDesign::maximizes() const { return impl_->maximizes; }
const std::vector<BestDesign::Constraint>& BestDesign::constraints() const { return impl_->constraints; }
std::string BestDesign::objective_unit() const { return impl_->formulas->unit(0); }
const std::string& BestDesign::last_failure() const { return impl_->failure; }

Minimisation BestDesign::problem() {
  Impl& m = *impl_;
  Minimisation p;
  constexpr double infinite = std::numeric_limits<double>::infinity();
  for (const Variable& v : m.variables)
    p.start.push_back(v.guess), p.lower.push_back(v.lower), p.upper.push_back(v.upper);
  for (const Constraint& c : m.constraints) {
    p.lower_g.push_back(c.sign == "<=" ? -infinite : 0);
    p.upper_g.push_back(c.sign == ">=" ? infinite : 0);
  }
  const int n = static_cast<int>(m.count), rows = static_cast<int>(m.constraints.size());
  for (int i = 0; i < rows; ++i)
    for (int k = 0; k < n; ++k) p.rows.push_back(i), p.columns.push_back(k);
  p.values = [&m](std::span<const double> x, double& f, std::span<double> g) {
    if (!m.run(x, false)) return false;
    std::vector<double> all(1 + g.size());
    m.formulas->values(m.all(x), all);
    f = m.maximizes ? -all[0] : all[0];
    std::copy(all.begin() + 1, all.end(), g.begin());
    const bool finite = std::all_of(all.begin(), all.end(), [](double v) { return std::isfinite(v); });
    if (!finite) m.failure = "a formula is no number at " + describe_values(m.variables, x);
    return finite;
  };
  p.derivatives = [&m, n](std::span<const double> x, std::span<double> gradient, std::span<double> slopes) {
    if (!m.run(x, true)) return false;
    const math::Matrix j = m.formulas->jacobian(m.all(x));
    for (int i = 0; i < j.rows; ++i) {
      std::vector<double> row(static_cast<std::size_t>(n));
      for (int k = 0; k < n; ++k) row[static_cast<std::size_t>(k)] = j(i, k);
      // what a variable does by way of the measures
      for (std::size_t s = 0; s < m.measures.size(); ++s)
        for (std::size_t k = 0; k < m.set.size(); ++k)
          row[m.set[k]] += j(i, n + static_cast<int>(s)) * m.slopes(static_cast<int>(s), static_cast<int>(k));
      for (int k = 0; k < n; ++k) {
        const double value = row[static_cast<std::size_t>(k)];
        if (i == 0)
          gradient[static_cast<std::size_t>(k)] = m.maximizes ? -value : value;
        else
          slopes[static_cast<std::size_t>((i - 1) * n + k)] = value;
      }
    }
    return true;
  };
  return p;
}

std::vector<std::pair<std::string, double>> BestDesign::measures(std::span<const double> x) {
  std::vector<std::pair<std::string, double>> list;
  if (!impl_->run(x, false)) return list;
  for (std::size_t k = 0; k < impl_->measure_names.size(); ++k)
    list.emplace_back(impl_->measure_names[k], impl_->values[k]);
  return list;
}

}  // namespace coenergy::study
