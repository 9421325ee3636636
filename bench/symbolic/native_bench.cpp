#include <dlfcn.h>
#include <fmt/format.h>
#include <sys/resource.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "chain.hpp"
#include "coenergy/symbolic/interpreter.hpp"
#include "coenergy/symbolic/native.hpp"
#include "coenergy/symbolic/printer.hpp"
#include "coenergy/symbolic/sincos.hpp"
#include "report.hpp"

namespace bench {

namespace {

/// Processor time of all finished child processes.
double children_time() {
  rusage usage;
  getrusage(RUSAGE_CHILDREN, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

using Compiled = void (*)(const double* in, double* out);

/// The C output of a program compiled by gcc -O2; nullptr without a compiler.
Compiled compile_with_gcc(const Program& p, double& seconds) {
  std::string folder = (std::filesystem::temp_directory_path() / "bench-XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr) return nullptr;
  std::ofstream(folder + "/f.c") << print(p, Language::c);
  const std::string command =
      "gcc -std=c99 -O2 -ffp-contract=off -fPIC -shared -o " + folder + "/f.so " + folder + "/f.c -lm";
  const double begin = children_time();
  const bool made = std::system(command.c_str()) == 0;
  seconds = children_time() - begin;
  void* handle = made ? dlopen((folder + "/f.so").c_str(), RTLD_NOW) : nullptr;
  std::filesystem::remove_all(folder);
  return handle != nullptr ? reinterpret_cast<Compiled>(dlsym(handle, "f")) : nullptr;
}

/// Zeros, aligned to a cache line.
struct AlignedArray {
  explicit AlignedArray(std::size_t n) : memory(n + 8) {
    auto address = reinterpret_cast<std::uintptr_t>(memory.data());
    data = reinterpret_cast<double*>((address + 63) / 64 * 64);
  }
  std::vector<double> memory;
  double* data;
};

struct Times {
  double gcc, native_libm, native, interpreter, lanes, sincos;
};

Times measure(const Program& p, int joints, Compiled gcc) {
  const auto native = make_native(p), libm = make_native(p, {.vector_sincos = false});
  const auto lanes = make_native(p, {.lanes = native_lanes()});
  const Interpreter interpreter(p);
  AlignedArray in(p.inputs.size() * 8), out(p.outputs.size() * 8), work(interpreter.work_size() + lanes->work_size());
  AlignedArray sine(joints), cosine(joints);
  for (std::size_t i = 0; i < p.inputs.size() * 8; ++i) in.data[i] = 0.5 + 0.4 * std::sin(static_cast<double>(i + 1));
  const auto best = best_interleaved(
      300, 20 + 4000 / joints, [&] { gcc(in.data, out.data); }, [&] { libm->run(in.data, out.data, work.data); },
      [&] { native->run(in.data, out.data, work.data); }, [&] { interpreter.run(in.data, out.data, work.data); },
      [&] { lanes->run(in.data, out.data, work.data); }, [&] { sincos(in.data, sine.data, cosine.data, joints); });
  return {best[0], best[1], best[2], best[3], best[4], best[5]};
}

void compare(Report& report, int joints, const Options& options) {
  Graph g;
  const Chain chain = make_chain(g, joints);
  const Program p = make_program(chain.inputs, chain.torques);
  double gcc_making = 0;
  const Compiled gcc = options.gcc ? compile_with_gcc(p, gcc_making) : nullptr;
  const double making = best_time(500, [&] { make_native(p); });
  const Times t = measure(
      p, joints, gcc != nullptr ? gcc : [](const double*, double*) {});
  report.heading(fmt::format("native code, {} joints, {} statements", joints, p.code.size()));
  report.note(fmt::format(
      "gcc -O2 {:.0f} ns, native {:.0f} ns with libm, {:.0f} ns with vector sincos, interpreter {:.0f} ns, {} lanes "
      "{:.0f} ns",
      t.gcc * 1e9, t.native_libm * 1e9, t.native * 1e9, t.interpreter * 1e9, native_lanes(), t.lanes * 1e9));
  if (gcc != nullptr) {
    report.note(fmt::format("made by gcc in {:.0f} ms, here in {:.3f} ms", gcc_making * 1e3, making * 1e3));
    report.at_most("call with libm over gcc -O2", t.native_libm / t.gcc, 1.1, "");
    report.at_most("call with vector sincos over gcc -O2", t.native / t.gcc, 1.0, "");
    report.at_least("times faster made than by gcc", gcc_making / making, 1000, "");
  }
  report.at_most("making 10,000 statements", making * 1e3 * 1e4 / static_cast<double>(p.code.size()), 1, "ms");
  report.at_most("interpreter over native", t.interpreter / t.native, 10, "");
  report.at_least("lanes: instances per time over scalar", native_lanes() * t.native / t.lanes, 3, "");
  if (joints == 7) report.at_most("share of sines and cosines", 100 * t.sincos / t.native, 20, "%");
}

}  // namespace

void run_native(Report& report, const Options& options) {
  if (make_native(Program{}) == nullptr) {
    report.heading("native code: not on this machine");
    return;
  }
  for (const int joints : {7, 20, 50}) compare(report, joints, options);
}

}  // namespace bench
