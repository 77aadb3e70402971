#include "apps/verbs.h"

namespace candor::apps {
namespace {

constexpr unsigned kPlanned = kModelArgument | kRecipeOptions | kLengthOption | kConsoleOptions;
constexpr unsigned kEmbedding = kPlanned | kModelOptions | kTextOptions;
constexpr unsigned kLines = kInputOptions | kFormatOption;
constexpr unsigned kQuestion = kPlanned | kTaskOptions | kJsonOption;

const Verb kVerbs[] = {
    {"embed", "vectors of texts",
     kEmbedding | kLines | kVectorOutputOptions | kVectorOptions | kReceiptOptions | kEmbedTaskOptions,
     &RunEmbed},
    {"rerank", "scores of query and document pairs",
     kEmbedding | kLines | kOutputOptions | kReceiptOptions | kRankOptions, &RunRerank},
    {"classify", "labels of a text or of a pair, or of every token",
     kEmbedding | kLines | kOutputOptions | kReceiptOptions | kClassifyTaskOptions, &RunClassify},
    {"similarity", "one text against others, in the model's own similarity function",
     kEmbedding | kLines | kOutputOptions | kVectorOptions | kReceiptOptions | kScoredTaskOption,
     &RunSimilarity},
    {"tokenize", "ids, type ids, offsets and tokens, special tokens included",
     kModelArgument | kLengthOption | kTextOptions | kLines | kOutputOptions | kConsoleOptions, &RunTokenize},
    {"inspect", "every file, fact and conflict found in a package; runs nothing",
     kModelArgument | kJsonOption | kConsoleOptions, &RunInspect},
    {"plan", "what would run and why, or every reason why there is no plan", kQuestion, &RunPlan},
    {"why-not", "why this model, task, device, precision or option cannot be used",
     kQuestion | kQuestionOptions, &RunWhyNot},
    {"bench", "latency, throughput, memory and cold start on given texts",
     kEmbedding | kInputOptions | kFormatOption | kJsonOption | kBenchOptions, &RunBench},
    {"serve", "the HTTP server", kPlanned | kModelOptions | kServeOptions, &RunServe},
    {"version", "version, compiled backends, CPU features found, kernel table", kJsonOption | kConsoleOptions,
     &RunVersion},
};

}  // namespace

std::span<const Verb> Verbs() { return kVerbs; }

}  // namespace candor::apps
