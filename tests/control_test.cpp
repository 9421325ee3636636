// Control design and linear reduction: closed forms, published values, and Octave's control package where it is installed.
#include <gtest/gtest.h>

#include <cmath>
#include <ctime>

#include "coenergy/base/error.hpp"
#include "coenergy/control/discretize.hpp"
#include "coenergy/control/filters.hpp"
#include "coenergy/control/hinf.hpp"
#include "coenergy/control/margins.hpp"
#include "coenergy/control/norms.hpp"
#include "coenergy/control/pid.hpp"
#include "coenergy/control/regulators.hpp"
#include "coenergy/math/decompositions.hpp"
#include "coenergy/math/factorizations.hpp"
#include "coenergy/math/matrix_algebra.hpp"
#include "coenergy/reduce/linear.hpp"
#include "tests/linear_systems.hpp"

namespace coenergy::tests {
namespace {

template <class Action>
std::string refusal(Action action) {
  try {
    action();
  } catch (const Error& e) {
    return e.what();
  }
  return "no error";
}

TEST(Control, RegulatorOfTwoIntegratorsHasItsClosedForm) {
  const LinearSystem plant{rows({{0, 1}, {0, 0}}), rows({{0}, {1}}), rows({{1, 0}}), Matrix(1, 1), 0};
  const Riccati r = design_lqr(plant, math::identity(2), math::identity(1));
  EXPECT_NEAR(r.gain(0, 0), 1, 1e-13);
  EXPECT_NEAR(r.gain(0, 1), std::sqrt(3), 1e-13);
  EXPECT_NEAR(r.x(0, 0), std::sqrt(3), 1e-13);
  // the Kalman filter is its dual
  const LinearSystem dual{rows({{0, 0}, {1, 0}}), rows({{1}, {0}}), rows({{0, 1}}), Matrix(1, 1), 0};
  const Kalman k = design_kalman(dual, math::identity(2), math::identity(1));
  EXPECT_NEAR(k.gain(0, 0), 1, 1e-13);
  EXPECT_NEAR(k.gain(1, 0), std::sqrt(3), 1e-13);
  // of samples of one integrator: x = (q + √(q² + 4 q r))/2
  const LinearSystem sum{math::identity(1), math::identity(1), math::identity(1), Matrix(1, 1), 1};
  EXPECT_NEAR(design_lqr(sum, math::identity(1), math::identity(1)).x(0, 0), (1 + std::sqrt(5)) / 2, 1e-14);
}

TEST(Control, PolesArePlacedAlsoWhereTheyAreEqual) {
  const LinearSystem plant{rows({{0, 1, 0}, {0, 0, 1}, {-6, -11, -6}}), rows({{0}, {0}, {1}}), rows({{1, 0, 0}}),
                           Matrix(1, 1), 0};
  // of a companion form the gain is the difference of coefficients: (s + 2)³ = s³ + 6 s² + 12 s + 8
  const Matrix k = place_poles(plant, {-2, -2, -2});
  EXPECT_NEAR(k(0, 0), 2, 1e-10);
  EXPECT_NEAR(k(0, 1), 1, 1e-10);
  EXPECT_NEAR(k(0, 2), 0, 1e-10);
  const LinearSystem two = random_system(6, 2, 2, 0);
  const std::vector<Complex> wanted{{-1, 2}, {-1, -2}, {-3, 0}, {-4, 0}, {-5, 1}, {-5, -1}};
  std::vector<Complex> found = math::compute_eigenvalues(two.a - two.b * place_poles(two, wanted));
  for (const Complex p : wanted) {
    double nearest = 1e9;
    for (const Complex q : found) nearest = std::min(nearest, std::abs(p - q));
    EXPECT_LT(nearest, 1e-9);
  }
  EXPECT_NE(refusal([&] { place_poles(plant, {-1, {-2, 1}, -3}); }).find("needs its conjugate"), std::string::npos);
}

TEST(Control, NormsHaveTheirClosedForms) {
  // 1/(s² + 2ζω s + ω²): peak 1/(2ζ√(1 − ζ²) ω²) at ω√(1 − 2ζ²), H2 1/(2√(ζω³))
  const double z = 0.02, w = 3;
  const LinearSystem s = function({1}, {1, 2 * z * w, w * w});
  const PeakGain peak = find_hinf_norm(s);
  EXPECT_NEAR(peak.gain, 1 / (2 * z * std::sqrt(1 - z * z) * w * w), 1e-11 * peak.gain);
  EXPECT_NEAR(peak.omega, w * std::sqrt(1 - 2 * z * z), 1e-6 * w);
  EXPECT_NEAR(find_h2_norm(s), 1 / (2 * std::sqrt(z * w * w * w)), 1e-12 * find_h2_norm(s));
  // of samples of a lag z/(z − a): Σ a²ᵏ, and 1/(1 − a) at z = 1
  const LinearSystem lag{rows({{0.9}}), rows({{1}}), rows({{0.9}}), rows({{1}}), 0.1};
  EXPECT_NEAR(find_h2_norm(lag), 1 / std::sqrt(1 - 0.81), 1e-12);
  EXPECT_NEAR(find_hinf_norm(lag).gain, 10, 1e-11);
  EXPECT_TRUE(std::isinf(find_h2_norm(function({1, 2}, {1, 1}))));
  EXPECT_NE(refusal([] { find_hinf_norm(function({1}, {1, -2})); }).find("it has the pole 2"), std::string::npos);
}

/// Of 1006 states, of which the transfer function is known: Chahlaoui, Van Dooren, A collection of benchmark examples for
/// model reduction (2002), "fom": three pairs of modes at 100, 200, 400 rad/s and real poles −1 … −n.
LinearSystem make_fom(int real_poles) {
  const int n = 6 + real_poles;
  LinearSystem s{Matrix(n, n), Matrix(n, 1), Matrix(1, n), Matrix(1, 1), 0};
  const double frequencies[] = {100, 200, 400};
  for (int k = 0; k < 3; ++k) {
    s.a(2 * k, 2 * k) = s.a(2 * k + 1, 2 * k + 1) = -1;
    s.a(2 * k, 2 * k + 1) = frequencies[k], s.a(2 * k + 1, 2 * k) = -frequencies[k];
  }
  for (int k = 6; k < n; ++k) s.a(k, k) = -(k - 5);
  for (int k = 0; k < n; ++k) s.b(k, 0) = s.c(0, k) = k < 6 ? 10 : 1;
  return s;
}

TEST(Control, BalancedTruncationKeepsItsBoundAndItsTime) {
  // Moore (1981), example: (s + 4)/((s + 1)(s + 3)(s + 5)(s + 10)); five digits are published
  const LinearSystem moore = function({1, 4}, expand_roots({-1, -3, -5, -10}));
  const std::vector<double> hankel = reduce::find_hankel_values(moore);
  const double published[] = {1.5938e-2, 2.7243e-3, 1.2720e-4, 8.0060e-6};
  for (int k = 0; k < 4; ++k) EXPECT_NEAR(hankel[k], published[k], 6e-5 * published[k]);

  const LinearSystem fom = make_fom(342);
  const std::clock_t start = std::clock();
  const reduce::ReducedSystem r = reduce_linear(fom, reduce::LinearMethod::balanced, 10);
  EXPECT_LT(double(std::clock() - start) / CLOCKS_PER_SEC, 1) << "seconds of processor time for 348 states";
  // the three peaks come to order 6: the error lies between the next Hankel value and twice the sum of the others
  const double error = find_hinf_norm(reduce::find_difference(fom, r.system)).gain;
  EXPECT_LE(error, r.bound * (1 + 1e-6) + 1e-9);
  EXPECT_GE(error, r.hankel[10] * (1 - 1e-6) - 1e-9);
  // exact at s = 0
  const LinearSystem rest = reduce_linear(moore, reduce::LinearMethod::residual, 2).system;
  EXPECT_NEAR(respond(rest, 0)(0, 0).real(), 4.0 / 150, 1e-14);
}

TEST(Control, ModalKrylovAndOptimalReductionsMeetTheFullModelWhereTheyShould) {
  const LinearSystem s = random_system(12, 2, 2, 5);
  const auto gap = [&](const LinearSystem& r, Complex at) {
    const auto a = respond(s, at), b = respond(r, at);
    double largest = 0;
    for (std::size_t i = 0; i < a.data.size(); ++i) largest = std::max(largest, std::abs(a.data[i] - b.data[i]));
    return largest;
  };
  const std::vector<Complex> points{1.0, {0.5, 2}};
  const LinearSystem k = reduce_linear(s, reduce::LinearMethod::krylov, 6, points).system;
  for (const Complex p : points) EXPECT_LT(gap(k, p), 1e-11);
  int order = 4;
  const auto poles = find_poles(s);
  std::vector<double> sizes;
  for (const Complex p : poles) sizes.push_back(std::abs(p));
  std::sort(sizes.begin(), sizes.end());
  if (sizes[order] - sizes[order - 1] < 1e-9) ++order;
  EXPECT_LT(gap(reduce_linear(s, reduce::LinearMethod::modal, order).system, 0), 1e-11);
  // of one input and one output the optimum meets the model in value and slope at its mirrored poles
  const LinearSystem one = select_channel(s, 0, 0);
  const reduce::ReducedSystem optimal = reduce_linear(one, reduce::LinearMethod::irka, 4);
  for (const Complex p : optimal.points) {
    const Complex h(1e-5, 0);
    const auto value = [&](const LinearSystem& x, Complex at) { return respond(x, at)(0, 0); };
    EXPECT_LT(std::abs(value(one, p) - value(optimal.system, p)), 1e-9);
    EXPECT_LT(
        std::abs((value(one, p + h) - value(one, p - h) - value(optimal.system, p + h) + value(optimal.system, p - h)) /
                 (2.0 * h)),
        1e-7);
  }
  EXPECT_LE(find_h2_norm(reduce::find_difference(one, optimal.system)),
            find_h2_norm(reduce::find_difference(one, reduce_linear(one, reduce::LinearMethod::balanced, 4).system)));
  EXPECT_NE(refusal([&] { reduce_linear(s, reduce::LinearMethod::balanced, 12); }).find("below the 12 states"),
            std::string::npos);
}

TEST(Control, MarginsHaveTheirClosedForms) {
  // 4/(s + 1)³: real at √3 with −1/2; |L| = 1 at ω² = 4^{2/3} − 1
  const Margins m = find_margins(function({4}, expand_roots({-1, -1, -1})));
  ASSERT_EQ(m.gain.size(), 1u);
  EXPECT_NEAR(m.gain[0].omega, std::sqrt(3), 1e-10);
  EXPECT_NEAR(m.gain[0].margin, 2, 1e-10);
  const double w = std::sqrt(std::pow(4, 2. / 3) - 1), phase = pi - 3 * std::atan(w);
  ASSERT_EQ(m.phase.size(), 1u);
  EXPECT_NEAR(m.phase[0].omega, w, 1e-10);
  EXPECT_NEAR(m.phase[0].margin, phase, 1e-10);
  EXPECT_NEAR(*m.delay(), phase / w, 1e-10);
  EXPECT_TRUE(m.stable);
  // disk: L = k/s has (1 − L)/(1 + L) of size one everywhere, α = 2: all gains, 90 degrees
  EXPECT_NEAR(find_margins(function({3}, {1, 0})).disk, 2, 1e-9);
  EXPECT_NEAR(find_margins(function({3}, {1, 0})).modulus, 1, 1e-9);
}

TEST(Control, StepMeasuresHaveTheirClosedForms) {
  const double z = 0.3, w = 2, d = w * std::sqrt(1 - z * z);
  const StepMeasures m = measure_step(function({w * w}, {1, 2 * z * w, w * w}));
  EXPECT_NEAR(m.final_value, 1, 1e-14);
  EXPECT_NEAR(m.overshoot, std::exp(-pi * z / std::sqrt(1 - z * z)), 1e-9);
  EXPECT_NEAR(m.peak_time, pi / d, 1e-6);
  const StepMeasures lag = measure_step(function({5}, {0.1, 1}));
  EXPECT_NEAR(lag.rise_time, 0.1 * std::log(9), 1e-10);
  EXPECT_NEAR(lag.settling_time, 0.1 * std::log(50), 1e-10);
  EXPECT_EQ(lag.overshoot, 0);
}

TEST(Control, SamplesAndContinuousSystemsBelongTogether) {
  const LinearSystem s = random_system(4, 2, 2, 3);
  for (const Hold hold : {Hold::zoh, Hold::tustin}) {
    const LinearSystem back = to_continuous(to_sampled(s, 0.05, hold), hold);
    EXPECT_LT(math::max_abs(back.a - s.a) + math::max_abs(back.b - s.b) + math::max_abs(back.d - s.d), 1e-11);
  }
  // prewarped: the same at that frequency
  const LinearSystem lag = function({1}, {1, 1});
  EXPECT_LT(std::abs(respond_at(to_sampled(lag, 0.5, Hold::tustin, 2), 2)(0, 0) - respond_at(lag, 2)(0, 0)), 1e-14);
  // matched keeps e^{−T} and the gain at rest; impulse the samples
  const LinearSystem matched = to_sampled(lag, 0.5, Hold::matched);
  EXPECT_NEAR(find_poles(matched)[0].real(), std::exp(-0.5), 1e-14);
  EXPECT_NEAR(respond(matched, 1)(0, 0).real(), 1, 1e-14);
  const LinearSystem impulse = to_sampled(lag, 0.5, Hold::impulse);
  EXPECT_NEAR((impulse.c * impulse.b)(0, 0), 0.5 * std::exp(-0.5), 1e-15);
  EXPECT_NE(refusal([&] {
              to_continuous(LinearSystem{rows({{-0.5}}), rows({{1}}), rows({{1}}), rows({{0}}), 1});
            }).find("z = -0.5"),
            std::string::npos);
}

TEST(Control, ZerosAndMinimalFormsAreFound) {
  const std::vector<Complex> zeros =
      find_zeros(function(expand_roots({2, -3}), expand_roots({-1, -4, {-1, 2}, {-1, -2}})));
  ASSERT_EQ(zeros.size(), 2u);
  EXPECT_NEAR(zeros[0].real() + zeros[1].real(), -1, 1e-11);
  EXPECT_NEAR((zeros[0] * zeros[1]).real(), -6, 1e-10);
  // a pole that its zero takes away
  const LinearSystem twice = function(expand_roots({-1, -2}), expand_roots({-1, -3, -4}));
  EXPECT_EQ(find_minimal(twice).states(), 2);
  const ZeroPoleGain zpk = find_zero_pole_gain(twice);
  EXPECT_NEAR(zpk.gain, 1, 1e-10);
  EXPECT_NEAR(zpk.zeros[0].real(), -2, 1e-10);
  EXPECT_NE(refusal([] { function({1, 0, 0}, {1, 1}); }).find("improper"), std::string::npos);
  LinearSystem idle{rows({{2, 0}, {0, -1}}), rows({{0}, {1}}), rows({{1, 1}}), Matrix(1, 1), 0};
  EXPECT_NE(refusal([&] {
              design_lqr(idle, math::identity(2), math::identity(1));
            }).find("eigenvalue 2+0j 1/s cannot be controlled"),
            std::string::npos);
}

TEST(Control, FiltersHaveTheGainsTheyAreNamedAfter) {
  const auto decibel = [](const ZeroPoleGain& f, Complex s) {
    Complex v = f.gain;
    for (const Complex z : f.zeros) v *= s - z;
    for (const Complex p : f.poles) v /= s - p;
    return 20 * std::log10(std::abs(v));
  };
  const Complex j(0, 1);
  for (int n = 1; n <= 8; ++n) {
    const ZeroPoleGain b = design_filter({FilterFamily::butterworth, FilterPass::low, n, {3}});
    EXPECT_NEAR(decibel(b, 6.0 * j), -10 * std::log10(1 + std::pow(4, n)), 1e-10);
    const ZeroPoleGain c = design_filter({FilterFamily::chebyshev, FilterPass::low, n, {3}, 0.5});
    EXPECT_NEAR(decibel(c, 3.0 * j), -0.5, 1e-10);
    const ZeroPoleGain i = design_filter({FilterFamily::inverse_chebyshev, FilterPass::low, n, {3}, 0.5, 30});
    EXPECT_NEAR(decibel(i, 3.0 * j), -30, 1e-9);
    // equal ripple on both sides of elliptic filters: extremes of the pass band touch it
    if (n < 2) continue;
    const ZeroPoleGain e = design_filter({FilterFamily::elliptic, FilterPass::low, n, {3}, 0.5, 40});
    double least = 0, beyond = -1000;
    for (int k = 0; k <= 4000; ++k) least = std::min(least, decibel(e, 3.0 * k / 4000 * j));
    for (int k = 1; k < 4000; ++k) {
      const double w = 3 / (1 - k / 4000.0);
      double lowest_zero = 1e9;
      for (const Complex z : e.zeros) lowest_zero = std::min(lowest_zero, std::abs(z));
      if (w > lowest_zero) beyond = std::max(beyond, decibel(e, w * j));
    }
    EXPECT_NEAR(least, -0.5, 1e-6) << n;
    EXPECT_NEAR(beyond, -40, 1e-3) << n;
  }
  // Bessel of order 3: s³ + 6 s² + 15 s + 15, scaled; the delay of low frequencies is flat
  const TransferFunction t = expand(design_filter({FilterFamily::bessel, FilterPass::low, 3, {std::cbrt(15.0)}}));
  for (int k = 0; k < 4; ++k) EXPECT_NEAR(t.den[k], (std::vector<double>{1, 6, 15, 15})[k], 1e-11);
  // the band-pass filters of Ralf's controller: -40.7 dB at 0.1 Hz, -0.6 at 1.5 Hz; -25.0 and -3.4
  const ZeroPoleGain a = design_filter({FilterFamily::butterworth, FilterPass::band, 2, {2 * pi * 1, 2 * pi * 25}}),
                     b = design_filter({FilterFamily::butterworth, FilterPass::band, 1, {2 * pi * 1.6, 2 * pi * 16}});
  EXPECT_NEAR(decibel(a, 2 * pi * 0.1 * j), -40.7, 0.06);
  EXPECT_NEAR(decibel(a, 2 * pi * 1.5 * j), -0.6, 0.06);
  EXPECT_NEAR(decibel(b, 2 * pi * 0.1 * j), -25.0, 0.06);
  EXPECT_NEAR(decibel(b, 2 * pi * 1.5 * j), -3.4, 0.06);
  // of samples the corners are kept
  const ZeroPoleGain z = design_sampled_filter({FilterFamily::butterworth, FilterPass::stop, 2, {40, 60}}, 0.01);
  for (const double w : {40.0, 60.0}) EXPECT_NEAR(decibel(z, std::exp(j * w * 0.01)), 10 * std::log10(0.5), 1e-9);
  EXPECT_NEAR(decibel(z, 1), 0, 1e-10);
}

TEST(Control, TunedLoopsAreWhatTheirRulesSay) {
  const LinearSystem plant = function({1}, expand_roots({-1, -1, -1}));
  const Ultimate u = find_ultimate(plant);
  EXPECT_NEAR(u.gain, 8, 1e-9);
  EXPECT_NEAR(u.period, 2 * pi / std::sqrt(3), 1e-9);
  const PidGains zn = tune_ziegler_nichols(u, PidKind::pid);
  EXPECT_NEAR(zn.kp, 4.8, 1e-8);
  EXPECT_NEAR(zn.ki, 4.8 * std::sqrt(3) / pi, 1e-8);
  // a lag tuned by λ answers as a lag of λ
  const LinearSystem lag = function({2}, {0.5, 1});
  const PidGains l = tune_lambda(fit_first_order_lag(lag), 0.1, PidKind::pi);
  const LinearSystem loop = close_loop(connect_in_series(make_pid(l, 0), lag), make_gain(math::identity(1)));
  EXPECT_NEAR(measure_step(loop).rise_time, 0.1 * std::log(9), 1e-6);
  // a motor's position with the damping that was asked for
  const DcMotorLoop motor{0.5, 2, 0.01};
  const double kp = tune_motor_position(motor, 0.7).kp;
  const LinearSystem servo = function({kp * motor.km}, {motor.ra * motor.j, motor.km * motor.km, kp * motor.km});
  const Complex p = find_poles(servo)[0];
  EXPECT_NEAR(-p.real() / std::abs(p), 0.7, 1e-12);
  // optimised gains are better than the rule's
  const PidGains better = optimize_pid(plant, zn, PidKind::pid);
  const auto overshoot = [&](const PidGains& g) {
    return measure_step(close_loop(connect_in_series(make_pid(g, 0.005), plant), make_gain(math::identity(1))))
        .overshoot;
  };
  EXPECT_LT(overshoot(better), overshoot(zn));
}

TEST(Control, RobustControllersKeepTheirNorm) {
  for (const bool direct : {false, true}) {
    GeneralPlant plant = mixed_plant(0.5);
    if (direct) plant.system.d(0, 0) = 0.2, plant.system.d(1, 1) = -0.1, plant.system.d(2, 2) = 0.3;
    const Synthesis k = design_hinf(plant);
    // closed by hand: u = K y
    LinearSystem all = k.controller;
    all.b = math::beside(Matrix(all.states(), 2), all.b), all.c = math::above(Matrix(2, all.states()), all.c);
    const double d = k.controller.d(0, 0);
    all.d = Matrix(3, 3), all.d(2, 2) = d;
    LinearSystem loop = close_loop(plant.system, all, 1);
    loop = {loop.a, math::part(loop.b, 0, 0, loop.states(), 2), math::part(loop.c, 0, 0, 2, loop.states()),
            math::part(loop.d, 0, 0, 2, 2), 0};
    ASSERT_TRUE(is_stable(loop));
    const double norm = find_hinf_norm(loop).gain;
    EXPECT_LE(norm, k.gamma * (1 + 1e-9));
    EXPECT_GE(norm, k.gamma * 0.98) << "the norm comes near what is the least possible";
  }
  GeneralPlant plant = mixed_plant(0);
  EXPECT_NE(refusal([&] { design_hinf(plant); }).find("an input is in no error"), std::string::npos);
}

}  // namespace
}  // namespace coenergy::tests
