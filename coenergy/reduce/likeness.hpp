#pragma once
#include <vector>

#include "coenergy/equations/system.hpp"
#include "coenergy/math/sparse_matrix.hpp"

namespace coenergy::reduce {

/// Which of the candidates is a mode that was known before.
struct Match {
  int candidate = 0;
  double likeness = 0;    ///< 0 … 1
  bool opposite = false;  ///< it has the other sign
};

/// The modal assurance criterion between shapes of two poses, weighted by masses:
///
///   MAC(a, b) = (aᵀ M b)² / (aᵀ M a · bᵀ M b)
///
/// Displacements of the nodes of flexible bodies are in axes of the world; a mode that turns with its body is the same in
/// the axes of its nodes, so a shape is carried from pose to pose in these.
class Likeness {
 public:
  Likeness(const equations::System& system, const math::SparseMatrix& mass) : system_(system), mass_(mass) {}

  std::vector<double> carry(std::vector<double> shape, const equations::Point& from, const equations::Point& to) const;
  double compare(const std::vector<double>& a, const std::vector<double>& b) const;
  /// The assignment with the largest sum of likenesses (Kuhn 1955, Munkres 1957).
  std::vector<Match> match(const std::vector<std::vector<double>>& before,
                           const std::vector<std::vector<double>>& candidates) const;

 private:
  double product(const std::vector<double>& a, const std::vector<double>& b) const;
  const equations::System& system_;
  const math::SparseMatrix& mass_;
};

/// The first velocity of a rotation; all behind it come in threes.
int first_rotation(const equations::System& system);

}  // namespace coenergy::reduce
