#pragma once
#include <string>
#include <vector>

#include "coenergy/generate/system_code.hpp"

namespace coenergy::generate {

/// A functional mock-up unit of a model, by the standards FMI 2.0.4 or 3.0.2.
struct FmuRequest {
  int version = 2;  ///< 2 or 3
  bool model_exchange = true, co_simulation = true;
  bool has_binary = true;  ///< compiled here, where there is a C compiler
};

/// A variable of the unit. Value references: places of the value array, then der of each state, outputs, indicators.
struct FmuVariable {
  std::string name, unit;
  int reference = 0;
  const char *causality = "local", *variability = "continuous", *initial = "calculated";  ///< initial "": none
  bool has_start = false;
  double start = 0, nominal = 1;
  int state = -1;                 ///< it is this state …
  int derivative = -1;            ///< … or the derivative of this one
  std::vector<int> dependencies;  ///< of outputs, derivatives and indicators: references of states and inputs
};

/// All variables in the order of the model description; time first. Dependencies are those of the equations: an unknown
/// depends on what its own row reads, and on what the unknowns in that row depend on, by a matching of rows and unknowns.
std::vector<FmuVariable> list_variables(const SystemCode& code);

/// modelDescription.xml. `identifier` names the files, `token` is the GUID.
std::string describe_fmu(const SystemCode& code, const FmuRequest& request, const std::string& identifier,
                         const std::string& token);

struct FmuFile {
  std::string path, content;
};

/// The files of the unit but its binary: the description, sources (and for FMI 3 their buildDescription.xml).
std::vector<FmuFile> make_fmu(const SystemCode& code, const FmuRequest& request);

/// Compiles the sources for this machine and adds the library; its text where that is not possible, "" where it is.
std::string add_binary(std::vector<FmuFile>& files, const SystemCode& code, const FmuRequest& request);

/// Writes them as a zip archive. Throws Error where that is not possible.
void write_fmu(const std::vector<FmuFile>& files, const std::string& path);

}  // namespace coenergy::generate
