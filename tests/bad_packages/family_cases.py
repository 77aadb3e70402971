"""What each family but BERT refuses of its own: values of its keys, tensors under its names."""

from case import BENCH, Case, at, tensor
from package_edit import copy_tensor, drop_tensor, edits, number, put, retyped

CONFIG, WEIGHTS = "config.json", "model.safetensors"
VARIANT, SCHEMA = "unsupported_config_variant", "invalid_package_schema"
KNOWN = "tensors of the family's declaration, or of a known unused group"
CONFLICT, MISSING, SHAPE = "evidence_conflict", "missing_required_tensor", "shape_mismatch"


def one(package, key, value, code, found, allowed):
    return Case(
        f"{package}: {key} {value}",
        package,
        put(CONFIG, f"/{key}", value),
        [at(code, CONFIG, f"/{key}", found, allowed)],
    )


def without(package, name, shape, declared=None):
    """Under a name of its own a missing tensor is reported as the family declares it."""
    return Case(
        f"{package}: no {name}",
        package,
        drop_tensor(name),
        [tensor(MISSING, WEIGHTS, declared or name, "absent", shape)],
    )


def shaped(package, key, value, name, found, allowed):
    """A size that the stored tensor contradicts."""
    return Case(
        f"{package}: {key} {value}, stored otherwise",
        package,
        put(CONFIG, f"/{key}", value),
        [tensor(SHAPE, WEIGHTS, name, found, allowed)],
    )


XLM_CLASSES = "for model_type xlm-roberta: " + ", ".join(
    f"XLMRoberta{kind}"
    for kind in (
        "Model",
        "ForMaskedLM",
        "ForCausalLM",
        "ForSequenceClassification",
        "ForTokenClassification",
        "ForQuestionAnswering",
        "ForMultipleChoice",
    )
)

ROBERTA = [
    # BR-013: of 34 rows the padding id and those before it are no place for a token
    one(
        "roberta/plain",
        "pad_token_id",
        33,
        VARIANT,
        "33",
        "below vocab_size 189, and at least 2 below max_position_embeddings 34",
    ),
    one("roberta/plain", "pad_token_id", None, SCHEMA, "null", "a value"),
    one(
        "roberta/plain",
        "position_embedding_type",
        "relative_key",
        VARIANT,
        '"relative_key"',
        '"absolute" | null',
    ),
    shaped(
        "roberta/plain",
        "max_position_embeddings",
        40,
        "roberta.embeddings.position_embeddings.weight",
        "[34, 24]",
        "[40, 24]",
    ),
    without(
        "roberta/plain", "roberta.encoder.layer.1.attention.self.key.weight", "matrix [24, 24]"
    ),
]

XLM_ROBERTA = [
    shaped(
        "xlm_roberta/plain",
        "type_vocab_size",
        2,
        "roberta.embeddings.token_type_embeddings.weight",
        "[1, 24]",
        "[2, 24]",
    ),
    Case(
        "xlm_roberta/plain: a class of another family",
        "xlm_roberta/plain",
        put(CONFIG, "/architectures", ["RobertaModel"]),
        [at(CONFLICT, CONFIG, "/architectures/0", "RobertaModel", XLM_CLASSES)],
    ),
    one("xlm_roberta/plain", "num_attention_heads", 7, VARIANT, "7", "a divisor of hidden_size 24"),
    without("xlm_roberta/bare", "embeddings.LayerNorm.weight", "vector [21]"),
]

CAMEMBERT = [
    one("camembert/plain", "is_decoder", True, VARIANT, "true", "false | null"),
    one("camembert/plain", "layer_norm_eps", None, SCHEMA, "null", "a value"),
    one("camembert/plain", "type_vocab_size", 0, SCHEMA, "0", "a whole number from 1 to 2147483647"),
    without("camembert/plain", "roberta.encoder.layer.0.output.dense.bias", "vector [24]"),
]

