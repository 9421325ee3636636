#include <algorithm>
#include <map>

#include "coenergy/circuits/circuit.hpp"
#include "coenergy/compile/charges.hpp"
#include "coenergy/compile/component_equations.hpp"
#include "coenergy/compile/component_probe.hpp"
#include "coenergy/symbolic/algebra.hpp"
#include "coenergy/symbolic/derivative.hpp"

namespace coenergy::compile {

using circuits::BranchInfo;
using circuits::Circuit;
using equations::Source;
using model::BranchKind;
using symbolic::Expr;

namespace {

Expr partial(const Expr& e, const Expr& symbol) { return e.is_number() ? Expr(0) : symbolic::derivative(e, symbol); }

Expr put(const Expr& e, const std::vector<Expr>& from, const std::vector<Expr>& to) {
  return e.is_number() ? e : symbolic::substitute(e, from, to);
}

Expr without(const Expr& e, const std::vector<Expr>& symbols) {
  return put(e, symbols, std::vector<Expr>(symbols.size(), Expr(0)));
}

}  // namespace

/// Λ, D and Q in words; of meshes the charges q1, q2, … and the currents q1', q2', ….
class ChargeText {
 public:
  ChargeText(Charges& charges) : c_(charges), m_(charges.m_), r_(charges.r_) {}

  std::string write() {
    find_meshes();
    for (std::size_t root = 0; root < m_.components.size(); ++root)
      if (r_.components[root].group == static_cast<int>(root)) write_group(static_cast<int>(root));
    std::string text = "charges of meshes, their currents and the branches around them\n" + meshes_;
    text += "Lambda = sum of\n" + lambda_;
    if (m_.mechanism) text += "  T - V of the bodies\n";
    text += "D = sum of\n" + dissipation_ + "Q, voltages that no function of state represents\n";
    for (const auto& [name, value] : forces_) text += "  " + name + ": " + value + "\n";
    return text;
  }

 private:
  Expr symbol(const std::string& name) const { return m_.builder.graph().symbol(name); }

  void find_meshes() {
    const std::vector<BranchInfo>& branches = m_.circuit->branches();
    current_.assign(branches.size(), Expr(0));
    charge_.assign(branches.size(), Expr(0));
    for (std::size_t k = 0; k < branches.size(); ++k) {
      const BranchInfo& b = branches[k];
      if (b.in_tree || (b.p == b.n && b.kind != BranchKind::inductive)) continue;
      const std::string q = next_charge();
      std::string around = m_.circuit->branch_name(static_cast<int>(k));
      add(k, q, 1);
      for (const Circuit::Term& term : m_.circuit->tree_path(static_cast<int>(k))) {
        add(static_cast<std::size_t>(term.branch), q, -term.sign);
        around += (term.sign > 0 ? " - " : " + ") + m_.circuit->branch_name(term.branch);
      }
      meshes_ += "  " + q + ": " + around + "\n";
    }
    // currents that flow inside
    for (std::size_t c = 0; c < m_.components.size(); ++c) {
      const auto& variables = m_.components[c].type->description.variables;
      for (std::size_t v = 0; v < variables.size(); ++v) {
        if (!c_.is_inner_current(static_cast<int>(c), static_cast<int>(v))) continue;
        const std::string q = next_charge();
        from_.push_back(c_.variable(static_cast<int>(c), static_cast<int>(v)));
        to_.push_back(symbol(q + "'"));
        meshes_ += "  " + q + ": " + m_.components[c].name() + "." + variables[v].name + "\n";
      }
    }
    for (std::size_t k = 0; k < branches.size(); ++k)
      if (branches[k].kind == BranchKind::inductive) {
        const Expr i = c_.variable(branches[k].component, branches[k].state);
        if (!i.is_number()) from_.push_back(i), to_.push_back(current_[k]);
      }
  }

  std::string next_charge() { return "q" + std::to_string(++meshes_so_far_); }

  void add(std::size_t branch, const std::string& q, int sign) {
    current_[branch] += sign * symbol(q + "'");
    charge_[branch] += sign * symbol(q);
    of_branch_[branch].emplace_back(q, sign);
  }

  /// Rates in e.
  std::vector<Expr> rates(const Expr& e) const {
    std::vector<Expr> found;
    if (e.is_number()) return found;
    for (const Expr& s : symbolic::free_symbols(std::span(&e, 1))) {
      const Source source = m_.builder.variables().address(s).source;
      if (source == Source::v || source == Source::xd || source == Source::rotation_v) found.push_back(s);
    }
    return found;
  }

  void line(std::string& text, const std::string& name, const Expr& e) {
    if (!e.is_zero()) text += "  " + name + ": " + to_string(put(e, from_, to_)) + "\n";
  }

  void write_group(int root) {
    std::string name;
    Expr magnetic = 0, stored = 0, kinetic = 0, loss = 0;
    std::vector<std::size_t> members;
    const std::vector<Expr> voltages = c_.group_symbols(root, BranchKind::capacitive);
    for (std::size_t c = static_cast<std::size_t>(root); c < m_.components.size(); ++c) {
      const EnergyRecords::Component& r = r_.components[c];
      if (r.group != root) continue;
      members.push_back(c);
      name += (name.empty() ? "" : ", ") + m_.components[c].name();
      const Expr at_rest = without(r.stored, rates(r.stored));
      kinetic += r.stored - at_rest;
      if (!r.coenergy.is_zero())
        magnetic += r.coenergy;
      else if (c_.has_pin(static_cast<int>(c)) || !voltages.empty() ||
               !c_.group_symbols(root, BranchKind::inductive).empty())
        magnetic += at_rest;
      else
        stored += at_rest;  // a potential
      loss += r.dissipated;
    }
    line(lambda_, name, kinetic - stored + (voltages.empty() ? magnetic : -electric_energy(root, magnetic, voltages)));
    write_losses(name, members, loss, voltages);
  }

