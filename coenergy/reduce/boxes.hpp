#pragma once
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "coenergy/math/matrix.hpp"

namespace coenergy::reduce {

/// How values are approximated in a box, in local coordinates ξ = −1 … 1 (Brüls 2005, ch. 5.6).
///
///   quadratic   all monomials up to the second degree, least squares over the corners, the centre and the centres of the faces
///               (of one coordinate the ends, the centre and the places half-way between)
///   lagrange    products of quadratic polynomials through three places in each direction: continuous from box to box where
///               their grids match
enum class Fit { quadratic, lagrange };

/// What one box costs with s coordinates (table 5.1): operations of a value, numbers that are stored for it, configurations.
struct FitCost {
  int operations, numbers, configurations;
};
FitCost find_cost(Fit fit, int coordinates);

struct BoxOptions {
  Fit fit = Fit::lagrange;
  double tolerance = 0.003;   ///< of the error e, mean over the validation points
  std::vector<double> width;  ///< smallest of each coordinate: a box below twice of it is not divided
  /// e = ‖D (f − f̂)‖/‖D f‖: the weight of each value; empty: all one.
  std::vector<double> weights;
  std::function<void(int configurations, int boxes)> progress = {};
};

/// A vector of values over a region of configurations, as a binary tree of boxes with polynomials.
///
/// A box whose polynomial errs by more than the tolerance at the places half-way from its centre to its faces is halved, in the
/// direction in which the error grows most, and so is one in which a value could not be had. What cannot be divided any
/// more stays as inaccurate, or as invalid.
class BoxModel {
 public:
  enum class State { valid, inaccurate, invalid };
  struct Box {
    std::vector<double> low, high;
    State state = State::valid;
    double error = 0;
    int direction = -1, left = -1, right = -1;  ///< of a box that was divided
    math::Matrix coefficients;                  ///< monomials × values
  };
  /// Values at a configuration, nothing where there are none. A configuration is asked for once.
  using Sample = std::function<std::optional<std::vector<double>>(const std::vector<double>&)>;

  BoxModel(std::vector<double> low, std::vector<double> high, const Sample& sample, const BoxOptions& options);

  /// Throws Error outside of the region, and in invalid boxes.
  std::vector<double> evaluate(const std::vector<double>& at) const;
  const std::vector<Box>& boxes() const { return boxes_; }  ///< the tree, the first is its root
  int leaves() const;
  int leaves(State state) const;
  int configurations() const { return int(samples_.size()); }
  const std::map<std::vector<double>, std::optional<std::vector<double>>>& samples() const { return samples_; }
  /// Exponents of each coordinate, by monomial.
  const std::vector<std::vector<int>>& monomials() const { return monomials_; }
  const Box& find(const std::vector<double>& at) const;

 private:
  int build(std::vector<double> low, std::vector<double> high, const Sample& sample);
  const std::optional<std::vector<double>>& ask(std::vector<double> at, const Sample& sample);
  math::Matrix fit(const std::vector<std::vector<double>>& places,
                   const std::vector<std::vector<double>>& values) const;
  std::vector<double> value(const Box& box, const std::vector<double>& at) const;

  BoxOptions options_;
  int size_;
  std::vector<std::vector<int>> monomials_;
  std::vector<std::vector<double>> places_;  // of the design, local
  std::map<std::vector<double>, std::optional<std::vector<double>>> samples_;
  std::vector<Box> boxes_;
};

}  // namespace coenergy::reduce
