"""What the references say of a static table. A package of sentence-transformers is run by its StaticEmbedding, one
without modules.json by model2vec. Both give vectors without hidden rows; the rows kept here are those that the class
looks up, after its own folding. There are no layers, so none is first."""

import copy
import shutil
import tempfile
from pathlib import Path

import numpy as np
import torch
from safetensors.torch import load_file, save_file

from reference import OnlyDouble, array, distance, encode, load


def load_wide(folder: Path, double: bool):
    """With tables of halves widened in the file: the library takes no type for them, and rounds every module behind
    to the table's."""
    with tempfile.TemporaryDirectory() as other:
        shutil.copytree(folder, other, dirs_exist_ok=True)
        for name in ("model.safetensors", "0_StaticEmbedding/model.safetensors"):
            file = Path(other) / name
            if file.exists():
                tensors = load_file(file)
                halves = (torch.float16, torch.bfloat16)
                save_file({k: v.float() if v.dtype in halves else v for k, v in tensors.items()}, file)
        return load(Path(other), double=double)


class Module:
    """sentence-transformers."""

    def __init__(self, folder: Path, double: bool):
        self.model = load_wide(folder, double)
        self.table = self.model[0].embedding.weight.detach()
        self.tokenizer = self.model[0].tokenizer
        self.double = double

    def text(self, item) -> str:
        prompt = self.model._resolve_prompt(item.get("prompt"), item.get("prompt_name"))
        return (prompt or "") + item["text"]

    def limit(self) -> int:
        return (self.tokenizer.truncation or {"max_length": 0})["max_length"]

    def ids(self, item) -> list:
        prompt = self.model._resolve_prompt(item.get("prompt"), item.get("prompt_name"))
        return self.model.preprocess([item["text"]], prompt=prompt)["input_ids"].tolist()

    def rows(self, ids) -> np.ndarray:
        return self.table[torch.tensor(ids, dtype=torch.long)].numpy()

    def vector(self, item, **kwargs) -> np.ndarray:
        if not self.double:
            return encode(self.model, item, **kwargs)
        with OnlyDouble():
            return encode(self.model, item, **kwargs)

    def similarity(self) -> str:
        return self.model.similarity_fn_name


class Model2Vec:
    """model2vec, whose own f32 normalisation is done in double here for the double run."""

    def __init__(self, folder: Path, double: bool):
        from model2vec import StaticModel

        self.model = StaticModel.from_pretrained(folder)
        self.tokenizer = self.model.tokenizer
        self.double = double
        wide = np.float64 if double else np.float32
        self.model.embedding = self.model.embedding.astype(wide)
        if self.model.weights is not None:
            self.model.weights = self.model.weights.astype(wide)

    def text(self, item) -> str:
        return item["text"]

    def limit(self) -> int:
        return self.model.max_length or 0

    def ids(self, item) -> list:
        most = self.model.max_length
        text = item["text"] if most is None else item["text"][: most * self.model.median_token_length]
        return self.model.tokenize([text])[0]

    def rows(self, ids) -> np.ndarray:
        return self.model._encode_helper(ids)

    def vector(self, item) -> np.ndarray:
        if not self.double:
            return self.model.encode([item["text"]])[0]
        out = self.model.encode([item["text"]], normalize=False)[0]
        return out / (np.linalg.norm(out) + 1e-32) if self.model.normalize else out

    def similarity(self) -> str:
        return "cosine"


def before_cut(run, text: str, kept: list) -> int:
    """Tokens of the whole text; what is left out of the kept ones is no loss of the cut."""
    whole = copy.deepcopy(run.tokenizer)
    whole.no_truncation()
    unknown = getattr(run.model, "unk_token_id", None)
    ids = whole.encode(text, add_special_tokens=False).ids
    if unknown is None:
        return len(ids)
    seen = run.model.max_length and text[: run.model.max_length * run.model.median_token_length]
    first = run.tokenizer.encode(text if seen is None else seen, add_special_tokens=False).ids
    assert len(first) < len(ids) or seen is None or seen == text, f"no token is lost by the cut of {text[:40]!r}"
    return len(ids) - first.count(unknown)


def static_golden(case, folder: Path, items) -> dict:
    of = Model2Vec if case.model2vec else Module
    single, double = of(folder, False), of(folder, True)
    hidden = []
    for i, item in enumerate(items):
        item["ids"] = single.ids(item)
        item["type_ids"] = [0] * len(item["ids"])
        item["tokens_before_truncation"] = before_cut(single, single.text(item), item["ids"])
        if i in case.hidden:
            rows = double.rows(item["ids"])
            assert rows.dtype == np.float64
            hidden.append({"item": i, "rows": array(rows, "f64"), "delta": distance(single.rows(item["ids"]), rows)})

    def pair(**kwargs):
        f32 = np.stack([single.vector(item, **kwargs) for item in items])
        f64 = np.stack([double.vector(item, **kwargs) for item in items])
        assert f32.dtype == np.float32 and f64.dtype == np.float64 and np.isfinite(f64).all()
        return f64, distance(f32, f64)

    f64, delta = pair()
    out = {
        "max_length": single.limit(),
        "dimension": int(f64.shape[1]),
        "items": items,
        "embeddings_f64": array(f64, "f64"),
        "delta": delta,
        "hidden": hidden,
        "similarity": {"function": single.similarity()},
    }
    if case.cut:
        f64, delta = pair(truncate_dim=case.cut, normalize_embeddings=True)
        out["cut"] = {"dimensions": case.cut, "embeddings_f64": array(f64, "f64"), "delta": delta}
    return out
