#pragma once
#include <filesystem>
#include <string>
#include <string_view>

#include "coenergy/model/model.hpp"

namespace coenergy::io {

/// Reads an Electran circuit description: one value per line, lines that start with % are comments. In this order:
///
///   joint variable that drives the parameters (0: none), number of circuits, number of permanent magnets
///   of every circuit: number of elements; parent node and type (R L C U I) of each; number of loops, two nodes of
///   each; number of mutual influences, type (L or C) and two elements of each
///   of two circuits: number of mutual influences between them; type, element of the first, element of the second
///
/// Element k runs from its parent node to node k; the two nodes of a loop are the same. Node 0 is the root of its
/// circuit. Passive elements count from start to end; the voltage of a source rises from start to end, its current
/// flows from start to end. What stands behind a value on its line is an explanation.
///
/// The elements are named by type and number, over all circuits: R1, R2, L1 …; couplings M1 … and CM1 …, magnets
/// magnet1_L1 … for every inductor. The file has no values: they are given by `--set R1.R=5` and are asked for like any
/// missing entry. Throws Error with the line.
model::Model parse_electran(std::string_view text, const std::string& file);
model::Model read_electran(const std::filesystem::path& path);

}  // namespace coenergy::io
