#pragma once
#include <memory>
#include <string>
#include <vector>

#include "coenergy/fmi/description.hpp"

namespace coenergy::fmi {

enum class Kind { exchange, cosimulation };

/// An instance of an FMU by its standard C functions, of FMI 2 and 3 alike. Values are numbers in the units of the FMU,
/// variables are given by their index in the description. All functions throw std::runtime_error where the FMU reports
/// an error.
class Slave {
 public:
  struct Setting {
    int variable;
    double value;
  };
  virtual ~Slave() = default;

  /// A fresh instance, initialised at t; of model exchange its first event is carried out.
  virtual void start(double t, double tolerance, const std::vector<Setting>& settings) = 0;
  virtual void set(const std::vector<Setting>& settings) = 0;
  virtual std::vector<double> get(const std::vector<int>& variables) = 0;

  virtual void do_step(double t, double h) = 0;

  virtual std::vector<double> states() = 0;
  virtual void set_point(double t, const std::vector<double>& x) = 0;
  virtual std::vector<double> rates() = 0;
  virtual std::vector<double> indicators() = 0;
  /// Event mode and back; the next time event (infinity: none), and whether states were set.
  struct Event {
    double next = 0;
    bool states_changed = false;
  };
  virtual Event handle_event() = 0;
  /// Of the event at the start.
  virtual double first_time_event() const = 0;

  /// Copies of everything inside, by number; where the FMU can.
  virtual int save() = 0;
  virtual void restore(int copy) = 0;
  virtual void forget(int copy) = 0;
};

/// Loads a shared library. Throws std::runtime_error naming the function that it lacks.
std::unique_ptr<Slave> load_slave(const std::string& library, const std::string& resources,
                                  const Description& description, Kind kind);

}  // namespace coenergy::fmi
