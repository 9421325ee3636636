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
///
/// A function of several values, with a context that is made once of some numbers, is called by its values law_1, law_2, …:
///
///   functions:
///     law: {library: ./law.so, arguments: 3, values: 2, context: [1.5, 0.2]}
///
///   void* law_create(const double* numbers, int count);         with `context`
///   void law_destroy(void* context);
///   void law(const void* context, const double* x, double* y);  all values; the context is null where there is none
///   void law_jacobian(const void* context, const double* x, double* j);   ∂y_i/∂x_k at i·arguments + k; else differences
///
/// What it gives depends on its arguments and the context alone. States and memories are arguments (blocks.Custom).
model::UserFunctions load_user_functions(const model::Model& model, ErrorList& errors);

}  // namespace coenergy::compile
