#pragma once
#include "tests/inline_model.hpp"

namespace coenergy::tests {

/// A model with what `check` tells of its circuits.
inline compile::Compiled compile(const model::Model& model) {
  return compile::compile(model, domains::make_standard_registry());
}
inline compile::Compiled compile(const std::string& text) { return compile(io::parse_model(text, "m.yaml")); }

}  // namespace coenergy::tests
