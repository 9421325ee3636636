#pragma once
#include <fmt/format.h>

#include <random>
#include <regex>
#include <string>
#include <vector>

namespace coenergy::tests {

/// Random machines of all domains as users write them: trees, planar loops, shaft lines, DC drives with analog or
/// sampled control, circuits with diodes and switches, hydraulic axes, stops, friction, beams. Parts are coupled where
/// physics allows: a motor or a cylinder moves a joint, a controller measures one. The same seed gives the same text.
class RandomMachine {
 public:
  explicit RandomMachine(unsigned seed) : random_(seed) {
    text_ = "energy: true\ncomponents:\n";
    const int kind = integer(6);
    if (kind == 0 || kind == 3) add_tree();
    if (kind == 1 || kind == 4) add_loop();
    if (kind == 2) add_shafts();
    if (kind == 5) add_beam();
    if (integer(2) == 0) add_drive();
    if (integer(3) == 0) add_circuit();
    if (integer(3) == 0) add_hydraulics();
    if (integer(4) == 0) add_falling_mass();
    if (integer(4) == 0) add_belt();
    if (kind != 2 && integer(5) == 0) add_shafts();
  }

  /// Everything but `formulation:` and `simulate:`.
  const std::string& text() const { return text_; }
  /// The same, but all start values that are given are a part larger: what becomes of an error.
  std::string shifted_text(double part) const {
    static const std::regex start(R"((, (?:q0|qd0|w0|s0|p_a0|p_b0): )(-?[0-9.e+-]+))");
    std::string text;
    auto rest = text_.cbegin();
    for (std::sregex_iterator i(text_.begin(), text_.end(), start), none; i != none; ++i) {
      text += std::string(rest, (*i)[0].first) + i->str(1) + fmt::format("{:.17g}", std::stod((*i)[2]) * (1 + part));
      rest = (*i)[0].second;
    }
    return text + std::string(rest, text_.cend());
  }
  /// Signals that are continuous but at impacts: what runs are compared by.
  const std::vector<std::string>& signals() const { return signals_; }
  bool has_bodies() const { return has_bodies_; }
  bool is_flexible() const { return is_flexible_; }

 private:
  double number(double low, double high) { return std::uniform_real_distribution<>(low, high)(random_); }
  int integer(int n) { return std::uniform_int_distribution<>(0, n - 1)(random_); }
  /// Between low and high, evenly in the logarithm.
  double spread(double low, double high) { return low * std::pow(high / low, number(0, 1)); }
  template <class... T>
  void line(const std::string& name, fmt::format_string<T...> format, T&&... values) {
    text_ += "  " + name + ": {" + fmt::format(format, std::forward<T>(values)...) + "}\n";
  }
  void watch(const std::string& part, std::initializer_list<const char*> names) {
    for (const char* name : names) signals_.push_back(part + "." + name);
  }

  void add_gravity() {
    if (has_bodies_) return;
    has_bodies_ = true;
    if (integer(3) > 0) line("gravity", "type: multibody.Gravity, g: [0, -9.81, 0]");
  }

  std::string body(const std::string& name, double x, double y) {
    line(name, "type: multibody.Body, mass: {:.4g}, com: [{:.4g}, {:.4g}, 0], inertia: [0.05, 0.05, {:.4g}]",
         number(0.4, 3), x, y, number(0.02, 0.2));
    return name;
  }

  /// Springs, dampers, friction, stops and torques of a joint.
  std::string joint_extras(bool may_stop) {
    std::string text;
    if (integer(3) == 0) text += fmt::format(", stiffness: {:.4g}, rest: {:.4g}", number(1, 60), number(-0.5, 0.5));
    if (integer(2) == 0) text += fmt::format(", damping: {:.4g}", number(0.05, 1.5));
    if (integer(4) == 0) text += fmt::format(", torque: \"{:.4g} N.m*sin({:.4g}*time)\"", number(-4, 4), number(2, 12));
    switch (integer(7)) {
      case 0:
        text += fmt::format(", friction: {{law: stick, coulomb: {:.4g}, breakaway: {:.4g}, stribeck: {:.4g}}}",
                            number(0.1, 1), number(1, 1.8), number(0.05, 0.3));
        break;
      case 1:
        text += fmt::format(", friction: {{law: lugre, coulomb: {:.4g}, sigma0: {:.4g}, sigma1: {:.4g}}}",
                            number(0.1, 1), spread(50, 2000), number(0.5, 5));
        break;
      case 2:
        text +=
            fmt::format(", friction: {{law: tanh, coulomb: {:.4g}, v_eps: {:.4g}}}", number(0.1, 1), spread(0.01, 0.2));
        break;
      default:
        break;
    }
    if (may_stop && integer(5) == 0) {
      text += fmt::format(", lower: {:.4g}, upper: {:.4g}", number(-1.2, -0.7), number(0.8, 1.4));
      text += integer(2) == 0
                  ? fmt::format(", stop_stiffness: {:.4g}, stop_damping: {:.4g}", spread(200, 2e4), number(0, 1))
                  : fmt::format(", stop_restitution: {:.4g}", number(0.2, 0.9));
    }
    return text;
  }

