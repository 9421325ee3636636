#pragma once
#include <string>
#include <vector>

#include "coenergy/math/matrix.hpp"
#include "coenergy/reduce/kinematics.hpp"

namespace coenergy::reduce {

/// The modes of a mechanism in one pose: columns of Ψ, one for each reduced coordinate η = (θ, γ, ι).
///
///   rigid       θ_j moves by one without strain
///   constraint  the direction γ_j is displaced by one, θ and the other directions at rest
///   internal    lowest vibrations with θ and γ held, of unit modal mass
struct PoseModes {
  std::vector<std::vector<double>> shapes;      ///< rigid, constraint, internal
  std::vector<double> frequencies;              ///< of all candidates, rising, Hz
  std::vector<std::vector<double>> candidates;  ///< internal modes by rising frequency
  std::vector<double> internal_frequencies;     ///< of those in `shapes`, Hz
  std::vector<double> likeness;                 ///< MAC of each internal mode with that of the reference
};

/// The reduced model of one pose, to first order in the deformation (Brüls 2005, ch. 5):
///
///   M̄(θ) η̈ + (h̄(θ)·η̇) η̇ + C̄ η̇ + K̄ η = Ψᵀ f
///
/// M̄ = Ψᵀ M Ψ; K̄ = Ψᵀ K Ψ without rigid rows; gravity = Ψᵀ f_g; Psi: sensors by η. h̄ holds the forces of curvature,
/// Γ = ∂Ψ/∂η, and those of gyroscopes:
///
///   (h̄·η̇) η̇ = Ψᵀ [R(q, v = Ψ η̇, a = (Γ·η̇) η̇) − R(q, 0, 0)]
///
/// found for single rates and for pairs of them; it is symmetric in its last two indices. Γ is the difference of modes at
/// neighbouring poses. Turns are spins Ω in axes of the body, whose derivative has the commutator in it:
/// Γ_jk = ∂Ω_j/∂η_k − ½ Ω_j × Ω_k, the symmetric part. Γ of two deformations is zero: modes are straight lines in η.
struct LocalModel {
  equations::Point pose;
  std::vector<double> theta;
  PoseModes modes;
  math::Matrix mass, stiffness, damping;  ///< n̄ × n̄
  std::vector<math::Matrix> quadratic;    ///< h̄: n̄ matrices h̄_i(j, k)
  math::Matrix sensors;                   ///< sensors × n̄
  std::vector<double> gravity;            ///< n̄

  int size() const { return mass.rows; }
};

/// The modes in a pose. Of `reference` the internal modes are found again, by their likeness in nodal axes, with its signs;
/// without it they are the lowest ones.
PoseModes find_modes(Mechanism& mechanism, const equations::Point& pose,
                     const equations::Point* reference_pose = nullptr, const PoseModes* reference = nullptr);

/// Throws Error that names what is singular where there is none.
LocalModel make_local_model(Mechanism& mechanism, const equations::Point& pose, const LocalModel* reference = nullptr);

}  // namespace coenergy::reduce
