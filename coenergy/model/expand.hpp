#pragma once
#include <cstddef>

#include "coenergy/model/model.hpp"
#include "coenergy/model/registry.hpp"

namespace coenergy::model {

struct ExpandOptions {
  std::size_t most_components = 1'000'000;  ///< of the flat model; more are refused where they would arise
};

/// Whether there are instances of parts, arrays, conditions or overrides.
bool is_hierarchical(const Model& model);

/// The same machine without parts and arrays: components are named by the way to them (`robot.x.motor`), elements of an
/// array by its name and their number (`s1`, `s2`, …), nodes inside an instance `robot.x.a`, its parameters
/// `robot.x.gear`. Texts of values stay as they are written: where they stand (Location::inside) tells, by
/// Model::scopes, what their names mean, so that an expression is the same in all instances. Connections and names of
/// other components become names of the flat model.
///
/// Throws all independent mistakes at once: unknown entries, missing parameters, ports that are not connected, parts
/// that contain themselves, counts and conditions that are no constants, overrides of nothing.
Model expand(const Model& model, const Registry& registry, const ExpandOptions& options = {});

/// Names of components and parameters: identifiers that mean nothing else in expressions, signals and settings.
void check_name(const char* what, const std::string& name, const Location& where,
                std::initializer_list<std::string_view> reserved, ErrorList& errors);

}  // namespace coenergy::model
