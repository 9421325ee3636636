#pragma once
#include "coenergy/compile/compile.hpp"
#include "coenergy/io/report.hpp"
#include "coenergy/io/row_thinner.hpp"
#include "coenergy/model/model.hpp"
#include "coenergy/solve/options.hpp"
#include "coenergy/solve/result.hpp"

namespace coenergy::io {

/// The page of a run: plots the model asks for, the moving bodies, counts and statistics.
Report make_report(const model::Model& model, const compile::Compiled& compiled, const solve::Options& options,
                   const solve::Result& result);
/// The same of a run whose rows were thinned as they came; those of `result` are replaced.
Report make_report(const model::Model& model, const compile::Compiled& compiled, const solve::Options& options,
                   solve::Result result, const RowThinner& rows);

}  // namespace coenergy::io
