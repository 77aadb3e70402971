"""The cases of Qwen2, Qwen3 and Perplexity's Qwen3. See family_cases.py."""

import pplx_qwen3  # noqa: F401, registers itself
from family_packages import QWEN_TOKENS
from llama_cases import BASE, LAST, of

# Qwen's tokenizers end a text with the token that also pads.
QWEN = {
    "tokens": QWEN_TOKENS,
    "tokenizer": "qwen2",
    "template": ("$A <|endoftext|>", "$A $B <|endoftext|>"),
    "tokenizer_config": {"tokenizer_class": "Qwen2Tokenizer"},
    "storage": ("BF16",),
}


def qwen2(name, about, architecture, config, **more):
    return of("qwen2", name, about, "qwen2", architecture, config, **{**QWEN, **more})


def qwen3(name, about, architecture, config, **more):
    return of("qwen3", name, about, "qwen3", architecture, config, **more)


GTE_CODE = {
    "AutoModel": "modeling_qwen.Qwen2Model",
    "AutoModelForCausalLM": "modeling_qwen.Qwen2ForCausalLM",
    "AutoModelForSequenceClassification": "modeling_qwen.Qwen2ForSequenceClassification",
}

QWEN2 = [
    qwen2(
        "plain",
        "As published: biases of queries, keys and values, a window that is not used, a tied vocabulary head, the last row.",
        "Qwen2ForCausalLM",
        {
            "attention_dropout": 0.0,
            "bos_token_id": 280,
            "eos_token_id": 280,
            "hidden_act": "silu",
            "initializer_range": 0.02,
            "max_window_layers": 1,
            "rms_norm_eps": 1e-6,
            "rope_theta": 1000000.0,
            "sliding_window": 3,
            "tie_word_embeddings": True,
            "torch_dtype": "bfloat16",
            "use_cache": True,
            "use_sliding_window": False,
        },
        pooling=LAST,
        hidden=(2, 4),
        shows={"rope_theta": 500.0, "is_causal": False, "use_sliding_window": True},
    ),
    qwen2(
        "windows",
        "A window of four rows from the second of three layers on.",
        "Qwen2Model",
        {
            "num_hidden_layers": 3,
            "num_key_value_heads": 3,
            "use_sliding_window": True,
            "sliding_window": 4,
            "max_window_layers": 1,
            "rms_norm_eps": 1e-2,
            "rope_parameters": {"rope_type": "default", "rope_theta": 90.0},
        },
        pooling={"pooling_mode": "mean"},
        shows={"sliding_window": 5, "max_window_layers": 2, "rms_norm_eps": 1e-6},
    ),
    qwen2(
        "both_sides",
        "As gte-Qwen2: code of its own, both sides in sight, which config.json says; the end token once.",
        "Qwen2ForCausalLM",
        {"auto_map": GTE_CODE, "is_causal": False, "rope_theta": 1000000.0, "sliding_window": 131072, "use_sliding_window": False},
        padded=True,
        pooling=LAST,
        shows={"is_causal": True},
    ),
    qwen2(
        "listed",
        "Layers by their list, whose windows are three rows on either side; one label, YaRN as published, a head of its own width.",
        "Qwen2ForSequenceClassification",
        {
            "head_dim": 16,
            "is_causal": False,
            "use_sliding_window": True,
            "sliding_window": 3,
            "layer_types": ["sliding_attention", "full_attention"],
            "rope_theta": 50.0,
            "rope_scaling": {"factor": 4.0, "original_max_position_embeddings": 32, "type": "yarn"},
            "num_labels": 1,
        },
        first_layer={"layer_types": ["sliding_attention"]},
        modules=["Pooling"],
        shows={"sliding_window": 2, "layer_types": ["full_attention", "full_attention"]},
    ),
]

TASK = "Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery:"

