#include "coenergy/io/document.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <fstream>
#include <random>

namespace coenergy::io {
namespace {

std::string message_of(std::string_view text) {
  try {
    parse_document(text, "m.yaml");
  } catch (const Error& e) {
    return e.what();
  }
  return "nothing thrown";
}

constexpr std::string_view model = R"yaml(model: first axis of a robot
parameters: {kT: 0.4 V.s, target: "2 rad"}
components:
  joint1: {type: multibody.Revolute, parent: ground}
  L1:
    type: electrical.Inductor
    L: "7.3 mH*(1 - 0.1*tanh(L1.i/(5 A)))"
plots: [[joint1.q, drive.y], [motor.i]]
note: |

  two
  lines
)yaml";

TEST(Document, KeepsStructureOrderAndPlaces) {
  const Node root = parse_document(model, "m.yaml");
  ASSERT_TRUE(root.is_mapping());
  EXPECT_EQ(root.entries[0].key, "model");
  EXPECT_EQ(root.at("model").text, "first axis of a robot");
  EXPECT_EQ(root.at("model").where.text(), "m.yaml:1:8");
  EXPECT_EQ(root.entries[2].where.text(), "m.yaml:3:1");
  EXPECT_EQ(root.at("plots").items[0].items[1].text, "drive.y");
  EXPECT_EQ(root.at("plots").items[1].items[0].where.text(), "m.yaml:8:31");
  EXPECT_EQ(root.at("components").entries[1].where.text(), "m.yaml:5:3");
  EXPECT_EQ(root.find("nothing"), nullptr);
}

TEST(Document, KnowsQuotedTextsAndWhereTheirTextBegins) {
  const Node root = parse_document(model, "m.yaml");
  const auto& kt = root.at("parameters").at("kT");
  EXPECT_FALSE(kt.quoted);
  EXPECT_EQ(kt.text_where.text(), "m.yaml:2:18");
  const auto& l = root.at("components").at("L1").at("L");
  EXPECT_TRUE(l.quoted);
  EXPECT_EQ(l.where.text(), "m.yaml:7:8");
  EXPECT_EQ(l.text_where.text(), "m.yaml:7:9");
  EXPECT_EQ(root.at("note").text, "\ntwo\nlines\n");
  EXPECT_EQ(root.at("note").text_where.text(), "m.yaml:11:3");
  const Node tagged = parse_document("a: &x !!str 5 A\nb: &y 'é' \nc: 'é' # x", "m.yaml");
  EXPECT_TRUE(tagged.at("a").quoted);
  EXPECT_EQ(tagged.at("a").text_where.text(), "m.yaml:1:13");
  EXPECT_EQ(tagged.at("b").text_where.text(), "m.yaml:2:8");
}

TEST(Document, ReadsJson) {
  const Node root = parse_document("{\"a\":[1,2.5e3,\"x\\u00e9\\/\"],\n\t\"b\":{\"c\":null,\"d\":true}}", "m.json");
  EXPECT_EQ(root.at("a").items[2].text, "xé/");
  EXPECT_TRUE(root.at("b").at("c").is_null());
  EXPECT_TRUE(root.at("b").at("d").to_bool("d"));
  EXPECT_EQ(root.at("b").entries[1].where.text(), "m.json:2:16");
}

TEST(Document, ReadsAByteOrderMarkAndOtherLineEnds) {
  const Node root = parse_document(
      "\xef\xbb\xbf"
      "a: 1\r\nb: 'x'\r\n",
      "m.yaml");
  EXPECT_EQ(root.entries[0].where.text(), "m.yaml:1:1");
  EXPECT_EQ(root.at("b").text_where.text(), "m.yaml:2:5");
}

TEST(Document, AliasesAreCopies) {
  const Node root = parse_document("a: &m {mass: 1 kg}\nb: *m\nc: [*m, *m]\n", "m.yaml");
  EXPECT_EQ(root.at("b").at("mass").text, "1 kg");
  EXPECT_EQ(root.at("c").items[1].at("mass").where.text(), "m.yaml:1:14");
  EXPECT_EQ(message_of("a: &motor 1\nb: *moter"),
            "m.yaml:2:4: no anchor &moter stands above this alias *moter; did you mean motor?");
  EXPECT_EQ(message_of("a: &x [1, *x]"), "m.yaml:1:11: the alias *x stands inside the value it names");
  EXPECT_EQ(message_of("a: 1\nb: {<<: *a}"),
            "m.yaml:2:5: merge keys (<<) are not supported; write the keys out or use an alias for the whole value");
}

TEST(Document, AliasesCannotGrowWithoutBound) {
  std::string laughs = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int k = 1; k < 12; ++k) {
    const auto name = "a" + std::to_string(k), below = "*a" + std::to_string(k - 1);
    laughs += name + ": &" + name + " [";
    for (int i = 0; i < 10; ++i) laughs += below + (i < 9 ? ", " : "]\n");
  }
  EXPECT_NE(message_of(laughs).find("the file has more than 1000000 values; keep measured data in a CSV file"),
            std::string::npos);
}

