"""The library's side: a tokenizer from a package, changed by what tokenizer_config.json writes, and its answers.
Keys of single classes are written into tokenizer.json here; tokens and the rest are read by transformers.

An answer is the line that the driver must give: compact JSON of [ids, type ids, offsets, special, total, tokens] and decoded text where that is asked for, or FAILS
where the library refuses. PANICS: the library broke off, which is its own fault and says nothing.
"""
import copy
import json
import os
import pathlib
import tempfile

os.environ["TRANSFORMERS_VERBOSITY"] = "critical"
os.environ["TOKENIZERS_PARALLELISM"] = "false"
os.environ["RUST_BACKTRACE"] = "0"
from tokenizers import Tokenizer, __version__ as VERSION  # noqa: E402, F401

FAILS, PANICS = "fails", "panics"
DUMPS = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
# Which classes act on which keys: the rest of a configuration is read by transformers itself.
ROBERTA, LEVEL = ("Roberta", "Bart", "LED", "Longformer"), ("Deberta", "GPT2", "GPTNeoX", "Qwen2")
PLAIN = ("PreTrained", "TokenizersBackend", "Bloom")
BERT_KEYS = {"do_lower_case": "lowercase", "strip_accents": "strip_accents", "tokenize_chinese_chars": "handle_chinese_chars"}


def guarded(call, *arguments, **named):
    """The call's answer, FAILS where it raises and PANICS where the library broke off."""
    try:
        return call(*arguments, **named)
    except Exception:  # the library has no other type
        return FAILS
    except BaseException as error:
        if type(error).__name__ != "PanicException":
            raise
        return PANICS


def read(spec):
    """The library's tokenizer, or FAILS or PANICS."""
    description, config = written_into(spec["tokenizer"], spec["config"] or {})
    tokenizer = guarded(Tokenizer.from_str, json.dumps(description)) if not config else guarded(through_transformers, description, config)
    if tokenizer in (FAILS, PANICS):
        return tokenizer
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer


def written_into(description, config):
    """tokenizer.json with what keys for the class mean written into it, and the keys that are left."""
    config = dict(config)
    name = config.pop("tokenizer_class", "").removesuffix("Fast").removesuffix("Tokenizer")
    taken = {key: config.pop(key) for key in (*BERT_KEYS, "add_prefix_space", "trim_offsets") if key in config}
    description = copy.deepcopy(description)
    normalizer, pre, post = (description.get(section) or {} for section in ("normalizer", "pre_tokenizer", "post_processor"))
    if normalizer.get("type") == "BertNormalizer" and name not in PLAIN:  # a package without a class is taken at its word
        normalizer.update({BERT_KEYS[key]: value for key, value in taken.items() if key in BERT_KEYS})
    if name in ROBERTA + LEVEL and "add_prefix_space" in taken:
        for part in [pre, *pre.get("pretokenizers", ())]:
            if part.get("type") == "ByteLevel":
                part["add_prefix_space"] = taken["add_prefix_space"]
    if name in ROBERTA:
        post.update({key: value for key, value in taken.items() if key not in BERT_KEYS and key in post})
    return description, config


def through_transformers(description, config):
    """The tokenizer that a class without code of its own has from these two files."""
    import transformers  # only here: it takes its time
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "tokenizer.json").write_text(json.dumps(description))
        (pathlib.Path(folder) / "tokenizer_config.json").write_text(json.dumps(config))
        return transformers.PreTrainedTokenizerFast.from_pretrained(folder)._tokenizer


def line_of(encoding, total, no_types, decoded):
    types = encoding.type_ids
    if no_types:
        types = [0] * len(types)
    return DUMPS([encoding.ids, types, encoding.offsets, encoding.special_tokens_mask, total, encoding.tokens, *decoded])


def decoded(tokenizer, encodings_or_faults, skip_special):
    """Text for each encoding; None where the library refuses."""
    rows = [[] if isinstance(one, str) else one.ids for one in encodings_or_faults]
    texts = guarded(tokenizer.decode_batch, rows, skip_special_tokens=skip_special)
    if texts in (FAILS, PANICS):
        texts = [guarded(tokenizer.decode, row, skip_special_tokens=skip_special) for row in rows]
        texts = [None if text == FAILS else text for text in texts]
    return texts


def special_count(tokenizer, is_pair):
    return tokenizer.num_special_tokens_to_add(is_pair)


def encodings(tokenizer, inputs, options, split):
    """One encoding, FAILS or PANICS for each input under options that they share."""
    tokenizer.encode_special_tokens = split or not options.get("parse", True)
    add_special = options.get("add_special", True)
    whole = guarded(tokenizer.encode_batch, inputs, add_special_tokens=add_special)
    if whole in (FAILS, PANICS):
        return [guarded(tokenizer.encode, *(value if isinstance(value, tuple) else (value,)), add_special_tokens=add_special) for value in inputs]
    return whole


def expected(tokenizer, spec, inputs, options):
    """The lines for inputs (texts, or pairs of them) under options that they share; and the encodings."""
    no_types = "model_input_names" in (spec["config"] or {}) and "token_type_ids" not in spec["config"]["model_input_names"]
    split = (spec["config"] or {}).get("split_special_tokens", False)
    tokenizer.no_truncation()
    whole = encodings(tokenizer, inputs, options, split)
    cut = whole
    if "max" in options:
        specials = [special_count(tokenizer, pair) if options.get("add_special", True) else 0 for pair in (False, True)]
        tokenizer.enable_truncation(options["max"], strategy=options.get("truncation", "longest_first"),
                                    direction="left" if options.get("left") else "right")
        cut = encodings(tokenizer, inputs, options, split)
        # Where not even the special tokens fit, the library's arithmetic wraps around; that is refused.
        cut = [FAILS if options["max"] < specials[isinstance(value, tuple)] else encoding for value, encoding in zip(inputs, cut)]
    rows = [decoded(tokenizer, cut, skip) for skip in (False, True)] if options.get("text") else [[], []]
    lines = []
    for i, (all_of_it, encoding) in enumerate(zip(whole, cut)):
        if isinstance(encoding, str) or isinstance(all_of_it, str):
            lines.append(encoding if isinstance(encoding, str) else all_of_it)
        else:
            lines.append(line_of(encoding, len(all_of_it.ids), no_types, [row[i] for row in rows if row]))
            if rows[0] and PANICS in (rows[0][i], rows[1][i]):
                lines[-1] = PANICS
    return lines, cut
