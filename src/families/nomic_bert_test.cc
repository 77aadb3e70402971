// COV-09: what the reader makes of a config.json of either generation, and of one that has both. Defaults of
// the native keys are those of transformers 5.24's NomicBertConfig, of the original ones those of the
// published configuration_hf_nomic_bert.py on GPT2Config, read from their sources.
#include "families/nomic_bert.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "families/test_support.h"
#include "model/synthetic.h"

namespace candor::families {
namespace {

const NomicBertSpec& Spec(const ReadResult& r) {
  return dynamic_cast<const NomicBertModel&>(*r.model).spec();
}

std::string With(const std::string& members) {
  return R"({"model_type":"nomic_bert")" + (members.empty() ? "" : "," + members) + "}";
}

// Original keys that stand for themselves, before those of a case.
std::string Original(const std::string& members) {
  return With(R"("n_embd":48,"n_head":3,"n_layer":2,"n_inner":40,"activation_function":"swiglu",)"
              R"("rotary_emb_fraction":1.0)" +
              (members.empty() ? "" : "," + members));
}

TEST(NomicBertConfig, NativeDefaults) {
  const ReadResult r = Read(With(""));
  ASSERT_TRUE(r.problems.empty());
  const NomicBertSpec& s = Spec(r);
  EXPECT_EQ(s.vocabulary, 30528u);
  EXPECT_EQ(s.width, 768u);
  EXPECT_EQ(s.inner, 3072u);
  EXPECT_EQ(s.heads, 12u);
  EXPECT_EQ(s.layers, 12u);
  EXPECT_EQ(s.max_length, 2048u);
  EXPECT_EQ(s.segments, 2u);
  EXPECT_EQ(s.eps, 1e-12f);
  EXPECT_FALSE(s.attention_bias || s.up_bias || s.down_bias);
  EXPECT_TRUE(s.gated);
  EXPECT_EQ(s.activation, Activation::kSilu);
  EXPECT_EQ(s.rope.frequency, Frequencies(1000, 32));
  EXPECT_FALSE(s.rope.dynamic);
}

TEST(NomicBertConfig, OriginalDefaults) {
  const ReadResult r = Read(With(R"("n_embd":768,"activation_function":"gelu","rotary_emb_fraction":0.5)"));
  ASSERT_TRUE(r.problems.empty());
  const NomicBertSpec& s = Spec(r);
  EXPECT_EQ(s.vocabulary, 50257u);
  EXPECT_EQ(s.width, 768u);
  EXPECT_EQ(s.inner, 3072u);
  EXPECT_EQ(s.heads, 12u);
  EXPECT_EQ(s.layers, 12u);
  EXPECT_EQ(s.max_length, 1024u);
  EXPECT_EQ(s.segments, 2u);
  EXPECT_EQ(s.eps, 1e-5f);
  EXPECT_TRUE(s.attention_bias && s.up_bias && s.down_bias);
  EXPECT_FALSE(s.gated);
  EXPECT_EQ(s.activation, Activation::kGeluErf);
  EXPECT_EQ(s.rope.frequency, Frequencies(10000, 16));
  EXPECT_FALSE(s.rope.dynamic);
}

// Where n_inner is the only word on it, the gated MLP of the remote code is wider than it says.
TEST(NomicBertConfig, GatedWidths) {
  EXPECT_EQ(Spec(Read(Original(""))).inner, 256u);
  EXPECT_EQ(Spec(Read(Original(R"("intermediate_size":40)"))).inner, 40u);
  EXPECT_EQ(Spec(Read(With(R"("n_embd":768,"activation_function":"glu","rotary_emb_fraction":1)"))).inner,
            2048u);
  EXPECT_EQ(
      Spec(Read(With(R"("n_embd":768,"n_inner":40,"activation_function":"gelu","rotary_emb_fraction":1)")))
          .inner,
      40u);
}

TEST(NomicBertConfig, OriginalMembers) {
  const std::pair<const char*, Activation> kGated[] = {
      {"swiglu", Activation::kSilu}, {"geglu", Activation::kGeluErf}, {"glu", Activation::kSigmoid}};
  for (const auto& [name, activation] : kGated) {
    const ReadResult r = Read(
        With(R"("n_embd":768,"rotary_emb_fraction":1,"activation_function":")" + std::string(name) + "\""));
    ASSERT_TRUE(r.problems.empty()) << name;
    EXPECT_TRUE(Spec(r).gated);
    EXPECT_EQ(Spec(r).activation, activation);
    EXPECT_EQ(ChoiceOf(r, "activation_function"), name);
  }
  const ReadResult r = Read(Original(
      R"("rotary_scaling_factor":2,"max_trained_positions":16,"rotary_emb_base":500,"type_vocab_size":0,)"
      R"("qkv_proj_bias":false,"mlp_fc1_bias":false,"mlp_fc2_bias":false,"n_positions":99)"));
  ASSERT_TRUE(r.problems.empty());
  const NomicBertSpec& s = Spec(r);
  EXPECT_EQ(s.rope.frequency, Frequencies(500, 8));
  ASSERT_TRUE(s.rope.dynamic);
  EXPECT_EQ(s.rope.dynamic->base, 500);
  EXPECT_EQ(s.rope.dynamic->factor, 2);
  EXPECT_EQ(s.rope.dynamic->trained, 16u);
  EXPECT_EQ(s.segments, 0u);
  EXPECT_EQ(s.max_length, 99u);
  EXPECT_FALSE(s.attention_bias || s.up_bias || s.down_bias);
  EXPECT_EQ(ChoiceOf(r, "rotary_scaling_factor"), "set");
  EXPECT_EQ(ChoiceOf(r, "type_vocabulary"), "none");
}

// nomic-embed-text-v1.5 as published in 2024, its keys and values; then with those that were added for the
// native class.
TEST(NomicBertConfig, PublishedFiles) {
  const std::string published =
      R"("architectures":["NomicBertModel"],"activation_function":"swiglu","attn_pdrop":0.0,"auto_map":{)"
      R"("AutoConfig":"nomic-ai/nomic-bert-2048--configuration_hf_nomic_bert.NomicBertConfig",)"
      R"("AutoModel":"nomic-ai/nomic-bert-2048--modeling_hf_nomic_bert.NomicBertModel",)"
      R"("AutoModelForMaskedLM":"nomic-ai/nomic-bert-2048--modeling_hf_nomic_bert.NomicBertForPreTraining"},)"
      R"("bos_token_id":null,"causal":false,"dense_seq_output":true,"embd_pdrop":0.0,"eos_token_id":null,)"
      R"("fused_bias_fc":true,"fused_dropout_add_ln":true,"initializer_range":0.02,"layer_norm_epsilon":1e-12,)"
      R"("max_trained_positions":2048,"mlp_fc1_bias":false,"mlp_fc2_bias":false,"n_embd":768,"n_head":12,)"
      R"("n_inner":3072,"n_layer":12,"n_positions":8192,"pad_vocab_size_multiple":64,"parallel_block":false,)"
      R"("parallel_block_tied_norm":false,"prenorm":false,"qkv_proj_bias":false,)"
      R"("reorder_and_upcast_attn":false,"resid_pdrop":0.0,"rotary_emb_base":1000,"rotary_emb_fraction":1.0,)"
      R"("rotary_emb_interleaved":false,"rotary_emb_scale_base":null,"rotary_scaling_factor":null,)"
      R"("scale_attn_by_inverse_layer_idx":false,"scale_attn_weights":true,"summary_activation":null,)"
      R"("summary_first_dropout":0.0,"summary_proj_to_labels":true,"summary_type":"cls_index",)"
      R"("summary_use_proj":true,"torch_dtype":"float32","transformers_version":"4.37.2","type_vocab_size":2,)"
      R"("use_cache":true,"use_flash_attn":true,"use_rms_norm":false,"use_xentropy":true,"vocab_size":30528)";
  const std::string added =
      R"(,"hidden_size":768,"num_hidden_layers":12,"num_attention_heads":12,"intermediate_size":3072,)"
      R"("hidden_act":"silu","layer_norm_eps":1e-12,"max_position_embeddings":2048,"head_dim":64,)"
      R"("rope_parameters":{"rope_theta":1000.0,"rope_type":"default"})";
  for (const std::string& members : {published, published + added}) {
    const ReadResult r = Read(With(members));
    ASSERT_TRUE(r.problems.empty());
    EXPECT_TRUE(r.unread.empty());
    EXPECT_EQ(Spec(r).inner, 3072u);
    EXPECT_EQ(Spec(r).max_length, members == published ? 8192u : 2048u);
    EXPECT_EQ(Spec(r).rope.frequency, Frequencies(1000, 32));
    EXPECT_EQ(ChoiceOf(r, "keys"), "original");
  }
}

// nomic-embed-text-v2-moe as published in 2025: its keys and values.
TEST(NomicBertConfig, PublishedExperts) {
  const ReadResult r = Read(With(
      R"("architectures":["NomicBertModel"],"activation_function":"gelu","add_pooling_layer":false,"auto_map":{)"
      R"("AutoConfig":"nomic-ai/nomic-bert-2048--configuration_hf_nomic_bert.NomicBertConfig",)"
      R"("AutoModel":"nomic-ai/nomic-bert-2048--modeling_hf_nomic_bert.NomicBertModel",)"
      R"("AutoModelForMultipleChoice":"nomic-ai/nomic-bert-2048--)"
      R"(modeling_hf_nomic_bert.NomicBertForMultipleChoice"},)"
      R"("attn_pdrop":0.0,"causal":false,"dense_seq_output":true,"embd_pdrop":0.1,"expert_choice_router":false,)"
      R"("ffn_div":1,"fused_bias_fc":true,"fused_dropout_add_ln":true,"initializer_range":0.02,)"
      R"("layer_norm_epsilon":1e-05,"max_trained_positions":2048,"mlp_fc1_bias":true,"mlp_fc2_bias":true,)"
      R"("moe_every_n_layers":2,"moe_impl":"megablocks","moe_normalize_expert_weights":false,)"
      R"("moe_resid_pdrop":0.0,"moe_top_k":2,"n_embd":768,"n_head":12,"n_inner":3072,"n_layer":12,)"
      R"("n_positions":2048,"num_experts":8,"num_shared_experts":0,"pad_token_id":1,)"
      R"("pad_vocab_size_multiple":64,"parallel_block":false,"parallel_block_tied_norm":false,"prenorm":false,)"
      R"("qkv_proj_bias":true,"resid_pdrop":0.0,"rotary_emb_base":10000,"rotary_emb_fraction":1.0,)"
      R"("rotary_emb_interleaved":false,"rotary_emb_scale_base":null,"rotary_scaling_factor":null,)"
      R"("router_aux_loss_coef":0.1,"type_vocab_size":1,"use_flash_attn":true,"use_rms_norm":null,)"
      R"("use_xentropy":true,"vocab_size":250048)"));
  ASSERT_TRUE(r.problems.empty());
  EXPECT_TRUE(r.unread.empty());
  const NomicBertSpec& s = Spec(r);
  EXPECT_EQ(s.experts, 8u);
  EXPECT_EQ(s.top_k, 2u);
  EXPECT_EQ(s.inner, 3072u);
  EXPECT_FALSE(s.gated);
  for (std::size_t i = 0; i < 12; ++i) EXPECT_EQ(s.Routed(i), i % 2 == 1) << i;
  EXPECT_EQ(ChoiceOf(r, "experts"), "routed");
}

