#pragma once
#include <array>
#include <span>
#include <vector>

#include "coenergy/equations/system.hpp"
#include "coenergy/math/sparse_matrix.hpp"

namespace coenergy::reduce {

/// The motions of a mechanism whose flexible bodies do not strain, δq = T z.
///
/// z has one number for each coordinate that is of no flexible body, and six for each flexible body: u of its first node
/// and a turn ω, both in axes of the world. Node k moves by δx = u + ω × (x_k − x_0), δθ = R_kᵀ ω in its own axes; a finite
/// move turns the body as a whole, so that its strain stays what it is to round-off. The stiffness of the structure
/// decides nothing here: a rigid mode is exact however stiff the bodies are.
class RigidMotion {
 public:
  RigidMotion(const equations::System& system, const equations::Point& p);

  int size() const { return size_; }
  int coordinate_of(int z) const;                                    ///< a coordinate that z moves
  std::vector<double> spread(std::span<const double> z) const;       ///< T z
  std::vector<double> collect(std::span<const double> force) const;  ///< Tᵀ f
  std::vector<double> finite_move(std::span<const double> z) const;  ///< increments for Evaluator::retract
  /// ⎡TᵀKT  TᵀΦᵀ⎤ of u = (q, λ). In TᵀKT what the elements of a body leave is round-off and becomes zero; springs between
  /// ⎣ΦT     0  ⎦ bodies remain.
  math::SparseMatrix reduce(const math::SparseMatrix& k) const;

 private:
  struct Part {
    int z;
    double factor;
  };
  struct Node {
    int first;  // z of the body
    std::array<int, 3> x;
    int turn;
    std::array<double, 3> arm;       // x_k − x_0
    std::array<double, 9> rotation;  // R_k by rows
  };
  const std::vector<Part>& parts(int coordinate) const { return map_[coordinate]; }

  int size_ = 0;
  std::vector<std::vector<Part>> map_;  // rows of T
  std::vector<Node> nodes_;
};

}  // namespace coenergy::reduce
