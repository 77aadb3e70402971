"""Writes a complete sentence-transformers package with a tiny random BERT in it. Only bytes are made here:
nothing in this file runs the reference, and the random numbers are NumPy's, so that a new torch does not
change a package.
"""

import json
import zlib
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import tokenizers
import torch
from safetensors.torch import save_file
from tokenizers import decoders, models, normalizers, pre_tokenizers, processors

from texts import WORDS

OLD = "sentence_transformers.models."  # as written before release 5.7
NEW = {
    "Transformer": "sentence_transformers.base.modules.transformer.Transformer",
    "Pooling": "sentence_transformers.sentence_transformer.modules.pooling.Pooling",
    "Dense": "sentence_transformers.base.modules.dense.Dense",
    "LayerNorm": "sentence_transformers.sentence_transformer.modules.layer_norm.LayerNorm",
    "Normalize": "sentence_transformers.base.modules.normalize.Normalize",
    "WeightedLayerPooling": "sentence_transformers.sentence_transformer.modules.weighted_layer_pooling.WeightedLayerPooling",
    "Router": "sentence_transformers.base.modules.router.Router",
}
SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
DTYPES = {"F32": torch.float32, "F16": torch.float16, "BF16": torch.bfloat16}
MODES = ["cls", "max", "mean", "mean_sqrt_len", "weightedmean", "lasttoken"]


@dataclass
class Case:
    """One package. What a field leaves at its default is the plainest thing that real packages do."""

    name: str
    about: str
    act: str = "gelu"
    width: int = 24
    heads: int = 3
    inner: int = 40
    layers: int = 1
    positions: int = 48
    types: int = 2
    eps: float = 1e-12
    up_scale: float = (
        0.45  # spread of the first half of the MLP: wide where an activation's far end must be reached
    )
    storage: tuple = ("F32",)  # tensors take these in turn
    shards: int = 1
    prefix: str = ""
    norm_names: tuple = ("weight", "bias")
    position_ids: bool = False
    pooler: bool = True
    mlm_head: bool = False
    modules: list | None = field(
        default_factory=lambda: ["Pooling", "Normalize"]
    )  # None: no modules.json at all
    new_types: bool = False
    pooling: dict = field(default_factory=dict)
    bert_config: dict | None = field(default_factory=lambda: {"max_seq_length": 32, "do_lower_case": False})
    bert_config_name: str = "sentence_bert_config.json"
    st_config: dict = field(default_factory=dict)
    normalizer: dict = field(default_factory=dict)
    tokenizer_config: dict = field(default_factory=dict)
    tokenizer_json: dict = field(default_factory=dict)
    max_word: int = 100
    config: dict = field(default_factory=dict)  # further keys of config.json
    spare_rows: int = 0  # rows of the word table that no token has, as padded vocabularies leave them
    added_tokens: list = field(default_factory=list)  # behind the vocabulary, in the order of their ids
    module_storage: str = "F32"
    prompts: list = field(default_factory=list)  # further items: (prompt_name or None, prompt or None, text)
    roles: list = field(default_factory=list)  # and more: (role, text)
    encoder: str = ""  # its folder
    vocab_txt: bool = False  # in place of tokenizer.json
    whole_routes: dict | None = None  # saved again with each route's own pooling, of these settings (saved.py)
    cut: int | None = None  # also encode with truncate_dim, normalised again

    @property
    def seed(self) -> int:
        return zlib.crc32(self.name.encode())

    @property
    def vocab_size(self) -> int:
        return len(vocabulary()) + len(self.added_tokens) + self.spare_rows


def legacy_pooling(*modes, **more):
    flags = {
        "cls": "cls_token",
        "max": "max_tokens",
        "mean": "mean_tokens",
        "lasttoken": "lasttoken",
        "mean_sqrt_len": "mean_sqrt_len_tokens",
        "weightedmean": "weightedmean_tokens",
    }
    return {**{f"pooling_mode_{flags[m]}": m in modes for m in MODES}, **more}


def dense(in_features, out_features, activation, bias=True, **more):
    """A Dense module for Case.modules."""
    name = activation if "." in activation else f"torch.nn.modules.activation.{activation}"
    return {
        "in_features": in_features,
        "out_features": out_features,
        "bias": bias,
        "activation_function": name,
        **more,
    }


@dataclass
class Layers:
    """A WeightedLayerPooling for Case.modules: its first layer, and weights of that and each further one."""

    first: int
    weights: list
    old: bool = False  # names its width as before release 5.4


@dataclass
class Routes:
    """A Router for Case.modules, or with its old name and file: modules by route, and the routing."""

    modules: dict
    parameters: dict
    old: bool = False


def vocabulary(special=SPECIAL):
    chars = "abcdefghijklmnopqrstuvwxyz0123456789"
    tokens = list(special) + list(".,:;!?'()-%[]—∑") + list(chars) + ["##" + c for c in chars]
    tokens += [
        "A",
        "I",
        "S",
        "##A",
        "##I",
        "##S",
        "##É",
        "##é",
        "##ü",
        "i̇",
        "ß",
        "##ß",
        "α",
        "##σ",
        "##ς",
        "ａ",
        "##ｂ",
    ]
    return {t: i for i, t in enumerate(dict.fromkeys(tokens + WORDS))}


