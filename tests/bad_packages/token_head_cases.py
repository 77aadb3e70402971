"""What token classifiers refuse: classes, labels, rows of the classifier, and options."""

from case import Case, at, nothing, option, tensor
from config_cases import ACTIVATIONS as FUNCTIONS
from package_edit import drop, drop_tensor, edits, put, remove, rename_tensor, write

CONFIG, WEIGHTS = "config.json", "model.safetensors"
TOKENS, CLASSIFY = ("plan", "--json", "--task", "classify-tokens"), ("plan", "--json", "--task", "classify")
SCHEMA, HEAD, OPTION = "invalid_package_schema", "unsupported_task_head", "unsupported_option"
BERT, MODERN, NEW = "token_heads/bert_entities", "token_heads/modernbert_biases", "token_heads/new_weights"


def one(package, name, edit, *problems, verb=TOKENS, options=(), exit=3):
    return Case(f"{package} tokens: {name}", package, edit, list(problems), options, verb, exit)


def key(package, name, value, code, found, allowed, pointer=None):
    problem = at(code, CONFIG, pointer or f"/{name}", found, allowed)
    return one(package, f"{name} {value}", put(CONFIG, f"/{name}", value), problem)


def labels(value, code, found, allowed, pointer="/id2label"):
    return key(BERT, "id2label", value, code, found, allowed, pointer)


def architecture(package, value, found, allowed, verb=TOKENS):
    return one(package, f"{verb[-1]} of {value}", put(CONFIG, "/architectures", value),
               at(HEAD, CONFIG, "/architectures", found, allowed), verb=verb)


def missing(package, name, shape):
    return one(package, name, drop_tensor(name), tensor("missing_required_tensor", WEIGHTS, name, "absent", shape))


CASES = [
    # Labels are the package's own, each once.
    labels(None, "labels_missing", "null", "a name for each label"),
    labels({}, "labels_missing", "{}", "a name for each label"),
    labels({"0": "O", "1": "B-X", "3": "I-X"}, SCHEMA, '"3"', "ids 0 to 2, each once", "/id2label/3"),
    labels({"0": "O", "1": "B-X", "-1": "I-X"}, SCHEMA, '"-1"', "ids 0 to 2, each once", "/id2label/-1"),
    labels({"0": "O", "01": "B-X", "1": "I-X"}, SCHEMA, '"1"', "ids 0 to 2, each once", "/id2label/1"),
    labels({"0": "O", "1": ["B-X"]}, SCHEMA, '["B-X"]', "a string", "/id2label/1"),
    labels("O", SCHEMA, '"O"', "an object"),
    one(BERT, "no id2label", drop(CONFIG, "/id2label"),
        at("labels_missing", CONFIG, "/id2label", "absent", "a name for each label")),
    key(BERT, "num_labels", 2, "evidence_conflict", "2", "5, as id2label says"),
    # Rows that the weights do not have.
    one(BERT, "six labels over five rows", put(CONFIG, "/id2label/5", "X"),
        tensor("shape_mismatch", WEIGHTS, "classifier.weight", "[5, 24]", "[6, 24]"),
        tensor("shape_mismatch", WEIGHTS, "classifier.bias", "[5]", "[6]")),
    missing(BERT, "classifier.weight", "matrix [5, 24]"),
    missing(BERT, "classifier.bias", "vector [5]"),
    missing(MODERN, "head.dense.weight", "matrix [24, 24]"),
    missing(MODERN, "head.dense.bias", "vector [24]"),
    missing(MODERN, "head.norm.weight", "vector [24]"),
    missing(NEW, "classifier.weight", "matrix [2, 24]"),
    missing("token_heads/jina_code_entities", "classifier.bias", "vector [4]"),
    missing("token_heads/ultrabert_entities", "classifier.bias", "vector [5]"),
    one(BERT, "the classifier under another name", rename_tensor("classifier.weight", "score.weight"),
        tensor("missing_required_tensor", WEIGHTS, "classifier.weight", "absent", "matrix [5, 24]"),
        tensor("unexpected_tensor", WEIGHTS, "score.weight", "[5, 24]",
               "tensors of the family's declaration, or of a known unused group")),
    # The transform of a class without biases in the file, and functions that are none of ours.
    key(MODERN, "classifier_activation", "swiglu", "unsupported_config_variant", "swiglu", FUNCTIONS),
    # Classes of other tasks, and what their packages are for.
    architecture(BERT, ["BertForSequenceClassification"], "BertForSequenceClassification",
                 "a class ...ForTokenClassification; this one is for classify or rerank"),
    architecture(BERT, ["BertForMaskedLM"], "BertForMaskedLM",
                 "a class ...ForTokenClassification; this one is for embed"),
    architecture(BERT, None, "absent", "a class ...ForTokenClassification; this one is for embed"),
    architecture(BERT, ["BertForTokenClassification"], "BertForTokenClassification",
                 "a class ...ForSequenceClassification; this one is for classify --task tokens", CLASSIFY),
    architecture("xlm_roberta_flash/without_adapters", ["XLMRobertaModel"], "XLMRobertaModel",
                 "embed: no token head of xlm_roberta_flash is built"),
    # A package that has lost its texts.
    one(BERT, "no tokenizer", remove("tokenizer.json"),
        at("component_missing", "vocab.txt", None, "nothing", "the vocabulary of BertTokenizer, or tokenizer.json")),
    one(BERT, "labels and tokenizer at once", edits(put(CONFIG, "/id2label", {}), write("tokenizer.json", "[]")),
        at(SCHEMA, "tokenizer.json", None, "array", "an object"),
        at("labels_missing", CONFIG, "/id2label", "{}", "a name for each label")),
    # Options that are of other tasks.
    one(BERT, "pooling", nothing, option(OPTION, "pooling", "mean", "of embeddings alone"), options=("--pooling", "mean"), exit=2),
    one(BERT, "a length past the positions", nothing, option(OPTION, "max-length", "41", "2 to 24"),
        options=("--max-length", "41"), exit=2),
]
