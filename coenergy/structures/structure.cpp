#include "coenergy/structures/structure.hpp"

#include <cmath>
#include <fstream>
#include <numeric>
#include <sstream>

#include "coenergy/base/error.hpp"
#include "coenergy/structures/solid_element.hpp"

namespace coenergy::structures {

Structure assemble(const Mesh& mesh, double scale, const Material& material) {
  Structure s;
  s.nodes = mesh.nodes, s.labels = mesh.labels;
  for (std::array<double, 3>& x : s.nodes)
    for (double& c : x) c *= scale;
  std::vector<Eigen::Triplet<double>> stiffness, mass;
  for (const Mesh::Element& e : mesh.elements) {
    const auto fail = [&](const std::string& text) {
      throw Error({mesh.file, e.line}, "element " + std::to_string(e.label) + " (" + to_words(e.kind) + "): " + text);
    };
    if (material.E <= 0 && e.material < 0) fail("it has no material; give E, nu and rho");
    const Material& m = material.E > 0 ? material : mesh.materials[static_cast<std::size_t>(e.material)];
    if (!(m.E > 0) || !(m.rho > 0) || !(m.nu > -1 && m.nu < 0.5))
      fail("its material needs E > 0, rho > 0 and nu between -1 and 0.5");
    std::vector<std::array<double, 3>> at;
    for (int node : e.nodes) at.push_back(s.nodes[static_cast<std::size_t>(node)]);
    SolidMatrices local;
    try {
      local = compute_solid(e.kind, e.reduced, at, m);
    } catch (const std::runtime_error& error) {
      fail(error.what());
    }
    const int n = static_cast<int>(e.nodes.size());
    for (int k = 0; k < n; ++k)
      for (int l = 0; l < n; ++l)
        for (int i = 0; i < 3; ++i) {
          const int row = 3 * e.nodes[static_cast<std::size_t>(k)] + i;
          mass.emplace_back(row, 3 * e.nodes[static_cast<std::size_t>(l)] + i,
                            local.mass[static_cast<std::size_t>(k * n + l)]);
          for (int j = 0; j < 3; ++j)
            stiffness.emplace_back(row, 3 * e.nodes[static_cast<std::size_t>(l)] + j,
                                   local.stiffness[static_cast<std::size_t>((3 * k + i) * 3 * n + 3 * l + j)]);
        }
  }
  s.stiffness.resize(s.size(), s.size()), s.mass.resize(s.size(), s.size());
  s.stiffness.setFromTriplets(stiffness.begin(), stiffness.end());
  s.mass.setFromTriplets(mass.begin(), mass.end());
  return s;
}

namespace {

/// Lines of a text file with their numbers.
class Lines {
 public:
  explicit Lines(const std::string& file) : file_(file), in_(file) {
    if (!in_) throw Error({file}, "cannot read the file");
  }
  bool next(std::string& line) {
    if (!std::getline(in_, line)) return false;
    ++number_;
    while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.pop_back();
    return true;
  }
  [[noreturn]] void fail(const std::string& text) const { throw Error({file_, number_}, text); }

