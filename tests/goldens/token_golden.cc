#include "token_golden.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace candor::goldens {
namespace {

namespace fs = std::filesystem;

fs::path Folder() { return fs::path(CANDOR_SOURCE_DIR) / "goldens" / "token_heads"; }

TokenItem ReadItem(const io::Json& json) {
  TokenItem item{.text = std::string(json.Find("text")->as_string()),
                 .ids = ReadIds(json.Find("ids")),
                 .special = ReadIds(json.Find("special")),
                 .offsets = {},
                 .tokens_before_truncation = json.Find("tokens_before_truncation")->as_uint(),
                 .spans = {}};
  for (const io::Json& at : json.Find("offsets")->items()) {
    const std::vector<std::int32_t> pair = ReadIds(&at);
    item.offsets.emplace_back(pair.at(0), pair.at(1));
  }
  const io::Json* spans = json.Find("spans");
  if (spans == nullptr) return item;
  for (const io::JsonMember& m : spans->members()) {
    std::vector<TokenSpan>& of = item.spans[std::string(m.key)];
    for (const io::Json& row : m.value.items()) {
      const auto& cells = row.items();
      of.push_back({std::string(cells[0].as_string()), cells[1].as_real(),
                    static_cast<std::int32_t>(cells[2].as_int()),
                    static_cast<std::int32_t>(cells[3].as_int()), cells.size() > 4 ? cells[4].as_uint() : 0});
    }
  }
  return item;
}

}  // namespace

std::vector<std::string> TokenNames() {
  std::vector<std::string> out;
  for (const auto& entry : fs::directory_iterator(Folder())) out.push_back(entry.path().filename().string());
  std::ranges::sort(out);
  return out;
}

TokenGolden LoadTokens(const std::string& name) {
  std::ifstream in(Folder() / name / "golden.json", std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  const Result<io::Json> json = io::ParseJson(text, name + "/golden.json");
  TokenGolden g;
  if (!json) {
    ADD_FAILURE() << Message(json.error());
    return g;
  }
  g.name = name, g.package = (Folder() / name / "package").string();
  g.family = json->Find("family")->as_string();
  g.max_length = json->Find("max_length")->as_uint();
  for (const io::Json& label : json->Find("labels")->items()) g.labels.emplace_back(label.as_string());
  for (const io::Json& i : json->Find("items")->items()) g.items.push_back(ReadItem(i));
  g.logits = ReadArray(*json->Find("logits_f64"));
  g.delta = json->Find("delta")->as_real();
  return g;
}

}  // namespace candor::goldens