  void add_tree() {
    add_gravity();
    const int n = 1 + integer(4);
    for (int k = 0; k < n; ++k) {
      const std::string b = body(fmt::format("b{}", k), number(0.1, 0.4), number(-0.1, 0.1));
      const int on = k == 0 ? -1 : integer(2) == 0 ? k - 1 : integer(k);
      const bool slides = integer(5) == 0;
      const std::string joint = fmt::format("j{}", k);
      line(joint,
           "type: multibody.{}, parent: {}, child: {}, parent_at: [{:.4g}, 0, 0], axis: {}, q0: {:.4g}, qd0: {:.4g}{}",
           slides ? "Prismatic" : "Revolute", on < 0 ? "ground" : fmt::format("b{}", on), b,
           on < 0 ? 0.0 : number(0.2, 0.6),
           slides            ? "x"
           : integer(4) == 0 ? "y"
                             : "z",
           number(-0.6, 0.6), number(-1, 1), slides ? "" : joint_extras(true));
      watch(joint, {"q", "qd"});
      if (!slides) joints_.push_back(joint);
    }
  }

  /// A planar four-bar whose bodies' frames stand at their joints, parallel to the world at the start: it closes there
  /// exactly.
  void add_loop() {
    add_gravity();
    const double bx = number(0.8, 1.2), by = number(-0.2, 0.2), ax = number(-0.15, 0.15), ay = number(0.2, 0.4),
                 cx = bx + number(-0.2, 0.2), cy = number(0.5, 0.9);
    body("crank", ax / 2, ay / 2), body("coupler", (cx - ax) / 2, (cy - ay) / 2),
        body("rocker", (cx - bx) / 2, (cy - by) / 2);
    line("j0", "type: multibody.Revolute, parent: ground, child: crank, q0: 0, qd0: {:.4g}{}", number(-2, 2),
         joint_extras(false));
    line("j1", "type: multibody.Revolute, parent: crank, child: coupler, parent_at: [{:.17g}, {:.17g}, 0], guess: 0",
         ax, ay);
    line("j2", "type: multibody.Revolute, parent: ground, child: rocker, parent_at: [{:.17g}, {:.17g}, 0], guess: 0{}",
         bx, by, joint_extras(false));
    line("j3",
         "type: multibody.Revolute, parent: coupler, child: rocker, parent_at: [{:.17g}, {:.17g}, 0], child_at: "
         "[{:.17g}, "
         "{:.17g}, 0], guess: 0",
         cx - ax, cy - ay, cx - bx, cy - by);
    watch("j0", {"q", "qd"}), watch("j2", {"q", "qd"}), watch("coupler", {"x", "y"});
    joints_.push_back("j0");
  }

  void add_beam() {
    add_gravity();
    is_flexible_ = true;
    line("hinge", "type: multibody.Revolute, parent: ground, child: beam, axis: z, q0: {:.4g}{}", number(-0.4, 0.4),
         integer(2) == 0 ? fmt::format(", stiffness: {:.4g}, damping: {:.4g}", number(5, 50), number(0.1, 1)) : "");
    line(
        "beam",
        "type: flexible.BeamBody, length: {:.4g}, EA: {:.4g}, GA: {:.4g}, GJ: 20, EI: {:.4g}, mass_per_length: {:.4g}, "
        "inertia_per_length: 1e-4, elements: {}, damping: {:.4g}",
        number(0.5, 1.2), 2e4, 1e4, number(5, 40), number(0.3, 1), 1 + integer(3), spread(1e-4, 1e-2));
    line("weld", "type: multibody.Fixed, parent: beam.tip, child: load");
    body("load", 0.02, 0);
    watch("hinge", {"q", "qd"}), watch("load", {"x", "y"});
    joints_.push_back("hinge");
  }

