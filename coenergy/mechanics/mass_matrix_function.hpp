#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "coenergy/mechanics/body_tree.hpp"
#include "coenergy/symbolic/function.hpp"

namespace coenergy::mechanics {

/// The mass matrix of a long tree in numbers. As straight-line code its entries take O(n²) statements; here a program
/// of O(n) statements computes S_k and F_k of every degree of freedom (MassMatrixColumn), and loops over blocks of
/// 4 × 4 entries do the rest:
///   M_ik = S_i·F_k = Σ_c S_ci F_ck,  c = 1 … 6, in this order,  for every i on the way from k to the ground;
///   M_ki = M_ik
/// Every entry has the same bits on every machine. Calls are const and thread-safe and do not allocate.
class MassMatrixFunction {
 public:
  enum class Form {
    full,   ///< n × n
    lower,  ///< the rows of the lower triangle, one behind the other: M_ki is at k (k + 1)/2 + i, i ≤ k
  };
  MassMatrixFunction(const BodyTree& tree, std::span<const symbolic::Expr> inputs, Form form);

  std::size_t size() const;       ///< doubles of the result
  std::size_t work_size() const;  ///< doubles the caller provides
  void operator()(const double* in, double* matrix, double* work) const;
  const symbolic::Function& columns() const { return columns_; }

 private:
  std::size_t row(std::size_t k) const { return form_ == Form::full ? k * n_ : k * (k + 1) / 2; }

  /// A block of which only some entries are wanted: bit 4 r + c for row k + r and column i + c.
  struct Partial {
    std::uint32_t k, i, entries;
  };

  Form form_;
  std::size_t n_, stride_;             ///< n rounded up to whole blocks
  symbolic::Function columns_;         ///< S by components, then F by degrees of freedom
  std::vector<std::uint32_t> blocks_;  ///< first k and i of blocks in which every k has every i as an ancestor
  std::vector<Partial> partial_;
  bool has_zeros_;
};

}  // namespace coenergy::mechanics
