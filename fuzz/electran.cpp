// Electran circuits.
#include "coenergy/io/electran.hpp"
#include "fuzz/reader.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return read_bytes(data, size,
                    [](std::string_view text) { coenergy::io::parse_electran(text, "/nowhere/fuzz.electran"); });
}
