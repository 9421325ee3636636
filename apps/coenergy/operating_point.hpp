#pragma once
#include <nlohmann/json_fwd.hpp>

#include "apps/coenergy/verbs.hpp"
#include "coenergy/solve/options.hpp"

namespace coenergy::app {

/// A compiled model at the point where it is to be linearised.
struct OperatingPoint {
  compile::Compiled compiled;
  equations::Evaluator evaluator;
  equations::Point point;
  std::string kind;                          ///< start, time, equilibrium, steady
  std::vector<std::string> notes;            ///< what a reader of the linear model must know, in JSON of the file too
  std::vector<std::string> inputs, outputs;  ///< as the arguments say, else as the model declares

  std::string text() const;  ///< "operating point: the start of the run, t = 0 s"
};

/// Consistent start, a time of a run, static equilibrium or steady speeds, as the arguments say; there, inputs that
/// follow expressions are cut open. Throws Error where there is none.
OperatingPoint find_operating_point(const LinearizeArguments& arguments);

/// The continuous equivalent of a sampled model, where `wanted`. Throws Error where there are no samples.
void check_averaged(const equations::System& system, bool wanted);
constexpr const char* averaged_text =
    "averaged: samples as continuous laws with the delays of their holds, for what is slow against {:.12g} s\n";

/// "start", "time", "equilibrium" or "steady", and the same in words.
std::string kind_of(const PointArguments& arguments);
std::string describe_point(const std::string& kind, double t);

/// The point alone of a model that is ready, for what computes with it again and again.
equations::Point find_point(equations::Evaluator& evaluator, solve::Options options, const PointArguments& arguments);

/// What every answer about an operating point begins with: version, model, notes, the point, and what was opened.
nlohmann::json begin_answer(const OperatingPoint& at, const std::string& file);

/// Refuses points that contradict each other or lie outside of the run.
void check_point(const PointArguments& arguments, const solve::Options& options);

}  // namespace coenergy::app
