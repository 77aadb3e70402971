#include "golden.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "io/json.h"
#include "tensor/batch.h"

namespace candor::goldens {
namespace {

namespace fs = std::filesystem;

const fs::path kSource = CANDOR_SOURCE_DIR;
const char kMiniLm[] = "minilm";

std::string Decode64(std::string_view text) {
  static constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  unsigned bits = 0, held = 0;
  for (const char c : text) {
    if (c == '=') break;
    bits = bits << 6 | static_cast<unsigned>(kDigits.find(c));
    held += 6;
    if (held < 8) continue;
    held -= 8;
    out += static_cast<char>(bits >> held & 0xff);
  }
  return out;
}

std::vector<Hidden> ReadHidden(const io::Json& json) {
  std::vector<Hidden> out;
  for (const io::Json& h : json.items())
    out.push_back({h.Find("item")->as_uint(), ReadArray(*h.Find("rows")), h.Find("delta")->as_real()});
  return out;
}

bool HasMiniLm() { return fs::exists(kSource / "models" / kMiniLm / "model.safetensors"); }

}  // namespace

Array ReadArray(const io::Json& json) {
  Array out;
  for (const io::Json& n : json.Find("shape")->items()) out.shape.push_back(n.as_uint());
  const std::string bytes = Decode64(json.Find("base64")->as_string());
  const bool wide = json.Find("dtype")->as_string() == "f64";
  static_assert(std::endian::native == std::endian::little);
  for (std::size_t at = 0; at < bytes.size(); at += wide ? 8 : 4) {
    double d = 0;
    float f = 0;
    if (wide)
      std::memcpy(&d, bytes.data() + at, 8);
    else
      std::memcpy(&f, bytes.data() + at, 4), d = static_cast<double>(f);
    out.values.push_back(d);
  }
  return out;
}

std::vector<std::int32_t> ReadIds(const io::Json* json) {
  std::vector<std::int32_t> out;
  if (json != nullptr)
    for (const io::Json& n : json->items()) out.push_back(static_cast<std::int32_t>(n.as_int()));
  return out;
}

std::optional<std::string> ReadText(const io::Json& item, std::string_view key) {
  const io::Json* text = item.Find(key);
  if (text == nullptr || text->is_null()) return std::nullopt;
  return std::string(text->as_string());
}

namespace {

// Folders whose cases have answers of another kind than one vector a text.
bool IsOfAnotherTask(const std::string& folder) {
  constexpr std::string_view kFolders[] = {"heads", "late_interaction", "sparse", "token_heads"};
  return std::ranges::find(kFolders, folder) != std::end(kFolders);
}

}  // namespace

std::vector<std::string> CaseNames() {
  std::vector<std::string> out;
  for (const auto& family : fs::directory_iterator(kSource / "goldens")) {
    if (!family.is_directory() || IsOfAnotherTask(family.path().filename())) continue;
    for (const auto& entry : fs::directory_iterator(family)) {
      if (fs::exists(entry.path() / "golden.json"))
        out.push_back((family.path().filename() / entry.path().filename()).string());
    }
  }
  std::ranges::sort(out);
  if (HasMiniLm() || std::getenv("CANDOR_REQUIRE_MODELS") != nullptr) out.push_back(kMiniLm);
  return out;
}

std::string TestName(std::string name) {
  std::ranges::replace(name, '/', '_');
  return name;
}

bool IsReal(const std::string& name) { return name == kMiniLm; }

Golden Load(const std::string& name) {
  const bool real = IsReal(name);
  if (real && !HasMiniLm()) {
    ADD_FAILURE() << "models/minilm is not there: tools/fetch_minilm.sh models/minilm fetches it";
  }
  const fs::path folder = kSource / "goldens" / name;
  std::ifstream in(folder / "golden.json", std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();
  const Result<io::Json> json = io::ParseJson(text.str(), name + "/golden.json");
  Golden g;
  if (!json) {
    ADD_FAILURE() << Message(json.error());
    return g;
  }
  g.name = name;
  g.package = real ? kSource / "models" / name : folder / "package";
  g.max_length = json->Find("max_length")->as_uint();
  g.dimension = json->Find("dimension")->as_uint();
  for (const io::Json& i : json->Find("items")->items()) {
    g.items.push_back({std::string(i.Find("text")->as_string()), ReadText(i, "prompt_name"),
                       ReadText(i, "prompt"), ReadText(i, "adapter"), ReadText(i, "role"),
                       ReadIds(i.Find("ids")), ReadIds(i.Find("type_ids")),
                       i.Find("tokens_before_truncation")->as_uint()});
  }
  g.embeddings = ReadArray(*json->Find("embeddings_f64"));
  g.delta = json->Find("delta")->as_real();
  if (const io::Json* hidden = json->Find("hidden")) g.hidden = ReadHidden(*hidden);
  if (const io::Json* first = json->Find("first_layer")) {
    g.first_layer.emplace();
    for (const io::JsonMember& key : first->Find("config")->members())
      g.first_layer->config.emplace_back(key.key, key.value);
    g.first_layer->hidden = ReadHidden(*first->Find("hidden"));
  }
  if (const io::Json* similarity = json->Find("similarity")) {
    g.similarity = similarity->Find("function")->as_string();
    if (const io::Json* matrix = similarity->Find("matrix")) g.similarity_matrix = ReadArray(*matrix);
  }
  if (const io::Json* cut = json->Find("cut"); cut != nullptr && !cut->is_null())
    g.cut = Cut{cut->Find("dimensions")->as_uint(), ReadArray(*cut->Find("embeddings_f64")),
                cut->Find("delta")->as_real()};
  return g;
}

bool NeedsPooling(const Golden& golden) {
  return !golden.name.starts_with("static/") && !fs::exists(fs::path(golden.package) / "modules.json");
}

std::size_t LengthOf(const Golden& golden) {
  return golden.max_length == 0 ? kLongestSequence : golden.max_length;
}

namespace {

std::optional<TextRole> RoleOf(const Item& item) {
  if (!item.role) return std::nullopt;
  return *item.role == "query" ? TextRole::kQuery : TextRole::kDocument;
}

}  // namespace

std::vector<Asked> Requests(const Golden& golden) {
  std::vector<Asked> out;
  for (std::size_t i = 0; i < golden.items.size(); ++i) {
    const Item& item = golden.items[i];
    auto at = std::ranges::find_if(out, [&](const Asked& a) {
      return a.request.text.prompt_name == item.prompt_name && a.request.text.prompt == item.prompt &&
             a.request.adapter == item.adapter && a.request.text.role == RoleOf(item);
    });
    if (at == out.end()) {
      out.emplace_back();
      at = out.end() - 1;
      at->request.text.prompt_name = item.prompt_name;
      at->request.text.prompt = item.prompt;
      at->request.adapter = item.adapter;
      at->request.text.role = RoleOf(item);
    }
    at->request.inputs.emplace_back(item.text);
    at->items.push_back(i);
  }
  return out;
}

double Bound(double delta) { return std::max(4 * delta, 1e-6); }

double RelativeL2(const std::vector<double>& a, const std::vector<double>& b) {
  double difference = 0, size = 0;
  for (std::size_t i = 0; i < b.size(); ++i) {
    difference += (a[i] - b[i]) * (a[i] - b[i]);
    size += b[i] * b[i];
  }
  return std::sqrt(difference / size);
}

}  // namespace candor::goldens
