// Robots in URDF.
#include "coenergy/io/urdf.hpp"
#include "fuzz/reader.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return read_bytes(data, size, [](std::string_view text) { coenergy::io::parse_urdf(text, "/nowhere/fuzz.urdf"); });
}
