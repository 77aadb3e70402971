"""The cases of Gemma, Gemma 2 and Gemma 3's text model. See family_cases.py. Norms are stored less one."""

from llama_cases import LAST, of
from packages import dense

# Gemma's tokenizers begin a text and end it, its embedders' at least.
GEMMA = {"means": {"norm": 0.0}, "template": ("<s> $A </s>", "<s> $A </s> $B </s>")}
# As far as published files have them.
PUBLISHED = {
    "attention_bias": False,
    "attention_dropout": 0.0,
    "bos_token_id": 1,
    "eos_token_id": 2,
    "head_dim": 10,
    "initializer_range": 0.02,
    "pad_token_id": 3,
    "rms_norm_eps": 1e-6,
    "use_cache": True,
}


def gemma(family, name, about, architecture, config, **more):
    return of(family, name, about, family, architecture, config, **{**GEMMA, **more})


GEMMA1 = [
    gemma(
        "gemma",
        "plain",
        "As published: the old name of the activation, heads wider together than the rows, a tied vocabulary head, bf16.",
        "GemmaForCausalLM",
        {**PUBLISHED, "hidden_act": "gelu", "hidden_activation": None, "rope_scaling": None, "rope_theta": 10000.0,
         "torch_dtype": "bfloat16"},
        storage=("BF16",),
        padded=True,
        pooling=LAST,
        hidden=(2,),
        shows={"hidden_act": "relu", "rope_theta": 50, "is_causal": False, "rms_norm_eps": 0.1},
    ),
    gemma(
        "gemma",
        "both_sides",
        "Both sides in sight by both keys, all biases of attention, two heads on each key head, keys of release 5, F16.",
        "GemmaModel",
        {"num_attention_heads": 4, "num_key_value_heads": 2, "head_dim": 6, "attention_bias": True, "is_causal": False,
         "use_bidirectional_attention": True, "hidden_act": "silu",
         "rope_parameters": {"rope_type": "linear", "factor": 3.0, "rope_theta": 90.0}},
        storage=("F16",),
        shows={"is_causal": True, "hidden_act": "relu"},
    ),
]

GEMMA2 = [
    gemma(
        "gemma2",
        "plain",
        "As published, with caps that the scores reach: every second layer behind a window of four rows, bf16.",
        "Gemma2ForCausalLM",
        {**PUBLISHED, "num_hidden_layers": 3, "attn_logit_softcapping": 1.5, "cache_implementation": "hybrid",
         "final_logit_softcapping": 30.0, "hidden_act": "gelu_pytorch_tanh", "hidden_activation": "gelu_pytorch_tanh",
         "query_pre_attn_scalar": 7, "rope_theta": 10000.0, "sliding_window": 4, "torch_dtype": "bfloat16"},
        storage=("BF16",),
        padded=True,
        pooling=LAST,
        max_seq_length=130,
        hidden=(2,),
        shows={"attn_logit_softcapping": None, "query_pre_attn_scalar": 9, "sliding_window": 5, "hidden_activation": "relu",
               "layer_types": ["full_attention"] * 3},
    ),
    gemma(
        "gemma2",
        "both_sides",
        "Both sides in sight, three rows on either in the second layer; scores without a cap, all biases, F16.",
        "Gemma2Model",
        {"head_dim": 8, "attention_bias": True, "attn_logit_softcapping": None, "is_causal": False, "sliding_window": 3,
         "query_pre_attn_scalar": 8, "num_key_value_heads": 3, "layer_types": ["full_attention", "sliding_attention"],
         "hidden_activation": "relu", "rope_parameters": {"rope_type": "default", "rope_theta": 90.0}},
        storage=("F16",),
        shows={"is_causal": True, "sliding_window": 4},
    ),
]

TASKS = {
    "query": "task: search result | query: ",
    "document": "title: none | text: ",
    "BitextMining": "task: search result | query: ",
    "Clustering": "task: clustering | query: ",
    "STS": "task: sentence similarity | query: ",
}
BOTH = {"full_attention": {"rope_type": "default", "rope_theta": 700.0},
        "sliding_attention": {"rope_type": "default", "rope_theta": 60.0}}

