#pragma once
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "coenergy/compile/compile.hpp"
#include "coenergy/domains/standard.hpp"
#include "coenergy/io/model_file.hpp"
#include "coenergy/io/simulation_options.hpp"
#include "coenergy/solve/simulate.hpp"

namespace coenergy::tests {

using Settings = std::vector<std::pair<std::string, std::string>>;

/// The model `examples/<folder>/<name>.yaml`, with entries changed as by --set.
inline model::Model read_example(const std::string& folder, const std::string& name, const Settings& set = {}) {
  model::Model model = io::read_model(std::string(COENERGY_SOURCE_DIR "/examples/") + folder + "/" + name + ".yaml");
  for (const auto& [path, value] : set) model.set(path, value);
  return model;
}

inline equations::System compile_model(const model::Model& model) {
  return compile::compile(model, domains::make_standard_registry()).system;
}

/// Runs a model with its own options, or with those given.
inline solve::Result run_model(const model::Model& model, const solve::Options& options) {
  solve::Result result = solve::simulate(compile_model(model), options);
  EXPECT_EQ(result.status, solve::Status::done) << result.text;
  return result;
}
inline solve::Result run_model(const model::Model& model) {
  return run_model(model, io::read_simulation_options(model));
}

/// Value of a signal in the first row at a time that was recorded.
inline double value_at(const solve::Result& result, const std::string& signal, double time) {
  const std::vector<double> values = result.signal(signal);
  for (std::size_t i = 0; i < values.size(); ++i)
    if (std::abs(result.times[i] - time) < 1e-9 * std::max(1e-3, time)) return values[i];
  ADD_FAILURE() << "no row at " << time << " s";
  return 0;
}

}  // namespace coenergy::tests
