#include "coenergy/domains/flexible/spectral_beam.hpp"

#include <cmath>

#include "coenergy/domains/flexible/lobatto.hpp"
#include "coenergy/math/rotation.hpp"

namespace coenergy::domains::flexible {

SpectralBeam::SpectralBeam(int degree) : degree_(degree) {
  const Quadrature lobatto = make_lobatto(degree + 1), gauss = make_gauss(degree);
  node_at_ = lobatto.at, node_weight_ = lobatto.weight;
  for (int g = 0; g < degree; ++g) {
    Basis basis = make_basis(node_at_, gauss.at[g]);
    points_.push_back({std::move(basis.value), std::move(basis.slope), gauss.weight[g]});
  }
}

std::vector<double> SpectralBeam::node_places() const {
  std::vector<double> at;
  for (double xi : node_at_) at.push_back((1 + xi) / 2);
  return at;
}

std::vector<double> SpectralBeam::strain_places() const {
  std::vector<double> at;
  for (double xi : make_gauss(degree_).at) at.push_back((1 + xi) / 2);
  return at;
}

namespace {

double size(const std::array<double, 3>& a) { return std::sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]); }

/// What the interpolation makes of numeric nodes: x′, P, P′.
struct Line {
  std::array<double, 3> slope{};
  math::Quaternion p{}, p_slope{};
  Line(const std::vector<BeamAxis::Section>& nodes, const std::vector<double>& value, const std::vector<double>& by) {
    for (std::size_t k = 0; k < nodes.size(); ++k) {
      double same = 0;
      for (int i = 0; i < 4; ++i) same += nodes[0].quaternion[i] * nodes[k].quaternion[i];
      for (int i = 0; i < 3; ++i) slope[i] += by[k] * nodes[k].position[i];
      for (int i = 0; i < 4; ++i) {
        const double q = same < 0 ? -nodes[k].quaternion[i] : nodes[k].quaternion[i];
        p[i] += value[k] * q, p_slope[i] += by[k] * q;
      }
    }
  }
};

}  // namespace

std::vector<double> SpectralBeam::compute_shape(const std::vector<BeamAxis::Section>& nodes) const {
  std::vector<double> shape;
  for (const Point& point : points_) {
    const Line line(nodes, point.value, point.slope);
    const double J = size(line.slope);
    double square = 0;
    for (double q : line.p) square += q * q;
    const math::Vector3 along = math::rotate(math::conjugate(math::normalized(line.p)), line.slope);
    const math::Quaternion turn = math::multiply(math::conjugate(line.p), line.p_slope);
    shape.push_back(J);
    for (int i = 0; i < 3; ++i) shape.push_back(along[i] / J);
    for (int i = 0; i < 3; ++i) shape.push_back(2 * turn[1 + i] / (square * J));
  }
  for (int k = 0; k <= degree_; ++k) {
    const Basis basis = make_basis(node_at_, node_at_[k]);
    shape.push_back(node_weight_[k] * size(Line(nodes, basis.value, basis.slope).slope));
  }
  return shape;
}

std::vector<Expr> SpectralBeam::scale_shape(std::vector<Expr> shape, const Expr& factor) const {
  const std::size_t points = points_.size() * numbers_per_point;
  for (std::size_t k = 0; k < shape.size(); ++k) {
    const std::size_t kind = k % numbers_per_point;
    if (k >= points || kind == 0)
      shape[k] = shape[k] * factor;
    else if (kind > 3)
      shape[k] = shape[k] / factor;
  }
  return shape;
}

StrainPoint SpectralBeam::make_strains(const Point& point, const Expr* shape, const SectionLaw& law,
                                       const std::string& suffix, model::FlexibleBody::Element& e) const {
  symbolic::Graph& g = *e.graph;
  Vec3 slope;
  std::array<Expr, 4> p, p_slope;
  for (int k = 0; k <= degree_; ++k) {
    const auto& node = e.nodes[k];
    Expr same;
    for (int i = 0; i < 4; ++i) same += e.nodes[0].p[i] * node.p[i];
    const Expr side = k == 0 ? Expr(1) : g.let("side" + std::to_string(k), select(less(same, 0), Expr(-1), Expr(1)));
    for (int i = 0; i < 3; ++i) slope[i] += point.slope[k] * node.x[i];
    for (int i = 0; i < 4; ++i) {
      p[i] += point.value[k] * side * node.p[i];
      p_slope[i] += point.slope[k] * side * node.p[i];
    }
  }
  slope = symbolic::let(g, "slope" + suffix, slope);
  for (int i = 0; i < 4; ++i) {
    p[i] = g.let("p" + std::to_string(i) + suffix, p[i]);
    p_slope[i] = g.let("dp" + std::to_string(i) + suffix, p_slope[i]);
  }
  const Expr scale = g.let("scale" + suffix, 1 / (shape[0] * (p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3])));
  // R(P/|P|)ᵀ x′ = ((p₀² − v·v) x′ + 2 (v·x′) v − 2 p₀ v × x′)/|P|²
  const Vec3 v{{p[1], p[2], p[3]}}, dv{{p_slope[1], p_slope[2], p_slope[3]}};
  const Vec3 along = (p[0] * p[0] - dot(v, v)) * slope + 2 * dot(v, slope) * v - (2 * p[0]) * cross(v, slope);
  const Vec3 turn = p[0] * dv - p_slope[0] * v - cross(v, dv);

  StrainPoint strains;
  for (int i = 0; i < 3; ++i) {
    strains.value[i] = g.let("gamma" + std::to_string(i + 1) + suffix, along[i] * scale - shape[1 + i]);
    strains.value[3 + i] = g.let("kappa" + std::to_string(i + 1) + suffix, 2 * turn[i] * scale - shape[4 + i]);
  }
  const Expr weight = point.weight * shape[0];
  for (int i = 0; i < 6; ++i)
    for (int k = 0; k < 6; ++k)
      if (!law.stiffness[i][k].is_zero())
        strains.stiffness[i][k] =
            g.let("C" + std::to_string(i) + std::to_string(k) + suffix, weight * law.stiffness[i][k]);
  return strains;
}

void SpectralBeam::write(const std::vector<Expr>& shape, const std::vector<SectionLaw>& laws, const Expr& damping,
                         model::FlexibleBody::Element& e) const {
  std::vector<StrainPoint> strains;
  for (int g = 0; g < degree_; ++g)
    strains.push_back(
        make_strains(points_[g], shape.data() + numbers_per_point * g, laws[g], "_" + std::to_string(g), e));
  add_elastic_forces(strains, damping, e);
  for (int k = 0; k <= degree_; ++k) {
    const SectionLaw& law = laws[degree_ + k];
    const Expr share = shape[numbers_per_point * degree_ + k];
    Mat3 inertia;
    for (int i = 0; i < 3; ++i)
      for (int m = 0; m < 3; ++m) inertia(i, m) = share * law.inertia(i, m);
    add_node_inertia({share * law.mass, share * law.moment, inertia}, k, e);
  }
}

}  // namespace coenergy::domains::flexible
