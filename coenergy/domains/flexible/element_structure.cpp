#include "coenergy/domains/flexible/element_structure.hpp"

#include <fmt/format.h>

#include "coenergy/math/rotation.hpp"
#include "coenergy/symbolic/derivative.hpp"
#include "coenergy/symbolic/function.hpp"

namespace coenergy::domains::flexible {

using model::Expr;

int ElementStructure::add_node(std::array<double, 3> position, std::array<double, 4> quaternion, const Expr& size) {
  for (double& x : position) x *= size.number();
  nodes.push_back({position, quaternion});
  return static_cast<int>(nodes.size()) - 1;
}

namespace {

/// The symbols of an element's nodes in one order: x, p, ẋ, ω, ẍ, α.
constexpr std::size_t symbols_per_node = 19;
struct NodeSymbols {
  std::vector<Expr> all, place, acceleration;
};

NodeSymbols make_symbols(symbolic::Graph& graph, std::vector<model::FlexibleBody::ElementNode>& nodes) {
  NodeSymbols s;
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    model::FlexibleBody::ElementNode& n = nodes[k];
    const auto symbol = [&](const char* what, int i) {
      s.all.push_back(graph.symbol(what + std::to_string(k) + "_" + std::to_string(i)));
      return s.all.back();
    };
    for (int i = 0; i < 3; ++i) n.x[i] = symbol("x", i), s.place.push_back(n.x[i]);
    for (int i = 0; i < 4; ++i) n.p[static_cast<std::size_t>(i)] = symbol("p", i), s.place.push_back(s.all.back());
    for (int i = 0; i < 3; ++i) n.xd[i] = symbol("v", i);
    for (int i = 0; i < 3; ++i) n.w[i] = symbol("w", i);
    for (int i = 0; i < 3; ++i) n.xdd[i] = symbol("a", i), s.acceleration.push_back(n.xdd[i]);
    for (int i = 0; i < 3; ++i) n.alpha[i] = symbol("b", i), s.acceleration.push_back(n.alpha[i]);
  }
  return s;
}

}  // namespace

void ElementStructure::add_element(const std::string& key, std::vector<int> at, std::vector<Expr> parameters,
                                   const std::function<void(Element&)>& make) {
  const std::size_t n = at.size(), size = 6 * n;
  // equal elements have equal matrices, wherever they are
  std::string text = key;
  for (const Expr& p : parameters) text += fmt::format(" {:.14g}", p.number());
  const auto& first = nodes[static_cast<std::size_t>(at[0])].position;
  for (int k : at) {
    const Node& node = nodes[static_cast<std::size_t>(k)];
    for (std::size_t i = 0; i < 3; ++i) text += fmt::format(" {:.9e}", node.position[i] - first[i] + 0.0);
    for (double q : node.quaternion) text += fmt::format(" {:.9e}", q + 0.0);
  }
  if (const auto place = known_.find(text); place != known_.end()) {
    parts.push_back(place->second);
    parts.back().nodes = at;
    return;
  }
  symbolic::Graph graph;
  Element e{&graph, std::vector<ElementNode>(n), std::move(parameters), {}, {}, {}};
  const NodeSymbols symbols = make_symbols(graph, e.nodes);
  make(e);
  std::vector<Expr> loads;
  for (const ElementNode& node : e.nodes) {
    loads.insert(loads.end(), node.force.e.begin(), node.force.e.end());
    loads.insert(loads.end(), node.torque.e.begin(), node.torque.e.end());
  }
  const std::vector<Expr> by_place = symbolic::dense_jacobian(loads, symbols.place),
                          by_acceleration = symbolic::dense_jacobian(loads, symbols.acceleration);
  std::vector<symbolic::NamedExpr> outputs;
  for (const auto* list : {&by_place, &by_acceleration})
    for (const Expr& x : *list) outputs.push_back({"d" + std::to_string(outputs.size()), x});
  std::vector<double> in;
  for (int k : at) {
    const Node& node = nodes[static_cast<std::size_t>(k)];
    in.insert(in.end(), node.position.begin(), node.position.end());
    in.insert(in.end(), node.quaternion.begin(), node.quaternion.end());
    in.resize(in.size() + symbols_per_node - 7, 0.0);
  }
  const std::vector<double> value = symbolic::evaluate(
      symbolic::Function(symbolic::make_program(symbols.all, outputs), symbolic::Engine::interpreter), in);

  Part part{at, std::vector<double>(size * size), std::vector<double>(size * size)};
  for (std::size_t row = 0; row < size; ++row)
    for (std::size_t k = 0; k < n; ++k) {
      const double* slope = value.data() + row * 7 * n + 7 * k;
      for (std::size_t i = 0; i < 3; ++i) {
        part.stiffness[row * size + 6 * k + i] = slope[i];
        // a turn about the node's axis i is a rate of its quaternion
        math::Vector3 unit{};
        unit[i] = 1;
        const math::Quaternion rate = math::quaternion_rate(nodes[static_cast<std::size_t>(at[k])].quaternion, unit);
        for (std::size_t q = 0; q < 4; ++q) part.stiffness[row * size + 6 * k + 3 + i] += slope[3 + q] * rate[q];
      }
      for (std::size_t i = 0; i < 6; ++i)
        part.mass[row * size + 6 * k + i] = value[7 * n * size + row * size + 6 * k + i];
    }
  known_[text] = part;
  parts.push_back(std::move(part));
}

