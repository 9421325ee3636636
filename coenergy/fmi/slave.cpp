#include "coenergy/fmi/slave.hpp"

#include <dlfcn.h>

#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <map>
#include <stdexcept>
#include <utility>

namespace coenergy::fmi {
namespace {

using Instance = void*;
using References = const std::uint32_t*;
constexpr double infinity = std::numeric_limits<double>::infinity();

/// A shared library and its functions.
class Library {
 public:
  explicit Library(const std::string& path) : handle_(dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL)) {
    if (handle_ == nullptr) throw std::runtime_error(std::string("its library cannot be loaded: ") + dlerror());
  }
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;
  ~Library() { dlclose(handle_); }
  template <class Result, class... Arguments>
  void find(Result (*&function)(Arguments...), const std::string& name, bool required = true) const {
    function = reinterpret_cast<Result (*)(Arguments...)>(dlsym(handle_, name.c_str()));
    if (function == nullptr && required) throw std::runtime_error("it misses the function " + name);
  }

 private:
  void* handle_;
};

/// What the FMU said last, for messages.
std::string& last_message() {
  static std::string text;
  return text;
}

[[noreturn]] void fail(const std::string& function) {
  throw std::runtime_error(function + " reports an error" +
                           (last_message().empty() ? "" : ": \"" + last_message() + "\""));
}

/// What FMI 2 and 3 have in common.
class Common : public Slave {
 public:
  Common(const std::string& library, std::string resources, const Description& description, Kind kind)
      : library_(library), resources_(std::move(resources)), d_(description), kind_(kind) {}

 protected:
  /// Discarded (2) and worse are errors; a warning (1) is none.
  static void check(int status, const char* function) {
    if (status > 1) fail(function);
  }
  const Interface& interface() const { return kind_ == Kind::exchange ? *d_.exchange : *d_.cosimulation; }
  std::size_t number_of_states() const { return d_.derivatives.size(); }
  void need_instance() const {
    if (instance_ == nullptr)
      throw std::runtime_error("it cannot be instantiated" +
                               (last_message().empty() ? std::string() : ": \"" + last_message() + "\""));
  }

  double first_time_event() const override { return next_event_; }

  Library library_;
  std::string resources_;
  const Description& d_;
  Kind kind_;
  Instance instance_ = nullptr;
  bool in_event_mode_ = false;
  double next_event_ = infinity;
  std::map<int, void*> copies_;
  int next_copy_ = 0;
};

// ---- FMI 2

struct Callbacks2 {
  void (*logger)(void*, const char*, int, const char*, const char*, ...);
  void* (*allocate)(std::size_t, std::size_t);
  void (*free)(void*);
  void (*step_finished)(void*, int);
  void* environment;
};
struct EventInfo2 {
  int new_states_needed, terminate, nominals_changed, states_changed, next_defined;
  double next;
};

void log2(void*, const char*, int status, const char*, const char* format, ...) {
  if (status < 2 || format == nullptr) return;
  char text[400];
  va_list values;
  va_start(values, format);
  std::vsnprintf(text, sizeof text, format, values);
  va_end(values);
  last_message() = text;
}

class Slave2 final : public Common {
 public:
  Slave2(const std::string& library, std::string resources, const Description& description, Kind kind)
      : Common(library, std::move(resources), description, kind) {
    find(instantiate_, "Instantiate"), find(free_, "FreeInstance"), find(setup_, "SetupExperiment");
    find(enter_initialization_, "EnterInitializationMode"), find(exit_initialization_, "ExitInitializationMode");
    find(get_real_, "GetReal"), find(set_real_, "SetReal"), find(get_integer_, "GetInteger");
    find(set_integer_, "SetInteger"), find(get_boolean_, "GetBoolean"), find(set_boolean_, "SetBoolean");
    const bool saves = interface().saves_state;
    find(get_state_, "GetFMUstate", saves), find(set_state_, "SetFMUstate", saves),
        find(free_state_, "FreeFMUstate", saves);
    const bool exchange = kind == Kind::exchange;
    find(do_step_, "DoStep", !exchange);
    find(enter_event_, "EnterEventMode", exchange), find(new_states_, "NewDiscreteStates", exchange);
    find(enter_continuous_, "EnterContinuousTimeMode", exchange), find(set_time_, "SetTime", exchange);
    find(set_states_, "SetContinuousStates", exchange), find(get_states_, "GetContinuousStates", exchange);
    find(get_rates_, "GetDerivatives", exchange), find(get_indicators_, "GetEventIndicators", exchange);
  }
  ~Slave2() override { release(); }