TEST(Document, MistakesAreNamedWithTheirPlace) {
  EXPECT_EQ(message_of("a: 1\nb: 2\na: 3\n"), "m.yaml:3:1: the key \"a\" stands twice; first in line 1, column 1");
  EXPECT_EQ(message_of("a: 1\n---\nb: 2\n"),
            "m.yaml:2:1: a second document begins here; a file holds one document, remove the ---");
  EXPECT_EQ(message_of("# nothing\n"),
            "m.yaml:1:1: the file is empty; a model file begins with keys such as \"components:\"");
  EXPECT_EQ(message_of("a: !foo 1"), "m.yaml:1:4: the tag !foo is not supported; remove it");
  EXPECT_EQ(message_of("[a]: 1"), "m.yaml:1:1: a key must be a text, not a list, a mapping or an alias");
  EXPECT_EQ(message_of("? \n: 1"), "m.yaml:1:2: the key is empty; write \"key: value\"");
  EXPECT_EQ(message_of("a: \xff"), "m.yaml:1:4: the byte 0xFF is not UTF-8; save the file with the encoding UTF-8");
  EXPECT_EQ(message_of("é: \xc3("), "m.yaml:1:4: the byte 0xC3 is not UTF-8; save the file with the encoding UTF-8");
  // an overlong slash and half of a surrogate pair
  EXPECT_EQ(message_of("a: \xe0\x80\xaf"),
            "m.yaml:1:4: the byte 0xE0 is not UTF-8; save the file with the encoding UTF-8");
  EXPECT_EQ(message_of("a: \xed\xa0\x80"),
            "m.yaml:1:4: the byte 0xED is not UTF-8; save the file with the encoding UTF-8");
  EXPECT_EQ(message_of(std::string_view("a: \0b", 5)),
            "m.yaml:1:4: the control character U+0000 is not allowed; remove it");
  EXPECT_EQ(message_of("v: time < 1 s ? 0 : 2 V"),
            "m.yaml:1:19: cannot read this as YAML: mapping values are not allowed in this context; put a value that "
            "contains "
            "\": \" in quotes, and check the indentation");
  EXPECT_EQ(message_of("a:\n\tb: 1"),
            "m.yaml:2:1: cannot read this as YAML: found character that cannot start any token; indent with spaces, "
            "not with a tab");
  EXPECT_EQ(message_of("a: @x"),
            "m.yaml:1:4: cannot read this as YAML: found character that cannot start any token; put a value that "
            "begins with @ in quotes");
  EXPECT_EQ(message_of("a: {b: 1\nc: 2\n"),
            "m.yaml:2:2: cannot read this as YAML: did not find expected ',' or '}' while parsing a flow mapping that "
            "begins in line 1");
}

TEST(Document, AnUnquotedCommaInAnExpressionIsExplained) {
  EXPECT_EQ(message_of("U1: {v: atan2(a.x, b.y), p: a}"),
            "m.yaml:1:9: the parentheses of \"atan2(a.x\" do not match; inside { } and [ ] a comma ends a value: put "
            "the expression in quotes");
  EXPECT_EQ(message_of("U1: {v: \"atan2(a.x, b.y)\", p: (a)}"), "nothing thrown");
  EXPECT_EQ(message_of("v: atan2(a.x, b.y)"), "nothing thrown");
}

TEST(Document, NestingIsCappedAt200) {
  EXPECT_EQ(message_of(std::string(200, '[') + std::string(200, ']')), "nothing thrown");
  EXPECT_EQ(message_of(std::string(100000, '[')), "m.yaml:1:202: values are nested deeper than 200 levels");
  std::string chain = "a0: &a0 [x]\n";
  for (int k = 1; k < 300; ++k)
    chain += "a" + std::to_string(k) + ": &a" + std::to_string(k) + " [*a" + std::to_string(k - 1) + "]\n";
  EXPECT_NE(message_of(chain).find("values are nested deeper than 200 levels"), std::string::npos);
}

