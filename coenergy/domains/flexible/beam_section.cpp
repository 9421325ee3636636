#include "coenergy/domains/flexible/beam_section.hpp"

#include <algorithm>
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

/// A ring of outer diameter d and wall t; the full circle has t = d/2.
SectionProperties make_ring(const Expr& E, const Expr& nu, const Expr& rho, const Expr& d, const Expr& inner) {
  const Expr pi = std::numbers::pi, m2 = pow(inner / d, 2), sum = pow(1 + m2, 2);
  const Expr A = pi * (d * d - inner * inner) / 4, I = pi * (pow(d, 4) - pow(inner, 4)) / 64;
  const Expr kappa = 6 * (1 + nu) * sum / ((7 + 6 * nu) * sum + (20 + 12 * nu) * m2);
  return make_properties(E, nu, rho, A, I, I, 2 * I, kappa);
}

}  // namespace

void BeamSection::describe(Description& d) {
  d.parameter(rectangle, "section.rectangle", "m", "lengths along y and z of the section")
      .sizes({2})
      .positive()
      .optional();
  d.parameter(circle, "section.circle", "m", "diameter").sizes({1}).positive().optional();
  d.parameter(tube, "section.tube", "m", "outer diameter and wall thickness").sizes({2}).positive().optional();
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
  beside_EA(GA, "GA", "N", "shear stiffness: one value, or along y and z", 2);
  beside_EA(GJ, "GJ", "N.m2", "torsional stiffness", 1);
  beside_EA(EI, "EI", "N.m2", "bending stiffness: one value, or about y and z", 2);
  beside_EA(mass_per_length, "mass_per_length", "kg/m", "mass", 1);
  beside_EA(inertia_per_length, "inertia_per_length", "kg.m", "rotary inertia about y and z: one value, or two", 2);
}

std::string BeamSection::form(Equations& eq) const {
  std::string found;
  int count = 0;
  auto note = [&](const model::List& list, const char* name) {
    if (!eq.has(list)) return;
    found = name;
    ++count;
  };
  note(rectangle, "rectangle");
  note(circle, "circle");
  note(tube, "tube");
  note(EA, "stiffness");
  if (count != 1)
    eq.refuse(
        std::string("it needs one of section.rectangle, section.circle, section.tube, or EA with GA, GJ, EI; it has ") +
        (count == 0 ? "none" : "several"));
  if (found == "stiffness" &&
      !(eq.has(GA) && eq.has(GJ) && eq.has(EI) && eq.has(mass_per_length) && eq.has(inertia_per_length)))
    eq.refuse("with EA it also needs GA, GJ, EI, mass_per_length and inertia_per_length");
  if (found == "tube") {
    const std::vector<double> size = eq.numbers(tube);
    if (2 * size[1] > size[0]) eq.refuse("section.tube: the wall is thicker than half the diameter");
  }
  return found;
}

int BeamSection::parameter_count(const std::string& form) { return form == "stiffness" ? 9 : form == "circle" ? 4 : 5; }

std::vector<Expr> BeamSection::parameters(Equations& eq) const {
  const std::string kind = form(eq);
  auto pair = [&](const model::List& list) {
    std::vector<Expr> values = eq[list];
    if (values.size() == 1) values.push_back(values[0]);
    return values;
  };
  if (kind == "stiffness") {
    const std::vector<Expr> ga = pair(GA), ei = pair(EI), j = pair(inertia_per_length);
    return {eq[EA][0], ga[0], ga[1], eq[GJ][0], ei[0], ei[1], eq[mass_per_length][0], j[0], j[1]};
  }
  const Material& m = materials().at(eq[material]);
  std::vector<Expr> values{eq.has(E) ? eq[E] : Expr(m.E), eq.has(nu) ? eq[nu] : Expr(m.nu),
                           eq.has(rho) ? eq[rho] : Expr(m.rho)};
  const std::vector<Expr> size = eq[kind == "rectangle" ? rectangle : kind == "circle" ? circle : tube];
  values.insert(values.end(), size.begin(), size.end());
  return values;
}

double BeamSection::radius(Equations& eq) const {
  const std::string kind = form(eq);
  if (kind == "rectangle") {
    const std::vector<double> size = eq.numbers(rectangle);
    return std::max(size[0], size[1]) / 2;
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

}  // namespace coenergy::domains::flexible
