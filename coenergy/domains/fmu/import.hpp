#pragma once
#include "coenergy/domains/component.hpp"

namespace coenergy::domains::fmu {

/// A machine of another tool by its FMU (FMI 2 or 3), whose variables are in their own units:
///
///   model exchange   its states are states here: dx/dt and its outputs are functions of time, states and inputs that are
///                    solved for together with everything else; its event indicators and time events are located
///   co-simulation    every `step` it goes on by itself, with inputs that were held since the step before; its outputs
///                    are held between
///
/// It runs in a process of its own. Derivatives are differences. Inputs stand in the order of the FMU; `start` changes
/// parameters and start values. An FMU that sets its continuous states at events is used as co-simulation.
struct Import {
  Choice file, kind, start;
  List inputs;
  Parameter step;

  void describe(Description& d) {
    d.name("fmu.Import", "a machine of another tool, by its FMU of FMI 2 or 3");
    d.choice(file, "file", {}, "the FMU, .fmu; it is looked for beside the model").file();
    d.choice(kind, "kind", {"auto", "me", "cs"}, "model exchange or co-simulation; auto: the first it offers");
    d.parameter(inputs, "inputs", "any", "its inputs, in their order; without it they keep their start values")
        .varying()
        .optional();
    d.choice(start, "start", {}, "parameters and start values: m=2, c.k=30").file().fallback("none");
    d.parameter(step, "step", "s", "of co-simulation; without it that of its default experiment").positive().optional();
    d.output("*", "", "its outputs, by their names, with _ for what is neither letter nor digit");
  }

  void equations(Equations& eq) const;
};

}  // namespace coenergy::domains::fmu
