"""Models with small vocabularies: trained by the library on generated text, and random ones with ties and gaps.

Each is (kind, name, model section of tokenizer.json). The library's trainers break ties in an order that changes from run to
run, so those that are trained differ a little each time: goldens/tokenizer/models.json keeps one run's.
"""
import collections
import json
import os
import pathlib
import random

os.environ["TOKENIZERS_PARALLELISM"] = "false"
from tokenizers import Tokenizer, models, pre_tokenizers, trainers  # noqa: E402

from texts import EMOJI, MARKED, SPECIALS, WORDS, Texts  # noqa: E402

BYTES = ["<0x%02X>" % i for i in range(256)]
LETTERS = pre_tokenizers.ByteLevel.alphabet()


def trained(model, trainer, texts, pre_tokenizer=None):
    tokenizer = Tokenizer(model)
    if pre_tokenizer is not None:
        tokenizer.pre_tokenizer = pre_tokenizer
    tokenizer.train_from_iterator(texts, trainer)
    return json.loads(tokenizer.to_str())["model"]


def bpe(vocab, merges, **flags):
    return {"type": "BPE", "dropout": None, "unk_token": None, "continuing_subword_prefix": None, "end_of_word_suffix": None,
            "fuse_unk": False, "byte_fallback": False, "ignore_merges": False, "vocab": vocab, "merges": merges, **flags}


def corpus(seed, count=1500):
    texts = Texts(random.Random(f"corpus {seed}"))
    return [texts.text()[:300] for _ in range(count)] + [" ".join(WORDS)] * 3 + MARKED + EMOJI


def shuffled_ids(r, vocab):
    """The same tokens with other ids, so that an id says nothing about a rank. Special tokens keep theirs."""
    rest = [token for token in vocab if vocab[token] >= len(SPECIALS)]
    ids = [vocab[token] for token in rest]
    r.shuffle(ids)
    return {**{token: i for i, token in enumerate(SPECIALS)}, **dict(zip(rest, ids))}


def bpe_models(seed, texts):
    r = random.Random(f"bpe {seed}")
    # Not limited to what the text holds most of: rare letters stay unknown.
    quiet = dict(show_progress=False, special_tokens=SPECIALS)
    base = trained(models.BPE(), trainers.BpeTrainer(vocab_size=900, limit_alphabet=300, **quiet), texts, pre_tokenizers.WhitespaceSplit())
    meta = trained(models.BPE(), trainers.BpeTrainer(vocab_size=900, limit_alphabet=300, **quiet), texts, pre_tokenizers.Metaspace())
    level = trained(models.BPE(), trainers.BpeTrainer(vocab_size=1000, initial_alphabet=LETTERS, **quiet), texts,
                    pre_tokenizers.ByteLevel(add_prefix_space=False))
    both = trained(models.BPE(continuing_subword_prefix="##", end_of_word_suffix="</w>"),
                   trainers.BpeTrainer(vocab_size=900, limit_alphabet=200, continuing_subword_prefix="##", end_of_word_suffix="</w>", **quiet),
                   texts, pre_tokenizers.WhitespaceSplit())
    suffix = trained(models.BPE(end_of_word_suffix="</w>"),
                     trainers.BpeTrainer(vocab_size=900, limit_alphabet=200, end_of_word_suffix="</w>", **quiet), texts, pre_tokenizers.Whitespace())
    prefix = trained(models.BPE(continuing_subword_prefix="@"),
                     trainers.BpeTrainer(vocab_size=900, limit_alphabet=200, continuing_subword_prefix="@", **quiet), texts, pre_tokenizers.Whitespace())
    yield "BPE", "trained", base
    yield "BPE", "unk", {**base, "unk_token": "<unk>"}
    yield "BPE", "fuse_unk", {**base, "unk_token": "<unk>", "fuse_unk": True, "vocab": shuffled_ids(r, base["vocab"])}
    yield "BPE", "byte_level", level
    yield "BPE", "byte_level ignore_merges", {**level, "ignore_merges": True, "vocab": {**level["vocab"], **{
        token: len(level["vocab"]) + i for i, token in enumerate(["hello", "\u0120world", "\u0120\u0120", "\u00e2\u0122", "zq", "\u010a\u010a\u010a"])
        if token not in level["vocab"]}}}
    yield "BPE", "byte_level strings", {**level, "merges": [" ".join(pair) for pair in level["merges"]]}
    yield "BPE", "prefix and suffix", {**both, "unk_token": "<unk>"}
    yield "BPE", "suffix", {**suffix, "unk_token": "<unk>", "fuse_unk": True}
    yield "BPE", "suffix without unk", suffix
    yield "BPE", "prefix", {**prefix, "unk_token": "<unk>"}
    with_bytes = dict(meta["vocab"])
    for token in BYTES:
        with_bytes.setdefault(token, len(with_bytes))
    some_bytes = dict(meta["vocab"])
    for token in r.sample(BYTES, 150):
        some_bytes.setdefault(token, len(some_bytes))
    for unk in (None, "<unk>"):
        for fuse in (False, True):
            flags = {"unk_token": unk, "fuse_unk": fuse, "byte_fallback": True}
            yield "BPE", f"all bytes, unk {unk}, fuse {fuse}", {**meta, "vocab": with_bytes, **flags}
            yield "BPE", f"some bytes, unk {unk}, fuse {fuse}", {**meta, "vocab": some_bytes, **flags}
    yield "BPE", "metaspace ignore_merges", {**meta, "vocab": with_bytes, "byte_fallback": True, "ignore_merges": True, "unk_token": "<unk>"}
    for i in range(4):
        letters = list(dict.fromkeys("abcdehlortn \u2581\u00e9e\u0301\u4f60\u597d\u0120" + r.choice(WORDS)))
        tokens, merges = SPECIALS + letters, []
        for _ in range(120):
            left, right = r.choice(tokens[len(SPECIALS):]), r.choice(letters if r.random() < 0.5 else tokens[len(SPECIALS):])
            if (left, right) in merges or len(left + right) > 12:
                continue
            merges.append((left, right))
            if left + right not in tokens:
                tokens.append(left + right)
        vocab = shuffled_ids(r, {token: i for i, token in enumerate(tokens)})
        flags = {"unk_token": r.choice((None, "<unk>")), "fuse_unk": r.random() < 0.5, "ignore_merges": r.random() < 0.5}
        yield "BPE", f"random {i}", bpe(vocab, merges, **flags)