// Original keys of a model with experts, before those of a case.
std::string Routed(const std::string& members) {
  return With(R"("n_embd":48,"n_head":3,"n_layer":5,"n_inner":40,"activation_function":"gelu",)"
              R"("rotary_emb_fraction":1.0)" +
              members);
}

TEST(NomicBertConfig, LayersWithExperts) {
  const NomicBertSpec third = Spec(Read(Routed(R"(,"moe_every_n_layers":3,"num_experts":3,"moe_top_k":3)")));
  for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(third.Routed(i), i == 1 || i == 4) << i;
  // Every layer's number leaves 0: none has experts, and none is announced.
  const ReadResult none = Read(Routed(R"(,"moe_every_n_layers":1,"num_experts":0)"));
  ASSERT_TRUE(none.problems.empty());
  EXPECT_FALSE(Spec(none).Routed(0) || Spec(none).Routed(1));
  EXPECT_EQ(ChoiceOf(none, "experts"), "none");
}

TEST(NomicBertConfig, ExpertRefusals) {
  const Refused kCases[] = {
      {R"(,"num_experts":8,"moe_every_n_layers":1)", "/moe_every_n_layers", "1",
       "at least 2, where num_experts is 8"},
      {R"(,"moe_every_n_layers":2)", "/num_experts", "absent",
       "at least 1, and at most 65536 in all layers together"},
      {R"(,"moe_every_n_layers":2,"num_experts":32769,"moe_top_k":1)", "/num_experts", "32769",
       "at least 1, and at most 65536 in all layers together"},
      {R"(,"moe_every_n_layers":2,"num_experts":8)", "/moe_top_k", "absent", "from 1 to num_experts 8"},
      {R"(,"moe_every_n_layers":2,"num_experts":8,"moe_top_k":9)", "/moe_top_k", "9",
       "from 1 to num_experts 8"},
      {R"(,"moe_normalize_expert_weights":true)", "/moe_normalize_expert_weights", "true", "false | null"},
      {R"(,"num_shared_experts":1)", "/num_shared_experts", "1", "0 | null"},
      {R"(,"expert_choice_router":true)", "/expert_choice_router", "true", "false | null"},
      {R"(,"moe_impl":"loop")", "/moe_impl", "\"loop\"", "\"megablocks\" | null"},
      {R"(,"ffn_div":2)", "/ffn_div", "2", "1 | null"},
      {R"(,"num_experts":-1)", "/num_experts", "-1", "a whole number from 0 to 2147483647",
       Code::kInvalidPackageSchema},
  };
  for (const Refused& c : kCases) ExpectRefused(Routed(c.member), c);
  const std::string experts = R"("moe_every_n_layers":2,"num_experts":8,"moe_top_k":2)";
  ExpectRefused(Original(experts),
                {"", "/activation_function", "\"swiglu\"", "\"gelu\", where layers have experts"});
  ExpectRefused(
      With(R"("n_embd":48,"n_head":3,"activation_function":"gelu","rotary_emb_fraction":1,)" + experts),
      {"", "/n_inner", "absent", "the width of an expert"});
}

