#pragma once
#include "coenergy/io/report.hpp"
#include "coenergy/model/model.hpp"
#include "coenergy/solve/options.hpp"
#include "coenergy/solve/result.hpp"
#include "coenergy/system/compile.hpp"

namespace coenergy::io {

/// The page of a run: plots the model asks for, the moving bodies, counts and statistics.
Report make_report(const model::Model& model, const system::Compiled& compiled, const solve::Options& options,
                   const solve::Result& result);

}  // namespace coenergy::io
