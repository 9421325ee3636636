#include "coenergy/study/chunks.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <thread>

#include "coenergy/base/error.hpp"

namespace coenergy::study {

namespace {

constexpr char magic[] = "coenergy study chunk 1\n";

std::string read_bytes(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// Writes beside it and renames, so that the name stands for the whole.
void write_whole(const std::filesystem::path& path, const std::string& bytes) {
  static std::atomic<int> count{0};
  const std::filesystem::path part = path.string() + fmt::format(".{}.{}", getpid(), count++);
  {
    std::ofstream file(part, std::ios::binary);
    file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    if (!file.flush()) throw Error({part.string()}, std::string("cannot be written: ") + std::strerror(errno));
  }
  std::filesystem::rename(part, path);
}

std::uint64_t checksum(std::string_view bytes) {
  std::uint64_t sum = 0xcbf29ce484222325u;
  for (const char c : bytes) sum = (sum ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return sum;
}

template <class T>
void put(std::string& bytes, const T& value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof(T));
}
template <class T>
T take(std::string_view& bytes) {
  T value;
  if (bytes.size() < sizeof(T)) throw Error("a chunk of the study is too short");
  std::memcpy(&value, bytes.data(), sizeof(T));
  bytes.remove_prefix(sizeof(T));
  return value;
}

int number_of(const char* const* names, int otherwise) {
  for (; *names != nullptr; ++names)
    if (const char* text = std::getenv(*names)) return std::atoi(text);
  return otherwise;
}

}  // namespace

ChunkFolder::ChunkFolder(std::filesystem::path folder, const std::string& identity) : folder_(std::move(folder)) {
  std::error_code error;
  std::filesystem::create_directories(folder_, error);
  if (error) throw Error({folder_.string()}, "the folder cannot be made: " + error.message());
  if (!std::filesystem::exists(folder_ / "study")) {
    std::ofstream(folder_ / "claims", std::ios::app);
    write_whole(folder_ / "study", identity);
  }
  if (read_bytes(folder_ / "study") != identity)
    throw Error(
        {folder_.string()},
        "the folder holds the beginning of another study (other model, variants, measures or options); remove it, or "
        "choose another output");
}

std::optional<ChunkFolder> ChunkFolder::join(const std::filesystem::path& folder, const std::string& identity,
                                             double seconds) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  while (std::chrono::steady_clock::now() < end) {
    if (std::filesystem::exists(folder / "study")) {
      ChunkFolder joined(folder, Open{});
      if (read_bytes(folder / "study") == identity) return joined;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return std::nullopt;
}

std::filesystem::path ChunkFolder::path(std::uint64_t chunk) const {
  return folder_ / fmt::format("chunk_{:08}", chunk);
}
bool ChunkFolder::has(std::uint64_t chunk) const { return std::filesystem::exists(path(chunk)); }
bool ChunkFolder::exists() const { return std::filesystem::exists(folder_ / "study"); }

void ChunkFolder::write(std::uint64_t chunk, const Chunk& content) const {
  std::string bytes = magic;
  put(bytes, static_cast<std::uint64_t>(content.values.size()));
  bytes.append(reinterpret_cast<const char*>(content.values.data()), content.values.size() * sizeof(double));
  put(bytes, static_cast<std::uint64_t>(content.failures.size()));
  for (const auto& [variant, reason] : content.failures) {
    put(bytes, variant), put(bytes, static_cast<std::uint64_t>(reason.size()));
    bytes += reason;
  }
  put(bytes, checksum(bytes));
  write_whole(path(chunk), bytes);
}

Chunk ChunkFolder::read(std::uint64_t chunk) const {
  const std::string bytes = read_bytes(path(chunk));
  constexpr std::size_t head = sizeof(magic) - 1;
  const auto refuse = [&] { throw Error({path(chunk).string()}, "the chunk is damaged; remove it and call again"); };
  if (bytes.size() < head + 8 || bytes.compare(0, head, magic) != 0) refuse();
  std::string_view rest(bytes.data() + head, bytes.size() - head - 8), end(bytes.data() + bytes.size() - 8, 8);
  if (take<std::uint64_t>(end) != checksum(std::string_view(bytes.data(), bytes.size() - 8))) refuse();
  Chunk content;
  content.values.resize(take<std::uint64_t>(rest));
  if (rest.size() < content.values.size() * sizeof(double)) refuse();
  std::memcpy(content.values.data(), rest.data(), content.values.size() * sizeof(double));
  rest.remove_prefix(content.values.size() * sizeof(double));
  const auto failures = take<std::uint64_t>(rest);
  for (std::uint64_t k = 0; k < failures; ++k) {
    const auto variant = take<std::uint32_t>(rest);
    const auto length = take<std::uint64_t>(rest);
    if (rest.size() < length) refuse();
    content.failures.emplace_back(variant, std::string(rest.substr(0, length)));
    rest.remove_prefix(length);
  }
  return content;
}

void ChunkFolder::remove() const {
  std::error_code ignored;
  std::filesystem::remove(folder_ / "study", ignored);  // helpers see by it that the study is over
  std::filesystem::remove_all(folder_, ignored);
}

ChunkFolder::Claims::Claims(const ChunkFolder& folder)
    : file_(open((folder.folder_ / "claims").c_str(), O_RDWR | O_CLOEXEC)) {}
ChunkFolder::Claims::~Claims() {
  if (file_ >= 0) close(file_);
}

bool ChunkFolder::Claims::take(std::uint64_t chunk) {
  struct flock lock = {};
  lock.l_type = F_WRLCK, lock.l_whence = SEEK_SET, lock.l_start = static_cast<off_t>(chunk), lock.l_len = 1;
  return file_ >= 0 && fcntl(file_, F_OFD_SETLK, &lock) == 0;
}
void ChunkFolder::Claims::give(std::uint64_t chunk) {
  struct flock lock = {};
  lock.l_type = F_UNLCK, lock.l_whence = SEEK_SET, lock.l_start = static_cast<off_t>(chunk), lock.l_len = 1;
  static_cast<void>(fcntl(file_, F_OFD_SETLK, &lock));
}

Rank find_rank() {
  static const char* const numbers[] = {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK", "SLURM_PROCID", nullptr};
  static const char* const counts[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_NTASKS", nullptr};
  static const char* const locals[] = {"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS", nullptr};
  Rank rank{number_of(numbers, 0), number_of(counts, 1), number_of(locals, 1)};
  return rank;
}

}  // namespace coenergy::study
