"""WeightedLayerPooling: layers that are not there, weights of another shape, places where it cannot stand."""

from case import Case, at, tensor
from package_edit import edits, put, remove, safetensors, write

LAYERS, KIND, UNUSED = "1_WeightedLayerPooling/config.json", "bert/layers", "bert/layers_unused"
WEIGHTS = "1_WeightedLayerPooling/model.safetensors"
RECIPE, CONFLICT, VARIANT = "unsupported_processor_recipe", "evidence_conflict", "unsupported_config_variant"
CLASS = "sentence_transformers.sentence_transformer.modules.weighted_layer_pooling.WeightedLayerPooling"
POOLING = "sentence_transformers.models.Pooling"
TYPES = "Transformer, then Pooling, or StaticEmbedding first, then any of Dense, LayerNorm, Normalize, Dropout"
ONCE = "one between Transformer and Pooling, for embeddings"


def one(name, pointer, value, code, found, allowed, file=LAYERS, package=KIND):
    return Case(name, package, put(file, pointer, value), [at(code, file, pointer, found, allowed)])


CASES = [
    # Of twelve layers, as the class has them by default: the weights are not as many either.
    Case("layers of another encoder", KIND, put(LAYERS, "/num_hidden_layers", 12),
         [tensor("shape_mismatch", WEIGHTS, "layer_weights", "[4]", "[12]"),
          at(CONFLICT, LAYERS, "/num_hidden_layers", "12", "4, the layers of the encoder")]),
    Case("a weight too few", KIND, put(LAYERS, "/layer_start", 0),
         [tensor("shape_mismatch", WEIGHTS, "layer_weights", "[4]", "[5]")]),
    one("no layer at all", "/layer_start", 5, "invalid_package_schema", "5", "at most num_hidden_layers, 4"),
    one("weights in the settings", "/layer_weights", [1, 1, 1, 1], RECIPE, "[1,1,1,1]", "null"),
    one("another width", "/embedding_dimension", 32, CONFLICT, "32", "24, the width of the module before"),
    one("single layers", "/output_hidden_states", [1, 2], VARIANT, "[1,2]", "true | false | null", "config.json"),
    Case("a second one", KIND, put("modules.json", "/2/type", CLASS),
         [at(RECIPE, "modules.json", "/2/type", "WeightedLayerPooling after WeightedLayerPooling", ONCE),
          at(RECIPE, "modules.json", "/3/type", "Dense after WeightedLayerPooling", TYPES)]),
    Case("in a cross-encoder", "heads/modular_rerank", put("modules.json", "/1/type", CLASS),
         [at(RECIPE, "modules.json", "/1/type", "WeightedLayerPooling after Transformer", ONCE),
          at(RECIPE, "modules.json", "/2/type", "LayerNorm after WeightedLayerPooling", TYPES)], verb=("plan", "--json", "--task", "rerank")),
    # The tensor that nothing reads must fit all the same: the library could not load it.
    Case("weights of another shape that nothing reads", UNUSED, put(LAYERS, "/layer_start", 1),
         [tensor("shape_mismatch", WEIGHTS, "layer_weights", "[3]", "[2]")]),
    Case("no weights", UNUSED, remove(WEIGHTS),
         [at("component_missing", WEIGHTS, "", "no tensors", "safetensors weights of this module")]),
    # Code of packages whose lists of layers nothing here is compared with.
    Case("layers that are not given out", "new/plain", edits(
            put("config.json", "/output_hidden_states", True),
            put("modules.json", "/2", {"name": "2", "path": "1_Pooling", "type": POOLING}),
            put("modules.json", "/1", {"name": "1", "path": "1_WeightedLayerPooling", "type": CLASS}),
            write(LAYERS, '{"embedding_dimension":24,"layer_start":2,"num_hidden_layers":2}'),
            write(WEIGHTS, safetensors({"layer_weights": {"dtype": "F32", "shape": [1], "data_offsets": [0, 4]}},
                                       bytes(4)))),
         [at(RECIPE, "modules.json", "/1/type", "WeightedLayerPooling: layers of new are not given out",
             "a family whose layers are, or output_hidden_states false")]),
]  # fmt: skip
