#pragma once
#include <stdexcept>

#include "apps/coenergy/verbs.hpp"
#include "coenergy/base/error.hpp"
#include "coenergy/io/spice.hpp"
#include "coenergy/solve/options.hpp"

namespace coenergy::app {

/// The computation did not succeed although the model is in order (exit status 1).
struct Failure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Whether the file is a SPICE netlist, by its ending; all others are model files.
bool is_netlist(const std::string& file);

/// Reads the file and applies --set; parts and arrays are as the user wrote them. Throws Error.
model::Model load_hierarchy(const ModelArguments& arguments);

/// The same as a flat model: parts and arrays are expanded. Throws Error.
model::Model load_model(const ModelArguments& arguments);

/// The same of a netlist, with the analyses it asks for. A source whose value is set keeps it at rest.
io::Netlist load_netlist(const ModelArguments& arguments);

/// Throws where --set would change a function of time that no operating point sees.
void check_sets_at_rest(const ModelArguments& arguments, const io::Netlist& netlist);

/// A model of which an operating point is wanted: sources of a netlist have their dc values, and it starts at rest.
model::Model load_model_at_rest(const ModelArguments& arguments);

/// A model with all that is needed to work with it.
struct Prepared {
  model::Model model;
  solve::Options options;
  compile::Compiled compiled;
};

/// Reads the options of a run, compiles the model for the inputs and looks for the plotted signals. Throws Error with
/// every mistake.
Prepared prepare(model::Model model, const std::vector<std::string>& inputs = {});

/// The names that were given, else those the model declares.
std::vector<std::string> choose_names(const std::vector<std::string>& given, const std::vector<model::Value>& declared);

/// "opened: Ux.v (was curx.y)" of every input that was bound to an expression.
std::vector<std::string> describe_opened(const equations::System& system);

/// Does what is wanted with a prepared model; errors that only know names get their place in its file.
template <class Action>
auto with_places(const model::Model& model, Action&& action) {
  try {
    return action();
  } catch (const Error& e) {
    throw locate(e, model);
  }
}

}  // namespace coenergy::app
