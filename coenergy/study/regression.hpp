#pragma once
#include <memory>
#include <string>
#include <vector>

#include "coenergy/model/model.hpp"
#include "coenergy/study/formulas.hpp"
#include "coenergy/study/measured.hpp"

namespace coenergy::study {

/// Parameters of formulas from measured columns, without a run:
///
///   unknowns: {k: 10 N/m, b: 1 N.s/m}
///   residuals: ["m*ydd + b*yd + k*y = F"]      y, yd, ydd, F: columns of the data; m: a parameter of the model
///   identify: {columns: {yd: {derivative: y, order: 1, window: 20 ms}, Fs: {smooth: F, window: 20 ms}}}
///
/// Residuals that are linear in the unknowns are solved by QR at once. Columns that are made of others are values of the
/// polynomial of degree 3 that fits the samples of a window best, or its derivatives: a filter without delay, which is to
/// be used on both sides of an equation alike. They need times at even distances.
class Regression {
 public:
  /// `names`: the unknowns to be found, all without them; the others keep their guesses. Throws Error with every mistake
  /// of the model and of the data.
  Regression(const model::Model& model, const std::vector<Measured>& data, const std::vector<std::string>& names);
  ~Regression();
  bool is_linear() const;
  Identification identify(const IdentifyOptions& options);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace coenergy::study
