#pragma once
#include <array>
#include <cmath>
#include <utility>

namespace coenergy::tests {

/// Andrews' squeezing mechanism by its own equations (Hairer & Wanner, Solving ODEs II, VII.7): index 1, extended
/// precision, independent of coenergy. q = (β, Θ, γ, Φ, δ, Ω, ε).
class AndrewsEquations {
 public:
  using Real = long double;
  using Vector = std::array<Real, 7>;

  Vector q{-0.0617138900142764496L, 0,
           0.455279819163070380L,   0.222668390165885885L,
           0.487364979543842550L,   -0.222668390165885885L,
           1.23054744454982119L};
  Vector v{};

  /// The classical method of order 4 with n steps.
  void run(Real t_end, int n) {
    const Real h = t_end / n, part[] = {0.5L, 0.5L, 1};
    for (int k = 0; k < n; ++k) {
      Vector kq[4], kv[4], at_q = q, at_v = v;
      for (int s = 0; s < 4; ++s) {
        const auto x = solve(at_q, at_v);
        kq[s] = at_v;
        std::copy(x.begin(), x.begin() + 7, kv[s].begin());
        for (int i = 0; s < 3 && i < 7; ++i)
          at_q[i] = q[i] + part[s] * h * kq[s][i], at_v[i] = v[i] + part[s] * h * kv[s][i];
      }
      for (int i = 0; i < 7; ++i) {
        q[i] += h / 6 * (kq[0][i] + 2 * kq[1][i] + 2 * kq[2][i] + kq[3][i]);
        v[i] += h / 6 * (kv[0][i] + 2 * kv[1][i] + 2 * kv[2][i] + kv[3][i]);
      }
    }
  }

  /// The seven accelerations and six multipliers: [M Gᵀ; G 0] (a, λ) = (f, −Ġ v).
  static std::array<Real, 13> solve(const Vector& q, const Vector& v) {
    Real A[13][14] = {};
    write_mass_and_force(q, v, A);
    write_constraints(q, v, A);
    return eliminate(A);
  }

 private:
  static constexpr Real m1 = .04325L, m2 = .00365L, m3 = .02373L, m4 = .00706L, m5 = .07050L, m6 = .00706L,
                        m7 = .05498L;
  static constexpr Real I1 = 2.194e-6L, I2 = 4.410e-7L, I3 = 5.255e-6L, I4 = 5.667e-7L, I5 = 1.169e-5L, I6 = 5.667e-7L,
                        I7 = 1.912e-5L;
  static constexpr Real xb = -.03635L, yb = .03273L, xc = .014L, yc = .072L;
  static constexpr Real d = .028L, da = .0115L, e = .02L, ea = .01421L, rr = .007L, ra = .00092L, ss = .035L,
                        sa = .01874L, sb = .01043L, sc = .018L, sd = .02L, ta = .02308L, tb = .00916L, u = .04L,
                        ua = .01228L, ub = .00449L, zf = .02L, zt = .04L, fa = .01421L;
  static constexpr Real c0 = 4530, l0 = .07785L, mom = .033L;

  static void write_mass_and_force(const Vector& q, const Vector& v, Real (&A)[13][14]) {
    using std::cos, std::sin;
    const Real th = q[1], ga = q[2], ph = q[3], om = q[5], e4 = e - ea, f6 = zf - fa;
    A[0][0] = m1 * ra * ra + m2 * (rr * rr - 2 * da * rr * cos(th) + da * da) + I1 + I2;
    A[0][1] = A[1][0] = m2 * (da * da - da * rr * cos(th)) + I2;
    A[1][1] = m2 * da * da + I2;
    A[2][2] = m3 * (sa * sa + sb * sb) + I3;
    A[3][3] = m4 * e4 * e4 + I4;
    A[3][4] = A[4][3] = m4 * (e4 * e4 + zt * e4 * sin(ph)) + I4;
    A[4][4] = m4 * (zt * zt + 2 * zt * e4 * sin(ph) + e4 * e4) + m5 * (ta * ta + tb * tb) + I4 + I5;
    A[5][5] = m6 * f6 * f6 + I6;
    A[5][6] = A[6][5] = m6 * (f6 * f6 - u * f6 * sin(om)) + I6;
    A[6][6] = m6 * (f6 * f6 - 2 * u * f6 * sin(om) + u * u) + m7 * (ua * ua + ub * ub) + I6 + I7;

    const Real xd = sd * cos(ga) + sc * sin(ga) + xb, yd = sd * sin(ga) - sc * cos(ga) + yb;
    const Real l = std::hypot(xd - xc, yd - yc), force = -c0 * (l - l0) / l, fx = force * (xd - xc),
               fy = force * (yd - yc);
    A[0][13] = mom - m2 * da * rr * v[1] * (v[1] + 2 * v[0]) * sin(th);
    A[1][13] = m2 * da * rr * v[0] * v[0] * sin(th);
    A[2][13] = fx * (sc * cos(ga) - sd * sin(ga)) + fy * (sd * cos(ga) + sc * sin(ga));
    A[3][13] = m4 * zt * e4 * v[4] * v[4] * cos(ph);
    A[4][13] = -m4 * zt * e4 * v[3] * (v[3] + 2 * v[4]) * cos(ph);
    A[5][13] = -m6 * u * f6 * v[6] * v[6] * cos(om);
    A[6][13] = m6 * u * f6 * v[5] * (v[5] + 2 * v[6]) * cos(om);
  }

