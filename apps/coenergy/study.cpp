#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <thread>

#include "apps/coenergy/answer.hpp"
#include "apps/coenergy/answer_report.hpp"
#include "apps/coenergy/interruption.hpp"
#include "apps/coenergy/study_page.hpp"
#include "apps/coenergy/target.hpp"
#include "coenergy/base/names.hpp"
#include "coenergy/base/version.hpp"
#include "coenergy/domains/standard.hpp"
#include "coenergy/io/model_writer.hpp"
#include "coenergy/io/output_file.hpp"
#include "coenergy/io/result_writer.hpp"
#include "coenergy/study/ensemble.hpp"
#include "coenergy/study/statistics.hpp"

namespace coenergy::app {

namespace {

using study::Design;

study::Sampling read_sampling(const std::string& word) {
  const std::vector<std::pair<std::string, study::Sampling>> words = {{"random", study::Sampling::random},
                                                                      {"lhs", study::Sampling::latin_hypercube},
                                                                      {"sobol", study::Sampling::sobol},
                                                                      {"saltelli", study::Sampling::saltelli}};
  std::vector<std::string> known;
  for (const auto& [name, sampling] : words) {
    if (name == word) return sampling;
    known.push_back(name);
  }
  throw Error("--sampling " + word + ": it must be random, lhs, sobol or saltelli" + did_you_mean(word, known));
}

std::vector<Design::Correlation> read_correlations(const std::vector<std::string>& texts) {
  std::vector<Design::Correlation> all;
  for (const std::string& text : texts) {
    const std::size_t comma = text.find(','), equals = text.find('=');
    char* end = nullptr;
    const double value = equals == std::string::npos ? 0 : std::strtod(text.c_str() + equals + 1, &end);
    if (comma == std::string::npos || equals == std::string::npos || comma > equals ||
        end == text.c_str() + equals + 1 || *end != 0)
      throw Error("--correlate " + text + ": write ENTRY,ENTRY=0.8");
    all.push_back({text.substr(0, comma), text.substr(comma + 1, equals - comma - 1), value});
  }
  return all;
}

/// All that the results depend on, in words: what a folder of finished chunks is known by.
std::string describe_study(const StudyArguments& a, const Prepared& p, std::uint64_t chunk) {
  std::string text = fmt::format("coenergy {} study, chunks of {}\n", version, chunk);
  for (const std::string& vary : a.vary) text += "vary " + vary + "\n";
  for (const std::string& c : a.correlate) text += "correlate " + c + "\n";
  for (const std::string& m : a.measures) text += "measure " + m + "\n";
  text += fmt::format("samples {} seed {} sampling {}\n", a.samples, a.seed, a.sampling);
  return text + io::to_model_text(p.model);
}

/// Progress on a terminal: share done, and how long the rest may take.
class Meter {
 public:
  Meter(std::uint64_t all, bool enabled) : all_(all), enabled_(enabled && isatty(fileno(stderr)) != 0) {}
  ~Meter() {
    if (shown_) fmt::print(stderr, "\r\033[K");
  }
  void show(std::uint64_t done) {
    const double time = seconds();
    if (!enabled_ || time - last_ < 0.5 || done == 0) return;
    last_ = time, shown_ = true;
    const double left = time / static_cast<double>(done) * static_cast<double>(all_ - done);
    fmt::print(stderr, "\r\033[K{} of {} variants ({:.0f} %), {:.0f} s left", done, all_,
               100 * static_cast<double>(done) / static_cast<double>(all_), left);
  }
  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count(); }

