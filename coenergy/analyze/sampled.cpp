#include "coenergy/analyze/sampled.hpp"

#include <fmt/format.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <numeric>

#include "coenergy/analyze/linear_deviations.hpp"
#include "coenergy/analyze/memory.hpp"
#include "coenergy/analyze/variation.hpp"
#include "coenergy/base/error.hpp"
#include "coenergy/base/names.hpp"
#include "coenergy/equations/data.hpp"
#include "coenergy/math/decompositions.hpp"

namespace coenergy::analyze {
namespace {

using Complex = std::complex<double>;
using ComplexMatrix = Eigen::MatrixXcd;
using equations::Evaluator;
using equations::Point;
using equations::System;
using math::Matrix;

Eigen::Map<const Eigen::MatrixXd> view(const Matrix& m) { return {m.data.data(), m.rows, m.columns}; }

Matrix to_matrix(const Eigen::MatrixXd& m) {
  Matrix result(static_cast<int>(m.rows()), static_cast<int>(m.cols()));
  std::copy(m.data(), m.data() + m.size(), result.data.begin());
  return result;
}

/// Instants of the clocks that set something continuous, over one common period.
struct Schedule {
  double period = 0, start = 0;
  std::vector<double> times;  // absolute
};

Schedule find_schedule(const System& s, const std::vector<char>& memory, double now) {
  constexpr int most_ticks = 10000;
  constexpr double same = 1e-9;  // of a period
  const System::Data& data = s.data();
  std::vector<equations::Clock> clocks;
  for (std::size_t i = 0; i < data.update_clock.size(); ++i)
    if (data.update_clock[i] >= 0 && memory[data.update_discrete[i]])
      if (const equations::Clock& clock = data.clocks[data.update_clock[i]]; clock.period > 0) clocks.push_back(clock);
  Schedule schedule;
  double longest = 0, begin = now;
  for (const equations::Clock& c : clocks) longest = std::max(longest, c.period), begin = std::max(begin, c.offset);
  const auto fits = [&](double period) {
    return std::all_of(clocks.begin(), clocks.end(), [&](const equations::Clock& c) {
      const double count = period / c.period;
      return std::abs(count - std::round(count)) <= same * count;
    });
  };
  int multiple = 1;
  while (multiple <= most_ticks && !fits(multiple * longest)) ++multiple;
  schedule.period = multiple * longest;
  double ticks = 0;
  std::string all;
  for (const equations::Clock& c : clocks) ticks += schedule.period / c.period;
  if (multiple > most_ticks || ticks > most_ticks) {
    std::vector<double> periods;
    for (const equations::Clock& c : clocks) periods.push_back(c.period);
    std::sort(periods.begin(), periods.end());
    periods.erase(std::unique(periods.begin(), periods.end()), periods.end());
    for (double period : periods) all += (all.empty() ? "" : ", ") + format_short(period) + " s";
    throw Error(
        fmt::format("the sampling periods {} have no common multiple of at most {} samples, over which the "
                    "sampled system could be linearised; choose periods with a small ratio",
                    all, most_ticks));
  }
  // the first tick of the slowest clock after all have begun
  for (const equations::Clock& c : clocks)
    if (c.period == longest) {
      schedule.start = c.offset + c.period * std::ceil((begin - c.offset) / c.period - same);
      break;
    }
  for (const equations::Clock& c : clocks) {
    const double first = std::floor((schedule.start - c.offset) / c.period + same) + 1;
    for (double k = first;; ++k) {
      const double t = c.offset + k * c.period;
      if (t > schedule.start + schedule.period * (1 + same * 1e-3)) break;
      schedule.times.push_back(t);
    }
  }
  std::sort(schedule.times.begin(), schedule.times.end());
  const auto near = [&](double a, double b) { return b - a < same * longest; };
  schedule.times.erase(std::unique(schedule.times.begin(), schedule.times.end(), near), schedule.times.end());
  return schedule;
}

/// New values of the given discrete variables at a tick, by a deviation: of all variables, of discrete variables, of
/// parameters.
std::vector<double> sample(const std::vector<Evaluator::Update>& updates, const std::vector<int>& held,
                           const Deviation& all, std::vector<double> before, const Direction& input) {
  std::vector<double> next = before, result;
  int turn = 0;
  for (const Evaluator::Update& u : updates) {
    if (u.turn != turn) before = next, turn = u.turn;
    next[u.discrete] = differentiate(u.gradient, all, before, input);
  }
  for (int k : held) result.push_back(next[k]);
  return result;
}

/// Parameters and signals by their names, which linearize() has checked.
std::vector<int> find_all(const std::vector<std::string>& names, const std::function<int(const std::string&)>& find) {
  std::vector<int> found;
  for (const std::string& name : names) found.push_back(find(name));
  return found;
}

void put_column(Matrix& m, int column, const std::vector<double>& values) {
  for (std::size_t i = 0; i < values.size(); ++i) m(static_cast<int>(i), column) = values[i];
}

/// e^{Ãτ} of Ã = [A B_d; 0 0].
Eigen::MatrixXd flow_over(const SampledModel& m, double time) {
  const int nz = m.linear.model.a.rows, nd = m.by_held.columns;
  Matrix a(nz + nd, nz + nd);
  for (int i = 0; i < nz; ++i) {
    for (int j = 0; j < nz; ++j) a(i, j) = m.linear.model.a(i, j) * time;
    for (int j = 0; j < nd; ++j) a(i, nz + j) = m.by_held(i, j) * time;
  }
  return view(math::compute_exponential(a));
}

/// What a tick does to (z, d), and adds of u.
Eigen::MatrixXd jump_of(const SampledModel& m, const SampledModel::Tick& tick) {
  const int nz = m.linear.model.a.rows, nd = m.by_held.columns;
  Eigen::MatrixXd jump = Eigen::MatrixXd::Identity(nz + nd, nz + nd);
  jump.bottomLeftCorner(nd, nz) = view(tick.by_z);
  jump.bottomRightCorner(nd, nd) = view(tick.by_d);
  return jump;
}

}  // namespace

bool has_samples(const System& system) {
  const System::Data& data = system.data();
  const std::vector<char> memory = find_memory(system);
  for (std::size_t i = 0; i < data.update_clock.size(); ++i)
    if (data.update_clock[i] >= 0 && memory[data.update_discrete[i]]) return true;
  return false;
}

SampledModel linearize_sampled(Evaluator& evaluator, const Point& point, Linearization linear) {
  const System& s = evaluator.system();
  const std::vector<char> memory = find_memory(s);
  SampledModel m;
  m.linear = std::move(linear);
  LinearDeviations deviations(
      evaluator, point, find_all(m.linear.model.inputs, [&](const std::string& n) { return s.find_parameter(n); }),
      find_all(m.linear.model.outputs, [&](const std::string& n) { return s.find_signal(n); }));
  const Schedule schedule = find_schedule(s, memory, point.t);
  m.period = schedule.period, m.start = schedule.start;

  std::vector<int> held;
  for (int k = 0; k < s.nd(); ++k)
    if (memory[k]) held.push_back(k);
  const int nz = m.linear.model.a.rows, nd = static_cast<int>(held.size());
  const int nu = static_cast<int>(m.linear.model.inputs.size());
  m.by_held = Matrix(nz, nd), m.outputs_held = Matrix(static_cast<int>(m.linear.model.outputs.size()), nd);
  std::vector<Deviation> of_held;
  const Direction none;
  const std::vector<double> still(s.nd(), 0.0);
  const auto unit = [&](int k) {
    std::vector<double> d = still;
    d[k] = 1;
    return d;
  };
  for (int j = 0; j < nd; ++j) {
    const int signal = s.find_signal(s.data().discrete_names[held[j]]);
    m.held.push_back(s.data().discrete_names[held[j]]);
    m.held_units.push_back(signal < 0 ? "" : s.signals()[signal].unit);
    of_held.push_back(deviations.of_discrete(held[j]));
    deviations.put_rates(of_held.back(), m.by_held, j);
    deviations.put_outputs(of_held.back(), none, unit(held[j]), m.outputs_held, j);
  }
  for (const double t : schedule.times) {
    Point at = point;
    at.t = t;
    const std::vector<Evaluator::Update> updates = evaluator.updates(at, true);
    SampledModel::Tick tick{t - schedule.start, Matrix(nd, nz), Matrix(nd, nd), Matrix(nd, nu)};
    for (int j = 0; j < nz; ++j) put_column(tick.by_z, j, sample(updates, held, deviations.of_state(j), still, none));
    for (int j = 0; j < nd; ++j) put_column(tick.by_d, j, sample(updates, held, of_held[j], unit(held[j]), none));
    for (int j = 0; j < nu; ++j)
      put_column(tick.by_u, j, sample(updates, held, deviations.of_input(j), still, deviations.input(j)));
    m.ticks.push_back(std::move(tick));
  }
  for (int k : held) {
    const auto& clocked = s.data();
    bool has_clock = false;
    for (std::size_t i = 0; i < clocked.update_clock.size(); ++i)
      has_clock = has_clock || (clocked.update_discrete[i] == k && clocked.update_clock[i] >= 0);
    if (!has_clock)
      m.notes.push_back(clocked.discrete_names[k] +
                        " is set when something switches, not by a clock: it keeps its value in the linear model");
  }
  return m;
}

namespace {

Matrix pick(const Matrix& m, const std::vector<int>& rows, const std::vector<int>& columns) {
  Matrix result(static_cast<int>(rows.size()), static_cast<int>(columns.size()));
  for (int i = 0; i < result.rows; ++i)
    for (int j = 0; j < result.columns; ++j) result(i, j) = m(rows[i], columns[j]);
  return result;
}

std::vector<int> all_of(int count) {
  std::vector<int> indices(count);
  std::iota(indices.begin(), indices.end(), 0);
  return indices;
}

}  // namespace

SampledModel keep_observable(SampledModel m) {
  StateSpace& flow = m.linear.model;
  const int nz = flow.a.rows, nd = m.by_held.columns, outputs = flow.c.rows, inputs = flow.b.columns;
  // from the outputs backwards; held values are counted behind the states
  std::vector<char> needed(nz + nd, 0);
  const auto need = [&](const Matrix& by, int row, int first) {
    bool any = false;
    for (int j = 0; j < by.columns; ++j)
      if (by(row, j) != 0 && !needed[first + j]) needed[first + j] = 1, any = true;
    return any;
  };
  for (int i = 0; i < outputs; ++i) need(flow.c, i, 0), need(m.outputs_held, i, nz);
  for (bool changed = true; changed;) {
    changed = false;
    const auto need_both = [&](const Matrix& by_z, const Matrix& by_d, int row) {
      const bool any_z = need(by_z, row, 0), any_d = need(by_d, row, nz);
      changed = changed || any_z || any_d;
    };
    for (int i = 0; i < nz; ++i)
      if (needed[i]) need_both(flow.a, m.by_held, i);
    for (int i = 0; i < nd; ++i)
      for (const SampledModel::Tick& tick : m.ticks)
        if (needed[nz + i]) need_both(tick.by_z, tick.by_d, i);
  }
  std::vector<int> z, d;
  for (int i = 0; i < nz + nd; ++i)
    if (needed[i]) (i < nz ? z : d).push_back(i < nz ? i : i - nz);
  const std::vector<int> u = all_of(inputs), w = all_of(outputs);
  flow.a = pick(flow.a, z, z), flow.b = pick(flow.b, z, u), flow.e = pick(flow.e, z, u), flow.c = pick(flow.c, w, z);
  m.by_held = pick(m.by_held, z, d), m.outputs_held = pick(m.outputs_held, w, d);
  for (SampledModel::Tick& tick : m.ticks)
    tick = {tick.time, pick(tick.by_z, d, z), pick(tick.by_d, d, d), pick(tick.by_u, d, u)};
  return m;
}

StateSpace discretize(const SampledModel& m) {
  const StateSpace& flow = m.linear.model;
  const int nz = flow.a.rows, nd = m.by_held.columns, nu = static_cast<int>(flow.inputs.size());
  // inputs are held values too: one flow of (z, d, u)
  Matrix a(nz + nd + nu, nz + nd + nu);
  for (int i = 0; i < nz; ++i) {
    for (int j = 0; j < nz; ++j) a(i, j) = flow.a(i, j);
    for (int j = 0; j < nd; ++j) a(i, nz + j) = m.by_held(i, j);
    for (int j = 0; j < nu; ++j) a(i, nz + nd + j) = flow.b(i, j);
  }
  Eigen::MatrixXd all = Eigen::MatrixXd::Identity(nz + nd + nu, nz + nd + nu);
  double before = 0;
  for (const SampledModel::Tick& tick : m.ticks) {
    Matrix scaled = a;
    for (double& value : scaled.data) value *= tick.time - before;
    Eigen::MatrixXd jump = Eigen::MatrixXd::Identity(nz + nd + nu, nz + nd + nu);
    jump.topLeftCorner(nz + nd, nz + nd) = jump_of(m, tick);
    jump.block(nz, nz + nd, nd, nu) = view(tick.by_u);
    all = jump * view(math::compute_exponential(scaled)) * all;
    before = tick.time;
  }
  StateSpace result = flow;
  result.states.insert(result.states.end(), m.held.begin(), m.held.end());
  result.state_units.insert(result.state_units.end(), m.held_units.begin(), m.held_units.end());
  result.a = to_matrix(all.topLeftCorner(nz + nd, nz + nd));
  result.b = to_matrix(all.topRightCorner(nz + nd, nu));
  Eigen::MatrixXd c(flow.c.rows, nz + nd);
  c << view(flow.c), view(m.outputs_held);
  result.c = to_matrix(c);
  result.e = Matrix(nz + nd, nu), result.f = Matrix(flow.f.rows, flow.f.columns);
  return result;
}

std::vector<SampledMode> compute_sampled_modes(const SampledModel& model) {
  const StateSpace discrete = discretize(model);
  const math::EigenPairs pairs = math::compute_eigenpairs(discrete.a);
  std::vector<SampledMode> modes;
  const int n = discrete.a.rows;
  for (int k = 0; k < n; ++k) {
    const Complex z = pairs.values[k];
    if (z.imag() < 0) continue;
    SampledMode mode;
    mode.z = z, mode.s = std::log(z) / model.period;
    const double size = std::abs(mode.s);
    mode.frequency = size / (2 * std::numbers::pi), mode.damping = z == 0.0 ? 1 : size > 0 ? -mode.s.real() / size : 0;
    Complex largest = 0;
    for (int i = 0; i < n; ++i)
      if (std::abs(pairs.vectors(i, k)) > std::abs(largest)) largest = pairs.vectors(i, k);
    for (int i = 0; i < n; ++i) mode.shape.push_back(largest == 0.0 ? 0 : pairs.vectors(i, k) / largest);
    modes.push_back(std::move(mode));
  }
  std::stable_sort(modes.begin(), modes.end(),
                   [](const SampledMode& a, const SampledMode& b) { return std::abs(a.z) > std::abs(b.z); });
  return modes;
}

/// In the frame that turns with u the equations are ŵ' = (Ã − jω) ŵ + B̂, so that between ticks
/// ŵ(s) = p + e^{(Ã − jω)s} (ŵ₀ − p) with p = (jω − Ã)⁻¹ B̂, and the Fourier integrals of outputs are closed too.
std::vector<Complex> compute_sampled_response(const SampledModel& m, double omega, int harmonic) {
  const StateSpace& flow = m.linear.model;
  const int nz = flow.a.rows, nd = m.by_held.columns, n = nz + nd;
  const int nu = static_cast<int>(flow.inputs.size()), ny = static_cast<int>(flow.outputs.size());
  const Complex jw(0, omega), shift(0, 2 * std::numbers::pi * harmonic / m.period);
  ComplexMatrix a = ComplexMatrix::Zero(n, n), b = ComplexMatrix::Zero(n, nu), c(ny, n), d(ny, nu);
  a.topLeftCorner(nz, nz) = view(flow.a).cast<Complex>(), a.topRightCorner(nz, nd) = view(m.by_held).cast<Complex>();
  b.topRows(nz) = view(flow.b).cast<Complex>() + jw * view(flow.e).cast<Complex>();
  c << view(flow.c).cast<Complex>(), view(m.outputs_held).cast<Complex>();
  d = view(flow.d).cast<Complex>() + jw * view(flow.f).cast<Complex>();
  const ComplexMatrix identity = ComplexMatrix::Identity(n, n);
  const Eigen::PartialPivLU<ComplexMatrix> steady(jw * identity - a), integral(a - (jw + shift) * identity);
  const ComplexMatrix p = steady.solve(b);

  // over all intervals: ŵ = M ŵ₀ + q
  struct Part {
    double begin, length;
    ComplexMatrix flow;
  };
  std::vector<Part> parts;
  ComplexMatrix all = identity, added = ComplexMatrix::Zero(n, nu);
  std::vector<std::pair<ComplexMatrix, ComplexMatrix>> starts;  // of each interval, by ŵ₀ and alone
  double before = 0;
  for (const SampledModel::Tick& tick : m.ticks) {
    starts.emplace_back(all, added);
    const double length = tick.time - before;
    parts.push_back({before, length, flow_over(m, length).cast<Complex>() * std::exp(-jw * length)});
    ComplexMatrix jump = jump_of(m, tick).cast<Complex>();
    all = jump * parts.back().flow * all;
    added = jump * (p + parts.back().flow * (added - p));
    added.bottomRows(nd) += view(tick.by_u).cast<Complex>();
    before = tick.time;
  }
  const ComplexMatrix begin = Eigen::PartialPivLU<ComplexMatrix>(identity - all).solve(added);
  ComplexMatrix sum = ComplexMatrix::Zero(ny, nu);
  for (std::size_t k = 0; k < parts.size(); ++k) {
    const Part& part = parts[k];
    const ComplexMatrix start = starts[k].first * begin + starts[k].second - p;
    const Complex turned = std::exp(-shift * part.length);
    // ∫ e^{−js} over the interval, of the steady part and of what decays
    const Complex once = harmonic == 0 ? Complex(part.length) : (1.0 - turned) / shift;
    const ComplexMatrix decaying = integral.solve((turned * part.flow - identity) * start);
    sum += std::exp(-shift * part.begin) * (c * (p * once + decaying) + d * once);
  }
  sum /= m.period;
  if (!sum.allFinite())
    throw Error(
        fmt::format("there is no steady state at {:g} rad/s: the sampled system oscillates freely at it", omega));
  std::vector<Complex> response;
  for (int i = 0; i < ny; ++i)
    for (int j = 0; j < nu; ++j) response.push_back(sum(i, j));
  return response;
}

}  // namespace coenergy::analyze
