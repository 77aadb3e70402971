"""The cases of heads for tokens: each family's class, with awkward numbers of labels and orders of id2label. Written with
the packages of family_packages.py, without a module manifest. Those with `spans` hold what transformers' pipeline makes
of every text under each aggregation; their tokenizers are of the kinds that tell words apart in different ways."""

from dataclasses import dataclass

from family_packages import ROBERTA_TOKENS, FamilyCase
from gemma_cases import gemma
from head_cases import BASE, LENGTH, ROBERTA, TYPES, labels
from jina_cases import code_of
from llama_cases import BASE as LLAMA, of as decoder
from mistral_cases import GROWTH
from qwen_cases import QWEN
from qwen_moe_cases import EXPERTS, SPREAD


@dataclass
class TokenCase:
    package: FamilyCase
    tokenizer: str = ""  # "bpe" or "unigram" in the place of WordPiece
    spans: bool = False
    limit: int = 24

    @property
    def name(self):
        return self.package.name


ENTITIES = labels("O", "B-PER", "I-PER", "B-LOC", "I-LOC")


def of(family, name, about, model_type, architecture, config, names, **more):
    base = TYPES if family in ("bert", "gte", "nomic_bert", "new", "jina_bert", "jina_code") else LENGTH
    settings = {**base["tokenizer_config"], "model_max_length": 24, **more.pop("tokenizer_config", {})}
    config = {**config, "id2label": names}
    return FamilyCase(family, name, about, model_type, architecture, config, tokenizer_config=settings, **more)


BERT = {**BASE, "hidden_act": "gelu", "layer_norm_eps": 1e-12}
WIDE = {**ROBERTA, "hidden_act": "gelu", "layer_norm_eps": 1e-5}
MODERN = {**BASE, "hidden_activation": "gelu", "local_attention": 8, "pad_token_id": 0, "bos_token_id": None,
          "eos_token_id": None, "cls_token_id": 2, "sep_token_id": 3}
DEBERTA = {**BASE, "hidden_act": "gelu", "layer_norm_eps": 1e-7, "relative_attention": True, "position_buckets": 8,
           "pos_att_type": ["p2c", "c2p"], "max_relative_positions": -1, "norm_rel_ebd": "layer_norm",
           "share_att_key": True, "position_biased_input": False, "type_vocab_size": 0}

