#include <algorithm>
#include <sstream>
#include <unordered_map>

#include "coenergy/base/error.hpp"
#include "coenergy/structures/mesh.hpp"

namespace coenergy::structures {

namespace {

/// Gmsh's number of a kind of element: how many nodes it has, and the solid it is.
struct GmshKind {
  int nodes;
  int solid = -1;
  std::vector<int> order = {};  ///< Gmsh's place of our k-th node, where it differs
};
const std::map<int, GmshKind>& gmsh_kinds() {
  static const std::map<int, GmshKind> kinds = {
      {1, {2}},
      {2, {3}},
      {3, {4}},
      {8, {3}},
      {9, {6}},
      {10, {9}},
      {15, {1}},
      {16, {8}},
      {4, {4, static_cast<int>(SolidKind::tet4)}},
      {5, {8, static_cast<int>(SolidKind::hex8)}},
      {11, {10, static_cast<int>(SolidKind::tet10), {0, 1, 2, 3, 4, 5, 6, 7, 9, 8}}},
      {17, {20, static_cast<int>(SolidKind::hex20), {0,  1, 2,  3,  4,  5,  6,  7,  8,  11,
                                                     13, 9, 16, 18, 19, 17, 10, 12, 14, 15}}}};
  return kinds;
}

class MshReader {
 public:
  MshReader(const std::string& text, const std::string& file) : in_(text) { mesh_.file = file; }

  Mesh read() {
    std::string line;
    while (next_line(line)) {
      if (line == "$MeshFormat") read_format();
      if (line == "$PhysicalNames") read_names();
      if (line == "$Entities") read_entities();
      if (line == "$Nodes") version_ < 4 ? read_nodes2() : read_nodes4();
      if (line == "$Elements") version_ < 4 ? read_elements2() : read_elements4();
    }
    if (version_ == 0) fail("this is no file of Gmsh: $MeshFormat is missing");
    return std::move(mesh_);
  }

 private:
  [[noreturn]] void fail(const std::string& text) const { throw Error({mesh_.file, line_}, text); }

  bool next_line(std::string& line) {
    if (!std::getline(in_, line)) return false;
    ++line_;
    while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.pop_back();
    return true;
  }
  /// The numbers of the next line.
  std::vector<double> row(std::size_t least) {
    std::string line;
    if (!next_line(line)) fail("the file ends too early");
    std::istringstream in(line);
    std::vector<double> values;
    double value;
    while (in >> value) values.push_back(value);
    if (!in.eof()) fail("\"" + line + "\" is no row of numbers");
    if (values.size() < least) fail("a row of " + std::to_string(least) + " numbers is expected here");
    return values;
  }
  int count(double value) const {
    if (value < 0 || value > 1e8 || value != static_cast<int>(value)) fail("a count is expected here");
    return static_cast<int>(value);
  }

  void read_format() {
    const std::vector<double> format = row(3);
    version_ = format[0];
    if (version_ != 2.2 && version_ != 4.1) fail("versions 2.2 and 4.1 are read; save the mesh as one of them");
    if (format[1] != 0) fail("binary meshes are not read; save the mesh as text");
  }

  void read_names() {
    const int n = count(row(1)[0]);
    for (int k = 0; k < n; ++k) {
      std::string line;
      if (!next_line(line)) fail("the file ends too early");
      std::istringstream in(line);
      int dimension = 0, tag = 0;
      in >> dimension >> tag;
      const std::size_t from = line.find('"'), to = line.rfind('"');
      if (from == std::string::npos || to <= from) fail("a name in quotes is expected here");
      names_[{dimension, tag}] = line.substr(from + 1, to - from - 1);
    }
  }

  void read_entities() {
    const std::vector<double> counts = row(4);
    for (int dimension = 0; dimension < 4; ++dimension)
      for (int k = 0; k < count(counts[static_cast<std::size_t>(dimension)]); ++k) {
        const std::size_t at = dimension == 0 ? 4 : 7;
        const std::vector<double> values = row(at + 1);
        const std::size_t tags = static_cast<std::size_t>(count(values[at]));
        if (values.size() < at + 1 + tags) fail("physical groups are missing");
        for (std::size_t t = 0; t < tags; ++t)
          groups_[{dimension, static_cast<int>(values[0])}].push_back(static_cast<int>(values[at + 1 + t]));
      }
  }

