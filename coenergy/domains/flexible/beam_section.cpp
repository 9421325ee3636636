#include "coenergy/domains/flexible/beam_section.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

namespace coenergy::domains::flexible {

namespace {

struct Material {
  double E, nu, rho;
};
/// Usual values at room temperature: Young's modulus (Pa), Poisson's ratio, density (kg/m³).
const std::map<std::string, Material>& materials() {
  static const std::map<std::string, Material> table = {
      {"steel", {210e9, 0.3, 7850}},   {"aluminium", {70e9, 0.33, 2700}}, {"titanium", {114e9, 0.34, 4430}},
      {"copper", {120e9, 0.34, 8960}}, {"brass", {105e9, 0.34, 8500}},
  };
  return table;
}

/// Isotropic material and shape: stiffness from E, ν, shear factor κ and the moments of area.
SectionProperties make_properties(const Expr& E, const Expr& nu, const Expr& rho, const Expr& A, const Expr& Iy,
                                  const Expr& Iz, const Expr& torsion, const Expr& kappa) {
  const Expr G = E / (2 * (1 + nu));
  SectionProperties s;
  s.EA = E * A;
  s.GAy = s.GAz = kappa * G * A;
  s.GJ = G * torsion;
  s.EIy = E * Iy;
  s.EIz = E * Iz;
  s.mass = rho * A;
  s.Jy = rho * Iy;
  s.Jz = rho * Iz;
  s.Jx = s.Jy + s.Jz;
  return s;
}

SectionProperties make_rectangle(const Expr& E, const Expr& nu, const Expr& rho, const Expr& a, const Expr& b) {
  const Expr Iz = a * a * a * b / 12, Iy = b * b * b * a / 12;
  const Expr thick = min(a, b), wide = max(a, b), ratio = thick / wide;
  const Expr torsion = wide * pow(thick, 3) * (Expr(1.0 / 3) - Expr(0.21) * ratio * (1 - pow(ratio, 4) / 12));
  const Expr kappa = 10 * (1 + nu) / (12 + 11 * nu);
  return make_properties(E, nu, rho, a * b, Iy, Iz, torsion, kappa);
}

constexpr int most_rows = 100;

/// A ring of outer diameter d and wall t; the full circle has t = d/2.
SectionProperties make_ring(const Expr& E, const Expr& nu, const Expr& rho, const Expr& d, const Expr& inner) {
  const Expr pi = std::numbers::pi, m2 = pow(inner / d, 2), sum = pow(1 + m2, 2);
  const Expr A = pi * (d * d - inner * inner) / 4, I = pi * (pow(d, 4) - pow(inner, 4)) / 64;
  const Expr kappa = 6 * (1 + nu) * sum / ((7 + 6 * nu) * sum + (20 + 12 * nu) * m2);
  return make_properties(E, nu, rho, A, I, I, 2 * I, kappa);
}

}  // namespace

void BeamSection::describe(Description& d, bool slender) {
  // several rows: along the beam
  std::vector<int> singles, pairs;
  for (int k = 1; k <= most_rows; ++k) singles.push_back(k), pairs.push_back(2 * k);
  d.parameter(rectangle, "section.rectangle", "m", "lengths along y and z; several rows: along the beam")
      .sizes(pairs)
      .positive()
      .optional();
  d.parameter(circle, "section.circle", "m", "diameter; several: along the beam").sizes(singles).positive().optional();
  d.parameter(tube, "section.tube", "m", "outer diameter and wall thickness; several rows: along the beam")
      .sizes(pairs)
      .positive()
      .optional();
  std::vector<std::string> names{"steel"};
  for (const auto& [name, values] : materials())
    if (name != "steel") names.push_back(name);
  const auto of_shape = [&](Description::ParameterRef entry) { entry.used_with(rectangle, circle, tube); };
  of_shape(d.choice(material, "material", names, "gives E, nu and rho"));
  of_shape(d.parameter(E, "E", "Pa", "Young's modulus, instead of the material's").positive().optional());
  of_shape(d.parameter(nu, "nu", "", "Poisson's ratio, instead of the material's").between(-0.99, 0.5).optional());
  of_shape(d.parameter(rho, "rho", "kg/m3", "density, instead of the material's").positive().optional());
  d.parameter(EA, "EA", "N", "axial stiffness, instead of a section").sizes({1}).positive().optional();
  const auto beside_EA = [&](model::List& entry, const char* name, const char* unit, const char* help, int most) {
    Description::ParameterRef added = d.parameter(entry, name, unit, help).positive().optional().used_with(EA);
    added.sizes(most == 1 ? std::vector<int>{1} : std::vector<int>{1, 2});
  };
  if (!slender) beside_EA(GA, "GA", "N", "shear stiffness: one value, or along y and z", 2);
  beside_EA(GJ, "GJ", "N.m2", "torsional stiffness", 1);
  beside_EA(EI, "EI", "N.m2", "bending stiffness: one value, or about y and z", 2);
  beside_EA(mass_per_length, "mass_per_length", "kg/m", "mass", 1);
  beside_EA(inertia_per_length, "inertia_per_length", "kg.m", "rotary inertia about y and z: one value, or two", 2);
  if (slender) return;
  d.parameter(stiffness_matrix, "stiffness_matrix", "", "of the section about the line, 6 by 6 in SI units")
      .sizes({36})
      .optional();
  d.parameter(mass_matrix, "mass_matrix", "", "mass per length with its moments about the line, 6 by 6 in SI units")
      .sizes({36})
      .optional()
      .used_with(stiffness_matrix);
}

int BeamSection::rows(Equations& eq) const {
  const std::string kind = form(eq);
  if (kind == "circle") return static_cast<int>(eq[circle].size());
  if (kind == "rectangle" || kind == "tube") return static_cast<int>(eq[kind == "tube" ? tube : rectangle].size() / 2);
  return 1;
}

namespace {

/// Whether all leading minors of a symmetric matrix are positive, by Cholesky's factors.
bool is_positive_definite(std::vector<double> a, int n) {
  for (int k = 0; k < n; ++k) {
    const double pivot = a[k * n + k];
    if (!(pivot > 0)) return false;
    for (int i = k + 1; i < n; ++i)
      for (int j = k + 1; j < n; ++j) a[i * n + j] -= a[i * n + k] * a[k * n + j] / pivot;
  }
  return true;
}

bool is_symmetric(const std::vector<double>& a, int n) {
  constexpr double same = 1e-9;  // of the diagonal: matrices are written with fewer digits than they have
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < i; ++k)
      if (std::abs(a[i * n + k] - a[k * n + i]) > same * std::sqrt(std::abs(a[i * n + i] * a[k * n + k]))) return false;
  return true;
}

}  // namespace

