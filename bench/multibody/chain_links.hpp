#pragma once
#include <cmath>
#include <vector>

namespace bench {

/// Numbers of the serial chain that every library gets: joint i turns about x, y or z, the next one sits at d.
struct ChainLink {
  int axis;
  double mass;
  double com[3], d[3];  ///< centre of mass, and the joint's place in the parent
  double inertia[6];    ///< about the centre of mass: xx yy zz xy xz yz
};

inline std::vector<ChainLink> make_links(int joints) {
  std::vector<ChainLink> links;
  for (int i = 0; i < joints; ++i) {
    const double x = i + 1;
    links.push_back({(i + 2) % 3,
                     1 + 0.2 * std::sin(x),
                     {0.05 * std::sin(x), 0.04 * std::cos(x), 0.1},
                     {0.02 * std::sin(2 * x), 0.03, i == 0 ? 0.0 : 0.2},
                     {0.02, 0.025, 0.015, 0.001 * std::sin(x), 0.002, -0.001}});
  }
  return links;
}

/// Where all libraries compute: q, q̇ and, as the third, q̈ or the joint forces Q.
struct ChainState {
  std::vector<double> q, v, last;
};
inline ChainState make_state(int joints) {
  ChainState s;
  const auto value = [](int i) { return 0.5 * std::sin(static_cast<double>(i + 1)); };
  for (int i = 0; i < joints; ++i) {
    s.q.push_back(value(i));
    s.v.push_back(value(joints + i));
    s.last.push_back(value(2 * joints + i));
  }
  return s;
}

}  // namespace bench
