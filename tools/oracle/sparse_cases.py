"""The cases of sparse encoders: SPLADE on the masked-LM head of each family, in the shapes that files have: decoders tied
and stored, biases under either name, both poolings and activations, packages of old and of new releases."""

from dataclasses import dataclass, field

from family_packages import BERT_TOKENS, ROBERTA_TOKENS, FamilyCase
from packages import dense, vocabulary

OLD = "sentence_transformers.sparse_encoder.models."
NEW_ENCODER = "sentence_transformers.base.modules.transformer.Transformer"
NEW_TABLE = "sentence_transformers.sparse_encoder.modules.sparse_static_embedding.SparseStaticEmbedding"
CODES = "sentence_transformers.sparse_encoder.modules.sparse_auto_encoder.SparseAutoEncoder"
NEW_POOLING = "sentence_transformers.sparse_encoder.modules.splade_pooling.SpladePooling"


@dataclass
class SparseCase:
    package: FamilyCase
    pooling: dict  # config.json of SpladePooling
    old: bool = False  # as releases before 5.4 wrote it
    own: dict = field(default_factory=dict)  # of config_sentence_transformers.json
    shift: float = -7.0  # added to the decoder's biases, so that most numbers are zero
    roles: bool = False
    codes: dict | None = None  # config.json of a SparseAutoEncoder behind the package's modules
    token_weights: bool = False  # BGE-M3's head beside a dense package
    table: str = ""  # folder of a table of words that a router sends queries to; the encoder stays in the root

    @property
    def name(self):
        return self.package.name

    @property
    def modules(self):
        if self.table:
            return [{"idx": 0, "name": "0", "path": "", "type": "sentence_transformers.base.modules.router.Router"}]
        encoder, pooling = (OLD + "MLMTransformer", OLD + "SpladePooling") if self.old else (NEW_ENCODER, NEW_POOLING)
        return [
            {"idx": 0, "name": "0", "path": "", "type": encoder},
            {"idx": 1, "name": "1", "path": "1_SpladePooling", "type": pooling},
        ]

    @property
    def router(self):
        return {
            "types": {self.table: NEW_TABLE, "": OLD + "MLMTransformer", "1_SpladePooling": NEW_POOLING},
            "structure": {"query": [self.table], "document": ["", "1_SpladePooling"]},
            "parameters": {"default_route": "document", "allow_empty_key": True, "route_mappings": {}},
        }

    @property
    def settings(self):
        if self.old:
            return {"max_seq_length": 32, "do_lower_case": False}
        return {
            "max_seq_length": 32,
            "transformer_task": "fill-mask",
            "modality_config": {"text": {"method": "forward", "method_output_name": "logits"}},
            "module_output_name": "token_embeddings",
        }


BASE = {
    "hidden_size": 24,
    "num_hidden_layers": 2,
    "num_attention_heads": 3,
    "intermediate_size": 40,
    "max_position_embeddings": 40,
}
BERT = {**BASE, "hidden_act": "gelu", "layer_norm_eps": 1e-12}
ROBERTA = {**BASE, "pad_token_id": 1, "type_vocab_size": 1, "hidden_act": "gelu", "layer_norm_eps": 1e-5}
MODERN = {
    **BASE, "hidden_activation": "gelu", "norm_eps": 1e-5, "local_attention": 8, "pad_token_id": 0,
    "bos_token_id": None, "eos_token_id": None, "cls_token_id": 2, "sep_token_id": 3,
}
WORDS = len(vocabulary(BERT_TOKENS.values()))


def pooling(strategy, activation, size="embedding_dimension", dimension=None):
    return {"pooling_strategy": strategy, "activation_function": activation, size: dimension}


def of(family, name, about, model_type, architecture, config, **more):
    return FamilyCase(family, name, about, model_type, architecture, config, **more)