  void add_node(int label, double x, double y, double z) {
    if (!index_.emplace(label, static_cast<int>(mesh_.nodes.size())).second)
      fail("node " + std::to_string(label) + " is there twice");
    mesh_.nodes.push_back({x, y, z});
    mesh_.labels.push_back(label);
  }
  void read_nodes2() {
    const int n = count(row(1)[0]);
    for (int k = 0; k < n; ++k) {
      const std::vector<double> v = row(4);
      add_node(static_cast<int>(v[0]), v[1], v[2], v[3]);
    }
  }
  void read_nodes4() {
    const int blocks = count(row(4)[0]);
    for (int b = 0; b < blocks; ++b) {
      const int n = count(row(4)[3]);
      std::vector<int> labels;
      for (int k = 0; k < n; ++k) labels.push_back(static_cast<int>(row(1)[0]));
      for (int k = 0; k < n; ++k) {
        const std::vector<double> v = row(3);
        add_node(labels[static_cast<std::size_t>(k)], v[0], v[1], v[2]);
      }
    }
  }

  void add_element(int label, int kind, const double* nodes, std::size_t given, int dimension,
                   const std::vector<int>& tags) {
    const auto place = gmsh_kinds().find(kind);
    if (place == gmsh_kinds().end())
      fail("elements of Gmsh's kind " + std::to_string(kind) +
           " are not known; known solids are tet4, tet10, hex8, hex20");
    const GmshKind& g = place->second;
    if (given < static_cast<std::size_t>(g.nodes)) fail("the element has too few nodes");
    std::vector<int> at;
    for (int k = 0; k < g.nodes; ++k) {
      const int source = g.order.empty() ? k : g.order[static_cast<std::size_t>(k)];
      const auto node = index_.find(static_cast<int>(nodes[source]));
      if (node == index_.end()) fail("there is no node " + std::to_string(static_cast<int>(nodes[source])));
      at.push_back(node->second);
    }
    for (int tag : tags) {
      const auto name = names_.find({dimension, tag});
      std::vector<int>& set = mesh_.node_sets[name == names_.end() ? std::to_string(tag) : name->second];
      set.insert(set.end(), at.begin(), at.end());
    }
    if (g.solid >= 0) mesh_.elements.push_back({static_cast<SolidKind>(g.solid), false, std::move(at), label, line_});
  }
  void read_elements2() {
    constexpr int dimensions[] = {0, 1, 2, 2, 3, 3, 3, 3, 1, 2, 2, 3, 3, 3, 3, 0, 2, 3};
    const int n = count(row(1)[0]);
    for (int k = 0; k < n; ++k) {
      const std::vector<double> v = row(3);
      const int kind = static_cast<int>(v[1]);
      const std::size_t tags = static_cast<std::size_t>(count(v[2]));
      if (v.size() < 3 + tags) fail("the element has too few numbers");
      const int dimension = kind > 0 && kind < 18 ? dimensions[kind] : 3;
      std::vector<int> groups;
      if (tags > 0 && v[3] != 0) groups.push_back(static_cast<int>(v[3]));
      add_element(static_cast<int>(v[0]), kind, v.data() + 3 + tags, v.size() - 3 - tags, dimension, groups);
    }
  }
  void read_elements4() {
    const int blocks = count(row(4)[0]);
    for (int b = 0; b < blocks; ++b) {
      const std::vector<double> head = row(4);
      const int dimension = static_cast<int>(head[0]);
      const std::vector<int> groups = groups_[{dimension, static_cast<int>(head[1])}];
      for (int k = 0; k < count(head[3]); ++k) {
        const std::vector<double> v = row(2);
        add_element(static_cast<int>(v[0]), static_cast<int>(head[2]), v.data() + 1, v.size() - 1, dimension, groups);
      }
    }
  }

  std::istringstream in_;
  Mesh mesh_;
  int line_ = 0;
  double version_ = 0;
  std::map<std::pair<int, int>, std::string> names_;
  std::map<std::pair<int, int>, std::vector<int>> groups_;  ///< physical tags of entities
  std::unordered_map<int, int> index_;
};

}  // namespace

Mesh read_msh(const std::string& text, const std::string& file) { return MshReader(text, file).read(); }

}  // namespace coenergy::structures
