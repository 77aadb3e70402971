#include "tasks/module_readers.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "tasks/modules.h"

namespace candor::tasks {
namespace {

constexpr std::size_t kMaxWidth = 1u << 24;

// Old boolean keys, in the order in which the reference concatenates them.
constexpr std::pair<std::string_view, Pooling> kLegacyModes[] = {
    {"pooling_mode_cls_token", Pooling::kFirst},
    {"pooling_mode_max_tokens", Pooling::kMax},
    {"pooling_mode_mean_tokens", Pooling::kMean},
    {"pooling_mode_mean_sqrt_len_tokens", Pooling::kMeanSqrtLength},
    {"pooling_mode_weightedmean_tokens", Pooling::kWeightedMean},
    {"pooling_mode_lasttoken", Pooling::kLast},
};

// torch modules without parameters, at their defaults.
constexpr std::pair<std::string_view, Activation> kTorch[] = {
    {"Identity", Activation::kNone},
    {"Tanh", Activation::kTanh},
    {"ReLU", Activation::kRelu},
    {"ReLU6", Activation::kRelu6},
    {"GELU", Activation::kGeluErf},
    {"SiLU", Activation::kSilu},
    {"Sigmoid", Activation::kSigmoid},
    {"Mish", Activation::kMish},
    {"ELU", Activation::kElu},
    {"CELU", Activation::kElu},
    {"LeakyReLU", Activation::kLeakyRelu},
    {"SELU", Activation::kSelu},
    {"Hardtanh", Activation::kHardtanh},
    {"Hardsigmoid", Activation::kHardsigmoid},
    {"Hardswish", Activation::kHardswish},
    {"Hardshrink", Activation::kHardshrink},
    {"Softshrink", Activation::kSoftshrink},
    {"Tanhshrink", Activation::kTanhshrink},
    {"Softplus", Activation::kSoftplus},
    {"LogSigmoid", Activation::kLogSigmoid},
    {"Softsign", Activation::kSoftsign},
};

void Push(ModuleContext& c, Code code, Where where, std::string found, std::string allowed) {
  c.problems.push_back({code, std::move(where), std::move(found), std::move(allowed), Phase::kProcessing});
}

// Whether the module has its config file; the reference cannot build it without.
bool HasConfig(ModuleContext& c, std::string_view needs) {
  if (c.config) return true;
  if (c.folder.empty())
    Push(c, Code::kUnsupportedProcessorRecipe, c.entry.At("path"), "the package's root",
         "a folder of its own");
  else
    Push(c, Code::kComponentMissing, Where::At(c.folder + "config.json"), "no such file", std::string(needs));
  c.recipe.width = 0;  // what the next module gets is not known, so it is not judged
  return false;
}

// Width of a module's input against that of the module before.
void CheckWidth(ModuleContext& c, std::string_view key, std::size_t width) {
  if (c.recipe.width == 0 || width == 0 || width == c.recipe.width) return;
  Push(c, Code::kEvidenceConflict, c.config->At(key), std::to_string(width),
       std::to_string(c.recipe.width) + ", the width of the module before");
}

std::string Quoted(std::string_view text) { return '"' + std::string(text) + '"'; }

// A module without keys for names takes an embedding: after a Dense that gives scores the reference would run
// it beside them.
void CheckTakesEmbedding(ModuleContext& c) {
  if (c.name != kEmbedding)
    Push(c, Code::kUnsupportedProcessorRecipe, c.entry.At("type"), "takes " + std::string(kEmbedding),
         "a module that takes " + c.name);
}

// module_input_name and module_output_name: the first must be what the module before gave, and only a product
// may call its output by the name of the result.
void ReadNames(ModuleContext& c, bool may_rename) {
  constexpr std::string_view kIn = "module_input_name", kOut = "module_output_name";
  // The loader of late interaction gives a Dense that says nothing the rows of the tokens.
  const std::string_view unsaid = c.name == kTokenRows ? kTokenRows : kEmbedding;
  const std::string in = c.config->Text(kIn, unsaid, c.problems);
  const std::string out = c.config->Text(kOut, in, c.problems);
  const bool renames = may_rename && out == c.result;
  if (in != c.name) {
    Push(c, Code::kUnsupportedProcessorRecipe, c.config->At(kIn), c.config->Shown(kIn),
         Quoted(c.name) + (c.name == unsaid ? " | null" : ""));
  } else if (out != in && !renames) {
    std::string allowed = Quoted(c.name);
    if (may_rename && c.result != c.name) allowed += " | " + Quoted(c.result);
    Push(c, Code::kUnsupportedProcessorRecipe, c.config->At(kOut), c.config->Shown(kOut),
         allowed + " | null");
  }
  if (renames) c.name = out;
}

std::vector<Pooling> Modes(ModuleContext& c) {
  std::vector<Pooling> modes;
  if (const io::Json* raw = c.config->Raw("pooling_mode"); raw != nullptr) {
    for (const auto& [key, mode] : kLegacyModes)
      IgnoreKey(*c.config, key, "pooling_mode decides where both are written");
    const std::vector<std::string> names = c.config->Texts("pooling_mode", c.problems);
    for (const std::string& name : names) {
      if (const auto mode = PoolingByName(name))
        modes.push_back(*mode);
      else
        Push(c, Code::kUnsupportedProcessorRecipe, c.config->At("pooling_mode"), name, PoolingChoices());
    }
    if (names.empty())
      Push(c, Code::kUnsupportedProcessorRecipe, c.config->At("pooling_mode"), "none", PoolingChoices());
    return modes;
  }
  for (const auto& [key, mode] : kLegacyModes)
    if (c.config->Flag(key, false, c.problems)) modes.push_back(mode);
  // The reference's default, and its reading of all flags false.
  if (modes.empty()) modes.push_back(Pooling::kMean);
  return modes;
}

}  // namespace

void ReadPooling(ModuleContext& c) {
  if (!HasConfig(c, "embedding_dimension and the pooling mode")) return;
  RefuseUnknownKeys(
      *c.config,
      {"embedding_dimension", "word_embedding_dimension", "pooling_mode", "include_prompt",
       "pooling_mode_cls_token", "pooling_mode_max_tokens", "pooling_mode_mean_tokens",
       "pooling_mode_mean_sqrt_len_tokens", "pooling_mode_weightedmean_tokens", "pooling_mode_lasttoken"},
      c.problems);
  const std::string_view key = c.config->FirstOf({"embedding_dimension", "word_embedding_dimension"});
  if (!c.config->Has(key)) {
    Push(c, Code::kInvalidPackageSchema, c.config->At("embedding_dimension"), "absent",
         "the width of the encoder");
  } else {
    CheckWidth(c, key, c.config->Size(key, 0, c.problems, 1, kMaxWidth));
  }
  PoolingStep step;
  step.modes = Modes(c);
  step.include_prompt = c.config->Flag("include_prompt", true, c.problems);
  for (const Pooling mode : step.modes) c.config->Choice("recipe.pooling", PoolingName(mode), "pooling_mode");
  c.config->Choice("recipe.pooled_vectors", step.modes.size() == 1 ? "one" : "several", "pooling_mode");
  c.config->Choice("recipe.include_prompt", step.include_prompt ? "true" : "false", "include_prompt");
  c.recipe.width *= step.modes.size();
  c.recipe.chain.push_back({c.folder, std::move(step)});
}

void ReadLayerPooling(ModuleContext& c) {
  if (!HasConfig(c, "embedding_dimension, num_hidden_layers and layer_start")) return;
  const package::Config& config = *c.config;
  RefuseUnknownKeys(config,
                    {"embedding_dimension", "word_embedding_dimension", "num_hidden_layers", "layer_start",
                     "layer_weights"},
                    c.problems);
  OnlyNeutral(config, "layer_weights", {"null"}, Code::kUnsupportedProcessorRecipe, c.problems);
  const std::string_view width = config.FirstOf({"embedding_dimension", "word_embedding_dimension"});
  if (!config.Has(width))
    Push(c, Code::kInvalidPackageSchema, config.At("embedding_dimension"), "absent",
         "the width of the encoder");
  else
    CheckWidth(c, width, config.Size(width, 0, c.problems, 1, kMaxWidth));
  const std::size_t before = c.problems.size();
  for (const std::string_view key : {"num_hidden_layers", "layer_start"})
    if (config.Shown(key) == "null")
      Push(c, Code::kInvalidPackageSchema, config.At(key), "null", "a number of layers");
  // The reference's defaults.
  const std::size_t layers = config.Size("num_hidden_layers", 12, c.problems, 1, kMaxWidth);
  const std::size_t first = config.Size("layer_start", 4, c.problems, 0, kMaxWidth);
  if (c.problems.size() != before) return;
  if (first > layers)
    return Push(c, Code::kInvalidPackageSchema, config.At("layer_start"), std::to_string(first),
                "at most num_hidden_layers, " + std::to_string(layers));
  c.recipe.layers = LayersStep{
      c.folder, first, layers + 1 - first, false, c.entry.At("type"), config.At("num_hidden_layers")};
}

void ReadDense(ModuleContext& c) {
  if (!HasConfig(c, "in_features, out_features and the activation")) return;
  const package::Config& config = *c.config;
  DenseStep step;
  for (const std::string_view key : {"in_features", "out_features"}) {
    if (!config.Has(key)) Push(c, Code::kInvalidPackageSchema, config.At(key), "absent", "a width");
  }
  step.in = config.Size("in_features", 0, c.problems, 1, kMaxWidth);
  step.out = config.Size("out_features", 0, c.problems, 1, kMaxWidth);
  CheckWidth(c, "in_features", step.in);
  step.bias = config.Flag("bias", true, c.problems);
  step.residual = config.Flag("use_residual", false, c.problems);
  ReadNames(c, true);
  for (const std::string_view key : {"init_weight", "init_bias"})
    OnlyNeutral(config, key, {"null"}, Code::kUnsupportedProcessorRecipe, c.problems);
  const std::string path = config.Text("activation_function", "torch.nn.modules.activation.Tanh", c.problems);
  const std::string name = path.substr(path.rfind('.') + 1);
  const bool torch = path.starts_with("torch.");
  const std::string home = name == "Identity" ? "linear." : "activation.";
  const auto* row =
      std::ranges::find(kTorch, std::string_view(name), &std::pair<std::string_view, Activation>::first);
  if (!torch) {
    // The reference, not trusting the package's code, takes its default instead.
    step.activation = Activation::kTanh, step.activation_name = "Tanh";
  } else if (row != std::end(kTorch) && (path == "torch.nn." + name || path == "torch.nn.modules." + name ||
                                         path == "torch.nn.modules." + home + name)) {
    step.activation = row->second, step.activation_name = name;
  } else {
    std::string allowed;
    for (const auto& [n, activation] : kTorch)
      allowed += (allowed.empty() ? "torch.nn: " : ", ") + std::string(n);
    Push(c, Code::kUnsupportedProcessorRecipe, config.At("activation_function"), path, std::move(allowed));
  }
  config.Choice("recipe.dense_activation", step.activation_name, "activation_function");
  config.Choice("recipe.dense_bias", step.bias ? "true" : "false", "bias");
  config.Choice("recipe.dense_residual",
                !step.residual        ? "none"
                : step.in == step.out ? "same"
                                      : "projected",
                "use_residual");
  static constexpr std::string_view kKnown[] = {
      "in_features",        "out_features", "bias",      "activation_function", "module_input_name",
      "module_output_name", "init_weight",  "init_bias", "use_residual"};
  for (const std::string& key : config.Keys()) {
    if (std::ranges::find(kKnown, key) == std::end(kKnown))
      IgnoreKey(config, key, "no parameter of Dense: the reference drops it");
  }
  c.recipe.width = step.out;
  if (step.in != 0 && step.out != 0) c.recipe.chain.push_back({c.folder, std::move(step)});
}

void ReadLayerNorm(ModuleContext& c) {
  CheckTakesEmbedding(c);
  if (!HasConfig(c, "dimension")) return;
  RefuseUnknownKeys(*c.config, {"dimension"}, c.problems);
  if (!c.config->Has("dimension"))
    Push(c, Code::kInvalidPackageSchema, c.config->At("dimension"), "absent",
         "the width of the module before");
  const std::size_t width = c.config->Size("dimension", 0, c.problems, 1, kMaxWidth);
  CheckWidth(c, "dimension", width);
  if (width != 0) c.recipe.chain.push_back({c.folder, LayerNormStep{width}});
}

void ReadNormalize(ModuleContext& c) {
  // Among rows of tokens there is no embedding, and the reference passes over a module whose input is absent.
  if (c.name == kTokenRows &&
      (!c.config || c.config->Text("module_input_name", kEmbedding, c.problems) == kEmbedding)) {
    c.entry.Choice("recipe.normalize", "of no embedding", "type");
    if (c.config) IgnoreKey(*c.config, "module_output_name", "the input is absent");
    return;
  }
  if (c.config) {
    ReadNames(c, false);
    for (const std::string& key : c.config->Keys()) {
      if (!key.starts_with("module_"))
        IgnoreKey(*c.config, key, "no parameter of Normalize: the reference drops it");
    }
  } else {
    CheckTakesEmbedding(c);
  }
  c.recipe.chain.push_back({c.folder, NormalizeStep{}});
}

void ReadAutoEncoder(ModuleContext& c) {
  CheckTakesEmbedding(c);
  c.name = kCodes;
  if (!HasConfig(c, "input_dim, hidden_dim and k")) return;
  const package::Config& config = *c.config;
  RefuseUnknownKeys(config, {"input_dim", "hidden_dim", "k", "k_aux", "normalize", "dead_threshold"},
                    c.problems);
  for (const std::string_view key : {"k_aux", "dead_threshold"}) IgnoreKey(config, key, "training only");
  if (!config.Has("input_dim"))
    Push(c, Code::kInvalidPackageSchema, config.At("input_dim"), "absent", "the width of the module before");
  AutoEncoder codes{c.folder, config.Size("input_dim", 0, c.problems, 1, kMaxWidth),
                    config.Size("hidden_dim", 512, c.problems, 1, kMaxWidth),
                    config.Size("k", 8, c.problems, 1, kMaxWidth)};
  CheckWidth(c, "input_dim", codes.in);
  if (codes.most > codes.out)
    Push(c, Code::kInvalidPackageSchema, config.At("k"), std::to_string(codes.most),
         "at most hidden_dim, " + std::to_string(codes.out));
  codes.normalizes = config.Flag("normalize", false, c.problems);
  if (codes.normalizes && codes.in == 1)
    Push(c, Code::kUnsupportedProcessorRecipe, config.At("normalize"), "true",
         "false: one number has no deviation");
  config.Choice("recipe.codes_normalize", codes.normalizes ? "true" : "false", "normalize");
  c.recipe.width = codes.out;
  if (codes.in != 0 && codes.out != 0) c.recipe.codes = std::move(codes);
}

// The identity when nothing is trained: no step.
void ReadDropout(ModuleContext& c) {
  if (!c.config) return;
  RefuseUnknownKeys(*c.config, {"dropout"}, c.problems);
  IgnoreKey(*c.config, "dropout", "training only");
}

}  // namespace candor::tasks
