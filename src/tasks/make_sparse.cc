// From a package to a SparseTask: its recipe, its text rules and the masked-LM head of its family.
#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "tasks/idf_table.h"
#include "tasks/sparse.h"
#include "tasks/text_checks.h"

namespace candor::tasks {
namespace {

void Push(Problems& problems, Code code, Where where, std::string found, std::string allowed) {
  problems.push_back({code, std::move(where), std::move(found), std::move(allowed), Phase::kProcessing});
}

std::unique_ptr<SparseNumbers> WordScoresOf(const SparseRecipe& recipe, const package::Config& config,
                                            const TaskOptions& options, const std::optional<TextParts>& parts,
                                            Problems& problems) {
  if (options.family->masked_head == nullptr) {
    Push(problems, Code::kUnsupportedTaskHead, config.At("model_type"),
         std::string(options.family->model_type),
         "embed: no masked-LM head of " + std::string(options.family->name) + " is built");
    return nullptr;
  }
  if (!parts) return nullptr;
  const std::size_t vocabulary = parts->input.vocabulary;
  if (recipe.dimensions.value_or(vocabulary) != vocabulary) {
    Push(problems, Code::kEvidenceConflict, recipe.dimensions_at, std::to_string(*recipe.dimensions),
         std::to_string(vocabulary) + ", the vocabulary of config.json");
  }
  HeadSpec head = options.family->masked_head(config, {parts->width, vocabulary}, problems);
  return MakeWordScores(recipe.reduce, recipe.activation, std::move(head), parts->width);
}

// The words of the special tokens have no weights, whatever stands there.
std::unique_ptr<SparseNumbers> TokenWeightsOf(const SparseRecipe& recipe,
                                              const std::optional<TextParts>& parts, Problems& problems) {
  if (!parts) return nullptr;
  const text::TokenizerFacts& facts = parts->tokenizer->facts();
  std::vector<std::int32_t> left_out;
  for (const auto& [name, id] :
       {std::pair{"cls_token", facts.cls_id}, std::pair{"eos_token", facts.eos_id},
        std::pair{"pad_token", facts.pad_id}, std::pair{"unk_token", facts.unk_token_id}}) {
    if (id)
      left_out.push_back(*id);
    else
      Push(problems, Code::kPreprocessingContractMismatch,
           Where::At("tokenizer_config.json", std::string("/") + name), "no token",
           "a token of the vocabulary, whose word gets no weight");
  }
  std::ranges::sort(left_out);
  return MakeTokenWeights(recipe.token_weights, std::move(left_out), parts->input.vocabulary, parts->width);
}

}  // namespace

std::unique_ptr<Task> MakeSparseTask(const package::Package& package, std::shared_ptr<package::ReadLog> log,
                                     const TaskOptions& options, const Model* model, Problems& problems) {
  std::optional<SparseRecipe> recipe = ReadSparseRecipe(
      package, log, options.family == nullptr ? std::string_view() : options.family->own_module,
      model == nullptr ? 0 : model->width(), problems);
  const std::optional<package::Config> config = package.Read(package.InEncoder("config.json"), log);
  if (!recipe || !config || options.family == nullptr) return nullptr;
  std::optional<TextParts> parts = ReadTextParts(package, log, options, model, recipe->text, problems);
  std::shared_ptr<const text::Tokenizer> words;
  if (recipe->table) {
    auto read = text::Tokenizer::Read(package, log, false, *recipe->table);
    if (!read)
      std::ranges::copy(read.error(), std::back_inserter(problems));
    else
      words = std::move(read).value();
  }
  std::unique_ptr<SparseNumbers> numbers;
  if (!recipe->token_weights.empty())
    numbers = TokenWeightsOf(*recipe, parts, problems);
  else if (!recipe->codes)
    numbers = WordScoresOf(*recipe, *config, options, parts, problems);
  else if (parts && recipe->text.codes)
    numbers = MakeCodes(recipe->text, parts->width, parts->max_length);
  if (!parts || numbers == nullptr) return nullptr;
  std::vector<float> weights;
  if (words != nullptr && !recipe->table_file.empty()) {
    auto read =
        ReadIdfTable(package, recipe->table_file, *words, *recipe->table, numbers->dimensions(), problems);
    if (!read) return nullptr;
    weights = *std::move(read);
  }
  if (words != nullptr) CheckRows(*words, *recipe->table + "tokenizer.json", parts->input, problems);
  return std::make_unique<SparseTask>(*std::move(recipe), *std::move(parts), std::move(numbers),
                                      std::move(words), std::move(weights));
}

}  // namespace candor::tasks
