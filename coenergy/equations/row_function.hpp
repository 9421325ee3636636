#pragma once
#include <span>
#include <vector>

#include "coenergy/equations/row_groups.hpp"
#include "coenergy/equations/workspace.hpp"
#include "coenergy/symbolic/function.hpp"

namespace coenergy::equations {

/// Many expressions over the value array of a set: residual rows, entries of a matrix, signals.
///
/// Where many of them have the same shape (see RowGroup) one small program of the shape is run over all, so many at a
/// time, each operation as a loop: the code stays in the cache however large the system, and is made once. Values that
/// lie at equal distances are read without an index. All other expressions form one straight-line program.
class RowFunction {
 public:
  RowFunction() = default;
  /// Of expressions, and of groups found before whose members are the outputs behind those.
  RowFunction(EquationSet& set, std::span<const symbolic::Expr> e, std::span<const RowGroup> further = {});

  std::size_t size() const { return size_; }
  /// out[0..size) at the value array `in`.
  void operator()(const double* in, double* out, WorkArray& memory) const;

  /// The straight-line program; of all expressions where no shape repeats.
  const symbolic::Function& straight() const { return straight_; }
  std::size_t repeated() const;  ///< how many expressions are not in it

  static constexpr int width = 64;  ///< expressions at a time

 private:
  /// Where one operand of `width` neighbours lies.
  struct Operand {
    int first = 0, step = 0;  ///< place of the first and distance; or, negative step, of an own list
  };
  struct Shape {
    symbolic::Program program;
    std::size_t members = 0;
    std::vector<Operand> operands;  ///< block by block: the inputs, then the output
    std::vector<int> lists;         ///< places that are not at equal distances, `width` each
  };

  void add_group(const RowGroup& group);
  void add_straight(EquationSet& set, std::vector<int> places, std::span<const symbolic::Expr> e);
  static void run(const Shape& shape, const double* in, double* out, double* work);

  std::size_t size_ = 0;
  std::vector<Shape> shapes_;
  std::vector<std::pair<int, double>> numbers_;  ///< outputs that are numbers, where there are shapes
  symbolic::Function straight_;
  std::vector<int> straight_inputs_, straight_outputs_;  ///< empty where there are no shapes: all, in order
};

}  // namespace coenergy::equations
