// Data files of the verbs: their line of units is obeyed, and what is no value is refused with its place.
#include "coenergy/base/data_file.hpp"

#include <gtest/gtest.h>

#include "coenergy/base/error.hpp"

namespace coenergy::tests {
namespace {

std::string refusal(const std::string& text, const std::string& column, const std::string& unit) {
  try {
    const CsvData data = parse_csv(text, "m.csv");
    column == "time" ? coenergy::read_times(data, "m.csv") : coenergy::read_quantity(data, "m.csv", column, unit);
  } catch (const Error& e) {
    return e.what();
  }
  return "none";
}

TEST(DataFiles, ValuesAreInTheUnitsOfTheirFile) {
  const CsvData data = parse_csv("time,j.q,x,n\nms,deg,mm,-\n0,90,250,3\n20,-45,1,4\n", "m.csv");
  EXPECT_EQ(coenergy::read_times(data, "m.csv"), (std::vector<double>{0, 0.02}));
  EXPECT_NEAR(coenergy::read_quantity(data, "m.csv", "j.q", "rad")[0], 1.5707963267948966, 1e-15);
  EXPECT_EQ(coenergy::read_quantity(data, "m.csv", "x", "m"), (std::vector<double>{0.25, 0.001}));
  EXPECT_EQ(coenergy::read_quantity(data, "m.csv", "n", ""), (std::vector<double>{3, 4}));
}

TEST(DataFiles, WhatIsNoValueIsRefused) {
  EXPECT_EQ(refusal("time,x\ns,m\n0,1\n1,nan\n", "x", "m"),
            "m.csv: column x, row 2: nan is no value; all rows need one");
  EXPECT_EQ(refusal("time,x\ns,kg\n0,1\n1,2\n", "x", "m"),
            "m.csv: column x is in \"kg\"; it must be in m or a multiple of it");
  EXPECT_EQ(refusal("time,x\ns,m\n0,1\n2,1\n2,1\n", "time", "s"),
            "m.csv: row 3: time = 2 s follows 2 s; times must grow");
}

}  // namespace
}  // namespace coenergy::tests
