#pragma once
#include <nlohmann/json.hpp>

#include "apps/coenergy/answer_report.hpp"
#include "coenergy/control/linear_system.hpp"

namespace coenergy::app {

nlohmann::json matrices_of(const control::LinearSystem& system);  ///< A, B, C, D

/// `margins`, `bode` and `root_locus` of a loop of one input and output that is closed by −1.
void add_loop(nlohmann::json& answer, const control::LinearSystem& loop);
/// `poles`, `zeros`, `channels` with num, den, zeros, gain, and of stable ones norms and step measures.
void add_analysis(nlohmann::json& answer, const control::LinearSystem& plant, const analyze::StateSpace& names);
/// A note where samples are slower than what they are to control.
void add_slow_sample_note(nlohmann::json& answer, const control::LinearSystem& plant, double period);

void print_design(const nlohmann::json& answer);
Report report_design(const nlohmann::json& answer);  ///< Bode with margins, Nyquist, root locus, poles

}  // namespace coenergy::app