void BeamSection::check_matrices(Equations& eq) const {
  if (!eq.has(mass_matrix)) eq.refuse("with stiffness_matrix it also needs mass_matrix");
  const std::vector<double> c = eq.numbers(stiffness_matrix), m = eq.numbers(mass_matrix);
  const auto check = [&](const std::vector<double>& matrix, const std::string& name) {
    if (!is_symmetric(matrix, 6)) eq.refuse(name + " is not symmetric");
    if (!is_positive_definite(matrix, 6)) eq.refuse(name + " is not positive definite");
  };
  check(c, "stiffness_matrix");
  check(m, "mass_matrix");
  const auto at = [&](int i, int k) { return m[6 * i + k]; };
  bool is_rigid = at(0, 0) == at(1, 1) && at(0, 0) == at(2, 2) && at(0, 1) == 0 && at(0, 2) == 0 && at(1, 2) == 0;
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k <= i; ++k) is_rigid = is_rigid && at(i, 3 + k) == -at(k, 3 + i);
  if (!is_rigid)
    eq.refuse("mass_matrix is not that of a mass: it must be [m 1, -m skew(c); m skew(c), J] with one mass m");
}

std::string BeamSection::form(Equations& eq) const {
  std::string found;
  int count = 0;
  auto note = [&](const model::List& list, const char* name) {
    if (list.index < 0 || !eq.has(list)) return;
    found = name;
    ++count;
  };
  note(rectangle, "rectangle");
  note(circle, "circle");
  note(tube, "tube");
  note(EA, "stiffness");
  note(stiffness_matrix, "matrix");
  const bool is_slender = GA.index < 0;
  if (count != 1)
    eq.refuse(std::string("it needs one of section.rectangle, section.circle, section.tube, ") +
              (is_slender ? "or EA with GJ, EI; it has " : "EA with GA, GJ, EI, or stiffness_matrix; it has ") +
              (count == 0 ? "none" : "several"));
  if (found == "matrix") check_matrices(eq);
  if (found == "stiffness" && !((is_slender || eq.has(GA)) && eq.has(GJ) && eq.has(EI) && eq.has(mass_per_length) &&
                                eq.has(inertia_per_length)))
    eq.refuse(std::string("with EA it also needs ") + (is_slender ? "" : "GA, ") +
              "GJ, EI, mass_per_length and inertia_per_length");
  if (found == "tube") {
    const std::vector<double> size = eq.numbers(tube);
    for (std::size_t k = 0; k + 1 < size.size(); k += 2)
      if (2 * size[k + 1] > size[k]) eq.refuse("section.tube: the wall is thicker than half the diameter");
  }
  return found;
}

