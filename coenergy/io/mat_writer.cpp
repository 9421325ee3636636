#include "coenergy/io/mat_writer.hpp"

#include <algorithm>
#include <cctype>

#include "coenergy/base/error.hpp"
#include "coenergy/base/hdf5_file.hpp"
#include "coenergy/base/version.hpp"
#include "coenergy/io/output_file.hpp"

#ifdef COENERGY_MATIO
#include <matio.h>
#endif

namespace coenergy::io {

void refuse_matio(const std::filesystem::path& path) {
  throw Error("cannot write " + path.string() +
              ": this build has no matio; install libmatio-dev and build again, or use .csv");
}

#ifndef COENERGY_MATIO

bool has_matio() { return false; }
std::unique_ptr<ResultWriter> make_mat_writer(const std::filesystem::path& path, const ResultHeader&) {
  refuse_matio(path);
}

#else

namespace {

class MatWriter final : public ResultWriter {
 public:
  MatWriter(const std::filesystem::path& path, const ResultHeader& header) : header_(header), file_(path) {}

  void append(std::span<const double> row) override {
    constexpr std::size_t most_bytes = (std::size_t(1) << 31) - 1024;
    if ((rows_.size() + row.size()) * sizeof(double) > most_bytes)
      throw Error("cannot write " + file_.path().string() +
                  ": a matrix of .mat files holds 2 GiB; take .h5, or record fewer rows (simulate.output_step)");
    rows_.insert(rows_.end(), row.begin(), row.end());
  }
  void tell_end(const std::string& text) override { ended_ = text; }
  void flush() override { write(); }
  void close() override {
    write();
    file_.commit();
  }
  void discard() override { file_.discard(); }
  const std::filesystem::path& part() const override { return file_.part(); }

 private:
  void put(mat_t* mat, matvar_t* variable) const {
    const bool good = variable != nullptr && Mat_VarWrite(mat, variable, MAT_COMPRESSION_ZLIB) == 0;
    Mat_VarFree(variable);
    if (!good) throw Error("cannot write " + file_.path().string() + ": matio refuses it");
  }
  static matvar_t* make_text(const char* name, const std::string& text) {
    std::size_t size[] = {text.empty() ? 0u : 1u, text.size()};
    return Mat_VarCreate(name, MAT_C_CHAR, MAT_T_UTF8, 2, size, const_cast<char*>(text.data()), 0);
  }
  static matvar_t* make_list(const char* name, std::span<const std::string> texts) {
    std::size_t size[] = {1, texts.size()};
    std::vector<matvar_t*> cells;
    for (const std::string& text : texts) cells.push_back(make_text(nullptr, text));
    return Mat_VarCreate(name, MAT_C_CELL, MAT_T_CELL, 2, size, cells.data(), 0);
  }
  static matvar_t* make_matrix(const char* name, std::vector<double>& values, std::size_t rows, std::size_t columns) {
    std::size_t size[] = {rows, columns};
    return Mat_VarCreate(name, MAT_C_DOUBLE, MAT_T_DOUBLE, 2, size, values.data(), MAT_F_DONT_COPY_DATA);
  }

  void write() {
    const std::lock_guard lock(hdf5_mutex());  // matio stands on HDF5
    const std::string text = "MATLAB 5.0 MAT-file, made by coenergy " + std::string(version);
    mat_t* mat = Mat_CreateVer(file_.hand_over().c_str(), text.c_str(), MAT_FT_MAT5);
    if (mat == nullptr) throw Error("cannot write " + file_.path().string() + ": matio cannot open it");
    const std::size_t columns = header_.names.size(), rows = rows_.size() / columns;
    std::vector<double> time(rows), values((columns - 1) * rows);
    for (std::size_t i = 0; i < rows; ++i) {
      time[i] = rows_[i * columns];
      for (std::size_t k = 1; k < columns; ++k) values[(k - 1) * rows + i] = rows_[i * columns + k];
    }
    try {
      std::string first = header_.names[0];
      std::replace_if(
          first.begin(), first.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
      put(mat, make_matrix(first.c_str(), time, rows, 1));
      put(mat, make_matrix("values", values, rows, columns - 1));
      put(mat, make_list("names", std::span(header_.names).subspan(1)));
      put(mat, make_list("units", std::span(header_.units).subspan(1)));
      put(mat, make_text("title", header_.title));
      put(mat, make_text("ended", ended_));
    } catch (const Error&) {
      Mat_Close(mat);
      throw;
    }
    if (Mat_Close(mat) != 0) throw Error("cannot write " + file_.path().string() + ": matio cannot close it");
  }

  ResultHeader header_;
  std::string ended_;
  std::vector<double> rows_;
  OutputFile file_;
};

}  // namespace

bool has_matio() { return true; }
std::unique_ptr<ResultWriter> make_mat_writer(const std::filesystem::path& path, const ResultHeader& header) {
  return std::make_unique<MatWriter>(path, header);
}

#endif

}  // namespace coenergy::io
