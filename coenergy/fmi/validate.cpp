#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "coenergy/fmi/description.hpp"

namespace coenergy::fmi {
namespace {

/// Legal values of initial by causality and variability (FMI 2.0.4 §2.2.7, FMI 3.0.2 §2.4.7.5); "" stands for none.
/// Nothing: the pair itself is not legal.
const std::set<std::string>* legal_initials(const Variable& v) {
  static const std::set<std::string> exact{"exact"}, calculated{"calculated", "approx"},
      any{"exact", "calculated", "approx"}, none{""};
  const bool changes = v.variability == "discrete" || v.variability == "continuous";
  const bool rests = v.variability == "fixed" || v.variability == "tunable";
  if (v.causality == "parameter" || v.causality == "structuralParameter") return rests ? &exact : nullptr;
  if (v.causality == "calculatedParameter") return rests ? &calculated : nullptr;
  if (v.causality == "input") return changes ? &none : nullptr;
  if (v.causality == "output") return v.variability == "constant" ? &exact : changes ? &any : nullptr;
  if (v.causality == "local")
    return v.variability == "constant" ? &exact : rests ? &calculated : changes ? &any : nullptr;
  if (v.causality == "independent") return v.variability == "continuous" ? &none : nullptr;
  return nullptr;
}

class Validation {
 public:
  explicit Validation(const Description& d) : d_(d) {}

  std::vector<Finding> run() {
    check_interfaces();
    check_units();
    for (const Variable& v : d_.variables) check_variable(v);
    check_unique();
    check_derivatives();
    check_structure();
    std::stable_sort(found_.begin(), found_.end(), [](const Finding& a, const Finding& b) { return a.line < b.line; });
    return std::move(found_);
  }

 private:
  template <class... Values>
  void add(int line, fmt::string_view text, const Values&... values) {
    found_.push_back({line, fmt::vformat(text, fmt::make_format_args(values...))});
  }

  void check_interfaces() {
    if (!d_.exchange && !d_.cosimulation) add(0, "it offers neither model exchange nor co-simulation");
    for (const auto& i : {d_.exchange, d_.cosimulation})
      if (i && i->identifier.empty()) add(0, "an interface has no modelIdentifier");
    if (d_.model.empty()) add(0, "modelName is missing");
    if (d_.token.empty()) add(0, "{} is missing", d_.version == 2 ? "guid" : "instantiationToken");
    if (d_.variables.empty()) add(0, "ModelVariables is empty");
  }

  void check_units() {
    std::set<std::string> names;
    for (const Unit& u : d_.units)
      if (!names.insert(u.name).second) add(0, "the unit \"{}\" is defined twice", u.name);
  }

  void check_variable(const Variable& v) {
    if (v.name.empty()) add(v.line, "a variable has no name");
    static const std::set<std::string> causalities{"parameter",   "calculatedParameter", "input", "output", "local",
                                                   "independent", "structuralParameter"};
    static const std::set<std::string> variabilities{"constant", "fixed", "tunable", "discrete", "continuous"};
    if (causalities.count(v.causality) == 0) return add(v.line, "{}: unknown causality \"{}\"", v.name, v.causality);
    if (variabilities.count(v.variability) == 0)
      return add(v.line, "{}: unknown variability \"{}\"", v.name, v.variability);
    const bool real = v.type == "Float64" || v.type == "Float32";
    if (!real && v.variability == "continuous" && v.type != "String")
      add(v.line, "{}: only floating-point variables may be continuous; it is {}", v.name, v.type);
    const std::set<std::string>* initials = legal_initials(v);
    if (initials == nullptr)
      add(v.line, "{}: causality {} with variability {} is not legal", v.name, v.causality, v.variability);
    else if (initials->count(v.initial) == 0)
      add(v.line, "{}: initial \"{}\" is not legal with causality {} and variability {}", v.name, v.initial,
          v.causality, v.variability);
    const bool needs_start =
        v.initial == "exact" || v.initial == "approx" || v.causality == "input" || v.variability == "constant";
    if (needs_start && v.start.empty()) add(v.line, "{}: a start value is required", v.name);
    if (!needs_start && !v.start.empty())
      add(v.line, "{}: a start value is forbidden for {}", v.name,
          v.causality == "independent" ? "the independent variable" : "initial \"calculated\"");
    if (!v.unit.empty() &&
        std::none_of(d_.units.begin(), d_.units.end(), [&](const Unit& u) { return u.name == v.unit; }))
      add(v.line, "{}: the unit \"{}\" is not defined", v.name, v.unit);
  }

  void check_unique() {
    std::map<std::string, int> names;
    std::map<std::uint32_t, const Variable*> references;
    int independent = 0;
    for (const Variable& v : d_.variables) {
      if (!names.emplace(v.name, v.line).second) add(v.line, "the name \"{}\" stands twice", v.name);
      independent += v.causality == "independent";
      const auto [place, is_new] = references.emplace(v.reference, &v);
      if (is_new) continue;
      // in FMI 2 aliases share a reference within a type
      const bool alias = d_.version == 2;
      if (!alias) add(v.line, "{}: the value reference {} is that of {}", v.name, v.reference, place->second->name);
    }
    if (independent > 1) add(0, "there are {} independent variables; one is allowed", independent);
    if (d_.version == 3 && independent == 0) add(0, "the independent variable is missing");
  }

