#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "coenergy/symbolic/program.hpp"

namespace coenergy::symbolic {

struct NativeOptions {
  int lanes = 1;              ///< instances per call: 1, 4 (AVX) or 8 (AVX-512)
  bool vector_sincos = true;  ///< false: the C library's sincos, argument by argument, for comparison
  bool avx = true;            ///< false: SSE2 encodings even where the machine has AVX (scalar code only)
};

/// Machine code of a program. Position-independent and immutable: it may run in many threads at once.
class NativeCode {
 public:
  NativeCode(const std::vector<std::uint8_t>& code, std::vector<std::uint64_t> pool, std::size_t work_size);
  ~NativeCode();
  NativeCode(const NativeCode&) = delete;
  NativeCode& operator=(const NativeCode&) = delete;

  /// in, out and work do not overlap; with W lanes, entry i of instance k is at i·W + k.
  void run(const double* in, double* out, double* work) const { entry_(in, out, work, pool_); }
  bool is_mapped() const { return entry_ != nullptr; }  ///< false where the system refused executable memory
  std::size_t work_size() const { return work_size_; }  ///< in doubles
  std::size_t bytes() const { return bytes_; }          ///< of code

 private:
  using Entry = void (*)(const double* in, double* out, double* work, const void* pool);
  Entry entry_ = nullptr;
  std::size_t work_size_, bytes_, mapped_ = 0;
  std::vector<std::uint64_t> storage_;  ///< constants and addresses that the code refers to
  const void* pool_;                    ///< its first word that is aligned to a cache line
};

/// The most lanes this machine and build can run natively: 8, 4, or 1.
int native_lanes();

/// Doubles of work that native scalar code needs at most: every temporary at once, the arguments of the largest call,
/// and the results of all batches of sines and cosines.
std::size_t native_work_bound(const Program& program);

/// Compiles a program; nullptr where the machine, the build or the system's policy does not allow it.
std::unique_ptr<const NativeCode> make_native(const Program& program, const NativeOptions& options = {});

}  // namespace coenergy::symbolic
