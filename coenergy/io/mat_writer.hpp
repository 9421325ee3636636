#pragma once
#include "coenergy/io/result_writer.hpp"

namespace coenergy::io {

/// Whether this build writes .mat files.
bool has_matio();
[[noreturn]] void refuse_matio(const std::filesystem::path& path);

/// Matlab's format 5, which stores columns as wholes: rows are kept in memory until close(). A matrix of that format
/// holds 2³¹ bytes; a longer result is refused with the advice to take .h5.
std::unique_ptr<ResultWriter> make_mat_writer(const std::filesystem::path& path, const ResultHeader& header);

}  // namespace coenergy::io
