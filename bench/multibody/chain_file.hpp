#pragma once
#include <fmt/format.h>

#include <string>

#include "bench/multibody/chain_links.hpp"

namespace bench {

/// The chain as a model file: gravity, a damper in every joint, and a motor with its circuit at the first one.
inline std::string write_chain(int joints, const std::string& simulate) {
  std::string text =
      "model: a chain of hinged links\ncomponents:\n"
      "  gravity: {type: multibody.Gravity, g: [0, 0, -9.81 m/s2]}\n"
      "  U: {type: electrical.VoltageSource, p: a, n: gnd, v: 12 V}\n"
      "  motor: {type: converters.DcMachine, p: a, n: gnd, shaft: j1.shaft, k: 0.05, R: 1.2 ohm, L: 2 mH}\n";
  const std::vector<ChainLink> links = make_links(joints);
  const ChainState state = make_state(joints);
  for (int i = 0; i < joints; ++i) {
    const ChainLink& l = links[i];
    text += fmt::format(
        "  j{}: {{type: multibody.Revolute, parent: {}, child: b{}, axis: {}, parent_at: [{:.6g}, {:.6g}, {:.6g}], "
        "q0: {:.6g}, damping: 0.1}}\n",
        i + 1, i == 0 ? "ground" : fmt::format("b{}", i), i + 1, "xyz"[l.axis], l.d[0], l.d[1], l.d[2], state.q[i]);
    text += fmt::format(
        "  b{}: {{type: multibody.Body, mass: {:.6g}, com: [{:.6g}, {:.6g}, {:.6g}], "
        "inertia: [{:.6g}, {:.6g}, {:.6g}, {:.6g}, {:.6g}, {:.6g}]}}\n",
        i + 1, l.mass, l.com[0], l.com[1], l.com[2], l.inertia[0], l.inertia[1], l.inertia[2], l.inertia[3],
        l.inertia[4], l.inertia[5]);
  }
  return text + "simulate: {" + simulate + "}\n";
}

}  // namespace bench
