#pragma once
#include <filesystem>

#include "coenergy/io/document.hpp"
#include "coenergy/model/model.hpp"

namespace coenergy::io {

// What sections of a model file and of a part have in common.

model::Value to_value(const Node& node);
/// Named values; a later one of the same name takes the place of the earlier one.
void read_named_values(const Node& value, const char* what, model::Entries& values);
/// One entry of `components`. Mistakes are noted; what can be read is.
model::Component read_component(const Node::Entry& entry, ErrorList& errors);
std::vector<model::Component> read_components(const Node& value, ErrorList& errors);
/// Lists of signals, and {x:, y:, title:, unit:, x_unit:}.
std::vector<model::Plot> read_plots(const Node& value, ErrorList& errors);
/// Ports as a list of nodes or a mapping. A port that is a `signal` is a parameter without a default.
void read_ports(const Node& value, std::vector<model::Port>& ports, model::Entries& parameters);

/// The path of a file that is named in another, or an error that says why it cannot be read; `verb` is what is done
/// with it ("include").
std::filesystem::path find_file(const Node& item, const std::filesystem::path& folder, const char* verb);

}  // namespace coenergy::io
