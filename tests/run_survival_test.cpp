#include <gtest/gtest.h>

#include <sys/resource.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <random>
#include <thread>

#include "tests/program.hpp"

namespace coenergy::tests {
namespace {

#ifndef COENERGY_KILLS
#define COENERGY_KILLS 20
#endif

using Words = std::vector<std::string>;
using Seconds = std::chrono::duration<double>;

std::string example(const std::string& name) { return std::string(COENERGY_SOURCE_DIR "/examples/") + name + ".yaml"; }

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// The program on its way: its standard output goes to a file, to an open stream, or nowhere. `prepare` is called in the
/// new process, before the program.
class Process {
 public:
  explicit Process(const Words& arguments, const std::string& output = "/dev/null",
                   const std::string& message = "/dev/null", int stream = -1,
                   const std::function<void()>& prepare = {}) {
    Words words{COENERGY_PROGRAM};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    child_ = fork();
    if (child_ != 0) return;
    // messages first, and nothing left open: a stream that is closed must not be given to the next file
    const int messages = open(message.c_str(), O_CREAT | O_WRONLY | O_TRUNC, 0600);
    dup2(messages, 2);
    if (messages > 2) close(messages);
    stream >= 0      ? dup2(stream, 1)
    : output.empty() ? close(1)
                     : dup2(open(output.c_str(), O_CREAT | O_WRONLY | O_TRUNC, 0600), 1);
    if (prepare) prepare();
    execv(argv[0], argv.data());
    _exit(127);
  }
  ~Process() {
    if (child_ > 0) send(SIGKILL), wait();
  }
  void send(int signal) const { kill(child_, signal); }
  bool is_running() {
    if (child_ > 0 && waitpid(child_, &ended_, WNOHANG) == child_) child_ = 0;
    return child_ > 0;
  }
  /// Exit status, or 1000 + signal.
  int wait() {
    if (child_ > 0) waitpid(child_, &ended_, 0), child_ = 0;
    return WIFEXITED(ended_) ? WEXITSTATUS(ended_) : 1000 + WTERMSIG(ended_);
  }

