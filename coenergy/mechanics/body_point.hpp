#pragma once
#include <string>

#include "coenergy/math/rotation.hpp"

namespace coenergy::mechanics {

/// A point of a body, in the body's axes.
struct BodyPoint {
  std::string body;
  math::Vector3 at{};
};

}  // namespace coenergy::mechanics
