#include "coenergy/domains/flexible/superelement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <sstream>
#include <stdexcept>

#include "coenergy/base/error.hpp"
#include "coenergy/domains/flexible/modal_structure.hpp"
#include "coenergy/structures/solid_element.hpp"

namespace coenergy::domains::flexible {

using model::ModalBody;
using structures::Interface;
using structures::Mesh;
using structures::Structure;

void Superelement::describe(Description& d) {
  d.name("flexible.Superelement", "a mesh of solids or matrices, reduced to interfaces and modes inside");
  d.choice(mesh, "mesh", {}, "file .inp (CalculiX, Abaqus) or .msh (Gmsh) of tet4, tet10, hex8, hex20")
      .optional()
      .file();
  d.choice(stiffness, "stiffness", {}, "file .mtx (Matrix Market), instead of a mesh")
      .optional()
      .file()
      .instead_of(mesh);
  d.choice(mass, "mass", {}, "file .mtx beside stiffness").optional().file().used_with(stiffness);
  d.choice(nodes, "nodes", {}, "file .csv beside stiffness: node,x,y,z in the order of the rows, three or six for each")
      .optional()
      .file()
      .used_with(stiffness);
  d.choice(interfaces, "interfaces", {},
           "names of node sets, or numbers of nodes, separated by commas; each may be mean")
      .file();
  d.parameter(modes, "modes", "", "number of modes inside, with all interfaces held").between(0, 200).fallback("6");
  d.parameter(scale, "scale", "", "metres for a unit of length of the mesh, such as 0.001")
      .positive()
      .fallback("1")
      .used_with(mesh);
  d.parameter(E, "E", "Pa", "Young's modulus, instead of that of the mesh").positive().optional().used_with(mesh);
  d.parameter(nu, "nu", "", "Poisson's ratio beside E").between(-0.99, 0.49).fallback("0.3").used_with(E);
  d.parameter(rho, "rho", "kg/m3", "density beside E").positive().optional().used_with(E);
  d.parameter(damping, "damping", "s", "time constant of damping proportional to stiffness")
      .not_negative()
      .fallback("0");
  d.parameter(damping_ratios, "damping_ratios", "",
              "of the modes with the first interface held, the last for all others")
      .not_negative()
      .optional();
  d.parameter(stress_nodes, "stress_nodes", "", "numbers of nodes whose stresses are signals")
      .optional()
      .used_with(mesh);
  d.parameter(eta, "eta", "", "start values of the modes").optional();
  d.parameter(eta_rate, "eta_rate", "1/s", "start rates of the modes").optional();
  for (model::ParameterInfo& info : d.parameters)
    if (info.structural.empty()) info.structural = "modes are computed from it";
}

structures::Material Superelement::own_material(Equations& eq) const {
  if (!eq.has(E)) return {};
  if (!eq.has(rho)) eq.refuse("with E it also needs rho");
  return {eq.number(E), eq.number(nu), eq.number(rho)};
}

namespace {

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, at);) {
    const std::size_t from = part.find_first_not_of(' '), to = part.find_last_not_of(' ');
    if (from != std::string::npos) parts.push_back(part.substr(from, to - from + 1));
  }
  return parts;
}
bool is_number(const std::string& word) {
  return !word.empty() && std::all_of(word.begin(), word.end(), [](char c) { return c >= '0' && c <= '9'; });
}

std::vector<int> nodes_of(Equations& eq, const Structure& structure, const std::vector<std::string>& words) {
  std::vector<int> nodes;
  for (const std::string& word : words) {
    const auto place =
        std::find(structure.labels.begin(), structure.labels.end(), word.size() > 9 ? -1 : std::stoi(word));
    if (place == structure.labels.end()) eq.refuse("interfaces: there is no node " + word);
    nodes.push_back(static_cast<int>(place - structure.labels.begin()));
  }
  return nodes;
}

}  // namespace

