#pragma once
#include "coenergy/compile/component_values.hpp"

namespace coenergy::compile {

/// Refuses entries that would have no effect beside the others of their component (model::Use): given all the same,
/// they are a misunderstanding.
void check_uses(const BoundComponent& bound, ErrorList& errors);

/// The same in words for the manual, "with law: lugre"; "" where an entry always has an effect.
std::string describe_uses(const model::Description& description, const model::ParameterInfo& info);

}  // namespace coenergy::compile
