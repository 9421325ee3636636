// The native half of the Python package: the C++ library (coenergy/coenergy.hpp) with NumPy views of its numbers. What
// runs without Python's lock works on a copy of its model, so that another thread may change the model meanwhile.
#include <pybind11/complex.h>
#include <pybind11/functional.h>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <mutex>
#include <optional>

#include "coenergy/coenergy.hpp"

namespace py = pybind11;
using namespace coenergy;  // NOLINT: this file is all about it
using NoLock = py::call_guard<py::gil_scoped_release>;
using Numbers = py::array_t<double, py::array::c_style | py::array::forcecast>;

namespace {

/// An array that shows memory which `owner` keeps.
template <class Owner>
py::array view(const double* data, std::vector<py::ssize_t> shape, std::vector<py::ssize_t> strides, Owner owner) {
  auto* kept = new Owner(std::move(owner));
  const py::capsule base(kept, [](void* p) { delete static_cast<Owner*>(p); });
  py::array_t<double> array(std::move(shape), std::move(strides), data, base);
  py::detail::array_proxy(array.ptr())->flags &= ~py::detail::npy_api::NPY_ARRAY_WRITEABLE_;
  return array;
}

py::array view(const Column& column, const Result& result) {
  constexpr auto size = static_cast<py::ssize_t>(sizeof(double));
  return view(column.data(), {static_cast<py::ssize_t>(column.size())},
              {static_cast<py::ssize_t>(column.stride()) * size}, result);
}

py::array copy(const std::vector<double>& values, std::size_t rows, std::size_t columns) {
  py::array_t<double> array({rows, columns});
  std::copy(values.begin(), values.end(), array.mutable_data());
  return array;
}

/// coenergy.Error of Python, with every mistake and its place.
void raise_error(const Error& e) {
  const py::object type = py::module_::import("coenergy.errors").attr("Error");
  py::list items;
  for (const Error::Item& item : e.items()) {
    const bool known = item.where.known();
    items.append(py::make_tuple(known ? py::object(py::str(item.where.file.text())) : py::none(),
                                item.where.line > 0 ? py::object(py::int_(item.where.line)) : py::none(),
                                item.where.column > 0 ? py::object(py::int_(item.where.column)) : py::none(),
                                item.text));
  }
  const py::object error = type(e.what(), items);
  PyErr_SetObject(type.ptr(), error.ptr());
}

void translate(std::exception_ptr pointer) {
  try {
    if (pointer) std::rethrow_exception(pointer);
  } catch (const Error& e) {
    raise_error(e);
  } catch (const Failure& e) {
    const py::object type = py::module_::import("coenergy.errors").attr("Failure");
    PyErr_SetString(type.ptr(), e.what());
  }
}

Options make_options(const py::dict& given, const py::object& progress) {
  Options options;
  const auto number = [&](const char* name, std::optional<double>& to) {
    if (given.contains(name)) to = given[name].cast<double>();
  };
  number("t_end", options.t_end), number("step", options.step), number("output_step", options.output_step);
  number("rtol", options.rtol), number("atol", options.atol);
  if (given.contains("method")) options.method = given["method"].cast<Method>();
  if (given.contains("signals")) options.signals = given["signals"].cast<std::vector<std::string>>();
  if (!progress.is_none())
    options.progress = [&progress](double t, double fraction) {
      const py::gil_scoped_acquire lock;
      const py::object answer = progress(t, fraction);
      return answer.is_none() || answer.cast<bool>();
    };
  return options;
}

Numbers evaluate(const Function& f, const Numbers& in) {
  if (in.ndim() != 2 || static_cast<std::size_t>(in.shape(1)) != f.input_size())
    throw Error("function: the rows must have " + std::to_string(f.input_size()) + " numbers");
  const auto rows = static_cast<std::size_t>(in.shape(0));
  Numbers out({rows, f.output_size()});
  const double* from = in.data();
  double* to = out.mutable_data();
  const py::gil_scoped_release unlocked;
  if (rows > 0) f.evaluate(from, to, rows);
  return out;
}

void define_results(py::module_& m) {
  py::class_<Result>(m, "Result")
      .def_property_readonly("names", &Result::names)
      .def_property_readonly("unit_list", &Result::units)
      .def_property_readonly("rows", &Result::rows)
      .def_property_readonly("t", [](const Result& r) { return view(r.time(), r); })
      .def_property_readonly("values",
                             [](const Result& r) {
                               const auto rows = static_cast<py::ssize_t>(r.rows()),
                                          columns = static_cast<py::ssize_t>(r.names().size());
                               constexpr auto size = static_cast<py::ssize_t>(sizeof(double));
                               return view(r.values(), {rows, columns}, {columns * size, size}, r);
                             })
      .def("column", [](const Result& r, const std::string& name) { return view(r[name], r); })
      .def_property_readonly("status",
                             [](const Result& r) {
                               return r.status() == Result::Status::done     ? "done"
                                      : r.status() == Result::Status::failed ? "failed"
                                                                             : "stopped";
                             })
      .def_property_readonly("text", &Result::text)
      .def_property_readonly("notes", &Result::notes)
      .def_property_readonly("steps", &Result::steps)
      .def_property_readonly("wall_time", &Result::wall_time)
      .def("write", &Result::write, NoLock())
      .def("html", &Result::html, NoLock());
  py::class_<LinearModel>(m, "LinearModel")
      .def_property_readonly("A", [](const LinearModel& s) { return copy(s.a, s.states.size(), s.states.size()); })
      .def_property_readonly("B", [](const LinearModel& s) { return copy(s.b, s.states.size(), s.inputs.size()); })
      .def_property_readonly("C", [](const LinearModel& s) { return copy(s.c, s.outputs.size(), s.states.size()); })
      .def_property_readonly("D", [](const LinearModel& s) { return copy(s.d, s.outputs.size(), s.inputs.size()); })
      .def_readonly("states", &LinearModel::states)
      .def_readonly("inputs", &LinearModel::inputs)
      .def_readonly("outputs", &LinearModel::outputs)
      .def_readonly("state_units", &LinearModel::state_units)
      .def_readonly("input_units", &LinearModel::input_units)
      .def_readonly("output_units", &LinearModel::output_units)
      .def_readonly("period", &LinearModel::period)
      .def_readonly("notes", &LinearModel::notes);
}

/// A simulator for one thread at a time, until it is closed.
class Driven {
 public:
  explicit Driven(Simulator simulator) : simulator_(std::move(simulator)) {}
  template <class Action>
  auto with(Action&& action) {
    const std::lock_guard lock(mutex_);
    if (!simulator_) throw Error("the simulator is closed");
    return action(*simulator_);
  }
  void close() {
    const std::lock_guard lock(mutex_);
    simulator_.reset();
  }

