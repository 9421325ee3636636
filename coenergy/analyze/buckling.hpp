#pragma once
#include <string>
#include <vector>

#include "coenergy/equations/system.hpp"

namespace coenergy::analyze {

/// The load at which a position of rest, followed from no load on, ceases to be stable.
///
/// The parameter p grows from zero. At every p the equilibrium is found from the one before, so that a perfect structure
/// stays on the path that it buckles from; the lowest eigenvalue μ of M⁻¹K (see Stability) is followed to zero, by secants
/// while it is positive and by halving once it is not. Where the path itself ends (a limit point: an arch that snaps
/// through) there is no equilibrium beyond, and the end is found by halving.
struct Buckling {
  bool good = false;
  std::string text;  ///< why no load was found
  double load = 0;   ///< value of the parameter
  bool is_limit_point = false;
  double lowest = 0;               ///< eigenvalue just below the load, 1/s²
  std::vector<std::string> names;  ///< of all coordinates …
  std::vector<double> shape;       ///< … and how they move as it gives way, the largest is 1
  equations::Point point;          ///< equilibrium just below the load
};

struct BucklingOptions {
  double scale = 1;         ///< a typical load: its sign says which way the load grows
  double farthest = 1000;   ///< times the scale: beyond it nothing buckles
  double tolerance = 1e-7;  ///< relative, of the load
};

/// `start`: a consistent point of the system. The parameter is left at the load.
Buckling find_buckling(equations::Evaluator& evaluator, const equations::Point& start, int parameter,
                       const BucklingOptions& options);

}  // namespace coenergy::analyze
