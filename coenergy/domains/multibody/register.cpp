#include "coenergy/domains/multibody/register.hpp"

#include "coenergy/domains/multibody/axis_joint.hpp"
#include "coenergy/domains/multibody/body.hpp"
#include "coenergy/domains/multibody/cylindrical.hpp"
#include "coenergy/domains/multibody/fixed.hpp"
#include "coenergy/domains/multibody/free.hpp"
#include "coenergy/domains/multibody/gravity.hpp"
#include "coenergy/domains/multibody/load.hpp"
#include "coenergy/domains/multibody/planar.hpp"
#include "coenergy/domains/multibody/point_spring_damper.hpp"
#include "coenergy/domains/multibody/spherical.hpp"
#include "coenergy/domains/multibody/strut.hpp"
#include "coenergy/domains/multibody/universal.hpp"

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
  registry.add<multibody::Free>();
  registry.add<multibody::Fixed>();
  registry.add<multibody::PointSpringDamper>();
  registry.add<multibody::Strut>();
  registry.add<multibody::Force>();
  registry.add<multibody::Torque>();
}

}  // namespace coenergy::domains
