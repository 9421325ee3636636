#pragma once
#include <complex>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "apps/coenergy/load.hpp"
#include "apps/coenergy/messages.hpp"
#include "coenergy/math/matrix.hpp"

namespace coenergy::app {

/// What `--json` prints: one object for each call, which begins with `version`; of verbs that read a model with its
/// file as `model`, and with `notes`: of reading and of compiling it, and those that the verb adds.
nlohmann::json begin_answer();
nlohmann::json begin_answer(const std::string& file, const std::vector<std::string>& notes);
nlohmann::json begin_answer(const Prepared& prepared);

/// Notes of the file, and of its compilation.
std::vector<std::string> list_notes(const model::Model& model, const compile::Compiled& compiled);

void add_notes(nlohmann::json& answer, const std::vector<std::string>& notes);

/// An operating point: its kind as --at, --equilibrium and --steady name it, and the time at which sources are taken.
nlohmann::json make_point(const std::string& kind, double time);

/// "V/ohm": a unit by another; "V" where that is not known, as of a parameter of the model.
std::string unit_of(const std::string& upper, const std::string& lower);

/// "x (m)", or the name alone.
std::string name_and_unit(const std::string& name, const std::string& unit);

nlohmann::json rows_of(const math::Matrix& m);                        ///< rows
nlohmann::json pairs_of(const std::vector<std::complex<double>>& x);  ///< [re, im] each

/// Signals by name, and their units.
void add_signals(nlohmann::json& answer, const equations::System& system, std::span<const double> values);

}  // namespace coenergy::app
