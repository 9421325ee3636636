#pragma once
#include "coenergy/symbolic/expr.hpp"

namespace coenergy::compile {

/// Roots in a branch whose condition keeps what is under them from being negative: `v > 0 V ? sqrt(v/1 V) : -sqrt(-v/1 V)`.
///
/// A branch is left at a located event, and steps that find it look beyond it, where √u has no value. With u = c (a − b),
/// c > 0, in the branch for a > b, √max(u, 0) is the same wherever the branch holds and has a value beyond it. Roots
/// of anything else stay as they are: without a value where the user's condition allows a negative one.
symbolic::Expr keep_guarded_roots(symbolic::Graph& graph, symbolic::Expr e);

}  // namespace coenergy::compile
