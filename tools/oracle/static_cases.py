"""The cases of static tables: packages of StaticEmbedding, and of model2vec without modules.json. There is no model to
build: a case says how its table is stored and what stands around it. See family_cases.py."""

import json
import zlib
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import tokenizers
import torch
from tokenizers import decoders, models, normalizers, pre_tokenizers, processors

from packages import DTYPES, NEW, OLD, dense, save_tensors, vocabulary, write_json, write_module
from texts import LONG

NEW_STATIC = "sentence_transformers.sentence_transformer.modules.static_embedding.StaticEmbedding"
OLD_STATIC = OLD + "StaticEmbedding"
TYPES = {**DTYPES, "F64": torch.float64, "I8": torch.int8, "I32": torch.int32, "I64": torch.int64}
SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
NOTHING_KNOWN = ("\u2603\u2603 \u2603", "[UNK][SEP]  [MASK]", "   ")  # unknown, special, blank


@dataclass
class StaticCase:
    """One package. Without `type` there is no modules.json, and model2vec is the reference."""

    name: str
    about: str
    type: str | None = OLD_STATIC
    path: str = ""  # of the first module
    family: str = "static"
    width: int = 24
    storage: str = "F32"  # of the table
    clusters: int = 0  # rows that a mapping leads to; 0: no mapping
    mapping: str = "I64"
    weights: str | None = None  # stored type
    model2vec_names: bool = False  # `embeddings` in a package of sentence-transformers
    spare_rows: int = 0
    modules: list = field(default_factory=lambda: ["Normalize"])
    new_types: bool = False
    module_storage: str = "F32"
    st_config: dict = field(default_factory=dict)
    config: dict | None = None  # config.json
    unigram: bool = False
    tokenizer_json: dict = field(default_factory=dict)
    others: dict = field(default_factory=dict)  # further JSON files
    texts: tuple = NOTHING_KNOWN
    prompts: list = field(default_factory=list)  # (prompt_name or None, prompt or None, text)
    cut: int | None = None
    hidden: tuple = (2, 4)  # items whose rows are kept

    @property
    def seed(self) -> int:
        return zlib.crc32(f"{self.family}/{self.name}".encode())

    @property
    def model2vec(self) -> bool:
        return self.type is None


def word_pieces() -> tokenizers.Tokenizer:
    vocab = vocabulary(SPECIAL)
    tok = tokenizers.Tokenizer(models.WordPiece(vocab, unk_token="[UNK]", max_input_chars_per_word=100))
    tok.normalizer = normalizers.BertNormalizer(lowercase=True)
    tok.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    # Never applied: a table takes no special tokens.
    tok.post_processor = processors.BertProcessing(("[SEP]", vocab["[SEP]"]), ("[CLS]", vocab["[CLS]"]))
    tok.decoder = decoders.WordPiece(prefix="##")
    tok.add_special_tokens(SPECIAL)
    return tok


def unigram() -> tokenizers.Tokenizer:
    words = [w for w in vocabulary(SPECIAL) if not w.startswith(("##", "["))]
    pieces = ["<pad>", "<unk>", "\u2581", *words, *("\u2581" + w for w in words)]
    scores = [(p, -1.0 - 0.02 * i) for i, p in enumerate(dict.fromkeys(pieces))]
    tok = tokenizers.Tokenizer(models.Unigram(scores, unk_id=1, byte_fallback=False))
    tok.normalizer = normalizers.NFKC()
    tok.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="always")
    tok.decoder = decoders.Metaspace(prepend_scheme="always")
    tok.add_special_tokens(["<pad>", "<unk>"])
    return tok


def table_of(case: StaticCase, ids: int) -> dict:
    rng = np.random.Generator(np.random.PCG64(case.seed))
    rows = case.clusters or ids
    values = rng.standard_normal((rows, case.width))
    if case.storage == "I8":
        values = np.clip(np.rint(40 * values), -127, 127)
    own = case.type is not None and not case.model2vec_names
    out = {"embedding.weight" if own else "embeddings": torch.from_numpy(values).to(TYPES[case.storage])}
    if case.clusters:
        out["mapping"] = torch.from_numpy(rng.integers(0, case.clusters, ids)).to(TYPES[case.mapping])
    if case.weights:
        out["weights"] = torch.from_numpy(0.2 + rng.random(ids)).to(TYPES[case.weights])
    return out


