#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace coenergy::study {

/// Results of neighbouring variants: measures row by row, and why there are none.
struct Chunk {
  std::vector<double> values;                                   ///< variants × measures; NaN where a variant failed
  std::vector<std::pair<std::uint32_t, std::string>> failures;  ///< variant within the chunk, reason
};

/// The finished chunks of a study as files in a folder beside its result, for several threads, processes and machines at
/// once. A chunk is claimed by a lock on its byte of the file `claims`, which the system lets go when its owner dies, and
/// is there when its file has its name: whatever is killed, whole chunks remain and no other.
class ChunkFolder {
 public:
  /// `identity`: all that the results depend on. Throws Error where the folder holds another study, or cannot be made.
  ChunkFolder(std::filesystem::path folder, const std::string& identity);
  /// Of a helper: waits for the folder of another process; nothing where that does not come, or has gone.
  static std::optional<ChunkFolder> join(const std::filesystem::path& folder, const std::string& identity,
                                         double seconds);

  bool has(std::uint64_t chunk) const;
  bool exists() const;
  Chunk read(std::uint64_t chunk) const;
  void write(std::uint64_t chunk, const Chunk& content) const;
  void remove() const;  ///< with all that is in it

  /// Locks of one thread.
  class Claims {
   public:
    explicit Claims(const ChunkFolder& folder);
    ~Claims();
    Claims(const Claims&) = delete;
    Claims& operator=(const Claims&) = delete;
    bool take(std::uint64_t chunk);
    void give(std::uint64_t chunk);

   private:
    int file_ = -1;
  };

 private:
  struct Open {};
  ChunkFolder(std::filesystem::path folder, Open) : folder_(std::move(folder)) {}
  std::filesystem::path path(std::uint64_t chunk) const;
  std::filesystem::path folder_;
};

/// Which of several processes of one call this one is, as mpirun or srun tell by the environment.
struct Rank {
  int number = 0, count = 1, on_machine = 1;
};
Rank find_rank();

}  // namespace coenergy::study
