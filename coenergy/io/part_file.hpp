#pragma once
#include <filesystem>

#include "coenergy/io/document.hpp"
#include "coenergy/model/model.hpp"

namespace coenergy::io {

/// Whether files that end so are SPICE netlists.
bool is_netlist_ending(const std::string& ending);

/// Reads a file by its ending: robots (.urdf, .mbs), Electran circuits, netlists (.cir, .sp, .net, .spice), else a model
/// file. What its reader has to tell is in the model's notes.
model::Model read_any_model(const std::filesystem::path& path, ErrorList* unknown_keys = nullptr);

/// A file as a part of another model. What belongs to a run of its own is left out: simulate, plots, cards of netlists,
/// and the gravity that readers of robots add.
///   netlist   parameters of .param; ports are nodes, by the netlist's names. With `subckt: name` one of its
///             subcircuits: ports are its pins, parameters its own and those of .param
///   robot     port base: what the root is fixed to (default ground); links and joints are its components
///   Electran  its elements, whose values `override: {R1.R: 5 ohm}` gives
///   model     its parameters and ports; its parts are NAME.part
/// `entry` is {file: …, subckt: …, ports: …, parameters: …, override: …, plots: …} of the part `name`. Parts of a model
/// file and its functions are added to `model`. The file is the last one of `open_files`.
model::Part read_part_file(const std::string& name, const Node& entry,
                           const std::vector<std::filesystem::path>& open_files, model::Model& model);

}  // namespace coenergy::io
