#pragma once
#include <filesystem>
#include <string>
#include <string_view>

#include "coenergy/model/model.hpp"

namespace coenergy::io {

/// Reads a model file (YAML, JSON is a subset):
///
///   model: title                  what it is
///   include: [parts.yaml]         parameters, parts and components of other files, relative to this one, before its own;
///                                 {prefix: motors.yaml}: its parts alone, as prefix.Part
///   parameters: {name: quantity}
///   parts: {Axis: {ports: …, parameters: …, components: …}}   or {file: robot.urdf}; see docs/model-language.md
///   components: {name: {type: electrical.Resistor, …}}
///   override: {x.motor.R: 3 ohm}  entries inside instances and of elements of arrays
///   ports: [a, b]                 of the file as a part of another one
///   formulation: auto             of mechanisms: auto, relative, absolute
///   energy: true                  keep an energy account
///   simulate: {t_end: 2 s, …}     see solve::Options
///   plots: [[signal, signal], [signal]]
///   unknowns: {x: 0 m}            what the verb solve finds, with the
///   residuals: ["x^2 = 4 m^2"]    equations for it; see study/problem.hpp
///   optimize: {…}, identify: {…}  of the verbs of these names
///
/// Every independent mistake is reported at once, with file, line and column. With `unknown_keys` the model can be read
/// in spite of entries that nobody knows: those go there, to be told together with what else is wrong.
model::Model read_model(const std::filesystem::path& path, ErrorList* unknown_keys = nullptr);
/// The same from a text; `file` names it in messages and is where includes are looked for.
model::Model parse_model(std::string_view text, const std::string& file);

/// The same of a file that others use as a part: the last one of those that are open, none of which may be read again.
model::Model read_model_of_part(const std::vector<std::filesystem::path>& open_files);

/// Adds the parts of another model as prefix.Part, and its functions. Types that name them, in the parts themselves and
/// in `users`, are told so.
void add_parts(model::Model& from, const std::string& prefix, std::vector<model::Component>& users,
               model::Model& model);

/// One value as it would stand in a model file: `3.2 ohm`, `[0, 0, 1]`. `source` names it in messages.
model::Value parse_value(std::string_view text, const std::string& source);

}  // namespace coenergy::io
