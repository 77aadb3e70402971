#include "package/facts.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace candor::package {
namespace {

struct Row {
  std::string_view fact, file, pointer;
};

// Where each fact can stand; files are an encoder's, in its folder. Order is the order of the inventory.
constexpr Row kRows[] = {
    {"model_type", "config.json", "/model_type"},
    {"hidden_size", "config.json", "/hidden_size"},
    {"hidden_size", "config.json", "/n_embd"},
    {"hidden_size", "config.json", "/d_model"},
    {"hidden_size", "config.json", "/dim"},
    {"layers", "config.json", "/num_hidden_layers"},
    {"layers", "config.json", "/n_layer"},
    {"layers", "config.json", "/n_layers"},
    {"heads", "config.json", "/num_attention_heads"},
    {"heads", "config.json", "/n_head"},
    {"heads", "config.json", "/n_heads"},
    {"key_value_heads", "config.json", "/num_key_value_heads"},
    {"head_size", "config.json", "/head_dim"},
    {"intermediate_size", "config.json", "/intermediate_size"},
    {"intermediate_size", "config.json", "/n_inner"},
    {"intermediate_size", "config.json", "/hidden_dim"},
    {"vocab_size", "config.json", "/vocab_size"},
    {"type_vocab_size", "config.json", "/type_vocab_size"},
    {"positions", "config.json", "/max_position_embeddings"},
    {"positions", "config.json", "/n_positions"},
    {"activation", "config.json", "/hidden_act"},
    {"activation", "config.json", "/hidden_activation"},
    {"activation", "config.json", "/activation"},
    {"activation", "config.json", "/activation_function"},
    {"tied_embeddings", "config.json", "/tie_word_embeddings"},
    {"labels", "config.json", "/id2label"},
    {"label_count", "config.json", "/num_labels"},
    {"problem_type", "config.json", "/problem_type"},
    // The limits of the text, of the tokenizer, of its file's truncation and the count of positions differ in
    // healthy packages; so do lowercasing in front of the tokenizer and inside it.
    {"text_limit", "sentence_bert_config.json", "/max_seq_length"},
    {"text_limit", "sentence_roberta_config.json", "/max_seq_length"},
    {"text_limit", "sentence_distilbert_config.json", "/max_seq_length"},
    {"text_limit", "sentence_camembert_config.json", "/max_seq_length"},
    {"text_limit", "sentence_albert_config.json", "/max_seq_length"},
    {"text_limit", "sentence_xlm-roberta_config.json", "/max_seq_length"},
    {"text_limit", "sentence_xlnet_config.json", "/max_seq_length"},
    {"tokenizer_limit", "tokenizer_config.json", "/model_max_length"},
    {"tokenizer_limit", "tokenizer_config.json", "/max_len"},
    {"truncation", "tokenizer.json", "/truncation/max_length"},
    {"lower_first", "sentence_bert_config.json", "/do_lower_case"},
    {"lower_first", "sentence_roberta_config.json", "/do_lower_case"},
    {"lower_first", "sentence_distilbert_config.json", "/do_lower_case"},
    {"lower_first", "sentence_camembert_config.json", "/do_lower_case"},
    {"lower_first", "sentence_albert_config.json", "/do_lower_case"},
    {"lower_first", "sentence_xlm-roberta_config.json", "/do_lower_case"},
    {"lower_first", "sentence_xlnet_config.json", "/do_lower_case"},
    {"normalizer_lowercase", "tokenizer_config.json", "/do_lower_case"},
    {"normalizer_lowercase", "tokenizer.json", "/normalizer/lowercase"},
    {"matryoshka_dimensions", "config.json", "/matryoshka_dimensions"},
    {"tokenizer_class", "tokenizer_config.json", "/tokenizer_class"},
    {"tokenizer_normalizer", "tokenizer.json", "/normalizer/type"},
    {"tokenizer_pre_tokenizer", "tokenizer.json", "/pre_tokenizer/type"},
    {"tokenizer_model", "tokenizer.json", "/model/type"},
    {"tokenizer_post_processor", "tokenizer.json", "/post_processor/type"},
    {"tokenizer_truncation_side", "tokenizer.json", "/truncation/direction"},
    {"tokenizer_truncation_side", "tokenizer_config.json", "/truncation_side"},
    {"adapter_type", "adapter_config.json", "/peft_type"},
    {"adapter_base", "adapter_config.json", "/base_model_name_or_path"},
    {"dtype", "config.json", "/torch_dtype"},
    {"dtype", "config.json", "/dtype"},
};

// The package's own, in the root.
constexpr Row kPackageRows[] = {
    {"product_type", "config_sentence_transformers.json", "/model_type"},
    {"similarity", "config_sentence_transformers.json", "/similarity_fn_name"},
    {"default_prompt", "config_sentence_transformers.json", "/default_prompt_name"},
    {"truncate_dim", "config_sentence_transformers.json", "/truncate_dim"},
    {"matryoshka_dimensions", "config_sentence_transformers.json", "/matryoshka_dimensions"},
};

// Where two files spell one value differently: shown in one spelling, so that they can agree.
struct Spelling {
  std::string_view fact, written, shown;
};
constexpr Spelling kSpellings[] = {
    {"dtype", "float32", "F32"},
    {"dtype", "float16", "F16"},
    {"dtype", "bfloat16", "BF16"},
    {"dtype", "float64", "F64"},
    {"tokenizer_truncation_side", "Left", "left"},
    {"tokenizer_truncation_side", "Right", "right"},
};

constexpr std::pair<std::string_view, std::string_view> kPoolingFlags[] = {
    {"pooling_mode_cls_token", "cls"},
    {"pooling_mode_max_tokens", "max"},
    {"pooling_mode_mean_tokens", "mean"},
    {"pooling_mode_mean_sqrt_len_tokens", "mean_sqrt_len_tokens"},
    {"pooling_mode_weightedmean_tokens", "weightedmean"},
    {"pooling_mode_lasttoken", "lasttoken"},
};

std::string ValueText(const io::Json& value) {
  return value.is_string() ? std::string(value.as_string()) : value.Dump();
}

const io::Json* Resolve(const io::Json& root, std::string_view pointer) {
  const io::Json* value = &root;
  while (value != nullptr && !pointer.empty()) {
    pointer.remove_prefix(1);
    const std::size_t end = std::min(pointer.find('/'), pointer.size());
    value = value->Find(pointer.substr(0, end));
    pointer.remove_prefix(end);
  }
  return value != nullptr && !value->is_null() ? value : nullptr;
}

class Collector {
 public:
  explicit Collector(const Documents& documents) : documents_(documents) {}

