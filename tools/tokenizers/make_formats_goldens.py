#!/usr/bin/env python3
"""goldens/formats: tiny packages without tokenizer.json, one per tokenizer class, and what transformers makes of them.

make_formats_goldens.py OUT. Needs transformers, tokenizers, sentencepiece and protobuf; their versions are written
down with the answers. Deterministic: the corpus that the SentencePiece models are trained on is made here.
"""
import io
import json
import os
import pathlib
import random
import sys
import tempfile

os.environ["TRANSFORMERS_VERBOSITY"] = "error"
import sentencepiece  # noqa: E402
import tokenizers  # noqa: E402
import transformers  # noqa: E402

WORDS = "hello world the café naïve test abs a b ab 中文 ① ﬁne tokens and words of many kinds Hello".split()
VOCAB = ("[PAD] [UNK] [CLS] [SEP] [MASK] hello world ##s a ##b café cafe Hello 中 ! <s> </s> <pad> <mask> the").split()
MERGES = ["h e", "l l", "he ll", "hell o", "Ġ w", "Ġw o", "r l", "Ġ hello"]
# A map of its own: the one that SentencePiece has by default is a quarter of a megabyte.
RULES = {"①": "1", "ﬁ": "fi", "²": "2", "\t": " ", "\n": " "}
TEXTS = ["", "hello world", "  Hello  Café the there [MASK] x ", "a [CLS] b ab abs", "中文!", "😀 hello😀",
         " <mask>hello <s> [A][B][Q]", "hellos\nworld\t", "ａ ² ﬁ Ⅳ", "<0x0A>\n\n x▁y ▁ _  e", "<ud>ab<ctl> a▁xxb"]
FLAGS = {"lstrip": False, "rstrip": False, "normalized": False, "single_word": False}


def train(**options):
    draw = random.Random(7)
    lines = [" ".join(draw.choices(WORDS, k=8)) for _ in range(300)]
    model = io.BytesIO()
    rules = pathlib.Path(tempfile.mkdtemp()) / "rules.tsv"
    rules.write_text("".join(f"{ord(a):X}\t{' '.join(f'{ord(c):X}' for c in b)}\n" for a, b in RULES.items()))
    sentencepiece.SentencePieceTrainer.train(sentence_iterator=iter(lines), model_writer=model, minloglevel=2,
                                             hard_vocab_limit=False, normalization_rule_tsv=str(rules),
                                             control_symbols=["<ctl>"], **options)
    return model.getvalue()


def byte_letters():
    kept = [*range(33, 127), *range(161, 173), *range(174, 256)]
    others = [b for b in range(256) if b not in kept]
    return [chr(b) for b in kept] + [chr(256 + i) for i in range(len(others))]


