// Which tokenizer class a package without tokenizer.json has, by the rules of transformers' AutoTokenizer.
#include <algorithm>
#include <iterator>

#include "text/formats/formats.h"

namespace candor::text {
namespace {

constexpr std::string_view kConfigFile = "tokenizer_config.json";

struct TypeRow {
  std::string_view model_type, tokenizer_class;
  bool forced = false;  // whatever class the package names
};
// Model types with the class that is registered for them. A type that is missing here and whose package names
// no class is refused.
constexpr TypeRow kTypes[] = {
    {"albert", "AlbertTokenizer"},
    {"bart", "RobertaTokenizer"},
    {"bert", "BertTokenizer"},
    {"camembert", "CamembertTokenizer"},
    {"convbert", "BertTokenizer"},
    {"data2vec-text", "RobertaTokenizer"},
    {"deberta-v2", "DebertaV2Tokenizer"},
    {"distilbert", "BertTokenizer"},
    {"electra", "BertTokenizer"},
    {"ernie", "BertTokenizer"},
    {"gemma", "GemmaTokenizer"},
    {"gemma2", "GemmaTokenizer"},
    {"gemma3", "GemmaTokenizer"},
    {"gemma3_text", "GemmaTokenizer"},
    {"gpt2", "GPT2Tokenizer"},
    {"gpt_neo", "GPT2Tokenizer"},
    {"gte", "XLMRobertaTokenizer"},
    {"ibert", "RobertaTokenizer"},
    {"jina_embeddings_v3", "XLMRobertaTokenizer"},
    {"layoutlm", "BertTokenizer"},
    {"lilt", "RobertaTokenizer"},
    {"longformer", "RobertaTokenizer"},
    {"megatron-bert", "BertTokenizer"},
    {"mpnet", "MPNetTokenizer"},
    {"mt5", "T5Tokenizer"},
    {"nezha", "BertTokenizer"},
    {"nomic_bert", "BertTokenizer"},
    {"qwen2", "Qwen2Tokenizer", true},
    {"qwen3", "Qwen2Tokenizer"},
    {"qwen3_moe", "Qwen2Tokenizer"},
    {"roberta", "RobertaTokenizer"},
    {"roberta-prelayernorm", "RobertaTokenizer"},
    {"squeezebert", "BertTokenizer"},
    {"t5", "T5Tokenizer"},
    {"xlm-roberta", "XLMRobertaTokenizer"},
    {"xmod", "XLMRobertaTokenizer"},
    // Types without a class of their own, for which any named class is passed by.
    {"modernbert", "TokenizersBackend", true},
    {"modernbert-decoder", "TokenizersBackend", true},
    {"nystromformer", "TokenizersBackend", true},
    {"umt5", "TokenizersBackend", true},
    {"xlm-roberta-xl", "TokenizersBackend", true},
};

// Names that are the same class.
struct Alias {
  std::string_view name, is;
};
constexpr Alias kAliases[] = {
    {"BartTokenizer", "RobertaTokenizer"},     {"ConvBertTokenizer", "BertTokenizer"},
    {"ElectraTokenizer", "BertTokenizer"},     {"LEDTokenizer", "RobertaTokenizer"},
    {"LayoutLMTokenizer", "BertTokenizer"},    {"LongformerTokenizer", "RobertaTokenizer"},
    {"LxmertTokenizer", "BertTokenizer"},      {"MobileBertTokenizer", "BertTokenizer"},
    {"SqueezeBertTokenizer", "BertTokenizer"},
};

std::string_view WithoutFast(std::string_view name) {
  if (name.ends_with("Fast")) name.remove_suffix(4);
  return name;
}

std::string Known() {
  std::vector<std::string_view> names;
  for (const Recipe& recipe : Recipes()) names.push_back(recipe.tokenizer_class);
  for (const Alias& alias : kAliases) names.push_back(alias.name);
  std::ranges::sort(names);
  return "tokenizer.json, or the files of " + Listed(names);
}

}  // namespace

const Recipe* RecipeOf(const package::Package& package, const TokenizerConfig& says,
                       const std::shared_ptr<package::ReadLog>& log, Problems& problems) {
  Where place = says.class_place;
  const std::string& named = says.tokenizer_class;
  const TypeRow* registered = std::end(kTypes);
  std::string model_type;
  if (const auto config = package.Read(says.folder + "config.json", log)) {
    model_type = config->Text("model_type", "", problems);
    registered = std::ranges::find(kTypes, std::string_view(model_type), &TypeRow::model_type);
    if (named.empty()) place = config->At("model_type");
  }
  const bool has = registered != std::end(kTypes);
  if (const auto config = package.Read(says.folder + std::string(kConfigFile), log);
      config && config->Has("auto_map")) {
    const io::Json* map = config->Raw("auto_map");
    const io::Json* own = map->is_array() ? map : map->Find("AutoTokenizer");
    if (own != nullptr && !own->is_null() && !(has && registered->forced)) {
      Refuse(*config, "auto_map", "a tokenizer class that is code in the package", Known(), problems);
      return nullptr;
    }
  }
  const std::string_view name =
      has && (registered->forced || named.empty()) ? registered->tokenizer_class : WithoutFast(named);
  const auto* const alias = std::ranges::find(kAliases, name, &Alias::name);
  const Recipe* recipe = FindRecipe(alias == std::end(kAliases) ? name : alias->is);
  if (recipe == nullptr) {
    std::string found = named;
    if (has && registered->forced) found = "model type " + model_type + ", whose only form is tokenizer.json";
    if (named.empty() && !has) found = model_type.empty() ? "nothing" : "model type " + model_type;
    problems.push_back({package.Has(says.folder + std::string(kConfigFile)) || !named.empty()
                            ? Code::kUnsupportedProcessorRecipe
                            : Code::kComponentMissing,
                        named.empty() ? says.At("tokenizer.json") : place, found, Known(),
                        Phase::kProcessing});
    return nullptr;
  }
  log->Choice("tokenizer.class", recipe->tokenizer_class, place.file, place.pointer,
              "no tokenizer.json: the files as this class reads them");
  return recipe;
}

}  // namespace candor::text
