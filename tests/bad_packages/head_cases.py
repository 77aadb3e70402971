"""What classifiers and cross-encoders refuse: heads, labels, activations, and files of a cross-encoder."""

import json

from case import Case, at, option, tensor
from config_cases import ACTIVATIONS as FUNCTIONS
from package_edit import drop_tensor, edits, put, remove, write

CONFIG, WEIGHTS, OWN = "config.json", "model.safetensors", "config_sentence_transformers.json"
CLASSIFY, RERANK = ("plan", "--json", "--task", "classify"), ("plan", "--json", "--task", "rerank")
VARIANT, SCHEMA, HEAD = "unsupported_config_variant", "invalid_package_schema", "unsupported_task_head"
ACTIVATIONS = "torch.nn.modules.activation.Sigmoid, torch.nn.modules.linear.Identity"


def one(package, verb, edit, problem, name=""):
    problems = problem if isinstance(problem, list) else [problem]
    return Case(f"{package} {verb[-1]}: {name or problem}", package, edit, problems, verb=verb)


def key(package, verb, name, value, code, found, allowed, pointer=None):
    return one(
        package, verb, put(CONFIG, f"/{name}", value), at(code, CONFIG, pointer or f"/{name}", found, allowed), f"{name} {value}"
    )


def labels(value, code, found, allowed, pointer="/id2label"):
    return key("heads/bert_softmax", CLASSIFY, "id2label", value, code, found, allowed, pointer)


def own(name, value, code, found, allowed):
    return one(
        "heads/bert_saved_rerank", RERANK, put(OWN, f"/{name}", value), at(code, OWN, f"/{name}", found, allowed),
        f"{OWN} {name} {value}",
    )


def alone(content, pointer, found):
    """A file that the reference does not open, which says what config.json does not."""
    return one(
        "heads/bert_rerank", RERANK, write(OWN, json.dumps(content)),
        at("evidence_conflict", OWN, pointer, found,
           'beside modules.json, under model_type "CrossEncoder": else the reference does not read it'),
        f"{OWN} that no one reads {pointer}",
    )


def missing(package, name, shape):
    return one(package, CLASSIFY, drop_tensor(name), tensor("missing_required_tensor", WEIGHTS, name, "absent", shape), name)


