#pragma once
#include <nlohmann/json.hpp>
#include <string>

#include "coenergy/analyze/modes.hpp"
#include "coenergy/compile/compile.hpp"
#include "coenergy/io/report.hpp"

namespace coenergy::app {

/// The page of a verb, from its answer as --json prints it (docs/json.md): title, notes, operating point.
Report begin_report(const std::string& verb, const nlohmann::json& answer);

Report report_response(const nlohmann::json& answer);  ///< of bode: magnitude and phase over frequency
Report report_poles(const nlohmann::json& answer);     ///< of modes: eigenvalues in their plane, and a table
Report report_sweep(const nlohmann::json& answer);     ///< of sweep: signals over the values
Report report_signals(const std::string& verb, const nlohmann::json& answer);  ///< of op and equilibrium: a table

/// Lets the bodies of the report swing: from second k − 1 to second k of the page's clock in mode k, twice to and fro.
void add_shapes(Report& report, const compile::Compiled& compiled, equations::Evaluator& evaluator,
                const equations::Point& at, const analyze::Modes& modes, int count, const std::string& model_file);

/// Writes a page; an error names the option.
void write_page(const std::string& path, const Report& report);

}  // namespace coenergy::app
