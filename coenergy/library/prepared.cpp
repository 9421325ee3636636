#include "coenergy/library/prepared.hpp"

#include "coenergy/base/names.hpp"
#include "coenergy/domains/standard.hpp"
#include "coenergy/io/simulation_options.hpp"
#include "coenergy/model/expand.hpp"

namespace coenergy::library {
namespace {

const model::Registry& registry() {
  static const model::Registry all = domains::make_standard_registry();
  return all;
}

model::Model flatten(const model::Model& model) { return is_hierarchical(model) ? expand(model, registry()) : model; }

}  // namespace

const char* word_of(Method method) {
  switch (method) {
    case Method::radau:
      return "radau";
    case Method::esdirk:
      return "esdirk";
    case Method::dopri:
      return "dopri";
    case Method::dop853:
      return "dop853";
    case Method::ida:
      return "ida";
    case Method::cvode:
      return "cvode";
    case Method::generalized_alpha:
      return "generalized-alpha";
    case Method::hht:
      return "hht";
    case Method::newmark:
      return "newmark";
    case Method::jansen:
      return "jansen";
    case Method::backward_euler:
      return "backward-euler";
    case Method::rk4:
      return "rk4";
    case Method::trapez:
      return "trapez";
    case Method::euler:
      return "euler";
  }
  return "";
}

std::shared_ptr<const Prepared> prepare(const model::Model& model, const std::vector<std::string>& inputs) {
  model::Model flat = flatten(model);
  compile::Compiled compiled = compile::compile(flat, registry(), {inputs});
  return std::make_shared<const Prepared>(Prepared{std::move(flat), std::move(compiled)});
}

solve::Options make_options(model::Model model, const Options& options) {
  const auto set = [&](const char* name, const std::string& text) {
    model::Value value(text);
    value.where.file = name;
    model.set(std::string("simulate.") + name, std::move(value));
  };
  const auto set_number = [&](const char* name, const std::optional<double>& number) {
    if (number) set(name, format_number(*number));
  };
  if (options.method) {
    model::Value method(word_of(*options.method));
    method.where.file = "method";
    io::change_method(model, method);
  }
  set_number("t_end", options.t_end);
  set_number("step", options.step);
  set_number("output_step", options.output_step);
  set_number("rtol", options.rtol);
  set_number("atol", options.atol);
  solve::Options read = io::read_simulation_options(model);
  if (!options.signals.empty()) read.signals = options.signals;
  read.check();
  return read;
}

}  // namespace coenergy::library
