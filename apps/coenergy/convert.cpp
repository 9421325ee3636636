#include <fmt/core.h>
#include <fmt/ranges.h>

#include <set>

#include "apps/coenergy/answer.hpp"
#include "coenergy/domains/standard.hpp"
#include "coenergy/io/model_writer.hpp"
#include "coenergy/model/expand.hpp"

namespace coenergy::app {

namespace {

/// The model of a netlist; what a model file has no place for is noted.
model::Model load_converted(const ModelArguments& arguments) {
  using Kind = io::Netlist::Analysis::Kind;
  io::Netlist netlist = load_netlist(arguments);
  std::set<std::string> left;
  for (const io::Netlist::Analysis& a : netlist.analyses)
    if (a.kind != Kind::transient) left.insert(a.kind == Kind::ac ? ".ac" : a.kind == Kind::dc ? ".dc" : ".op");
  if (!netlist.measures.empty()) left.insert(".meas");
  if (!netlist.steps.empty()) left.insert(".step");
  std::vector<std::string>& notes = netlist.model.notes;
  const std::size_t read = notes.size();
  if (!left.empty())
    notes.push_back(
        fmt::format("a model file has no place for {}: left out; the verbs op, ac, bode and sweep do the like",
                    fmt::join(left, ", ")));
  for (const io::Netlist::Source& source : netlist.sources)
    if (source.magnitude != 0)
      notes.push_back(source.component + ": its AC value is left out; name it as --input of ac or bode");
  for (std::size_t k = read; k < notes.size() && !arguments.json; ++k) print_note(stderr, notes[k]);
  return netlist.model;
}

}  // namespace

int convert(const ModelArguments& arguments, const std::string& output) {
  // what is written is what the user wrote, once it is known to be right
  model::Model model = is_netlist(arguments.file) ? load_converted(arguments) : load_hierarchy(arguments);
  const Prepared prepared = prepare(is_hierarchical(model) ? expand(model, domains::make_standard_registry()) : model);
  if (!output.empty() && !output.ends_with(".yaml"))
    throw Error("--output " + output + ": the file name must end with .yaml");
  if (!output.empty()) io::write_model(output, model);
  if (arguments.json) {
    nlohmann::json j = begin_answer(prepared);
    output.empty() ? j["text"] = io::to_model_text(model) : j["output"] = output;
    return print_answer(j);
  }
  if (output.empty()) fmt::print("{}", io::to_model_text(model));
  return 0;
}

}  // namespace coenergy::app