  void start(double t, double tolerance, const std::vector<Setting>& settings) override {
    release();
    instance_ = instantiate_("coenergy", kind_ == Kind::exchange ? 0 : 1, d_.token.c_str(),
                             ("file://" + resources_).c_str(), &callbacks_, 0, 0);
    need_instance();
    check(setup_(instance_, tolerance > 0, tolerance, t, 0, 0), "fmi2SetupExperiment");
    set(settings);
    check(enter_initialization_(instance_), "fmi2EnterInitializationMode");
    check(exit_initialization_(instance_), "fmi2ExitInitializationMode");
    in_event_mode_ = kind_ == Kind::exchange;
    if (in_event_mode_) next_event_ = handle_event().next;
  }
  void set(const std::vector<Setting>& settings) override {
    for (const Setting& s : settings) {
      const Variable& v = d_.variables[static_cast<std::size_t>(s.variable)];
      const int whole = static_cast<int>(s.value);
      if (v.type == "Float64")
        check(set_real_(instance_, &v.reference, 1, &s.value), "fmi2SetReal");
      else if (v.type == "Boolean")
        check(set_boolean_(instance_, &v.reference, 1, &whole), "fmi2SetBoolean");
      else
        check(set_integer_(instance_, &v.reference, 1, &whole), "fmi2SetInteger");
    }
  }
  std::vector<double> get(const std::vector<int>& variables) override {
    std::vector<double> values;
    for (const int k : variables) {
      const Variable& v = d_.variables[static_cast<std::size_t>(k)];
      double value = 0;
      int whole = 0;
      if (v.type == "Float64")
        check(get_real_(instance_, &v.reference, 1, &value), "fmi2GetReal");
      else if (v.type == "Boolean")
        check(get_boolean_(instance_, &v.reference, 1, &whole), "fmi2GetBoolean"), value = whole;
      else
        check(get_integer_(instance_, &v.reference, 1, &whole), "fmi2GetInteger"), value = whole;
      values.push_back(value);
    }
    return values;
  }
  void do_step(double t, double h) override { check(do_step_(instance_, t, h, 0), "fmi2DoStep"); }

  std::vector<double> states() override {
    std::vector<double> x(number_of_states());
    if (!x.empty()) check(get_states_(instance_, x.data(), x.size()), "fmi2GetContinuousStates");
    return x;
  }
  void set_point(double t, const std::vector<double>& x) override {
    check(set_time_(instance_, t), "fmi2SetTime");
    if (!x.empty()) check(set_states_(instance_, x.data(), x.size()), "fmi2SetContinuousStates");
  }
  std::vector<double> rates() override {
    std::vector<double> dx(number_of_states());
    if (!dx.empty()) check(get_rates_(instance_, dx.data(), dx.size()), "fmi2GetDerivatives");
    return dx;
  }
  std::vector<double> indicators() override {
    std::vector<double> z(static_cast<std::size_t>(d_.event_indicators));
    if (!z.empty()) check(get_indicators_(instance_, z.data(), z.size()), "fmi2GetEventIndicators");
    return z;
  }
  Event handle_event() override {
    if (!in_event_mode_) check(enter_event_(instance_), "fmi2EnterEventMode");
    Event event;
    EventInfo2 info{1, 0, 0, 0, 0, 0};
    for (int pass = 0; info.new_states_needed != 0; ++pass) {
      if (pass > 1000) throw std::runtime_error("its event iteration does not end");
      check(new_states_(instance_, &info), "fmi2NewDiscreteStates");
      if (info.terminate != 0) throw std::runtime_error("it asks to end the run");
      event.states_changed = event.states_changed || info.states_changed != 0;
    }
    event.next = info.next_defined != 0 ? info.next : infinity;
    check(enter_continuous_(instance_), "fmi2EnterContinuousTimeMode");
    in_event_mode_ = false;
    return event;
  }