def write_json(path: Path, value):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, ensure_ascii=False, separators=(",", ":")) + "\n", encoding="utf-8")


def write_tokenizer(case: Case, folder: Path):
    vocab = vocabulary()
    tok = tokenizers.Tokenizer(
        models.WordPiece(vocab, unk_token="[UNK]", max_input_chars_per_word=case.max_word)
    )
    options = {"clean_text": True, "handle_chinese_chars": True, "strip_accents": None, "lowercase": True}
    tok.normalizer = normalizers.BertNormalizer(**{**options, **case.normalizer})
    tok.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    ids = [(t, vocab[t]) for t in ("[CLS]", "[SEP]")]
    tok.post_processor = processors.TemplateProcessing(
        single="[CLS]:0 $A:0 [SEP]:0", pair="[CLS]:0 $A:0 [SEP]:0 $B:1 [SEP]:1", special_tokens=ids
    )
    tok.decoder = decoders.WordPiece(prefix="##")
    tok.add_special_tokens(SPECIAL)
    tok.add_tokens(case.added_tokens)
    file = json.loads(tok.to_str())
    file.update(case.tokenizer_json)
    write_json(folder / "tokenizer.json", file)
    config = {
        "tokenizer_class": "BertTokenizer",
        "do_lower_case": True,
        "unk_token": "[UNK]",
        "sep_token": "[SEP]",
        "pad_token": "[PAD]",
        "cls_token": "[CLS]",
        "mask_token": "[MASK]",
        "tokenize_chinese_chars": True,
        "strip_accents": None,
        "model_max_length": 512,
    }
    config.update(case.tokenizer_config)
    write_json(folder / "tokenizer_config.json", {k: v for k, v in config.items() if v != "absent"})


def bert_tensors(case: Case, rng) -> dict:
    w, n, p = case.width, case.inner, case.prefix
    gain, shift = case.norm_names
    out = {}

    def put(name, *shape, scale, mean=0.0):
        out[name] = (mean + scale * rng.standard_normal(shape)).astype(np.float32)

    def linear(name, rows, cols, scale):
        put(f"{name}.weight", rows, cols, scale=scale)
        put(f"{name}.bias", rows, scale=0.2)

    def norm(name):
        put(f"{name}.{gain}", w, scale=0.2, mean=1.0)
        put(f"{name}.{shift}", w, scale=0.2)

    e = f"{p}embeddings."
    put(e + "word_embeddings.weight", case.vocab_size, w, scale=1.0)
    put(e + "position_embeddings.weight", case.positions, w, scale=0.5)
    put(e + "token_type_embeddings.weight", case.types, w, scale=0.5)
    norm(e + "LayerNorm")
    for i in range(case.layers):
        layer = f"{p}encoder.layer.{i}."
        for part in ("query", "key", "value"):
            linear(f"{layer}attention.self.{part}", w, w, 1.2 / w**0.5)
        linear(layer + "attention.output.dense", w, w, 1.0 / w**0.5)
        norm(layer + "attention.output.LayerNorm")
        linear(layer + "intermediate.dense", n, w, case.up_scale)
        linear(layer + "output.dense", w, n, 1.0 / n**0.5)
        norm(layer + "output.LayerNorm")
    if case.pooler:
        linear(p + "pooler.dense", w, w, 0.2)
    if case.mlm_head:
        linear("cls.predictions.transform.dense", w, w, 0.2)
        norm("cls.predictions.transform.LayerNorm")
        put("cls.predictions.bias", case.vocab_size, scale=0.2)
        linear("cls.seq_relationship", 2, w, 0.2)
    tensors = {
        k: torch.from_numpy(v).to(DTYPES[case.storage[i % len(case.storage)]])
        for i, (k, v) in enumerate(out.items())
    }
    if case.position_ids:
        tensors[e + "position_ids"] = torch.arange(case.positions).unsqueeze(0)
    return tensors


def save_tensors(folder: Path, tensors: dict, shards: int):
    """In one file, or in several that take the names in turn, with their index."""
    meta = {"format": "pt"}
    if shards == 1:
        save_file(tensors, folder / "model.safetensors", metadata=meta)
        return
    names, weight_map = list(tensors), {}
    for s in range(shards):
        part = names[s::shards]
        file = f"model-{s + 1:05}-of-{shards:05}.safetensors"
        save_file({k: tensors[k] for k in part}, folder / file, metadata=meta)
        weight_map.update(dict.fromkeys(part, file))
    total = sum(t.numel() * t.element_size() for t in tensors.values())
    write_json(
        folder / "model.safetensors.index.json",
        {"metadata": {"total_size": total}, "weight_map": dict(sorted(weight_map.items()))},
    )


