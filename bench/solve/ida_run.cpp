#include "ida_run.hpp"

#include <ida/ida.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunlinsol/sunlinsol_klu.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunmatrix/sunmatrix_sparse.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "bench/symbolic/report.hpp"

namespace bench {
namespace {

using coenergy::equations::Evaluator;
using coenergy::equations::Level;
using coenergy::equations::Point;
using coenergy::equations::System;

class Problem {
 public:
  Problem(Evaluator& evaluator, const Point& start)
      : evaluator_(&evaluator), s_(evaluator.system()), at_(start), by_rest_(s_.pattern().row.size()) {
    if (s_.nq() != s_.nv()) throw std::logic_error("rotations are not the matter of this comparison");
    by_q_.resize(s_.nv() > 0 ? by_rest_.size() : 0);
    make_pattern();
  }

  int size() const { return s_.nq() + s_.n(); }
  const System& system() const { return s_; }

  void pack(const Point& p, double* y, double* rate) const {
    const auto put = [&](const std::vector<double>& values, const std::vector<double>* rates) {
      y = std::copy(values.begin(), values.end(), y);
      for (std::size_t i = 0; i < values.size(); ++i) *rate++ = rates ? (*rates)[i] : 0;
    };
    put(p.q, &p.v), put(p.v, &p.a), put(p.x, &p.xd), put(p.lambda, nullptr), put(p.y, nullptr);
  }
  const Point& unpack(double t, const double* y, const double* rate) {
    const auto take = [](const double*& from, std::vector<double>& to) {
      std::copy(from, from + to.size(), to.begin());
      from += to.size();
    };
    at_.t = t;
    take(y, at_.q), take(y, at_.v), take(y, at_.x), take(y, at_.lambda), take(y, at_.y);
    rate += at_.q.size();
    take(rate, at_.a), take(rate, at_.xd);
    return at_;
  }
  /// 1 for variables that are differentiated.
  void mark_differential(double* id) const {
    const int differential = s_.nq() + s_.nv() + s_.nx();
    for (int i = 0; i < size(); ++i) id[i] = i < differential ? 1 : 0;
  }
  void put_nominal(double* to, double factor) const {
    const auto put = [&](int first, int count) {
      for (int i = 0; i < count; ++i) *to++ = factor * s_.unknown(first + i).nominal;
    };
    const int nv = s_.nv(), nl = s_.nl(), nx = s_.nx();
    put(0, nv), put(0, nv), put(nv + nl, nx), put(nv, nl), put(nv + nl + nx, s_.ny());
  }

  int residual(double t, const double* y, const double* rate, double* r) {
    unpack(t, y, rate);
    for (int i = 0; i < s_.nq(); ++i) r[i] = rate[i] - at_.v[i];
    evaluator_->residual(at_, Level::acceleration, std::span(r + s_.nq(), s_.n()));
    for (int i = 0; i < size(); ++i)
      if (!std::isfinite(r[i])) return 1;
    return 0;
  }

  int jacobian(double t, double c, const double* y, const double* rate, SUNMatrix to) {
    unpack(t, y, rate);
    evaluator_->jacobian(at_, Level::acceleration, {.v = 1, .a = c, .lambda = 1, .x = 1, .xd = c, .y = 1}, by_rest_);
    if (!by_q_.empty()) evaluator_->jacobian(at_, Level::acceleration, {.q = 1}, by_q_);
    const bool is_sparse = SUNMatGetID(to) == SUNMATRIX_SPARSE;
    if (is_sparse) {
      std::copy(row_.begin(), row_.end(), SUNSparseMatrix_IndexValues(to));
      std::copy(column_start_.begin(), column_start_.end(), SUNSparseMatrix_IndexPointers(to));
    } else {
      SUNMatZero(to);
    }
    double* const data = is_sparse ? SUNSparseMatrix_Data(to) : SUNDenseMatrix_Data(to);
    for (std::size_t e = 0; e < row_.size(); ++e) {
      const Source& from = source_[e];
      const double value = from.entry < 0 ? (from.is_rate ? c : -1)
                           : from.by_q    ? by_q_[from.entry]
                                          : by_rest_[from.entry];
      data[is_sparse ? sunindextype(e) : row_[e] + sunindextype(from.column) * size()] = value;
    }
    return 0;
  }
  std::size_t entries() const { return row_.size(); }

 private:
  struct Source {
    int column, entry;  ///< −1: of the rows q̇ − v
    bool by_q, is_rate;
  };

