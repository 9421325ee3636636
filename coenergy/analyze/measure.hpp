#pragma once
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "coenergy/base/state_archive.hpp"

namespace coenergy::analyze {

constexpr double infinite = std::numeric_limits<double>::infinity();

/// An instant of a course y(x): where a column crosses a level, or another column, for the n-th time.
///
/// A rise leads z = y − level (or y − other) from below zero to zero or above, a fall from above to zero or below. What
/// begins on the level has risen when it leaves it upwards. Only what lies in from ≤ x ≤ to counts.
struct Crossing {
  enum class Kind { any, rise, fall };
  int column = 0;
  int other = -1;  ///< column; −1: the level
  double level = 0;
  Kind kind = Kind::any;
  int count = 1;  ///< 0: the last one
  double from = -infinite, to = infinite;
  std::optional<double> at;  ///< this place itself, instead of a crossing
};

/// One number of a course: a distance between two instants, a value or a slope at one, or an extremum or a mean over
/// from ≤ x ≤ to.
struct Measure {
  enum class Kind { distance, when, find, slope, max, min, max_at, min_at, range, mean, rms, integral };
  Kind kind = Kind::when;
  int column = 0;            ///< what is found, differentiated, or looked at over from … to
  Crossing trigger, target;  ///< of a distance: target − trigger; of when, find and slope: the target
  double from = -infinite, to = infinite;
};

struct MeasureResult {
  std::optional<double> value;
  std::string failure;                    ///< why there is none
  std::optional<double> trigger, target;  ///< the instants used; of an extremum, where it is (target)
};

/// A piece of a course from x0 to x1: where x falls x1 < x0, at a jump x1 = x0. `at` fills the columns at
/// x0 + s (x1 − x0), 0 < s < 1: the interpolant of the integration method, or a solution at that place.
struct Piece {
  double x0 = 0, x1 = 0;
  std::span<const double> y0, y1;
  std::function<void(double s, std::span<double> y)> at;
};

/// Takes measures of a course that is given piece by piece, so that nothing of it need be kept.
///
/// Nothing is read off the ends of the pieces alone: crossings are located inside them by bisection with secants,
/// extrema by golden sections, integrals are sums of Gauss's rule with three points, slopes those of the polynomial of
/// degree 4 through five points of the piece. A piece should be so short that a column has no more than one crossing or
/// extremum in it.
class MeasureTaker {
 public:
  /// `angles` says of each column whether it is an angle in degrees, whose jumps by 360 are no crossings.
  MeasureTaker(std::vector<Measure> measures, std::vector<char> angles);
  void add(const Piece& piece);
  void begin_again();  ///< what comes next does not continue what came before: a further branch of a sweep
  std::vector<MeasureResult> results() const;
  void visit(StateArchive& archive) { archive(states_); }

 private:
  /// A crossing as far as it was followed.
  struct Search {
    std::optional<bool> above;    ///< at the end of the last piece
    int crossings = 0;            ///< of the kind asked for
    std::optional<double> x;      ///< the instant
    std::optional<double> value;  ///< of the column to find, or its slope there
    void visit(StateArchive& archive) { archive(above, crossings, x, value); }
  };
  struct State {
    Search trigger, target;
    std::optional<double> best, worst, best_at, worst_at;  ///< largest and smallest value
    double sum = 0, squares = 0, length = 0;
    void visit(StateArchive& archive) {
      archive(trigger, target, best, worst, best_at, worst_at, sum, squares, length);
    }
  };
  void follow(const Crossing& crossing, Search& search, const Piece& piece, const Measure& measure);
  void record(Search& search, const Piece& piece, double s, const Measure& measure);
  void look_for_extrema(const Measure& measure, State& state, const Piece& piece, double s0, double s1);
  void integrate(const Measure& measure, State& state, const Piece& piece, double s0, double s1);
  double value(const Piece& piece, double s, int column);
  double slope(const Piece& piece, double s, int column);
  double locate(const Crossing& crossing, const Piece& piece, double s0, double s1);
  double side(const Crossing& crossing, const Piece& piece, double s);

  std::vector<Measure> measures_;
  std::vector<char> angles_;
  std::vector<State> states_;
  std::vector<double> y_;
};

}  // namespace coenergy::analyze
