#include "coenergy/symbolic/function.hpp"
#include "coenergy/domains/standard.hpp"
#include "coenergy/generate/routine.hpp"
#include "coenergy/library/prepared.hpp"
#include "coenergy/model/expand.hpp"

namespace coenergy {

struct Function::Impl {
  std::vector<Argument> inputs, outputs;
  std::size_t input_size = 0, output_size = 0;
  symbolic::Function function;
};

const std::vector<Function::Argument>& Function::inputs() const { return impl_->inputs; }
const std::vector<Function::Argument>& Function::outputs() const { return impl_->outputs; }
std::size_t Function::input_size() const { return impl_->input_size; }
std::size_t Function::output_size() const { return impl_->output_size; }

void Function::evaluate(const double* in, double* out, std::size_t rows) const {
  const std::size_t n = impl_->input_size, m = impl_->output_size;
  const auto lanes = static_cast<std::size_t>(symbolic::Function::lane_count());
  std::vector<double> packed_in(n * lanes), packed_out(m * lanes), work(impl_->function.lane_work_size());
  for (std::size_t row = 0; row < rows; row += lanes) {
    // the last rows are filled up with the last one
    for (std::size_t k = 0; k < lanes; ++k)
      for (std::size_t i = 0; i < n; ++i) packed_in[i * lanes + k] = in[std::min(row + k, rows - 1) * n + i];
    impl_->function.lanes(packed_in.data(), packed_out.data(), work.data());
    for (std::size_t k = 0; k < lanes && row + k < rows; ++k)
      for (std::size_t i = 0; i < m; ++i) out[(row + k) * m + i] = packed_out[i * lanes + k];
  }
}

Function Model::function(const std::string& task) const {
  generate::Request request;
  std::vector<std::string> known;
  bool found = false;
  for (const generate::Task t :
       {generate::Task::inverse_dynamics, generate::Task::forward_dynamics, generate::Task::mass_matrix,
        generate::Task::kinematics, generate::Task::constraints}) {
    known.emplace_back(generate::name(t));
    if (known.back() == task) request.task = t, found = true;
  }
  if (!found) throw Error("there is no function \"" + task + "\"" + did_you_mean(task, known));
  const model::Registry registry = domains::make_standard_registry();
  const model::Model flat = is_hierarchical(impl_->model) ? expand(impl_->model, registry) : impl_->model;
  generate::Generated generated =
      library::with_places(flat, [&] { return generate::generate(flat, registry, request); });
  if (!generated.parts.empty())
    throw Error("function: mechanisms with closed loops have no single function; the verb generate writes theirs");
  auto impl = std::make_shared<Function::Impl>();
  const auto take = [](const std::vector<generate::Array>& arrays, std::vector<Function::Argument>& to) {
    std::size_t size = 0;
    for (const generate::Array& array : arrays) {
      Function::Argument argument{array.name, array.meaning, {}, {}};
      for (const generate::Array::Entry& e : array.entries)
        argument.entries.push_back(e.name), argument.start.push_back(e.start);
      size += argument.entries.size();
      to.push_back(std::move(argument));
    }
    return size;
  };
  impl->input_size = take(generated.main.inputs, impl->inputs);
  impl->output_size = take(generated.main.outputs, impl->outputs);
  impl->function = symbolic::Function(std::move(generated.main.program), symbolic::Engine::native);
  Function function;
  function.impl_ = std::move(impl);
  return function;
}

}  // namespace coenergy
