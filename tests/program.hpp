#pragma once
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

namespace coenergy::tests {

/// How a call of the command-line program ended.
struct Outcome {
  int status = -1;              ///< exit status; −1 where a signal ended it
  int signal = 0;               ///< that signal
  std::string output, message;  ///< standard output and standard error
  std::string all() const { return output + message; }
};

inline std::string read_text(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// A folder of its own for the files of one test, removed at its end.
class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "coenergy_XXXXXX").string();
    path_ = mkdtemp(name.data());
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(path_ / name, std::ios::binary) << text;
    return (path_ / name).string();
  }

 private:
  std::filesystem::path path_;
};

/// Runs the program of this build with arguments; one that takes longer than `seconds` is ended by SIGKILL.
inline Outcome run_program(const std::vector<std::string>& arguments, int seconds = 120) {
  const Folder folder;
  const std::string output = folder / "output", message = folder / "message";
  std::vector<std::string> words{COENERGY_PROGRAM};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);

  const pid_t child = fork();
  if (child == 0) {
    const int out = open(output.c_str(), O_CREAT | O_WRONLY, 0600),
              err = open(message.c_str(), O_CREAT | O_WRONLY, 0600);
    dup2(out, 1);
    dup2(err, 2);
    execv(argv[0], argv.data());
    _exit(127);
  }
  Outcome outcome;
  int ended = 0;
  const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(seconds);
  while (waitpid(child, &ended, WNOHANG) == 0) {
    if (std::chrono::steady_clock::now() > limit) kill(child, SIGKILL);
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  if (WIFEXITED(ended)) outcome.status = WEXITSTATUS(ended);
  if (WIFSIGNALED(ended)) outcome.signal = WTERMSIG(ended);
  outcome.output = read_text(output);
  outcome.message = read_text(message);
  return outcome;
}

}  // namespace coenergy::tests