  /// Compressed columns of the whole matrix and where each entry comes from.
  void make_pattern() {
    const auto& pattern = s_.pattern();
    const int nq = s_.nq(), nv = s_.nv(), nl = s_.nl(), nx = s_.nx();
    std::vector<int> unknown_of;  // of each column behind q
    for (int i = 0; i < nv; ++i) unknown_of.push_back(i);
    for (int i = 0; i < nx; ++i) unknown_of.push_back(nv + nl + i);
    for (int i = 0; i < nl; ++i) unknown_of.push_back(nv + i);
    for (int i = 0; i < s_.ny(); ++i) unknown_of.push_back(nv + nl + nx + i);
    column_start_ = {0};
    const auto add_column = [&](int column, int unknown, bool by_q) {
      for (int e = pattern.column_start[unknown]; e < pattern.column_start[unknown + 1]; ++e) {
        row_.push_back(nq + pattern.row[e]);
        source_.push_back({column, e, by_q, false});
      }
      column_start_.push_back(sunindextype(row_.size()));
    };
    for (int j = 0; j < nq; ++j) {
      row_.push_back(j), source_.push_back({j, -1, false, true});
      add_column(j, j, true);
    }
    for (int j = nq; j < size(); ++j) {
      if (j < nq + nv) row_.push_back(j - nq), source_.push_back({j, -1, false, false});
      add_column(j, unknown_of[j - nq], false);
    }
  }

  Evaluator* evaluator_;
  const System& s_;
  Point at_;
  std::vector<double> by_rest_, by_q_;
  std::vector<sunindextype> column_start_, row_;
  std::vector<Source> source_;
};

}  // namespace

IdaOutcome run_ida(Evaluator& evaluator, const Point& start, double t_end, const IdaSetting& setting) {
  Problem problem(evaluator, start);
  const int n = problem.size();
  SUNContext context = nullptr;
  SUNContext_Create(nullptr, &context);
  N_Vector y = N_VNew_Serial(n, context), rate = N_VClone(y), tolerance = N_VClone(y), id = N_VClone(y);
  problem.pack(start, N_VGetArrayPointer(y), N_VGetArrayPointer(rate));
  problem.put_nominal(N_VGetArrayPointer(tolerance), setting.rtol * setting.atol_part);
  problem.mark_differential(N_VGetArrayPointer(id));

  void* memory = IDACreate(context);
  IDAInit(
      memory,
      [](sunrealtype t, N_Vector at, N_Vector slope, N_Vector r, void* p) {
        return static_cast<Problem*>(p)->residual(t, N_VGetArrayPointer(at), N_VGetArrayPointer(slope),
                                                  N_VGetArrayPointer(r));
      },
      start.t, y, rate);
  IDASetUserData(memory, &problem);
  IDASVtolerances(memory, setting.rtol, tolerance);
  IDASetMaxNumSteps(memory, 5'000'000);  // some ten seconds
  if (!setting.tests_algebraic) IDASetId(memory, id), IDASetSuppressAlg(memory, 1);
  SUNMatrix matrix = setting.sparse ? SUNSparseMatrix(n, n, sunindextype(problem.entries()), CSC_MAT, context)
                                    : SUNDenseMatrix(n, n, context);
  SUNLinearSolver solver = setting.sparse ? SUNLinSol_KLU(y, matrix, context) : SUNLinSol_Dense(y, matrix, context);
  IDASetLinearSolver(memory, solver, matrix);
  IDASetJacFn(memory, [](sunrealtype t, sunrealtype c, N_Vector at, N_Vector slope, N_Vector, SUNMatrix to, void* p,
                         N_Vector, N_Vector, N_Vector) {
    return static_cast<Problem*>(p)->jacobian(t, c, N_VGetArrayPointer(at), N_VGetArrayPointer(slope), to);
  });

  IdaOutcome outcome;
  const double begin = now();
  double reached = start.t;
  IDASetStopTime(memory, t_end);
  outcome.good = IDASolve(memory, t_end, &reached, y, rate, IDA_NORMAL) >= 0;
  outcome.time = now() - begin;
  outcome.end = problem.unpack(reached, N_VGetArrayPointer(y), N_VGetArrayPointer(rate));
  IDAGetNumSteps(memory, &outcome.steps);
  IDAGetNumResEvals(memory, &outcome.residuals);
  IDAGetNumJacEvals(memory, &outcome.jacobians);

  SUNLinSolFree(solver), SUNMatDestroy(matrix), IDAFree(&memory);
  for (N_Vector v : {y, rate, tolerance, id}) N_VDestroy(v);
  SUNContext_Free(&context);
  return outcome;
}

}  // namespace bench
