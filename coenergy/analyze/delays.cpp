#include "coenergy/analyze/delays.hpp"

#include <fmt/format.h>

#include <Eigen/LU>

#include "coenergy/analyze/frequency_response.hpp"
#include "coenergy/analyze/linear_deviations.hpp"
#include "coenergy/analyze/linearize.hpp"
#include "coenergy/base/error.hpp"
#include "coenergy/equations/data.hpp"

namespace coenergy::analyze {

void refuse_delays(const equations::System& system, const std::string& what) {
  if (system.delays() == 0) return;
  throw Error(system.data().delays[0].name + " reads the past of a signal, which no finite number of states tells: " +
              what + " cannot follow it; put a lag, a filter or a sampled delay in its place, or run the model");
}

void refuse_varying(const equations::System::Data::Delay& delay) {
  if (delay.varies) throw Error(delay.name + ": its delay varies; a frequency response needs one that is a constant");
}

DelayedModel linearize_delayed(equations::Evaluator& evaluator, const equations::Point& point,
                               const std::vector<std::string>& inputs, const std::vector<std::string>& outputs) {
  const equations::System& s = evaluator.system();
  std::vector<std::string> all_inputs = inputs, all_outputs = outputs;
  if (outputs.empty())
    for (const equations::SignalInfo& signal : s.signals())
      if (!is_of_account(s, signal.name)) all_outputs.push_back(signal.name);
  for (const equations::System::Data::Delay& delay : s.data().delays) {
    refuse_varying(delay);
    all_inputs.push_back(s.parameter_name(delay.added)), all_outputs.push_back(delay.input);
  }
  DelayedModel result{linearize_open(evaluator, point, all_inputs, all_outputs).model, {}};
  std::vector<equations::Evaluator::Delayed> read(static_cast<std::size_t>(s.delays()));
  evaluator.delays(point, read);
  for (const equations::Evaluator::Delayed& delayed : read) result.delays.push_back(point.t - delayed.at);
  return result;
}

std::vector<std::complex<double>> compute_delayed_response(const DelayedModel& model, double omega) {
  const int inputs = model.inputs(), outputs = model.outputs(), delays = static_cast<int>(model.delays.size());
  const std::vector<std::complex<double>> open = compute_frequency_response(model.open, omega);
  const auto part = [&](int row, int column, int rows, int columns) {
    Eigen::MatrixXcd m(rows, columns);
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < columns; ++j) m(i, j) = open[(row + i) * (inputs + delays) + column + j];
    return m;
  };
  Eigen::VectorXcd change(delays);
  for (int k = 0; k < delays; ++k) change(k) = std::polar(1.0, -omega * model.delays[k]) - 1.0;
  const Eigen::MatrixXcd loop =
      Eigen::MatrixXcd::Identity(delays, delays) - part(outputs, inputs, delays, delays) * change.asDiagonal();
  const Eigen::MatrixXcd inner = Eigen::PartialPivLU<Eigen::MatrixXcd>(loop).solve(part(outputs, 0, delays, inputs));
  const Eigen::MatrixXcd h =
      part(0, 0, outputs, inputs) + part(0, inputs, outputs, delays) * change.asDiagonal() * inner;
  if (!h.allFinite())
    throw Error(fmt::format("there is no steady state at {:g} rad/s: the model oscillates freely at it", omega));
  std::vector<std::complex<double>> response;
  for (int i = 0; i < outputs; ++i)
    for (int j = 0; j < inputs; ++j) response.push_back(h(i, j));
  return response;
}

}  // namespace coenergy::analyze