 private:
  pid_t child_ = 0;
  int ended_ = 0;
};

/// Waits until a file is there and not empty (true), or the process has ended.
bool wait_for(const std::filesystem::path& file, Process& process) {
  const auto is_there = [&] {
    std::error_code none;
    const auto size = std::filesystem::file_size(file, none);
    return !none && size > 0;
  };
  while (!is_there()) {
    if (!process.is_running()) return is_there();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return true;
}

struct KilledRun {
  std::string model;
  Words options;
};

const std::vector<KilledRun> runs = {
    {"01_pendulum/pendulum", {"--t-end", "20"}},
    {"02_rlc/rlc", {"--t-end", "0.5"}},
    {"03_dc_servo/dc_servo", {"--t-end", "1"}},
    {"04_four_bar_pid/four_bar_digital", {}},
    {"06_hydraulic_cylinder/hydraulic_cylinder", {}},
    {"stick_slip/stick_slip", {"--method", "esdirk"}},
    {"class_e/class_e", {}},
    {"robot_arm/robot_arm", {"--method", "dopri"}},
    {"bricard/bricard", {"--method", "radau"}},
    {"transistor_amplifier/transistor_amplifier", {}},
};

/// Kill −9 at any instant, the resumed run too, again and again until one comes through.
TEST(RunSurvival, AKilledRunGoesOnToTheSameBytes) {
  std::mt19937 random(20261118);
  const int kills_each = std::max(1, COENERGY_KILLS / static_cast<int>(runs.size()));
  int kills = 0, resumed = 0;
  for (const KilledRun& run : runs) {
    const Folder folder;
    Words words{"run", example(run.model), "-q"};
    words.insert(words.end(), run.options.begin(), run.options.end());
    Words reference = words;
    reference.insert(reference.end(), {"-o", folder / "reference.csv"});
    const auto begin = std::chrono::steady_clock::now();
    ASSERT_EQ(Process(reference).wait(), 0) << run.model;
    const double duration = Seconds(std::chrono::steady_clock::now() - begin).count();
    const std::string expected = read_text(folder / "reference.csv");

    const std::string state = folder / "state", output = folder / "out.csv";
    words.insert(words.end(), {"-o", output, "--checkpoint", state, "--checkpoint-every", "0.001"});
    for (int here = 0; here < kills_each;) {
      std::filesystem::remove(state), std::filesystem::remove(output);
      for (int status = -1; status != 0;) {
        Words next = words;
        if (std::filesystem::exists(state)) next.insert(next.end(), {"--resume", state}), ++resumed;
        Process process(next, "/dev/null", folder / "message");
        if (here < kills_each) {
          std::this_thread::sleep_for(Seconds(std::uniform_real_distribution<>(0, 2 * duration)(random)));
          if (process.is_running()) process.send(SIGKILL), ++here, ++kills;
        }
        status = process.wait();
        ASSERT_TRUE(status == 0 || status == 1000 + SIGKILL) << run.model << ": status " << status << "\n"
                                                             << read_text(folder / "message");
      }
      ASSERT_EQ(read_text(output) == expected, true) << run.model << " after " << kills << " kills";
      ASSERT_FALSE(std::filesystem::exists(folder / "out.part.csv"));
    }
  }
  EXPECT_GE(kills, COENERGY_KILLS / 2);
  EXPECT_GT(resumed, kills / 4);
}

class Survival : public testing::Test {
 protected:
  /// A run of some seconds at least, with rows at every step.
  Words long_run(const Words& more = {}) const {
    Words words{"run", example("01_pendulum/pendulum"), "--t-end", "1e5", "--output-step", "0.1", "-o", output_};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  Words short_run(const Words& more = {}) const {
    Words words{"run", example("02_rlc/rlc"), "-o", output_};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  /// Ends with status 1: y = 2/(1 − 2t) has no value at 0.5 s.
  std::string failing_model() const {
    return folder_.write("fails.yaml",
                         "components:\n  x: {type: blocks.Integrator, u: x.y*x.y, y0: 2}\n"
                         "simulate: {t_end: 1 s, step: 10 ms, method: generalized-alpha}\n");
  }
  Folder folder_;
  const std::string output_ = folder_ / "out.csv", part_ = folder_ / "out.part.csv", message_ = folder_ / "message";
};

TEST_F(Survival, SignalsEndARunWithResultReportAndCheckpoint) {
  for (const auto& [signal, name, status] : {std::tuple(SIGINT, "SIGINT", 130), std::tuple(SIGTERM, "SIGTERM", 143)}) {
    const std::string state = folder_ / "state", page = folder_ / "page.html";
    for (const std::string& file : {state, page, output_}) std::filesystem::remove(file);
    Process process(long_run({"--report", page, "--checkpoint", state, "--checkpoint-every", "0.05"}),
                    folder_ / "printed", message_);
    ASSERT_TRUE(wait_for(state, process));
    process.send(signal);
    EXPECT_EQ(process.wait(), status);
    EXPECT_TRUE(contains(read_text(message_), std::string("run: stopped by ") + name + " at t = "));
    EXPECT_TRUE(contains(read_text(message_), "run: to go on, add --resume " + state));
    EXPECT_TRUE(contains(read_text(folder_ / "printed"), "result: " + output_));
    EXPECT_TRUE(contains(read_text(page), std::string("stopped by ") + name));
    EXPECT_FALSE(std::filesystem::exists(part_));
    EXPECT_GT(std::filesystem::file_size(output_), 100u);
    EXPECT_GT(std::filesystem::file_size(state), 100u);
  }
}

TEST_F(Survival, AStoppedRunGoesOnToTheSameBytes) {
  const std::string state = folder_ / "state", model = example("01_pendulum/pendulum");
  const Words words{"run", model, "-q", "--t-end", "300", "--output-step", "0.01"};
  const auto with = [&](const Words& more) {
    Words all = words;
    all.insert(all.end(), more.begin(), more.end());
    return all;
  };
  ASSERT_EQ(run_program(with({"-o", folder_ / "whole.csv"})).status, 0);
  Process process(with({"-o", output_, "--checkpoint", state, "--checkpoint-every", "0.01"}));
  ASSERT_TRUE(wait_for(state, process));
  process.send(SIGINT);
  EXPECT_EQ(process.wait(), 130);
  const auto stopped = std::filesystem::file_size(output_);
  const Outcome outcome = run_program(with({"-o", folder_ / "other.csv", "--resume", state}));
  EXPECT_EQ(outcome.status, 0) << outcome.all();
  EXPECT_TRUE(read_text(folder_ / "other.csv") == read_text(folder_ / "whole.csv"));
  EXPECT_EQ(std::filesystem::file_size(output_), stopped);
}

TEST_F(Survival, ASecondRunOnTheSameFileIsRefused) {
  Process first(long_run());
  ASSERT_TRUE(wait_for(part_, first));
  const Outcome second = run_program(short_run());
  EXPECT_EQ(second.status, 2);
  EXPECT_EQ(second.message,
            "--output " + output_ +
                ": cannot write this file: another run is writing it; wait for it, or give another name\n");
  EXPECT_TRUE(first.is_running());
}

TEST_F(Survival, ASecondRunOnTheSamePageOrStateIsRefused) {
  const std::string page = folder_ / "page.html", state = folder_ / "state";
  Process first(long_run({"--report", page, "--checkpoint", state, "--checkpoint-every", "0.05"}));
  ASSERT_TRUE(wait_for(state, first));
  for (const auto& [option, file] : {std::pair("--report", page), std::pair("--checkpoint", state)}) {
    const Outcome second = run_program({"run", example("02_rlc/rlc"), "-o", folder_ / "other.csv", option, file});
    EXPECT_EQ(second.status, 2) << option;
    EXPECT_TRUE(contains(second.message,
                         std::string(option) + " " + file + ": cannot write this file: another run is writing it"))
        << second.message;
    EXPECT_FALSE(std::filesystem::exists(folder_ / "other.csv"));
  }
  EXPECT_TRUE(first.is_running());
}

TEST_F(Survival, AFailingRunLeavesTheEarlierResult) {
  ASSERT_EQ(run_program(short_run()).status, 0);
  const std::string before = read_text(output_);
  const Outcome outcome = run_program({"run", failing_model(), "-o", output_});
  EXPECT_EQ(outcome.status, 1) << outcome.all();
  EXPECT_EQ(read_text(output_), before);
  EXPECT_TRUE(contains(outcome.output, "partial result: " + part_)) << outcome.all();
  EXPECT_TRUE(read_text(part_).starts_with("time,"));
}

TEST_F(Survival, AFullDiskIsStatus1AndLeavesTheEarlierResult) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "no /dev/full";
  std::filesystem::create_symlink("/dev/full", output_);
  Outcome outcome = run_program(short_run({"-q"}));
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(outcome.message, "cannot write /dev/full: No space left on device\n");
  // printed texts too
  for (const Words& words :
       {Words{"run", example("02_rlc/rlc")}, Words{"list"}, Words{"check", example("02_rlc/rlc")},
        Words{"describe", "simulate"}, Words{"run", example("02_rlc/rlc"), "--json"}, Words{"--help"}}) {
    EXPECT_EQ(Process(words, "/dev/full", message_).wait(), 1) << words.back();
    EXPECT_TRUE(contains(read_text(message_), "cannot write to standard output: No space left on device"))
        << words[0] << ": " << read_text(message_);
  }
}

TEST_F(Survival, ADiskThatFillsUpInTheMiddleLeavesEveryEarlierFile) {
  const std::string page = folder_ / "page.html", state = folder_ / "state";
  const Words words = short_run({"--report", page, "--checkpoint", state, "--checkpoint-every", "0.01"});
  ASSERT_EQ(run_program(words).status, 0);
  const std::string rows = read_text(output_), drawn = read_text(page);
  // rows, the state and the page are 22, 22 and 700 kB: the first limit stops the rows, the second the page alone
  for (const rlim_t limit : {8'000, 100'000}) {
    Process process(words, "/dev/null", message_, -1, [limit] {
      std::signal(SIGXFSZ, SIG_IGN);
      const rlimit least{limit, limit};
      setrlimit(RLIMIT_FSIZE, &least);
    });
    EXPECT_EQ(process.wait(), 1) << limit;
    EXPECT_TRUE(contains(read_text(message_), "File too large")) << limit << ": " << read_text(message_);
    EXPECT_TRUE(read_text(output_) == rows) << limit;
    EXPECT_TRUE(read_text(page) == drawn) << limit;
    // the earlier state, or a whole newer one: a run with another model gets as far as to the difference
    const Outcome resumed = run_program({"run", example("03_dc_servo/dc_servo"), "--resume", state});
    EXPECT_TRUE(contains(resumed.message, "the saved state does not belong to this run")) << resumed.message;
  }
}

TEST_F(Survival, AMessageThatNobodyTakesIsStatus1AndARefusalStays2) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "no /dev/full";
  EXPECT_EQ(Process({"run", failing_model(), "-o", output_}, "/dev/null", "/dev/full").wait(), 1);
  EXPECT_EQ(Process({"run", example("absent")}, "/dev/null", "/dev/full").wait(), 2);
  EXPECT_EQ(Process({"run", example("absent"), "--json"}, "/dev/full", "/dev/full").wait(), 2);
  EXPECT_EQ(Process({"runn"}, "/dev/null", "/dev/full").wait(), 2);
}

TEST_F(Survival, AClosedStandardOutputIsStatus1AndNeverTheResult) {
  EXPECT_EQ(Process(short_run(), "", message_).wait(), 1);
  EXPECT_TRUE(contains(read_text(message_), "cannot write to standard output: Bad file descriptor"));
  EXPECT_FALSE(contains(read_text(output_), "steps"));
  EXPECT_EQ(Process(short_run({"-q"}), "").wait(), 0);
}

TEST_F(Survival, AClosedPipeIsStatus1) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  close(ends[0]);
  Process process({"list"}, "", message_, ends[1]);
  close(ends[1]);
  EXPECT_EQ(process.wait(), 1);
  EXPECT_TRUE(contains(read_text(message_), "cannot write to standard output: Broken pipe")) << read_text(message_);
}

TEST_F(Survival, PlacesThatCannotBeWrittenAreToldBeforeTheRun) {
  // folders of this file system take no files of anybody
  Outcome outcome = run_program({"run", example("02_rlc/rlc"), "-o", "/proc/out.csv"});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_TRUE(outcome.message.starts_with("--output /proc/out.csv: cannot write this file: ")) << outcome.message;
  outcome = run_program({"run", example("02_rlc/rlc"), "--checkpoint", "/proc/state"});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_TRUE(outcome.message.starts_with("--checkpoint /proc/state: cannot write this file: ")) << outcome.message;
}

TEST_F(Survival, AReadOnlyFolderIsToldBeforeTheRunAndLeftAsItWas) {
  using std::filesystem::perms;
  const std::filesystem::path locked = folder_ / "locked";
  std::filesystem::create_directory(locked);
  folder_.write("locked/out.csv", "an earlier result\n");
  std::filesystem::permissions(folder_ / "", perms::owner_all | perms::others_exec | perms::group_exec);
  std::filesystem::permissions(locked, perms::owner_read | perms::owner_exec | perms::others_read | perms::others_exec);
  // nothing is read-only to root: the program runs as somebody else then, who must be able to read it
  const auto leave_root = [] {
    if (geteuid() == 0 && (setgid(65534) != 0 || setuid(65534) != 0)) _exit(127);
  };
  for (const char* option : {"-o", "--report", "--checkpoint"}) {
    const std::string file = locked / (option == std::string("--report") ? "page.html" : "out.csv");
    Process process({"run", example("02_rlc/rlc"), option, file}, "/dev/null", message_, -1, leave_root);
    const int status = process.wait();
    if (status == 127) GTEST_SKIP() << "the program is not for everybody";
    EXPECT_EQ(status, 2) << option;
    EXPECT_TRUE(contains(read_text(message_), "Permission denied")) << option << ": " << read_text(message_);
  }
  EXPECT_EQ(read_text(locked / "out.csv"), "an earlier result\n");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(locked), {}), 1);
  std::filesystem::permissions(locked, perms::owner_all);
}

