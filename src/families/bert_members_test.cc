// COV-03, COV-04: what the readers of RoBERTa, XLM-RoBERTa, CamemBERT and DistilBERT make of a config.json.
// Defaults are those of transformers 5.24's configuration classes, read from their source.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "families/bert.h"
#include "families/test_support.h"
#include "model/synthetic.h"

namespace candor::families {
namespace {

const BertSpec& Spec(const ReadResult& r) { return dynamic_cast<const BertModel&>(*r.model).spec(); }

std::string Of(const std::string& type, const std::string& members) {
  return R"({"model_type":")" + type + "\"" + (members.empty() ? "" : "," + members) + "}";
}

TEST(RobertaConfig, Defaults) {
  const std::pair<const char*, std::size_t> kVocabularies[] = {
      {"roberta", 50265}, {"xlm-roberta", 30522}, {"camembert", 30522}};
  for (const auto& [type, vocabulary] : kVocabularies) {
    const ReadResult r = Read(Of(type, ""));
    ASSERT_TRUE(r.problems.empty()) << type;
    EXPECT_EQ(Spec(r).vocabulary, vocabulary) << type;
    EXPECT_EQ(Spec(r).width, 768u);
    EXPECT_EQ(Spec(r).layers, 12u);
    EXPECT_EQ(Spec(r).heads, 12u);
    EXPECT_EQ(Spec(r).inner, 3072u);
    EXPECT_EQ(Spec(r).segments, 2u);
    EXPECT_EQ(Spec(r).eps, 1e-12f);
    EXPECT_EQ(Spec(r).activation, Activation::kGeluErf);
    EXPECT_EQ(r.model->input().padding, 1);
    EXPECT_EQ(r.model->input().max_length, 510u);  // of 512 rows, two lie before the first token's
  }
}

// BR-013: usable rows are those behind the padding id: 18 of 20 with id 1, 16 with id 3.
TEST(RobertaConfig, UsableLength) {
  const auto usable = [](const char* id) {
    return Read(Of("roberta", R"("max_position_embeddings":20,"pad_token_id":)" + std::string(id)))
        .model->input()
        .max_length;
  };
  EXPECT_EQ(usable("1"), 18u);
  EXPECT_EQ(usable("3"), 16u);
  EXPECT_EQ(usable("0"), 19u);
}

TEST(RobertaConfig, Refusals) {
  const Refused kCases[] = {
      {R"("pad_token_id":null)", "/pad_token_id", "null", "a value", Code::kInvalidPackageSchema},
      {R"("pad_token_id":-1)", "/pad_token_id", "-1", "a whole number from 0 to 2147483647",
       Code::kInvalidPackageSchema},
      {R"("vocab_size":5,"pad_token_id":5)", "/pad_token_id", "5",
       "below vocab_size 5, and at least 2 below max_position_embeddings 512"},
      {R"("max_position_embeddings":2)", "/pad_token_id", "1",
       "below vocab_size 50265, and at least 2 below max_position_embeddings 2"},
      {R"("position_embedding_type":"relative_key_query")", "/position_embedding_type",
       "\"relative_key_query\"", "\"absolute\" | null"},
      {R"("num_attention_heads":5)", "/num_attention_heads", "5", "a divisor of hidden_size 768"},
      {R"("layer_norm_eps":null)", "/layer_norm_eps", "null", "a value", Code::kInvalidPackageSchema},
      {R"("type_vocab_size":0)", "/type_vocab_size", "0", "a whole number from 1 to 2147483647",
       Code::kInvalidPackageSchema},
      {R"("is_decoder":true)", "/is_decoder", "true", "false | null"},
  };
  for (const Refused& c : kCases) ExpectRefused(Of("roberta", c.member), c);
}

TEST(DistilBertConfig, Defaults) {
  const ReadResult r = Read(Of("distilbert", ""));
  ASSERT_TRUE(r.problems.empty());
  EXPECT_EQ(Spec(r).vocabulary, 30522u);
  EXPECT_EQ(Spec(r).width, 768u);
  EXPECT_EQ(Spec(r).layers, 6u);
  EXPECT_EQ(Spec(r).heads, 12u);
  EXPECT_EQ(Spec(r).inner, 3072u);
  EXPECT_EQ(Spec(r).segments, 0u);
  EXPECT_EQ(Spec(r).eps, 1e-12f);
  EXPECT_EQ(r.model->input().max_length, 512u);
  EXPECT_FALSE(r.model->input().padding);
}

// The class reads either spelling of three sizes.
TEST(DistilBertConfig, BothSpellings) {
  const ReadResult r =
      Read(Of("distilbert", R"("hidden_size":12,"num_hidden_layers":3,"n_heads":2,"hidden_dim":7)"));
  ASSERT_TRUE(r.problems.empty());
  EXPECT_EQ(Spec(r).width, 12u);
  EXPECT_EQ(Spec(r).layers, 3u);
  EXPECT_EQ(Spec(r).heads, 2u);
  EXPECT_EQ(Spec(r).inner, 7u);
  EXPECT_EQ(Spec(Read(Of("distilbert", R"("dim":12,"hidden_size":12)"))).width, 12u);
}

TEST(DistilBertConfig, Refusals) {
  const Refused kCases[] = {
      {R"("dim":24,"hidden_size":48)", "/hidden_size", "48", "24, as dim says", Code::kEvidenceConflict},
      {R"("n_heads":7)", "/n_heads", "7", "a divisor of dim 768"},
      {R"("activation":null)", "/activation", "null", "a value", Code::kInvalidPackageSchema},
      {R"("dim":null)", "/dim", "null", "a value", Code::kInvalidPackageSchema},
      {R"("pruned_heads":{"1":[0]})", "/pruned_heads", R"({"1":[0]})", "{} | null"},
  };
  for (const Refused& c : kCases) ExpectRefused(Of("distilbert", c.member), c);
}

// Keys that a class does not read stay unread, and so a plan says that nothing vouches for them.
TEST(DistilBertConfig, KeysOfTheClass) {
  const ReadResult r =
      Read(Of("distilbert", R"("qa_dropout":0.1,"sinusoidal_pos_embds":true,"layer_norm_eps":1e-5)"));
  ASSERT_TRUE(r.problems.empty());
  EXPECT_EQ(r.unread, std::vector<std::string>{"/layer_norm_eps"});
}

// Every tensor of a member under its own names, with its own prefix and heads.
TEST(BertMembers, Tensors) {
  struct Member {
    const Family& family;
    BertSpec spec;
    const char *prefix, *first, *head;
  };
  const BertSpec tiny{.vocabulary = 7, .width = 4, .inner = 6, .heads = 2, .layers = 1, .max_positions = 8};
  BertSpec roberta = tiny;
  roberta.segments = 1;
  BertSpec distil =
      Spec(Read(Of("distilbert", R"("vocab_size":7,"dim":4,"hidden_dim":6,"n_heads":2,"n_layers":1,)"
                                 R"("max_position_embeddings":8)")));
  const Member kMembers[] = {
      {kRobertaFamily, roberta, "roberta.", "encoder.layer.0.attention.self.query.weight",
       "lm_head.dense.weight"},
      {kXlmRobertaFamily, roberta, "roberta.", "encoder.layer.0.attention.self.query.weight",
       "lm_head.decoder.bias"},
      {kCamembertFamily, roberta, "", "encoder.layer.0.attention.self.query.weight",
       "classifier.out_proj.weight"},
      {kDistilBertFamily, distil, "distilbert.", "transformer.layer.0.attention.q_lin.weight",
       "vocab_projector.weight"},
  };
  for (const Member& m : kMembers) {
    BertModel model(m.spec);
    std::vector<TensorDecl> wanted;
    model.DeclareTensors(Scope(wanted));
    EXPECT_EQ(wanted.size(), 2u + (m.spec.segments != 0 ? 1u : 0u) + 2u + 12u) << m.first;
    std::vector<TensorInfo> stored = GenerateTensors(wanted, 1, m.prefix);
    const std::vector<float> one{0};
    stored.push_back(MemoryTensor(m.head, {1}, one));
    const Match match = MatchTensors(wanted, stored, m.family.names);
    EXPECT_TRUE(match.problems.empty()) << m.first;
    ASSERT_EQ(match.explained.size(), 1u) << m.first;
    EXPECT_TRUE(match.explained[0].head);
    const auto has = [&](const TensorInfo& t) { return t.name == std::string(m.prefix) + m.first; };
    EXPECT_EQ(std::ranges::count_if(stored, has), 1) << m.first;
  }
}

}  // namespace
}  // namespace candor::families
