#include <fmt/format.h>

#include <algorithm>

#include "coenergy/equations/data.hpp"
#include "coenergy/generate/stubs.hpp"
#include "coenergy/generate/system_code.hpp"
#include "coenergy/generate/system_runtime.hpp"
#include "coenergy/generate/text_template.hpp"
#include "coenergy/symbolic/dialect.hpp"

namespace coenergy::generate {

using symbolic::Language;

namespace {

std::string join(const std::vector<int>& values) {
  return values.empty() ? "0" : fmt::format("{}", fmt::join(values, ", "));
}

std::string ints(const std::string& name, const std::vector<int>& values) {
  return fmt::format("static const int @_{}[] = {{{}}};\n", name, join(values));
}

std::string quote(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (static_cast<unsigned char>(c) >= 32) out += c;
  }
  return out + "\"";
}

std::string number(double value) {
  if (value == HUGE_VAL) return "HUGE_VAL";
  if (value == -HUGE_VAL) return "-HUGE_VAL";
  return fmt::format("{:.17g}", value);
}

class CPrinter {
 public:
  CPrinter(const SystemCode& code, bool cpp) : code_(code), cpp_(cpp), data_(code.system.data()) {}
  std::string header() const;
  std::string source();
  UserCalls user_calls() const;

 private:
  std::string sizes() const;
  std::string function(const CodeFunction& f) const;
  std::string tables() const;
  std::string kernel(const CodeKernel& k, int number) const;
  std::string energies() const;
  std::string with_prefix(std::string_view text) const { return symbolic::replace_at(text, code_.request.prefix); }

