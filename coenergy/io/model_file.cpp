#include "coenergy/io/model_file.hpp"

#include <algorithm>
#include <set>

#include "coenergy/base/names.hpp"
#include "coenergy/io/document.hpp"
#include "coenergy/io/model_nodes.hpp"
#include "coenergy/io/part_file.hpp"

namespace coenergy::io {

using model::Model;
using model::Value;

namespace {

/// Reads one file and, through include, others, into the same model.
class ModelReader {
 public:
  /// `files` are open: the one to read, and before it those that use it.
  ModelReader(Model& model, std::vector<std::filesystem::path> files)
      : open_files(std::move(files)), model_(model), own_(open_files.size()) {}

  void read(const Node& document, const std::filesystem::path& folder) {
    check_keys(
        document,
        {"model", "include", "parameters", "functions", "parts", "ports", "components", "override", "formulation",
         "energy", "simulate", "plots", "inputs", "outputs", "unknowns", "residuals", "optimize", "identify"},
        "a model file", unknown_keys_);
    for (const Node::Entry& entry : document.to_mapping("a model file")) {
      try {
        read_entry(entry, folder);
      } catch (const Error& e) {
        errors_.add(e);
      }
    }
  }

  /// With `unknown_keys` only the other mistakes are thrown.
  void finish(ErrorList* unknown_keys = nullptr) {
    if (unknown_keys != nullptr && errors_.empty()) {
      *unknown_keys = unknown_keys_;
      return;
    }
    try {
      unknown_keys_.throw_if_any();
    } catch (const Error& e) {
      errors_.add(e);
    }
    errors_.throw_if_any();
  }

  std::vector<std::filesystem::path> open_files;

 private:
  void read_entry(const Node::Entry& entry, const std::filesystem::path& folder) {
    const Node& value = entry.value;
    if (entry.key == "model") {
      if (model_.title.empty() || open_files.size() <= own_) model_.title = value.to_text("model");
    } else if (entry.key == "include") {
      read_includes(value, folder);
    } else if (entry.key == "parameters") {
      read_named_values(value, "parameters", model_.parameters);
    } else if (entry.key == "functions") {
      read_named_values(value, "functions", model_.functions);
    } else if (entry.key == "components") {
      for (model::Component& c : read_components(value, errors_)) model_.components.push_back(std::move(c));
    } else if (entry.key == "parts") {
      read_parts(value, folder);
    } else if (entry.key == "ports") {
      read_own_ports(value);
    } else if (entry.key == "override") {
      read_named_values(value, "override", model_.overrides);
    } else if (entry.key == "formulation") {
      model_.formulation = value.to_text("formulation");
      model_.formulation_where = value.where;
    } else if (entry.key == "energy") {
      model_.energy = value.to_bool("energy");
    } else if (entry.key == "simulate" && open_files.size() <= own_) {
      for (const Node::Entry& option : value.to_mapping("simulate"))
        model_.simulate.emplace_back(option.key, to_value(option.value));
    } else if (entry.key == "unknowns" || entry.key == "residuals" || entry.key == "optimize" ||
               entry.key == "identify") {
      if (open_files.size() <= own_) model_.problems.emplace_back(entry.key, to_value(value));
    } else if (entry.key == "plots" && open_files.size() <= own_) {
      for (model::Plot& plot : read_plots(value, errors_)) model_.plots.push_back(std::move(plot));
    } else if (entry.key == "inputs" || entry.key == "outputs") {
      read_names(value, entry.key, entry.key == "inputs" ? model_.inputs : model_.outputs);
    }
  }

  /// One name or a list of names, each once.
  static void read_names(const Node& value, const std::string& what, std::vector<Value>& names) {
    const auto add = [&](const Node& name) {
      Value item = to_value(name);
      item.text = name.to_text(what);
      for (const Value& other : names)
        if (other.text == item.text) throw Error(item.where, what + ": " + item.text + " is named twice");
      names.push_back(std::move(item));
    };
    if (value.is_scalar()) return add(value);
    for (const Node& name : value.to_sequence(what.c_str())) add(name);
  }

