#include "coenergy/io/model_writer.hpp"

#include <gtest/gtest.h>

#include "coenergy/io/model_file.hpp"

namespace coenergy::io {
namespace {

using model::Value;

void expect_equal(const Value& a, const Value& b) {
  ASSERT_EQ(a.kind, b.kind);
  EXPECT_EQ(a.text, b.text);
  ASSERT_EQ(a.list.size(), b.list.size());
  for (std::size_t k = 0; k < a.list.size(); ++k) expect_equal(a.list[k], b.list[k]);
  ASSERT_EQ(a.map.size(), b.map.size());
  for (std::size_t k = 0; k < a.map.size(); ++k) {
    EXPECT_EQ(a.map[k].first, b.map[k].first);
    expect_equal(a.map[k].second, b.map[k].second);
  }
}

void expect_equal(const std::vector<std::pair<std::string, Value>>& a,
                  const std::vector<std::pair<std::string, Value>>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t k = 0; k < a.size(); ++k) {
    EXPECT_EQ(a[k].first, b[k].first);
    expect_equal(a[k].second, b[k].second);
  }
}

TEST(ModelWriter, WritesWhatTheReaderReads) {
  model::Model m;
  m.title = "title: with \"signs\" # and {braces}, a backslash \\ and\ta tab";
  m.parameters = {{"R", "1e-3 ohm"}, {"k", "-2*R/(1 ohm)"}, {"none", "~"}, {"list", std::vector<Value>{"1 m", "[x"}}};
  Value shape;
  shape.kind = Value::Kind::map;
  shape.map = {{"sphere", Value("60 mm")}, {"at", Value(std::vector<Value>{"0", "-1", "0"})}};
  m.add("U1", "electrical.VoltageSource", {{"p", "a"}, {"n", "gnd"}, {"v", "if(time < 1 s, 0 V, -a.v*2)"}});
  m.add("bob", "multibody.Body", {{"shape", shape}, {"mass", "- 3 kg"}, {"empty", ""}, {"text", "yes: no"}});
  m.add("bare", "electrical.Ground", {});
  m.formulation = "absolute";
  m.energy = true;
  m.simulate = {{"t_end", "2 s"}, {"method", "radau"}};
  m.plots = {{"U1.v", "U1.i"}, {"bob.energy"}};
  m.plots[1].x = "bob.x";
  m.plots[1].title = "Energy: along the path";
  m.plots[1].unit = "kJ";
  m.plots[1].x_unit = "mm";

  const model::Model read = parse_model(to_model_text(m), "written.yaml");
  EXPECT_EQ(read.title, m.title);
  expect_equal(read.parameters, m.parameters);
  ASSERT_EQ(read.components.size(), m.components.size());
  for (std::size_t k = 0; k < m.components.size(); ++k) {
    EXPECT_EQ(read.components[k].name, m.components[k].name);
    EXPECT_EQ(read.components[k].type, m.components[k].type);
    expect_equal(read.components[k].values, m.components[k].values);
  }
  EXPECT_EQ(read.formulation, m.formulation);
  EXPECT_TRUE(read.energy);
  expect_equal(read.simulate, m.simulate);
  ASSERT_EQ(read.plots.size(), 2u);
  ASSERT_EQ(read.plots[0].y.size(), 2u);
  EXPECT_EQ(read.plots[0].y[1].text, "U1.i");
  EXPECT_FALSE(read.plots[0].x || read.plots[0].title || read.plots[0].unit);
  ASSERT_EQ(read.plots[1].y.size(), 1u);
  EXPECT_EQ(read.plots[1].y[0].text, "bob.energy");
  EXPECT_EQ(read.plots[1].x->text, "bob.x");
  EXPECT_EQ(read.plots[1].title->text, "Energy: along the path");
  EXPECT_EQ(read.plots[1].unit->text, "kJ");
  EXPECT_EQ(read.plots[1].x_unit->text, "mm");
}

TEST(ModelWriter, WritesTextsThatYamlWouldTakeForSomethingElse) {
  model::Model m;
  // half of an expression, control characters, line breaks of YAML, a mark of byte order
  const std::vector<std::string> texts{
      "2*(3 ohm + 1 ohm",  "a)+(b", "bell \x07", "\r",  "\x7f", "nel \xc2\x85", "\xe2\x80\xa8 line",
      "\xef\xbb\xbf mark", "é ω",   "- a",       "null"};
  for (const std::string& text : texts) m.parameters.emplace_back("p" + std::to_string(m.parameters.size()), text);
  m.parameters.emplace_back("a: b", "1");
  const model::Model read = parse_model(to_model_text(m), "written.yaml");
  expect_equal(read.parameters, m.parameters);
}

TEST(ModelWriter, QuotesOnlyWhatNeedsIt) {
  model::Model m;
  m.add("R1", "electrical.Resistor", {{"p", "a"}, {"n", "gnd"}, {"R", "2.5e3 ohm"}});
  m.add("U1", "electrical.VoltageSource", {{"v", "max(a.v, 0 V)"}});
  EXPECT_EQ(to_model_text(m),
            "components:\n"
            "  R1: {type: electrical.Resistor, p: a, n: gnd, R: 2.5e3 ohm}\n"
            "  U1: {type: electrical.VoltageSource, v: \"max(a.v, 0 V)\"}\n");
}

TEST(ModelFile, AValueOfACallHasTheCharactersOfAFile) {
  // what a file may not hold could not be written into one either
  for (const auto& [text, message] :
       {std::pair("1\xacV", "--set R.R:1:2: the byte 0xAC is not UTF-8"),
        std::pair("1\x07", "--set R.R:1:2: the control character U+0007 is not allowed")}) {
    try {
      parse_value(text, "--set R.R");
      ADD_FAILURE() << message;
    } catch (const Error& e) {
      EXPECT_TRUE(std::string(e.what()).starts_with(message)) << e.what();
    }
  }
  EXPECT_EQ(parse_value("2*ω", "--set R.R").text, "2*ω");
}

}  // namespace
}  // namespace coenergy::io