  int save() override {
    void* state = nullptr;
    check(get_state_(instance_, &state), "fmi2GetFMUstate");
    copies_[next_copy_] = state;
    return next_copy_++;
  }
  void restore(int copy) override { check(set_state_(instance_, copies_.at(copy)), "fmi2SetFMUstate"); }
  void forget(int copy) override {
    free_state_(instance_, &copies_.at(copy));
    copies_.erase(copy);
  }

 private:
  template <class Function>
  void find(Function& function, const char* name, bool required = true) {
    library_.find(function, std::string("fmi2") + name, required);
  }
  void release() {
    if (instance_ == nullptr) return;
    for (auto& [number, state] : copies_) free_state_(instance_, &state);
    copies_.clear();
    free_(std::exchange(instance_, nullptr));
  }

  Callbacks2 callbacks_{log2, std::calloc, std::free, nullptr, nullptr};
  Instance (*instantiate_)(const char*, int, const char*, const char*, const Callbacks2*, int, int) = nullptr;
  void (*free_)(Instance) = nullptr;
  int (*setup_)(Instance, int, double, double, int, double) = nullptr;
  int (*enter_initialization_)(Instance) = nullptr;
  int (*exit_initialization_)(Instance) = nullptr;
  int (*get_real_)(Instance, References, std::size_t, double*) = nullptr;
  int (*set_real_)(Instance, References, std::size_t, const double*) = nullptr;
  int (*get_integer_)(Instance, References, std::size_t, int*) = nullptr;
  int (*set_integer_)(Instance, References, std::size_t, const int*) = nullptr;
  int (*get_boolean_)(Instance, References, std::size_t, int*) = nullptr;
  int (*set_boolean_)(Instance, References, std::size_t, const int*) = nullptr;
  int (*get_state_)(Instance, void**) = nullptr;
  int (*set_state_)(Instance, void*) = nullptr;
  int (*free_state_)(Instance, void**) = nullptr;
  int (*do_step_)(Instance, double, double, int) = nullptr;
  int (*enter_event_)(Instance) = nullptr;
  int (*new_states_)(Instance, EventInfo2*) = nullptr;
  int (*enter_continuous_)(Instance) = nullptr;
  int (*set_time_)(Instance, double) = nullptr;
  int (*set_states_)(Instance, const double*, std::size_t) = nullptr;
  int (*get_states_)(Instance, double*, std::size_t) = nullptr;
  int (*get_rates_)(Instance, double*, std::size_t) = nullptr;
  int (*get_indicators_)(Instance, double*, std::size_t) = nullptr;
};

// ---- FMI 3

using Log3 = void (*)(void*, int, const char*, const char*);
void log3(void*, int status, const char*, const char* text) {
  if (status >= 2 && text != nullptr) last_message() = text;
}

class Slave3 final : public Common {
 public:
  Slave3(const std::string& library, std::string resources, const Description& description, Kind kind)
      : Common(library, std::move(resources), description, kind) {
    const bool exchange = kind == Kind::exchange;
    find(instantiate_exchange_, "InstantiateModelExchange", exchange);
    find(instantiate_cosimulation_, "InstantiateCoSimulation", !exchange);
    find(free_, "FreeInstance");
    find(enter_initialization_, "EnterInitializationMode"), find(exit_initialization_, "ExitInitializationMode");
    find(get_float_, "GetFloat64"), find(set_float_, "SetFloat64"), find(get_whole_, "GetInt32");
    find(set_whole_, "SetInt32"), find(get_boolean_, "GetBoolean"), find(set_boolean_, "SetBoolean");
    const bool saves = interface().saves_state;
    find(get_state_, "GetFMUState", saves), find(set_state_, "SetFMUState", saves),
        find(free_state_, "FreeFMUState", saves);
    find(do_step_, "DoStep", !exchange);
    find(enter_event_, "EnterEventMode", exchange), find(new_states_, "UpdateDiscreteStates", exchange);
    find(enter_continuous_, "EnterContinuousTimeMode", exchange), find(set_time_, "SetTime", exchange);
    find(set_states_, "SetContinuousStates", exchange), find(get_states_, "GetContinuousStates", exchange);
    find(get_rates_, "GetContinuousStateDerivatives", exchange), find(get_indicators_, "GetEventIndicators", exchange);
  }
  ~Slave3() override { release(); }