  /// A file, a list of files, or {prefix: file}; also in a list.
  void read_includes(const Node& value, const std::filesystem::path& folder) {
    if (value.is_scalar()) return include(value, folder);
    if (value.is_mapping()) {
      for (const Node::Entry& entry : value.entries) include_parts(entry, folder);
      return;
    }
    for (const Node& item : value.to_sequence("include")) read_includes(item, folder);
  }

  void include(const Node& item, const std::filesystem::path& folder) {
    const Opened opened = open(item, folder);
    const std::filesystem::path path = open_files.back();
    refuse_other_kinds(item, path);
    read(read_document(path), path.parent_path());
  }

  /// A file is open until this is gone.
  struct Opened {
    explicit Opened(std::vector<std::filesystem::path>& f) : files(f) {}
    Opened(const Opened&) = delete;
    Opened& operator=(const Opened&) = delete;
    ~Opened() { files.pop_back(); }
    std::vector<std::filesystem::path>& files;
  };

  Opened open(const Node& item, const std::filesystem::path& folder) {
    const std::filesystem::path path = (folder / item.to_text("include")).lexically_normal();
    if (std::find(open_files.begin(), open_files.end(), path) != open_files.end())
      throw Error(item.where, path.string() + " includes itself");
    find_file(item, folder, "include");
    constexpr std::size_t deepest = 50;
    if (open_files.size() > deepest)
      throw Error(item.where, "cannot include " + path.string() + ": files include each other more than " +
                                  std::to_string(deepest) + " deep");
    open_files.push_back(path);
    return Opened(open_files);
  }

  /// What is no model file is told by its ending: its contents would be read as a strange text.
  static void refuse_other_kinds(const Node& item, const std::filesystem::path& path) {
    const std::string ending = path.extension().string();
    const std::string refusal = "cannot include " + path.string() + ": ";
    const char* kind = is_netlist_ending(ending)               ? "a netlist"
                       : ending == ".urdf" || ending == ".mbs" ? "a robot"
                       : ending == ".electran"                 ? "an Electran circuit"
                                                               : nullptr;
    if (kind != nullptr)
      throw Error(item.where,
                  refusal + "it is " + kind + "; use it as a part: parts: {Name: {file: " + item.text + "}}");
    if (ending == ".csv") throw Error(item.where, refusal + "it is a table of numbers, no model");
  }

  /// The parts of a file under a prefix. Its parameters are parameters of its parts, with their values as defaults.
  void include_parts(const Node::Entry& entry, const std::filesystem::path& folder) {
    if (!is_identifier(entry.key))
      throw Error(entry.where, "the prefix \"" + entry.key + "\" must be letters, digits and _");
    const Opened opened = open(entry.value, folder);
    refuse_other_kinds(entry.value, open_files.back());
    Model own;
    ModelReader reader(own, open_files);
    reader.read(read_document(open_files.back()), open_files.back().parent_path());
    reader.finish();
    if (!own.components.empty())
      throw Error(entry.value.where, open_files.back().string() +
                                         " has components of its own; use it as a part: parts: {" + entry.key +
                                         ": {file: " + entry.value.text + "}}");
    for (model::Part& part : own.parts)
      for (const auto& parameter : own.parameters) {
        const auto is_same = [&](const auto& p) { return p.first == parameter.first; };
        if (std::none_of(part.parameters.begin(), part.parameters.end(), is_same)) part.parameters.push_back(parameter);
      }
    std::vector<model::Component> none;
    add_parts(own, entry.key, none, model_);
  }

  void read_parts(const Node& value, const std::filesystem::path& folder) {
    if (value.is_null()) return;
    for (const Node::Entry& entry : value.to_mapping("parts")) {
      try {
        if (!is_identifier(entry.key))
          throw Error(entry.where,
                      "part name \"" + entry.key + "\" must be letters, digits and _, not starting with a digit");
        model_.parts.push_back(read_part(entry, folder));
      } catch (const Error& e) {
        errors_.add(e);
      }
    }
  }

