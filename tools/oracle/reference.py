"""Runs the reference library on a package: token ids, its own f32 vectors, and the same in double.

Double means every floating number in between: casts to float32 that a class makes on its way (norms, softmax,
rotations) are left out, and a dispatch mode refuses any operation that makes something narrower of a double all the
same, so that none can go unseen. One exception: the angles of rotary positions and their cosines are float32 in every class whatever the
model's type, and part of what it computes. Ids are taken twice, through sentence-transformers and through
the tokenizers library with only the keys that tokenizer_config.json states, and must be equal."""

import base64
import json
import logging
import platform
import shutil
import tempfile
from pathlib import Path

import numpy as np
import sentence_transformers
import tokenizers
from tokenizers import BertWordPieceTokenizer
import torch
import transformers
from sentence_transformers import SentenceTransformer
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_iter

import routers

transformers.utils.logging.disable_progress_bar()
transformers.utils.logging.set_verbosity_error()
logging.getLogger("sentence_transformers").setLevel(logging.ERROR)
torch.set_num_threads(1)


rotating = 0  # depth of calls of rotary modules


class WithoutCasts(TorchFunctionMode):
    """Casts of double values to float32 do nothing."""

    def __torch_function__(self, func, types, args=(), kwargs=None):
        kwargs = dict(kwargs or {})
        if rotating or not args or getattr(args[0], "dtype", None) != torch.float64:
            return func(*args, **kwargs)
        if func is torch.Tensor.float:
            return args[0]
        if func is torch.Tensor.to:
            args = (args[0], *(torch.float64 if a == torch.float32 else a for a in args[1:]))
        if kwargs.get("dtype") == torch.float32:
            kwargs["dtype"] = torch.float64
        return func(*args, **kwargs)


class OnlyDouble(TorchDispatchMode):
    def __enter__(self):
        self.casts = WithoutCasts()
        self.casts.__enter__()
        return super().__enter__()

    def __exit__(self, *error):
        super().__exit__(*error)
        self.casts.__exit__(*error)

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        out = func(*args, **(kwargs or {}))
        inputs = [v for v in tree_iter((args, kwargs)) if isinstance(v, torch.Tensor)]
        if rotating or not any(v.dtype == torch.float64 for v in inputs):
            return out
        for value in tree_iter(out):
            if isinstance(value, torch.Tensor) and value.is_floating_point() and value.dtype != torch.float64:
                raise AssertionError(f"{func} gives {value.dtype} inside the double run")
        return out


def turn(by: int) -> None:
    global rotating
    rotating += by


def forget_lengths(model):
    """A rotary class of type "dynamic" turns a text by the frequencies of a longer one that came before it. Here each
    text is the first."""
    for module in model.modules():
        if getattr(module, "rope_type", None) == "dynamic":

            def begin(module, *_):
                module.max_seq_len_cached = module.original_max_seq_len
                module.inv_freq = module.original_inv_freq.clone()

            module.register_forward_pre_hook(begin)
    return model


def load(folder: Path, double=False, overrides=None) -> SentenceTransformer:
    """f32 whatever the file stores: 16-bit weights are widened, which is exact. The double run uses the plain
    attention. `overrides` are keys of config.json that read otherwise than the file says, or not at all (None)."""
    if overrides:
        with tempfile.TemporaryDirectory() as other:
            shutil.copytree(folder, other, dirs_exist_ok=True)
            file = Path(other) / "config.json"
            config = {**json.loads(file.read_text(encoding="utf-8")), **overrides}
            file.write_text(json.dumps({k: v for k, v in config.items() if v is not None}), encoding="utf-8")
            return load(Path(other), double)
    kwargs = {"dtype": torch.float32, **({"attn_implementation": "eager"} if double else {})}
    model = SentenceTransformer(
        str(folder),
        device="cpu",
        local_files_only=True,
        model_kwargs=kwargs,
    ).eval()
    routers.one_by_one(forget_lengths(model))
    return widened(model) if double else model


def widened(model):
    """In double, but for the angles of rotary positions."""
    routers.watch(routers.one_by_one(model))
    for module in model.modules():
        if "RotaryEmbedding" in type(module).__name__:
            module.register_forward_pre_hook(lambda *_: turn(1))
            module.register_forward_hook(lambda *_: turn(-1))
    return model.double()


def encoder_folder(package: Path) -> Path:
    """The folder that has an encoder's config.json, tokenizer and weights."""
    if (package / "tokenizer_config.json").exists():
        return package
    (config,) = [c for c in package.glob("*/config.json") if "model_type" in json.loads(c.read_text(encoding="utf-8"))]
    return config.parent


def stated_tokenizer(folder: Path, max_length: int) -> tokenizers.Tokenizer:
    """tokenizer.json, changed only by what tokenizer_config.json and sentence_bert_config.json state; or, without one,
    BERT's parts over vocab.txt."""
    folder = encoder_folder(folder)
    if (folder / "tokenizer.json").exists():
        file = json.loads((folder / "tokenizer.json").read_text(encoding="utf-8"))
    else:
        file = json.loads(BertWordPieceTokenizer(str(folder / "vocab.txt")).to_str())
    config = json.loads((folder / "tokenizer_config.json").read_text(encoding="utf-8"))
    normalizer = file["normalizer"]
    if config.get("tokenizer_class") in ("BertTokenizer", "BertTokenizerFast"):
        names = {
            "do_lower_case": "lowercase",
            "strip_accents": "strip_accents",
            "tokenize_chinese_chars": "handle_chinese_chars",
        }
        normalizer.update({mine: config[theirs] for theirs, mine in names.items() if theirs in config})
    for st in folder.glob("sentence_*_config.json"):
        if json.loads(st.read_text()).get("do_lower_case"):
            file["normalizer"] = {"type": "Sequence", "normalizers": [{"type": "Lowercase"}, normalizer]}
    tok = tokenizers.Tokenizer.from_str(json.dumps(file))
    tok.no_padding()
    tok.enable_truncation(max_length, direction=config.get("truncation_side", "right"))
    return tok


