#pragma once
#include "coenergy/base/error.hpp"
#include "coenergy/model/model.hpp"
#include "coenergy/model/user_function.hpp"

namespace coenergy::compile {

/// Loads the functions of a model from their shared libraries:
///
///   functions:
///     drag: {library: ./tyre.so, arguments: [m/s, N], unit: N}
///
/// is the C function `double drag(const double* x)` of tyre.so beside the model file, another name by `symbol:`. Where
/// the library also has `double drag_derivative(const double* x, int k)`, that is ∂drag/∂xₖ; else derivatives are
/// differences. `arguments` may be their number instead of their units. A library runs code of its own: it is loaded where
/// model.libraries allows it, and only from the folder of the model file. Every independent mistake is added to `errors`.
model::UserFunctions load_user_functions(const model::Model& model, ErrorList& errors);

}  // namespace coenergy::compile
