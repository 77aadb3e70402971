"""What a cross-encoder of several modules is refused for: names of what they hand on, widths, labels, other modules."""

import json

from case import Case, at, nothing, tensor
from head_cases import CLASSIFY, HEAD, OWN, RERANK, SCHEMA, one
from package_edit import drop, put, remove, write

CHAIN, TWICE, LABELS = "heads/modular_rerank", "heads/modular_two_scores", "heads/modular_labels"
RECIPE, CONFLICT = "unsupported_processor_recipe", "evidence_conflict"
LAST = "4_Dense/config.json"
TYPES = (
    "Transformer, then Pooling, or StaticEmbedding first, then any of Dense, LayerNorm, Normalize, Dropout"
)
BASE = "sentence_transformers.base.modules"
ENCODER = {"idx": 0, "name": "0", "path": "", "type": f"{BASE}.transformer.Transformer"}
LOGIT_SCORE = "sentence_transformers.cross_encoder.modules.logit_score.LogitScore"


def key(file, name, value, code, found, allowed, package=CHAIN, verb=RERANK):
    return one(package, verb, put(file, f"/{name}", value), at(code, file, f"/{name}", found, allowed), f"{file} {name}")


def modules(*rows):
    return write("modules.json", json.dumps([ENCODER, *({"idx": i, "name": str(i), **r} for i, r in enumerate(rows, 1))]))


CASES = [
    # What one module hands to the next has a name, and the last must be the scores.
    one(CHAIN, RERANK, put(LAST, "/module_output_name", "sentence_embedding"),
        at(RECIPE, "modules.json", None, "no module gives scores", "a Dense whose module_output_name is scores"), "no scores"),
    key(LAST, "module_output_name", "logits", RECIPE, '"logits"', '"sentence_embedding" | "scores" | null'),
    key("3_Dense/config.json", "module_input_name", "token_embeddings", RECIPE, '"token_embeddings"',
        '"sentence_embedding" | null'),
    key("3_Dense/config.json", "module_input_name", "sentence_embedding", RECIPE, '"sentence_embedding"', '"scores"', TWICE),
    key("3_Dense/config.json", "module_output_name", "sentence_embedding", RECIPE, '"sentence_embedding"', '"scores" | null', TWICE),
    one(TWICE, RERANK,
        modules({"path": "1_Pooling", "type": "sentence_transformers.models.Pooling"},
                {"path": "2_Dense", "type": "sentence_transformers.models.Dense"},
                {"path": "9_Normalize", "type": f"{BASE}.normalize.Normalize"}),
        at(RECIPE, "modules.json", "/3/type", "takes sentence_embedding", "a module that takes scores"), "a norm past the scores"),
    # Widths, labels and their tensors.
    Case(
        f"{CHAIN}: a width that is not the one before", CHAIN, put(LAST, "/in_features", 9),
        [
            tensor("shape_mismatch", "4_Dense/model.safetensors", "linear.weight", "[1, 10]", "[1, 9]"),
            at(CONFLICT, LAST, "/in_features", "9", "10, the width of the module before"),
        ],
        verb=RERANK,
    ),
    key(LAST, "out_features", 2, HEAD, "2 labels", "one label; this head is for classify"),
    one(CHAIN, RERANK, remove("4_Dense/model.safetensors"),
        at("component_missing", "4_Dense/model.safetensors", None, "no tensors", "safetensors weights of this module"), "no tensors"),
    one(CHAIN, RERANK, remove(LAST),
        at("component_missing", LAST, None, "no such file", "in_features, out_features and the activation"), "no config"),
    one(LABELS, RERANK, nothing,
        at(HEAD, "3_Dense/config.json", "/out_features", "3 labels", "one label; this head is for classify"), "three labels"),
    one(LABELS, CLASSIFY, put("config.json", "/id2label/3", "d"),
        at(CONFLICT, "config.json", "/id2label", "4 labels", "3, the width of the last module"), "a label more"),
    one(LABELS, CLASSIFY, drop("config.json", "/id2label"),
        at("labels_missing", "config.json", "/id2label", "absent", "a name for each label"), "no labels"),
    one(LABELS, CLASSIFY, drop(OWN, "/model_type"),
        at(HEAD, OWN, "/model_type", "absent", '"CrossEncoder": the modules are those of embeddings'), "no model_type"),
    one(LABELS, CLASSIFY, remove(OWN),
        at(HEAD, OWN, "/model_type", "absent", '"CrossEncoder": the modules are those of embeddings'), "no file of its own"),
    one(CHAIN, RERANK, put(OWN, "/model_type", "SentenceTransformer"),
        at(HEAD, OWN, "/model_type", '"SentenceTransformer"', '"CrossEncoder": the modules are those of embeddings'), "another's"),
    # Other modules, and other encoders.
    one(CHAIN, RERANK, modules({"path": "1_LogitScore", "type": LOGIT_SCORE}),
        at(HEAD, "config.json", "/model_type", "bert", "a decoder with a built head for the next word"), "LogitScore"),
    one(CHAIN, RERANK, modules({"path": "4_Dense", "type": f"{BASE}.dense.Dense"}),
        at(RECIPE, "modules.json", "/1/type", "Dense after Transformer", TYPES), "no pooling"),
    one(CHAIN, RERANK, put("modules.json", "/3/type", "mine.Dense"),
        at("custom_code_denied", "modules.json", "/3/type", "mine.Dense",
           "modules of sentence_transformers; code of a package is never run"), "code"),
    one(CHAIN, RERANK, put("modules.json", "/3/name", "2"),
        at(SCHEMA, "modules.json", "/3/name", "2", "a name of its own"), "a name twice"),
    one(CHAIN, RERANK, put("sentence_bert_config.json", "/transformer_task", "text-generation"),
        at(HEAD, "sentence_bert_config.json", "/transformer_task", '"text-generation"', '"feature-extraction"'), "a decoder"),
    one(CHAIN, RERANK, put("1_Pooling/config.json", "/include_prompt", False),
        at(RECIPE, "1_Pooling/config.json", "/include_prompt", "false",
           "true: of a pair the reference counts a prompt that stands in the query"), "without the prompt"),
    key("3_Dense/config.json", "activation_function", "torch.nn.modules.activation.PReLU", RECIPE,
        "torch.nn.modules.activation.PReLU", "torch.nn: Identity, Tanh, ReLU, ReLU6, GELU, SiLU, Sigmoid, Mish, ELU, CELU, "
        "LeakyReLU, SELU, Hardtanh, Hardsigmoid, Hardswish, Hardshrink, Softshrink, Tanhshrink, Softplus, LogSigmoid, Softsign"),
    key(OWN, "activation_fn", "torch.nn.modules.activation.Softmax", "unsupported_config_variant",
        "torch.nn.modules.activation.Softmax", "torch.nn.modules.activation.Sigmoid, torch.nn.modules.linear.Identity",
        LABELS, CLASSIFY),
]
