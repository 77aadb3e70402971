#!/usr/bin/env python3
"""Checks JSON documents against a schema: check_schema.py SCHEMA [FILE...] (no FILE: standard input).

The part of JSON Schema 2020-12 that schemas/ uses, and nothing else: a keyword that is not known here is an
error, so that no schema promises what nothing checks. Prints every violation with its JSON pointer.
"""
import json
import re
import sys

NOTES = {"$schema", "$id", "$defs", "$comment", "title", "description", "examples"}
TYPES = {
    "object": lambda v: isinstance(v, dict),
    "array": lambda v: isinstance(v, list),
    "string": lambda v: isinstance(v, str),
    "boolean": lambda v: isinstance(v, bool),
    "null": lambda v: v is None,
    "integer": lambda v: isinstance(v, int) and not isinstance(v, bool),
    "number": lambda v: isinstance(v, (int, float)) and not isinstance(v, bool),
}


def same(a, b):
    return isinstance(a, bool) == isinstance(b, bool) and a == b


class Schema:
    def __init__(self, document):
        self.document = document

    def resolve(self, reference):
        if not reference.startswith("#"):
            raise ValueError(f"$ref to another document: {reference}")
        node = self.document
        for part in reference[1:].split("/")[1:]:
            node = node[part.replace("~1", "/").replace("~0", "~")]
        return node

    def check(self, value, schema=None, at=""):
        """All violations as (pointer, text)."""
        schema = self.document if schema is None else schema
        if schema is True:
            return []
        if schema is False:
            return [(at, "must not be here")]
        found = []
        for keyword, rule in schema.items():
            if keyword not in NOTES:
                method = getattr(self, "on_" + keyword.lstrip("$"), None)
                if method is None:
                    raise ValueError(f"keyword {keyword} is not checked by this tool")
                found += method(value, rule, schema, at)
        return found

    def on_ref(self, value, rule, _, at):
        return self.check(value, self.resolve(rule), at)

    def on_type(self, value, rule, _, at):
        names = [rule] if isinstance(rule, str) else rule
        return [] if any(TYPES[n](value) for n in names) else [(at, f"is not {' or '.join(names)}: {value!r}"[:200])]

    def on_enum(self, value, rule, _, at):
        return [] if any(same(value, r) for r in rule) else [(at, f"{value!r} is none of {rule}")]

    def on_const(self, value, rule, _, at):
        return [] if same(value, rule) else [(at, f"{value!r} is not {rule!r}")]

    def on_required(self, value, rule, _, at):
        return [(at, f"lacks {n}") for n in rule if n not in value] if isinstance(value, dict) else []

    def on_properties(self, value, rule, _, at):
        if not isinstance(value, dict):
            return []
        return [f for n, s in rule.items() if n in value for f in self.check(value[n], s, f"{at}/{n}")]

    def on_additionalProperties(self, value, rule, schema, at):
        if not isinstance(value, dict):
            return []
        patterns = schema.get("patternProperties", {})
        others = [n for n in value if n not in schema.get("properties", {}) and not any(re.search(p, n) for p in patterns)]
        return [f for n in others for f in self.check(value[n], rule, f"{at}/{n}")]

    def on_patternProperties(self, value, rule, _, at):
        if not isinstance(value, dict):
            return []
        return [f for p, s in rule.items() for n in value if re.search(p, n) for f in self.check(value[n], s, f"{at}/{n}")]

    def on_propertyNames(self, value, rule, _, at):
        return [f for n in value for f in self.check(n, rule, f"{at}/{n}")] if isinstance(value, dict) else []

    def on_items(self, value, rule, schema, at):
        if not isinstance(value, list):
            return []
        first = len(schema.get("prefixItems", []))
        return [f for i, v in enumerate(value[first:], first) for f in self.check(v, rule, f"{at}/{i}")]

    def on_prefixItems(self, value, rule, _, at):
        if not isinstance(value, list):
            return []
        return [f for i, (v, s) in enumerate(zip(value, rule)) for f in self.check(v, s, f"{at}/{i}")]

    def on_minItems(self, value, rule, _, at):
        return [(at, f"has fewer than {rule} items")] if isinstance(value, list) and len(value) < rule else []

    def on_maxItems(self, value, rule, _, at):
        return [(at, f"has more than {rule} items")] if isinstance(value, list) and len(value) > rule else []

    def on_uniqueItems(self, value, rule, _, at):
        if not rule or not isinstance(value, list):
            return []
        texts = [json.dumps(v, sort_keys=True) for v in value]
        return [(at, "has an item twice")] if len(set(texts)) < len(texts) else []

    def on_minProperties(self, value, rule, _, at):
        return [(at, f"has fewer than {rule} members")] if isinstance(value, dict) and len(value) < rule else []

    def on_minLength(self, value, rule, _, at):
        return [(at, f"is shorter than {rule}")] if isinstance(value, str) and len(value) < rule else []

    def on_pattern(self, value, rule, _, at):
        return [(at, f"{value!r} does not match {rule}")] if isinstance(value, str) and not re.search(rule, value) else []

    def on_minimum(self, value, rule, _, at):
        return [(at, f"{value} is less than {rule}")] if TYPES["number"](value) and value < rule else []

    def on_maximum(self, value, rule, _, at):
        return [(at, f"{value} is more than {rule}")] if TYPES["number"](value) and value > rule else []

    def on_exclusiveMinimum(self, value, rule, _, at):
        return [(at, f"{value} is not more than {rule}")] if TYPES["number"](value) and value <= rule else []

    def on_oneOf(self, value, rule, _, at):
        tried = [self.check(value, s, at) for s in rule]
        fits = sum(not t for t in tried)
        return [] if fits == 1 else [(at, f"fits {fits} of {len(rule)} forms")] + (min(tried, key=len) if not fits else [])

    def on_anyOf(self, value, rule, _, at):
        tried = [self.check(value, s, at) for s in rule]
        return [] if not all(tried) else [(at, "fits no form"), *min(tried, key=len)]

    def on_allOf(self, value, rule, _, at):
        return [f for s in rule for f in self.check(value, s, at)]

    def on_not(self, value, rule, _, at):
        return [] if self.check(value, rule, at) else [(at, "fits what it must not")]


def main():
    if len(sys.argv) < 2:
        sys.exit("usage: check_schema.py SCHEMA [FILE...]")
    with open(sys.argv[1], encoding="utf-8") as f:
        schema = Schema(json.load(f))
    failed = False
    for name in sys.argv[2:] or ["-"]:
        try:
            with sys.stdin if name == "-" else open(name, encoding="utf-8") as f:
                value = json.load(f)
        except ValueError as error:
            print(f"{name}: not JSON: {error}")
            failed = True
            continue
        for pointer, text in schema.check(value):
            print(f"{name}:{pointer or '/'}: {text}")
            failed = True
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
