#pragma once
#include <vector>

#include "coenergy/domains/flexible/beam_axis.hpp"
#include "coenergy/domains/flexible/beam_section.hpp"
#include "coenergy/domains/flexible/element_forces.hpp"

namespace coenergy::domains::flexible {

/// Geometrically exact beam element of any degree p (Reissner 1973, Simo 1985): p + 1 nodes at Lobatto's points.
///
/// Positions and quaternions are interpolated by the same polynomials, quaternions brought to unit length then (which is
/// invariant under rigid motion and does not depend on the way; Romero 2004, Sander 2010):
///
///   x = Σ N_i x_i,   P = Σ N_i p_i,   R = R(P/|P|),   ′ = d/dξ,   J = |x₀′| of the relaxed element
///   Γ = Rᵀx′/J − Γ₀,   K = 2 vec(P* ⊗ P′)/(|P|² J) − K₀
///   V = Σ_g w_g J_g ½ (Γ, K)ᵀ C (Γ, K)   at p Gauss points: reduced, so that nothing locks
///
/// Γ₀, K₀ are what the same interpolation makes of the relaxed nodes, whatever their line and twist: it is free of strain.
/// Displacements at the nodes converge with the order 2p, p = 1 … 6. Mass by Lobatto's formula: every node carries its
/// share as a rigid body, so that the inertia of the element as a whole is exact from p = 2 on.
class SpectralBeam {
 public:
  explicit SpectralBeam(int degree);

  int degree() const { return degree_; }
  /// Where the nodes, and the points of integration, are on the element, 0 … 1.
  std::vector<double> node_places() const;
  std::vector<double> strain_places() const;

  /// Numbers of a relaxed element by its nodes: J, Γ₀, K₀ of each point of integration, then the length of each node's
  /// share.
  std::vector<double> compute_shape(const std::vector<BeamAxis::Section>& nodes) const;
  static constexpr int numbers_per_point = 7;
  /// The shape of an element that is larger by a factor: lengths grow with it, curvatures shrink, strains stay.
  std::vector<Expr> scale_shape(std::vector<Expr> shape, const Expr& factor) const;

  /// `shape` in the order of compute_shape; `laws` of the points of integration, then of the nodes.
  void write(const std::vector<Expr>& shape, const std::vector<SectionLaw>& laws, const Expr& damping,
             model::FlexibleBody::Element& e) const;

 private:
  struct Point {
    std::vector<double> value, slope;  // of each node's polynomial
    double weight;
  };
  StrainPoint make_strains(const Point& point, const Expr* shape, const SectionLaw& law, const std::string& suffix,
                           model::FlexibleBody::Element& e) const;

  int degree_;
  std::vector<Point> points_;
  std::vector<double> node_at_, node_weight_;
};

}  // namespace coenergy::domains::flexible
