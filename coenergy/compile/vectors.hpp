#pragma once
#include "coenergy/compile/component_values.hpp"

namespace coenergy::compile {

/// Vector signals. Where c has the outputs y1, y2, …, or where c1.y, c2.y, … are there of an array, the name c.y stands for all
/// of them in the items of lists that may vary: an item written with it becomes one item for each element, element by
/// element. Several vectors in one item must have as many elements each; single signals and numbers go with all of them:
///
///   u: [m.y, 3]          is  u: [m.y1, m.y2, 3]
///   u: "2*m.y - r.y"     is  u: ["2*m.y1 - r.y1", "2*m.y2 - r.y2"]
///
/// How many outputs there are follows from the entries of c, without its equations, so that vectors may go round in loops.
void expand_vectors(BoundModel& bound, const ModelParameters& parameters, ErrorList& errors);

}  // namespace coenergy::compile
