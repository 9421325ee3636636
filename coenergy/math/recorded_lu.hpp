#pragma once
#include <complex>
#include <span>
#include <vector>

namespace coenergy::math {

/// LU factors of a small sparse matrix in an order of pivots that is chosen
/// once:
///
///   for each pivot k:   l_ik = a_ik / a_kk,   a_ij ← a_ij − l_ik a_kj
///
/// The order is that of Markowitz: of the entries that are at least a tenth of
/// the largest one of their column, the one whose elimination can fill in
/// least. All operations on entries that can be other than zero are recorded as
/// places in one array, so that further values of the same pattern are factored
/// without a search, in a straight loop. T is double or std::complex<double>.
template <class T>
class RecordedLu {
 public:
  /// Compressed columns; the pattern belongs to the caller and must outlive it.
  RecordedLu(int n, std::span<const int> column_start, std::span<const int> row)
      : n_(n),
        column_start_(column_start),
        row_(row),
        left_(n),
        order_row_(n),
        order_column_(n),
        inverse_(n),
        work_(n) {}

  /// Chooses the pivots for these values and records; false where there is none
  /// other than zero.
  bool record(std::span<const T> values);
  bool is_recorded() const { return is_recorded_; }
  void forget() { is_recorded_ = false; }
  /// Products in a factorisation.
  std::size_t operations() const { return updates_.size(); }

  /// Factors by the recorded order; false where a pivot is zero or not finite.
  bool factor(std::span<const T> values);
  /// |smallest pivot| / |largest pivot|.
  double pivot_ratio() const { return pivot_ratio_; }
  /// The largest entry of L and U, about 10 or less where the order suits an
  /// equilibrated matrix.
  double largest() const { return largest_; }
  /// b ← C A⁻¹ R b with scales R of rows and C of columns.
  void solve(std::span<T> b, std::span<const double> row_scale, std::span<const double> column_scale);

 private:
  /// factors[to] −= factors[l] · factors[u]
  struct Update {
    int to, l, u;
  };
  /// An entry of a row of L or U and the unknown that it multiplies.
  struct Term {
    int place, unknown;
  };
  /// The matrix while its pivots are chosen: places of the entries that can be
  /// other than zero (−1: none), and values.
  struct Elimination {
    explicit Elimination(int n)
        : n(n),
          places(std::size_t(n) * n),
          rows_of(std::size_t(n) * n),
          values(std::size_t(n) * n),
          row_count(n),
          column_count(n) {}
    int& place(int i, int j) { return places[i + std::size_t(j) * n]; }
    T& value(int i, int j) { return values[i + std::size_t(j) * n]; }
    void begin(std::span<const int> column_start, std::span<const int> row, std::span<const T> given);
    bool choose(int& row, int& column);
    void add(int i, int j, int at) {
      place(i, j) = at;
      rows_of[std::size_t(j) * n + column_count[j]++ - 1] = i;
      ++row_count[i];
    }
    void take_out(int row, int column);

    int n;
    std::vector<int> places;
    std::vector<int> rows_of;  // of the entries of each column that are left
    std::vector<T> values;
    std::vector<int> row_count, column_count;  // of entries that are left, and
                                               // one more; 0: has its pivot
  };

  void eliminate(int row, int column);
  void record_solution();
  void find_pivot_ratio();

  int n_;
  std::span<const int> column_start_, row_;
  Elimination left_;
  bool is_recorded_ = false;
  std::vector<int> order_row_, order_column_;  // row and column of pivot k
  std::vector<int> diagonal_;                  // places of the pivots
  std::vector<int> lower_,
      lower_end_;  // places of column k of L: up to lower_end_[k]
  std::vector<Update> updates_;
  std::vector<int> updates_end_;
  std::vector<Term> lower_terms_, upper_terms_;  // row by row
  std::vector<int> lower_terms_end_, upper_terms_end_;
  std::vector<T> factors_, inverse_,
      work_;  // entries of the pattern first, then those filled in
  double pivot_ratio_ = 0, largest_ = 0;
};

extern template class RecordedLu<double>;
extern template class RecordedLu<std::complex<double>>;

}  // namespace coenergy::math