std::vector<Interface> Superelement::find_interfaces(Equations& eq, const Structure& structure,
                                                     const Mesh* file) const {
  std::vector<Interface> faces;
  for (const std::string& item : split(eq[interfaces], ',')) {
    std::vector<std::string> words = split(item, ' ');
    Interface face;
    if (words.back() == "mean" || words.back() == "rigid") face.rigid = words.back() == "rigid", words.pop_back();
    if (words.empty()) eq.refuse("interfaces: \"" + item + "\" names no nodes");
    if (is_number(words[0]) && (file == nullptr || file->node_sets.count(words[0]) == 0)) {
      for (const std::string& word : words)
        if (!is_number(word)) eq.refuse("interfaces: \"" + word + "\" is no number of a node");
      face.name = "i" + std::to_string(faces.size() + 1);
      face.nodes = nodes_of(eq, structure, words);
    } else {
      face.name = words[0];
      const auto set = file == nullptr ? decltype(file->node_sets.end()){} : file->node_sets.find(face.name);
      if (file == nullptr || words.size() > 1 || set == file->node_sets.end()) {
        std::string known;
        if (file != nullptr)
          for (const auto& [name, nodes] : file->node_sets) known += (known.empty() ? "; there are " : ", ") + name;
        eq.refuse("interfaces: there is no node set \"" + item + "\"" + known);
      }
      face.nodes = set->second;
    }
    for (int node : face.nodes)
      for (std::size_t i = 0; i < 3; ++i)
        face.position[i] += structure.nodes[static_cast<std::size_t>(node)][i] / static_cast<double>(face.nodes.size());
    faces.push_back(std::move(face));
  }
  if (faces.empty()) eq.refuse("interfaces: it needs one at least, which its frame moves with");
  return faces;
}

namespace {

/// Edges of the surface, with as many points as pictures of a moving body can do with.
void add_lines(const Mesh& mesh, const Structure& s, const structures::ComponentModes& modes, ModalBody& body) {
  constexpr std::size_t most = 160;
  std::vector<std::vector<int>> lines = structures::find_feature_lines(mesh);
  std::stable_sort(lines.begin(), lines.end(), [](const auto& a, const auto& b) { return a.size() > b.size(); });
  std::size_t total = 0;
  for (const auto& line : lines) total += line.size();
  const std::size_t step = std::max<std::size_t>(1, (total + most - 1) / most);
  double size = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    double low = s.nodes[0][i], high = low;
    for (const auto& x : s.nodes) low = std::min(low, x[i]), high = std::max(high, x[i]);
    size = std::max(size, high - low);
  }
  for (const std::vector<int>& line : lines) {
    if (body.points.size() >= most) break;
    body.lines.push_back({{}, size / 250});
    for (std::size_t k = 0; k < line.size(); ++k) {
      if (k % step != 0 && k + 1 != line.size()) continue;
      body.lines.back().points.push_back(static_cast<int>(body.points.size()));
      body.points.push_back(place_of(s, modes, line[k]));
    }
  }
}

}  // namespace

