#pragma once
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "coenergy/fmi/archive.hpp"
#include "coenergy/fmi/slave.hpp"

namespace coenergy::fmi {

/// An FMU in use: unpacked, checked, its library found or compiled from its sources, and run in a process of its own, so
/// that a crash or a call that does not return ends that process alone.
///
/// A run must be able to go back: integrators try steps, runs begin anew, several runs share a session. So whatever an
/// FMU remembers has a number, its *memory*: 0 is the state before the start, every step or event makes a new one of
/// the one before. A call names the memory that it works on; where the FMU has gone on since, it is put back (FMUs that
/// can save their state), else the call fails. The same call again is answered without asking the FMU.
class Session {
 public:
  /// Throws Error naming the FMU.
  Session(const std::filesystem::path& fmu, std::optional<Kind> kind, const std::vector<Slave::Setting>& settings);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  const Description& description() const { return description_; }
  Kind kind() const { return kind_; }
  const std::vector<int>& inputs() const { return inputs_; }    ///< variables
  const std::vector<int>& outputs() const { return outputs_; }  ///< likewise, numbers alone
  /// Continuous states at the start. Throws Error.
  const std::vector<double>& start_states();

  /// The memory of an FMU that has failed.
  static constexpr double broken = -1;
  /// What a call gives; where it fails, `memory` is `broken`, the rest NaN, and take_failure() tells why.
  struct Answer {
    double memory = 0;
    double next = 0;  ///< time event
    std::vector<double> outputs, rates, indicators;
  };
  /// Co-simulation: from `memory` (0: the start at t) by a step of h that ends at t, then the inputs of the next one;
  /// the outputs of a memory stay known.
  const Answer& step(double memory, double t, double h, const std::vector<double>& u);
  const Answer& at(double memory);
  /// Model exchange: the event at t, where an indicator has changed sides since the last one or a time event is due;
  /// else the memory stays.
  const Answer& event(double memory, double t, const std::vector<double>& x, const std::vector<double>& u);
  /// Rates, outputs and indicators.
  const Answer& evaluate(double memory, double t, const std::vector<double>& x, const std::vector<double>& u);

 private:
  struct Process;
  struct Call {
    int kind;
    double memory, t, h;
    std::vector<double> x, u;
    bool operator==(const Call&) const = default;
  };
  std::vector<double> call(int operation, const std::vector<double>& in);
  const Answer& fail(const std::string& text);
  std::vector<double> begin(double t, const std::vector<double>& u);
  bool go_to(double memory);
  void remember();
  const Answer& keep(const Call& asked, Answer answer);

  std::string name_;
  Archive archive_;
  Description description_;
  Kind kind_ = Kind::exchange;
  std::vector<int> inputs_, outputs_;
  std::vector<Slave::Setting> settings_;
  std::unique_ptr<Process> process_;  // after what it reads
  std::vector<double> start_states_;
  bool has_start_states_ = false, has_started_ = false;
  double present_ = 0;                            // memory that the FMU is in
  std::vector<std::pair<double, double>> saved_;  // memories and their copies
  std::vector<std::pair<Call, Answer>> known_;    // the last calls
  /// Of every memory that was made.
  struct Made {
    double next = 0;
    std::vector<char> sides;
    Answer answer;
  };
  std::map<double, Made> made_;
  Answer failed_;
};

/// What went wrong in FMUs of this thread since it was asked last; "" for nothing.
std::string take_failure();

}  // namespace coenergy::fmi
