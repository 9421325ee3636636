#include "coenergy/circuits/circuit_matrices.hpp"

#include <algorithm>
#include <deque>

#include "coenergy/base/error.hpp"
#include "coenergy/equations/data.hpp"
#include "coenergy/equations/open_equations.hpp"
#include "coenergy/symbolic/algebra.hpp"
#include "coenergy/symbolic/derivative.hpp"

namespace coenergy::circuits {

using equations::System;

namespace {

using model::BranchKind;
using symbolic::Expr;
using Branch = CircuitSummary::Branch;

bool is_source(const Branch& b) { return b.kind == BranchKind::voltage || b.kind == BranchKind::current; }

class Maker {
 public:
  Maker(const System& system, const CircuitSummary& circuit)
      : data_(system.data()), branches_(circuit.branches), equations_(data_), nodes_(circuit.nodes), result_{system, {},
                                                                                                             {},     {},
                                                                                                             {},     {},
                                                                                                             {},     {},
                                                                                                             {}} {}

  CircuitMatrices run() {
    check_elements();
    number_columns();
    write_currents();
    write_voltages();
    write_laws();
    write_dynamics();
    return std::move(result_);
  }

 private:
  void check_elements() {
    for (const Branch& b : branches_)
      if (b.kind == BranchKind::resistive && data_.parameter_index.find(data_.parameters, b.element + ".R") < 0)
        throw Error(b.element + ": matrices are written for circuits of resistors, inductors, capacitors and sources");
  }

  // ---- columns
  void add(std::vector<std::string>& names, const char* letter, std::vector<int>& column, auto&& wanted) {
    column.resize(branches_.size(), -1);
    for (std::size_t k = 0; k < branches_.size(); ++k) {
      if (!wanted(branches_[k])) continue;
      column[k] = static_cast<int>(names.size());
      names.push_back(std::string(letter) + "(" + branches_[k].element + ")");
    }
  }

  void number_columns() {
    const auto of = [](BranchKind kind) { return [kind](const Branch& b) { return b.kind == kind; }; };
    add(result_.y, "i", current_, is_source);
    add(result_.y, "i", current_, of(BranchKind::resistive));
    add(result_.y, "u", voltage_, is_source);
    add(result_.y, "u", voltage_, of(BranchKind::resistive));
    add(result_.y, "u", voltage_, of(BranchKind::inductive));
    add(result_.y, "i", current_, of(BranchKind::capacitive));
    add(result_.w, "i", state_, of(BranchKind::inductive));
    add(result_.w, "u", state_, of(BranchKind::capacitive));
    add(result_.z, "", source_, is_source);
    for (std::string& name : result_.z) name = name.substr(1, name.size() - 2);
  }

  struct Row {
    std::vector<Expr> a, b, c;
  };
  Row make_row() const {
    return {std::vector<Expr>(result_.y.size(), 0), std::vector<Expr>(result_.w.size(), 0),
            std::vector<Expr>(result_.z.size(), 0)};
  }
  void put(Row row) {
    result_.a.push_back(std::move(row.a));
    result_.b.push_back(std::move(row.b));
    result_.c.push_back(std::move(row.c));
  }
  /// Adds a current or voltage with a sign to the left side; states go to the right.
  void add_current(Row& row, std::size_t k, int sign) const {
    if (branches_[k].kind == BranchKind::inductive)
      row.b[state_[k]] -= sign;
    else
      row.a[current_[k]] += branches_[k].kind == BranchKind::voltage ? -sign : sign;
  }
  void add_voltage(Row& row, std::size_t k, int sign) const {
    if (branches_[k].kind == BranchKind::capacitive)
      row.b[state_[k]] -= sign;
    else
      row.a[voltage_[k]] += branches_[k].kind == BranchKind::current ? -sign : sign;
  }

  // ---- rows
  void write_currents() {
    // the last node is the ground; a circuit apart from it leaves out its own last node
    std::vector<int> part(nodes_);
    for (int i = 0; i < nodes_; ++i) part[i] = i;
    const auto find = [&](int i) {
      while (part[i] != i) i = part[i];
      return i;
    };
    for (const Branch& b : branches_) {
      const int p = find(b.p), n = find(b.n);
      part[std::min(p, n)] = std::max(p, n);
    }
    for (int node = 0; node < nodes_; ++node) {
      if (find(node) == node) continue;
      Row row = make_row();
      for (std::size_t k = 0; k < branches_.size(); ++k) {
        if (branches_[k].p == branches_[k].n) continue;
        if (branches_[k].n == node) add_current(row, k, 1);
        if (branches_[k].p == node) add_current(row, k, -1);
      }
      put(std::move(row));
    }
  }

