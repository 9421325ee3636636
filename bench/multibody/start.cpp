#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "bench/multibody/chain_file.hpp"
#include "bench/symbolic/report.hpp"

namespace bench {

namespace {

struct Cost {
  double wall = 1e30, processor = 1e30;  ///< s
  bool good = true;
};

/// One run of the command, from its start to its end.
Cost run_command(const std::string& model, const std::string& output) {
  Cost cost;
  const auto begin = std::chrono::steady_clock::now();
  const pid_t child = fork();
  if (child == 0) {
    execl(COENERGY_PROGRAM, COENERGY_PROGRAM, "run", model.c_str(), "-o", output.c_str(), "--quiet", nullptr);
    _exit(127);
  }
  int status = 1;
  rusage usage{};
  wait4(child, &status, 0, &usage);
  cost.wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  const auto seconds = [](const timeval& t) { return static_cast<double>(t.tv_sec) + 1e-6 * double(t.tv_usec); };
  cost.processor = seconds(usage.ru_utime) + seconds(usage.ru_stime);
  cost.good = status == 0;
  return cost;
}

}  // namespace

void measure_start(Report& report) {
  report.heading("from the command to the first step, 100 joints with gravity, dampers and a motor");
  std::string folder = (std::filesystem::temp_directory_path() / "chainXXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr) return;
  const std::string model = folder + "/chain.yaml", output = folder + "/chain.csv";
  for (const char* method : {"generalized-alpha", "radau", "rk4", "dopri"}) {
    // a run that ends with its first step; 0.1 ms is one that every method accepts
    std::ofstream(model) << write_chain(100, fmt::format("t_end: 0.1 ms, step: 0.1 ms, method: {}", method));
    Cost best;
    for (int k = 0; k < 5; ++k) {
      const Cost cost = run_command(model, output);
      best.wall = std::min(best.wall, cost.wall), best.processor = std::min(best.processor, cost.processor);
      best.good = best.good && cost.good;
    }
    report.note(fmt::format("{}: {:.3f} s of wall time, {:.3f} s of processor time{}", method, best.wall,
                            best.processor, best.good ? "" : ", FAILED"));
    report.at_most(std::string("from the command to the first step, ") + method, best.good ? best.wall : 1e9, 0.5, "s");
  }
  std::filesystem::remove_all(folder);
}

}  // namespace bench
