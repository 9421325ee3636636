#pragma once
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "coenergy/model/model.hpp"

namespace coenergy::io {

/// What a SPICE netlist says, as a model, and what the model cannot hold.
struct Netlist {
  model::Model model;
  std::vector<std::string> notes;  ///< what was left out or understood in a particular way, with file and line
  std::map<std::string, std::string> nodes;  ///< the user's name of each node of the model
  struct AcSource {
    std::string component;
    double magnitude = 0, phase = 0;  ///< V or A, degrees
  };
  std::vector<AcSource> ac_sources;
  struct AcAnalysis {
    std::string spacing;  ///< dec, oct, lin
    int points = 0;
    double from = 0, to = 0;  ///< Hz
  };
  std::vector<AcAnalysis> ac;    ///< .ac cards
  bool operating_point = false;  ///< there is a .op card
};

/// Reads a netlist: title, comments (`*`, `;`, `$`), continuations (`+`), elements R L C K V I E F G H B D S W M Q X,
/// `.model`, `.param`, `.func`, `.subckt`, `.include`, `.lib`, `.ic`, `.op`, `.tran`, `.ac`, `.print`; no difference
/// between capital and small letters; node 0 is the ground.
///
/// An element keeps its name; one inside a subcircuit X1 is X1_R1, a node inside it X1_mid. Names of nodes that are no
/// identifiers become n_…: node 1 is n_1. Global parameters stay parameters of the model. `.tran` becomes the options
/// of the run. Parasitic resistors and capacitors of transistors become components of their own (M1_Cgs).
///
/// What is not understood is refused, every statement with its file, line and column; what does not matter for the
/// model (`.options`, `.control` blocks, …) is left out with a note.
Netlist read_netlist(const std::filesystem::path& path);
/// The same from a text; `file` names it in messages and is where includes are looked for.
Netlist parse_netlist(std::string_view text, const std::string& file);

model::Model read_spice(const std::filesystem::path& path);

}  // namespace coenergy::io
