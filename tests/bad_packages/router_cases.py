"""A Router behind Pooling, and adapters beside a model."""

from case import Case, at
from package_edit import put, write

ROUTER, KIND = "2_Router/router_config.json", "bert/routes"
RECIPE, SCHEMA = "unsupported_processor_recipe", "invalid_package_schema"
DENSE = "sentence_transformers.base.modules.dense.Dense"
ROUTED = "Dense, LayerNorm, Normalize, Dropout; one encoder and its Pooling stand before the Router"
TYPES = "Transformer, then Pooling, or StaticEmbedding first, then any of Dense, LayerNorm, Normalize, Dropout"


def one(name, pointer, value, code, found, allowed, file=ROUTER, place=None):
    return Case(name, KIND, put(file, pointer, value), [at(code, ROUTER, place or pointer, found, allowed)])


CASES = [
    one("a second Pooling", "/types/query_0_Dense", "sentence_transformers.models.Pooling", RECIPE,
        "Pooling in a route", ROUTED, place="/structure/query/0"),
    one("an encoder of a route's own", "/types/query_0_Dense", "sentence_transformers.models.Transformer", RECIPE,
        "Transformer in a route", ROUTED, place="/structure/query/0"),
    one("code in a route", "/types/query_0_Dense", "my.Dense", "custom_code_denied", "my.Dense",
        "modules of sentence_transformers; code of a package is never run"),
    one("a folder without a class", "/structure/query", ["other"], SCHEMA, "other", "a folder that types names",
        place="/structure/query/0"),
    one("a route of nothing", "/structure/query", [], SCHEMA, "no modules", "at least one"),
    one("a default that is no route", "/parameters/default_route", "passage", SCHEMA, "passage",
        "one of the routes: query, document"),
    one("a key of its own", "/depth", 2, RECIPE, "depth", "types, structure, parameters"),
    one("ways of two widths", "/structure/document", ["document_0_Dense"], "evidence_conflict", "vectors of 20 numbers",
        "16, as of the route query", place="/structure/document/0"),
    Case("a Router in the place of Pooling", KIND, put("modules.json", "/1/type", "sentence_transformers.models.Router"),
         [at(RECIPE, "modules.json", "/1/type", "Router after Transformer", TYPES)]),
    Case("PEFT in the root", "classic",
         write("adapter_config.json", '{"peft_type":"LORA","base_model_name_or_path":"a/b"}'),
         [at("unsupported_config_variant", "adapter_config.json", "/peft_type", "LORA",
             "weights with the adapter merged into them, and no such file")]),
]  # fmt: skip
