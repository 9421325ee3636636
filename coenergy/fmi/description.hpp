#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace coenergy::fmi {

/// A variable of an FMU, as its modelDescription.xml says. Of FMI 2 and 3 alike; words as in FMI 3 ("Float64").
struct Variable {
  std::string name, type, description;
  std::uint32_t reference = 0;
  std::string causality, variability, initial;  ///< with the defaults of the standard filled in
  std::string start, unit, display_unit;
  int derivative_of = -1;  ///< index of the state, from 0
  bool has_dimensions = false, reinitialises = false;
  int line = 0;  ///< in modelDescription.xml
  bool is_real() const { return type == "Float64"; }
};

struct Unit {
  std::string name;
  bool has_base = false;
  int exponents[8] = {};  ///< kg m s A K mol cd rad
  double factor = 1, offset = 0;
};

/// A variable of ModelStructure with what it depends on (indices of variables); nothing: on all.
struct Unknown {
  int variable = -1;
  std::optional<std::vector<int>> dependencies;
  std::vector<std::string> kinds;
  int line = 0;
};

/// One kind of an FMU: model exchange or co-simulation.
struct Interface {
  std::string identifier;
  bool needs_tool = false, saves_state = false, serialises_state = false, has_directional_derivatives = false;
  bool variable_step = false, has_event_mode = false;
};

/// What an FMU tells of itself.
struct Description {
  int version = 0;  ///< 2 or 3
  std::string version_text, model, token, tool, description;
  std::optional<Interface> exchange, cosimulation;
  std::vector<Variable> variables;
  std::vector<Unit> units;
  std::vector<Unknown> outputs, derivatives, initial_unknowns, indicators;  ///< indicators: of FMI 3
  int event_indicators = 0;
  std::optional<double> start_time, stop_time, tolerance, step;

  int find(const std::string& name) const;  ///< −1: none
};

/// Reads modelDescription.xml of an unpacked FMU. `fmu` names it in errors. Throws Error where it is no such file;
/// what is wrong in it otherwise is for validate().
Description read_description(const std::filesystem::path& folder, const std::string& fmu);

/// What breaks the rules of the standard, each with its line: legal triples of causality, variability and initial,
/// start values where they are required or forbidden, units that are not defined, names and references that are not
/// unique, the one independent variable, outputs, derivatives and initial unknowns exactly as required, cyclic
/// derivatives, interfaces. Empty: nothing.
struct Finding {
  int line = 0;  ///< 0: of the file as a whole
  std::string text;
};
std::vector<Finding> validate(const Description& description);

}  // namespace coenergy::fmi
