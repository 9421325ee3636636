#include "coenergy/base/names.hpp"
#include "coenergy/io/result_writer.hpp"
#include "coenergy/io/run_report.hpp"
#include "coenergy/library/prepared.hpp"

namespace coenergy {

const std::vector<std::string>& Result::names() const { return data_->result.names; }
const std::vector<std::string>& Result::units() const { return data_->result.units; }
std::size_t Result::rows() const { return data_->result.times.size(); }
Column Result::time() const { return {data_->result.times.data(), rows(), 1}; }
const double* Result::values() const { return data_->result.values.data(); }

Column Result::operator[](const std::string& name) const {
  if (name == "time") return time();
  const int column = data_->result.find(name);
  if (column < 0) throw Error("the result has no signal \"" + name + "\"" + did_you_mean(name, data_->result.names));
  return {data_->result.values.data() + column, rows(), names().size()};
}

Result::Status Result::status() const {
  const solve::Status status = data_->result.status;
  return status == solve::Status::done     ? Status::done
         : status == solve::Status::failed ? Status::failed
                                           : Status::stopped;
}
const std::string& Result::text() const { return data_->result.text; }
const std::vector<std::string>& Result::notes() const { return data_->result.notes; }
long Result::steps() const { return data_->result.statistics.steps; }
double Result::wall_time() const { return data_->result.statistics.wall_time; }

void Result::write(const std::string& path) const {
  io::check_result_ending(path);
  io::ResultHeader header;
  header.names = names(), header.units = units();
  header.names.insert(header.names.begin(), "time"), header.units.insert(header.units.begin(), "s");
  header.title = data_->prepared->model.title, header.file = data_->prepared->model.file;
  const equations::System& s = data_->prepared->compiled.system;
  for (int k = 0; k < s.parameters(); ++k)
    header.parameters.push_back({s.parameter_name(k), s.parameter_unit(k), s.parameter(k)});
  header.settings = {{"method", solve::describe_method(data_->options)}};
  const auto writer = io::make_result_writer(path, header);
  std::vector<double> row(header.names.size());
  for (std::size_t i = 0; i < rows(); ++i) {
    row[0] = data_->result.times[i];
    std::copy_n(values() + i * names().size(), names().size(), row.begin() + 1);
    writer->append(row);
  }
  writer->tell_end(text());
  writer->close();
}

std::string Result::html() const {
  return to_html(io::make_report(data_->prepared->model, data_->prepared->compiled, data_->options, data_->result));
}

}  // namespace coenergy