 private:
  std::mutex mutex_;
  std::optional<Simulator> simulator_;
};

void define_simulator(py::module_& m) {
  py::class_<Driven>(m, "Simulator")
      .def(
          "set",
          [](Driven& d, const std::string& name, double value) { d.with([&](Simulator& s) { s.set(name, value); }); },
          NoLock())
      .def(
          "get", [](Driven& d, const std::string& name) { return d.with([&](Simulator& s) { return s.get(name); }); },
          NoLock())
      .def("values",
           [](Driven& d) {
             const std::vector<double> values = [&] {
               const py::gil_scoped_release unlocked;
               return d.with([](Simulator& s) { return s.values(); });
             }();
             return py::array_t<double>(static_cast<py::ssize_t>(values.size()), values.data());
           })
      .def(
          "step", [](Driven& d, double dt) { return d.with([&](Simulator& s) { return s.step(dt); }); }, NoLock())
      .def(
          "advance_to", [](Driven& d, double t) { return d.with([&](Simulator& s) { return s.advance_to(t); }); },
          NoLock())
      .def_property_readonly("time", [](Driven& d) { return d.with([](Simulator& s) { return s.time(); }); })
      .def("save",
           [](Driven& d) {
             const std::string state = [&] {
               const py::gil_scoped_release unlocked;
               return d.with([](Simulator& s) { return s.save(); });
             }();
             return py::bytes(state);
           })
      .def("load",
           [](Driven& d, const py::bytes& state) {
             const std::string bytes = state;
             const py::gil_scoped_release unlocked;
             d.with([&](Simulator& s) { s.load(bytes); });
           })
      .def("close", &Driven::close, NoLock())
      .def("__enter__", [](py::object self) { return self; })
      .def("__exit__", [](Driven& d, const py::args&) { d.close(); });
  py::class_<Function>(m, "Function")
      .def_property_readonly("arguments",
                             [](const Function& f) {
                               py::list all;
                               for (const Function::Argument& a : f.inputs())
                                 all.append(py::make_tuple(a.name, a.meaning, a.entries, a.start));
                               return all;
                             })
      .def_property_readonly("results",
                             [](const Function& f) {
                               py::list all;
                               for (const Function::Argument& a : f.outputs())
                                 all.append(py::make_tuple(a.name, a.meaning, a.entries, a.start));
                               return all;
                             })
      .def("evaluate", &evaluate);
}

void define_model(py::module_& m) {
  py::class_<Model>(m, "Model")
      .def(py::init<const std::string&>())
      .def(py::init<const Model&>())
      .def_static("load", &Model::load)
      .def_static("parse", &Model::parse)
      .def("add", &Model::add)
      .def("set", py::overload_cast<const std::string&, const std::string&>(&Model::set))
      .def("get", &Model::get)
      .def("add_function",
           [](Model& model, const std::string& name, std::size_t address, const std::vector<std::string>& units) {
             model.add_function(name, reinterpret_cast<double (*)(const double*)>(address), units);
           })
      .def("allow_libraries", &Model::allow_libraries)
      .def_property_readonly("title", &Model::title)
      .def_property_readonly("file", &Model::file)
      .def_property_readonly("text", &Model::text)
      .def("signals",
           [](const Model& model) {
             py::dict all;
             for (const Signal& s : model.signals()) all[py::str(s.name)] = s.unit;
             return all;
           })
      .def("parameters",
           [](const Model& model) {
             py::dict all;
             for (const Parameter& p : model.parameters()) all[py::str(p.name)] = py::make_tuple(p.value, p.unit);
             return all;
           })
      .def("notes", &Model::notes)
      .def("run",
           [](const Model& changing, const py::dict& given, const py::object& progress) {
             const Options options = make_options(given, progress);
             const Model model = changing;
             const py::gil_scoped_release unlocked;
             return model.run(options);
           })
      .def("simulator",
           [](const Model& changing, const py::dict& given) {
             const Options options = make_options(given, py::none());
             const Model model = changing;
             const py::gil_scoped_release unlocked;
             return std::make_unique<Driven>(model.simulator(options));
           })
      .def("linearize",
           [](const Model& changing, const LinearOptions& options) {
             const Model model = changing;
             const py::gil_scoped_release unlocked;
             return model.linearize(options);
           })
      .def("modes",
           [](const Model& changing, const LinearOptions& options) {
             const Model model = changing;
             Modes found;
             {
               const py::gil_scoped_release unlocked;
               found = model.modes(options);
             }
             py::list all;
             for (const Mode& mode : found.modes)
               all.append(py::make_tuple(mode.eigenvalue, mode.frequency, mode.damping, mode.shape));
             return py::make_tuple(found.names, all);
           })
      .def("bode",
           [](const Model& changing, const LinearOptions& options, double from, double to, int points) {
             const Model model = changing;
             FrequencyResponse found;
             {
               const py::gil_scoped_release unlocked;
               found = model.bode(options, from, to, points);
             }
             py::array_t<std::complex<double>> values(
                 {found.frequencies.size(), found.outputs.size(), found.inputs.size()});
             std::copy(found.values.begin(), found.values.end(), values.mutable_data());
             return py::make_tuple(py::array_t<double>(py::cast(found.frequencies)), found.inputs, found.outputs,
                                   values);
           })
      .def("equilibrium",
           [](const Model& changing) {
             const Model model = changing;
             Equilibrium found;
             {
               const py::gil_scoped_release unlocked;
               found = model.equilibrium();
             }
             py::dict signals;
             for (std::size_t k = 0; k < found.signals.size(); ++k)
               signals[py::str(found.signals[k].name)] = py::make_tuple(found.values[k], found.signals[k].unit);
             return py::make_tuple(signals, found.stable, found.lowest_eigenvalue);
           })
      .def("function", &Model::function, NoLock());
}

}  // namespace

