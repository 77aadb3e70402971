"""A Router behind Pooling or in front of it, encoders in folders of their own, and adapters beside a model."""

from case import Case, at, tensor
from package_edit import copy, drop_tensor, edits, put, remove, write

ROUTER, KIND = "2_Router/router_config.json", "bert/routes"
RECIPE, SCHEMA = "unsupported_processor_recipe", "invalid_package_schema"
DENSE = "sentence_transformers.base.modules.dense.Dense"
ROUTED = "Dense, LayerNorm, Normalize, Dropout; one encoder and its Pooling stand before the Router"
TYPES = "Transformer, then Pooling, or StaticEmbedding first, then any of Dense, LayerNorm, Normalize, Dropout"
WHOLE, WAYS, ENCODER = "bert/routes_whole", "router_config.json", "query_0_Transformer/"
IN_ROUTE = "Transformer, then Pooling, then any of Dense, LayerNorm, Normalize, Dropout"
TRANSFORMER = "sentence_transformers.base.modules.transformer.Transformer"
FOLDER, OLD = "bert/encoder_folder", "0_Transformer/"
TOKENIZERS = (
    "tokenizer.json, or the files of AlbertTokenizer, BartTokenizer, BertTokenizer, CamembertTokenizer, ConvBertTokenizer, "
    "DebertaV2Tokenizer, DistilBertTokenizer, ElectraTokenizer, GPT2Tokenizer, GemmaTokenizer, LEDTokenizer, "
    "LayoutLMTokenizer, LlamaTokenizer, LongformerTokenizer, LxmertTokenizer, MPNetTokenizer, MobileBertTokenizer, "
    "Qwen2Tokenizer, RobertaTokenizer, SqueezeBertTokenizer, T5Tokenizer, XLMRobertaTokenizer"
)
ACTIVATIONS = (
    "gelu, gelu_python, gelu_new, gelu_fast, gelu_accurate, gelu_pytorch_tanh, gelu_python_tanh, gelu_10, quick_gelu, silu, "
    "swish, relu, relu2, relu6, leaky_relu, mish, hardswish, laplace, sqrtsoftplus, sigmoid, tanh, linear"
)
REFERENCE = "the package's root, which this task's reference opens"


def whole(name, edit, *problems):
    return Case(f"routes with the encoder: {name}", WHOLE, edit, list(problems))


def routed(pointer, value, found, allowed=IN_ROUTE, place=None):
    return whole(f"{pointer} {value}", put(WAYS, pointer, value), at(RECIPE, WAYS, place or pointer, found, allowed))


def folder(name, edit, *problems, **more):
    return Case(f"an encoder's folder: {name}", FOLDER, edit, list(problems), **more)


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
    # A Router that stands first: each route has the encoder and a pooling.
    routed("/structure/document", ["query_0_Transformer"], "no Pooling behind Transformer", place="/structure/document/0"),
    routed("/structure/query/1", "query_0_Transformer", "Transformer in a route"),
    routed("/structure/query/1", "query_2_Dense", "Dense in a route"),
    routed("/structure/document/2", "document_1_Pooling", "Pooling in a route"),
    whole("a table as a route",
          edits(put(WAYS, "/types/query_0_Static", "sentence_transformers.models.StaticEmbedding"),
                put(WAYS, "/structure/query", ["query_0_Static"])),
          at(RECIPE, WAYS, "/structure/query/0", "StaticEmbedding in a route", IN_ROUTE)),
    whole("an encoder for each route",
          edits(put(WAYS, "/types/document_0_Transformer", TRANSFORMER),
                put(WAYS, "/structure/document/0", "document_0_Transformer"),
                *(copy(ENCODER + name, "document_0_Transformer/" + name)
                  for name in ("config.json", "model.safetensors", "tokenizer.json", "tokenizer_config.json"))),
          at(RECIPE, WAYS, "/structure/document/0", "another encoder, document_0_Transformer/",
             "one encoder for all routes, " + ENCODER)),
    whole("a key of the encoder's settings", put(ENCODER + "sentence_bert_config.json", "/transformer_task", "fill-mask"),
          at("unsupported_task_head", ENCODER + "sentence_bert_config.json", "/transformer_task", '"fill-mask"',
             '"feature-extraction"')),
    whole("a wider pooling", put("document_1_Pooling/config.json", "/embedding_dimension", 32),
          at("evidence_conflict", "document_1_Pooling/config.json", "/embedding_dimension", "32",
             "24, the width of the module before")),
    # An encoder by the path of the first module.
    folder("no config", remove(OLD + "config.json"),
           at("component_missing", OLD + "config.json", None, "nothing", "the model's configuration"),
           at(RECIPE, OLD + "tokenizer.json", None, "nothing", TOKENIZERS)),
    folder("another folder", put("modules.json", "/0/path", "elsewhere"),
           at("component_missing", "elsewhere/model.safetensors", None, "no weights",
              "model.safetensors, or model.safetensors.index.json with its shards"),
           at("component_missing", "elsewhere/config.json", None, "nothing", "the model's configuration"),
           at("component_missing", "elsewhere/tokenizer.json", None, "nothing", TOKENIZERS)),
    folder("an activation", put(OLD + "config.json", "/hidden_act", "odd"),
           at("unsupported_config_variant", OLD + "config.json", "/hidden_act", "odd", ACTIVATIONS)),
    folder("a tensor", drop_tensor("embeddings.LayerNorm.bias", OLD + "model.safetensors"),
           tensor("missing_required_tensor", OLD + "model.safetensors", "embeddings.LayerNorm.bias", "absent", "vector [24]")),
    folder("a token twice", write(OLD + "vocab.txt", "a\nb\na\n"),
           at("invalid_package_schema", OLD + "vocab.txt", None, "line 3: a, a second time", "every token once")),
    folder("no vocabulary", remove(OLD + "vocab.txt"),
           at("component_missing", OLD + "vocab.txt", None, "nothing", "the vocabulary of BertTokenizer, or tokenizer.json")),
    folder("more tokens than rows", put(OLD + "config.json", "/vocab_size", 12),
           tensor("shape_mismatch", OLD + "model.safetensors", "embeddings.word_embeddings.weight", "[189, 24]", "[12, 24]"),
           at("preprocessing_contract_mismatch", OLD + "tokenizer.json", None, 'id 188 of "right"',
              "ids below 12, the rows of the token table")),
    folder("an adapter", write(OLD + "adapter_config.json", '{"peft_type":"LORA"}'),
           at("unsupported_config_variant", OLD + "adapter_config.json", "/peft_type", "LORA",
              "weights with the adapter merged into them, and no such file")),
    folder("classes of tokens", put(OLD + "config.json", "/architectures/0", "BertForTokenClassification"),
           at(RECIPE, "modules.json", "/0/path", OLD, REFERENCE), verb=("plan", "--json", "--task", "classify-tokens")),
    Case("PEFT in the root", "classic",
         write("adapter_config.json", '{"peft_type":"LORA","base_model_name_or_path":"a/b"}'),
         [at("unsupported_config_variant", "adapter_config.json", "/peft_type", "LORA",
             "weights with the adapter merged into them, and no such file")]),
]  # fmt: skip
