"""The binding audit: missing, unexpected, wrong shape, layout, type, doubled."""

from case import Case, tensor
from package_edit import (
    add_tensor,
    copy_tensor,
    drop,
    drop_tensor,
    edits,
    put,
    rename_tensor,
    retyped,
    tensors,
    zeros,
)

WEIGHTS, INDEX, CONFIG = "model.safetensors", "model.safetensors.index.json", "config.json"
DENSE = "2_Dense/model.safetensors"
MISSING, UNEXPECTED = "missing_required_tensor", "unexpected_tensor"
KNOWN = "tensors of the family's declaration, or of a known unused group"
STORED = "F32, F16, BF16"
QKV = "encoder.layer.0.attention.self.{}.weight".format
PARTS = [
    "attention.self.query.weight",
    "attention.self.key.weight",
    "attention.self.value.weight",
    "attention.self.query.bias",
    "attention.self.key.bias",
    "attention.self.value.bias",
    "attention.output.dense.weight",
    "attention.output.dense.bias",
    "attention.output.LayerNorm.weight",
    "attention.output.LayerNorm.bias",
    "intermediate.dense.weight",
    "intermediate.dense.bias",
    "output.dense.weight",
    "output.dense.bias",
    "output.LayerNorm.weight",
    "output.LayerNorm.bias",
]


def kind(part):
    """What the family wants for a part of a layer of width 32 and inner width 64."""
    inner = "64" if part.startswith("intermediate") else "32"
    if not part.endswith("weight") or "LayerNorm" in part:
        return f"vector [{inner}]"
    return f"matrix [{inner}, {'64' if part.startswith('output.dense') else '32'}]"


def fused(held):
    held[QKV("qkv")] = (
        "F32",
        [96, 32],
        b"".join(held.pop(QKV(part))[2] for part in ("query", "key", "value")),
    )


