// Model files: the document, the model, and a value as --set gives it. What was read can be written and read again.
#include "coenergy/io/model_file.hpp"
#include "coenergy/io/model_writer.hpp"
#include "fuzz/reader.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return read_bytes(data, size, [](std::string_view text) {
    using namespace coenergy;
    const std::size_t half = text.find('\1');
    model::Model model = io::parse_model(text.substr(0, half), "/nowhere/fuzz.yaml");
    if (half != std::string_view::npos) model.set("x.y", io::parse_value(text.substr(half + 1), "--set x.y"));
    const std::string written = io::to_model_text(model);
    try {
      io::parse_model(written, "written.yaml");
    } catch (const Error&) {
      __builtin_trap();
    }
  });
}
