#include "coenergy/study/ensemble.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <exception>
#include <limits>
#include <mutex>
#include <thread>

#include "coenergy/solve/simulate.hpp"

namespace coenergy::study {

namespace {

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

std::uint64_t choose_chunk(std::uint64_t variants) {
  // small enough that little is lost and all threads have something, large enough that files are few
  constexpr std::uint64_t least = 16, most = 8192, parts = 64;
  return std::clamp(variants / parts, least, most);
}

}  // namespace

struct Ensemble::Worker {
  explicit Worker(const Request& request) : evaluator(*request.system), values(request.settings->size()) {}
  equations::Evaluator evaluator;
  std::vector<double> values;
  std::shared_ptr<LaneRunner::Work> work;
  std::vector<equations::Point> points;
  std::vector<std::vector<double>> parameters;
};

Ensemble::Ensemble(const Request& request)
    : request_(request), chunk_(request.chunk > 0 ? request.chunk : choose_chunk(request.design->variants())) {
  solve::Options& o = request_.options;
  o.signals.clear(), o.record_events = false, o.output_step = o.t_end - o.t_start;
  lanes_ = LaneRunner::make(*request_.system, o, request_.measures);
}

std::uint64_t Ensemble::chunks() const { return (request_.design->variants() + chunk_ - 1) / chunk_; }
std::uint64_t Ensemble::size_of(std::uint64_t chunk) const {
  return std::min(chunk_, request_.design->variants() - chunk * chunk_);
}

void Ensemble::compute_one(std::uint64_t variant, Worker& worker, std::uint32_t place, Chunk& result) const {
  const std::size_t measures = request_.measures.size();
  const auto fail = [&](std::string why) {
    std::fill_n(result.values.begin() + static_cast<std::ptrdiff_t>(place * measures), measures, nothing);
    result.failures.emplace_back(place, std::move(why));
  };
  try {
    request_.design->at(variant, worker.values);
    request_.settings->apply(worker.evaluator, worker.values);
    if (const std::string why = request_.settings->find_refusal(worker.evaluator); !why.empty()) return fail(why);
    MeasureObserver observer(request_.measures, worker.evaluator);
    solve::Hooks hooks;
    hooks.keep_rows = false, hooks.observer = &observer;
    const solve::Result run = solve::simulate(worker.evaluator, request_.options, hooks);
    if (run.status != solve::Status::done) return fail(run.text);
    const std::vector<analyze::MeasureResult> found = observer.results(run.end);
    std::string missing;
    for (std::size_t k = 0; k < measures; ++k) {
      result.values[place * measures + k] = found[k].value.value_or(nothing);
      if (!found[k].value && missing.empty()) missing = request_.measures[k].text + ": " + found[k].failure;
    }
    if (!missing.empty()) result.failures.emplace_back(place, std::move(missing));
  } catch (const Error& e) {
    fail(e.what());
  }
}

void Ensemble::compute_lanes(std::uint64_t first, std::uint64_t count, Worker& worker, Chunk& result) const {
  const auto width = static_cast<std::uint64_t>(LaneRunner::lanes());
  const std::size_t measures = request_.measures.size();
  if (!worker.work) worker.work = lanes_->make_work();
  worker.points.resize(width), worker.parameters.resize(width);
  std::vector<double> values(width * measures);
  for (std::uint64_t group = 0; group < count; group += width) {
    const std::uint64_t members = std::min(width, count - group);
    std::vector<std::string> refused(width);
    for (std::uint64_t lane = 0; lane < width; ++lane) {
      // lanes that are left over run the last variant again
      request_.design->at(first + group + std::min(lane, members - 1), worker.values);
      request_.settings->apply(worker.evaluator, worker.values);
      refused[lane] = request_.settings->find_refusal(worker.evaluator);
      worker.points[lane] = worker.evaluator.start();
      const std::span<const double> now = worker.evaluator.parameters();
      worker.parameters[lane].assign(now.begin(), now.end());
    }
    lanes_->run(worker.points, worker.parameters, values, *worker.work);
    for (std::uint64_t lane = 0; lane < members; ++lane) {
      const auto place = static_cast<std::uint32_t>(group + lane);
      bool good = refused[lane].empty();
      for (std::size_t k = 0; k < measures; ++k) {
        const double value = values[lane * measures + k];
        good = good && std::isfinite(value);
        result.values[place * measures + k] = value;
      }
      if (good) continue;
      std::fill_n(result.values.begin() + static_cast<std::ptrdiff_t>(place * measures), measures, nothing);
      result.failures.emplace_back(place, refused[lane].empty() ? "the run grows beyond all numbers" : refused[lane]);
    }
  }
}

Chunk Ensemble::compute(std::uint64_t chunk, Worker& worker, const std::atomic<bool>& stop) const {
  const std::uint64_t first = chunk * chunk_, count = size_of(chunk);
  Chunk result;
  result.values.assign(count * request_.measures.size(), nothing);
  if (lanes_) {
    compute_lanes(first, count, worker, result);
    return result;
  }
  for (std::uint64_t k = 0; k < count && !stop; ++k)
    compute_one(first + k, worker, static_cast<std::uint32_t>(k), result);
  return result;
}

void Ensemble::run(const ChunkFolder* folder, bool wait, const Progress& progress) {
  const std::uint64_t all = chunks();
  if (folder == nullptr) kept_.resize(all);
  std::atomic<std::uint64_t> next{0}, done{0};
  std::atomic<bool> stop{false};
  std::exception_ptr failure;
  std::mutex mutex;
  const auto work = [&] {
    try {
      Worker worker(request_);
      std::unique_ptr<ChunkFolder::Claims> claims;
      if (folder != nullptr) claims = std::make_unique<ChunkFolder::Claims>(*folder);
      for (std::uint64_t chunk = next++; chunk < all && !stop; chunk = next++) {
        if (folder != nullptr && (folder->has(chunk) || !claims->take(chunk))) {
          done += folder->has(chunk) ? size_of(chunk) : 0;
          continue;
        }
        // another may have finished it meanwhile
        if (folder == nullptr || !folder->has(chunk)) {
          Chunk result = compute(chunk, worker, stop);
          if (stop) return;
          if (folder == nullptr)
            kept_[chunk] = std::move(result);
          else
            folder->write(chunk, result);
        }
        if (claims) claims->give(chunk);
        done += size_of(chunk);
        const std::lock_guard<std::mutex> lock(mutex);
        if (progress && !progress(done)) stop = true;
      }
    } catch (...) {
      const std::lock_guard<std::mutex> lock(mutex);
      if (!failure) failure = std::current_exception();
      stop = true;
    }
  };
  for (;;) {
    std::vector<std::thread> threads;
    for (int k = 1; k < request_.threads; ++k) threads.emplace_back(work);
    work();
    for (std::thread& thread : threads) thread.join();
    if (failure && (folder == nullptr || folder->exists())) std::rethrow_exception(failure);
    if (folder == nullptr || !wait || stop) return;
    bool whole = true;
    for (std::uint64_t chunk = 0; chunk < all && whole; ++chunk) whole = folder->has(chunk);
    if (whole) return;
    // others are at work on the rest, or have died over it
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    next = 0, done = 0;
  }
}

Chunk Ensemble::read(const ChunkFolder* folder, std::uint64_t chunk) const {
  return folder == nullptr ? kept_[chunk] : folder->read(chunk);
}

}  // namespace coenergy::study