  const io::Json* Document(std::string_view file) const {
    const auto it = documents_.find(file);
    return it == documents_.end() ? nullptr : it->second.get();
  }
  void Add(std::string name, std::string value, std::string_view file, std::string pointer) {
    facts_.push_back({std::move(name), std::move(value), std::string(file), std::move(pointer)});
  }
  void AddAt(std::string name, const std::string& file, std::string_view pointer) {
    const io::Json* root = Document(file);
    const io::Json* value = root == nullptr ? nullptr : Resolve(*root, pointer);
    if (value == nullptr) return;
    std::string text = ValueText(*value);
    const auto* const same = std::ranges::find_if(
        kSpellings, [&](const Spelling& s) { return name.starts_with(s.fact) && s.written == text; });
    if (same != std::end(kSpellings)) text = same->shown;
    Add(std::move(name), std::move(text), file, std::string(pointer));
  }

  // What an encoder's own files say. `suffix` tells several encoders of one package apart.
  void Encoder(const std::string& folder, const std::string& suffix, const std::vector<TensorInfo>& tensors) {
    const std::string config = folder + "config.json";
    Architectures(config, suffix);
    for (const Row& row : kRows)
      AddAt(std::string(row.fact) + suffix, folder + std::string(row.file), row.pointer);
    StoredDtypes(tensors, suffix);
    Members("custom_code" + suffix, config, "auto_map");
    Members("custom_code" + suffix, folder + "tokenizer_config.json", "auto_map");
  }

  void Architectures(const std::string& file, const std::string& suffix) {
    const io::Json* config = Document(file);
    const io::Json* list = config == nullptr ? nullptr : config->Find("architectures");
    if (list == nullptr || !list->is_array()) return;
    for (std::size_t i = 0; i < list->items().size(); ++i)
      Add("architecture" + suffix, ValueText(list->items()[i]), file, "/architectures/" + std::to_string(i));
  }