  const SystemCode& code_;
  bool cpp_;
  const equations::System::Data& data_;
};

std::string CPrinter::sizes() const {
  const equations::Layout& l = data_.layout;
  int values = 1, rows = 1, instances = 0;
  for (const CodeKernel& k : code_.kernels) {
    values = std::max(values, k.values), rows = std::max({rows, k.row_count, 2 * k.constraint_count});
    instances += static_cast<int>(k.instances.size());
  }
  const int q = 1, v = q + l.nq(), a = v + l.nv(), lambda = a + l.nv(), x = lambda + l.multipliers, xd = x + l.states,
            y = xd + l.states, d = y + l.algebraics, p = d + l.discretes;
  const std::pair<const char*, int> all[] = {{"COORDINATES", l.coordinates},
                                             {"ROTATIONS", l.rotations},
                                             {"NQ", l.nq()},
                                             {"NV", l.nv()},
                                             {"NL", l.multipliers},
                                             {"NX", l.states},
                                             {"NY", l.algebraics},
                                             {"ND", l.discretes},
                                             {"NP", l.parameters},
                                             {"N", l.n()},
                                             {"NZ", 2 * l.nv() + l.states},
                                             {"N1", l.n() + 1},
                                             {"NV1", l.nv() + 1},
                                             {"NQ1", l.nq() + 1},
                                             {"ND1", l.discretes + 1},
                                             {"Q", q},
                                             {"V", v},
                                             {"A", a},
                                             {"L", lambda},
                                             {"X", x},
                                             {"XD", xd},
                                             {"Y", y},
                                             {"D", d},
                                             {"P", p},
                                             {"VALUES", l.values()},
                                             {"MOST_VALUES", std::max(values, l.values())},
                                             {"MOST_ROWS", rows},
                                             {"INSTANCES", instances},
                                             {"OUTPUTS", static_cast<int>(code_.output_names.size())},
                                             {"INPUTS", static_cast<int>(code_.inputs.size())},
                                             {"INDICATORS", static_cast<int>(data_.indicator_names.size())},
                                             {"CLOCKS", static_cast<int>(data_.clocks.size())},
                                             {"UPDATES", static_cast<int>(data_.update_discrete.size())},
                                             {"LAWS", static_cast<int>(data_.parameter_laws.size())},
                                             {"START_LAWS", static_cast<int>(code_.start_places.size())},
                                             {"REQUIREMENTS", static_cast<int>(data_.requirements.size())},
                                             {"IMPACT_MODES", static_cast<int>(data_.modes_at_impact.size())},
                                             {"DISSIPATED", data_.dissipated_state},
                                             {"ENERGY", code_.energy_output},
                                             {"LINEAR_IN_RATES", code_.linear_in_rates ? 1 : 0}};
  std::string text = "enum {\n";
  for (const auto& [name, value] : all) text += fmt::format("  @_{} = {},\n", name, value);
  return text + "  @_END\n};\n";
}

std::string CPrinter::header() const {
  std::string guard = code_.request.prefix + "_H";
  for (char& c : guard) c = static_cast<char>(std::toupper(c));
  std::string text =
      fmt::format("/* {}: the whole model in explicit form; made by coenergy. */\n", code_.request.model);
  std::erase_if(text, [](char c) { return static_cast<unsigned char>(c) < 32 && c != '\n'; });
  text += fmt::format("#ifndef {0}\n#define {0}\n\n", guard);
  if (cpp_) text += "extern \"C\" {\n";
  text += sizes() + std::string(runtime_interface);
  text +=
      "/* names and units, in order */\nextern const char* const @_output_name[];\nextern const char* const "
      "@_output_unit[];\nextern const char* const @_parameter_name[];\nextern const char* const "
      "@_parameter_unit[];\n";
  if (cpp_) text += "}\n";
  return with_prefix(text) + "\n#endif\n";
}

std::string CPrinter::function(const CodeFunction& f) const {
  const std::string name = code_.request.prefix + "_" + f.name;
  if (f.program.result.empty()) {
    std::string list, use;
    for (const symbolic::ArrayArgument& a : f.inputs)
      list += "const double* " + a.name + ", ", use += "  (void)" + a.name + ";\n";
    return fmt::format("static void {}({}double* out) {{\n{}  (void)out;\n}}\n\n", name, list, use);
  }
  return symbolic::print(f.program, cpp_ ? Language::cpp : Language::c,
                         {.name = name, .header = "", .inputs = f.inputs, .outputs = f.outputs}) +
         "\n";
}

std::string CPrinter::kernel(const CodeKernel& k, int number) const {
  const std::string name = "k" + std::to_string(number);
  std::string text = fmt::format("static const @_seed @_{}_seeds[] = {{", name);
  for (const CodeSeed& s : k.seeds) text += fmt::format("{{{}, {}, {}, {}}}, ", s.place, s.axis, s.column, s.kind);
  if (k.seeds.empty()) text += "{0, -1, 0, 0}";
  text += "};\n";
  const bool constrained = k.constraint_count > 0;
  text += fmt::format(
      "static const @_kernel @_{0} = {{{1}, {2}, {3}, {4}, @_{0}_seeds, @_{0}_rows, @_{0}_rows_direction, {5}, {6}, "
      "@_{0}_energy}};\n",
      name, k.values, k.row_count, k.constraint_count, k.seeds.size(), constrained ? "@_" + name + "_constraints" : "0",
      constrained ? "@_" + name + "_constraints_direction" : "0");
  for (std::size_t i = 0; i < k.instances.size(); ++i) {
    const std::string suffix = fmt::format("{}_{}", name, i);
    text += ints("row_" + suffix, k.instances[i].rows);
    if (k.instances[i].gather.empty()) continue;
    text += ints("gather_" + suffix, k.instances[i].gather) + ints("unknown_" + suffix, k.instances[i].unknowns);
  }
  return text;
}

std::string CPrinter::energies() const {
  return "static double @_stored_energy(const double* value) {\n  double in[@_MOST_VALUES], out[1], sum = 0;\n  int i, "
         "k;\n  for (k = 0; k < @_INSTANCES; ++k) {\n    const @_instance* part = &@_instances[k];\n    for (i = 0; i "
         "< "
         "part->kernel->values; ++i) in[i] = value[part->gather ? part->gather[i] : i];\n    part->kernel->energy(in, "
         "out);\n    sum += out[0];\n  }\n  return sum;\n}\n";
}

std::string CPrinter::tables() const {
  std::string text;
  for (std::size_t k = 0; k < code_.kernels.size(); ++k) text += kernel(code_.kernels[k], static_cast<int>(k));
  text += "static const @_instance @_instances[] = {";
  for (std::size_t k = 0; k < code_.kernels.size(); ++k)
    for (std::size_t i = 0; i < code_.kernels[k].instances.size(); ++i) {
      const std::string suffix = fmt::format("k{}_{}", k, i);
      const bool own = code_.kernels[k].instances[i].gather.empty();
      text += fmt::format("{{&@_k{}, {}, @_row_{}, {}}}, ", k, own ? "0" : "@_gather_" + suffix, suffix,
                          own ? "0" : "@_unknown_" + suffix);
    }
  text += "};\n";
  std::vector<std::string> nominal, start;
  for (const equations::UnknownInfo& u : data_.unknowns) nominal.push_back(number(u.nominal));
  for (const double value : code_.start) start.push_back(number(value));
  nominal.emplace_back("1");
  text += fmt::format("static const double @_nominal[] = {{{}}};\nstatic const double @_start_values[] = {{{}}};\n",
                      fmt::join(nominal, ", "), fmt::join(start, ", "));
  const auto doubles = [](const std::string& name, const std::vector<double>& values) {
    std::vector<std::string> all;
    for (const double value : values) all.push_back(number(value));
    return fmt::format("static const double @_{}[] = {{{}}};\n", name,
                       all.empty() ? "0" : fmt::format("{}", fmt::join(all, ", ")));
  };
  text += ints("start_place", code_.start_places) + doubles("start_law", code_.start_law_values) +
          doubles("first_discrete", data_.start.d);
  std::vector<int> of_rates, requirement, excludes, first{0}, follow, laws, impact_mode;
  for (const char c : data_.is_velocity_constraint) of_rates.push_back(c != 0);
  std::vector<std::string> bound, impact_value;
  for (const auto& r : data_.requirements) {
    requirement.push_back(r.indicator), excludes.push_back(r.excludes_zero), bound.push_back(quote(r.text));
  }
  for (const auto& [discrete, value] : data_.modes_at_impact)
    impact_mode.push_back(discrete), impact_value.push_back(number(value));
  for (const std::vector<int>& list : code_.follow) {
    follow.insert(follow.end(), list.begin(), list.end());
    first.push_back(static_cast<int>(follow.size()));
  }
  for (const auto& law : data_.parameter_laws) laws.push_back(law.parameter);
  text += ints("spare", code_.spare) + ints("of_rates", of_rates) + ints("indicator_mode", data_.indicator_mode) +
          ints("update_discrete", data_.update_discrete) + ints("update_clock", data_.update_clock) +
          ints("update_comparison", data_.update_comparison) + ints("update_turn", data_.update_turn) +
          ints("requirement", requirement) + ints("excludes_zero", excludes) + ints("follow_first", first) +
          ints("follow", follow) + ints("law_parameter", laws) + ints("input_parameter", code_.inputs) +
          ints("impact_mode", impact_mode);
  text += fmt::format("static const double @_impact_value[] = {{{}}};\n",
                      impact_value.empty() ? "0" : fmt::format("{}", fmt::join(impact_value, ", ")));
  text += fmt::format("static const char* const @_bound[] = {{{}}};\n",
                      bound.empty() ? "\"\"" : fmt::format("{}", fmt::join(bound, ", ")));
  const auto names = [&](const std::string& name, const std::vector<std::string>& list) {
    std::string all;
    for (const std::string& s : list) all += quote(s) + ", ";
    return fmt::format("const char* const @_{}[] = {{{}0}};\n", name, all);
  };
  std::vector<std::string> parameters, units;
  for (const equations::ParameterInfo& p : data_.parameters) parameters.push_back(p.name), units.push_back(p.unit);
  return text + names("output_name", code_.output_names) + names("output_unit", code_.output_units) +
         names("parameter_name", parameters) + names("parameter_unit", units);
}

UserCalls CPrinter::user_calls() const {
  std::vector<Routine> routines;
  for (const CodeKernel& k : code_.kernels)
    for (const CodeFunction* f : {&k.rows, &k.rows_direction, &k.constraints, &k.constraints_direction, &k.energy})
      routines.push_back({.program = f->program});
  for (const CodeFunction* f : {&code_.signals, &code_.signals_direction, &code_.indicators, &code_.updates,
                                &code_.clocks, &code_.laws, &code_.laws_direction, &code_.start_laws})
    routines.push_back({.program = f->program});
  std::vector<const Routine*> all;
  for (const Routine& r : routines) all.push_back(&r);
  return find_user_calls(all);
}

std::string CPrinter::source() {
  const std::string& prefix = code_.request.prefix;
  std::string text =
      fmt::format("#include \"{}.{}\"\n\n#include <math.h>\n#include <string.h>\n\n", prefix, cpp_ ? "hpp" : "h");
  for (const CodeKernel& k : code_.kernels) {
    text += function(k.rows) + function(k.rows_direction) + function(k.energy);
    if (k.constraint_count > 0) text += function(k.constraints) + function(k.constraints_direction);
  }
  for (const CodeFunction* f : {&code_.signals, &code_.signals_direction, &code_.indicators, &code_.updates,
                                &code_.clocks, &code_.laws, &code_.laws_direction, &code_.start_laws})
    text += function(*f);
  std::string rest = "#define @_TOLERANCE 1e-13\n" + std::string(runtime_types) + tables() + energies();
  rest += std::string(runtime_algebra) + std::string(runtime_events) + std::string(runtime_steps) +
          std::string(runtime_functions);
  return text + with_prefix(rest);
}

}  // namespace

std::vector<SourceFile> write_system(const SystemCode& code, Language language, const RunPlan& plan) {
  const bool cpp = language == Language::cpp;
  CPrinter printer(code, cpp);
  const std::string& name = code.request.prefix;
  TextTemplate main(symbolic::replace_at(runtime_main, name));
  const int rows = std::max(1, plan.rows);
  main.set("ENDING", cpp ? "hpp" : "h")
      .set("END", number(plan.end))
      .set("ROWS", std::to_string(rows))
      .set("STEPS", std::to_string(std::max(1, (plan.steps + rows - 1) / rows)));
  std::vector<SourceFile> files{{name + (cpp ? ".hpp" : ".h"), printer.header()},
                                {name + (cpp ? ".cpp" : ".c"), printer.source()},
                                {name + (cpp ? "_main.cpp" : "_main.c"), main.text()}};
  for (SourceFile& file : make_stubs(printer.user_calls(), language)) files.push_back(std::move(file));
  return files;
}

}  // namespace coenergy::generate
