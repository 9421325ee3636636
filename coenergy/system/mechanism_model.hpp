#pragma once
#include <memory>
#include <string>
#include <vector>

#include "coenergy/model/model.hpp"
#include "coenergy/model/registry.hpp"
#include "coenergy/system/body_tree.hpp"
#include "coenergy/system/mechanism.hpp"
#include "coenergy/system/point_kinematics.hpp"
#include "coenergy/system/system.hpp"

namespace coenergy::system {

/// The bodies and joints of a model as a tree, for the generators: coordinates are fresh symbols, parameters those of
/// the components. Joints that close loops are left out (see compile() for their constraints).
struct MechanismModel {
  struct Freedom {
    std::string name;  ///< "elbow.q"
    bool turns = true;
    double q0 = 0, v0 = 0;
    symbolic::Expr q, v, a;  ///< q of a spherical joint's rotation: unset
  };
  struct Configuration {  ///< one number of the configuration: a coordinate, or a quaternion's component
    std::string name, unit;
    symbolic::Expr symbol;
    double start;
  };
  struct Parameter {
    SignalInfo info;
    symbolic::Expr symbol;
    double value;
  };
  struct Body {
    std::string name;
    LinkPoint frame;  ///< the body's own frame
  };
  std::shared_ptr<void> owner;  ///< of the graph
  BodyTree tree;
  std::vector<Freedom> freedoms;
  std::vector<Configuration> configuration;
  std::vector<Parameter> parameters;
  std::vector<Body> bodies;
  std::vector<std::string> cut_joints;
};

/// Throws Error with every mistake of the model, and where it has no rigid bodies, or flexible ones.
MechanismModel read_mechanism(const model::Model& model, const model::Registry& registry);

/// Puts links for all joints of the spanning tree into model.tree, and bodies on them. Bodies on one link are added up.
void add_links(MechanismModel& model, const MechanismDescription& description);

}  // namespace coenergy::system