DISTILBERT = [
    one("distilbert/plain", "hidden_size", 48, CONFLICT, "48", "24, as dim says"),
    one("distilbert/plain", "n_heads", 5, VARIANT, "5", "a divisor of dim 24"),
    one("distilbert/plain", "activation", None, SCHEMA, "null", "a value"),
    without("distilbert/plain", "distilbert.transformer.layer.1.ffn.lin2.bias", "vector [24]"),
    Case(
        "distilbert/plain: two at once",
        "distilbert/plain",
        edits(put(CONFIG, "/n_layers", 0), put(CONFIG, "/pruned_heads", {"0": [1]})),
        [
            at(VARIANT, CONFIG, "/pruned_heads", '{"0":[1]}', "{} | null"),
            at(SCHEMA, CONFIG, "/n_layers", "0", "a whole number from 1 to 16384"),
        ],
    ),
]

MPNET = [
    one(
        "mpnet/plain",
        "relative_attention_num_buckets",
        16,
        SCHEMA,
        "16",
        "a whole number from 32 to 2147483647",
    ),
    shaped(
        "mpnet/plain",
        "relative_attention_num_buckets",
        33,
        "mpnet.encoder.relative_attention_bias.weight",
        "[32, 3]",
        "[33, 3]",
    ),
    one("mpnet/plain", "hidden_act", None, SCHEMA, "null", "a value"),
    without("mpnet/plain", "mpnet.encoder.layer.1.attention.attn.o.bias", "vector [24]"),
]

MODERNBERT = [
    # Without a position table only the package bounds a text: refused before anything is laid out for it
    Case(
        "modernbert/new_keys: texts longer than any kernel takes",
        "modernbert/new_keys",
        put("sentence_bert_config.json", "/max_seq_length", 2147483647),
        [
            at(
                "unsupported_processor_recipe",
                "sentence_bert_config.json",
                "/max_seq_length",
                "texts of 2147483647 tokens",
                "at most 65536; --max-length cuts texts earlier",
            )
        ],
    ),
    one("modernbert/plain", "local_rope_theta", None, SCHEMA, "null", "a value"),
    one("modernbert/plain", "sliding_window", 8, CONFLICT, "8", "4, half of local_attention"),
    one(
        "modernbert/plain",
        "rope_scaling",
        {"type": "linear", "factor": 2},
        VARIANT,
        '{"type":"linear","factor":2}',
        "null",
    ),
    without("modernbert/plain", "model.layers.1.attn_norm.weight", "vector [24]"),
    # The first layer has no norm: one that is there belongs to nothing.
    Case(
        "modernbert/plain: a first norm",
        "modernbert/plain",
        copy_tensor("model.layers.1.attn_norm.weight", "model.layers.0.attn_norm.weight"),
        [tensor("unexpected_tensor", WEIGHTS, "model.layers.0.attn_norm.weight", "[24]", KNOWN)],
    ),
    one(
        "modernbert/plain",
        "num_attention_heads",
        8,
        VARIANT,
        "8, heads of 3 columns",
        "heads of an even number of columns, which turn in pairs",
    ),
    Case(
        "modernbert/new_keys: a layer list that is too short",
        "modernbert/new_keys",
        put(CONFIG, "/layer_types", ["full_attention"]),
        [at(CONFLICT, CONFIG, "/layer_types", "1 entries", "4, as num_hidden_layers says")],
    ),
]

DEBERTA = [
    one("deberta/v3", "pos_att_type", "c2p|p2p", VARIANT, "p2p", "c2p, p2c"),
    one("deberta/v3", "z_steps", 2, VARIANT, "2", "0 | null"),
    shaped("deberta/v3", "position_buckets", 20, "deberta.encoder.rel_embeddings.weight", "[32, 24]", "[40, 24]"),
    without("deberta/v3", "deberta.encoder.LayerNorm.bias", "vector [24]"),
    without("deberta/v2_conv", "encoder.layer.0.attention.self.pos_query_proj.weight", "matrix [24, 24]"),
    one(
        "deberta/v2_conv",
        "conv_kernel_size",
        4,
        VARIANT,
        "4",
        "an odd number: others change the length of a text",
    ),
    shaped("deberta/v2_conv", "conv_kernel_size", 5, "encoder.conv.conv.weight", "[24, 24, 3]", "[24, 24, 5]"),
]

