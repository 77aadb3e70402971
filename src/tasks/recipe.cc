#include "tasks/recipe.h"

#include <algorithm>
#include <array>

#include "package/static_table.h"
#include "tasks/modules.h"
#include "tasks/multi_vector_recipe.h"
#include "tensor/batch.h"

namespace candor::tasks {
namespace {

constexpr std::pair<std::string_view, Pooling> kPoolings[] = {
    {"mean", Pooling::kMean},
    {"max", Pooling::kMax},
    {"cls", Pooling::kFirst},
    {"mean_sqrt_len_tokens", Pooling::kMeanSqrtLength},
    {"weightedmean", Pooling::kWeightedMean},
    {"lasttoken", Pooling::kLast},
};

// Which verb serves a package of another kind.
constexpr std::pair<std::string_view, std::string_view> kOtherModels[] = {
    {"CrossEncoder", "rerank or classify"},
    {"SparseEncoder", "embed --task sparse"},
};

void Push(Problems& problems, Code code, Where where, std::string found, std::string allowed) {
  problems.push_back({code, std::move(where), std::move(found), std::move(allowed), Phase::kProcessing});
}

void ReadModelType(const package::Config& config, Problems& problems) {
  const std::string type = config.Text("model_type", "SentenceTransformer", problems);
  if (type == "SentenceTransformer") return;
  std::string allowed = "SentenceTransformer";
  for (const auto& [name, verb] : kOtherModels)
    if (type == name) allowed += "; this one is for " + std::string(verb);
  Push(problems, Code::kUnsupportedTaskHead, config.At("model_type"), type, std::move(allowed));
}

// Declared Matryoshka sizes; any file may say them, and two files must not disagree.
void ReadMatryoshka(const package::Config& config, EmbedRecipe& recipe, Problems& problems) {
  const io::Json* sizes = config.Raw("matryoshka_dimensions");
  if (sizes == nullptr || sizes->is_null()) return;
  const auto damaged = [&](const io::Json& value) {
    Push(problems, Code::kInvalidPackageSchema, config.At("matryoshka_dimensions"), value.Dump(),
         "a list of sizes from 1 to the width" +
             (recipe.width == 0 ? "" : ", " + std::to_string(recipe.width)));
  };
  if (!sizes->is_array()) return damaged(*sizes);
  std::vector<std::size_t> read;
  for (const io::Json& size : sizes->items()) {
    const bool whole = size.kind() == io::Json::Kind::kInt && size.as_int() > 0;
    if (!whole || (recipe.width != 0 && size.as_uint() > recipe.width)) return damaged(size);
    read.push_back(static_cast<std::size_t>(size.as_int()));
  }
  std::ranges::sort(read);
  read.erase(std::unique(read.begin(), read.end()), read.end());
  if (!recipe.matryoshka.empty() && recipe.matryoshka != read) {
    Push(problems, Code::kEvidenceConflict, config.At("matryoshka_dimensions"), sizes->Dump(),
         "the sizes of the other file");
  }
  recipe.matryoshka = std::move(read);
}

void ReadPackageConfig(const package::Config& config, EmbedRecipe& recipe, Problems& problems) {
  ReadModelType(config, problems);
  ReadPrompts(config, recipe, problems);
  config.Choice("recipe.default_prompt", recipe.default_prompt ? "set" : "none", "default_prompt_name");
  recipe.similarity = config.Text("similarity_fn_name", "cosine", problems);
  static constexpr std::array<std::string_view, 4> kKnown{"cosine", "dot", "euclidean", "manhattan"};
  if (std::ranges::find(kKnown, recipe.similarity) == kKnown.end()) {
    Push(problems, Code::kUnsupportedProcessorRecipe, config.At("similarity_fn_name"), recipe.similarity,
         "cosine, dot, euclidean, manhattan");
  }
  config.Choice("recipe.similarity", recipe.similarity, "similarity_fn_name");
  if (config.Has("truncate_dim")) recipe.truncate_dim = config.Size("truncate_dim", 0, problems, 1);
  config.Choice("recipe.truncate_dim", recipe.truncate_dim ? "set" : "none", "truncate_dim");
  IgnoreKey(config, "__version__", "provenance, no computation reads it");
  IgnoreKey(config, "requirements", "versions of Python packages");
  IgnoreKey(config, "activation_fn", "of a cross-encoder, which this package is not");
  IgnoreKey(config, "keep_in_fp32_modules", "of a cross-encoder, which this package is not");
  ReadMatryoshka(config, recipe, problems);
}

// What model2vec's from_pretrained takes from config.json: the mean, divided by its length where it says so,
// of max_length tokens at most, 512 unless it says otherwise, and null for any number. There a vector is
// divided by its length plus 1e-32 and here by its length or 1e-12, which differ for vectors shorter than
// that alone.
void ReadModel2Vec(const package::Config& config, const std::shared_ptr<package::ReadLog>& log,
                   const RecipeOptions& options, EmbedRecipe& recipe, Problems& problems) {
  if (options.pooling) {
    Push(problems, Code::kUnsupportedOption, Where::Option("pooling"), *options.pooling,
         "only for an encoder without modules.json; this is a static table");
  }
  recipe.chain.push_back({"", PoolingStep{{Pooling::kMean}, true}});
  const bool normalize = config.Flag("normalize", false, problems);
  if (normalize) recipe.chain.push_back({"", NormalizeStep{}});
  const bool endless = config.Shown("max_length") == "null";
  if (!endless) recipe.max_seq_length = config.Size("max_length", 512, problems, 1);
  recipe.max_seq_length_at = config.At("max_length");
  config.Choice("recipe.normalize", normalize ? "true" : "false", "normalize");
  log->Add({"recipe.module", "model2vec", "registry_mapping", config.file(), "", "no modules.json", true});
}

// Without a manifest nothing says how rows become one vector: the caller does, or nobody.
void WithoutManifest(const package::Package& package, const std::shared_ptr<package::ReadLog>& log,
                     const RecipeOptions& options, std::size_t width, EmbedRecipe& recipe,
                     Problems& problems) {
  recipe.width = width;
  if (options.pooling) {
    const std::optional<Pooling> mode = PoolingByName(*options.pooling);
    if (!mode) {
      Push(problems, Code::kUnsupportedOption, Where::Option("pooling"), *options.pooling, PoolingChoices());
      return;
    }
    recipe.chain.push_back({"", PoolingStep{{*mode}, true}});
    for (const auto& [fact, value] : {std::pair<std::string, std::string>{"recipe.module", "Pooling"},
                                      {"recipe.pooling", *options.pooling},
                                      {"recipe.pooled_vectors", "one"},
                                      {"recipe.include_prompt", "true"}})
      log->Add({fact, value, "user_selection", "", "", "option pooling", true});
    return;
  }
  const std::string allowed = "modules.json, or --pooling " + PoolingChoices();
  if (const std::optional<package::Config> config = package.Read(package.InEncoder("config.json"), log)) {
    const std::vector<std::string> names = config->Texts("architectures", problems);
    const bool list = config->Raw("architectures") != nullptr && config->Raw("architectures")->is_array();
    for (std::size_t i = 0; i < names.size(); ++i) {
      const std::string& name = names[i];
      if (name.find("For") == std::string::npos && name.find("LMHead") == std::string::npos) continue;
      Where where = config->At("architectures");
      if (list) where.pointer += "/" + std::to_string(i);
      Push(problems, Code::kUnsupportedTaskHead, std::move(where), name + " without a module manifest",
           allowed);
      return;
    }
  }
  Push(problems, Code::kUnsupportedProcessorRecipe, Where::At("modules.json"), "no such file", allowed);
}

}  // namespace

void ReadPrompts(const package::Config& config, EmbedRecipe& recipe, Problems& problems) {
  if (const std::optional<package::Config> prompts = config.Inside("prompts", problems)) {
    for (const std::string& name : prompts->Keys())
      recipe.prompts.emplace_back(name, prompts->Text(name, "", problems));
  }
  if (!config.Has("default_prompt_name")) return;
  const std::string name = config.Text("default_prompt_name", "", problems);
  const bool declared =
      std::ranges::any_of(recipe.prompts, [&](const auto& prompt) { return prompt.first == name; });
  if (declared) {
    recipe.default_prompt = name;
  } else if (name != "query" && name != "document") {  // these two always exist in the reference, empty
    std::string names;
    for (const auto& [known, text] : recipe.prompts) names += (names.empty() ? "" : ", ") + known;
    Push(problems, Code::kUnsupportedProcessorRecipe, config.At("default_prompt_name"), name,
         names.empty() ? "query, document" : "one of prompts: " + names);
  }
}

bool EmbedRecipe::normalizes(std::size_t route) const {
  const auto last =
      std::find_if(chain.rbegin(), chain.rend(), [&](const Module& m) { return m.IsOn(route); });
  return last != chain.rend() && std::holds_alternative<NormalizeStep>(last->step);
}

const PoolingStep& EmbedRecipe::pooling(std::size_t route) const {
  const auto first = std::ranges::find_if(chain, [&](const Module& m) { return m.IsOn(route); });
  return std::get<PoolingStep>(first->step);
}

std::string PoolingChoices() {
  std::string out;
  for (const auto& [name, pooling] : kPoolings) out += (out.empty() ? "" : "|") + std::string(name);
  return out;
}

std::string_view PoolingName(Pooling pooling) {
  for (const auto& [name, known] : kPoolings)
    if (known == pooling) return name;
  return "";
}

std::optional<Pooling> PoolingByName(std::string_view name) {
  for (const auto& [known, pooling] : kPoolings)
    if (known == name) return pooling;
  return std::nullopt;
}

bool EmbedRecipe::cuts() const { return !table || (max_seq_length && *max_seq_length <= kLongestSequence); }

EmbedRecipe ReadRecipe(const package::Package& package, std::shared_ptr<package::ReadLog> log,
                       const RecipeOptions& options, std::size_t width, Problems& problems) {
  using Form = package::StaticTable::Form;
  if (auto declared = DeclaresMultiVector(package)) {
    Push(problems, Code::kUnsupportedTaskHead, std::move(declared->first), std::move(declared->second),
         "SentenceTransformer; this one is for embed --task tokens");
    Problems others;  // of a chain that is not this task's; texts are still read as it says
    return ReadMultiVectorRecipe(package, log, options.encoder_module, width, others).base;
  }
  EmbedRecipe recipe;
  const package::StaticTable table = package::StaticTableOf(package);
  if (table) recipe.table = TableText{table.folder, table.form == Form::kModel2Vec};
  const std::optional<package::Config> model = package.Read(package.InEncoder("config.json"), log);
  if (table.form == Form::kModel2Vec && model) {
    recipe.width = width;
    ReadModel2Vec(*model, log, options, recipe, problems);
  } else if (!package.Has("modules.json")) {
    WithoutManifest(package, log, options, width, recipe, problems);
  } else {
    if (options.pooling) {
      Push(problems, Code::kUnsupportedOption, Where::Option("pooling"), *options.pooling,
           "only for a package without modules.json");
    }
    ReadModules(package, log, {options.encoder_module, width}, recipe, problems);
    if (!table) ReadEncoderSettings(package, log, kHiddenRows, recipe, problems);
    if (const auto config = package.Read("config_sentence_transformers.json", log))
      ReadPackageConfig(*config, recipe, problems);
  }
  if (model) SettleLayers(*model, options, recipe, problems);
  // StaticEmbedding never looks into it.
  if (model && table.form != Form::kModule) ReadMatryoshka(*model, recipe, problems);
  const bool has_normalize = std::ranges::any_of(
      recipe.chain, [](const Module& m) { return std::holds_alternative<NormalizeStep>(m.step); });
  if (options.no_normalize && has_normalize) {
    Push(problems, Code::kUnsupportedOption, Where::Option("no-normalize"), "the package's chain normalises",
         "a package whose chain does not");
  }
  return recipe;
}

}  // namespace candor::tasks
