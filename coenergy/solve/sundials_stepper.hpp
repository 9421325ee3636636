#pragma once
#ifdef COENERGY_SUNDIALS
#include <cmath>

#include "coenergy/math/sparse_lu.hpp"
#include "coenergy/solve/sundials_support.hpp"

namespace coenergy::solve {

/// What IDA and CVODE share as methods of integration: they choose their own steps, one at a time since their polynomial
/// is that of the last one, and are initialised anew where the motion is not smooth. Their steps end on the constraints:
/// what they remember must not drift away from these, since it would be another motion that rows show the projection of.
class SundialsStepper : public Stepper {
 public:
  void begin(const equations::Point&) override {
    is_running_ = false;
    form_.forget_matrix();
  }

  StepOutcome step(const equations::Point& from, double h, equations::Point& to) override {
    const double t = from.t + h;
    if (!is_running_ || t < now_ - last_step_) {
      StateArchive memory;
      visit_memory(memory);
      log_.restart(memory.bytes());
      at_ = from;
      choose_spare(from);
      restart(from);
      is_running_ = true, has_matrix_ = false, now_ = from.t;
    }
    log_.add_step(from, h);
    StepOutcome outcome;
    if (now_ <= from.t && is_poor_choice()) choose_spare(from);
    if (now_ <= from.t && advance(t) < 0) {
      is_running_ = false;
      return outcome;
    }
    if (t - now_ > round_off * std::abs(t)) {
      outcome.longest = now_ - from.t;
      return outcome;
    }
    interpolate_to(std::min(t, now_));
    asked_ = t;
    to = at_;
    to.d = from.d;
    unpack(t, to);
    evaluator_->normalize(to.q);
    outcome.newton = form_.finish(to);
    outcome.good = outcome.newton.converged;
    return outcome;
  }

  void accept(const equations::Point&, const equations::Point& to) override { log_.accept(to); }
  /// By the polynomial of the library, of the order of the method.
  void interpolate(const equations::Point& from, const equations::Point& to, double s, equations::Point& at) override {
    const double t = from.t + s * (to.t - from.t);
    interpolate_to(std::min(t, now_));
    unpack(t, at);
    evaluator_->normalize(at.q);
  }
  void visit(StateArchive& archive) override {
    archive(is_running_);
    if (!is_running_) return visit_memory(archive);
    archive(log_);
    if (!archive.reads()) return;
    const CallLog log = log_;
    is_running_ = false;
    CallLog::replay(log, *this);
  }
  /// All but the memory of the library.
  void visit_memory(StateArchive& archive) {
    archive(form_, lu_, values_, at_, has_matrix_, now_, last_step_, asked_, matrix_factor_, matrix_t_, spare_,
            best_ratio_);
    visit_matrices(archive);
  }
  int error_order() const override { return 2; }
  double suggested_step() const override { return now_ > asked_ ? now_ - asked_ : next_step(); }

 protected:
  /// `size` numbers make up Y.
  SundialsStepper(equations::Evaluator& evaluator, const Options& options, Statistics& statistics,
                  const Redundancy& redundancy, int size)
      : Stepper(evaluator),
        s_(evaluator.system()),
        statistics_(&statistics),
        form_(evaluator, options, statistics),
        increment_(s_),
        size_(size),
        y_(size_, context_.context),
        tolerance_(size_, context_.context),
        lu_(s_.n(), s_.pattern().column_start, s_.pattern().row, multiplier_indices(s_)),
        values_(s_.pattern().row.size()),
        right_(s_.n()),
        theta_(s_.nv()),
        at_(s_.start()) {
    at_.q.resize(s_.nq()), at_.v.resize(s_.nv()), at_.a.resize(s_.nv()), at_.lambda.resize(s_.nl());
    at_.x.resize(s_.nx()), at_.xd.resize(s_.nx()), at_.y.resize(s_.ny()), at_.d.resize(s_.nd());
    N_VConst(1, tolerance_.vector);
    projected_ = at_;
    if (redundancy.none()) return;
    form_.damp_multipliers(redundancy.always);
    for (const int k : redundancy.always) spare_.push_back(s_.nv() + k);
    spare_.empty() ? lu_.set_damping(1e-8) : lu_.set_damping(1, spare_);
  }