  void add_shafts() {
    const int n = 2 + integer(3);
    for (int k = 0; k < n; ++k) {
      const std::string name = fmt::format("I{}", k);
      line(name, "type: mechanical.Inertia, J: {:.4g}, w0: {:.4g}", spread(1e-3, 0.1), number(-5, 5));
      watch(name, {"phi", "w"});
      if (k == 0) continue;
      const std::string from = fmt::format("I{}", k - 1), link = fmt::format("c{}", k);
      switch (integer(3)) {
        case 0:
          line(link, "type: mechanical.RotationalSpringDamper, a: {}, b: {}, k: {:.4g}, d: {:.4g}", from, name,
               spread(1, 200), spread(1e-3, 0.3));
          break;
        case 1:
          line(link, "type: mechanical.Clearance, a: {}, b: {}, k: {:.4g}, play: {:.4g}", from, name, spread(5, 200),
               number(0.02, 0.3));
          break;
        default:
          line(link, "type: mechanical.RotationalSpring, a: {}, b: {}, k: {:.4g}", from, name, spread(1, 200));
      }
    }
    if (integer(2) == 0)
      line("brake",
           "type: mechanical.RotationalFriction, a: ground, b: I0, law: {}, coulomb: {:.4g}, breakaway: {:.4g}{}",
           integer(2) == 0 ? "stick" : "lugre, sigma0: 500, sigma1: 1", number(0.05, 0.4), number(0.4, 0.7), "");
    shafts_.push_back("I1");
  }

  /// A voltage as users write it.
  std::string voltage() {
    switch (integer(4)) {
      case 0:
        return fmt::format("{:.4g}", number(-24, 24));
      case 1:
        return fmt::format("\"{:.4g} V*sin({:.4g}*time)\"", number(5, 24), number(3, 60));
      case 2:
        return fmt::format("\"time < {:.4g} s ? 0 V : {:.4g} V\"", number(0.02, 0.2), number(-24, 24));
      default:
        return fmt::format("\"{:.4g} V*abs(sin({:.4g}*time))\"", number(5, 24), number(5, 40));
    }
  }

  void add_drive() {
    std::string shaft = "rotor", measured = "rotor.phi", rate = "rotor.w";
    if (!joints_.empty()) {
      shaft = joints_[integer(int(joints_.size()))], measured = shaft + ".q", rate = shaft + ".qd";
    } else if (!shafts_.empty()) {
      shaft = shafts_[0], measured = shaft + ".phi", rate = shaft + ".w";
    } else {
      line("rotor", "type: mechanical.Inertia, J: {:.4g}", spread(1e-4, 1e-2));
      watch("rotor", {"phi", "w"});
    }
    const int control = integer(3);
    if (control == 0) line("supply", "type: electrical.VoltageSource, p: d0, n: gnd, v: {}", voltage());
    if (control > 0) line("supply", "type: electrical.VoltageSource, p: d0, n: gnd, v: control.y");
    if (control == 1)
      line("control", "type: blocks.Pid, reference: {:.4g}, measure: {}, rate: {}, kp: {:.4g}, kd: {:.4g}, ki: 0",
           number(-0.5, 0.5), measured, rate, number(5, 40), number(0.2, 2));
    if (control == 2)
      line("control",
           "type: blocks.SampledPid, reference: {:.4g}, measure: {}, rate: {}, kp: {:.4g}, kd: {:.4g}, ki: {:.4g}, "
           "sample: "
           "{:.4g}, limit: 24",
           number(-0.5, 0.5), measured, rate, number(5, 40), number(0.2, 2), number(0, 10), number(0.002, 0.02));
    line("cable", "type: electrical.Resistor, p: d0, n: d1, R: {:.4g}", spread(0.2, 5));
    std::string node = "d1";
    if (integer(3) == 0) {
      line("choke", "type: electrical.Inductor, p: d1, n: d2, L: {:.4g}", spread(1e-3, 2e-2));
      node = "d2";
    } else if (integer(3) == 0) {
      line("smooth", "type: electrical.Capacitor, p: d1, n: gnd, C: {:.4g}", spread(1e-4, 1e-3));
      watch("smooth", {"v"});
    }
    line("motor", "type: converters.DcMachine, p: {}, n: gnd, shaft: {}, k: {:.4g}, R: {:.4g}, gear: {:.4g}{}{}", node,
         shaft, number(0.02, 0.1), number(0.5, 3), joints_.empty() ? number(0.5, 4) : number(5, 30),
         integer(2) == 0 ? fmt::format(", L: {:.4g}", spread(5e-4, 1e-2)) : "",
         integer(2) == 0 ? fmt::format(", J: {:.4g}", spread(1e-5, 1e-3)) : "");
    watch("motor", {"i"});
  }

