#include "coenergy/study/trajectory.hpp"

#include <algorithm>
#include <cmath>

#include "coenergy/study/trajectory_impl.hpp"

namespace coenergy::study {

using equations::Level;
using equations::Point;

double Trajectory::Impl::objective(std::span<const double> z) const {
  if (minimizes_time) return z[0];
  double sum = 0, f = 0;
  for (int k = 0; k < nodes(); ++k) {
    cost->values(input_values(z, k), {&f, 1});
    sum += weight(k) * f;
  }
  return z[0] * sum;
}

void Trajectory::Impl::constraints(std::span<const double> z, std::span<double> g) const {
  std::vector<double> r(static_cast<std::size_t>(system->n())), all(system->signals().size());
  std::size_t row = 0;
  for (int k = 0; k < nodes(); ++k) {
    const Point p = point(z, k);
    evaluator->residual(p, Level::acceleration, r);
    for (int i = 0; i < equations(); ++i) g[row++] = r[static_cast<std::size_t>(i)];
    if (!limits.empty()) evaluator->signals(p, all);
    for (const SignalLimit& l : limits) g[row++] = all[static_cast<std::size_t>(l.signal)];
  }
  const double h = z[0] / intervals;
  for (int i = 0; i < intervals; ++i) {
    const double *from = z.data() + at(2 * i, 0), *middle = z.data() + at(2 * i + 1, 0),
                 *to = z.data() + at(2 * i + 2, 0);
    for (int s = 0; s < states(); ++s) {
      const auto [place, rate] = state(s);
      g[row++] = middle[place] - (from[place] + to[place]) / 2 - h / 8 * (from[rate] - to[rate]);
      g[row++] = to[place] - from[place] - h / 6 * (from[rate] + 4 * middle[rate] + to[rate]);
    }
  }
  const Point first = point(z, 0);
  for (int s = 0; s < nv(); ++s) g[row++] = first.q[static_cast<std::size_t>(s)] - start.q[static_cast<std::size_t>(s)];
  for (int s = 0; s < nv(); ++s) g[row++] = first.v[static_cast<std::size_t>(s)] - start.v[static_cast<std::size_t>(s)];
  for (int s = 0; s < nx(); ++s) g[row++] = first.x[static_cast<std::size_t>(s)] - start.x[static_cast<std::size_t>(s)];
  evaluator->signals(point(z, nodes() - 1), all);
  for (const SignalLimit& e : ends) g[row++] = all[static_cast<std::size_t>(e.signal)] - e.low;
}

/// ∂R/∂(variables of the node) and ∂(limits), dense: entry(row in the node, place, value).
template <class Entry>
void Trajectory::Impl::node_slopes(std::span<const double> z, int node, Entry&& entry) const {
  const Point p = point(z, node);
  const equations::SparsePattern& pattern = system->pattern();
  const std::size_t count = pattern.row.size();
  std::vector<double> by_q(count), by_v(count), by_a(count), by_x(count), by_xd(count), by_y(count);
  const equations::MatrixPart parts[] = {{{.q = 1}, by_q}, {{.v = 1}, by_v},   {{.a = 1}, by_a},
                                         {{.x = 1}, by_x}, {{.xd = 1}, by_xd}, {{.y = 1}, by_y}};
  evaluator->jacobian(p, Level::acceleration, parts);
  std::vector<double> dense(static_cast<std::size_t>(equations() * node_size()), 0);
  const auto put = [&](int row, int place, double value) {
    dense[static_cast<std::size_t>(row * node_size() + place)] += value;
  };
  for (int column = 0; column < pattern.n; ++column)
    for (int e = pattern.column_start[static_cast<std::size_t>(column)];
         e < pattern.column_start[static_cast<std::size_t>(column) + 1]; ++e) {
      const auto i = static_cast<std::size_t>(e);
      const int row = pattern.row[i];
      if (column < nv())
        put(row, q() + column, by_q[i]), put(row, v() + column, by_v[i]), put(row, a() + column, by_a[i]);
      else if (column < nv() + nx())
        put(row, x() + column - nv(), by_x[i]), put(row, xd() + column - nv(), by_xd[i]);
      else
        put(row, y() + column - nv() - nx(), by_y[i]);
    }
  std::vector<double> r(static_cast<std::size_t>(system->n()));
  for (int k = 0; k < nu(); ++k) {
    std::fill(r.begin(), r.end(), 0);
    for (const auto& [parameter, slope] : evaluator->parameter_slopes(inputs[static_cast<std::size_t>(k)])) {
      std::vector<double> part(r.size());
      evaluator->parameter_derivative(p, Level::acceleration, parameter, part);
      for (std::size_t i = 0; i < r.size(); ++i) r[i] += slope * part[i];
    }
    for (int row = 0; row < equations(); ++row) put(row, u() + k, r[static_cast<std::size_t>(row)]);
  }
  for (int row = 0; row < equations(); ++row)
    for (int place = 0; place < node_size(); ++place)
      entry(row, place, dense[static_cast<std::size_t>(row * node_size() + place)]);
  std::fill(r.begin(), r.end(), 0);
  evaluator->time_derivative(p, Level::acceleration, r);
  const double share = static_cast<double>(node) / (nodes() - 1);
  for (int row = 0; row < equations(); ++row) entry(row, of_time, share * r[static_cast<std::size_t>(row)]);
}

/// ∂/∂z Σ multiplier · row of a node's equations and limits, and of the objective's integrand times `factor`.
std::vector<double> Trajectory::Impl::node_gradient(std::span<const double> z, int node, const double* multipliers,
                                                    const double* of_ends, double factor) const {
  std::vector<double> sum(static_cast<std::size_t>(node_size()), 0);
  node_slopes(z, node, [&](int row, int place, double value) {
    if (place != of_time) sum[static_cast<std::size_t>(place)] += multipliers[row] * value;
  });
  const auto add = [&](int signal, double multiplier) {
    if (multiplier == 0) return;
    const equations::Evaluator::Gradient g = evaluator->signal_gradient(point(z, node), signal);
    const auto part = [&](int place, const std::vector<double>& values) {
      for (std::size_t k = 0; k < values.size(); ++k)
        sum[static_cast<std::size_t>(place) + k] += multiplier * values[k];
    };
    part(q(), g.q), part(v(), g.v), part(a(), g.a), part(x(), g.x), part(xd(), g.xd), part(y(), g.y);
  };
  for (std::size_t l = 0; l < limits.size(); ++l)
    add(limits[l].signal, multipliers[static_cast<std::size_t>(equations()) + l]);
  for (std::size_t e = 0; of_ends != nullptr && e < ends.size(); ++e) add(ends[e].signal, of_ends[e]);
  if (cost && factor != 0) {
    const math::Matrix j = cost->jacobian(input_values(z, node));
    for (int k = 0; k < nu(); ++k) sum[static_cast<std::size_t>(u() + k)] += factor * j(0, k);
  }
  return sum;
}

/// Lower triangle of the second derivatives of the Lagrangian: within each node by differences of the first ones, between
/// the duration and the rates of the intervals as they are.
template <class Entry>
void Trajectory::Impl::hessian(const double* x, double factor, const double* multipliers, Entry&& entry) const {
  const int size = node_size();
  std::vector<double> z;
  if (x != nullptr) z.assign(x, x + unknowns());
  const double* of_ends = x == nullptr ? nullptr : multipliers + rows() - static_cast<int>(ends.size());
  std::vector<double> block(static_cast<std::size_t>(size * size), 0);
  for (int node = 0; node < nodes(); ++node) {
    for (int i = 0; i < size && x != nullptr; ++i) {
      double& value = z[static_cast<std::size_t>(at(node, i))];
      const double there = value, d = 1e-5 * (1 + std::abs(there));
      const double* own = multipliers + node * rows_of_node();
      const double weighted = minimizes_time ? 0 : factor * z[0] * weight(node);
      value = there + d;
      const std::vector<double> above = node_gradient(z, node, own, node == nodes() - 1 ? of_ends : nullptr, weighted);
      value = there - d;
      const std::vector<double> below = node_gradient(z, node, own, node == nodes() - 1 ? of_ends : nullptr, weighted);
      value = there;
      for (int j = 0; j < size; ++j)
        block[static_cast<std::size_t>(i * size + j)] =
            (above[static_cast<std::size_t>(j)] - below[static_cast<std::size_t>(j)]) / (2 * d);
    }
    for (int i = 0; i < size; ++i)
      for (int j = 0; j <= i; ++j)
        entry(at(node, i), at(node, j),
              (block[static_cast<std::size_t>(i * size + j)] + block[static_cast<std::size_t>(j * size + i)]) / 2);
  }
  int row = nodes() * rows_of_node();
  for (int i = 0; i < intervals; ++i)
    for (int s = 0; s < states(); ++s) {
      const int rate = state(s).second;
      const double middle = x == nullptr ? 0 : multipliers[row], whole = x == nullptr ? 0 : multipliers[row + 1];
      row += 2;
      entry(at(2 * i, rate), 0, (-middle / 8 - whole / 6) / intervals);
      entry(at(2 * i + 1, rate), 0, -4 * whole / 6 / intervals);
      entry(at(2 * i + 2, rate), 0, (middle / 8 - whole / 6) / intervals);
    }
  for (int node = 0; node < nodes() && cost; ++node) {
    math::Matrix j(1, nu());
    if (x != nullptr) j = cost->jacobian(input_values(z, node));
    for (int k = 0; k < nu(); ++k) entry(at(node, u() + k), 0, factor * weight(node) * j(0, k));
  }
}

template <class Entry>
void Trajectory::Impl::slopes(const double* z, Entry&& entry) const {
  const std::span<const double> all{z, z == nullptr ? 0 : static_cast<std::size_t>(unknowns())};
  const auto signal_row = [&](int row, int node, int signal) {
    equations::Evaluator::Gradient g;
    if (z != nullptr) g = evaluator->signal_gradient(point(all, node), signal);
    const auto part = [&](int place, int n, const std::vector<double>& values) {
      for (int k = 0; k < n; ++k)
        entry(row, at(node, place + k), z == nullptr || values.empty() ? 0.0 : values[static_cast<std::size_t>(k)]);
    };
    part(q(), nv(), g.q), part(v(), nv(), g.v), part(a(), nv(), g.a), part(x(), nx(), g.x), part(xd(), nx(), g.xd),
        part(y(), ny(), g.y);
    for (int k = 0; k < nu(); ++k) {
      const auto parameter = static_cast<std::size_t>(inputs[static_cast<std::size_t>(k)]);
      entry(row, at(node, u() + k), z == nullptr || g.parameters.empty() ? 0.0 : g.parameters[parameter]);
    }
  };
  int row = 0;
  for (int node = 0; node < nodes(); ++node) {
    if (z != nullptr)
      node_slopes(all, node, [&](int r, int place, double value) {
        entry(row + r, place == of_time ? 0 : at(node, place), value);
      });
    else {
      for (int r = 0; r < equations(); ++r)
        for (int place = 0; place < node_size(); ++place) entry(row + r, at(node, place), 0.0);
      for (int r = 0; r < equations(); ++r) entry(row + r, 0, 0.0);
    }
    row += equations();
    for (const SignalLimit& l : limits) signal_row(row++, node, l.signal);
  }
  const double h = z == nullptr ? 1 : z[0] / intervals;
  for (int i = 0; i < intervals; ++i) {
    const auto value = [&](int node, int place) { return z == nullptr ? 0.0 : z[at(node, place)]; };
    const int f = 2 * i, m = f + 1, t = f + 2;
    for (int s = 0; s < states(); ++s) {
      const auto [place, rate] = state(s);
      entry(row, 0, -(value(f, rate) - value(t, rate)) / 8 / intervals);
      entry(row, at(m, place), 1.0), entry(row, at(f, place), -0.5), entry(row, at(t, place), -0.5);
      entry(row, at(f, rate), -h / 8), entry(row, at(t, rate), h / 8);
      ++row;
      entry(row, 0, -(value(f, rate) + 4 * value(m, rate) + value(t, rate)) / 6 / intervals);
      entry(row, at(t, place), 1.0), entry(row, at(f, place), -1.0);
      entry(row, at(f, rate), -h / 6), entry(row, at(m, rate), -4 * h / 6), entry(row, at(t, rate), -h / 6);
      ++row;
    }
  }
  for (int s = 0; s < nv(); ++s) entry(row++, at(0, q() + s), 1.0);
  for (int s = 0; s < nv(); ++s) entry(row++, at(0, v() + s), 1.0);
  for (int s = 0; s < nx(); ++s) entry(row++, at(0, x() + s), 1.0);
  for (const SignalLimit& e : ends) signal_row(row++, nodes() - 1, e.signal);
}

Trajectory::~Trajectory() = default;
bool Trajectory::minimizes_time() const { return impl_->minimizes_time; }

bool Trajectory::is_wanted(const model::Model& model) {
  const model::Value* section = find_section(model, "optimize");
  return section != nullptr && section->find("inputs") != nullptr;
}

Minimisation Trajectory::problem() const {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  Impl& m = *impl_;
  Minimisation p;
  const auto n = static_cast<std::size_t>(m.unknowns());
  p.start.assign(n, 0), p.lower.assign(n, -infinite), p.upper.assign(n, infinite);
  p.start[0] = m.time_guess, p.lower[0] = m.time_low, p.upper[0] = m.time_high;
  // a straight way from the start to where signals of single coordinates are to be in the end
  std::vector<double> goal = m.start.q;
  for (const SignalLimit& e : m.ends) {
    const equations::Evaluator::Gradient g = m.evaluator->signal_gradient(m.start, e.signal);
    std::vector<double> all(m.system->signals().size());
    m.evaluator->signals(m.start, all);
    for (std::size_t k = 0; k < g.q.size(); ++k)
      if (std::abs(g.q[k]) > 0.5) goal[k] = m.start.q[k] + (e.low - all[static_cast<std::size_t>(e.signal)]) / g.q[k];
  }
  for (int node = 0; node < m.nodes(); ++node) {
    const double share = static_cast<double>(node) / (m.nodes() - 1);
    for (int k = 0; k < m.nv(); ++k) {
      const auto i = static_cast<std::size_t>(k);
      p.start[static_cast<std::size_t>(m.at(node, m.q() + k))] = m.start.q[i] + share * (goal[i] - m.start.q[i]);
      p.start[static_cast<std::size_t>(m.at(node, m.v() + k))] = (goal[i] - m.start.q[i]) / m.time_guess;
    }
    for (int k = 0; k < m.nx(); ++k)
      p.start[static_cast<std::size_t>(m.at(node, m.x() + k))] = m.start.x[static_cast<std::size_t>(k)];
    for (int k = 0; k < m.nu(); ++k) {
      const auto i = static_cast<std::size_t>(m.at(node, m.u() + k)), j = static_cast<std::size_t>(k);
      p.start[i] = m.input_guess[j], p.lower[i] = m.input_low[j], p.upper[i] = m.input_high[j];
    }
  }
  p.lower_g.assign(static_cast<std::size_t>(m.rows()), 0), p.upper_g = p.lower_g;
  for (int node = 0; node < m.nodes(); ++node)
    for (std::size_t l = 0; l < m.limits.size(); ++l) {
      const auto row = static_cast<std::size_t>(node * m.rows_of_node() + m.equations()) + l;
      p.lower_g[row] = m.limits[l].low, p.upper_g[row] = m.limits[l].high;
    }
  m.slopes(nullptr, [&](int row, int column, double) { p.rows.push_back(row), p.columns.push_back(column); });
  p.values = [&m](std::span<const double> x, double& f, std::span<double> g) {
    f = m.objective(x);
    m.constraints(x, g);
    return std::isfinite(f) && std::all_of(g.begin(), g.end(), [](double v) { return std::isfinite(v); });
  };
  m.hessian(nullptr, 0, nullptr,
            [&](int row, int column, double) { p.hessian_rows.push_back(row), p.hessian_columns.push_back(column); });
  p.hessian = [&m](std::span<const double> x, double factor, std::span<const double> multipliers,
                   std::span<double> values) {
    std::size_t next = 0;
    m.hessian(x.data(), factor, multipliers.data(), [&](int, int, double value) { values[next++] = value; });
    return true;
  };
  p.derivatives = [&m](std::span<const double> x, std::span<double> gradient, std::span<double> slopes) {
    std::size_t next = 0;
    if (!slopes.empty()) m.slopes(x.data(), [&](int, int, double value) { slopes[next++] = value; });
    std::fill(gradient.begin(), gradient.end(), 0);
    if (m.minimizes_time) {
      gradient[0] = 1;
      return true;
    }
    gradient[0] = m.objective(x) / x[0];
    for (int k = 0; k < m.nodes(); ++k) {
      const math::Matrix j = m.cost->jacobian(m.input_values(x, k));
      for (int i = 0; i < m.nu(); ++i)
        gradient[static_cast<std::size_t>(m.at(k, m.u() + i))] = x[0] * m.weight(k) * j(0, i);
    }
    return true;
  };
  return p;
}

Trajectory::Course Trajectory::course(const std::vector<double>& x) const {
  const Impl& m = *impl_;
  Course c;
  c.duration = x[0], c.inputs = m.nu();
  c.names = {"time"}, c.units = {"s"};
  for (const int k : m.inputs)
    c.names.push_back(m.system->parameter_name(k)), c.units.push_back(m.system->parameter_unit(k));
  std::vector<std::size_t> shown;
  for (std::size_t k = 0; k < m.system->signals().size(); ++k) {
    const equations::SignalInfo& info = m.system->signals()[k];
    if (std::find(c.names.begin(), c.names.end(), info.name) != c.names.end()) continue;
    shown.push_back(k), c.names.push_back(info.name), c.units.push_back(info.unit);
  }
  std::vector<double> all(m.system->signals().size());
  for (int node = 0; node < m.nodes(); ++node) {
    const Point p = m.point(x, node);
    m.evaluator->signals(p, all);
    c.values.push_back(p.t);
    for (const double u : m.input_values(x, node)) c.values.push_back(u);
    for (const std::size_t k : shown) c.values.push_back(all[k]);
  }
  return c;
}

}  // namespace coenergy::study
