#include "bench/multibody/peer.hpp"

namespace bench {

std::vector<Peer> make_peers(const std::vector<ChainLink>& links, const ChainState& state) {
  std::vector<Peer> peers;
#ifdef BENCH_KDL
  peers.push_back(make_kdl(links, state));
#endif
#ifdef BENCH_MUJOCO
  peers.push_back(make_mujoco(links, state));
#endif
#ifdef BENCH_SIMBODY
  peers.push_back(make_simbody(links, state));
#endif
#ifdef BENCH_DART
  peers.push_back(make_dart(links, state));
#endif
#ifdef BENCH_BULLET
  peers.push_back(make_bullet(links, state));
#endif
  (void)links, (void)state;
  return peers;
}

}  // namespace bench
