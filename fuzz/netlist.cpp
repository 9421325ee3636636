// SPICE netlists, with subcircuits, functions and controls; and their operating point.
#include "coenergy/io/spice.hpp"
#include "fuzz/reader.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return read_bytes(data, size, [](std::string_view text) {
    coenergy::io::make_dc_model(coenergy::io::parse_netlist(text, "/nowhere/fuzz.cir"));
  });
}
