"""What packages of static tables are refused for: tables, maps and scales, and what their references read."""

import struct

from case import BENCH, Case, at, option, tensor
from config_cases import TYPES
from package_edit import (
    add_tensor,
    drop_tensor,
    put,
    remove,
    rename_tensor,
    retyped,
    tensors,
    write,
    zeros,
)

WEIGHTS, CONFIG, TOKENIZER = "model.safetensors", "config.json", "tokenizer.json"
TABLE = "0_StaticEmbedding/model.safetensors"
MISSING, RECIPE, SHAPE = "component_missing", "unsupported_processor_recipe", "shape_mismatch"
SCHEMA, TYPE = "invalid_package_schema", "unsupported_operator_dtype_device"
KNOWN = "tensors of the family's declaration, or of a known unused group"


def element(name, index, code, value):
    """One value of a tensor; `code` is struct's."""
    size = struct.calcsize("<" + code)

    def change(held):
        dtype, shape, content = held[name]
        content = content[: size * index] + struct.pack("<" + code, value) + content[size * (index + 1) :]
        held[name] = (dtype, shape, content)

    return tensors(WEIGHTS, change)


CASES = [
    Case(
        "static/plain: no weights in the module's folder",
        "static/plain",
        remove(TABLE),
        [
            at(MISSING, TABLE, "", "no weights", "model.safetensors, or model.safetensors.index.json with its shards")
        ],
    ),
    Case(
        "static/plain: no tokenizer in the module's folder",
        "static/plain",
        remove("0_StaticEmbedding/tokenizer.json"),
        [at(MISSING, "0_StaticEmbedding/tokenizer.json", "", "no such file", "the tokenizer of a static table")],
    ),
    Case(
        "static/plain: a table of another name",
        "static/plain",
        rename_tensor("embedding.weight", "embeddings.weight", TABLE),
        [tensor("missing_required_tensor", TABLE, "embedding.weight", "absent", "table [rows, width]")],
    ),
    Case(
        "static/plain: a table of one dimension",
        "static/plain",
        retyped("embedding.weight", "F32", [192 * 24], TABLE),
        [tensor(SHAPE, TABLE, "embedding.weight", "[4608]", "[rows, width], neither 0")],
    ),
    Case(
        "static/plain: a table of doubles",
        "static/plain",
        zeros("embedding.weight", "F64", [192, 24], 8 * 192 * 24, TABLE),
        [tensor(TYPE, TABLE, "embedding.weight", "F64", "F32, F16, BF16")],
    ),
    Case(
        "static/plain: fewer rows than tokens",
        "static/plain",
        zeros("embedding.weight", "F32", [188, 24], 4 * 188 * 24, TABLE),
        [
            at(
                "preprocessing_contract_mismatch",
                "0_StaticEmbedding/tokenizer.json",
                "",
                'id 188 of "right"',
                "ids below 188, the rows of the token table",
            )
        ],
    ),
    Case(
        "static/plain: model2vec's mapping beside the module's own table",
        "static/plain",
        add_tensor("mapping", "I64", [192], bytes(8 * 192), TABLE),
        [tensor("unexpected_tensor", TABLE, "mapping", "[192]", KNOWN)],
    ),
    Case(
        "static/plain: pooling behind the table",
        "static/plain",
        put("modules.json", "/1/type", "sentence_transformers.models.Pooling"),
        [
            at(
                RECIPE,
                "modules.json",
                "/1/type",
                "Pooling after StaticEmbedding",
                "Transformer, then Pooling, or StaticEmbedding first, then any of Dense, LayerNorm, Normalize, Dropout",
            )
        ],
    ),
    Case(
        "static/root_f16: a strategy for pairs",
        "static/root_f16",
        put(TOKENIZER, "/truncation/strategy", "OnlySecond"),
        [
            at(
                RECIPE,
                TOKENIZER,
                "/truncation/strategy",
                "OnlySecond",
                "LongestFirst, OnlyFirst: there is one text",
            )
        ],
    ),
    Case(
        "static/root_f16: a cut to nothing",
        "static/root_f16",
        put(TOKENIZER, "/truncation/max_length", 0),
        [
            at(
                RECIPE,
                TOKENIZER,
                "/truncation/max_length",
                "a limit of 0 tokens",
                "room for the special tokens, 1",
            )
        ],
    ),
    Case(
        "static/folded: a row past the table",
        "static/folded",
        element("mapping", 7, "q", 40),
        [tensor(SCHEMA, WEIGHTS, "mapping", "row 40 for id 7", "rows of embeddings, 0 to 39")],
        verb=BENCH,
    ),
    Case(
        "static/folded: a weight that is no number",
        "static/folded",
        element("weights", 188, "d", float("nan")),
        [tensor("non_finite_parameter", WEIGHTS, "weights", "NaN", "finite values")],
        verb=BENCH,
    ),
    Case(
        "static/folded: a mapping of floats, and a weight too few",
        "static/folded",
        tensors(
            WEIGHTS,
            lambda held: held.update(
                mapping=("F32", [189], bytes(4 * 189)), weights=("F32", [188], bytes(4 * 188))
            ),
        ),
        [
            tensor(TYPE, WEIGHTS, "mapping", "F32", "I32, I64"),
            tensor(SHAPE, WEIGHTS, "weights", "[188]", "[189]"),
        ],
    ),
    # torch takes no whole numbers as parameters; weights make fractions of them
    Case(
        "static/folded_i8: whole numbers without weights",
        "static/folded_i8",
        drop_tensor("weights"),
        [tensor("unsupported_quantization", WEIGHTS, "embeddings", "I8", "F32, F16, BF16")],
    ),
    Case(
        "static/model2vec: a negative row",
        "static/model2vec",
        element("mapping", 0, "q", -1),
        [tensor(SCHEMA, WEIGHTS, "mapping", "row -1 for id 0", "rows of embeddings, 0 to 49")],
        verb=BENCH,
    ),
    Case(
        "static/model2vec: pooling asked for",
        "static/model2vec",
        lambda folder: None,
        [
            option(
                "unsupported_option", "pooling", "mean", "only for an encoder without modules.json; this is a static table"
            )
        ],
        options=("--pooling", "mean"),
        exit=2,
    ),
    Case(
        "static/model2vec: something beside the table, and no model_type",
        "static/model2vec",
        add_tensor("bias", "F32", [24], bytes(96)),
        [
            at(
                "unknown_family",
                CONFIG,
                "/model_type",
                "absent",
                TYPES,
            ),
            at(
                RECIPE,
                "modules.json",
                "",
                "no such file",
                "modules.json, or --pooling mean|max|cls|mean_sqrt_len_tokens|weightedmean|lasttoken",
            ),
        ],
    ),
    Case(
        "static/model2vec_short: no limit above nothing",
        "static/model2vec_short",
        put(CONFIG, "/max_length", 0),
        [at(SCHEMA, CONFIG, "/max_length", "0", "a whole number from 1 to 2147483647")],
    ),
    Case(
        "static/model2vec_short: a row that no token has",
        "static/model2vec_short",
        zeros("embeddings", "F32", [190, 17], 4 * 190 * 17),
        [
            tensor(
                "preprocessing_contract_mismatch",
                WEIGHTS,
                "embeddings",
                "190 rows",
                "189, one for each token of tokenizer.json",
            )
        ],
    ),
    Case(
        "static/model2vec_short: a class of another family",
        "static/model2vec_short",
        put(CONFIG, "/architectures", ["BertModel"]),
        [at("evidence_conflict", CONFIG, "/architectures/0", "BertModel", "for model_type model2vec: StaticModel")],
    ),
    Case(
        "static/model2vec_short: modules of an encoder",
        "static/model2vec_short",
        write(
            "modules.json",
            '[{"idx":0,"name":"0","path":"","type":"sentence_transformers.models.Transformer"},'
            '{"idx":1,"name":"1","path":"1_Normalize","type":"sentence_transformers.models.Normalize"}]',
        ),
        [
            at(
                "evidence_conflict",
                "modules.json",
                "/0/type",
                "sentence_transformers.models.Transformer",
                "StaticEmbedding, which runs model_type model2vec",
            ),
            at(
                RECIPE,
                "modules.json",
                "/1/type",
                "Normalize after Transformer",
                "Transformer, then Pooling, or StaticEmbedding first, then any of Dense, LayerNorm, Normalize, Dropout",
            ),
        ],
    ),
]
