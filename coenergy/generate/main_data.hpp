#pragma once
#include <functional>
#include <string>
#include <vector>

#include "coenergy/generate/text_template.hpp"
#include "coenergy/generate/write.hpp"

namespace coenergy::generate {

/// What a main program holds: the arrays that the user gives, what follows from them, and the run of the model.
struct MainData {
  MainData(const Generated& g, const RunPlan& plan);

  const Routine& main;
  const Routine* once = nullptr;
  std::vector<const Array*> given;
  std::vector<std::string> order, inputs, outputs;
  bool runs = false;
  bool loops = false, closed = false;  ///< the function closes loops and tells how it ended; it has multipliers
  std::vector<std::string> extra;      ///< arguments after the third
  RunPlan plan;
  std::size_t n() const { return main.inputs[1].entries.size(); }
  /// ", a, b" of the extra arguments, the time spelt as given.
  std::string extras(const std::string& time) const;
  /// Columns of the table of a run behind the time, and their units, as the program writes them.
  std::vector<std::string> names() const;
  std::vector<std::string> units() const;
  /// Puts the numbers of the plan into a text.
  TextTemplate set_run(TextTemplate text) const;
};

/// "1, 2.5": the start values of an array.
std::string numbers(const Array& a);
std::string join(const std::vector<std::string>& words, const std::string& separator);
/// Statements that split the numbers of a file into the arrays.
std::string split_numbers(const MainData& d, const std::function<std::string(const Array&, std::size_t)>& statement);

std::vector<SourceFile> make_c_main(const MainData& d, bool cpp);
std::vector<SourceFile> make_python_main(const MainData& d);
std::vector<SourceFile> make_matlab_main(const MainData& d);

}  // namespace coenergy::generate