def choose_adapter(model, item):
    """Of the straight-line classes that have some."""
    for module in model.modules():
        if hasattr(module, "adapter"):
            module.adapter = item.get("adapter")


def encode(model, item, **kwargs) -> np.ndarray:
    """One text at a time: no padding anywhere."""
    choose_adapter(model, item)
    if "role" in item:
        return {"query": model.encode_query, "document": model.encode_document}[item["role"]]([item["text"]], **kwargs)[0]
    return model.encode(
        [item["text"]], prompt_name=item.get("prompt_name"), prompt=item.get("prompt"), **kwargs
    )[0]


def features_of(model, item):
    # The library has a prompt of each role's name, if an empty one.
    prompt = model._resolve_prompt(item.get("prompt"), item.get("role") or item.get("prompt_name"))
    return (prompt or "") + item["text"], model.preprocess([item["text"]], prompt=prompt)


def array(values, dtype) -> dict:
    values = np.asarray(values)
    data = np.ascontiguousarray(values.astype({"f32": "<f4", "f64": "<f8"}[dtype]))
    return {
        "dtype": dtype,
        "shape": list(data.shape),
        "base64": base64.b64encode(data.tobytes()).decode("ascii"),
    }


def values_of(stored: dict) -> np.ndarray:
    """What `array` has written."""
    data = np.frombuffer(base64.b64decode(stored["base64"]), {"f32": "<f4", "f64": "<f8"}[stored["dtype"]])
    return data.reshape(stored["shape"])


def distance(got, want) -> float:
    """Relative L2 over all rows."""
    got, want = np.asarray(got, np.float64), np.asarray(want, np.float64)
    return float(np.linalg.norm(got - want) / np.linalg.norm(want))


def versions() -> dict:
    return {
        "torch": torch.__version__,
        "transformers": transformers.__version__,
        "sentence_transformers": sentence_transformers.__version__,
        "tokenizers": tokenizers.__version__,
        "python": platform.python_version(),
    }


def hidden_rows(single, double, item):
    """Rows behind the encoder, in double, and the distance of the library's own f32 run from them."""
    _, features = features_of(single, item)
    for model in (single, double):
        choose_adapter(model, item)
    with torch.inference_mode(), OnlyDouble():
        rows = double[0](dict(features))["token_embeddings"][0].numpy()
    with torch.inference_mode():
        return rows, distance(single[0](dict(features))["token_embeddings"][0].numpy(), rows)


def first_layer(folder: Path, items, chosen, overrides) -> list:
    """Hidden rows of the chosen items from the model cut down to its first layer: where a difference begins."""
    single, double = load(folder, overrides=overrides), load(folder, double=True, overrides=overrides)
    out = []
    for i in chosen:
        rows, delta = hidden_rows(single, double, items[i])
        out.append({"item": i, "rows": array(rows, "f64"), "delta": delta})
    return out


def golden(folder: Path, items, hidden_items=(), cut=None, similarity=True) -> dict:
    """What a golden.json says about a package, except the case's own names. Fields: goldens/README.md."""
    single, double = load(folder), load(folder, double=True)
    limit = single.max_seq_length
    tok, untruncated = stated_tokenizer(folder, limit), stated_tokenizer(folder, limit)
    untruncated.no_truncation()
    hidden = []
    for i, item in enumerate(items):
        text, features = features_of(single, item)
        item["ids"] = features["input_ids"][0].tolist()
        # A tokenizer class without token types leaves them out; the model then takes zeros.
        types = features.get("token_type_ids")
        item["type_ids"] = [0] * len(item["ids"]) if types is None else types[0].tolist()
        item["tokens_before_truncation"] = len(untruncated.encode(text).ids)
        stated = tok.encode(text)
        if (stated.ids, stated.type_ids) != (item["ids"], item["type_ids"]):
            raise AssertionError(f"{folder}: ids differ from the stated tokenizer for {text[:60]!r}")
        if i in hidden_items:
            rows, delta = hidden_rows(single, double, item)
            hidden.append({"item": i, "rows": array(rows, "f64"), "delta": delta})

    def pair(**kwargs):
        f32 = np.stack([encode(single, item, **kwargs) for item in items])
        with OnlyDouble():
            f64 = np.stack([encode(double, item, **kwargs) for item in items])
        assert f32.dtype == np.float32 and f64.dtype == np.float64
        assert np.isfinite(f64).all(), f"{folder}: not finite"
        return f32, f64

    f32, f64 = pair()
    out = {
        "max_length": limit,
        "dimension": int(f64.shape[1]),
        "items": items,
        "embeddings_f32": array(f32, "f32"),
        "embeddings_f64": array(f64, "f64"),
        "delta": distance(f32, f64),
    }
    if hidden:
        out["hidden"] = hidden
    out["similarity"] = {"function": double.similarity_fn_name}
    if similarity:
        matrix = double.similarity(torch.from_numpy(f64), torch.from_numpy(f64))
        assert matrix.dtype == torch.float64
        out["similarity"]["matrix"] = array(matrix.numpy(), "f64")
    if cut:
        f32, f64 = pair(truncate_dim=cut, normalize_embeddings=True)
        out["cut"] = {
            "dimensions": cut,
            "embeddings_f32": array(f32, "f32"),
            "embeddings_f64": array(f64, "f64"),
            "delta": distance(f32, f64),
        }
    return out