GEMMA3 = [
    gemma(
        "gemma3_text",
        "embedding",
        "As EmbeddingGemma: both sides in sight, a window of seven rows, which is three on either side; the mean, two products, "
        "unit length, prompts by name; texts of one row beside long ones.",
        "Gemma3TextModel",
        {**PUBLISHED, "_sliding_window_pattern": 6, "attn_logit_softcapping": None, "dtype": "float32",
         "final_logit_softcapping": None, "hidden_activation": "gelu_pytorch_tanh", "num_hidden_layers": 3,
         "layer_types": ["sliding_attention", "sliding_attention", "full_attention"], "query_pre_attn_scalar": 10,
         "rope_local_base_freq": 100.0, "rope_scaling": None, "rope_theta": 10000.0, "sliding_window": 7,
         "use_bidirectional_attention": True},
        padded=True,
        max_seq_length=100,
        first_layer={"layer_types": ["sliding_attention"]},
        storage=("F32", "BF16"),
        hidden=(2,),
        modules=["Pooling", dense(24, 32, "torch.nn.modules.linear.Identity", bias=False),
                 dense(32, 16, "torch.nn.modules.linear.Identity", bias=False), "Normalize"],
        st_config={"prompts": TASKS, "default_prompt_name": None, "similarity_fn_name": "cosine"},
        prompts=(("query", "The quick brown fox"), ("document", "The quick brown fox"), ("STS", "river")),
        shows={"use_bidirectional_attention": False, "sliding_window": 5, "rope_theta": 50.0, "rope_local_base_freq": 10.0,
               "query_pre_attn_scalar": 20},
    ),
    gemma(
        "gemma3_text",
        "causal",
        "What is before a row in sight, by a pattern of the layers; longer waves by a factor in the layers that see all; bf16.",
        "Gemma3ForCausalLM",
        {**PUBLISHED, "num_hidden_layers": 3, "sliding_window_pattern": 2, "sliding_window": 4, "query_pre_attn_scalar": 12,
         "rope_local_base_freq": 100.0, "rope_theta": 1000.0, "rope_scaling": {"factor": 8.0, "rope_type": "linear"}},
        storage=("BF16",),
        padded=True,
        pooling=LAST,
        max_seq_length=100,
        shows={"sliding_window": 3, "sliding_window_pattern": 3, "rope_scaling": {"factor": 2.0, "rope_type": "linear"}},
    ),
    gemma(
        "gemma3_text",
        "both_keys",
        "Both sides by both keys, which makes a window of five rows three on either side; all biases, keys of release 5, F16.",
        "Gemma3TextForSequenceClassification",
        {"head_dim": 8, "attention_bias": True, "is_causal": False, "use_bidirectional_attention": True, "sliding_window": 5,
         "num_key_value_heads": 3, "query_pre_attn_scalar": 8, "layer_types": ["full_attention", "sliding_attention"],
         "hidden_activation": "silu", "num_labels": 1, "pad_token_id": 3,
         "rope_parameters": {**BOTH, "full_attention": {"rope_type": "linear", "factor": 2.0, "rope_theta": 700.0}}},
        storage=("F16", "F32"),
        shards=2,
        shows={"is_causal": True, "sliding_window": 3},
    ),
    gemma(
        "gemma3_text",
        "both_sides",
        "Both sides by the key of all decoders, which halves no window; layers by the pattern of six, the last sees all; bf16.",
        "Gemma3TextModel",
        {"head_dim": 8, "is_causal": False, "num_hidden_layers": 6, "intermediate_size": 16, "sliding_window": 2,
         "query_pre_attn_scalar": 8, "rope_parameters": BOTH},
        storage=("BF16",),
        modules=["Pooling"],
        shows={"is_causal": True, "sliding_window": 1,
               "rope_parameters": {**BOTH, "sliding_attention": {"rope_type": "default", "rope_theta": 6000.0}}},
    ),
]
