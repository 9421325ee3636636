#pragma once
#include "tests/output_machines.hpp"

/// The same of multibody.
namespace coenergy::tests {

/// Body b that a drive moves along x, y and z and then turns about an axis.
inline std::string carried(const std::string& x, const std::string& y, const std::string& z, const std::string& axis,
                           const std::string& angle) {
  const auto slide = [](const std::string& name, const std::string& on, const std::string& along,
                        const std::string& s) {
    return name + ": {type: multibody.Body, mass: 1}, p" + name + ": {type: multibody.Prismatic, parent: " + on +
           ", child: " + name + ", axis: " + along + ", drive: \"" + s + "\"}, ";
  };
  return slide("bx", "ground", "x", x) + slide("by", "bx", "y", y) + slide("bz", "by", "z", z) +
         "b: {type: multibody.Body, mass: 1, inertia: [1, 1, 1]}, r: {type: multibody.Revolute, parent: bz, child: b, "
         "axis: " +
         axis + ", drive: \"" + angle + "\"}";
}

inline std::vector<Machine> multibody_machines() {
  std::vector<Machine> all{
      {"multibody.PointSpringDamper",
       "a: ground, b: b, stiffness: 40, damping: 2, length: 0.1, force: 5",
       carried("0.5 m + 3 m/s*time", "0 m", "0 m", "z", "0 rad"),
       0,
       {{"l", 0.5}, {"ld", 3}, {"f", 16 + 6 + 5}}},
      {"multibody.AirDrag",
       "body: b, area: 2, c_w: 0.5, wind: [-1, 0, 0]",
       carried("3 m/s*time", "0 m", "0 m", "z", "0 rad"),
       0,
       {{"f", 0.6 * 0.5 * 2 * 16}}},
      // thrust of a spring with a tension of 20 N
      {"multibody.Strut",
       "a: ground, b: b, rod: n, a_at: [-0.1, 0, 0]",
       carried("0.5 m + 3 m/s*time", "0 m", "0 m", "z", "0 rad") +
           ", s: {type: mechanical.TranslationalSpring, a: ground, b: n, k: 40, rest: 0.1}",
       0,
       {{"l", 0.6}, {"f", -20}}},
      // 3 a₂ + λ = 4, a₁ − 2 λ = 0, a₂ = 2 a₁
      {"multibody.Constraint",
       "zero: q.q - 2*p.q",
       "c: {type: multibody.Body, mass: 1}, p: {type: multibody.Prismatic, parent: ground, child: c, axis: x}, d: "
       "{type: "
       "multibody.Body, mass: 3}, q: {type: multibody.Prismatic, parent: ground, child: d, axis: x, force: 4 N}",
       0,
       {{"lambda", 4.0 / 13}, {"h", 0}}},
      {"multibody.VelocityConstraint",
       "zero: q.qd - 2*p.qd",
       "c: {type: multibody.Body, mass: 1}, p: {type: multibody.Prismatic, parent: ground, child: c, axis: x}, d: "
       "{type: "
       "multibody.Body, mass: 3}, q: {type: multibody.Prismatic, parent: ground, child: d, axis: x, force: 4 N}",
       0,
       {{"lambda", 4.0 / 13}, {"psi", 0}}},
      // driven by 3 N.m: f = m r τ/(J + m r²)
      // turned by 90 degrees about z
      {"multibody.Force",
       "body: c, force: [1, 2, 3], axes: body",
       "c: {type: multibody.Body, mass: 2, inertia: [1, 1, 1], angles: [0, 0, 90 deg]}",
       0,
       {{"fx", -2}, {"fy", 1}, {"fz", 3}}},
      {"multibody.RollingDisk",
       "body: c, radius: 0.3",
       "g: {type: multibody.Gravity}, c: {type: multibody.Body, mass: 2, inertia: [0.1, 0.1, 0.1], position: [0, 0, "
       "0.3]}, "
       "t: {type: multibody.Torque, body: c, torque: [0, 3, 0]}",
       0,
       {{"fx", 0.6 * 3 / 0.28}, {"fy", 0}, {"fz", 19.62}, {"gap", 0}}},
  };
  // a nut of 2 kg that falls along its thread
  const double lead = 0.02 / (2 * pi), fall = 2 * 9.81 * lead * lead / (0.1 + 2 * lead * lead),
               thrust = 2 * (9.81 - fall);
  all.push_back({"multibody.Screw",
                 "parent: ground, child: c, pitch: 0.02",
                 "g: {type: multibody.Gravity}, c: {type: multibody.Body, mass: 2, inertia: [0.1, 0.1, 0.1]}",
                 0,
                 {{"f", thrust}, {"lambda", -thrust}}});
  // turns are told by their sines s: torques k s ds/dφ + d (ds/dφ)² dφ/dt
  const double sine = std::sin(0.05), cosine = std::cos(0.05);
  const std::string about[] = {"x", "y", "z"}, turn[] = {"roll", "pitch", "yaw"};
  for (int k = 0; k < 3; ++k) {
    const std::string c = about[k];
    all.push_back({"multibody.Bushing",
                   "a: ground, b: b, stiffness: [100, 200, 300], damping: [1, 2, 3], turning_stiffness: [10, 20, 30], "
                   "turning_damping: [0.1, 0.2, 0.3]",
                   carried("0.01 m + 0.1 m/s*time", "0.02 m + 0.2 m/s*time", "0.03 m + 0.3 m/s*time", c,
                           "0.05 rad + 0.5 rad/s*time"),
                   0,
                   {{"rx", 0.01},
                    {"ry", 0.02},
                    {"rz", 0.03},
                    {"fx", 1.1},
                    {"fy", 4.4},
                    {"fz", 9.9},
                    {"s" + c, sine},
                    {"t" + c, (k + 1) * cosine * (10 * sine + 0.1 * 0.5 * cosine)}}});
    all.push_back({"multibody.Sensor",
                   "body: b",
                   carried("0.5 m + 3 m/s*time + 2 m/s^2*time^2", "0.1 m - 1 m/s*time + 0.5 m/s^2*time^2",
                           "0.2 m + 2 m/s*time - 1.5 m/s^2*time^2", c, "0.3 rad + 0.7 rad/s*time + 0.4 rad/s^2*time^2"),
                   0,
                   {{"x", 0.5},
                    {"y", 0.1},
                    {"z", 0.2},
                    {"vx", 3},
                    {"vy", -1},
                    {"vz", 2},
                    {"ax", 4},
                    {"ay", 1},
                    {"az", -3},
                    {"w" + c, 0.7},
                    {"wd" + c, 0.8},
                    {turn[k], 0.3}}});
  }
  // wheels at 20 m/s along and 2 m/s across, their rims at 21 m/s, loaded by 10 mm of 200 N/mm
  const std::string rolling = carried("20 m/s*time", "2 m/s*time", "0.29 m", "y", "70 rad/s*time");
  const double s = 1 / 21.0, across = -2 / 21.0, slip = std::hypot(s, across),
               pull = 2000 * 0.9 * std::tanh(slip / 0.05) / slip;
  all.push_back({"multibody.Tyre",
                 "body: b, radius: 0.3, stiffness: 2e5, mu: 0.9, s0: 0.05",
                 rolling,
                 0,
                 {{"s", s}, {"fx", pull * s}, {"fy", pull * across}, {"fz", 2000}}});
  const double x = 10 * 0.05, y = 8 * -0.1, phi = std::hypot(x, y);
  const double fy = 2000 * 0.8 * y / phi * std::sin(1.3 * std::atan(phi));
  all.push_back({"multibody.MagicFormulaTyre",
                 "body: b, radius: 0.3, stiffness: 2e5, mu_x: 0.9, mu_y: 0.8, trail: 0.03",
                 rolling,
                 0,
                 {{"kappa", 0.05},
                  {"alpha", -std::atan(0.1)},
                  {"fx", 2000 * 0.9 * x / phi * std::sin(1.65 * std::atan(phi))},
                  {"fy", fy},
                  {"fz", 2000},
                  {"mz", -0.03 * std::cos(1.1 * std::atan(10 * phi / 8)) * fy}}});
  return all;
}

}  // namespace coenergy::tests
