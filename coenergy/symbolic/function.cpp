#include "coenergy/symbolic/function.hpp"

#include <algorithm>
#include <atomic>
#include <cassert>
#include <future>
#include <mutex>

#include "coenergy/symbolic/interpreter.hpp"
#include "coenergy/symbolic/native.hpp"
#include "coenergy/symbolic/native_switch.hpp"

namespace coenergy::symbolic {

namespace {
/// Programs up to this size are compiled before the constructor returns (about 2 ms), larger ones in the background.
constexpr std::size_t compiled_at_once = 20'000;
/// Of the whole process, since functions are made everywhere.
std::atomic<bool> is_native_off = false;
}  // namespace

struct Function::Impl {
  Impl(Program p, Engine e)
      : program(with_slots(std::move(p))),
        interpreter(program),
        engine(e == Engine::automatic && is_native_off ? Engine::interpreter : e) {
    if (engine == Engine::interpreter) return;
    if (engine == Engine::native || program.code.size() <= compiled_at_once) {
      make_scalar();
    } else {
      background = std::async(std::launch::async, [this] { make_scalar(); }).share();
    }
  }

  static Program with_slots(Program p) {
    if (p.slot.size() != p.code.size()) assign_slots(p);
    return p;
  }

  void make_scalar() {
    owned = make_native(program);
    if (!owned) return;
    assert(owned->work_size() <= native_work_bound(program) && "bug: native code needs more memory than promised");
    native.store(owned.get(), std::memory_order_release);
  }

  const NativeCode* lane_code() const {
    std::call_once(lanes_made, [this] {
      if (engine != Engine::interpreter && Function::lane_count() > 1)
        owned_lanes = make_native(program, {.lanes = Function::lane_count()});
    });
    return owned_lanes.get();
  }

  const Program program;
  const Interpreter interpreter;
  const std::size_t work_size = std::max(interpreter.work_size(), native_work_bound(program));
  const Engine engine;
  std::unique_ptr<const NativeCode> owned;
  std::atomic<const NativeCode*> native = nullptr;
  mutable std::once_flag lanes_made;
  mutable std::unique_ptr<const NativeCode> owned_lanes;
  std::shared_future<void> background;  // last: its destructor waits for the thread
};

void turn_native_code_off() { is_native_off = true; }

Function::Function() = default;
Function::Function(Program program, Engine engine) : impl_(std::make_unique<Impl>(std::move(program), engine)) {}
Function::~Function() = default;
Function::Function(Function&&) noexcept = default;
Function& Function::operator=(Function&&) noexcept = default;

const Program& Function::program() const { return impl_->program; }
std::size_t Function::work_size() const { return impl_ ? impl_->work_size : 0; }

void Function::operator()(const double* in, double* out, double* work) const {
  if (const NativeCode* code = impl_->native.load(std::memory_order_acquire))
    code->run(in, out, work);
  else
    impl_->interpreter.run(in, out, work);
}

int Function::lane_count() {
  static const int lanes = native_lanes();
  return lanes;
}

std::size_t Function::lane_work_size() const {
  if (const NativeCode* code = impl_->lane_code()) return code->work_size();
  return work_size() + impl_->program.inputs.size() + impl_->program.outputs.size();
}

void Function::lanes(const double* in, double* out, double* work) const {
  if (const NativeCode* code = impl_->lane_code()) {
    code->run(in, out, work);
    return;
  }
  // lane by lane through packed copies behind the work array
  const auto w = static_cast<std::size_t>(lane_count());
  double* const x = work + work_size();
  double* const y = x + impl_->program.inputs.size();
  for (std::size_t lane = 0; lane < w; ++lane) {
    for (std::size_t i = 0; i < impl_->program.inputs.size(); ++i) x[i] = in[i * w + lane];
    (*this)(x, y, work);
    for (std::size_t i = 0; i < impl_->program.outputs.size(); ++i) out[i * w + lane] = y[i];
  }
}

bool Function::is_native() const { return impl_->native.load(std::memory_order_acquire) != nullptr; }

void Function::wait_until_native() const {
  if (impl_->background.valid()) impl_->background.wait();
}

OperationCount Function::count() const {
  OperationCount count = impl_->program.count();
  if (const NativeCode* code = impl_->native.load(std::memory_order_acquire)) count.bytes = code->bytes();
  return count;
}

std::optional<std::string> Function::find_bad_value(const double* in) const {
  return symbolic::find_bad_value(impl_->program, in);
}

std::vector<double> evaluate(const Function& f, std::span<const double> in) {
  assert(in.size() == f.program().inputs.size());
  std::vector<double> out(f.program().outputs.size()), work(f.work_size());
  f(in.data(), out.data(), work.data());
  return out;
}

}  // namespace coenergy::symbolic
