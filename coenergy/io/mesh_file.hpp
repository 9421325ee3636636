#pragma once
#include <array>
#include <filesystem>
#include <string_view>
#include <vector>

namespace coenergy::io {

/// Triangles of a mesh for pictures: nine numbers each, x y z of three corners, in metres after the scale. Reads .stl
/// (binary and text) and .obj (faces of any number of corners). Throws Error naming the file where it cannot be read,
/// is of another kind, broken, or too large for a page (100,000 triangles).
std::vector<float> read_mesh(const std::filesystem::path& path, const std::array<double, 3>& scale = {1, 1, 1});
/// The same of the bytes of a file of a kind, ".stl" or ".obj".
std::vector<float> parse_mesh(std::string_view data, std::string_view kind,
                              const std::array<double, 3>& scale = {1, 1, 1});

}  // namespace coenergy::io