CASES = [
    # PLAN-07: nothing is filled in
    Case(
        "no query",
        "classic",
        drop_tensor("encoder.layer.1.attention.self.query.weight"),
        [
            tensor(
                MISSING, WEIGHTS, "encoder.layer.1.attention.self.query.weight", "absent", "matrix [32, 32]"
            )
        ],
    ),
    Case(
        "no bias of a norm",
        "classic",
        drop_tensor("embeddings.LayerNorm.bias"),
        [tensor(MISSING, WEIGHTS, "embeddings.LayerNorm.bias", "absent", "vector [32]")],
    ),
    Case(
        "no bias of a module",
        "two_dense",
        drop_tensor("linear.bias", DENSE),
        [tensor(MISSING, DENSE, "linear.bias", "absent", "vector [40]")],
    ),
    Case(
        "not in any shard",
        "gelu_new_sharded",
        edits(
            drop_tensor("embeddings.LayerNorm.bias", "model-00002-of-00003.safetensors"),
            drop(INDEX, "/weight_map/embeddings.LayerNorm.bias"),
        ),
        [tensor(MISSING, INDEX, "embeddings.LayerNorm.bias", "absent", "vector [24]")],
    ),
    Case(
        "under another prefix",
        "classic",
        rename_tensor("embeddings.LayerNorm.weight", "bert.embeddings.LayerNorm.weight"),
        [
            tensor(
                MISSING,
                WEIGHTS,
                "embeddings.LayerNorm.weight",
                'only "bert.embeddings.LayerNorm.weight", under another prefix',
                "vector [32]",
            )
        ],
    ),
    Case(
        "a layer more in the config",
        "classic",
        put(CONFIG, "/num_hidden_layers", 3),
        [tensor(MISSING, WEIGHTS, f"encoder.layer.2.{part}", "absent", kind(part)) for part in PARTS],
    ),
    # PLAN-09
    Case(
        "an adapter",
        "classic",
        add_tensor("encoder.layer.1.adapter.weight", "F32", [2], bytes(8)),
        [tensor(UNEXPECTED, WEIGHTS, "encoder.layer.1.adapter.weight", "[2]", KNOWN)],
    ),
    Case(
        "a scale of quantization",
        "classic",
        add_tensor("encoder.layer.0.output.dense.weight_scale", "F32", [32], bytes(128)),
        [tensor(UNEXPECTED, WEIGHTS, "encoder.layer.0.output.dense.weight_scale", "[32]", KNOWN)],
    ),
    Case(
        "almost a known buffer",
        "classic",
        add_tensor("embeddings.position_ids2", "I64", [1, 48], bytes(384)),
        [tensor(UNEXPECTED, WEIGHTS, "embeddings.position_ids2", "[1, 48]", KNOWN)],
    ),
    Case(
        "a bias the module does not have",
        "two_dense",
        put("3_Dense/config.json", "/bias", False),
        [tensor(UNEXPECTED, "3_Dense/model.safetensors", "linear.bias", "[10]", KNOWN)],
    ),
    # PLAN-08: no trying until it fits
    Case(
        "three types",
        "classic",
        zeros("embeddings.token_type_embeddings.weight", "F32", [3, 32], 384),
        [tensor("shape_mismatch", WEIGHTS, "embeddings.token_type_embeddings.weight", "[3, 32]", "[2, 32]")],
    ),
    Case(
        "flat",
        "classic",
        retyped("encoder.layer.1.output.dense.weight", "F32", [2048]),
        [tensor("shape_mismatch", WEIGHTS, "encoder.layer.1.output.dense.weight", "[2048]", "[32, 64]")],
    ),
    Case(
        "transposed",
        "classic",
        retyped("encoder.layer.0.intermediate.dense.weight", "F32", [32, 64]),
        [
            tensor(
                "layout_mismatch",
                WEIGHTS,
                "encoder.layer.0.intermediate.dense.weight",
                "[32, 64]",
                "[64, 32], rows are outputs",
            )
        ],
    ),
    Case(
        "transposed in a module",
        "two_dense",
        zeros("linear.weight", "F32", [24, 40], 3840, DENSE),
        [tensor("layout_mismatch", DENSE, "linear.weight", "[24, 40]", "[40, 24], rows are outputs")],
    ),
    Case(
        "query, key and value in one",
        "classic",
        tensors(WEIGHTS, fused),
        [
            tensor(MISSING, WEIGHTS, QKV("query"), "absent", "matrix [32, 32]"),
            tensor(MISSING, WEIGHTS, QKV("key"), "absent", "matrix [32, 32]"),
            tensor(MISSING, WEIGHTS, QKV("value"), "absent", "matrix [32, 32]"),
            tensor(UNEXPECTED, WEIGHTS, QKV("qkv"), "[96, 32]", KNOWN),
        ],
    ),
    # BR-107: stored types
    Case(
        "whole numbers",
        "classic",
        zeros("embeddings.LayerNorm.weight", "I64", [32], 256),
        [tensor("unsupported_operator_dtype_device", WEIGHTS, "embeddings.LayerNorm.weight", "I64", STORED)],
    ),
    Case(
        "doubles",
        "classic",
        zeros("embeddings.LayerNorm.bias", "F64", [32], 256),
        [tensor("unsupported_operator_dtype_device", WEIGHTS, "embeddings.LayerNorm.bias", "F64", STORED)],
    ),
    Case(
        "bytes",
        "classic",
        zeros("encoder.layer.0.output.dense.weight", "I8", [32, 64], 2048),
        [tensor("unsupported_quantization", WEIGHTS, "encoder.layer.0.output.dense.weight", "I8", STORED)],
    ),
    Case(
        "eight-bit floats",
        "classic",
        zeros("encoder.layer.1.output.dense.weight", "F8_E4M3", [32, 64], 2048),
        [
            tensor(
                "unsupported_quantization", WEIGHTS, "encoder.layer.1.output.dense.weight", "F8_E4M3", STORED
            )
        ],
    ),
    Case(
        "scales of eight bits",
        "classic",
        zeros("encoder.layer.1.intermediate.dense.bias", "F8_E8M0", [64], 64),
        [
            tensor(
                "unsupported_quantization",
                WEIGHTS,
                "encoder.layer.1.intermediate.dense.bias",
                'dtype "F8_E8M0"',
                "F32, F16, BF16, F64, I8, U8, I16, U16, I32, U32, I64, U64, BOOL, F8_E4M3 or F8_E5M2",
            )
        ],
    ),
    # ART-07, BR-091, BR-092 within one file
    Case(
        "both names of a norm",
        "classic",
        copy_tensor("embeddings.LayerNorm.weight", "embeddings.LayerNorm.gamma"),
        [
            tensor(
                "duplicate_tensor",
                WEIGHTS,
                "embeddings.LayerNorm.gamma",
                '"embeddings.LayerNorm.gamma" and "embeddings.LayerNorm.weight"',
                "one tensor for embeddings.LayerNorm.weight",
            )
        ],
    ),
    Case(
        "both prefixes",
        "classic",
        copy_tensor("embeddings.LayerNorm.bias", "bert.embeddings.LayerNorm.bias"),
        [
            tensor(
                "duplicate_tensor",
                WEIGHTS,
                "bert.embeddings.LayerNorm.bias",
                '"bert.embeddings.LayerNorm.bias" and "embeddings.LayerNorm.bias"',
                "one tensor for embeddings.LayerNorm.bias",
            )
        ],
    ),
    # PLAN-06, ERR-03: the whole audit in one answer, modules included
    Case(
        "the whole audit",
        "two_dense",
        edits(
            drop_tensor("encoder.layer.0.output.LayerNorm.bias"),
            zeros("embeddings.position_embeddings.weight", "F32", [24, 48], 4608),
            zeros("strange", "F32", [1], 4),
            rename_tensor("linear.bias", "linear.offset", DENSE),
            zeros("linear.weight", "I8", [40, 24], 960, DENSE),
        ),
        [
            tensor(
                "layout_mismatch",
                WEIGHTS,
                "embeddings.position_embeddings.weight",
                "[24, 48]",
                "[48, 24], rows are outputs",
            ),
            tensor(MISSING, WEIGHTS, "encoder.layer.0.output.LayerNorm.bias", "absent", "vector [24]"),
            tensor(UNEXPECTED, WEIGHTS, "strange", "[1]", KNOWN),
            tensor("unsupported_quantization", DENSE, "linear.weight", "I8", STORED),
            tensor(MISSING, DENSE, "linear.bias", "absent", "vector [40]"),
            tensor(UNEXPECTED, DENSE, "linear.offset", "[40]", KNOWN),
        ],
    ),
]
