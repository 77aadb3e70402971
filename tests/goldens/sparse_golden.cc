#include "sparse_golden.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace candor::goldens {
namespace {

namespace fs = std::filesystem;

fs::path Folder() { return fs::path(CANDOR_SOURCE_DIR) / "goldens" / "sparse"; }

}  // namespace

std::vector<std::string> SparseNames() {
  std::vector<std::string> out;
  for (const auto& entry : fs::directory_iterator(Folder())) out.push_back(entry.path().filename().string());
  std::ranges::sort(out);
  return out;
}

SparseGolden LoadSparse(const std::string& name) {
  std::ifstream in(Folder() / name / "golden.json", std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  const Result<io::Json> json = io::ParseJson(text, name + "/golden.json");
  SparseGolden g;
  if (!json) {
    ADD_FAILURE() << Message(json.error());
    return g;
  }
  g.name = name, g.package = (Folder() / name / "package").string();
  g.family = json->Find("family")->as_string();
  g.max_length = json->Find("max_length")->as_uint(), g.dimension = json->Find("dimension")->as_uint();
  for (const io::Json& i : json->Find("items")->items()) {
    SparseItem item{std::string(i.Find("text")->as_string()),
                    {},
                    ReadIds(i.Find("ids")),
                    i.Find("tokens_before_truncation")->as_uint()};
    if (const auto role = ReadText(i, "role"))
      item.role = *role == "query" ? TextRole::kQuery : TextRole::kDocument;
    g.items.push_back(std::move(item));
  }
  g.vectors = ReadArray(*json->Find("vectors_f64"));
  g.delta = json->Find("delta")->as_real();
  for (const io::Json& i : json->Find("logits")->items())
    g.logits.push_back({i.Find("item")->as_uint(), ReadArray(*i.Find("rows")), i.Find("delta")->as_real()});
  g.similarity = json->Find("similarity")->Find("function")->as_string();
  g.similarity_matrix = ReadArray(*json->Find("similarity")->Find("matrix"));
  return g;
}

}  // namespace candor::goldens
