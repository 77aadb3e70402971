"""Writes a complete sentence-transformers package with a tiny random model of any class of transformers in it.

The library's class says which tensors there are; their values are NumPy's, from the case's name, so that a new torch
does not change a package. Nothing in this file runs a model."""

import json
import shutil
import zlib
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import tokenizers
import torch
import transformers
from tokenizers import decoders, models, normalizers, pre_tokenizers, processors, trainers
from transformers.models.qwen2.tokenization_qwen2 import PRETOKENIZE_REGEX

import new_model
from packages import DTYPES, NEW, OLD, kind_of, legacy_pooling, save_tensors, vocabulary, write_json, write_module
from texts import LONG, WORDS

BERT_TOKENS = {"pad": "[PAD]", "unk": "[UNK]", "cls": "[CLS]", "sep": "[SEP]", "mask": "[MASK]"}
PAD_IN_TEXT = ("left <pad> right <pad>",)  # where positions count behind the padding id
QWEN_TOKENS = {"eos": "<|endoftext|>", "pad": "<|endoftext|>"}
DECODER_TOKENS = {"unk": "<unk>", "bos": "<s>", "eos": "</s>", "pad": "<pad>"}
ROBERTA_TOKENS = {"cls": "<s>", "pad": "<pad>", "sep": "</s>", "unk": "<unk>", "mask": "<mask>"}


@dataclass
class FamilyCase:
    """One package. `config` is config.json as it is written, but for model_type, architectures and vocab_size."""

    family: str  # folder under goldens/
    name: str
    about: str
    model_type: str
    architecture: str
    config: dict
    layers: str = "num_hidden_layers"  # the key that counts them
    first_layer: dict = field(default_factory=dict)  # what else must change for a model of one layer
    shows: dict = field(default_factory=dict)  # key: another value, which must change the vectors
    tokens: dict = field(default_factory=lambda: BERT_TOKENS)  # in the order of their ids
    tokenizer: str = ""  # "qwen2" in the place of WordPiece
    st_config: dict = field(default_factory=dict)  # of config_sentence_transformers.json, where there is one
    padded: bool = False  # the library gives the same to all texts in one batch, whichever side is padded
    prompts: tuple = ()  # more items: name of a prompt, text
    roles: tuple = ()  # and more: role, text
    cut: int | None = None  # also vectors of so many numbers, normalised again
    template: tuple = ()  # of the tokenizer, for one text and for two, where it is no encoder's
    prefix: str | None = None  # of the encoder's tensors, when not the architecture's own
    fused: tuple = ()  # (name, names): tensors whose rows are stored as one, in this order
    renames: tuple = ()  # (from, to) in tensor names, applied in order
    singly: bool = False  # each expert's products as tensors of their own
    storage: tuple = ("F32",)  # tensors take these in turn
    shards: int = 1
    without: tuple = ()  # starts of tensor names that are left out
    more_tensors: dict = field(default_factory=dict)  # name: shape
    spread: dict = field(default_factory=dict)  # part of a tensor name: standard deviation
    means: dict = field(default_factory=dict)  # part of a tensor name: mean
    modules: list = field(default_factory=lambda: ["Pooling", "Normalize"])
    new_types: bool = True
    pooling: dict = field(default_factory=lambda: {"pooling_mode": "mean"})
    module_storage: str = "F32"
    max_seq_length: int | None = 32
    spare_rows: int = 0  # rows of the word table that no token has
    texts: tuple = ()  # beside the common ones
    tokenizer_config: dict = field(default_factory=dict)
    width_key: str = "hidden_size"
    hidden: tuple = (2, 4)  # items whose rows are kept
    stand_in: str = ""  # model type of a straight-line class that computes it, where transformers has none
    bare: bool = False  # of that class only the encoder's tensors, though the architecture has a head
    agrees: str = ""  # one that must agree with transformers' class on it
    encoder_module: str = ""  # class of the first module, where it is the package's own
    adapters: tuple = ()  # texts run with these in turn; None is without

    @property
    def seed(self) -> int:
        return zlib.crc32(f"{self.family}/{self.name}".encode())

    @property
    def width(self) -> int:
        return self.config[self.width_key]


def word_piece(case: FamilyCase):
    t = case.tokens
    vocab = vocabulary(t.values())
    tok = tokenizers.Tokenizer(models.WordPiece(vocab, unk_token=t["unk"], max_input_chars_per_word=100))
    tok.normalizer = normalizers.BertNormalizer(
        clean_text=True, handle_chinese_chars=True, strip_accents=None, lowercase=True
    )
    tok.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tok.decoder = decoders.WordPiece(prefix="##")
    return tok


