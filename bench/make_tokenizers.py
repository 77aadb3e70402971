#!/usr/bin/env python3
"""Tokenizers and texts for tokenizing.py, which runs this when they are missing.

    make_tokenizers.py FOLDER          needs PyPI tokenizers; about ten minutes

Published tokenizers cannot lie here, so these are trained on what a Debian with Python has: documentation, Python's own
library and the translated messages of its programs. FOLDER/NAME/tokenizer.json each:

- word_piece: BERT's normalizer and pre-tokenizer, 30,000 tokens
- bpe: byte-level, 50,000 tokens, GPT-2's split; bpe_llama3: the same behind Split with Llama 3's pattern, ignore_merges
- unigram: 32,000 pieces, NFKC and Metaspace
- bpe_250k, unigram_250k, word_piece_250k: the same with made-up tokens up to 250,000, for the time to load; of these
  bpe_lines_250k writes merges as "a b", word_level_250k is a WordLevel of the words, added_250k has 6,000 added tokens

FOLDER/NAME.txt: english, code, chinese, mixed: 2 MB each in texts of at most 1,000 characters, a JSON string a line."""

import gettext
import html
import json
import os
import pathlib
import random
import re
import sys

from tokenizers import Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers

LLAMA3 = (r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|"
          r"\s+(?!\S)|\s+")  # fmt: skip
PYTHON = pathlib.Path(os.__file__).parent
LANGUAGES = "zh_CN zh_TW ja ko ru de fr es ar hi el th he".split()
LARGE, ADDED = 250_000, 6_000
TEXT_BYTES, TEXT_CHARACTERS = 2_000_000, 1_000


def untagged(text):
    text = re.sub(r"(?s)<(script|style)\b.*?</\1>", " ", text)
    return re.sub(r"[ \t]*\n\s*", "\n", html.unescape(re.sub(r"(?s)<[^>]*>", " ", text)))


def files(root, patterns, most, clean=lambda text: text):
    """Texts of the files in the order of their names, until there are `most` bytes."""
    for pattern in patterns:
        for path in sorted(pathlib.Path(root).glob(pattern)):
            if not path.is_file() or path.stat().st_size > 1_000_000:
                continue
            try:
                text = clean(path.read_text(encoding="utf-8"))
            except (UnicodeDecodeError, OSError):
                continue
            yield text
            most -= len(text.encode())
            if most < 0:
                return


def documentation(most):
    return files("/usr/share/doc", ["**/*.html", "**/*.md"], most, untagged)


def library(most):
    return files(PYTHON, ["**/*.py"], most)


def translations(languages, most):
    """The messages of the gettext catalogues: prose in many scripts, `most` bytes of each language."""
    for language in languages:
        left = most
        for path in sorted(pathlib.Path("/usr/share/locale").glob(f"{language}/LC_MESSAGES/*.mo")):
            try:
                with open(path, "rb") as file:
                    catalogue = gettext.GNUTranslations(file)._catalog
            except (UnicodeDecodeError, OSError, ValueError):
                continue
            text = "\n".join(v for k, v in sorted(catalogue.items(), key=str) if k and isinstance(v, str))
            yield text
            left -= len(text.encode())
            if left < 0:
                break


def cut(text):
    """Parts of at most TEXT_CHARACTERS, at the last line end or blank before."""
    while text:
        end = len(text)
        if end > TEXT_CHARACTERS:
            end = max(text.rfind(mark, 1, TEXT_CHARACTERS) for mark in "\n ")
            end = end if end > 0 else TEXT_CHARACTERS
        if text[:end].strip():
            yield text[:end]
        text = text[end:]


def write_texts(folder):
    sources = {
        "english": documentation(8_000_000),
        "code": files(PYTHON, ["[f-z]*.py"], 8_000_000),
        "chinese": translations(["zh_CN", "zh_TW", "ja"], 3_000_000),
        "mixed": translations(["ru", "ko", "ar", "hi", "de", "el", "th", "he"], 400_000),
    }
    for name, source in sources.items():
        texts = [part for text in source for part in cut(text)]
        random.Random(1).shuffle(texts)
        left = TEXT_BYTES
        with open(folder / f"{name}.txt", "w", encoding="utf-8") as file:
            for text in texts:
                file.write(json.dumps(text, ensure_ascii=False) + "\n")
                left -= len(text.encode())
                if left < 0:
                    break


def save(folder, name, tokenizer):
    (folder / name).mkdir(exist_ok=True)
    with open(folder / name / "tokenizer.json", "w", encoding="utf-8") as file:
        json.dump(tokenizer, file, ensure_ascii=False)