 private:
  std::uint64_t all_;
  bool enabled_, shown_ = false;
  double last_ = 0;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

std::string quote(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : c == '\n' ? " " : std::string(1, c);
  return quoted + "\"";
}

/// Rows of the result: variant, what varied, measures, and why there is none: the last column of a .csv; other formats
/// have a mark in it, and the reasons in their head.
class ResultRows {
 public:
  ResultRows(const std::string& path, const model::Model& model, const study::Settings& settings,
             const std::vector<study::RunMeasure>& measures, const std::string& failures) {
    if (path.empty()) return;
    std::vector<std::string> names{"variant"}, units{""};
    for (std::size_t k = 0; k < settings.size(); ++k)
      names.push_back(settings.path(k)), units.push_back(settings.unit(k));
    for (const study::RunMeasure& m : measures) names.push_back(m.text), units.push_back(m.unit);
    if (!path.ends_with(".csv")) {
      names.emplace_back("failed"), units.emplace_back("");
      io::ResultHeader header{
          names, units, model.title, model.file, io::to_model_text(model), {}, {{"failures", failures}}};
      writer_ = io::make_result_writer(path, header);
      return;
    }
    file_.emplace(path);
    for (std::size_t k = 0; k < names.size(); ++k) {
      const bool plain = names[k].find_first_of(",\"") == std::string::npos;
      text_ += (k > 0 ? "," : "") + (plain ? names[k] : quote(names[k]));
    }
    text_ += ",failure\n";
    for (const std::string& unit : units) text_ += (unit.empty() ? "-" : unit) + ",";
    text_ += "-\n";
  }
  void add(std::uint64_t variant, std::span<const double> settings, std::span<const double> values,
           const std::string& failure) {
    if (writer_) {
      row_.assign(1, static_cast<double>(variant));
      row_.insert(row_.end(), settings.begin(), settings.end());
      row_.insert(row_.end(), values.begin(), values.end());
      row_.push_back(failure.empty() ? 0 : 1);
      writer_->append(row_);
    }
    if (!file_) return;
    fmt::format_to(std::back_inserter(text_), "{}", variant);
    for (const double x : settings) fmt::format_to(std::back_inserter(text_), ",{}", x);
    for (const double x : values) fmt::format_to(std::back_inserter(text_), ",{}", std::isnan(x) ? std::nan("") : x);
    text_ += ",";
    if (!failure.empty()) text_ += quote(failure);
    text_ += "\n";
    constexpr std::size_t block = 1 << 20;
    if (text_.size() > block) file_->write(text_), text_.clear();
  }
  void close() {
    if (writer_) writer_->close();
    if (!file_) return;
    file_->write(text_);
    file_->commit();
  }

