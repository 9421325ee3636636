#pragma once
#include <array>
#include <limits>
#include <span>
#include <vector>

#include "coenergy/base/state_archive.hpp"
#include "coenergy/symbolic/expr.hpp"

namespace coenergy::equations {

/// The past of a signal u over a run, for what acts later: transport delays, waves on lines.
///
/// Every accepted step leaves one polynomial, through the values of u at Chebyshev points of the step: the past is as
/// accurate as what the method itself says between the ends of its steps. Where something switches, u may jump or
/// bend: a new stretch begins there, and no polynomial reaches across. Who reads at the time s says which stretch s
/// is in, 0, 1, … (−1 before the start of the run), and changes it by a located event as s passes its end: between
/// events what is read is smooth, as methods need it.
///
/// Where states and time tell u, a bend of it that comes from another delayed bend is smoother by one order at least, as
/// an integration lies between them: `order` counts these, and from smooth_order on there is no new stretch. Elsewhere
/// (waves that are reflected at once) every round has the same jump. So a stretch is joined to the one before it as soon
/// as its first step shows that u and its first two derivatives hardly change there (join_smooth).
class History {
 public:
  static constexpr int points = 7;
  static constexpr int smooth_order = 7;  // beyond the order of all methods but dop853, whose steps it hardly disturbs
  /// Parts of a step, from 0 to 1, at which u is wanted.
  static const std::array<double, points>& nodes();

  void begin(double t);
  /// What u was always before the start, instead of what the reader says.
  void set_before(double value) { before_ = value; }
  void add_step(double from, double to, const std::array<double, points>& values);
  /// A new stretch from t on; none where the bend is smooth.
  void add_break(double t, int order);
  /// Takes back a stretch that began with the last step if u goes on across its begin, to this part of the size of u.
  /// Nobody must have read beyond its begin yet.
  void join_smooth(double tolerance);
  double last_break() const { return stretches_.back().from; }
  /// What lies before t is read no more.
  void forget(double t);

  bool has_before() const { return before_ == before_; }
  double before() const { return before_; }
  /// u at s, or its derivative of order 1, from the polynomials of a stretch alone.
  double value(double s, int stretch, bool derivative) const;
  int find_stretch(double s) const;
  double end_of(int stretch) const;       ///< infinite for the present one
  int order_of_break(int stretch) const;  ///< at the begin of the stretch
  double same_time(double s) const;       ///< instants closer than this are one, as in a run

  void visit(StateArchive& archive) {
    archive(before_, size_, steps_, stretches_, forgotten_steps_, forgotten_stretches_);
  }

 private:
  struct Step {
    double from = 0, to = 0;
    std::array<double, points> slopes{};  ///< Newton's divided differences over nodes()
    double value(double s, bool derivative) const;
    std::array<double, 3> derivatives(double s) const;  ///< of order 0, 1 and 2
    void visit(StateArchive& archive) { archive(from, to, slopes); }
  };
  struct Stretch {
    double from = 0;
    int order = 0;
    std::uint64_t first = 0;  ///< its first step, counted from the start of the run
    void visit(StateArchive& archive) { archive(from, order, first); }
  };
  const Stretch& stretch(int k) const { return stretches_[static_cast<std::size_t>(k - forgotten_stretches_)]; }
  int stretches() const { return static_cast<int>(stretches_.size()) + forgotten_stretches_; }

  double before_ = std::numeric_limits<double>::quiet_NaN();
  double size_ = 0;  ///< largest |u|
  std::vector<Step> steps_;
  std::vector<Stretch> stretches_;
  std::uint64_t forgotten_steps_ = 0;  ///< no longer in steps_
  int forgotten_stretches_ = 0;
};

/// Those of all delays of a system. A run owns them; the equations find them by their address, which is the value of a
/// parameter (Evaluator::follow): 0 where there is no run, as for an operating point.
using Histories = std::vector<History>;
double address_of(const Histories* histories);

/// u at the time s, or `before` where that is before the start of the run; u itself where there is no run.
symbolic::Expr read_history(symbolic::Graph& graph, const symbolic::Expr& address, int k, const symbolic::Expr& s,
                            const symbolic::Expr& stretch, const symbolic::Expr& before, const symbolic::Expr& u);
/// The stretch that s is in.
symbolic::Expr find_stretch(symbolic::Graph& graph, const symbolic::Expr& address, int k, const symbolic::Expr& s,
                            const symbolic::Expr& stretch);
/// Whether expressions read any history: they have no meaning outside of a run.
bool reads_history(std::span<const symbolic::Expr> e);
/// > 0 where s has left the stretch.
symbolic::Expr has_left(symbolic::Graph& graph, const symbolic::Expr& address, int k, const symbolic::Expr& s,
                        const symbolic::Expr& stretch);

}  // namespace coenergy::equations
