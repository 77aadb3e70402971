// Engine: packages in, typed results and receipts out. The one door for programs, our own server included.
//
// An Engine owns the machine's backend and its threads; models opened from it share them and keep
// them alive. All calls are thread-safe and block until done. Nothing here prints or exits, and no call of
// these classes throws: memory that ran out is insufficient_memory, a defect of ours internal_invariant. The
// functions at the end only make a text of a value, and throw std::bad_alloc as any string does.
#pragma once
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "candor/receipt.h"
#include "candor/result.h"
#include "candor/types.h"

namespace candor {

struct EngineOptions {
  std::size_t threads = 0;  // 0: the CPUs this process may use (affinity and cgroup quota)
  std::string isa = {};     // "" picks the best; scalar, avx2, avx512 force a kernel table, refused if absent
};

// What is asked of a package. Every member is part of the plan.
struct ModelOptions {
  std::string path = {};
  // embed, embed-sparse, embed-tokens, rerank, classify, classify-tokens
  std::string task = "embed";
  std::string precision = "f32";  // f32-split, bf16, int8 are known and refused (unsupported_option)
  std::string device = "cpu";     // cuda:N and metal:N are known and refused (backend_not_compiled)
  std::optional<std::string> pooling = {};  // only for a package without a module manifest
  bool no_normalize = false;                // asserts that the package's chain does not normalise
  std::optional<std::size_t> max_length = {};
  std::size_t max_batch_tokens = 0;  // 0: the plan's default
  bool allow_unqualified = false;    // run outside the qualified envelope; the receipt says so
  std::uint64_t memory_limit = 0;    // bytes for weights and sessions; 0: no limit of ours
};

struct EmbedReply {
  Embeddings embeddings;
  std::vector<ItemReport> items;
  Receipt receipt;
};

template <class Output>
struct Reply {
  Output output;
  std::vector<ItemReport> items;  // one per input, of a rerank one per document
  Receipt receipt;
};

// Facts of an open model, for tables, metrics and error messages.
struct ModelInfo {
  std::string name, path, family, contract, precision, device, plan, package, decision;
  std::size_t dimensions = 0, max_length = 0, max_batch_tokens = 0, vocabulary = 0;
  bool normalized = false;
  std::string similarity, space, pooling;
  std::vector<std::string> prompts;     // names
  std::vector<std::string> adapters;    // names
  std::vector<std::size_t> matryoshka;  // declared sizes, ascending; empty when none are declared
  std::uint64_t weight_bytes = 0, session_bytes = 0;
  std::vector<KernelRun> kernels;  // planned
};

class Embedder {
 public:
  virtual ~Embedder() = default;
  // Per-item failures stand in `items`; the error is for a request that is wrong as a whole.
  virtual Result<EmbedReply> Embed(const EmbedRequest& request) const = 0;
  virtual const ModelInfo& info() const = 0;
  virtual Result<std::string> PlanJson(bool pretty) const = 0;
  // Scores of row 0 of `one` against each row of `many`, in the package's similarity function.
  // embedding_space_mismatch when the spaces differ.
  virtual Result<std::vector<float>> Similarity(const Embeddings& one, const Embeddings& many) const = 0;
};

// An open model under one task. Per-item failures stand in the reply's `items`; the error is for a request
// that is wrong as a whole.
template <class Request, class Output>
class Runs {
 public:
  virtual ~Runs() = default;
  virtual Result<Reply<Output>> Run(const Request& request) const = 0;
  virtual const ModelInfo& info() const = 0;
};
using SparseEmbedder = Runs<SparseRequest, SparseEmbeddings>;
using MultiVectorEmbedder = Runs<MultiVectorRequest, MultiVectors>;
using Classifier = Runs<ClassifyRequest, Classes>;  // texts, or pairs of texts, by the head of the class
using TokenClassifier = Runs<TokenClassifyRequest, TokenClasses>;
using Reranker = Runs<RerankRequest, Ranks>;  // documents for a query, by a cross-encoder with one label

// How late interaction scores documents for a query, the first text of `query`: the sum over its vectors of
// the largest dot product with a vector of the document, computed in double; by the mean instead of the sum
// where the package's similarity is meanmaxsim. -1e9 for a document without vectors
// (sentence-transformers 6.2, util/similarity.py). embedding_space_mismatch when the two do not belong
// together.
Result<std::vector<float>> MaxSim(const MultiVectors& query, const MultiVectors& documents);

// Scores of the first vector of `one` against each vector of `many`, in the package's similarity function,
// computed in double. embedding_space_mismatch when the spaces differ.
Result<std::vector<float>> Similarity(const SparseEmbeddings& one, const SparseEmbeddings& many);

// The documents' indices, best first; equal ones in their own order.
std::vector<std::size_t> Ranking(const Ranks& ranks);

// The tokenizer of a package alone; no weight is read.
class TextTokenizer {
 public:
  virtual ~TextTokenizer() = default;
  // The text as Embed would run it: behind the prompt that is asked for, or else the package's default one;
  // offsets count from the start of the prompt. A pair takes no prompt.
  virtual Result<TokenizedText> Tokenize(std::string_view text, std::optional<std::string_view> pair,
                                         const TextOptions& options) const = 0;
};

// A plan as an answer: stable JSON by schemas/plan.schema.json.
struct PlanAnswer {
  std::string json, fingerprint, decision;
  Problems blockers;  // empty when eligible; unqualified_case and the like otherwise
};

struct WhyNotQuestion {
  ModelOptions model;
  std::vector<std::pair<std::string, std::string>> options;  // --option NAME=VALUE
};
struct WhyNotAnswer {
  bool possible = false;
  std::string decision;
  std::string json;  // by schemas/why-not.schema.json
  Problems blockers;
};

class Engine {
 public:
  static Result<std::shared_ptr<Engine>> New(const EngineOptions& options = {});
  virtual ~Engine() = default;