TEST(Document, ConversionsNameTheValueAndWhatItMustBe) {
  const Node root = parse_document("a: [1]\nb: text\nc:\n", "m.yaml");
  const auto message = [](auto&& call) -> std::string {
    try {
      call();
    } catch (const Error& e) {
      return e.what();
    }
    return "nothing thrown";
  };
  EXPECT_EQ(message([&] { root.at("a").to_text("R1.R"); }), "m.yaml:1:4: R1.R must be a single value, not a list");
  EXPECT_EQ(message([&] { root.at("c").to_text("R1.R"); }), "m.yaml:3:3: R1.R must be a single value, not empty");
  EXPECT_EQ(message([&] { root.at("b").to_mapping("parameters"); }),
            "m.yaml:2:4: parameters must be a mapping, not the text \"text\"");
  EXPECT_EQ(message([&] { root.to_sequence("plots"); }), "m.yaml:1:1: plots must be a list, not a mapping");
  EXPECT_EQ(message([&] { root.at("b").to_bool("fixed"); }),
            "m.yaml:2:4: fixed must be true or false, not the text \"text\"");
  EXPECT_EQ(message([&] { root.at("d"); }), "m.yaml:1:1: the key \"d\" is missing");
  EXPECT_EQ(message([&] { root.at("b").at("d"); }),
            "m.yaml:2:4: the value must be a mapping with the key \"d\", not the text \"text\"");
}

TEST(Document, UnknownKeysAreAllReported) {
  const Node root = parse_document("masss: 1\nlength: 2\nzzz: 3\n", "m.yaml");
  ErrorList errors;
  check_keys(root, {"mass", "length"}, "arm", errors);
  try {
    errors.throw_if_any();
    FAIL() << "nothing thrown";
  } catch (const Error& e) {
    EXPECT_STREQ(e.what(),
                 "m.yaml:1:1: unknown key \"masss\" in arm; did you mean mass?\n"
                 "m.yaml:3:1: unknown key \"zzz\" in arm; allowed: mass, length");
  }
}

TEST(Document, AMissingFileOrAFolderIsNamed) {
  EXPECT_THROW(
      {
        try {
          read_document("/nonexistent/m.yaml");
        } catch (const Error& e) {
          EXPECT_STREQ(e.what(), "cannot read /nonexistent/m.yaml: No such file or directory");
          throw;
        }
      },
      Error);
  EXPECT_THROW(read_document("/tmp"), Error);
}

TEST(Document, RandomMutationsAreReadOrRefusedWithAPlace) {
  std::mt19937 random(20040511);
  const std::vector<std::string> pieces{
      "{",    "}",   "[",   "]", ": ", "- ",     "\n", "  ",    "\t",    "&a ",  "*a",       "\"",
      "'",    "|\n", ">\n", "#", "? ", "!!str ", "%",  "---\n", "...\n", "\xff", "\xe2\x82", std::string(1, '\0'),
      "<<: ", ","};
  int read = 0, refused = 0;
  for (int k = 0; k < 20000; ++k) {
    std::string text(model);
    for (auto n = 1 + random() % 5; n > 0; --n) {
      const auto at = random() % text.size();
      switch (random() % 4) {
        case 0:
          text.erase(at, 1 + random() % 10);
          break;
        case 1:
          text.insert(at, pieces[random() % pieces.size()]);
          break;
        case 2:
          text[at] = static_cast<char>(random() % 256);
          break;
        default:
          text.insert(at, text.substr(random() % text.size(), random() % 40));
          break;
      }
      if (text.empty()) text = "a";
    }
    try {
      parse_document(text, "m.yaml");
      ++read;
    } catch (const Error& e) {
      ++refused;
      const auto& where = e.items().at(0).where;
      EXPECT_TRUE(where.file == "m.yaml" && where.line > 0 && where.column > 0) << e.what() << "\n" << text;
    }
  }
  EXPECT_GT(read, 1000);
  EXPECT_GT(refused, 1000);
}

TEST(Document, TimeGrowsWithTheSizeOfTheText) {
  // a hundred thousand quoted values: seconds if a place were searched from the start of the text
  std::string text = "[";
  for (int k = 0; k < 100000; ++k) text += "\"x\",\n";
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(parse_document(text + "1]", "m.json").items.size(), 100001u);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));
}

}  // namespace
}  // namespace coenergy::io
