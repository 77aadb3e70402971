// From a package to an EmbedTask: recipe and tokenizer read together, and what they must agree on with the
// model.
#include <algorithm>
#include <iterator>
#include <utility>

#include "tasks/embed.h"
#include "tasks/text_rules.h"
#include "tensor/batch.h"

namespace candor::tasks {
namespace {

void Mismatch(Where where, std::string found, std::string allowed, Problems& problems) {
  problems.push_back({Code::kPreprocessingContractMismatch, std::move(where), std::move(found),
                      std::move(allowed), Phase::kProcessing});
}

// Every id and token type that a text can become must have a row. Vocabulary and added tokens are known by
// their largest id; what the template adds is seen in a text.
void CheckRows(const text::Tokenizer& tokenizer, const std::string& file, const InputRule& input,
               Problems& problems) {
  const std::string rows = "ids below " + std::to_string(input.vocabulary) + ", the rows of the token table";
  const std::size_t vocabulary = tokenizer.facts().vocabulary;
  if (vocabulary > input.vocabulary) {
    const std::string token(tokenizer.TokenOf(static_cast<std::int32_t>(vocabulary - 1)));
    Mismatch(Where::At(file), "id " + std::to_string(vocabulary - 1) + " of \"" + token + "\"", rows,
             problems);
  }
  const Result<text::Encoding> encoded = tokenizer.Encode("a");
  if (!encoded) return;
  const Where where = Where::At(file, "/post_processor");
  for (std::size_t i = 0; i < encoded->ids.size(); ++i) {
    const std::int64_t id = encoded->ids[i], type = encoded->type_ids[i];
    const auto outside = [](std::int64_t value, std::size_t count) {
      return value < 0 || static_cast<std::size_t>(value) >= count;
    };
    if (encoded->special[i] != 0 && outside(id, input.vocabulary))
      return Mismatch(where, "id " + std::to_string(id), rows, problems);
    if (input.segments != 0 && outside(type, input.segments)) {
      return Mismatch(where, "token type " + std::to_string(type),
                      "token types below " + std::to_string(input.segments), problems);
    }
  }
}

// model2vec takes a table that is not mapped only where it has as many rows as there are tokens.
void CheckTokens(const package::Package& package, const text::Tokenizer& tokenizer, const InputRule& input,
                 Problems& problems) {
  const std::vector<TensorInfo>& tensors = package.tensors();
  const std::size_t tokens = tokenizer.TokenLengths().size();
  const auto table = std::ranges::find(tensors, "embeddings", &TensorInfo::name);
  const bool mapped = std::ranges::find(tensors, "mapping", &TensorInfo::name) != tensors.end();
  // Fewer rows are told with the id that has none.
  if (mapped || table == tensors.end() || input.vocabulary <= tokens) return;
  Mismatch(Where::Tensor(table->file, table->name), std::to_string(input.vocabulary) + " rows",
           std::to_string(tokens) + ", one for each token of tokenizer.json", problems);
}

void CheckLimit(const text::Tokenizer& tokenizer, const Limit& package, const TaskOptions& options,
                Problems& problems) {
  const std::size_t least = LeastLength(tokenizer);
  if (!options.max_length && package.tokens > kLongestSequence) {
    problems.push_back({Code::kUnsupportedProcessorRecipe, package.where,
                        "texts of " + std::to_string(package.tokens) + " tokens",
                        "at most " + std::to_string(kLongestSequence) + "; --max-length cuts texts earlier",
                        Phase::kProcessing});
  } else if (package.tokens < least) {
    problems.push_back({Code::kUnsupportedProcessorRecipe, package.where,
                        "a limit of " + std::to_string(package.tokens) + " tokens",
                        "room for the special tokens, " + std::to_string(least), Phase::kProcessing});
  } else if (options.max_length) {
    const std::size_t most = std::min(package.tokens, kLongestSequence);
    if (const auto fits = CheckMaxLength(*options.max_length, tokenizer, most); !fits)
      problems.push_back(fits.error());
  }
}

}  // namespace

std::unique_ptr<Task> MakeEmbedTask(const package::Package& package, std::shared_ptr<package::ReadLog> log,
                                    const TaskOptions& options, const Model* model, Problems& problems) {
  const RecipeOptions recipe_options{options.pooling, options.no_normalize, options.encoder_module};
  EmbedRecipe recipe =
      ReadRecipe(package, log, recipe_options, model == nullptr ? 0 : model->width(), problems);
  Planned<std::shared_ptr<const text::Tokenizer>> tokenizer = ReadTokenizer(package, log, recipe);
  if (!tokenizer) std::ranges::copy(tokenizer.error(), std::back_inserter(problems));
  if (model == nullptr) return nullptr;
  const InputRule input = model->input();
  if (!tokenizer)
    return std::make_unique<EmbedTask>(std::move(recipe), nullptr, input, model->width(), input.max_length);
  const Limit limit = PackageLimit(recipe, tokenizer.value()->facts(), input);
  const std::string folder = recipe.table ? recipe.table->folder : "";
  CheckRows(**tokenizer, folder + "tokenizer.json", input, problems);
  CheckLimit(**tokenizer, limit, options, problems);
  if (recipe.table && recipe.table->model2vec) CheckTokens(package, **tokenizer, input, problems);
  if (options.max_length) recipe.max_seq_length = options.max_length;  // a limit where there was none
  return std::make_unique<EmbedTask>(std::move(recipe), std::move(tokenizer).value(), input, model->width(),
                                     options.max_length.value_or(limit.tokens));
}

}  // namespace candor::tasks
