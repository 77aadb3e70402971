// Every case of goldens/tokenizer/sample.json, which the reference library made: ids, type ids, offsets,
// special marks and totals, exactly. Covers all flags of BertNormalizer, limits, added-token flags, pairs,
// truncation on both sides, post-processors and the keys of tokenizer_config.json.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>

#include "package/test_folder.h"
#include "text/tokenizer.h"

namespace candor::text {
namespace {

io::Json Sample() {
  std::ifstream in(CANDOR_SOURCE_DIR "/goldens/tokenizer/sample.json", std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  auto json = io::ParseJson(text, "sample.json");
  EXPECT_TRUE(json) << Message(json.error());
  return json ? *json : io::Json{};
}

// tokenizer.json of a case: the sample keeps the vocabulary once for all.
std::string WithVocabulary(const io::Json& tokenizer, const io::Json& vocabulary) {
  io::JsonWriter out;
  out.BeginObject();
  for (const io::JsonMember& member : tokenizer.members()) {
    out.Key(member.key);
    if (member.key != "model") {
      out.Value(member.value);
      continue;
    }
    out.BeginObject();
    for (const io::JsonMember& field : member.value.members()) out.Key(field.key).Value(field.value);
    out.Key("vocab").Value(vocabulary).EndObject();
  }
  return out.EndObject().Take();
}

template <class T>
std::vector<T> Numbers(const io::Json& list) {
  std::vector<T> out;
  for (const io::Json& item : list.items()) out.push_back(static_cast<T>(item.as_int()));
  return out;
}

std::vector<Offset> Offsets(const io::Json& list) {
  std::vector<Offset> out;
  for (const io::Json& item : list.items()) {
    const auto pair = Numbers<std::int32_t>(item);
    out.push_back({pair[0], pair[1]});
  }
  return out;
}

Result<Encoding> EncodeCase(const Tokenizer& tokenizer, const io::Json& wanted) {
  EncodeOptions options;
  if (const io::Json* max = wanted.Find("max")) options.max_length = max->as_uint();
  if (const io::Json* left = wanted.Find("left")) options.truncate_left = left->as_bool();
  if (const io::Json* added = wanted.Find("add_special")) options.add_special = added->as_bool();
  if (const io::Json* parse = wanted.Find("parse")) options.parse_special = parse->as_bool();
  const std::string& first = wanted.Find("a")->as_string();
  const io::Json* second = wanted.Find("b");
  return second == nullptr ? tokenizer.Encode(first, options)
                           : tokenizer.EncodePair(first, second->as_string(), options);
}

// TSK-08; BR-066, BR-067, BR-069, BR-071, BR-072, BR-076, BR-081, BR-085, BR-090.
TEST(TokenizerGolden, EqualsTheReference) {
  const io::Json sample = Sample();
  const io::Json* packages = sample.Find("packages");
  ASSERT_NE(packages, nullptr);
  std::size_t cases = 0;
  for (const io::Json& spec : packages->items()) {
    SCOPED_TRACE(spec.Find("name")->as_string());
    const package::TestFolder folder("tokenizer_golden");
    folder.Write("tokenizer.json", WithVocabulary(*spec.Find("tokenizer"), *sample.Find("vocab")));
    if (!spec.Find("config")->is_null()) folder.Write("tokenizer_config.json", spec.Find("config")->Dump());
    const auto package = package::Package::Open(folder.path());
    ASSERT_TRUE(package) << Message(package.error());
    const auto tokenizer = Tokenizer::Read(**package, std::make_shared<package::ReadLog>());
    ASSERT_TRUE(tokenizer) << Message(tokenizer.error().front());
    for (const io::Json& wanted : spec.Find("cases")->items()) {
      SCOPED_TRACE(wanted.Dump());
      const auto got = EncodeCase(**tokenizer, wanted);
      ASSERT_TRUE(got) << Message(got.error());
      EXPECT_EQ(got->ids, Numbers<std::int32_t>(*wanted.Find("ids")));
      EXPECT_EQ(got->type_ids, Numbers<std::int32_t>(*wanted.Find("types")));
      EXPECT_EQ(got->offsets, Offsets(*wanted.Find("offsets")));
      EXPECT_EQ(got->special, Numbers<std::uint8_t>(*wanted.Find("special")));
      EXPECT_EQ(got->total, wanted.Find("total")->as_uint());
      ++cases;
    }
  }
  EXPECT_EQ(cases, 681u);
}

}  // namespace
}  // namespace candor::text