template <class List, class Scalar>
std::vector<Expr> BeamSection::read(Equations& eq, int row, List&& list, Scalar&& scalar) const {
  const std::string kind = form(eq);
  auto pair = [&](const model::List& entry) {
    std::vector<Expr> values = list(entry);
    if (values.size() == 1) values.push_back(values[0]);
    return values;
  };
  if (kind == "stiffness") {
    // without shear any number stands for its stiffness: none reads it
    const std::vector<Expr> ga = pair(GA.index < 0 ? EA : GA), ei = pair(EI), j = pair(inertia_per_length);
    return {list(EA)[0], ga[0], ga[1], list(GJ)[0], ei[0], ei[1], list(mass_per_length)[0], j[0], j[1]};
  }
  if (kind == "matrix") {
    std::vector<Expr> both = list(stiffness_matrix);
    const std::vector<Expr> mass = list(mass_matrix);
    both.insert(both.end(), mass.begin(), mass.end());
    return both;
  }
  const Material& m = materials().at(eq[material]);
  std::vector<Expr> values{eq.has(E) ? scalar(E) : Expr(m.E), eq.has(nu) ? scalar(nu) : Expr(m.nu),
                           eq.has(rho) ? scalar(rho) : Expr(m.rho)};
  const std::vector<Expr> size = list(kind == "rectangle" ? rectangle : kind == "circle" ? circle : tube);
  const int count = kind == "circle" ? 1 : 2;
  values.insert(values.end(), size.begin() + count * row, size.begin() + count * (row + 1));
  return values;
}

std::vector<Expr> BeamSection::parameters(Equations& eq, int row) const {
  return read(
      eq, row, [&](const model::List& entry) { return eq[entry]; },
      [&](const model::Parameter& entry) { return eq[entry]; });
}

std::vector<Expr> BeamSection::numbers(Equations& eq, int row) const {
  return read(
      eq, row,
      [&](const model::List& entry) {
        const std::vector<double> values = eq.numbers(entry);
        return std::vector<Expr>(values.begin(), values.end());
      },
      [&](const model::Parameter& entry) { return Expr(eq.number(entry)); });
}

double BeamSection::radius(Equations& eq) const {
  const std::string kind = form(eq);
  if (kind == "rectangle") {
    const std::vector<double> size = eq.numbers(rectangle);
    return *std::max_element(size.begin(), size.end()) / 2;
  }
  if (kind == "circle") return eq.numbers(circle)[0] / 2;
  if (kind == "tube") return eq.numbers(tube)[0] / 2;
  return 0;
}

SectionProperties BeamSection::compute(const std::string& form, const std::vector<Expr>& p) {
  if (form == "stiffness") return {p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7] + p[8], p[7], p[8], 0};
  if (form == "rectangle") return make_rectangle(p[0], p[1], p[2], p[3], p[4]);
  if (form == "circle") return make_ring(p[0], p[1], p[2], p[3], 0);
  return make_ring(p[0], p[1], p[2], p[3], p[3] - 2 * p[4]);
}

SectionLaw BeamSection::compute_law(const std::string& form, const std::vector<Expr>& p, const Expr& cy,
                                    const Expr& cz) {
  return form == "matrix" ? SectionLaw::of_matrices(p) : SectionLaw::about(compute(form, p), cy, cz);
}

}  // namespace coenergy::domains::flexible
