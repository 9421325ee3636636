#include "coenergy/fmi/session.hpp"

#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <limits>
#include <stdexcept>

#include "coenergy/base/error.hpp"
#include "coenergy/fmi/library_file.hpp"

namespace coenergy::fmi {
namespace {

enum Operation { start, set_inputs, do_step, evaluate_at, handle_event, save, restore, forget };

std::string& failure() {
  thread_local std::string text;
  return text;
}

bool write_all(int to, const void* bytes, std::size_t count) {
  const char* p = static_cast<const char*>(bytes);
  while (count > 0) {
    const ssize_t written = ::send(to, p, count, MSG_NOSIGNAL);
    if (written <= 0) return false;
    p += written, count -= static_cast<std::size_t>(written);
  }
  return true;
}

/// Whether all bytes came within the time.
enum class Read { done, closed, late };
Read read_all(int from, void* bytes, std::size_t count, int milliseconds) {
  char* p = static_cast<char*>(bytes);
  while (count > 0) {
    pollfd waiting{from, POLLIN, 0};
    const int ready = ::poll(&waiting, 1, milliseconds);
    if (ready == 0) return Read::late;
    if (ready < 0) {
      if (errno == EINTR) continue;
      return Read::closed;
    }
    const ssize_t got = ::read(from, p, count);
    if (got <= 0) return Read::closed;
    p += got, count -= static_cast<std::size_t>(got);
  }
  return Read::done;
}

constexpr const char* no_way_back =
    "it cannot go back to an earlier state, which a repeated step or another run needs: it cannot save its state";

std::vector<double> join(double t, const std::vector<double>& x, const std::vector<double>& u) {
  std::vector<double> all{t};
  all.insert(all.end(), x.begin(), x.end()), all.insert(all.end(), u.begin(), u.end());
  return all;
}

std::vector<char> sides(const Session::Answer& answer) {
  std::vector<char> all;
  for (const double z : answer.indicators) all.push_back(z > 0);
  return all;
}

struct Header {
  std::int64_t code, numbers, letters;
};

}  // namespace

std::string take_failure() { return std::exchange(failure(), {}); }

/// The other process: it holds the FMU and answers calls.
struct Session::Process {
  Process(const std::string& library, const std::string& resources, const Session& session) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
      throw std::runtime_error("no process can be made");
    child = fork();
    if (child == 0) {
      ::close(ends[0]);
      dup2(2, 1);  // what an FMU prints is no answer of ours
      serve(ends[1], library, resources, session);
      _exit(0);
    }
    ::close(ends[1]);
    to = ends[0];
    if (child < 0) throw std::runtime_error("no process can be made");
  }
  ~Process() { end(); }
  void end() {
    if (to >= 0) ::close(std::exchange(to, -1));
    if (child <= 0) return;
    ::kill(child, SIGKILL);
    ::waitpid(std::exchange(child, -1), nullptr, 0);
  }

  std::vector<double> call(int operation, const std::vector<double>& in) {
    if (to < 0) throw std::runtime_error(cause);
    const Header header{operation, static_cast<std::int64_t>(in.size()), 0};
    if (!write_all(to, &header, sizeof header) || !write_all(to, in.data(), in.size() * sizeof(double))) tell_death();
    Header answer{};
    read(&answer, sizeof answer);
    std::vector<double> out(static_cast<std::size_t>(answer.numbers));
    read(out.data(), out.size() * sizeof(double));
    std::string text(static_cast<std::size_t>(answer.letters), '\0');
    read(text.data(), text.size());
    if (answer.code != 0) throw std::runtime_error(text);
    return out;
  }

 private:
  void read(void* bytes, std::size_t count) {
    constexpr int patience = 30000;  // ms; what takes longer is taken for a call that does not return
    const Read how = read_all(to, bytes, count, patience);
    if (how == Read::done) return;
    if (how == Read::late) {
      end();
      cause = "a call has not returned for 30 s; its process was ended";
      throw std::runtime_error(cause);
    }
    tell_death();
  }
  [[noreturn]] void tell_death() {
    int status = 0;
    if (child > 0 && ::waitpid(child, &status, 0) == child) {
      child = -1;
      if (WIFSIGNALED(status)) cause = std::string("it crashed: ") + strsignal(WTERMSIG(status));
    }
    end();
    throw std::runtime_error(cause);
  }

