#pragma once
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "coenergy/model/multibody.hpp"

namespace coenergy::mechanics {

/// What a flexible body said it is made of, recorded.
class FlexibleParts : public model::FlexibleBody {
 public:
  /// `make_parameter` makes a parameter of a number, `value_of` tells the number of a parameter.
  FlexibleParts(symbolic::Graph& graph, std::function<symbolic::Expr(double)> make_parameter,
                std::function<double(const symbolic::Expr&)> value_of)
      : graph_(&graph), make_parameter_(std::move(make_parameter)), value_of_(std::move(value_of)) {}

  struct Node {
    std::array<double, 3> position;
    std::array<double, 4> quaternion;
    std::array<double, 3> place = {};  ///< position = size · place
    symbolic::Expr size = 1;
  };
  struct Part {
    std::string key;
    std::vector<int> nodes;
    std::vector<symbolic::Expr> parameters;
    std::function<void(Element&)> make;
  };
  struct Cut {
    std::string name;
    int element, node;
    double sign;
  };
  struct Line {
    std::vector<int> nodes;
    double radius;
  };

  symbolic::Graph& graph() override { return *graph_; }
  int add_node(std::array<double, 3> place, std::array<double, 4> quaternion, const symbolic::Expr& size) override {
    const double value = size.is_number() ? size.number() : value_of_(size);
    nodes.push_back({{value * place[0], value * place[1], value * place[2]}, quaternion, place, size});
    return static_cast<int>(nodes.size()) - 1;
  }
  void add_frame(const std::string& name, int node) override { frames.emplace_back(name, node); }
  void add_element(const std::string& key, std::vector<int> at, std::vector<symbolic::Expr> parameters,
                   const std::function<void(Element&)>& make) override {
    elements.push_back({key, std::move(at), std::move(parameters), make});
  }
  symbolic::Expr add_value(double value) override { return make_parameter_(value); }
  void add_cut(const std::string& name, int element, int node, double sign) override {
    cuts.push_back({name, element, node, sign});
  }
  void add_shape_polyline(std::vector<int> at, double radius) override {
    double length = 0;
    for (std::size_t k = 1; k < at.size(); ++k) {
      const auto &a = nodes[at[k - 1]].position, &b = nodes[at[k]].position;
      length += std::hypot(b[0] - a[0], b[1] - a[1], b[2] - a[2]);
    }
    lines.push_back({std::move(at), radius > 0 ? radius : length / 50});
  }
  void set_modal(model::ModalBody) override {}  // told by the description

  std::vector<Node> nodes;
  std::vector<std::pair<std::string, int>> frames;
  std::vector<Part> elements;
  std::vector<Cut> cuts;
  std::vector<Line> lines;

 private:
  symbolic::Graph* graph_;
  std::function<symbolic::Expr(double)> make_parameter_;
  std::function<double(const symbolic::Expr&)> value_of_;
};

}  // namespace coenergy::mechanics