def make_bpe(texts, special=("<|endoftext|>",)):
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.post_processor = processors.ByteLevel(trim_offsets=False)
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    tokenizer.train_from_iterator(texts, trainers.BpeTrainer(
        vocab_size=50_000, special_tokens=list(special), show_progress=False, initial_alphabet=alphabet,
        max_token_length=40))  # fmt: skip
    return json.loads(tokenizer.to_str())


def with_llama3_split(bpe):
    out = json.loads(json.dumps(bpe))
    out["model"]["ignore_merges"] = True
    split = {"type": "Split", "pattern": {"Regex": LLAMA3}, "behavior": "Isolated", "invert": False}
    level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": False}
    out["pre_tokenizer"] = {"type": "Sequence", "pretokenizers": [split, level]}
    return out


def make_word_piece(texts):
    tokenizer = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.decoder = decoders.WordPiece()
    tokenizer.train_from_iterator(texts, trainers.WordPieceTrainer(
        vocab_size=30_000, special_tokens=["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"], show_progress=False,
        limit_alphabet=4000))  # fmt: skip
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=[("[CLS]", 2), ("[SEP]", 3)])
    return json.loads(tokenizer.to_str())


def make_unigram(texts, special=("<s>", "<pad>", "</s>", "<unk>")):
    tokenizer = Tokenizer(models.Unigram())
    tokenizer.normalizer = normalizers.Sequence([normalizers.NFKC(), normalizers.Replace(Regex(" {2,}"), " ")])
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    tokenizer.decoder = decoders.Metaspace()
    short = [part[:2000] for text in texts for part in text.split("\n\n")][::3]
    tokenizer.train_from_iterator(short, trainers.UnigramTrainer(
        vocab_size=32_000, special_tokens=list(special), unk_token="<unk>", show_progress=False,
        max_piece_length=16, n_sub_iterations=2))  # fmt: skip
    return json.loads(tokenizer.to_str())


def enlarged(file):
    """With tokens joined from two of its own, as training would have made them, until there are LARGE."""
    r, out = random.Random(1), json.loads(json.dumps(file))
    model = out["model"]
    vocab = model["vocab"]
    known = {entry[0] for entry in vocab} if isinstance(vocab, list) else set(vocab)
    names = sorted(known)
    while len(known) < LARGE:
        left, right = r.choice(names), r.choice(names)
        joined = left + (right.removeprefix("##") if model["type"] == "WordPiece" else right)
        if len(joined) > 16 or joined in known or (model["type"] != "WordPiece" and right[0] == "▁"):
            continue
        known.add(joined)
        if isinstance(vocab, list):
            vocab.append([joined, -20 - r.random()])
        else:
            vocab[joined] = len(vocab)
        if "merges" in model:
            model["merges"].append([left, right])
    return out


def of_model(file, **changes):
    return {**file, "model": {**file["model"], **changes}}


def large(bpe, unigram, word_piece):
    """Files for the time to load, by name."""
    out = {"bpe_250k": enlarged(bpe), "unigram_250k": enlarged(unigram), "word_piece_250k": enlarged(word_piece)}
    out["bpe_lines_250k"] = of_model(out["bpe_250k"], merges=[" ".join(pair) for pair in out["bpe_250k"]["model"]["merges"]])
    words = out["word_piece_250k"]
    model = {"type": "WordLevel", "vocab": words["model"]["vocab"], "unk_token": "[UNK]"}
    out["word_level_250k"] = {**words, "model": model}
    flags = dict.fromkeys(("single_word", "lstrip", "rstrip", "normalized"), False)
    more = [{"id": LARGE + i, "content": f"<extra_id_{i}>", **flags, "special": True} for i in range(ADDED)]
    out["added_250k"] = {**words, "added_tokens": words["added_tokens"] + more}
    return out


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    write_texts(folder)
    texts = [*documentation(14_000_000), *library(8_000_000), *translations(LANGUAGES, 700_000)]
    bpe = make_bpe(texts)
    save(folder, "bpe", bpe)
    save(folder, "bpe_llama3", with_llama3_split(bpe))
    word_piece = make_word_piece(texts)
    save(folder, "word_piece", word_piece)
    unigram = make_unigram(texts)
    save(folder, "unigram", unigram)
    for name, file in large(bpe, unigram, word_piece).items():
        save(folder, name, file)


if __name__ == "__main__":
    main()
