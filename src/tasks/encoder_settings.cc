// sentence_bert_config.json: what sentence-transformers' Transformer module is told beyond the model's own
// files.
#include <string>
#include <string_view>

#include "tasks/modules.h"

namespace candor::tasks {
namespace {

// The reference takes the first of these that exists and is not empty.
constexpr std::string_view kFiles[] = {
    "sentence_bert_config.json",      "sentence_roberta_config.json", "sentence_distilbert_config.json",
    "sentence_camembert_config.json", "sentence_albert_config.json",  "sentence_xlm-roberta_config.json",
    "sentence_xlnet_config.json",
};

// Only text through the model's own forward pass.
void CheckModalities(const package::Config& config, const EncoderOutput& output, Problems& problems) {
  const auto quoted = [](std::string_view text) { return '"' + std::string(text) + '"'; };
  const std::string modality =
      R"({"text":{"method":"forward","method_output_name":)" + quoted(output.of_model) + "}}";
  OnlyNeutral(config, "transformer_task", {quoted(output.task)}, Code::kUnsupportedTaskHead, problems);
  if (!output.chat)
    OnlyNeutral(config, "modality_config", {modality}, Code::kUnsupportedProcessorRecipe, problems);
  OnlyNeutral(config, "module_output_name", {quoted(output.name)}, Code::kUnsupportedProcessorRecipe,
              problems);
}

}  // namespace

std::optional<package::Config> EncoderConfig(const package::Package& package,
                                             const std::shared_ptr<package::ReadLog>& log) {
  for (const std::string_view file : kFiles)
    if (const auto config = package.Read(package.InEncoder(file), log); config && !config->Keys().empty())
      return config;
  return std::nullopt;
}

bool ReadEncoderSettings(const package::Package& package, const std::shared_ptr<package::ReadLog>& log,
                         const EncoderOutput& output, EmbedRecipe& recipe, Problems& problems) {
  recipe.encoder = package.encoder();
  const std::optional<package::Config> config = EncoderConfig(package, log);
  if (!config) return false;
  RefuseUnknownKeys(*config,
                    {"max_seq_length", "do_lower_case", "transformer_task", "modality_config",
                     "module_output_name", "processing_kwargs", "unpad_inputs", "query_length",
                     "document_length", "query_expansion", "model_args", "model_kwargs", "tokenizer_args",
                     "processor_kwargs", "config_args", "config_kwargs", "tokenizer_name_or_path"},
                    problems);
  CheckModalities(*config, output, problems);
  if (config->Has("max_seq_length")) {
    recipe.max_seq_length = config->Size("max_seq_length", 0, problems, 1);
    recipe.max_seq_length_at = config->At("max_seq_length");
  }
  recipe.lowercase_first = config->Flag("do_lower_case", false, problems);
  config->Choice("recipe.do_lower_case", recipe.lowercase_first ? "true" : "false", "do_lower_case");
  IgnoreKey(*config, "unpad_inputs", "packs the same rows for another attention kernel");
  for (const std::string_view key :
       {"query_length", "document_length", "query_expansion", "tokenizer_name_or_path"})
    if (!output.sides || key == "tokenizer_name_or_path")
      OnlyNeutral(*config, key, {"null"}, Code::kUnsupportedProcessorRecipe, problems);
  for (const std::string_view key : {"processing_kwargs", "model_args", "model_kwargs", "tokenizer_args",
                                     "processor_kwargs", "config_args", "config_kwargs"})
    if (!output.chat || key != "processing_kwargs")
      OnlyNeutral(*config, key, {"{}", "null"}, Code::kUnsupportedProcessorRecipe, problems);
  return config->Has("transformer_task");
}

}  // namespace candor::tasks
