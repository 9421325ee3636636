#pragma once
#include <filesystem>
#include <string>
#include <string_view>

#include "coenergy/model/model.hpp"

namespace coenergy::io {

/// Reads a model file (YAML, JSON is a subset):
///
///   model: title                  what it is
///   include: [parts.yaml]         parameters and components of other files, relative to this one, before its own
///   parameters: {name: quantity}
///   components: {name: {type: electrical.Resistor, …}}
///   formulation: auto             of mechanisms: auto, relative, absolute
///   energy: true                  keep an energy account
///   simulate: {t_end: 2 s, …}     see solve::Options
///   plots: [[signal, signal], [signal]]
///
/// Every independent mistake is reported at once, with file, line and column.
model::Model read_model(const std::filesystem::path& path);
/// The same from a text; `file` names it in messages and is where includes are looked for.
model::Model parse_model(std::string_view text, const std::string& file);

/// One value as it would stand in a model file: `3.2 ohm`, `[0, 0, 1]`. `source` names it in messages.
model::Value parse_value(std::string_view text, const std::string& source);

}  // namespace coenergy::io
