"""The cases of Mistral and Ministral3. See family_cases.py."""

from llama_cases import BEGUN, LAST, of

# Of embedders: both ends.
CLOSED = ("<s> $A </s>", "<s> $A </s> $B </s>")


def mistral(name, about, architecture, config, **more):
    return of("mistral", name, about, "mistral", architecture, config, **{"template": CLOSED, **more})


def ministral3(name, about, architecture, config, **more):
    return of("ministral3", name, about, "ministral3", architecture, config, **{"template": BEGUN, **more})


MISTRAL = [
    mistral(
        "plain",
        "As published: no window, the last row, bf16, no prefix.",
        "MistralModel",
        {
            "attention_dropout": 0.0,
            "bos_token_id": 1,
            "eos_token_id": 2,
            "hidden_act": "silu",
            "initializer_range": 0.02,
            "rms_norm_eps": 1e-5,
            "rope_theta": 10000.0,
            "sliding_window": None,
            "tie_word_embeddings": False,
            "torch_dtype": "float16",
            "use_cache": False,
        },
        storage=("BF16",),
        padded=True,
        pooling=LAST,
        hidden=(2, 4),
        max_seq_length=130,
        shows={"sliding_window": 5, "rope_theta": 500.0, "is_causal": False},
    ),
    mistral(
        "window",
        "A row sees four before it and itself; heads of their own width, a vocabulary head beside them.",
        "MistralForCausalLM",
        {"num_attention_heads": 4, "num_key_value_heads": 2, "head_dim": 8, "sliding_window": 5, "hidden_act": "gelu"},
        storage=("F16",),
        shows={"sliding_window": 6, "hidden_act": "silu"},
    ),
    mistral(
        "both_sides",
        "Four rows on either side, keys of release 5, a classifier of tokens, as many key heads as heads.",
        "MistralForTokenClassification",
        {
            "num_key_value_heads": 3,
            "is_causal": False,
            "sliding_window": 4,
            "rope_parameters": {"rope_type": "linear", "factor": 2.0, "rope_theta": 90.0},
            "num_labels": 3,
        },
        shows={"sliding_window": 3, "is_causal": True},
    ),
]

GROWTH = {
    "beta_fast": 32.0,
    "beta_slow": 1.0,
    "factor": 16.0,
    "llama_4_scaling_beta": 0.3,
    "max_position_embeddings": 140,
    "mscale": 1.0,
    "mscale_all_dim": 1.0,
    "original_max_position_embeddings": 6,
    "rope_theta": 1000.0,
    "rope_type": "yarn",
    "type": "yarn",
}

MINISTRAL3 = [
    ministral3(
        "plain",
        "As published: YaRN, and queries that grow with every six positions.",
        "Ministral3ForCausalLM",
        {"head_dim": 16, "rms_norm_eps": 1e-5, "rope_parameters": GROWTH, "sliding_window": None, "tie_word_embeddings": False},
        without=("lm_head.",),
        storage=("BF16",),
        pooling=LAST,
        hidden=(2, 4),
        max_seq_length=130,
        shows={
            "rope_parameters": {**GROWTH, "llama_4_scaling_beta": 0.2},
            "is_causal": False,
        },
    ),
    ministral3(
        "window",
        "Both sides in sight, three rows on each; a rotation without scaling beside the growth, one label.",
        "Ministral3ForSequenceClassification",
        {
            "head_dim": 8,
            "is_causal": False,
            "sliding_window": 3,
            "rope_parameters": {
                "rope_type": "default", "rope_theta": 90.0, "llama_4_scaling_beta": 0.5, "original_max_position_embeddings": 4,
            },
            "num_labels": 1,
        },
        storage=("F16",),
        shows={"sliding_window": 4},
    ),
]
