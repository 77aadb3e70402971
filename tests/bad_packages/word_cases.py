"""What rerankers that answer with a word are refused for, and templates of conversations."""

import json

from case import at, nothing, problem, tensor
from cross_encoder_cases import BASE, CONFLICT, ENCODER, LOGIT_SCORE, RECIPE
from head_cases import CLASSIFY, CONFIG, HEAD, OWN, RERANK, SCHEMA, WEIGHTS, one
from package_edit import drop, drop_tensor, put, remove, write

JUDGE, TYPED, WORDS, CLASS = "heads/qwen3_yes_no", "heads/llama_one_word", "heads/mistral_words", "heads/llama_chat_class"
IDS, SETTINGS, TEMPLATE = "1_LogitScore/config.json", "sentence_bert_config.json", "chat_template.jinja"
MODULES = "modules.json"


def ids(pointer, value, code, found, allowed, package=JUDGE):
    return one(package, RERANK, put(IDS, f"/{pointer}", value), at(code, IDS, f"/{pointer}", found, allowed), f"{pointer} {value}")


def settings(pointer, value, found, allowed, code=RECIPE, where=None):
    return one(JUDGE, RERANK, put(SETTINGS, pointer, value), at(code, SETTINGS, where or pointer, found, allowed), f"{pointer} {value}")


def template(text, problem, name, package=JUDGE):
    return one(package, RERANK, write(TEMPLATE, text), problem, name)


CASES = [
    # The tokens.
    ids("true_token_id", 282, CONFLICT, "282", "below vocab_size 282"),
    ids("false_token_id", 4000, CONFLICT, "4000", "below vocab_size 282"),
    ids("false_token_id", 101, CONFLICT, "101", "another id than true_token_id: every score would be zero"),
    ids("true_token_id", None, SCHEMA, "null", "the id of a token"),
    ids("true_token_id", -1, SCHEMA, "-1", "a whole number from 0 to 2147483647"),
    ids("true_token_id", "yes", SCHEMA, '"yes"', "a whole number from 0 to 2147483647"),
    ids("module_input_name", "token_embeddings", RECIPE, '"token_embeddings"', '"causal_logits"'),
    ids("temperature", 2, RECIPE, "temperature", "true_token_id, false_token_id, module_input_name"),
    one(JUDGE, RERANK, remove(IDS),
        at("component_missing", IDS, None, "no such file", "true_token_id and false_token_id"), "no ids"),
    # The modules around them.
    one(JUDGE, RERANK, put(MODULES, "/1/name", "0"), at(SCHEMA, MODULES, "/1/name", "0", "a name of its own"), "a name twice"),
    one(JUDGE, RERANK, write(MODULES, json.dumps([ENCODER, {"idx": 1, "name": "1", "path": "1_LogitScore", "type": LOGIT_SCORE},
                                                  {"idx": 2, "name": "2", "path": "2_Dense", "type": f"{BASE}.dense.Dense"}])),
        at(RECIPE, MODULES, None, "3 modules", "Transformer, then LogitScore, and no other"), "one more"),
    one(JUDGE, CLASSIFY, nothing,
        at(HEAD, MODULES, None, "LogitScore", "modules that give labels; these are for rerank"), "a word is no label"),
    one(JUDGE, RERANK, put(OWN, "/model_type", "SentenceTransformer"),
        at(HEAD, OWN, "/model_type", '"SentenceTransformer"', '"CrossEncoder": the modules are those of embeddings'), "another's"),
    # The head.
    one(JUDGE, RERANK, put(CONFIG, "/tie_word_embeddings", False),
        tensor("missing_required_tensor", WEIGHTS, "lm_head.weight", "absent", "matrix [282, 24]"), "no head"),
    one(JUDGE, RERANK, drop(CONFIG, "/tie_word_embeddings"),
        tensor("missing_required_tensor", WEIGHTS, "lm_head.weight", "absent", "matrix [282, 24]"), "no head by default"),
    one(WORDS, RERANK, drop_tensor("lm_head.weight"),
        tensor("missing_required_tensor", WEIGHTS, "lm_head.weight", "absent", "matrix [188, 24]"), "a causal class without its head"),
    # What goes in and comes out of the model.
    settings("/transformer_task", "feature-extraction", '"feature-extraction"', '"text-generation"', HEAD),
    settings("/module_output_name", "scores", '"scores"', '"causal_logits"'),
    settings("/modality_config/image", {"method": "forward", "method_output_name": "logits"}, "image", "text, message"),
    settings("/modality_config/message/format", "xml", '"xml"', '"flat" | "structured" | "auto"'),
    settings("/modality_config/message/method", "generate", '"generate"', '"forward"'),
    settings("/processing_kwargs/text", {"max_length": 8}, '{"max_length":8}', '{} | {"logits_to_keep":1}'),
    settings("/processing_kwargs/chat_template/chat_template", "x", "chat_template",
             "add_generation_prompt, and variables of the template"),
    settings("/processing_kwargs/chat_template/add_generation_prompt", 1, "1", "true or false", SCHEMA),
    one(WORDS, RERANK, write(SETTINGS, '{"max_seq_length": 12}'),
        at(CONFLICT, SETTINGS, None, "settings of a module", "modules.json beside them: else the reference does not read them"),
        "settings that no one reads"),
    # The template.
    one(JUDGE, RERANK, remove(TEMPLATE),
        at("component_missing", TEMPLATE, None, "no template", "the template that modality_config asks for"), "no template"),
    template("{{ messages[0].content }}",
             at(RECIPE, TEMPLATE, None, "no text of the role document",
                "a template that writes the messages of the roles query and document"), "the query alone"),
    template("{% for m in messages if m.role == 'user' %}{{ m.content }}{% endfor %}",
             [at(RECIPE, TEMPLATE, None, f"no text of the role {role}",
                 "a template that writes the messages of the roles query and document") for role in ("query", "document")],
             "users alone, as decoders have it"),
    template("{{ cls_token }}{{ messages[0].content }}{{ messages[1].content }}",
             at(RECIPE, TEMPLATE, None, "reads cls_token", "special tokens that tokenizer_config.json writes"),
             "a token that is not written"),
    template("x\n{% for m in messages %}{{ m.content.nothing.at_all }}{% endfor %}",
             problem(RECIPE, {"file": TEMPLATE, "line": 2}, "`m.content.nothing.at_all`: 'str object' has no attribute 'nothing'",
                     "a request that the template accepts"), "an error in its second line"),
    template("{{ raise_exception('no role ' + messages[1].role) }}",
             problem(RECIPE, {"file": TEMPLATE, "line": 1},
                     "`raise_exception('no role ' + messages[1].role)`: the template refuses: no role document",
                     "a request that the template accepts"), "a refusal of its own"),
]
