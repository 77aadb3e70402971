#include "tasks/registry.h"

#include <utility>

#include "tasks/embed.h"
#include "tasks/multi_vector.h"
#include "tasks/quantize.h"
#include "tasks/score.h"
#include "tasks/similarity.h"
#include "tasks/sparse.h"
#include "tasks/token_labels.h"

namespace candor::tasks {
namespace {

using Maker = std::unique_ptr<Task> (*)(const package::Package&, std::shared_ptr<package::ReadLog>,
                                        const TaskOptions&, const Model*, Problems&);
// An empty text: the smallest request of a task.
template <class OfTask>
Request OneText() {
  OfTask request;
  request.inputs.resize(1);
  return request;
}
Request OneDocument() { return RerankRequest{.query = "", .documents = {""}}; }

struct TaskRow {
  std::string_view verb;
  Maker make;  // null: known, and not in this version
  Request (*smallest)();
};
constexpr TaskRow kTasks[] = {
    {"embed", MakeEmbedTask, OneText<EmbedRequest>},
    {"embed-sparse", MakeSparseTask, OneText<SparseRequest>},
    {"embed-tokens", MakeMultiVectorTask, OneText<MultiVectorRequest>},
    {"rerank", MakeRerankTask, OneDocument},
    {"classify", MakeClassifyTask, OneText<ClassifyRequest>},
    {"classify-tokens", MakeTokenLabelTask, OneText<TokenClassifyRequest>},
    {"decide", nullptr, OneText<EmbedRequest>},
};

const TaskRow* Find(std::string_view verb) {
  for (const TaskRow& row : kTasks)
    if (row.verb == verb) return &row;
  return nullptr;
}

std::string Built() {
  std::string out;
  for (const TaskRow& row : kTasks)
    if (row.make != nullptr) out += (out.empty() ? "" : ", ") + std::string(row.verb);
  return out;
}

double Score(std::string_view function, std::span<const float> a, std::span<const float> b) {
  ColumnSums sums;
  for (std::size_t i = 0; i < a.size(); ++i) sums.Add(a[i], b[i]);
  return sums.Score(function);
}

}  // namespace

Result<void> CheckVerb(std::string_view verb) {
  const TaskRow* row = Find(verb);
  if (row != nullptr && row->make != nullptr) return {};
  return Error{Code::kUnknownTask, Where::Option("task"),
               std::string(verb) + (row == nullptr ? "" : ", not built in this version"), Built(),
               Phase::kProcessing};
}

Request SmallestRequest(std::string_view verb) {
  const TaskRow* row = Find(verb);
  return row == nullptr ? OneText<EmbedRequest>() : row->smallest();
}

std::string_view DeclaredEmbedding(const package::Package& package) {
  if (DeclaresMultiVector(package)) return "embed-tokens";
  return DeclaresSparse(package) ? "embed-sparse" : "embed";
}

std::unique_ptr<Task> MakeTask(std::string_view verb, const package::Package& package,
                               std::shared_ptr<package::ReadLog> log, const TaskOptions& options,
                               const Model* model, Problems& problems) {
  if (auto known = CheckVerb(verb); !known) {
    problems.push_back(known.error());
    return nullptr;
  }
  return Find(verb)->make(package, std::move(log), options, model, problems);
}

Result<std::vector<float>> Similarity(const Embeddings& one, const Embeddings& many) {
  if (one.space != many.space || one.dimensions != many.dimensions || one.dimensions == 0) {
    return Error{Code::kEmbeddingSpaceMismatch,
                 {},
                 many.space + ", " + std::to_string(many.dimensions) + " dimensions",
                 one.space + ", " + std::to_string(one.dimensions) + " dimensions",
                 Phase::kRequest};
  }
  if (one.type != VectorType::kFloat32) {
    return Error{Code::kUnsupportedOption, Where::Option("embedding-type"), std::string(Name(one.type)),
                 "float32: similarity is of numbers", Phase::kRequest};
  }
  const std::size_t d = one.dimensions;
  std::vector<float> scores;
  for (std::size_t i = 0; i < many.values.size() / d; ++i) {
    scores.push_back(static_cast<float>(
        Score(one.similarity, std::span(one.values).first(d), std::span(many.values).subspan(i * d, d))));
  }
  return scores;
}

}  // namespace candor::tasks
