#include "coenergy/system/mass_matrix_function.hpp"

#include <algorithm>
#include <cstring>

#include "coenergy/system/mass_matrix.hpp"

// the loops once for the machine at hand and once for any
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__)
#define COENERGY_FOR_AVX2 __attribute__((target_clones("avx2", "default")))
#else
#define COENERGY_FOR_AVX2
#endif

namespace coenergy::system {

using symbolic::Expr;

namespace {

constexpr std::size_t block = 4;
typedef double Lane __attribute__((vector_size(block * sizeof(double))));

symbolic::Function make_columns(const BodyTree& tree, std::span<const Expr> inputs, std::size_t stride) {
  const std::vector<MassMatrixColumn> columns = compute_mass_matrix_columns(tree);
  std::vector<symbolic::NamedExpr> values(6 * stride + 6 * columns.size());
  for (std::size_t k = 0; k < columns.size(); ++k)
    for (std::size_t c = 0; c < 3; ++c) {
      values[c * stride + k].value = columns[k].axis[static_cast<int>(c)];
      values[(3 + c) * stride + k].value = columns[k].moment[static_cast<int>(c)];
      values[6 * stride + 6 * k + c].value = columns[k].torque[static_cast<int>(c)];
      values[6 * stride + 6 * k + 3 + c].value = columns[k].force[static_cast<int>(c)];
    }
  return symbolic::Function(symbolic::make_program(inputs, values));
}

/// Blocks of the full matrix, both triangles.
COENERGY_FOR_AVX2 void fill_full(const std::vector<std::uint32_t>& blocks, const double* s, std::size_t stride,
                                 const double* f, double* m, std::size_t n) {
  for (std::size_t b = 0; b < blocks.size(); b += 2) {
    const std::size_t k = blocks[b], i = blocks[b + 1];
    const double* load = f + 6 * k;
    Lane x, y0, y1, y2, y3;
    std::memcpy(&x, s + i, sizeof x);
    y0 = x * load[0], y1 = x * load[6], y2 = x * load[12], y3 = x * load[18];
    for (std::size_t c = 1; c < 6; ++c) {
      std::memcpy(&x, s + c * stride + i, sizeof x);
      y0 += x * load[c], y1 += x * load[6 + c], y2 += x * load[12 + c], y3 += x * load[18 + c];
    }
    double* to = m + k * n + i;
    std::memcpy(to, &y0, sizeof x), std::memcpy(to + n, &y1, sizeof x);
    std::memcpy(to + 2 * n, &y2, sizeof x), std::memcpy(to + 3 * n, &y3, sizeof x);
    const Lane even = __builtin_shufflevector(y0, y1, 0, 4, 2, 6), odd = __builtin_shufflevector(y0, y1, 1, 5, 3, 7);
    const Lane even2 = __builtin_shufflevector(y2, y3, 0, 4, 2, 6), odd2 = __builtin_shufflevector(y2, y3, 1, 5, 3, 7);
    y0 = __builtin_shufflevector(even, even2, 0, 1, 4, 5), y1 = __builtin_shufflevector(odd, odd2, 0, 1, 4, 5);
    y2 = __builtin_shufflevector(even, even2, 2, 3, 6, 7), y3 = __builtin_shufflevector(odd, odd2, 2, 3, 6, 7);
    to = m + i * n + k;
    std::memcpy(to, &y0, sizeof x), std::memcpy(to + n, &y1, sizeof x);
    std::memcpy(to + 2 * n, &y2, sizeof x), std::memcpy(to + 3 * n, &y3, sizeof x);
  }
}

/// Blocks of the lower triangle, packed.
COENERGY_FOR_AVX2 void fill_lower(const std::vector<std::uint32_t>& blocks, const double* s, std::size_t stride,
                                  const double* f, double* m) {
  for (std::size_t b = 0; b < blocks.size(); b += 2) {
    const std::size_t k = blocks[b], i = blocks[b + 1];
    const double* load = f + 6 * k;
    Lane x, y0, y1, y2, y3;
    std::memcpy(&x, s + i, sizeof x);
    y0 = x * load[0], y1 = x * load[6], y2 = x * load[12], y3 = x * load[18];
    for (std::size_t c = 1; c < 6; ++c) {
      std::memcpy(&x, s + c * stride + i, sizeof x);
      y0 += x * load[c], y1 += x * load[6 + c], y2 += x * load[12 + c], y3 += x * load[18 + c];
    }
    double* to = m + k * (k + 1) / 2 + i;
    std::memcpy(to, &y0, sizeof x), std::memcpy(to + k + 1, &y1, sizeof x);
    std::memcpy(to + 2 * k + 3, &y2, sizeof x), std::memcpy(to + 3 * k + 6, &y3, sizeof x);
  }
}

}  // namespace

MassMatrixFunction::MassMatrixFunction(const BodyTree& tree, std::span<const Expr> inputs, Form form)
    : form_(form),
      n_(static_cast<std::size_t>(tree.dofs())),
      stride_((n_ + block - 1) / block * block),
      columns_(make_columns(tree, inputs, stride_)) {
  const TreeMatrix structure(tree);
  std::size_t known = 0;
  for (std::size_t k = 0; k < n_; k += block)
    for (std::size_t i = 0; i <= k; i += block) {
      // all i below i + block are ancestors of each of the next rows, or each pair by itself
      std::vector<std::uint32_t> pairs;
      for (std::size_t row = k; row < std::min(k + block, n_); ++row)
        for (const int ancestor : structure.ancestors(static_cast<int>(row)))
          if (const auto a = static_cast<std::size_t>(ancestor); a >= i && a < i + block)
            pairs.insert(pairs.end(), {static_cast<std::uint32_t>(row), static_cast<std::uint32_t>(a)});
      known += pairs.size() / 2;
      if (i < k && pairs.size() == 2 * block * block)
        blocks_.insert(blocks_.end(), {static_cast<std::uint32_t>(k), static_cast<std::uint32_t>(i)});
      else
        pairs_.insert(pairs_.end(), pairs.begin(), pairs.end());
    }
  has_zeros_ = known < n_ * (n_ + 1) / 2;
}

std::size_t MassMatrixFunction::size() const { return row(n_); }
std::size_t MassMatrixFunction::work_size() const { return 6 * (stride_ + n_) + columns_.work_size(); }

void MassMatrixFunction::operator()(const double* in, double* matrix, double* work) const {
  const double* const s = work;
  const double* const f = work + 6 * stride_;
  columns_(in, work, work + 6 * (stride_ + n_));
  if (has_zeros_) std::fill_n(matrix, size(), 0.0);
  if (form_ == Form::full)
    fill_full(blocks_, s, stride_, f, matrix, n_);
  else
    fill_lower(blocks_, s, stride_, f, matrix);
  for (std::size_t p = 0; p < pairs_.size(); p += 2) {
    const std::size_t k = pairs_[p], i = pairs_[p + 1];
    double sum = s[i] * f[6 * k];
    for (std::size_t c = 1; c < 6; ++c) sum += s[c * stride_ + i] * f[6 * k + c];
    matrix[row(k) + i] = sum;
    if (form_ == Form::full) matrix[i * n_ + k] = sum;
  }
}

}  // namespace coenergy::system