structures::Structure ElementStructure::assemble() const {
  structures::Structure s;
  s.freedoms = 6;
  std::vector<math::Matrix3> axes;
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    s.nodes.push_back(nodes[k].position);
    s.labels.push_back(static_cast<int>(k));
    axes.push_back(math::rotation_matrix(nodes[k].quaternion));
  }
  std::vector<Eigen::Triplet<double>> stiffness, mass;
  for (const Part& part : parts) {
    const std::size_t n = part.nodes.size(), size = 6 * n;
    // turns from axes of the nodes to those of the body: T = diag(1, R)
    Eigen::MatrixXd t = Eigen::MatrixXd::Identity(static_cast<Eigen::Index>(size), static_cast<Eigen::Index>(size));
    for (std::size_t k = 0; k < n; ++k)
      for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j)
          t(static_cast<Eigen::Index>(6 * k + 3 + i), static_cast<Eigen::Index>(6 * k + 3 + j)) =
              axes[static_cast<std::size_t>(part.nodes[k])][i][j];
    using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    const auto turned = [&](const std::vector<double>& m) -> Eigen::MatrixXd {
      const Eigen::Index count = static_cast<Eigen::Index>(size);
      const Eigen::MatrixXd whole = t * Eigen::Map<const RowMajor>(m.data(), count, count) * t.transpose();
      return (whole + whole.transpose()) / 2;
    };
    const Eigen::MatrixXd k = turned(part.stiffness), m = turned(part.mass);
    for (std::size_t a = 0; a < size; ++a)
      for (std::size_t b = 0; b < size; ++b) {
        const int row = 6 * part.nodes[a / 6] + static_cast<int>(a % 6),
                  column = 6 * part.nodes[b / 6] + static_cast<int>(b % 6);
        stiffness.emplace_back(row, column, k(static_cast<Eigen::Index>(a), static_cast<Eigen::Index>(b)));
        mass.emplace_back(row, column, m(static_cast<Eigen::Index>(a), static_cast<Eigen::Index>(b)));
      }
  }
  s.stiffness.resize(s.size(), s.size()), s.mass.resize(s.size(), s.size());
  s.stiffness.setFromTriplets(stiffness.begin(), stiffness.end());
  s.mass.setFromTriplets(mass.begin(), mass.end());
  return s;
}

std::array<std::vector<double>, 6> ElementStructure::cut_rows(int element, int node) const {
  const Part& part = parts[static_cast<std::size_t>(element)];
  const std::size_t n = part.nodes.size(), size = 6 * n, own = 6 * static_cast<std::size_t>(node);
  const auto axes = [&](std::size_t k) {
    return math::rotation_matrix(nodes[static_cast<std::size_t>(part.nodes[k])].quaternion);
  };
  std::array<std::vector<double>, 6> rows;
  const math::Matrix3 R = axes(static_cast<std::size_t>(node));
  for (std::size_t i = 0; i < 6; ++i) {
    // the force in the node's axes
    std::vector<double> local(size);
    for (std::size_t c = 0; c < size; ++c)
      for (std::size_t j = 0; j < 3; ++j)
        local[c] += i < 3 ? R[j][i] * part.stiffness[(own + j) * size + c]
                          : (i - 3 == j ? part.stiffness[(own + 3 + j) * size + c] : 0);
    // over turns in the body's axes
    rows[i] = local;
    for (std::size_t k = 0; k < n; ++k) {
      const math::Matrix3 A = axes(k);
      for (std::size_t a = 0; a < 3; ++a) {
        rows[i][6 * k + 3 + a] = 0;
        for (std::size_t b = 0; b < 3; ++b) rows[i][6 * k + 3 + a] += local[6 * k + 3 + b] * A[a][b];
      }
    }
  }
  return rows;
}

}  // namespace coenergy::domains::flexible
