#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace coenergy::io {

/// A file that has its name only when it is complete. Until then it is written beside it, as `name.part.ending`, which
/// is locked: a second writer of the same file is refused. commit() puts it on the disk and renames it, so that
/// whatever was there before stays whole until something whole replaces it; without commit() the part stays, under the
/// name that tells it from a result. Devices and pipes are written directly.
///
/// All functions throw an Error that names the file where it cannot be written.
class OutputFile {
 public:
  /// `goes_on`: what an earlier writer left in the part stays, for take_over().
  explicit OutputFile(const std::filesystem::path& path, bool goes_on = false);
  ~OutputFile();
  OutputFile(OutputFile&& other) noexcept;
  OutputFile& operator=(OutputFile&& other) noexcept;

  void write(std::string_view bytes);
  /// Writes over bytes that were written before.
  void overwrite(std::uint64_t offset, std::string_view bytes);
  /// The part, for a library that writes it itself until commit(). Devices and pipes are refused.
  const std::filesystem::path& hand_over();
  void sync();  ///< what was written is on the disk
  void commit();
  /// Removes the part; the file as it was before stays.
  void discard();
  /// Begins with the first `size` bytes of another file, or of the part itself.
  void take_over(const std::filesystem::path& from, std::uint64_t size);

  const std::filesystem::path& path() const { return path_; }
  /// Where it is until commit().
  const std::filesystem::path& part() const { return part_; }
  std::uint64_t size() const { return size_; }

  /// `name.part.ending` of a file.
  static std::filesystem::path part_of(const std::filesystem::path& path);

 private:
  [[noreturn]] void fail() const;
  void close();
  std::filesystem::path path_, part_;
  int file_ = -1;
  bool is_direct_ = false;
  std::uint64_t size_ = 0;
};

/// Writes a whole file at once.
void write_file(const std::filesystem::path& path, std::string_view bytes);
/// The bytes of a file; throws Error.
std::string read_file(const std::filesystem::path& path);

}  // namespace coenergy::io
