#include <fmt/format.h>
#include <mujoco/mujoco.h>

#include <algorithm>
#include <memory>
#include <stdexcept>

#include "bench/multibody/peer.hpp"

namespace bench {

namespace {

/// The bodies from `first` on, one within the other; the reader allows no more than about 90, so the rest is in a file
/// of its own.
std::string nest_bodies(const std::vector<ChainLink>& links, std::size_t first, std::size_t last,
                        const std::string& rest) {
  std::string text;
  const char* axes[] = {"1 0 0", "0 1 0", "0 0 1"};
  for (std::size_t i = first; i < last; ++i) {
    const ChainLink& l = links[i];
    text += fmt::format("<body pos=\"{:.17g} {:.17g} {:.17g}\"><joint type=\"hinge\" axis=\"{}\"/>\n", l.d[0], l.d[1],
                        l.d[2], axes[l.axis]);
    text += fmt::format("<inertial pos=\"{:.17g} {:.17g} {:.17g}\" mass=\"{:.17g}\" ", l.com[0], l.com[1], l.com[2],
                        l.mass);
    text += fmt::format("fullinertia=\"{:.17g} {:.17g} {:.17g} {:.17g} {:.17g} {:.17g}\"/>\n", l.inertia[0],
                        l.inertia[1], l.inertia[2], l.inertia[3], l.inertia[4], l.inertia[5]);
  }
  text += rest;
  for (std::size_t i = first; i < last; ++i) text += "</body>";
  return text;
}

mjModel* load_model(const std::vector<ChainLink>& links) {
  const std::size_t half = std::min<std::size_t>(links.size(), 60);
  const std::string head =
      "<mujoco><compiler angle=\"radian\" inertiafromgeom=\"false\"/><option gravity=\"0 0 -9.81\"/><worldbody>\n";
  const std::string include = half < links.size() ? "<include file=\"rest.xml\"/>" : "";
  const std::pair<const char*, std::string> files[] = {
      {"chain.xml", head + nest_bodies(links, 0, half, include) + "</worldbody></mujoco>\n"},
      {"rest.xml", "<mujoco>" + nest_bodies(links, half, links.size(), "") + "</mujoco>\n"}};
  const auto vfs = std::make_unique<mjVFS>();
  mj_defaultVFS(vfs.get());
  for (const auto& [name, text] : files) {
    mj_makeEmptyFileVFS(vfs.get(), name, static_cast<int>(text.size()));
    const int k = mj_findFileVFS(vfs.get(), name);
    std::copy(text.begin(), text.end(), static_cast<char*>(vfs->filedata[k]));
  }
  char error[500] = "";
  mjModel* const model = mj_loadXML("chain.xml", vfs.get(), error, sizeof error);
  mj_deleteVFS(vfs.get());
  if (model == nullptr) throw std::runtime_error(error);
  return model;
}

/// The stages of mj_step that matter here, called one by one: no collision, no actuation, no constraints.
struct Mujoco {
  Mujoco(const std::vector<ChainLink>& links, const ChainState& s)
      : n(static_cast<int>(links.size())), state(s), model(load_model(links)) {
    data = mj_makeData(model);
    Q.resize(n), a.resize(n), rhs.resize(n), bias.resize(n), M.resize(n * n);
  }
  ~Mujoco() {
    mj_deleteData(data);
    mj_deleteModel(model);
  }
  Mujoco(const Mujoco&) = delete;
  Mujoco& operator=(const Mujoco&) = delete;

  void place() {
    std::copy(state.q.begin(), state.q.end(), data->qpos);
    mj_kinematics(model, data);
    mj_comPos(model, data);
  }
  void inverse() {
    place();
    std::copy(state.v.begin(), state.v.end(), data->qvel);
    std::copy(state.last.begin(), state.last.end(), data->qacc);
    mj_comVel(model, data);
    mj_rne(model, data, 1, Q.data());
  }
  void matrix() {
    place();
    mj_crb(model, data);
  }
  void forward() {
    matrix();
    mj_factorM(model, data);
    std::copy(state.v.begin(), state.v.end(), data->qvel);
    mj_comVel(model, data);
    mj_rne(model, data, 0, bias.data());
    for (int i = 0; i < n; ++i) rhs[i] = state.last[i] - bias[i];
    mj_solveM(model, data, a.data(), rhs.data(), 1);
  }
  double mass(int i, int j) {
    mj_fullM(model, M.data(), data->qM);
    return M[i * n + j];
  }

  int n;
  ChainState state;
  mjModel* model;
  mjData* data = nullptr;
  std::vector<double> Q, a, rhs, bias, M;
};

}  // namespace

Peer make_mujoco(const std::vector<ChainLink>& links, const ChainState& state) {
  const auto m = std::make_shared<Mujoco>(links, state);
  return {.name = "MuJoCo",
          .inverse = [m] { m->inverse(); },
          .matrix = [m] { m->matrix(); },
          .forward = [m] { m->forward(); },
          .force = [m](int i) { return m->Q[i]; },
          .acceleration = [m](int i) { return m->a[i]; },
          .mass = [m](int i, int j) { return m->mass(i, j); },
          .triangle = true,
          // its reader turns inertias to principal axes, to about 1e-9
          .tolerance = 1e-8};
}

}  // namespace bench
