// Expressions with units, and units alone: parsed, and evaluated with a few names that are signals, parameters, or both.
#include "coenergy/model/expression.hpp"
#include "coenergy/base/units.hpp"
#include "fuzz/reader.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace coenergy;
  read_bytes(data, size, [](std::string_view text) { parse_unit(std::string(text)); });
  return read_bytes(data, size, [](std::string_view text) {
    const model::Expression e = model::Expression::parse(std::string(text), {}, "R1.R");
    symbolic::Graph graph;
    const model::Scope scope = [&](const std::string& name) -> std::optional<model::Quantity> {
      if (name == "time") return model::Quantity{graph.symbol("time"), parse_unit("s").dimension, true, false};
      if (name == "a.v") return model::Quantity{graph.symbol("a.v"), parse_unit("V").dimension, true, false};
      if (name == "g" || name == "m") return model::Quantity{2.5, {}, false, false};
      return std::nullopt;
    };
    const model::Quantity value = e.evaluate(graph, scope, {"time", "a.v", "g", "m"});
    to_string(value.value);
  });
}
