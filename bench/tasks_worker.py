#!/usr/bin/env python3
"""One run of a Python peer on a task beside embedding, for tasks.py; prints one JSON line.

    tasks_worker.py PEER TASK sweep|run [--threads N] [--streams N] [--batch N,...] [--texts N] [--seconds S] [--output F]

rerank: the query with each text, by a cross-encoder; a logit each. sparse: a SPLADE vector of each text. Both tokenization
included; sweep: seconds for each batch; run: a warm-up, then passes for S seconds, at least 3, median; rows to F (.npy)."""

import argparse
import json
from concurrent.futures import ThreadPoolExecutor

import numpy as np

import common
from worker import OnnxRuntime, OpenVino, timed

PACKAGES = {"rerank": "cross-encoder", "sparse": "splade"}


def inputs(task, texts):
    return [(common.QUERY, text) for text in texts] if task == "rerank" else texts


class SentenceTransformers:
    def __init__(self, task, threads, streams):
        import sentence_transformers
        import torch

        torch.set_num_threads(threads)
        self.torch, self.library, self.task = torch, sentence_transformers, task
        kind = sentence_transformers.CrossEncoder if task == "rerank" else sentence_transformers.SparseEncoder
        folder = str(common.package(PACKAGES[task]))
        self.model = kind(folder, device="cpu", model_kwargs={"dtype": torch.float32})

    def answer(self, texts, batch):
        if self.task == "rerank":
            identity = self.torch.nn.Identity()
            rows = self.model.predict(inputs("rerank", texts), batch_size=batch, activation_fn=identity,
                                      show_progress_bar=False)  # fmt: skip
            return np.asarray(rows, np.float32)[:, None]
        return self.model.encode_document(texts, batch_size=batch, show_progress_bar=False)

    def rows(self, answer):
        return answer.to_dense().numpy() if self.task == "sparse" else answer

    def about(self):
        return f"sentence-transformers {self.library.__version__}, torch {self.torch.__version__}"


class Graph:
    """Sorts by length, pads per batch, and runs `streams` batches at once: for peers that bring only the graph, whose output
    is already one row a text. `base` is the class of worker.py that opens and runs it."""

    def __init__(self, task, base, threads, streams):
        self.task, self.base = task, base(PACKAGES[task], threads, streams)
        self.pool = ThreadPoolExecutor(streams) if streams > 1 else None

    def answer(self, texts, batch):
        encoded = self.base.tokenizer.encode_batch(inputs(self.task, texts))
        order = sorted(range(len(encoded)), key=lambda i: -len(encoded[i].ids))
        batches = [order[k : k + batch] for k in range(0, len(order), batch)]
        rows = [None] * len(texts)

        def run(members):
            shape = len(members), max(len(encoded[i].ids) for i in members)
            ids, mask, types = (np.zeros(shape, np.int64) for _ in range(3))
            for row, i in enumerate(members):
                count = len(encoded[i].ids)
                ids[row, :count], mask[row, :count], types[row, :count] = encoded[i].ids, 1, encoded[i].type_ids
            for i, row in zip(members, self.base.forward(ids, mask, types)):
                rows[i] = row if self.task == "rerank" else self.kept(row)

        list(self.pool.map(run, batches) if self.pool else map(run, batches))
        return rows

    def kept(self, row):
        where = np.flatnonzero(row)
        return where, row[where]

    def rows(self, answer):
        if self.task == "rerank":
            return np.stack(answer)
        rows = np.zeros((len(answer), 30522), np.float32)
        for row, (where, values) in zip(rows, answer):
            row[where] = values
        return rows

    def about(self):
        return self.base.about()["version"]


class Onnx(OnnxRuntime):
    def forward(self, ids, mask, types):
        values = {"input_ids": ids, "attention_mask": mask, "token_type_ids": types}
        feed = {n: values[n].astype(np.int32 if "int32" in kind else np.int64) for n, kind in self.inputs.items()}
        return self.session.run(self.output, feed)[0]


class OnnxPlain(Onnx):
    graph = "plain"


class OpenVinoTask(OpenVino):
    def forward(self, ids, mask, types):
        request = self.requests.get()
        try:
            feed = {"input_ids": ids, "attention_mask": mask, "token_type_ids": types}
            return np.array(next(iter(request.infer(feed, share_inputs=True).values())))
        finally:
            self.requests.put(request)


PEERS = {
    "sentence-transformers": SentenceTransformers,
    "onnxruntime-plain": lambda *a: Graph(a[0], OnnxPlain, *a[1:]),
    "onnxruntime-fused": lambda *a: Graph(a[0], Onnx, *a[1:]),
    "openvino": lambda *a: Graph(a[0], OpenVinoTask, *a[1:]),
}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("peer", choices=PEERS)
    parser.add_argument("task", choices=PACKAGES)
    parser.add_argument("scenario", choices=("sweep", "run"))
    for name, value in (("threads", 1), ("streams", 1), ("texts", 100)):
        parser.add_argument(f"--{name}", type=int, default=value)
    parser.add_argument("--batch", type=lambda s: [int(n) for n in s.split(",")], default=[32])
    parser.add_argument("--seconds", type=float, default=3)
    parser.add_argument("--output")
    args = parser.parse_args()
    peer, texts = PEERS[args.peer](args.task, args.threads, args.streams), common.texts(args.texts)
    answer = peer.answer(texts, args.batch[0])
    if args.scenario == "sweep":
        seconds = {batch: min(timed(lambda: peer.answer(texts, batch), 0, 2)) for batch in args.batch}
        print(json.dumps({"seconds": seconds}), flush=True)
        return
    if args.output:
        np.save(args.output, peer.rows(answer))
    median = float(np.median(timed(lambda: peer.answer(texts, args.batch[0]), args.seconds, 3)))
    print(json.dumps({"texts_per_s": len(texts) / median, "version": peer.about()}), flush=True)


if __name__ == "__main__":
    main()
