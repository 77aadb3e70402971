"""Files that are absent, of another kind, outside the package, too large or not JSON."""

from case import Case, at
from package_edit import edits, fifo, link, put, remove, rename, sized, subfolder, write

CONFIG, TOKENIZER, SAYS = "config.json", "tokenizer.json", "tokenizer_config.json"
MODULES, POOLING, WEIGHTS = "modules.json", "1_Pooling/config.json", "model.safetensors"
INSIDE = "a regular file inside the package"
FOLDER = "a folder inside the package"
MISSING, ESCAPE, SCHEMA = "component_missing", "path_escape", "invalid_package_schema"


def many(folder):
    for i in range(10001):
        (folder / f"x{i}").touch()


CASES = [
    # ART-02: absent parts, each with its role
    Case(
        "no config",
        "classic",
        remove(CONFIG),
        [at(MISSING, CONFIG, "", "nothing", "the model's configuration")],
    ),
    Case(
        "no weights",
        "classic",
        remove(WEIGHTS),
        [
            at(
                MISSING,
                WEIGHTS,
                "",
                "no weights",
                "model.safetensors, or model.safetensors.index.json with its shards",
            )
        ],
    ),
    Case(
        "only a pickle",
        "classic",
        edits(remove(WEIGHTS), write("pytorch_model.bin", "x")),
        [
            at(
                MISSING,
                WEIGHTS,
                "",
                "pickled weights, which are never opened: pytorch_model.bin",
                "weights converted to safetensors",
            )
        ],
    ),
    Case(
        "a module's pickle",
        "two_dense",
        rename("2_Dense/model.safetensors", "2_Dense/pytorch_model.bin"),
        [
            at(
                MISSING,
                "2_Dense/model.safetensors",
                "",
                "pickled weights, which are never opened: 2_Dense/pytorch_model.bin",
                "weights converted to safetensors",
            )
        ],
    ),
    Case(
        "a folder for weights",
        "classic",
        subfolder(WEIGHTS),
        [
            at(
                MISSING,
                WEIGHTS,
                "",
                "no weights",
                "model.safetensors, or model.safetensors.index.json with its shards",
            )
        ],
    ),
    Case(
        "no tokenizer",
        "classic",
        remove(TOKENIZER),
        [at(MISSING, "vocab.txt", "", "nothing", "the vocabulary of BertTokenizer, or tokenizer.json")],
    ),
    Case(
        "a vocabulary without the unknown token",
        "classic",
        edits(remove(TOKENIZER), write("vocab.txt", "[PAD]\n")),
        [at("unsupported_processor_recipe", "vocab.txt", "/model/unk_token", "[UNK]", "a token of the vocabulary")],
    ),
    Case(
        "no pooling config",
        "classic",
        remove(POOLING),
        [at(MISSING, POOLING, "", "no such file", "embedding_dimension and the pooling mode")],
    ),
    Case(
        "no dense config",
        "two_dense",
        remove("2_Dense/config.json"),
        [
            at(
                MISSING,
                "2_Dense/config.json",
                "",
                "no such file",
                "in_features, out_features and the activation",
            )
        ],
    ),
    Case(
        "no dense weights",
        "two_dense",
        remove("3_Dense/model.safetensors"),
        [at(MISSING, "3_Dense/model.safetensors", "", "no tensors", "safetensors weights of this module")],
    ),
    Case(
        "a module's folder is not there",
        "classic",
        put(MODULES, "/1/path", "9_Pooling"),
        [
            at(
                MISSING,
                "9_Pooling/config.json",
                "",
                "no such file",
                "embedding_dimension and the pooling mode",
            )
        ],
    ),
    # ART-05: what leads out, or is no file
    Case(
        "link out",
        "classic",
        link(TOKENIZER, "../x.json"),
        [at(ESCAPE, TOKENIZER, "", "a link to ../x.json, outside the package", INSIDE)],
    ),
    Case(
        "link to the system",
        "classic",
        link(CONFIG, "/etc/hostname"),
        [at(ESCAPE, CONFIG, "", "a link to /etc/hostname, outside the package", INSIDE)],
    ),
    Case(
        "link to itself",
        "classic",
        link("sentence_bert_config.json", "sentence_bert_config.json"),
        [at(ESCAPE, "sentence_bert_config.json", "", "more than 16 links", INSIDE)],
    ),
    Case(
        "link to nothing",
        "classic",
        link(POOLING, "gone.json"),
        [at("artifact_missing", POOLING, "", "a link whose target is missing: gone.json", "a file")],
    ),
    Case("FIFO for weights", "classic", fifo(WEIGHTS), [at(ESCAPE, WEIGHTS, "", "a FIFO", INSIDE)]),
    Case("FIFO for JSON", "classic", fifo(SAYS), [at(ESCAPE, SAYS, "", "a FIFO", INSIDE)]),
    Case(
        "device for a module",
        "two_dense",
        link("2_Dense/model.safetensors", "/dev/zero"),
        [at(ESCAPE, "2_Dense/model.safetensors", "", "a link to /dev/zero, outside the package", INSIDE)],
    ),
    Case(
        "module above",
        "classic",
        put(MODULES, "/1/path", "../1_Pooling"),
        [at(ESCAPE, MODULES, "/1/path", "\"../1_Pooling\": a path with '..'", FOLDER)],
    ),
    Case(  # BR-096
        "a module's folder leads out",
        "classic",
        edits(rename("1_Pooling", "../elsewhere"), link("1_Pooling", "../elsewhere")),
        [
            at(ESCAPE, MODULES, "/1/path", '"1_Pooling": a link to ../elsewhere, outside the package', FOLDER)
        ],
    ),
    Case(
        "module at the root",
        "classic",
        put(MODULES, "/2/path", "/2_Normalize"),
        [at(ESCAPE, MODULES, "/2/path", '"/2_Normalize": an absolute path', FOLDER)],
    ),
    Case(
        "module with a NUL",
        "two_dense",
        put(MODULES, "/3/path", "3\0"),
        [at(ESCAPE, MODULES, "/3/path", '"3\0": a path with a NUL byte', FOLDER)],
    ),
    Case(
        "module with a backslash",
        "two_dense",
        put(MODULES, "/4/path", "C:\\x"),
        [at(ESCAPE, MODULES, "/4/path", '"C:\\x": a path with a backslash', FOLDER)],
    ),
    # LIM: sizes, before anything is parsed
    Case(
        "65 MiB of JSON",
        "classic",
        sized(TOKENIZER, (64 << 20) + 1),
        [at("artifact_too_large", TOKENIZER, "", "67108865 bytes", "at most 67108864 bytes")],
    ),
    Case(
        "too many files",
        "classic",
        many,
        [at("artifact_too_large", ".", "", "more than 10000 files", "at most 10000 files and folders")],
    ),
    # ART-10: JSON
    Case(
        "cut off",
        "classic",
        write(CONFIG, '{"model_type":"bert"'),
        [at(SCHEMA, CONFIG, "", "'\"' at byte 19", "'}' as the last character")],
    ),
    Case(
        "empty file",
        "classic",
        write(TOKENIZER, ""),
        [at(SCHEMA, TOKENIZER, "", "the end of the document at byte 0", "a value")],
    ),
    Case(
        "pointer of a large-file store",
        "classic",
        write(SAYS, "version https://git-lfs"),
        [at(SCHEMA, SAYS, "", "'v' at byte 0", "a value")],
    ),
    Case(
        "key twice",
        "classic",
        write(CONFIG, '{"model_type":"bert","hidden_size":1,"hidden_size":2}'),
        [at(SCHEMA, CONFIG, "/hidden_size", "the key twice in one object", "each key once")],
    ),
    Case("a list", "classic", write(POOLING, "[]"), [at(SCHEMA, POOLING, "", "array", "an object")]),
    Case(
        "deep",
        "classic",
        write("config_sentence_transformers.json", '{"a":' + "[" * 200 + "]" * 200 + "}"),
        [
            at(
                SCHEMA,
                "config_sentence_transformers.json",
                "/a" + "/0" * 127,
                "nesting deeper than 128 levels at byte 132",
                "at most 128 levels",
            )
        ],
    ),
    Case(
        "not UTF-8",
        "classic",
        write("sentence_bert_config.json", b'{"a":"\xe9"}'),
        [at(SCHEMA, "sentence_bert_config.json", "", "a byte that is not UTF-8 at byte 6", "UTF-8")],
    ),
    Case(
        "NaN",
        "classic",
        write(CONFIG, '{"layer_norm_eps":NaN}'),
        [at(SCHEMA, CONFIG, "/layer_norm_eps", "'N' at byte 18", "a value")],
    ),
    Case(
        "no list of modules",
        "classic",
        write(MODULES, "{}"),
        [at(SCHEMA, MODULES, "", "object", "a list of modules")],
    ),
    Case(
        "a module is no object",
        "classic",
        put(MODULES, "/2", "x"),
        [at(SCHEMA, MODULES, "/2", "string", "an object")],
    ),
    Case(
        "a module without path",
        "classic",
        put(MODULES, "/1", {"name": "1", "type": "x"}),
        [
            at(SCHEMA, MODULES, "/1/path", "nothing", 'a folder\'s name, or ""'),
            at(
                "custom_code_denied",
                MODULES,
                "/1/type",
                "x",
                "modules of sentence_transformers; code of a package is never run",
            ),
        ],
    ),
    # ERR-03: five faults, five entries, in the order of the stages
    Case(
        "five files",
        "two_dense",
        edits(
            write(CONFIG, "{"),
            link(TOKENIZER, "/dev/zero"),
            fifo("sentence_bert_config.json"),
            remove("2_Dense/config.json"),
            write("3_Dense/model.safetensors", b"\xff" * 8),
        ),
        [
            at(ESCAPE, "sentence_bert_config.json", "", "a FIFO", INSIDE),
            at(ESCAPE, TOKENIZER, "", "a link to /dev/zero, outside the package", INSIDE),
            at(SCHEMA, CONFIG, "", "'{' at byte 0", "'}' as the last character"),
            at(
                "artifact_too_large",
                "3_Dense/model.safetensors",
                "",
                "header length 18446744073709551615",
                "at most 100000000 bytes",
            ),
            at(
                MISSING,
                "2_Dense/config.json",
                "",
                "no such file",
                "in_features, out_features and the activation",
            ),
        ],
    ),
]
