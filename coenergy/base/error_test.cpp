#include "coenergy/base/argument.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace coenergy {
namespace {

TEST(Error, TextStartsWithTheLocationAsFarAsItIsKnown) {
  EXPECT_STREQ(Error({"scara.yaml", 41, 9}, "arm1.mass = -8 kg must be > 0").what(),
               "scara.yaml:41:9: arm1.mass = -8 kg must be > 0");
  EXPECT_STREQ(Error({"scara.yaml", 57, 0}, "x").what(), "scara.yaml:57: x");
  EXPECT_STREQ(Error({"scara.yaml", 0, 0}, "x").what(), "scara.yaml: x");
  EXPECT_STREQ(Error({"", 3, 4}, "x").what(), "line 3:4: x");
  EXPECT_STREQ(Error("no location").what(), "no location");
}

TEST(Error, ListThrowsAllItsErrorsOrderedByLocation) {
  ErrorList list;
  EXPECT_NO_THROW(list.throw_if_any());
  list.add({"b.yaml", 2, 1}, "third");
  list.add({"a.yaml", 10, 1}, "second");
  list.add(Error({"a.yaml", 9, 5}, "first"));
  try {
    list.throw_if_any();
    FAIL() << "nothing thrown";
  } catch (const Error& e) {
    EXPECT_STREQ(e.what(), "a.yaml:9:5: first\na.yaml:10:1: second\nb.yaml:2:1: third");
    EXPECT_EQ(e.items().size(), 3u);
  }
}

TEST(Error, ListReportsTheSameMistakeOnce) {
  ErrorList list;
  for (int k = 0; k < 3; ++k) list.add({"a.yaml", 1, 2}, "same");
  list.add({"a.yaml", 1, 3}, "same");
  try {
    list.throw_if_any();
    FAIL() << "nothing thrown";
  } catch (const Error& e) {
    EXPECT_STREQ(e.what(), "a.yaml:1:2: same\na.yaml:1:3: same");
  }
}

TEST(Error, ContextStandsBetweenPlaceAndText) {
  EXPECT_STREQ(add_context(Error({"a.yaml", 1, 2}, "unknown name"), "R1.R").what(), "a.yaml:1:2: R1.R: unknown name");
}

TEST(Error, ArgumentsAreOptionsForTheCommandLineAlone) {
  const Error e({"a.yaml", 3, 1}, "there are no loops; name " + argument("actuated") + " or " + argument("joints"));
  EXPECT_STREQ(e.what(), "a.yaml:3:1: there are no loops; name actuated or joints");
  EXPECT_EQ(tell_error(e, "--"), "a.yaml:3:1: there are no loops; name --actuated or --joints");
  EXPECT_EQ(tell_error(add_context(e, "x"), "--"), "a.yaml:3:1: x: there are no loops; name --actuated or --joints");
}

TEST(Error, TextShowsFiftyMistakesAtMost) {
  std::vector<Error::Item> items(200, {{}, "x"});
  const std::string text = Error(items).what();
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 49);
  EXPECT_TRUE(text.ends_with("\n… and 151 more"));
}

TEST(Suggest, FindsTheNearestName) {
  const std::vector<std::string> known{"electrical.Inductor", "electrical.Resistor", "mechanical.Mass"};
  EXPECT_EQ(suggest("electrical.Resistr", known), "electrical.Resistor");
  EXPECT_EQ(suggest("electrical.resistor", known), "electrical.Resistor");
  EXPECT_EQ(did_you_mean("mechanical.Masss", known), "; did you mean mechanical.Mass?");
  EXPECT_EQ(suggest("lenght", {"weight", "length"}), "length");
}

TEST(Suggest, StaysSilentWhenNothingIsNear) {
  EXPECT_EQ(suggest("voltage", {"mass", "radius"}), "");
  EXPECT_EQ(suggest("x", {"y", "z"}), "");
  EXPECT_EQ(did_you_mean("", {"a"}), "");
  EXPECT_EQ(suggest(std::string(1000, 'a'), {std::string(1000, 'a') + "b"}), "");
}

TEST(Error, TellsTheInstanceAndNamesFromInsideIt) {
  const Way* x = keep_way({"robot.x", "Axis", nullptr, {}, "", ""});
  const Location where{"axis.yaml", 12, 5, x};
  EXPECT_STREQ(Error(where, "robot.x.motor.R = -1 ohm must be > 0").what(),
               "axis.yaml:12:5: in robot.x (Axis): motor.R = -1 ohm must be > 0");
  // the end of another name stays
  EXPECT_STREQ(Error(where, "big.robot.x.motor is no robot.x.motor").what(),
               "axis.yaml:12:5: in robot.x (Axis): big.robot.x.motor is no motor");
}

TEST(Error, TellsTheSameMistakeOfManyInstancesOnce) {
  ErrorList errors;
  for (int k = 1; k <= 3; ++k) {
    const std::string path = "s" + std::to_string(k);
    const Way* way = keep_way({path, "Cell", nullptr, {}, "", ""});
    errors.add({"m.yaml", 7, 1, way}, path + ".R = 0 ohm must be > 0");
    errors.add({"m.yaml", 7, 1, way}, path + ".C is missing");
  }
  try {
    errors.throw_if_any();
    FAIL() << "nothing was thrown";
  } catch (const Error& e) {
    EXPECT_STREQ(e.what(),
                 "m.yaml:7:1: in s1 (Cell) and 2 more: R = 0 ohm must be > 0\n"
                 "m.yaml:7:1: in s1 (Cell) and 2 more: C is missing");
  }
}

TEST(Error, TellsTheIndexOfAnElement) {
  const Way* way = keep_way({"s2_3", "", nullptr, {{"i", 2}, {"j", 3}}, "", ""});
  EXPECT_STREQ(Error({"m.yaml", 7, 1, way}, "s2_3.R is missing").what(),
               "m.yaml:7:1: in s2_3 (i = 2, j = 3): s2_3.R is missing");
}

}  // namespace
}  // namespace coenergy
