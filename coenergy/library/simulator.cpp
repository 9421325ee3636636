#include "coenergy/solve/simulation.hpp"

#include "coenergy/library/prepared.hpp"

namespace coenergy {

struct Simulator::Impl {
  Impl(std::shared_ptr<const library::Prepared> p, solve::Options options)
      : prepared(std::move(p)), evaluator(prepared->compiled.system), simulation(evaluator, options, make_hooks()) {}
  static solve::Hooks make_hooks() {
    solve::Hooks hooks;
    hooks.keep_rows = false;
    return hooks;
  }
  const equations::System& system() const { return prepared->compiled.system; }

  /// Signals at the present instant, computed when they are first asked for there.
  const std::vector<double>& values() {
    if (!is_fresh) {
      signals = simulation.signals();
      is_fresh = true;
      check();
    }
    return signals;
  }
  /// Failures are told by those who go on.
  void check() const {
    if (simulation.result().status == solve::Status::failed) throw Failure(simulation.result().text);
  }

  std::shared_ptr<const library::Prepared> prepared;
  equations::Evaluator evaluator;
  solve::Simulation simulation;
  std::vector<double> signals;
  bool is_fresh = false;
};

Simulator::Simulator(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Simulator::Simulator(Simulator&&) noexcept = default;
Simulator& Simulator::operator=(Simulator&&) noexcept = default;
Simulator::~Simulator() = default;

void Simulator::set(const std::string& name, double value) {
  impl_->simulation.set_input(name, value);
  impl_->is_fresh = false;
}

double Simulator::get(const std::string& name) {
  if (name == "time") return time();
  const int k = impl_->system().find_signal(name);
  if (k >= 0) return value(k);
  if (impl_->system().find_parameter(name) >= 0) return impl_->simulation.input(name);
  return value(impl_->system().get_signal(name, "get"));
}

std::vector<double> Simulator::values() { return impl_->values(); }

bool Simulator::step(double dt) {
  if (!(dt > 0)) throw Error("step: dt must be > 0");
  return advance_to(time() + dt);
}

bool Simulator::advance_to(double t) {
  impl_->is_fresh = false;
  const bool goes_on = impl_->simulation.advance_to(t);
  impl_->check();
  return goes_on;
}

double Simulator::time() {
  const double t = impl_->simulation.now().t;
  impl_->check();
  return t;
}

std::string Simulator::save() { return impl_->simulation.save(); }
void Simulator::load(const std::string& state) {
  impl_->simulation.load(state);
  impl_->is_fresh = false;
}

int Simulator::find(const std::string& signal) const { return impl_->system().get_signal(signal, "find"); }
double Simulator::value(int signal) { return impl_->values().at(static_cast<std::size_t>(signal)); }
int Simulator::find_input(const std::string& parameter) const {
  const int k = impl_->system().find_parameter(parameter);
  if (k >= 0) return k;
  std::vector<std::string> known;
  for (int i = 0; i < impl_->system().parameters(); ++i) known.push_back(impl_->system().parameter_name(i));
  throw Error("there is no parameter \"" + parameter + "\"" + did_you_mean(parameter, known));
}
void Simulator::set_value(int parameter, double value) { set(impl_->system().parameter_name(parameter), value); }

Simulator Model::simulator(const Options& options) const {
  const auto prepared = impl_->prepare();
  solve::Options read = library::make_options(prepared->model, options);
  return library::with_places(prepared->model,
                              [&] { return Simulator(std::make_unique<Simulator::Impl>(prepared, std::move(read))); });
}

}  // namespace coenergy
