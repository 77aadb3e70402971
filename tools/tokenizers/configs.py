"""Packages whose tokenizer_config.json writes keys that act, and BERT packages with every flag of an added token."""
import itertools

from components import CLS_SEP, FLAGS, USUAL, vocabulary, whole
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
