#include "coenergy/analyze/linearize.hpp"

#include <algorithm>

#include "coenergy/base/error.hpp"
#include "coenergy/math/decompositions.hpp"

namespace coenergy::analyze {

using math::Matrix;
using system::Level;
using system::Weights;

namespace {

/// The unit of a rate.
std::string per_second(const std::string& unit) { return unit.empty() ? "1/s" : unit + "/s"; }

/// The matrices of the linearised equations, dense.
class Linearizer {
 public:
  Linearizer(system::Evaluator& evaluator, const system::Point& point)
      : evaluator_(evaluator), system_(evaluator.system()), point_(point), nv_(system_.nv()), nl_(system_.nl()), nx_(system_.nx()) {
    find_rates();
    split_coordinates();
  }

  StateSpace make(const std::vector<std::string>& inputs, const std::vector<std::string>& outputs) {
    StateSpace s;
    name_states(s);
    const Matrix full_b = input_response(inputs, s);
    const int nu = static_cast<int>(independent_.size()), n = 2 * nu + nx_, ni = static_cast<int>(inputs.size());

    // motion of all variables for each state: (δq, δv, δx) = P · state
    const Matrix p = embed();
    const Matrix z = math::multiply(response_, p);
    s.A = Matrix(n, n);
    s.B = Matrix(n, ni);
    for (int i = 0; i < nu; ++i) {
      const int row = independent_[i];
      for (int j = 0; j < n; ++j) {
        s.A(i, j) = p(nv_ + row, j) - transport(row, p, j);
        s.A(nu + i, j) = z(row, j);
      }
      for (int j = 0; j < ni; ++j) s.B(nu + i, j) = full_b(row, j);
    }
    for (int i = 0; i < nx_; ++i) {
      for (int j = 0; j < n; ++j) s.A(2 * nu + i, j) = z(nv_ + nl_ + i, j);
      for (int j = 0; j < ni; ++j) s.B(2 * nu + i, j) = full_b(nv_ + nl_ + i, j);
    }
    add_outputs(s, outputs, inputs, p, z, full_b);
    return s;
  }

 private:
  Matrix block(Level level, const Weights& w) {
    const system::SparsePattern& pattern = system_.pattern();
    std::vector<double> values(pattern.row.size());
    evaluator_.jacobian(point_, level, w, values);
    Matrix dense(system_.n(), system_.n());
    for (int j = 0; j < pattern.n; ++j)
      for (int k = pattern.column_start[j]; k < pattern.column_start[j + 1]; ++k) dense(pattern.row[k], j) += values[k];
    return dense;
  }

  /// δz = response · (δq, δv, δx).
  void find_rates() {
    rates_ = block(Level::acceleration, {.a = 1, .lambda = 1, .xd = 1, .y = 1});
    const Matrix rq = block(Level::acceleration, {.q = 1}), rv = block(Level::acceleration, {.v = 1}),
                 rx = block(Level::acceleration, {.x = 1});
    const int n = system_.n();
    Matrix right(n, 2 * nv_ + nx_);
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < nv_; ++j) right(i, j) = -rq(i, j), right(i, nv_ + j) = -rv(i, j);
      for (int j = 0; j < nx_; ++j) right(i, 2 * nv_ + j) = -rx(i, nv_ + nl_ + j);
    }
    response_ = solve_rates(right);
  }

  /// Redundant constraints leave multipliers undetermined: then the smallest ones serve.
  Matrix solve_rates(const Matrix& right) const {
    if (right.columns == 0) return Matrix(system_.n(), 0);
    try {
      return math::solve(rates_, right);
    } catch (const std::runtime_error&) {
      return math::solve_least_squares(rates_, right);
    }
  }

  void split_coordinates() {
    const Matrix all = block(Level::position, {.q = 1}), all_velocity = block(Level::velocity, {.q = 1});
    Matrix columns(nv_, nl_);
    for (int i = 0; i < nl_; ++i)
      for (int j = 0; j < nv_; ++j) columns(j, i) = all(nv_ + i, j);
    std::vector<int> dependent;
    if (nl_ > 0) dependent = math::compute_row_rank(columns).independent;
    for (int j = 0; j < nv_; ++j)
      if (std::find(dependent.begin(), dependent.end(), j) == dependent.end()) independent_.push_back(j);

    // dependent coordinates follow: δq_v = −Φ_v⁺ Φ_u δu, and δv_v gains −Φ_v⁺ (Φ̇)_q T δu
    const int nu = static_cast<int>(independent_.size()), nd = static_cast<int>(dependent.size());
    t_ = Matrix(nv_, nu);
    w_ = Matrix(nv_, nu);
    for (int j = 0; j < nu; ++j) t_(independent_[j], j) = 1;
    if (nd == 0) return;
    Matrix phi_v(nl_, nd), phi_u(nl_, nu), drift(nl_, nv_);
    for (int i = 0; i < nl_; ++i) {
      for (int j = 0; j < nd; ++j) phi_v(i, j) = all(nv_ + i, dependent[j]);
      for (int j = 0; j < nu; ++j) phi_u(i, j) = -all(nv_ + i, independent_[j]);
      for (int j = 0; j < nv_; ++j) drift(i, j) = -all_velocity(nv_ + i, j);
    }
    const Matrix q = math::solve_least_squares(phi_v, phi_u);
    for (int i = 0; i < nd; ++i)
      for (int j = 0; j < nu; ++j) t_(dependent[i], j) = q(i, j);
    const Matrix v = math::solve_least_squares(phi_v, math::multiply(drift, t_));
    for (int i = 0; i < nd; ++i)
      for (int j = 0; j < nu; ++j) w_(dependent[i], j) = v(i, j);
  }

