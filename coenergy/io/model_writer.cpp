#include "coenergy/io/model_writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstring>

#include "coenergy/io/output_file.hpp"

namespace coenergy::io {

using model::Model;
using model::Value;

namespace {

/// Whether YAML reads the text back as it is, without quotes, also inside { } and [ ].
bool is_plain(const std::string& text) {
  if (text.empty() || text == "~" || text == "null") return false;
  const auto is_safe = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || std::strchr(" _.+-*/^()=<>", c) != nullptr;
  };
  // a minus, a star or an equals sign would mean something at the start
  const bool starts = std::isalnum(static_cast<unsigned char>(text.front())) != 0 || text.front() == '(' ||
                      (text.front() == '-' && text.size() > 1 && text[1] != ' ' && text[1] != '-');
  // what has no partner is taken for half of an expression that a comma divides
  int open = 0;
  for (const char c : text)
    if (open >= 0) open += (c == '(') - (c == ')');
  return starts && open == 0 && text.back() != ' ' && std::all_of(text.begin(), text.end(), is_safe);
}

/// The character of UTF-8 that begins at `i`, where YAML takes it in quotes as an escape only: control characters, line
/// breaks and marks of byte order; with the number of its bytes. 0 for all others.
std::pair<unsigned, int> find_escaped(const std::string& text, std::size_t i) {
  const auto byte = [&](std::size_t k) { return k < text.size() ? static_cast<unsigned char>(text[k]) : 0u; };
  const unsigned first = byte(i), second = byte(i + 1), third = byte(i + 2);
  if (first < 0x20 || first == 0x7f) return {first, 1};
  if (first == 0xc2 && second < 0xa0) return {second, 2};
  const unsigned code = (first & 0x0f) << 12 | (second & 0x3f) << 6 | (third & 0x3f);
  const bool is_mark = code == 0x2028 || code == 0x2029 || code == 0xfeff || code == 0xfffe || code == 0xffff;
  return (first & 0xf0) == 0xe0 && is_mark ? std::pair(code, 3) : std::pair(0u, 0);
}

std::string quote(const std::string& text) {
  if (is_plain(text)) return text;
  std::string quoted = "\"";
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto [code, length] = find_escaped(text, i);
    if (length > 0) {
      quoted += code == '\n' ? "\\n" : code == '\t' ? "\\t" : fmt::format("\\u{:04x}", code);
      i += static_cast<std::size_t>(length) - 1;
      continue;
    }
    if (text[i] == '"' || text[i] == '\\') quoted += '\\';
    quoted += text[i];
  }
  return quoted + "\"";
}

std::string to_text(const Value& value);

std::string to_text(const std::vector<std::pair<std::string, Value>>& entries) {
  std::string text;
  for (const auto& [key, value] : entries) text += (text.empty() ? "" : ", ") + quote(key) + ": " + to_text(value);
  return text;
}

std::string to_text(const Value& value) {
  switch (value.kind) {
    case Value::Kind::text:
      return quote(value.text);
    case Value::Kind::map:
      return "{" + to_text(value.map) + "}";
    case Value::Kind::list:
      break;
  }
  std::string items;
  for (const Value& item : value.list) items += (items.empty() ? "" : ", ") + to_text(item);
  return "[" + items + "]";
}

/// {type: electrical.Resistor, p: a, repeat: 3, …}.
std::string to_text(const model::Component& c) {
  model::Entries all{{"type", Value(c.type)}};
  all.insert(all.end(), c.values.begin(), c.values.end());
  const auto add = [&](const char* key, const model::Entries& entries) {
    if (entries.empty()) return;
    Value map;
    map.kind = Value::Kind::map;
    map.map = entries;
    all.emplace_back(key, std::move(map));
  };
  if (const model::Arrangement* a = c.arrangement.get()) {
    if (a->condition) all.emplace_back("if", *a->condition);
    if (a->repeat) all.emplace_back("repeat", *a->repeat);
    add("first", a->first);
    add("last", a->last);
    add("override", a->overrides);
  }
  return "{" + to_text(all) + "}";
}

std::string to_text(const model::Port& port) {
  if (!port.optional && !port.fallback) return quote(port.inner.text);
  return "{inner: " + quote(port.inner.text) + (port.optional ? ", optional: true" : "") +
         (port.fallback ? ", default: " + quote(port.fallback->text) : "") + "}";
}

