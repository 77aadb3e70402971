"""The packages of families.py and decoders.py: one a family, with the configuration of a published model but for the number of layers,
which only multiplies every engine's time, and for vocabularies past what a tokenizer made here can say.
Standard library only."""

from dataclasses import dataclass, field


@dataclass
class Shape:
    like: str  # the published model whose configuration this is
    model_type: str
    tokenizer: str
    config: dict = field(default_factory=dict)
    layers: str = "num_hidden_layers"
    dtype: str = "float32"
    pooling: str = "mean"


BASE = {"hidden_size": 768, "num_attention_heads": 12, "intermediate_size": 3072}
ROBERTA = {**BASE, "max_position_embeddings": 514, "type_vocab_size": 1, "layer_norm_eps": 1e-5, "pad_token_id": 1}
SHAPES = {
    "bert": Shape("bert-base-uncased", "bert", "word_piece", {**BASE, "vocab_size": 30522}),
    "roberta": Shape("roberta-base", "roberta", "bpe", {**ROBERTA, "vocab_size": 50265}),
    "xlm-roberta": Shape("xlm-roberta-base", "xlm-roberta", "unigram", {**ROBERTA, "vocab_size": 40002}),
    "camembert": Shape("camembert-base", "camembert", "unigram", {**ROBERTA, "vocab_size": 32005}),
    "distilbert": Shape(
        "distilbert-base-uncased", "distilbert", "word_piece",
        {"dim": 768, "n_heads": 12, "hidden_dim": 3072, "vocab_size": 30522}, layers="n_layers",
    ),
    "mpnet": Shape(
        "all-mpnet-base-v2", "mpnet", "word_piece",
        {**BASE, "vocab_size": 30527, "max_position_embeddings": 514, "layer_norm_eps": 1e-5},
    ),
    "deberta-v2": Shape(
        "deberta-v3-base", "deberta-v2", "unigram",
        {**BASE, "vocab_size": 64100, "max_position_embeddings": 512, "type_vocab_size": 0, "layer_norm_eps": 1e-7,
         "relative_attention": True, "position_buckets": 256, "norm_rel_ebd": "layer_norm", "share_att_key": True,
         "pos_att_type": ["p2c", "c2p"], "position_biased_input": False, "max_relative_positions": -1,
         "pad_token_id": 1},
    ),
    "modernbert": Shape(
        "ModernBERT-base", "modernbert", "bpe",
        {**BASE, "intermediate_size": 1152, "vocab_size": 50368, "pad_token_id": 1, "bos_token_id": 0,
         "eos_token_id": 2, "cls_token_id": 0, "sep_token_id": 2},
    ),
    "eurobert": Shape(
        "EuroBERT-210m", "eurobert", "bpe",
        {**BASE, "vocab_size": 50304, "pad_token_id": 1, "bos_token_id": 0, "eos_token_id": 2, "mask_token_id": 4,
         "rope_parameters": {"rope_type": "default", "rope_theta": 250000.0}},
    ),
    # Its card says 150M parameters of width 768; the widths within are those that make so many with 22 layers.
    "ultrabert": Shape(
        "UltraBERT-150M", "ultrabert", "bpe",
        {**BASE, "intermediate_size": 1152, "vocab_size": 50304, "max_position_embeddings": 32768, "pad_token_id": 1},
    ),
    "nomic_bert": Shape("nomic-embed-text-v1.5", "nomic_bert", "word_piece", {**BASE, "vocab_size": 30528}),
    "gte": Shape(
        "gte-multilingual-base", "gte", "unigram", {**BASE, "vocab_size": 40048, "max_position_embeddings": 8192}
    ),
    "jina_embeddings_v3": Shape(
        "jina-embeddings-v3", "jina_embeddings_v3", "unigram",
        {"hidden_size": 1024, "num_attention_heads": 16, "intermediate_size": 4096, "vocab_size": 40002,
         "max_position_embeddings": 8194, "type_vocab_size": 1, "layer_norm_eps": 1e-5, "pad_token_id": 1},
    ),
}  # fmt: skip

# Of decoders.py: whole, and stored as they are published.
DECODERS = {
    "qwen3-0.6b": Shape(
        "Qwen3-Embedding-0.6B", "qwen3", "bpe",
        {"hidden_size": 1024, "num_hidden_layers": 28, "num_attention_heads": 16, "num_key_value_heads": 8,
         "head_dim": 128, "intermediate_size": 3072, "max_position_embeddings": 32768, "rope_theta": 1000000,
         "rms_norm_eps": 1e-6, "vocab_size": 151669, "tie_word_embeddings": True},
        dtype="bfloat16", pooling="lasttoken",
    ),
}