EUROBERT = [
    one("eurobert/plain", "rope_theta", None, SCHEMA, "null", "a value"),
    one("eurobert/plain", "num_key_value_heads", 2, VARIANT, "2", "a divisor of num_attention_heads 3"),
    one("eurobert/plain", "head_dim", 7, VARIANT, "7", "an even number of columns, which turn in pairs"),
    one("eurobert/plain", "is_causal", True, VARIANT, "true", "false | null"),
    one(
        "eurobert/attention_bias",
        "rope_theta",
        71,
        CONFLICT,
        "71",
        "70.5, as rope_parameters says",
    ),
    Case(
        "eurobert/plain: a class that it is not",
        "eurobert/plain",
        put(CONFIG, "/auto_map", {"AutoModel": "modeling_eurobert.EuroBertForImages"}),
        [
            at(
                "custom_code_denied",
                CONFIG,
                "/auto_map",
                '{"AutoModel":"modeling_eurobert.EuroBertForImages"}',
                "classes of transformers; code of a package is never run",
            )
        ],
    ),
    without("eurobert/plain", "model.layers.1.mlp.up_proj.weight", "matrix [40, 24]"),
    without("eurobert/shared_heads", "layers.0.self_attn.o_proj.bias", "vector [24]"),
]

ULTRABERT = [
    Case(
        "ultrabert/plain: windows that differ",
        "ultrabert/plain",
        put(CONFIG, "/attention_windows", [3, 4, 0, 3]),
        [at(VARIANT, CONFIG, "/attention_windows/1", "4", "3, as in layer 0 of its kind")],
    ),
    Case(
        "ultrabert/plain: bases that differ",
        "ultrabert/plain",
        put(CONFIG, "/rope_theta", [500, 500, 90000, 600]),
        [at(VARIANT, CONFIG, "/rope_theta/3", "600", "500, as in layer 0 of its kind")],
    ),
    one("ultrabert/plain", "sliding_window", 4, CONFLICT, "4", "3, as attention_windows says"),
    one("ultrabert/plain", "rope_theta", 500, VARIANT, "500", "a list of num_hidden_layers, 4"),
    Case(
        "ultrabert/all_local: a layer that only one list has full",
        "ultrabert/all_local",
        put(CONFIG, "/layer_types", ["sliding_attention", "full_attention"]),
        [
            at(
                CONFLICT,
                CONFIG,
                "/layer_types/1",
                "full_attention",
                "sliding_attention, as attention_windows says",
            )
        ],
    ),
    Case(
        "ultrabert/new_keys: a kind without parameters",
        "ultrabert/new_keys",
        put(CONFIG, "/rope_parameters", {"full_attention": {}}),
        [
            at(
                VARIANT,
                CONFIG,
                "/rope_parameters/sliding_attention",
                "absent",
                "the parameters of the layers of this kind",
            )
        ],
    ),
    without("ultrabert/plain", "ultrabert.norm.weight", "vector [24]"),
]