  static void serve(int socket, const std::string& library, const std::string& resources, const Session& s) {
    std::unique_ptr<Slave> slave;
    const std::size_t nu = s.inputs_.size(), nx = s.description_.derivatives.size();
    const auto set = [&](const double* u) {
      std::vector<Slave::Setting> settings;
      for (std::size_t k = 0; k < nu; ++k) settings.push_back({s.inputs_[k], u[k]});
      slave->set(settings);
    };
    for (Header header{}; read_all(socket, &header, sizeof header, -1) == Read::done;) {
      std::vector<double> in(static_cast<std::size_t>(header.numbers)), out;
      if (read_all(socket, in.data(), in.size() * sizeof(double), -1) != Read::done) return;
      std::string text;
      const auto append = [&](const std::vector<double>& more) { out.insert(out.end(), more.begin(), more.end()); };
      try {
        if (!slave) slave = load_slave(library, resources, s.description_, s.kind_);
        const bool has_point = header.code == evaluate_at || header.code == handle_event;
        const std::vector<double> x(in.begin() + (has_point ? 1 : 0),
                                    in.begin() + (has_point ? 1 + std::ptrdiff_t(nx) : 0));
        switch (header.code) {
          case start: {
            std::vector<Slave::Setting> settings = s.settings_;
            if (in.size() > 1)
              for (std::size_t k = 0; k < nu; ++k) settings.push_back({s.inputs_[k], in[1 + k]});
            slave->start(in[0], 0, settings);
            out = {s.kind_ == Kind::exchange ? slave->first_time_event() : 0};
            if (s.kind_ == Kind::exchange) append(slave->states());
            if (s.kind_ == Kind::cosimulation) append(slave->get(s.outputs_));
            break;
          }
          case set_inputs:
            set(in.data());
            break;
          case do_step:
            slave->do_step(in[0], in[1]);
            append(slave->get(s.outputs_));
            break;
          case evaluate_at:
            slave->set_point(in[0], x);
            set(in.data() + 1 + nx);
            append(slave->rates()), append(slave->get(s.outputs_)), append(slave->indicators());
            break;
          case handle_event: {
            slave->set_point(in[0], x);
            set(in.data() + 1 + nx);
            const Slave::Event event = slave->handle_event();
            out = {event.next, event.states_changed && slave->states() != x ? 1.0 : 0.0};
            break;
          }
          case save:
            out = {double(slave->save())};
            break;
          case restore:
            slave->restore(static_cast<int>(in[0]));
            break;
          default:
            slave->forget(static_cast<int>(in[0]));
        }
      } catch (const std::exception& e) {
        text = e.what();
      }
      const Header answer{text.empty() ? 0 : 1, std::ssize(out), std::ssize(text)};
      if (!write_all(socket, &answer, sizeof answer) || !write_all(socket, out.data(), out.size() * sizeof(double)) ||
          !write_all(socket, text.data(), text.size()))
        return;
    }
  }

  int to = -1;
  pid_t child = -1;
  std::string cause = "its process has ended";  // told by every later call
};

Session::Session(const std::filesystem::path& fmu, std::optional<Kind> kind,
                 const std::vector<Slave::Setting>& settings)
    : name_(fmu.string()), archive_(fmu), settings_(settings) {
  description_ = read_description(archive_.folder(), name_);
  const std::vector<Finding> findings = validate(description_);
  ErrorList errors;
  for (const Finding& f : findings) errors.add({name_ + "/modelDescription.xml", f.line}, f.text);
  errors.throw_if_any();
  kind_ = kind.value_or(description_.exchange ? Kind::exchange : Kind::cosimulation);
  const auto& offered = kind_ == Kind::exchange ? description_.exchange : description_.cosimulation;
  if (!offered)
    throw Error({name_}, kind_ == Kind::exchange ? "it offers no model exchange" : "it offers no co-simulation");
  for (std::size_t k = 0; k < description_.variables.size(); ++k) {
    const Variable& v = description_.variables[k];
    const bool number = v.type == "Float64" || v.type == "Int32" || v.type == "Boolean";
    if (v.causality == "input" && (!number || v.has_dimensions))
      throw Error({name_ + "/modelDescription.xml", v.line}, "the input " + v.name + " is no single number");
    if (v.causality == "input") inputs_.push_back(static_cast<int>(k));
    if (v.causality == "output" && number && !v.has_dimensions) outputs_.push_back(static_cast<int>(k));
  }
  const std::string library = find_library(archive_, description_, offered->identifier, name_);
  process_ = std::make_unique<Process>(library, (archive_.folder() / "resources").string(), *this);
}

Session::~Session() = default;

std::vector<double> Session::call(int operation, const std::vector<double>& in) {
  return process_->call(operation, in);
}

const std::vector<double>& Session::start_states() {
  if (has_start_states_) return start_states_;
  try {
    start_states_ = begin(0, {});
    start_states_.erase(start_states_.begin());
  } catch (const std::runtime_error& e) {
    throw Error({name_}, e.what());
  }
  has_start_states_ = true;
  return start_states_;
}

const Session::Answer& Session::fail(const std::string& text) {
  failure() = name_ + ": " + text;
  const double none = std::numeric_limits<double>::quiet_NaN();
  failed_.memory = broken, failed_.next = none;
  failed_.outputs.assign(outputs_.size(), none);
  failed_.rates.assign(description_.derivatives.size(), none);
  failed_.indicators.assign(static_cast<std::size_t>(description_.event_indicators), none);
  return failed_;
}

