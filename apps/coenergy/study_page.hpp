#pragma once
#include <nlohmann/json.hpp>
#include <vector>

#include "coenergy/io/report.hpp"
#include "coenergy/study/design.hpp"
#include "coenergy/study/measures.hpp"
#include "coenergy/study/settings.hpp"

namespace coenergy::app {

/// The page of a study: statistics, histograms, measures over each parameter, and what each parameter is responsible
/// for. `sampled`: rows of settings and measures.
Report make_study_page(const nlohmann::json& answer, const study::Design& design, const study::Settings& settings,
                       const std::vector<study::RunMeasure>& measures, const std::vector<std::vector<double>>& sampled);

}  // namespace coenergy::app
