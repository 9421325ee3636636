#include "coenergy/equations/signal_reader.hpp"

#include "coenergy/equations/data.hpp"
#include "coenergy/equations/open_equations.hpp"
#include "coenergy/symbolic/algebra.hpp"

namespace coenergy::equations {

SignalReader::SignalReader(const Evaluator& evaluator, std::span<const int> signals) {
  const System::Data& data = evaluator.system().data();
  const Kernel& own = *data.kernels.front();
  const Layout& l = data.layout;
  std::vector<symbolic::Expr> expressions;
  for (int k : signals) expressions.push_back(data.signal_values[static_cast<std::size_t>(k)]);
  const OpenEquations equations(data);
  const std::vector<symbolic::Expr> symbols = symbolic::free_symbols(expressions);
  function_ = make_function(symbols, expressions);
  work_.resize(function_.work_size());
  values_.assign(symbols.size(), 0);

  // where each value comes from; the time stands first
  const System& s = evaluator.system();
  struct Part {
    std::vector<double> Point::*values;
    int size;
    std::vector<int>* needs;
  };
  const Part parts[] = {{&Point::q, s.nq(), nullptr},   {&Point::v, s.nv(), nullptr},
                        {&Point::a, s.nv(), nullptr},   {&Point::lambda, s.nl(), &needs_.lambda},
                        {&Point::x, s.nx(), &needs_.x}, {&Point::xd, s.nx(), &needs_.xd},
                        {&Point::y, s.ny(), &needs_.y}, {&Point::d, s.nd(), nullptr}};
  for (std::size_t i = 0; i < symbols.size(); ++i) {
    const Address at = own.set->variables.address(symbols[i]);
    if (at.source == Source::time) time_ = static_cast<int>(i);
    if (at.source == Source::parameter) values_[i] = evaluator.parameter(at.index);
    const int place = l.value_index(at);
    int first = 1;
    for (const Part& part : parts) {
      if (place >= first && place < first + part.size) {
        copies_.push_back({part.values, place - first, static_cast<int>(i)});
        if (part.needs != nullptr)
          part.needs->push_back(place - first);
        else if (part.values != &Point::d)
          needs_.motion = true;
      }
      first += part.size;
    }
  }
}

void SignalReader::read(const Point& p, std::span<double> values) {
  if (time_ >= 0) values_[static_cast<std::size_t>(time_)] = p.t;
  for (const Copy& c : copies_)
    values_[static_cast<std::size_t>(c.place)] = (p.*c.part)[static_cast<std::size_t>(c.index)];
  function_(values_.data(), values.data(), work_.data());
}

}  // namespace coenergy::equations
