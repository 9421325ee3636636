#pragma once
#include <string>
#include <vector>

#include "coenergy/model/model.hpp"

namespace bench {

/// A stiff problem with published end values.
struct Problem {
  struct Value {
    std::string signal;
    double value;
  };
  std::string name;
  std::string example;  ///< file below examples/
  double t_end;         ///< s
  std::vector<Value> published;
  double times_as_fast;  ///< as IDA, that are asked for
  bool is_stiff = true;  ///< too stiff for explicit methods
  bool is_long = false;  ///< seconds for a run
};
const std::vector<Problem>& stiff_problems();

/// A point mass of 1 kg on a massless rod of 1 m, released from the horizontal; tolerances and steps are not given.
std::string pendulum();

/// N-four-bar (IFToMM A02), as text of a model: N + 1 upright bars of 1 m and 1 kg, N bars on top of them; the top B0 of
/// the first one starts upright with 1 m/s along x.
std::string four_bars(int windows, const std::string& formulation);
/// x and y of B0 at a time, to round-off: the mechanism has one degree of freedom, θ̈ = g S sin θ / J from the upright.
struct Place {
  double x, y;
};
Place find_four_bar(int windows, double t);

/// A chain of bodies on hinges whose axes turn by 30° from one to the next, released in a slack curve.
std::string chain(int bodies, const std::string& formulation);

}  // namespace bench
