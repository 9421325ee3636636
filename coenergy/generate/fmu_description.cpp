#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "coenergy/base/units.hpp"
#include "coenergy/base/version.hpp"
#include "coenergy/equations/data.hpp"
#include "coenergy/generate/fmu.hpp"

namespace coenergy::generate {

namespace {

std::string escape(const std::string& text) {
  std::string out;
  for (const char c : text) switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        if (static_cast<unsigned char>(c) >= 32) out += c;
    }
  return out;
}

std::string number(double value) { return fmt::format("{:.17g}", value); }

/// Angles are shown in degrees.
constexpr const char* degree = R"(<DisplayUnit name="deg" factor="57.295779513082323"/>)";

std::string describe_units(const std::vector<FmuVariable>& variables) {
  std::set<std::string> units;
  for (const FmuVariable& v : variables)
    if (!v.unit.empty()) units.insert(v.unit);
  std::string text;
  for (const std::string& name : units) {
    text += fmt::format("    <Unit name=\"{}\">\n", escape(name));
    if (const std::optional<Unit> unit = find_unit(name)) {
      const char* const base[] = {"m", "kg", "s", "A", "K", "mol", "cd"};
      std::string powers;
      for (std::size_t k = 0; k < 7; ++k)
        if (unit->dimension.exponent[k] != 0) powers += fmt::format(" {}=\"{}\"", base[k], unit->dimension.exponent[k]);
      if (name == "rad") powers += " rad=\"1\"";
      if (unit->factor != 1) powers += fmt::format(" factor=\"{}\"", number(unit->factor));
      if (unit->offset != 0) powers += fmt::format(" offset=\"{}\"", number(unit->offset));
      text += fmt::format("      <BaseUnit{}/>\n", powers);
    }
    if (name == "rad") text += fmt::format("      {}\n", degree);
    text += "    </Unit>\n";
  }
  return text.empty() ? "" : "  <UnitDefinitions>\n" + text + "  </UnitDefinitions>\n";
}

class Description {
 public:
  Description(const SystemCode& code, const FmuRequest& request)
      : code_(code), request_(request), variables_(list_variables(code)) {
    // indicators are variables of version 3 alone
    if (request.version == 2) std::erase_if(variables_, [](const FmuVariable& v) { return is_indicator(v); });
    for (std::size_t i = 0; i < variables_.size(); ++i) {
      index_[variables_[i].reference] = static_cast<int>(i) + 1;
      if (variables_[i].state >= 0) state_[variables_[i].state] = static_cast<int>(i);
    }
  }

  std::string text(const std::string& identifier, const std::string& token) const;

 private:
  static bool is_indicator(const FmuVariable& v) { return v.name.starts_with("event_indicator["); }
  std::string interfaces(const std::string& identifier) const;
  std::string attributes(const FmuVariable& v) const;
  std::string variable(const FmuVariable& v) const;
  std::string structure() const;
  std::string unknown(const char* element, const FmuVariable& v, bool with_dependencies) const;

