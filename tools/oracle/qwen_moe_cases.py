"""The cases of Qwen3-MoE. See family_cases.py. Routers are spread so that every choice of experts is clear."""

from llama_cases import LAST, of
from qwen_cases import QWEN

SPREAD = {"mlp.gate.": 0.2, "experts.gate_up_proj": 0.25, "experts.down_proj": 0.4}
EXPERTS = {"num_experts": 6, "num_experts_per_tok": 2, "moe_intermediate_size": 10}


def moe(name, about, architecture, config, **more):
    return of("qwen3_moe", name, about, "qwen3_moe", architecture, config, **{"spread": SPREAD, **more})


QWEN3_MOE = [
    moe(
        "plain",
        "As published: a module for each expert, weights that sum to one, heads wider than the rows, a window that is not used, "
        "the last row.",
        "Qwen3MoeForCausalLM",
        {
            **EXPERTS,
            "attention_bias": False,
            "attention_dropout": 0.0,
            "bos_token_id": 280,
            "decoder_sparse_step": 1,
            "eos_token_id": 280,
            "head_dim": 16,
            "hidden_act": "silu",
            "initializer_range": 0.02,
            "max_window_layers": 2,
            "mlp_only_layers": [],
            "norm_topk_prob": True,
            "output_router_logits": False,
            "rms_norm_eps": 1e-6,
            "rope_scaling": None,
            "rope_theta": 1000000.0,
            "router_aux_loss_coef": 0.001,
            "sliding_window": None,
            "tie_word_embeddings": False,
            "torch_dtype": "bfloat16",
            "use_cache": True,
            "use_sliding_window": False,
        },
        **QWEN,
        singly=True,
        without=("lm_head.",),
        padded=True,
        pooling=LAST,
        hidden=(2, 4),
        shows={"norm_topk_prob": False, "num_experts_per_tok": 3, "rope_theta": 500.0, "is_causal": False},
    ),
    moe(
        "windows",
        "Experts in one tensor, in the second of three layers alone; their weights as the softmax gives them; a window of four "
        "rows in all layers, whatever the keys say that this class does not read; all biases of attention, the other name of "
        "the number of experts, no prefix, F16.",
        "Qwen3MoeModel",
        {
            "num_hidden_layers": 3,
            "num_local_experts": 5,
            "num_experts_per_tok": 3,
            "moe_intermediate_size": 7,
            "decoder_sparse_step": 2,
            "attention_bias": True,
            "use_sliding_window": True,
            "sliding_window": 4,
            "max_window_layers": 28,
            "rope_parameters": {"rope_type": "default", "rope_theta": 90.0},
        },
        storage=("F16",),
        pooling={"pooling_mode": "mean"},
        shows={"norm_topk_prob": True, "sliding_window": 5},
    ),
    moe(
        "both_sides",
        "Both sides in sight, two rows on either; the first layer keeps its MLP by the list; all experts for every row; a "
        "classifier of tokens, YaRN.",
        "Qwen3MoeForTokenClassification",
        {
            **EXPERTS,
            "num_experts": 3,
            "num_experts_per_tok": 3,
            "num_key_value_heads": 3,
            "head_dim": 12,
            "hidden_act": "gelu",
            "is_causal": False,
            "mlp_only_layers": [0, 7],
            "use_sliding_window": True,
            "sliding_window": 2,
            "num_labels": 3,
            "rope_theta": 50.0,
            "rope_scaling": {"factor": 4.0, "original_max_position_embeddings": 32, "type": "yarn"},
        },
        singly=True,
        shards=2,
        storage=("F32", "BF16"),
        shows={"is_causal": True, "sliding_window": 3, "hidden_act": "silu"},
    ),
    moe(
        "dense",
        "No experts at all, nor a window where its rows are not said.",
        "Qwen3MoeModel",
        {"num_experts": 0, "use_sliding_window": True, "sliding_window": None, "rms_norm_eps": 1e-2},
        shows={"rms_norm_eps": 1e-6, "sliding_window": 3},
    ),
]
