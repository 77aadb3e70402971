#include "serve/metrics.h"

#include <array>
#include <cstdint>
#include <map>
#include <utility>

#include "base/mutex.h"
#include "io/json.h"

namespace candor::serve {
namespace {

// From a short query on a warm cache to a batch of long documents on one core.
constexpr std::array<double, 14> kSeconds = {0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1,
                                             0.25,  0.5,    1,     2.5,  5,     10,   30};

struct Histogram {
  std::array<std::uint64_t, kSeconds.size()> counts{};  // not cumulative
  std::uint64_t total = 0;
  double sum = 0;

  void Add(double seconds) {
    ++total;
    sum += seconds;
    for (std::size_t i = 0; i < kSeconds.size(); ++i) {
      if (seconds > kSeconds[i]) continue;
      ++counts[i];
      return;
    }
  }
};

struct ModelCounts {
  std::string labels;  // of candor_model_info
  std::uint64_t weight_bytes = 0, session_bytes = 0;
  std::uint64_t completed = 0, failed = 0, items = 0, failed_items = 0, truncated = 0, rows = 0,
                padding_rows = 0, batches = 0;
  std::uint64_t fallbacks = 0;
  Histogram seconds;
};

// A label value: backslash, quote and line feed are the format's only special characters.
std::string Label(std::string_view name, std::string_view value) {
  std::string out = std::string(name) + "=\"";
  for (const char c : value) {
    if (c == '\\' || c == '"') out += '\\';
    out += c == '\n' ? std::string("\\n") : std::string(1, c);
  }
  return out + "\"";
}

std::string Number(double value) {
  io::JsonWriter number;
  return number.Double(value).Take();
}

class Page {
 public:
  void Family(std::string_view name, std::string_view type, std::string_view help) {
    name_ = name;
    text_ +=
        "# HELP " + name_ + " " + std::string(help) + "\n# TYPE " + name_ + " " + std::string(type) + "\n";
  }
  void Sample(const std::string& labels, std::uint64_t value, std::string_view suffix = "") {
    Line(suffix, labels, std::to_string(value));
  }
  void Samples(const std::string& labels, const Histogram& histogram) {
    const std::string lead = labels.empty() ? "" : labels + ",";
    std::uint64_t so_far = 0;
    for (std::size_t i = 0; i < kSeconds.size(); ++i) {
      so_far += histogram.counts[i];
      Sample(lead + Label("le", Number(kSeconds[i])), so_far, "_bucket");
    }
    Sample(lead + Label("le", "+Inf"), histogram.total, "_bucket");
    Line("_sum", labels, Number(histogram.sum));
    Sample(labels, histogram.total, "_count");
  }
  std::string Take() { return std::move(text_); }

