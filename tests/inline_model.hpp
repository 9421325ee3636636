#pragma once
#include "tests/example_run.hpp"

namespace coenergy::tests {

/// Runs a model given as text up to t_end, accurately, with a row every 10 ms (or as given).
inline solve::Result run_text(const std::string& text, double t_end, double output_step = 0.01) {
  solve::Options options;
  options.t_end = t_end;
  options.method = "radau";
  options.rtol = options.atol = 1e-9;
  options.output_step = output_step;
  return run_model(io::parse_model(text, "m.yaml"), options);
}

/// What the user is told of a model that is wrong.
inline std::string error_of(const std::string& text) {
  try {
    compile_model(io::parse_model(text, "m.yaml"));
  } catch (const Error& e) {
    return e.what();
  }
  return "no error";
}

}  // namespace coenergy::tests