def word_piece_models(seed, texts):
    r = random.Random(f"word piece {seed}")
    model = trained(models.WordPiece(unk_token="[UNK]"), trainers.WordPieceTrainer(
        vocab_size=1200, limit_alphabet=300, special_tokens=SPECIALS, show_progress=False), [text.lower() for text in texts],
        pre_tokenizers.BertPreTokenizer())
    yield "WordPiece", "trained", model
    yield "WordPiece", "shuffled", {**model, "vocab": shuffled_ids(r, model["vocab"])}
    cased = {token: i for i, token in enumerate(dict.fromkeys(SPECIALS + WORDS + [chr(c) for c in range(33, 127)] + [
        "##" + chr(c) for c in range(33, 127)] + list("\u00e9\u4f60\uac00") + ["##\u00e9", "##ing", "##s", "##\u4f60"]))}
    for most in (0, 1, 5, 100, 1000):
        yield "WordPiece", f"limit {most}", {**model, "vocab": cased, "max_input_chars_per_word": most}
    yield "WordPiece", "no prefix", {**model, "vocab": cased, "continuing_subword_prefix": ""}
    yield "WordPiece", "underscore", {**model, "continuing_subword_prefix": "\u2581", "unk_token": "<unk>", "vocab": {
        token.replace("##", "\u2581"): i for token, i in model["vocab"].items() if "\u2581" not in token}}


def unigram_models(seed, texts):
    r = random.Random(f"unigram {seed}")
    # The trainer wants every letter in its vocabulary.
    common = {letter for letter, _ in collections.Counter("".join(texts)).most_common(400)}
    texts = ["".join(letter for letter in text if letter in common) for text in texts]
    for name, pre_tokenizer in (("metaspace", pre_tokenizers.Metaspace()), ("words", pre_tokenizers.WhitespaceSplit())):
        model = trained(models.Unigram(), trainers.UnigramTrainer(vocab_size=1300, unk_token="<unk>", special_tokens=SPECIALS, show_progress=False,
                                                                  max_piece_length=8), texts, pre_tokenizer)
        yield "Unigram", name, model
        coarse = [[piece, score if score == 0 else round(score)] for piece, score in model["vocab"]]
        yield "Unigram", name + " ties", {**model, "vocab": coarse}
        yield "Unigram", name + " all bytes", {**model, "byte_fallback": True, "vocab": model["vocab"] + [[token, 0.0] for token in BYTES]}
        yield "Unigram", name + " some bytes", {**model, "byte_fallback": True,
                                                "vocab": model["vocab"] + [[token, -3.0] for token in r.sample(BYTES, 150)]}
    for i in range(5):
        pieces = {}
        for text in WORDS + MARKED + ["\u2581\u2581\u2581", "!!!!!", "\u4f60\u597d\u4f60", "ababab"]:
            for _ in range(3):
                begin = r.randrange(len(text))
                pieces[text[begin:begin + r.randint(1, 5)]] = r.choice((-1.0, -2.0, -3.0, -3.0, -4.5, -7.25, 0.0))
        vocab = [[piece, 0.0] for piece in SPECIALS] + [[piece, score] for piece, score in pieces.items() if piece not in SPECIALS]
        yield "Unigram", f"random {i}", {"type": "Unigram", "unk_id": r.choice((1, 1, 1, 6)), "vocab": vocab, "byte_fallback": False}
    yield "Unigram", "no unk", {"type": "Unigram", "unk_id": None, "vocab": vocab, "byte_fallback": False}


def word_level_models(seed, texts):
    model = trained(models.WordLevel(unk_token="<unk>"), trainers.WordLevelTrainer(
        vocab_size=700, special_tokens=SPECIALS, show_progress=False), texts, pre_tokenizers.Whitespace())
    yield "WordLevel", "trained", model
    yield "WordLevel", "no unk", {**model, "unk_token": "[NONE]"}


def stored_models(path):
    """What models.json holds: "@BPE byte_level" to the model."""
    rows = json.loads(pathlib.Path(path).read_text()).items()
    return [(*key[1:].split(" ", 1), value) for key, value in rows if not key.startswith("@charsmap")]


def all_models(seed):
    texts = corpus(seed)
    return [*word_piece_models(seed, texts), *bpe_models(seed, texts), *unigram_models(seed, texts), *word_level_models(seed, texts)]
