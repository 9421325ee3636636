#pragma once
#include <filesystem>

#include "coenergy/io/report.hpp"
#include "coenergy/mechanics/scene.hpp"
#include "coenergy/solve/result.hpp"

namespace coenergy::io {

/// Puts the pictures of a model into a report, moved by the signals of a run: shapes of bodies, springs and struts,
/// small marks where joints are, and rods from the joints to the centre of mass of a body that has no shape of its own.
/// Forces given to bodies, and reactions of joints where they are recorded, are arrows of a common scale.
/// Meshes are read from files found from `folder`; one that cannot be read is a message.
///
/// Up is against gravity; z without it.
void add_scene(Report& report, const mechanics::Scene& scene, const solve::Result& result,
               const std::filesystem::path& folder);

/// The signals that the pictures follow, as far as the model has them: poses of bodies and nodes.
std::vector<std::string> scene_signals(const mechanics::Scene& scene);
/// Those of forces.
std::vector<std::string> force_signals(const mechanics::Scene& scene);

}  // namespace coenergy::io