  void add_circuit() {
    line("U", "type: electrical.VoltageSource, p: n0, n: gnd, v: {}", voltage());
    const int n = 1 + integer(3);
    for (int k = 0; k < n; ++k) {
      const std::string a = fmt::format("n{}", k), b = fmt::format("n{}", k + 1), m = fmt::format("m{}", k);
      line(fmt::format("Rs{}", k), "type: electrical.Resistor, p: {}, n: {}, R: {:.4g}", a, m, spread(1, 50));
      switch (integer(5)) {
        case 0:
          line(fmt::format("D{}", k), "type: electrical.IdealDiode, p: {}, n: {}, R_on: 0.01, G_off: 1e-6", m, b);
          break;
        case 1:
          line(fmt::format("D{}", k), "type: electrical.Diode, p: {}, n: {}", m, b);
          break;
        case 2:
          line(
              fmt::format("S{}", k),
              "type: electrical.IdealSwitch, p: {}, n: {}, control: \"time > {:.4g} ? 1 : 0\", R_on: 0.01, G_off: 1e-5",
              m, b, number(0.01, 0.2));
          break;
        default:
          line(fmt::format("L{}", k), "type: electrical.Inductor, p: {}, n: {}, L: {:.4g}", m, b, spread(1e-3, 0.1));
          watch(fmt::format("L{}", k), {"i"});
      }
      line(fmt::format("C{}", k), "type: electrical.Capacitor, p: {}, n: gnd, C: {:.4g}", b, spread(1e-5, 2e-3));
      line(fmt::format("Rp{}", k), "type: electrical.Resistor, p: {}, n: gnd, R: {:.4g}", b, spread(20, 500));
      watch(fmt::format("C{}", k), {"v"});
    }
  }

  void add_hydraulics() {
    line("pump", "type: hydraulic.PressureSource, a: P, p: {:.4g} bar", number(50, 150));
    line("tank", "type: hydraulic.Tank, a: T0");
    line("valve",
         "type: hydraulic.ServoValve, p: P, t: T0, a: A, b: B, q_nominal: {:.4g} l/min, u: \"{:.4g}*sin({:.4g}*time)\"",
         number(1, 10), number(0.2, 0.9), number(2, 15));
    line("cylinder",
         "type: hydraulic.Cylinder, a: A, b: B, rod: slide, A_a: {:.4g} cm2, A_b: {:.4g} cm2, stroke: 1, V_a0: 50 cm3, "
         "V_b0: 50 cm3, d: {:.4g}, p_a0: 20 bar, p_b0: 20 bar",
         number(4, 12), number(3, 10), number(100, 2000));
    line("slide", "type: mechanical.Mass, m: {:.4g}, s0: 0.5", spread(20, 500));
    if (integer(2) == 0)
      line("buffer", "type: mechanical.TranslationalSpringDamper, a: ground, b: slide, k: {:.4g}, d: {:.4g}, rest: 0.5",
           spread(1e3, 1e5), spread(10, 1000));
    watch("slide", {"s", "v"}), watch("cylinder", {"p_a", "p_b"});
  }

  void add_falling_mass() {
    line("ball", "type: mechanical.Mass, m: {:.4g}, s0: {:.4g}", number(0.2, 3), number(0.05, 0.4));
    line("weight", "type: mechanical.Force, flange: ball, f: {:.4g}", -number(2, 20));
    if (integer(2) == 0)
      line("floor", "type: mechanical.TranslationalStop, a: ground, b: ball, lower: 0, stop_restitution: {:.4g}",
           number(0.3, 0.8));
    else
      line("floor",
           "type: mechanical.TranslationalStop, a: ground, b: ball, lower: 0, stop_stiffness: {:.4g}, stop_damping: "
           "{:.4g}",
           spread(1e3, 1e5), number(0, 1));
    watch("ball", {"s", "v"});
  }

  void add_belt() {
    line("belt", "type: mechanical.TranslationalMotion, flange: surface, s: {:.4g} m/s*time", number(0.1, 0.4));
    line("block", "type: mechanical.Mass, m: {:.4g}", number(0.5, 2));
    line("spring", "type: mechanical.TranslationalSpring, a: ground, b: block, k: {:.4g}", number(20, 200));
    line("rub",
         "type: mechanical.TranslationalFriction, a: surface, b: block, law: {}, coulomb: {:.4g}, breakaway: {:.4g}",
         integer(2) == 0 ? "stick" : "lugre, sigma0: 1e4, sigma1: 20", number(1, 3), number(3, 5));
    watch("block", {"s", "v"});
  }

  std::mt19937 random_;
  std::string text_;
  std::vector<std::string> signals_, joints_, shafts_;
  bool has_bodies_ = false, is_flexible_ = false;
};

}  // namespace coenergy::tests
