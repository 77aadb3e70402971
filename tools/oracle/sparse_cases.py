"""The cases of sparse encoders: SPLADE on the masked-LM head of each family, in the shapes that files have: decoders tied
and stored, biases under either name, both poolings and activations, packages of old and of new releases."""

from dataclasses import dataclass, field

from family_packages import BERT_TOKENS, ROBERTA_TOKENS, FamilyCase
from gte_cases import GTE_FUSED, GTE_RENAMES
from jina_cases import code_of
from jina_v3_cases import FLASH_CODE
from nomic_cases import NOMIC_CODE, NOMIC_ORIGINAL
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
    saved: str = ""  # the class of the encoder where the library saves router and all, which gives it a folder
    idf: bool = False  # the table's weights are those of idf.json, by its path

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
DEBERTA = {
    **BASE, "hidden_act": "gelu", "layer_norm_eps": 1e-7, "relative_attention": True, "position_buckets": 8,
    "max_relative_positions": -1, "norm_rel_ebd": "layer_norm", "share_att_key": True, "pos_att_type": "p2c|c2p",
    "position_biased_input": False, "type_vocab_size": 0,
}
ROTARY = {**BASE, "pad_token_id": 0}
ROPE = {"rope_parameters": {"rope_type": "default", "rope_theta": 1000.0}}
GTE = {**BASE, "layer_norm_eps": 1e-12, "type_vocab_size": 2, "pad_token_id": 0}
# One layer: gates of the original class come in multiples of 256, but for a width beside them.
NOMIC = {**NOMIC_ORIGINAL, "n_layer": 1, "n_positions": 40, "intermediate_size": 40}
NOMIC_MAP = {**NOMIC_CODE, "AutoModelForMaskedLM": "nomic-ai/nomic-bert-2048--modeling_hf_nomic_bert.NomicBertForPreTraining"}
JINA = {
    **BASE, "intermediate_size": 20, "position_embedding_type": "alibi", "layer_norm_eps": 1e-12, "type_vocab_size": 2,
    "pad_token_id": 0,
}
FLASH = {
    **ROBERTA, "use_flash_attn": True,
    "auto_map": {
        "AutoConfig": FLASH_CODE + "configuration_xlm_roberta.XLMRobertaFlashConfig",
        "AutoModel": FLASH_CODE + "modeling_xlm_roberta.XLMRobertaModel",
        "AutoModelForMaskedLM": FLASH_CODE + "modeling_xlm_roberta.XLMRobertaForMaskedLM",
    },
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
        of("bert", "bert_codes_normalized", "CSR over vectors of mean zero and deviation one, by the deviation of a sample.",
           "bert", "BertModel", BERT, modules=["Pooling", dense(24, 20, "Tanh"), "Normalize"]),
        {}, codes={"input_dim": 20, "hidden_dim": 64, "k": 6, "k_aux": 512, "normalize": True, "dead_threshold": 30},
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
        of("distilbert", "distilbert_saved_router", "Inference-free queries as the library saves them: the encoder in a folder "
           "of its own, under the class that releases before 5.4 gave it.", "distilbert", "DistilBertForMaskedLM",
           {"dim": 24, "n_layers": 1, "n_heads": 3, "hidden_dim": 40, "max_position_embeddings": 40,
            "activation": "gelu"}, layers="n_layers", width_key="dim"),
        {"pooling_strategy": "max", "activation_function": "log1p_relu"}, roles=True,
        table="query_0_SparseStaticEmbedding", saved="MLMTransformer", own={"prompts": {"query": "the quick ", "document": ""}},
    ),
    SparseCase(
        of("bert", "bert_idf_router", "The same under the class of new releases; the weights of words in a JSON file, some of "
           "tokens that there are not.", "bert", "BertForMaskedLM", BERT),
        {"pooling_strategy": "max", "activation_function": "relu"}, roles=True, table="query_0_SparseStaticEmbedding",
        saved="Transformer", idf=True, own={"similarity_fn_name": "cosine"},
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
    SparseCase(
        of("deberta", "deberta_splade", "The older layout, which is the class's own choice, tied; the newer one's tensors beside "
           "it, as v3 is published.", "deberta-v2", "DebertaV2ForMaskedLM", DEBERTA,
           more_tensors={"lm_predictions.lm_head.dense.weight": (24, 24), "mask_predictions.dense.weight": (24, 24)}),
        pooling("max", "relu"),
    ),
    SparseCase(
        of("deberta", "deberta_narrow", "The older layout over a word table narrower than the rows, a decoder of its own, half "
           "precision.", "deberta-v2", "DebertaV2ForMaskedLM",
           {**DEBERTA, "hidden_act": "gelu_new", "layer_norm_eps": 1e-3, "embedding_size": 14, "legacy": True,
            "tie_word_embeddings": False}, storage=("F16",)),
        pooling("sum", "relu"), shift=-1.0,
    ),
    SparseCase(
        of("deberta", "deberta_new_head", "The newer layout: the word table whatever tie_word_embeddings says, and whatever is "
           "stored under its bias's module.", "deberta-v2", "DebertaV2ForMaskedLM",
           {**DEBERTA, "legacy": False, "tie_word_embeddings": False},
           more_tensors={"lm_predictions.lm_head.weight": (WORDS, 24)}),
        pooling("max", "log1p_relu"),
    ),
    SparseCase(
        of("eurobert", "eurobert_splade", "One product without a bias, its own as published, bf16.", "eurobert",
           "EuroBertForMaskedLM", {**ROTARY, "hidden_act": "silu", "rms_norm_eps": 1e-5, "rope_theta": 250000},
           storage=("BF16",)),
        pooling("max", "relu"),
    ),
    SparseCase(
        of("eurobert", "eurobert_tied", "The word table with a bias, which the MLPs' key brings.", "eurobert",
           "EuroBertForMaskedLM", {**ROTARY, "hidden_act": "gelu", "mlp_bias": True, "tie_word_embeddings": True}),
        pooling("sum", "relu"),
    ),
    SparseCase(
        of("ultrabert", "ultrabert_splade", "A narrow middle and a decoder of its own, keys and names of the first release.",
           "ultrabert", "UltrabertForMaskedLM",
           {**ROTARY, "attention_windows": [3, 0], "rope_theta": [500.0, 90000.0], "prediction_head_size": 10},
           renames=(("model.", "ultrabert."), ("head.decoder.", "cls."))),
        pooling("max", "relu"),
    ),
    SparseCase(
        of("ultrabert", "ultrabert_tied", "A middle wider than the rows and the word table, names of release 5, half precision.",
           "ultrabert", "UltrabertForMaskedLM",
           {**ROTARY, "sliding_window": 2, "prediction_head_size": 30, "tie_word_embeddings": True}, storage=("F16",)),
        pooling("sum", "log1p_relu"),
    ),
    SparseCase(
        of("nomic_bert", "nomic_bert_splade", "Keys and names of transformers' class, tied.", "nomic_bert",
           "NomicBertForMaskedLM", {**BASE, "hidden_act": "gelu_new", "layer_norm_eps": 1e-12, "type_vocab_size": 2, **ROPE}),
        pooling("max", "relu"),
    ),
    SparseCase(
        of("nomic_bert", "nomic_bert_own_decoder", "The same with a decoder of its own and its bias.", "nomic_bert",
           "NomicBertForMaskedLM",
           {**BASE, "hidden_act": "silu", "layer_norm_eps": 1e-3, "type_vocab_size": 2, **ROPE, "tie_word_embeddings": False}),
        pooling("sum", "relu"), shift=-1.0,
    ),
    SparseCase(
        of("nomic_bert", "nomic_bert_original", "As published: original keys, a SiLU in the head as in the gates, no bias "
           "anywhere, half precision.", "nomic_bert", "NomicBertForPreTraining",
           {**NOMIC, "activation_function": "swiglu", "mlp_fc1_bias": False, "auto_map": NOMIC_MAP}, width_key="n_embd",
           layers="n_layer", stand_in="nomic_bert_original", storage=("F16",)),
        pooling("max", "relu"),
    ),
    SparseCase(
        of("nomic_bert", "nomic_bert_biases", "Original keys, another gate, so the exact GELU in the head, and its biases.",
           "nomic_bert", "NomicBertForPreTraining",
           {**NOMIC, "activation_function": "glu", "mlp_fc1_bias": True, "layer_norm_epsilon": 1e-3}, width_key="n_embd",
           layers="n_layer", stand_in="nomic_bert_original"),
        pooling("sum", "log1p_relu"), shift=-2.0,
    ),
    SparseCase(
        of("gte", "gte_splade", "Names of the first release, tied; the exact GELU beside another in the encoder.", "gte",
           "GteForMaskedLM", {**GTE, "hidden_act": "silu", **ROPE},
           fused=GTE_FUSED, renames=(("gte.", "new."), *GTE_RENAMES)),
        pooling("max", "relu"),
    ),
    SparseCase(
        of("gte", "gte_own_decoder", "Names of transformers' class, a decoder of its own.", "gte", "GteForMaskedLM",
           {**GTE, "hidden_act": "gelu", "layer_norm_eps": 1e-3, **ROPE, "tie_word_embeddings": False}, storage=("BF16",)),
        pooling("sum", "relu"), shift=-1.0,
    ),
    SparseCase(
        of("new", "new_splade", "As published: its classes named, NTK, half precision, tied, the two logarithms.", "new",
           "NewForMaskedLM",
           {**GTE, "hidden_act": "gelu", "rope_theta": 20000, "rope_scaling": {"factor": 2.0, "type": "ntk"},
            "auto_map": {"AutoConfig": "Alibaba-NLP/new-impl--configuration.NewConfig",
                         "AutoModelForMaskedLM": "Alibaba-NLP/new-impl--modeling.NewForMaskedLM"}},
           storage=("F16",), stand_in="new"),
        pooling("max", "log1p_relu"),
    ),
    SparseCase(
        of("new", "new_own_decoder", "RMS norms in the layers and none in the head, another activation, a decoder of its own.",
           "new", "NewForMaskedLM",
           {**GTE, "hidden_act": "relu", "layer_norm_eps": 1e-3, "layer_norm_type": "rms_norm", "tie_word_embeddings": False}),
        pooling("sum", "relu"), shift=-1.0,
    ),
    SparseCase(
        of("jina_embeddings_v3", "jina_v3_splade", "The class's default eps, the exact GELU beside its tanh form.",
           "jina_embeddings_v3", "JinaEmbeddingsV3ForMaskedLM",
           {k: v for k, v in {**ROBERTA, "hidden_act": "gelu_new"}.items() if k != "layer_norm_eps"}, tokens=ROBERTA_TOKENS),
        pooling("max", "relu"),
    ),
    SparseCase(
        of("jina_embeddings_v3", "jina_v3_own_decoder", "A decoder of its own, bf16.", "jina_embeddings_v3",
           "JinaEmbeddingsV3ForMaskedLM", {**ROBERTA, "layer_norm_eps": 1e-3, "tie_word_embeddings": False},
           tokens=ROBERTA_TOKENS, storage=("BF16",)),
        pooling("sum", "relu"), shift=-1.0,
    ),
    SparseCase(
        of("xlm_roberta_flash", "flash_splade", "The publisher's class without adapters, rotary positions, half precision.",
           "xlm-roberta", "XLMRobertaForMaskedLM", {**FLASH, "position_embedding_type": "rotary"}, tokens=ROBERTA_TOKENS,
           storage=("F16",), stand_in="xlm_roberta_flash"),
        pooling("max", "relu"), shift=-1.0,
    ),
    SparseCase(
        of("xlm_roberta_flash", "flash_own_decoder", "Learned positions, the tanh form of GELU but in the head, a decoder of its own.",
           "xlm-roberta", "XLMRobertaForMaskedLM",
           {**FLASH, "position_embedding_type": "absolute", "hidden_act": "gelu_fast", "tie_word_embeddings": False},
           tokens=ROBERTA_TOKENS, stand_in="xlm_roberta_flash"),
        pooling("sum", "relu"), shift=-1.0,
    ),
    SparseCase(
        of("jina_bert", "jina_bert_splade", "GEGLU in the layers and hidden_act in the head, tied, half precision.", "bert",
           "JinaBertForMaskedLM",
           {**JINA, "feed_forward_type": "geglu", "hidden_act": "gelu_new", **code_of("jina-bert-implementation", "Model", "ForMaskedLM")},
           storage=("F16",), stand_in="jina_bert"),
        pooling("max", "relu"),
    ),
    SparseCase(
        of("jina_bert", "jina_bert_own_decoder", "A plain MLP, a decoder of its own.", "bert", "JinaBertForMaskedLM",
           {**JINA, "feed_forward_type": "original", "hidden_act": "relu", "layer_norm_eps": 1e-3, "tie_word_embeddings": False,
            **code_of("jina-bert-implementation", "ForMaskedLM")}, stand_in="jina_bert"),
        pooling("sum", "relu"), shift=-1.0,
    ),
    SparseCase(
        of("jina_code", "jina_code_splade", "The same head over the other encoder, tied.", "bert", "JinaBertForMaskedLM",
           {**JINA, "feed_forward_type": "geglu", "hidden_act": "gelu", **code_of("jina-bert-v2-qk-post-norm", "Model", "ForMaskedLM")},
           tokens=ROBERTA_TOKENS, stand_in="jina_code"),
        pooling("max", "relu"),
    ),
    SparseCase(
        of("jina_code", "jina_code_own_decoder", "A decoder of its own, bf16.", "bert", "JinaBertForMaskedLM",
           {**JINA, "feed_forward_type": "reglu", "hidden_act": "silu", "layer_norm_eps": 1e-3, "tie_word_embeddings": False,
            **code_of("jina-bert-v2-qk-post-norm", "ForMaskedLM")}, tokens=ROBERTA_TOKENS, storage=("BF16",), stand_in="jina_code"),
        pooling("sum", "relu"), shift=-1.0,
    ),
]
