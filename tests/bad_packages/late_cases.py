"""What packages of late interaction refuse: chains, scoring masks, sides, and what they are not."""

import json

from case import Case, at, option, tensor
from package_edit import drop, drop_tensor, edits, put, remove, retyped, write

CONFIG, WEIGHTS, OWN, SETTINGS = "config.json", "model.safetensors", "config_sentence_transformers.json", "sentence_bert_config.json"
MASK, DENSE, MODULES = "2_MultiVectorMask/config.json", "1_Dense/config.json", "modules.json"
TOKENS = ("plan", "--json", "--task", "embed-tokens")
RECIPE, SCHEMA, CONFLICT, HEAD = (
    "unsupported_processor_recipe",
    "invalid_package_schema",
    "evidence_conflict",
    "unsupported_task_head",
)
TYPES = "Transformer, then any of Dense, MultiVectorMask, Normalize"
LATE = "sentence_transformers.multi_vector_encoder.modules."
M3, LINEAR = "late_interaction/xlm_roberta_m3", "colbert_linear.safetensors"
FIXED, PYLATE, STANFORD = "late_interaction/bert_fixed", "late_interaction/bert_pylate", "late_interaction/bert_stanford"


def one(package, edit, problem, name, verb=TOKENS, **more):
    return Case(f"{package}: {name}", package, edit, [problem], verb=verb, **more)


def key(file, name, value, code, found, allowed, package=FIXED, place=None):
    return one(package, put(file, f"/{name}", value), at(code, file, place or f"/{name}", found, allowed), f"{file} {name} {value}")


def expansion(name, value, code, found, allowed, place=None):
    return key(SETTINGS, f"query_expansion/{name}", value, code, found, allowed, place=place)



def chain(*entries):
    """modules.json of a Transformer and these: (class, folder)."""
    rows = [("sentence_transformers.models.Transformer", ""), *entries]
    return write(MODULES, json.dumps([{"idx": i, "name": str(i), "path": p, "type": t} for i, (t, p) in enumerate(rows)]))


CHOICES = "MultiVectorEncoder or ColBERT with modules.json, or the class HF_ColBERT with linear.weight"
ROWS = {"module_input_name": "token_embeddings"}
DEBERTA = edits(  # a package of another family, made one of late interaction
    chain((LATE + "multi_vector_mask.MultiVectorMask", "5_Mask"), ("sentence_transformers.models.Normalize", "6_Normalize")),
    write("5_Mask/config.json", "{}"),
    write("6_Normalize/config.json", json.dumps(ROWS)),
    write(OWN, json.dumps({"model_type": "MultiVectorEncoder"})),
    write(SETTINGS, json.dumps({"query_expansion": {"strategy": "fixed", "length": 8}})),
)