TEST(Progress, OnATerminalTellsTheTimeThatIsLeft) {
  if (std::system("command -v script timeout >/dev/null") != 0) GTEST_SKIP() << "there is no script, or no timeout";
  const Folder folder;
  const std::string model =
      folder.write("m.yaml",
                   "components:\n"
                   "  g: {type: multibody.Gravity}\n"
                   "  b: {type: multibody.Body, mass: 1 kg, com: [1, 0, 0], inertia: [0, 0.1, 0.1]}\n"
                   "  j: {type: multibody.Revolute, parent: ground, child: b, axis: y}\n"
                   "simulate: {t_end: 1000000 s}\n");
  const std::string out = folder / "terminal.txt";
  // long enough for its first percent, and far from its end
  std::system(
      ("timeout -s INT 6 script -qec '" COENERGY_PROGRAM " run " + model + "' /dev/null >" + out + " 2>&1").c_str());
  const std::string text = read_text(out);
  EXPECT_NE(text.find("% "), std::string::npos) << text;
  EXPECT_TRUE(text.find(" s left") != std::string::npos || text.find(" min left") != std::string::npos) << text;
}

TEST_F(Survival, ResumingWhatDoesNotFitIsRefused) {
  const std::string state = folder_ / "state", model = example("02_rlc/rlc");
  ASSERT_EQ(run_program(short_run({"--checkpoint", state})).status, 0);
  Outcome outcome = run_program({"run", example("03_dc_servo/dc_servo"), "--resume", state});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_TRUE(outcome.message.starts_with("--resume " + state + ": the saved state does not belong to this run: "))
      << outcome.message;
  outcome = run_program({"run", model, "--resume", model});
  EXPECT_EQ(outcome.message, "--resume " + model + ": this is no saved state of a run\n");
  outcome = run_program({"run", model, "--resume", state, "--report", folder_ / "page.html"});
  EXPECT_TRUE(contains(outcome.message, "the run was saved without --report")) << outcome.message;
  std::filesystem::remove(output_);
  outcome = run_program(short_run({"--resume", state}));
  EXPECT_EQ(outcome.status, 2);
  EXPECT_TRUE(contains(outcome.message, "; run again from the start")) << outcome.message;
  outcome = run_program({"run", model, "--checkpoint-every", "3"});
  EXPECT_EQ(outcome.message, "--checkpoint-every needs --checkpoint FILE: where to write the state to\n");
}

}  // namespace
}  // namespace coenergy::tests
