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
  // what stands in several places is their mean: a change of each counts
  SectionLaw law;
  const auto c = [&](int i, int k) { return both[6 * i + k]; };
  const auto m = [&](int i, int k) { return both[36 + 6 * i + k]; };
  const auto mean = [](const auto& matrix, int i, int k) {
    return i == k ? matrix(i, k) : (matrix(i, k) + matrix(k, i)) / 2;
  };
  for (int i = 0; i < 6; ++i)
    for (int k = 0; k < 6; ++k) law.stiffness[i][k] = mean(c, std::min(i, k), std::max(i, k));
  law.mass = (m(0, 0) + m(1, 1) + m(2, 2)) / 3;
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    law.moment[i] = (mean(m, j, 3 + k) - mean(m, k, 3 + j)) / 2;
  }
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k) law.inertia(i, k) = mean(m, 3 + std::min(i, k), 3 + std::max(i, k));
  return law;
}

}  // namespace coenergy::domains::flexible