  model::Part read_part(const Node::Entry& entry, const std::filesystem::path& folder) {
    entry.value.to_mapping("the part " + entry.key);
    if (entry.value.find("file") != nullptr) {
      const Opened opened = open(entry.value.at("file"), folder);
      return read_part_file(entry.key, entry.value, open_files, model_);
    }
    check_keys(entry.value, {"ports", "parameters", "components", "plots", "file", "subckt", "override"},
               "the part " + entry.key, errors_);
    model::Part part;
    part.name = entry.key;
    part.where = entry.where;
    for (const char* key : {"subckt", "override"})
      if (const Node* value = entry.value.find(key))
        errors_.add(value->where,
                    std::string(key) + " in the part " + entry.key + " needs a file, whose contents it means");
    if (const Node* ports = entry.value.find("ports")) read_ports(*ports, part.ports, part.parameters);
    if (const Node* values = entry.value.find("parameters")) read_named_values(*values, "parameters", part.parameters);
    if (const Node* components = entry.value.find("components"))
      part.components = read_components(*components, errors_);
    if (const Node* plots = entry.value.find("plots")) part.plots = read_plots(*plots, errors_);
    if (part.components.empty()) errors_.add(entry.where, "the part " + entry.key + " has no components");
    return part;
  }

  void read_own_ports(const Node& value) {
    model::Entries inputs;
    read_ports(value, model_.ports, inputs);
    for (auto& [name, input] : inputs) {
      const auto is_same = [&name = name](const auto& p) { return p.first == name; };
      if (std::none_of(model_.parameters.begin(), model_.parameters.end(), is_same))
        throw Error(input.where, "the signal " + name + " needs a value in parameters, for a run of this file alone");
    }
  }

  Model& model_;
  const std::size_t own_;  ///< files that are open while the file itself is read
  ErrorList errors_, unknown_keys_;
};

Model read(const Node& document, const std::filesystem::path& path, std::vector<std::filesystem::path> open_files,
           ErrorList* unknown_keys = nullptr) {
  Model model;
  model.file = path.string();
  ModelReader reader(model, std::move(open_files));
  reader.read(document, path.parent_path());
  reader.finish(unknown_keys);
  return model;
}

}  // namespace

Model read_model(const std::filesystem::path& path, ErrorList* unknown_keys) {
  return read(read_document(path), path, {path.lexically_normal()}, unknown_keys);
}

Model read_model_of_part(const std::vector<std::filesystem::path>& open_files) {
  Model model = read(read_document(open_files.back()), open_files.back(), open_files);
  return model;
}

Model parse_model(std::string_view text, const std::string& file) {
  return read(parse_document(text, file), file, {std::filesystem::path(file).lexically_normal()});
}

void add_parts(Model& from, const std::string& prefix, std::vector<model::Component>& users, Model& model) {
  std::set<std::string> names;
  for (const model::Part& part : from.parts) names.insert(part.name);
  const auto rename = [&](std::vector<model::Component>& components) {
    for (model::Component& c : components)
      if (names.count(c.type) != 0) c.type = prefix + "." + c.type;
  };
  rename(users);
  for (model::Part& part : from.parts) {
    rename(part.components);
    part.name = prefix + "." + part.name;
    model.parts.push_back(std::move(part));
  }
  for (auto& function : from.functions) {
    const auto is_same = [&](const auto& f) { return f.first == function.first; };
    const auto known = std::find_if(model.functions.begin(), model.functions.end(), is_same);
    if (known == model.functions.end())
      model.functions.push_back(function);
    else if (known->second.where.text() != function.second.where.text())
      throw Error(function.second.where, "function " + function.first + " is another one than that of " +
                                             known->second.where.text() + "; rename one of them");
  }
  model.notes.insert(model.notes.end(), from.notes.begin(), from.notes.end());
}

Value parse_value(std::string_view text, const std::string& source) {
  const std::size_t first = std::min(text.find_first_not_of(' '), text.size());
  const bool is_nested = text.substr(first).starts_with('[') || text.substr(first).starts_with('{');
  if (!is_nested) check_characters(text, source);
  Value value = is_nested ? to_value(parse_document(text, source)) : Value(std::string(text));
  value.where = {source};
  return value;
}

}  // namespace coenergy::io
