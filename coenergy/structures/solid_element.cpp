#include "coenergy/structures/solid_element.hpp"

#include <cmath>
#include <stdexcept>

namespace coenergy::structures {

namespace {

using Vector = std::array<double, 3>;

struct Point {
  Vector xi;
  double weight;
};

bool is_tet(SolidKind kind) { return kind == SolidKind::tet4 || kind == SolidKind::tet10; }

/// Points and weights on −1 … 1.
std::vector<std::pair<double, double>> gauss(int n) {
  if (n == 1) return {{0, 2}};
  const double a = std::sqrt(1 / 3.0), b = std::sqrt(0.6);
  if (n == 2) return {{-a, 1}, {a, 1}};
  if (n == 4) {
    const double inner = std::sqrt(3 / 7.0 - 2 / 7.0 * std::sqrt(1.2)),
                 outer = std::sqrt(3 / 7.0 + 2 / 7.0 * std::sqrt(1.2));
    const double w = std::sqrt(30.0) / 36;
    return {{-outer, 0.5 - w}, {-inner, 0.5 + w}, {inner, 0.5 + w}, {outer, 0.5 - w}};
  }
  return {{-b, 5 / 9.0}, {0, 8 / 9.0}, {b, 5 / 9.0}};
}

std::vector<Point> hex_points(int n) {
  std::vector<Point> points;
  for (const auto& [x, wx] : gauss(n))
    for (const auto& [y, wy] : gauss(n))
      for (const auto& [z, wz] : gauss(n)) points.push_back({{x, y, z}, wx * wy * wz});
  return points;
}

/// The cube folded to a tetrahedron (Duffy): four points each way are exact for the degree 4 of mass and 2 of the fold.
std::vector<Point> folded_points() {
  std::vector<Point> points;
  for (const Point& p : hex_points(4)) {
    const double a = (1 + p.xi[0]) / 2, b = (1 + p.xi[1]) / 2, c = (1 + p.xi[2]) / 2;
    points.push_back({{a, (1 - a) * b, (1 - a) * (1 - b) * c}, p.weight / 8 * (1 - a) * (1 - a) * (1 - b)});
  }
  return points;
}

std::vector<Point> stiffness_points(SolidKind kind, bool reduced) {
  if (kind == SolidKind::tet4) return {{{0.25, 0.25, 0.25}, 1 / 6.0}};
  if (kind == SolidKind::tet10) {
    // degree 2: a at one corner, b at the others
    const double b = (5 - std::sqrt(5.0)) / 20, a = 1 - 3 * b, w = 1 / 24.0;
    return {{{b, b, b}, w}, {{a, b, b}, w}, {{b, a, b}, w}, {{b, b, a}, w}};
  }
  return hex_points(kind == SolidKind::hex8 || reduced ? 2 : 3);
}

constexpr double corner[8][3] = {{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1},
                                 {-1, -1, 1},  {1, -1, 1},  {1, 1, 1},  {-1, 1, 1}};
constexpr int hex_edges[12][2] = {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {4, 5}, {5, 6},
                                  {6, 7}, {7, 4}, {0, 4}, {1, 5}, {2, 6}, {3, 7}};
constexpr int tet_edges[6][2] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}};

SolidShape tet_shape(bool quadratic, const Vector& xi) {
  const double L[4] = {1 - xi[0] - xi[1] - xi[2], xi[0], xi[1], xi[2]};
  const Vector dL[4] = {{-1, -1, -1}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  SolidShape s;
  for (int k = 0; k < 4; ++k) {
    const double factor = quadratic ? 4 * L[k] - 1 : 1;
    s.value.push_back(quadratic ? L[k] * (2 * L[k] - 1) : L[k]);
    s.slope.push_back({factor * dL[k][0], factor * dL[k][1], factor * dL[k][2]});
  }
  if (!quadratic) return s;
  for (const auto& [a, b] : tet_edges) {
    s.value.push_back(4 * L[a] * L[b]);
    Vector slope;
    for (int i = 0; i < 3; ++i) slope[i] = 4 * (L[a] * dL[b][i] + L[b] * dL[a][i]);
    s.slope.push_back(slope);
  }
  return s;
}

/// A product of three factors f and their slopes d.
void add_product(SolidShape& s, const Vector& f, const Vector& d) {
  s.value.push_back(f[0] * f[1] * f[2]);
  s.slope.push_back({d[0] * f[1] * f[2], f[0] * d[1] * f[2], f[0] * f[1] * d[2]});
}

SolidShape hex_shape(bool quadratic, const Vector& xi) {
  SolidShape s;
  for (const auto& c : corner) {
    Vector f, d;
    for (int i = 0; i < 3; ++i) f[i] = (1 + c[i] * xi[i]) / 2, d[i] = c[i] / 2;
    add_product(s, f, d);
    if (!quadratic) continue;
    // serendipity: (Σ c ξ − 2) times the product
    const double sum = c[0] * xi[0] + c[1] * xi[1] + c[2] * xi[2] - 2;
    for (int i = 0; i < 3; ++i) s.slope.back()[i] = s.slope.back()[i] * sum + s.value.back() * c[i];
    s.value.back() *= sum;
  }
  if (!quadratic) return s;
  for (const auto& [a, b] : hex_edges) {
    Vector f, d;
    for (int i = 0; i < 3; ++i) {
      const double c = (corner[a][i] + corner[b][i]) / 2;  // 0 along the edge
      f[i] = c == 0 ? 1 - xi[i] * xi[i] : (1 + c * xi[i]) / 2;
      d[i] = c == 0 ? -2 * xi[i] : c / 2;
    }
    add_product(s, f, d);
  }
  return s;
}

/// ∂N/∂x at a point, and det(∂x/∂ξ).
struct Slopes {
  std::vector<Vector> by_x;
  double determinant;
};
Slopes slopes_at(const SolidShape& shape, const std::vector<Vector>& at) {
  double J[3][3] = {};  // ∂x_i/∂ξ_j
  for (std::size_t k = 0; k < at.size(); ++k)
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) J[i][j] += at[k][i] * shape.slope[k][j];
  double inverse[3][3];  // times the determinant: ∂ξ_i/∂x_j
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      const int a = (j + 1) % 3, b = (j + 2) % 3, c = (i + 1) % 3, d = (i + 2) % 3;
      inverse[i][j] = J[a][c] * J[b][d] - J[a][d] * J[b][c];
    }
  Slopes s;
  s.determinant = J[0][0] * inverse[0][0] + J[1][0] * inverse[0][1] + J[2][0] * inverse[0][2];
  double size = 0;
  for (const auto& row : J)
    for (double x : row) size = std::max(size, std::abs(x));
  if (!(s.determinant > 1e-9 * size * size * size)) throw std::runtime_error("it is inverted or flat");
  for (const Vector& g : shape.slope) {
    Vector by_x{};
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) by_x[j] += g[i] * inverse[i][j] / s.determinant;
    s.by_x.push_back(by_x);
  }
  return s;
}

