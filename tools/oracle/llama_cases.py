"""The cases of Llama and of llama_bidirec. See family_cases.py. Every type of rotary scaling, with texts on both sides of the
length that it turns at."""

import llama_bidirec  # noqa: F401, registers itself
from family_packages import DECODER_TOKENS, FamilyCase

BASE = {
    "hidden_size": 24,
    "num_hidden_layers": 2,
    "num_attention_heads": 3,
    "num_key_value_heads": 1,
    "intermediate_size": 40,
    "max_position_embeddings": 140,
}
# Embedders end a text with the end token, Llama's own tokenizers begin it with the other one.
ENDED = ("$A </s>", "$A </s> $B </s>")
BEGUN = ("<s> $A", "<s> $A <s> $B")
LAST = {"pooling_mode": "lasttoken"}


def of(family, name, about, model_type, architecture, config, **more):
    return FamilyCase(
        family, name, about, model_type, architecture, {**BASE, **config},
        **{"tokens": DECODER_TOKENS, "template": ENDED, "hidden": (), **more},
    )


def llama(name, about, architecture, config, **more):
    return of("llama", name, about, "llama", architecture, config, **more)


LLAMA = [
    llama(
        "plain",
        "As published: a tied vocabulary head that is not stored, keys of release 4, bf16, the last row; three heads on one.",
        "LlamaForCausalLM",
        {
            "attention_bias": False,
            "attention_dropout": 0.0,
            "bos_token_id": 1,
            "eos_token_id": 2,
            "hidden_act": "silu",
            "initializer_range": 0.02,
            "is_llama_config": True,
            "mlp_bias": False,
            "pretraining_tp": 1,
            "rms_norm_eps": 1e-5,
            "rope_interleaved": False,
            "rope_scaling": None,
            "rope_theta": 100000,
            "tie_word_embeddings": True,
            "torch_dtype": "bfloat16",
            "use_cache": True,
        },
        storage=("BF16",),
        padded=True,
        pooling=LAST,
        max_seq_length=130,
        hidden=(2, 4),
        shows={"hidden_act": "gelu", "rope_theta": 500, "is_causal": False, "rms_norm_eps": 0.1},
    ),
    llama(
        "llama3",
        "Wavelengths in three parts: four heads on two, together wider than the rows, all biases, no prefix, F16.",
        "LlamaModel",
        {
            "num_attention_heads": 4,
            "num_key_value_heads": 2,
            "head_dim": 10,
            "attention_bias": True,
            "mlp_bias": True,
            "rope_theta": 100.0,
            "rope_scaling": {
                "factor": 8.0,
                "high_freq_factor": 4.0,
                "low_freq_factor": 1.0,
                "original_max_position_embeddings": 64,
                "rope_type": "llama3",
            },
        },
        storage=("F16",),
        template=BEGUN,
        max_seq_length=130,
        shows={
            "rope_scaling": {
                "factor": 8.0, "high_freq_factor": 2.0, "low_freq_factor": 1.0, "original_max_position_embeddings": 64,
                "rope_type": "llama3",
            },
        },
    ),
    llama(
        "linear",
        "Keys of release 5, a head of its own, one label; a mean that counts later rows more; two shards of mixed types.",
        "LlamaForSequenceClassification",
        {
            "num_key_value_heads": None,
            "mlp_bias": True,
            "hidden_act": "gelu_new",
            "num_labels": 1,
            "rope_parameters": {"rope_type": "linear", "factor": 2.5, "rope_theta": 300.0},
            "pad_token_id": 3,
        },
        storage=("F32", "BF16"),
        shards=2,
        pooling={"pooling_mode": "weightedmean"},
        shows={"rope_parameters": {"rope_type": "linear", "factor": 1.5, "rope_theta": 300.0}},
    ),
    llama(
        "dynamic",
        "A base that grows with each text's own length: as published, its limit raised above max_position_embeddings.",
        "LlamaForCausalLM",
        {
            "max_position_embeddings": 8,
            "rope_scaling": {"type": "dynamic", "factor": 2.0},
            "rope_theta": 10000.0,
            "attention_bias": True,
        },
        without=("lm_head.",),
        pooling=LAST,
        max_seq_length=100,
        hidden=(2, 4),
        shows={"rope_scaling": {"type": "dynamic", "factor": 3.0}},
    ),
    llama(
        "yarn",
        "Parts of pairs, and a scale that follows from the factor; a vocabulary head of its own.",
        "LlamaForCausalLM",
        {
            "head_dim": 16,
            "rope_theta": 50.0,
            "rope_scaling": {"type": "yarn", "factor": 4.0, "original_max_position_embeddings": 32},
        },
        pooling=LAST,
        max_seq_length=100,
        shows={"rope_scaling": {"type": "yarn", "factor": 2.0, "original_max_position_embeddings": 32}},
    ),
    llama(
        "yarn_mscale",
        "Both scales, bounds that are not rounded, betas, and a null for the ratio of the lengths.",
        "LlamaModel",
        {
            "head_dim": 16,
            "rope_parameters": {
                "rope_type": "yarn",
                "factor": None,
                "original_max_position_embeddings": 35,
                "rope_theta": 60.0,
                "beta_fast": 16,
                "beta_slow": 2,
                "mscale": 0.7,
                "mscale_all_dim": 0.25,
                "truncate": False,
            },
        },
        template=BEGUN,
        max_seq_length=100,
        shows={
            "rope_parameters": {
                "rope_type": "yarn", "factor": None, "original_max_position_embeddings": 35, "rope_theta": 60.0,
                "beta_fast": 16, "beta_slow": 2, "mscale": 0.7, "mscale_all_dim": 0.25, "truncate": True,
            },
        },
    ),
    llama(
        "yarn_written",
        "A written scale, both spellings of the type, the original length by default.",
        "LlamaModel",
        {
            "head_dim": 16,
            "max_position_embeddings": 40,
            "rope_theta": 50.0,
            "rope_scaling": {"type": "yarn", "rope_type": "yarn", "factor": 4.0, "attention_factor": 0.8},
        },
        pooling={"pooling_mode": "max"},
        shows={"rope_scaling": {"type": "yarn", "factor": 4.0, "attention_factor": 0.9}},
    ),
    llama(
        "longrope",
        "Factors of pairs for short texts and for long ones, the original length at the top level, a scale by the ratio.",
        "LlamaForCausalLM",
        {
            "rope_theta": 10000.0,
            "original_max_position_embeddings": 9,
            "rope_scaling": {
                "type": "longrope",
                "short_factor": [1.0, 1.1, 1.3, 1.5],
                "long_factor": [1.2, 2.0, 4.0, 8.0],
            },
        },
        without=("lm_head.",),
        pooling=LAST,
        max_seq_length=100,
        hidden=(2, 4),
        shows={
            "rope_scaling": {
                "type": "longrope", "short_factor": [1.0, 1.1, 1.3, 1.5], "long_factor": [1.2, 2.0, 4.5, 9.0],
            },
            "original_max_position_embeddings": 30,
        },
    ),
    llama(
        "longrope_written",
        "A written scale, inside the keys of release 5.",
        "LlamaModel",
        {
            "rope_parameters": {
                "rope_type": "longrope",
                "short_factor": [1, 1, 2, 2],
                "long_factor": [2, 3, 4, 5],
                "original_max_position_embeddings": 7,
                "attention_factor": 1.25,
                "factor": 3.0,
            },
        },
        shows={
            "rope_parameters": {
                "rope_type": "longrope", "short_factor": [1, 1, 2, 2], "long_factor": [2, 3, 4, 5],
                "original_max_position_embeddings": 12, "attention_factor": 1.0,
            },
        },
    ),
    llama(
        "both_sides",
        "Every row sees all of them: is_causal false, a classifier of tokens, one head, large eps.",
        "LlamaForTokenClassification",
        {
            "hidden_size": 22,
            "num_attention_heads": 1,
            "is_causal": False,
            "rms_norm_eps": 1e-2,
            "hidden_act": "relu",
            "num_labels": 3,
            "rope_parameters": {"rope_theta": 70.5, "type": "default"},
            "rope_theta": 70.5,
        },
        shows={"is_causal": True, "hidden_act": "silu"},
    ),
]

CODE = "llama_bidirectional_model.LlamaBidirectional"

LLAMA_BIDIREC = [
    of(
        "llama_bidirec",
        "plain",
        "As published: code of its own, bf16, llama3, the mean.",
        "llama_bidirec",
        "LlamaBidirectionalModel",
        {
            "auto_map": {"AutoConfig": CODE + "Config", "AutoModel": CODE + "Model"},
            "pooling": "avg",
            "temperature": 1.0,
            "rope_theta": 500.0,
            "rope_scaling": {
                "factor": 32.0,
                "high_freq_factor": 4.0,
                "low_freq_factor": 1.0,
                "original_max_position_embeddings": 32,
                "rope_type": "llama3",
            },
        },
        storage=("BF16",),
        template=BEGUN,
        stand_in="llama_bidirec",
        hidden=(2,),
        shows={"rope_theta": 50.0},
    ),
]
