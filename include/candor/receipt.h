// Receipt: what ran for one request (SPEC R7). A value; ToJson writes the form of
// schemas/receipt.schema.json.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace candor {

struct KernelRun {
  std::string op, kernel, precision;  // "project", "cpu.avx512.gemm_f32", "f32"
  std::uint64_t calls = 0;
};

struct Truncation {
  std::size_t item = 0, tokens = 0, kept = 0;
  std::string side;  // "right"
};

// An option of the request that decides numbers, and who said so: request, package, application_default.
struct EffectiveOption {
  std::string name, value, source;  // "max-length", "256", "package"
};

struct Timings {     // milliseconds, wall clock
  double queue = 0;  // batches that waited for a session of the model, added up; inside compute
  double preprocess = 0, compute = 0, finish = 0, total = 0;
};

struct Receipt {
  std::string product, version, commit;
  std::string request, execution;  // ids, unique in this process
  std::string plan;                // fingerprint
  std::string package;             // closure digest
  bool digest_cached = false;
  std::string contract, family, route, recipe;  // recipe: embedding-space id
  std::string device_requested, device_selected, machine;
  bool used_cpu_fallback = false;
  std::string profile;  // "f32"
  std::string stored_dtype, weight_dtype, activation_dtype, accumulation_dtype, output_dtype;
  std::vector<KernelRun> kernels;  // that really ran
  bool as_planned = true;
  std::string difference;                // the first, when not as planned
  std::string decision;                  // eligible, or unqualified (then run on explicit request)
  std::vector<std::string> unqualified;  // choices outside the envelope
  std::size_t items = 0, failed = 0, rows = 0, padding_rows = 0, batches = 0;
  std::size_t shared_rows = 0;      // that were not computed again: beginnings that texts have in common
  std::vector<std::size_t> tokens;  // per item
  std::vector<Truncation> truncated;
  std::string representation = "dense";  // of the output: dense, sparse, tokens, logits
  std::string activation;                // that makes scores of logits
  std::size_t dimensions = 0;            // of a vector; of scores the number of labels
  bool normalized = false, dimensions_declared = true;
  std::string similarity, prompt;  // prompt: the name, or "literal", or empty
  std::vector<EffectiveOption> options;
  Timings timings;
  std::string outcome = "completed", drain = "drained";
};

std::string ToJson(const Receipt& receipt, bool pretty = false);
// Adds what another request under the same plan ran: for the receipt of a whole run.
void Merge(Receipt& into, const Receipt& more);

}  // namespace candor
