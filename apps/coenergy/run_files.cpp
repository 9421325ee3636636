#include "apps/coenergy/run_files.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>

#include "apps/coenergy/target.hpp"
#include "coenergy/base/names.hpp"
#include "coenergy/io/report.hpp"
#include "coenergy/io/run_report.hpp"

namespace coenergy::app {
namespace {

struct Columns {
  std::vector<std::string> names{"time"}, units{"s"};
};

Columns columns_of(const Prepared& p, const io::Netlist& netlist) {
  const equations::System& system = p.compiled.system;
  Columns columns;
  const auto add = [&](const equations::SignalInfo& s) {
    columns.names.push_back(netlist.label(s.name)), columns.units.push_back(s.unit);
  };
  if (p.options.signals.empty())
    for (const equations::SignalInfo& s : system.signals()) add(s);
  for (const std::string& name : p.options.signals)
    add(system.signals()[static_cast<std::size_t>(system.find_signal(name))]);
  return columns;
}

/// What the result tells of the model and the run.
io::ResultHeader make_header(const RunArguments& arguments, const Prepared& p, Columns columns) {
  io::ResultHeader header;
  header.names = std::move(columns.names), header.units = std::move(columns.units);
  header.title = p.model.title, header.file = arguments.model.file;
  header.model = io::read_file(arguments.model.file);
  const equations::System& system = p.compiled.system;
  for (int k = 0; k < system.parameters(); ++k)
    header.parameters.push_back({system.parameter_name(k), system.parameter_unit(k), system.parameter(k)});
  header.settings = {{"method", solve::describe_method(p.options)},
                     {"t_start", format_number(p.options.t_start)},
                     {"t_end", format_number(p.options.t_end)},
                     {"output_step", format_number(p.options.output_step)},
                     {"set", fmt::format("{}", fmt::join(arguments.model.sets, "\n"))}};
  return header;
}

}  // namespace

RunFiles::RunFiles(const RunArguments& arguments, const Prepared& p, const io::Netlist& netlist,
                   const std::string& position, std::size_t wanted) {
  name_ = arguments.output, page_name_ = arguments.report;
  if (!arguments.output.empty()) output_ = std::filesystem::absolute(arguments.output).string();
  Columns columns = columns_of(p, netlist);
  columns_ = wanted > 0 ? wanted : columns.names.size() - 1;
  if (!arguments.report.empty()) {
    page_.emplace(arguments.report);
    drawn_.emplace(columns.names.size() - 1, most_rows(columns.names.size() - 1));
  }
  columns.names.resize(columns_ + 1), columns.units.resize(columns_ + 1);
  if (!position.empty())
    go_on(arguments, position, columns_ + 1);
  else if (!arguments.output.empty())
    writer_ = write_result([&] {
      return io::make_result_writer(arguments.output, make_header(arguments, p, std::move(columns)), arguments.units);
    });
  csv_ = dynamic_cast<io::CsvWriter*>(writer_.get());
}

RunFiles::~RunFiles() {
  if (writer_ && rows_.count == 0) writer_->discard();
}

void RunFiles::go_on(const RunArguments& arguments, const std::string& position, std::size_t columns) {
  StateArchive archive(position);
  std::string output;
  Checksum written;
  bool has_drawn = false;
  archive(output, written, rows_, has_drawn);
  const auto refuse = [&](const std::string& what) { throw Error(Location{"--resume " + arguments.resume}, what); };
  if (drawn_ && !has_drawn)
    refuse("the run was saved without --report, and what came before cannot be drawn; leave it out, or run again");
  if (has_drawn) {
    io::RowThinner drawn(0, 0);
    archive(drawn);
    if (drawn_) drawn_ = std::move(drawn);
  }
  archive.close();
  if (arguments.output.empty()) return;
  if (output.empty()) refuse("the run was saved without -o, and the rows before are lost; leave it out, or run again");
  // the rows so far: in the part of a run that was killed, or in the result of one that was stopped
  const std::filesystem::path here = arguments.output;
  for (const std::filesystem::path& from :
       {io::OutputFile::part_of(here), io::OutputFile::part_of(output), here, std::filesystem::path(output)})
    if (io::begins_with(from, written)) {
      writer_ = std::make_unique<io::CsvWriter>(here, columns, from, written);
      return;
    }
  refuse(fmt::format("the {} rows written before t = {:g} s are neither in {} nor in {}; run again from the start",
                     rows_.count, rows_.t, io::OutputFile::part_of(output).string(), output));
}

void RunFiles::record(double t, std::span<const double> values) {
  ++rows_.count;
  rows_.t = t, rows_.last.assign(values.begin(), values.end());
  if (drawn_) drawn_->add(t, values);
  if (!writer_) return;
  row_.assign(1, t);
  row_.insert(row_.end(), values.begin(), values.begin() + static_cast<std::ptrdiff_t>(columns_));
  write_result([&] { writer_->append(row_); });
}

std::string RunFiles::position() {
  StateArchive archive;
  Checksum written;
  if (csv_) {
    write_result([&] { csv_->sync(); });
    written = csv_->checksum();
  }
  bool has_drawn = drawn_.has_value();
  archive(output_, written, rows_, has_drawn);
  if (has_drawn) archive(*drawn_);
  archive.close();
  return archive.bytes();
}

void RunFiles::finish(const Prepared& p, const solve::Result& result, CardPage cards) {
  const bool failed = result.status == solve::Status::failed;
  if (writer_) {
    writer_->tell_end(result.text);
    write_result([&] { failed ? writer_->flush() : writer_->close(); });
    lines_.push_back(failed ? fmt::format("partial result: {}", writer_->part().string())
                            : fmt::format("result: {}", name_));
  }
  if (!page_) return;
  write_result([&] {
    Report report = io::make_report(p.model, p.compiled, p.options, result, *drawn_);
    cards.move_to(report);
    page_->write(to_html(report));
    if (!failed) page_->commit();
  });
  lines_.push_back(failed ? fmt::format("partial report: {}", page_->part().string())
                          : fmt::format("report: {}", page_name_));
}

Checkpoint::Checkpoint(const std::string& path, double seconds) : path_(path), every_(seconds) {
  try {
    next_.emplace(path);
  } catch (const Error& e) {
    throw target_error("--checkpoint", path, e);
  }
}

Checkpoint::~Checkpoint() {
  if (next_) next_->discard();
}

bool Checkpoint::is_due() const { return std::chrono::steady_clock::now() - last_ >= every_; }

void Checkpoint::write(const std::string& state) {
  write_result([&] {
    next_->write(state);
    next_->commit();
    // the lock is that of the next one
    next_.emplace(path_);
  });
  last_ = std::chrono::steady_clock::now();
}

}  // namespace coenergy::app
