#pragma once
#include <cstddef>
#include <span>
#include <vector>

#include "coenergy/base/state_archive.hpp"
#include "coenergy/solve/result.hpp"

namespace coenergy::io {

/// Rows of a run for drawing, in a memory that does not grow with their number.
///
/// Up to `limit` rows are kept as they are. Then rows that follow each other are put together in buckets of 4, 8, 16 …
/// rows, whichever gives at most limit/2 buckets. A bucket keeps, for each column, the smallest and the largest value
/// and which came first, and the whole of its first row. Every extreme value so stays visible, at most one bucket off
/// in time; what has to fit together within a row, such as the pose of a body, is taken from whole rows.
class RowThinner {
 public:
  /// `limit` ≥ 8.
  RowThinner(std::size_t columns, std::size_t limit);
  void add(double t, std::span<const double> row);
  std::size_t rows() const { return rows_; }  ///< added so far

  /// Two rows for each bucket, at the times of its first and last row, with the two extremes in their order; the first
  /// and the last row as they were. Sets times and values of a result that has names.
  void set_extremes(solve::Result& result) const;
  /// Whole rows, the last among them.
  void set_samples(solve::Result& result) const;

  void visit(StateArchive& archive) { archive(columns_, limit_, size_, rows_, buckets_, last_time_, last_); }

 private:
  struct Bucket {
    std::size_t rows = 0;
    double first_time = 0, last_time = 0;
    std::vector<double> first, low, high;  ///< low and high are empty for a single row
    std::vector<char> low_first;
    void visit(StateArchive& archive) { archive(rows, first_time, last_time, first, low, high, low_first); }
  };
  static void join(Bucket& bucket, const Bucket& next);
  void merge(std::size_t count);

  std::size_t columns_, limit_;
  std::size_t size_ = 1;  ///< rows in a full bucket
  std::size_t rows_ = 0;
  std::vector<Bucket> buckets_;
  double last_time_ = 0;
  std::vector<double> last_;
};

}  // namespace coenergy::io
