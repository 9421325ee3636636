// A run, a driven run and a linear model through the installed library, and an error that tells its place.
#include <coenergy/coenergy.hpp>
#include <cstdio>

int main() {
  coenergy::Model m = coenergy::Model::parse(
      "components:\n"
      "  U: {type: electrical.VoltageSource, p: a, n: gnd, v: 5 V}\n"
      "  R: {type: electrical.Resistor, p: a, n: b, R: 1 kohm}\n"
      "  C: {type: electrical.Capacitor, p: b, n: gnd, C: 1 uF}\n"
      "simulate: {t_end: 5 ms}\n",
      "rc.yaml");
  m.set("R.R", "2 kohm");
  const coenergy::Result r = m.run({.t_end = 4e-3});
  std::printf("run %.6f %zu\n", r["C.v"].back(), r.names().size());
  coenergy::Simulator s = m.simulator();
  s.set("U.v", 10);
  s.step(2e-3);
  const std::string state = s.save();
  s.step(1e-3);
  const double once = s.get("C.v");
  s.load(state);
  s.step(1e-3);
  std::printf("driven %.6f %d\n", once, once == s.get("C.v"));
  const coenergy::LinearModel l = m.linearize({.inputs = {"U.v"}, .outputs = {"C.v"}});
  std::printf("linear %.6f\n", l.a.at(0));
  try {
    m.set("R.S", "1 ohm");
    m.run();
  } catch (const coenergy::Error& e) {
    std::printf("error %s\n", e.what());
  }
}
