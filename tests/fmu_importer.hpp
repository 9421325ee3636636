#pragma once
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <regex>
#include <string>
#include <vector>

#include "tests/program.hpp"

namespace coenergy::tests {

inline void ignore_message(void*, const char*, int, const char*, const char*, ...) {}

/// An importer of functional mock-up units, written against the C interface of the standards alone: it knows the
/// functions and their order, and what modelDescription.xml says.
class Fmu {
 public:
  /// What an update of discrete states tells.
  struct Update {
    bool changed = false;
    double next = HUGE_VAL;
  };

  Fmu(const std::filesystem::path& file, int version, bool co_simulation) : version_(version) {
    const std::string unpack = "python3 -m zipfile -e '" + file.string() + "' '" + (folder_ / "x").string() + "'";
    if (std::system(unpack.c_str()) != 0) throw std::runtime_error("the FMU cannot be unpacked");
    description = read_text(folder_ / "x/modelDescription.xml");
    const std::string identifier = attribute("modelIdentifier");
    const std::string machine = version == 2 ? "linux64" : "x86_64-linux";
    library_ = dlopen((folder_ / ("x/binaries/" + machine + "/" + identifier + ".so")).c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library_ == nullptr) throw std::runtime_error(dlerror());
    const std::regex variable(
        R"rx(<(?:ScalarVariable|Float64) name="([^"]*)" valueReference="(\d+)" causality="(\w+)")rx");
    for (std::sregex_iterator i(description.begin(), description.end(), variable), end; i != end; ++i)
      if ((*i)[3] == "output") outputs[(*i)[1]] = static_cast<unsigned>(std::stoul((*i)[2]));
    const std::regex state(R"rx(derivative="(\d+)")rx");
    states = static_cast<std::size_t>(
        std::distance(std::sregex_iterator(description.begin(), description.end(), state), std::sregex_iterator()));
    indicators = version == 2 ? std::stoul(attribute("numberOfEventIndicators")) : count("<EventIndicator ");
    instantiate(co_simulation);
  }
  ~Fmu() {
    call<void (*)(void*)>("FreeInstance")(instance_);
    dlclose(library_);
  }
  Fmu(const Fmu&) = delete;
  Fmu& operator=(const Fmu&) = delete;

  void initialize(double start) {
    if (version_ == 2) {
      good(call<int (*)(void*, int, double, double, int, double)>("SetupExperiment")(instance_, 0, 0, start, 0, 0));
      good(call<int (*)(void*)>("EnterInitializationMode")(instance_));
    } else {
      good(call<int (*)(void*, bool, double, double, bool, double)>("EnterInitializationMode")(instance_, false, 0,
                                                                                               start, false, 0));
    }
    good(call<int (*)(void*)>("ExitInitializationMode")(instance_));
  }
  std::vector<double> get(const std::vector<unsigned>& references) {
    std::vector<double> values(references.size());
    const std::size_t n = values.size();
    if (version_ == 2)
      good(call<int (*)(void*, const unsigned*, std::size_t, double*)>("GetReal")(instance_, references.data(), n,
                                                                                  values.data()));
    else
      good(call<int (*)(void*, const unsigned*, std::size_t, double*, std::size_t)>("GetFloat64")(
          instance_, references.data(), n, values.data(), n));
    return values;
  }
  void do_step(double t, double h) {
    bool event = false, terminate = false, early = false;
    double last = 0;
    if (version_ == 2)
      good(call<int (*)(void*, double, double, int)>("DoStep")(instance_, t, h, 1));
    else
      good(call<int (*)(void*, double, double, bool, bool*, bool*, bool*, double*)>("DoStep")(
          instance_, t, h, true, &event, &terminate, &early, &last));
  }

  // model exchange
  void set(double t, const std::vector<double>& x) {
    good(call<int (*)(void*, double)>("SetTime")(instance_, t));
    good(call<int (*)(void*, const double*, std::size_t)>("SetContinuousStates")(instance_, x.data(), x.size()));
  }
  std::vector<double> get_states() { return get_array("GetContinuousStates", states); }
  std::vector<double> get_derivatives() {
    return get_array(version_ == 2 ? "GetDerivatives" : "GetContinuousStateDerivatives", states);
  }
  std::vector<double> get_indicators() { return get_array("GetEventIndicators", indicators); }
  Update update() {
    good(call<int (*)(void*)>("EnterEventMode")(instance_));
    Update result;
    struct {
      int again, terminate, nominals, values, has_next;
      double next;
    } info{};
    bool again = false, terminate = false, nominals = false, values = false, has_next = false;
    double next = 0;
    if (version_ == 2) {
      good(call<int (*)(void*, void*)>("NewDiscreteStates")(instance_, &info));
      result = {info.values != 0, info.has_next != 0 ? info.next : HUGE_VAL};
    } else {
      good(call<int (*)(void*, bool*, bool*, bool*, bool*, bool*, double*)>("UpdateDiscreteStates")(
          instance_, &again, &terminate, &nominals, &values, &has_next, &next));
      result = {values, has_next ? next : HUGE_VAL};
    }
    good(call<int (*)(void*)>("EnterContinuousTimeMode")(instance_));
    return result;
  }
  bool completed_step() {
    int enter = 0, end = 0;
    bool enters = false, ends = false;
    if (version_ == 2)
      good(call<int (*)(void*, int, int*, int*)>("CompletedIntegratorStep")(instance_, 1, &enter, &end));
    else
      good(call<int (*)(void*, bool, bool*, bool*)>("CompletedIntegratorStep")(instance_, true, &enters, &ends));
    return enter != 0 || enters;
  }
  std::vector<double> direction(const std::vector<unsigned>& unknowns, unsigned known) {
    std::vector<double> change(unknowns.size());
    const double one = 1;
    if (version_ == 2)
      good(call<int (*)(void*, const unsigned*, std::size_t, const unsigned*, std::size_t, const double*, double*)>(
          "GetDirectionalDerivative")(instance_, unknowns.data(), unknowns.size(), &known, 1, &one, change.data()));
    else
      good(call<int (*)(void*, const unsigned*, std::size_t, const unsigned*, std::size_t, const double*, std::size_t,
                        double*, std::size_t)>("GetDirectionalDerivative")(
          instance_, unknowns.data(), unknowns.size(), &known, 1, &one, 1, change.data(), change.size()));
    return change;
  }
  std::vector<double> adjoint(const std::vector<unsigned>& unknowns, const std::vector<unsigned>& knowns,
                              const std::vector<double>& seed) {
    std::vector<double> change(knowns.size());
    good(call<int (*)(void*, const unsigned*, std::size_t, const unsigned*, std::size_t, const double*, std::size_t,
                      double*, std::size_t)>("GetAdjointDerivative")(instance_, unknowns.data(), unknowns.size(),
                                                                     knowns.data(), knowns.size(), seed.data(),
                                                                     seed.size(), change.data(), change.size()));
    return change;
  }

  /// The state as bytes, and a state put back from them.
  std::string save() {
    void* state = nullptr;
    std::size_t size = 0;
    const std::string word = version_ == 2 ? "FMUstate" : "FMUState";
    good(call<int (*)(void*, void**)>("Get" + word)(instance_, &state));
    good(call<int (*)(void*, void*, std::size_t*)>("Serialized" + word + "Size")(instance_, state, &size));
    std::string bytes(size, 0);
    good(call<int (*)(void*, void*, char*, std::size_t)>("Serialize" + word)(instance_, state, bytes.data(), size));
    good(call<int (*)(void*, void**)>("Free" + word)(instance_, &state));
    return bytes;
  }
  void load(const std::string& bytes) {
    void* state = nullptr;
    const std::string word = version_ == 2 ? "DeSerializeFMUstate" : "DeserializeFMUState";
    good(call<int (*)(void*, const char*, std::size_t, void**)>(word)(instance_, bytes.data(), bytes.size(), &state));
    good(call<int (*)(void*, void*)>(version_ == 2 ? "SetFMUstate" : "SetFMUState")(instance_, state));
    good(call<int (*)(void*, void**)>(version_ == 2 ? "FreeFMUstate" : "FreeFMUState")(instance_, &state));
  }
  bool is_refused_with(const std::string& token) {
    void* const old = instance_;
    instance_ = nullptr;
    token_ = token;
    bool refused = false;
    try {
      instantiate(true);
      call<void (*)(void*)>("FreeInstance")(instance_);
    } catch (const std::exception&) {
      refused = true;
    }
    instance_ = old;
    return refused;
  }

  std::string description;
  std::map<std::string, unsigned> outputs;  ///< references by name
  std::size_t states = 0, indicators = 0;

 private:
  template <class F>
  F call(const std::string& name) {
    void* const symbol = dlsym(library_, ("fmi" + std::to_string(version_) + name).c_str());
    if (symbol == nullptr) throw std::runtime_error("there is no function " + name);
    return reinterpret_cast<F>(symbol);
  }
  static void good(int status) {
    if (status != 0) throw std::runtime_error("a call ended with status " + std::to_string(status));
  }
  std::vector<double> get_array(const std::string& name, std::size_t size) {
    std::vector<double> values(size);
    good(call<int (*)(void*, double*, std::size_t)>(name)(instance_, values.data(), size));
    return values;
  }
  std::string attribute(const std::string& name) const {
    std::smatch found;
    std::regex_search(description, found, std::regex(" " + name + "=\"([^\"]*)\""));
    return found.empty() ? "" : found[1].str();
  }
  std::size_t count(const std::string& word) const {
    std::size_t n = 0;
    for (std::size_t at = description.find(word); at != std::string::npos; at = description.find(word, at + 1)) ++n;
    return n;
  }
  void instantiate(bool co_simulation) {
    const std::string token = !token_.empty() ? token_ : attribute(version_ == 2 ? "guid" : "instantiationToken");
    if (version_ == 2) {
      struct Callbacks {
        void (*logger)(void*, const char*, int, const char*, const char*, ...);
        void* (*allocate)(std::size_t, std::size_t);
        void (*free)(void*);
        void (*finished)(void*, int);
        void* environment;
      };
      static const Callbacks callbacks{ignore_message, std::calloc, std::free, nullptr, nullptr};
      instance_ = call<void* (*)(const char*, int, const char*, const char*, const void*, int, int)>("Instantiate")(
          "one", co_simulation ? 1 : 0, token.c_str(), "", &callbacks, 0, 0);
    } else if (co_simulation) {
      instance_ = call<void* (*)(const char*, const char*, const char*, bool, bool, bool, bool, const unsigned*,
                                 std::size_t, void*, void*, void*)>("InstantiateCoSimulation")(
          "one", token.c_str(), "", false, false, false, false, nullptr, 0, nullptr, nullptr, nullptr);
    } else {
      instance_ = call<void* (*)(const char*, const char*, const char*, bool, bool, void*, void*)>(
          "InstantiateModelExchange")("one", token.c_str(), "", false, false, nullptr, nullptr);
    }
    if (instance_ == nullptr) throw std::runtime_error("there is no instance");
  }

  Folder folder_;
  int version_;
  std::string token_;
  void* library_ = nullptr;
  void* instance_ = nullptr;
};

/// Model exchange by the classical Runge–Kutta method: from t to `end` in steps of at most h, cut at events.
class FmuIntegrator {
 public:
  explicit FmuIntegrator(Fmu& fmu, double t) : fmu_(fmu), t_(t) { pass_event(); }

  void advance(double end, double h) {
    while (t_ < end) {
      const double stop = std::min(end, next_);
      double size = std::min(h, stop - t_);
      // no short rest
      if (stop - t_ < 1.5 * h) size = stop - t_;
      const std::vector<double> from = x_;
      std::vector<double> x = step(from, size);
      bool crossed = differs(fmu_.get_indicators());
      if (crossed) {
        double low = 0, high = size;
        while (high - low > 1e-15 * std::abs(t_ + high) && high - low > 1e-14 * size) {
          const double middle = (low + high) / 2;
          step(from, middle);
          (differs(fmu_.get_indicators()) ? high : low) = middle;
        }
        size = high;
        x = step(from, size);
      }
      const bool reaches = !crossed && size == stop - t_;
      x_ = x, t_ = reaches ? stop : t_ + size;
      fmu_.set(t_, x_);
      if (fmu_.completed_step() || crossed || (reaches && stop == next_)) pass_event();
    }
  }
  const std::vector<double>& x() const { return x_; }

 private:
  void pass_event() {
    next_ = fmu_.update().next;
    x_ = fmu_.get_states();
    sides_ = fmu_.get_indicators();
  }
  bool differs(const std::vector<double>& g) const {
    for (std::size_t k = 0; k < g.size(); ++k)
      if ((g[k] > 0) != (sides_[k] > 0)) return true;
    return false;
  }
  std::vector<double> step(const std::vector<double>& x, double h) {
    std::vector<double> sum(x.size(), 0.0), at = x, k;
    const double part[] = {0, 0.5, 0.5, 1}, weight[] = {1 / 6.0, 1 / 3.0, 1 / 3.0, 1 / 6.0};
    for (int i = 0; i < 4; ++i) {
      if (i > 0)
        for (std::size_t j = 0; j < x.size(); ++j) at[j] = x[j] + part[i] * h * k[j];
      fmu_.set(t_ + part[i] * h, at);
      k = fmu_.get_derivatives();
      for (std::size_t j = 0; j < x.size(); ++j) sum[j] += weight[i] * k[j];
    }
    for (std::size_t j = 0; j < x.size(); ++j) at[j] = x[j] + h * sum[j];
    fmu_.set(t_ + h, at);
    return at;
  }

  Fmu& fmu_;
  double t_, next_ = HUGE_VAL;
  std::vector<double> x_, sides_;
};

}  // namespace coenergy::tests
