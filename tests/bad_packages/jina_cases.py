"""What Jina's families refuse of their own: see family_cases.py."""

from case import Case, at, tensor
from family_cases import CONFIG, KNOWN, SCHEMA, VARIANT, WEIGHTS, one, shaped, without
from package_edit import copy_tensor, put

FLASH = "xlm_roberta_flash/"
PRODUCT = "roberta.encoder.layers.0.mixer.Wqkv."
WHOLE, STACK = (f"{PRODUCT}parametrizations.weight.{n}" for n in ("original", "0.lora_A"))
JINA_V3 = [
    Case(
        "jina_embeddings_v3/plain: turns that stretch",
        "jina_embeddings_v3/plain",
        put(CONFIG, "/rope_parameters/rope_type", "dynamic"),
        [at(VARIANT, CONFIG, "/rope_parameters/rope_type", "dynamic", "default")],
    ),
    one("jina_embeddings_v3/plain", "type_vocab_size", None, SCHEMA, "null", "a value"),
    without("jina_embeddings_v3/first_names", "roberta.encoder.layers.0.mixer.Wqkv.bias", "vector [66]"),
    # Adapters: a list that is no list, new ones instead of the stored, stacks that are not there.
    one(FLASH + "adapters", "lora_adaptations", [], VARIANT, "0 adapters", "1 to 64"),
    one(FLASH + "adapters", "load_trained_adapters", False, VARIANT, "false", "true, beside lora_adaptations"),
    one(FLASH + "adapters", "position_embedding_type", "alibi", VARIANT, '"alibi"', '"rotary" | "absolute"'),
    without(FLASH + "adapters", STACK, "matrix [5, 4, 24]", PRODUCT + "lora_A.weight"),
    without(FLASH + "adapters", WHOLE, "matrix [72, 24]", PRODUCT + "weight"),
    # Its module class is code, which stands for the library's in this family alone.
    Case(
        "jina_embeddings_v3/plain: a module of its own",
        "jina_embeddings_v3/plain",
        put("modules.json", "/0/type", "custom_st.Transformer"),
        [
            at(
                "custom_code_denied",
                "modules.json",
                "/0/type",
                "custom_st.Transformer",
                "modules of sentence_transformers; code of a package is never run",
            )
        ],
    ),
]

OWNERS = [f"jinaai/{name}--" for name in ("jina-bert-implementation", "jina-bert-v2-qk-post-norm")]
JINA_CLASS = "modeling_bert.JinaBertModel"
JINA = "encoder.layer.1."
JINA_BERT = [
    one("jina_bert/plain", "position_embedding_type", "absolute", VARIANT, "absolute", "alibi"),
    one("jina_bert/plain", "feed_forward_type", "glu", VARIANT, "glu", "original, geglu, reglu"),
    one("jina_bert/original", "hidden_act", None, SCHEMA, "null", "a value"),
    # Both repositories have classes of these names: code without one may be either's.
    one(
        "jina_bert/plain",
        "auto_map",
        {"AutoModel": JINA_CLASS},
        "ambiguous_family",
        f'{{"AutoModel":"{JINA_CLASS}"}}',
        f"in front of each class one of: {', '.join(OWNERS)}; their classes share names, not arithmetic",
    ),
    # A map of both is neither's.
    one(
        "jina_bert/plain",
        "auto_map",
        {"AutoConfig": OWNERS[0] + "configuration_bert.JinaBertConfig", "AutoModel": OWNERS[1] + JINA_CLASS},
        "custom_code_denied",
        f'{{"AutoConfig":"{OWNERS[0]}configuration_bert.JinaBertConfig","AutoModel":"{OWNERS[1]}{JINA_CLASS}"}}',
        "classes of transformers; code of a package is never run",
    ),
    without("jina_bert/plain", JINA + "mlp.gated_layers.weight", "matrix [40, 24]"),
    shaped(
        "jina_bert/original",
        "type_vocab_size",
        3,
        "embeddings.token_type_embeddings.weight",
        "[2, 24]",
        "[3, 24]",
    ),
]

JINA_CODE = [
    one("jina_code/plain", "num_attention_heads", 5, VARIANT, "5", "a divisor of hidden_size 24"),
    without("jina_code/plain", JINA + "attention.self.layer_norm_k.bias", "vector [24]"),
    without("jina_code/plain", JINA + "mlp.up_gated_layer.weight", "matrix [40, 24]"),
    Case(
        "jina_code/original: a bias in front of the MLP",
        "jina_code/original",
        copy_tensor(JINA + "mlp.down_layer.bias", JINA + "mlp.up_layer.bias"),
        [tensor("unexpected_tensor", WEIGHTS, JINA + "mlp.up_layer.bias", "[40]", KNOWN)],
    ),
    one("jina_code/original", "feed_forward_type", None, SCHEMA, "null", "a value"),
]

CASES = [*JINA_V3, *JINA_BERT, *JINA_CODE]
