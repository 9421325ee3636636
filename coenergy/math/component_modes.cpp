#include "coenergy/math/component_modes.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include "coenergy/math/decompositions.hpp"
#include "coenergy/math/sparse_lu.hpp"

namespace coenergy::math {

namespace {

constexpr double damping = 1e-12;         // of redundant constraints, relative to the equilibrated matrix
constexpr double smallest_pivot = 1e-15;  // relative; below it the structure moves freely
constexpr int block = 4;                  // as many equal frequencies are told apart
constexpr double settled = 1e-12;         // relative change of ω² from one space to the next

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

}  // namespace

struct ComponentModes::Impl {
  int n, held;
  SparseMatrix matrix;
  mutable SparseLu<double> lu;
  bool regular;
  bool damped;
  int freedoms;  // what moves with the directions held

  Impl(const SparseMatrix& k, int held_count, SparseMatrix all, const std::vector<int>& multipliers)
      : n(k.n),
        held(held_count),
        matrix(std::move(all)),
        lu(matrix.n, matrix.column_start, matrix.row, multipliers),
        damped(!multipliers.empty()) {
    if (damped) lu.set_damping(damping);
    freedoms = count_freedoms(multipliers);
    regular = lu.factor(matrix.value) && lu.pivot_ratio() > smallest_pivot;
  }

  int count_freedoms(const std::vector<int>& multipliers) const {
    std::vector<int> row_of(matrix.n, -1);
    int rows = 0;
    for (int k : multipliers) row_of[k] = rows++;
    for (int k = n; k < matrix.n; ++k) row_of[k] = rows++;
    std::vector<Triplet> entries;
    for (int j = 0; j < n; ++j)
      for (int e = matrix.column_start[j]; e < matrix.column_start[j + 1] && row_of[j] < 0; ++e)
        if (row_of[matrix.row[e]] >= 0) entries.push_back({row_of[matrix.row[e]], j, matrix.value[e]});
    return n - int(multipliers.size()) - compute_sparse_row_rank(rows, n, entries).rank;
  }

  /// The damped factors are corrected by what the matrix itself leaves.
  std::vector<double> solve(const std::vector<double>& right) const {
    std::vector<double> x(right.size(), 0.0), left = right;
    for (int pass = 0; pass < (damped ? 3 : 2); ++pass) {
      lu.solve(left);
      for (std::size_t i = 0; i < x.size(); ++i) x[i] += left[i];
      left = right;
      matrix.add_product(x, left, -1);
    }
    return x;
  }
};

ComponentModes::ComponentModes(const SparseMatrix& k, std::vector<std::vector<double>> held,
                               std::vector<int> multipliers) {
  std::vector<Triplet> entries;
  for (int j = 0; j < k.n; ++j)
    for (int e = k.column_start[j]; e < k.column_start[j + 1]; ++e) entries.push_back({k.row[e], j, k.value[e]});
  for (std::size_t i = 0; i < held.size(); ++i)
    for (int j = 0; j < k.n; ++j)
      if (held[i][j] != 0)
        entries.push_back({k.n + int(i), j, held[i][j]}), entries.push_back({j, k.n + int(i), held[i][j]});
  const int count = int(held.size());
  impl_ = std::make_unique<Impl>(k, count, make_sparse_matrix(k.n + count, std::move(entries)), multipliers);
}

ComponentModes::~ComponentModes() = default;
ComponentModes::ComponentModes(ComponentModes&&) noexcept = default;

bool ComponentModes::is_regular() const { return impl_->regular; }
int ComponentModes::weakest() const { return impl_->lu.weakest_column(); }

ComponentModes::Solution ComponentModes::solve(const std::vector<double>& force,
                                               const std::vector<double>& held) const {
  std::vector<double> right(force);
  right.resize(impl_->n, 0.0);
  right.insert(right.end(), held.begin(), held.end());
  const std::vector<double> x = impl_->solve(right);
  return {{x.begin(), x.begin() + impl_->n}, {x.begin() + impl_->n, x.end()}};
}

ComponentModes::Solution ComponentModes::static_mode(int direction) const {
  std::vector<double> held(impl_->held, 0.0);
  held[direction] = 1;
  return solve(std::vector<double>(impl_->n, 0.0), held);
}

namespace {

/// A Krylov space that is orthonormal in the product of M, with the images of its vectors.
class Space {
 public:
  Space(const ComponentModes& structure, const SparseMatrix& m, int held) : structure_(structure), m_(m), none_(held) {}