NOMIC = "nomic_bert/"
NOMIC_BERT = [
    one(NOMIC + "both_keys", "hidden_size", 48, CONFLICT, "48", "24, as n_embd says"),
    one(NOMIC + "original", "prenorm", True, VARIANT, "true", "false | null"),
    one(NOMIC + "original", "rotary_emb_interleaved", True, VARIANT, "true", "false | null"),
    one(
        NOMIC + "original",
        "auto_map",
        {"AutoModel": "nomic-ai/x--modeling_hf_nomic_bert.NomicVisionModel"},
        "custom_code_denied",
        '{"AutoModel":"nomic-ai/x--modeling_hf_nomic_bert.NomicVisionModel"}',
        "classes of transformers; code of a package is never run",
    ),
    one(NOMIC + "native", "attention_bias", True, VARIANT, "true", "false | null"),
    without(NOMIC + "original", "encoder.layers.1.attn.Wqkv.bias", "vector [72]"),
    without(NOMIC + "both_keys", "encoder.layers.1.mlp.fc12.weight", "matrix [40, 24]"),
    # Pieces beside the whole: two spellings of one product
    Case(
        "nomic_bert/both_keys: a piece of a product that is there as a whole",
        "nomic_bert/both_keys",
        copy_tensor("encoder.layers.0.attn.out_proj.weight", "layers.0.self_attn.q_proj.weight"),
        [tensor("unexpected_tensor", WEIGHTS, "layers.0.self_attn.q_proj.weight", "[24, 24]", KNOWN)],
    ),
]

ROUTED, FIRST = "nomic_bert/experts", "encoder.layers.1.mlp."
SOME = "at least 1, and at most 65536 in all layers together"
NOMIC_EXPERTS = [
    one(ROUTED, "num_experts", 0, VARIANT, "0", SOME),
    one(ROUTED, "moe_top_k", 9, VARIANT, "9", "from 1 to num_experts 8"),
    one(ROUTED, "moe_every_n_layers", 0, VARIANT, "0", "at least 2, where num_experts is 8"),
    one(ROUTED, "moe_normalize_expert_weights", True, VARIANT, "true", "false | null"),
    one(ROUTED, "num_shared_experts", 1, VARIANT, "1", "0 | null"),
    one(ROUTED, "activation_function", "swiglu", VARIANT, '"swiglu"', '"gelu", where layers have experts'),
    without(ROUTED, FIRST + "router.layer.weight", "matrix [8, 24]"),
    # Eight slots, one tensor, one problem
    without(ROUTED, FIRST + "experts.mlp.w1", "matrix [320, 24]"),
    without(ROUTED, FIRST + "experts.bias", "vector [24]"),
    Case(
        f"{ROUTED}: a second product as rows of outputs",
        ROUTED,
        retyped(FIRST + "experts.mlp.w2", "F32", [24, 320]),
        [tensor("layout_mismatch", WEIGHTS, FIRST + "experts.mlp.w2", "[24, 320]", "[320, 24], rows are inputs")],
    ),
    Case(
        f"{ROUTED}: a second product of other sizes",
        ROUTED,
        retyped(FIRST + "experts.mlp.w2", "F32", [160, 48]),
        [tensor(SHAPE, WEIGHTS, FIRST + "experts.mlp.w2", "[160, 48]", "[320, 24]")],
    ),
    Case(
        f"{ROUTED}: a value of the last expert that is none",
        ROUTED,
        number(FIRST + "experts.mlp.w2", 320 * 24 - 1, float("nan")),
        [tensor("non_finite_parameter", WEIGHTS, FIRST + "experts.mlp.w2", "NaN", "finite values")],
        verb=BENCH,
    ),
    Case(
        f"{ROUTED}: fewer experts than are stored",
        ROUTED,
        put(CONFIG, "/num_experts", 7),
        [
            tensor(SHAPE, WEIGHTS, f"encoder.layers.{i}.mlp.{name}", f"[{8 * rows}, 24]", f"[{7 * rows}, 24]")
            for i in (1, 3)
            for name, rows in (("router.layer.weight", 1), ("experts.mlp.w1", 40), ("experts.mlp.w2", 40))
        ],
    ),
]

