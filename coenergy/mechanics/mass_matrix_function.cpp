#include "coenergy/mechanics/mass_matrix_function.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "coenergy/mechanics/mass_matrix.hpp"

// the loops once for the machine at hand and once for any; the choice is made before a sanitizer has begun
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)
#define COENERGY_FOR_AVX2 __attribute__((target_clones("avx2", "default")))
#else
#define COENERGY_FOR_AVX2
#endif

namespace coenergy::mechanics {

using symbolic::Expr;

namespace {

constexpr std::size_t block = 4;
typedef double Lane __attribute__((vector_size(block * sizeof(double))));

symbolic::Function make_columns(const BodyTree& tree, std::span<const Expr> inputs, std::size_t stride) {
  const std::vector<MassMatrixColumn> columns = compute_mass_matrix_columns(tree);
  std::vector<symbolic::NamedExpr> values(12 * stride);
  for (std::size_t k = 0; k < columns.size(); ++k)
    for (std::size_t c = 0; c < 3; ++c) {
      values[c * stride + k].value = columns[k].axis[static_cast<int>(c)];
      values[(3 + c) * stride + k].value = columns[k].moment[static_cast<int>(c)];
      values[6 * stride + 6 * k + c].value = columns[k].torque[static_cast<int>(c)];
      values[6 * stride + 6 * k + 3 + c].value = columns[k].force[static_cast<int>(c)];
    }
  return symbolic::Function(symbolic::make_program(inputs, values));
}

/// Four rows of a block: four loads by six components against a lane of four axes and moments each.
struct Block {
  Lane y0, y1, y2, y3;
};
__attribute__((always_inline)) inline void multiply(const double* s, std::size_t stride, const double* load, Block& b) {
  Lane x;
  std::memcpy(&x, s, sizeof x);
  b.y0 = x * load[0], b.y1 = x * load[6], b.y2 = x * load[12], b.y3 = x * load[18];
  for (std::size_t c = 1; c < 6; ++c) {
    std::memcpy(&x, s + c * stride, sizeof x);
    b.y0 += x * load[c], b.y1 += x * load[6 + c], b.y2 += x * load[12 + c], b.y3 += x * load[18 + c];
  }
}

/// Blocks of the full matrix, both triangles.
COENERGY_FOR_AVX2 void fill_full(const std::vector<std::uint32_t>& blocks, const double* s, std::size_t stride,
                                 const double* f, double* m, std::size_t n) {
  for (std::size_t b = 0; b < blocks.size(); b += 2) {
    const std::size_t k = blocks[b], i = blocks[b + 1];
    Block block;
    multiply(s + i, stride, f + 6 * k, block);
    auto& [y0, y1, y2, y3] = block;
    double* to = m + k * n + i;
    std::memcpy(to, &y0, sizeof(Lane)), std::memcpy(to + n, &y1, sizeof(Lane));
    std::memcpy(to + 2 * n, &y2, sizeof(Lane)), std::memcpy(to + 3 * n, &y3, sizeof(Lane));
    const Lane even = __builtin_shufflevector(y0, y1, 0, 4, 2, 6), odd = __builtin_shufflevector(y0, y1, 1, 5, 3, 7);
    const Lane even2 = __builtin_shufflevector(y2, y3, 0, 4, 2, 6), odd2 = __builtin_shufflevector(y2, y3, 1, 5, 3, 7);
    y0 = __builtin_shufflevector(even, even2, 0, 1, 4, 5), y1 = __builtin_shufflevector(odd, odd2, 0, 1, 4, 5);
    y2 = __builtin_shufflevector(even, even2, 2, 3, 6, 7), y3 = __builtin_shufflevector(odd, odd2, 2, 3, 6, 7);
    to = m + i * n + k;
    std::memcpy(to, &y0, sizeof(Lane)), std::memcpy(to + n, &y1, sizeof(Lane));
    std::memcpy(to + 2 * n, &y2, sizeof(Lane)), std::memcpy(to + 3 * n, &y3, sizeof(Lane));
  }
}

/// Blocks of the lower triangle; row k of the matrix begins at k (k + 1)/2.
COENERGY_FOR_AVX2 void fill_lower(const std::vector<std::uint32_t>& blocks, const double* s, std::size_t stride,
                                  const double* f, double* m) {
  for (std::size_t b = 0; b < blocks.size(); b += 2) {
    const std::size_t k = blocks[b], i = blocks[b + 1];
    Block block;
    multiply(s + i, stride, f + 6 * k, block);
    auto& [y0, y1, y2, y3] = block;
    double* to = m + k * (k + 1) / 2 + i;
    std::memcpy(to, &y0, sizeof(Lane)), std::memcpy(to + k + 1, &y1, sizeof(Lane));
    std::memcpy(to + 2 * k + 3, &y2, sizeof(Lane)), std::memcpy(to + 3 * k + 6, &y3, sizeof(Lane));
  }
}

/// One block by itself, by rows.
COENERGY_FOR_AVX2 void fill_block(const double* s, std::size_t stride, const double* load, double* to) {
  Block block;
  multiply(s, stride, load, block);
  const auto& [y0, y1, y2, y3] = block;
  std::memcpy(to, &y0, sizeof(Lane)), std::memcpy(to + 4, &y1, sizeof(Lane));
  std::memcpy(to + 8, &y2, sizeof(Lane)), std::memcpy(to + 12, &y3, sizeof(Lane));
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
      std::uint32_t entries = 0;
      for (std::size_t row = k; row < std::min(k + block, n_); ++row)
        for (const int ancestor : structure.ancestors(static_cast<int>(row)))
          if (const auto a = static_cast<std::size_t>(ancestor); a >= i && a < i + block)
            entries |= 1u << (block * (row - k) + a - i), ++known;
      const auto at_k = static_cast<std::uint32_t>(k), at_i = static_cast<std::uint32_t>(i);
      if (i < k && entries == 0xffff)
        blocks_.insert(blocks_.end(), {at_k, at_i});
      else if (entries != 0)
        partial_.push_back({at_k, at_i, entries});
    }
  has_zeros_ = known < n_ * (n_ + 1) / 2;
}

std::size_t MassMatrixFunction::size() const { return row(n_); }
std::size_t MassMatrixFunction::work_size() const { return 12 * stride_ + columns_.work_size(); }

void MassMatrixFunction::operator()(const double* in, double* matrix, double* work) const {
  const double* const s = work;
  const double* const f = work + 6 * stride_;
  columns_(in, work, work + 12 * stride_);
  if (has_zeros_) std::fill_n(matrix, size(), 0.0);
  if (form_ == Form::full)
    fill_full(blocks_, s, stride_, f, matrix, n_);
  else
    fill_lower(blocks_, s, stride_, f, matrix);
  for (const Partial& p : partial_) {
    double entries[block * block];
    fill_block(s + p.i, stride_, f + 6 * p.k, entries);
    for (std::uint32_t rest = p.entries; rest != 0; rest &= rest - 1) {
      const auto e = static_cast<std::size_t>(std::countr_zero(rest));
      const std::size_t k = p.k + e / block, i = p.i + e % block;
      matrix[row(k) + i] = entries[e];
      if (form_ == Form::full) matrix[i * n_ + k] = entries[e];
    }
  }
}

}  // namespace coenergy::mechanics
