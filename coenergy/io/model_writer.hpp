#pragma once
#include <filesystem>
#include <string>

#include "coenergy/model/model.hpp"

namespace coenergy::io {

/// The model as the text of a model file; parse_model reads the same model from it: equal names, entries and texts in
/// equal order.
std::string to_model_text(const model::Model& model);

/// The same into a file. Throws an Error if it cannot be written.
void write_model(const std::filesystem::path& path, const model::Model& model);

}  // namespace coenergy::io