QKV, QUERY = (f"new.encoder.layer.1.attention.{name}_proj" for name in ("qkv", "q"))
GTE = [
    one(
        "gte/first_release",
        "rope_scaling",
        {"type": "ntk", "factor": 2},
        VARIANT,
        '{"type":"ntk","factor":2}',
        "null",
    ),
    one("gte/first_release", "logn_attention_scale", True, VARIANT, "true", "false | null"),
    one("gte/plain", "layer_norm_type", "rms_norm", VARIANT, '"rms_norm"', '"layer_norm"'),
    one("gte/plain", "hidden_act", None, SCHEMA, "null", "a value"),
    one(
        "gte/first_release",
        "auto_map",
        {"AutoModel": "modeling.NewModel"},
        "custom_code_denied",
        '{"AutoModel":"modeling.NewModel"}',
        "classes of transformers; code of a package is never run",
    ),
    # One product of three, and one of two in another order: its own name and shape, once.
    without("gte/first_release", f"{QKV}.bias", "vector [120]"),
    without("gte/plain", "gte.encoder.layer.0.mlp.up_gate_proj.weight", "matrix [40, 24]"),
    Case(
        "gte/first_release: a query beside the three",
        "gte/first_release",
        copy_tensor(f"{QKV}.bias", f"{QUERY}.bias"),
        [
            tensor("unexpected_tensor", WEIGHTS, f"{QUERY}.bias", "[120]", KNOWN)
        ],
    ),
]

NEW = [
    one("new/plain", "layer_norm_type", "scale_norm", VARIANT, "scale_norm", "layer_norm, rms_norm"),
    one("new/plain", "position_embedding_type", None, SCHEMA, "null", "a value"),
    Case(
        "new/plain: a linear scale",
        "new/plain",
        put(CONFIG, "/rope_scaling/type", "linear"),
        [at(VARIANT, CONFIG, "/rope_scaling/type", "linear", "ntk")],
    ),
    Case(
        "new/plain: a factor that stretches nothing",
        "new/plain",
        put(CONFIG, "/rope_scaling/factor", 1),
        [at(VARIANT, CONFIG, "/rope_scaling/factor", "1", "a number above 1")],
    ),
    without("new/plain", "encoder.layer.0.attention.qkv_proj.weight", "matrix [72, 24]"),
    Case(
        "new/plain: a table of token types that the config denies",
        "new/plain",
        copy_tensor("embeddings.LayerNorm.weight", "embeddings.token_type_embeddings.weight"),
        [tensor("unexpected_tensor", WEIGHTS, "embeddings.token_type_embeddings.weight", "[24]", KNOWN)],
    ),
    one("new/absolute_rms", "num_attention_heads", 2, VARIANT, "2", "a divisor of hidden_size 21"),
]

LONG, BOTH = "llama/longrope", "llama/both_sides"
LLAMA = [
    one("llama/plain", "num_key_value_heads", 2, VARIANT, "2", "a divisor of num_attention_heads 3"),
    one("llama/plain", "use_bidirectional_attention", True, VARIANT, "true", "false | null"),
    one("llama/plain", "rope_theta", None, SCHEMA, "null", "a value"),
    one("llama/plain", "rope_interleaved", True, VARIANT, "true", "false | null"),
    one(BOTH, "is_causal", None, SCHEMA, "null", "a value"),
    one(BOTH, "rope_theta", 71, CONFLICT, "71", "70.5, as rope_parameters/rope_theta says"),
    Case(
        "llama/llama3: a type of rotation that is not known",
        "llama/llama3",
        put(CONFIG, "/rope_scaling/rope_type", "llama4"),
        [
            at(
                VARIANT,
                CONFIG,
                "/rope_scaling/rope_type",
                "llama4",
                "default, linear, dynamic, llama3, yarn, longrope",
            )
        ],
    ),
    Case(
        "llama/dynamic: a key of another type",
        "llama/dynamic",
        put(CONFIG, "/rope_scaling/beta_fast", 32),
        [
            at(
                VARIANT,
                CONFIG,
                "/rope_scaling/beta_fast",
                "32",
                "rope_theta, rope_type, type, partial_rotary_factor, factor, of type dynamic",
            )
        ],
    ),
    Case(
        f"{LONG}: a factor for a pair too many",
        LONG,
        put(CONFIG, "/rope_scaling/long_factor", [1, 2, 3, 4, 5]),
        [
            at(
                VARIANT,
                CONFIG,
                "/rope_scaling/long_factor",
                "[1,2,3,4,5]",
                "a list of 4 numbers above 0, one for each pair",
            )
        ],
    ),
    without("llama/plain", "model.layers.1.self_attn.k_proj.weight", "matrix [8, 24]"),
    without("llama/llama3", "layers.0.mlp.down_proj.bias", "vector [24]"),
    shaped("llama/plain", "vocab_size", 500, "model.embed_tokens.weight", "[188, 24]", "[500, 24]"),
]