 private:
  std::string file_;
  std::ifstream in_;
  int number_ = 0;
};

SparseMatrix read_matrix_market(const std::string& file) {
  Lines lines(file);
  std::string line;
  if (!lines.next(line) || line.compare(0, 14, "%%MatrixMarket") != 0)
    lines.fail("a matrix begins with a line %%MatrixMarket matrix coordinate real symmetric");
  std::istringstream head(line);
  std::string word, object, format, field, symmetry;
  head >> word >> object >> format >> field >> symmetry;
  const bool sparse = format == "coordinate", symmetric = symmetry == "symmetric";
  if (object != "matrix" || (!sparse && format != "array") || (field != "real" && field != "integer") ||
      (!symmetric && symmetry != "general"))
    lines.fail("a real matrix, symmetric or general, is expected here");
  do {
    if (!lines.next(line)) lines.fail("the file ends too early");
  } while (line.empty() || line[0] == '%');
  long rows = 0, columns = 0, entries = 0;
  std::istringstream size(line);
  size >> rows >> columns;
  if (sparse) size >> entries;
  if (!size || rows <= 0 || rows != columns || rows > 10'000'000) lines.fail("a square matrix is expected here");
  if (!sparse) entries = symmetric ? rows * (rows + 1) / 2 : rows * columns;
  std::vector<Eigen::Triplet<double>> values;
  long row = 0, column = 0;
  for (long k = 0; k < entries; ++k) {
    if (!lines.next(line)) lines.fail("the file ends too early");
    std::istringstream in(line);
    double value = 0;
    if (sparse) {
      in >> row >> column;
      --row, --column;
    }
    in >> value;
    if (!in || row < 0 || column < 0 || row >= rows || column >= columns || !std::isfinite(value))
      lines.fail("an entry of the matrix is expected here");
    values.emplace_back(static_cast<int>(row), static_cast<int>(column), value);
    if (symmetric && row != column) values.emplace_back(static_cast<int>(column), static_cast<int>(row), value);
    if (!sparse && ++row == rows) ++column, row = symmetric ? column : 0;
  }
  SparseMatrix m(static_cast<int>(rows), static_cast<int>(columns));
  m.setFromTriplets(values.begin(), values.end());
  const double largest = m.nonZeros() > 0 ? m.coeffs().abs().maxCoeff() : 0;
  const SparseMatrix gap = m - SparseMatrix(m.transpose());
  if (gap.nonZeros() > 0 && gap.coeffs().abs().maxCoeff() > 1e-9 * largest)
    throw Error({file}, "the matrix is not symmetric");
  return m;
}

void read_nodes(const std::string& file, Structure& s) {
  Lines lines(file);
  std::string line;
  lines.next(line);
  while (lines.next(line)) {
    if (line.empty()) continue;
    for (char& c : line)
      if (c == ',' || c == ';') c = ' ';
    std::istringstream in(line);
    int label = 0;
    std::array<double, 3> x{};
    in >> label >> x[0] >> x[1] >> x[2];
    if (!in) lines.fail("a row of the table is node,x,y,z");
    s.labels.push_back(label);
    s.nodes.push_back(x);
  }
  if (s.nodes.empty()) lines.fail("the table has no nodes");
}

}  // namespace

Structure read_structure(const std::string& stiffness, const std::string& mass, const std::string& nodes) {
  Structure s;
  read_nodes(nodes, s);
  s.stiffness = read_matrix_market(stiffness);
  s.mass = read_matrix_market(mass);
  const int rows = static_cast<int>(s.stiffness.rows()), count = static_cast<int>(s.nodes.size());
  if (s.mass.rows() != rows)
    throw Error({mass}, "it has " + std::to_string(s.mass.rows()) + " rows, the stiffness " + std::to_string(rows));
  if (rows != 3 * count && rows != 6 * count)
    throw Error({nodes}, std::to_string(count) + " nodes for " + std::to_string(rows) +
                             " rows of the matrices; it must be " + "three or six rows for each node");
  s.freedoms = rows / count;
  return s;
}

std::vector<int> find_parts(const Structure& s) {
  std::vector<int> part(s.nodes.size());
  std::iota(part.begin(), part.end(), 0);
  const auto root = [&](int k) {
    while (part[static_cast<std::size_t>(k)] != k)
      k = part[static_cast<std::size_t>(k)] = part[static_cast<std::size_t>(part[static_cast<std::size_t>(k)])];
    return k;
  };
  for (int column = 0; column < s.stiffness.outerSize(); ++column)
    for (SparseMatrix::InnerIterator entry(s.stiffness, column); entry; ++entry) {
      const int a = root(static_cast<int>(entry.row()) / s.freedoms), b = root(column / s.freedoms);
      if (a != b) part[static_cast<std::size_t>(std::max(a, b))] = std::min(a, b);
    }
  for (std::size_t k = 0; k < part.size(); ++k) part[k] = root(static_cast<int>(k));
  return part;
}

}  // namespace coenergy::structures
