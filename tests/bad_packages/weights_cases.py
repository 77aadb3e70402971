"""Headers and data of safetensors files, the index of shards, values that are no numbers."""

import math

from case import BENCH, Case, at, indexed, tensor
from package_edit import (
    add_tensor,
    append,
    copy,
    cut,
    drop,
    edits,
    number,
    put,
    remove,
    retyped,
    safetensors,
    sized,
    tensors,
    write,
)

WEIGHTS, INDEX, SHARDED = "model.safetensors", "model.safetensors.index.json", "gelu_new_sharded"
SHARD = "model-0000{}-of-00003.safetensors".format
BAD, LARGE, MISMATCH = "artifact_malformed", "artifact_too_large", "shard_index_mismatch"
POOLER = "pooler.dense.bias"


def f16_nan(held):
    dtype, shape, content = held["embeddings.LayerNorm.bias"]
    assert dtype == "F16"
    held["embeddings.LayerNorm.bias"] = (dtype, shape, b"\x00\x7e" + content[2:])


def one(description, size):
    """A file of one tensor `t` with this description."""
    return write(WEIGHTS, safetensors({"t": description}, bytes(size)))


CASES = [
    # ART-08: the file as a whole
    Case(
        "three bytes",
        "classic",
        write(WEIGHTS, b"123"),
        [at(BAD, WEIGHTS, "", "a file of 3 bytes", "at least the 8 bytes of the header length")],
    ),
    Case(
        "pointer of a large-file store",
        "classic",
        write(WEIGHTS, "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 107856\n"),
        [
            at(
                BAD,
                WEIGHTS,
                "",
                "a Git LFS pointer in place of the weights",
                "the weights, as `git lfs pull` fetches them",
            )
        ],
    ),
    Case(
        "huge header",
        "classic",
        write(WEIGHTS, b"\xff" * 8),
        [at(LARGE, WEIGHTS, "", "header length 18446744073709551615", "at most 100000000 bytes")],
    ),
    Case(
        "a hole for a header",
        "classic",
        edits(write(WEIGHTS, b"\x00\xe1\xf5\x05\0\0\0\0"), sized(WEIGHTS, 9)),
        [at(BAD, WEIGHTS, "", "header length 100000000 in a file of 9 bytes", "at most 1")],
    ),
    Case(
        "no tensors",
        "classic",
        write(WEIGHTS, safetensors({})),
        [at("component_missing", WEIGHTS, "", "no tensors", "safetensors weights of this module")],
    ),
    Case(
        "one byte short",
        "classic",
        cut(WEIGHTS, 1),
        [
            tensor(
                BAD,
                WEIGHTS,
                "pooler.dense.weight",
                "data_offsets [99712,103808]",
                "begin <= end <= 103807, the bytes of data",
            )
        ],
    ),
    Case(
        "one byte more",
        "classic",
        append(WEIGHTS, b"\0"),
        [at(BAD, WEIGHTS, "", "1 bytes after the last tensor", "a file of 107856 bytes")],
    ),
    Case(
        "overflow",
        "classic",
        one({"dtype": "F32", "shape": [2147483647] * 3, "data_offsets": [0, 4]}, 4),
        [
            tensor(
                BAD,
                WEIGHTS,
                "t",
                "shape [2147483647,2147483647,2147483647], whose product overflows",
                "a product below 2^64",
            )
        ],
    ),
    Case(
        "large dimension",
        "classic",
        one({"dtype": "F32", "shape": [2147483648], "data_offsets": [0, 4]}, 4),
        [tensor(LARGE, WEIGHTS, "t", "dimension 2147483648", "at most 2147483647")],
    ),
    Case(
        "metadata is no text",
        "classic",
        write(WEIGHTS, safetensors({"__metadata__": {"n": 1}})),
        [at(BAD, WEIGHTS, "/__metadata__/n", "integer", "a string")],
    ),
    Case(
        "a module's tensor spans too little",
        "two_dense",
        retyped("linear.weight", "F32", [24, 40], "2_Dense/model.safetensors"),
        [
            tensor(
                BAD,
                "2_Dense/model.safetensors",
                "linear.weight",
                "data_offsets that span 1920 bytes",
                "3840 bytes, as F32 [24, 40] takes",
            )
        ],
    ),
    # ART-06, ART-07: index and shards, both ways
    Case(
        "shard gone",
        SHARDED,
        remove(SHARD(2)),
        [
            indexed(
                MISMATCH,
                "embeddings.LayerNorm.bias",
                f"shard {SHARD(2)}: nothing",
                "a shard that is in the package",
            )
        ],
    ),
    Case(
        "index gone",
        SHARDED,
        remove(INDEX),
        [
            at(
                "component_missing",
                INDEX,
                "",
                f"shards without their index: {SHARD(1)}, {SHARD(2)}, {SHARD(3)}",
                "the index that says which shard holds which tensor",
            )
        ],
    ),
    Case(
        "indexed, not stored",
        SHARDED,
        put(INDEX, "/weight_map/extra", SHARD(1)),
        [indexed(MISMATCH, "extra", f"a tensor that {SHARD(1)} does not hold", "tensors of the shards")],
    ),
    Case(
        "stored, not indexed",
        SHARDED,
        drop(INDEX, "/weight_map/embeddings.LayerNorm.weight"),
        [
            tensor(
                MISMATCH,
                SHARD(1),
                "embeddings.LayerNorm.weight",
                "not in the index",
                f"every stored tensor in {INDEX}",
            )
        ],
    ),
    Case(
        "another shard",
        SHARDED,
        put(INDEX, f"/weight_map/{POOLER}", SHARD(1)),
        [indexed(MISMATCH, POOLER, f"shard {SHARD(1)}", f"{SHARD(3)}, which holds the tensor")],
    ),
    Case(
        "a number for a shard",
        SHARDED,
        put(INDEX, f"/weight_map/{POOLER}", 3),
        [at("invalid_package_schema", INDEX, f"/weight_map/{POOLER}", "3", "a shard file's name")],
    ),
    Case(
        "a shard elsewhere",
        SHARDED,
        put(INDEX, f"/weight_map/{POOLER}", "../m.safetensors"),
        [indexed("path_escape", POOLER, "a path with '..'", "a regular file inside the package")],
    ),
    Case(
        "no map",
        SHARDED,
        drop(INDEX, "/weight_map"),
        [
            at(
                "invalid_package_schema",
                INDEX,
                "/weight_map",
                "nothing",
                "an object from tensor names to shard files",
            )
        ],
    ),
    Case(
        "a shard too many",
        SHARDED,
        copy(SHARD(1), "model-00004-of-00003.safetensors"),
        [
            at(
                MISMATCH,
                "model-00004-of-00003.safetensors",
                "",
                "a shard that the index does not name",
                f"every shard in {INDEX}",
            )
        ],
    ),
    Case(
        "in two shards",
        SHARDED,
        add_tensor(POOLER, "F32", [24], bytes(96), SHARD(1)),
        [
            tensor(
                "duplicate_tensor",
                SHARD(3),
                POOLER,
                f"also in {SHARD(1)}; the index names {SHARD(3)}",
                "one shard with the tensor",
            )
        ],
    ),
    Case(
        "a shard cut",
        SHARDED,
        cut(SHARD(2), 4),
        [
            tensor(
                BAD,
                SHARD(2),
                "pooler.dense.weight",
                "data_offsets [13888,16192]",
                "begin <= end <= 16188, the bytes of data",
            )
        ],
    ),
    # ART-11
    Case(
        "both forms",
        SHARDED,
        copy(SHARD(1), WEIGHTS),
        [
            at(
                "ambiguous_artifact",
                WEIGHTS,
                "",
                f"{WEIGHTS} and {INDEX}, which differ in tensor embeddings.LayerNorm.weight",
                "one of them",
            )
        ],
    ),
    # ART-09: legal bytes that no answer can come from; found while the weights are packed
    Case(
        "NaN",
        "classic",
        number("encoder.layer.0.output.dense.bias", 3, math.nan),
        [
            tensor(
                "non_finite_parameter", WEIGHTS, "encoder.layer.0.output.dense.bias", "NaN", "finite values"
            )
        ],
        verb=BENCH,
    ),
    Case(
        "infinity in a part of a stack",
        "classic",
        number("encoder.layer.1.attention.self.key.weight", 3, -math.inf),
        [
            tensor(
                "non_finite_parameter",
                WEIGHTS,
                "encoder.layer.1.attention.self.key.weight",
                "infinity",
                "finite values",
            )
        ],
        verb=BENCH,
    ),
    Case(
        "NaN in f16",
        "relu_f16",
        tensors(WEIGHTS, f16_nan),
        [tensor("non_finite_parameter", WEIGHTS, "embeddings.LayerNorm.bias", "NaN", "finite values")],
        verb=BENCH,
    ),
]
