#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "coenergy/equations/system.hpp"
#include "coenergy/model/model.hpp"
#include "coenergy/model/registry.hpp"
#include "coenergy/solve/options.hpp"
#include "coenergy/study/measured.hpp"

namespace coenergy::study {

/// Parameters of a model from measured runs. Each file is an experiment:
///
///   a column named as an entry that may vary, "U1.v"  is an input: the entry follows it, linearly between the samples
///   a column named as a signal, "wheel.w"             is compared with the run
///
/// The run lasts from the first time of the file to the last one. Derivatives of all compared samples to all parameters
/// come from one run with its variational equations (analyze::simulate_sensitivity).
class RunFit {
 public:
  struct Request {
    std::vector<std::string> parameters;  ///< entries, and parameters of the model, common to all experiments
    std::vector<std::string> own;         ///< such of which each experiment has its own value: initial states
    std::vector<std::pair<std::string, std::string>> bounds;  ///< name, "low:high"
    std::function<equations::System(const model::Model&)> compile;
    std::function<solve::Options(const model::Model&)> options;
  };
  /// Throws Error with every mistake of the call and of the data.
  RunFit(const model::Model& model, const model::Registry& registry, const std::vector<Measured>& data,
         const Request& request);
  ~RunFit();
  Identification identify(const IdentifyOptions& options);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace coenergy::study
