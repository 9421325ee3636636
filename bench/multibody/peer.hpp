#pragma once
#include <functional>
#include <string>
#include <vector>

#include "bench/multibody/chain_links.hpp"

namespace bench {

/// Another multibody library with the same chain in it. A call computes everything from the state's numbers on; the
/// model and all memory are made before. What a library does not offer is left empty.
struct Peer {
  std::string name;
  std::function<void()> inverse, matrix, forward;
  // results of the last call, in our order
  std::function<double(int)> force, acceleration;
  std::function<double(int row, int column)> mass;
  bool triangle = false;  ///< its mass matrix is one triangle: compared with a program that gives one, too
  /// Largest relative difference allowed where only round-off differs; more only with a reason.
  double tolerance = 1e-9;
};

/// The libraries this program was built with.
std::vector<Peer> make_peers(const std::vector<ChainLink>& links, const ChainState& state);

Peer make_kdl(const std::vector<ChainLink>& links, const ChainState& state);
Peer make_mujoco(const std::vector<ChainLink>& links, const ChainState& state);
Peer make_simbody(const std::vector<ChainLink>& links, const ChainState& state);
Peer make_dart(const std::vector<ChainLink>& links, const ChainState& state);
Peer make_bullet(const std::vector<ChainLink>& links, const ChainState& state);

}  // namespace bench