TEST(NomicBert, ExpertsOfALayer) {
  const ReadResult r = Read(Routed(R"(,"moe_every_n_layers":3,"num_experts":2,"moe_top_k":1)"));
  ASSERT_TRUE(r.problems.empty());
  std::vector<TensorDecl> wanted;
  r.model->DeclareTensors(Scope(wanted));
  std::vector<std::string> names;
  for (const TensorDecl& d : wanted)
    if (d.name.starts_with("encoder.layers.4.mlp.")) {
      names.push_back(d.name);
      EXPECT_EQ(d.exact, d.name.ends_with("router.layer.weight"));
    }
  EXPECT_EQ(names, (std::vector<std::string>{
                       "encoder.layers.4.mlp.router.layer.weight", "encoder.layers.4.mlp.experts.mlp.w1.0",
                       "encoder.layers.4.mlp.experts.mlp.w1.1", "encoder.layers.4.mlp.experts.mlp.w2.0",
                       "encoder.layers.4.mlp.experts.mlp.w2.1", "encoder.layers.4.mlp.experts.bias"}));
  const auto stored = GenerateTensors(wanted, 1);
  for (const TensorInfo& t : stored) {
    if (t.name.starts_with("encoder.layers.4.mlp.experts.mlp.")) {
      EXPECT_EQ(t.shape, (std::vector<std::size_t>{80, 48})) << t.name;
    }
  }
  EXPECT_TRUE(MatchTensors(wanted, stored, kNomicBertFamily.names).problems.empty());
}