  int size() const { return int(vectors_.size()); }

  std::vector<double> image(const std::vector<double>& mass_times_vector) const {
    return structure_.solve(mass_times_vector, none_).displacement;
  }
  std::vector<double> mass_times(const std::vector<double>& u) const {
    std::vector<double> r(u.size(), 0.0);
    m_.add_product(u, r);
    return r;
  }

  /// False where u adds nothing to the space.
  bool add(std::vector<double> u) {
    const double before = std::sqrt(std::max(0.0, dot(u, mass_times(u))));
    if (!(before > 0)) return false;
    for (int pass = 0; pass < 2; ++pass)
      for (int k = 0; k < size(); ++k) {
        const double part = dot(masses_[k], u);
        for (std::size_t i = 0; i < u.size(); ++i) u[i] -= part * vectors_[k][i];
      }
    std::vector<double> mass = mass_times(u);
    const double length = std::sqrt(std::max(0.0, dot(u, mass)));
    if (!(length > 1e-10 * before)) return false;
    for (double& x : u) x /= length;
    for (double& x : mass) x /= length;
    images_.push_back(image(mass));
    vectors_.push_back(std::move(u)), masses_.push_back(std::move(mass));
    return true;
  }
  const std::vector<double>& image(int k) const { return images_[k]; }

  /// Values μ (falling) and vectors of the projected problem.
  ComponentModes::Internal find_modes(int count) const {
    Matrix t(size(), size());
    for (int i = 0; i < size(); ++i)
      for (int j = 0; j <= i; ++j) t(i, j) = t(j, i) = (dot(masses_[i], images_[j]) + dot(masses_[j], images_[i])) / 2;
    // symmetric and positive: singular values are eigenvalues, largest first
    const SingularValues s = compute_singular_values(t);
    ComponentModes::Internal result;
    for (int k = 0; k < std::min(count, size()); ++k) {
      if (!(s.s[k] > 1e-14 * s.s[0])) break;
      result.squares.push_back(1 / s.s[k]);
      std::vector<double> shape(vectors_[0].size(), 0.0);
      for (int i = 0; i < size(); ++i)
        for (std::size_t l = 0; l < shape.size(); ++l) shape[l] += s.u(i, k) * vectors_[i][l];
      result.shapes.push_back(std::move(shape));
    }
    return result;
  }

 private:
  const ComponentModes& structure_;
  const SparseMatrix& m_;
  std::vector<double> none_;
  std::vector<std::vector<double>> vectors_, masses_, images_;
};

}  // namespace

ComponentModes::Internal ComponentModes::internal_modes(const SparseMatrix& m, int count) const {
  count = std::min(count, impl_->freedoms);
  if (count == 0) return {};
  Space space(*this, m, impl_->held);
  std::mt19937 random(1);
  std::uniform_real_distribution<double> any(-1, 1);
  for (int k = 0; k < block; ++k) {
    std::vector<double> start(m.n);
    for (double& x : start) x = any(random);
    space.add(space.image(space.mass_times(start)));
  }
  Internal modes;
  int first = 0;
  for (;;) {
    const int size = space.size();
    if (size >= count + block || first == size) {
      Internal next = space.find_modes(count);
      bool same = next.squares.size() == modes.squares.size() && !next.squares.empty();
      for (std::size_t k = 0; same && k < next.squares.size(); ++k)
        same = std::abs(next.squares[k] - modes.squares[k]) <= settled * next.squares[k];
      modes = std::move(next);
      if (same || first == size) return modes;
    }
    // the images of the last block
    for (int k = first; k < size; ++k) space.add(space.image(k));
    first = size;
  }
}

}  // namespace coenergy::math
