#pragma once
#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "coenergy/equations/system.hpp"
#include "coenergy/solve/options.hpp"
#include "coenergy/study/chunks.hpp"
#include "coenergy/study/design.hpp"
#include "coenergy/study/lanes.hpp"
#include "coenergy/study/measures.hpp"
#include "coenergy/study/settings.hpp"

namespace coenergy::study {

/// The runs of a study. The model is compiled once; variants are computed in chunks, by any number of threads, processes
/// and lanes with the same bits: a variant is made from its number alone, and nothing of one run stays for the next.
class Ensemble {
 public:
  struct Request {
    const equations::System* system = nullptr;
    const Settings* settings = nullptr;
    const Design* design = nullptr;
    std::vector<RunMeasure> measures;
    solve::Options options;
    int threads = 1;
    std::uint64_t chunk = 0;  ///< variants in one; 0: chosen by how many there are
  };
  explicit Ensemble(const Request& request);

  std::uint64_t chunks() const;
  std::uint64_t chunk_size() const { return chunk_; }
  bool uses_lanes() const { return lanes_ != nullptr; }

  using Progress = std::function<bool(std::uint64_t done)>;  ///< variants; false stops
  /// Computes all chunks that are in no folder yet, together with whoever else works on it; `wait`: until all are there.
  /// Without a folder they are kept in memory.
  void run(const ChunkFolder* folder, bool wait, const Progress& progress);
  /// A chunk that has been computed.
  Chunk read(const ChunkFolder* folder, std::uint64_t chunk) const;

 private:
  struct Worker;
  Chunk compute(std::uint64_t chunk, Worker& worker, const std::atomic<bool>& stop) const;
  void compute_one(std::uint64_t variant, Worker& worker, std::uint32_t place, Chunk& result) const;
  void compute_lanes(std::uint64_t first, std::uint64_t count, Worker& worker, Chunk& result) const;
  std::uint64_t size_of(std::uint64_t chunk) const;

  Request request_;
  std::uint64_t chunk_;
  std::unique_ptr<LaneRunner> lanes_;
  std::vector<Chunk> kept_;
};

}  // namespace coenergy::study