CASES = [
    # The chain: widths, names, what works on one vector of a text, what pools tokens.
    Case(
        "a projection of another width",
        FIXED,
        put(DENSE, "/in_features", 25),
        [
            tensor("shape_mismatch", "1_Dense/" + WEIGHTS, "linear.weight", "[16, 24]", "[16, 25]"),
            at(CONFLICT, DENSE, "/in_features", "25", "24, the width of the module before"),
        ],
        verb=TOKENS,
    ),
    key(DENSE, "module_input_name", "sentence_embedding", RECIPE, '"sentence_embedding"', '"token_embeddings" | null'),
    key(DENSE, "module_output_name", "sentence_embedding", RECIPE, '"sentence_embedding"', '"token_embeddings" | null'),
    *(
        key(MODULES, "1/type", LATE + f"token_pooling.{pooling}", RECIPE, f"{pooling} after Transformer", TYPES)
        for pooling in ("HierarchicalTokenPooling", "LambdaTokenPooling")
    ),
    key(MODULES, "3/type", "sentence_transformers.models.Pooling", RECIPE, "Pooling after MultiVectorMask", TYPES),
    key(MODULES, "3/type", "sentence_transformers.models.LayerNorm", RECIPE, "LayerNorm after MultiVectorMask", TYPES),
    key(MODULES, "3/type", LATE + "multi_vector_mask.MultiVectorMask", RECIPE, "a second MultiVectorMask", "one"),
    key(MODULES, "1/type", "pylate.models.colbert.ColBERT", "custom_code_denied", "pylate.models.colbert.ColBERT",
        "modules of sentence_transformers; code of a package is never run"),
    # The mask.
    key(MASK, "skip", True, RECIPE, "skip", "skiplist_words, skiplist_tasks, keep_only_token_ids"),
    key(MASK, "skiplist_words", "!,.", SCHEMA, '"!,."', "a list of strings"),
    key(MASK, "keep_only_token_ids", [1, -2], SCHEMA, "[1,-2]", "a list of token ids"),
    key(MASK, "skiplist_tasks", 5, SCHEMA, "5", "a string or a list of strings"),
    # Sides.
    expansion("strategy", "max", RECIPE, '"max"', "fixed, min"),
    expansion("mode", "x", RECIPE, "mode", "strategy, attend, token, length"),
    expansion("attend", "yes", SCHEMA, '"yes"', "true or false"),
    expansion("token", "[NONE]", "preprocessing_contract_mismatch", 'token "[NONE]"', "a token of the vocabulary",
              place="/query_expansion"),
    expansion("length", None, SCHEMA, "null", "how many tokens a query has at least"),
    expansion("length", 41, RECIPE, "41 tokens", "2 to 40", place="/query_expansion"),
    key(SETTINGS, "query_length", 11, CONFLICT, "11", "at least the 12 of query_expansion"),
    key(SETTINGS, "document_length", 1, RECIPE, "1 tokens", "2 to 40"),
    key("tokenizer_config.json", "padding_side", "left", RECIPE, "left", "right, for queries that are expanded"),
    key(OWN, "default_prompt_name", "query", RECIPE, "query", "null; --role chooses a prompt"),
    one(FIXED, chain(("sentence_transformers.base.modules.dense.Dense", "1_Dense")),
        at(RECIPE, SETTINGS, "/query_expansion", "query_expansion", "a MultiVectorMask among the modules, which scores it"),
        "expansion without a mask"),
    one("deberta/absolute", DEBERTA,
        at(RECIPE, SETTINGS, "/query_expansion", "expansion that no token sees",
           "attend true: rows that none sees are not built for this model"), "rows that none sees"),
    one("late_interaction/new_fixed", put(CONFIG, "/unpad_inputs", "true"),
        at(RECIPE, SETTINGS, "/query_expansion", "expansion that no token sees",
           "attend true: rows that none sees are not built for this model"), "rows that leave the pass"),
    Case("expansion past a limit that is asked for", FIXED, lambda folder: None,
         [option("unsupported_option", "max-length", "8", "at least 12, which every query is expanded to")],
         ("--max-length", "8"), TOKENS, 2),
    # PyLate's and Stanford's layouts.
    one(PYLATE, edits(chain(("pylate.models.Dense.Dense", "1_Dense"), (LATE + "multi_vector_mask.MultiVectorMask", "2_Mask")),
                      write("2_Mask/config.json", "{}")),
        at(RECIPE, OWN, "/model_type", "ColBERT with a MultiVectorMask", "MultiVectorEncoder, or no such module"), "two masks"),
    key(OWN, "query_length", "long", SCHEMA, '"long"', "a whole number from 1 to 2147483647", package=PYLATE),
    one(STANFORD, drop_tensor("linear.weight"),
        tensor("missing_required_tensor", WEIGHTS, "linear.weight", "absent", "the projection of every token"), "no projection"),
    one(STANFORD, write("artifact.metadata", json.dumps({"query_maxlen": "32"})),
        at(SCHEMA, "artifact.metadata", "/query_maxlen", '"32"', "a whole number from 1 to 2147483647"), "a length that is none"),
    one(STANFORD, write("artifact.metadata", "[]"),
        at(SCHEMA, "artifact.metadata", None, "array", "an object"), "metadata that is a list"),
    # What is no such package, and what such a package is not.
    one("classic", lambda folder: None,
        at(HEAD, OWN, "/model_type", "absent", CHOICES), "an encoder with a pooling"),
    one("heads/bert_softmax", lambda folder: None, at(HEAD, OWN, None, "no such file", CHOICES), "an encoder alone"),
    one(FIXED, remove(MODULES),
        at(HEAD, MODULES, None, "no such file",
           "modules.json of a MultiVectorEncoder or of PyLate, or HF_ColBERT with linear.weight"), "no modules"),
    # BGE-M3's head beside a dense package.
    one(M3, edits(remove(LINEAR), write("colbert_linear.pt", "pickle")),
        at("component_missing", "colbert_linear.pt", None, "pickled weights, which are never opened",
           "colbert_linear.safetensors beside the model, with the tensors weight and bias"), "a pickled projection"),
    one(M3, remove(LINEAR), at(HEAD, OWN, None, "no such file", CHOICES), "no projection"),
    one(M3, drop_tensor("bias", LINEAR), tensor("missing_required_tensor", LINEAR, "bias", "absent", "vector [16]"), "no bias"),
    one(M3, drop_tensor("weight", LINEAR),
        tensor("missing_required_tensor", LINEAR, "weight", "absent", "the projection of every token"), "no weight"),
    Case("a projection of another encoder", M3, retyped("weight", "F32", [8, 48], LINEAR),
         [tensor("shape_mismatch", LINEAR, "weight", "[8, 48]", "[8, 24]"),
          tensor("shape_mismatch", LINEAR, "bias", "[16]", "[8]")], verb=TOKENS),
    one(M3, write(LINEAR, "short"), at("artifact_malformed", LINEAR, None, "a file of 5 bytes", "at least the 8 bytes of the header length"), "a damaged projection"),
    *(
        one(package, lambda folder: None,
            at(HEAD, file, pointer, found, "SentenceTransformer; this one is for embed --task tokens"), "one vector", ("plan", "--json"))
        for package, file, pointer, found in (
            (FIXED, OWN, "/model_type", "MultiVectorEncoder"),
            (PYLATE, OWN, "/model_type", "ColBERT"),
            (STANFORD, CONFIG, "/architectures", "HF_ColBERT"),
        )
    ),
    Case("one vector by a pooling that is asked for", STANFORD, lambda folder: None,
         [at(HEAD, CONFIG, "/architectures", "HF_ColBERT", "SentenceTransformer; this one is for embed --task tokens")],
         ("--pooling", "mean")),
    Case("a pooling of tokens", FIXED, lambda folder: None,
         [option("unsupported_option", "pooling", "mean", "none: every token has a vector of its own")],
         ("--pooling", "mean"), TOKENS, 2),
]
