#include "coenergy/io/hdf5_writer.hpp"

#include "coenergy/base/error.hpp"
#include "coenergy/base/hdf5_file.hpp"
#include "coenergy/base/version.hpp"
#include "coenergy/io/output_file.hpp"

#ifdef COENERGY_HDF5
#include <hdf5.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <cstring>
#include <fstream>
#endif

namespace coenergy::io {

#ifndef COENERGY_HDF5

std::unique_ptr<ResultWriter> make_hdf5_writer(const std::filesystem::path& path, const ResultHeader&) {
  refuse_hdf5("write", path);
}

#else

namespace {

/// A number of the library, closed by what it is.
class Handle {
 public:
  Handle() = default;
  Handle(hid_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) {}
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Handle& operator=(Handle&& other) noexcept {
    reset();
    id_ = std::exchange(other.id_, -1), close_ = other.close_;
    return *this;
  }
  ~Handle() { reset(); }
  void reset() {
    if (id_ >= 0) close_(id_);
    id_ = -1;
  }
  operator hid_t() const { return id_; }  // NOLINT: it stands for its number

 private:
  hid_t id_ = -1;
  herr_t (*close_)(hid_t) = nullptr;
};

/// Whether deflating bytes is worth the time, by a sample: its entropy is well below eight bits.
bool is_compressible(const unsigned char* bytes, std::size_t count) {
  constexpr std::size_t sample = 512;
  std::array<int, 256> seen{};
  const std::size_t stride = std::max<std::size_t>(1, count / sample);
  double total = 0, square = 0;
  for (std::size_t i = 0; i < count; i += stride) ++seen[bytes[i]], ++total;
  for (const int n : seen) square += double(n) * n;
  // of noise the sum of squares is total + total²/256
  return square > 2 * (total + total * total / 256);
}

/// The bytes of doubles by their places: all first bytes, all second ones …
void shuffle(const double* values, std::size_t count, std::vector<unsigned char>& planes) {
  planes.resize(8 * count);
  for (std::size_t i = 0; i < count; ++i) {
    const auto bits = std::bit_cast<std::uint64_t>(values[i]);
    for (std::size_t k = 0; k < 8; ++k) planes[k * count + i] = static_cast<unsigned char>(bits >> (8 * k));
  }
}

class Deflater {
 public:
  Deflater() { deflateInit(&stream_, 1); }
  Deflater(const Deflater&) = delete;
  Deflater& operator=(const Deflater&) = delete;
  ~Deflater() { deflateEnd(&stream_); }

  /// What the filters of the dataset (shuffle, deflate) make of a chunk.
  const std::vector<unsigned char>& compress(const double* values, std::size_t count) {
    shuffle(values, count, planes_);
    deflateReset(&stream_);
    out_.resize(deflateBound(&stream_, static_cast<uLong>(planes_.size())) + 1024);
    stream_.next_out = out_.data(), stream_.avail_out = static_cast<uInt>(out_.size());
    for (std::size_t k = 0; k < 8; ++k) {
      unsigned char* const plane = planes_.data() + k * count;
      deflateParams(&stream_, is_compressible(plane, count) ? 1 : 0, Z_DEFAULT_STRATEGY);
      stream_.next_in = plane, stream_.avail_in = static_cast<uInt>(count);
      deflate(&stream_, k == 7 ? Z_FINISH : Z_NO_FLUSH);
    }
    out_.resize(out_.size() - stream_.avail_out);
    return out_;
  }

 private:
  z_stream stream_{};
  std::vector<unsigned char> planes_, out_;
};

class Hdf5Writer final : public ResultWriter {
 public:
  Hdf5Writer(const std::filesystem::path& path, const ResultHeader& header)
      : columns_(header.names.size()), file_(path) {
    // chunks of all columns together are bounded
    constexpr std::size_t most_numbers = std::size_t(1) << 21;
    while (chunk_ > 256 && chunk_ * columns_ > most_numbers) chunk_ /= 2;
    block_.resize(chunk_ * columns_);
    const std::lock_guard lock(hdf5_mutex());
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
    create(header);
  }

  void append(std::span<const double> row) override {
    for (std::size_t k = 0; k < columns_; ++k) block_[k * chunk_ + filled_] = row[k];
    if (++filled_ == chunk_ || std::chrono::steady_clock::now() - last_ > std::chrono::seconds(1)) flush();
  }
  void tell_end(const std::string& text) override { ended_ = text; }
  void flush() override {
    const std::lock_guard lock(hdf5_mutex());
    write_block();
  }
  void close() override {
    finish();
    file_.commit();
  }
  void discard() override {
    release();
    file_.discard();
  }
  const std::filesystem::path& part() const override { return file_.part(); }
  ~Hdf5Writer() override {
    try {
      finish();
    } catch (const Error&) {
      // close() tells; a destructor cannot
      release();
    }
  }

