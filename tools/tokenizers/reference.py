"""The library's side: a tokenizer from a package, changed by what tokenizer_config.json writes, and its answers.

An answer is the line that the driver must give: compact JSON of [ids, type ids, offsets, special, total, tokens] and decoded text where that is asked for, or FAILS
where the library refuses. PANICS: the library broke off, which is its own fault and says nothing.
"""
import json
import os

os.environ["TOKENIZERS_PARALLELISM"] = "false"
os.environ["RUST_BACKTRACE"] = "0"
from tokenizers import AddedToken, Tokenizer, __version__ as VERSION, normalizers  # noqa: E402, F401

FAILS, PANICS = "fails", "panics"
DUMPS = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
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
    tokenizer = guarded(Tokenizer.from_str, json.dumps(spec["tokenizer"]))
    if tokenizer in (FAILS, PANICS):
        return tokenizer
    tokenizer.no_truncation()
    tokenizer.no_padding()
    apply_config(tokenizer, spec["tokenizer"], spec["config"] or {})
    return tokenizer


def apply_config(tokenizer, description, config):
    normalizer = description.get("normalizer") or {}
    if any(key in config for key in BERT_KEYS) and config.get("tokenizer_class") != "PreTrainedTokenizerFast":
        state = {key: value for key, value in normalizer.items() if key != "type"}
        state.update({BERT_KEYS[key]: config[key] for key in BERT_KEYS if key in config})
        tokenizer.normalizer = normalizers.BertNormalizer(**state)
    decoder = config.get("added_tokens_decoder")
    if decoder:
        tokenizer.add_tokens([AddedToken(**decoder[key]) for key in sorted(decoder, key=int)])
    known = {row["content"] for row in description.get("added_tokens", [])}
    for key, value in config.items():
        names = value if key == "additional_special_tokens" else [value] if key.endswith("_token") else []
        for name in names:
            if isinstance(name, dict):
                name = AddedToken(**{k: v for k, v in name.items() if k != "__type"}, special=True)
            if name is not None and str(name) not in known:
                tokenizer.add_special_tokens([name if isinstance(name, AddedToken) else AddedToken(name, special=True, normalized=False)])


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


def encodings(tokenizer, inputs, options):
    """One encoding, FAILS or PANICS for each input under options that they share."""
    tokenizer.encode_special_tokens = not options.get("parse", True)
    add_special = options.get("add_special", True)
    whole = guarded(tokenizer.encode_batch, inputs, add_special_tokens=add_special)
    if whole in (FAILS, PANICS):
        return [guarded(tokenizer.encode, *(value if isinstance(value, tuple) else (value,)), add_special_tokens=add_special) for value in inputs]
    return whole


def expected(tokenizer, spec, inputs, options):
    """The lines for inputs (texts, or pairs of them) under options that they share; and the encodings."""
    no_types = "model_input_names" in (spec["config"] or {}) and "token_type_ids" not in spec["config"]["model_input_names"]
    tokenizer.no_truncation()
    whole = encodings(tokenizer, inputs, options)
    cut = whole
    if "max" in options:
        specials = [special_count(tokenizer, pair) if options.get("add_special", True) else 0 for pair in (False, True)]
        tokenizer.enable_truncation(options["max"], strategy=options.get("truncation", "longest_first"),
                                    direction="left" if options.get("left") else "right")
        cut = encodings(tokenizer, inputs, options)
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