QWEN_MERGED = 280  # entries before the special tokens, which come last as in published files


def qwen2(case: FamilyCase):
    """What the library's Qwen2Tokenizer makes again of vocabulary and merges, written out."""
    tok = tokenizers.Tokenizer(models.BPE())
    tok.normalizer = normalizers.NFC()
    tok.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(tokenizers.Regex(PRETOKENIZE_REGEX), behavior="isolated", invert=False),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )
    tok.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(vocab_size=QWEN_MERGED, initial_alphabet=alphabet, show_progress=False)
    tok.train_from_iterator([w for w in WORDS if not w.startswith("##")] * 3 + [LONG], trainer)
    return tok


def token_ids(case: FamilyCase) -> dict:
    """Of the special tokens."""
    special = dict.fromkeys(case.tokens.values())
    if case.tokenizer == "qwen2":
        return {t: QWEN_MERGED + i for i, t in enumerate(special)}
    vocab = vocabulary(case.tokens.values())
    return {t: vocab[t] for t in special}


def write_tokenizer(case: FamilyCase, folder: Path):
    t = case.tokens
    vocab = token_ids(case)
    tok = qwen2(case) if case.tokenizer == "qwen2" else word_piece(case)
    tok.add_special_tokens(list(vocab))
    assert all(tok.token_to_id(token) == i for token, i in vocab.items())
    ends = {side: (t[side], vocab[t[side]]) for side in ("cls", "sep") if side in t}
    if case.template:
        single, pair = case.template
        used = [(token, vocab[token]) for token in t.values() if token in (single + " " + pair).split()]
        tok.post_processor = processors.TemplateProcessing(single=single, pair=pair, special_tokens=used)
    elif t["cls"] == "<s>":
        tok.post_processor = processors.RobertaProcessing(ends["sep"], ends["cls"], trim_offsets=False)
    else:
        tok.post_processor = processors.BertProcessing(ends["sep"], ends["cls"])
    (folder / "tokenizer.json").write_text(tok.to_str(), encoding="utf-8")
    config = {
        "tokenizer_class": "PreTrainedTokenizerFast",
        "model_max_length": 10**30,
        **{f"{role}_token": text for role, text in t.items()},
        **case.tokenizer_config,
    }
    write_json(folder / "tokenizer_config.json", config)


def config_of(case: FamilyCase) -> dict:
    words = QWEN_MERGED if case.tokenizer == "qwen2" else len(vocabulary(case.tokens.values())) - len(token_ids(case))
    rows = words + len(token_ids(case)) + case.spare_rows
    return {
        "architectures": [case.architecture],
        "model_type": case.model_type,
        "vocab_size": rows,
        **case.config,
    }


def class_of(architecture: str):
    return new_model.CLASSES.get(architecture) or getattr(transformers, architecture)


def fuse(tensors: dict, fused) -> dict:
    """Rows of several tensors under one name, at the place of the first."""
    out = {}
    for name, values in tensors.items():
        parts = name.split(".")
        for whole, names in fused:
            at = next((i for i, part in enumerate(parts) if part in names), None)
            if at is not None:
                pieces = [tensors[".".join([*parts[:at], n, *parts[at + 1 :]])] for n in names]
                name, values = ".".join([*parts[:at], whole, *parts[at + 1 :]]), np.concatenate(pieces)
                break
        out.setdefault(name, values)
    return out


def singly(tensors: dict) -> dict:
    """A matrix for each expert and product in the place of those that the class has stacked."""
    out = {}
    for name, values in tensors.items():
        start, _, product = name.rpartition(".experts.")
        pieces = {"gate_up_proj": ("gate_proj", "up_proj"), "down_proj": ("down_proj",)}.get(product)
        if not start or not pieces:
            out[name] = values
            continue
        for i, expert in enumerate(values):
            for piece, rows in zip(pieces, np.split(expert, len(pieces))):
                out[f"{start}.experts.{i}.{piece}.weight"] = rows
    return out


# Keys for a package's own code, which the library takes for its own: other classes, other ways to attend.
OF_OWN_CODE = ("auto_map", "attn_implementation")

# Of configuration classes, the ones that are registered here among them.
HEADS = {
    "ForSequenceClassification": transformers.MODEL_FOR_SEQUENCE_CLASSIFICATION_MAPPING,
    "ForTokenClassification": transformers.MODEL_FOR_TOKEN_CLASSIFICATION_MAPPING,
    "ForMaskedLM": transformers.MODEL_FOR_MASKED_LM_MAPPING,
    "ForPreTraining": transformers.MODEL_FOR_MASKED_LM_MAPPING,
}


