"""What sparse encoders are refused for: modules and their files, heads that a package or a family lacks, tied decoders."""

import json

from case import Case, at, nothing, tensor
from package_edit import add_tensor, copy, drop, drop_tensor, edits, put, remove, rename_tensor, retyped, safetensors, write

SPARSE = ("plan", "--json", "--task", "sparse")
MODULES, OWN, SETTINGS = "modules.json", "config_sentence_transformers.json", "sentence_bert_config.json"
POOLING, CONFIG, WEIGHTS = "1_SpladePooling/config.json", "config.json", "model.safetensors"
SPLADE, NEW = "sparse/bert_splade", "sparse/roberta_splade"
HEAD, RECIPE, MISSING = "unsupported_task_head", "unsupported_processor_recipe", "missing_required_tensor"
ROUTER, ROUTES, TABLE = "sparse/distilbert_router", "router_config.json", "query_0_SparseStaticEmbedding"
M3, LINEAR, PICKLE = "sparse/xlm_roberta_m3", "sparse_linear.safetensors", "sparse_linear.pt"
LEGACY = "sparse/deberta_splade"
CODES, AUTO = "sparse/bert_codes", "2_SparseAutoEncoder/"
IDF, ENCODER, IDF_TABLE = "sparse/bert_idf_router", "document_0_Transformer/", "query_0_SparseStaticEmbedding/config.json"
TABLE_FILE = "idf.json of the package, by its path from the root; or weights in the module's model.safetensors"
CHAIN = "Transformer (or MLMTransformer), then SpladePooling; or Transformer, Pooling, SparseAutoEncoder"
LISTS = "sentence_transformers.sparse_encoder.models."


def one(edit, problem, name, package=SPLADE, verb=SPARSE):
    return Case(f"{package} sparse: {name}", package, edit, [problem], verb=verb)


def key(file, name, value, code, found, allowed, package=SPLADE):
    return one(put(file, f"/{name}", value), at(code, file, f"/{name}", found, allowed), f"{file} {name} {value}", package)


def modules(*types):
    return write(MODULES, json.dumps([
        {"idx": i, "name": str(i), "path": "" if i == 0 else f"{i}_{t}", "type": LISTS + t} for i, t in enumerate(types)
    ]))


def missing(package, name, shape):
    return one(drop_tensor(name), tensor(MISSING, WEIGHTS, name, "absent", shape), f"no {name}", package)


def renamed(package, name, declared, shape):
    """Under its other name a missing tensor is reported as the family declares it."""
    return one(drop_tensor(name), tensor(MISSING, WEIGHTS, declared, "absent", shape), f"no {name}", package)