PYBIND11_MODULE(_coenergy, m) {
  m.attr("version") = library_version();
  py::register_exception_translator(&translate);
  py::enum_<Method>(m, "Method")
      .value("radau", Method::radau)
      .value("esdirk", Method::esdirk)
      .value("dopri", Method::dopri)
      .value("dop853", Method::dop853)
      .value("ida", Method::ida)
      .value("cvode", Method::cvode)
      .value("generalized_alpha", Method::generalized_alpha)
      .value("hht", Method::hht)
      .value("newmark", Method::newmark)
      .value("jansen", Method::jansen)
      .value("backward_euler", Method::backward_euler)
      .value("rk4", Method::rk4)
      .value("trapez", Method::trapez)
      .value("euler", Method::euler);
  py::enum_<At>(m, "At")
      .value("start", At::start)
      .value("time", At::time)
      .value("equilibrium", At::equilibrium)
      .value("steady", At::steady);
  py::class_<LinearOptions>(m, "LinearOptions")
      .def(py::init<>())
      .def_readwrite("inputs", &LinearOptions::inputs)
      .def_readwrite("outputs", &LinearOptions::outputs)
      .def_readwrite("at", &LinearOptions::at)
      .def_readwrite("time", &LinearOptions::time);
  define_results(m);
  define_simulator(m);
  define_model(m);
}
