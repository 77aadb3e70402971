"""The cases of MPNet. See family_cases.py."""

from family_packages import PAD_IN_TEXT, ROBERTA_TOKENS, FamilyCase

MPNET_BASE = {
    "hidden_size": 24,
    "num_hidden_layers": 2,
    "num_attention_heads": 3,
    "intermediate_size": 40,
    "max_position_embeddings": 140,
    "layer_norm_eps": 1e-5,
    "relative_attention_num_buckets": 32,
}

MPNET = [
    FamilyCase(
        "mpnet",
        "plain",
        "As published: masked-LM class, prefix mpnet., texts long enough for every bucket.",
        "mpnet",
        "MPNetForMaskedLM",
        {**MPNET_BASE, "hidden_act": "gelu", "pad_token_id": 1, "bos_token_id": 0, "eos_token_id": 2},
        tokens=ROBERTA_TOKENS,
        max_seq_length=130,
        hidden=(2, 10),
        shows={"hidden_act": "gelu_new"},
        texts=PAD_IN_TEXT,
        spread={"relative_attention_bias": 1.5},
        without=("mpnet.pooler.",),
    ),
    FamilyCase(
        "mpnet",
        "bare_f16",
        "Without prefix, half precision, one head, an odd width, more buckets than are used, a pad id that is not read.",
        "mpnet",
        "MPNetModel",
        {
            **MPNET_BASE,
            "hidden_size": 21,
            "num_attention_heads": 1,
            "intermediate_size": 33,
            "relative_attention_num_buckets": 40,
            "hidden_act": "relu",
            "layer_norm_eps": 1e-2,
            "pad_token_id": 3,
        },
        tokens=ROBERTA_TOKENS,
        storage=("F16",),
        pooling={"pooling_mode": "cls"},
        shows={"hidden_act": "gelu", "layer_norm_eps": 1e-5},
        texts=PAD_IN_TEXT,
        spread={"relative_attention_bias": 1.5},
    ),
    FamilyCase(
        "mpnet",
        "sharded",
        "Classifier class in two shards of mixed types, four heads, tanh form of GELU.",
        "mpnet",
        "MPNetForSequenceClassification",
        {**MPNET_BASE, "num_attention_heads": 4, "hidden_act": "gelu_new", "num_labels": 3},
        tokens=ROBERTA_TOKENS,
        storage=("BF16", "F32"),
        shards=2,
        modules=["Pooling"],
        shows={"hidden_act": "gelu"},
        texts=PAD_IN_TEXT,
        spread={"relative_attention_bias": 1.5},
    ),
]
