"""Packages whose tokenizer_config.json writes keys that act: one by one, random ones in random packages, and BERT packages
with every flag of an added token."""
import itertools

from components import CLS_SEP, FLAGS, USUAL, package, vocabulary, whole
from texts import SPECIALS


def named(content, index, special=True, **flags):
    return {"id": index, "content": content, **{flag: False for flag in FLAGS}, "special": special, **flags}


def bert(model, name, config=None, strip_accents=None, more=(), parts=()):
    normalizer, pre_tokenizer, decoder = USUAL["WordPiece"]
    rows = [named(token, index) for index, token in enumerate(SPECIALS)] + list(more)
    return whole(name, ["models/WordPiece", "normalizers/BertNormalizer", "pre_tokenizers/BertPreTokenizer", "decoders/WordPiece",
                        "post_processors/TemplateProcessing", "added_tokens/special", *parts], model,
                 {**normalizer, "strip_accents": strip_accents}, pre_tokenizer, CLS_SEP, decoder, rows, config)


def written(size):
    """Objects of tokenizer_config.json; the vocabulary has `size` entries."""
    return [
        {"do_lower_case": False}, {"do_lower_case": True, "strip_accents": None, "tokenizer_class": "BertTokenizer"},
        {"strip_accents": False, "tokenize_chinese_chars": False}, {"do_lower_case": False, "strip_accents": True},
        {"do_lower_case": False, "tokenizer_class": "PreTrainedTokenizerFast"},
        {"cls_token": "[CLS]", "mask_token": {"__type": "AddedToken", "content": "<m>", "lstrip": True, "rstrip": True,
                                              "single_word": False, "normalized": False}},
        {"additional_special_tokens": ["hello", "new token"], "eos_token": None},
        {"added_tokens_decoder": {"9": {"content": "[MASK]", "lstrip": True, "rstrip": False, "normalized": False,
                                        "single_word": False, "special": True},
                                  str(size): {"content": "Zz", "lstrip": False, "rstrip": False,
                                              "normalized": True, "single_word": True, "special": False}}},
        {"model_input_names": ["input_ids", "attention_mask"], "model_max_length": 1e30, "truncation_side": "left"},
    ]


def config_packages(models):
    model = models["WordPiece"][0][2]
    size = len(vocabulary(model))
    for i, config in enumerate(written(size)):
        yield bert(model, f"config {i}", config, (None, True, False)[i % 3], parts=["tokenizer_config/" + key for key in config])
    for values in itertools.product((False, True), repeat=5):
        flags = dict(zip(FLAGS, values))
        more, next_id = [], size
        for content in ("<m>", "Caf\u00c9", "<m>x", " y", "\u4f60z"):
            known = vocabulary(model).get(content)
            more.append(named(content, next_id if known is None else known, **flags))
            next_id += known is None
        yield bert(model, f"added tokens {''.join(str(int(v)) for v in values)}", more=more,
                   parts=[f"added_tokens/{flag}" for flag in FLAGS if flags[flag]])


BERT_CLASSES = (None, "BertTokenizer", "DistilBertTokenizerFast", "MPNetTokenizer")
PLAIN_CLASSES = (None, "PreTrainedTokenizerFast", "TokenizersBackend")
CONTENTS = ("<m>", "new token", "hello", "[Q]", "Zz", "the", "\u4f60z", " y", "\u00e9\u00e9", "[MASK]", "</s>", "ab")


def next_id(tokenizer, rows):
    """The id that the library gives to a content that the vocabulary and the rows do not have."""
    vocab, size = vocabulary(tokenizer["model"]), len(tokenizer["model"]["vocab"])
    return max([size - 1] + [row["id"] for row in rows if row["content"] not in vocab]) + 1


def decoder_of(r, tokenizer):
    """added_tokens_decoder with some of the file's tokens, under other flags, and new ones."""
    rows, vocab = list(tokenizer["added_tokens"]), vocabulary(tokenizer["model"])
    ids = {row["content"]: row["id"] for row in rows}
    chosen = {content: ids.get(content, vocab.get(content)) for content in r.sample(CONTENTS, r.randint(1, 4))}
    known = sorted((index, content) for content, index in chosen.items() if index is not None)
    index = next_id(tokenizer, rows)
    out = {}
    for content in [content for _, content in known] + [content for content, index in chosen.items() if index is None]:
        if chosen[content] is None:
            chosen[content], index = index, index + 1
        out[str(chosen[content])] = {"content": content, **{flag: r.random() < 0.3 for flag in FLAGS}}
    return out


def token_of(r):
    content = r.choice(CONTENTS)
    if r.random() < 0.5:
        return content
    return {"__type": "AddedToken", "content": content, **{flag: r.random() < 0.4 for flag in FLAGS[:4]}}


def class_keys(r, tokenizer):
    """Keys that a class acts on, where the file has the part that they are about."""
    normalizer, pre, post = (tokenizer[section] or {} for section in ("normalizer", "pre_tokenizer", "post_processor"))
    kinds = {pre.get("type")} | {part["type"] for part in pre.get("pretokenizers", ())}
    if normalizer.get("type") == "BertNormalizer":
        values = {"do_lower_case": (True, False), "strip_accents": (True, False, None), "tokenize_chinese_chars": (True, False)}
        return {key: r.choice(values[key]) for key in values if r.random() < 0.5}, r.choice(BERT_CLASSES + ("PreTrainedTokenizerFast",))
    if "ByteLevel" in kinds:
        config = {"add_prefix_space": r.random() < 0.5}
        if r.random() < 0.5:
            config["trim_offsets"] = r.random() < 0.5
        as_roberta = post.get("type") in ("RobertaProcessing", "ByteLevel") and r.random() < 0.6
        return config, r.choice(("RobertaTokenizer", "LongformerTokenizerFast") if as_roberta else ("GPT2Tokenizer", "Qwen2Tokenizer"))
    return {key: r.random() < 0.5 for key in ("add_bos_token", "add_eos_token") if r.random() < 0.3}, r.choice(PLAIN_CLASSES)


def random_config(r, tokenizer):
    config, tokenizer_class = class_keys(r, tokenizer)
    if tokenizer_class is not None:
        config["tokenizer_class"] = tokenizer_class
    for key in ("bos_token", "mask_token", "cls_token", "image_token"):
        if r.random() < 0.2:
            config[key] = token_of(r)
    for key in ("additional_special_tokens", "extra_special_tokens"):
        if r.random() < 0.15:
            config[key] = [r.choice(CONTENTS) for _ in range(r.randint(1, 3))]
    if r.random() < 0.3:
        config["added_tokens_decoder"] = decoder_of(r, tokenizer)
    if r.random() < 0.15:
        config["split_special_tokens"] = True
    if r.random() < 0.1:
        config["model_input_names"] = ["input_ids", "attention_mask"]
    return config


def package_with_config(r, models):
    """Any package; one of three has a tokenizer_config.json of random keys."""
    spec = package(r, models)
    if r.random() < 0.35:
        spec["config"] = random_config(r, spec["tokenizer"])
        spec["parts"] += ["tokenizer_config/" + key for key in spec["config"]]
    return spec