CASES = [
    SparseCase(
        of("bert", "bert_splade", "As first published: a tied decoder that is not stored, the largest.", "bert",
           "BertForMaskedLM", BERT),
        pooling("max", "relu", "word_embedding_dimension", WORDS), old=True,
    ),
    SparseCase(
        of("bert", "bert_own_decoder", "A decoder of its own with its bias, the sum, the tanh form of GELU.", "bert",
           "BertForMaskedLM", {**BERT, "hidden_act": "gelu_new", "tie_word_embeddings": False}),
        pooling("sum", "relu"), shift=-1.0,
    ),
    SparseCase(
        of("bert", "bert_two_decoders", "Tied by config.json, and stored all the same with other values: those count. "
           "Prompts by role, and at most 16 numbers.", "bert", "BertForMaskedLM", BERT,
           more_tensors={"cls.predictions.decoder.weight": (WORDS, 24), "cls.predictions.decoder.bias": (WORDS,)}),
        pooling("max", "log1p_relu"), shift=-0.5, roles=True,
        own={"prompts": {"query": "the quick ", "document": "river: "}, "max_active_dims": 16},
    ),
    SparseCase(
        of("roberta", "roberta_splade", "One bias under its older name, half precision.", "roberta", "RobertaForMaskedLM",
           ROBERTA, tokens=ROBERTA_TOKENS, storage=("F16",)),
        pooling("max", "relu"),
    ),
    SparseCase(
        of("xlm_roberta", "xlm_roberta_sum", "Sum of two logarithms, bf16; the head has the exact GELU beside a ReLU.",
           "xlm-roberta", "XLMRobertaForMaskedLM", {**ROBERTA, "hidden_act": "relu"}, tokens=ROBERTA_TOKENS,
           storage=("BF16",)),
        pooling("sum", "log1p_relu"),
    ),
    SparseCase(
        of("xlm_roberta", "xlm_roberta_m3", "BGE-M3: a dense package with its two heads beside it.", "xlm-roberta",
           "XLMRobertaModel", ROBERTA, tokens=ROBERTA_TOKENS, pooling={"pooling_mode": "cls"},
           tokenizer_config={"eos_token": "</s>"}),
        {}, token_weights=True,
    ),
    SparseCase(
        of("bert", "bert_codes", "CSR: an auto-encoder behind a pooling; its k of 64 numbers.", "bert", "BertModel", BERT,
           modules=["Pooling"]),
        {}, codes={"input_dim": 24, "hidden_dim": 64, "k": 6, "k_aux": 512, "normalize": False, "dead_threshold": 30},
        own={"similarity_fn_name": "cosine"},
    ),
    SparseCase(
        of("mpnet", "mpnet_codes", "CSR behind a Dense and a Normalize, half precision; more active numbers than k, prompts, "
           "the weight under its other name.", "mpnet", "MPNetModel",
           {**BERT, "layer_norm_eps": 1e-5, "pad_token_id": 1}, tokens=ROBERTA_TOKENS,
           modules=["Pooling", dense(24, 32, "Tanh"), "Normalize"], module_storage="F16",
           renames=(("decoder.linear.", "encoder."),)),
        {}, codes={"input_dim": 32, "hidden_dim": 80}, roles=True,
        own={"prompts": {"query": "the quick ", "document": "river: "}, "max_active_dims": 12},
    ),
    SparseCase(
        of("camembert", "camembert_splade", "Euclidean distance as the package's function.", "camembert",
           "CamembertForMaskedLM", ROBERTA, tokens=ROBERTA_TOKENS),
        pooling("max", "relu"), own={"similarity_fn_name": "euclidean"},
    ),
    SparseCase(
        of("distilbert", "distilbert_splade", "The two logarithms of inference-free retrieval, cosine.", "distilbert",
           "DistilBertForMaskedLM",
           {"dim": 24, "n_layers": 2, "n_heads": 3, "hidden_dim": 40, "max_position_embeddings": 40,
            "activation": "gelu"}, layers="n_layers", width_key="dim"),
        pooling("max", "log1p_relu"), old=True, own={"similarity_fn_name": "cosine"},
    ),
    SparseCase(
        of("distilbert", "distilbert_router", "Inference-free queries: a router to a table of words' weights, some zero, "
           "some negative; documents are encoded.", "distilbert", "DistilBertForMaskedLM",
           {"dim": 24, "n_layers": 1, "n_heads": 3, "hidden_dim": 40, "max_position_embeddings": 40,
            "activation": "gelu"}, layers="n_layers", width_key="dim"),
        pooling("max", "log1p_relu"), old=True, roles=True, table="query_0_SparseStaticEmbedding",
        own={"prompts": {"query": "the quick ", "document": ""}},
    ),
    SparseCase(
        of("mpnet", "mpnet_splade", "Manhattan distance as the package's function.", "mpnet", "MPNetForMaskedLM",
           {**BERT, "layer_norm_eps": 1e-5, "pad_token_id": 1}, tokens=ROBERTA_TOKENS),
        pooling("max", "relu"), own={"similarity_fn_name": "manhattan"},
    ),
    SparseCase(
        of("modernbert", "modernbert_splade", "A transform without biases.", "modernbert", "ModernBertForMaskedLM", MODERN),
        pooling("max", "relu"),
    ),
    SparseCase(
        of("modernbert", "modernbert_own_decoder", "A decoder of its own without a bias; a transform with all of them.",
           "modernbert", "ModernBertForMaskedLM",
           {**MODERN, "norm_eps": 1e-3, "norm_bias": True, "classifier_bias": True, "classifier_activation": "silu",
            "decoder_bias": False, "tie_word_embeddings": False}),
        pooling("sum", "relu"), shift=0.0,
    ),
]
