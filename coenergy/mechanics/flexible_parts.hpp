#pragma once
#include <string>
#include <utility>
#include <vector>

#include "coenergy/model/multibody.hpp"

namespace coenergy::mechanics {

/// What a flexible body said it is made of, recorded.
class FlexibleParts : public model::FlexibleBody {
 public:
  /// `make_parameter` makes a parameter of a number.
  FlexibleParts(symbolic::Graph& graph, std::function<symbolic::Expr(double)> make_parameter)
      : graph_(&graph), make_parameter_(std::move(make_parameter)) {}

  struct Node {
    std::array<double, 3> position;
    std::array<double, 4> quaternion;
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
  int add_node(std::array<double, 3> position, std::array<double, 4> quaternion) override {
    nodes.push_back({position, quaternion});
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
  void add_shape_polyline(std::vector<int> at, double radius) override { lines.push_back({std::move(at), radius}); }

  std::vector<Node> nodes;
  std::vector<std::pair<std::string, int>> frames;
  std::vector<Part> elements;
  std::vector<Cut> cuts;
  std::vector<Line> lines;

 private:
  symbolic::Graph* graph_;
  std::function<symbolic::Expr(double)> make_parameter_;
};

}  // namespace coenergy::mechanics
