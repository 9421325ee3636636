#include "coenergy/fmi/description.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>

#include <pugixml.hpp>

#include "coenergy/base/error.hpp"

namespace coenergy::fmi {
namespace {

class Reader {
 public:
  Reader(const std::filesystem::path& folder, std::string fmu) : fmu_(std::move(fmu)) {
    std::ifstream file(folder / "modelDescription.xml", std::ios::binary);
    if (!file) throw Error({fmu_}, "it has no modelDescription.xml");
    text_.assign(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
    const pugi::xml_parse_result parsed = document_.load_buffer(text_.data(), text_.size());
    if (!parsed) fail(parsed.offset, parsed.description());
  }

  Description read() {
    const pugi::xml_node root = document_.child("fmiModelDescription");
    if (!root) fail(0, "the root element must be fmiModelDescription");
    Description d;
    d.version_text = root.attribute("fmiVersion").value();
    d.version = d.version_text == "2.0" ? 2 : d.version_text.starts_with("3.0") ? 3 : 0;
    if (d.version == 0) fail(root.offset_debug(), "fmiVersion \"" + d.version_text + "\" is neither 2.0 nor 3.0");
    d.model = root.attribute("modelName").value();
    d.token = root.attribute(d.version == 2 ? "guid" : "instantiationToken").value();
    d.tool = root.attribute("generationTool").value();
    d.description = root.attribute("description").value();
    d.event_indicators = root.attribute("numberOfEventIndicators").as_int();
    d.exchange = read_interface(root.child("ModelExchange"), d.version);
    d.cosimulation = read_interface(root.child("CoSimulation"), d.version);
    for (const pugi::xml_node unit : root.child("UnitDefinitions").children("Unit")) d.units.push_back(read_unit(unit));
    read_types(root.child("TypeDefinitions"), d.version);
    for (const pugi::xml_node variable : root.child("ModelVariables").children())
      if (variable.type() == pugi::node_element) d.variables.push_back(read_variable(variable, d.version));
    for (std::size_t k = 0; k < d.variables.size(); ++k) by_reference_.emplace(d.variables[k].reference, int(k));
    if (d.version == 3)
      for (Variable& v : d.variables)
        if (v.derivative_of >= 0) v.derivative_of = find(static_cast<std::uint32_t>(v.derivative_of));
    read_structure(root.child("ModelStructure"), d);
    const pugi::xml_node experiment = root.child("DefaultExperiment");
    const auto number = [&](const char* name) {
      const pugi::xml_attribute a = experiment.attribute(name);
      return a ? std::optional(a.as_double()) : std::nullopt;
    };
    d.start_time = number("startTime"), d.stop_time = number("stopTime");
    d.tolerance = number("tolerance"), d.step = number("stepSize");
    return d;
  }

 private:
  int line_of(std::ptrdiff_t offset) const {
    return 1 + static_cast<int>(std::count(text_.begin(),
                                           text_.begin() + std::min<std::ptrdiff_t>(offset, std::ssize(text_)), '\n'));
  }
  [[noreturn]] void fail(std::ptrdiff_t offset, const std::string& text) const {
    throw Error({fmu_ + "/modelDescription.xml", line_of(offset)}, text);
  }

  static std::optional<Interface> read_interface(const pugi::xml_node& node, int version) {
    if (!node) return std::nullopt;
    Interface i;
    i.identifier = node.attribute("modelIdentifier").value();
    i.needs_tool = node.attribute("needsExecutionTool").as_bool();
    i.saves_state = node.attribute(version == 2 ? "canGetAndSetFMUstate" : "canGetAndSetFMUState").as_bool();
    i.serialises_state = node.attribute(version == 2 ? "canSerializeFMUstate" : "canSerializeFMUState").as_bool();
    i.has_directional_derivatives =
        node.attribute(version == 2 ? "providesDirectionalDerivative" : "providesDirectionalDerivatives").as_bool();
    i.variable_step = node.attribute("canHandleVariableCommunicationStepSize").as_bool();
    i.has_event_mode = node.attribute("hasEventMode").as_bool();
    return i;
  }

  static Unit read_unit(const pugi::xml_node& node) {
    Unit unit{node.attribute("name").value()};
    const pugi::xml_node base = node.child("BaseUnit");
    unit.has_base = static_cast<bool>(base);
    int k = 0;
    for (const char* name : {"kg", "m", "s", "A", "K", "mol", "cd", "rad"})
      unit.exponents[k++] = base.attribute(name).as_int();
    unit.factor = base.attribute("factor").as_double(1), unit.offset = base.attribute("offset").as_double(0);
    return unit;
  }

  /// Units that variables take from their declared type.
  void read_types(const pugi::xml_node& types, int version) {
    for (const pugi::xml_node type : types.children()) {
      const pugi::xml_node real = version == 2 ? type.child("Real") : type;
      if (const pugi::xml_attribute unit = real.attribute("unit"))
        type_units_[type.attribute("name").value()] = unit.value();
    }
  }

  Variable read_variable(const pugi::xml_node& node, int version) {
    static const std::map<std::string, std::string> words{{"Real", "Float64"},
                                                          {"Integer", "Int32"},
                                                          {"Boolean", "Boolean"},
                                                          {"String", "String"},
                                                          {"Enumeration", "Int64"}};
    Variable v;
    pugi::xml_node typed = node;
    v.type = node.name();
    if (version == 2) {
      for (const pugi::xml_node child : node.children())
        if (words.count(child.name()) != 0) typed = child, v.type = words.at(child.name());
    }
    v.line = line_of(node.offset_debug());
    v.name = node.attribute("name").value(), v.description = node.attribute("description").value();
    const pugi::xml_attribute reference = node.attribute("valueReference");
    if (!reference) fail(node.offset_debug(), "variable " + v.name + " has no valueReference");
    v.reference = reference.as_uint();
    v.causality = node.attribute("causality").as_string("local");
    const bool real = v.type == "Float64" || v.type == "Float32";
    const bool fixed =
        v.causality == "parameter" || v.causality == "calculatedParameter" || v.causality == "structuralParameter";
    v.variability = node.attribute("variability")
                        .as_string(fixed && version == 3 ? "fixed"
                                   : real                ? "continuous"
                                                         : "discrete");
    if (v.variability.empty()) v.variability = "continuous";
    v.start = typed.attribute("start").value();
    if (const pugi::xml_node start = typed.child("Start")) v.start = start.attribute("value").as_string("");
    has_start_ = typed.attribute("start") || typed.child("Start");
    if (has_start_ && v.start.empty()) v.start = " ";
    v.unit = typed.attribute("unit").value(), v.display_unit = typed.attribute("displayUnit").value();
    if (v.unit.empty())
      if (const auto declared = type_units_.find(typed.attribute("declaredType").value());
          declared != type_units_.end())
        v.unit = declared->second;
    v.initial = node.attribute("initial").as_string(default_initial(v));
    v.has_dimensions = static_cast<bool>(node.child("Dimension"));
    v.reinitialises = typed.attribute("reinit").as_bool();
    if (const pugi::xml_attribute of = typed.attribute("derivative"))
      v.derivative_of = of.as_int() - (version == 2 ? 1 : 0);
    return v;
  }

  static const char* default_initial(const Variable& v) {
    const bool changes = v.variability == "discrete" || v.variability == "continuous";
    if (v.causality == "parameter" || v.causality == "structuralParameter") return "exact";
    if (v.causality == "calculatedParameter") return "calculated";
    if (v.causality == "input" && changes) return "";
    if (v.causality == "output" || v.causality == "local") return v.variability == "constant" ? "exact" : "calculated";
    return "";
  }

  int find(std::uint32_t reference) const {
    const auto place = by_reference_.find(reference);
    return place == by_reference_.end() ? -1 : place->second;
  }

  void read_structure(const pugi::xml_node& structure, Description& d) const {
    const auto add = [&](const pugi::xml_node& node, std::vector<Unknown>& to) {
      Unknown u;
      u.line = line_of(node.offset_debug());
      u.variable = d.version == 2 ? node.attribute("index").as_int() - 1
                                  : find(static_cast<std::uint32_t>(node.attribute("valueReference").as_uint()));
      if (const pugi::xml_attribute list = node.attribute("dependencies")) {
        u.dependencies.emplace();
        std::istringstream words(list.value());
        for (long k; words >> k;)
          u.dependencies->push_back(d.version == 2 ? static_cast<int>(k) - 1 : find(static_cast<std::uint32_t>(k)));
      }
      std::istringstream kinds(node.attribute("dependenciesKind").value());
      for (std::string kind; kinds >> kind;) u.kinds.push_back(kind);
      to.push_back(std::move(u));
    };
    if (d.version == 2) {
      for (const auto& [name, to] : {std::pair("Outputs", &d.outputs), std::pair("Derivatives", &d.derivatives),
                                     std::pair("InitialUnknowns", &d.initial_unknowns)})
        for (const pugi::xml_node node : structure.child(name).children("Unknown")) add(node, *to);
      return;
    }
    for (const auto& [name, to] :
         {std::pair("Output", &d.outputs), std::pair("ContinuousStateDerivative", &d.derivatives),
          std::pair("InitialUnknown", &d.initial_unknowns), std::pair("EventIndicator", &d.indicators)})
      for (const pugi::xml_node node : structure.children(name)) add(node, *to);
    d.event_indicators = static_cast<int>(d.indicators.size());
  }

  std::string fmu_, text_;
  pugi::xml_document document_;
  std::map<std::string, std::string> type_units_;
  std::map<std::uint32_t, int> by_reference_;
  bool has_start_ = false;
};

}  // namespace

int Description::find(const std::string& name) const {
  const auto place =
      std::find_if(variables.begin(), variables.end(), [&](const Variable& v) { return v.name == name; });
  return place == variables.end() ? -1 : static_cast<int>(place - variables.begin());
}

Description read_description(const std::filesystem::path& folder, const std::string& fmu) {
  return Reader(folder, fmu).read();
}

}  // namespace coenergy::fmi
