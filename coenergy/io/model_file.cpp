#include "coenergy/io/model_file.hpp"

#include <algorithm>

#include "coenergy/io/document.hpp"

namespace coenergy::io {

using model::Model;
using model::Value;

namespace {

Value to_value(const Node& node) {
  Value value;
  value.where = node.is_scalar() ? node.text_where : node.where;
  switch (node.kind) {
    case Node::Kind::scalar:
      value.text = node.text;
      break;
    case Node::Kind::sequence:
      value.kind = Value::Kind::list;
      for (const Node& item : node.items) value.list.push_back(to_value(item));
      break;
    case Node::Kind::mapping:
      value.kind = Value::Kind::map;
      for (const Node::Entry& entry : node.entries) value.map.emplace_back(entry.key, to_value(entry.value));
      break;
  }
  return value;
}

/// Reads one file and, through include, others, into the same model.
class ModelReader {
 public:
  explicit ModelReader(Model& model) : model_(model) {}

  void read(const Node& document, const std::filesystem::path& folder) {
    check_keys(
        document,
        {"model", "include", "parameters", "functions", "components", "formulation", "energy", "simulate", "plots"},
        "a model file", errors_);
    for (const Node::Entry& entry : document.to_mapping("a model file")) {
      try {
        read_entry(entry, folder);
      } catch (const Error& e) {
        errors_.add(e);
      }
    }
  }

  void finish() const { errors_.throw_if_any(); }

  std::vector<std::filesystem::path> open_files;

 private:
  void read_entry(const Node::Entry& entry, const std::filesystem::path& folder) {
    const Node& value = entry.value;
    if (entry.key == "model") {
      if (model_.title.empty() || open_files.size() <= 1) model_.title = value.to_text("model");
    } else if (entry.key == "include") {
      read_includes(value, folder);
    } else if (entry.key == "parameters") {
      read_named_values(value, "parameters", model_.parameters);
    } else if (entry.key == "functions") {
      read_named_values(value, "functions", model_.functions);
    } else if (entry.key == "components") {
      for (const Node::Entry& component : value.to_mapping("components")) read_component(component);
    } else if (entry.key == "formulation") {
      model_.formulation = value.to_text("formulation");
      model_.formulation_where = value.where;
    } else if (entry.key == "energy") {
      model_.energy = value.to_bool("energy");
    } else if (entry.key == "simulate" && open_files.size() <= 1) {
      for (const Node::Entry& option : value.to_mapping("simulate"))
        model_.simulate.emplace_back(option.key, to_value(option.value));
    } else if (entry.key == "plots" && open_files.size() <= 1) {
      read_plots(value);
    }
  }

  void read_includes(const Node& value, const std::filesystem::path& folder) {
    if (value.is_scalar()) return include(value, folder);
    for (const Node& item : value.to_sequence("include")) include(item, folder);
  }

  void include(const Node& item, const std::filesystem::path& folder) {
    const std::filesystem::path path = (folder / item.to_text("include")).lexically_normal();
    if (std::find(open_files.begin(), open_files.end(), path) != open_files.end())
      throw Error(item.where, path.string() + " includes itself");
    if (!std::filesystem::exists(path))
      throw Error(item.where, "cannot include " + path.string() + ": there is no such file");
    if (std::filesystem::is_directory(path))
      throw Error(item.where, "cannot include " + path.string() + ": it is a folder");
    constexpr std::size_t deepest = 50;
    if (open_files.size() > deepest)
      throw Error(item.where, "cannot include " + path.string() + ": files include each other more than " +
                                  std::to_string(deepest) + " deep");
    open_files.push_back(path);
    read(read_document(path), path.parent_path());
    open_files.pop_back();
  }

  /// A later value of the same name takes the place of the earlier one.
  static void read_named_values(const Node& value, const char* what,
                                std::vector<std::pair<std::string, Value>>& values) {
    if (value.is_null()) return;
    for (const Node::Entry& entry : value.to_mapping(what)) {
      auto same = [&](const auto& p) { return p.first == entry.key; };
      auto place = std::find_if(values.begin(), values.end(), same);
      if (place == values.end())
        values.emplace_back(entry.key, to_value(entry.value));
      else
        place->second = to_value(entry.value);
    }
  }

  void read_component(const Node::Entry& entry) {
    const Node* type = entry.value.find("type");
    if (type == nullptr || !type->is_scalar()) {
      errors_.add(entry.where, entry.key + " has no type; write " + entry.key + ": {type: electrical.Resistor, …}");
      return;
    }
    model::Component& c = model_.add(entry.key, type->text, {});
    c.where = entry.where;
    c.type_where = type->where;
    for (const Node::Entry& item : entry.value.entries)
      if (item.key != "type") {
        c.values.emplace_back(item.key, to_value(item.value));
        if (item.value.is_null())
          errors_.add(item.where, entry.key + "." + item.key + " has no value");
        else if (item.value.is_mapping() || item.value.is_sequence())
          c.values.back().second.where = item.value.where;
      }
  }

  void read_plots(const Node& value) {
    for (const Node& group : value.to_sequence("plots")) {
      std::vector<std::string> names;
      auto add = [&](const Node& name) {
        names.push_back(name.to_text("a plotted signal"));
        model_.plot_values.push_back(to_value(name));
      };
      if (group.is_scalar())
        add(group);
      else
        for (const Node& name : group.to_sequence("a plot")) add(name);
      model_.plots.push_back(std::move(names));
    }
  }

  Model& model_;
  ErrorList errors_;
};

Model read(const Node& document, const std::filesystem::path& path) {
  Model model;
  model.file = path.string();
  ModelReader reader(model);
  reader.open_files.push_back(path.lexically_normal());
  reader.read(document, path.parent_path());
  reader.finish();
  return model;
}

}  // namespace

Model read_model(const std::filesystem::path& path) { return read(read_document(path), path); }
Model parse_model(std::string_view text, const std::string& file) { return read(parse_document(text, file), file); }

Value parse_value(std::string_view text, const std::string& source) {
  const std::size_t first = std::min(text.find_first_not_of(' '), text.size());
  const bool is_nested = text.substr(first).starts_with('[') || text.substr(first).starts_with('{');
  Value value = is_nested ? to_value(parse_document(text, source)) : Value(std::string(text));
  value.where = {source};
  return value;
}

}  // namespace coenergy::io
