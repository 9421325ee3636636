#include "apps/coenergy/answer.hpp"

#include "coenergy/base/version.hpp"

namespace coenergy::app {

nlohmann::json begin_answer() { return {{"version", version}}; }

nlohmann::json begin_answer(const std::string& file, const std::vector<std::string>& notes) {
  return {{"version", version}, {"model", file}, {"notes", notes}};
}

nlohmann::json begin_answer(const Prepared& prepared) {
  return begin_answer(prepared.model.file, list_notes(prepared.model, prepared.compiled));
}

std::vector<std::string> list_notes(const model::Model& model, const compile::Compiled& compiled) {
  std::vector<std::string> notes = model.notes;
  notes.insert(notes.end(), compiled.summary.notes.begin(), compiled.summary.notes.end());
  return notes;
}

void add_notes(nlohmann::json& answer, const std::vector<std::string>& notes) {
  for (const std::string& note : notes) answer["notes"].push_back(note);
}

nlohmann::json make_point(const std::string& kind, double time) {
  return {{"kind", kind}, {"time", time}, {"unit", "s"}};
}

std::string unit_of(const std::string& upper, const std::string& lower) {
  const std::string above = upper.empty() ? "1" : upper;
  if (lower.empty()) return above;
  return above + "/" + (lower.find_first_of("./") == std::string::npos ? lower : "(" + lower + ")");
}

std::string name_and_unit(const std::string& name, const std::string& unit) {
  return unit.empty() ? name : name + " (" + unit + ")";
}

void add_signals(nlohmann::json& answer, const equations::System& system, std::span<const double> values) {
  for (std::size_t k = 0; k < values.size(); ++k) {
    const equations::SignalInfo& signal = system.signals()[k];
    answer["signals"][signal.name] = values[k], answer["units"][signal.name] = signal.unit;
  }
}

nlohmann::json rows_of(const math::Matrix& m) {
  nlohmann::json rows = nlohmann::json::array();
  for (int i = 0; i < m.rows; ++i) {
    nlohmann::json row = nlohmann::json::array();
    for (int j = 0; j < m.columns; ++j) row.push_back(m(i, j));
    rows.push_back(std::move(row));
  }
  return rows;
}

nlohmann::json pairs_of(const std::vector<std::complex<double>>& x) {
  nlohmann::json list = nlohmann::json::array();
  for (const std::complex<double> value : x) list.push_back({value.real(), value.imag()});
  return list;
}

}  // namespace coenergy::app
