#pragma once
#include <filesystem>
#include <mutex>
#include <string>
#include <vector>

#include "coenergy/base/data_file.hpp"

namespace coenergy {

/// Whether this build reads and writes HDF5.
bool has_hdf5();
/// Refuses a file in a build without HDF5: "cannot read a.h5: this build …".
[[noreturn]] void refuse_hdf5(const char* verb, const std::filesystem::path& path);
/// The library of Debian may be called by one thread at a time.
std::mutex& hdf5_mutex();

/// All one-dimensional datasets of numbers in the root of a file, or those in `only`; they must be of one length. Their
/// attribute `unit` (or `units`) is the unit. The file of a run that was killed is read as far as it was written.
CsvData read_hdf5(const std::filesystem::path& path, const std::vector<std::string>& only = {});

}  // namespace coenergy
