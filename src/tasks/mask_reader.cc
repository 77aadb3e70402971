// The reader of MultiVectorMask: sentence-transformers 6.2,
// multi_vector_encoder/modules/multi_vector_mask.py.
#include <algorithm>

#include "tasks/module_readers.h"
#include "tasks/modules.h"

namespace candor::tasks {

void ReadMask(ModuleContext& c) {
  if (c.recipe.mask) {
    c.problems.push_back({Code::kUnsupportedProcessorRecipe, c.entry.At("type"), "a second MultiVectorMask",
                          "one", Phase::kProcessing});
    return;
  }
  ScoringMask& mask = c.recipe.mask.emplace();
  if (c.folder.empty()) {  // the reference would take the encoder's config.json for the module's
    c.problems.push_back({Code::kUnsupportedProcessorRecipe, c.entry.At("path"), "the package's root",
                          "a folder of its own", Phase::kProcessing});
    return;
  }
  if (!c.config) return;
  const package::Config& config = *c.config;
  RefuseUnknownKeys(config, {"skiplist_words", "skiplist_tasks", "keep_only_token_ids"}, c.problems);
  // The reference would take a string apart into its characters.
  if (const io::Json* words = config.Raw("skiplist_words"); words != nullptr && words->is_string())
    c.problems.push_back({Code::kInvalidPackageSchema, config.At("skiplist_words"), words->Dump(),
                          "a list of strings", Phase::kProcessing});
  mask.skipped = config.Texts("skiplist_words", c.problems);
  if (config.Has("skiplist_tasks")) {
    const std::vector<std::string> tasks = config.Texts("skiplist_tasks", c.problems);
    const auto named = [&](std::string_view task) { return std::ranges::find(tasks, task) != tasks.end(); };
    mask.skips_queries = named("query"), mask.skips_documents = named("document");
  }
  const io::Json* kept = config.Raw("keep_only_token_ids");
  if (kept == nullptr || kept->is_null()) return;
  const bool ids =
      kept->is_array() && std::ranges::all_of(kept->items(), [](const io::Json& id) {
        return id.kind() == io::Json::Kind::kInt && id.as_int() >= 0 && id.as_int() <= 0x7fffffff;
      });
  if (!ids) {
    c.problems.push_back({Code::kInvalidPackageSchema, config.At("keep_only_token_ids"), kept->Dump(),
                          "a list of token ids", Phase::kProcessing});
    return;
  }
  for (const io::Json& id : kept->items()) mask.kept.push_back(static_cast<std::int32_t>(id.as_int()));
}

}  // namespace candor::tasks
