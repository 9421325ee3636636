#include "coenergy/model/model.hpp"

#include <gtest/gtest.h>

namespace coenergy::model {
namespace {

Model make_circuit() {
  Model m;
  m.file = "m.yaml";
  m.parameters.emplace_back("Rtotal", Value("3 ohm"));
  Value node("out");
  node.where = {"m.yaml", 4, 40};
  m.add("R1", "electrical.Resistor", {{"p", node}, {"R", Value("2 ohm")}}).where = {"m.yaml", 4, 3};
  Value shape;
  shape.kind = Value::Kind::map;
  shape.map.emplace_back("sphere", Value("1 m"));
  m.add("ball", "multibody.Body", {{"shape", shape}}).where = {"m.yaml", 5, 3};
  return m;
}

std::string message_of(Model m, const std::string& path, const Value& value) {
  try {
    m.set(path, value);
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

TEST(ModelSet, ReplacesWhatThePathNames) {
  Model m = make_circuit();
  m.set("R1.R", "5 ohm");
  m.set("R1.n", "gnd");
  m.set("ball.shape.sphere", "2 m");
  m.set("Rtotal", "7 ohm");
  m.set("simulate.t_end", "1 s");
  m.set("formulation", "absolute");
  m.set("energy", "true");
  EXPECT_EQ(m.find("R1")->values[1].second.text, "5 ohm");
  EXPECT_EQ(m.find("R1")->values[2].first, "n");
  EXPECT_EQ(m.find("ball")->values[0].second.find("sphere")->text, "2 m");
  EXPECT_EQ(m.parameters[0].second.text, "7 ohm");
  EXPECT_EQ(m.simulate[0].second.where.text(), "set simulate.t_end");
  EXPECT_EQ(m.formulation, "absolute");
  EXPECT_TRUE(m.energy);
}

TEST(ModelSet, RefusesWhatIsNotThere) {
  const Model m = make_circuit();
  EXPECT_EQ(message_of(m, "Rtotl", "1"), "set Rtotl: the model has no parameter \"Rtotl\"; did you mean Rtotal?");
  EXPECT_EQ(message_of(m, "R2.R", "1"), "set R2.R: the model has no component \"R2\"; did you mean R1?");
  EXPECT_EQ(message_of(m, "energy", "perhaps"), "set energy: energy = perhaps must be true or false");
}

TEST(ModelLocate, FindsComponentsAndNodesNamedInATextThatHasNoPlace) {
  const Model m = make_circuit();
  const auto place = [&](const Error& e) { return locate(e, m).items()[0].where.text(); };
  EXPECT_EQ(place(Error("nothing determines ball.x")), "m.yaml:5:3");
  EXPECT_EQ(place(Error("nothing determines out.v")), "m.yaml:4:40");
  EXPECT_EQ(place(Error("does not fit constraint R1 position x")), "m.yaml:4:3");
  EXPECT_EQ(place(Error("violated by 0.3 m")), "m.yaml");
  EXPECT_EQ(place(Error({"other.yaml", 1, 1}, "ball.x")), "other.yaml:1:1");
}

}  // namespace
}  // namespace coenergy::model
