#include "package/facts.h"

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>
#include <vector>

namespace candor::package {
namespace {

std::vector<std::string> Conflicts(const std::vector<std::pair<std::string, std::string>>& files) {
  Documents documents;
  for (const auto& [file, text] : files) {
    const auto json = io::ParseJson(text, file);
    EXPECT_TRUE(json) << file;
    if (json) documents.emplace(file, std::make_shared<const io::Json>(*json));
  }
  return ConflictsOf(CollectFacts(documents, {}, std::vector<EncoderPlace>(1)));
}

using Names = std::vector<std::string>;

// all-MiniLM-L6-v2 as published: four limits and two kinds of lowercasing, which differ and do not
// contradict.
TEST(FactConflicts, AHealthyPackageHasNone) {
  EXPECT_EQ(Conflicts({{"config.json", R"({"max_position_embeddings":512,"architectures":["BertModel"]})"},
                       {"sentence_bert_config.json", R"({"max_seq_length":256,"do_lower_case":false})"},
                       {"tokenizer_config.json",
                        R"({"do_lower_case":true,"model_max_length":1000,"truncation_side":"right"})"},
                       {"tokenizer.json", R"({"truncation":{"max_length":128,"direction":"Right"},)"
                                          R"("normalizer":{"type":"BertNormalizer","lowercase":true}})"}}),
            Names{});
}

// EVI-04: two places of one fact with two values.
TEST(FactConflicts, WhatContradicts) {
  EXPECT_EQ(Conflicts({{"config.json", R"({"hidden_size":2,"d_model":3})"}}), Names{"hidden_size"});
  EXPECT_EQ(Conflicts({{"config.json", R"({"dtype":"float32","torch_dtype":"float16"})"}}), Names{"dtype"});
  EXPECT_EQ(Conflicts({{"config.json", R"({"dtype":"float32","torch_dtype":"float32"})"}}), Names{});
  EXPECT_EQ(Conflicts({{"sentence_bert_config.json", R"({"max_seq_length":256,"do_lower_case":true})"},
                       {"sentence_roberta_config.json", R"({"max_seq_length":128,"do_lower_case":false})"}}),
            (Names{"text_limit", "lower_first"}));
  EXPECT_EQ(Conflicts({{"tokenizer_config.json", R"({"do_lower_case":false,"truncation_side":"left"})"},
                       {"tokenizer.json",
                        R"({"normalizer":{"lowercase":true},"truncation":{"direction":"Right"}})"}}),
            (Names{"normalizer_lowercase", "tokenizer_truncation_side"}));
  EXPECT_EQ(Conflicts({{"tokenizer_config.json", R"({"model_max_length":512,"max_len":128})"}}),
            Names{"tokenizer_limit"});
  EXPECT_EQ(Conflicts({{"config.json", R"({"matryoshka_dimensions":[8]})"},
                       {"config_sentence_transformers.json", R"({"matryoshka_dimensions":[16]})"}}),
            Names{"matryoshka_dimensions"});
  EXPECT_EQ(
      Conflicts({{"modules.json", R"([{"path":"1_Pooling","type":"P"}])"},
                 {"1_Pooling/config.json", R"({"pooling_mode":"cls","pooling_mode_mean_tokens":true})"}}),
      Names{"pooling.1_Pooling"});
}

// Each name is told once, in the order in which it first disagrees.
TEST(FactConflicts, OrderAndOnce) {
  const std::vector<Fact> facts = {{"a", "1", "f", ""}, {"b", "1", "f", ""}, {"b", "2", "f", ""},
                                   {"a", "2", "f", ""}, {"b", "3", "f", ""}, {"a", "1", "f", ""}};
  EXPECT_EQ(ConflictsOf(facts), (Names{"b", "a"}));
}

// 400,000 facts and 200,000 names that conflict. Looking each up among the others is 10^11 comparisons,
// minutes on any machine; one look-up each took 0.8 s. The bound only tells the two apart.
TEST(FactConflicts, ManyPromptsCostOneLookUpEach) {
  std::vector<Fact> facts;
  for (const char* value : {"a", "b"}) {
    for (std::size_t i = 0; i < 200'000; ++i)
      facts.push_back({"prompt." + std::to_string(i), value, "f", ""});
  }
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(ConflictsOf(facts).size(), 200'000u);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(30));
}

}  // namespace
}  // namespace candor::package
