// Meshes: a letter tells which kind of file the rest is.
#include "coenergy/io/mesh_file.hpp"
#include "fuzz/reader.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return read_bytes(data, size, [](std::string_view text) {
    const bool is_obj = text.starts_with('o');
    coenergy::io::parse_mesh(text.substr(text.empty() ? 0 : 1), is_obj ? ".obj" : ".stl");
  });
}
