// WeightedLayerPooling beside the model: sentence-transformers' Transformer module hands it the layers' rows
// only where config.json's output_hidden_states is true.
#include <string>

#include "tasks/modules.h"

namespace candor::tasks {

void SettleLayers(const package::Config& model, const RecipeOptions& options, EmbedRecipe& recipe,
                  Problems& problems) {
  constexpr std::string_view kKey = "output_hidden_states";
  if (!recipe.layers) return;
  const auto push = [&](Code code, const Where& where, std::string found, std::string allowed) {
    problems.push_back({code, where, std::move(found), std::move(allowed), Phase::kProcessing});
  };
  const std::size_t before = problems.size();
  // A number or a list gives out these layers alone: the reference then stacks nothing.
  OnlyNeutral(model, kKey, {"true", "false", "null"}, Code::kUnsupportedConfigVariant, problems);
  if (problems.size() != before) return;
  LayersStep& step = *recipe.layers;
  step.used = model.Flag(kKey, false, problems);
  if (!step.used) return model.Choice("recipe.layers", "unused", kKey);
  model.Choice("layers", "mixed", kKey);
  // Where it is false the last rows are those before the final norm.
  OnlyNeutral(model, "tie_last_hidden_states", {"true", "null"}, Code::kUnsupportedConfigVariant, problems);
  if (!options.given_layers) return;
  const std::size_t layers = step.first + step.count - 1;
  if (*options.given_layers == 0) {
    push(Code::kUnsupportedProcessorRecipe, step.named,
         "WeightedLayerPooling: layers of " + std::string(options.family) + " are not given out",
         "a family whose layers are, or output_hidden_states false");
  } else if (layers + 1 != *options.given_layers) {
    push(Code::kEvidenceConflict, step.counted, std::to_string(layers),
         std::to_string(*options.given_layers - 1) + ", the layers of the encoder");
  }
}

}  // namespace candor::tasks
