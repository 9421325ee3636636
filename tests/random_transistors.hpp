#pragma once
#include <fmt/format.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

namespace coenergy::tests {

/// Random circuits of transistors and diodes that have a bias, as netlists.
///
/// Two families. Chains: stages as they are built (common emitter, followers, differential pairs, mirrors, Darlington
/// pairs, cascodes, inverters, class-AB outputs, clamps, Zener references) one behind the other, with resistors for
/// coupling and feedback. Tangles: transistors and diodes between arbitrary nodes, each node with a resistor to a rail;
/// nobody would build them, and many have several operating points.
class TransistorCircuits {
 public:
  explicit TransistorCircuits(unsigned seed) : random_(seed) {}

  /// The whole netlist but for its analyses and the last line.
  std::string make_chain() {
    begin();
    std::string at = "in";
    add_line("Vin in 0 {:.4g}", real(0.0, 0.6 * supply_));
    const int stages = pick(2, 7);
    std::vector<std::string> outputs;
    for (int k = 0; k < stages; ++k) outputs.push_back(at = add_stage(at));
    add_line("Rl {} 0 {:.4g}", at, wide(1e3, 1e6));
    // feedback around some of the stages
    if (stages > 2 && pick(0, 2) == 0)
      add_line("Rf {} {} {:.4g}", at, outputs[static_cast<std::size_t>(pick(0, stages - 2))], wide(1e4, 1e6));
    return text_;
  }

  std::string make_tangle() {
    begin();
    const int nodes = pick(4, 12), devices = pick(3, 10);
    const auto any = [&] { return fmt::format("t{}", pick(1, nodes)); };
    // never straight to a rail, so that no junction is across the supply
    const auto any_or_rail = [&] {
      if (pick(0, 3) != 0) return any();
      const std::string node = make_node();
      add_resistor(node, rail(), 20, 1e3);
      return node;
    };
    for (int k = 1; k <= nodes; ++k) {
      add_line("Rt{} t{} {} {:.4g}", k, k, rail(), wide(300, 3e5));
      if (pick(0, 1) == 0) add_line("Ru{} t{} {} {:.4g}", k, k, any_or_rail(), wide(1e3, 1e6));
    }
    for (int k = 0; k < devices; ++k) {
      const std::string a = any(), b = any(), c = any_or_rail();
      switch (pick(0, 4)) {
        case 0:
          add_bipolar("npn", a, b, c);
          break;
        case 1:
          add_bipolar("pnp", a, b, c);
          break;
        case 2:
          add_mos("nmos", a, b, c, low_);
          break;
        case 3:
          add_mos("pmos", a, b, c, "vcc");
          break;
        default:
          add_diode(a, c);
      }
    }
    return text_;
  }

 private:
  int pick(int low, int high) { return std::uniform_int_distribution(low, high)(random_); }
  double real(double low, double high) { return std::uniform_real_distribution(low, high)(random_); }
  double wide(double low, double high) { return std::exp(real(std::log(low), std::log(high))); }

  template <class... T>
  void add_line(fmt::format_string<T...> format, T&&... values) {
    text_ += fmt::format(format, std::forward<T>(values)...) + "\n";
  }
  std::string make_node() { return fmt::format("n{}", ++nodes_); }
  std::string rail() { return pick(0, 1) == 0 ? "vcc" : low_; }

  void begin() {
    text_ = "random circuit\n";
    supply_ = real(3, 18);
    low_ = "0";
    add_line("Vcc vcc 0 {:.4g}", supply_);
    if (pick(0, 2) == 0) {
      low_ = "vee";
      add_line("Vee vee 0 {:.4g}", -supply_);
    }
  }

