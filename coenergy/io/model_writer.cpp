#include "coenergy/io/model_writer.hpp"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <fstream>

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
  return starts && text.back() != ' ' && std::all_of(text.begin(), text.end(), is_safe);
}

std::string quote(const std::string& text) {
  if (is_plain(text)) return text;
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    if (c == '\n')
      quoted += "\\n";
    else if (c == '\t')
      quoted += "\\t";
    else
      quoted += c;
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

}  // namespace

std::string to_model_text(const Model& model) {
  std::string text;
  if (!model.title.empty()) text += "model: " + quote(model.title) + "\n";
  if (!model.parameters.empty()) text += "parameters:\n";
  for (const auto& [name, value] : model.parameters) text += "  " + name + ": " + to_text(value) + "\n";
  if (!model.functions.empty()) text += "functions:\n";
  for (const auto& [name, value] : model.functions) text += "  " + name + ": " + to_text(value) + "\n";
  text += model.components.empty() ? "components: {}\n" : "components:\n";
  for (const model::Component& c : model.components)
    text +=
        "  " + quote(c.name) + ": {type: " + quote(c.type) + (c.values.empty() ? "" : ", ") + to_text(c.values) + "}\n";
  if (model.formulation != "auto") text += "formulation: " + quote(model.formulation) + "\n";
  if (model.energy) text += "energy: true\n";
  if (!model.simulate.empty()) text += "simulate: {" + to_text(model.simulate) + "}\n";
  std::string plots;
  for (const auto& group : model.plots)
    plots += (plots.empty() ? "" : ", ") + to_text(std::vector<Value>(group.begin(), group.end()));
  if (!plots.empty()) text += "plots: [" + plots + "]\n";
  return text;
}

void write_model(const std::filesystem::path& path, const Model& model) {
  errno = 0;
  std::ofstream file(path, std::ios::binary);
  file << to_model_text(model);
  if (!file.flush())
    throw Error(path.string() + ": cannot write this file: " + std::strerror(errno != 0 ? errno : EIO));
}

}  // namespace coenergy::io
