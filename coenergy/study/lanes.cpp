#include "coenergy/study/lanes.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>

#include "coenergy/equations/data.hpp"
#include "coenergy/equations/open_equations.hpp"
#include "coenergy/equations/state_equations.hpp"
#include "coenergy/solve/tableau.hpp"
#include "coenergy/symbolic/algebra.hpp"
#include "coenergy/symbolic/function.hpp"

namespace coenergy::study {

using equations::Point;
using equations::System;
using symbolic::Expr;

struct LaneRunner::Work {
  /// Numbers at a place that lanes read fast.
  class Aligned {
   public:
    void resize(std::size_t n) {
      constexpr std::size_t line = 64;
      data_.reset(static_cast<double*>(std::aligned_alloc(line, (n * sizeof(double) + line - 1) / line * line + line)));
      std::fill_n(data_.get(), n, 0.0);
    }
    double* get() const { return data_.get(); }

   private:
    struct Free {
      void operator()(double* p) const { std::free(p); }
    };
    std::unique_ptr<double[], Free> data_;
  };
  Aligned in, out, work, signals;
};

struct LaneRunner::Impl {
  symbolic::Function step;     ///< of t, h, x, p to x
  symbolic::Function signals;  ///< of t, h, x, p to the measured signals
  std::size_t states = 0;
  std::vector<int> parameters;  ///< of the system, that the programs read
  double t_start = 0, h = 0;
  long steps = 0;
  double last = 0;            ///< length of the last step
  std::vector<long> at_step;  ///< of each measure: the step behind which it is taken
  std::size_t inputs() const { return 2 + states + parameters.size(); }
};

LaneRunner::LaneRunner() : impl_(std::make_unique<Impl>()) {}
LaneRunner::~LaneRunner() = default;
int LaneRunner::lanes() { return symbolic::Function::lane_count(); }

std::unique_ptr<LaneRunner> LaneRunner::make(const System& system, const solve::Options& options,
                                             const std::vector<RunMeasure>& measures) {
  const solve::Tableau* tableau = options.method == "rk4"     ? &solve::Tableau::rk4()
                                  : options.method == "euler" ? &solve::Tableau::euler()
                                                              : nullptr;
  if (tableau == nullptr || !(options.step > 0) || options.start != "given" || options.from || !options.states.empty())
    return nullptr;
  const System::Data& data = system.data();
  if (system.nv() > 0 || system.nl() > 0 || system.nd() > 0 || system.nx() == 0 || system.indicators() > 0 ||
      system.delays() > 0 || !data.clocks.empty() || !data.requirements.empty() || !data.contacts.empty() ||
      !data.opened.empty())
    return nullptr;
  auto runner = std::unique_ptr<LaneRunner>(new LaneRunner);
  Impl& m = *runner->impl_;
  m.t_start = options.t_start, m.h = options.step;
  const double length = options.t_end - options.t_start, count = length / options.step;
  m.steps = static_cast<long>(std::ceil(count * (1 - 1e-12)));
  m.last = length - static_cast<double>(m.steps - 1) * m.h;
  for (const RunMeasure& measure : measures) {
    if (measure.place == RunMeasure::Place::course) return nullptr;
    const double at = measure.place == RunMeasure::Place::end ? count : (measure.time - options.t_start) / options.step;
    const double whole = measure.place == RunMeasure::Place::end ? static_cast<double>(m.steps) : std::round(at);
    if (measure.place == RunMeasure::Place::at && std::abs(at - whole) > 1e-9 * std::max(1.0, whole)) return nullptr;
    m.at_step.push_back(static_cast<long>(whole));
  }
  const equations::StateEquations equations = equations::make_state_equations(system);
  m.states = static_cast<std::size_t>(system.nx());
  if (!equations.implicit.empty() || equations.rates.size() != m.states) return nullptr;

  const equations::OpenEquations open(data);
  equations::Variables& variables = open->variables;
  symbolic::Graph& graph = variables.graph();
  const Expr t = variables.time(), h = graph.symbol("step length of the study");
  std::vector<Expr> x, rates;
  std::map<std::string, Expr> by_name;
  for (const auto& [name, rate] : equations.rates) by_name[name] = symbolic::unbind(rate);
  for (int k = 0; k < system.nx(); ++k) {
    x.push_back(variables.state(k).x);
    const auto found = by_name.find(to_string(x.back()));
    if (found == by_name.end()) return nullptr;
    rates.push_back(found->second);
  }
  std::vector<Expr> wanted;
  for (const RunMeasure& measure : measures)
    wanted.push_back(symbolic::unbind(data.signal_values[static_cast<std::size_t>(measure.signal)]));
  // what the programs may read
  std::vector<Expr> inputs{t, h};
  inputs.insert(inputs.end(), x.begin(), x.end());
  std::vector<Expr> all = rates;
  all.insert(all.end(), wanted.begin(), wanted.end());
  for (const Expr& symbol : symbolic::free_symbols(all)) {
    const equations::Address address = variables.address(symbol);
    if (address.source == equations::Source::parameter) {
      m.parameters.push_back(address.index), inputs.push_back(symbol);
      continue;
    }
    const bool known = std::any_of(inputs.begin(), inputs.end(), [&](const Expr& e) { return same(e, symbol); });
    if (!known) return nullptr;  // a signal of an algebraic variable or of a rate
  }
  // all stages, by substitution
  std::vector<std::vector<Expr>> k;
  std::vector<symbolic::NamedExpr> next, signals;
  for (int i = 0; i < tableau->stages; ++i) {
    std::vector<Expr> from{t}, to{t + tableau->c[static_cast<std::size_t>(i)] * h};
    const auto place = static_cast<std::size_t>(i * (i - 1) / 2);
    for (std::size_t s = 0; s < m.states; ++s) {
      Expr sum = 0;
      for (int j = 0; j < i; ++j)
        sum += tableau->a[place + static_cast<std::size_t>(j)] * k[static_cast<std::size_t>(j)][s];
      from.push_back(x[s]), to.push_back(graph.let("stage", x[s] + h * sum));
    }
    k.emplace_back();
    for (const Expr& rate : symbolic::substitute(rates, from, to)) k.back().push_back(graph.let("rate", rate));
  }
  for (std::size_t s = 0; s < m.states; ++s) {
    Expr sum = 0;
    for (int i = 0; i < tableau->stages; ++i)
      sum += tableau->b[static_cast<std::size_t>(i)] * k[static_cast<std::size_t>(i)][s];
    next.push_back({"next", x[s] + h * sum});
  }
  for (std::size_t i = 0; i < wanted.size(); ++i) signals.push_back({measures[i].text, wanted[i]});
  m.step = symbolic::Function(symbolic::make_program(inputs, next), symbolic::Engine::native);
  m.signals = symbolic::Function(symbolic::make_program(inputs, signals), symbolic::Engine::native);
  return runner;
}

std::shared_ptr<LaneRunner::Work> LaneRunner::make_work() const {
  const auto w = static_cast<std::size_t>(lanes());
  auto work = std::make_shared<Work>();
  work->in.resize(impl_->inputs() * w), work->out.resize(impl_->states * w);
  work->work.resize(std::max(impl_->step.lane_work_size(), impl_->signals.lane_work_size()));
  work->signals.resize(impl_->at_step.size() * w);
  return work;
}

void LaneRunner::run(const std::vector<Point>& points, const std::vector<std::vector<double>>& parameters,
                     std::span<double> values, Work& work) const {
  const Impl& m = *impl_;
  const auto w = static_cast<std::size_t>(lanes());
  double* in = work.in.get();
  const auto set = [&](std::size_t input, double value) { std::fill_n(in + input * w, w, value); };
  for (std::size_t lane = 0; lane < w; ++lane) {
    for (std::size_t s = 0; s < m.states; ++s) in[(2 + s) * w + lane] = points[lane].x[s];
    for (std::size_t p = 0; p < m.parameters.size(); ++p)
      in[(2 + m.states + p) * w + lane] = parameters[lane][static_cast<std::size_t>(m.parameters[p])];
  }
  const std::size_t measures = m.at_step.size();
  const auto measure = [&](long step) {
    if (std::find(m.at_step.begin(), m.at_step.end(), step) == m.at_step.end()) return;
    m.signals.lanes(in, work.signals.get(), work.work.get());
    for (std::size_t i = 0; i < measures; ++i)
      for (std::size_t lane = 0; m.at_step[i] == step && lane < w; ++lane)
        values[lane * measures + i] = work.signals.get()[i * w + lane];
  };
  set(0, m.t_start), set(1, m.h);
  measure(0);
  for (long step = 1; step <= m.steps; ++step) {
    if (step == m.steps) set(1, m.last);
    m.step.lanes(in, work.out.get(), work.work.get());
    std::copy_n(work.out.get(), m.states * w, in + 2 * w);
    set(0, step == m.steps ? m.t_start + static_cast<double>(m.steps - 1) * m.h + m.last
                           : m.t_start + static_cast<double>(step) * m.h);
    measure(step);
  }
}

}  // namespace coenergy::study