  void start(double t, double tolerance, const std::vector<Setting>& settings) override {
    release();
    instance_ =
        kind_ == Kind::exchange
            ? instantiate_exchange_("coenergy", d_.token.c_str(), resources_.c_str(), false, false, nullptr, log3)
            : instantiate_cosimulation_("coenergy", d_.token.c_str(), resources_.c_str(), false, false, false, false,
                                        nullptr, 0, nullptr, log3, nullptr);
    need_instance();
    set(settings);
    check(enter_initialization_(instance_, tolerance > 0, tolerance, t, false, 0), "fmi3EnterInitializationMode");
    check(exit_initialization_(instance_), "fmi3ExitInitializationMode");
    in_event_mode_ = kind_ == Kind::exchange;
    if (in_event_mode_) next_event_ = handle_event().next;
  }
  void set(const std::vector<Setting>& settings) override {
    for (const Setting& s : settings) {
      const Variable& v = d_.variables[static_cast<std::size_t>(s.variable)];
      const int whole = static_cast<int>(s.value);
      const bool truth = s.value != 0;
      if (v.type == "Float64")
        check(set_float_(instance_, &v.reference, 1, &s.value, 1), "fmi3SetFloat64");
      else if (v.type == "Boolean")
        check(set_boolean_(instance_, &v.reference, 1, &truth, 1), "fmi3SetBoolean");
      else if (v.type == "Int32")
        check(set_whole_(instance_, &v.reference, 1, &whole, 1), "fmi3SetInt32");
      else
        throw std::runtime_error("the variable " + v.name + " is of type " + v.type + ", which cannot be set");
    }
  }
  std::vector<double> get(const std::vector<int>& variables) override {
    std::vector<double> values;
    for (const int k : variables) {
      const Variable& v = d_.variables[static_cast<std::size_t>(k)];
      double value = 0;
      int whole = 0;
      bool truth = false;
      if (v.type == "Float64")
        check(get_float_(instance_, &v.reference, 1, &value, 1), "fmi3GetFloat64");
      else if (v.type == "Boolean")
        check(get_boolean_(instance_, &v.reference, 1, &truth, 1), "fmi3GetBoolean"), value = truth ? 1 : 0;
      else
        check(get_whole_(instance_, &v.reference, 1, &whole, 1), "fmi3GetInt32"), value = whole;
      values.push_back(value);
    }
    return values;
  }
  void do_step(double t, double h) override {
    bool event = false, terminate = false, early = false;
    double reached = 0;
    check(do_step_(instance_, t, h, false, &event, &terminate, &early, &reached), "fmi3DoStep");
    if (terminate) throw std::runtime_error("it asks to end the run");
  }
  std::vector<double> states() override {
    std::vector<double> x(number_of_states());
    if (!x.empty()) check(get_states_(instance_, x.data(), x.size()), "fmi3GetContinuousStates");
    return x;
  }
  void set_point(double t, const std::vector<double>& x) override {
    check(set_time_(instance_, t), "fmi3SetTime");
    if (!x.empty()) check(set_states_(instance_, x.data(), x.size()), "fmi3SetContinuousStates");
  }
  std::vector<double> rates() override {
    std::vector<double> dx(number_of_states());
    if (!dx.empty()) check(get_rates_(instance_, dx.data(), dx.size()), "fmi3GetContinuousStateDerivatives");
    return dx;
  }
  std::vector<double> indicators() override {
    std::vector<double> z(static_cast<std::size_t>(d_.event_indicators));
    if (!z.empty()) check(get_indicators_(instance_, z.data(), z.size()), "fmi3GetEventIndicators");
    return z;
  }
  Event handle_event() override {
    if (!in_event_mode_) check(enter_event_(instance_), "fmi3EnterEventMode");
    Event event;
    bool needed = true, terminate = false, nominals = false, changed = false, next_defined = false;
    double next = 0;
    for (int pass = 0; needed; ++pass) {
      if (pass > 1000) throw std::runtime_error("its event iteration does not end");
      check(new_states_(instance_, &needed, &terminate, &nominals, &changed, &next_defined, &next),
            "fmi3UpdateDiscreteStates");
      if (terminate) throw std::runtime_error("it asks to end the run");
      event.states_changed = event.states_changed || changed;
    }
    event.next = next_defined ? next : infinity;
    check(enter_continuous_(instance_), "fmi3EnterContinuousTimeMode");
    in_event_mode_ = false;
    return event;
  }
  int save() override {
    void* state = nullptr;
    check(get_state_(instance_, &state), "fmi3GetFMUState");
    copies_[next_copy_] = state;
    return next_copy_++;
  }
  void restore(int copy) override { check(set_state_(instance_, copies_.at(copy)), "fmi3SetFMUState"); }
  void forget(int copy) override {
    free_state_(instance_, &copies_.at(copy));
    copies_.erase(copy);
  }