TEST(NomicBertConfig, NativeRefusals) {
  const Refused kCases[] = {
      {R"("hidden_act":"swiglu")", "/hidden_act", "swiglu", nullptr},
      {R"("hidden_size":45,"num_attention_heads":3)", "/num_attention_heads", "3, heads of 15 columns",
       "heads of an even number of columns, which turn in pairs"},
      {R"("head_dim":32)", "/head_dim", "32", "64, a head's share of the width"},
      {R"("rope_parameters":{"rope_type":"dynamic"})", "/rope_parameters/rope_type", "dynamic", "default"},
      {R"("rope_scaling":{"type":"linear","factor":2})", "/rope_scaling", R"({"type":"linear","factor":2})",
       "null"},
      {R"("attention_bias":true)", "/attention_bias", "true", "false | null"},
      {R"("num_experts":8)", "/num_experts", "8", "0, as transformers' class has no experts"},
      {R"("moe_every_n_layers":2,"num_experts":8)", "/moe_every_n_layers", "2",
       "0, as transformers' class has no experts"},
      {R"("type_vocab_size":0)", "/type_vocab_size", "0", "a whole number from 1 to 2147483647",
       Code::kInvalidPackageSchema},
      {R"("layer_norm_eps":null)", "/layer_norm_eps", "null", "a value", Code::kInvalidPackageSchema},
  };
  for (const Refused& c : kCases) ExpectRefused(With(c.member), c);
}

// Both spellings, one of them null: the null is no value, and the two disagree.
TEST(NomicBertConfig, NullBesideAValue) {
  const ReadResult r = Read(With(R"("n_embd":null,"hidden_size":24)"));
  EXPECT_EQ(r.model, nullptr);
  ASSERT_EQ(r.problems.size(), 2u);
  EXPECT_EQ(r.problems[0].where, Where::At("config.json", "/n_embd"));
  EXPECT_EQ(r.problems[0].code, Code::kInvalidPackageSchema);
  EXPECT_EQ(r.problems[1].where, Where::At("config.json", "/hidden_size"));
  EXPECT_EQ(r.problems[1].code, Code::kEvidenceConflict);
  EXPECT_EQ(r.problems[1].allowed, "null, as n_embd says");
}