CASES = [
    labels(None, "labels_missing", "null", "a name for each label"),
    labels({}, "labels_missing", "{}", "a name for each label"),
    labels({"0": "a", "2": "b", "3": "c"}, SCHEMA, '"3"', "ids 0 to 2, each once", "/id2label/3"),
    labels({"0": "a", "1": "b", "x": "c"}, SCHEMA, '"x"', "ids 0 to 2, each once", "/id2label/x"),
    labels({"0": "a", "1": "b", "2": 7}, SCHEMA, "7", "a string", "/id2label/2"),
    labels([1], SCHEMA, "[1]", "an object"),
    key("heads/bert_softmax", CLASSIFY, "num_labels", 2, "evidence_conflict", "2", "3, as id2label says"),
    key(
        "heads/bert_softmax", CLASSIFY, "problem_type", "ranking", VARIANT, "ranking",
        "regression, single_label_classification, multi_label_classification",
    ),
    key("heads/roberta_regression", CLASSIFY, "problem_type", "single_label_classification", VARIANT,
        "single_label_classification", "of several labels"),
    # Labels that the weights do not have.
    Case(
        "heads/bert_softmax: four labels over three rows",
        "heads/bert_softmax",
        put(CONFIG, "/id2label/3", "d"),
        [
            tensor("shape_mismatch", WEIGHTS, "classifier.weight", "[3, 24]", "[4, 24]"),
            tensor("shape_mismatch", WEIGHTS, "classifier.bias", "[3]", "[4]"),
        ],
        verb=CLASSIFY,
    ),
    missing("heads/bert_softmax", "classifier.weight", "matrix [3, 24]"),
    missing("heads/bert_softmax", "classifier.bias", "vector [3]"),
    missing("heads/bert_softmax", "bert.pooler.dense.weight", "matrix [24, 24]"),
    missing("heads/roberta_regression", "classifier.dense.weight", "matrix [24, 24]"),
    missing("heads/roberta_regression", "classifier.out_proj.bias", "vector [1]"),
    missing("heads/deberta_softmax", "pooler.dense.weight", "matrix [24, 24]"),
    missing("heads/modernbert_mean", "head.norm.bias", "vector [24]"),
    missing("heads/modernbert_mean", "head.dense.bias", "vector [24]"),
    missing("heads/eurobert_mean", "dense.weight", "matrix [24, 24]"),
    missing("heads/ultrabert_cls", "classifier.bias", "vector [2]"),
    missing("heads/nomic_bert_softmax", "nomic_bert.pooler.dense.weight", "matrix [24, 24]"),
    missing("heads/new_softmax", "new.pooler.dense.bias", "vector [24]"),
    missing("heads/jina_bert_softmax", "bert.pooler.dense.weight", "matrix [24, 24]"),
    missing("heads/jina_code_softmax", "bert.pooler.dense.weight", "matrix [24, 24]"),
    missing("heads/flash_softmax", "classifier.dense.weight", "matrix [24, 24]"),
    missing("heads/flash_softmax", "classifier.out_proj.bias", "vector [3]"),
    # Learned positions are looked up, and a class with a head has no adapters.
    one("heads/flash_rerank", RERANK, drop_tensor("roberta.embeddings.position_embeddings.weight"),
        tensor("missing_required_tensor", WEIGHTS, "roberta.embeddings.position_embeddings.weight", "absent", "table [40, 24]"),
        "no positions"),
    key("heads/flash_rerank", RERANK, "pad_token_id", 39, VARIANT, "39",
        "below vocab_size 189, and at least 2 below max_position_embeddings 40"),
    key("heads/flash_softmax", CLASSIFY, "position_embedding_type", "alibi", VARIANT, '"alibi"', '"rotary" | "absolute"'),
    one("xlm_roberta_flash/adapters", RERANK,
        edits(remove("modules.json"), put(CONFIG, "/architectures", ["XLMRobertaForSequenceClassification"]),
              put(CONFIG, "/id2label", {"0": "LABEL_0"})),
        [at(VARIANT, CONFIG, "/lora_adaptations",
            '["retrieval.query","retrieval.passage","separation","classification","text-matching"]',
            "absent or null: no class of this family has adapters and a head"),
         *(tensor("missing_required_tensor", WEIGHTS, f"classifier.{name}", "absent", shape) for name, shape in (
             ("dense.weight", "matrix [24, 24]"), ("dense.bias", "vector [24]"),
             ("out_proj.weight", "matrix [1, 24]"), ("out_proj.bias", "vector [1]")))], "adapters"),
    # Heads that a class does not have, or that are other tasks'.
    key("heads/bert_softmax", CLASSIFY, "architectures", ["BertForMaskedLM"], HEAD, "BertForMaskedLM",
        "a class ...ForSequenceClassification; this one is for embed", "/architectures"),
    key("heads/bert_softmax", CLASSIFY, "architectures", ["BertForTokenClassification"], HEAD,
        "BertForTokenClassification", "a class ...ForSequenceClassification; this one is for classify --task tokens", "/architectures"),
    one("heads/bert_softmax", RERANK, lambda folder: None,
        at(HEAD, CONFIG, "/id2label", "3 labels", "one label; this head is for classify"), "three labels"),
    key("heads/modernbert_cls", CLASSIFY, "classifier_pooling", "max", VARIANT, "max", "cls, mean"),
    key("heads/eurobert_mean", CLASSIFY, "classifier_pooling", "cls", VARIANT, "cls", "late, bos, mean"),
    # The reference does not read the old key: where it says something else, no one can be right.
    key("heads/eurobert_late", CLASSIFY, "clf_pooling", "mean", "evidence_conflict", '"mean"',
        '"late", which classifier_pooling says or leaves'),
    key("heads/ultrabert_cls", CLASSIFY, "classifier_pooling", "late", VARIANT, "late", "cls, mean"),
    key("heads/modernbert_cls", CLASSIFY, "classifier_activation", "swiglu", VARIANT, "swiglu", FUNCTIONS),
    key("heads/deberta_softmax", CLASSIFY, "pooler_hidden_size", 12, VARIANT, "12", "24, the width"),
    # Cross-encoders: activations that are no function of ours, files that say something else.
    own("activation_fn", "torch.nn.modules.activation.Tanh", VARIANT, "torch.nn.modules.activation.Tanh", ACTIVATIONS),
    own("activation_fn", "mine.Sigmoid", VARIANT, "mine.Sigmoid", ACTIVATIONS),
    own("model_type", "SentenceTransformer", HEAD, '"SentenceTransformer"', '"CrossEncoder"'),
    own("activation_fn", "torch.Sigmoid", VARIANT, "torch.Sigmoid", ACTIVATIONS),
    own("default_prompt_name", "mine", "unsupported_processor_recipe", "mine", "one of prompts: find, plain"),
    own("keep_in_fp32_modules", "0.model.classifier", SCHEMA, '"0.model.classifier"', "a list of paths of modules"),
    own("keep_in_fp32_modules", ["0.model.classifier", 1], SCHEMA, '["0.model.classifier",1]', "a list of paths of modules"),
    own("keep_in_fp32_modules", [""], SCHEMA, '[""]', "a list of paths of modules"),
    alone({"activation_fn": "torch.nn.modules.activation.Sigmoid"}, "/activation_fn", '"torch.nn.modules.activation.Sigmoid"'),
    alone({"model_type": "CrossEncoder", "prompts": {"q": "the "}, "default_prompt_name": "q"}, "/prompts/q", '"the "'),
    key("heads/bert_rerank", RERANK, "sbert_ce_default_activation_function", "sigmoid", VARIANT, "sigmoid", ACTIVATIONS),
    Case(
        "heads/deberta_rerank: an activation inside config.json",
        "heads/deberta_rerank",
        put(CONFIG, "/sentence_transformers/activation_fn", "torch.nn.Softmax"),
        [at(VARIANT, CONFIG, "/sentence_transformers/activation_fn", "torch.nn.Softmax", ACTIVATIONS)],
        verb=RERANK,
    ),
    labels({"0": "a", "1": "b", "01": "c"}, SCHEMA, '"01"', "ids 0 to 2, each once", "/id2label/01"),
    labels({"0": "a", "1": "b", " 2": "c"}, SCHEMA, '" 2"', "ids 0 to 2, each once", "/id2label/ 2"),
    labels({"0": "a", "1": "b", "-1": "c"}, SCHEMA, '"-1"', "ids 0 to 2, each once", "/id2label/-1"),
    # A lone module must be the library's Transformer, and give scores.
    one(
        "heads/bert_saved_rerank", RERANK, put("modules.json", "/0/type", "mine.Transformer"),
        at("custom_code_denied", "modules.json", "/0/type", "mine.Transformer",
           "modules of sentence_transformers; code of a package is never run"), "code",
    ),
    one(
        "heads/bert_saved_rerank", RERANK, put("sentence_bert_config.json", "/transformer_task", "feature-extraction"),
        at(HEAD, "sentence_bert_config.json", "/transformer_task", '"feature-extraction"', '"sequence-classification"'),
        "hidden rows",
    ),
    one("heads/bert_saved_rerank", RERANK, write("sentence_bert_config.json", "{}"),
        at(HEAD, "sentence_bert_config.json", "/transformer_task", "absent", '"sequence-classification"'), "no task said"),
    one("heads/bert_saved_labels", CLASSIFY, remove("sentence_bert_config.json"),
        at(HEAD, "sentence_bert_config.json", "/transformer_task", "absent", '"sequence-classification"'), "no task's file"),
    Case("heads/bert_softmax: pooling asked for", "heads/bert_softmax", lambda folder: None,
         [option("unsupported_option", "pooling", "mean", "of embeddings alone")], ("--pooling", "mean"),
         CLASSIFY, 2),
]
