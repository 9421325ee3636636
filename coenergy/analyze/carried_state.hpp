#pragma once
#include <string>
#include <vector>

#include "coenergy/analyze/direction.hpp"
#include "coenergy/analyze/minimal_coordinates.hpp"
#include "coenergy/analyze/variation.hpp"

namespace coenergy::analyze {

struct Periodic;

/// What carries over from one instant of a run to all later ones, as numbers z about a point: a minimal set of
/// coordinates and their rates (see MinimalCoordinates), states without the energy account, and discrete variables that
/// remember what is continuous (see find_memory).
class CarriedState {
 public:
  CarriedState(equations::Evaluator& evaluator, const equations::Point& point);

  int size() const { return static_cast<int>(directions_.size()); }
  /// Start values that change with each z_i alone.
  const std::vector<Direction>& directions() const { return directions_; }
  std::vector<double> reduce(const Variation& v) const;  ///< δz
  /// z of `to` less z of `from`; of angles less whole turns, of instants that are remembered less the time between.
  std::vector<double> difference(const equations::Point& from, const equations::Point& to) const;
  std::vector<double> rates(const equations::Point& p) const;  ///< ż
  double scale(int i) const { return scales_[i]; }
  bool is_angle(int i) const;
  /// p moved by δz, on the constraints; false where no position fits.
  bool move(equations::Evaluator& evaluator, const std::vector<double>& dz, equations::Point& p) const;
  /// Names, units and values.
  void describe(const equations::Point& p, Periodic& result) const;
  std::vector<double> values(const equations::Point& p) const;

 private:
  equations::System system_;
  MinimalCoordinates minimal_;
  std::vector<int> states_, memory_;
  std::vector<char> instants_;  // of discrete variables: those that hold a time
  std::vector<Direction> directions_;
  std::vector<double> scales_;
};

}  // namespace coenergy::analyze