  void StoredDtypes(const std::vector<TensorInfo>& tensors, const std::string& suffix) {
    std::set<std::pair<std::string_view, std::string_view>> seen;  // (file, type)
    for (const TensorInfo& tensor : tensors) {
      const std::string_view type = Name(tensor.type);  // integers are indices and masks, not parameters
      if (type.starts_with('F') || type == "BF16") seen.emplace(tensor.file, type);
    }
    for (const auto& [file, type] : seen) Add("dtype" + suffix, std::string(type), file, {});
  }

  void Members(const std::string& name, const std::string& file, const char* key) {
    const io::Json* root = Document(file);
    const io::Json* object = root == nullptr ? nullptr : root->Find(key);
    if (object == nullptr || !object->is_object()) return;
    for (const io::JsonMember& member : object->members()) {
      if (member.value.is_null()) continue;
      Add(name + "." + std::string(member.key), ValueText(member.value), file,
          "/" + std::string(key) + "/" + io::EscapePointer(member.key));
    }
  }

  void Modules() {
    const io::Json* chain = Document("modules.json");
    if (chain == nullptr || !chain->is_array()) return;
    for (std::size_t i = 0; i < chain->items().size(); ++i) {
      const io::Json* type = chain->items()[i].Find("type");
      const io::Json* path = chain->items()[i].Find("path");
      if (type == nullptr || !type->is_string()) continue;
      const std::string at = "/" + std::to_string(i);
      Add("module." + std::to_string(i), std::string(type->as_string()), "modules.json", at + "/type");
      if (path == nullptr || !path->is_string()) continue;
      Pooling(std::string(path->as_string()) + (path->as_string().empty() ? "" : "/") + "config.json");
    }
  }

  void Pooling(const std::string& file) {
    const io::Json* config = Document(file);
    if (config == nullptr) return;
    const std::string name =
        "pooling." + file.substr(0, file.size() - std::string_view("/config.json").size());
    if (const io::Json* mode = config->Find("pooling_mode"); mode != nullptr && !mode->is_null()) {
      Add(name, ValueText(*mode), file, "/pooling_mode");
    }
    std::string flags, first;
    for (const auto& [key, mode] : kPoolingFlags) {
      const io::Json* flag = config->Find(key);
      if (flag == nullptr || !flag->is_bool() || !flag->as_bool()) continue;
      if (first.empty()) first = "/" + std::string(key);
      flags += (flags.empty() ? "" : "+") + std::string(mode);
    }
    if (!flags.empty()) Add(name, flags, file, first);
  }

  std::vector<Fact> Take() { return std::move(facts_); }

 private:
  const Documents& documents_;
  std::vector<Fact> facts_;
};

}  // namespace

std::vector<Fact> CollectFacts(const Documents& documents,
                               const std::map<std::string, std::vector<TensorInfo>, std::less<>>& tensors,
                               std::span<const EncoderPlace> encoders) {
  static const std::vector<TensorInfo> kNone;
  Collector collector(documents);
  for (std::size_t i = 0; i < encoders.size(); ++i) {
    const EncoderPlace& encoder = encoders[i];
    if (!encoder.folder.empty())
      collector.Add("encoder." + std::to_string(i), encoder.folder, encoder.file, encoder.pointer);
    const auto stored = tensors.find(encoder.folder);
    collector.Encoder(encoder.folder, encoders.size() == 1 ? "" : "." + std::to_string(i),
                      stored == tensors.end() ? kNone : stored->second);
  }
  for (const Row& row : kPackageRows)
    collector.AddAt(std::string(row.fact), std::string(row.file), row.pointer);
  collector.Modules();
  collector.Members("prompt", "config_sentence_transformers.json", "prompts");
  return collector.Take();
}

std::vector<std::string> ConflictsOf(const std::vector<Fact>& facts) {
  struct Seen {
    const std::string* first;
    bool told = false;
  };
  // A package may state a million prompts, with names chosen to collide in a hash.
  std::map<std::string_view, Seen> seen;
  std::vector<std::string> names;
  for (const Fact& fact : facts) {
    Seen& of_name = seen.try_emplace(fact.name, Seen{&fact.value}).first->second;
    if (of_name.told || *of_name.first == fact.value) continue;
    of_name.told = true;
    names.push_back(fact.name);
  }
  return names;
}

}  // namespace candor::package
