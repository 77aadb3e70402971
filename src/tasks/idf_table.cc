#include "tasks/idf_table.h"

#include <cmath>
#include <limits>
#include <utility>

namespace candor::tasks {
namespace {

void Push(Problems& problems, Code code, Where where, std::string found, std::string allowed) {
  problems.push_back({code, std::move(where), std::move(found), std::move(allowed), Phase::kProcessing});
}

}  // namespace

std::optional<std::vector<float>> ReadIdfTable(const package::Package& package, const std::string& file,
                                               const text::Tokenizer& tokenizer, const std::string& folder,
                                               std::size_t words, Problems& problems) {
  const std::shared_ptr<const io::Json> json = package.Document(file);
  if (json == nullptr) return std::nullopt;  // damaged: among the package's own problems
  if (json->members().empty()) {
    Push(problems, Code::kInvalidPackageSchema, Where::At(file), "no tokens",
         "an object of tokens and weights");
    return std::nullopt;
  }
  // The reference's table has a weight for each token there is, whatever their ids.
  const std::size_t before = problems.size(), tokens = tokenizer.TokenLengths().size();
  if (tokens != words)
    Push(problems, Code::kEvidenceConflict, Where::At(folder + "tokenizer.json"),
         std::to_string(tokens) + " tokens", std::to_string(words) + ", the width of a vector");
  std::vector<float> weights(words);
  for (const io::JsonMember& member : json->members()) {
    if (problems.size() != before) return std::nullopt;  // one of a million
    const Where where = Where::At(file, "/" + io::EscapePointer(member.key));
    const double weight = member.value.is_number() ? member.value.as_real() : NAN;
    // What the vocabulary lacks is the weight of the unknown token, the last of them.
    std::optional<std::int32_t> id = tokenizer.IdOf(member.key);
    if (!id) id = tokenizer.facts().unk_token_id;
    if (!(std::abs(weight) <= std::numeric_limits<float>::max()))
      Push(problems, Code::kInvalidPackageSchema, where, member.value.Dump(), "a number that f32 has");
    else if (!id || static_cast<std::size_t>(*id) >= words)
      Push(problems, Code::kPreprocessingContractMismatch, where,
           id ? "id " + std::to_string(*id) : "no such token, and no unknown token",
           "tokens of " + folder + "tokenizer.json, with ids below " + std::to_string(words));
    else
      weights[static_cast<std::size_t>(*id)] = static_cast<float>(weight);
  }
  if (problems.size() != before) return std::nullopt;
  return weights;
}

}  // namespace candor::tasks
