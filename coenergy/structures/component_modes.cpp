#include "coenergy/structures/component_modes.hpp"

#include <Spectra/SymGEigsShiftSolver.h>
#include <Eigen/Dense>
#include <Eigen/SparseCholesky>
#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>

namespace coenergy::structures {

using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

/// Displacements of an interface's nodes, and their rotations, by its own rigid motion: rows of freedoms by 6.
MatrixXd rigid_motion(const Structure& s, const Interface& face) {
  MatrixXd t = MatrixXd::Zero(s.freedoms * static_cast<int>(face.nodes.size()), 6);
  for (std::size_t k = 0; k < face.nodes.size(); ++k) {
    const int row = s.freedoms * static_cast<int>(k);
    double r[3];
    for (int i = 0; i < 3; ++i)
      r[i] = s.nodes[static_cast<std::size_t>(face.nodes[k])][static_cast<std::size_t>(i)] -
             face.position[static_cast<std::size_t>(i)];
    for (int i = 0; i < 3; ++i) {
      t(row + i, i) = 1;
      // θ × r
      t(row + i, 3 + (i + 1) % 3) = r[(i + 2) % 3];
      t(row + i, 3 + (i + 2) % 3) = -r[(i + 1) % 3];
      if (s.freedoms == 6) t(row + 3 + i, 3 + i) = 1;
    }
  }
  return t;
}

/// Solves for the freedoms inside, with the rigid interfaces held and the mean ones where they are told:
///
///   K u + Wᵀλ = f,   W u = q
///
/// K is factored once. Where no rigid interface holds it, springs at three nodes make it regular and are taken out again:
/// K = K_s − α F Fᵀ, with μ = −α Fᵀu as further unknowns.
class InnerSolver {
 public:
  InnerSolver(const SparseMatrix& stiffness, const MatrixXd& mean, bool held, const std::vector<int>& corners)
      : mean_(static_cast<int>(mean.rows())), size_(static_cast<int>(stiffness.rows())) {
    if (size_ == 0) return;  // interfaces hold all there is
    SparseMatrix k = stiffness;
    const int springs = held ? 0 : static_cast<int>(corners.size());
    MatrixXd c(size_, mean_ + springs);
    c.leftCols(mean_) = mean.transpose();
    c.rightCols(springs).setZero();
    const double alpha = k.diagonal().mean();
    for (int i = 0; i < springs; ++i) {
      c(corners[static_cast<std::size_t>(i)], mean_ + i) = 1;
      k.coeffRef(corners[static_cast<std::size_t>(i)], corners[static_cast<std::size_t>(i)]) += alpha;
    }
    factors_.compute(k);
    if (factors_.info() != Eigen::Success || !(factors_.vectorD().minCoeff() > 1e-13 * factors_.vectorD().maxCoeff()))
      throw std::runtime_error(
          "its stiffness is singular with the interfaces held: parts that nothing holds, or that turn freely");
    if (c.cols() == 0) return;
    c_ = c;
    y_ = factors_.solve(c);
    MatrixXd g = c.transpose() * y_;
    for (int i = 0; i < springs; ++i) g(mean_ + i, mean_ + i) -= 1 / alpha;
    small_.compute(g);
  }

  VectorXd solve(const VectorXd& f, const VectorXd& q) const {
    if (size_ == 0) return f;
    VectorXd u = factors_.solve(f);
    if (c_.cols() == 0) return u;
    VectorXd right = c_.transpose() * u;
    right.head(mean_) -= q;
    return u - y_ * small_.solve(right);
  }
  int means() const { return mean_; }
  int size() const { return size_; }

 private:
  int mean_, size_;
  Eigen::SimplicialLDLT<SparseMatrix> factors_;
  MatrixXd c_, y_;
  Eigen::PartialPivLU<MatrixXd> small_;
};

/// (K − 0 M)⁻¹ of Spectra.
class InverseStiffness {
 public:
  using Scalar = double;
  explicit InverseStiffness(const InnerSolver& solver) : solver_(solver) {}
  int rows() const { return solver_.size(); }
  int cols() const { return solver_.size(); }
  void set_shift(double) {}
  void perform_op(const double* in, double* out) const {
    Eigen::Map<VectorXd>(out, rows()) =
        solver_.solve(Eigen::Map<const VectorXd>(in, rows()), VectorXd::Zero(solver_.means()));
  }

 private:
  const InnerSolver& solver_;
};
class MassProduct {
 public:
  using Scalar = double;
  explicit MassProduct(const SparseMatrix& mass) : mass_(mass) {}
  int rows() const { return static_cast<int>(mass_.rows()); }
  int cols() const { return static_cast<int>(mass_.cols()); }
  void perform_op(const double* in, double* out) const {
    Eigen::Map<VectorXd>(out, rows()).noalias() = mass_ * Eigen::Map<const VectorXd>(in, rows());
  }

