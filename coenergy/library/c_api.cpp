#include <algorithm>
#include <new>

#include "coenergy/coenergy.h"
#include "coenergy/coenergy.hpp"

struct coenergy_model {
  coenergy::Model model;
};
struct coenergy_simulator {
  coenergy::Simulator simulator;
};
struct coenergy_result {
  coenergy::Result result;
};

namespace {

thread_local std::string last_error;

enum { failed = 1, wrong = 2, ended = 3 };

/// No exception leaves the library.
template <class Action>
int guard(Action&& action) {
  try {
    return action();
  } catch (const coenergy::Error& e) {
    last_error = e.what();
    return wrong;
  } catch (const std::bad_alloc&) {
    last_error = "the memory does not suffice";
    return failed;
  } catch (const std::exception& e) {
    last_error = e.what();
    return failed;
  }
}

template <class T, class Make>
T* make(Make&& action) {
  T* made = nullptr;
  guard([&] {
    made = new T{action()};
    return 0;
  });
  return made;
}

void check(const void* pointer, const char* what) {
  if (pointer == nullptr) throw coenergy::Error(std::string(what) + " is NULL");
}

}  // namespace

const char* coenergy_version(void) {
  static const std::string version = coenergy::library_version();
  return version.c_str();
}
const char* coenergy_error(void) { return last_error.c_str(); }

coenergy_model* coenergy_load(const char* path) {
  return make<coenergy_model>([&] {
    check(path, "path");
    return coenergy::Model::load(path);
  });
}
void coenergy_free_model(coenergy_model* model) { delete model; }

int coenergy_set(coenergy_model* model, const char* path, const char* value) {
  return guard([&] {
    check(model, "model"), check(path, "path"), check(value, "value");
    model->model.set(path, std::string(value));
    return 0;
  });
}

coenergy_result* coenergy_run(const coenergy_model* model, double t_end) {
  return make<coenergy_result>([&] {
    check(model, "model");
    coenergy::Options options;
    if (t_end >= 0) options.t_end = t_end;
    return model->model.run(options);
  });
}

coenergy_simulator* coenergy_simulate(const coenergy_model* model) {
  return make<coenergy_simulator>([&] {
    check(model, "model");
    return model->model.simulator();
  });
}
void coenergy_free_simulator(coenergy_simulator* simulator) { delete simulator; }

int coenergy_set_input(coenergy_simulator* simulator, const char* name, double value) {
  return guard([&] {
    check(simulator, "simulator"), check(name, "name");
    simulator->simulator.set(name, value);
    return 0;
  });
}
int coenergy_step(coenergy_simulator* simulator, double dt) {
  return guard([&] {
    check(simulator, "simulator");
    return simulator->simulator.step(dt) ? 0 : int(ended);
  });
}
int coenergy_get(coenergy_simulator* simulator, const char* name, double* value) {
  return guard([&] {
    check(simulator, "simulator"), check(name, "name"), check(value, "value");
    *value = simulator->simulator.get(name);
    return 0;
  });
}
int coenergy_save(coenergy_simulator* simulator, void* buffer, size_t* size) {
  return guard([&] {
    check(simulator, "simulator"), check(size, "size");
    const std::string state = simulator->simulator.save();
    if (buffer != nullptr && *size < state.size())
      throw coenergy::Error("save: the state has " + std::to_string(state.size()) + " bytes, the buffer only " +
                            std::to_string(*size));
    if (buffer != nullptr) std::copy(state.begin(), state.end(), static_cast<char*>(buffer));
    *size = state.size();
    return 0;
  });
}
int coenergy_load_state(coenergy_simulator* simulator, const void* buffer, size_t size) {
  return guard([&] {
    check(simulator, "simulator"), check(buffer, "buffer");
    simulator->simulator.load(std::string(static_cast<const char*>(buffer), size));
    return 0;
  });
}

void coenergy_free_result(coenergy_result* result) { delete result; }
size_t coenergy_rows(const coenergy_result* result) { return result == nullptr ? 0 : result->result.rows(); }
size_t coenergy_signals(const coenergy_result* result) { return result == nullptr ? 0 : result->result.names().size(); }
const char* coenergy_signal_name(const coenergy_result* result, size_t signal) {
  return signal < coenergy_signals(result) ? result->result.names()[signal].c_str() : nullptr;
}
const char* coenergy_signal_unit(const coenergy_result* result, size_t signal) {
  return signal < coenergy_signals(result) ? result->result.units()[signal].c_str() : nullptr;
}
int coenergy_read(const coenergy_result* result, const char* signal, double* values) {
  return guard([&] {
    check(result, "result"), check(signal, "signal"), check(values, "values");
    const coenergy::Column column = result->result[signal];
    for (std::size_t k = 0; k < column.size(); ++k) values[k] = column[k];
    return 0;
  });
}
int coenergy_write(const coenergy_result* result, const char* path) {
  return guard([&] {
    check(result, "result"), check(path, "path");
    result->result.write(path);
    return 0;
  });
}
const char* coenergy_ended(const coenergy_result* result) {
  return result == nullptr ? "" : result->result.text().c_str();
}
int coenergy_status(const coenergy_result* result) {
  return result == nullptr ? int(wrong) : result->result.status() == coenergy::Result::Status::failed ? int(failed) : 0;
}
