#include "coenergy/base/hdf5_file.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "coenergy/base/error.hpp"

#ifdef COENERGY_HDF5
#include <hdf5.h>
#endif

namespace coenergy {

void refuse_hdf5(const char* verb, const std::filesystem::path& path) {
  throw Error(std::string("cannot ") + verb + " " + path.string() +
              ": this build has no HDF5; install libhdf5-dev and build again, or use .csv");
}

std::mutex& hdf5_mutex() {
  static std::mutex mutex;
  return mutex;
}

#ifndef COENERGY_HDF5

bool has_hdf5() { return false; }
CsvData read_hdf5(const std::filesystem::path& path, const std::vector<std::string>&) { refuse_hdf5("read", path); }

#else

namespace {

/// A number of the library, closed by what it is.
class Handle {
 public:
  Handle(hid_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) {}
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  ~Handle() {
    if (id_ >= 0) close_(id_);
  }
  operator hid_t() const { return id_; }  // NOLINT: it stands for its number
  bool good() const { return id_ >= 0; }

 private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

std::string read_text(hid_t dataset, const char* name) {
  if (H5Aexists(dataset, name) <= 0) return "";
  const Handle attribute(H5Aopen(dataset, name, H5P_DEFAULT), H5Aclose);
  const Handle type(H5Aget_type(attribute), H5Tclose);
  if (H5Tget_class(type) != H5T_STRING) return "";
  const Handle space(H5Aget_space(attribute), H5Sclose);
  if (H5Sget_simple_extent_npoints(space) != 1) return "";
  if (H5Tis_variable_str(type) > 0) {
    char* text = nullptr;
    const Handle memory(H5Tcopy(H5T_C_S1), H5Tclose);
    H5Tset_size(memory, H5T_VARIABLE);
    H5Tset_cset(memory, H5Tget_cset(type));
    if (H5Aread(attribute, memory, &text) < 0 || text == nullptr) return "";
    std::string found = text;
    H5free_memory(text);
    return found;
  }
  std::string text(H5Tget_size(type), '\0');
  if (H5Aread(attribute, type, text.data()) < 0) return "";
  return text.substr(0, std::min(text.find('\0'), text.size()));
}

/// A column of the file, as far as it is one.
struct Column {
  std::string name, unit;
  std::vector<double> values;
};

class Reader {
 public:
  explicit Reader(const std::filesystem::path& path) : path_(path), file_(open(path), H5Fclose) {}

  CsvData read(const std::vector<std::string>& only) {
    std::vector<std::string> names = list();
    for (const std::string& name : only)
      if (std::find(names.begin(), names.end(), name) == names.end())
        throw Error({path_.string()}, "unknown column \"" + name + "\"" + did_you_mean(name, names));
    if (!only.empty()) names = only;
    CsvData data;
    std::size_t rows = 0;
    std::string first;
    for (std::size_t k = 0; k < names.size(); ++k) {
      const Column column = read_column(names[k]);
      if (k == 0) rows = column.values.size(), first = names[k], data.values.resize(rows * names.size());
      if (column.values.size() != rows)
        throw Error({path_.string()}, "column " + names[k] + " has " + std::to_string(column.values.size()) +
                                          " rows, but " + first + " has " + std::to_string(rows));
      data.names.push_back(column.name), data.units.push_back(column.unit);
      for (std::size_t i = 0; i < rows; ++i) data.values[i * names.size() + k] = column.values[i];
    }
    if (names.empty()) throw Error({path_.string()}, "the file has no datasets of one dimension");
    return data;
  }

 private:
  hid_t open(const std::filesystem::path& path) const {
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
    errno = 0;
    if (!std::filesystem::exists(path)) throw Error("cannot read " + path.string() + ": " + std::strerror(ENOENT));
    const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
    H5Pset_file_locking(access, 0, 1);
    hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, access);
    if (file < 0) file = H5Fopen(path.c_str(), H5F_ACC_RDONLY | H5F_ACC_SWMR_READ, access);
    if (file < 0) throw Error("cannot read " + path.string() + ": it is no HDF5 file, or it is damaged");
    return file;
  }

  /// Names of one-dimensional datasets of numbers, in the order in which they were made.
  std::vector<std::string> list() const {
    std::vector<std::string> names;
    const auto add = [](hid_t group, const char* name, const H5L_info_t*, void* all) -> herr_t {
      const Handle object(H5Oopen(group, name, H5P_DEFAULT), H5Oclose);
      if (!object.good() || H5Iget_type(object) != H5I_DATASET) return 0;
      const Handle space(H5Dget_space(object), H5Sclose), type(H5Dget_type(object), H5Tclose);
      const H5T_class_t kind = H5Tget_class(type);
      if (H5Sget_simple_extent_ndims(space) == 1 && (kind == H5T_FLOAT || kind == H5T_INTEGER))
        static_cast<std::vector<std::string>*>(all)->emplace_back(name);
      return 0;
    };
    // files of others may keep no order of making
    if (H5Literate(file_, H5_INDEX_CRT_ORDER, H5_ITER_INC, nullptr, add, &names) < 0) {
      names.clear();
      H5Literate(file_, H5_INDEX_NAME, H5_ITER_INC, nullptr, add, &names);
    }
    return names;
  }

  Column read_column(const std::string& name) const {
    const Handle dataset(H5Dopen2(file_, name.c_str(), H5P_DEFAULT), H5Dclose);
    const Handle space(H5Dget_space(dataset), H5Sclose);
    Column column{name, read_text(dataset, "unit"), {}};
    if (column.unit.empty()) column.unit = read_text(dataset, "units");
    if (column.unit == "-" || column.unit == "1") column.unit.clear();
    column.values.resize(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
    if (!column.values.empty() &&
        H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, column.values.data()) < 0)
      throw Error({path_.string()}, "column " + name + " cannot be read; the file is damaged");
    return column;
  }

  std::filesystem::path path_;
  Handle file_;
};

}  // namespace

bool has_hdf5() { return true; }

CsvData read_hdf5(const std::filesystem::path& path, const std::vector<std::string>& only) {
  const std::lock_guard lock(hdf5_mutex());
  return Reader(path).read(only);
}

#endif

}  // namespace coenergy
