#include "coenergy/generate/system_code.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "coenergy/base/error.hpp"
#include "coenergy/equations/open_equations.hpp"
#include "coenergy/solve/initialize.hpp"
#include "coenergy/symbolic/algebra.hpp"
#include "coenergy/symbolic/derivative.hpp"
#include "coenergy/symbolic/function.hpp"
#include "coenergy/symbolic/integral.hpp"

namespace coenergy::generate {

using equations::Address;
using equations::EquationSet;
using equations::Layout;
using equations::Source;
using symbolic::Expr;

namespace {

symbolic::Program make(std::span<const Expr> inputs, const std::vector<Expr>& e) {
  std::vector<symbolic::NamedExpr> outputs;
  outputs.reserve(e.size());
  for (const Expr& value : e) outputs.push_back({"", value});
  return symbolic::make_program(inputs, outputs);
}

/// The functions of an equation set: over its value array, or with the seeds of a direction in a second one.
class FunctionMaker {
 public:
  explicit FunctionMaker(EquationSet& set) : set_(set), inputs_(equations::input_symbols(set)) {
    for (const Expr& s : inputs_) seeds_.push_back(set.graph.symbol("δ" + to_string(s)));
  }

  CodeFunction value(const std::string& name, const std::vector<Expr>& e) const {
    return {name, make(inputs_, e), {{"in", inputs_.size()}}, {{"out", e.size()}}};
  }
  CodeFunction direction(const std::string& name, const std::vector<Expr>& e) const {
    std::vector<Expr> both = inputs_;
    both.insert(both.end(), seeds_.begin(), seeds_.end());
    return {name,
            make(both, symbolic::directional_derivative(e, inputs_, seeds_)),
            {{"in", inputs_.size()}, {"seed", inputs_.size()}},
            {{"out", e.size()}}};
  }

