// Faults of other engines in rerankers that answer with a word. BR numbers are those of the field log.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "candor/engine.h"
#include "transparent.h"

namespace candor::goldens {
namespace {

using package::TestFolder;

constexpr const char* kTemplate = "{% for m in messages %}{{ m.role }} {{ m.content }} {% endfor %}x";

// A Llama whose layer gives zero: whatever the text, the last row is (9, 3), and the head takes the first
// number for the word yes, 7, and the second for the word no, 8.
Transparent Words() {
  const auto tensor = [](const std::string& name, std::size_t rows, std::size_t cols,
                         const std::vector<float>& values) {
    const std::string shape = cols == 0 ? "" : "," + std::to_string(cols);
    return package::TestTensor{name, "F32", "[" + std::to_string(rows) + shape + "]",
                               package::F32Bytes(values)};
  };
  std::vector<float> head(18, 0.0f);
  head[14] = 1, head[17] = 1;
  const std::string layer = "model.layers.0.";
  Transparent t;
  t.tokens = {"[CLS]", "[PAD]", "[SEP]", "[UNK]", "a", "b", "x", "yes", "no"};
  t.files["config.json"] =
      R"({"model_type":"llama","architectures":["LlamaForCausalLM"],"vocab_size":9,"hidden_size":2,)"
      R"("num_hidden_layers":1,"num_attention_heads":1,"intermediate_size":1,"max_position_embeddings":32,)"
      R"("rms_norm_eps":1e-12,"tie_word_embeddings":false})";
  t.files["model.safetensors"] = package::SafetensorsOf(
      {tensor("model.embed_tokens.weight", 9, 2, std::vector<float>(18, 1.0f)),
       tensor(layer + "self_attn.q_proj.weight", 2, 2, {0, 0, 0, 0}),
       tensor(layer + "self_attn.k_proj.weight", 2, 2, {0, 0, 0, 0}),
       tensor(layer + "self_attn.v_proj.weight", 2, 2, {0, 0, 0, 0}),
       tensor(layer + "self_attn.o_proj.weight", 2, 2, {0, 0, 0, 0}),
       tensor(layer + "mlp.gate_proj.weight", 1, 2, {0, 0}),
       tensor(layer + "mlp.up_proj.weight", 1, 2, {0, 0}),
       tensor(layer + "mlp.down_proj.weight", 2, 1, {0, 0}),
       tensor(layer + "input_layernorm.weight", 2, 0, {1, 1}),
       tensor(layer + "post_attention_layernorm.weight", 2, 0, {1, 1}),
       tensor("model.norm.weight", 2, 0, {9, 3}), tensor("lm_head.weight", 9, 2, head)});
  t.files["chat_template.jinja"] = kTemplate;
  return t;
}

Transparent WithModule(const std::string& tokens) {
  Transparent t = Words();
  t.files["modules.json"] =
      R"([{"idx":0,"name":"0","path":"","type":"sentence_transformers.models.Transformer"},)"
      R"({"idx":1,"name":"1","path":"1_LogitScore",)"
      R"("type":"sentence_transformers.cross_encoder.modules.logit_score.LogitScore"}])";
  t.files["config_sentence_transformers.json"] = R"({"model_type":"CrossEncoder"})";
  t.files["sentence_bert_config.json"] =
      R"({"transformer_task":"text-generation","module_output_name":"causal_logits","modality_config":{)"
      R"("text":{"method":"forward","method_output_name":"logits"},)"
      R"("message":{"method":"forward","method_output_name":"logits","format":"flat"}}})";
  t.files["1_LogitScore/config.json"] = tokens;
  return t;
}

Planned<std::shared_ptr<const Reranker>> Open(const Transparent& t, const TestFolder& folder) {
  t.WriteTo(folder);
  if (!t.files.contains("modules.json")) {
    folder.Remove("modules.json");
    folder.Remove("sentence_bert_config.json");
  }
  return Engine::New({.threads = 1})
      .value()
      ->OpenReranker({.path = folder.path(), .task = "rerank", .allow_unqualified = true});
}

Ranks Ranked(const Transparent& t) {
  const TestFolder folder("words");
  const auto model = Open(t, folder);
  if (!model) {
    for (const Error& e : model.error()) ADD_FAILURE() << Message(e);
    return {};
  }
  const auto reply = (*model)->Run({.query = "a", .documents = {"b", "a b"}});
  EXPECT_TRUE(reply);
  return reply ? reply->output : Ranks{};
}

std::string Refused(const Transparent& t) {
  const TestFolder folder("words");
  const auto model = Open(t, folder);
  EXPECT_FALSE(model);
  return model ? "" : Message(model.error()[0]);
}

// BR-031: yes 9 and no 3 are a score of 6, and exp(9) / (exp(9) + exp(3)) through the sigmoid: by the words
// of the vocabulary, and by the ids of a module.
TEST(FieldWords, AScoreIsTheDifferenceOfTwoWords) {
  for (const Transparent& t : {Words(), WithModule(R"({"true_token_id":7,"false_token_id":8})")}) {
    const Ranks ranks = Ranked(t);
    ASSERT_EQ(ranks.scores.size(), 2u);
    for (std::size_t i = 0; i < 2; ++i) {
      EXPECT_NEAR(ranks.scores[i], 6, 1e-5);
      EXPECT_NEAR(ranks.activated[i], 0.9975274, 1e-6);
    }
  }
  const Ranks one = Ranked(WithModule(R"({"true_token_id":7,"false_token_id":null})"));
  ASSERT_EQ(one.scores.size(), 2u);
  EXPECT_NEAR(one.scores[0], 9, 1e-5);
  const Ranks other = Ranked(WithModule(R"({"true_token_id":8,"false_token_id":7})"));
  ASSERT_EQ(other.scores.size(), 2u);
  EXPECT_NEAR(other.scores[0], -6, 1e-5);
}

// BR-031, BR-111: without the words, the head or a template that writes both texts there is no score, and no
// cosine in its place.
TEST(FieldWords, WithoutWordsHeadOrTemplateThereIsNoScore) {
  Transparent words = Words();
  words.tokens[8] = "nay";
  EXPECT_NE(Refused(words).find("no token no"), std::string::npos);
  Transparent lost = Words();
  lost.files["chat_template.jinja"] =
      "{% for m in messages if m.role == 'query' %}{{ m.content }}{% endfor %}";
  EXPECT_NE(Refused(lost).find("no text of the role document"), std::string::npos);
  Transparent raises = Words();
  raises.files["chat_template.jinja"] =
      "a\n{% for m in messages %}{{ m.content.nothing.at_all }}{% endfor %}";
  EXPECT_NE(Refused(raises).find("line 2"), std::string::npos);
  Transparent open = Words();
  open.files["chat_template.jinja"] = "{% for m in messages %}";
  EXPECT_NE(Refused(open).find("chat_template.jinja"), std::string::npos);
  Transparent tied = Words();  // says that no head is stored, and then the word table is it
  std::string& config = tied.files["config.json"];
  config.replace(config.find("Causal"), 6, "Masked");
  EXPECT_NE(Refused(tied).find("LlamaForMaskedLM"), std::string::npos);
}

}  // namespace
}  // namespace candor::goldens