 private:
  [[noreturn]] void fail() const {
    throw Error("cannot write " + file_.path().string() + ": HDF5 could not write; is the disk full?");
  }
  template <class T>
  T check(T result) const {
    if (result < 0) fail();
    return result;
  }

  static Handle text_type() {
    Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
    H5Tset_size(type, H5T_VARIABLE);
    H5Tset_cset(type, H5T_CSET_UTF8);
    return type;
  }
  void put_attribute(hid_t object, const std::string& name, const std::string& text) const {
    const Handle type = text_type(), space(H5Screate(H5S_SCALAR), H5Sclose);
    const Handle attribute(check(H5Acreate2(object, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT)), H5Aclose);
    const char* bytes = text.c_str();
    check(H5Awrite(attribute, type, &bytes));
  }
  void put_dataset(hid_t group, const char* name, hid_t type, hid_t space, const void* values) const {
    const Handle dataset(check(H5Dcreate2(group, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)), H5Dclose);
    check(H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values));
  }
  void put_texts(hid_t group, const char* name, const std::vector<std::string>& texts) const {
    std::vector<const char*> bytes;
    for (const std::string& text : texts) bytes.push_back(text.c_str());
    const hsize_t count = texts.size();
    put_dataset(group, name, text_type(), Handle(H5Screate_simple(1, &count, nullptr), H5Sclose), bytes.data());
  }