 private:
  EquationSet& set_;
  std::vector<Expr> inputs_, seeds_;
};

int kind_of(Source source) {
  switch (source) {
    case Source::a:
    case Source::rotation_a:
    case Source::lambda:
    case Source::xd:
    case Source::y:
      return 0;
    case Source::v:
    case Source::rotation_v:
    case Source::x:
      return 1;
    default:
      return 2;
  }
}

std::vector<CodeSeed> find_seeds(const EquationSet& set, const Layout& layout, const std::vector<Expr>& e) {
  std::vector<CodeSeed> seeds;
  std::set<int> rotations;
  for (const Expr& s : symbolic::free_symbols(e)) {
    const Address at = set.variables.address(s);
    if (layout.unknown_index(at) < 0) continue;
    if (at.source != Source::rotation_q) {
      seeds.push_back({layout.value_index(at), -1, layout.unknown_index(at), kind_of(at.source)});
      continue;
    }
    if (!rotations.insert(at.index).second) continue;
    for (int j = 0; j < 3; ++j)
      seeds.push_back({layout.value_index({Source::rotation_q, at.index, 0}), j,
                       layout.unknown_index({Source::rotation_q, at.index, j}), 2});
  }
  return seeds;
}

/// System unknown of every local one.
std::vector<int> map_unknowns(const Layout& local, const Layout& global, const std::vector<int>& gather) {
  std::vector<int> unknowns(local.n(), -1);
  for (int i = 0; i < local.values(); ++i) {
    const Address at = local.address(i);
    if (local.unknown_index(at) < 0 || at.source == Source::rotation_q) continue;
    unknowns[local.unknown_index(at)] = global.unknown_index(global.address(gather[i]));
  }
  return unknowns;
}

/// Places of the value array that an expression reads, each once.
std::vector<int> find_reads(const EquationSet& set, const Layout& layout, const Expr& e) {
  std::vector<int> reads;
  if (e.is_number()) return reads;
  for (const Expr& s : symbolic::free_symbols(std::span(&e, 1)))
    reads.push_back(layout.value_index(set.variables.address(s)));
  std::sort(reads.begin(), reads.end());
  return reads;
}

/// Adds what the instances of a kernel read in each row; and in the energy, to an output that shows it.
void add_reads(SystemCode& code, const equations::Kernel& kernel, const CodeKernel& made,
               const std::vector<Expr>& rows) {
  for (const CodeKernel::Instance& instance : made.instances) {
    const auto add = [&](std::vector<int>& to, const Expr& e) {
      for (const int place : find_reads(*kernel.set, kernel.layout, e))
        to.push_back(instance.gather.empty() ? place : instance.gather[place]);
      std::sort(to.begin(), to.end());
      to.erase(std::unique(to.begin(), to.end()), to.end());
    };
    for (std::size_t i = 0; i < rows.size(); ++i) add(code.row_reads[instance.rows[i]], rows[i]);
    if (code.energy_output >= 0) add(code.output_reads[code.energy_output], kernel.set->stored);
  }
}

CodeKernel make_kernel(const equations::Kernel& kernel, const std::string& name, std::vector<Expr>& rows) {
  EquationSet& set = *kernel.set;
  const FunctionMaker maker(set);
  CodeKernel code;
  code.values = kernel.layout.values();
  code.row_count = static_cast<int>(kernel.rows.size());
  code.constraint_count = kernel.constraint_rows;
  const auto ordinary = kernel.row_expr.size() - static_cast<std::size_t>(kernel.constraint_rows);
  rows.assign(kernel.row_expr.begin(), kernel.row_expr.begin() + static_cast<std::ptrdiff_t>(ordinary));
  std::vector<Expr> places, rates;
  for (std::size_t i = ordinary; i < kernel.row_expr.size(); ++i) {
    const bool has_place = i - ordinary < set.constraint.size();
    const Expr& e = kernel.row_expr[i];
    places.push_back(has_place ? e : Expr(0));
    rates.push_back(has_place ? set.variables.time_derivative(e) : e);
    rows.push_back(set.variables.time_derivative(rates.back()));
  }
  places.insert(places.end(), rates.begin(), rates.end());
  code.rows = maker.value(name + "_rows", rows);
  code.rows_direction = maker.direction(name + "_rows_direction", rows);
  std::vector<Expr> all = rows;
  if (kernel.constraint_rows > 0) {
    code.constraints = maker.value(name + "_constraints", places);
    code.constraints_direction = maker.direction(name + "_constraints_direction", places);
    all.insert(all.end(), places.begin(), places.end());
  }
  code.seeds = find_seeds(set, kernel.layout, all);
  code.energy = maker.value(name + "_energy", {set.stored});
  return code;
}

/// Laws that the change of a parameter changes, by way of others too.
std::vector<std::vector<int>> find_followers(const equations::System::Data& data) {
  const EquationSet& set = *data.kernels.front()->set;
  std::vector<std::vector<int>> follow(data.parameters.size());
  std::vector<std::set<int>> read;
  for (const auto& law : data.parameter_laws) {
    std::set<int>& from = read.emplace_back();
    if (law.value.is_number()) continue;
    for (const Expr& s : symbolic::free_symbols(std::span(&law.value, 1))) {
      const Address at = set.variables.address(s);
      if (at.source == Source::parameter) from.insert(at.index);
    }
  }
  for (std::size_t k = 0; k < follow.size(); ++k) {
    std::set<int> changed{static_cast<int>(k)};
    for (std::size_t i = 0; i < read.size(); ++i)
      if (std::any_of(read[i].begin(), read[i].end(), [&](int p) { return changed.contains(p); })) {
        follow[k].push_back(static_cast<int>(i));
        changed.insert(data.parameter_laws[i].parameter);
      }
  }
  return follow;
}

/// Places of start values in the value array.
std::vector<int> find_start_places(const equations::System::Data& data) {
  const Layout& l = data.layout;
  using equations::Point;
  const int v = 1 + l.nq(), a = v + l.nv(), lambda = a + l.nv(), x = lambda + l.multipliers, xd = x + l.states,
            y = xd + l.states, d = y + l.algebraics;
  const std::pair<std::vector<double> Point::*, int> parts[] = {
      {&Point::q, 1}, {&Point::v, v},   {&Point::a, a}, {&Point::lambda, lambda},
      {&Point::x, x}, {&Point::xd, xd}, {&Point::y, y}, {&Point::d, d}};
  std::vector<int> places;
  for (const auto& law : data.start_laws)
    for (const auto& [part, first] : parts)
      if (law.part == part) places.push_back(first + law.index);
  return places;
}

void check_functions(const SystemCode& code) {
  std::vector<const CodeFunction*> all{&code.signals, &code.indicators, &code.updates, &code.clocks, &code.laws};
  for (const CodeKernel& k : code.kernels)
    all.insert(all.end(), {&k.rows, &k.rows_direction, &k.constraints, &k.constraints_direction});
  for (const CodeFunction* f : all)
    for (const symbolic::Program::Call& call : f->program.calls)
      if (call.external && symbolic::is_integral(*call.external))
        throw Error("generate: the model integrates a law of its own (" + call.external->name +
                    ") while it is evaluated, which generated code has no function for; give the law in a form that "
                    "has an integral");
}

void check_prefix(const std::string& prefix) {
  const auto is_letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  const auto may_stand = [&](char c) { return is_letter(c) || std::isdigit(static_cast<unsigned char>(c)) != 0; };
  // two underscores, or one before a capital, belong to the compiler
  const bool reserved = prefix.find("__") != std::string::npos || (!prefix.empty() && prefix[0] == '_');
  if (prefix.empty() || reserved || !is_letter(prefix[0]) || !std::all_of(prefix.begin(), prefix.end(), may_stand))
    throw Error("prefix: \"" + prefix +
                "\" cannot begin a name in C; it must be letters, digits and single underscores, with a letter first");
}

/// What generated code does not compute, by name.
void check_contents(const equations::System::Data& data) {
  if (!data.delays.empty())
    throw Error("generate: " + data.delays.front().name +
                " reads the past of a signal; generated code keeps no past: leave the delay out");
  if (!data.contacts.empty())
    throw Error("generate: " + data.contacts.front().name +
                " is a rigid contact with impacts, which generated code does not compute: make it elastic");
}

std::vector<double> start_values(const equations::System& s, const SystemRequest& request, std::vector<int>& spare) {
  equations::Evaluator evaluator(s);
  const solve::Start start = solve::initialize(evaluator, request.options);
  if (!start.good) throw Error("generate: the model has no start: " + start.text);
  spare.assign(s.nl(), 0);
  for (const int k : start.redundancy.always) spare[k] = 1;
  const std::span<const double> values = evaluator.values(start.point);
  return {values.begin(), values.end()};
}

}  // namespace

SystemCode make_system_code(const equations::System& system, const SystemRequest& request) {
  const equations::System::Data& data = system.data();
  check_prefix(request.prefix);
  SystemCode code{.request = request, .system = system};
  check_contents(data);
  code.start = start_values(system, request, code.spare);
  code.linear_in_rates = system.is_linear_in_rates();
  std::vector<Expr> outputs;
  const auto add_output = [&](int k) {
    if (k == data.energy_signal) code.energy_output = static_cast<int>(outputs.size());
    outputs.push_back(k == data.energy_signal ? Expr(0) : data.signal_values[k]);
    code.output_names.push_back(data.signals[k].name), code.output_units.push_back(data.signals[k].unit);
  };
  for (const std::string& name : request.outputs) add_output(system.get_signal(name, "outputs"));
  if (request.outputs.empty())
    for (int k = 0; k < static_cast<int>(data.signals.size()); ++k) add_output(k);
  for (const std::string& name : request.inputs) {
    const int k = system.find_parameter(name);
    std::vector<std::string> known;
    for (const equations::ParameterInfo& info : data.parameters) known.push_back(info.name);
    if (k < 0) throw Error("inputs: there is no parameter \"" + name + "\"" + did_you_mean(name, known));
    if (const std::string by = system.find_built_in(k); !by.empty())
      throw Error("inputs: " + name + " became a number in the equations by " + by + ", and cannot be an input");
    code.inputs.push_back(k);
  }
  code.row_reads.resize(system.n()), code.output_reads.resize(outputs.size());
  for (std::size_t k = 0; k < data.kernels.size(); ++k) {
    const equations::Kernel& kernel = *data.kernels[k];
    const std::scoped_lock lock(kernel.set->mutex);
    std::vector<Expr> rows;
    code.kernels.push_back(make_kernel(kernel, "k" + std::to_string(k), rows));
    for (const equations::Instance& i : data.instances)
      if (i.kernel == &kernel)
        code.kernels.back().instances.push_back(
            {i.gather, i.rows,
             i.gather.empty() ? std::vector<int>() : map_unknowns(kernel.layout, data.layout, i.gather)});
    add_reads(code, kernel, code.kernels.back(), rows);
  }
  {
    const equations::OpenEquations open(data);
    const FunctionMaker maker(*open);
    code.signals = maker.value("signal_values", outputs);
    code.signals_direction = maker.direction("signal_direction", outputs);
    code.indicators = maker.value("indicator_values", data.indicator_values);
    code.updates = maker.value("update_values", data.update_values);
    code.clocks = maker.value("clock_values", data.clock_laws);
    std::vector<Expr> laws;
    for (const auto& law : data.parameter_laws) laws.push_back(law.value);
    code.laws = maker.value("law_values", laws);
    code.laws_direction = maker.direction("law_direction", laws);
    const std::vector<Expr> inputs = equations::input_symbols(*open);
    for (const Expr& s : inputs) code.value_names.push_back(to_string(s));
    for (std::size_t k = 0; k < outputs.size(); ++k) {
      const std::vector<int> reads = find_reads(*open, data.layout, outputs[k]);
      code.output_place.push_back(reads.size() == 1 && same(outputs[k], inputs[reads[0]]) ? reads[0] : -1);
      if (static_cast<int>(k) != code.energy_output) code.output_reads[k] = reads;
    }
    for (const Expr& g : data.indicator_values) code.indicator_reads.push_back(find_reads(*open, data.layout, g));
    code.follow = find_followers(data);
    code.start_laws = maker.value("start_law_values", data.start_values);
    code.start_places = find_start_places(data);
  }
  if (!code.start_places.empty())
    code.start_law_values = symbolic::evaluate(symbolic::Function(code.start_laws.program), code.start);
  check_functions(code);
  return code;
}

}  // namespace coenergy::generate