CASES = [
    # What kind of package it is.
    key(OWN, "model_type", "SentenceTransformer", HEAD, "SentenceTransformer", "SparseEncoder"),
    one(drop(OWN, "/model_type"), at(HEAD, OWN, "/model_type", "SentenceTransformer", "SparseEncoder"), "no kind"),
    one(remove(OWN), at(HEAD, OWN, "/model_type", "SentenceTransformer", "SparseEncoder"), "no file of its own"),
    one(remove(MODULES), at(HEAD, MODULES, None, "no such file", "the modules of a sparse encoder: " + CHAIN), "no modules"),
    Case("bert/classic sparse: a dense encoder", "bert/classic", nothing,
         [at(HEAD, OWN, "/model_type", "SentenceTransformer", "SparseEncoder")], verb=SPARSE),
    # Its modules.
    one(modules("MLMTransformer"), at(RECIPE, MODULES, None, "no SpladePooling module", CHAIN), "one module"),
    one(modules("SpladePooling", "SpladePooling"), at(RECIPE, MODULES, "/0/type", "SpladePooling", CHAIN), "no encoder"),
    one(modules("MLMTransformer", "SpladePooling", "SparseAutoEncoder"),
        at(RECIPE, MODULES, "/2/type", "SparseAutoEncoder", CHAIN), "an auto-encoder"),
    one(put(MODULES, "/1/type", "mine.SpladePooling"),
        at("custom_code_denied", MODULES, "/1/type", "mine.SpladePooling",
           "modules of sentence_transformers; code of a package is never run"), "code"),
    one(put(MODULES, "/1/path", ""), at(RECIPE, MODULES, "/1/path", "the package's root", "a folder of its own"),
        "pooling in the root"),
    one(put(MODULES, "/1/name", "0"), at("invalid_package_schema", MODULES, "/1/name", "0", "a name of its own"), "one name"),
    # Their settings.
    key(POOLING, "pooling_strategy", "mean", RECIPE, "mean", "max, sum"),
    key(POOLING, "activation_function", "gelu", RECIPE, "gelu", "relu, log1p_relu"),
    key(POOLING, "top_k", 4, RECIPE, "top_k",
        "pooling_strategy, activation_function, embedding_dimension, word_embedding_dimension, chunk_size"),
    key(POOLING, "word_embedding_dimension", 7, "evidence_conflict", "7", "189, the vocabulary of config.json"),
    one(remove(POOLING), at("component_missing", POOLING, None, "no such file", "pooling_strategy and activation_function"),
        "no file of the pooling"),
    one(drop(SETTINGS, "/transformer_task"), at(HEAD, SETTINGS, "/transformer_task", "absent: feature-extraction", "fill-mask"),
        "hidden rows, unsaid", NEW),
    key(SETTINGS, "transformer_task", "feature-extraction", HEAD, '"feature-extraction"', '"fill-mask"', NEW),
    key(OWN, "similarity_fn_name", "maxsim", RECIPE, "maxsim", "cosine, dot, euclidean, manhattan"),
    key(OWN, "default_prompt_name", "mine", RECIPE, "mine", "query, document"),
    # Routers: ways, and the table of words.
    one(edits(put(ROUTES, "/structure/other", ["other_0_MLMTransformer", "1_SpladePooling"]),
              put(ROUTES, "/types/other_0_MLMTransformer", LISTS + "MLMTransformer"),
              *(copy(name, "other_0_MLMTransformer/" + name) for name in (CONFIG, WEIGHTS))),
        at(RECIPE, ROUTES, "/structure/other/0", "another encoder, other_0_MLMTransformer/",
           "one encoder for all routes, that of the root"), "two encoders", ROUTER),
    one(drop(ENCODER + SETTINGS, "/transformer_task"),
        at(HEAD, ENCODER + SETTINGS, "/transformer_task", "absent: feature-extraction", "fill-mask"),
        "hidden rows of an encoder in a folder, unsaid", IDF),
    one(remove("idf.json"), at(RECIPE, IDF_TABLE, "/path", '"idf.json"', TABLE_FILE), "no table", IDF),
    key(IDF_TABLE, "path", "../idf.json", RECIPE, '"../idf.json"', TABLE_FILE, IDF),
    key(IDF_TABLE, "path", "somebody/idf.json", RECIPE, '"somebody/idf.json"', TABLE_FILE, IDF),
    one(write("idf.json", "[1]"), at("invalid_package_schema", "idf.json", None, "array", "an object"), "a list", IDF),
    one(write("idf.json", '{"the":1,"the":2}'),
        at("invalid_package_schema", "idf.json", "/the", "the key twice in one object", "each key once"), "a word twice", IDF),
    one(write("idf.json", "{}"), at("invalid_package_schema", "idf.json", None, "no tokens", "an object of tokens and weights"),
        "no weights", IDF),
    one(write("idf.json", '{"the":1,"a/b":"2"}'),
        at("invalid_package_schema", "idf.json", "/a~1b", '"2"', "a number that f32 has"), "a weight in words", IDF),
    one(write("idf.json", '{"the":1e39}'), at("invalid_package_schema", "idf.json", "/the", "1e+39", "a number that f32 has"),
        "a weight beyond f32", IDF),
    one(put(TABLE + "/tokenizer.json", "/model/vocab/extra", 189),
        at("evidence_conflict", TABLE + "/tokenizer.json", None, "190 tokens", "189, the width of a vector"),
        "a word too many", IDF),
    one(put(ROUTES, "/structure/document", [TABLE]), at(RECIPE, ROUTES, "/structure", "no way through an encoder", CHAIN),
        "tables alone", ROUTER),
    one(put(ROUTES, "/structure/query", [TABLE, "1_SpladePooling"]),
        at(RECIPE, ROUTES, "/structure/query/1", "SpladePooling", "nothing behind SparseStaticEmbedding"), "behind the table",
        ROUTER),
    key(f"{TABLE}/config.json", "path", "idf.json", RECIPE, '"idf.json"', TABLE_FILE, ROUTER),
    key(f"{TABLE}/config.json", "scale", 2, RECIPE, "scale", "frozen, path", ROUTER),
    one(remove(f"{TABLE}/tokenizer.json"),
        at("component_missing", f"{TABLE}/tokenizer.json", None, "no such file", "the module's tokenizer"), "no tokenizer", ROUTER),
    Case("sparse/distilbert_router sparse: weights of another name", ROUTER,
         rename_tensor("weight", "idf", f"{TABLE}/model.safetensors"),
         [tensor(MISSING, f"{TABLE}/model.safetensors", "weight", "absent", "vector [189]"),
          tensor("unexpected_tensor", f"{TABLE}/model.safetensors", "idf", "[189]",
                 "tensors of the family's declaration, or of a known unused group")], verb=SPARSE),
    # Heads: a decoder stands in for the table where config.json ties them, and nothing does where it does not.
    missing(SPLADE, "cls.predictions.transform.dense.weight", "matrix [24, 24]"),
    missing(NEW, "lm_head.layer_norm.bias", "vector [24]"),
    missing("sparse/distilbert_splade", "vocab_projector.bias", "vector [189]"),
    missing("sparse/bert_own_decoder", "cls.predictions.decoder.weight", "matrix [189, 24]"),
    missing("sparse/modernbert_splade", "decoder.bias", "vector [189]"),
    one(drop_tensor("cls.predictions.bias"),
        tensor(MISSING, WEIGHTS, "cls.predictions.decoder.bias", "absent", "vector [189]"), "no bias under either name"),
    Case(
        "sparse/bert_splade sparse: not tied and not stored",
        SPLADE,
        put(CONFIG, "/tie_word_embeddings", False),
        [
            tensor(MISSING, WEIGHTS, "cls.predictions.decoder.weight", "absent", "matrix [189, 24]"),
            tensor(MISSING, WEIGHTS, "cls.predictions.decoder.bias", "absent", "vector [189]"),
        ],
        verb=SPARSE,
    ),
    one(edits(modules("MLMTransformer", "SpladePooling"), write(POOLING, "{}"), write(OWN, '{"model_type": "SparseEncoder"}')),
        at(HEAD, CONFIG, "/model_type", "llama", "embed: no masked-LM head of llama is built"), "a family without a head",
        "heads/llama_labels"),
    # Of each other family: a tensor of its transform, its decoder or the decoder's bias.
    missing(LEGACY, "cls.predictions.transform.LayerNorm.weight", "vector [24]"),
    one(drop_tensor("cls.predictions.bias"),
        tensor(MISSING, WEIGHTS, "cls.predictions.decoder.bias", "absent", "vector [189]"), "no bias under either name", LEGACY),
    missing("sparse/deberta_narrow", "cls.predictions.decoder.weight", "matrix [189, 14]"),
    missing("sparse/deberta_new_head", "lm_predictions.lm_head.bias", "vector [189]"),
    missing("sparse/deberta_new_head", "lm_predictions.lm_head.dense.weight", "matrix [24, 24]"),
    key(CONFIG, "legacy", None, "invalid_package_schema", "null", "a value", LEGACY),
    missing("sparse/eurobert_splade", "lm_head.weight", "matrix [189, 24]"),
    missing("sparse/eurobert_tied", "lm_head.bias", "vector [189]"),
    renamed("sparse/ultrabert_splade", "cls.weight", "head.decoder.weight", "matrix [189, 24]"),
    missing("sparse/ultrabert_tied", "head.linear2.weight", "matrix [24, 30]"),
    Case(
        "sparse/ultrabert_splade sparse: another middle",
        "sparse/ultrabert_splade",
        put(CONFIG, "/prediction_head_size", 11),
        [
            tensor("shape_mismatch", WEIGHTS, "head.linear1.weight", "[10, 24]", "[11, 24]"),
            tensor("shape_mismatch", WEIGHTS, "head.linear2.weight", "[24, 10]", "[24, 11]"),
        ],
        verb=SPARSE,
    ),
    missing("sparse/nomic_bert_splade", "cls.predictions.transform.layer_norm.bias", "vector [24]"),
    missing("sparse/nomic_bert_own_decoder", "cls.predictions.decoder.weight", "matrix [189, 24]"),
    missing("sparse/nomic_bert_biases", "cls.predictions.decoder.bias", "vector [189]"),
    missing("sparse/nomic_bert_biases", "cls.predictions.transform.dense.bias", "vector [24]"),
    missing("sparse/gte_splade", "lm_head.norm.weight", "vector [24]"),
    renamed("sparse/gte_own_decoder", "lm_head.layer_norm.bias", "lm_head.norm.bias", "vector [24]"),
    missing("sparse/gte_own_decoder", "lm_head.decoder.bias", "vector [189]"),
    missing("sparse/new_splade", "lm_head.decoder.bias", "vector [189]"),
    # Only transformers' class has this name.
    one(rename_tensor("lm_head.norm.weight", "lm_head.layer_norm.weight"),
        tensor(MISSING, WEIGHTS, "lm_head.norm.weight", "absent", "vector [24]"), "the norm's other name", "sparse/new_splade"),
    missing("sparse/jina_v3_own_decoder", "lm_head.decoder.weight", "matrix [189, 24]"),
    missing("sparse/flash_splade", "lm_head.layer_norm.weight", "vector [24]"),
    missing("sparse/jina_bert_splade", "cls.predictions.transform.dense.bias", "vector [24]"),
    missing("sparse/jina_code_own_decoder", "cls.predictions.decoder.weight", "matrix [189, 24]"),
    # CSR: an auto-encoder behind a pooling.
    key(AUTO + "config.json", "k", 65, "invalid_package_schema", "65", "at most hidden_dim, 64", CODES),
    key(AUTO + "config.json", "normalize", 1, "invalid_package_schema", "1", "true or false", CODES),
    key(AUTO + "config.json", "top", 4, RECIPE, "top", "input_dim, hidden_dim, k, k_aux, normalize, dead_threshold", CODES),
    one(drop(AUTO + "config.json", "/input_dim"),
        at("invalid_package_schema", AUTO + "config.json", "/input_dim", "absent", "the width of the module before"),
        "no width", CODES),
    one(remove(AUTO + "config.json"),
        at("component_missing", AUTO + "config.json", None, "no such file", "input_dim, hidden_dim and k"),
        "no file of the auto-encoder", CODES),
    one(drop_tensor("pre_bias", AUTO + WEIGHTS),
        tensor(MISSING, AUTO + WEIGHTS, "pre_bias", "absent", "vector [24]"), "no bias before", CODES),
    one(drop_tensor("decoder.linear.weight", AUTO + WEIGHTS),
        tensor(MISSING, AUTO + WEIGHTS, "decoder.linear.weight", "absent", "matrix [64, 24]"), "no weight under either name", CODES),
    one(put("1_Pooling/config.json", "/include_prompt", False),
        at(RECIPE, "1_Pooling/config.json", "/include_prompt", "false", "true, before a SparseAutoEncoder"),
        "a pooling without the prompt", CODES),
    one(edits(put(MODULES, "/-", {"idx": 3, "name": "3", "path": "3_Normalize", "type": "sentence_transformers.models.Normalize"})),
        at(RECIPE, MODULES, "/3/type", "takes sentence_embedding", "a module that takes sparse codes"), "behind the codes", CODES),
    # BGE-M3's head beside a dense package (BR-059).
    one(drop_tensor("bias", LINEAR), tensor(MISSING, LINEAR, "bias", "absent", "vector [1]"), "no bias", M3),
    one(retyped("weight", "F32", [2, 12], LINEAR), tensor("shape_mismatch", LINEAR, "weight", "[2, 12]", "[1, 24]"),
        "a head of another width", M3),
    one(add_tensor("scale", "F32", [1], bytes(4), LINEAR),
        tensor("unexpected_tensor", LINEAR, "scale", "[1]", "tensors of the family's declaration, or of a known unused group"),
        "a tensor too many", M3),
    one(write(LINEAR, safetensors({})), at("component_missing", LINEAR, None, "no tensors", "safetensors weights of this module"),
        "a head without tensors", M3),
    one(write(LINEAR, "short"),
        at("artifact_malformed", LINEAR, None, "a file of 5 bytes", "at least the 8 bytes of the header length"), "a damaged head", M3),
    one(edits(remove(LINEAR), write(PICKLE, "pickle")),
        at("component_missing", PICKLE, None, "pickled weights, which are never opened",
           "sparse_linear.safetensors beside the model, with the tensors weight and bias"), "its head pickled", M3),
    one(remove(LINEAR), at(HEAD, OWN, "/model_type", "SentenceTransformer", "SparseEncoder"), "its head absent", M3),
    one(put("sentence_bert_config.json", "/do_lower_case", True),
        at(RECIPE, SETTINGS, "/do_lower_case", "true", "false: the heads' own library never reads it"), "lowercase first", M3),
    one(drop("tokenizer_config.json", "/eos_token"),
        at("preprocessing_contract_mismatch", "tokenizer_config.json", "/eos_token", "no token",
           "a token of the vocabulary, whose word gets no weight"), "no token of the end", M3),
]