void Superelement::add_stresses(Equations& eq, const Mesh& file, const Structure& s,
                                const structures::ComponentModes& modes, ModalBody& body) const {
  const structures::Material own = own_material(eq);
  int number = 0;
  for (double label : eq.numbers(stress_nodes)) {
    const int node = file.find_node(static_cast<int>(label));
    if (node < 0 || label != std::floor(label)) eq.refuse(fmt::format("stress_nodes: there is no node {:g}", label));
    ModalBody::Stress stress{"stress" + std::to_string(++number), {}};
    for (std::vector<double>& row : stress.factors) row.assign(static_cast<std::size_t>(body.modes), 0.0);
    int elements = 0;
    for (const Mesh::Element& e : file.elements) {
      const auto place = std::find(e.nodes.begin(), e.nodes.end(), node);
      if (place == e.nodes.end()) continue;
      ++elements;
      std::vector<std::array<double, 3>> at;
      for (int k : e.nodes) at.push_back(s.nodes[static_cast<std::size_t>(k)]);
      const structures::Material& m = own.E > 0 ? own : file.materials[static_cast<std::size_t>(e.material)];
      const auto rows =
          structures::compute_nodal_stress(e.kind, at, m)[static_cast<std::size_t>(place - e.nodes.begin())];
      for (std::size_t c = 0; c < 6; ++c)
        for (int mode = 0; mode < body.modes; ++mode)
          for (std::size_t k = 0; k < e.nodes.size(); ++k)
            for (int i = 0; i < 3; ++i)
              stress.factors[c][static_cast<std::size_t>(mode)] +=
                  rows[c][3 * k + static_cast<std::size_t>(i)] * modes.shapes(3 * e.nodes[k] + i, mode);
    }
    for (std::vector<double>& row : stress.factors)
      for (double& x : row) x /= elements;
    body.stresses.push_back(std::move(stress));
  }
}

void Superelement::flexible(Equations& eq, model::FlexibleBody& body) const {
  const bool has_mesh = !eq[mesh].empty();
  if (!has_mesh && (eq[stiffness].empty() || eq[mass].empty() || eq[nodes].empty()))
    eq.refuse("it needs a mesh, or stiffness with mass and nodes");
  const double count = eq.number(modes);
  if (count != std::floor(count)) eq.refuse("modes must be a whole number");
  Mesh file;
  if (has_mesh) file = structures::read_mesh(eq.path(eq[mesh]));
  const Structure structure =
      has_mesh ? structures::assemble(file, eq.number(scale), own_material(eq))
               : structures::read_structure(eq.path(eq[stiffness]), eq.path(eq[mass]), eq.path(eq[nodes]));
  const std::vector<Interface> faces = find_interfaces(eq, structure, has_mesh ? &file : nullptr);
  structures::ComponentModes reduced;
  try {
    reduced = structures::compute_component_modes(structure, faces, static_cast<int>(count));
  } catch (const std::runtime_error& error) {
    eq.refuse(error.what());
  }

  ModalBody modal;
  modal.modes = static_cast<int>(reduced.frequency.size());
  const std::size_t n = reduced.frequency.size();
  set_inertia(sample_structure(structure, reduced), modal);
  modal.stiffness.assign(n * n, 0.0);
  for (std::size_t k = 0; k < n; ++k) modal.stiffness[k * n + k] = reduced.frequency[k] * reduced.frequency[k];
  set_damping(eq.numbers(damping_ratios), eq.number(damping), modal);
  for (const auto& [entry, name, target] :
       {std::tuple(&eta, "eta", &modal.start), std::tuple(&eta_rate, "eta_rate", &modal.start_rate)}) {
    *target = eq.numbers(*entry);
    if (!target->empty() && target->size() != n)
      eq.refuse(fmt::format("{}: {} values for {} modes", name, target->size(), n));
    target->resize(n);
  }
  for (std::size_t k = 0; k < faces.size(); ++k) modal.frames.push_back(frame_of(faces[k], reduced.interfaces[k]));
  if (has_mesh) {
    add_stresses(eq, file, structure, reduced, modal);
    add_lines(file, structure, reduced, modal);
  }
  if (n > 0) {
    const double first = reduced.frequency.front() / (2 * std::numbers::pi);
    constexpr double lowest = 1e-3, highest = 1e6;  // Hz: what machines do not do
    if (first < lowest || first > highest)
      eq.note(
          fmt::format("its first mode with {} held has {:.3g} Hz; are the units of the mesh m, Pa and kg/m3? "
                      "(scale: 0.001 takes mm to m; a file in mm, N, s has E in MPa and rho in t/mm3)",
                      faces[0].name, first));
  }
  body.set_modal(std::move(modal));
}

}  // namespace coenergy::domains::flexible