  /// W_e of W' = c0 + c1 u + ½ C u² is (Q − c1)²/(2 C) − c0; any other law keeps its voltage.
  Expr electric_energy(int root, const Expr& coenergy, const std::vector<Expr>& voltages) const {
    const Expr rest = without(coenergy, voltages);
    Expr energy = -rest;
    for (std::size_t k = 0; k < m_.circuit->branches().size(); ++k) {
      const BranchInfo& b = m_.circuit->branches()[k];
      if (b.kind != BranchKind::capacitive || r_.components[static_cast<std::size_t>(b.component)].group != root)
        continue;
      const Expr u = c_.variable(b.component, b.state), c = partial(partial(coenergy, u), u);
      const bool is_linear = voltages.size() == 1 && (c.is_number() || !symbolic::depends_on(c, u));
      if (!is_linear || c.is_zero()) {
        energy += u * charge_[k];
        continue;
      }
      const Expr offset = without(partial(coenergy, u), voltages), q = charge_[k] - offset;
      return energy + q * q / (2 * c);
    }
    return energy - (coenergy - rest);
  }

  void write_losses(const std::string& name, const std::vector<std::size_t>& members, const Expr& loss,
                    const std::vector<Expr>& voltages) {
    bool is_resistive = false;
    Expr linear_losses = 0;
    for (std::size_t k = 0; k < m_.circuit->branches().size(); ++k) {
      const BranchInfo& b = m_.circuit->branches()[k];
      if (std::find(members.begin(), members.end(), static_cast<std::size_t>(b.component)) == members.end()) continue;
      if (b.kind == BranchKind::resistive) {
        is_resistive = true;
        write_resistance(k, b);
      } else if (b.kind == BranchKind::voltage) {
        ComponentEquations eq(m_, b.component);
        add_force(k,
                  to_string(*m_.components[b.component].type->branches(eq)[static_cast<std::size_t>(b.index)].value));
      } else if (b.kind == BranchKind::current) {
        add_force(k, "u(" + m_.components[b.component].name() + ")");
      } else if (b.kind == BranchKind::inductive) {
        // losses that go with a current, not with its square, belong to the voltage of a motion
        const Expr i = c_.variable(b.component, b.state);
        const Expr linear = without(partial(loss, i), c_.group_symbols(b.component, BranchKind::inductive));
        linear_losses += i * linear;
        const auto e = c_.motional_voltage(b.component, i);
        if (!e)
          add_force(k, "u(" + m_.components[b.component].name() + ")");
        else if (!(*e + linear).is_zero())
          add_force(k, to_string(symbolic::simplify(*e + linear)));
      }
    }
    // losses go with squares of currents and rates
    if (!is_resistive && voltages.empty())
      line(dissipation_, name, symbolic::simplify(symbolic::expand(loss - linear_losses)) / 2);
  }

  void write_resistance(std::size_t k, const BranchInfo& b) {
    const auto& through = r_.components[static_cast<std::size_t>(b.component)].through;
    const std::string& name = m_.components[b.component].name();
    const bool is_two_pole = m_.probe->branches(b.component).size() == 1 && through.size() == 2;
    const Expr from = c_.node(b.p), to = c_.node(b.n);
    const auto port = static_cast<std::size_t>(m_.probe->branches(b.component)[0].p.index);
    const Expr g = !is_two_pole       ? Expr(0)
                   : from.is_number() ? -partial(through[port], to)
                                      : partial(through[port], from);
    const bool is_linear = !g.is_zero() && (from.is_number() || g.is_number() || !symbolic::depends_on(g, from)) &&
                           (to.is_number() || g.is_number() || !symbolic::depends_on(g, to));
    if (is_linear)
      line(dissipation_, name, current_[k] * current_[k] / (2 * g));
    else
      add_force(k, "u(" + name + ")");
  }

  /// A voltage along the branch drops around its meshes.
  void add_force(std::size_t branch, const std::string& value) {
    for (const auto& [q, sign] : of_branch_[branch]) {
      std::string& text = forces_[q];
      text += (sign > 0 ? (text.empty() ? "-" : " - ") : (text.empty() ? "" : " + ")) + ("(" + value + ")");
    }
  }

  Charges& c_;
  Compilation& m_;
  const EnergyRecords& r_;
  int meshes_so_far_ = 0;
  std::vector<Expr> current_, charge_;  ///< of every branch
  std::vector<Expr> from_, to_;         ///< currents of windings by those of meshes
  std::map<std::size_t, std::vector<std::pair<std::string, int>>> of_branch_;
  std::map<std::string, std::string> forces_;
  std::string meshes_, lambda_, dissipation_;
};

std::string Charges::tell() { return ChargeText(*this).write(); }

}  // namespace coenergy::compile
