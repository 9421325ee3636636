#include "coenergy/io/result_writer.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "coenergy/base/error.hpp"
#include "coenergy/base/hdf5_file.hpp"
#include "coenergy/io/csv.hpp"
#include "coenergy/io/hdf5_writer.hpp"
#include "coenergy/io/mat_writer.hpp"
#include "coenergy/io/raw_writer.hpp"

namespace coenergy::io {

const std::vector<std::string>& result_endings() {
  static const std::vector<std::string> endings = [] {
    std::vector<std::string> known{".csv"};
    if (has_hdf5()) known.insert(known.end(), {".h5", ".hdf5"});
    if (has_matio()) known.push_back(".mat");
    known.push_back(".raw");
    return known;
  }();
  return endings;
}

void check_result_ending(const std::filesystem::path& path) {
  const std::string ending = path.extension().string();
  if (is_hdf5(path) && !has_hdf5()) refuse_hdf5("write", path);
  if (ending == ".mat" && !has_matio()) refuse_matio(path);
  const std::vector<std::string>& known = result_endings();
  if (std::find(known.begin(), known.end(), ending) == known.end())
    throw Error(fmt::format("the file name must end with {}", fmt::join(known, ", ")));
}

std::unique_ptr<ResultWriter> make_result_writer(const std::filesystem::path& path, const ResultHeader& header,
                                                 CsvUnits units) {
  const std::string ending = path.extension().string();
  if (is_hdf5(path)) return make_hdf5_writer(path, header);
  if (ending == ".mat") return make_mat_writer(path, header);
  if (ending == ".raw") return std::make_unique<RawWriter>(path, header);
  return std::make_unique<CsvWriter>(path, header.names, header.units, units);
}

void write_result_file(const std::filesystem::path& path, const ResultHeader& header, std::span<const double> values) {
  const std::unique_ptr<ResultWriter> writer = make_result_writer(path, header);
  const std::size_t columns = header.names.size();
  for (std::size_t k = 0; k + columns <= values.size(); k += columns) writer->append(values.subspan(k, columns));
  writer->close();
}

}  // namespace coenergy::io
