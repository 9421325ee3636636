#include "coenergy/io/output_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <utility>
#include <vector>

#include "coenergy/base/error.hpp"

namespace coenergy::io {
namespace {

std::string folder_of(const std::filesystem::path& path) {
  return path.has_parent_path() ? path.parent_path().string() : std::string(".");
}

/// Opens and locks the part; a file that its writer renames meanwhile is not taken for it.
int open_locked(const std::filesystem::path& path, const std::filesystem::path& part) {
  for (;;) {
    const int file = open(part.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (file < 0) {
      const int reason = errno;
      throw Error("cannot write " + path.string() + ": " +
                  (reason == ENOENT || reason == ENOTDIR ? "" : "no file can be made in " + folder_of(path) + ": ") +
                  std::strerror(reason));
    }
    if (flock(file, LOCK_EX | LOCK_NB) != 0) {
      ::close(file);
      throw Error("cannot write " + path.string() + ": another run is writing it; wait for it, or give another name");
    }
    struct stat opened = {}, named = {};
    if (fstat(file, &opened) == 0 && stat(part.c_str(), &named) == 0 && opened.st_ino == named.st_ino &&
        opened.st_dev == named.st_dev)
      return file;
    ::close(file);
  }
}

/// A new name is on the disk when its folder is.
void sync_folder(const std::filesystem::path& path) {
  const int folder = open(folder_of(path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return;
  fsync(folder);
  ::close(folder);
}

}  // namespace

std::filesystem::path OutputFile::part_of(const std::filesystem::path& path) {
  std::filesystem::path part = path;
  return part.replace_filename(path.stem().string() + ".part" + path.extension().string());
}

OutputFile::OutputFile(const std::filesystem::path& given, bool goes_on) : path_(given) {
  std::error_code none;
  // a link stays a link
  if (std::filesystem::is_symlink(given, none)) {
    const auto target = std::filesystem::weakly_canonical(given, none);
    if (!none) path_ = target;
  }
  part_ = part_of(path_);
  const auto status = std::filesystem::status(path_, none);
  if (std::filesystem::is_directory(status)) throw Error("cannot write " + given.string() + ": it is a folder");
  is_direct_ = std::filesystem::exists(status) && !std::filesystem::is_regular_file(status);
  if (is_direct_) {
    part_ = path_;
    file_ = open(path_.c_str(), O_WRONLY | O_CLOEXEC);
    if (file_ < 0) fail();
    return;
  }
  // renaming would replace a file that must not be written
  if (std::filesystem::exists(status) && access(path_.c_str(), W_OK) != 0) fail();
  file_ = open_locked(path_, part_);
  struct stat found = {};
  if (goes_on ? fstat(file_, &found) != 0 : ftruncate(file_, 0) != 0) fail();
  size_ = static_cast<std::uint64_t>(found.st_size);
}

OutputFile::~OutputFile() {
  if (file_ >= 0 && size_ == 0 && !is_direct_) ::unlink(part_.c_str());
  close();
}

OutputFile::OutputFile(OutputFile&& other) noexcept
    : path_(std::move(other.path_)),
      part_(std::move(other.part_)),
      file_(std::exchange(other.file_, -1)),
      is_direct_(other.is_direct_),
      size_(other.size_) {}

OutputFile& OutputFile::operator=(OutputFile&& other) noexcept {
  close();
  path_ = std::move(other.path_), part_ = std::move(other.part_);
  file_ = std::exchange(other.file_, -1), is_direct_ = other.is_direct_, size_ = other.size_;
  return *this;
}

void OutputFile::close() {
  if (file_ >= 0) ::close(file_);
  file_ = -1;
}

void OutputFile::fail() const {
  throw Error("cannot write " + path_.string() + ": " + std::strerror(errno != 0 ? errno : EIO));
}

void OutputFile::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(file_, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail();
    size_ += static_cast<std::uint64_t>(count);
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
}

void OutputFile::overwrite(std::uint64_t offset, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::pwrite(file_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail();
    offset += static_cast<std::uint64_t>(count);
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
}

const std::filesystem::path& OutputFile::hand_over() {
  if (is_direct_) throw Error("cannot write " + path_.string() + ": this format needs a file, not a device or pipe");
  size_ = 1;  // what stands there is the library's; it is kept
  return part_;
}

void OutputFile::sync() {
  if (!is_direct_ && fdatasync(file_) != 0) fail();
}

void OutputFile::commit() {
  if (file_ < 0) return;
  if (!is_direct_) {
    if (fsync(file_) != 0) fail();
    if (::rename(part_.c_str(), path_.c_str()) != 0) fail();
    sync_folder(path_);
  }
  const int closed = ::close(std::exchange(file_, -1));
  if (closed != 0) fail();
}

void OutputFile::discard() {
  if (file_ >= 0 && !is_direct_) ::unlink(part_.c_str());
  close();
}

void OutputFile::take_over(const std::filesystem::path& from, std::uint64_t size) {
  std::error_code none;
  if (!is_direct_ && std::filesystem::equivalent(from, part_, none)) {
    if (ftruncate(file_, static_cast<off_t>(size)) != 0 || lseek(file_, 0, SEEK_END) < 0) fail();
    size_ = size;
    return;
  }
  if (!is_direct_ && ftruncate(file_, 0) != 0) fail();
  size_ = 0;
  const int source = open(from.c_str(), O_RDONLY | O_CLOEXEC);
  if (source < 0) throw Error("cannot read " + from.string() + ": " + std::strerror(errno));
  std::vector<char> block(1 << 16);
  for (std::uint64_t left = size; left > 0;) {
    const ssize_t count = ::read(source, block.data(), std::min<std::uint64_t>(left, block.size()));
    if (count <= 0) {
      ::close(source);
      throw Error("cannot read " + from.string() + ": it is shorter than it was");
    }
    write({block.data(), static_cast<std::size_t>(count)});
    left -= static_cast<std::uint64_t>(count);
  }
  ::close(source);
}

void write_file(const std::filesystem::path& path, std::string_view bytes) {
  OutputFile file(path);
  try {
    file.write(bytes);
    file.commit();
  } catch (const Error&) {
    file.discard();
    throw;
  }
}

std::string read_file(const std::filesystem::path& path) {
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) throw Error("cannot read " + path.string() + ": " + std::strerror(errno != 0 ? errno : EIO));
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

}  // namespace coenergy::io
