#include "coenergy/compile/user_functions.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <utility>

#include "coenergy/base/argument.hpp"
#include "coenergy/base/names.hpp"
#include "coenergy/base/units.hpp"
#include "coenergy/model/expression.hpp"
#include "coenergy/model/expression_syntax.hpp"
#include "coenergy/model/quantity.hpp"

namespace coenergy::compile {
namespace {

using model::UserFunction;
using model::Value;

/// A function together with the library that it lives in.
struct Loaded {
  explicit Loaded(void* handle) : library(handle) {}
  ~Loaded() { dlclose(library); }
  Loaded(const Loaded&) = delete;
  Loaded& operator=(const Loaded&) = delete;
  void* library;
  symbolic::External function;
};

/// A function of several values with its context. Programs call a value of it by the address and the number of the value,
/// which come before the arguments.
struct Several : Loaded {
  using Loaded::Loaded;
  ~Several() {
    if (destroy != nullptr && context != nullptr) destroy(context);
  }
  Several(const Several&) = delete;
  Several& operator=(const Several&) = delete;

  static constexpr int before = 2;  // address and number of the value
  static const Several& of(const double* x) {
    return *reinterpret_cast<const Several*>(static_cast<std::uintptr_t>(x[0]));
  }
  static double call_value(const double* x) {
    const Several& f = of(x);
    std::vector<double> y(static_cast<std::size_t>(f.values));
    f.evaluate(f.context, x + before, y.data());
    return y[static_cast<std::size_t>(x[1])];
  }
  static double call_derivative(const double* x, int k) {
    const Several& f = of(x);
    std::vector<double> j(static_cast<std::size_t>(f.values * f.arguments));
    f.jacobian(f.context, x + before, j.data());
    return j[static_cast<std::size_t>(x[1]) * static_cast<std::size_t>(f.arguments) +
             static_cast<std::size_t>(k - before)];
  }

  void* context = nullptr;
  int arguments = 0, values = 0;
  void (*destroy)(void*) = nullptr;
  void (*evaluate)(const void*, const double*, double*) = nullptr;
  void (*jacobian)(const void*, const double*, double*) = nullptr;
};

/// Reads one entry of `functions`.
class FunctionReader {
 public:
  FunctionReader(const model::Model& model, const std::string& name, const Value& value)
      : what_("function " + name), model_(model), name_(name), value_(value) {}

  /// By the names that expressions call them by.
  std::vector<std::pair<std::string, UserFunction>> read() const {
    if (!is_identifier(name_)) fail(value_, "a name has letters, digits and underscores, and no digit first");
    if (model::find_function(name_) != nullptr) fail(value_, name_ + " is built in; choose another name");
    if (value_.kind != Value::Kind::map)
      fail(value_, "write " + name_ + ": {library: ./mine.so, arguments: [m/s], unit: N}");
    const std::vector<std::string> known = {"library", "symbol", "arguments", "unit", "values", "context"};
    for (const auto& [key, value] : value_.map)
      if (std::find(known.begin(), known.end(), key) == known.end())
        fail(value,
             "unknown entry \"" + key + "\"" + did_you_mean(key, known) +
                 (did_you_mean(key, known).empty() ? "; known are library, symbol, arguments, unit, values, context"
                                                   : ""));
    UserFunction function;
    function.units = read_arguments();
    function.unit = value_.find("unit") != nullptr ? read_unit(*value_.find("unit")) : model::any_unit;
    if (value_.find("values") == nullptr) {
      if (value_.find("context") != nullptr) fail(*value_.find("context"), "context has no effect without values");
      function.call = load(static_cast<int>(function.units.size()));
      return {{name_, function}};
    }
    const int values = read_count(*value_.find("values"), "values must be the number of values");
    std::vector<std::pair<std::string, UserFunction>> all;
    const auto several = model_.libraries == model::Libraries::replaced
                             ? nullptr
                             : load_several(static_cast<int>(function.units.size()), values);
    for (int k = 0; k < values; ++k) {
      const std::string name = name_ + "_" + std::to_string(k + 1);
      if (several != nullptr) {
        function.call = {several, &several->function};
        function.first = {static_cast<double>(reinterpret_cast<std::uintptr_t>(several.get())), static_cast<double>(k)};
      } else {
        function.call = make_stand_in(name, static_cast<int>(function.units.size()));
      }
      all.emplace_back(name, function);
    }
    return all;
  }

