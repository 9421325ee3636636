#include "apps/coenergy/optimize_motion.hpp"

#include <fmt/core.h>

#include "apps/coenergy/answer.hpp"
#include "apps/coenergy/answer_report.hpp"
#include "apps/coenergy/target.hpp"
#include "coenergy/base/names.hpp"
#include "coenergy/io/csv.hpp"
#include "coenergy/study/trajectory.hpp"

namespace coenergy::app {

namespace {

using Course = study::Trajectory::Course;

std::vector<double> column(const Course& c, std::size_t k) {
  std::vector<double> values;
  for (std::size_t row = 0; row < c.values.size() / c.names.size(); ++row)
    values.push_back(c.values[row * c.names.size() + k]);
  return values;
}

Report make_motion_page(const nlohmann::json& answer, const Course& course) {
  Report report = begin_report("optimize", answer);
  report.summary.insert(report.summary.begin(), {"duration", format_number(course.duration) + " s"});
  const std::vector<double> time = column(course, 0);
  for (std::size_t k = 1; k < course.names.size(); ++k) {
    ReportChart chart{course.names[k], "time [s]",
                      "[" + (course.units[k].empty() ? std::string("–") : course.units[k]) + "]"};
    chart.curves.push_back({course.names[k], time, column(course, k)});
    report.charts.push_back(std::move(chart));
  }
  return report;
}

}  // namespace

int optimize_motion(const OptimizeArguments& arguments, const model::Model& model) {
  if (arguments.starts > 0) throw Error("--starts: a motion is sought from one straight way");
  const study::Trajectory trajectory(model, [](const model::Model& m, const std::vector<std::string>& inputs) {
    return prepare(m, inputs).compiled.system;
  });
  study::MinimumOptions options;
  options.method = arguments.method;
  options.tolerance = arguments.tolerance > 0 ? arguments.tolerance : 1e-8;
  const study::Minimum best = study::find_minimum(trajectory.problem(), options);
  if (!best.good) throw Failure("optimize: " + best.text);
  const Course course = trajectory.course(best.x);
  nlohmann::json j = begin_answer(model.file, model.notes);
  j["objective"] = best.f, j["maximizes"] = false, j["duration"] = course.duration;
  j["units"]["duration"] = "s";
  if (trajectory.minimizes_time()) j["units"]["objective"] = "s";
  j["method"] = best.method, j["iterations"] = best.iterations, j["nodes"] = course.values.size() / course.names.size();
  const std::size_t last = course.values.size() - course.names.size();
  for (std::size_t k = 1; k < course.names.size(); ++k)
    j["final"][course.names[k]] = course.values[last + k], j["units"][course.names[k]] = course.units[k];
  if (!arguments.output.empty()) {
    write_result([&] { io::write_csv(arguments.output, course.names, course.units, course.values); });
    j["output"] = arguments.output;
  }
  if (!arguments.model.report.empty()) write_page(arguments.model.report, make_motion_page(j, course));
  if (arguments.model.json) return print_answer(j);
  fmt::print("minimum {} by {}, {} iterations\nduration {} s\n", format_number(best.f), best.method, best.iterations,
             format_number(course.duration));
  if (!arguments.output.empty()) fmt::print("result: {}\n", arguments.output);
  return 0;
}

}  // namespace coenergy::app
