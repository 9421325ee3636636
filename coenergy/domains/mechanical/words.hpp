#pragma once
#include "coenergy/domains/motion_words.hpp"

namespace coenergy::domains::mechanical {

/// "mechanical.RotationalSpring" of Rotational and "Spring".
template <class Flange>
std::string type_name(const char* what) {
  return std::string("mechanical.") + Words<Flange>::kind + what;
}

}  // namespace coenergy::domains::mechanical
