#pragma once
#include <map>
#include <string>
#include <vector>

#include "coenergy/model/multibody.hpp"
#include "coenergy/structures/component_modes.hpp"

namespace coenergy::domains::flexible {

/// The nodes and elements of a flexible body, its parameters being numbers, as a linear structure about its relaxed shape:
/// six freedoms for each node, in the axes of the body.
///
///   K = ∂(f, τ)/∂(x, θ),   M = ∂(f, τ)/∂(ẍ, α)   of the elements' equations at rest, by differentiation
class ElementStructure : public model::FlexibleBody {
 public:
  symbolic::Graph& graph() override { return graph_; }
  int add_node(std::array<double, 3> position, std::array<double, 4> quaternion, const model::Expr& size) override;
  void add_frame(const std::string& name, int node) override { frames.emplace_back(name, node); }
  void add_element(const std::string& key, std::vector<int> nodes, std::vector<model::Expr> parameters,
                   const std::function<void(Element&)>& make) override;
  model::Expr add_value(double value) override { return value; }
  void add_cut(const std::string& name, int element, int node, double sign) override {
    cuts.push_back({name, element, node, sign});
  }
  void add_shape_polyline(std::vector<int> at, double r) override { line = std::move(at), radius = r; }
  void set_modal(model::ModalBody) override {}

  structures::Structure assemble() const;
  /// Force and torque, in axes of the node, that an element takes at its local node: rows over its freedoms.
  std::array<std::vector<double>, 6> cut_rows(int element, int node) const;

  struct Node {
    std::array<double, 3> position;
    std::array<double, 4> quaternion;
  };
  struct Cut {
    std::string name;
    int element, node;
    double sign;
  };
  std::vector<Node> nodes;
  std::vector<std::pair<std::string, int>> frames;
  std::vector<Cut> cuts;
  std::vector<int> line;
  double radius = 0;
  struct Part {
    std::vector<int> nodes;
    std::vector<double> stiffness, mass;  ///< 6n by 6n: world displacements, turns in the node's axes
  };
  std::vector<Part> parts;

 private:
  symbolic::Graph graph_;
  std::map<std::string, Part> known_;  ///< by what decides on the matrices
};

}  // namespace coenergy::domains::flexible
