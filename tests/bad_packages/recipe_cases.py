"""The module chain and what surrounds it; options of the request."""

from case import Case, at, nothing, option, tensor
from package_edit import drop, edits, put, write

MODULES, POOLING, CONFIG = "modules.json", "1_Pooling/config.json", "config.json"
ENCODER, WHOLE = "sentence_bert_config.json", "config_sentence_transformers.json"
SCHEMA, RECIPE, CONFLICT, HEAD = (
    "invalid_package_schema",
    "unsupported_processor_recipe",
    "evidence_conflict",
    "unsupported_task_head",
)
TYPES = "Transformer, then Pooling, or StaticEmbedding first, then any of Dense, LayerNorm, Normalize, Dropout"
OWN = "modules of sentence_transformers; code of a package is never run"
MODES = "mean|max|cls|mean_sqrt_len_tokens|weightedmean|lasttoken"
SIZE = "a whole number from 1 to 2147483647"
POOLING_KEYS = (
    "embedding_dimension, word_embedding_dimension, pooling_mode, include_prompt, "
    "pooling_mode_cls_token, pooling_mode_max_tokens, pooling_mode_mean_tokens, "
    "pooling_mode_mean_sqrt_len_tokens, pooling_mode_weightedmean_tokens, pooling_mode_lasttoken"
)
TORCH = (
    "torch.nn: Identity, Tanh, ReLU, ReLU6, GELU, SiLU, Sigmoid, Mish, ELU, CELU, LeakyReLU, SELU, Hardtanh, "
    "Hardsigmoid, Hardswish, Hardshrink, Softshrink, Tanhshrink, Softplus, LogSigmoid, Softsign"
)
MODELS = "sentence_transformers.models."


def one(file, key, value, code, found, allowed, place=None, package="classic"):
    """One value, one problem at its place."""
    pointer = f"/{key}"
    return Case(
        f"{file} {key} {value}",
        package,
        put(file, pointer, value),
        [at(code, file, place or pointer, found, allowed)],
    )


def asked(options, code, name, found, allowed, status=2):
    return Case(
        " ".join(options), "classic", nothing, [option(code, name, found, allowed)], options, exit=status
    )