BIDIREC = "llama_bidirec/plain"
LLAMA_BIDIREC = [
    one(BIDIREC, "temperature", 0.02, VARIANT, "0.02", "1 | null"),
    one(BIDIREC, "is_causal", True, VARIANT, "true", "false | null"),
    one(
        BIDIREC,
        "auto_map",
        {"AutoModel": "modeling_llama.LlamaEncoder"},
        "custom_code_denied",
        '{"AutoModel":"modeling_llama.LlamaEncoder"}',
        "classes of transformers; code of a package is never run",
    ),
    without(BIDIREC, "layers.1.input_layernorm.weight", "vector [24]"),
]

QWEN = [
    one("qwen2/plain", "use_bidirectional_attention", True, VARIANT, "true", "false | null"),
    one("qwen2/plain", "num_key_value_heads", 2, VARIANT, "2", "a divisor of num_attention_heads 3"),
    one("qwen2/both_sides", "is_causal", True, VARIANT, "true", "false, beside classes of auto_map that see both sides"),
    Case(
        "qwen2/listed: a window of layers that is not used",
        "qwen2/listed",
        put(CONFIG, "/use_sliding_window", False),
        [at(CONFLICT, CONFIG, "/layer_types/0", "sliding_attention", "full_attention, where no window is used")],
    ),
    without("qwen2/plain", "model.layers.0.self_attn.v_proj.bias", "vector [8]"),
    one("qwen3/plain", "head_dim", None, SCHEMA, "null", "a value"),
    one("qwen3/plain", "head_dim", 15, VARIANT, "15", "an even number of columns, which turn in pairs"),
    without("qwen3/plain", "model.layers.1.self_attn.k_norm.weight", "vector [16]"),
    Case(
        "qwen3/windows: a list of layers that is too short",
        "qwen3/windows",
        put(CONFIG, "/layer_types", ["full_attention"]),
        [at(CONFLICT, CONFIG, "/layer_types", "1 entries", "2, as num_hidden_layers says")],
    ),
]

STACK = "qwen3_moe/windows"
QWEN_MOE = [
    one(STACK, "num_experts_per_tok", 6, VARIANT, "6", "from 1 to num_experts 5"),
    Case(
        f"{STACK}: two numbers of experts",
        STACK,
        put(CONFIG, "/num_experts", 4),
        [at(CONFLICT, CONFIG, "/num_local_experts", "5", "4, as num_experts says")],
    ),
    one(STACK, "mlp_only_layers", ["1"], SCHEMA, '["1"]', "a list of whole numbers"),
    # Five experts, one tensor, one problem
    without(STACK, "layers.1.mlp.experts.down_proj", "matrix [5, 24, 7]"),
    # Four experts of five: both stacks and the router
    Case(
        f"{STACK}: fewer experts than are stored",
        STACK,
        put(CONFIG, "/num_local_experts", 4),
        [
            tensor(SHAPE, WEIGHTS, f"layers.1.mlp.{name}", found, allowed)
            for name, found, allowed in (
                ("gate.weight", "[5, 24]", "[4, 24]"),
                ("experts.gate_up_proj", "[5, 14, 24]", "[4, 14, 24]"),
                ("experts.down_proj", "[5, 24, 7]", "[4, 24, 7]"),
            )
        ],
    ),
    without("qwen3_moe/plain", "model.layers.1.mlp.experts.4.up_proj.weight", "matrix [10, 24]"),
    one("qwen3_moe/plain", "use_bidirectional_attention", True, VARIANT, "true", "false | null"),
]

