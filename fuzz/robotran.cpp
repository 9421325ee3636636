// Robotran models, as XML and as text, as read_robotran tells them apart.
#include "coenergy/io/robotran.hpp"
#include "fuzz/reader.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return read_bytes(data, size, [](std::string_view text) {
    const bool is_xml = text.find('<') != std::string_view::npos;
    is_xml ? coenergy::io::parse_robotran_xml(text, "/nowhere/fuzz.mbs")
           : coenergy::io::parse_robotran_text(text, "/nowhere/fuzz.mbs");
  });
}