  static constexpr double round_off = 1e-15;   // of a time
  static constexpr double poor_choice = 1e-3;  // of the ratio of pivots
  /// What puts q and v, which Y begins with, on the constraints at t, and rotations back to length 1, into `correction`;
  /// 0 for success, as the library has it.
  int project(double t, const double* y, double* correction) {
    projected_.t = t, projected_.d = at_.d;
    std::copy(y, y + s_.nq(), projected_.q.begin());
    std::copy(y + s_.nq(), y + s_.nq() + s_.nv(), projected_.v.begin());
    evaluator_->normalize(projected_.q);
    NewtonReport report;
    if (!form_.project(projected_, report)) return 1;
    std::fill(correction, correction + size_, 0.0);
    for (int i = 0; i < s_.nq(); ++i) correction[i] = projected_.q[i] - y[i];
    for (int i = 0; i < s_.nv(); ++i) correction[s_.nq() + i] = projected_.v[i] - y[s_.nq() + i];
    return 0;
  }
  bool projects(const Options& options) const { return options.project && s_.nv() > 0; }
  /// Initialises the library anew at a point.
  virtual void restart(const equations::Point& from) = 0;
  /// Lets the library make one step, towards t or beyond. Negative where it fails.
  virtual int advance(double t) = 0;
  /// Y at a time within the last step of the library.
  virtual void interpolate_to(double t) = 0;
  /// What the library takes its next step to be.
  virtual double next_step() const = 0;
  virtual void unpack(double t, equations::Point& to) = 0;
  virtual void visit_matrices(StateArchive& archive) = 0;

  /// Tolerances of q, v and x, the first entries of Y; returns how many there are.
  int set_state_tolerances(const Options& options) {
    double* to = tolerance_.data();
    const int scalars = s_.nv() - 3 * (s_.nq() - s_.nv());
    for (int i = 0; i < s_.nq(); ++i) *to++ = options.atol * (i < scalars ? s_.unknown(i).nominal : 1);
    for (int i = 0; i < s_.nv(); ++i) *to++ = options.atol * s_.unknown(i).nominal;
    for (int i = 0; i < s_.nx(); ++i) *to++ = options.atol * s_.unknown(s_.nv() + s_.nl() + i).nominal;
    return s_.nq() + s_.nv() + s_.nx();
  }

  /// Leaves out the constraints that are best left out here: the ones that were may have become needed.
  void choose_spare(const equations::Point& p) {
    if (spare_.empty()) return;
    best_ratio_ = 0;
    ConstraintProjection projection(*evaluator_, *statistics_);
    const std::vector<int> best = find_dependent_rows(projection, p);
    std::vector<int> unknowns = best;
    for (int& k : unknowns) k += s_.nv();
    if (best.size() != spare_.size() || unknowns == spare_) return;
    form_.damp_multipliers(best);
    spare_ = std::move(unknowns);
    lu_.set_damping(1, spare_);
    has_matrix_ = false;
  }
  /// Factors `values_`; false where that fails. A far smaller pivot than before tells that a constraint left out is one
  /// that is needed here.
  bool factor() {
    ++statistics_->factorizations;
    has_matrix_ = lu_.factor(values_);
    if (has_matrix_) best_ratio_ = std::max(best_ratio_, lu_.pivot_ratio());
    return has_matrix_;
  }
  bool is_poor_choice() const { return has_matrix_ && lu_.pivot_ratio() < poor_choice * best_ratio_; }

  const equations::System& s_;
  Statistics* statistics_;
  ExplicitForm form_;
  ConfigurationIncrement increment_;
  int size_;
  SundialsContext context_;
  SundialsVector y_, tolerance_;
  math::SparseLu<double> lu_;
  std::vector<double> values_, right_, theta_;
  equations::Point at_;  // last point at which the library asked for the equations
  equations::Point projected_;
  std::vector<int> spare_;  // rows and multipliers of constraints that follow from the others wherever it goes
  CallLog log_;
  bool is_running_ = false, has_matrix_ = false;
  double now_ = 0, last_step_ = 0;           // of the library, s
  double asked_ = 0;                         // the end of the last step that was asked for
  double best_ratio_ = 0;                    // of pivots, with the same constraints left out
  double matrix_factor_ = 0, matrix_t_ = 0;  // γ or c, and t, of the factors in lu_
};

}  // namespace coenergy::solve
#endif