def write_package(case: StaticCase, folder: Path):
    home = folder / case.path
    home.mkdir(parents=True)
    tok = unigram() if case.unigram else word_pieces()
    write_json(home / "tokenizer.json", {**json.loads(tok.to_str()), **case.tokenizer_json})
    save_tensors(home, table_of(case, tok.get_vocab_size() + case.spare_rows), 1)
    if case.config is not None:
        write_json(folder / "config.json", case.config)
    if case.st_config:
        write_json(folder / "config_sentence_transformers.json", case.st_config)
    for name, value in case.others.items():
        write_json(folder / name, value)
    if case.model2vec:
        return
    rng = np.random.Generator(np.random.PCG64(case.seed + 1))
    rows = [(case.path, case.type)]
    for i, module in enumerate(case.modules, 1):
        kind = "LayerNorm" if isinstance(module, int) else module if isinstance(module, str) else "Dense"
        write_module(case, folder / f"{i}_{kind}", module, rng)
        rows.append((f"{i}_{kind}", NEW[kind] if case.new_types else OLD + kind))
    write_json(
        folder / "modules.json",
        [{"idx": i, "name": str(i), "path": path, "type": kind} for i, (path, kind) in enumerate(rows)],
    )


def truncation(length, side="Right", strategy="LongestFirst"):
    return {"truncation": {"direction": side, "max_length": length, "strategy": strategy, "stride": 0}}


FIXED_PADDING = {
    "padding": {
        "strategy": {"Fixed": 16},
        "direction": "Right",
        "pad_to_multiple_of": None,
        "pad_id": 0,
        "pad_type_id": 0,
        "pad_token": "[PAD]",
    }
}
PROMPTS = {"query": "search query: ", "document": "", "long": "the quick brown fox " * 5}

STATIC = [
    StaticCase(
        "plain",
        "As saved by sentence-transformers 3: a folder of its own, old names, no limit; the tokenizer's template and padding "
        "are not applied.",
        path="0_StaticEmbedding",
        spare_rows=3,
        tokenizer_json=FIXED_PADDING,
        cut=7,
    ),
    StaticCase(
        "root_f16",
        "In the root, half precision, an odd width, not normalised, dot product; tokenizer.json cuts on the left; a "
        "config.json and a tokenizer_config.json that StaticEmbedding never reads.",
        type=NEW_STATIC,
        new_types=True,
        width=21,
        storage="F16",
        modules=[],
        st_config={"similarity_fn_name": "dot", "prompts": PROMPTS, "default_prompt_name": None},
        prompts=[("query", None, "river bank"), ("document", None, "river bank"), (None, "warm ", "stone")],
        tokenizer_json=truncation(9, "Left", "OnlyFirst"),
        config={"model_type": "model2vec", "normalize": True, "max_length": 4},
        others={"tokenizer_config.json": {"model_max_length": 5, "do_lower_case": False, "truncation_side": "right"}},
    ),
    StaticCase(
        "bf16_dense",
        "BF16, then Dense with a bias, LayerNorm and Normalize, through which a text without tokens is no zero; a default "
        "prompt.",
        path=".",
        storage="BF16",
        module_storage="F16",
        modules=[dense(24, 10, "Tanh"), 10, "Normalize"],
        st_config={"prompts": PROMPTS, "default_prompt_name": "query"},
        prompts=[("document", None, ""), ("document", None, "river"), ("long", None, "stone")],
    ),
    StaticCase(
        "folded",
        "model2vec's names under sentence-transformers: a mapping of I64 and weights of F64 over halves, folded in f32.",
        model2vec_names=True,
        storage="F16",
        clusters=40,
        weights="F64",
        tokenizer_json=truncation(16),
    ),
    StaticCase(
        "folded_i8",
        "The same over whole numbers: a mapping of I32 and weights of F32; a text may be longer than any cut.",
        model2vec_names=True,
        storage="I8",
        clusters=30,
        mapping="I32",
        weights="F32",
    ),
    StaticCase(
        "model2vec",
        "As model2vec saved it at first: no modules.json, no model_type; whole numbers, mapping and weights, Unigram; "
        "unknown tokens are left out.",
        type=None,
        storage="I8",
        clusters=50,
        weights="F32",
        unigram=True,
        config={"normalize": True, "embedding_dtype": "int8", "vocabulary_quantization": 50},
    ),
    StaticCase(
        "model2vec_short",
        "Keys of a distilled model, not normalised, four tokens at most: the text is cut by characters first. The cut and "
        "the side of tokenizer.json do not count.",
        type=None,
        width=17,
        config={
            "model_type": "model2vec",
            "architectures": ["StaticModel"],
            "tokenizer_name": "somewhere/base",
            "apply_pca": 17,
            "apply_zipf": True,
            "sif_coefficient": 0.0001,
            "hidden_dim": 17,
            "seq_length": 1000000,
            "pooling": "mean",
            "normalize": False,
            "max_length": 4,
        },
        tokenizer_json=truncation(2, "Left"),
        texts=(*NOTHING_KNOWN, "unbelievable strasse zurich creme", "\u6211 \u6211 \u6211 \u6211 \u6211 \u6211"),
    ),
    StaticCase(
        "model2vec_endless",
        "No limit at all, half precision with weights of halves, without a mapping, normalised.",
        type=None,
        storage="F16",
        weights="F16",
        config={"model_type": "model2vec", "normalize": True, "max_length": None},
        texts=(*NOTHING_KNOWN, " ".join([LONG] * 3)),
    ),
]