 private:
  const SparseMatrix& mass_;
};

/// Columns: the lowest modes; ω of the last one.
std::pair<MatrixXd, double> inner_modes(const InnerSolver& solver, const SparseMatrix& mass, int count) {
  if (count == 0) return {MatrixXd(solver.size(), 0), 0};
  const int freedoms = solver.size() - solver.means();
  if (count >= freedoms)
    throw std::runtime_error(std::to_string(count) + " modes, but there are " + std::to_string(freedoms) +
                             " freedoms inside; ask for less");
  InverseStiffness inverse(solver);
  MassProduct product(mass);
  Spectra::SymGEigsShiftSolver<InverseStiffness, MassProduct, Spectra::GEigsMode::ShiftInvert> lanczos(
      inverse, product, count, std::min(freedoms, std::max(2 * count + 1, count + 20)), 0.0);
  lanczos.init();
  const auto found = lanczos.compute(Spectra::SortRule::LargestMagn, 1000, 1e-12, Spectra::SortRule::SmallestAlge);
  if (lanczos.info() != Spectra::CompInfo::Successful || found < count)
    throw std::runtime_error("its modes were not found");
  return {lanczos.eigenvectors(), std::sqrt(std::max(lanczos.eigenvalues().maxCoeff(), 0.0))};
}

/// Which freedoms are inside, and the matrices of those.
class Partition {
 public:
  Partition(const Structure& s, const std::vector<Interface>& faces)
      : s_(s), place_(static_cast<std::size_t>(s.size()), -1) {
    std::vector<char> held(s.nodes.size(), 0);
    for (const Interface& face : faces)
      for (int node : face.nodes) {
        if (face.rigid && held[static_cast<std::size_t>(node)] != 0)
          throw std::runtime_error("node " + std::to_string(s.labels[static_cast<std::size_t>(node)]) +
                                   " belongs to two rigid interfaces");
        if (face.rigid) held[static_cast<std::size_t>(node)] = 1;
      }
    for (int k = 0; k < s.size(); ++k)
      if (held[static_cast<std::size_t>(k / s.freedoms)] == 0) place_[static_cast<std::size_t>(k)] = size_++;
  }
  int size() const { return size_; }
  int place(int freedom) const { return place_[static_cast<std::size_t>(freedom)]; }

  SparseMatrix inside(const SparseMatrix& whole) const {
    std::vector<Eigen::Triplet<double>> entries;
    for (int j = 0; j < whole.outerSize(); ++j)
      for (SparseMatrix::InnerIterator e(whole, j); e; ++e)
        if (const int row = place(static_cast<int>(e.row())), column = place(j); row >= 0 && column >= 0)
          entries.emplace_back(row, column, e.value());
    SparseMatrix m(size_, size_);
    m.setFromTriplets(entries.begin(), entries.end());
    return m;
  }
  VectorXd inside(const VectorXd& whole) const {
    VectorXd v(size_);
    for (int k = 0; k < whole.size(); ++k)
      if (place(k) >= 0) v[place(k)] = whole[k];
    return v;
  }
  void spread(const VectorXd& inner, Eigen::Ref<VectorXd> whole) const {
    for (int k = 0; k < whole.size(); ++k)
      if (place(k) >= 0) whole[k] += inner[place(k)];
  }

 private:
  const Structure& s_;
  std::vector<int> place_;
  int size_ = 0;
};

void check_interfaces(const Structure& s, const std::vector<Interface>& faces) {
  for (const Interface& face : faces) {
    if (face.nodes.empty()) throw std::runtime_error("interface " + face.name + " has no nodes");
    const Eigen::JacobiSVD<MatrixXd> svd(rigid_motion(s, face));
    if (svd.singularValues()(5) < 1e-9 * svd.singularValues()(0))
      throw std::runtime_error("interface " + face.name + " has no three nodes beside a line, which its turns need");
  }
  const std::vector<int> part = find_parts(s);
  std::set<int> touched;
  for (const Interface& face : faces)
    for (int node : face.nodes) touched.insert(part[static_cast<std::size_t>(node)]);
  for (std::size_t k = 0; k < part.size(); ++k)
    if (touched.count(part[k]) == 0)
      throw std::runtime_error("node " + std::to_string(s.labels[k]) + " belongs to a part that no interface touches");
}

/// Freedoms of three nodes far from each other.
std::vector<int> find_corners(const Structure& s, const Partition& partition) {
  std::vector<std::size_t> nodes{0};
  const auto distance = [&](std::size_t a, std::size_t b) {
    double sum = 0;
    for (std::size_t i = 0; i < 3; ++i) sum += (s.nodes[a][i] - s.nodes[b][i]) * (s.nodes[a][i] - s.nodes[b][i]);
    return std::sqrt(sum);
  };
  for (int k = 1; k < 4; ++k) {
    std::size_t best = 0;
    double farthest = -1;
    for (std::size_t n = 0; n < s.nodes.size(); ++n) {
      double product = 1;
      for (std::size_t m : nodes) product *= distance(n, m);
      if (product > farthest) farthest = product, best = n;
    }
    nodes.push_back(best);
  }
  std::vector<int> freedoms;
  for (std::size_t n : nodes)
    for (int i = 0; i < 3; ++i) freedoms.push_back(partition.place(s.freedoms * static_cast<int>(n) + i));
  return freedoms;
}

}  // namespace

