#pragma once
#include "coenergy/io/output_file.hpp"
#include "coenergy/io/result_writer.hpp"

namespace coenergy::io {

/// ngspice's binary rawfile: a header of text with names (motor#i for motor.i) and kinds (time, voltage, current, notype by the unit), then
/// the rows as doubles. The number of rows in the header is kept up to date, so that a killed run can be read.
class RawWriter final : public ResultWriter {
 public:
  RawWriter(const std::filesystem::path& path, const ResultHeader& header);
  ~RawWriter() override;
  RawWriter(const RawWriter&) = delete;
  RawWriter& operator=(const RawWriter&) = delete;

  void append(std::span<const double> row) override;
  void flush() override;
  void close() override;
  void discard() override;
  const std::filesystem::path& part() const override { return file_.part(); }

 private:
  std::string buffer_;
  std::uint64_t rows_ = 0, count_at_ = 0;
  OutputFile file_;
};

}  // namespace coenergy::io