/// λ and μ of Lamé.
struct Lame {
  double lambda, mu;
  explicit Lame(const Material& m) : lambda(m.E * m.nu / ((1 + m.nu) * (1 - 2 * m.nu))), mu(m.E / (2 * (1 + m.nu))) {}
};

}  // namespace

SolidShape compute_shape(SolidKind kind, const Vector& xi) {
  const bool quadratic = kind == SolidKind::tet10 || kind == SolidKind::hex20;
  return is_tet(kind) ? tet_shape(quadratic, xi) : hex_shape(quadratic, xi);
}

SolidMatrices compute_solid(SolidKind kind, bool reduced, const std::vector<Vector>& at, const Material& material) {
  const std::size_t n = at.size();
  const Lame lame(material);
  SolidMatrices m;
  m.stiffness.assign(9 * n * n, 0.0);
  m.mass.assign(n * n, 0.0);
  for (const Point& p : stiffness_points(kind, reduced)) {
    const Slopes s = slopes_at(compute_shape(kind, p.xi), at);
    const double w = p.weight * s.determinant;
    // K_kl,ij = λ N_k,i N_l,j + μ N_k,j N_l,i + μ δ_ij ∇N_k·∇N_l
    for (std::size_t k = 0; k < n; ++k)
      for (std::size_t l = 0; l < n; ++l) {
        const Vector &a = s.by_x[k], &b = s.by_x[l];
        const double both = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
        for (int i = 0; i < 3; ++i)
          for (int j = 0; j < 3; ++j)
            m.stiffness[(3 * k + i) * 3 * n + 3 * l + j] +=
                w * (lame.lambda * a[i] * b[j] + lame.mu * (a[j] * b[i] + (i == j ? both : 0)));
      }
  }
  for (const Point& p : is_tet(kind) ? folded_points() : hex_points(kind == SolidKind::hex8 ? 2 : 3)) {
    const SolidShape shape = compute_shape(kind, p.xi);
    const double w = p.weight * material.rho * slopes_at(shape, at).determinant;
    for (std::size_t k = 0; k < n; ++k)
      for (std::size_t l = 0; l < n; ++l) m.mass[k * n + l] += w * shape.value[k] * shape.value[l];
  }
  return m;
}

std::vector<std::array<std::vector<double>, 6>> compute_nodal_stress(SolidKind kind, const std::vector<Vector>& at,
                                                                     const Material& material) {
  const std::size_t n = at.size();
  const Lame lame(material);
  const int corners = is_tet(kind) ? 4 : 8;
  std::vector<std::array<std::vector<double>, 6>> stress;
  for (std::size_t node = 0; node < n; ++node) {
    const auto place = [&](int k) {
      return is_tet(kind) ? Vector{k == 1 ? 1.0 : 0.0, k == 2 ? 1.0 : 0.0, k == 3 ? 1.0 : 0.0}
                          : Vector{corner[k][0], corner[k][1], corner[k][2]};
    };
    Vector xi;
    if (static_cast<int>(node) < corners) {
      xi = place(static_cast<int>(node));
    } else {
      const int* edge = is_tet(kind) ? tet_edges[node - 4] : hex_edges[node - 8];
      const Vector a = place(edge[0]), b = place(edge[1]);
      for (int i = 0; i < 3; ++i) xi[i] = (a[i] + b[i]) / 2;
    }
    const Slopes s = slopes_at(compute_shape(kind, xi), at);
    std::array<std::vector<double>, 6> rows;
    for (std::vector<double>& row : rows) row.assign(3 * n, 0.0);
    for (std::size_t k = 0; k < n; ++k) {
      const Vector& g = s.by_x[k];
      for (int i = 0; i < 3; ++i) {
        const int j = (i + 1) % 3;
        for (int c = 0; c < 3; ++c) rows[i][3 * k + c] += lame.lambda * g[c];
        rows[i][3 * k + i] += 2 * lame.mu * g[i];
        rows[3 + i][3 * k + i] += lame.mu * g[j];
        rows[3 + i][3 * k + j] += lame.mu * g[i];
      }
    }
    stress.push_back(std::move(rows));
  }
  return stress;
}

}  // namespace coenergy::structures
