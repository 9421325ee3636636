#include "coenergy/generate/loop_program.hpp"

#include "coenergy/generate/loop_text.hpp"
#include "coenergy/generate/text_template.hpp"

namespace coenergy::generate {

using symbolic::Language;

std::string list(const std::vector<int>& numbers, int first) {
  std::string text;
  for (const int k : numbers) text += (text.empty() ? "" : ", ") + std::to_string(k + first);
  return text;
}

std::string comment(const std::string& text, const std::string& prefix, const std::string& before,
                    const std::string& after) {
  std::string out = before;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    std::string line = text.substr(begin, end - begin);
    // what could end or continue a comment is left out
    std::erase_if(line, [](char c) { return c == '*' || c == '\\' || static_cast<unsigned char>(c) < 32; });
    out += prefix + line + "\n";
    begin = end + 1;
  }
  return out + after;
}

std::string names(const std::vector<Array>& arrays) {
  std::string text;
  for (const Array& a : arrays) text += (text.empty() ? "" : ", ") + a.name;
  return text;
}

std::string fill(const ScriptTexts& texts, const Generated& g) {
  const LoopPlan& plan = g.loops;
  const bool closed = plan.constraints > 0;
  TextTemplate body(texts.frame);
  body.set("CLOSE", closed ? std::string(texts.close) : "")
      .set("ACCELERATION", (closed ? std::string(texts.acceleration) : "") + std::string(texts.rest))
      .set("LAMBDA", closed ? std::string(texts.lambda) : "")
      .set("LAMBDANAME", closed ? ", multipliers" : "")
      .set("NAME", g.main.name)
      .set("N", std::to_string(plan.coordinates))
      .set("ROWS", std::to_string(plan.constraints))
      .set("INDEPENDENT", list(plan.independent, texts.first))
      .set("DEPENDENTS", list(plan.dependent, texts.first))
      .set("ROWLIST", list(plan.rows, texts.first))
      .set("ACTUATED", list(plan.actuated, texts.first))
      .set("ARGUMENTS", names(g.main.inputs))
      .set("X", plan.has_others ? ", x" : "")
      .set("P", plan.has_parameters ? ", p" : "");
  return body.text();
}

std::string print_loops(const Generated& g, Language language, const std::string& header) {
  if (language == Language::python) return print_python_loops(g, header);
  if (language == Language::matlab) return print_matlab_loops(g, header);
  return print_c_loops(g, header);
}

}  // namespace coenergy::generate
