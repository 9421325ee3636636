#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "coenergy/equations/system.hpp"
#include "coenergy/mechanics/body_tree.hpp"
#include "coenergy/mechanics/mechanism.hpp"
#include "coenergy/mechanics/point_kinematics.hpp"
#include "coenergy/model/model.hpp"
#include "coenergy/model/registry.hpp"

namespace coenergy::mechanics {

/// The bodies and joints of a model as a tree, for the generators: coordinates are fresh symbols, parameters those of
/// the components. Joints that close loops are left out of the tree; their constraints are among the forces.
struct MechanismModel {
  struct Freedom {
    std::string name;  ///< "elbow.q"
    bool turns = true;
    double q0 = 0, v0 = 0;
    symbolic::Expr q, v, a;  ///< q of a spherical joint's rotation: unset
    std::string owner;       ///< the joint, body or node: "elbow"
  };
  struct Configuration {  ///< one number of the configuration: a coordinate, or a quaternion's component
    std::string name, unit;
    symbolic::Expr symbol;
    double start;
  };
  struct Parameter {
    equations::ParameterInfo info;
    symbolic::Expr symbol;
    double value;
  };
  struct Body {
    std::string name;
    LinkPoint frame;  ///< the body's own frame
  };
  /// What acts besides inertia and gravity: springs, dampers, loads, gears, drives, loops.
  struct Forces {
    /// Of each degree of freedom, then of each shaft: what the coordinate needs, M_s q̈ − Q, without constraint forces.
    std::vector<symbolic::Expr> rows;
    std::vector<Freedom> shafts;  ///< coordinates that belong to no joint of the tree
    struct Constraint {
      std::string name;
      symbolic::Expr h, rate, acceleration;  ///< h(q, t), ḣ, ḧ
    };
    std::vector<Constraint> constraints;
    std::string rate_constraint;  ///< name of a non-holonomic one, of which there is no h; empty: there is none
    struct Other {
      std::string name;
      symbolic::Expr symbol;
    };
    std::vector<Other> others;  ///< states and other variables of the model that rows or constraints depend on
    symbolic::Expr time;
  };
  std::shared_ptr<void> owner;  ///< of the graph
  BodyTree tree;
  std::vector<Freedom> freedoms;
  std::vector<Configuration> configuration;
  std::vector<Parameter> parameters;
  std::vector<Body> bodies;
  std::vector<std::string> cut_joints;
  std::vector<std::string> opened;  ///< inputs that were cut from expressions: "opened: F1.f (was pid.y)"
  std::optional<Forces> forces;     ///< nothing where bodies, joints and gravity are all there is
};

/// What the components wrote into a builder with make_force_mechanism(), by the degrees of freedom of the model.
MechanismModel::Forces read_forces(equations::Builder& builder, const MechanismModel& model);

/// Puts links for all joints of the spanning tree into model.tree, and bodies on them. Bodies on one link are added up.
void add_links(MechanismModel& model, const MechanismDescription& description);

}  // namespace coenergy::mechanics