QWEN3 = [
    qwen3(
        "plain",
        "As Qwen3-Embedding: norms of heads that are wider than the rows, a prompt of queries, the end token by the tokenizer, "
        "the last row, unit length.",
        "Qwen3ForCausalLM",
        {
            "attention_bias": False,
            "attention_dropout": 0.0,
            "bos_token_id": 280,
            "eos_token_id": 280,
            "head_dim": 16,
            "hidden_act": "silu",
            "initializer_range": 0.02,
            "max_window_layers": 2,
            "rms_norm_eps": 1e-6,
            "rope_scaling": None,
            "rope_theta": 1000000,
            "sliding_window": None,
            "tie_word_embeddings": True,
            "torch_dtype": "bfloat16",
            "use_cache": True,
            "use_sliding_window": False,
        },
        **QWEN,
        max_seq_length=130,
        padded=True,
        pooling=LAST,
        hidden=(2, 4),
        st_config={"prompts": {"query": TASK, "document": ""}, "default_prompt_name": None, "similarity_fn_name": "cosine"},
        prompts=(("query", "The quick brown fox"), ("query", ""), ("document", "The quick brown fox")),
        roles=(("query", "river"), ("document", "river")),
        cut=8,
        shows={"rope_theta": 500.0, "rms_norm_eps": 0.1, "is_causal": False},
    ),
    qwen3(
        "windows",
        "All biases of attention, windows by the list, keys of release 5 without a prefix, F16.",
        "Qwen3Model",
        {
            "num_attention_heads": 4,
            "num_key_value_heads": 4,
            "head_dim": 6,
            "attention_bias": True,
            "use_sliding_window": True,
            "sliding_window": 3,
            "layer_types": ["full_attention", "sliding_attention"],
            "rope_parameters": {"rope_type": "default", "rope_theta": 90.0},
            "hidden_act": "gelu",
        },
        first_layer={"layer_types": ["full_attention"]},
        storage=("F16",),
        shows={"sliding_window": 4, "hidden_act": "silu"},
    ),
    qwen3(
        "both_sides",
        "Both sides in sight: all rows, then two on either side; a classifier of tokens.",
        "Qwen3ForTokenClassification",
        {
            "head_dim": 8,
            "is_causal": False,
            "use_sliding_window": True,
            "sliding_window": 2,
            "max_window_layers": 1,
            "num_labels": 3,
        },
        shards=2,
        storage=("F32", "BF16"),
        shows={"is_causal": True, "sliding_window": 3},
    ),
]

PPLX_CODE = {"AutoConfig": "configuration.PPLXQwen3Config", "AutoModel": "modeling.PPLXQwen3Model"}


def pplx(name, about, config, **more):
    return of(
        "pplx_qwen3", name, about, "bidirectional_pplx_qwen3", "PPLXQwen3Model",
        {"attention_bias": False, "auto_map": PPLX_CODE, "use_bidirectional_attention": True, **config},
        stand_in="bidirectional_pplx_qwen3", modules=["Pooling"], **more,
    )


PPLX_QWEN3 = [
    pplx(
        "plain",
        "As pplx-embed-v1-0.6b, but for its module of codes: the mean of all rows, not divided by its length; no prefix.",
        {
            "attention_dropout": 0.0,
            "bos_token_id": 280,
            "eos_token_id": 280,
            "head_dim": 16,
            "hidden_act": "silu",
            "initializer_range": 0.02,
            "layer_types": ["full_attention", "full_attention"],
            "max_window_layers": 2,
            "rms_norm_eps": 1e-6,
            "rope_parameters": {"rope_theta": 1000000, "rope_type": "default"},
            "sliding_window": None,
            "tie_word_embeddings": True,
            "torch_dtype": "float32",
            "use_cache": False,
            "use_sliding_window": False,
        },
        **{**QWEN, "storage": ("F32",)},
        prefix="",
        hidden=(2, 4),
        shows={"rope_parameters": {"rope_theta": 500, "rope_type": "default"}, "rms_norm_eps": 0.1},
        first_layer={"layer_types": ["full_attention"]},
    ),
    pplx(
        "prefixed",
        "Keys of release 4, a head for every query, bf16 in two shards, with the prefix.",
        {"num_key_value_heads": 3, "head_dim": 8, "rope_theta": 90.0, "rms_norm_eps": 1e-3},
        storage=("BF16",),
        shards=2,
        prefix="model.",
        shows={"rope_theta": 500.0},
    ),
]
