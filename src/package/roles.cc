#include "package/roles.h"

#include <algorithm>

namespace candor::package {
namespace {

constexpr bool kClosed = true;    // part of the closure and its digest
constexpr bool kDocument = true;  // parsed at opening
constexpr std::string_view kPickled = "pickled weights: never opened";
constexpr std::string_view kForeign = "weights in another format: never opened";
constexpr std::string_view kStated = "stated by the package: not verified, grants nothing";

struct Row {
  std::string_view pattern;  // one '*' at most
  Role role;
};

// The first row that matches decides. What matches none is "other" and outside the closure: texts for people
// (README), training leftovers, exports for other runtimes.
constexpr Row kRows[] = {
    {"*.safetensors", {"weights", kClosed, !kDocument}},
    {"*.safetensors.index.json", {"index", kClosed, kDocument}},
    {"config.json", {"config", kClosed, kDocument}},
    {"generation_config.json", {"config", kClosed, kDocument}},
    {"adapter_config.json", {"config", kClosed, kDocument}},
    {"preprocessor_config.json", {"config", kClosed, kDocument}},
    {"processor_config.json", {"config", kClosed, kDocument}},
    {"quantize_config.json", {"config", kClosed, kDocument}},
    {"tokenizer.json", {"tokenizer", kClosed, kDocument}},
    {"tokenizer_config.json", {"tokenizer", kClosed, kDocument}},
    {"special_tokens_map.json", {"tokenizer", kClosed, kDocument}},
    {"added_tokens.json", {"tokenizer", kClosed, kDocument}},
    {"vocab.json", {"tokenizer", kClosed, !kDocument}},
    {"vocab.txt", {"tokenizer", kClosed, !kDocument}},
    {"merges.txt", {"tokenizer", kClosed, !kDocument}},
    {"*.model", {"tokenizer", kClosed, !kDocument}},
    {"modules.json", {"module", kClosed, kDocument}},
    {"config_sentence_transformers.json", {"module", kClosed, kDocument}},
    {"sentence_*_config.json", {"module", kClosed, kDocument}},
    {"router_config.json", {"module", kClosed, kDocument}},
    {"idf.json", {"module", kClosed, kDocument}},
    {"artifact.metadata", {"module", kClosed, kDocument}},
    {"*.jinja", {"template", kClosed, !kDocument}},
    {"chat_template.json", {"template", kClosed, !kDocument}},
    {"labels.txt", {"labels", kClosed, !kDocument}},
    {"labels.json", {"labels", kClosed, !kDocument}},
    {"id2label.json", {"labels", kClosed, !kDocument}},
    {"*.py", {"code", !kClosed, !kDocument, "the package's own code: never run"}},
    {"openvino_*.bin", {"foreign", !kClosed, !kDocument, kForeign}},
    {"*.bin", {"pickle", !kClosed, !kDocument, kPickled}},
    {"*.pt", {"pickle", !kClosed, !kDocument, kPickled}},
    {"*.pth", {"pickle", !kClosed, !kDocument, kPickled}},
    {"*.pkl", {"pickle", !kClosed, !kDocument, kPickled}},
    {"*.ckpt", {"pickle", !kClosed, !kDocument, kPickled}},
    {"*.joblib", {"pickle", !kClosed, !kDocument, kPickled}},
    {"*.h5", {"foreign", !kClosed, !kDocument, kForeign}},
    {"*.msgpack", {"foreign", !kClosed, !kDocument, kForeign}},
    {"*.onnx", {"foreign", !kClosed, !kDocument, kForeign}},
    {"*.gguf", {"foreign", !kClosed, !kDocument, kForeign}},
    {"*.ot", {"foreign", !kClosed, !kDocument, kForeign}},
    {"LICENSE*", {"license", !kClosed, !kDocument, kStated}},
    {"LICENCE*", {"license", !kClosed, !kDocument, kStated}},
    {"COPYING*", {"license", !kClosed, !kDocument, kStated}},
    {"NOTICE*", {"license", !kClosed, !kDocument, kStated}},
};

constexpr Role kOther = {"other", !kClosed, !kDocument};

bool Matches(std::string_view name, std::string_view pattern) {
  const std::size_t star = pattern.find('*');
  if (star == std::string_view::npos) return name == pattern;
  const std::string_view head = pattern.substr(0, star);
  const std::string_view tail = pattern.substr(star + 1);
  return name.size() >= head.size() + tail.size() && name.starts_with(head) && name.ends_with(tail);
}

}  // namespace

Role RoleOf(std::string_view path, bool in_module_folder) {
  const std::size_t slash = path.rfind('/');
  const std::string_view name = slash == std::string_view::npos ? path : path.substr(slash + 1);
  const auto* const row = std::ranges::find_if(kRows, [&](const Row& r) { return Matches(name, r.pattern); });
  Role role = row == std::end(kRows) ? kOther : row->role;
  const bool template_folder =
      role.name == "template" && path.substr(0, slash) == "additional_chat_templates";
  const bool outside = slash != std::string_view::npos && !in_module_folder && !template_folder;
  if (outside && role.in_closure) role = kOther;
  return role;
}

// The two of BGE-M3, as its pickles are named.
bool IsHeadFile(std::string_view path) {
  return path == "sparse_linear.safetensors" || path == "colbert_linear.safetensors";
}

std::string WeightsFile(const std::string& folder) {
  return IsHeadFile(folder) ? folder : folder + "model.safetensors";
}

bool IsShardName(std::string_view path) {
  constexpr std::string_view kEnd = ".safetensors";
  constexpr std::string_view kMiddle = "-00000-of-00000";
  if (!path.ends_with(kEnd)) return false;
  path.remove_suffix(kEnd.size());
  if (path.size() < kMiddle.size()) return false;
  path.remove_prefix(path.size() - kMiddle.size());
  return std::equal(path.begin(), path.end(), kMiddle.begin(),
                    [](char c, char like) { return like == '0' ? c >= '0' && c <= '9' : c == like; });
}

}  // namespace candor::package