def kind_of(module) -> str:
    if isinstance(module, Routes):
        return "Asym" if module.old else "Router"
    if isinstance(module, Layers):
        return "WeightedLayerPooling"
    return "LayerNorm" if isinstance(module, int) else module if isinstance(module, str) else "Dense"


def write_routes(case: Case, folder: Path, routes: Routes, rng):
    types, structure = {}, {}
    for route, modules in routes.modules.items():
        structure[route] = []
        for i, module in enumerate(modules):
            name = f"{route}_{i}_{kind_of(module)}"
            (folder / name).mkdir(parents=True)
            kind = write_module(case, folder / name, module, rng)
            types[name] = OLD + kind if routes.old else NEW[kind]
            structure[route].append(name)
    value = {"types": types, "structure": structure, "parameters": routes.parameters}
    write_json(folder / ("config.json" if routes.old else "router_config.json"), value)


def write_module(case: Case, folder: Path, module, rng) -> str:
    """Writes one module's own folder and returns the class name."""
    if isinstance(module, Routes):
        write_routes(case, folder, module, rng)
        return kind_of(module)
    if isinstance(module, Layers):
        layers = module.first + len(module.weights) - 1
        size = "word_embedding_dimension" if module.old else "embedding_dimension"
        write_json(folder / "config.json", {size: case.width, "layer_start": module.first, "num_hidden_layers": layers})
        tensors = {"layer_weights": torch.tensor(module.weights, dtype=DTYPES[case.module_storage])}
        save_file(tensors, folder / "model.safetensors")
        return kind_of(module)
    if module == "Pooling":
        size = "embedding_dimension" if "pooling_mode" in case.pooling else "word_embedding_dimension"
        write_json(folder / "config.json", {size: case.width, **(case.pooling or legacy_pooling("mean"))})
        return "Pooling"
    if module == "Normalize":
        if case.new_types:  # older packages have no file for it, hence, as published, no folder
            write_json(
                folder / "config.json",
                {"module_input_name": "sentence_embedding", "module_output_name": "sentence_embedding"},
            )
        return "Normalize"
    if isinstance(module, int):
        write_json(folder / "config.json", {"dimension": module})
        tensors = {
            "norm.weight": 1 + 0.3 * rng.standard_normal(module),
            "norm.bias": 0.3 * rng.standard_normal(module),
        }
        kind = "LayerNorm"
    else:
        write_json(folder / "config.json", module)
        rows, cols = module["out_features"], module["in_features"]
        tensors = {"linear.weight": 1.5 / cols**0.5 * rng.standard_normal((rows, cols))}
        if module["bias"]:
            tensors["linear.bias"] = 0.3 * rng.standard_normal(rows)
        if module.get("use_residual") and rows != cols:
            tensors["residual.weight"] = 1.0 / cols**0.5 * rng.standard_normal((rows, cols))
        kind = "Dense"
    save_file(
        {k: torch.from_numpy(v).to(DTYPES[case.module_storage]) for k, v in tensors.items()},
        folder / "model.safetensors",
    )
    return kind


def write_package(case: Case, package: Path):
    folder = package / case.encoder
    folder.mkdir(parents=True)
    rng = np.random.Generator(np.random.PCG64(case.seed))
    write_json(
        folder / "config.json",
        {
            "architectures": ["BertForMaskedLM" if case.mlm_head else "BertModel"],
            "model_type": "bert",
            "attention_probs_dropout_prob": 0.1,
            "hidden_dropout_prob": 0.1,
            "initializer_range": 0.02,
            "hidden_act": case.act,
            "hidden_size": case.width,
            "intermediate_size": case.inner,
            "layer_norm_eps": case.eps,
            "max_position_embeddings": case.positions,
            "num_attention_heads": case.heads,
            "num_hidden_layers": case.layers,
            "pad_token_id": 0,
            "position_embedding_type": "absolute",
            "type_vocab_size": case.types,
            "vocab_size": case.vocab_size,
            **case.config,
        },
    )
    save_tensors(folder, bert_tensors(case, rng), case.shards)
    write_tokenizer(case, folder)
    if case.bert_config is not None:
        write_json(folder / case.bert_config_name, case.bert_config)
    if case.vocab_txt:
        (folder / "tokenizer.json").unlink()
        (folder / "vocab.txt").write_text("".join(t + "\n" for t in vocabulary()), encoding="utf-8")
    folder = package
    if case.st_config:
        write_json(folder / "config_sentence_transformers.json", case.st_config)
    if case.modules is None:
        return
    rows = [(case.encoder, "Transformer")]
    for i, module in enumerate(case.modules, 1):
        kind = kind_of(module)
        path = f"{i}_{kind}"
        write_module(case, folder / path, module, rng)
        rows.append((path, kind))
    write_json(
        folder / "modules.json",
        [
            {"idx": i, "name": str(i), "path": path, "type": NEW[kind] if case.new_types else OLD + kind}
            for i, (path, kind) in enumerate(rows)
        ],
    )