CASES = [
    # ART-17, PLAN-02: the manifest defines the product, of registered names only
    one(MODULES, "0/type", "transformers.AutoModel", "custom_code_denied", "transformers.AutoModel", OWN),
    one(MODULES, "1/type", "my_code.Pooling", "custom_code_denied", "my_code.Pooling", OWN),
    one(MODULES, "1/type", MODELS + "WordWeights", RECIPE, "WordWeights after Transformer", TYPES),
    one(MODULES, "2/type", MODELS + "LSTM", RECIPE, "LSTM after Pooling", TYPES),
    one(MODULES, "0/type", MODELS + "WordEmbeddings", RECIPE, "WordEmbeddings", TYPES),
    one(MODULES, "1/type", 5, SCHEMA, "5", "a string"),
    one(MODULES, "1/name", "0", SCHEMA, "0", "a name of its own"),
    one(MODULES, "1/path", "", RECIPE, "the package's root", "a folder of its own"),
    Case(
        "no pooling",
        "classic",
        drop(MODULES, "/1"),
        [at(RECIPE, MODULES, "/1/type", "Normalize after Transformer", TYPES)],
    ),
    Case(
        "an empty chain",
        "classic",
        write(MODULES, "[]"),
        [at(SCHEMA, MODULES, "", "array", "a list of at least one module")],
    ),
    # TSK-06: pooling
    one(POOLING, "pooling_mode", "median", RECIPE, "median", MODES),
    one(POOLING, "pooling_mode", 7, SCHEMA, "7", "a string or a list of strings"),
    one(POOLING, "word_embedding_dimension", 33, CONFLICT, "33", "32, the width of the module before"),
    one(POOLING, "pooling_mode_cls_token", "yes", SCHEMA, '"yes"', "true or false"),
    one(POOLING, "novel", 1, RECIPE, "novel", POOLING_KEYS),
    one(POOLING, "include_prompt", "x", SCHEMA, '"x"', "true or false"),
    Case(
        "pooling without width",
        "classic",
        drop(POOLING, "/word_embedding_dimension"),
        [at(SCHEMA, POOLING, "/embedding_dimension", "absent", "the width of the encoder")],
    ),
    # Dense, LayerNorm, Normalize
    one(
        "3_Dense/config.json",
        "activation_function",
        "torch.nn.modules.activation.PReLU",
        RECIPE,
        "torch.nn.modules.activation.PReLU",
        TORCH,
        package="two_dense",
    ),
    Case(
        "dense without width",
        "two_dense",
        drop("3_Dense/config.json", "/in_features"),
        [at(SCHEMA, "3_Dense/config.json", "/in_features", "absent", "a width")],
    ),
    Case(
        "dense of another width",
        "two_dense",
        put("3_Dense/config.json", "/in_features", 41),
        [
            tensor("shape_mismatch", "3_Dense/model.safetensors", "linear.weight", "[10, 40]", "[10, 41]"),
            at(CONFLICT, "3_Dense/config.json", "/in_features", "41", "40, the width of the module before"),
        ],
    ),
    one(
        "2_Normalize/config.json",
        "module_input_name",
        "token_embeddings",
        RECIPE,
        '"token_embeddings"',
        '"sentence_embedding" | null',
        package="modern",
    ),
    Case(
        "norm of another width",
        "layer_norm",
        put("2_LayerNorm/config.json", "/dimension", 7),
        [
            tensor("shape_mismatch", "2_LayerNorm/model.safetensors", "norm.weight", "[24]", "[7]"),
            tensor("shape_mismatch", "2_LayerNorm/model.safetensors", "norm.bias", "[24]", "[7]"),
            at(CONFLICT, "2_LayerNorm/config.json", "/dimension", "7", "24, the width of the module before"),
        ],
    ),
    # the encoder's settings
    one(ENCODER, "max_seq_length", 0, SCHEMA, "0", SIZE),
    one(ENCODER, "max_seq_length", 1, RECIPE, "a limit of 1 tokens", "room for the special tokens, 2"),
    one(ENCODER, "do_lower_case", "x", SCHEMA, '"x"', "true or false"),
    one(ENCODER, "transformer_task", "fill-mask", HEAD, '"fill-mask"', '"feature-extraction"'),
    one(
        ENCODER,
        "modality_config",
        {"image": {}},
        RECIPE,
        '{"image":{}}',
        '{"text":{"method":"forward","method_output_name":"last_hidden_state"}}',
    ),
    one(ENCODER, "module_output_name", "logits", RECIPE, '"logits"', '"token_embeddings"'),
    one(ENCODER, "query_length", 32, RECIPE, "32", "null"),
    one(ENCODER, "model_args", {"torch_dtype": "float16"}, RECIPE, '{"torch_dtype":"float16"}', "{} | null"),
    # the package's settings
    one(
        WHOLE,
        "model_type",
        "CrossEncoder",
        HEAD,
        "CrossEncoder",
        "SentenceTransformer; this one is for rerank or classify",
    ),
    one(WHOLE, "similarity_fn_name", "jaccard", RECIPE, "jaccard", "cosine, dot, euclidean, manhattan"),
    one(WHOLE, "default_prompt_name", "absent", RECIPE, "absent", "query, document"),
    one(WHOLE, "prompts", {"q": 5}, SCHEMA, "5", "a string", "/prompts/q"),
    one(WHOLE, "truncate_dim", 0, SCHEMA, "0", SIZE),
    one(WHOLE, "matryoshka_dimensions", [8, 64], SCHEMA, "64", "a list of sizes from 1 to the width, 32"),
    one(
        WHOLE,
        "novel",
        1,
        "unqualified_case",
        "a key that nothing here knows",
        "keys with a known meaning, or --allow-unqualified",
    ),
    Case(
        "two lists of sizes",
        "classic",
        edits(put(WHOLE, "/matryoshka_dimensions", [8]), put(CONFIG, "/matryoshka_dimensions", [16])),
        [at(CONFLICT, CONFIG, "/matryoshka_dimensions", "[16]", "the sizes of the other file")],
    ),
    # PLAN-04: a requested option never vanishes
    asked(
        ("--precision", "bf16"),
        "unsupported_option",
        "precision",
        "bf16",
        "f32 (the only numeric profile built into this version)",
    ),
    asked(("--device", "cuda:0"), "backend_not_compiled", "device", "cuda:0", "cpu", 3),
    asked(("--device", "npu"), "unsupported_option", "device", "npu", "cpu"),
    # BR-111: no score is made of an embedding
    asked(("--task", "decide"), "unknown_task", "task", "decide, not built in this version", "embed, embed-sparse, embed-tokens, rerank, classify, classify-tokens", 3),
    asked(("--max-length", "33"), "unsupported_option", "max-length", "33", "2 to 32"),
    asked(
        ("--max-batch-tokens", "8"), "unsupported_option", "max-batch-tokens", "8", "at least max-length, 32"
    ),
    asked(
        ("--pooling", "mean"),
        "unsupported_option",
        "pooling",
        "mean",
        "only for a package without modules.json",
    ),
    asked(
        ("--no-normalize",),
        "unsupported_option",
        "no-normalize",
        "the package's chain normalises",
        "a package whose chain does not",
    ),
    # ERR-03: request and package in one answer; the first stage decides the exit code
    Case(
        "three options and two values",
        "classic",
        edits(put(ENCODER, "/query_length", 32), put(POOLING, "/pooling_mode", "median")),
        [
            option("unsupported_option", "pooling", "cls", "only for a package without modules.json"),
            at(RECIPE, POOLING, "/pooling_mode", "median", MODES),
            at(RECIPE, ENCODER, "/query_length", "32", "null"),
            option("backend_not_compiled", "device", "cuda", "cpu"),
            option(
                "unsupported_option",
                "precision",
                "int8",
                "f32 (the only numeric profile built into this version)",
            ),
        ],
        ("--precision", "int8", "--device", "cuda", "--pooling", "cls"),
        exit=2,
    ),
]