 private:
  template <class Function>
  void find(Function& function, const char* name, bool required = true) {
    library_.find(function, std::string("fmi3") + name, required);
  }
  void release() {
    if (instance_ == nullptr) return;
    for (auto& [number, state] : copies_) free_state_(instance_, &state);
    copies_.clear();
    free_(std::exchange(instance_, nullptr));
  }

  Instance (*instantiate_exchange_)(const char*, const char*, const char*, bool, bool, void*, Log3) = nullptr;
  Instance (*instantiate_cosimulation_)(const char*, const char*, const char*, bool, bool, bool, bool, References,
                                        std::size_t, void*, Log3, void*) = nullptr;
  void (*free_)(Instance) = nullptr;
  int (*enter_initialization_)(Instance, bool, double, double, bool, double) = nullptr;
  int (*exit_initialization_)(Instance) = nullptr;
  int (*get_float_)(Instance, References, std::size_t, double*, std::size_t) = nullptr;
  int (*set_float_)(Instance, References, std::size_t, const double*, std::size_t) = nullptr;
  int (*get_whole_)(Instance, References, std::size_t, int*, std::size_t) = nullptr;
  int (*set_whole_)(Instance, References, std::size_t, const int*, std::size_t) = nullptr;
  int (*get_boolean_)(Instance, References, std::size_t, bool*, std::size_t) = nullptr;
  int (*set_boolean_)(Instance, References, std::size_t, const bool*, std::size_t) = nullptr;
  int (*get_state_)(Instance, void**) = nullptr;
  int (*set_state_)(Instance, void*) = nullptr;
  int (*free_state_)(Instance, void**) = nullptr;
  int (*do_step_)(Instance, double, double, bool, bool*, bool*, bool*, double*) = nullptr;
  int (*enter_event_)(Instance) = nullptr;
  int (*new_states_)(Instance, bool*, bool*, bool*, bool*, bool*, double*) = nullptr;
  int (*enter_continuous_)(Instance) = nullptr;
  int (*set_time_)(Instance, double) = nullptr;
  int (*set_states_)(Instance, const double*, std::size_t) = nullptr;
  int (*get_states_)(Instance, double*, std::size_t) = nullptr;
  int (*get_rates_)(Instance, double*, std::size_t) = nullptr;
  int (*get_indicators_)(Instance, double*, std::size_t) = nullptr;
};

}  // namespace

std::unique_ptr<Slave> load_slave(const std::string& library, const std::string& resources,
                                  const Description& description, Kind kind) {
  if (description.version == 2) return std::make_unique<Slave2>(library, resources, description, kind);
  return std::make_unique<Slave3>(library, resources, description, kind);
}

}  // namespace coenergy::fmi
