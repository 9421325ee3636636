#include "coenergy/io/spice.hpp"

#include <fstream>
#include <sstream>

#include "coenergy/io/spice_expander.hpp"

namespace coenergy::io {

Netlist parse_netlist(std::string_view text, const std::string& file) {
  if (text.find('\0') != std::string_view::npos) throw Error({file}, "this is no text; a netlist was expected");
  ErrorList errors;
  Netlist netlist;
  netlist.model.file = file;
  const spice::Cards cards = spice::read_cards(text, file, errors);
  spice::Expander(cards, netlist, errors).run();
  if (errors.empty() && netlist.model.components.empty())
    errors.add({file}, "the netlist has no elements; its first line is the title");
  errors.throw_if_any();
  return netlist;
}

Netlist read_netlist(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream) throw Error("cannot read " + path.string() + ": there is no such file");
  std::stringstream text;
  text << stream.rdbuf();
  return parse_netlist(text.str(), path.string());
}

model::Model read_spice(const std::filesystem::path& path) { return read_netlist(path).model; }

}  // namespace coenergy::io