  void check_derivatives() {
    const int count = static_cast<int>(d_.variables.size());
    for (int k = 0; k < count; ++k) {
      const Variable& v = d_.variables[k];
      if (v.derivative_of < 0) continue;
      if (v.derivative_of >= count) {
        add(v.line, "{}: it is the derivative of a variable that is not there", v.name);
        continue;
      }
      if (!v.is_real() && v.type != "Float32")
        add(v.line, "{}: a derivative must be a floating-point variable", v.name);
      // a chain of derivatives ends at a variable that is none
      int at = k, steps = 0;
      while (at >= 0 && at < count && steps <= count) at = d_.variables[at].derivative_of, ++steps;
      if (steps > count) add(v.line, "{}: its chain of derivatives is cyclic", v.name);
    }
  }

  bool check_list(const std::vector<Unknown>& list, const char* what) {
    std::set<int> seen;
    bool good = true;
    const int count = static_cast<int>(d_.variables.size());
    for (const Unknown& u : list) {
      if (u.variable < 0 || u.variable >= count) {
        add(u.line, "{} names a variable that is not there", what);
        good = false;
        continue;
      }
      const std::string& name = d_.variables[u.variable].name;
      if (!seen.insert(u.variable).second) add(u.line, "{} names {} twice", what, name);
      if (!u.dependencies) {
        if (!u.kinds.empty()) add(u.line, "{} of {}: dependenciesKind needs dependencies", what, name);
        continue;
      }
      if (!u.kinds.empty() && u.kinds.size() != u.dependencies->size())
        add(u.line, "{} of {}: {} kinds for {} dependencies", what, name, u.kinds.size(), u.dependencies->size());
      static const std::set<std::string> legal{"dependent", "constant", "fixed", "tunable", "discrete"};
      for (const std::string& kind : u.kinds)
        if (legal.count(kind) == 0) add(u.line, "{} of {}: unknown kind of dependency \"{}\"", what, name, kind);
      for (const int k : *u.dependencies)
        if (k < 0 || k >= count) add(u.line, "{} of {}: it depends on a variable that is not there", what, name);
    }
    return good;
  }

  void compare(const std::set<int>& required, const std::vector<Unknown>& listed, const char* what) {
    std::set<int> given;
    for (const Unknown& u : listed) given.insert(u.variable);
    for (const int k : required)
      if (given.count(k) == 0)
        add(d_.variables[k].line, "{}: it is missing among the {} of ModelStructure", d_.variables[k].name, what);
    for (const Unknown& u : listed)
      if (u.variable >= 0 && required.count(u.variable) == 0)
        add(u.line, "{}: it must not stand among the {} of ModelStructure", d_.variables[u.variable].name, what);
  }

  void check_structure() {
    if (!(check_list(d_.outputs, "Outputs") & check_list(d_.derivatives, "Derivatives") &
          check_list(d_.initial_unknowns, "InitialUnknowns")))
      return;
    check_list(d_.indicators, "EventIndicators");
    std::set<int> outputs, derivatives, unknowns, states;
    const int count = static_cast<int>(d_.variables.size());
    for (int k = 0; k < count; ++k) {
      const Variable& v = d_.variables[k];
      if (v.causality == "output") outputs.insert(k);
      if (v.derivative_of >= 0 && v.derivative_of < count) derivatives.insert(k), states.insert(v.derivative_of);
    }
    compare(outputs, d_.outputs, "outputs");
    // all derivatives of states are listed; without model exchange they may be left out
    if (d_.exchange || !d_.derivatives.empty()) {
      std::set<int> first = derivatives;
      // a second derivative that is listed makes the first one a state; those not listed are of no state
      for (const int k : derivatives)
        if (std::none_of(d_.derivatives.begin(), d_.derivatives.end(),
                         [&](const Unknown& u) { return u.variable == k; }) &&
            !d_.exchange)
          first.erase(k);
      compare(first, d_.derivatives, "derivatives");
    }
    std::set<int> active_states, active_derivatives;
    for (const Unknown& u : d_.derivatives) {
      active_derivatives.insert(u.variable);
      if (const int state = d_.variables[u.variable].derivative_of; state >= 0) active_states.insert(state);
    }
    for (int k = 0; k < count; ++k) {
      const Variable& v = d_.variables[k];
      const bool calculated = v.initial == "calculated" || v.initial == "approx";
      if (calculated && (v.causality == "output" || v.causality == "calculatedParameter" ||
                         active_states.count(k) != 0 || active_derivatives.count(k) != 0))
        unknowns.insert(k);
    }
    compare(unknowns, d_.initial_unknowns, "initial unknowns");
  }

  const Description& d_;
  std::vector<Finding> found_;
};

}  // namespace

std::vector<Finding> validate(const Description& description) { return Validation(description).run(); }

}  // namespace coenergy::fmi
