#pragma once
#include "coenergy/model/registry.hpp"

/// The words a component is written with.
namespace coenergy::domains {

using model::Algebraic;
using model::Branch;
using model::BranchKind;
using model::Choice;
using model::Description;
using model::Discrete;
using model::Equations;
using model::Expr;
using model::Fluid;
using model::FluxCoupling;
using model::Gas;
using model::HeldPort;
using model::List;
using model::Multiplier;
using model::Parameter;
using model::Pin;
using model::Rotational;
using model::State;
using model::Translational;

}  // namespace coenergy::domains
