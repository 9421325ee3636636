#include "coenergy/analyze/repetition.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "coenergy/base/names.hpp"
#include "coenergy/solve/simulate.hpp"

namespace coenergy::analyze {
namespace {

using equations::Point;

constexpr int instants = 2520;  // of a period

/// Collects z at the rows of a run.
class Rows : public solve::Observer {
 public:
  explicit Rows(const CarriedState& state) : state_(state) {}
  void row(const Point& p) override { all.push_back(state_.values(p)); }
  std::vector<std::vector<double>> all;

 private:
  const CarriedState& state_;
};

/// Largest difference between rows that are `shift` apart, in the first period, beside the swing of each number.
struct Difference {
  double size = 0;
  int number = -1, row = 0;
};

class Comparison {
 public:
  Comparison(const std::vector<std::vector<double>>& rows, const CarriedState& state, const std::vector<char>& counting)
      : rows_(rows), state_(state), counting_(counting), allowed_(counting.size()) {
    constexpr double of_swing = 1e-4, of_size = 1e-7;
    for (std::size_t i = 0; i < counting.size(); ++i) {
      double low = rows[0][i], high = low;
      for (int k = 0; k <= instants; ++k) low = std::min(low, rows[k][i]), high = std::max(high, rows[k][i]);
      const double size = std::max({std::abs(low), std::abs(high), state.scale(int(i))});
      allowed_[i] = of_swing * (high - low) + of_size * size;
      moves_ = moves_ || (!counting[i] && high - low > 10 * of_size * size);
    }
  }
  bool moves() const { return moves_; }

  Difference find(int shift) const {
    Difference worst;
    for (int k = 0; k < instants; ++k)
      for (std::size_t i = 0; i < counting_.size(); ++i) {
        if (counting_[i]) continue;
        double difference = std::abs(rows_[k + shift][i] - rows_[k][i]);
        if (state_.is_angle(static_cast<int>(i))) {
          const double turn = 2 * std::numbers::pi;
          difference = std::abs(difference - turn * std::round(difference / turn));
        }
        if (difference / allowed_[i] > worst.size) worst = {difference / allowed_[i], static_cast<int>(i), k};
      }
    return worst;
  }

 private:
  const std::vector<std::vector<double>>& rows_;
  const CarriedState& state_;
  const std::vector<char>& counting_;
  std::vector<double> allowed_;
  bool moves_ = false;
};

}  // namespace

Repetition find_repetition(equations::Evaluator& evaluator, const solve::Options& given, double period,
                           const CarriedState& state, const std::vector<char>& counting) {
  solve::Options options = given;
  options.output_step = period / instants;
  options.record_events = false;
  Rows rows(state);
  const solve::Result run = solve::simulate(evaluator, options, {.keep_rows = false, .observer = &rows});
  if (run.status != solve::Status::done) return {0, "the run over a second period: " + run.text};
  if (rows.all.size() < 2 * instants + 1) return {period, ""};
  const Comparison comparison(rows.all, state, counting);
  if (const Difference d = comparison.find(instants); d.size > 1)
    return {0, fmt::format("the excitation does not repeat after {} s: {} is {:.6g} {} at t = {:g} s and {:.6g} one "
                           "period later; give the period of the sources, or a multiple of it",
                           format_short(period), state.directions()[d.number].name, rows.all[d.row][d.number],
                           state.directions()[d.number].unit, options.t_start + d.row * options.output_step,
                           rows.all[d.row + instants][d.number])};
  if (!comparison.moves()) return {0, ""};
  int parts = 1;
  for (const int prime : {2, 3, 5, 7})
    while (instants % (parts * prime) == 0 && comparison.find(instants / (parts * prime)).size <= 1) parts *= prime;
  return {period / parts, ""};
}

}  // namespace coenergy::analyze