PPLX = "pplx_qwen3/plain"
QUANTIZER = {"idx": 2, "name": "2", "path": "", "type": "st_quantize.FlexibleQuantizer"}
PPLX_QWEN3 = [
    # Codes in the place of vectors, by a class of the package's own
    Case(
        f"{PPLX}: as published, with its module of codes",
        PPLX,
        put("modules.json", "/-", QUANTIZER),
        [
            at(
                "unsupported_processor_recipe",
                "modules.json",
                "/2/type",
                "st_quantize.FlexibleQuantizer",
                "vectors of floating-point numbers, which the package gives without this module",
            )
        ],
    ),
    one(PPLX, "use_bidirectional_attention", False, VARIANT, "false", "true"),
    one(PPLX, "use_sliding_window", True, VARIANT, "true", "false"),
    one(
        PPLX,
        "auto_map",
        {"AutoModel": "modeling.PPLXQwen3ContextualModel"},
        "custom_code_denied",
        '{"AutoModel":"modeling.PPLXQwen3ContextualModel"}',
        "classes of transformers; code of a package is never run",
    ),
    without(PPLX, "layers.1.self_attn.q_norm.weight", "vector [16]"),
]

NEXT, FIRST_STATE = "qwen3_5/plain", "model.layers.0.linear_attn."
QWEN3_5 = [
    one(NEXT, "linear_num_value_heads", 3, VARIANT, "3", "a multiple of linear_num_key_heads 2"),
    one(NEXT, "attn_output_gate", False, VARIANT, "false", "true | null"),
    one(NEXT, "linear_conv_kernel_dim", 17, SCHEMA, "17", "a whole number from 1 to 16"),
    Case(
        f"{NEXT}: a window",
        NEXT,
        put(CONFIG, "/layer_types/3", "sliding_attention"),
        [at(VARIANT, CONFIG, "/layer_types/3", "sliding_attention", "linear_attention, full_attention")],
    ),
    Case(
        f"{NEXT}: another type of rotation",
        NEXT,
        put(CONFIG, "/rope_parameters/rope_type", "linear"),
        [at(VARIANT, CONFIG, "/rope_parameters/rope_type", "linear", "default")],
    ),
    without(NEXT, FIRST_STATE + "dt_bias", "vector [4]"),
    without(NEXT, FIRST_STATE + "conv1d.weight", "vector [44, 1, 4]"),
    Case(
        f"{NEXT}: more taps than are stored",
        NEXT,
        put(CONFIG, "/linear_conv_kernel_dim", 5),
        [
            tensor(SHAPE, WEIGHTS, f"model.layers.{i}.linear_attn.conv1d.weight", "[44, 1, 4]", "[44, 1, 5]")
            for i in range(3)
        ],
    ),
    # Of each head a query and a gate, which are rows of one tensor
    without(NEXT, "model.layers.3.self_attn.q_proj.weight", "matrix [96, 24]"),
]

MISTRAL = [
    one("mistral/window", "sliding_window", 0, SCHEMA, "0", "a whole number from 1 to 2147483647"),
    one("mistral/plain", "num_attention_heads", 5, VARIANT, "5", "a divisor of hidden_size 24"),
    without("mistral/plain", "layers.0.self_attn.o_proj.weight", "matrix [24, 24]"),
    Case(
        "ministral3/plain: no growth of queries",
        "ministral3/plain",
        put(CONFIG, "/rope_parameters/llama_4_scaling_beta", None),
        [at(VARIANT, CONFIG, "/rope_parameters/llama_4_scaling_beta", "null", "a number of at least 0")],
    ),
    Case(
        "ministral3/plain: no parameters of the rotation",
        "ministral3/plain",
        put(CONFIG, "/rope_parameters", None),
        [
            at(
                VARIANT,
                CONFIG,
                "/rope_parameters",
                "absent",
                "the parameters of the rotation and of the queries' growth",
            )
        ],
    ),
    without("ministral3/plain", "model.norm.weight", "vector [24]"),
]

