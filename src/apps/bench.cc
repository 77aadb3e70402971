// candor bench: latency one text at a time, throughput all at once, cold start, peak memory.
//
// Cold start runs from the first statement of main to the first answer (the loader's few milliseconds before
// it are not seen). Peak memory is VmHWM, because ru_maxrss survives exec and would show the parent's. Every
// run goes through the public engine with all its checks; a text that fails ends the benchmark.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <functional>
#include <memory>
#include <string_view>

#include "apps/embed_run.h"
#include "apps/input.h"
#include "apps/text_view.h"
#include "apps/verbs.h"
#include "io/json.h"

namespace candor::apps {
namespace {

using Clock = std::chrono::steady_clock;

// Until `seconds` have passed and `least` calls are made, but at most `most`.
struct Effort {
  double seconds;
  std::size_t least, most;
};
constexpr Effort kWarmUp{.seconds = 0.2, .least = 2, .most = 50};
constexpr Effort kLatency{.seconds = 3, .least = 20, .most = 5000};
constexpr Effort kThroughput{.seconds = 3, .least = 3, .most = 1000};

double Milliseconds(Clock::duration duration) {
  return std::chrono::duration<double, std::milli>(duration).count();
}

// What is measured: `one` answers the i-th text alone, `all` everything at once; both give the tokens they
// ran.
struct Workload {
  std::size_t texts = 0;
  std::function<Result<std::size_t>(std::size_t)> one;
  std::function<Result<std::size_t>()> all;
};

struct Figures {
  double p50_ms = 0, p99_ms = 0, texts_per_s = 0, tokens_per_s = 0, cold_start_ms = 0;
};

Result<std::vector<double>> Repeat(const Effort& effort,
                                   const std::function<Result<std::size_t>(std::size_t)>& call) {
  std::vector<double> times;
  const Clock::time_point begin = Clock::now();
  while (times.size() < effort.most &&
         (times.size() < effort.least || Milliseconds(Clock::now() - begin) < effort.seconds * 1e3)) {
    const Clock::time_point start = Clock::now();
    CANDOR_TRY([[maybe_unused]] const std::size_t tokens, call(times.size()));
    times.push_back(Milliseconds(Clock::now() - start));
  }
  std::sort(times.begin(), times.end());
  return times;
}

// Nearest rank, of sorted times.
double Percentile(const std::vector<double>& times, double share) {
  const double rank = std::ceil(share * static_cast<double>(times.size()));
  return times[static_cast<std::size_t>(std::max(rank, 1.0)) - 1];
}

Result<Figures> Measure(const Workload& work, Clock::time_point started) {
  Figures figures;
  CANDOR_TRY([[maybe_unused]] const std::size_t first, work.one(0));
  figures.cold_start_ms = Milliseconds(Clock::now() - started);
  CANDOR_TRY([[maybe_unused]] const auto warm, Repeat(kWarmUp, work.one));
  CANDOR_TRY(const auto latency, Repeat(kLatency, work.one));
  figures.p50_ms = Percentile(latency, 0.50);
  figures.p99_ms = Percentile(latency, 0.99);
  CANDOR_TRY(const std::size_t tokens, work.all());
  CANDOR_TRY(const auto bulk, Repeat(kThroughput, [&](std::size_t) { return work.all(); }));
  const double seconds = Percentile(bulk, 0.50) / 1e3;
  figures.texts_per_s = static_cast<double>(work.texts) / seconds;
  figures.tokens_per_s = static_cast<double>(tokens) / seconds;
  return figures;
}

double PeakMegabytes() {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen("/proc/self/status", "re"),
                                                             &std::fclose);
  char line[256];
  long kilobytes = 0;
  while (file != nullptr && std::fgets(line, sizeof line, file.get()) != nullptr) {
    if (std::sscanf(line, "VmHWM: %ld kB", &kilobytes) == 1) break;
  }
  return static_cast<double>(kilobytes) * 1024 / 1e6;
}

// For a first impression without an input file.
std::vector<Content> BuiltInTexts() {
  return {
      std::string("How do I reset my password?"),
      std::string("The library opens at nine and closes at six on weekdays."),
      std::string("A short query."),
      std::string("Glaciers store about two thirds of the fresh water on Earth, and most of it lies in "
                  "Antarctica, where the ice is more than four kilometres thick in places."),
      std::string("Boil the pasta until it is firm, drain it, and keep a cup of the water for the sauce."),
      std::string("Die Bahn nach Hamburg fährt heute zwölf Minuten später."),
      std::string("Contract clauses on liability survive termination unless the parties agree otherwise in "
                  "writing."),
      std::string("An ordered map keeps its keys sorted; a hash map does not, but finds them faster.")};
}

Planned<std::vector<Content>> Texts(const Options& options) {
  if (!options.input && options.texts.empty()) return BuiltInTexts();
  auto items = ReadItems(options, LineForm::kText, false);
  if (!items) return items.error();
  std::vector<Content> texts;
  for (Item& item : items.value()) {
    if (item.error) return Problems{*item.error};
    texts.push_back(std::move(item.content));
  }
  return texts;
}

class Bench {
 public:
  Bench(EmbedRun& run, const Options& options) : run_(run), options_(options) {}

