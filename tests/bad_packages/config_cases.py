"""config.json: which family, and each value that changes the forward pass."""

from case import Case, at, tensor
from package_edit import drop, edits, put, remove

CONFIG = "config.json"
VARIANT, SCHEMA, UNKNOWN = "unsupported_config_variant", "invalid_package_schema", "unknown_family"
CLASSES = (
    "for model_type bert: BertModel, BertForMaskedLM, BertForPreTraining, BertForNextSentencePrediction, "
    "BertForSequenceClassification, BertForTokenClassification, BertForQuestionAnswering, "
    "BertForMultipleChoice, BertLMHeadModel, HF_ColBERT"
)
ACTIVATIONS = (
    "gelu, gelu_python, gelu_new, gelu_fast, gelu_accurate, gelu_pytorch_tanh, gelu_python_tanh, "
    "gelu_10, quick_gelu, silu, swish, relu, relu2, relu6, leaky_relu, mish, hardswish, laplace, "
    "sqrtsoftplus, sigmoid, tanh, linear"
)
SIZE = "a whole number from 1 to 2147483647"
WITHOUT = "modules.json, or --pooling mean|max|cls|mean_sqrt_len_tokens|weightedmean|lasttoken"
KEYS = "keys with a known meaning, or --allow-unqualified"


def one(key, value, code, found, allowed, pointer=None):
    """One value of config.json, one problem at its key."""
    return Case(
        f"{key} {value}",
        "classic",
        put(CONFIG, f"/{key}", value),
        [at(code, CONFIG, pointer or f"/{key}", found, allowed)],
    )

TYPES = "bert, roberta, xlm-roberta, camembert, distilbert, mpnet, modernbert, deberta-v2, eurobert, ultrabert, nomic_bert, gte, new, jina_embeddings_v3, llama, llama_bidirec, qwen2, qwen3, qwen3_moe, bidirectional_pplx_qwen3, qwen3_5_text, mistral, ministral3, gemma, gemma2, gemma3_text, model2vec"

CASES = [
    # EVI-08: never by name, never by guess
    one("model_type", "qwen9", UNKNOWN, "qwen9", TYPES),
    one("model_type", 7, SCHEMA, "7", "a string"),
    Case(
        "no model_type",
        "modern",
        drop(CONFIG, "/model_type"),
        [at(UNKNOWN, CONFIG, "/model_type", "absent", TYPES)],
    ),
    one("architectures", ["RobertaModel"], "evidence_conflict", "RobertaModel", CLASSES, "/architectures/0"),
    one("architectures", ["BertModel", "Quux"], UNKNOWN, "Quux", CLASSES, "/architectures/1"),
    one("architectures", [7], SCHEMA, "[7]", "a string or a list of strings"),
    one(
        "auto_map",
        {"AutoModel": "modeling_x.XModel"},
        "custom_code_denied",
        '{"AutoModel":"modeling_x.XModel"}',
        "classes of transformers; code of a package is never run",
    ),
    # FAM-05: implemented, or refused by name before anything is allocated
    one("hidden_act", "quick", VARIANT, "quick", ACTIVATIONS),
    one("hidden_act", None, SCHEMA, "null", "a value"),
    one("position_embedding_type", "relative_key", VARIANT, '"relative_key"', '"absolute" | null'),
    one("is_decoder", True, VARIANT, "true", "false | null"),
    one("add_cross_attention", True, VARIANT, "true", "false | null"),
    one("is_encoder_decoder", True, VARIANT, "true", "false | null"),
    one("pruned_heads", {"0": [1]}, VARIANT, '{"0":[1]}', "{} | null"),
    one("num_attention_heads", 5, VARIANT, "5", "a divisor of hidden_size 32"),
    one("layer_norm_eps", -1, VARIANT, "-1", "a number of at least 0"),
    one("layer_norm_eps", "x", SCHEMA, '"x"', "a number"),
    one("hidden_size", "32", SCHEMA, '"32"', SIZE),
    one("vocab_size", 32.5, SCHEMA, "32.5", SIZE),
    one("intermediate_size", -1, SCHEMA, "-1", SIZE),
    one("type_vocab_size", 0, SCHEMA, "0", SIZE),
    one("max_position_embeddings", 2**31, SCHEMA, "2147483648", SIZE),
    one("num_hidden_layers", 2147483647, SCHEMA, "2147483647", "a whole number from 1 to 16384"),
    one(
        "quantization_config",
        {"quant_method": "gptq", "bits": 4},
        "unsupported_quantization",
        '{"quant_method":"gptq","bits":4}',
        "null",
    ),
    # EVI-09, CAP-05: what nobody here knows is no default
    one("rope_scaling", {"type": "linear"}, "unqualified_case", "a key that nothing here knows", KEYS),
    one("attention_window", 3, "unqualified_case", "a key that nothing here knows", KEYS),
    # FAM-06, TSK-06: nothing says how rows become a vector
    Case(
        "no manifest",
        "classic",
        remove("modules.json"),
        [at("unsupported_processor_recipe", "modules.json", "", "no such file", WITHOUT)],
    ),
    Case(
        "a head and no manifest",
        "mlm_head",
        remove("modules.json"),
        [
            at(
                "unsupported_task_head",
                CONFIG,
                "/architectures/0",
                "BertForMaskedLM without a module manifest",
                WITHOUT,
            )
        ],
    ),
    # FAM-09: the tokenizer's ids and the table's rows, the limit and the special tokens
    Case(
        "a table that is too small",
        "classic",
        put(CONFIG, "/vocab_size", 100),
        [
            tensor(
                "shape_mismatch",
                "model.safetensors",
                "embeddings.word_embeddings.weight",
                "[189, 32]",
                "[100, 32]",
            ),
            at(
                "preprocessing_contract_mismatch",
                "tokenizer.json",
                "",
                'id 188 of "right"',
                "ids below 100, the rows of the token table",
            ),
        ],
    ),
    Case(
        "one position",
        "classic",
        put(CONFIG, "/max_position_embeddings", 1),
        [
            tensor(
                "shape_mismatch",
                "model.safetensors",
                "embeddings.position_embeddings.weight",
                "[48, 32]",
                "[1, 32]",
            ),
            at(
                "unsupported_processor_recipe",
                CONFIG,
                "",
                "a limit of 1 tokens",
                "room for the special tokens, 2",
            ),
        ],
    ),
    # ERR-03
    Case(
        "five values",
        "classic",
        edits(
            put(CONFIG, "/hidden_act", "quick"),
            put(CONFIG, "/is_decoder", True),
            put(CONFIG, "/hidden_size", 0),
            put(CONFIG, "/quantization_config", {}),
            put(CONFIG, "/matryoshka_dimensions", "x"),
        ),
        [
            at(VARIANT, CONFIG, "/is_decoder", "true", "false | null"),
            at("unsupported_quantization", CONFIG, "/quantization_config", "{}", "null"),
            at(SCHEMA, CONFIG, "/hidden_size", "0", SIZE),
            at(VARIANT, CONFIG, "/hidden_act", "quick", ACTIVATIONS),
            at(SCHEMA, CONFIG, "/matryoshka_dimensions", '"x"', "a list of sizes from 1 to the width"),
        ],
    ),
]
