#include "coenergy/solve/options.hpp"

#include <gtest/gtest.h>

#include "coenergy/base/error.hpp"

namespace coenergy::solve {
namespace {

std::string error_of(const Options& options) {
  try {
    options.check();
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

TEST(Options, DefaultsAreAllowed) { EXPECT_EQ(error_of({}), ""); }

TEST(Options, EachWrongValueIsNamedWithWhatIsAllowed) {
  Options options;
  options.rtol = 2, options.max_newton = 0;
  EXPECT_EQ(error_of(options), "rtol = 2 must be between 1e-14 and 0.1\nmax_newton = 0 must be >= 1");
  options = {};
  options.t_start = 3, options.t_end = 1;
  EXPECT_EQ(error_of(options), "t_end = 1 s must be a finite time >= t_start = 3 s");
  options = {};
  options.step = -1;
  EXPECT_EQ(error_of(options), "step = -1 s must be >= 0");
}

TEST(Options, AnUnknownMethodIsAnsweredWithTheNearestOrWithAll) {
  Options options;
  options.method = "radua";
  EXPECT_EQ(error_of(options), "unknown method \"radua\"; did you mean radau?");
  options.method = "magic wand";
  EXPECT_EQ(error_of(options).find("unknown method \"magic wand\"; known are generalized-alpha, hht, newmark"), 0u)
      << error_of(options);
}

TEST(Options, AdaptiveStepsNeedAnErrorEstimate) {
  Options options;
  options.method = "rk4", options.adaptive = true, options.step = 1e-3;
  EXPECT_EQ(error_of(options),
            "method rk4 has no error estimate; use generalized-alpha, radau or dopri for adaptive steps");
}

TEST(Options, MinimalCoordinatesNeedAnExplicitMethod) {
  Options options;
  options.coordinates = "minimal";
  EXPECT_EQ(error_of(options),
            "coordinates: minimal needs an explicit method; use dopri, dop853, rk4, trapez or euler, not radau");
  options.method = "rk4", options.step = 1e-3;
  EXPECT_EQ(error_of(options), "");
  options.coordinates = "minmal";
  EXPECT_EQ(error_of(options), "coordinates = minmal must be all or minimal; did you mean minimal?");
}

TEST(Options, EveryMethodNameIsAllowed) {
  for (const std::string& name : method_names()) {
    Options options;
    options.method = name;
    if (!has_error_estimate(name)) options.step = 1e-3;
    EXPECT_EQ(error_of(options), "") << name;
  }
}

TEST(Options, StepsAreFixedOnlyWhereAStepAsksForThem) {
  const auto adaptive = [](const char* method, double step, std::optional<bool> wanted = {}) {
    Options options;
    options.method = method, options.step = step, options.adaptive = wanted;
    return is_adaptive(options);
  };
  EXPECT_TRUE(is_adaptive({}));
  for (const char* method : {"generalized-alpha", "hht", "newmark", "jansen"}) {
    EXPECT_TRUE(adaptive(method, 0)) << method;
    EXPECT_FALSE(adaptive(method, 1e-3)) << method;
    EXPECT_TRUE(adaptive(method, 1e-3, true)) << method;
  }
  for (const char* method : {"radau", "esdirk", "dopri", "dop853"}) {
    EXPECT_TRUE(adaptive(method, 1e-3)) << method;
    EXPECT_FALSE(adaptive(method, 1e-3, false)) << method;
  }
  EXPECT_FALSE(adaptive("rk4", 1e-3));
}

TEST(Options, FixedStepsNeedAStep) {
  Options options;
  options.method = "backward-euler", options.t_end = 4;
  EXPECT_EQ(error_of(options),
            "method backward-euler has no error estimate and makes fixed steps; give the step: 0.004 s is a thousandth "
            "of the run");
  options.method = "radau", options.adaptive = false;
  EXPECT_EQ(error_of(options),
            "method radau without error control makes fixed steps; give the step: 0.004 s is a thousandth of the run");
  options.step = 0.1;
  EXPECT_EQ(error_of(options), "");
}

TEST(Options, TolerancesThatFixedStepsCannotKeepAreRefused) {
  Options options;
  options.method = "hht", options.step = 1e-2, options.rtol = 1e-9;
  EXPECT_EQ(error_of(options), "rtol = 1e-09 cannot be kept by fixed steps of method hht; leave out rtol or step");
  options.adaptive = true;
  EXPECT_EQ(error_of(options), "");
  options = {};
  options.method = "rk4", options.step = 1e-2, options.atol = 1e-5;
  EXPECT_EQ(error_of(options),
            "atol = 1e-05 cannot be kept by fixed steps of method rk4; leave out atol or use another method: radau");
}

TEST(Options, ParametersOfOtherMethodsAreRefused) {
  Options options;
  options.method = "jansen", options.alpha_f = 0.2;
  EXPECT_EQ(error_of(options),
            "alpha_f = 0.2 is no parameter of method jansen; leave it out, or use generalized-alpha");
  options = {};
  options.rho_inf = 0.5;
  EXPECT_EQ(error_of(options),
            "rho_inf = 0.5 is no parameter of method radau; it belongs to generalized-alpha, hht or jansen");
  options = {};
  options.method = "generalized-alpha", options.rho_inf = 0.5, options.alpha_f = 0.2;
  EXPECT_EQ(error_of(options), "rho_inf and alpha_m, alpha_f exclude each other; give either");
  options = {};
  options.method = "newmark", options.gamma = 0.6;
  EXPECT_EQ(error_of(options),
            "gamma and beta need fixed steps: the error estimate is that of second order; give a step");
  options.method = "radau";
  EXPECT_EQ(error_of(options),
            "gamma = 0.6 is no parameter of method radau; it belongs to generalized-alpha, hht or jansen");
}

TEST(Options, NewtonsIterationFollowsTheTolerances) {
  Options options;
  EXPECT_DOUBLE_EQ(newton_tolerance(options), 1e-9);
  options.rtol = options.atol = 1e-3;
  EXPECT_DOUBLE_EQ(newton_tolerance(options), 1e-8);
  options.rtol = options.atol = 1e-11;
  EXPECT_DOUBLE_EQ(newton_tolerance(options), 1e-12);
  options = {};
  options.method = "rk4", options.step = 1e-3;
  EXPECT_DOUBLE_EQ(newton_tolerance(options), 1e-8);
  options.newton_tolerance = 3e-5;
  EXPECT_DOUBLE_EQ(newton_tolerance(options), 3e-5);
}

TEST(Options, AMethodIsDescribedWithItsTolerancesOrItsStep) {
  Options options;
  EXPECT_EQ(describe_method(options), "radau, rtol 1e-06, atol 1e-08");
  options.method = "hht", options.step = 0.01;
  EXPECT_EQ(describe_method(options), "hht, fixed step 0.01 s");
}

TEST(Options, MethodsHaveTheirUsualNamesToo) {
  const auto& names = method_names();
  for (const char* other : {"dormand-prince", "radau5", "forward-euler", "implicit-euler", "generalised-alpha"})
    EXPECT_NE(std::find(names.begin(), names.end(), canonical_method(other)), names.end()) << other;
  EXPECT_EQ(canonical_method("forward-euler"), "euler");
  EXPECT_EQ(canonical_method("magic wand"), "magic wand");
}

}  // namespace
}  // namespace coenergy::solve