GEMMA = [
    one("gemma/plain", "use_bidirectional_attention", True, VARIANT, "true", "is_causal false beside it: alone it depends on padding"),
    one("gemma/plain", "head_dim", None, SCHEMA, "null", "a value"),
    one("gemma/plain", "hidden_activation", "relu", VARIANT, '"relu"', '"gelu_pytorch_tanh" | null'),
    without("gemma/plain", "model.layers.1.post_attention_layernorm.weight", "vector [24]"),
    shaped("gemma/both_sides", "vocab_size", 500, "embed_tokens.weight", "[188, 24]", "[500, 24]"),
    one("gemma2/plain", "attn_logit_softcapping", 0, VARIANT, "0", "a number above 0, or null"),
    one("gemma2/plain", "query_pre_attn_scalar", None, SCHEMA, "null", "a value"),
    one("gemma2/plain", "sliding_window", None, SCHEMA, "null", "a value"),
    one("gemma2/plain", "num_attention_heads", 5, VARIANT, "5", "a divisor of hidden_size 24"),
    without("gemma2/plain", "model.layers.2.post_feedforward_layernorm.weight", "vector [24]"),
    one("gemma3_text/embedding", "attn_logit_softcapping", 50.0, VARIANT, "50", "null"),
    one("gemma3_text/embedding", "use_bidirectional_attention", "all", SCHEMA, '"all"', "true or false"),
    one("gemma3_text/embedding", "query_pre_attn_scalar", 10.5, SCHEMA, "10.5", "a whole number from 1 to 2147483647"),
    without("gemma3_text/embedding", "layers.0.self_attn.q_norm.weight", "vector [10]"),
    Case(
        "gemma3_text/causal: a type of rotation by its old key, which the reference does not take for one",
        "gemma3_text/causal",
        put(CONFIG, "/rope_scaling", {"type": "linear", "factor": 8.0}),
        [at(VARIANT, CONFIG, "/rope_scaling/rope_type", "absent", "default, linear")],
    ),
    Case(
        "gemma3_text/causal: a type of rotation without a golden",
        "gemma3_text/causal",
        put(CONFIG, "/rope_scaling/rope_type", "yarn"),
        [at(VARIANT, CONFIG, "/rope_scaling/rope_type", "yarn", "default, linear")],
    ),
    Case(
        "gemma3_text/both_sides: a rotation of no kind of layers",
        "gemma3_text/both_sides",
        put(CONFIG, "/rope_parameters/rope_theta", 9),
        [at(VARIANT, CONFIG, "/rope_parameters/rope_theta", "9", "full_attention, sliding_attention")],
    ),
    Case(
        "gemma3_text/both_sides: two bases",
        "gemma3_text/both_sides",
        put(CONFIG, "/rope_local_base_freq", 9),
        [at(CONFLICT, CONFIG, "/rope_local_base_freq", "9", "60, as rope_parameters/sliding_attention/rope_theta says")],
    ),
    Case(
        "gemma3_text/both_sides: a pattern that is not read",
        "gemma3_text/both_sides",
        put(CONFIG, "/_sliding_window_pattern", 4),
        [at(CONFLICT, CONFIG, "/_sliding_window_pattern", "4", "6, which sliding_window_pattern says or leaves")],
    ),
]

CASES = [
    *ROBERTA,
    *XLM_ROBERTA,
    *CAMEMBERT,
    *DISTILBERT,
    *MPNET,
    *MODERNBERT,
    *DEBERTA,
    *EUROBERT,
    *ULTRABERT,
    *NOMIC_BERT,
    *NOMIC_EXPERTS,
    *GTE,
    *NEW,
    *LLAMA,
    *LLAMA_BIDIREC,
    *QWEN,
    *QWEN_MOE,
    *PPLX_QWEN3,
    *MISTRAL,
    *GEMMA,
    *QWEN3_5,
]