  /// Every element that closes a loop: the shortest way from its p to its n through the elements before it.
  void write_voltages() {
    std::vector<std::vector<std::pair<int, std::size_t>>> neighbours(nodes_);  // node, branch
    for (std::size_t k = 0; k < branches_.size(); ++k) {
      const Branch& b = branches_[k];
      std::vector<std::pair<int, std::size_t>> from(nodes_, {-1, 0});  // node and branch on the way
      std::deque<int> queue{b.p};
      from[b.p] = {b.p, 0};
      for (; !queue.empty(); queue.pop_front())
        for (const auto& [other, branch] : neighbours[queue.front()])
          if (from[other].first < 0) from[other] = {queue.front(), branch}, queue.push_back(other);
      if (from[b.n].first >= 0) {
        Row row = make_row();
        add_voltage(row, k, 1);
        for (int node = b.n; node != b.p; node = from[node].first)
          add_voltage(row, from[node].second, branches_[from[node].second].n == node ? -1 : 1);
        put(std::move(row));
      }
      neighbours[b.p].emplace_back(b.n, k);
      neighbours[b.n].emplace_back(b.p, k);
    }
  }

  Expr parameter(const std::string& name) const {
    return data_.kernels.front()->set->variables.parameter(data_.parameter_index.find(data_.parameters, name));
  }

  void write_laws() {
    for (std::size_t k = 0; k < branches_.size(); ++k) {
      if (branches_[k].kind != BranchKind::resistive) continue;
      Row row = make_row();
      row.a[current_[k]] = parameter(branches_[k].element + ".R");
      row.a[voltage_[k]] = -1;
      put(std::move(row));
    }
    for (std::size_t k = 0; k < branches_.size(); ++k) {
      if (!is_source(branches_[k])) continue;
      Row row = make_row();
      row.a[branches_[k].kind == BranchKind::voltage ? voltage_[k] : current_[k]] = 1;
      row.c[source_[k]] = 1;
      put(std::move(row));
    }
  }

  /// D takes u of inductors and i of capacitors from y; M is the second derivative of the stored energy ½ wᵀ M w.
  void write_dynamics() {
    const std::size_t states = result_.w.size();
    std::vector<Expr> w(states);
    result_.d.assign(states, std::vector<Expr>(result_.y.size(), 0));
    for (std::size_t k = 0; k < branches_.size(); ++k) {
      if (state_[k] < 0) continue;
      const bool inductive = branches_[k].kind == BranchKind::inductive;
      const int signal = data_.signal_index.find(data_.signals, branches_[k].element + (inductive ? ".i" : ".v"));
      w[state_[k]] = data_.signal_values[signal];
      result_.d[state_[k]][inductive ? voltage_[k] : current_[k]] = 1;
    }
    const Expr& energy = data_.kernels.front()->set->stored;
    for (const Expr& row : w) {
      const Expr slope = energy.is_number() ? Expr(0) : symbolic::derivative(energy, row);
      result_.m.emplace_back();
      for (const Expr& column : w)
        result_.m.back().push_back(slope.is_number() ? Expr(0) : symbolic::derivative(slope, column));
    }
  }

  const System::Data& data_;
  const std::vector<Branch>& branches_;
  equations::OpenEquations equations_;
  int nodes_;
  std::vector<int> current_, voltage_, state_, source_;  // columns of each branch
  CircuitMatrices result_;
};

std::string to_text(const char* name, std::vector<std::vector<std::string>> cells,
                    const std::vector<std::string>& columns) {
  cells.insert(cells.begin(), columns);
  std::string text = std::string(name) + "\n";
  for (const auto& row : cells) {
    for (std::size_t k = 0; k < row.size(); ++k) {
      std::size_t width = 0;
      for (const auto& other : cells) width = std::max(width, other[k].size());
      text += "  " + std::string(width - row[k].size(), ' ') + row[k];
    }
    text += "\n";
  }
  return text;
}

}  // namespace

std::string CircuitMatrices::text() const {
  return to_text("A", print(a), y) + to_text("B", print(b), w) + to_text("C", print(c), z) + to_text("D", print(d), y) +
         to_text("M", print(m), w);
}

std::vector<std::vector<std::string>> CircuitMatrices::print(const Matrix& matrix) const {
  const equations::OpenEquations open(system);
  std::vector<std::vector<std::string>> cells;
  for (const auto& row : matrix) {
    cells.emplace_back();
    for (const Expr& e : row) cells.back().push_back(to_string(e));
  }
  return cells;
}

CircuitMatrices make_circuit_matrices(const System& system, const CircuitSummary& circuit) {
  return Maker(system, circuit).run();
}

}  // namespace coenergy::circuits