  // ---- devices, each with a model of its own
  void add_bipolar(const std::string& kind, const std::string& c, const std::string& b, const std::string& e) {
    const int k = ++devices_;
    std::string more;
    if (pick(0, 1) == 0) more += fmt::format(" VAF={:.4g}", real(30, 200));
    if (pick(0, 2) == 0)
      more += fmt::format(" RB={:.4g} RC={:.4g} RE={:.4g}", real(5, 200), real(0.2, 10), real(0.1, 1));
    if (pick(0, 2) == 0) more += fmt::format(" ISE={:.4g} NE={:.4g}", wide(1e-15, 1e-12), real(1.3, 2));
    if (pick(0, 2) == 0) more += fmt::format(" IKF={:.4g}", wide(0.01, 1));
    if (pick(0, 1) == 0) more += " CJE=10p CJC=5p TF=0.5n";
    add_line("Q{} {} {} {} q{}", k, c, b, e, k);
    add_line(".model q{} {}(IS={:.4g} BF={:.4g} BR={:.4g}{})", k, kind, wide(1e-17, 1e-13), real(40, 500),
             real(0.5, 10), more);
  }
  void add_mos(const std::string& kind, const std::string& d, const std::string& g, const std::string& s,
               const std::string& b) {
    const int k = ++devices_;
    const double sign = kind == "nmos" ? 1 : -1;
    add_line("M{} {} {} {} {} m{} W={:.4g}u L={:.4g}u", k, d, g, s, b, k, wide(2, 500), wide(0.5, 10));
    add_line(".model m{} {}(VTO={:.4g} KP={:.4g}{}{})", k, kind, sign * real(0.4, 1.8), wide(1e-5, 1e-3),
             pick(0, 1) == 0 ? fmt::format(" LAMBDA={:.4g}", wide(0.001, 0.1)) : "",
             pick(0, 1) == 0 ? fmt::format(" GAMMA={:.4g} PHI={:.4g}", real(0.1, 0.8), real(0.5, 0.8)) : "");
  }
  void add_diode(const std::string& p, const std::string& n, bool zener = false) {
    const int k = ++devices_;
    add_line("D{} {} {} d{}", k, p, n, k);
    std::string more = pick(0, 1) == 0 ? fmt::format(" RS={:.4g}", wide(0.05, 20)) : "";
    if (pick(0, 2) == 0) more += " CJO=4p";
    if (zener) more += fmt::format(" BV={:.4g} IBV=1m", real(2, 8));
    // SPICE counts part of the saturation current to the current at the breakdown: none of a Zener diode is to be seen
    add_line(".model d{} D(IS={:.4g} N={:.4g}{})", k, wide(1e-16, zener ? 1e-14 : 1e-8), real(1, 2), more);
  }
  void add_resistor(const std::string& a, const std::string& b, double low, double high) {
    add_line("R{} {} {} {:.4g}", ++devices_, a, b, wide(low, high));
  }
  /// A sink of current to the lower rail: a resistor or a mirror.
  void add_tail(const std::string& at) {
    if (pick(0, 1) == 0) return add_resistor(at, low_, 300, 3e4);
    const std::string m = make_node();
    add_resistor("vcc", m, 1e3, 1e5);
    if (pick(0, 1) == 0) {
      add_bipolar("npn", m, m, low_);
      add_bipolar("npn", at, m, low_);
    } else {
      add_mos("nmos", m, m, low_, low_);
      add_mos("nmos", at, m, low_, low_);
    }
  }