bool Session::go_to(double memory) {
  if (memory == present_) return true;
  for (const auto& [known, copy] : saved_)
    if (known == memory) {
      call(restore, {copy});
      present_ = memory;
      return true;
    }
  return false;
}

void Session::remember() {
  static std::atomic<long> number{0};
  present_ = static_cast<double>(++number);
  const auto& offered = kind_ == Kind::exchange ? description_.exchange : description_.cosimulation;
  if (!offered->saves_state) return;
  constexpr std::size_t most_saved = 64;
  saved_.emplace_back(present_, call(save, {}).at(0));
  if (saved_.size() <= most_saved) return;
  call(forget, {saved_.front().second});
  saved_.erase(saved_.begin());
}

const Session::Answer& Session::keep(const Call& asked, Answer answer) {
  constexpr std::size_t most_known = 64;
  if (known_.size() >= most_known) known_.erase(known_.begin(), known_.begin() + most_known / 2);
  known_.emplace_back(asked, std::move(answer));
  return known_.back().second;
}

const Session::Answer& Session::step(double memory, double t, double h, const std::vector<double>& u) {
  if (memory == broken) return failed_;
  const Call asked{do_step, memory, t, h, {}, u};
  for (const auto& [known, answer] : known_)
    if (known == asked) return answer;
  try {
    Answer answer;
    if (memory == 0) {
      answer.outputs = begin(t, u);
      answer.outputs.erase(answer.outputs.begin());
    } else {
      if (!go_to(memory)) return fail(no_way_back);
      answer.outputs = call(do_step, {t - h, h});
      if (!u.empty()) call(set_inputs, u);
    }
    remember();
    answer.memory = present_;
    made_[present_].answer = answer;
    return keep(asked, std::move(answer));
  } catch (const std::runtime_error& e) {
    return fail(e.what());
  }
}

const Session::Answer& Session::at(double memory) {
  if (memory == 0) {
    try {
      made_[0].answer.outputs = start_states();
      made_[0].answer.next = std::numeric_limits<double>::infinity();
    } catch (const Error& e) {
      return fail(e.items()[0].text);
    }
  }
  if (memory == broken) return failed_;
  const auto place = made_.find(memory);
  return place == made_.end() ? fail("a saved run needs a state that is not there any more") : place->second.answer;
}

const Session::Answer& Session::event(double memory, double t, const std::vector<double>& x,
                                      const std::vector<double>& u) {
  if (memory == broken) return failed_;
  const Call asked{handle_event, memory, t, 0, x, u};
  for (const auto& [known, answer] : known_)
    if (known == asked) return answer;
  try {
    Answer answer;
    if (memory == 0) {
      answer.next = begin(t, u).at(0);
    } else {
      const Made& made = made_[memory];
      answer.memory = memory, answer.next = made.next;
      const double instant = 1e-12 * std::max(1.0, std::abs(t));
      if (t < made.next - instant && sides(evaluate(memory, t, x, u)) == made.sides) return keep(asked, answer);
      if (!go_to(memory)) return fail(no_way_back);
      const std::vector<double> out = call(handle_event, join(t, x, u));
      if (out.at(1) != 0) return fail("it sets its continuous states at an event; import its co-simulation (kind: cs)");
      answer.next = out.at(0);
    }
    remember();
    answer.memory = present_;
    const Answer& now = evaluate(present_, t, x, u);
    made_[present_] = {answer.next, sides(now), answer};
    return keep(asked, std::move(answer));
  } catch (const std::runtime_error& e) {
    return fail(e.what());
  }
}

const Session::Answer& Session::evaluate(double memory, double t, const std::vector<double>& x,
                                         const std::vector<double>& u) {
  if (memory == broken) return failed_;
  const Call asked{evaluate_at, memory, t, 0, x, u};
  for (auto known = known_.rbegin(); known != known_.rend(); ++known)
    if (known->first == asked) return known->second;
  try {
    if (memory == 0 && (present_ != 0 || !has_started_)) begin(t, u);
    if (!go_to(memory)) return fail(no_way_back);
    const std::vector<double> out = call(evaluate_at, join(t, x, u));
    Answer answer;
    const auto nx = std::ptrdiff_t(description_.derivatives.size()), ny = std::ptrdiff_t(outputs_.size());
    answer.memory = memory;
    answer.rates.assign(out.begin(), out.begin() + nx);
    answer.outputs.assign(out.begin() + nx, out.begin() + nx + ny);
    answer.indicators.assign(out.begin() + nx + ny, out.end());
    return keep(asked, std::move(answer));
  } catch (const std::runtime_error& e) {
    return fail(e.what());
  }
}

std::vector<double> Session::begin(double t, const std::vector<double>& u) {
  std::vector<double> out = call(start, join(t, {}, u));
  saved_.clear(), known_.clear();
  present_ = 0, has_started_ = true;
  return out;
}

}  // namespace coenergy::fmi