  // Product, commit, backends, CPU features, kernel table.
  virtual const std::string& VersionJson() const = 0;
  virtual std::size_t threads() const = 0;
  // The inventory of a package; its problems are part of it. The error: no such package.
  virtual Planned<std::string> InspectJson(const std::string& path) const = 0;
  // The task of embeddings that a package declares itself for: embed, embed-sparse, embed-tokens. No weight
  // is read, and whether that task can be had only Plan says. The error: no such package.
  virtual Planned<std::string> DeclaredEmbedding(const std::string& path) const = 0;
  virtual Planned<PlanAnswer> Plan(const ModelOptions& options) const = 0;
  virtual Planned<WhyNotAnswer> WhyNot(const WhyNotQuestion& question) const = 0;
  virtual Planned<std::shared_ptr<const Embedder>> OpenEmbedder(const ModelOptions& options) const = 0;
  // The `task` of the options is that of the handle.
  virtual Planned<std::shared_ptr<const SparseEmbedder>> OpenSparse(const ModelOptions& options) const = 0;
  virtual Planned<std::shared_ptr<const MultiVectorEmbedder>> OpenMultiVector(
      const ModelOptions& options) const = 0;
  virtual Planned<std::shared_ptr<const Classifier>> OpenClassifier(const ModelOptions& options) const = 0;
  virtual Planned<std::shared_ptr<const TokenClassifier>> OpenTokenClassifier(
      const ModelOptions& options) const = 0;
  virtual Planned<std::shared_ptr<const Reranker>> OpenReranker(const ModelOptions& options) const = 0;
  virtual Planned<std::shared_ptr<const TextTokenizer>> OpenTokenizer(const ModelOptions& options) const = 0;
  // Random token ids through the whole model: `count` sequences of `length`. For bench --shape.
  virtual Result<Receipt> RunShape(const Embedder& model, std::size_t count, std::size_t length) const = 0;
};

// A refusal as CLI.md writes it: {"refused":true,"problems":[…]}.
std::string RefusalJson(const Problems& problems, bool pretty = false);
std::string ErrorJson(const Error& error);  // one problem, an object
std::string VersionText();                  // "candor 0.1.0 (commit)"

}  // namespace candor
