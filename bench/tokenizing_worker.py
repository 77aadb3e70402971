#!/usr/bin/env python3
"""One measurement of the reference library for tokenizing.py, with the arguments and the answer of tokenizing_bench.

    tokenizing_worker.py speed FOLDER TEXTS THREADS SECONDS
    tokenizing_worker.py load FOLDER

Its fastest call is measured: encode_batch_fast over all texts at once, which gives no offsets. Threads are set
before the library starts: one is TOKENIZERS_PARALLELISM=false, more are RAYON_NUM_THREADS."""

import array
import hashlib
import json
import os
import statistics
import sys
import time


def load(folder):
    from tokenizers import Tokenizer

    begin, used = time.perf_counter(), time.process_time()
    tokenizer = Tokenizer.from_file(os.path.join(folder, "tokenizer.json"))
    return tokenizer, {"seconds": time.perf_counter() - begin, "processor_s": time.process_time() - used}


def speed(folder, texts, threads, seconds):
    os.environ["TOKENIZERS_PARALLELISM"] = "false" if threads == 1 else "true"
    os.environ["RAYON_NUM_THREADS"] = str(threads)
    tokenizer, _ = load(folder)
    tokenizer.no_truncation()
    tokenizer.no_padding()
    with open(texts, encoding="utf-8") as file:
        texts = [json.loads(line) for line in file]
    ids = [encoding.ids for encoding in tokenizer.encode_batch_fast(texts)]
    passes, begin, used = [], time.perf_counter(), time.process_time()
    while len(passes) < 3 or time.perf_counter() - begin < seconds:
        start = time.perf_counter()
        tokenizer.encode_batch_fast(texts)
        passes.append(time.perf_counter() - start)
    used = time.process_time() - used
    digest = hashlib.sha256()
    for some in ids:
        digest.update(array.array("i", some).tobytes())
    return {"seconds": statistics.median(passes), "processor_s": used / len(passes), "texts": len(texts),
            "bytes": sum(len(t.encode()) for t in texts), "tokens": sum(map(len, ids)),
            "ids": digest.hexdigest()}  # fmt: skip


def main():
    if sys.argv[1] == "speed":
        answer = speed(sys.argv[2], sys.argv[3], int(sys.argv[4]), float(sys.argv[5]))
    else:
        tokenizer, times = load(sys.argv[2])
        answer = {**times, "entries": tokenizer.get_vocab_size()}
    print(json.dumps(answer))


if __name__ == "__main__":
    main()
