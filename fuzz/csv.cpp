// Tables: results, motions, paths.
#include "coenergy/io/csv.hpp"
#include "fuzz/reader.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return read_bytes(data, size, [](std::string_view text) { coenergy::io::parse_csv(text, "fuzz.csv"); });
}
