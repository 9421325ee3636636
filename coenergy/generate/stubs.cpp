#include "coenergy/generate/stubs.hpp"

#include <fmt/format.h>

#include <map>

namespace coenergy::generate {

using symbolic::Language;

UserCalls find_user_calls(const std::vector<const Routine*>& routines) {
  std::map<std::string, UserCalls::Function> found;
  for (const Routine* routine : routines)
    for (const symbolic::Program::Call& call : routine->program.calls) {
      if (!call.external) continue;
      UserCalls::Function& f = found[call.external->name];
      f.name = call.external->name, f.arity = call.external->arity;
      f.derivative = f.derivative || call.dx >= 0;
    }
  UserCalls calls;
  for (auto& [name, function] : found) calls.functions.push_back(function);
  return calls;
}

namespace {

constexpr const char* advice = "yours to write, or to leave out and link the library that has them";

SourceFile make_c_stubs(const UserCalls& calls, bool cpp) {
  const std::string linkage = cpp ? "extern \"C\" " : "";
  std::string text = fmt::format("/* Functions of your own that the model calls: {}. */\n", advice);
  for (const UserCalls::Function& f : calls.functions) {
    text += fmt::format("\n/* of x[0] ... x[{}] */\n{}double {}(const double* x) {{\n  (void)x;\n  return 0;\n}}\n",
                        f.arity - 1, linkage, f.name);
    if (f.derivative)
      text += fmt::format(
          "\n/* its derivative by x[k] */\n{}double {}_derivative(const double* x, int k) {{\n  (void)x, (void)k;\n"
          "  return 0;\n}}\n",
          linkage, f.name);
  }
  return {std::string("user_functions") + (cpp ? ".cpp" : ".c"), text, true};
}

SourceFile make_python_stubs(const UserCalls& calls) {
  std::string text = "# Functions of your own that the model calls: yours to write.\n";
  for (const UserCalls::Function& f : calls.functions) {
    text += fmt::format("\n\ndef {}(x):\n    \"\"\"Of x[0] ... x[{}].\"\"\"\n    return 0.0\n", f.name, f.arity - 1);
    if (f.derivative)
      text += fmt::format("\n\ndef {}_derivative(x, k):\n    \"\"\"Its derivative by x[k].\"\"\"\n    return 0.0\n",
                          f.name);
  }
  return {"user_functions.py", text, true};
}

std::vector<SourceFile> make_matlab_stubs(const UserCalls& calls) {
  std::vector<SourceFile> files;
  for (const UserCalls::Function& f : calls.functions) {
    files.push_back({f.name + ".m",
                     fmt::format("% A function of your own that the model calls, of x(1) ... x({}): yours to write.\n"
                                 "function y = {}(x)\n  y = 0;\nend\n",
                                 f.arity, f.name),
                     true});
    if (f.derivative)
      files.push_back({f.name + "_derivative.m",
                       fmt::format("% The derivative of {0} by x(k): yours to write.\n"
                                   "function y = {0}_derivative(x, k)\n  y = 0;\nend\n",
                                   f.name),
                       true});
  }
  return files;
}

}  // namespace

std::vector<SourceFile> make_stubs(const UserCalls& calls, Language language) {
  if (calls.functions.empty()) return {};
  if (language == Language::matlab) return make_matlab_stubs(calls);
  if (language == Language::python) return {make_python_stubs(calls)};
  return {make_c_stubs(calls, language == Language::cpp)};
}

std::string make_python_import(const UserCalls& calls) {
  std::string names;
  for (const UserCalls::Function& f : calls.functions) {
    names += (names.empty() ? "" : ", ") + f.name;
    if (f.derivative) names += ", " + f.name + "_derivative";
  }
  return names.empty() ? "" : "from user_functions import " + names + "\n\n";
}

}  // namespace coenergy::generate