TEST(NomicBertConfig, OriginalRefusals) {
  constexpr const char* kFraction = "above 0, at most 1, and an even number of each head's 16 columns";
  const Refused kCases[] = {
      {R"("prenorm":true)", "/prenorm", "true", "false | null"},
      {R"("causal":true)", "/causal", "true", "false | null"},
      {R"("use_rms_norm":true)", "/use_rms_norm", "true", "false | null"},
      {R"("parallel_block":true)", "/parallel_block", "true", "false | null"},
      {R"("rotary_emb_interleaved":true)", "/rotary_emb_interleaved", "true", "false | null"},
      {R"("rotary_emb_scale_base":512)", "/rotary_emb_scale_base", "512", "null"},
      {R"("num_heads_kv":1)", "/num_heads_kv", "1", "null"},
      {R"("num_experts":8)", "/moe_every_n_layers", "absent", "at least 2, where num_experts is 8"},
      {R"("rotary_scaling_factor":0.5)", "/rotary_scaling_factor", "0.5",
       "at least 1, for at least 4 turned columns of a head"},
      {R"("rotary_emb_base":0.5)", "/rotary_emb_base", "0.5", "a number of at least 1"},
      {R"("vocab_size":100,"pad_vocab_size_multiple":64)", "/vocab_size", "100",
       "a multiple of pad_vocab_size_multiple 64"},
      {R"("hidden_size":24)", "/hidden_size", "24", "48, as n_embd says", Code::kEvidenceConflict},
      {R"("num_hidden_layers":3)", "/num_hidden_layers", "3", "2, as n_layer says", Code::kEvidenceConflict},
      {R"("num_attention_heads":4)", "/num_attention_heads", "4", "3, as n_head says",
       Code::kEvidenceConflict},
      {R"("intermediate_size":41)", "/intermediate_size", "41", "40, as n_inner says",
       Code::kEvidenceConflict},
      {R"("layer_norm_epsilon":0.01,"layer_norm_eps":0.02)", "/layer_norm_eps", "0.02",
       "0.01, as layer_norm_epsilon says", Code::kEvidenceConflict},
      {R"("hidden_act":"gelu")", "/hidden_act", "\"gelu\"", "silu, as activation_function says",
       Code::kEvidenceConflict},
      {R"("rope_theta":1000)", "/rope_theta", "1000", "rotary_emb_base 10000 for all columns, or no such key",
       Code::kEvidenceConflict},
      {R"("rotary_emb_base":1000,"rope_parameters":{"rope_theta":500})", "/rope_parameters",
       R"({"rope_theta":500})", "rotary_emb_base 1000 for all columns, or no such key",
       Code::kEvidenceConflict},
      {R"("rotary_scaling_factor":-1)", "/rotary_scaling_factor", "-1",
       "at least 1, for at least 4 turned columns of a head"},
      {R"("n_positions":null)", "/n_positions", "null", "a value", Code::kInvalidPackageSchema},
  };
  for (const Refused& c : kCases) ExpectRefused(Original(c.member), c);
  ExpectRefused(With(R"("n_embd":48,"n_head":3)"),
                {"", "/activation_function", "gelu_new", "swiglu, geglu, glu, gelu"});
  for (const auto& [member, found] :
       {std::pair(R"(,"rotary_emb_fraction":0.3)", "0.3"), std::pair(R"(,"rotary_emb_fraction":0)", "0"),
        std::pair(R"(,"rotary_emb_fraction":1.5)", "1.5"), std::pair("", "absent")})
    ExpectRefused(With(R"("n_embd":48,"n_head":3,"activation_function":"geglu")" + std::string(member)),
                  {"", "/rotary_emb_fraction", found, kFraction});
  ExpectRefused(With(R"("n_embd":48,"n_head":3,"activation_function":"geglu","rotary_emb_fraction":0.5,)"
                     R"("rope_parameters":{"rope_theta":10000})"),
                {"", "/rope_parameters", R"({"rope_theta":10000})",
                 "rotary_emb_base 10000 for all columns, or no such key", Code::kEvidenceConflict});
  ExpectRefused(With(R"("n_embd":48,"n_head":3,"activation_function":"gelu","rotary_emb_fraction":1,)"
                     R"("hidden_act":"gelu")"),
                {"", "/hidden_act", "\"gelu\"", "none beside an activation_function without a gate",
                 Code::kEvidenceConflict});
}

}  // namespace
}  // namespace candor::families
