// What is installed serves programs outside of the tree: in C++ by find_package, in C by pkg-config.
#include <gtest/gtest.h>

#include "tests/program.hpp"

namespace coenergy::tests {
namespace {

const std::string source = COENERGY_SOURCE_DIR "/tests/outside";

std::string call(const Folder& folder, const std::string& command) {
  const std::string output = folder / "out";
  const int status = std::system(("( " + command + " ) > " + output + " 2>&1").c_str());
  EXPECT_EQ(status, 0) << command << "\n" << read_text(output);
  return read_text(output);
}

TEST(Installed, LibraryServesProgramsOfOthers) {
  const Folder folder;
  const std::string prefix = folder / "usr", build = folder / "build";
  call(folder, "cmake --install " COENERGY_BINARY_DIR " --component library --prefix " + prefix);
  call(folder, "cmake -S " + source + " -B " + build + " -DCMAKE_PREFIX_PATH=" + prefix + " && cmake --build " + build);
  const std::string cpp = call(folder, build + "/outside_cpp");
  // 5 V (1 − e⁻²), 10 V (1 − e^−1.5), −1/(2 ms); tolerance of the runs: rtol 1e-6
  EXPECT_NE(cpp.find("run 4.3233"), std::string::npos) << cpp;
  EXPECT_NE(cpp.find("driven 7.768"), std::string::npos) << cpp;
  EXPECT_NE(cpp.find(" 1\nlinear -500.000000\n"), std::string::npos) << cpp;
  EXPECT_NE(cpp.find("R.S"), std::string::npos) << cpp;

  const std::string model = folder.write("rc.yaml",
                                         "components:\n"
                                         "  U: {type: electrical.VoltageSource, p: a, n: gnd, v: 5 V}\n"
                                         "  R: {type: electrical.Resistor, p: a, n: b, R: 1 kohm}\n"
                                         "  C: {type: electrical.Capacitor, p: b, n: gnd, C: 1 uF}\n"
                                         "simulate: {t_end: 5 ms}\n");
  const std::string config = call(folder, "find " + prefix + " -name pkgconfig").substr(0);
  const std::string path = config.substr(0, config.find('\n'));
  call(folder, "cc -std=c99 -Wall -Wextra -Wpedantic -Werror " + source + "/main.c -o " + (folder / "main").string() +
                   " $(PKG_CONFIG_PATH=" + path + " pkg-config --define-prefix --cflags --libs coenergy)");
  const std::string c = call(folder, "LD_LIBRARY_PATH=" + path + "/.. " + (folder / "main").string() + " " + model);
  EXPECT_NE(c.find("run 4.3233"), std::string::npos) << c;
  EXPECT_NE(c.find(" 1\nwrong 2 "), std::string::npos) << c;
  EXPECT_NE(c.find("did you mean C.v?"), std::string::npos) << c;
}

TEST(Installed, ManualPageTellsEveryVerb) {
  const Folder folder;
  const std::string page = call(folder, COENERGY_SOURCE_DIR "/cmake/make_man_page " COENERGY_PROGRAM);
  for (const char* verb : {".SS run", ".SS compare", ".SS linearize"})
    EXPECT_NE(page.find(verb), std::string::npos) << verb;
  const std::string words =
      call(folder, "bash -c 'source " COENERGY_SOURCE_DIR "/cmake/completion.bash; coenergy() { " COENERGY_PROGRAM
                   " \"$@\"; }; COMP_WORDS=(coenergy run --out); COMP_CWORD=2; _coenergy; echo ${COMPREPLY[@]}'");
  EXPECT_EQ(words, "--output --output-step\n");
}

}  // namespace
}  // namespace coenergy::tests
