#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "coenergy/domains/standard.hpp"
#include "coenergy/io/model_file.hpp"
#include "coenergy/model/expand.hpp"

namespace coenergy::tests {

/// The model of a file with its parts written out, as it is compiled.
inline model::Model read_flat(const std::string& file) {
  return model::expand(io::read_model(file), domains::make_standard_registry());
}

/// The models among the examples. Files that others include are no models: they use names of the file around them.
inline std::vector<std::string> example_files() {
  // the hinge of one takes control.y of four_bar_pid.yaml, one holds parts and no components, one leaves its coils open
  const std::set<std::string> parts = {"linkage.yaml", "axis.yaml", "vehicle.yaml"};
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(COENERGY_SOURCE_DIR "/examples"))
    if (entry.path().extension() == ".yaml" && !parts.contains(entry.path().filename().string()))
      files.push_back(entry.path().string());
  std::sort(files.begin(), files.end());
  return files;
}

class EveryExample : public testing::TestWithParam<std::string> {};

/// "scara", "scara_scara_sampled": folders may hold models of one name.
inline std::string name_of(const testing::TestParamInfo<std::string>& info) {
  const std::filesystem::path file(info.param);
  const std::string folder = file.parent_path().filename().string();
  const std::string stem = file.stem().string();
  return folder == stem ? stem : folder + "_" + stem;
}

}  // namespace coenergy::tests
