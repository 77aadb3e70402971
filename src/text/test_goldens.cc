// The forms of goldens. Texts of the largest are stored with the hash of their answer.
#include "text/test_goldens.h"

#include <ctime>
#include <fstream>
#include <iterator>

#include "base/sha256.h"
#include "package/test_folder.h"
#include "text/test_answer.h"

namespace candor::text {
namespace {

const std::string kGoldens = CANDOR_SOURCE_DIR "/goldens/";

// Null when the file is missing or damaged: then no package is visited, which callers notice.
io::Json Document(const std::string& name) {
  std::ifstream in(kGoldens + name, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  const auto json = io::ParseJson(text, name);
  return json ? *json : io::Json{};
}

std::span<const io::JsonMember> Packages(const io::Json& document) {
  const io::Json* packages = document.Find("packages");
  return packages == nullptr ? std::span<const io::JsonMember>{} : packages->members();
}

// `value` with what `models` holds in place of the strings "@name".
void Write(const io::Json& value, const io::Json& models, io::JsonWriter& out) {
  if (value.is_string() && value.as_string().starts_with('@')) {
    const io::Json* model = models.Find(value.as_string());
    out.Value(model != nullptr ? *model : value);
  } else if (value.is_array()) {
    out.BeginArray();
    for (const io::Json& item : value.items()) Write(item, models, out);
    out.EndArray();
  } else if (value.is_object()) {
    out.BeginObject();
    for (const io::JsonMember& member : value.members()) {
      out.Key(member.key);
      Write(member.value, models, out);
    }
    out.EndObject();
  } else {
    out.Value(value);
  }
}

// Null, and a difference, when the package is refused.
std::shared_ptr<const Tokenizer> Open(const std::string& folder, ComparedGolden& golden) {
  const auto log = std::make_shared<package::ReadLog>();
  const auto package = package::Package::Open(folder);
  if (!package) {
    golden.difference = Message(package.error());
    return nullptr;
  }
  const auto tokenizer = Tokenizer::Read(**package, log);
  if (!tokenizer) {
    golden.difference = Message(tokenizer.error().front());
    return nullptr;
  }
  for (const package::Evidence& e : log->evidence()) {
    if (e.choice) golden.choices.push_back(e.fact + "=" + e.value);
  }
  return *tokenizer;
}

void Compare(ComparedGolden& golden, const std::string& request, std::string_view is,
             std::string_view wanted) {
  ++golden.texts;
  if (is == wanted || !golden.difference.empty()) return;
  golden.difference =
      request + "\nis answered with " + std::string(is) + "\ninstead of " + std::string(wanted);
}

std::string HashOf(const std::string& answer) {
  return answer.starts_with('{') ? "refused" : Sha256Hex(answer).substr(0, 16);
}

// One text, or a pair of texts, and the hash of its answer.
void CompareHashed(const Tokenizer& tokenizer, const io::Json& options, const io::Json& row,
                   ComparedGolden& golden) {
  io::JsonWriter out;
  out.BeginObject();
  for (const io::JsonMember& option : options.members()) out.Key(option.key).Value(option.value);
  out.Key("a").Value(row.items().front());
  if (row.items().size() == 3) out.Key("b").Value(row.items()[1]);
  const std::string request = out.EndObject().Take();
  const std::string answer = AnswerTo(tokenizer, *io::ParseJson(request, "request"));
  Compare(golden, request + "\n" + answer, HashOf(answer), row.items().back().as_string());
}

void CompareSample(const io::Json& spec, const io::Json& models, ComparedGolden& golden) {
  const package::TestFolder folder("tokenizer_golden");
  io::JsonWriter out;
  Write(*spec.Find("tokenizer"), models, out);
  folder.Write("tokenizer.json", out.Take());
  if (!spec.Find("config")->is_null()) folder.Write("tokenizer_config.json", spec.Find("config")->Dump());
  const auto tokenizer = Open(folder.path(), golden);
  if (tokenizer == nullptr) return;
  for (const io::Json& wanted : spec.Find("cases")->items()) {
    Compare(golden, wanted.Dump(), AnswerTo(*tokenizer, wanted), wanted.Find("answer")->Dump());
  }
  for (const io::Json& group : spec.Find("hashed")->items()) {
    for (const io::Json& row : group.Find("texts")->items())
      CompareHashed(*tokenizer, *group.Find("options"), row, golden);
  }
}

// Cases of ids, type ids and offsets.
void ComparePlain(const Tokenizer& tokenizer, const io::Json& cases, ComparedGolden& golden) {
  for (const io::Json& wanted : cases.items()) {
    EncodeOptions options;
    if (const auto limit = tokenizer.facts().model_max_length) options.max_length = *limit;
    options.truncate_left = tokenizer.facts().truncation_left;
    const auto answer = io::ParseJson(AnswerTo(tokenizer, wanted, options), "answer");
    std::string is = "refused";
    if (answer && answer->is_array()) {
      is.clear();
      for (std::size_t i = 0; i < 3; ++i) is += answer->items()[i].Dump();
    }
    Compare(golden, wanted.Dump(), is,
            wanted.Find("ids")->Dump() + wanted.Find("types")->Dump() + wanted.Find("offsets")->Dump());
  }
}

// A document of packages whose files it holds itself.
void CompareWhole(const std::string& document, const GoldenVisitor& visit) {
  const io::Json expected = Document(document);
  for (const io::JsonMember& row : Packages(expected)) {
    ComparedGolden golden{.name = std::string(row.key)};
    const package::TestFolder folder("key_golden");
    for (const io::JsonMember& file : row.value.Find("files")->members()) {
      io::JsonWriter out;
      Write(file.value, *expected.Find("bases"), out);
      folder.Write(std::string(file.key), out.Take());
    }
    const auto tokenizer = Open(folder.path(), golden);
    if (tokenizer != nullptr) ComparePlain(*tokenizer, *row.value.Find("cases"), golden);
    visit(golden);
  }
}

// A unit again and again: how many ids there are, and their hash.
void CompareLong(const Tokenizer& tokenizer, const io::Json& wanted, ComparedGolden& golden) {
  std::string text;
  for (std::uint64_t i = 0; i < wanted.Find("times")->as_uint(); ++i)
    text += wanted.Find("unit")->as_string();
  const std::clock_t begin = std::clock();
  const auto encoding = tokenizer.Encode(text, {.offsets = false});
  golden.seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  std::string is = encoding ? "" : Message(encoding.error());
  if (encoding) {
    const auto& ids = encoding->ids;
    is = std::to_string(ids.size()) + " " +
         Sha256Hex({reinterpret_cast<const char*>(ids.data()), ids.size() * sizeof ids[0]});
  }
  Compare(golden, golden.name, is,
          wanted.Find("tokens")->Dump() + " " + std::string(wanted.Find("sha256")->as_string()));
}

}  // namespace

std::size_t CompareTokenizerGoldens(const GoldenVisitor& visit) {
  const io::Json sample = Document("tokenizer/sample.json"), models = Document("tokenizer/models.json");
  const io::Json* packages = sample.Find("packages");
  if (packages == nullptr) return 0;
  for (const io::Json& spec : packages->items()) {
    ComparedGolden golden{.name = std::string(spec.Find("name")->as_string())};
    CompareSample(spec, models, golden);
    visit(golden);
  }
  return sample.Find("texts")->as_uint();
}

void CompareFormatGoldens(const GoldenVisitor& visit) {
  const io::Json expected = Document("formats/expected.json");
  for (const io::JsonMember& row : Packages(expected)) {
    ComparedGolden golden{.name = std::string(row.key)};
    const auto tokenizer = Open(kGoldens + "formats/" + golden.name, golden);
    if (tokenizer == nullptr) {
      visit(golden);
      continue;
    }
    ComparePlain(*tokenizer, row.value, golden);
    visit(golden);
  }
}

void CompareKeyGoldens(const GoldenVisitor& visit) { CompareWhole("keys/expected.json", visit); }

void CompareFieldGoldens(const GoldenVisitor& visit) { CompareWhole("field/expected.json", visit); }

void CompareLongGoldens(const GoldenVisitor& visit) {
  const io::Json expected = Document("field/expected.json");
  const io::Json* rows = expected.Find("long");
  if (rows == nullptr) return;
  for (const io::JsonMember& row : rows->members()) {
    const package::TestFolder folder("long_golden");
    folder.Write("tokenizer.json", row.value.Find("tokenizer")->Dump());
    ComparedGolden opened{.name = std::string(row.key)};
    const auto tokenizer = Open(folder.path(), opened);
    if (tokenizer == nullptr) {
      visit(opened);
      continue;
    }
    for (const io::Json& text : row.value.Find("texts")->items()) {
      ComparedGolden golden{.name = opened.name + ", " + text.Find("unit")->Dump()};
      CompareLong(*tokenizer, text, golden);
      visit(golden);
    }
  }
}

}  // namespace candor::text
