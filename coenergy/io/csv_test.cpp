#include "coenergy/io/csv.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <limits>
#include <random>

#include "coenergy/base/error.hpp"

namespace coenergy::io {
namespace {

std::string read_text(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::filesystem::path temporary(const std::string& name) {
  const auto* test = testing::UnitTest::GetInstance()->current_test_info();
  return std::filesystem::path(testing::TempDir()) / (std::string("coenergy_") + test->name() + "_" + name);
}

std::string message_of(std::string_view text) {
  try {
    parse_csv(text, "r.csv");
  } catch (const Error& e) {
    return e.what();
  }
  return "nothing thrown";
}

TEST(Csv, FileHasNamesUnitsAndShortestNumbers) {
  const auto path = temporary("a.csv");
  const std::vector<double> values{0, 0.1, 1, 1.0 / 3, -2e-9, std::numeric_limits<double>::infinity()};
  write_csv(path, {"time", "rotor.q", "duty"}, {"s", "rad", ""}, values);
  EXPECT_EQ(read_text(path), "time,rotor.q,duty\ns,rad,-\n0,0.1,1\n0.3333333333333333,-2e-09,inf\n");
  std::filesystem::remove(path);
}

TEST(Csv, EveryDoubleAndEveryNameReadsBack) {
  const auto path = temporary("a.csv");
  std::mt19937_64 random(11);
  CsvData data{{"time", "odd, \"name\"", "x\ny"}, {"s", "", "N.m/rad"}, {}};
  for (int k = 0; k < 3000; ++k) data.values.push_back(std::bit_cast<double>(random()));
  write_csv(path, data.names, data.units, data.values);
  const auto read = read_csv(path);
  EXPECT_EQ(read.names, data.names);
  EXPECT_EQ(read.units, data.units);
  ASSERT_EQ(read.values.size(), data.values.size());
  for (std::size_t k = 0; k < data.values.size(); ++k)
    EXPECT_TRUE(read.values[k] == data.values[k] || (std::isnan(read.values[k]) && std::isnan(data.values[k]))) << k;
  std::filesystem::remove(path);
}

TEST(Csv, AnUnfinishedRunLeavesAReadableFile) {
  const auto path = temporary("a.csv");
  CsvWriter writer(path, {"time", "x"}, {"s", "m"});
  const auto part = OutputFile::part_of(path);
  EXPECT_EQ(read_csv(part).rows(), 0u);
  for (int k = 0; k < 10; ++k) writer.append(std::vector<double>{0.1 * k, 1.0 * k});
  writer.flush();
  EXPECT_EQ(read_csv(part).rows(), 10u);
  // more than a buffer reaches the file by itself
  for (int k = 0; k < 20000; ++k) writer.append(std::vector<double>{1e-3 * k, 1.0 * k});
  EXPECT_GT(read_csv(part).rows(), 10000u);
  EXPECT_FALSE(std::filesystem::exists(path));
  writer.close();
  EXPECT_EQ(read_csv(path).rows(), 20010u);
  std::filesystem::remove(path);
}

TEST(Csv, AHalfWrittenLastLineIsDropped) {
  EXPECT_EQ(parse_csv("time,x\ns,m\n0,1\n1,", "r.csv").rows(), 1u);
  EXPECT_EQ(parse_csv("time,x\ns,m\n0,1\n1,2e-", "r.csv").rows(), 1u);
  EXPECT_EQ(parse_csv("time,x\ns,m\n0,1\n1", "r.csv").rows(), 1u);
  EXPECT_EQ(parse_csv("time,x\ns,m\n0,1\n1,2", "r.csv").rows(), 2u);
  EXPECT_EQ(parse_csv("time,x\ns,", "r.csv").rows(), 0u);
}

TEST(Csv, OtherProgramsFilesAreRead) {
  const auto data = parse_csv("\xef\xbb\xbftime, x\r\n 0 , 1.5\r\n\r\n+1,-2\r\n", "r.csv");
  EXPECT_EQ(data.names, (std::vector<std::string>{"time", "x"}));
  EXPECT_EQ(data.units, (std::vector<std::string>{"", ""}));
  EXPECT_EQ(data.column("x"), (std::vector<double>{1.5, -2}));
}

TEST(Csv, MistakesAreNamedWithTheirPlace) {
  EXPECT_EQ(message_of(""), "r.csv:1:1: the file is empty");
  EXPECT_EQ(message_of("1,2\n3,4\n"),
            "r.csv:1:1: the first line must hold the names of the columns, as in \"time,rotor.q\"");
  EXPECT_EQ(message_of("time,x,time\n"), "r.csv:1:8: the column \"time\" stands twice");
  EXPECT_EQ(message_of("time,,x\n"), "r.csv:1:6: the name of the column is empty");
  EXPECT_EQ(message_of("time,x\ns,m\n0,abc\n"), "r.csv:3:3: \"abc\" is not a number");
  EXPECT_EQ(message_of("time,x\ns,m\n0,1,2\n"), "r.csv:3:5: the line has 3 values, but there are 2 names");
  EXPECT_EQ(message_of("time,\"x\n"), "r.csv:1:6: the quote is not closed");
  EXPECT_THROW(
      {
        try {
          parse_csv("time,rotor.q\n0,1\n", "r.csv").column("roter.q");
        } catch (const Error& e) {
          EXPECT_STREQ(e.what(), "unknown column \"roter.q\"; did you mean rotor.q?");
          throw;
        }
      },
      Error);
}

TEST(Csv, AFileThatCannotBeWrittenOrReadIsNamed) {
  EXPECT_THROW(
      {
        try {
          CsvWriter("/nonexistent/a.csv", {"time"}, {"s"});
        } catch (const Error& e) {
          EXPECT_STREQ(e.what(), "cannot write /nonexistent/a.csv: No such file or directory");
          throw;
        }
      },
      Error);
  EXPECT_THROW(read_csv("/nonexistent/a.csv"), Error);
}

TEST(Csv, AFullDiskIsReported) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "no /dev/full";
  EXPECT_THROW(CsvWriter("/dev/full", {"time"}, {"s"}), Error);
}

TEST(Csv, RandomTextsAreReadOrRefusedWithAPlace) {
  std::mt19937 random(13);
  const std::vector<std::string> pieces{"time", "x",   ",", "\n", "\r\n", "\"",   "1",
                                        "-2.5", "nan", " ", "s",  "\xff", "1e999"};
  int read = 0, refused = 0;
  for (int k = 0; k < 20000; ++k) {
    std::string text;
    for (auto n = random() % 12; n > 0; --n) text += pieces[random() % pieces.size()];
    try {
      parse_csv(text, "r.csv");
      ++read;
    } catch (const Error& e) {
      ++refused;
      EXPECT_GT(e.items().at(0).where.column, 0) << e.what();
    }
  }
  EXPECT_GT(read, 500);
  EXPECT_GT(refused, 500);
}

}  // namespace
}  // namespace coenergy::io
