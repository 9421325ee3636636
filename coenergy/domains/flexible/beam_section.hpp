#pragma once
#include "coenergy/domains/component.hpp"

namespace coenergy::domains::flexible {

using model::Expr;

/// Stiffness and mass of a beam's cross-section; x along the beam, y and z its principal axes.
struct SectionProperties {
  Expr EA;            ///< axial stiffness (N)
  Expr GAy, GAz;      ///< shear stiffness, corrected for the shape (N)
  Expr GJ;            ///< torsional stiffness (N.m²)
  Expr EIy, EIz;      ///< bending stiffness about y and about z (N.m²)
  Expr mass;          ///< per length (kg/m)
  Expr Jx, Jy, Jz;    ///< rotary inertia per length (kg.m)
  double radius = 0;  ///< for pictures (m)
};

/// How a beam's cross-section and material are given:
///   section.rectangle [a, b]  lengths along y and z        section.circle d        section.tube [d, t]  diameter, wall
///   with a material by name, or E, nu, rho
/// or the stiffnesses themselves: EA, GA, GJ, EI (one value, or two: for y and z) and mass_per_length,
/// inertia_per_length (about y and z; twice that about x).
/// Shear factors after Cowper (1966); torsion of the rectangle after Roark.
struct BeamSection {
  model::List rectangle, tube, circle, EA, GA, GJ, EI, mass_per_length, inertia_per_length;
  model::Choice material;
  model::Parameter E, nu, rho;

  void describe(Description& d);
  /// Name of the form that was given; refuses none, several or incomplete ones.
  std::string form(Equations& eq) const;
  /// The quantities the section is computed from: numbers or model parameters, in the order compute() takes them.
  std::vector<Expr> parameters(Equations& eq) const;
  double radius(Equations& eq) const;

  static int parameter_count(const std::string& form);
  static SectionProperties compute(const std::string& form, const std::vector<Expr>& parameters);
};

}  // namespace coenergy::domains::flexible