  const SystemCode& code_;
  const FmuRequest& request_;
  std::vector<FmuVariable> variables_;
  std::map<int, int> index_;  // by reference, from 1
  std::map<int, int> state_;  // variable of each state
};

std::string Description::interfaces(const std::string& identifier) const {
  const bool old = request_.version == 2;
  const char* const state = old ? "canGetAndSetFMUstate=\"true\" canSerializeFMUstate=\"true\""
                                : "canGetAndSetFMUState=\"true\" canSerializeFMUState=\"true\"";
  const std::string derivatives = old ? "providesDirectionalDerivative=\"true\""
                                      : "providesDirectionalDerivatives=\"true\" providesAdjointDerivatives=\"true\"";
  const bool has_constraints = code_.system.nl() > 0;
  std::string text;
  const auto add = [&](const char* element, const std::string& more) {
    text += fmt::format("  <{} modelIdentifier=\"{}\" {} {}{}", element, identifier, state, derivatives, more);
    text += old ? fmt::format(
                      ">\n    <SourceFiles>\n      <File name=\"{0}.c\"/>\n      <File name=\"fmi2.c\"/>\n    "
                      "</SourceFiles>\n  </{1}>\n",
                      identifier, element)
                : std::string("/>\n");
  };
  const std::string step = old ? " completedIntegratorStepNotNeeded=\"" : " needsCompletedIntegratorStep=\"";
  if (request_.model_exchange) add("ModelExchange", step + (has_constraints == old ? "false\"" : "true\""));
  if (request_.co_simulation) add("CoSimulation", " canHandleVariableCommunicationStepSize=\"true\"");
  return text;
}

std::string Description::attributes(const FmuVariable& v) const {
  std::string text;
  if (!v.unit.empty()) text += fmt::format(" unit=\"{}\"", escape(v.unit));
  if (v.unit == "rad") text += " displayUnit=\"deg\"";
  if (v.nominal != 1 && v.state >= 0) text += fmt::format(" nominal=\"{}\"", number(std::abs(v.nominal)));
  if (v.has_start) text += fmt::format(" start=\"{}\"", number(v.start));
  if (v.state >= 0) text += " reinit=\"true\"";
  return text;
}

std::string Description::variable(const FmuVariable& v) const {
  const std::string initial = *v.initial == 0 ? "" : fmt::format(" initial=\"{}\"", v.initial);
  const std::string head = fmt::format("name=\"{}\" valueReference=\"{}\" causality=\"{}\" variability=\"{}\"{}",
                                       escape(v.name), v.reference, v.causality, v.variability, initial);
  const int state = v.derivative < 0 ? -1 : state_.at(v.derivative);
  if (request_.version == 2) {
    const std::string derivative = state < 0 ? "" : fmt::format(" derivative=\"{}\"", state + 1);
    return fmt::format("    <ScalarVariable {}>\n      <Real{}{}/>\n    </ScalarVariable>\n", head, attributes(v),
                       derivative);
  }
  const std::string derivative = state < 0 ? "" : fmt::format(" derivative=\"{}\"", variables_[state].reference);
  return fmt::format("    <Float64 {}{}{}/>\n", head, attributes(v), derivative);
}

std::string Description::unknown(const char* element, const FmuVariable& v, bool with_dependencies) const {
  const bool old = request_.version == 2;
  std::string text = fmt::format("    {}<{} {}=\"{}\"", old ? "  " : "", old ? "Unknown" : element,
                                 old ? "index" : "valueReference", old ? index_.at(v.reference) : v.reference);
  if (with_dependencies) {
    std::vector<int> list;
    for (const int reference : v.dependencies) list.push_back(old ? index_.at(reference) : reference);
    const std::vector<std::string> kinds(list.size(), "dependent");
    text += fmt::format(" dependencies=\"{}\" dependenciesKind=\"{}\"", fmt::join(list, " "), fmt::join(kinds, " "));
  }
  return text + "/>\n";
}

std::string Description::structure() const {
  const bool old = request_.version == 2;
  std::string outputs, derivatives, initial, indicators;
  std::map<int, const FmuVariable*> derivative_of;
  for (const FmuVariable& v : variables_) {
    const std::string causality = v.causality;
    if (causality == "output") outputs += unknown("Output", v, true);
    if (v.derivative >= 0) derivative_of[v.derivative] = &v;
    if (is_indicator(v)) indicators += unknown("EventIndicator", v, true);
    if (causality == "output" || causality == "calculatedParameter" || v.state >= 0 || v.derivative >= 0)
      initial += unknown("InitialUnknown", v, false);
  }
  // in the order of the states
  for (const auto& [state, v] : derivative_of) derivatives += unknown("ContinuousStateDerivative", *v, true);
  if (!old) return "  <ModelStructure>\n" + outputs + derivatives + initial + indicators + "  </ModelStructure>\n";
  const auto group = [](const char* name, const std::string& list) {
    return list.empty() ? std::string() : fmt::format("    <{0}>\n{1}    </{0}>\n", name, list);
  };
  return "  <ModelStructure>\n" + group("Outputs", outputs) + group("Derivatives", derivatives) +
         group("InitialUnknowns", initial) + "  </ModelStructure>\n";
}

std::string Description::text(const std::string& identifier, const std::string& token) const {
  const bool old = request_.version == 2;
  std::string title = code_.request.model.empty() ? identifier : code_.request.model;
  std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  text += fmt::format(
      "<fmiModelDescription fmiVersion=\"{}\" modelName=\"{}\" {}=\"{}\" generationTool=\"coenergy {}\" "
      "variableNamingConvention=\"structured\"{}>\n",
      old ? "2.0" : "3.0", escape(title), old ? "guid" : "instantiationToken", token, version,
      old ? fmt::format(" numberOfEventIndicators=\"{}\"", code_.indicator_reads.size()) : "");
  text += interfaces(identifier) + describe_units(variables_);
  text +=
      "  <LogCategories>\n    <Category name=\"logStatusError\" description=\"why a call failed\"/>\n  "
      "</LogCategories>\n";
  const solve::Options& o = code_.request.options;
  text +=
      fmt::format("  <DefaultExperiment startTime=\"{}\" stopTime=\"{}\" tolerance=\"1e-09\"{}/>\n", number(o.t_start),
                  number(o.t_end), o.output_step > 0 ? fmt::format(" stepSize=\"{}\"", number(o.output_step)) : "");
  text += "  <ModelVariables>\n";
  for (const FmuVariable& v : variables_) text += variable(v);
  return text + "  </ModelVariables>\n" + structure() + "</fmiModelDescription>\n";
}

}  // namespace

std::string describe_fmu(const SystemCode& code, const FmuRequest& request, const std::string& identifier,
                         const std::string& token) {
  return Description(code, request).text(identifier, token);
}

}  // namespace coenergy::generate
