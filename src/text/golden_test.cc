// Every text of goldens/tokenizer/sample.json, which the reference library made: ids, type ids, offsets,
// special marks and totals, exactly. Covers every component and flag, random chains of them, added tokens,
// pairs, truncation and the keys of tokenizer_config.json. Made by tools/tokenizers/golden.py.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>

#include "base/sha256.h"
#include "package/test_folder.h"
#include "text/test_answer.h"

namespace candor::text {
namespace {

io::Json Golden(const std::string& name) {
  std::ifstream in(CANDOR_SOURCE_DIR "/goldens/tokenizer/" + name, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  auto json = io::ParseJson(text, name);
  EXPECT_TRUE(json) << Message(json.error());
  return json ? *json : io::Json{};
}

// `value` with what models.json holds in place of the strings "@name".
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

std::shared_ptr<const Tokenizer> Open(const io::Json& spec, const io::Json& models) {
  const package::TestFolder folder("tokenizer_golden");
  io::JsonWriter out;
  Write(*spec.Find("tokenizer"), models, out);
  folder.Write("tokenizer.json", out.Take());
  if (!spec.Find("config")->is_null()) folder.Write("tokenizer_config.json", spec.Find("config")->Dump());
  const auto package = package::Package::Open(folder.path());
  if (!package) return nullptr;
  auto tokenizer = Tokenizer::Read(**package, std::make_shared<package::ReadLog>());
  if (tokenizer) return *tokenizer;
  ADD_FAILURE() << Message(tokenizer.error().front());
  return nullptr;
}

std::string HashOf(const std::string& answer) {
  return answer.starts_with('{') ? "refused" : Sha256Hex(answer).substr(0, 16);
}

// One text, or a pair of texts, and the hash of its answer.
void CheckHashed(const Tokenizer& tokenizer, const io::Json& options, const io::Json& row) {
  io::JsonWriter out;
  out.BeginObject();
  for (const io::JsonMember& option : options.members()) out.Key(option.key).Value(option.value);
  out.Key("a").Value(row.items().front());
  if (row.items().size() == 3) out.Key("b").Value(row.items()[1]);
  const std::string request = out.EndObject().Take();
  const std::string answer = AnswerTo(tokenizer, *io::ParseJson(request, "request"));
  EXPECT_EQ(HashOf(answer), row.items().back().as_string()) << request << "\nis answered with " << answer;
}

// TSK-08; BR-066, BR-067, BR-069, BR-071, BR-072, BR-074, BR-076, BR-077, BR-078, BR-080, BR-081, BR-083,
// BR-085, BR-090.
TEST(TokenizerGolden, EqualsTheReference) {
  const io::Json sample = Golden("sample.json"), models = Golden("models.json");
  const io::Json* packages = sample.Find("packages");
  ASSERT_NE(packages, nullptr);
  std::size_t texts = 0;
  for (const io::Json& spec : packages->items()) {
    SCOPED_TRACE(spec.Find("name")->as_string());
    const auto tokenizer = Open(spec, models);
    ASSERT_NE(tokenizer, nullptr);
    for (const io::Json& wanted : spec.Find("cases")->items()) {
      EXPECT_EQ(AnswerTo(*tokenizer, wanted), wanted.Find("answer")->Dump()) << wanted.Dump();
      ++texts;
    }
    for (const io::Json& group : spec.Find("hashed")->items()) {
      for (const io::Json& row : group.Find("texts")->items()) {
        CheckHashed(*tokenizer, *group.Find("options"), row);
        ++texts;
      }
    }
    ASSERT_FALSE(testing::Test::HasFailure()) << "the packages after this one were not compared";
  }
  EXPECT_EQ(texts, sample.Find("texts")->as_uint());
  EXPECT_GE(texts, 20000u);
}

}  // namespace
}  // namespace candor::text