 private:
  [[noreturn]] void fail(const Value& at, const std::string& text) const {
    throw Error(at.where.known() ? at.where : value_.where, what_ + ": " + text);
  }

  const Value& require(const char* key) const {
    const Value* value = value_.find(key);
    if (value == nullptr) fail(value_, std::string(key) + " is missing");
    return *value;
  }

  std::string read_unit(const Value& value) const {
    if (value.kind != Value::Kind::text) fail(value, "a unit must be a text such as N.m");
    if (value.text == "1") return "";
    try {
      parse_unit(value.text);
    } catch (const Error& e) {
      fail(value, e.items().at(0).text);
    }
    return value.text;
  }

  int read_count(const Value& value, const char* what) const {
    char* end = nullptr;
    const long count = std::strtol(value.text.c_str(), &end, 10);
    if (value.kind != Value::Kind::text || value.text.empty() || *end != 0 || count < 1 || count > most)
      fail(value, what);
    return static_cast<int>(count);
  }

  std::vector<double> read_context(const Value& value) const {
    std::vector<double> numbers;
    const std::vector<Value> one = {value};
    for (const Value& item : value.kind == Value::Kind::list ? value.list : one) {
      symbolic::Graph graph;
      std::optional<model::Quantity> q;
      try {
        q = model::Expression::parse(item.text, item.where).evaluate(graph, [](const std::string&) {
          return std::nullopt;
        });
      } catch (const Error&) {
      }
      if (!q || !q->value.is_number()) fail(item, "context must be numbers, such as [1.5, 20 mm]");
      numbers.push_back(q->value.number());
    }
    return numbers;
  }

  std::vector<std::string> read_arguments() const {
    const Value& value = require("arguments");
    std::vector<std::string> units;
    if (value.kind == Value::Kind::list) {
      for (const Value& item : value.list) units.push_back(read_unit(item));
    } else {
      const int count = read_count(value, "arguments must be a list of units, such as [m/s, N], or their number");
      units.assign(static_cast<std::size_t>(count), model::any_unit);
    }
    if (units.empty() || units.size() > most) fail(value, "a function has 1 to 100 arguments");
    return units;
  }

  /// The name of the C function.
  std::string symbol() const {
    const Value* symbol = value_.find("symbol");
    const std::string name = symbol != nullptr ? symbol->text : name_;
    if (!is_identifier(name)) fail(*symbol, "symbol must be the name of a C function");
    return name;
  }

  void* open() const {
    const Value& library = require("library");
    if (library.kind != Value::Kind::text) fail(library, "library must be a file, such as ./mine.so");
    void* handle = dlopen(find_library(library).c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr) fail(library, std::string("the library cannot be loaded: ") + dlerror());
    return handle;
  }

  [[noreturn]] void fail_absent(const std::string& name, const std::string& signature) const {
    const Value* symbol = value_.find("symbol");
    const Value& library = require("library");
    fail(symbol != nullptr ? *symbol : library, std::filesystem::path(library.text).filename().string() +
                                                    " has no function " + name + "; it must be a C function " +
                                                    signature);
  }

  std::shared_ptr<const symbolic::External> load(int arity) const {
    const std::string name = symbol();
    if (model_.libraries == model::Libraries::replaced) return make_stand_in(name, arity);
    const auto loaded = std::make_shared<Loaded>(open());
    const auto find = [&](const std::string& what) { return dlsym(loaded->library, what.c_str()); };
    loaded->function.name = name;
    loaded->function.arity = arity;
    loaded->function.value = reinterpret_cast<double (*)(const double*)>(find(name));
    loaded->function.derivative = reinterpret_cast<double (*)(const double*, int)>(find(name + "_derivative"));
    if (loaded->function.value == nullptr) fail_absent(name, "double " + name + "(const double* x)");
    return {loaded, &loaded->function};
  }

