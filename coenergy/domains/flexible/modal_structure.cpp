#include "coenergy/domains/flexible/modal_structure.hpp"

#include <cmath>

#include "coenergy/domains/flexible/lobatto.hpp"

namespace coenergy::domains::flexible {

using model::ModalBody;

ShapedPoints sample_structure(const structures::Structure& s, const structures::ComponentModes& modes) {
  ShapedPoints points;
  points.position = s.nodes;
  const std::size_t freedoms = static_cast<std::size_t>(s.freedoms);
  for (Eigen::Index k = 0; k < modes.shapes.cols(); ++k) {
    ShapedPoints::Field field(s.nodes.size());
    for (std::size_t n = 0; n < field.size(); ++n)
      for (std::size_t i = 0; i < freedoms; ++i)
        field[n][i] = modes.shapes(static_cast<Eigen::Index>(freedoms * n + i), k);
    points.shift.push_back(std::move(field));
  }
  points.weigh = [&s, freedoms](const ShapedPoints::Field& f) {
    Eigen::VectorXd v(s.size());
    for (std::size_t n = 0; n < f.size(); ++n)
      for (std::size_t i = 0; i < freedoms; ++i) v[static_cast<Eigen::Index>(freedoms * n + i)] = f[n][i];
    const Eigen::VectorXd w = s.mass * v;
    ShapedPoints::Field weighed(f.size());
    for (std::size_t n = 0; n < f.size(); ++n)
      for (std::size_t i = 0; i < freedoms; ++i) weighed[n][i] = w[static_cast<Eigen::Index>(freedoms * n + i)];
    return weighed;
  };
  return points;
}

ModalBody::Place place_of(const structures::Structure& s, const structures::ComponentModes& modes, int node) {
  ModalBody::Place place{"", s.nodes[static_cast<std::size_t>(node)]};
  for (Eigen::Index k = 0; k < modes.shapes.cols(); ++k) {
    const Eigen::Index at = s.freedoms * node;
    place.shift.push_back({modes.shapes(at, k), modes.shapes(at + 1, k), modes.shapes(at + 2, k)});
  }
  return place;
}

ModalBody::Place frame_of(const structures::Interface& face, const Eigen::MatrixXd& motion) {
  ModalBody::Place place{face.name, face.position};
  for (Eigen::Index k = 0; k < motion.cols(); ++k) {
    place.shift.push_back({motion(0, k), motion(1, k), motion(2, k)});
    place.turn.push_back({motion(3, k), motion(4, k), motion(5, k)});
  }
  return place;
}

namespace {

using Vector = ShapedPoints::Vector;

Vector cross3(const Vector& a, const Vector& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

/// ∫ of the pull of two shapes from the start of a piece to the fraction `to` of it.
Vector pull_in(const ShapedPoints& points, const std::vector<int>& piece, const std::vector<double>& nodes,
               std::size_t i, std::size_t k, double to) {
  const Quadrature gauss = make_gauss(static_cast<int>(piece.size()) + 1);
  Vector sum{};
  for (std::size_t g = 0; g < gauss.at.size(); ++g) {
    const double u = to * (1 + gauss.at[g]) / 2;  // 0 … 1
    const Basis basis = make_basis(nodes, u);
    Vector a{}, b{}, along{};  // θ_i, θ_k, ∂r/∂u
    for (std::size_t n = 0; n < piece.size(); ++n) {
      const std::size_t p = static_cast<std::size_t>(piece[n]);
      for (std::size_t c = 0; c < 3; ++c) {
        a[c] += basis.value[n] * points.shift[i][p][3 + c], b[c] += basis.value[n] * points.shift[k][p][3 + c];
        along[c] += basis.slope[n] * points.position[p][c];
      }
    }
    const Vector one = cross3(a, cross3(b, along)), two = cross3(b, cross3(a, along));
    for (std::size_t c = 0; c < 3; ++c) sum[c] += to * gauss.weight[g] / 2 * (one[c] + two[c]) / 2;
  }
  return sum;
}

}  // namespace

std::vector<ShapedPoints::Field> draw_back(const ShapedPoints& points, const std::vector<std::vector<int>>& pieces,
                                           const std::vector<double>& places) {
  const std::size_t n = points.shift.size();
  std::vector<ShapedPoints::Field> bend(n * n, ShapedPoints::Field(points.position.size()));
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = 0; k <= i; ++k) {
      ShapedPoints::Field& field = bend[i * n + k];
      for (const std::vector<int>& piece : pieces)
        for (std::size_t node = 1; node < piece.size(); ++node) {
          const Vector pull = pull_in(points, piece, places, i, k, places[node]);
          const ShapedPoints::Twist& start = field[static_cast<std::size_t>(piece[0])];
          ShapedPoints::Twist& here = field[static_cast<std::size_t>(piece[node])];
          for (std::size_t c = 0; c < 3; ++c) here[c] = start[c] + pull[c];
        }
      bend[k * n + i] = field;
    }
  return bend;
}

}  // namespace coenergy::domains::flexible
