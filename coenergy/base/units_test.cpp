#include "coenergy/base/units.hpp"

#include <gtest/gtest.h>

#include <numbers>
#include <random>

#include "coenergy/base/error.hpp"

namespace coenergy {
namespace {

std::string message_of(std::string_view text) {
  try {
    parse_unit(text);
  } catch (const Error& e) {
    return e.what();
  }
  return "nothing thrown for " + std::string(text);
}

TEST(Units, DerivedUnitsHaveTheirDimension) {
  const auto dimension = [](std::string_view text) { return to_string(parse_unit(text).dimension); };
  EXPECT_EQ(dimension("N"), "kg.m/s2");
  EXPECT_EQ(dimension("J"), "kg.m2/s2");
  EXPECT_EQ(dimension("V"), "kg.m2/(s3.A)");
  EXPECT_EQ(dimension("rad"), "1");
  EXPECT_EQ(dimension("1/s"), "1/s");
  // laws of physics tie the table's rows together
  for (const auto& [a, b] : std::vector<std::pair<const char*, const char*>>{{"V", "W/A"},
                                                                             {"ohm", "V/A"},
                                                                             {"S", "1/ohm"},
                                                                             {"F", "C/V"},
                                                                             {"H", "Wb/A"},
                                                                             {"Wb", "V.s"},
                                                                             {"T", "N/(A.m)"},
                                                                             {"C", "A.s"},
                                                                             {"Pa", "N/m2"},
                                                                             {"W", "J/s"},
                                                                             {"J", "N.m"},
                                                                             {"Hz", "rad/s"},
                                                                             {"bar", "Pa"},
                                                                             {"l", "m3"},
                                                                             {"degC", "K"}})
    EXPECT_EQ(dimension(a), dimension(b)) << a;
}

TEST(Units, FactorsConvertToSi) {
  const auto si = [](double value, std::string_view text) { return to_si(value, parse_unit(text)); };
  EXPECT_EQ(si(7.3, "mH"), 0.0073);
  EXPECT_EQ(si(1, "kg"), 1);
  EXPECT_EQ(si(3, "t"), 3000);
  EXPECT_EQ(si(40, "mm"), 0.04);
  EXPECT_EQ(si(4.7, "uF"), 4.7e-6);
  EXPECT_EQ(si(4.7, "µF"), 4.7e-6);
  EXPECT_EQ(si(4.7, "μF"), 4.7e-6);
  EXPECT_EQ(si(10, "kΩ"), 10000);
  EXPECT_EQ(si(2, "bar"), 2e5);
  EXPECT_EQ(si(5, "%"), 0.05);
  EXPECT_EQ(si(20, "degC"), 293.15);
  EXPECT_EQ(si(20, "°C"), 293.15);
  // one rounding more than the expected value
  EXPECT_DOUBLE_EQ(si(180, "deg"), std::numbers::pi);
  EXPECT_DOUBLE_EQ(si(60, "rpm"), 2 * std::numbers::pi);
  EXPECT_DOUBLE_EQ(si(60, "rev/min"), 2 * std::numbers::pi);
  EXPECT_DOUBLE_EQ(si(6, "l/min"), 1e-4);
  EXPECT_DOUBLE_EQ(si(36, "km/h"), 10);
  EXPECT_DOUBLE_EQ(from_si(293.15, parse_unit("degC")), 20);
  EXPECT_EQ(from_si(0.0073, parse_unit("mH")), 7.3);
}

TEST(Units, ProductsQuotientsAndPowersHaveManySpellings) {
  for (const char* text : {"kg.m2", "kg*m^2", "kg m²", "kg·m2", "kg⋅m2", "kg . m^2", "kg*m**2", "m2.kg", "(kg.m).m",
                           "kg/m-2", "kg/m⁻²", "kg/(1/m2)"}) {
    EXPECT_EQ(to_string(parse_unit(text).dimension), "kg.m2") << text;
    EXPECT_EQ(parse_unit(text).factor, 1) << text;
  }
  EXPECT_EQ(to_string(parse_unit("m/s/s").dimension), "m/s2");
  EXPECT_EQ(to_string(parse_unit("s^-1").dimension), "1/s");
  EXPECT_EQ(to_string(parse_unit("J/(kg.K)").dimension), "m2/(s2.K)");
  EXPECT_DOUBLE_EQ(parse_unit("mm2").factor, 1e-6);
  EXPECT_DOUBLE_EQ(parse_unit("cm^-3").factor, 1e6);
  EXPECT_TRUE(parse_unit("").dimension.is_none());
  EXPECT_TRUE(parse_unit("1").dimension.is_none());
}

TEST(Units, UnknownPartIsNamedWithASuggestion) {
  EXPECT_EQ(message_of("Nm"), "unknown unit \"Nm\"; did you mean N.m?");
  EXPECT_EQ(message_of("kWh"), "unknown unit \"kWh\"; did you mean kW.h?");
  EXPECT_EQ(message_of("Volts"), "unknown unit \"Volts\"; did you mean V?");
  EXPECT_EQ(message_of("mohn/s"), "unknown unit \"mohn\" in \"mohn/s\"; did you mean mohm?");
  EXPECT_EQ(message_of("kiB"), "unknown unit \"kiB\"");
  EXPECT_EQ(message_of("KG"), "unknown unit \"KG\"; did you mean kg?");
  EXPECT_EQ(message_of("pi"), "unknown unit \"pi\"");
}

TEST(Units, MalformedTextsSayWhatIsWrong) {
  EXPECT_EQ(message_of("J/kg.K"),
            "the unit \"J/kg.K\" can be read in two ways; put the denominator in parentheses, /(kg.K), or write K "
            "before the /");
  EXPECT_EQ(message_of("m/"), "the unit \"m/\" ends where a unit is expected");
  EXPECT_EQ(message_of("m^"), "a whole number must follow the power sign in \"m^\"");
  EXPECT_EQ(message_of("m99"), "the power 99 in \"m99\" must be between 1 and 12");
  EXPECT_EQ(message_of("(m"), "missing ) in \"(m\"");
  EXPECT_EQ(message_of("m)"), "cannot read \")\" in the unit \"m)\"");
  EXPECT_EQ(message_of("m_2"), "cannot read \"_2\" in the unit \"m_2\"");
  EXPECT_EQ(message_of("10/s"), "a unit cannot contain a number in \"10/s\"");
  EXPECT_EQ(message_of("W/degC"),
            "degC in \"W/degC\" has an offset and stands alone; write K for a temperature difference");
  EXPECT_EQ(message_of(std::string(1000, '(')), "too many parentheses in \"" + std::string(1000, '(') + "\"");
  EXPECT_FALSE(find_unit("J/kg.K"));
  EXPECT_TRUE(find_unit("J/kg"));
}

TEST(Units, DimensionTextReadsBack) {
  std::mt19937 random(7);
  std::uniform_int_distribution<int> power(-3, 3);
  for (int k = 0; k < 200; ++k) {
    Dimension d;
    for (int& e : d.exponent) e = power(random);
    EXPECT_EQ(parse_unit(to_string(d)).dimension, d) << to_string(d);
    EXPECT_EQ(parse_unit(unit_name(d)).dimension, d) << unit_name(d);
  }
  EXPECT_EQ(unit_name(parse_unit("W/A").dimension), "V");
  EXPECT_EQ(unit_name(parse_unit("V/A").dimension), "ohm");
  EXPECT_EQ(unit_name(parse_unit("m/s").dimension), "m/s");
}

TEST(Units, RandomTextsAreReadOrRefusedButNeverCrash) {
  std::mt19937 random(3);
  const std::vector<std::string> pieces{"m", "k", "kg", "s", "/", ".", "*",    "^", "2", "-",
                                        "(", ")", " ",  "µ", "²", "⁻", "\xff", "1", "99"};
  int read = 0;
  for (int k = 0; k < 20000; ++k) {
    std::string text;
    for (auto n = random() % 12; n > 0; --n) text += pieces[random() % pieces.size()];
    read += find_unit(text).has_value();
  }
  EXPECT_GT(read, 100);
}

}  // namespace
}  // namespace coenergy
