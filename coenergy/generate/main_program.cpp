#include "coenergy/generate/main_program.hpp"

#include <fmt/format.h>

#include "coenergy/base/names.hpp"
#include "coenergy/generate/main_data.hpp"

namespace coenergy::generate {

using symbolic::Language;

MainData::MainData(const Generated& g, const RunPlan& run) : main(g.main), plan(run) {
  for (const Array& a : g.main.inputs)
    if (g.once.empty() || a.name != "k") given.push_back(&a);
  if (!g.once.empty()) {
    once = &g.once[0];
    given.push_back(&once->inputs[0]);
  }
  // a run needs the state alone as configuration, and all accelerations
  runs = g.main.name == "forward_dynamics" && !g.has_quaternions &&
         g.main.outputs[0].entries.size() == g.main.inputs[0].entries.size();
  for (std::size_t i = 3; i < g.main.inputs.size(); ++i) {
    runs = runs && g.main.inputs[i].name != "x";
    extra.push_back(g.main.inputs[i].name);
  }
  loops = !g.parts.empty();
  closed = loops && g.loops.constraints > 0;
  for (const Array* a : given) order.push_back(a->name);
  for (const Array& a : g.main.inputs) inputs.push_back(a.name);
  for (const Array& a : g.main.outputs) outputs.push_back(a.name);
}

std::string MainData::extras(const std::string& time) const {
  std::string text;
  for (const std::string& name : extra) text += ", " + (name == "t" ? time : name);
  return text;
}

std::vector<std::string> MainData::names() const {
  std::vector<std::string> names;
  for (const int array : {0, 1})
    for (const Array::Entry& e : main.inputs[array].entries) names.push_back(e.name);
  return names;
}

std::vector<std::string> MainData::units() const {
  std::vector<std::string> units;
  for (const int array : {0, 1})
    for (const Array::Entry& e : main.inputs[array].entries) units.push_back(e.unit.empty() ? "-" : e.unit);
  return units;
}

TextTemplate MainData::set_run(TextTemplate text) const {
  return text.set("BEGIN", format_number(plan.begin))
      .set("TEND", format_number(plan.end))
      .set("STEPS", std::to_string(plan.steps))
      .set("ROWS", std::to_string(plan.rows));
}

std::string numbers(const Array& a) {
  std::string text;
  for (const Array::Entry& e : a.entries) text += (text.empty() ? "" : ", ") + format_number(e.start);
  return text;
}

std::string join(const std::vector<std::string>& words, const std::string& separator) {
  std::string text;
  for (const std::string& w : words) text += (text.empty() ? "" : separator) + w;
  return text;
}

std::string split_numbers(const MainData& d, const std::function<std::string(const Array&, std::size_t)>& statement) {
  std::string text;
  std::size_t first = 0;
  for (const Array* a : d.given) {
    text += statement(*a, first);
    first += a->entries.size();
  }
  return text;
}

std::vector<SourceFile> make_main_program(const Generated& g, Language language, const RunPlan& plan) {
  const MainData data(g, plan);
  if (language == Language::python) return make_python_main(data);
  if (language == Language::matlab) return make_matlab_main(data);
  return make_c_main(data, language == Language::cpp);
}

}  // namespace coenergy::generate
