#include "head_golden.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace candor::goldens {
namespace {

namespace fs = std::filesystem;

fs::path Folder() { return fs::path(CANDOR_SOURCE_DIR) / "goldens" / "heads"; }

}  // namespace

std::vector<std::string> HeadNames() {
  std::vector<std::string> out;
  for (const auto& entry : fs::directory_iterator(Folder())) out.push_back(entry.path().filename().string());
  std::ranges::sort(out);
  return out;
}

HeadGolden LoadHead(const std::string& name) {
  std::ifstream in(Folder() / name / "golden.json", std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  const Result<io::Json> json = io::ParseJson(text, name + "/golden.json");
  HeadGolden g;
  if (!json) {
    ADD_FAILURE() << Message(json.error());
    return g;
  }
  g.name = name, g.package = (Folder() / name / "package").string();
  g.family = json->Find("family")->as_string();
  g.task = json->Find("task")->as_string(), g.activation = json->Find("activation")->as_string();
  g.prompt = json->Find("prompt")->as_string();
  g.chats = json->Find("chats") != nullptr;
  g.max_length = json->Find("max_length")->as_uint();
  for (const io::Json& label : json->Find("labels")->items()) g.labels.emplace_back(label.as_string());
  for (const io::Json& i : json->Find("items")->items()) {
    g.items.push_back({std::string(i.Find("text")->as_string()), ReadText(i, "pair"), ReadIds(i.Find("ids")),
                       ReadIds(i.Find("type_ids")), i.Find("tokens_before_truncation")->as_uint()});
  }
  g.logits = ReadArray(*json->Find("logits_f64")), g.scores = ReadArray(*json->Find("scores_f64"));
  g.delta = json->Find("delta")->as_real();
  g.pooled = ReadArray(*json->Find("pooled_f64")), g.pooled_delta = json->Find("pooled_delta")->as_real();
  return g;
}

}  // namespace candor::goldens
