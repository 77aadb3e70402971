"""The cases of Jina's two encoders; jina_model.py is the reference of both. See family_cases.py."""

from family_packages import ROBERTA_TOKENS, FamilyCase

JINA = {
    "hidden_size": 24,
    "num_hidden_layers": 2,
    "num_attention_heads": 6,
    "intermediate_size": 20,
    "max_position_embeddings": 360,
    "position_embedding_type": "alibi",
}

# What published files say beside it.
PUBLISHED = {
    "feed_forward_type": "geglu",
    "hidden_act": "gelu",
    "layer_norm_eps": 1e-12,
    "type_vocab_size": 2,
    "model_max_length": 8192,
    "emb_pooler": "mean",
    "attention_probs_dropout_prob": 0.0,
    "hidden_dropout_prob": 0.1,
    "classifier_dropout": None,
    "gradient_checkpointing": False,
    "use_cache": True,
    "pad_token_id": 0,
}


def code_of(repository, *kinds):
    """auto_map as published: the repository is what tells the two models apart."""
    return {
        "auto_map": {
            "AutoConfig": f"jinaai/{repository}--configuration_bert.JinaBertConfig",
            **{f"Auto{k.replace('For', 'ModelFor', 1)}": f"jinaai/{repository}--modeling_bert.JinaBert{k}" for k in kinds},
        }
    }


BERT_CODE = code_of("jina-bert-implementation", "Model", "ForMaskedLM", "ForSequenceClassification")
CODE_CODE = code_of("jina-bert-v2-qk-post-norm", "Model", "ForMaskedLM", "ForSequenceClassification")
MLM_HEAD = {"cls.predictions.bias": (189,), "cls.predictions.transform.dense.weight": (24, 24)}
POOLER = {"pooler.dense.weight": (24, 24), "pooler.dense.bias": (24,)}

JINA_BERT = [
    FamilyCase(
        "jina_bert",
        "plain",
        "As published: GEGLU, half precision, six heads (slopes of two runs), a text of hundreds of tokens, a pooler.",
        "bert",
        "JinaBertForMaskedLM",
        {**JINA, **PUBLISHED, "attn_implementation": "torch", **BERT_CODE},
        storage=("F16",),
        more_tensors=POOLER,
        max_seq_length=350,
        hidden=(2, 10),
        stand_in="jina_bert",
        bare=True,
        shows={"feed_forward_type": "reglu", "num_attention_heads": 4, "layer_norm_eps": 1e-4},
    ),
    FamilyCase(
        "jina_bert",
        "reglu",
        "ReLU gates whatever hidden_act says, three heads, prefix bert. and a masked-LM head, two shards of mixed types, "
        "one token type, CLS; texts longer than max_position_embeddings.",
        "bert",
        "JinaBertForMaskedLM",
        {
            **JINA,
            "num_attention_heads": 3,
            "num_hidden_layers": 3,
            "feed_forward_type": "reglu",
            "hidden_act": "gelu_new",
            "layer_norm_eps": 1e-3,
            "type_vocab_size": 1,
            "max_position_embeddings": 20,
            **BERT_CODE,
        },
        prefix="bert.",
        more_tensors=MLM_HEAD,
        storage=("F32", "BF16", "F16"),
        shards=2,
        pooling={"pooling_mode": "cls"},
        max_seq_length=130,
        stand_in="jina_bert",
        bare=True,
        shows={"feed_forward_type": "geglu", "layer_norm_eps": 1e-1, "num_attention_heads": 2},
    ),
    FamilyCase(
        "jina_bert",
        "original",
        "BERT's own MLP with another activation, eight heads (one run), bf16, a classifier; the class is named BertModel.",
        "bert",
        "BertModel",
        {
            **JINA,
            "num_attention_heads": 8,
            "intermediate_size": 33,
            "feed_forward_type": "original",
            "hidden_act": "silu",
            "layer_norm_eps": 1e-2,
            **BERT_CODE,
        },
        prefix="",
        more_tensors={"classifier.weight": (3, 24), "classifier.bias": (3,)},
        storage=("BF16",),
        modules=["Pooling"],
        max_seq_length=None,
        tokenizer_config={"model_max_length": 60},
        stand_in="jina_bert",
        shows={"hidden_act": "gelu", "layer_norm_eps": 1e-5, "num_attention_heads": 6},
    ),
    FamilyCase(
        "jina_bert",
        "base_heads",
        "Twelve heads as the base model has, two columns each; what is not written is the class's.",
        "bert",
        "JinaBertModel",
        {
            **{k: v for k, v in JINA.items() if k != "num_attention_heads"},
            "feed_forward_type": "geglu",
            **code_of("jina-bert-implementation", "Model"),
        },
        pooling={"pooling_mode": "max"},
        stand_in="jina_bert",
        shows={"num_attention_heads": 8, "layer_norm_eps": 1e-4},
    ),
]

JINA_CODE = [
    FamilyCase(
        "jina_code",
        "plain",
        "As published: GEGLU whose activated half lies behind, six heads, a text of hundreds of tokens, a masked-LM head.",
        "bert",
        "JinaBertForMaskedLM",
        {**JINA, **PUBLISHED, **CODE_CODE},
        tokens=ROBERTA_TOKENS,
        more_tensors={**MLM_HEAD, **POOLER},
        max_seq_length=350,
        hidden=(2, 10),
        stand_in="jina_code",
        bare=True,
        shows={"feed_forward_type": "reglu", "num_attention_heads": 4, "layer_norm_eps": 1e-2},
    ),
    FamilyCase(
        "jina_code",
        "reglu",
        "ReLU gates, four heads (one run), prefix bert., two shards of mixed types, a larger eps, one token type.",
        "bert",
        "JinaBertForSequenceClassification",
        {
            **JINA,
            "num_attention_heads": 4,
            "num_hidden_layers": 3,
            "feed_forward_type": "reglu",
            "layer_norm_eps": 1e-2,
            "type_vocab_size": 1,
            **CODE_CODE,
        },
        prefix="bert.",
        more_tensors={"classifier.weight": (3, 24), "classifier.bias": (3,)},
        storage=("F32", "F16", "BF16"),
        shards=2,
        modules=["Pooling"],
        stand_in="jina_code",
        bare=True,
        shows={"feed_forward_type": "geglu", "layer_norm_eps": 1e-1, "num_attention_heads": 3},
    ),
    FamilyCase(
        "jina_code",
        "original",
        "A plain MLP without a bias in front, five heads of eight columns, half precision, CLS; texts longer than "
        "max_position_embeddings.",
        "bert",
        "JinaBertModel",
        {
            **JINA,
            "hidden_size": 40,
            "num_attention_heads": 5,
            "intermediate_size": 33,
            "feed_forward_type": "original",
            "hidden_act": "gelu_new",
            "layer_norm_eps": 1e-3,
            "max_position_embeddings": 20,
            **CODE_CODE,
        },
        storage=("F16",),
        pooling={"pooling_mode": "cls"},
        max_seq_length=130,
        stand_in="jina_code",
        shows={"hidden_act": "relu", "layer_norm_eps": 1e-1, "num_attention_heads": 4},
    ),
]
