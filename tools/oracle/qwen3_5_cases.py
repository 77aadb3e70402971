"""The cases of Qwen3.5's text model. See family_cases.py. Texts are longer than the 64 rows that the library computes at once,
and states last for some of them."""

from llama_cases import LAST, of
from qwen_cases import QWEN

LINEAR, FULL = "linear_attention", "full_attention"
DELTA = {
    "linear_conv_kernel_dim": 4,
    "linear_key_head_dim": 6,
    "linear_value_head_dim": 5,
    "linear_num_key_heads": 2,
    "linear_num_value_heads": 4,
}
SPREAD = {"A_log": 1.5, "dt_bias": 1.5}


def qwen3_5(name, about, architecture, config, **more):
    return of(
        "qwen3_5", name, about, "qwen3_5_text", architecture, {**DELTA, **config},
        **{"spread": SPREAD, "max_seq_length": 130, **more},
    )


QWEN3_5 = [
    qwen3_5(
        "plain",
        "As published: three layers with a state to one that attends, a quarter of each head turned, the last row; value heads that "
        "share keys.",
        "Qwen3_5ForCausalLM",
        {
            "attention_bias": False,
            "attention_dropout": 0.0,
            "attn_output_gate": True,
            "bos_token_id": None,
            "eos_token_id": 280,
            "full_attention_interval": 4,
            "head_dim": 16,
            "hidden_act": "silu",
            "initializer_range": 0.02,
            "layer_types": [LINEAR, LINEAR, LINEAR, FULL],
            "mamba_ssm_dtype": "float32",
            "mtp_num_hidden_layers": 1,
            "mtp_use_dedicated_embeddings": False,
            "num_hidden_layers": 4,
            "rms_norm_eps": 1e-6,
            "rope_parameters": {
                "mrope_interleaved": True,
                "mrope_section": [1, 1, 0],
                "partial_rotary_factor": 0.25,
                "rope_theta": 10000000,
                "rope_type": "default",
            },
            "tie_word_embeddings": True,
            "dtype": "bfloat16",
            "use_cache": True,
        },
        **{**QWEN, "storage": ("BF16", "F32")},
        first_layer={"layer_types": [LINEAR]},
        padded=True,
        pooling=LAST,
        hidden=(2, 4),
        shows={
            "rope_parameters": {"rope_theta": 10000000, "rope_type": "default", "partial_rotary_factor": 0.5},
            "rms_norm_eps": 0.1,
        },
    ),
    qwen3_5(
        "both_sides",
        "Every second layer attends to both sides, with biases; the others turn their own way whatever is said; keys at the top, "
        "three taps, heads of their own, names as packages with a vision tower have them, F16.",
        "Qwen3_5TextModel",
        {
            "attention_bias": True,
            "full_attention_interval": 2,
            "head_dim": 8,
            "hidden_act": "gelu",
            "is_causal": False,
            "linear_conv_kernel_dim": 3,
            "linear_num_key_heads": 2,
            "linear_num_value_heads": 2,
            "linear_value_head_dim": 34,
            "num_attention_heads": 4,
            "num_hidden_layers": 3,
            "num_key_value_heads": 2,
            "partial_rotary_factor": 0.5,
            "rope_theta": 90.0,
        },
        prefix="model.language_model.",
        storage=("F16",),
        first_layer={"full_attention_interval": 1},
        shows={"is_causal": True, "partial_rotary_factor": 0.25, "hidden_act": "silu"},
    ),
    qwen3_5(
        "states_only",
        "No layer attends; an interval that is left out, the mean, two shards.",
        "Qwen3_5TextForSequenceClassification",
        {"num_labels": 2, "rms_norm_eps": 1e-2, "linear_key_head_dim": 9, "linear_conv_kernel_dim": 1},
        shards=2,
        pooling={"pooling_mode": "mean"},
        shows={"rms_norm_eps": 1e-6},
    ),
]