 private:
  std::optional<io::OutputFile> file_;
  std::unique_ptr<io::ResultWriter> writer_;
  std::string text_;
  std::vector<double> row_;
};

/// A line for each variant that failed, as far as a reader may want them.
std::string list_failures(const study::Ensemble& ensemble, const study::ChunkFolder* folder) {
  constexpr std::size_t most = 100000;  // bytes
  std::string text;
  for (std::uint64_t c = 0; c < ensemble.chunks() && text.size() < most; ++c)
    for (const auto& [place, why] : ensemble.read(folder, c).failures)
      text += fmt::format("variant {}: {}\n", c * ensemble.chunk_size() + place, why);
  return text;
}

std::string job_script(const StudyArguments& a) {
  std::string command = "coenergy study " + a.model.file;
  const auto add = [&](const char* flag, const std::string& value) {
    command += std::string(" ") + flag + " '" + value + "'";
  };
  for (const std::string& set : a.model.sets) add("--set", set);
  for (const std::string& text : a.vary) add("--vary", text);
  for (const std::string& text : a.correlate) add("--correlate", text);
  for (const std::string& text : a.measures) add("--measure", text);
  if (a.samples > 0) add("--samples", std::to_string(a.samples));
  add("--seed", std::to_string(a.seed)), add("--sampling", a.sampling);
  if (!a.output.empty()) add("-o", a.output);
  return "#!/bin/sh\n#SBATCH --job-name=coenergy-study\n#SBATCH --ntasks=16\n#SBATCH --cpus-per-task=1\n#SBATCH "
         "--requeue\n# a job that was killed goes on where it was when the same command is called again\nsrun " +
         command + " --threads 1\n";
}

/// What goes over all variants when they are there.
struct Summary {
  std::vector<study::Statistics> statistics;
  std::uint64_t failed = 0;
  std::vector<std::pair<std::uint64_t, std::string>> failures;  ///< the first ones
  std::vector<std::vector<double>> all;                         ///< by measure, where indices are wanted
  std::vector<std::vector<double>> sampled;                     ///< rows of settings and measures, thinned, for pages
};

Summary summarise(const study::Ensemble& ensemble, const study::ChunkFolder* folder, const Design& design,
                  const std::vector<study::RunMeasure>& measures, bool keep_all, ResultRows& rows) {
  Summary summary;
  summary.statistics.resize(measures.size());
  if (keep_all) summary.all.resize(measures.size());
  std::vector<double> settings(design.spreads().size());
  constexpr std::uint64_t shown = 4000;
  const std::uint64_t every = std::max<std::uint64_t>(1, design.variants() / shown);
  for (std::uint64_t c = 0; c < ensemble.chunks(); ++c) {
    const study::Chunk chunk = ensemble.read(folder, c);
    const std::uint64_t first = c * ensemble.chunk_size(),
                        count = chunk.values.size() / std::max<std::size_t>(1, measures.size());
    std::size_t next = 0;
    for (std::uint64_t k = 0; k < count; ++k) {
      const std::uint64_t variant = first + k;
      const std::span<const double> values{chunk.values.data() + k * measures.size(), measures.size()};
      design.at(variant, settings);
      std::string failure;
      if (next < chunk.failures.size() && chunk.failures[next].first == k) failure = chunk.failures[next++].second;
      rows.add(variant, settings, values, failure);
      constexpr std::size_t most_told = 20;
      if (!failure.empty() && ++summary.failed <= most_told) summary.failures.emplace_back(variant, failure);
      for (std::size_t m = 0; m < values.size(); ++m) {
        if (std::isfinite(values[m])) summary.statistics[m].add(variant, values[m]);
        if (keep_all) summary.all[m].push_back(values[m]);
      }
      if (variant % every == 0) {
        summary.sampled.push_back(settings);
        summary.sampled.back().insert(summary.sampled.back().end(), values.begin(), values.end());
      }
    }
  }
  return summary;
}

nlohmann::json worst_case(const Design& design, std::uint64_t variant, double value) {
  std::vector<double> settings(design.spreads().size());
  design.at(variant, settings);
  nlohmann::json j = {{"value", value}, {"variant", variant}};
  for (std::size_t k = 0; k < settings.size(); ++k) j["parameters"][design.spreads()[k].path] = settings[k];
  return j;
}

nlohmann::json to_json(Summary& s, const Design& design, const std::vector<study::RunMeasure>& measures) {
  nlohmann::json j;
  for (std::size_t m = 0; m < measures.size(); ++m) {
    study::Statistics& statistics = s.statistics[m];
    nlohmann::json& entry = j[measures[m].text];
    entry = {{"unit", measures[m].unit}, {"count", statistics.count()}};
    if (statistics.count() == 0) continue;
    entry["mean"] = statistics.mean(), entry["deviation"] = statistics.deviation();
    for (const double share : {0.05, 0.25, 0.5, 0.75, 0.95})
      entry["quantiles"][fmt::format("{:g}", share)] = statistics.quantile(share);
    entry["min"] = worst_case(design, statistics.variant_of_least(), statistics.least());
    entry["max"] = worst_case(design, statistics.variant_of_largest(), statistics.largest());
    entry["histogram"] = statistics.histogram(30);
    if (s.all.empty()) continue;
    const study::SobolIndices indices =
        study::compute_sobol_indices(s.all[m], design.base_samples(), static_cast<int>(design.random().size()));
    for (std::size_t i = 0; i < indices.first.size(); ++i) {
      const std::string& path = design.spreads()[static_cast<std::size_t>(design.random()[i])].path;
      entry["sobol"]["first"][path] = indices.first[i], entry["sobol"]["total"][path] = indices.total[i];
    }
  }
  return j;
}

void print(const nlohmann::json& j, const std::vector<study::RunMeasure>& measures) {
  fmt::print("{:<28}{:>14}{:>14}{:>14}{:>14}{:>14}{:>14}\n", "measure", "mean", "deviation", "5 %", "median", "95 %",
             "largest");
  for (const study::RunMeasure& m : measures) {
    const nlohmann::json& s = j["statistics"][m.text];
    fmt::print("{:<28}", m.text + (m.unit.empty() ? "" : " (" + m.unit + ")"));
    if (!s.contains("mean")) {
      fmt::print("  no variant has it\n");
      continue;
    }
    const auto value = [](const nlohmann::json& v) { return v.get<double>(); };
    fmt::print("{:>14.6g}{:>14.6g}{:>14.6g}{:>14.6g}{:>14.6g}{:>14.6g}\n", value(s["mean"]), value(s["deviation"]),
               value(s["quantiles"]["0.05"]), value(s["quantiles"]["0.5"]), value(s["quantiles"]["0.95"]),
               value(s["max"]["value"]));
    for (const char* end : {"min", "max"}) {
      std::string at;
      for (const auto& [path, v] : s[end]["parameters"].items())
        at += (at.empty() ? "" : ", ") + path + "=" + format_short(v.get<double>());
      fmt::print("  {} {} in variant {}: {}\n", end, format_short(value(s[end]["value"])),
                 s[end]["variant"].get<std::uint64_t>(), at);
    }
    if (s.contains("sobol"))
      for (const auto& [path, first] : s["sobol"]["first"].items())
        fmt::print("  share of {}: {:.4f} alone, {:.4f} in all\n", path, first.get<double>(),
                   s["sobol"]["total"][path].get<double>());
  }
}

}  // namespace

int run_study(const StudyArguments& arguments) {
  check_target("--report", arguments.model.report, ".html");
  check_result_target("--output", arguments.output);
  if (arguments.slurm) {
    fmt::print("{}", job_script(arguments));
    return 0;
  }
  const Prepared p = prepare(load_model(arguments.model));
  const equations::System& system = p.compiled.system;
  std::vector<std::string> paths;
  for (const std::string& text : arguments.vary) paths.push_back(study::spread_path(text));
  const auto [settings, measures] = with_places(p.model, [&] {
    return std::pair(study::Settings(p.model, domains::make_standard_registry(), system, paths),
                     study::read_measures(arguments.measures, system, p.options));
  });
  std::vector<study::Spread> spreads;
  for (std::size_t k = 0; k < paths.size(); ++k)
    spreads.push_back(study::read_spread(arguments.vary[k], settings.unit(k)));
  const study::Sampling sampling = read_sampling(arguments.sampling);
  const Design design(std::move(spreads), sampling, arguments.samples, arguments.seed,
                      read_correlations(arguments.correlate));

  const study::Rank rank = study::find_rank();
  const int cores = std::max(1, static_cast<int>(std::thread::hardware_concurrency()) / std::max(1, rank.on_machine));
  study::Ensemble ensemble({&system, &settings, &design, measures, p.options,
                            arguments.threads > 0 ? arguments.threads : cores, arguments.chunk});
  if (rank.count > 1 && arguments.output.empty())
    throw Error("a study of several processes needs --output FILE: they meet in a folder beside it");
  std::optional<study::ChunkFolder> folder;
  std::uint64_t found = 0;
  if (!arguments.output.empty()) {
    const std::string identity = describe_study(arguments, p, ensemble.chunk_size()),
                      name = arguments.output + ".chunks";
    if (rank.number == 0) {
      folder.emplace(name, identity);
      for (std::uint64_t c = 0; c < ensemble.chunks(); ++c) found += folder->has(c) ? 1 : 0;
    } else {
      constexpr double patience = 10;  // s: for the first process to make it; it may also be over already
      folder = study::ChunkFolder::join(name, identity, patience);
      if (!folder) return 0;
    }
  }
  const Interruption interruption;
  Meter meter(design.variants(), !arguments.model.json && rank.number == 0);
  const study::ChunkFolder* const chunks = folder ? &*folder : nullptr;
  ensemble.run(chunks, rank.number == 0, [&](std::uint64_t done) {
    meter.show(done);
    return interruption.signal() == 0;
  });
  if (interruption.signal() != 0) {
    fmt::print(stderr, "study: stopped by {}{}\n", interruption.name(),
               folder ? "; the same call goes on with the chunks that are finished" : "");
    return 128 + interruption.signal();
  }
  if (rank.number != 0) return 0;
  const double seconds = meter.seconds();
  const bool is_text = arguments.output.empty() || arguments.output.ends_with(".csv");
  ResultRows rows(arguments.output, p.model, settings, measures, is_text ? "" : list_failures(ensemble, chunks));
  Summary summary = summarise(ensemble, chunks, design, measures, sampling == study::Sampling::saltelli, rows);
  write_result([&] { rows.close(); });
  if (folder) folder->remove();

  nlohmann::json j = begin_answer(p);
  j["variants"] = design.variants(), j["failed"] = summary.failed, j["seconds"] = seconds;
  j["lanes"] = ensemble.uses_lanes() ? study::LaneRunner::lanes() : 1;
  for (std::size_t k = 0; k < settings.size(); ++k) j["units"][settings.path(k)] = settings.unit(k);
  j["statistics"] = to_json(summary, design, measures);
  j["failures"] = nlohmann::json::array();
  for (const auto& [variant, why] : summary.failures) j["failures"].push_back({{"variant", variant}, {"text", why}});
  if (found > 0) add_notes(j, {fmt::format("resumed: {} of {} chunks were there", found, ensemble.chunks())});
  for (std::size_t m = 0; m < measures.size(); ++m)
    if (summary.statistics[m].has_thinned())
      add_notes(j, {measures[m].text + ": quantiles are those of " + std::to_string(study::Statistics::most_kept) +
                    " variants at most"});
  if (!arguments.output.empty()) j["output"] = arguments.output;
  if (!arguments.model.report.empty())
    write_page(arguments.model.report, make_study_page(j, design, settings, measures, summary.sampled));
  if (arguments.model.json) return print_answer(j);
  for (const auto& note : j["notes"]) print_note(stdout, note.get<std::string>());
  print(j, measures);
  fmt::print("{} variants in {} s, {} failed\n", design.variants(), format_short(seconds), summary.failed);
  for (const auto& [variant, why] : summary.failures) fmt::print("  variant {}: {}\n", variant, why);
  if (!arguments.output.empty()) fmt::print("result: {}\n", arguments.output);
  return 0;
}

}  // namespace coenergy::app
