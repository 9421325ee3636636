#include "coenergy/analyze/sweep.hpp"

#include <memory>
#include <optional>

#include "coenergy/base/argument.hpp"
#include "coenergy/compile/model_values.hpp"
#include "coenergy/model/model.hpp"
#include "coenergy/solve/initialize.hpp"
#include "coenergy/solve/settle.hpp"
#include "coenergy/solve/simulate.hpp"

namespace coenergy::analyze {

namespace {

/// The point where a run ends, or the operating point, with its notes; nothing where there is none, for the reason in
/// `table.text`.
std::optional<equations::Point> find_end(equations::Evaluator& evaluator, solve::Options options, bool at_rest,
                                         SweepTable& table) {
  if (at_rest) {
    const solve::HeldTime time(evaluator);
    options.start = "steady";
    solve::Start start = solve::initialize(evaluator, options);
    table.text = start.text;
    table.notes.push_back(std::move(start.notes));
    return start.good ? std::optional(std::move(start.point)) : std::nullopt;
  }
  solve::Result result = solve::simulate(evaluator, options);
  table.text = result.text;
  table.notes.push_back(std::move(result.notes));
  return result.status == solve::Status::done ? std::optional(std::move(result.end)) : std::nullopt;
}

/// The evaluator of the variant that was compiled last, for the values of another one where these allow it.
class Compiled {
 public:
  Compiled(const model::Registry& registry, const SweepRequest& request) : registry_(registry), request_(request) {}

  equations::Evaluator& take(const model::Model& model) {
    std::unique_ptr<compile::ModelValues> values;
    if (system_) {
      values = std::make_unique<compile::ModelValues>(model, registry_);
      equations::Evaluator evaluator(*system_);
      if (values->set(evaluator, *values_)) return evaluator_.emplace(std::move(evaluator));
    }
    system_.emplace(request_.compile ? request_.compile(model) : compile::compile(model, registry_).system);
    ++compilations;
    values_ = values ? std::move(values) : std::make_unique<compile::ModelValues>(model, registry_);
    return evaluator_.emplace(*system_);
  }
  int compilations = 0;

 private:
  const model::Registry& registry_;
  const SweepRequest& request_;
  std::optional<equations::System> system_;
  std::unique_ptr<compile::ModelValues> values_;  ///< of the system
  std::optional<equations::Evaluator> evaluator_;
};

}  // namespace

SweepTable sweep(const model::Registry& registry, const SweepRequest& request) {
  SweepTable table;
  Compiled compiled(registry, request);
  std::vector<double> all;
  for (std::size_t k = 0; k < request.values && table.good; ++k) {
    const Variant variant = request.make(k);
    try {
      equations::Evaluator& evaluator = compiled.take(variant.model);
      table.compilations = compiled.compilations;
      const equations::System& s = evaluator.system();
      std::vector<int> columns;
      for (const std::string& name : request.signals) columns.push_back(s.get_signal(name, argument("signal")));
      table.units.clear();
      for (int c : columns) table.units.push_back(s.signals()[static_cast<std::size_t>(c)].unit);
      const auto end = find_end(evaluator, variant.options, request.at_rest, table);
      table.good = end.has_value();
      if (!end) break;
      all.resize(s.signals().size());
      evaluator.signals(*end, all);
      std::vector<double>& row = table.rows.emplace_back();
      for (int c : columns) row.push_back(all[static_cast<std::size_t>(c)]);
      if (request.row) request.row(table);
    } catch (const Error& e) {
      throw locate(e, variant.model);
    }
  }
  return table;
}

}  // namespace coenergy::analyze
