#include "tasks/multi_vector_recipe.h"

#include <algorithm>
#include <utility>

#include "package/roles.h"
#include "tasks/m3_recipe.h"
#include "tasks/modules.h"

namespace candor::tasks {
namespace {

constexpr const char* kOwnFile = "config_sentence_transformers.json";
constexpr const char* kMetadata = "artifact.metadata";
constexpr std::string_view kStanford = "HF_ColBERT", kPyLate = "ColBERT";
constexpr std::string_view kPunctuation = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~";  // Python's
constexpr std::size_t kUsualLength = 32;

void Push(Problems& problems, Code code, Where where, std::string found, std::string allowed) {
  problems.push_back({code, std::move(where), std::move(found), std::move(allowed), Phase::kProcessing});
}

std::vector<std::string> Punctuation() {
  std::vector<std::string> out;
  for (const char c : kPunctuation) out.emplace_back(1, c);
  return out;
}

// A length that PyLate's files or the encoder's settings write; null is none.
std::optional<std::size_t> ReadLength(const package::Config& config, std::string_view key,
                                      Problems& problems) {
  if (!config.Has(key)) return std::nullopt;
  return config.Size(key, 0, problems, 1);
}

// query_expansion of sentence_bert_config.json (base/modules/transformer.py, QueryExpansionConfig).
std::optional<QueryExpansion> ReadExpansion(const package::Config& config, Problems& problems) {
  constexpr std::string_view kKey = "query_expansion";
  if (!config.Has(kKey)) return std::nullopt;
  const std::optional<package::Config> says = config.Inside(kKey, problems);
  if (!says) return std::nullopt;
  const std::size_t before = problems.size();
  RefuseUnknownKeys(*says, {"strategy", "attend", "token", "length"}, problems);
  QueryExpansion out;
  out.where = config.At(kKey);
  const std::string strategy = says->Text("strategy", "", problems);
  if (strategy != "fixed" && strategy != "min")
    Push(problems, Code::kUnsupportedProcessorRecipe, says->At("strategy"), says->Shown("strategy"),
         "fixed, min");
  out.fixed = strategy == "fixed";
  if (says->Shown("attend") == "null")  // the reference takes a flag alone
    Push(problems, Code::kInvalidPackageSchema, says->At("attend"), "null", "true or false");
  out.attend = says->Flag("attend", false, problems);
  if (says->Has("token")) out.token = says->Text("token", "", problems);
  if (!says->Has("length"))
    Push(problems, Code::kInvalidPackageSchema, says->At("length"), says->Shown("length"),
         "how many tokens a query has at least");
  out.length = says->Size("length", 1, problems, 1);
  if (problems.size() != before) return std::nullopt;
  return out;
}

// Behind the encoder a product alone and unit length. Its width is that of the tensor, which stands among
// those of `folder`.
void AddProjection(const package::Package& package, const std::string& folder, const std::string& module,
                   bool bias, std::size_t width, EmbedRecipe& base, Problems& problems) {
  const std::vector<TensorInfo>& tensors = package.tensors(folder);
  const std::string name = module.empty() ? "weight" : module + ".weight";
  if (tensors.empty()) {
    Push(problems, Code::kComponentMissing, Where::At(package::WeightsFile(folder)), "no tensors",
         "safetensors weights of the projection");
    return;
  }
  const auto tensor = std::ranges::find(tensors, name, &TensorInfo::name);
  if (tensor == tensors.end() || tensor->shape.size() != 2) {
    Push(problems, Code::kMissingRequiredTensor, Where::Tensor(package::WeightsFile(folder), name),
         tensor == tensors.end() ? "absent" : "not a matrix", "the projection of every token");
    return;
  }
  base.width = tensor->shape[0];
  DenseStep step{width, base.width, bias, Activation::kNone, "Identity", false, module};
  base.chain = {{folder, std::move(step)}, {folder, NormalizeStep{}}};
}

// ---- the four layouts --------------------------------------------------------------------------------

// Lengths and expansion before the encoder's own settings are asked.
struct Sides {
  std::optional<std::size_t> query, document;
  Where query_at, document_at;
  std::optional<QueryExpansion> expansion;
};

// PyLate inserts its prefixes as tokens; the reference puts them in front of the prompts as texts.
void AddPrefix(const package::Config& config, std::string_view key, std::string_view role,
               MultiVectorRecipe& recipe, Problems& problems) {
  if (config.Raw(key) == nullptr) return;
  const std::string prefix = config.Text(key, "", problems);
  recipe.base.markers.push_back(prefix);
  auto& prompts = recipe.base.prompts;
  auto at = std::ranges::find(prompts, role, &std::pair<std::string, std::string>::first);
  if (at == prompts.end()) at = prompts.insert(prompts.end(), {std::string(role), ""});
  if (!at->second.starts_with(prefix)) at->second = prefix + at->second;
}

// What _parse_model_config makes of keys of PyLate's, whoever wrote the file.
Sides ReadPyLate(const package::Config& config, MultiVectorRecipe& recipe, Problems& problems) {
  Sides sides;
  AddPrefix(config, "query_prefix", "query", recipe, problems);
  AddPrefix(config, "document_prefix", "document", recipe, problems);
  sides.query = ReadLength(config, "query_length", problems), sides.query_at = config.At("query_length");
  sides.document = ReadLength(config, "document_length", problems);
  sides.document_at = config.At("document_length");
  const bool expands = config.Flag("do_query_expansion", true, problems);
  const bool asked = config.Raw("attend_to_expansion_tokens") != nullptr;
  const bool attend =
      config.Flag(asked ? "attend_to_expansion_tokens" : "attend_to_mask_tokens", false, problems);
  if (asked) IgnoreKey(config, "attend_to_mask_tokens", "attend_to_expansion_tokens decides");
  if (config.Raw("query_expansion") != nullptr) {
    sides.expansion = ReadExpansion(config, problems);
    return sides;
  }
  static constexpr std::string_view kMarks[] = {
      "query_length",          "document_length", "do_query_expansion", "attend_to_expansion_tokens",
      "attend_to_mask_tokens", "query_prefix",    "document_prefix",    "skiplist_words"};
  const std::vector<std::string> keys = config.Keys();
  const bool marked = std::ranges::any_of(
      kMarks, [&](std::string_view mark) { return std::ranges::find(keys, mark) != keys.end(); });
  if (!marked || !expands) return sides;
  const std::size_t length = std::exchange(sides.query, std::nullopt).value_or(kUsualLength);
  sides.expansion = {.fixed = true, .attend = attend, .length = length, .where = config.At("query_length")};
  return sides;
}

Sides ReadOwn(const package::Config& config, MultiVectorRecipe& recipe, Problems& problems) {
  const bool pylate = config.Text("model_type", "", problems) == kPyLate;
  recipe.layout = pylate ? "PyLate" : "sentence-transformers";
  ReadPrompts(config, recipe.base, problems);
  if (recipe.base.default_prompt)  // what stands in front of a text is its role's, or nothing
    Push(problems, Code::kUnsupportedProcessorRecipe, config.At("default_prompt_name"),
         *recipe.base.default_prompt, "null; --role chooses a prompt");
  const Sides sides = ReadPyLate(config, recipe, problems);
  // The two that there are; others are passed over for the usual one, as in the reference.
  const bool mean = config.Shown("similarity_fn_name") == "\"meanmaxsim\"";
  recipe.base.similarity = mean ? "meanmaxsim" : "maxsim";
  config.Choice("recipe.similarity", recipe.base.similarity, "similarity_fn_name");
  const std::vector<std::string> words = config.Texts("skiplist_words", problems);
  if (pylate) {
    if (recipe.base.mask)
      Push(problems, Code::kUnsupportedProcessorRecipe, config.At("model_type"),
           "ColBERT with a MultiVectorMask", "MultiVectorEncoder, or no such module");
    recipe.base.mask = ScoringMask{};
    recipe.base.mask->skipped = config.Has("skiplist_words") ? words : Punctuation();
    recipe.base.chain.push_back({"", NormalizeStep{}});
  }
  IgnoreKey(config, "__version__", "provenance, no computation reads it");
  IgnoreKey(config, "requirements", "versions of Python packages");
  for (const std::string_view key : {"truncate_dim", "activation_fn", "keep_in_fp32_modules"})
    IgnoreKey(config, key, "of other kinds of packages");
  return sides;
}

// artifact.metadata: settings of an index and a training run, six of which the reference reads.
Sides ReadStanford(const package::Package& package, const std::shared_ptr<package::ReadLog>& log,
                   std::size_t width, MultiVectorRecipe& recipe, Problems& problems) {
  recipe.layout = "Stanford";
  Sides sides;
  std::string query = "[unused0]", document = "[unused1]";
  bool attend = false, punctuation = true;
  std::size_t length = kUsualLength;
  Where where = Where::At(kMetadata);
  if (const auto says = package.Read(kMetadata, log)) {
    if (says->Has("query_token_id")) query = says->Text("query_token_id", query, problems);
    if (says->Has("doc_token_id")) document = says->Text("doc_token_id", document, problems);
    sides.document = ReadLength(*says, "doc_maxlen", problems), sides.document_at = says->At("doc_maxlen");
    length = says->Size("query_maxlen", kUsualLength, problems, 1), where = says->At("query_maxlen");
    attend = says->Flag("attend_to_mask_tokens", false, problems);
    punctuation = says->Flag("mask_punctuation", true, problems);
    static constexpr std::string_view kRead[] = {
        "query_token_id", "doc_token_id",          "doc_maxlen",
        "query_maxlen",   "attend_to_mask_tokens", "mask_punctuation"};
    for (const std::string& key : says->Keys())
      if (std::ranges::find(kRead, key) == std::end(kRead))
        IgnoreKey(*says, key, "of the training run or the index");
  }
  recipe.base.markers = {query + " ", document + " "};
  recipe.base.prompts = {{"query", recipe.base.markers[0]}, {"document", recipe.base.markers[1]}};
  sides.expansion = {.fixed = true, .attend = attend, .length = length, .where = where};
  recipe.base.similarity = "maxsim";
  recipe.base.mask = ScoringMask{};
  if (punctuation) recipe.base.mask->skipped = Punctuation();
  log->Add({"recipe.similarity", "maxsim", "registry_mapping", "config.json", "/architectures", "HF_ColBERT",
            true});
  AddProjection(package, "", "linear", false, width, recipe.base, problems);
  return sides;
}

// A linear of every row but the first; no sides.
void ReadM3(const package::Package& package, const std::shared_ptr<package::ReadLog>& log, std::size_t width,
            MultiVectorRecipe& recipe, Problems& problems) {
  recipe.layout = "BGE-M3", recipe.first = 1;
  recipe.base.similarity = "meanmaxsim";
  ReadM3Texts(package, log, recipe.base, problems);
  log->Add({"recipe.similarity", "meanmaxsim", "registry_mapping", "", "", recipe.layout, true});
  AddProjection(package, M3File(kColbertLinear), "", true, width, recipe.base, problems);
}

bool HasStanfordClass(const package::Package& package, const std::shared_ptr<package::ReadLog>& log,
                      Problems& problems) {
  const std::optional<package::Config> config = package.Read("config.json", log);
  if (!config) return false;
  const std::vector<std::string> names = config->Texts("architectures", problems);
  return std::ranges::find(names, kStanford) != names.end();
}

// What the package would have to be.
void Undeclared(const package::Package& package, const std::shared_ptr<package::ReadLog>& log,
                Problems& problems) {
  const std::optional<package::Config> own = package.Read(kOwnFile, log);
  Push(problems, Code::kUnsupportedTaskHead, own ? own->At("model_type") : Where::At(kOwnFile),
       own ? own->Shown("model_type") : "no such file",
       "MultiVectorEncoder or ColBERT with modules.json, or the class HF_ColBERT with linear.weight");
}

}  // namespace

std::optional<std::pair<Where, std::string>> DeclaresMultiVector(const package::Package& package) {
  const auto log = std::make_shared<package::ReadLog>();
  Problems ignored;
  if (const auto own = package.Read(kOwnFile, log); own && own->Has("model_type")) {
    const std::string type = own->Text("model_type", "", ignored);
    if (type == "MultiVectorEncoder" || type == kPyLate) return std::pair(own->At("model_type"), type);
    return std::nullopt;
  }
  if (!HasStanfordClass(package, log, ignored)) return std::nullopt;
  return std::pair(Where::At("config.json", "/architectures"), std::string(kStanford));
}

MultiVectorRecipe ReadMultiVectorRecipe(const package::Package& package,
                                        const std::shared_ptr<package::ReadLog>& log,
                                        std::string_view encoder_module, std::size_t width,
                                        Problems& problems) {
  MultiVectorRecipe recipe;
  EmbedRecipe& base = recipe.base;
  base.width = width;
  Sides sides;
  const bool declared = DeclaresMultiVector(package).has_value();
  const M3Head m3 = declared ? M3Head::kNone : FindM3Head(package, kColbertLinear, problems);
  if (m3 == M3Head::kStored) {
    ReadM3(package, log, width, recipe, problems);
  } else if (!declared) {
    if (m3 == M3Head::kNone) Undeclared(package, log, problems);
    return recipe;
  } else if (package.Has("modules.json")) {
    ReadModules(package, log, {encoder_module, width, kTokenRows, kTokenRows}, base, problems);
    ReadEncoderSettings(package, log, kRowsOfSides, base, problems);
    recipe.layout = "sentence-transformers", base.similarity = "maxsim";
    if (const auto own = package.Read(kOwnFile, log)) sides = ReadOwn(*own, recipe, problems);
    // What the encoder's settings write comes first, null too.
    if (const auto settings = EncoderConfig(package, log)) {
      for (auto [key, length, at] : {std::tuple{"query_length", &sides.query, &sides.query_at},
                                     {"document_length", &sides.document, &sides.document_at}})
        if (settings->Raw(key) != nullptr)
          *length = ReadLength(*settings, key, problems), *at = settings->At(key);
      if (settings->Raw("query_expansion") != nullptr) sides.expansion = ReadExpansion(*settings, problems);
    }
  } else if (HasStanfordClass(package, log, problems) && !package.Has(kOwnFile)) {
    sides = ReadStanford(package, log, width, recipe, problems);
  } else {
    Push(problems, Code::kUnsupportedTaskHead, Where::At("modules.json"), "no such file",
         "modules.json of a MultiVectorEncoder or of PyLate, or HF_ColBERT with linear.weight");
    return recipe;
  }
  if (sides.expansion && sides.query && *sides.query < sides.expansion->length)
    Push(problems, Code::kEvidenceConflict, sides.query_at, std::to_string(*sides.query),
         "at least the " + std::to_string(sides.expansion->length) + " of query_expansion");
  if (sides.expansion && !base.mask)
    Push(problems, Code::kUnsupportedProcessorRecipe, sides.expansion->where, "query_expansion",
         "a MultiVectorMask among the modules, which scores it");
  const ScoringMask mask = base.mask.value_or(ScoringMask{{}, false, false, {}});
  recipe.plain.skips = recipe.document.skips = mask.skips_documents;
  recipe.query.skips = mask.skips_queries;
  recipe.query.length = sides.query, recipe.query.length_at = sides.query_at;
  recipe.query.expansion = sides.expansion;
  recipe.document.length = sides.document, recipe.document.length_at = sides.document_at;
  base.has_roles = sides.query || sides.document || sides.expansion || !mask.kept.empty() ||
                   (!mask.skipped.empty() && mask.skips_queries != mask.skips_documents);
  const auto choice = [&](const char* fact, std::string value) {
    log->Add({fact, std::move(value), "registry_mapping", "", "", recipe.layout, true});
  };
  choice("recipe.layout", recipe.layout);
  choice("recipe.expansion", !sides.expansion ? "none" : sides.expansion->fixed ? "fixed" : "min");
  if (sides.expansion) {
    choice("recipe.expansion_token", sides.expansion->token ? "named" : "mask");
    if (!sides.expansion->attend) choice("expansion", "unseen");  // the family's: seen rows are as any others
  }
  choice("recipe.query_length", sides.query ? "set" : "none");
  choice("recipe.document_length", sides.document ? "set" : "none");
  choice("recipe.skip_list", mask.skipped.empty()   ? "none"
                             : mask.skips_queries   ? mask.skips_documents ? "of both" : "of queries"
                             : mask.skips_documents ? "of documents"
                                                    : "of none");
  choice("recipe.keep_only", mask.kept.empty() ? "none" : "set");
  return recipe;
}

}  // namespace candor::tasks
