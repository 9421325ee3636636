#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "coenergy/base/error.hpp"
#include "coenergy/structures/box_mesh.hpp"
#include "coenergy/structures/component_modes.hpp"
#include "coenergy/structures/solid_element.hpp"

namespace coenergy::structures {
namespace {

constexpr SolidKind all_kinds[] = {SolidKind::tet4, SolidKind::tet10, SolidKind::hex8, SolidKind::hex20};
const Material steel{2e11, 0.3, 7800};
using Eigen::MatrixXd;
using Eigen::VectorXd;

TEST(Solids, PassThePatchTest) {
  // a field that is linear in x, on elements out of shape: no force at nodes inside, the same stress everywhere
  for (SolidKind kind : all_kinds) {
    const Mesh mesh = make_box(kind, {2, 2, 2}, {1, 1.2, 0.8}, 0.2);
    const Structure s = assemble(mesh, 1, steel);
    const double g[3][3] = {{1e-3, 2e-4, -3e-4}, {5e-4, -2e-3, 1e-4}, {-7e-4, 3e-4, 1.5e-3}};
    VectorXd u(s.size());
    for (std::size_t k = 0; k < s.nodes.size(); ++k)
      for (int i = 0; i < 3; ++i)
        u[3 * static_cast<int>(k) + i] = g[i][0] * s.nodes[k][0] + g[i][1] * s.nodes[k][1] + g[i][2] * s.nodes[k][2];
    const VectorXd f = s.stiffness * u;
    const double largest = f.cwiseAbs().maxCoeff();
    int inside = 0;
    for (std::size_t k = 0; k < s.nodes.size(); ++k) {
      const auto& x = s.nodes[k];
      if (x[0] < 1e-9 || x[0] > 1 - 1e-9 || x[1] < 1e-9 || x[1] > 1.2 - 1e-9 || x[2] < 1e-9 || x[2] > 0.8 - 1e-9)
        continue;
      ++inside;
      // round-off of products of numbers of the size of the largest
      for (int i = 0; i < 3; ++i) EXPECT_NEAR(f[3 * static_cast<int>(k) + i], 0, 1e-12 * largest) << to_words(kind);
    }
    EXPECT_GT(inside, 0);
    const double mu = steel.E / 2.6, lambda = steel.E * 0.3 / (1.3 * 0.4), trace = g[0][0] + g[1][1] + g[2][2];
    for (const Mesh::Element& e : mesh.elements) {
      std::vector<std::array<double, 3>> at;
      for (int node : e.nodes) at.push_back(s.nodes[static_cast<std::size_t>(node)]);
      const auto stress = compute_nodal_stress(kind, at, steel);
      for (const auto& rows : stress)
        for (std::size_t c = 0; c < 6; ++c) {
          double value = 0;
          for (std::size_t k = 0; k < e.nodes.size(); ++k)
            for (int i = 0; i < 3; ++i) value += rows[c][3 * k + static_cast<std::size_t>(i)] * u[3 * e.nodes[k] + i];
          const std::size_t i = c % 3, j = (i + 1) % 3;
          const double exact = c < 3 ? lambda * trace + 2 * mu * g[i][i] : mu * (g[i][j] + g[j][i]);
          EXPECT_NEAR(value, exact, 1e-9 * steel.E * 1e-3) << to_words(kind) << " component " << c;
        }
    }
  }
}

TEST(Solids, WeighWhatTheyAre) {
  for (SolidKind kind : all_kinds) {
    const Structure s = assemble(make_box(kind, {3, 2, 2}, {1.5, 0.4, 0.6}), 1, steel);
    VectorXd along = VectorXd::Zero(s.size()), x = along;
    for (std::size_t k = 0; k < s.nodes.size(); ++k)
      along[3 * static_cast<int>(k)] = 1, x[3 * static_cast<int>(k)] = s.nodes[k][0];
    const double mass = 7800 * 1.5 * 0.4 * 0.6;
    EXPECT_NEAR(along.dot(s.mass * along), mass, 1e-12 * mass) << to_words(kind);
    EXPECT_NEAR(x.dot(s.mass * along), 0.75 * mass, 1e-12 * mass) << to_words(kind);
    EXPECT_NEAR(x.dot(s.mass * x), 0.75 * mass, 1e-12 * mass) << to_words(kind);  // L²/3
  }
}

TEST(Solids, ThatAreInvertedAreRefusedByName) {
  Mesh mesh = make_box(SolidKind::hex8, {2, 1, 1}, {1, 1, 1});
  std::swap(mesh.elements[1].nodes[0], mesh.elements[1].nodes[4]);
  mesh.elements[1].line = 17;
  try {
    assemble(mesh, 1, steel);
    FAIL() << "not refused";
  } catch (const Error& e) {
    EXPECT_EQ(std::string(e.what()), "box:17: element 2 (hex8): it is inverted or flat");
  }
}

/// ω of the whole structure with an interface held, by dense matrices.
std::vector<double> held_frequencies(const Structure& s, const std::vector<int>& held, int count) {
  std::vector<char> is_held(s.nodes.size(), 0);
  for (int node : held) is_held[static_cast<std::size_t>(node)] = 1;
  std::vector<int> free;
  for (int k = 0; k < s.size(); ++k)
    if (is_held[static_cast<std::size_t>(k / s.freedoms)] == 0) free.push_back(k);
  const MatrixXd k = MatrixXd(s.stiffness)(free, free), m = MatrixXd(s.mass)(free, free);
  const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd> own(k, m, Eigen::EigenvaluesOnly);
  std::vector<double> found;
  for (int i = 0; i < count; ++i) found.push_back(std::sqrt(own.eigenvalues()[i]));
  return found;
}

Interface face_of(const Mesh& mesh, const std::string& name, bool rigid) {
  Interface face{name, mesh.node_sets.at(name), rigid, {}};
  for (int node : face.nodes)
    for (std::size_t i = 0; i < 3; ++i)
      face.position[i] += mesh.nodes[static_cast<std::size_t>(node)][i] / static_cast<double>(face.nodes.size());
  return face;
}

TEST(ComponentModes, HaveTheFrequenciesOfTheWholeStructure) {
  const Mesh mesh = make_box(SolidKind::hex20, {6, 1, 1}, {1, 0.1, 0.06});
  const Structure s = assemble(mesh, 1, steel);
  const std::vector<double> exact = held_frequencies(s, mesh.node_sets.at("left"), 10);
  // one interface: modes inside are those of the structure; a second one, in the mean, leaves all displacements free
  const auto one = compute_component_modes(s, {face_of(mesh, "left", true)}, 10);
  const auto two = compute_component_modes(s, {face_of(mesh, "left", true), face_of(mesh, "right", false)}, 205);
  for (std::size_t k = 0; k < 10; ++k) {
    EXPECT_NEAR(one.frequency[k] / exact[k], 1, 1e-9) << k;
    EXPECT_NEAR(two.frequency[k] / exact[k], 1, 1e-6) << k;  // 205 of 210: the basis is nearly complete
  }
  // and they are those of Euler's beam: bending, twice, to what holding the end and shear change
  const double L2 = std::sqrt(steel.E / steel.rho);
  EXPECT_NEAR(exact[0] / (3.516 * 0.06 / std::sqrt(12.0) * L2), 1, 0.03);
  EXPECT_NEAR(exact[1] / (3.516 * 0.1 / std::sqrt(12.0) * L2), 1, 0.03);
}

TEST(ComponentModes, OfMeansAloneKeepTheBodyFree) {
  // the first interface in the mean too, so that nothing but springs that are taken out again holds the stiffness
  const Mesh mesh = make_box(SolidKind::tet10, {4, 1, 1}, {1, 0.1, 0.06});
  const Structure s = assemble(mesh, 1, steel);
  const auto modes = compute_component_modes(s, {face_of(mesh, "left", false), face_of(mesh, "right", false)}, 200);
  // with both ends free in the mean the frame and the modes make the free body: first elastic bending 22.37
  MatrixXd basis(s.size(), modes.shapes.cols() + 6);
  basis.leftCols(modes.shapes.cols()) = modes.shapes;
  for (std::size_t n = 0; n < s.nodes.size(); ++n)
    for (int i = 0; i < 3; ++i) {
      const int row = 3 * static_cast<int>(n) + i;
      for (int c = 0; c < 6; ++c) basis(row, modes.shapes.cols() + c) = 0;
      basis(row, modes.shapes.cols() + i) = 1;
      basis(row, modes.shapes.cols() + 3 + (i + 1) % 3) = s.nodes[n][static_cast<std::size_t>((i + 2) % 3)];
      basis(row, modes.shapes.cols() + 3 + (i + 2) % 3) = -s.nodes[n][static_cast<std::size_t>((i + 1) % 3)];
    }
  const MatrixXd m = basis.transpose() * (s.mass * basis), k = basis.transpose() * (s.stiffness * basis);
  const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd> reduced((k + k.transpose()) / 2, (m + m.transpose()) / 2,
                                                                   Eigen::EigenvaluesOnly);
  const std::vector<double> exact = held_frequencies(s, {}, 12);
  for (int i = 6; i < 12; ++i)
    EXPECT_NEAR(std::sqrt(reduced.eigenvalues()[i]) / exact[static_cast<std::size_t>(i)], 1, 1e-5) << i;
}

TEST(ComponentModes, RefuseWhatCannotBe) {
  const Mesh mesh = make_box(SolidKind::hex8, {2, 1, 1}, {1, 0.1, 0.1});
  const Structure s = assemble(mesh, 1, steel);
  const auto refusal = [&](const std::vector<Interface>& faces, int modes, const Structure& of) -> std::string {
    try {
      compute_component_modes(of, faces, modes);
    } catch (const std::runtime_error& e) {
      return e.what();
    }
    return "none";
  };
  const Interface left = face_of(mesh, "left", true);
  EXPECT_EQ(refusal({left}, 24, s), "24 modes, but there are 24 freedoms inside; ask for less");
  EXPECT_EQ(refusal({{"edge", {0, 3}, true, {}}}, 1, s),
            "interface edge has no three nodes beside a line, which its turns need");
  EXPECT_EQ(refusal({left, left}, 1, s), "node 1 belongs to two rigid interfaces");
  Structure two = s;
  two.nodes.push_back({5, 5, 5}), two.labels.push_back(99);
  two.stiffness.conservativeResize(two.size(), two.size()), two.mass.conservativeResize(two.size(), two.size());
  EXPECT_EQ(refusal({left}, 1, two), "node 99 belongs to a part that no interface touches");
}

// ---- files

const char* inp = R"(** two bricks
*NODE, NSET=all
1, 0, 0, 0
2, 1., 0, 0
3, 1, 1, 0
4, 0, 1, 0
5, 0, 0, 1
6, 1, 0, 1
7, 1, 1, 1D0
8, 0, 1, 1
20, 7, 7, 7
*ELEMENT, TYPE=C3D8, ELSET=brick
1, 1, 2, 3, 4,
5, 6, 7, 8
*NSET, NSET=bottom, GENERATE
1, 4
*MATERIAL, NAME=Steel
*ELASTIC
2e11, 0.3
*DENSITY
7800
*SOLID SECTION, ELSET=brick, MATERIAL=STEEL
)";

TEST(MeshFiles, OfCalculixAreRead) {
  Mesh mesh = read_inp(inp, "b.inp");
  check_mesh(mesh);
  ASSERT_EQ(mesh.elements.size(), 1u);
  EXPECT_EQ(mesh.nodes.size(), 8u);  // a node that nothing uses is left out
  EXPECT_EQ(mesh.node_sets.at("bottom"), (std::vector<int>{0, 1, 2, 3}));
  EXPECT_EQ(mesh.node_sets.at("all").size(), 8u);
  EXPECT_EQ(mesh.materials.at(static_cast<std::size_t>(mesh.elements[0].material)).rho, 7800);
  EXPECT_EQ(find_feature_lines(mesh).size(), 12u);
}

TEST(MeshFiles, ThatAreWrongAreRefusedWithTheLine) {
  const auto refusal = [](const std::string& text, bool gmsh = false) -> std::string {
    try {
      Mesh mesh = gmsh ? read_msh(text, "m.msh") : read_inp(text, "m.inp");
      check_mesh(mesh);
    } catch (const Error& e) {
      return e.what();
    }
    return "none";
  };
  EXPECT_EQ(refusal("*NODE\n1, 0, 0, 0\n1, 1, 0, 0\n"), "m.inp:3: node 1 is there twice");
  EXPECT_EQ(refusal("*NODE\n1, 0, x, 0\n"), "m.inp:2: \"x\" is not a number");
  EXPECT_EQ(refusal("*ELEMENT, TYPE=S4\n"),
            "m.inp:1: elements of type S4 are not known; known are C3D4, C3D10, C3D8, C3D20, C3D20R");
  EXPECT_EQ(refusal("*ELEMENT, TYPE=C3D4\n1, 1, 2, 3, 4\n"), "m.inp:2: there is no node 1");
  EXPECT_EQ(refusal("*NODE\n1, 0, 0, 0\n"), "m.inp: the mesh has no solids (tet4, tet10, hex8, hex20)");
  EXPECT_EQ(refusal("hello", true), "m.msh:1: this is no file of Gmsh: $MeshFormat is missing");
  EXPECT_EQ(refusal("$MeshFormat\n3 0 8\n", true),
            "m.msh:2: versions 2.2 and 4.1 are read; save the mesh as one of them");
}

TEST(MeshFiles, OfGmshAreReadInBothVersions) {
  const std::string names = "$PhysicalNames\n2\n2 1 \"base\"\n3 2 \"all\"\n$EndPhysicalNames\n";
  const std::string old = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n" + names +
                          "$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n$EndNodes\n"
                          "$Elements\n2\n1 2 2 1 1 1 2 3\n2 4 2 2 1 1 2 3 4\n$EndElements\n";
  const std::string now = "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n" + names +
                          "$Entities\n0 0 1 1\n1 0 0 0 1 1 1 1 1 0\n1 0 0 0 1 1 1 1 2 0\n$EndEntities\n"
                          "$Nodes\n1 4 1 4\n3 1 0 4\n1\n2\n3\n4\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n$EndNodes\n"
                          "$Elements\n2 2 1 2\n2 1 2 1\n1 1 2 3\n3 1 4 1\n2 1 2 3 4\n$EndElements\n";
  for (const std::string& text : {old, now}) {
    Mesh mesh = read_msh(text, "m.msh");
    check_mesh(mesh);
    ASSERT_EQ(mesh.elements.size(), 1u);
    EXPECT_EQ(mesh.elements[0].kind, SolidKind::tet4);
    EXPECT_EQ(mesh.node_sets.at("base"), (std::vector<int>{0, 1, 2}));
    EXPECT_EQ(mesh.node_sets.at("all").size(), 4u);
  }
}

}  // namespace
}  // namespace coenergy::structures
