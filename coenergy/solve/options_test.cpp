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
  options.method = "rk4", options.adaptive = true;
  EXPECT_EQ(error_of(options),
            "method rk4 has no error estimate; use generalized-alpha, radau or dopri for adaptive steps");
}

TEST(Options, MinimalCoordinatesNeedAnExplicitMethod) {
  Options options;
  options.coordinates = "minimal";
  EXPECT_EQ(
      error_of(options),
      "coordinates: minimal needs an explicit method; use dopri, dop853, rk4, trapez or euler, not generalized-alpha");
  options.method = "rk4";
  EXPECT_EQ(error_of(options), "");
  options.coordinates = "minmal";
  EXPECT_EQ(error_of(options), "coordinates = minmal must be all or minimal; did you mean minimal?");
}

TEST(Options, EveryMethodNameIsAllowed) {
  for (const std::string& name : method_names()) {
    Options options;
    options.method = name;
    EXPECT_EQ(error_of(options), "") << name;
  }
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
