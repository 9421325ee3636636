#include "coenergy/domains/multibody/register.hpp"

#include "coenergy/domains/multibody/air_drag.hpp"
#include "coenergy/domains/multibody/axis_joint.hpp"
#include "coenergy/domains/multibody/body.hpp"
#include "coenergy/domains/multibody/bushing.hpp"
#include "coenergy/domains/multibody/constraint.hpp"
#include "coenergy/domains/multibody/cylindrical.hpp"
#include "coenergy/domains/multibody/fixed.hpp"
#include "coenergy/domains/multibody/free.hpp"
#include "coenergy/domains/multibody/gravity.hpp"
#include "coenergy/domains/multibody/load.hpp"
#include "coenergy/domains/multibody/magic_formula_tyre.hpp"
#include "coenergy/domains/multibody/planar.hpp"
#include "coenergy/domains/multibody/point_on_line.hpp"
#include "coenergy/domains/multibody/point_spring_damper.hpp"
#include "coenergy/domains/multibody/rolling_disk.hpp"
#include "coenergy/domains/multibody/screw.hpp"
#include "coenergy/domains/multibody/sensor.hpp"
#include "coenergy/domains/multibody/spherical.hpp"
#include "coenergy/domains/multibody/strut.hpp"
#include "coenergy/domains/multibody/translation.hpp"
#include "coenergy/domains/multibody/tyre.hpp"
#include "coenergy/domains/multibody/universal.hpp"
#include "coenergy/domains/multibody/wheel_rail.hpp"

namespace coenergy::domains {

void register_multibody(model::Registry& registry) {
  registry.add<multibody::Body>();
  registry.add<multibody::Gravity>();
  registry.add<multibody::Revolute>();
  registry.add<multibody::Prismatic>();
  registry.add<multibody::Spherical>();
  registry.add<multibody::Universal>();
  registry.add<multibody::Cylindrical>();
  registry.add<multibody::Planar>();
  registry.add<multibody::PlanarTranslation>();
  registry.add<multibody::Translation>();
  registry.add<multibody::Free>();
  registry.add<multibody::Fixed>();
  registry.add<multibody::PointSpringDamper>();
  registry.add<multibody::Bushing>();
  registry.add<multibody::Strut>();
  registry.add<multibody::Force>();
  registry.add<multibody::Torque>();
  registry.add<multibody::Screw>();
  registry.add<multibody::PointOnLine>();
  registry.add<multibody::PointOnPlane>();
  registry.add<multibody::Constraint>();
  registry.add<multibody::VelocityConstraint>();
  registry.add<multibody::RollingDisk>();
  registry.add<multibody::Tyre>();
  registry.add<multibody::MagicFormulaTyre>();
  registry.add<multibody::AirDrag>();
  registry.add<multibody::WheelRail>();
  registry.add<multibody::Sensor>();
}

}  // namespace coenergy::domains
