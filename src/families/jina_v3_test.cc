// What the readers of "jina_embeddings_v3" and of the publisher's "xlm-roberta" make of a config.json.
// Defaults are those of transformers 5.24's JinaEmbeddingsV3Config and of configuration_xlm_roberta.py.
#include "families/jina_v3.h"

#include <gtest/gtest.h>

#include <string>

#include "families/test_support.h"
#include "model/slot_reader.h"
#include "model/synthetic.h"
#include "ops/reference.h"

namespace candor::families {
namespace {

const JinaV3Spec& Spec(const ReadResult& r) { return dynamic_cast<const JinaV3Model&>(*r.model).spec(); }

const std::string kNative = R"("model_type":"jina_embeddings_v3")";
const std::string kFlash =
    R"("model_type":"xlm-roberta","auto_map":{)"
    R"("AutoConfig":"jinaai/xlm-roberta-flash-implementation--configuration_xlm_roberta.XLMRobertaFlashConfig",)"
    R"("AutoModel":"jinaai/xlm-roberta-flash-implementation--modeling_lora.XLMRobertaLoRA"})";
const std::string kTwo = R"("lora_adaptations":["q.a","q.b"],"load_trained_adapters":true)";

std::string Of(const std::string& kind, const std::string& members = "") {
  return "{" + kind + (members.empty() ? "" : "," + members) + "}";
}

TEST(JinaV3Config, Defaults) {
  const ReadResult native = Read(Of(kNative)), flash = Read(Of(kFlash));
  for (const ReadResult* r : {&native, &flash}) {
    ASSERT_TRUE(r->problems.empty());
    const JinaV3Spec& s = Spec(*r);
    EXPECT_EQ(s.vocabulary, 250002u);
    EXPECT_EQ(s.width, 1024u);
    EXPECT_EQ(s.inner, 4096u);
    EXPECT_EQ(s.heads, 16u);
    EXPECT_EQ(s.layers, 24u);
    EXPECT_EQ(s.segments, 1u);
    EXPECT_EQ(s.eps, 1e-5f);
    EXPECT_EQ(s.activation, Activation::kGeluErf);
    EXPECT_TRUE(s.adapters.empty());
    EXPECT_EQ(r->model->input().max_length, 8194u);
    EXPECT_FALSE(r->model->input().padding);  // positions are not RoBERTa's
  }
  EXPECT_EQ(Spec(native).rope->frequency, Frequencies(20000, 32));
  EXPECT_EQ(Spec(flash).rope->frequency, Frequencies(10000, 32));
}

// The keys that jina-embeddings-v3 was published with: each is read or has its rule.
TEST(JinaV3Config, PublishedKeysAreAllKnown) {
  const ReadResult r = Read(
      Of(kFlash,
         R"("architectures":["XLMRobertaModel"],"attention_probs_dropout_prob":0.1,"bos_token_id":0,)"
         R"("classifier_dropout":null,"emb_pooler":"mean","eos_token_id":2,"hidden_act":"gelu",)"
         R"("hidden_dropout_prob":0.1,"hidden_size":1024,"initializer_range":0.02,"intermediate_size":4096,)"
         R"("layer_norm_eps":1e-05,"load_trained_adapters":true,)"
         R"("lora_adaptations":["retrieval.query","retrieval.passage","separation","classification"],)"
         R"("lora_alpha":1,"lora_dropout_p":0.0,"lora_main_params_trainable":false,"lora_rank":4,)"
         R"("matryoshka_dimensions":[32,64],"max_position_embeddings":8194,"num_attention_heads":16,)"
         R"("num_hidden_layers":24,"output_past":true,"pad_token_id":1,"position_embedding_type":"rotary",)"
         R"("rotary_emb_base":20000.0,"task_instructions":{"separation":""},"torch_dtype":"bfloat16",)"
         R"("transformers_version":"4.46.2","truncate_dim":null,"type_vocab_size":1,"use_cache":true,)"
         R"("use_flash_attn":true,"use_reentrant":false,"vocab_size":250002)"));
  ASSERT_TRUE(r.problems.empty());
  // The recipe reads the sizes that vectors may be cut to.
  EXPECT_TRUE(r.unread.empty());
  const InputRule input = r.model->input();
  ASSERT_EQ(input.adapters.size(), 4u);
  EXPECT_EQ(input.adapters[1].name, "retrieval.passage");
  EXPECT_EQ(input.adapters[0].space, input.adapters[1].space);  // two sides of one task
  EXPECT_NE(input.adapters[2].space, input.adapters[3].space);
  EXPECT_EQ(Spec(r).low_rank.scale, 0.25f);
}

// The keys that jina-reranker-v2 was published with, whose code is a copy in its own repository.
TEST(JinaV3Config, LearnedPositionsCountBehindThePaddingId) {
  const std::string map =
      R"("model_type":"xlm-roberta","auto_map":{"AutoConfig":"configuration_xlm_roberta.XLMRobertaFlashConfig",)"
      R"("AutoModelForSequenceClassification":"modeling_xlm_roberta.XLMRobertaForSequenceClassification"})";
  const ReadResult r = Read(Of(
      map,
      R"("architectures":["XLMRobertaForSequenceClassification"],"hidden_act":"gelu","hidden_size":768,)"
      R"("intermediate_size":3072,"layer_norm_eps":1e-05,"lora_adaptations":null,"lora_rank":4,"lora_alpha":1,)"
      R"("max_position_embeddings":1026,"num_attention_heads":12,"num_hidden_layers":12,"pad_token_id":1,)"
      R"("position_embedding_type":"absolute","rotary_emb_base":10000.0,"type_vocab_size":1,)"
      R"("use_flash_attn":true,"vocab_size":250002)"));
  ASSERT_TRUE(r.problems.empty());
  EXPECT_TRUE(r.unread.empty());
  EXPECT_FALSE(Spec(r).rope);
  const InputRule input = r.model->input();
  EXPECT_EQ(input.max_length, 1024u);
  EXPECT_FALSE(input.elastic);
  EXPECT_EQ(input.padding, 1);
}

TEST(JinaV3Config, Refusals) {
  const std::pair<std::string, Refused> kCases[] = {
      {kNative,
       {R"("rope_parameters":{"rope_type":"yarn"})", "/rope_parameters/rope_type", "yarn", "default"}},
      {kNative,
       {R"("position_embedding_type":"absolute")", "/position_embedding_type", R"("absolute")",
        R"("rotary" | null)"}},
      {kNative, {R"("lora_adaptations":["a"])", "/lora_adaptations", R"(["a"])", "null"}},
      {kNative, {R"("type_vocab_size":0)", "/type_vocab_size", "0", nullptr, Code::kInvalidPackageSchema}},
      {kNative,
       {R"("hidden_size":21,"num_attention_heads":7)", "/num_attention_heads", "7, heads of 3 columns",
        "heads of an even number of columns, which turn in pairs"}},
      {kFlash,
       {R"("position_embedding_type":"alibi")", "/position_embedding_type", R"("alibi")",
        R"("rotary" | "absolute")"}},
      {kFlash,
       {R"("position_embedding_type":"absolute","lora_adaptations":["a"],"load_trained_adapters":true)",
        "/position_embedding_type", "absolute", R"("rotary", beside lora_adaptations)"}},
      {kFlash,
       {R"("position_embedding_type":"absolute","max_position_embeddings":2)", "/pad_token_id", "1",
        "below vocab_size 250002, and at least 2 below max_position_embeddings 2"}},
      {kFlash,
       {R"("hidden_act":"relu")", "/hidden_act", "relu", "gelu, gelu_new, gelu_fast, gelu_pytorch_tanh"}},
      {kFlash, {R"("rotary_emb_interleaved":true)", "/rotary_emb_interleaved", "true", "false | null"}},
      {kFlash, {R"("rotary_emb_scale_base":512)", "/rotary_emb_scale_base", "512", "null"}},
      {kFlash, {R"("rotary_emb_dim":32)", "/rotary_emb_dim", "32", "64, a head's share of the width"}},
      {kFlash, {R"("fused_mlp":true)", "/fused_mlp", "true", "false | null"}},
      {kFlash,
       {R"("lora_adaptations":["a"])", "/load_trained_adapters", "absent", "true, beside lora_adaptations"}},
      {kFlash,
       {R"("load_trained_adapters":true,"lora_adaptations":["a","a"])", "/lora_adaptations", R"("a")",
        "names, each once and none empty", Code::kInvalidPackageSchema}},
      {kFlash,
       {R"("load_trained_adapters":true,"lora_adaptations":[])", "/lora_adaptations", "0 adapters",
        "1 to 64"}},
      {kFlash,
       {R"("load_trained_adapters":true,"lora_adaptations":["a"],"lora_rank":0)", "/lora_rank", "0", nullptr,
        Code::kInvalidPackageSchema}},
  };
  for (const auto& [kind, refused] : kCases) ExpectRefused(Of(kind, refused.member), refused);
}

// Another repository's file of the same name is other code.
TEST(JinaV3Config, OnlyThePublishersClasses) {
  const ReadResult r = Read(
      R"({"model_type":"xlm-roberta","auto_map":{"AutoModel":"x/y--modeling_xlm_roberta.XLMRobertaModel"}})");
  ASSERT_EQ(r.problems.size(), 1u);
  EXPECT_EQ(r.problems[0].code, Code::kCustomCodeDenied);
}

// One adapter is one slice of each stored stack, and the second half of a table's pair is stored transposed.
TEST(JinaV3, AdaptersAreSlices) {
  const ReadResult r =
      Read(Of(kFlash, kTwo + R"(,"hidden_size":4,"num_attention_heads":1,"intermediate_size":6,)"
                             R"("num_hidden_layers":1,"vocab_size":5,"lora_rank":3)"));
  ASSERT_TRUE(r.problems.empty());
  std::vector<TensorDecl> wanted;
  r.model->DeclareTensors(Scope(wanted));
  const auto shape = [&](const std::string& name) {
    for (const TensorDecl& d : wanted)
      if (d.name == name) return d.Shape(d.parts.front());
    ADD_FAILURE() << name;
    return std::vector<std::size_t>();
  };
  using Sizes = std::vector<std::size_t>;
  EXPECT_EQ(shape("embeddings.word_embeddings.lora_A.weight[1]"), (Sizes{2, 5, 3}));
  EXPECT_EQ(shape("embeddings.word_embeddings.lora_B.weight[1]"), (Sizes{2, 3, 4}));
  EXPECT_EQ(shape("encoder.layers.0.mixer.Wqkv.lora_A.weight[0]"), (Sizes{2, 3, 4}));
  EXPECT_EQ(shape("encoder.layers.0.mixer.Wqkv.lora_B.weight[0]"), (Sizes{2, 12, 3}));
  // Stored [2, 3, 4] as 0, 1, 2, ...: row c of the second slice is 12 + c, 16 + c, 20 + c.
  std::vector<float> values(24);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i);
  const TensorInfo stored = MemoryTensor("lora_B.weight", {2, 3, 4}, values, "model.safetensors");
  Binding binding;
  binding.cols = 3, binding.stored = {{&stored, 3, 4, Take::kTranspose}};
  std::vector<float> rows(6);
  ASSERT_TRUE(SlotReader(binding).Read(1, 2, rows.data()));
  EXPECT_EQ(rows, (std::vector<float>{13, 17, 21, 14, 18, 22}));
}

}  // namespace
}  // namespace candor::families