  std::shared_ptr<const Several> load_several(int arguments, int values) const {
    const std::string name = symbol();
    const auto loaded = std::make_shared<Several>(open());
    const auto find = [&](const std::string& what) { return dlsym(loaded->library, what.c_str()); };
    loaded->arguments = arguments, loaded->values = values;
    loaded->evaluate = reinterpret_cast<void (*)(const void*, const double*, double*)>(find(name));
    loaded->jacobian = reinterpret_cast<void (*)(const void*, const double*, double*)>(find(name + "_jacobian"));
    loaded->destroy = reinterpret_cast<void (*)(void*)>(find(name + "_destroy"));
    if (loaded->evaluate == nullptr)
      fail_absent(name, "void " + name + "(const void* context, const double* x, double* y)");
    if (const Value* context = value_.find("context")) {
      const auto create = reinterpret_cast<void* (*)(const double*, int)>(find(name + "_create"));
      if (create == nullptr)
        fail_absent(name + "_create", "void* " + name + "_create(const double* numbers, int count)");
      const std::vector<double> numbers = read_context(*context);
      loaded->context = create(numbers.data(), static_cast<int>(numbers.size()));
      if (loaded->context == nullptr) fail(*context, name + "_create refuses these numbers");
    }
    loaded->function = {name, arguments + Several::before, Several::call_value,
                        loaded->jacobian != nullptr ? Several::call_derivative : nullptr, true};
    return loaded;
  }

  /// The file, where it exists and may be loaded.
  std::filesystem::path find_library(const Value& library) const {
    namespace fs = std::filesystem;
    const fs::path path =
        fs::absolute(fs::path(library.where.file.text()).parent_path() / library.text).lexically_normal();
    if (model_.libraries == model::Libraries::refused)
      fail(library, "the library " + library.text +
                        " is not loaded without your consent, since it can do all that you can; if you trust it, use " +
                        argument("allow-libraries"));
    if (!fs::exists(path)) fail(library, "there is no library " + path.string() + "; make it with cc -shared -fPIC");
    // links are followed first: what counts is where the file is
    const fs::path real = fs::canonical(path), folder = fs::canonical(fs::absolute(model_.file).parent_path());
    const auto [end, rest] = std::mismatch(folder.begin(), folder.end(), real.begin(), real.end());
    if (end != folder.end())
      fail(library, "the library " + path.string() + " is not in the folder of the model, " + folder.string() +
                        "; only those in it are loaded: put a copy there");
    return real;
  }

  /// Never the function itself, for those who only look at names and units.
  static std::shared_ptr<const symbolic::External> make_stand_in(const std::string& name, int arity) {
    auto function = std::make_shared<symbolic::External>();
    function->name = name;
    function->arity = arity;
    function->value = [](const double*) { return 1.0; };
    return function;
  }

  static constexpr int most = 100;
  std::string what_;
  const model::Model& model_;
  const std::string& name_;
  const Value& value_;
};

}  // namespace

model::UserFunctions load_user_functions(const model::Model& model, ErrorList& errors) {
  model::UserFunctions functions;
  for (const auto& [name, function] : model.own_functions) {
    if (!is_identifier(name) || model::find_function(name) != nullptr)
      errors.add({},
                 "function " + name + ": choose another name; letters, digits and underscores, none that is built in");
    functions.emplace(name, *function);
  }
  for (const auto& [name, value] : model.functions) {
    try {
      for (auto& [called, function] : FunctionReader(model, name, value).read())
        functions.emplace(called, std::move(function));
    } catch (const Error& e) {
      errors.add(e);
    }
  }
  return functions;
}

}  // namespace coenergy::compile