  /// (δq, δv, δx) of (δu, δu̇, δx); u̇ are the independent velocities.
  Matrix embed() const {
    const int nu = t_.columns;
    Matrix p(2 * nv_ + nx_, 2 * nu + nx_);
    for (int i = 0; i < nv_; ++i)
      for (int j = 0; j < nu; ++j) {
        p(i, j) = t_(i, j);
        p(nv_ + i, j) = w_(i, j);
        p(nv_ + i, nu + j) = t_(i, j);
      }
    for (int i = 0; i < nx_; ++i) p(2 * nv_ + i, 2 * nu + i) = 1;
    return p;
  }

  /// (ω × δθ) of a rotation's row; zero for a scalar coordinate.
  double transport(int row, const Matrix& p, int column) const {
    const int scalars = 4 * nv_ - 3 * system_.nq();  // from nq = c + 4r, nv = c + 3r
    if (row < scalars) return 0;
    const int first = scalars + (row - scalars) / 3 * 3, k = row - first, a = (k + 1) % 3, b = (k + 2) % 3;
    const double* w = point_.v.data() + first;
    return w[a] * p(first + b, column) - w[b] * p(first + a, column);
  }

  void name_states(StateSpace& s) const {
    for (int j : independent_) {
      s.states.push_back(system_.unknown(j).name);
      s.state_units.push_back(system_.unknown(j).unit);
    }
    for (int j : independent_) {
      s.states.push_back("der(" + system_.unknown(j).name + ")");
      s.state_units.push_back(per_second(system_.unknown(j).unit));
    }
    for (int j = 0; j < nx_; ++j) {
      s.states.push_back(system_.unknown(nv_ + nl_ + j).name);
      s.state_units.push_back(system_.unknown(nv_ + nl_ + j).unit);
    }
  }

  /// δz for each input.
  Matrix input_response(const std::vector<std::string>& inputs, StateSpace& s) {
    std::vector<std::string> known;
    for (int k = 0; k < system_.parameters(); ++k) known.push_back(system_.parameter_name(k));
    Matrix right(system_.n(), static_cast<int>(inputs.size()));
    std::vector<double> column(system_.n());
    for (std::size_t j = 0; j < inputs.size(); ++j) {
      const int k = system_.find_parameter(inputs[j]);
      if (k < 0) throw Error("input " + inputs[j] + ": the model has no parameter of this name" + did_you_mean(inputs[j], known));
      evaluator_.parameter_derivative(point_, Level::acceleration, k, column);
      for (int i = 0; i < system_.n(); ++i) right(i, static_cast<int>(j)) = -column[i];
      s.inputs.push_back(inputs[j]);
      s.input_units.push_back(system_.parameter_unit(k));
    }
    return solve_rates(right);
  }

  void add_outputs(StateSpace& s, const std::vector<std::string>& outputs, const std::vector<std::string>& inputs, const Matrix& p,
                   const Matrix& z, const Matrix& full_b) {
    std::vector<std::string> known;
    for (const system::SignalInfo& info : system_.signals()) known.push_back(info.name);
    const int n = p.columns, ni = static_cast<int>(inputs.size());
    s.C = Matrix(static_cast<int>(outputs.size()), n);
    s.D = Matrix(static_cast<int>(outputs.size()), ni);
    for (int r = 0; r < static_cast<int>(outputs.size()); ++r) {
      const int signal = system_.find_signal(outputs[r]);
      if (signal < 0) throw Error("output " + outputs[r] + ": the model has no signal of this name" + did_you_mean(outputs[r], known));
      s.outputs.push_back(outputs[r]);
      s.output_units.push_back(system_.signals()[signal].unit);
      const system::Evaluator::SignalGradient g = evaluator_.signal_gradient(point_, signal);
      auto through_rates = [&](const Matrix& rates, int column) {
        double sum = 0;
        for (int i = 0; i < nv_; ++i) sum += g.a[i] * rates(i, column);
        for (int i = 0; i < nl_; ++i) sum += g.lambda[i] * rates(nv_ + i, column);
        for (int i = 0; i < nx_; ++i) sum += g.xd[i] * rates(nv_ + nl_ + i, column);
        for (int i = 0; i < system_.ny(); ++i) sum += g.y[i] * rates(nv_ + nl_ + nx_ + i, column);
        return sum;
      };
      for (int j = 0; j < n; ++j) {
        double sum = through_rates(z, j);
        for (int i = 0; i < nv_; ++i) sum += g.q[i] * p(i, j) + g.v[i] * p(nv_ + i, j);
        for (int i = 0; i < nx_; ++i) sum += g.x[i] * p(2 * nv_ + i, j);
        s.C(r, j) = sum;
      }
      for (int j = 0; j < ni; ++j) s.D(r, j) = through_rates(full_b, j) + g.parameters[system_.find_parameter(inputs[j])];
    }
  }

  system::Evaluator& evaluator_;
  const system::System& system_;
  const system::Point& point_;
  int nv_, nl_, nx_;
  Matrix rates_, response_, t_, w_;
  std::vector<int> independent_;
};

}  // namespace

StateSpace linearize(system::Evaluator& evaluator, const system::Point& point, const std::vector<std::string>& inputs,
                     const std::vector<std::string>& outputs) {
  return Linearizer(evaluator, point).make(inputs, outputs);
}

}  // namespace coenergy::analyze
