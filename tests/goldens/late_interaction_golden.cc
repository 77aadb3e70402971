#include "late_interaction_golden.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace candor::goldens {
namespace {

namespace fs = std::filesystem;

fs::path Folder() { return fs::path(CANDOR_SOURCE_DIR) / "goldens" / "late_interaction"; }

std::optional<TextRole> RoleOf(const io::Json& item) {
  const std::optional<std::string> role = ReadText(item, "role");
  if (!role) return std::nullopt;
  return *role == "query" ? TextRole::kQuery : TextRole::kDocument;
}

}  // namespace

std::vector<std::string> LateNames() {
  std::vector<std::string> out;
  for (const auto& entry : fs::directory_iterator(Folder())) out.push_back(entry.path().filename().string());
  std::ranges::sort(out);
  return out;
}

LateGolden LoadLate(const std::string& name) {
  std::ifstream in(Folder() / name / "golden.json", std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  const Result<io::Json> json = io::ParseJson(text, name + "/golden.json");
  LateGolden g;
  if (!json) {
    ADD_FAILURE() << Message(json.error());
    return g;
  }
  g.name = name, g.package = (Folder() / name / "package").string();
  g.family = json->Find("family")->as_string(), g.similarity = json->Find("similarity")->as_string();
  g.max_length = json->Find("max_length")->as_uint(), g.dimensions = json->Find("dimensions")->as_uint();
  for (const io::Json& i : json->Find("items")->items()) {
    LateItem item{std::string(i.Find("text")->as_string()), RoleOf(i), ReadIds(i.Find("ids")), {}};
    for (const std::int32_t row : ReadIds(i.Find("scored")))
      item.scored.push_back(static_cast<std::size_t>(row));
    item.expansion = i.Find("expansion")->as_uint(), item.unseen = i.Find("unseen")->as_uint();
    item.total = i.Find("total")->as_uint();
    g.items.push_back(std::move(item));
  }
  g.rows = ReadArray(*json->Find("rows_f64")), g.scores = ReadArray(*json->Find("scores_f64"));
  const io::Json& hidden = *json->Find("hidden");
  g.hidden = {hidden.Find("item")->as_uint(), ReadArray(*hidden.Find("rows")),
              hidden.Find("delta")->as_real()};
  g.delta = json->Find("delta")->as_real();
  return g;
}

}  // namespace candor::goldens
