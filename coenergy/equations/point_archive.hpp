#pragma once
#include "coenergy/base/state_archive.hpp"
#include "coenergy/equations/point.hpp"

namespace coenergy::equations {

inline void visit_members(StateArchive& archive, Point& p) {
  archive(p.t, p.q, p.v, p.a, p.lambda, p.x, p.xd, p.y, p.d);
}

}  // namespace coenergy::equations