  static void write_constraints(const Vector& q, const Vector& v, Real (&A)[13][14]) {
    using std::cos, std::sin;
    const Real be = q[0], ga = q[2], de = q[4], ep = q[6], bt = be + q[1], pd = q[3] + de, oe = q[5] + ep;
    const auto square = [](Real x) { return x * x; };
    Real G[6][7] = {};
    for (int k = 0; k < 3; ++k) {
      G[2 * k][0] = -rr * sin(be) + d * sin(bt), G[2 * k][1] = d * sin(bt);
      G[2 * k + 1][0] = rr * cos(be) - d * cos(bt), G[2 * k + 1][1] = -d * cos(bt);
    }
    G[0][2] = -ss * cos(ga), G[1][2] = -ss * sin(ga);
    G[2][3] = -e * cos(pd), G[2][4] = -e * cos(pd) + zt * sin(de);
    G[3][3] = -e * sin(pd), G[3][4] = -e * sin(pd) - zt * cos(de);
    G[4][5] = zf * sin(oe), G[4][6] = zf * sin(oe) - u * cos(ep);
    G[5][5] = -zf * cos(oe), G[5][6] = -zf * cos(oe) - u * sin(ep);
    const Real b2 = square(v[0]), bt2 = square(v[0] + v[1]), g2 = square(v[2]), pd2 = square(v[3] + v[4]),
               d2 = square(v[4]), oe2 = square(v[5] + v[6]), e2 = square(v[6]);
    const Real x = -rr * cos(be) * b2 + d * cos(bt) * bt2, y = -rr * sin(be) * b2 + d * sin(bt) * bt2;
    const Real bias[6] = {x + ss * sin(ga) * g2,
                          y - ss * cos(ga) * g2,
                          x + e * sin(pd) * pd2 + zt * cos(de) * d2,
                          y - e * cos(pd) * pd2 + zt * sin(de) * d2,
                          x + zf * cos(oe) * oe2 + u * sin(ep) * e2,
                          y + zf * sin(oe) * oe2 - u * cos(ep) * e2};
    for (int k = 0; k < 6; ++k) {
      for (int i = 0; i < 7; ++i) A[7 + k][i] = A[i][7 + k] = G[k][i];
      A[7 + k][13] = -bias[k];
    }
  }

  static std::array<Real, 13> eliminate(Real (&A)[13][14]) {
    for (int p = 0; p < 13; ++p) {
      int best = p;
      for (int i = p + 1; i < 13; ++i)
        if (std::abs(A[i][p]) > std::abs(A[best][p])) best = i;
      std::swap(A[p], A[best]);
      for (int i = p + 1; i < 13; ++i) {
        const Real f = A[i][p] / A[p][p];
        for (int j = p; f != 0 && j < 14; ++j) A[i][j] -= f * A[p][j];
      }
    }
    std::array<Real, 13> x{};
    for (int p = 12; p >= 0; --p) {
      Real sum = A[p][13];
      for (int j = p + 1; j < 13; ++j) sum -= A[p][j] * x[j];
      x[p] = sum / A[p][p];
    }
    return x;
  }
};

}  // namespace coenergy::tests
