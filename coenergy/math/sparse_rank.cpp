#include "coenergy/math/sparse_rank.hpp"

#include <algorithm>
#include <cmath>

namespace coenergy::math {
namespace {

struct Entry {
  int column;
  double value;
};

class Elimination {
 public:
  Elimination(int rows, int columns, std::span<const Triplet> entries)
      : rows_(rows), holders_(columns), holder_count_(columns), largest_(rows), active_(rows, 1) {
    for (const Triplet& e : entries)
      if (e.value != 0) rows_[e.row].push_back({e.column, e.value});
    for (int i = 0; i < rows; ++i) {
      std::sort(rows_[i].begin(), rows_[i].end(), [](const Entry& a, const Entry& b) { return a.column < b.column; });
      double square = 0;
      for (const Entry& e : rows_[i]) square += e.value * e.value, add_holder(e.column, i);
      for (Entry& e : rows_[i]) e.value /= std::sqrt(square);
      measure(i);
    }
  }

  RowRank run(double tolerance) {
    RowRank result;
    for (double level = 0.1;; level = std::max(level * 0.01, tolerance)) {
      for (int i = choose_row(level); i >= 0; i = choose_row(level)) {
        eliminate(i);
        result.independent.push_back(i);
      }
      if (level <= tolerance) break;
    }
    result.rank = static_cast<int>(result.independent.size());
    for (int i = 0; i < static_cast<int>(rows_.size()); ++i)
      if (active_[i]) result.dependent.push_back(i);
    return result;
  }

 private:
  void add_holder(int column, int row) {
    holders_[column].push_back(row);
    ++holder_count_[column];
  }

  void measure(int i) {
    largest_[i] = 0;
    for (const Entry& e : rows_[i]) largest_[i] = std::max(largest_[i], std::abs(e.value));
  }

  int choose_row(double level) const {
    int best = -1;
    for (int i = 0; i < static_cast<int>(rows_.size()); ++i)
      if (active_[i] && largest_[i] > level && (best < 0 || rows_[i].size() < rows_[best].size())) best = i;
    return best;
  }

  void eliminate(int i) {
    const Entry* pivot = nullptr;
    for (const Entry& e : rows_[i])
      if (std::abs(e.value) >= 0.1 * largest_[i] &&
          (pivot == nullptr || holder_count_[e.column] < holder_count_[pivot->column]))
        pivot = &e;
    active_[i] = 0;
    const int column = pivot->column;
    // rows may stand in the list of a column that they have left
    std::vector<int> holders;
    holders.swap(holders_[column]);
    for (int j : holders) {
      if (!active_[j]) continue;
      const auto at = std::lower_bound(rows_[j].begin(), rows_[j].end(), column,
                                       [](const Entry& e, int c) { return e.column < c; });
      if (at != rows_[j].end() && at->column == column) subtract(j, at->value / pivot->value, i, column);
    }
    for (const Entry& e : rows_[i]) --holder_count_[e.column];
  }

  /// Row j less a multiple of row i, without the column of the pivot.
  void subtract(int j, double factor, int i, int pivot_column) {
    merged_.clear();
    auto a = rows_[j].begin();
    const auto a_end = rows_[j].end();
    for (const Entry& b : rows_[i]) {
      while (a != a_end && a->column < b.column) merged_.push_back(*a++);
      const bool shared = a != a_end && a->column == b.column;
      const double value = (shared ? a->value : 0) - factor * b.value;
      if (shared) ++a;
      if (b.column == pivot_column) {
        if (shared) --holder_count_[b.column];
        continue;
      }
      if (!shared) add_holder(b.column, j);
      merged_.push_back({b.column, value});
    }
    merged_.insert(merged_.end(), a, a_end);
    rows_[j].swap(merged_);
    measure(j);
  }

  std::vector<std::vector<Entry>> rows_;
  std::vector<std::vector<int>> holders_;
  std::vector<int> holder_count_;
  std::vector<double> largest_;
  std::vector<char> active_;
  std::vector<Entry> merged_;
};

}  // namespace

RowRank compute_sparse_row_rank(int rows, int columns, std::span<const Triplet> entries, double tolerance) {
  return Elimination(rows, columns, entries).run(tolerance);
}

}  // namespace coenergy::math