def packages():
    unigram = {"model_type": "unigram", "vocab_size": 90, "user_defined_symbols": ["<ud>", "▁xx"]}
    plain = train(**unigram)
    t5 = train(**unigram, pad_id=0, eos_id=1, unk_id=2, bos_id=-1)
    deberta = train(**unigram, pad_id=0, bos_id=1, eos_id=2, unk_id=3, pad_piece="[PAD]", bos_piece="[CLS]",
                    eos_piece="[SEP]", unk_piece="[UNK]")
    albert = train(**unigram, pad_id=0, unk_id=1, bos_id=2, eos_id=3, bos_piece="[CLS]", eos_piece="[SEP]")
    pairs = train(model_type="bpe", vocab_size=400, byte_fallback=True, user_defined_symbols=["<ud>"])
    words = "\n".join(VOCAB) + "\n"
    tokens = ["<s>", "<pad>", "</s>", "<unk>", "<|endoftext|>", *byte_letters(),
              *(m.replace(" ", "") for m in MERGES), "<mask>"]
    level = {"vocab.json": {token: i for i, token in enumerate(tokens)},
             "merges.txt": "#version: 0.2\n" + "\n".join(MERGES) + "\n"}
    old = {"special_tokens_map.json": {"cls_token": "<s>", "mask_token": {**FLAGS, "content": "[MASK]", "lstrip": True}},
           "added_tokens.json": {"[Q]": 20, "the": 19}}
    listed = {"0": {**FLAGS, "content": "[PAD]", "special": True},
              "19": {**FLAGS, "content": "the", "rstrip": True, "single_word": True, "special": False}}
    end = {"4": {**FLAGS, "content": "<|endoftext|>", "lstrip": True, "special": True}}
    mask = {**FLAGS, "__type": "AddedToken", "content": "<mask>", "lstrip": True}
    # name: model type, files, tokenizer_config.json
    return {
        "bert": ("bert", {"vocab.txt": words}, None),
        "bert_cased": ("bert", {"vocab.txt": words.replace("\n", "\r\n")},
                       {"do_lower_case": False, "tokenizer_class": "BertTokenizer",
                        "additional_special_tokens": ["[A]"], "boi_token": "[B]"}),
        "bert_old_files": ("bert", {"vocab.txt": words, **old}, {"strip_accents": False}),
        "bert_listed": ("nomic_bert", {"vocab.txt": words},
                        {"tokenizer_class": "BertTokenizer", "added_tokens_decoder": listed}),
        "distilbert": ("distilbert", {"vocab.txt": words}, {"tokenizer_class": "DistilBertTokenizer"}),
        "electra": ("electra", {"vocab.txt": words}, {"tokenizer_class": "ElectraTokenizerFast"}),
        "mpnet": ("mpnet", {"vocab.txt": words}, None),
        "roberta": ("roberta", level, None),
        "roberta_space": ("roberta", level, {"add_prefix_space": True, "trim_offsets": False}),
        "gpt2": ("gpt2", level, {"add_bos_token": True}),
        "qwen2": ("qwen2", level, None),
        "qwen3": ("qwen3", level, {"tokenizer_class": "Qwen2Tokenizer", "added_tokens_decoder": end}),
        "xlm_roberta": ("xlm-roberta", {"sentencepiece.bpe.model": plain}, None),
        "xlm_roberta_keys": ("xlm-roberta", {"sentencepiece.bpe.model": plain},
                             {"tokenizer_class": "XLMRobertaTokenizer", "add_prefix_space": False,
                              "additional_special_tokens": ["<new>"], "mask_token": mask}),
        "camembert": ("camembert", {"sentencepiece.bpe.model": plain}, None),
        "t5": ("t5", {"spiece.model": t5}, {"extra_ids": 3}),
        "albert": ("albert", {"spiece.model": albert}, None),
        "deberta": ("deberta-v2", {"spm.model": deberta}, None),
        "deberta_keys": ("deberta-v2", {"spm.model": deberta}, {"do_lower_case": True, "split_by_punct": True}),
        "llama": ("llama", {"tokenizer.model": pairs}, {"tokenizer_class": "LlamaTokenizer"}),
        "llama_keys": ("llama", {"tokenizer.model": pairs},
                       {"tokenizer_class": "LlamaTokenizer", "add_bos_token": True, "add_eos_token": True, "legacy": True}),
        "gemma": ("gemma", {"tokenizer.model": pairs}, {"add_bos_token": True}),
    }


def answer(tokenizer, first, second):
    got = tokenizer(first, second, return_offsets_mapping=True)
    ids = got["input_ids"]
    case = {"a": first, "ids": ids, "types": got.get("token_type_ids", [0] * len(ids)), "offsets": got["offset_mapping"]}
    return case if second is None else {**case, "b": second}


def main():
    out = pathlib.Path(sys.argv[1])
    answers = {}
    for name, (model_type, files, config) in packages().items():
        folder = out / name
        folder.mkdir(parents=True, exist_ok=True)
        files = {"config.json": {"model_type": model_type}, **files}
        if config is not None:
            files["tokenizer_config.json"] = config
        for file, content in files.items():
            if not isinstance(content, bytes):
                text = content if isinstance(content, str) else json.dumps(content, ensure_ascii=False, separators=(",", ":"))
                content = text.encode()
            (folder / file).write_bytes(content)
        tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
        pairs = list(zip(TEXTS, TEXTS[3:]))
        answers[name] = [answer(tokenizer, a, None) for a in TEXTS] + [answer(tokenizer, a, b) for a, b in pairs]
    versions = {m.__name__: m.__version__ for m in (transformers, tokenizers, sentencepiece)}
    text = json.dumps({"versions": versions, "packages": answers}, ensure_ascii=False, separators=(",", ":"))
    (out / "expected.json").write_text(text + "\n")


if __name__ == "__main__":
    main()
