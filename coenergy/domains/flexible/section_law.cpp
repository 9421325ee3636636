#include <algorithm>

#include "coenergy/domains/flexible/beam_section.hpp"

namespace coenergy::domains::flexible {

using model::Mat3;
using model::Vec3;

SectionLaw SectionLaw::about(const SectionProperties& s, const Expr& cy, const Expr& cz) {
  SectionLaw law;
  const Expr stretch[] = {s.EA, s.GAy, s.GAz}, turn[] = {s.GJ, s.EIy, s.EIz};
  // Γ_c = Γ − c × K = Γ + B K with B = −c̃
  const Vec3 c{{0, cy, cz}};
  const Mat3 B = symbolic::skew(-c);
  for (int i = 0; i < 3; ++i) {
    law.stiffness[i][i] = stretch[i];
    law.stiffness[3 + i][3 + i] = turn[i];
  }
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k) {
      law.stiffness[i][3 + k] += stretch[i] * B(i, k);
      law.stiffness[3 + k][i] += stretch[i] * B(i, k);
      for (int m = 0; m < 3; ++m) law.stiffness[3 + i][3 + k] += B(m, i) * stretch[m] * B(m, k);
    }
  law.mass = s.mass;
  law.moment = s.mass * c;
  law.inertia = Mat3::diagonal(s.Jx, s.Jy, s.Jz);
  const Mat3 lever = symbolic::skew(c), square = lever * lever;  // J − m c̃c̃
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k) law.inertia(i, k) += -s.mass * square(i, k);
  return law;
}

SectionLaw SectionLaw::of_matrices(const std::vector<Expr>& both) {
  SectionLaw law;
  const Expr *c = both.data(), *m = c + 36;
  for (int i = 0; i < 6; ++i)
    for (int k = 0; k < 6; ++k) law.stiffness[i][k] = c[6 * std::min(i, k) + std::max(i, k)];
  law.mass = m[0];
  law.moment = {{m[6 * 1 + 5], -m[6 * 0 + 5], m[6 * 0 + 4]}};
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k) law.inertia(i, k) = m[6 * (3 + std::min(i, k)) + 3 + std::max(i, k)];
  return law;
}

}  // namespace coenergy::domains::flexible
