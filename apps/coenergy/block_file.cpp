#include "apps/coenergy/block_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "apps/coenergy/target.hpp"
#include "coenergy/io/output_file.hpp"

namespace coenergy::app {

void BlockFile::add(const std::string& name, const std::string& type, const std::vector<std::string>& entries) {
  if (!has_components_) text_ += "components:\n";
  has_components_ = true;
  text_ += fmt::format("  {}:\n    type: {}\n", name, type);
  for (const std::string& entry : entries) text_ += "    " + entry + "\n";
}

void BlockFile::add_system(const std::string& name, const std::vector<std::string>& inputs,
                           const control::LinearSystem& s) {
  const std::string u = "u: " + list_of(inputs);
  if (s.states() == 0) return add(name, "blocks.MatrixGain", {u, "K: " + list_of(s.d)});
  std::vector<std::string> entries{u, "A: " + list_of(s.a), "B: " + list_of(s.b), "C: " + list_of(s.c),
                                   "D: " + list_of(s.d)};
  if (s.is_sampled()) entries.push_back(fmt::format("sample: {:.17g} s", s.period));
  add(name, "blocks.StateSpace", entries);
}

void BlockFile::write(const std::string& path) const {
  write_result([&] {
    io::OutputFile file(path);
    file.write(text_);
    file.commit();
  });
}

std::string list_of(const std::vector<std::string>& items) {
  std::vector<std::string> quoted;
  for (const std::string& item : items) quoted.push_back('"' + item + '"');
  return fmt::format("[{}]", fmt::join(quoted, ", "));
}

std::string list_of(const math::Matrix& m) {
  std::vector<std::string> numbers;
  for (int i = 0; i < m.rows; ++i)
    for (int j = 0; j < m.columns; ++j) numbers.push_back(fmt::format("{:.17g}", m(i, j)));
  return fmt::format("[{}]", fmt::join(numbers, ", "));
}

std::string deviation(const std::string& signal, double at, const std::string& unit) {
  if (at == 0) return signal;
  return fmt::format("{} - ({:.17g}{}{})", signal, at, unit.empty() ? "" : " ", unit);
}

}  // namespace coenergy::app