def tensors_of(case: FamilyCase, config: dict) -> dict:
    """Every tensor of the class, tied ones once, under the names that the case gives them."""
    known = {k: v for k, v in config.items() if k not in ("architectures", "model_type", *OF_OWN_CODE)}
    with torch.device("meta"):
        straight = case.stand_in or case.agrees  # either has the tensors' published names
        wanted = transformers.AutoConfig.for_model(straight or case.model_type, **known)
        heads = next((classes for end, classes in HEADS.items() if case.architecture.endswith(end)), {})
        if straight and type(wanted) in heads and not case.bare:
            model = heads[type(wanted)](wanted)
        elif straight:
            model = transformers.AutoModel.from_config(wanted)
        else:
            model = class_of(case.architecture)(wanted)
    tables = {f"{n}.weight" for n, m in model.named_modules() if isinstance(m, torch.nn.Embedding)}
    tied = set(getattr(model, "all_tied_weights_keys", None) or ())
    rng = np.random.Generator(np.random.PCG64(case.seed))
    out = {}
    for name, tensor in model.state_dict().items():
        shape = tuple(tensor.shape)
        if len(shape) == 1 and name.endswith("weight"):
            mean, scale = 1.0, 0.2
        elif len(shape) == 1:
            mean, scale = 0.0, 0.2
        elif name in tables:
            mean, scale = 0.0, 1.0 if shape[0] == config["vocab_size"] else 0.5
        else:
            mean, scale = 0.0, 1.2 / float(np.prod(shape[1:])) ** 0.5
        scale = next((s for part, s in case.spread.items() if part in name), scale)
        mean = next((m for part, m in case.means.items() if part in name), mean)
        values = (mean + scale * rng.standard_normal(shape)).astype(np.float32)
        if name in tied or any(name.startswith(w) for w in case.without):
            continue
        out[name] = values
    for name, shape in case.more_tensors.items():
        out[name] = (0.2 * rng.standard_normal(shape)).astype(np.float32)
    out = fuse(out, case.fused)
    out = singly(out) if case.singly else out
    base = model.base_model_prefix + "."
    named = {}
    for i, (name, values) in enumerate(out.items()):
        if case.prefix is not None and (name.startswith(base) or case.stand_in or case.architecture.endswith("Model")):
            name = case.prefix + name.removeprefix(base)
        for old, new in case.renames:
            name = name.replace(old, new)
        named[name] = torch.from_numpy(values).to(DTYPES[case.storage[i % len(case.storage)]])
    return named


def write_package(case: FamilyCase, folder: Path):
    folder.mkdir(parents=True)
    config = config_of(case)
    write_json(folder / "config.json", config)
    save_tensors(folder, tensors_of(case, config), case.shards)
    write_tokenizer(case, folder)
    write_json(folder / "sentence_bert_config.json", {"max_seq_length": case.max_seq_length} if case.max_seq_length else {})
    if case.st_config:
        write_json(folder / "config_sentence_transformers.json", case.st_config)
    rng = np.random.Generator(np.random.PCG64(case.seed + 1))
    rows = [("", "Transformer")]
    for i, module in enumerate(case.modules, 1):
        kind = kind_of(module)
        write_module(case, folder / f"{i}_{kind}", module, rng)
        rows.append((f"{i}_{kind}", kind))
    write_json(
        folder / "modules.json",
        [
            {
                "idx": i,
                "name": str(i),
                "path": path,
                "type": case.encoder_module
                if case.encoder_module and i == 0
                else NEW[kind]
                if case.new_types
                else OLD + kind,
            }
            for i, (path, kind) in enumerate(rows)
        ],
    )


def read_as(package: Path, model_type: str) -> Path:
    """The package as a class of another type reads it."""
    other = package.with_name("as_" + model_type)
    shutil.copytree(package, other)
    file = other / "config.json"
    config = json.loads(file.read_text(encoding="utf-8"))
    config = {k: v for k, v in config.items() if k not in OF_OWN_CODE}
    file.write_text(json.dumps({**config, "model_type": model_type}), encoding="utf-8")
    file = other / "modules.json"
    if file.exists():
        modules = json.loads(file.read_text(encoding="utf-8"))
        file.write_text(json.dumps([{**modules[0], "type": NEW["Transformer"]}, *modules[1:]]), encoding="utf-8")
    return other
