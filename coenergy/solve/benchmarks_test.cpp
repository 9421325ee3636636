#include <gtest/gtest.h>

#include <cmath>

#include "coenergy/equations/builder.hpp"
#include "coenergy/solve/simulate.hpp"

// public benchmark problems with reference digits: the IVP test set (Mazzia, Magherini 2008) and others, named at each
namespace coenergy::solve {
namespace {

using equations::Builder;
using equations::System;
using symbolic::Expr;

/// Andrews' squeezing mechanism (Hairer & Wanner, Solving ODEs II, VII.7).
System make_squeezer() {
  const double m1 = .04325, m2 = .00365, m3 = .02373, m4 = .00706, m5 = .07050, m6 = .00706, m7 = .05498;
  const double i1 = 2.194e-6, i2 = 4.410e-7, i3 = 5.255e-6, i4 = 5.667e-7, i5 = 1.169e-5, i6 = 5.667e-7, i7 = 1.912e-5;
  const double xa = -.06934, ya = -.00227, xb = -.03635, yb = .03273, xc = .014, yc = .072;
  const double d = .028, da = .0115, e = .02, ea = .01421, rr = .007, ra = .00092, ss = .035, sa = .01874, sb = .01043,
               sc = .018, sd = .02, ta = .02308, tb = .00916, u = .04, ua = .01228, ub = .00449, zf = .02, zt = .04,
               fa = .01421;
  const double c0 = 4530, l0 = .07785, mom = .033;
  const double q0[] = {-0.0617138900142764496, 0,
                       0.455279819163070380,   0.222668390165885885,
                       0.487364979543842550,   -0.222668390165885885,
                       1.23054744454982119};
  const char* names[] = {"beta", "theta", "gamma", "phi", "delta", "omega", "epsilon"};

  Builder b;
  Expr q[7], v[7], a[7];
  for (int k = 0; k < 7; ++k) {
    b.add_coordinate({names[k], "rad"}, q0[k], 0);
    q[k] = b.variables().coordinate(k).q, v[k] = b.variables().coordinate(k).v, a[k] = b.variables().coordinate(k).a;
    b.add_signal(names[k], "rad", q[k]);
    b.add_signal(std::string(names[k]) + "d", "rad/s", v[k]);
  }
  const Expr &be = q[0], &th = q[1], &ga = q[2], &ph = q[3], &de = q[4], &om = q[5], &ep = q[6];
  // masses
  const Expr m21 = m2 * (da * da - da * rr * cos(th)) + i2;
  const Expr m54 = m4 * ((e - ea) * (e - ea) + zt * (e - ea) * sin(ph)) + i4;
  const Expr m76 = m6 * ((zf - fa) * (zf - fa) - u * (zf - fa) * sin(om)) + i6;
  b.add_balance(0, (m1 * ra * ra + m2 * (rr * rr - 2 * da * rr * cos(th) + da * da) + i1 + i2) * a[0] + m21 * a[1]);
  b.add_balance(1, m21 * a[0] + (m2 * da * da + i2) * a[1]);
  b.add_balance(2, (m3 * (sa * sa + sb * sb) + i3) * a[2]);
  b.add_balance(3, (m4 * (e - ea) * (e - ea) + i4) * a[3] + m54 * a[4]);
  b.add_balance(4, m54 * a[3] + (m4 * (zt * zt + 2 * zt * (e - ea) * sin(ph) + (e - ea) * (e - ea)) +
                                 m5 * (ta * ta + tb * tb) + i4 + i5) *
                                    a[4]);
  b.add_balance(5, (m6 * (zf - fa) * (zf - fa) + i6) * a[5] + m76 * a[6]);
  b.add_balance(6, m76 * a[5] + (m6 * ((zf - fa) * (zf - fa) - 2 * u * (zf - fa) * sin(om) + u * u) +
                                 m7 * (ua * ua + ub * ub) + i6 + i7) *
                                    a[6]);
  // forces
  const Expr xd = sd * cos(ga) + sc * sin(ga) + xb, yd = sd * sin(ga) - sc * cos(ga) + yb;
  const Expr length = sqrt((xd - xc) * (xd - xc) + (yd - yc) * (yd - yc)), pull = -c0 * (length - l0) / length;
  const Expr fx = pull * (xd - xc), fy = pull * (yd - yc);
  b.add_balance(0, -(mom - m2 * da * rr * v[1] * (v[1] + 2 * v[0]) * sin(th)));
  b.add_balance(1, -(m2 * da * rr * v[0] * v[0] * sin(th)));
  b.add_balance(2, -(fx * (sc * cos(ga) - sd * sin(ga)) + fy * (sd * cos(ga) + sc * sin(ga))));
  b.add_balance(3, -(m4 * zt * (e - ea) * v[4] * v[4] * cos(ph)));
  b.add_balance(4, m4 * zt * (e - ea) * v[3] * (v[3] + 2 * v[4]) * cos(ph));
  b.add_balance(5, m6 * u * (zf - fa) * v[6] * v[6] * cos(om));
  b.add_balance(6, -(m6 * u * (zf - fa) * v[5] * (v[5] + 2 * v[6]) * cos(om)));
  // loops
  const Expr px = rr * cos(be) - d * cos(be + th), py = rr * sin(be) - d * sin(be + th);
  const Expr g[] = {px - ss * sin(ga) - xb,
                    py + ss * cos(ga) - yb,
                    px - e * sin(ph + de) - zt * cos(de) - xa,
                    py + e * cos(ph + de) - zt * sin(de) - ya,
                    px - zf * cos(om + ep) - u * sin(ep) - xa,
                    py - zf * sin(om + ep) + u * cos(ep) - ya};
  for (int k = 0; k < 6; ++k) {
    const std::string name = "lambda" + std::to_string(k + 1);
    b.add_multiplier({name, "N"});
    b.set_constraint(k, g[k]);
    b.add_signal(name, "N", b.variables().multiplier(k));
  }
  return b.build();
}

TEST(Benchmark, AndrewsSqueezerReachesTheReferenceDigits) {
  const char* names[] = {"beta", "theta", "gamma", "phi", "delta", "omega", "epsilon"};
  const double q[] = {15.81077119629904,  -15.75637105984298, 0.04082224013073101, -0.5347301163226948,
                      0.5244099658805304, 0.5347301163226948, 1.048080741042263};
  const double v[] = {1139.920302151208,  -1424.379294994111, 11.03291221937134, 19.29337464421385,
                      0.5735699284790808, -19.29337464421385, 0.3231791658026955};
  const double lambda[] = {199.1753333731910, -29.75531228015052, 23.06654119098399,
                           31.45271365475927, 22.64249232082739,  11.61740700019673};
  const System system = make_squeezer();
  for (const char* method : {"radau", "dopri"}) {
    Options options;
    options.method = method, options.t_end = 0.03, options.rtol = 1e-11, options.atol = 1e-11;
    const Result result = simulate(system, options);
    ASSERT_EQ(result.status, Status::done) << result.text;
    // the motion is chaotic enough to lose three digits of the tolerance; β turns at 1140 rad/s
    for (int k = 0; k < 7; ++k) {
      EXPECT_NEAR(result.signal(names[k]).back(), q[k], 2e-7 * std::max(1.0, std::abs(q[k])))
          << method << " " << names[k];
      EXPECT_NEAR(result.signal(std::string(names[k]) + "d").back(), v[k], 1e-6 * std::abs(v[0]))
          << method << " " << names[k];
    }
    for (int k = 0; k < 6; ++k)
      EXPECT_NEAR(result.signal("lambda" + std::to_string(k + 1)).back(), lambda[k], 1e-5 * lambda[0])
          << method << " " << k;
  }
}

/// Car axis (IVP test set): a rheonomic constraint.
System make_car_axis() {
  const double eps = 1e-2, mass = 10, length = 1, l0 = 0.5, r = 0.1, w = 10, m = eps * eps * mass / 2;
  Builder b;
  const double q0[] = {0, 0.5, 1, 0.5}, v0[] = {-0.5, 0, -0.5, 0};
  const char* names[] = {"xl", "yl", "xr", "yr"};
  Expr q[4];
  for (int k = 0; k < 4; ++k) {
    b.add_coordinate({names[k], "m"}, q0[k], v0[k]);
    q[k] = b.variables().coordinate(k).q;
    b.add_balance(k, m * b.variables().coordinate(k).a + (k % 2 == 1 ? m : 0.0));
    b.add_signal(names[k], "m", q[k]);
    b.add_signal(std::string(names[k]) + "d", "m/s", b.variables().coordinate(k).v);
  }
  const Expr yb = r * sin(w * b.variables().time()), xb = sqrt(length * length - yb * yb);
  const Expr ll = sqrt(q[0] * q[0] + q[1] * q[1]);
  const Expr lr = sqrt((q[2] - xb) * (q[2] - xb) + (q[3] - yb) * (q[3] - yb));
  b.add_balance(0, -(l0 - ll) * q[0] / ll);
  b.add_balance(1, -(l0 - ll) * q[1] / ll);
  b.add_balance(2, -(l0 - lr) * (q[2] - xb) / lr);
  b.add_balance(3, -(l0 - lr) * (q[3] - yb) / lr);
  b.add_multiplier({"lambda1", "N"}), b.add_multiplier({"lambda2", "N"});
  b.set_constraint(0, q[0] * xb + q[1] * yb);
  b.set_constraint(1, (q[0] - q[2]) * (q[0] - q[2]) + (q[1] - q[3]) * (q[1] - q[3]) - length * length);
  return b.build();
}

TEST(Benchmark, CarAxisReachesTheReferenceDigits) {
  const char* names[] = {"xl", "yl", "xr", "yr"};
  const double q[] = {0.04934557842755629, 0.4969894602303324, 1.041742524885400, 0.3739110272652214};
  const double v[] = {-0.07705836840321485, 0.007446866596327776, 0.01755681574942899, 0.7703410437794031};
  Options options;
  options.method = "radau", options.t_end = 3, options.rtol = 1e-10, options.atol = 1e-10;
  const Result result = simulate(make_car_axis(), options);
  ASSERT_EQ(result.status, Status::done) << result.text;
  for (int k = 0; k < 4; ++k) {
    EXPECT_NEAR(result.signal(names[k]).back(), q[k], 1e-7) << names[k];
    EXPECT_NEAR(result.signal(std::string(names[k]) + "d").back(), v[k], 1e-6) << names[k];
  }
}

/// Transistor amplifier (IVP test set): node voltages and capacitor currents are algebraic, capacitor voltages are
/// states.
System make_amplifier() {
  const double ub = 6, uf = .026, alpha = .99, beta = 1e-6, r0 = 1000, r = 9000;
  Builder b;
  auto& vars = b.variables();
  const double start[] = {0, ub / 2, ub / 2, ub, ub / 2, ub / 2, ub, 0};
  Expr y[8], i[5];
  for (int k = 0; k < 8; ++k) {
    b.add_algebraic({"n" + std::to_string(k + 1), "V"}, start[k]);
    y[k] = vars.algebraic(k);
    b.add_signal("n" + std::to_string(k + 1), "V", y[k]);
  }
  // capacitors: from node, to node (−1 is ground)
  const int from[] = {0, 2, 3, 5, 6}, to[] = {1, -1, 4, -1, 7};
  for (int k = 0; k < 5; ++k) {
    i[k] = vars.algebraic(b.add_algebraic({"i" + std::to_string(k + 1), "A"}));
    const Expr voltage = y[from[k]] - (to[k] < 0 ? Expr(0) : y[to[k]]);
    b.add_state({"c" + std::to_string(k + 1), "V"}, start[from[k]] - (to[k] < 0 ? 0 : start[to[k]]));
    b.add_state_row(k, (k + 1) * 1e-6 * vars.state(k).xd - i[k]);
    b.add_algebraic_row(8 + k, vars.state(k).x - voltage);
    b.add_algebraic_row(from[k], i[k]);
    if (to[k] >= 0) b.add_algebraic_row(to[k], -i[k]);
  }
  // currents out of the nodes
  const Expr ue = 0.1 * sin(200 * std::acos(-1.0) * vars.time());
  const auto diode = [&](const Expr& u) { return beta * (exp(u / uf) - 1); };
  const Expr t1 = diode(y[1] - y[2]), t2 = diode(y[4] - y[5]);
  b.add_algebraic_row(0, (y[0] - ue) / r0);
  b.add_algebraic_row(1, y[1] / r + (y[1] - ub) / r + (1 - alpha) * t1);
  b.add_algebraic_row(2, y[2] / r - t1);
  b.add_algebraic_row(3, (y[3] - ub) / r + alpha * t1);
  b.add_algebraic_row(4, y[4] / r + (y[4] - ub) / r + (1 - alpha) * t2);
  b.add_algebraic_row(5, y[5] / r - t2);
  b.add_algebraic_row(6, (y[6] - ub) / r + alpha * t2);
  b.add_algebraic_row(7, y[7] / r);
  return b.build();
}

TEST(Benchmark, TransistorAmplifierReachesTheReferenceDigits) {
  const double y[] = {-0.005562145012262709, 3.006522471903042, 2.849958788608128, 2.926422536206241,
                      2.704617865010554,     2.761837778393145, 4.770927631616772, 1.236995868091548};
  Options options;
  options.method = "radau", options.t_end = 0.2, options.rtol = 1e-9, options.atol = 1e-9;
  const Result result = simulate(make_amplifier(), options);
  ASSERT_EQ(result.status, Status::done) << result.text;
  for (int k = 0; k < 8; ++k) EXPECT_NEAR(result.signal("n" + std::to_string(k + 1)).back(), y[k], 1e-6) << k + 1;
}

/// N-four-bar mechanism (IFToMM A02) in Cartesian coordinates of its upper joints; passes a singular position.
System make_windows(int windows) {
  Builder b;
  auto& vars = b.variables();
  std::vector<Expr> x, y;
  Expr energy = 0;
  for (int k = 0; k <= windows; ++k) {
    const std::string name = "b" + std::to_string(k);
    b.add_coordinate({name + ".x", "m"}, k, 1), b.add_coordinate({name + ".y", "m"}, 1, 0);
    x.push_back(vars.coordinate(2 * k).q), y.push_back(vars.coordinate(2 * k + 1).q);
    b.add_signal(name + ".x", "m", x.back());
    b.add_signal(name + ".y", "m", y.back());
  }
  // uniform bars of 1 kg: m/3 at an end, m/6 between the ends, weight shared by the ends
  const auto add_end = [&](int k, int other) {
    for (int axis = 0; axis < 2; ++axis) {
      const auto c = vars.coordinate(2 * k + axis);
      b.add_balance(2 * k + axis, c.a / 3 + (axis == 1 ? 9.81 / 2 : 0.0));
      energy += c.v * c.v / 6 + (axis == 1 ? 9.81 / 2 * c.q : Expr(0));
      if (other >= 0) {
        b.add_balance(2 * k + axis, vars.coordinate(2 * other + axis).a / 6);
        energy += c.v * vars.coordinate(2 * other + axis).v / 12;
      }
    }
  };
  const auto add_rod = [&](const std::string& name, const Expr& dx, const Expr& dy) {
    const int l = b.add_multiplier({name, "N"});
    b.set_constraint(l, (dx * dx + dy * dy - 1) / 2);
  };
  for (int k = 0; k <= windows; ++k) {
    add_end(k, -1);
    add_rod("upright" + std::to_string(k), x[k] - k, y[k]);
    if (k == windows) break;
    add_end(k, k + 1), add_end(k + 1, k);
    add_rod("beam" + std::to_string(k), x[k + 1] - x[k], y[k + 1] - y[k]);
  }
  b.add_signal("energy", "J", energy);
  return b.build();
}

TEST(Benchmark, WindowsPassTheSingularPosition) {
  const double x[] = {0.4783850577609706, 0.3284581115408154}, y[] = {0.8781501787912093, 0.944518538178601};
  for (int windows : {1, 2}) {
    Options options;
    options.method = "radau", options.t_end = 10, options.rtol = 1e-9, options.atol = 1e-9;
    const Result result = simulate(make_windows(windows), options);
    ASSERT_EQ(result.status, Status::done) << windows << ": " << result.text;
    EXPECT_NEAR(result.signal("b0.x").back(), x[windows - 1], 1e-6) << windows;
    EXPECT_NEAR(result.signal("b0.y").back(), y[windows - 1], 1e-6) << windows;
    const auto energy = result.signal("energy");
    EXPECT_NEAR(energy.back() / energy.front(), 1, 1e-7) << windows;
  }
}

TEST(Benchmark, FortyWindowsKeepTheirEnergy) {
  Options options;
  options.t_end = 10, options.step = 1e-3, options.output_step = 1, options.signals = {"b0.x", "b0.y", "energy"};
  options.method = "hht";
  const Result result = simulate(make_windows(40), options);
  ASSERT_EQ(result.status, Status::done) << result.text;
  const auto energy = result.signal("energy");
  EXPECT_NEAR(energy.back() / energy.front(), 1, 1e-4);
}

}  // namespace
}  // namespace coenergy::solve