  void create(const ResultHeader& header) {
    access_ = Handle(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
    H5Pset_libver_bounds(access_, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
    H5Pset_file_locking(access_, 0, 1);  // the lock is OutputFile's
    // nothing of its structure reaches the file but by flushes
    H5AC_cache_config_t cache;
    cache.version = H5AC__CURR_CACHE_CONFIG_VERSION;
    H5Pget_mdc_config(access_, &cache);
    cache.evictions_enabled = false;
    cache.incr_mode = H5C_incr__off, cache.decr_mode = H5C_decr__off, cache.flash_incr_mode = H5C_flash_incr__off;
    check(H5Pset_mdc_config(access_, &cache));
    const Handle making(H5Pcreate(H5P_FILE_CREATE), H5Pclose);
    H5Pset_link_creation_order(making, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
    hdf_ = Handle(check(H5Fcreate(file_.hand_over().c_str(), H5F_ACC_TRUNC, making, access_)), H5Fclose);
    put_run(header);
    const hsize_t none = 0, unlimited = H5S_UNLIMITED, chunk = chunk_;
    const Handle space(H5Screate_simple(1, &none, &unlimited), H5Sclose),
        layout(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    H5Pset_chunk(layout, 1, &chunk);
    H5Pset_shuffle(layout);
    H5Pset_deflate(layout, 1);
    for (std::size_t k = 0; k < columns_; ++k) {
      // a slash would be a group
      std::string name = header.names[k];
      std::replace(name.begin(), name.end(), '/', ':');
      datasets_.emplace_back(
          check(H5Dcreate2(hdf_, name.c_str(), H5T_IEEE_F64LE, space, H5P_DEFAULT, layout, H5P_DEFAULT)), H5Dclose);
      put_attribute(datasets_.back(), "unit", header.units[k]);
    }
    check(H5Fstart_swmr_write(hdf_));
    check(H5Fflush(hdf_, H5F_SCOPE_LOCAL));
    unmark();
  }

  void put_run(const ResultHeader& header) const {
    const Handle run(check(H5Gcreate2(hdf_, "run", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)), H5Gclose);
    put_attribute(run, "version", version);
    put_attribute(run, "title", header.title);
    put_attribute(run, "file", header.file);
    for (const auto& [name, value] : header.settings) put_attribute(run, name, value);
    const char* model = header.model.c_str();
    put_dataset(run, "model", text_type(), Handle(H5Screate(H5S_SCALAR), H5Sclose), &model);
    if (header.parameters.empty()) return;
    std::vector<std::string> names, units;
    std::vector<double> values;
    for (const ResultHeader::Parameter& p : header.parameters)
      names.push_back(p.name), units.push_back(p.unit), values.push_back(p.value);
    put_texts(run, "parameter_names", names);
    put_texts(run, "parameter_units", units);
    const hsize_t count = values.size();
    put_dataset(run, "parameter_values", H5T_NATIVE_DOUBLE, Handle(H5Screate_simple(1, &count, nullptr), H5Sclose),
                values.data());
  }

  /// The rows of the present chunk, in the file and to be seen there.
  void write_block() {
    last_ = std::chrono::steady_clock::now();
    if (filled_ == 0) return;
    const hsize_t begin = rows_, end = rows_ + filled_;
    const bool is_full = filled_ == chunk_;
    for (std::size_t k = 0; k < columns_; ++k) {
      const double* values = &block_[k * chunk_];
      check(H5Dset_extent(datasets_[k], &end));
      if (stays_raw_ || !(is_full || is_last_)) {
        constexpr std::uint32_t no_filters = 3;
        check(H5Dwrite_chunk(datasets_[k], H5P_DEFAULT, no_filters, &begin, chunk_ * sizeof(double), values));
      } else {
        const std::vector<unsigned char>& bytes = deflater_.compress(values, chunk_);
        check(H5Dwrite_chunk(datasets_[k], H5P_DEFAULT, 0, &begin, bytes.size(), bytes.data()));
      }
    }
    stays_raw_ = !is_full;
    if (is_full) rows_ = end, filled_ = 0, std::fill(block_.begin(), block_.end(), 0.0);
    check(H5Fflush(hdf_, H5F_SCOPE_LOCAL));
    unmark();
  }

  /// Takes the mark of a writer at work from the superblock on the disk: 48 bytes, flags at 11, at the end the check
  /// sum (Jenkins' lookup3, as the format says).
  void unmark() {
    std::array<unsigned char, 48> block{};
    {
      std::ifstream file(file_.part(), std::ios::binary);
      if (!file.read(reinterpret_cast<char*>(block.data()), block.size())) fail();
    }
    constexpr std::size_t version_at = 8, flags_at = 11, sum_at = 44;
    if (block[version_at] != 3) return;
    block[flags_at] = 0;
    const std::uint32_t sum = lookup3(block.data(), sum_at);
    for (std::size_t k = 0; k < 4; ++k) block[sum_at + k] = static_cast<unsigned char>(sum >> (8 * k));
    file_.overwrite(0, {reinterpret_cast<const char*>(block.data()), block.size()});
  }

  /// B. Jenkins, lookup3, of a number of bytes that is no multiple of twelve, byte by byte.
  static std::uint32_t lookup3(const unsigned char* bytes, std::size_t count) {
    const auto word = [&](std::size_t at) {
      std::uint32_t w = 0;
      for (std::size_t k = 0; k < 4 && at + k < count; ++k) w |= std::uint32_t(bytes[at + k]) << (8 * k);
      return w;
    };
    std::uint32_t a = 0xdeadbeef + static_cast<std::uint32_t>(count), b = a, c = a;
    std::size_t at = 0;
    for (; count - at > 12; at += 12) {
      a += word(at), b += word(at + 4), c += word(at + 8);
      a -= c, a ^= std::rotl(c, 4), c += b;
      b -= a, b ^= std::rotl(a, 6), a += c;
      c -= b, c ^= std::rotl(b, 8), b += a;
      a -= c, a ^= std::rotl(c, 16), c += b;
      b -= a, b ^= std::rotl(a, 19), a += c;
      c -= b, c ^= std::rotl(b, 4), b += a;
    }
    a += word(at), b += word(at + 4), c += word(at + 8);
    c ^= b, c -= std::rotl(b, 14);
    a ^= c, a -= std::rotl(c, 11);
    b ^= a, b -= std::rotl(a, 25);
    c ^= b, c -= std::rotl(b, 16);
    a ^= c, a -= std::rotl(c, 4);
    b ^= a, b -= std::rotl(a, 14);
    c ^= b, c -= std::rotl(b, 24);
    return c;
  }

  /// The last rows, and how it ended: attributes cannot be added while the file is written chunk by chunk.
  void finish() {
    if (hdf_ < 0) return;
    const std::lock_guard lock(hdf5_mutex());
    is_last_ = true;
    write_block();
    release();
    const Handle file(check(H5Fopen(file_.part().c_str(), H5F_ACC_RDWR, access_)), H5Fclose);
    const Handle run(check(H5Gopen2(file, "run", H5P_DEFAULT)), H5Gclose);
    put_attribute(run, "ended", ended_);
    check(H5Fflush(file, H5F_SCOPE_LOCAL));
  }
  void release() {
    datasets_.clear();
    hdf_.reset();
  }

  std::size_t columns_, chunk_ = 8192;
  std::vector<double> block_;  // by columns
  std::size_t filled_ = 0;     // rows of the block
  std::uint64_t rows_ = 0;     // in full chunks
  bool stays_raw_ = false;     // the present chunk is in the file already
  bool is_last_ = false;
  std::string ended_ = "unfinished";
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
  Deflater deflater_;
  OutputFile file_;
  Handle access_, hdf_;
  std::vector<Handle> datasets_;
};

}  // namespace

std::unique_ptr<ResultWriter> make_hdf5_writer(const std::filesystem::path& path, const ResultHeader& header) {
  return std::make_unique<Hdf5Writer>(path, header);
}

#endif

}  // namespace coenergy::io
