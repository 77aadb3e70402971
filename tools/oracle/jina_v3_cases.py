"""The cases of Jina Embeddings v3, under both of its model types. See family_cases.py."""

from family_packages import ROBERTA_TOKENS, FamilyCase

SIZES = {
    "hidden_size": 24,
    "num_hidden_layers": 2,
    "num_attention_heads": 3,
    "intermediate_size": 40,
    "max_position_embeddings": 140,
    "pad_token_id": 1,
}
FIRST_NAMES = (
    ("embeddings.LayerNorm.", "emb_ln."),
    ("layers.", "encoder.layers."),
    ("self_attn.qkv", "mixer.Wqkv"),
    ("self_attn.o_proj", "mixer.out_proj"),
    ("post_attention_layernorm.", "norm1."),
    ("post_mlp_layernorm.", "norm2."),
)

JINA_V3 = [
    FamilyCase(
        "jina_embeddings_v3",
        "plain",
        "As transformers saves the masked-LM class, another base, tanh form of GELU, two token types.",
        "jina_embeddings_v3",
        "JinaEmbeddingsV3ForMaskedLM",
        {
            **SIZES,
            "hidden_act": "gelu_new",
            "layer_norm_eps": 1e-2,
            "type_vocab_size": 2,
            "rope_parameters": {"rope_type": "default", "rope_theta": 70.5},
        },
        tokens=ROBERTA_TOKENS,
        fused=(("qkv", ("q_proj", "k_proj", "v_proj")),),
        renames=FIRST_NAMES,
        shows={
            "hidden_act": "gelu",
            "layer_norm_eps": 1e-5,
            "rope_parameters": {"rope_type": "default", "rope_theta": 20000.0},
        },
    ),
    FamilyCase(
        "jina_embeddings_v3",
        "sharded",
        "transformers' own names without prefix in two shards of mixed types, the defaults of base, eps and activation.",
        "jina_embeddings_v3",
        "JinaEmbeddingsV3Model",
        {**SIZES, "hidden_size": 40, "num_attention_heads": 5, "num_hidden_layers": 3, "intermediate_size": 33},
        tokens=ROBERTA_TOKENS,
        prefix="",
        storage=("F32", "BF16", "F16"),
        shards=2,
        pooling={"pooling_mode": "cls"},
        shows={
            "hidden_act": "relu",
            "layer_norm_eps": 1e-1,
            "rope_parameters": {"rope_type": "default", "rope_theta": 100.0},
        },
    ),
    FamilyCase(
        "jina_embeddings_v3",
        "first_names",
        "Names of the first release in bf16, one head, texts past the declared positions; flash_original.py agrees.",
        "jina_embeddings_v3",
        "JinaEmbeddingsV3Model",
        {**SIZES, "hidden_size": 22, "num_attention_heads": 1, "rope_theta": 10000.0, "max_position_embeddings": 20},
        tokens=ROBERTA_TOKENS,
        prefix="roberta.",
        agrees="xlm_roberta_flash",
        storage=("BF16",),
        modules=["Pooling"],
        shows={"rope_theta": 50.0},
    ),
]

FLASH_CODE = "jinaai/xlm-roberta-flash-implementation--"
FLASH = {
    **SIZES,
    "position_embedding_type": "rotary",
    "use_flash_attn": True,
    "emb_pooler": "mean",
    "matryoshka_dimensions": [8, 16],
    "truncate_dim": None,
    "auto_map": {
        "AutoConfig": FLASH_CODE + "configuration_xlm_roberta.XLMRobertaFlashConfig",
        "AutoModel": FLASH_CODE + "modeling_lora.XLMRobertaLoRA",
        "AutoModelForMaskedLM": FLASH_CODE + "modeling_xlm_roberta.XLMRobertaForMaskedLM",
        "AutoModelForPreTraining": FLASH_CODE + "modeling_xlm_roberta.XLMRobertaForPreTraining",
    },
}
TASKS = ["retrieval.query", "retrieval.passage", "separation", "classification", "text-matching"]


def with_adapters(names):
    return {
        "lora_adaptations": names,
        "task_instructions": {n: f"{n}: " for n in names},
        "load_trained_adapters": True,
        "lora_dropout_p": 0.0,
        "lora_main_params_trainable": False,
    }


# flash_original.py is the reference
XLM_ROBERTA_FLASH = [
    FamilyCase(
        "xlm_roberta_flash",
        "adapters",
        "As jina-embeddings-v3 was published: five adapters of rank 4, a module class of its own, bf16.",
        "xlm-roberta",
        "XLMRobertaModel",
        {
            **FLASH,
            **with_adapters(TASKS),
            "hidden_act": "gelu",
            "layer_norm_eps": 1e-5,
            "type_vocab_size": 1,
            "rotary_emb_base": 20000.0,
            "lora_rank": 4,
            "lora_alpha": 1,
        },
        tokens=ROBERTA_TOKENS,
        prefix="roberta.",
        storage=("BF16",),
        stand_in="xlm_roberta_flash",
        encoder_module="custom_st.Transformer",
        adapters=(None, *TASKS),
        hidden=(2, 10),
        shows={"lora_alpha": 3, "rotary_emb_base": 100.0, "hidden_act": "gelu_fast"},
    ),
    FamilyCase(
        "xlm_roberta_flash",
        "odd_rank",
        "Two adapters of rank 3 on heads of 8 columns, two token types, tanh form of GELU, two shards of mixed types.",
        "xlm-roberta",
        "XLMRobertaModel",
        {
            **FLASH,
            **with_adapters(["a", "b.left"]),
            "hidden_size": 40,
            "num_attention_heads": 5,
            "num_hidden_layers": 3,
            "intermediate_size": 33,
            "hidden_act": "gelu_pytorch_tanh",
            "layer_norm_eps": 1e-2,
            "type_vocab_size": 2,
            "rotary_emb_base": 300.0,
            "lora_rank": 3,
            "lora_alpha": 5,
            "max_position_embeddings": 20,  # texts are longer
        },
        tokens=ROBERTA_TOKENS,
        storage=("F32", "F16", "BF16"),
        shards=2,
        stand_in="xlm_roberta_flash",
        encoder_module="custom_st.Transformer",
        adapters=("a", None, "b.left"),
        modules=["Pooling"],
        shows={"lora_alpha": 4, "hidden_act": "gelu", "layer_norm_eps": 1e-1},
    ),
    FamilyCase(
        "xlm_roberta_flash",
        "without_adapters",
        "The class without adapters, the default base and eps, half precision, CLS.",
        "xlm-roberta",
        "XLMRobertaModel",
        {**FLASH, "auto_map": {**FLASH["auto_map"], "AutoModel": FLASH_CODE + "modeling_xlm_roberta.XLMRobertaModel"}},
        tokens=ROBERTA_TOKENS,
        storage=("F16",),
        stand_in="xlm_roberta_flash",
        pooling={"pooling_mode": "cls"},
        shows={"rotary_emb_base": 50.0, "layer_norm_eps": 1e-1},
    ),
]
