#include "coenergy/symbolic/native.hpp"

#include <algorithm>
#include <cstring>

#include "coenergy/symbolic/native_compiler.hpp"

namespace coenergy::symbolic {

std::size_t native_work_bound(const Program& program) {
  std::size_t results = 0, largest = 0;
  for (std::uint32_t k = 0; k < program.code.size();) {
    const std::uint32_t end = std::max(end_of_sincos(program, k), k + 1);
    const Program::Code code = program.code[k].code;
    const bool batch = code == Program::Code::sin || code == Program::Code::cos;
    if (batch) results += 2 * (end - k);
    largest = std::max(largest, batch ? end - k : operands(program, program.code[k]).size());
    k = end;
  }
  const std::size_t temporaries = program.slots - program.constants.size() - program.inputs.size();
  return temporaries + results + largest + 1;
}

}  // namespace coenergy::symbolic

#if defined(COENERGY_ASMJIT) && defined(__x86_64__)
#include <sys/mman.h>
#include <unistd.h>

namespace coenergy::symbolic {

namespace {
constexpr std::size_t line = 64;

void* map_executable(const std::vector<std::uint8_t>& code, std::size_t size) {
  // never writable and executable at once
  void* memory = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return nullptr;
  std::memcpy(memory, code.data(), code.size());
  if (mprotect(memory, size, PROT_READ | PROT_EXEC) == 0) return memory;
  munmap(memory, size);
  return nullptr;
}
}  // namespace

NativeCode::NativeCode(const std::vector<std::uint8_t>& code, std::vector<std::uint64_t> pool, std::size_t work_size)
    : work_size_(work_size), bytes_(code.size()) {
  const std::size_t page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  mapped_ = (code.size() + page - 1) / page * page;
  entry_ = reinterpret_cast<Entry>(map_executable(code, mapped_));

  storage_.resize(pool.size() + line / sizeof(std::uint64_t));
  const auto address = reinterpret_cast<std::uintptr_t>(storage_.data());
  std::uint64_t* start = storage_.data() + (line - address % line) % line / sizeof(std::uint64_t);
  if (!pool.empty()) std::memcpy(start, pool.data(), pool.size() * sizeof(std::uint64_t));
  pool_ = start;
}

NativeCode::~NativeCode() {
  if (entry_ != nullptr) munmap(reinterpret_cast<void*>(entry_), mapped_);
}

int native_lanes() {
  if (__builtin_cpu_supports("avx512f")) return 8;
  return __builtin_cpu_supports("avx2") ? 4 : 1;
}

std::unique_ptr<const NativeCode> make_native(const Program& program, const NativeOptions& options) {
  NativeOptions possible = options;
  possible.avx = options.avx && __builtin_cpu_supports("avx");
  auto code = compile_native(program, possible);
  return code && code->is_mapped() ? std::move(code) : nullptr;
}

}  // namespace coenergy::symbolic

#else

namespace coenergy::symbolic {

NativeCode::NativeCode(const std::vector<std::uint8_t>&, std::vector<std::uint64_t>, std::size_t work_size)
    : work_size_(work_size), bytes_(0), pool_(nullptr) {}
NativeCode::~NativeCode() = default;
int native_lanes() { return 1; }
std::unique_ptr<const NativeCode> make_native(const Program&, const NativeOptions&) { return nullptr; }

}  // namespace coenergy::symbolic

#endif