  Workload OverTexts(const std::vector<Content>& texts) {
    return {.texts = texts.size(),
            .one = [this, &texts](std::size_t i) { return Embed({texts[i % texts.size()]}); },
            .all = [this, &texts] { return Embed(texts); }};
  }
  Workload OverShape(const Shape& shape) {
    return {.texts = shape.count,
            .one =
                [this, shape](std::size_t) {
                  return RunShape({1, shape.length});
                },
            .all = [this, shape] { return RunShape(shape); }};
  }
  const Receipt& receipt() const { return receipt_; }

 private:
  // Straight to the model: the account of a run (EmbedRun) would grow with every repetition.
  Result<std::size_t> Embed(std::vector<Content> texts) {
    EmbedRequest request;
    request.inputs = std::move(texts);
    request.text = options_.text;
    CANDOR_TRY(EmbedReply reply, run_.model().Embed(request));
    std::size_t tokens = 0;
    for (const ItemReport& item : reply.items) {
      if (item.error) return *item.error;
      tokens += item.tokens;
    }
    receipt_ = std::move(reply.receipt);
    return tokens;
  }
  Result<std::size_t> RunShape(const Shape& shape) {
    CANDOR_TRY(receipt_, run_.engine().RunShape(run_.model(), shape.count, shape.length));
    return shape.count * shape.length;
  }

  EmbedRun& run_;
  const Options& options_;
  Receipt receipt_;
};

double Rounded(double value) { return std::round(value * 1e3) / 1e3; }

std::string Json(const EmbedRun& run, const Figures& figures, const Receipt& receipt) {
  io::JsonWriter writer;
  writer.BeginObject().Member("model", run.model().info().name).Member("precision", receipt.profile);
  writer.Key("threads").Uint(run.engine().threads());
  writer.Key("p50_ms").Double(Rounded(figures.p50_ms)).Key("p99_ms").Double(Rounded(figures.p99_ms));
  writer.Key("texts_per_s").Double(Rounded(figures.texts_per_s));
  writer.Key("tokens_per_s").Double(Rounded(figures.tokens_per_s));
  writer.Key("cold_start_ms").Double(Rounded(figures.cold_start_ms));
  writer.Key("peak_rss_mb").Double(Rounded(PeakMegabytes()));
  writer.Key("kernels").BeginArray();
  std::vector<std::string_view> named;
  for (const KernelRun& kernel : receipt.kernels) {
    if (std::find(named.begin(), named.end(), kernel.kernel) != named.end()) continue;
    named.push_back(kernel.kernel);
    writer.String(kernel.kernel);
  }
  writer.EndArray().EndObject();
  return writer.Take();
}

}  // namespace

int RunBench(const Context& context) {
  const auto texts = Texts(context.options);
  if (!texts) return Refuse(context, texts.error());
  auto run = EmbedRun::Open(context);
  if (!run) return Refuse(context, run.error());
  Bench bench(*run, context.options);
  const auto& shape = context.options.shape;
  const auto figures =
      Measure(shape ? bench.OverShape(*shape) : bench.OverTexts(texts.value()), context.started);
  if (!figures) return Refuse(context, {figures.error()});
  const std::string json = Json(*run, figures.value(), bench.receipt());
  return PrintAnswer(context, context.WantsText() ? TextView(json) : json);
}

}  // namespace candor::apps