  // ---- stages: each returns its output
  std::string add_stage(const std::string& in) {
    using Stage = std::string (TransistorCircuits::*)(const std::string&);
    static constexpr Stage stages[] = {&TransistorCircuits::add_common_emitter, &TransistorCircuits::add_pnp_stage,
                                       &TransistorCircuits::add_follower,       &TransistorCircuits::add_pair,
                                       &TransistorCircuits::add_darlington,     &TransistorCircuits::add_common_source,
                                       &TransistorCircuits::add_mos_follower,   &TransistorCircuits::add_inverter,
                                       &TransistorCircuits::add_clamp,          &TransistorCircuits::add_reference,
                                       &TransistorCircuits::add_class_ab,       &TransistorCircuits::add_cascode};
    return (this->*stages[pick(0, static_cast<int>(std::size(stages)) - 1)])(in);
  }
  std::string add_common_emitter(const std::string& in) {
    const std::string b = make_node(), c = make_node(), e = make_node();
    add_resistor(in, b, 1e3, 3e5);
    add_resistor("vcc", b, 1e4, 3e5);
    add_resistor(b, low_, 3e3, 1e5);
    add_resistor("vcc", c, 500, 2e4);
    add_resistor(e, low_, 50, 5e3);
    add_bipolar("npn", c, b, e);
    return c;
  }
  std::string add_pnp_stage(const std::string& in) {
    const std::string c = make_node(), e = make_node(), b = make_node();
    add_resistor("vcc", e, 50, 5e3);
    add_resistor(in, b, 100, 1e5);
    add_resistor("vcc", b, 1e4, 3e5);
    add_resistor(c, low_, 500, 2e4);
    add_bipolar("pnp", c, b, e);
    return c;
  }
  std::string add_follower(const std::string& in) {
    const std::string e = make_node();
    const bool npn = pick(0, 1) == 0;
    add_bipolar(npn ? "npn" : "pnp", npn ? "vcc" : low_, in, e);
    if (npn)
      add_tail(e);
    else
      add_resistor("vcc", e, 300, 3e4);
    return e;
  }
  std::string add_pair(const std::string& in) {
    const std::string tail = make_node(), left = make_node(), right = make_node(), other = make_node();
    add_resistor("vcc", other, 1e4, 1e5);
    add_resistor(other, low_, 1e4, 1e5);
    const bool mos = pick(0, 2) == 0;
    for (const auto& [c, b] : {std::pair(left, in), std::pair(right, other)})
      mos ? add_mos("nmos", c, b, tail, low_) : add_bipolar("npn", c, b, tail);
    add_tail(tail);
    if (pick(0, 1) == 0) {
      add_resistor("vcc", left, 500, 2e4);
      add_resistor("vcc", right, 500, 2e4);
    } else {
      // a mirror as the load
      mos ? add_mos("pmos", left, left, "vcc", "vcc") : add_bipolar("pnp", left, left, "vcc");
      mos ? add_mos("pmos", right, left, "vcc", "vcc") : add_bipolar("pnp", right, left, "vcc");
    }
    return right;
  }
  std::string add_darlington(const std::string& in) {
    const std::string c = make_node(), m = make_node(), e = make_node();
    add_bipolar("npn", c, in, m);
    add_bipolar("npn", c, m, e);
    if (pick(0, 1) == 0) add_resistor(m, e, 1e3, 1e5);
    add_resistor("vcc", c, 100, 5e3);
    add_resistor(e, low_, 50, 5e3);
    return pick(0, 1) == 0 ? c : e;
  }
  std::string add_common_source(const std::string& in) {
    const std::string d = make_node(), s = make_node();
    const bool n = pick(0, 1) == 0;
    add_mos(n ? "nmos" : "pmos", d, in, s, n ? low_ : "vcc");
    add_resistor(s, n ? low_ : "vcc", 50, 5e3);
    add_resistor(d, n ? "vcc" : low_, 500, 5e4);
    return d;
  }
  std::string add_mos_follower(const std::string& in) {
    const std::string s = make_node();
    add_mos("nmos", "vcc", in, s, pick(0, 1) == 0 ? s : low_);
    add_tail(s);
    return s;
  }
  /// With a resistor that sets its bias, or without one.
  std::string add_inverter(const std::string& in) {
    const std::string out = make_node(), g = make_node();
    add_resistor(in, g, 1e3, 1e5);
    add_mos("nmos", out, g, low_, low_);
    add_mos("pmos", out, g, "vcc", "vcc");
    add_resistor(out, pick(0, 1) == 0 ? g : "0", 1e4, 1e7);
    return out;
  }
  std::string add_clamp(const std::string& in) {
    const std::string out = make_node();
    add_resistor(in, out, 100, 1e4);
    for (int k = pick(1, 3); k > 0; --k) pick(0, 1) == 0 ? add_diode(out, "vcc") : add_diode(low_, out);
    return out;
  }
  std::string add_reference(const std::string& in) {
    const std::string z = make_node(), out = make_node();
    add_resistor("vcc", z, 300, 1e4);
    add_diode(low_, z, true);
    add_bipolar("npn", "vcc", z, out);
    add_resistor(out, in, 1e3, 1e5);
    add_resistor(out, low_, 300, 1e4);
    return out;
  }
  std::string add_class_ab(const std::string& in) {
    const std::string up = make_node(), down = make_node(), out = make_node(), a = make_node(), b = make_node();
    add_resistor("vcc", up, 500, 2e4);
    add_diode(up, in);
    add_diode(in, down);
    add_resistor(down, low_, 500, 2e4);
    add_bipolar("npn", "vcc", up, a);
    add_bipolar("pnp", low_, down, b);
    add_resistor(a, out, 0.2, 50);
    add_resistor(b, out, 0.2, 50);
    return out;
  }
  std::string add_cascode(const std::string& in) {
    const std::string b = make_node(), m = make_node(), c = make_node(), e = make_node();
    add_resistor("vcc", b, 1e4, 1e5);
    add_resistor(b, low_, 1e4, 1e5);
    add_bipolar("npn", m, in, e);
    add_resistor(e, low_, 50, 3e3);
    add_bipolar("npn", c, b, m);
    add_resistor("vcc", c, 500, 2e4);
    return c;
  }

  std::mt19937 random_;
  std::string text_, low_ = "0";
  double supply_ = 0;
  int nodes_ = 0, devices_ = 0;
};

}  // namespace coenergy::tests
