"""BGE-M3's sparse and multi-vector heads as FlagEmbedding computes them, whose library is not part of the oracle.

Written from FlagOpen/FlagEmbedding: finetune/embedder/encoder_only/m3/modeling.py (_sparse_embedding, _colbert_embedding)
and inference/embedder/encoder_only/m3.py (_process_token_weights, colbert_score, compute_lexical_matching_score), straight
down and for one text at a time, over transformers' own class of the encoder. The two linears are read from the safetensors
files that stand in for its pickles. Classes for make_sparse_goldens.py and make_multi_vector_goldens.py, in the words that
those ask the library's classes in."""

import json
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from safetensors.torch import load_file, save_file
from transformers import AutoModel, AutoTokenizer

SPARSE, COLBERT = "sparse_linear", "colbert_linear"


def write_heads(package: Path, width: int, size: int, seed: int):
    """The two linears of a package, as its owner converts them: torch's state dicts."""
    rng = np.random.Generator(np.random.PCG64(seed))
    for name, rows, shift in ((SPARSE, 1, 1.2), (COLBERT, size, 0.0)):
        tensors = {
            "weight": 1.5 / width**0.5 * rng.standard_normal((rows, width)),
            "bias": shift + 0.3 * rng.standard_normal(rows),
        }
        save_file({k: torch.from_numpy(v.astype(np.float32)) for k, v in tensors.items()}, package / f"{name}.safetensors")


class M3(torch.nn.Module):
    def __init__(self, package: Path, head: str, double: bool):
        super().__init__()
        attention = {"attn_implementation": "eager"} if double else {}
        self.encoder = AutoModel.from_pretrained(package, dtype=torch.float32, **attention)
        tensors = load_file(package / f"{head}.safetensors")
        self.head = torch.nn.Linear(tensors["weight"].shape[1], tensors["weight"].shape[0])
        self.head.load_state_dict(tensors)
        self.tokenizer = AutoTokenizer.from_pretrained(package)
        self.max_seq_length = json.loads((package / "sentence_bert_config.json").read_text())["max_seq_length"]
        self.prompts = {}
        self.eval()

    def preprocess(self, texts, prompt=None, task=None):
        assert not prompt and task is None, "it has no prompts and no sides"
        return self.tokenizer(texts, truncation=True, max_length=self.max_seq_length, return_tensors="pt")

    def rows(self, text):
        features = self.preprocess([text])
        with torch.inference_mode():
            return features["input_ids"][0], self.encoder(**features).last_hidden_state[0]


class Sparse(M3):
    """Each token's weight is relu(w x + b); a word's is the largest of its tokens', and special words have none."""

    similarity_fn_name = "dot"  # compute_lexical_matching_score: the sum over the words of both

    def __init__(self, package, double):
        super().__init__(package, SPARSE, double)

    def encode(self, texts, convert_to_sparse_tensor=False):
        ids, hidden = self.rows(texts[0])
        with torch.inference_mode():
            weights = torch.relu(self.head(hidden)).squeeze(-1)
        out = torch.zeros(self.encoder.config.vocab_size, dtype=weights.dtype)
        unused = {getattr(self.tokenizer, f"{t}_token_id") for t in ("cls", "eos", "pad", "unk")}
        assert None not in unused
        for i, weight in zip(ids.tolist(), weights):
            if i not in unused and weight > out[i]:
                out[i] = weight
        return out[None]

    def similarity(self, one, many):
        return one @ many.T


class Colbert(M3):
    """The linear of every row but the first, of unit length."""

    similarity_fn_name = "meanmaxsim"  # colbert_score

    def __init__(self, package, double):
        super().__init__(package, COLBERT, double)

    def encode(self, texts):
        _, hidden = self.rows(texts[0])
        with torch.inference_mode():
            return [F.normalize(self.head(hidden[1:]), dim=-1)]

    def similarity(self, queries, documents):
        with torch.inference_mode():
            return torch.stack([torch.stack([(q @ d.T).max(-1).values.sum() / len(q) for d in documents]) for q in queries])
