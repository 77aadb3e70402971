// The module chain: modules.json and the config of each module behind the encoder, as sentence-transformers
// reads them. Internal to the room.
#pragma once
#include <memory>

#include "tasks/recipe.h"

namespace candor::tasks {

// The reference's names of what one module hands to the next: the second is what a cross-encoder answers
// with.
inline constexpr std::string_view kEmbedding = "sentence_embedding", kScoreRow = "scores";
// What a chain of late interaction works on: a row for each token.
inline constexpr std::string_view kTokenRows = "token_embeddings";

// What a SparseAutoEncoder gives: a name of ours, since the reference keeps its input's.
inline constexpr std::string_view kCodes = "sparse codes";

struct ChainRules {
  std::string_view encoder_module = {};  // a class that the first module may also be (RecipeOptions)
  std::size_t width = 0;                 // of the encoder; 0: not known
  std::string_view result = kEmbedding;  // under which name the chain leaves its numbers
  std::string_view first =
      kEmbedding;  // what its first module behind the pooling takes; kTokenRows: none pools
};
// Fills recipe.chain and recipe.width. The package must have modules.json.
void ReadModules(const package::Package& package, const std::shared_ptr<package::ReadLog>& log,
                 const ChainRules& rules, EmbedRecipe& recipe, Problems& problems);

// The class that `key` of a module's entry names, without its namespace; empty, with a problem, when it is
// code that is not run or no class of ours.
std::string ModuleClass(const package::Config& entry, std::string_view key, Problems& problems);

// The folder of a module's entry with its slash, or nullopt with a problem.
std::optional<std::string> ModulePath(const package::Config& entry, Problems& problems);

// What a Transformer module gives to the next, in the words of sentence_bert_config.json.
struct EncoderOutput {
  std::string_view task, of_model, name;
  bool sides = false, chat = false;
};
// `sides`: lengths and expansion of queries and documents are read by the caller, and refused otherwise.
// `chat`: so are the modalities and what processors are given (ReadChat).
inline constexpr EncoderOutput kHiddenRows{"feature-extraction", "last_hidden_state", "token_embeddings"};
inline constexpr EncoderOutput kRowsOfSides{"feature-extraction", "last_hidden_state", "token_embeddings",
                                            true};
inline constexpr EncoderOutput kScores{"sequence-classification", "logits", "scores", false, true};
inline constexpr EncoderOutput kNextWords{"text-generation", "logits", "causal_logits", false, true};
inline constexpr EncoderOutput kWordScores{"fill-mask", "logits", "token_embeddings"};

// sentence_bert_config.json or the one of its older names that counts; nullopt: none says anything.
std::optional<package::Config> EncoderConfig(const package::Package& package,
                                             const std::shared_ptr<package::ReadLog>& log);
// Its length and lowercasing. Whether it says what the encoder gives; hidden rows where it does not.
bool ReadEncoderSettings(const package::Package& package, const std::shared_ptr<package::ReadLog>& log,
                         const EncoderOutput& output, EmbedRecipe& recipe, Problems& problems);

// Whether recipe.layers is used, by the `model`'s config.json, and whether the model has these layers.
void SettleLayers(const package::Config& model, const RecipeOptions& options, EmbedRecipe& recipe,
                  Problems& problems);

// prompts and default_prompt_name of config_sentence_transformers.json.
void ReadPrompts(const package::Config& config, EmbedRecipe& recipe, Problems& problems);

// modules.json of one module, or none: a Transformer in the root.
void CheckLoneEncoder(const package::Package& package, const std::shared_ptr<package::ReadLog>& log,
                      Problems& problems);

// False, with a problem, where the encoder has a folder: what a task is compared with opens the root,
// whatever modules.json says.
bool CheckRootEncoder(const package::Package& package, Problems& problems);

// Every key of `config` outside `known` is a problem: the reference's constructor would not take it.
void RefuseUnknownKeys(const package::Config& config, std::initializer_list<std::string_view> known,
                       Problems& problems);

// A key that no number depends on, where it is written.
void IgnoreKey(const package::Config& config, std::string_view key, std::string_view rule);

// A problem unless the key is absent or its value is one of `neutral`, written as JSON.
void OnlyNeutral(const package::Config& config, std::string_view key,
                 std::initializer_list<std::string_view> neutral, Code code, Problems& problems);

}  // namespace candor::tasks
