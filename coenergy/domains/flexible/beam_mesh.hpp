#pragma once
#include <vector>

#include "coenergy/domains/flexible/beam_axis.hpp"

namespace coenergy::domains::flexible {

/// Where the elements of a beam lie on its line and which nodes they have.
///
/// The line is cut at fractions of its length that must be nodes; every piece gets elements of equal length, the pieces
/// together as many as asked for, but each at least one.
struct BeamMesh {
  struct Element {
    double from, to;         ///< fractions of the length
    std::vector<int> nodes;  ///< in their order along the line
  };
  std::vector<Element> elements;
  std::vector<double> node_at;  ///< fraction of each node
  std::vector<BeamAxis::Section> nodes;

  /// `places` are those of the nodes in an element, 0 … 1.
  static BeamMesh make(const BeamAxis& axis, std::vector<double> cuts, int elements, const std::vector<double>& places);
  std::vector<BeamAxis::Section> nodes_of(const Element& element) const;
  int node_near(double fraction) const;
};

}  // namespace coenergy::domains::flexible