CASES = [
    TokenCase(
        of("bert", "bert_entities", "Five labels out of order; WordPiece tells words by its prefix.", "bert",
           "BertForTokenClassification", BERT, ENTITIES),
        spans=True,
    ),
    TokenCase(
        of("bert", "bert_hyphens", "Labels with hyphens in other places, half precision; cut from the left; the tokenizer "
           "object has no unknown token, though the model of its file has.", "bert", "BertForTokenClassification", BERT,
           labels("B-work-of-art", "O", "I-work-of-art", "S-O", "x-y-z", "LOC", "B-", "-"), storage=("F16",),
           tokenizer_config={"tokenizer_class": "PreTrainedTokenizerFast", "unk_token": None, "truncation_side": "left"}),
        spans=True,
    ),
    TokenCase(
        of("roberta", "roberta_entities", "Byte-level BPE, whose words begin at blanks.", "roberta",
           "RobertaForTokenClassification", WIDE, ENTITIES, tokens=ROBERTA_TOKENS, spare_rows=180),
        tokenizer="bpe", spans=True,
    ),
    TokenCase(
        of("xlm_roberta", "xlm_roberta_entities", "Unigram, whose unknown tokens hold a whole word; bf16, two shards.",
           "xlm-roberta", "XLMRobertaForTokenClassification", WIDE, labels("I-PER", "O", "I-LOC", "B-LOC"), tokens=ROBERTA_TOKENS,
           storage=("BF16",), shards=2, spread={"classifier.weight": 0.9, "classifier.bias": 0.05}),
        tokenizer="unigram", spans=True,
    ),
    TokenCase(
        of("camembert", "camembert_tags", "Eleven labels without B- and I-: 10 stands before 2 as text.", "camembert",
           "CamembertForTokenClassification", {**WIDE, "hidden_act": "relu"},
           dict(sorted(labels(*(f"TAG {i}" for i in range(11))).items())), tokens=ROBERTA_TOKENS),
    ),
    TokenCase(
        of("distilbert", "distilbert_entities", "One product, where its class for sequences has two; mixed types.",
           "distilbert", "DistilBertForTokenClassification",
           {"dim": 24, "n_layers": 2, "n_heads": 3, "hidden_dim": 40, "max_position_embeddings": 40,
            "activation": "gelu"}, labels("O", "X"), layers="n_layers", width_key="dim", storage=("F32", "BF16")),
    ),
    TokenCase(
        of("mpnet", "mpnet_one", "A single label, whose score is always 1.", "mpnet", "MPNetForTokenClassification",
           {**BASE, "hidden_act": "gelu", "layer_norm_eps": 1e-5, "pad_token_id": 1}, {"0": "ONLY"},
           tokens=ROBERTA_TOKENS),
    ),
    TokenCase(
        of("deberta", "deberta_entities", "No pooler, and its keys without effect.", "deberta-v2",
           "DebertaV2ForTokenClassification",
           {**DEBERTA, "pooler_hidden_act": "gelu_new", "pooler_hidden_size": 24}, labels("a", "b", "c", "d")),
    ),
    TokenCase(
        of("modernbert", "modernbert_entities", "A transform with a norm on every row, without biases.", "modernbert",
           "ModernBertForTokenClassification", {**MODERN, "norm_eps": 1e-5, "classifier_pooling": "mean"},
           labels("O", "B-X", "I-X")),
    ),
    TokenCase(
        of("modernbert", "modernbert_biases", "A transform with biases and another activation.", "modernbert",
           "ModernBertForTokenClassification",
           {**MODERN, "norm_eps": 1e-3, "norm_bias": True, "classifier_bias": True, "classifier_activation": "silu"},
           labels("O", "B-X", "I-X", "B-Y", "I-Y", "B-Z", "I-Z")),
    ),
    TokenCase(
        of("gte", "gte_entities", "Names of transformers' class.", "gte", "GteForTokenClassification",
           {**BERT, "type_vocab_size": 2}, labels("n", "e", "s", "w")),
    ),
    TokenCase(
        of("new", "new_weights", "The publisher's copy of BERT's head, positions by NTK.", "new",
           "NewForTokenClassification",
           {**BERT, "type_vocab_size": 2, "rope_theta": 20000, "rope_scaling": {"factor": 2.0, "type": "ntk"}},
           labels("low", "high")),
    ),
    TokenCase(
        of("new", "new_one_weight", "An encoder as published beside a head of one label: its classes named, half precision.",
           "new", "NewForTokenClassification",
           {**BERT, "type_vocab_size": 1, "rope_theta": 20000,
            "auto_map": {"AutoConfig": "configuration.NewConfig", "AutoModel": "modeling.NewModel",
                         "AutoModelForTokenClassification": "modeling.NewForTokenClassification"}},
           {"0": "LABEL_0"}, storage=("F16",), stand_in="new"),
    ),
    TokenCase(
        of("jina_bert", "jina_bert_entities", "The publisher's copy of BERT's head over penalties of distance and GEGLU.", "bert",
           "JinaBertForTokenClassification",
           {**BERT, "num_attention_heads": 6, "intermediate_size": 20, "position_embedding_type": "alibi",
            "feed_forward_type": "geglu", "type_vocab_size": 2,
            **code_of("jina-bert-implementation", "Model", "ForTokenClassification")},
           labels("O", "B-A", "I-A", "B-B", "I-B", "B-C"), stand_in="jina_bert"),
    ),
    TokenCase(
        of("jina_code", "jina_code_entities", "The same head over the other encoder, half precision.", "bert",
           "JinaBertForTokenClassification",
           {**BERT, "num_attention_heads": 6, "intermediate_size": 20, "position_embedding_type": "alibi",
            "feed_forward_type": "geglu", "type_vocab_size": 2,
            **code_of("jina-bert-v2-qk-post-norm", "Model", "ForTokenClassification")},
           labels("O", "B-A", "I-A", "B-B"), storage=("F16",), stand_in="jina_code"),
    ),
    TokenCase(
        of("eurobert", "eurobert_entities", "One product, where its class for sequences has a transform.", "eurobert",
           "EuroBertForTokenClassification", {**BASE, "hidden_act": "silu", "pad_token_id": 0},
           labels("O", "B-A", "I-A")),
    ),
    TokenCase(
        of("ultrabert", "ultrabert_entities", "One product behind the identity.", "ultrabert",
           "UltrabertForTokenClassification", {**BASE, "num_hidden_layers": 3, "sliding_window": 2},
           labels("O", "B-A", "I-A", "B-B", "I-B")),
    ),
    TokenCase(
        of("nomic_bert", "nomic_bert_entities", "Keys and names of transformers' class.", "nomic_bert",
           "NomicBertForTokenClassification",
           {**BASE, "hidden_act": "silu", "layer_norm_eps": 1e-12, "type_vocab_size": 2,
            "rope_parameters": {"rope_type": "default", "rope_theta": 1000.0}}, labels("n", "y", "?")),
    ),
    TokenCase(
        of("jina_embeddings_v3", "jina_v3_entities", "Rotary positions under the one product.", "jina_embeddings_v3",
           "JinaEmbeddingsV3ForTokenClassification",
           {**BASE, "hidden_act": "gelu", "layer_norm_eps": 1e-5, "pad_token_id": 1, "type_vocab_size": 1},
           labels("n", "y", "m"), tokens=ROBERTA_TOKENS),
    ),
    TokenCase(
        decoder("llama", "llama_entities", "One product with a bias on rows that see what is before them.", "llama",
                "LlamaForTokenClassification", {**LLAMA, "id2label": labels("O", "B-X", "I-X")},
                tokenizer_config={"model_max_length": 24}),
    ),
    TokenCase(
        decoder("llama", "llama_entities_plain", "The same without a bias, two labels, half precision.", "llama",
                "LlamaForTokenClassification",
                {**LLAMA, "token_classification_bias": False, "id2label": labels("no", "yes")},
                storage=("F16",), tokenizer_config={"model_max_length": 24}),
    ),
    TokenCase(
        decoder("qwen2", "qwen2_entities", "Byte-level tokens with Qwen2's biases.", "qwen2", "Qwen2ForTokenClassification",
                {**LLAMA, "id2label": labels("O", "B-X", "I-X")},
                **{**QWEN, "tokenizer_config": {**QWEN["tokenizer_config"], "model_max_length": 24}}),
    ),
    TokenCase(
        decoder("qwen3", "qwen3_entities", "Norms of heads, both sides in sight.", "qwen3", "Qwen3ForTokenClassification",
                {**LLAMA, "head_dim": 8, "is_causal": False, "id2label": labels("O", "X")},
                tokenizer_config={"model_max_length": 24}),
    ),
    TokenCase(
        decoder("qwen3_moe", "qwen3_moe_entities", "Experts in one tensor, half precision.", "qwen3_moe",
                "Qwen3MoeForTokenClassification",
                {**LLAMA, **EXPERTS, "norm_topk_prob": True, "id2label": labels("O", "B-X", "I-X")},
                spread=SPREAD, storage=("F16",), tokenizer_config={"model_max_length": 24}),
    ),
    TokenCase(
        decoder("mistral", "mistral_entities", "A window of three rows.", "mistral", "MistralForTokenClassification",
                {**LLAMA, "sliding_window": 3, "id2label": labels("a", "b", "c", "d")},
                tokenizer_config={"model_max_length": 24}),
    ),
    TokenCase(
        decoder("ministral3", "ministral3_entities", "Queries that grow, a single label.", "ministral3",
                "Ministral3ForTokenClassification",
                {**LLAMA, "head_dim": 8, "rope_parameters": GROWTH, "id2label": {"0": "ONLY"}},
                tokenizer_config={"model_max_length": 24}),
    ),
    TokenCase(
        gemma("gemma", "gemma_entities", "Norms less one, heads wider together than the rows, half precision.",
              "GemmaForTokenClassification", {**LLAMA, "head_dim": 10, "id2label": labels("O", "B-X", "I-X")},
              storage=("F16",), tokenizer_config={"model_max_length": 24}),
    ),
    TokenCase(
        gemma("gemma2", "gemma2_entities", "A window of both sides, scores below a cap, no bias.", "Gemma2ForTokenClassification",
              {**LLAMA, "head_dim": 8, "is_causal": False, "sliding_window": 3, "query_pre_attn_scalar": 8,
               "attn_logit_softcapping": 2.0, "token_classification_bias": False, "id2label": labels("O", "X")},
              tokenizer_config={"model_max_length": 24}),
    ),
]