ComponentModes compute_component_modes(const Structure& s, const std::vector<Interface>& faces, int modes) {
  check_interfaces(s, faces);
  const Partition partition(s, faces);
  const int inside = partition.size(), n = static_cast<int>(faces.size());
  bool held = false;
  int means = 0;
  for (const Interface& face : faces) held = held || face.rigid, means += face.rigid ? 0 : 6;

  // the mean motion of the other interfaces' nodes: (TᵀT)⁻¹Tᵀ
  MatrixXd mean = MatrixXd::Zero(means, inside);
  std::vector<int> mean_row(static_cast<std::size_t>(n), -1);
  for (int k = 0, row = 0; k < n; ++k) {
    const Interface& face = faces[static_cast<std::size_t>(k)];
    if (face.rigid) continue;
    MatrixXd t = rigid_motion(s, face);
    for (int i = 0; i < t.rows(); ++i)
      if (i % s.freedoms >= 3) t.row(i).setZero();
    const MatrixXd w = (t.transpose() * t).ldlt().solve(t.transpose());
    for (std::size_t a = 0; a < face.nodes.size(); ++a)
      for (int i = 0; i < s.freedoms; ++i)
        if (const int place = partition.place(s.freedoms * face.nodes[a] + i); place >= 0)
          mean.block(row, place, 6, 1) = w.col(s.freedoms * static_cast<int>(a) + i);
        else
          throw std::runtime_error("interfaces " + face.name + " and a rigid one share a node");
    mean_row[static_cast<std::size_t>(k)] = row;
    row += 6;
  }
  const InnerSolver solver(partition.inside(s.stiffness), mean, held,
                           held ? std::vector<int>{} : find_corners(s, partition));
  const SparseMatrix inner_mass = partition.inside(s.mass);
  const auto [inner, highest] = inner_modes(solver, inner_mass, modes);

  // columns of the raw basis: six static shapes of each interface but the first, then the modes inside
  const int raw = 6 * (n - 1) + modes;
  MatrixXd basis = MatrixXd::Zero(s.size(), raw), motion = MatrixXd::Zero(6 * n, raw);
  for (int k = 1; k < n; ++k) {
    const Interface& face = faces[static_cast<std::size_t>(k)];
    const MatrixXd t = rigid_motion(s, face);
    for (int i = 0; i < 6; ++i) {
      const int column = 6 * (k - 1) + i;
      motion(6 * k + i, column) = 1;
      VectorXd f = VectorXd::Zero(inside), q = VectorXd::Zero(means);
      if (face.rigid) {
        VectorXd moved = VectorXd::Zero(s.size());
        for (std::size_t a = 0; a < face.nodes.size(); ++a)
          for (int c = 0; c < s.freedoms; ++c)
            moved[s.freedoms * face.nodes[a] + c] = t(s.freedoms * static_cast<int>(a) + c, i);
        basis.col(column) = moved;
        f = -partition.inside(VectorXd(s.stiffness * moved));
      } else {
        q[mean_row[static_cast<std::size_t>(k)] + i] = 1;
      }
      partition.spread(solver.solve(f, q), basis.col(column));
    }
  }
  for (int k = 0; k < modes; ++k) partition.spread(inner.col(k), basis.col(6 * (n - 1) + k));

  // their own modes with the first interface held
  const MatrixXd mass = basis.transpose() * (s.mass * basis), stiffness = basis.transpose() * (s.stiffness * basis);
  const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd> own((stiffness + stiffness.transpose()) / 2,
                                                               (mass + mass.transpose()) / 2);
  if (own.info() != Eigen::Success) throw std::runtime_error("its reduced mass is not positive");
  ComponentModes result;
  result.highest = highest;
  result.shapes = basis * own.eigenvectors();
  const MatrixXd turned = motion * own.eigenvectors();
  for (int k = 0; k < n; ++k) result.interfaces.push_back(turned.middleRows(6 * k, 6));
  for (int k = 0; k < raw; ++k) result.frequency.push_back(std::sqrt(std::max(own.eigenvalues()[k], 0.0)));
  return result;
}

}  // namespace coenergy::structures
