#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "coenergy/base/state_archive.hpp"
#include "coenergy/equations/point_archive.hpp"
#include "coenergy/equations/system.hpp"
#include "coenergy/solve/options.hpp"

namespace coenergy::solve {

/// What tells one model from another: the names of its variables, the values of its parameters, and its equations by
/// what they give at a point.
struct ModelIdentity {
  std::vector<std::string> unknowns, discretes, parameters;
  std::vector<double> values;  ///< of the parameters, as the model gives them
  int configuration = 0;       ///< numbers in q
  std::uint64_t equations = 0;

  explicit ModelIdentity(equations::Evaluator& evaluator);
  ModelIdentity() = default;
  void visit(StateArchive& archive) { archive(unknowns, discretes, parameters, values, configuration, equations); }
};

/// The saved state of a run, in the order of its bytes: a word to know it by, a version, a check sum, and then
///   who     the model and the options
///   where   all variables at the instant, from which any other run of such a model can start
///   how     memory of the method, events, samples, inputs, rows so far: for the same run to go on
/// Numbers have the bytes of the machine: a state belongs to the build of the program that saved it.
struct SavedState {
  ModelIdentity model;
  std::vector<std::pair<std::string, std::string>> options;  ///< names and values as text
  equations::Point point;
  std::string rest;
  std::string besides;  ///< what the caller keeps with it

  std::string to_bytes() const;
  /// Throws Error for bytes that are no state, are damaged, or come from another version.
  static SavedState from_bytes(std::string_view bytes);
  /// The word, the version and the check sum of what follows, and that.
  static std::string with_head(const std::string& body);
};

/// Names and values of all options that the course of a run depends on; t_end is not among them.
std::vector<std::pair<std::string, std::string>> options_as_text(const Options& options);

/// Throws Error with the first difference and what to do: the same equations, parameters and options are needed to go
/// on with a run.
void check_same_run(const SavedState& state, const ModelIdentity& model, const Options& options);
/// Throws Error where the variables are not the same: then the point cannot start a run of this model.
void check_same_variables(const SavedState& state, const ModelIdentity& model);

}  // namespace coenergy::solve
