#pragma once
#include <array>

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

/// What a cross-section does about the line of the beam: stiffness for (Γ, K) and mass per length with its moments, in
/// the axes of the section.
struct SectionLaw {
  std::array<std::array<Expr, 6>, 6> stiffness;
  Expr mass;
  model::Vec3 moment;   ///< of the mass about the line, kg
  model::Mat3 inertia;  ///< about the line, kg.m

  /// A section whose centre is at (0, c_y, c_z): strains there are Γ + K × c.
  static SectionLaw about(const SectionProperties& properties, const Expr& cy, const Expr& cz);
  /// 6×6 matrices row by row: of the stiffness, and [m 1, −m c̃; m c̃, J] of the mass.
  static SectionLaw of_matrices(const std::vector<Expr>& both);
};

/// How a beam's cross-section and material are given:
///   section.rectangle [a, b]  lengths along y and z        section.circle d        section.tube [d, t]  diameter, wall
///   (several rows: sections at equal distances along the beam, linear between them)
///   with a material by name, or E, nu, rho
/// or the stiffnesses themselves: EA, GA, GJ, EI (one value, or two: for y and z) and mass_per_length,
/// inertia_per_length (about y and z; twice that about x),
/// or matrices of the whole section about the line of the beam, 6×6 in SI units, for (Γx, Γy, Γz, Kx, Ky, Kz) and for
/// (v, ω): stiffness_matrix, mass_matrix.
/// Shear factors after Cowper (1966); torsion of the rectangle after Roark.
struct BeamSection {
  model::List rectangle, tube, circle, stiffness_matrix, mass_matrix, EA, GA, GJ, EI, mass_per_length,
      inertia_per_length;
  model::Choice material;
  model::Parameter E, nu, rho;

  /// A slender beam has no shear: neither GA nor matrices, which hold it.
  void describe(Description& d, bool slender = false);
  /// Name of the form that was given; refuses none, several or incomplete ones.
  std::string form(Equations& eq) const;
  int rows(Equations& eq) const;  ///< sections along the beam
  /// The quantities a section is computed from: numbers or model parameters, in the order compute() takes them.
  std::vector<Expr> parameters(Equations& eq, int row = 0) const;
  std::vector<Expr> numbers(Equations& eq, int row = 0) const;  ///< the same as numbers
  double radius(Equations& eq) const;

  static SectionProperties compute(const std::string& form, const std::vector<Expr>& parameters);
  /// The same of any form, with the centre of a section that is no matrix beside the line.
  static SectionLaw compute_law(const std::string& form, const std::vector<Expr>& parameters, const Expr& cy,
                                const Expr& cz);

 private:
  /// `list` and `scalar` read an entry.
  template <class List, class Scalar>
  std::vector<Expr> read(Equations& eq, int row, List&& list, Scalar&& scalar) const;
  void check_matrices(Equations& eq) const;
};

}  // namespace coenergy::domains::flexible
