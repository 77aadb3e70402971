"""The smallest package and request found that still differ, by leaving things out one at a time."""
import copy


def without(spec, change):
    smaller = copy.deepcopy(spec)
    change(smaller["tokenizer"])
    return smaller


def smaller_packages(spec):
    tokenizer = spec["tokenizer"]
    for section in ("post_processor", "decoder", "normalizer", "pre_tokenizer"):
        value = tokenizer[section]
        if value is None:
            continue
        yield without(spec, lambda t, s=section: t.update({s: None}))
        for key in ("normalizers", "pretokenizers", "processors", "decoders"):
            for i in range(len(value.get(key, ()))):
                yield without(spec, lambda t, s=section, k=key, n=i: t[s][k].pop(n))
                yield without(spec, lambda t, s=section, k=key, n=i: t.update({s: t[s][k][n]}))
    rows = tokenizer["added_tokens"]
    if rows:
        yield without(spec, lambda t: t.update(added_tokens=[]))
    for i in range(len(rows)):
        yield without(spec, lambda t, n=i: t["added_tokens"].pop(n))
    for i, row in enumerate(rows):
        for flag in ("single_word", "lstrip", "rstrip", "normalized", "special"):
            if row[flag]:
                yield without(spec, lambda t, n=i, f=flag: t["added_tokens"][n].update({f: False}))


def smaller_requests(request):
    for key in request:
        if key not in ("a", "tokens"):
            yield {k: v for k, v in request.items() if k != key}
    for key in ("a", "b"):
        text = request.get(key, "")
        size = len(text)
        while size > 0:
            for begin in range(0, len(text), size):
                yield {**request, key: text[:begin] + text[begin + size:]}
            size //= 2


def shrink(spec, request, differs, attempts=400):
    """`differs(spec, request)` says whether they still do."""
    moved = True
    while moved and attempts > 0:
        moved = False
        for candidates, make in ((smaller_requests(request), lambda c: (spec, c)), (smaller_packages(spec), lambda c: (c, request))):
            for candidate in candidates:
                attempts -= 1
                if attempts < 0:
                    break
                if differs(*make(candidate)):
                    spec, request = make(candidate)
                    moved = True
                    break
    return spec, request