 private:
  void Line(std::string_view suffix, const std::string& labels, const std::string& value) {
    text_ += name_ + std::string(suffix) + (labels.empty() ? "" : "{" + labels + "}") + " " + value + "\n";
  }
  std::string name_, text_;
};

struct Counts {
  std::map<std::pair<std::string, int>, std::uint64_t> requests;
  std::map<std::string, Histogram> latency;  // by route
  Histogram wait;
  std::uint64_t overloads = 0;
  std::map<std::string, ModelCounts, std::less<>> models;
};

std::string Write(const Counts& counts, const Gauges& gauges) {
  Page page;
  const auto gauge = [&page](std::string_view name, std::string_view help, std::uint64_t value) {
    page.Family(name, "gauge", help);
    page.Sample("", value);
  };
  gauge("candor_ready", "1 while requests are admitted", gauges.ready ? 1 : 0);
  gauge("candor_connections", "Open connections", gauges.connections);
  gauge("candor_requests_in_flight", "Requests that have no answer yet", gauges.in_flight);
  gauge("candor_queue_waiting", "Admitted requests that wait for a worker", gauges.waiting);
  gauge("candor_queue_running", "Admitted requests that a worker computes", gauges.running);
  gauge("candor_models", "Models that are loaded", counts.models.size());
  page.Family("candor_http_requests_total", "counter", "Answers by route and status");
  for (const auto& [key, count] : counts.requests) {
    page.Sample(Label("route", key.first) + "," + Label("status", std::to_string(key.second)), count);
  }
  page.Family("candor_http_request_duration_seconds", "histogram", "From the whole request to the answer");
  for (const auto& [route, histogram] : counts.latency) page.Samples(Label("route", route), histogram);
  page.Family("candor_overloaded_total", "counter", "Requests refused because the queue was full");
  page.Sample("", counts.overloads);
  page.Family("candor_queue_wait_seconds", "histogram", "From admission to a worker");
  page.Samples("", counts.wait);
  page.Family("candor_model_info", "gauge", "What is loaded; always 1");
  for (const auto& [name, model] : counts.models) page.Sample(model.labels, 1);
  page.Family("candor_model_bytes", "gauge", "Memory of a loaded model by kind");
  for (const auto& [name, model] : counts.models) {
    page.Sample(Label("model", name) + ",kind=\"weights\"", model.weight_bytes);
    page.Sample(Label("model", name) + ",kind=\"session\"", model.session_bytes);
  }
  page.Family("candor_inferences_total", "counter", "Requests that reached a model, by outcome");
  for (const auto& [name, model] : counts.models) {
    page.Sample(Label("model", name) + ",outcome=\"completed\"", model.completed);
    page.Sample(Label("model", name) + ",outcome=\"failed\"", model.failed);
  }
  page.Family("candor_inference_duration_seconds", "histogram", "Time inside the engine");
  for (const auto& [name, model] : counts.models) page.Samples(Label("model", name), model.seconds);
  const auto counter = [&](std::string_view name, std::string_view help, std::uint64_t ModelCounts::*field) {
    page.Family(name, "counter", help);
    for (const auto& [id, model] : counts.models) page.Sample(Label("model", id), model.*field);
  };
  counter("candor_items_total", "Inputs", &ModelCounts::items);
  counter("candor_items_failed_total", "Inputs that could not be answered", &ModelCounts::failed_items);
  counter("candor_items_truncated_total", "Inputs that were cut to the limit", &ModelCounts::truncated);
  counter("candor_rows_total", "Tokens that ran, special tokens included", &ModelCounts::rows);
  counter("candor_padding_rows_total", "Rows that ran for no token", &ModelCounts::padding_rows);
  counter("candor_batches_total", "Batches that ran", &ModelCounts::batches);
  counter("candor_cpu_fallbacks_total", "Requests that left the device", &ModelCounts::fallbacks);
  return page.Take();
}

}  // namespace

struct Metrics::State {
  Mutex lock;
  Counts counts CANDOR_GUARDED_BY(lock);
};

Metrics::Metrics() : state_(std::make_unique<State>()) {}
Metrics::~Metrics() = default;

void Metrics::AddModel(std::string_view name, const ModelInfo& info) {
  const MutexLock held(state_->lock);
  ModelCounts& model = state_->counts.models[std::string(name)];
  model.labels = Label("model", name) + "," + Label("family", info.family) + "," +
                 Label("contract", info.contract) + "," + Label("precision", info.precision) + "," +
                 Label("device", info.device);
  model.weight_bytes = info.weight_bytes;
  model.session_bytes = info.session_bytes;
}

void Metrics::CountRequest(std::string_view route, int status, double seconds) {
  const MutexLock held(state_->lock);
  ++state_->counts.requests[{std::string(route), status}];
  state_->counts.latency[std::string(route)].Add(seconds);
}

void Metrics::CountOverload() {
  const MutexLock held(state_->lock);
  ++state_->counts.overloads;
}

void Metrics::CountWait(double seconds) {
  const MutexLock held(state_->lock);
  state_->counts.wait.Add(seconds);
}

void Metrics::CountInference(std::string_view model, double seconds, const Receipt* receipt) {
  const MutexLock held(state_->lock);
  const auto found = state_->counts.models.find(model);
  if (found == state_->counts.models.end()) return;
  ModelCounts& counts = found->second;
  ++(receipt != nullptr ? counts.completed : counts.failed);
  counts.seconds.Add(seconds);
  if (receipt == nullptr) return;
  counts.items += receipt->items;
  counts.failed_items += receipt->failed;
  counts.truncated += receipt->truncated.size();
  counts.rows += receipt->rows;
  counts.padding_rows += receipt->padding_rows;
  counts.batches += receipt->batches;
  counts.fallbacks += receipt->used_cpu_fallback ? 1 : 0;
}

std::string Metrics::Text(const Gauges& gauges) const {
  const MutexLock held(state_->lock);
  return Write(state_->counts, gauges);
}

}  // namespace candor::serve
