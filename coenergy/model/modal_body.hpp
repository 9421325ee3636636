#pragma once
#include <array>
#include <string>
#include <vector>

namespace coenergy::model {

/// A body that deforms by a few shapes about a frame that moves with it (floating frame of reference), in numbers.
///
/// A point at r₀ of the relaxed body is at r = r₀ + Σ U_i η_i + ½ Σ g_ik η_i η_k, in axes of the frame. With dm its mass,
/// and the sums over i, k left out where they are plain:
///
///   S = ∫ r dm = S₀ + E_i η_i + ½ S_ik η_i η_k,         J = ∫ (r·r 1 − r rᵀ) dm = J₀ + J_i η_i + ½ J_ik η_i η_k
///   h_i = ∫ r × ∂r/∂η_i dm = H_i + H_ik η_k,            M_ik = ∫ U_i·U_k dm
///   T = ½ m v² + v·(ω × S + Ṡ) + ½ ωᵀJω + ω·Σ h_i η̇_i + ½ η̇ᵀM η̇,     V = ½ ηᵀK η,   D = ½ η̇ᵀC η̇
///
/// complete to second order in η; the terms of g are what stiffens a beam that turns.
struct ModalBody {
  using Vector = std::array<double, 3>;
  using Matrix = std::array<double, 9>;  ///< row by row

  int modes = 0;
  double mass = 0;
  Vector moment{};                                     ///< S₀
  Matrix inertia{};                                    ///< J₀ about the origin of the frame
  std::vector<Vector> slide, spin;                     ///< E_i, H_i
  std::vector<Matrix> inertia_slope;                   ///< J_i
  std::vector<Vector> slide_slope;                     ///< S_ik at [i·modes + k]
  std::vector<Matrix> inertia_bend;                    ///< J_ik
  std::vector<Vector> spin_slope;                      ///< H_ik
  std::vector<double> modal_mass, stiffness, damping;  ///< M, K, C
  std::vector<double> start, start_rate;               ///< of η

  /// A point with axes: position and turn θ = Σ W_i η_i (as a Rodrigues vector, 2 tan(|θ|/2) → θ) before its own axes.
  struct Place {
    std::string name;
    Vector position{};
    std::array<double, 4> quaternion{1, 0, 0, 0};
    std::vector<Vector> shift, turn;  ///< U_i, W_i; empty: none
    std::vector<Vector> bend;         ///< g_ik, symmetric; empty: none
  };
  std::vector<Place> frames;  ///< others connect to these
  std::vector<Place> points;  ///< for pictures
  struct Line {
    std::vector<int> points;
    double radius;
  };
  std::vector<Line> lines;
  /// A signal of the body that is linear in η.
  struct Output {
    std::string name, unit;
    std::vector<double> factors;
  };
  std::vector<Output> outputs;
  /// Stresses xx yy zz xy yz zx at a point, linear in η: signals NAME.xx … and NAME.mises.
  struct Stress {
    std::string name;
    std::array<std::vector<double>, 6> factors;
  };
  std::vector<Stress> stresses;
};

}  // namespace coenergy::model
