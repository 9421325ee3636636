#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "coenergy/model/model.hpp"

namespace coenergy::app {

/// The hierarchy of a flat model, one line for each instance and component, indented by depth. Elements of an array
/// that look alike are one line: `s1 … s30`.
std::string make_tree_text(const model::Model& flat);

/// The same as nested objects: name, type, inside.
nlohmann::json make_tree_json(const model::Model& flat);

}  // namespace coenergy::app
