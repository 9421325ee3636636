#include "coenergy/generate/write.hpp"

#include <fmt/format.h>

#include <fstream>

#include "coenergy/base/error.hpp"
#include "coenergy/generate/loop_program.hpp"
#include "coenergy/generate/main_program.hpp"
#include "coenergy/generate/stubs.hpp"

namespace coenergy::generate {

using symbolic::ArrayArgument;
using symbolic::Language;

std::string describe_count(const symbolic::OperationCount& c) {
  return fmt::format("{} operations: {} + -, {} x, {} /, {} calls", c.total(), c.additions, c.multiplications,
                     c.divisions, c.functions + c.selections);
}

namespace {

std::string describe_arrays(const std::vector<Array>& arrays, const std::string& title) {
  std::string text = title + "\n";
  for (const Array& a : arrays) {
    text += fmt::format("  {}[{}]  {}\n", a.name, a.entries.size(), a.meaning);
    for (std::size_t i = 0; i < a.entries.size(); ++i)
      text += fmt::format("    {}[{}] {}{}\n", a.name, i, a.entries[i].name,
                          a.entries[i].unit.empty() ? "" : ", " + a.entries[i].unit);
  }
  return text;
}

std::string make_header(const Generated& g, const Routine& routine) {
  std::string text = fmt::format("{}: {}\nmodel: {}\nThis code belongs to you; made by coenergy.\n\n", routine.name,
                                 routine.title, g.model);
  text += describe_arrays(routine.inputs, "inputs") + describe_arrays(routine.outputs, "outputs");
  if (!routine.program.result.empty()) text += describe_count(routine.program.count()) + "\n";
  for (const std::string& note : g.notes) text += note + "\n";
  return text;
}

std::vector<ArrayArgument> arguments(const std::vector<Array>& arrays) {
  std::vector<ArrayArgument> result;
  for (const Array& a : arrays) result.push_back({a.name, a.entries.size()});
  return result;
}

std::string print_routine(const Generated& g, const Routine& routine, Language language) {
  if (&routine == &g.main && !g.parts.empty()) return print_loops(g, language, make_header(g, routine));
  return symbolic::print(routine.program, language,
                         {.name = routine.name,
                          .header = make_header(g, routine),
                          .inputs = arguments(routine.inputs),
                          .outputs = arguments(routine.outputs)});
}

/// Declarations of all functions, for C and C++.
std::string make_declarations(const std::vector<const Routine*>& routines, bool cpp) {
  std::string guard = routines.back()->name + "_H";
  for (char& c : guard) c = static_cast<char>(std::toupper(c));
  std::string text = fmt::format("#ifndef {0}\n#define {0}\n\n", guard);
  for (const Routine* r : routines) {
    const bool composed = r->program.result.empty();
    text += fmt::format(
        "/* {}; {} */\n{} {}(", r->title,
        composed ? "0: good, 1: the loops cannot be closed, 2: singular" : describe_count(r->program.count()),
        composed ? "int" : "void", r->name);
    std::string list;
    for (const Array& a : r->inputs) list += fmt::format("{}const double* {}", list.empty() ? "" : ", ", a.name);
    for (const Array& a : r->outputs) list += fmt::format(", double* {}", a.name);
    text += list + ");\n";
  }
  return text + (cpp ? "\n#endif\n" : "\n#endif\n");
}

}  // namespace

std::vector<SourceFile> write_sources(const Generated& g, Language language, const RunPlan& plan) {
  std::vector<const Routine*> routines;
  for (const Routine& r : g.once) routines.push_back(&r);
  for (const Routine& r : g.parts) routines.push_back(&r);
  routines.push_back(&g.main);
  const UserCalls calls = find_user_calls(routines);
  std::vector<SourceFile> files;
  const std::string& name = g.main.name;
  const bool cpp = language == Language::cpp;
  if (language == Language::c || cpp) {
    std::string code;
    for (const Routine* r : routines) code += print_routine(g, *r, language) + "\n";
    files.push_back({name + (cpp ? ".hpp" : ".h"), make_declarations(routines, cpp)});
    files.push_back({name + (cpp ? ".cpp" : ".c"), std::move(code)});
  } else if (language == Language::python) {
    std::string code = make_python_import(calls);
    for (const Routine* r : routines) code += print_routine(g, *r, language) + "\n";
    files.push_back({name + ".py", std::move(code)});
  } else {
    // one function for each file
    for (const Routine* r : routines) files.push_back({r->name + ".m", print_routine(g, *r, language)});
  }
  for (SourceFile& file : make_main_program(g, language, plan)) files.push_back(std::move(file));
  for (SourceFile& file : make_stubs(calls, language)) files.push_back(std::move(file));
  return files;
}

std::vector<std::string> save(const std::vector<SourceFile>& files, const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  std::vector<std::string> kept;
  for (const SourceFile& file : files) {
    const std::filesystem::path path = folder / file.name;
    if (file.yours && std::filesystem::exists(path)) {
      kept.push_back(file.name);
      continue;
    }
    std::ofstream out(path, std::ios::binary);
    out << file.text;
    out.close();
    if (!out) throw Error({path.string()}, "cannot be written");
  }
  return kept;
}

}  // namespace coenergy::generate
