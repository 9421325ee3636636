#pragma once
#include <algorithm>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "coenergy/study/formulas.hpp"
#include "coenergy/study/trajectory.hpp"

namespace coenergy::study {

/// A signal between two values.
struct SignalLimit {
  int signal;
  double low, high;
};

/// Unknowns: the duration T, then of each node q, v, a, x, ẋ, y, u. Rows: of each node R, then limits; of each interval the
/// two formulas of q, v, x; then the start, then the end.
struct Trajectory::Impl {
  std::optional<equations::System> system;
  mutable std::optional<equations::Evaluator> evaluator;
  std::vector<int> inputs;  ///< parameters
  std::vector<double> input_low, input_high, input_guess;
  double time_low = 0, time_high = std::numeric_limits<double>::infinity(), time_guess = 1;
  std::vector<SignalLimit> ends, limits;
  int intervals = 50;
  bool minimizes_time = true;
  std::optional<Formulas> cost;  ///< over the inputs
  equations::Point start;

  int nv() const { return system->nv(); }
  int nx() const { return system->nx(); }
  int ny() const { return system->ny(); }
  int nu() const { return static_cast<int>(inputs.size()); }
  int nodes() const { return 2 * intervals + 1; }
  int node_size() const { return 3 * nv() + 2 * nx() + ny() + nu(); }
  int unknowns() const { return 1 + nodes() * node_size(); }
  int at(int node, int place) const { return 1 + node * node_size() + place; }
  // places in a node
  int q() const { return 0; }
  int v() const { return nv(); }
  int a() const { return 2 * nv(); }
  int x() const { return 3 * nv(); }
  int xd() const { return 3 * nv() + nx(); }
  int y() const { return 3 * nv() + 2 * nx(); }
  int u() const { return 3 * nv() + 2 * nx() + ny(); }
  int states() const { return 2 * nv() + nx(); }
  /// Place of a state and of its rate.
  std::pair<int, int> state(int k) const {
    if (k < nv()) return {q() + k, v() + k};
    if (k < 2 * nv()) return {v() + k - nv(), a() + k - nv()};
    return {x() + k - 2 * nv(), xd() + k - 2 * nv()};
  }
  int equations() const { return nv() + nx() + ny(); }
  int rows_of_node() const { return equations() + static_cast<int>(limits.size()); }
  int rows() const {
    return nodes() * rows_of_node() + intervals * 2 * states() + states() + static_cast<int>(ends.size());
  }

  equations::Point point(std::span<const double> z, int node) const {
    equations::Point p = start;
    p.t = start.t + z[0] * node / (nodes() - 1);
    const double* n = z.data() + at(node, 0);
    std::copy_n(n + q(), nv(), p.q.begin()), std::copy_n(n + v(), nv(), p.v.begin()),
        std::copy_n(n + a(), nv(), p.a.begin());
    std::copy_n(n + x(), nx(), p.x.begin()), std::copy_n(n + xd(), nx(), p.xd.begin()),
        std::copy_n(n + y(), ny(), p.y.begin());
    for (int k = 0; k < nu(); ++k) evaluator->set_parameter(inputs[static_cast<std::size_t>(k)], n[u() + k]);
    return p;
  }
  std::vector<double> input_values(std::span<const double> z, int node) const {
    return {z.begin() + at(node, u()), z.begin() + at(node, u()) + nu()};
  }
  double weight(int node) const {  // of Simpson's rule, in parts of T
    const double h = 1.0 / intervals;
    return node == 0 || node == nodes() - 1 ? h / 6 : node % 2 == 1 ? 4 * h / 6 : 2 * h / 6;
  }

  double objective(std::span<const double> z) const;
  void constraints(std::span<const double> z, std::span<double> g) const;
  /// Calls entry(row, column, value) in the same order each time; without z the values are not computed.
  template <class Entry>
  void slopes(const double* z, Entry&& entry) const;
  static constexpr int of_time = -1;  ///< place of the duration
  template <class Entry>
  void node_slopes(std::span<const double> z, int node, Entry&& entry) const;
  std::vector<double> node_gradient(std::span<const double> z, int node, const double* multipliers,
                                    const double* of_ends, double factor) const;
  template <class Entry>
  void hessian(const double* x, double factor, const double* multipliers, Entry&& entry) const;
  void read(const model::Model& model, const model::Value& section);
};

}  // namespace coenergy::study