/// [a, b], or {x: c, y: [a, b], title: …} where there is more to say.
std::string to_text(const model::Plot& plot) {
  const std::pair<const char*, const std::optional<Value>*> others[] = {
      {"x", &plot.x}, {"title", &plot.title}, {"unit", &plot.unit}, {"x_unit", &plot.x_unit}};
  std::string text = to_text(Value(plot.y)), more;
  for (const auto& [key, value] : others)
    if (*value) more += std::string(", ") + key + ": " + quote((*value)->text);
  return more.empty() ? text : "{y: " + text + more + "}";
}

/// Parts of other files have dots in their names.
std::string part_name(std::string name) {
  std::replace(name.begin(), name.end(), '.', '_');
  return name;
}

std::string to_text(const model::Part& part) {
  std::string text = "  " + quote(part_name(part.name)) + ":\n";
  if (!part.ports.empty()) text += "    ports:\n";
  for (const model::Port& port : part.ports) text += "      " + quote(port.name) + ": " + to_text(port) + "\n";
  if (!part.parameters.empty()) text += "    parameters:\n";
  for (const auto& [name, value] : part.parameters) text += "      " + quote(name) + ": " + to_text(value) + "\n";
  text += "    components:\n";
  for (const model::Component& c : part.components) text += "      " + quote(c.name) + ": " + to_text(c) + "\n";
  std::string plots;
  for (const model::Plot& plot : part.plots) plots += (plots.empty() ? "" : ", ") + to_text(plot);
  return text + (plots.empty() ? "" : "    plots: [" + plots + "]\n");
}

/// The model with names of parts that can be written, and with what files override in their places.
Model with_plain_parts(Model model) {
  const auto rename = [&](std::vector<model::Component>& components) {
    for (model::Component& c : components)
      if (model.find_part(c.type) != nullptr) c.type = part_name(c.type);
  };
  rename(model.components);
  for (model::Part& part : model.parts) {
    rename(part.components);
    Model inside;
    inside.parts = model.parts;
    inside.components = std::move(part.components);
    for (const auto& [path, value] : part.overrides) {
      Value placed = value;
      inside.set(path, std::move(placed));
    }
    part.components = std::move(inside.components);
    if (!inside.overrides.empty())
      throw Error(inside.overrides.front().second.where,
                  "override." + inside.overrides.front().first +
                      " is inside another part, which cannot be written; use the file itself");
  }
  return model;
}

}  // namespace

std::string to_model_text(const Model& hierarchy) {
  const Model model = hierarchy.parts.empty() ? hierarchy : with_plain_parts(hierarchy);
  std::string text;
  if (!model.title.empty()) text += "model: " + quote(model.title) + "\n";
  if (!model.parameters.empty()) text += "parameters:\n";
  for (const auto& [name, value] : model.parameters) text += "  " + quote(name) + ": " + to_text(value) + "\n";
  if (!model.functions.empty()) text += "functions:\n";
  for (const auto& [name, value] : model.functions) text += "  " + quote(name) + ": " + to_text(value) + "\n";
  if (!model.parts.empty()) text += "parts:\n";
  for (const model::Part& part : model.parts) text += to_text(part);
  if (!model.ports.empty()) text += "ports:\n";
  for (const model::Port& port : model.ports) text += "  " + quote(port.name) + ": " + to_text(port) + "\n";
  text += model.components.empty() ? "components: {}\n" : "components:\n";
  for (const model::Component& c : model.components) text += "  " + quote(c.name) + ": " + to_text(c) + "\n";
  if (!model.overrides.empty()) text += "override: {" + to_text(model.overrides) + "}\n";
  if (model.formulation != "auto") text += "formulation: " + quote(model.formulation) + "\n";
  if (model.energy) text += "energy: true\n";
  if (!model.simulate.empty()) text += "simulate: {" + to_text(model.simulate) + "}\n";
  for (const auto& [section, value] : model.problems) text += section + ": " + to_text(value) + "\n";
  if (!model.inputs.empty()) text += "inputs: " + to_text(Value(model.inputs)) + "\n";
  if (!model.outputs.empty()) text += "outputs: " + to_text(Value(model.outputs)) + "\n";
  std::string plots;
  for (const model::Plot& plot : model.plots) plots += (plots.empty() ? "" : ", ") + to_text(plot);
  if (!plots.empty()) text += "plots: [" + plots + "]\n";
  return text;
}

void write_model(const std::filesystem::path& path, const Model& model) { write_file(path, to_model_text(model)); }

}  // namespace coenergy::io
