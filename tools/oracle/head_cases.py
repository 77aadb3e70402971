"""The cases of heads for sequences: each family's class, with awkward numbers of labels, orders of id2label, and every
activation. Written with the packages of family_packages.py, without a module manifest."""

from dataclasses import dataclass, field

from family_packages import ROBERTA_TOKENS, FamilyCase
from gemma_cases import gemma
from jina_cases import code_of
from jina_v3_cases import FLASH_CODE
from llama_cases import BASE as LLAMA, BEGUN, CODE, of as decoder
from mistral_cases import GROWTH
from qwen_cases import QWEN
from qwen3_5_cases import DELTA, SPREAD as STATES
from qwen_moe_cases import EXPERTS, SPREAD


@dataclass
class HeadCase:
    package: FamilyCase
    activation: str
    task: str = "classify"
    limit: int = 32
    types: bool = True  # the class takes token types
    prompt: str = ""  # the default one, which stands in front of a query
    files: dict = field(default_factory=dict)  # beside config.json
    last_row: bool = False  # of products of all rows the class answers the last one's, where others give their mean
    modular: bool = False  # the package's modules make the logits, not a class
    chats: bool = False  # texts go through a chat template
    words: dict = field(default_factory=dict)  # entries of the vocabulary under other names

    @property
    def own_modules(self):
        """Whether the package keeps the modules that are written with it."""
        return self.modular and any(isinstance(module, dict) for module in self.package.modules)

    @property
    def by_cross_encoder(self):
        """Whether sentence-transformers' class speaks for it, and not transformers' pipeline."""
        return self.task == "rerank" or "CrossEncoder" in str(self.files.get("config_sentence_transformers.json"))

    @property
    def name(self):
        return self.package.name

    @property
    def config(self):
        return self.package.config


def labels(*names):
    """Out of order on purpose."""
    ids = list(range(len(names)))
    return {str(i): names[i] for i in ids[1:] + ids[:1]}


def own_files(**more):
    """What sentence-transformers 6.2 saves of a cross-encoder of modules, beside these."""
    return {
        "sentence_bert_config.json": {
            "transformer_task": "feature-extraction",
            "modality_config": {"text": {"method": "forward", "method_output_name": "last_hidden_state"}},
            "module_output_name": "token_embeddings",
        },
        "config_sentence_transformers.json": {
            "__version__": {"sentence_transformers": "6.2.0"}, "model_type": "CrossEncoder", **more,
        },
    }


def dense(rows, columns, activation="linear.Identity", output="sentence_embedding", **more):
    return {
        "in_features": columns, "out_features": rows, "bias": True,
        "activation_function": f"torch.nn.modules.{activation}",
        "module_input_name": "sentence_embedding", "module_output_name": output, **more,
    }


BASE = {
    "hidden_size": 24,
    "num_hidden_layers": 2,
    "num_attention_heads": 3,
    "intermediate_size": 40,
    "max_position_embeddings": 40,
}
ROBERTA = {**BASE, "pad_token_id": 1, "type_vocab_size": 1}
FLASH = {**ROBERTA, "use_flash_attn": True}
# The limit that the reference derives: positions behind the padding id are no places for tokens.
LENGTH = {"tokenizer_config": {"model_max_length": 32}}
# A tokenizer class without token types leaves them out, and the model takes zeros for a second text too.
TYPES = {"tokenizer_config": {"model_max_length": 32, "tokenizer_class": "BertTokenizer"}}


def of(family, name, about, model_type, architecture, config, **more):
    typed = family in ("bert", "gte", "nomic_bert", "new", "jina_bert", "jina_code")
    return FamilyCase(family, name, about, model_type, architecture, config, **{**(TYPES if typed else LENGTH), **more})


CASES = [
    HeadCase(
        of("bert", "bert_softmax", "Three labels out of order, softmax without a problem_type.", "bert",
           "BertForSequenceClassification",
           {**BASE, "hidden_act": "gelu", "layer_norm_eps": 1e-12, "id2label": labels("no", "maybe", "yes")}),
        "softmax",
    ),
    HeadCase(
        of("bert", "bert_multi_label", "Five labels of several at a time, tanh form of GELU, half precision.", "bert",
           "BertForSequenceClassification",
           {**BASE, "hidden_act": "gelu_new", "layer_norm_eps": 1e-3, "problem_type": "multi_label_classification",
            "id2label": labels("a", "b", "c", "d", "e")}, storage=("F16",)),
        "sigmoid",
    ),
    HeadCase(
        of("bert", "bert_rerank", "A cross-encoder of one label, as published: its activation named in config.json.", "bert",
           "BertForSequenceClassification",
           {**BASE, "hidden_act": "gelu", "layer_norm_eps": 1e-12, "id2label": {"0": "LABEL_0"},
            "sbert_ce_default_activation_function": "torch.nn.modules.linear.Identity"}),
        "none", "rerank",
    ),
    HeadCase(
        of("bert", "bert_saved_rerank", "A cross-encoder as sentence-transformers 6.2 saves it, with a default prompt.", "bert",
           "BertForSequenceClassification",
           {**BASE, "hidden_act": "gelu", "layer_norm_eps": 1e-12, "id2label": {"0": "LABEL_0"}}),
        "sigmoid", "rerank", prompt="the quick ",
        files={
            "modules.json": [
                {"idx": 0, "name": "0", "path": "", "type": "sentence_transformers.base.modules.transformer.Transformer"}
            ],
            "sentence_bert_config.json": {
                "transformer_task": "sequence-classification",
                "modality_config": {"text": {"method": "forward", "method_output_name": "logits"}},
                "module_output_name": "scores",
            },
            "config_sentence_transformers.json": {
                "__version__": {"sentence_transformers": "6.2.0"},
                "activation_fn": "torch.nn.modules.activation.Sigmoid",
                "default_prompt_name": "find",
                "model_type": "CrossEncoder",
                "prompts": {"find": "the quick ", "plain": ""},
            },
        },
    ),
    HeadCase(
        of("bert", "bert_saved_labels", "Three labels of a class as sentence-transformers 6.2 saves a cross-encoder: its activation "
           "is in force, and its prompt.", "bert", "BertForSequenceClassification",
           {**BASE, "hidden_act": "gelu", "layer_norm_eps": 1e-12, "id2label": labels("no", "maybe", "yes"),
            "problem_type": "single_label_classification"}),
        "sigmoid", prompt="the quick ",
        files={
            "modules.json": [
                {"idx": 0, "name": "0", "path": "", "type": "sentence_transformers.base.modules.transformer.Transformer"}
            ],
            "sentence_bert_config.json": {"transformer_task": "sequence-classification"},
            "config_sentence_transformers.json": {
                "activation_fn": "torch.nn.modules.activation.Sigmoid", "default_prompt_name": "find",
                "model_type": "CrossEncoder", "prompts": {"find": "the quick "},
            },
        },
    ),
    HeadCase(
        of("roberta", "roberta_regression", "One label that is a number.", "roberta", "RobertaForSequenceClassification",
           {**ROBERTA, "hidden_act": "gelu", "layer_norm_eps": 1e-5, "problem_type": "regression",
            "id2label": {"0": "score"}}, tokens=ROBERTA_TOKENS),
        "none",
    ),
    HeadCase(
        of("xlm_roberta", "xlm_roberta_rerank", "A cross-encoder without a word on its activation, bf16.", "xlm-roberta",
           "XLMRobertaForSequenceClassification",
           {**ROBERTA, "hidden_act": "gelu", "layer_norm_eps": 1e-5, "id2label": {"0": "LABEL_0"}},
           tokens=ROBERTA_TOKENS, storage=("BF16",)),
        "sigmoid", "rerank",
    ),
    HeadCase(
        of("camembert", "camembert_softmax", "Two labels, a declared single one.", "camembert",
           "CamembertForSequenceClassification",
           {**ROBERTA, "hidden_act": "relu", "layer_norm_eps": 1e-5, "problem_type": "single_label_classification",
            "id2label": labels("non", "oui")}, tokens=ROBERTA_TOKENS),
        "softmax",
    ),
    HeadCase(
        of("distilbert", "distilbert_softmax", "A ReLU between the two products, two shards of mixed types.", "distilbert",
           "DistilBertForSequenceClassification",
           {"dim": 24, "n_layers": 2, "n_heads": 3, "hidden_dim": 40, "max_position_embeddings": 40,
            "activation": "gelu", "id2label": labels("NEGATIVE", "POSITIVE")},
           layers="n_layers", width_key="dim", storage=("F32", "BF16"), shards=2),
        "softmax", types=False,
    ),
    HeadCase(
        of("mpnet", "mpnet_rerank", "A cross-encoder whose activation sentence-transformers' own file names.", "mpnet",
           "MPNetForSequenceClassification",
           {**BASE, "hidden_act": "gelu", "layer_norm_eps": 1e-5, "pad_token_id": 1, "id2label": {"0": "LABEL_0"}},
           tokens=ROBERTA_TOKENS),
        "sigmoid", "rerank", types=False,
        files={
            "config_sentence_transformers.json": {
                "model_type": "CrossEncoder",
                "activation_fn": "torch.nn.modules.activation.Sigmoid",
                "prompts": {},
                "default_prompt_name": None,
            }
        },
    ),
    HeadCase(
        of("deberta", "deberta_softmax", "Three labels of inference, a pooler with the tanh form of GELU.", "deberta-v2",
           "DebertaV2ForSequenceClassification",
           {**BASE, "hidden_act": "gelu", "layer_norm_eps": 1e-7, "relative_attention": True, "position_buckets": 8,
            "pos_att_type": ["p2c", "c2p"], "max_relative_positions": -1, "norm_rel_ebd": "layer_norm",
            "share_att_key": True, "position_biased_input": False, "type_vocab_size": 0,
            "pooler_hidden_act": "gelu_new", "pooler_hidden_size": 24,
            "id2label": labels("contradiction", "entailment", "neutral")}),
        "softmax",
    ),
    HeadCase(
        of("deberta", "deberta_rerank", "A cross-encoder with the default pooler, an activation inside config.json.", "deberta-v2",
           "DebertaV2ForSequenceClassification",
           {**BASE, "hidden_act": "gelu", "layer_norm_eps": 1e-7, "relative_attention": True, "position_buckets": 8,
            "pos_att_type": "p2c|c2p", "max_relative_positions": -1, "norm_rel_ebd": "layer_norm",
            "share_att_key": True, "position_biased_input": False, "type_vocab_size": 0,
            "id2label": {"0": "LABEL_0"},
            "sentence_transformers": {"activation_fn": "torch.nn.modules.activation.Sigmoid", "version": "6.2.0"}}),
        "sigmoid", "rerank",
    ),
    HeadCase(
        of("modernbert", "modernbert_cls", "First row, a transform without biases.", "modernbert",
           "ModernBertForSequenceClassification",
           {**BASE, "hidden_activation": "gelu", "norm_eps": 1e-5, "local_attention": 8, "classifier_pooling": "cls", "pad_token_id": 0, "bos_token_id": None, "eos_token_id": None, "cls_token_id": 2, "sep_token_id": 3,
            "id2label": labels("x", "y")}),
        "softmax", types=False,
    ),
    HeadCase(
        of("modernbert", "modernbert_mean", "Mean of rows, biases, another activation, several labels at a time.",
           "modernbert", "ModernBertForSequenceClassification",
           {**BASE, "hidden_activation": "gelu", "norm_eps": 1e-3, "local_attention": 8, "norm_bias": True, "pad_token_id": 0, "bos_token_id": None, "eos_token_id": None, "cls_token_id": 2, "sep_token_id": 3,
            "classifier_pooling": "mean", "classifier_bias": True, "classifier_activation": "silu",
            "problem_type": "multi_label_classification", "id2label": labels("x", "y", "z")}),
        "sigmoid", types=False,
    ),
    HeadCase(
        of("gte", "gte_softmax", "A pooler among the encoder's tensors, four labels.", "gte",
           "GteForSequenceClassification",
           {**BASE, "hidden_act": "gelu", "layer_norm_eps": 1e-12, "type_vocab_size": 2,
            "id2label": labels("n", "e", "s", "w")}),
        "softmax",
    ),
    HeadCase(
        of("jina_embeddings_v3", "jina_v3_softmax", "Rotary positions under a head of two products.",
           "jina_embeddings_v3", "JinaEmbeddingsV3ForSequenceClassification",
           {**BASE, "hidden_act": "gelu", "layer_norm_eps": 1e-5, "pad_token_id": 1, "type_vocab_size": 1,
            "id2label": labels("n", "y")}, tokens=ROBERTA_TOKENS),
        "softmax",
    ),
    HeadCase(
        of("eurobert", "eurobert_late", "The class's default: every row through the transform, the mean of the rows' logits; as "
           "published, the old key beside it and bf16.", "eurobert", "EuroBertForSequenceClassification",
           {**BASE, "hidden_act": "silu", "rms_norm_eps": 1e-5, "rope_theta": 250000, "clf_pooling": "late",
            "pad_token_id": 0, "id2label": labels("low", "middle", "high")}, storage=("BF16",)),
        "softmax", types=False,
    ),
    HeadCase(
        of("eurobert", "eurobert_bos", "A cross-encoder of the first row, key heads shared, in two shards.", "eurobert",
           "EuroBertForSequenceClassification",
           {**BASE, "num_attention_heads": 4, "num_key_value_heads": 2, "hidden_act": "silu", "classifier_pooling": "bos",
            "mlp_bias": True, "pad_token_id": 0, "id2label": {"0": "LABEL_0"}}, shards=2),
        "sigmoid", "rerank", types=False,
    ),
    HeadCase(
        of("eurobert", "eurobert_mean", "The mean of rows, eleven labels of several at a time: 10 stands before 2 as text.",
           "eurobert", "EuroBertForSequenceClassification",
           {**BASE, "hidden_act": "gelu", "classifier_pooling": "mean", "pad_token_id": 0,
            "problem_type": "multi_label_classification",
            "id2label": dict(sorted(labels(*(f"label {i}" for i in range(11))).items()))}),
        "sigmoid", types=False,
    ),
    HeadCase(
        of("ultrabert", "ultrabert_cls", "One product of the first row, keys of release 5.", "ultrabert",
           "UltrabertForSequenceClassification",
           {**BASE, "num_hidden_layers": 3, "sliding_window": 2, "id2label": labels("x", "y")}),
        "softmax", types=False,
    ),
    HeadCase(
        of("ultrabert", "ultrabert_mean", "A number from the mean, keys and names of the first release.", "ultrabert",
           "UltrabertForSequenceClassification",
           {**BASE, "attention_windows": [3, 0], "rope_theta": [500.0, 90000.0], "rms_norm_eps": 1e-5,
            "classifier_pooling": "mean", "problem_type": "regression", "id2label": {"0": "degree"}},
           renames=(("model.", "ultrabert."),)),
        "none", types=False,
    ),
    HeadCase(
        of("nomic_bert", "nomic_bert_softmax", "Keys and names of transformers' class, a pooler among the encoder's tensors.",
           "nomic_bert", "NomicBertForSequenceClassification",
           {**BASE, "hidden_act": "silu", "layer_norm_eps": 1e-12, "type_vocab_size": 2,
            "rope_parameters": {"rope_type": "default", "rope_theta": 1000.0}, "id2label": labels("n", "y", "?")}),
        "softmax",
    ),
    HeadCase(
        of("new", "new_softmax", "Positions by NTK under the publisher's copy of BERT's head.", "new",
           "NewForSequenceClassification",
           {**BASE, "hidden_act": "gelu", "layer_norm_eps": 1e-12, "type_vocab_size": 2, "rope_theta": 20000,
            "rope_scaling": {"factor": 2.0, "type": "ntk"}, "id2label": labels("a", "b", "c")}),
        "softmax",
    ),
    HeadCase(
        of("new", "new_rerank", "A cross-encoder as published: its classes named, no token types, half precision.", "new",
           "NewForSequenceClassification",
           {**BASE, "hidden_act": "gelu", "layer_norm_eps": 1e-5, "type_vocab_size": 0, "rope_theta": 20000,
            "id2label": {"0": "LABEL_0"},
            "auto_map": {"AutoConfig": "configuration.NewConfig",
                         "AutoModelForSequenceClassification": "modeling.NewForSequenceClassification"}},
           storage=("F16",), stand_in="new", tokenizer_config={"model_max_length": 32}),
        "sigmoid", "rerank", types=False,
    ),
    HeadCase(
        of("jina_bert", "jina_bert_rerank", "A cross-encoder as published: GEGLU, penalties of distance, BERT's head.", "bert",
           "JinaBertForSequenceClassification",
           {**BASE, "num_attention_heads": 6, "intermediate_size": 20, "position_embedding_type": "alibi",
            "feed_forward_type": "geglu", "hidden_act": "gelu", "layer_norm_eps": 1e-12, "type_vocab_size": 2,
            "emb_pooler": "mean", "id2label": {"0": "LABEL_0"},
            **code_of("jina-bert-implementation", "Model", "ForMaskedLM", "ForSequenceClassification")},
           stand_in="jina_bert"),
        "sigmoid", "rerank",
    ),
    HeadCase(
        of("jina_bert", "jina_bert_softmax", "ReLU gates and two labels.", "bert", "JinaBertForSequenceClassification",
           {**BASE, "num_attention_heads": 4, "intermediate_size": 20, "position_embedding_type": "alibi",
            "feed_forward_type": "reglu", "layer_norm_eps": 1e-3, "type_vocab_size": 2, "id2label": labels("n", "y"),
            **code_of("jina-bert-implementation", "ForSequenceClassification")},
           stand_in="jina_bert"),
        "softmax",
    ),
    HeadCase(
        of("jina_code", "jina_code_softmax", "The same head over the other encoder: GEGLU, four labels.", "bert",
           "JinaBertForSequenceClassification",
           {**BASE, "num_attention_heads": 6, "intermediate_size": 20, "position_embedding_type": "alibi",
            "feed_forward_type": "geglu", "hidden_act": "gelu", "layer_norm_eps": 1e-12, "type_vocab_size": 2,
            "id2label": labels("n", "e", "s", "w"),
            **code_of("jina-bert-v2-qk-post-norm", "Model", "ForMaskedLM", "ForSequenceClassification")},
           stand_in="jina_code"),
        "softmax",
    ),
    HeadCase(
        of("jina_code", "jina_code_rerank", "A cross-encoder of it: ReLU gates, half precision.", "bert",
           "JinaBertForSequenceClassification",
           {**BASE, "num_attention_heads": 4, "intermediate_size": 20, "position_embedding_type": "alibi",
            "feed_forward_type": "reglu", "layer_norm_eps": 1e-3, "type_vocab_size": 2, "id2label": {"0": "LABEL_0"},
            **code_of("jina-bert-v2-qk-post-norm", "ForSequenceClassification")},
           stand_in="jina_code", storage=("F16",)),
        "sigmoid", "rerank",
    ),
    HeadCase(
        of("xlm_roberta_flash", "flash_rerank", "A cross-encoder as jina-reranker-v2 is published: learned positions that count "
           "behind the padding id, the code's own files named, bf16.", "xlm-roberta", "XLMRobertaForSequenceClassification",
           {**FLASH, "position_embedding_type": "absolute", "hidden_act": "gelu", "layer_norm_eps": 1e-5,
            "lora_adaptations": None, "lora_rank": 4, "lora_alpha": 1, "lora_dropout_p": 0.0, "load_trained_adapters": False,
            "lora_main_params_trainable": False, "emb_pooler": None, "truncate_dim": None, "matryoshka_dimensions": None,
            "id2label": {"0": "LABEL_0"},
            "auto_map": {"AutoConfig": "configuration_xlm_roberta.XLMRobertaFlashConfig",
                         "AutoModel": "modeling_xlm_roberta.XLMRobertaModel",
                         "AutoModelForSequenceClassification": "modeling_xlm_roberta.XLMRobertaForSequenceClassification"}},
           tokens=ROBERTA_TOKENS, storage=("BF16",), stand_in="xlm_roberta_flash"),
        "sigmoid", "rerank",
    ),
    HeadCase(
        of("xlm_roberta_flash", "flash_softmax", "Rotary positions and the tanh form of GELU, three labels.", "xlm-roberta",
           "XLMRobertaForSequenceClassification",
           {**FLASH, "position_embedding_type": "rotary", "rotary_emb_base": 300.0, "hidden_act": "gelu_new",
            "layer_norm_eps": 1e-3, "id2label": labels("no", "maybe", "yes"),
            "auto_map": {"AutoConfig": FLASH_CODE + "configuration_xlm_roberta.XLMRobertaFlashConfig",
                         "AutoModelForSequenceClassification":
                             FLASH_CODE + "modeling_xlm_roberta.XLMRobertaForSequenceClassification"}},
           tokens=ROBERTA_TOKENS, stand_in="xlm_roberta_flash"),
        "softmax",
    ),
    HeadCase(
        of("bert", "modular_rerank", "A cross-encoder of modules as saved by sentence-transformers 6.2, a default prompt.", "bert",
           "BertModel", {**BASE, "hidden_act": "gelu", "layer_norm_eps": 1e-12},
           modules=["Pooling", 24, dense(10, 24, "activation.GELU"), dense(1, 10, output="scores")]),
        "sigmoid", "rerank", prompt="the quick ", modular=True,
        files=own_files(activation_fn="torch.nn.modules.activation.Sigmoid", keep_in_fp32_modules=["4.linear"],
                        default_prompt_name="find", prompts={"find": "the quick ", "plain": ""}),
    ),
    HeadCase(
        of("modernbert", "modular_first_row", "Its first row, a sum with the input, unit length, a product without bias; no "
           "activation by config.json, half precision.", "modernbert", "ModernBertModel",
           {**BASE, "hidden_activation": "gelu", "norm_eps": 1e-5, "local_attention": 8, "pad_token_id": 0,
            "bos_token_id": None, "eos_token_id": None, "cls_token_id": 2, "sep_token_id": 3,
            "sentence_transformers": {"activation_fn": "torch.nn.modules.linear.Identity", "version": "5.1.0"}},
           pooling={"pooling_mode": "cls"}, storage=("F16",), module_storage="F16",
           modules=["Pooling", dense(24, 24, "activation.SiLU", use_residual=True), "Normalize",
                    dense(1, 24, output="scores", bias=False)]),
        "none", "rerank", types=False, modular=True, files=own_files(prompts={}, default_prompt_name=None),
    ),
    HeadCase(
        of("roberta", "modular_labels", "Three labels from two ways to pool, widened by a projected sum; no activation is said.",
           "roberta", "RobertaModel",
           {**ROBERTA, "hidden_act": "gelu", "layer_norm_eps": 1e-5, "id2label": labels("no", "maybe", "yes")},
           tokens=ROBERTA_TOKENS, pooling={"pooling_mode": ["cls", "mean"]}, module_storage="BF16",
           modules=["Pooling", dense(20, 48, "activation.Tanh", use_residual=True), dense(3, 20, output="scores")]),
        "none", modular=True, files=own_files(),
    ),
    HeadCase(
        of("bert", "modular_two_scores", "Two products that both give scores, the last through tanh; an activation that config.json "
           "leaves open hides the old key.", "bert", "BertModel",
           {**BASE, "hidden_act": "relu", "layer_norm_eps": 1e-3, "sentence_transformers": {"activation_fn": None},
            "sbert_ce_default_activation_function": "torch.nn.modules.linear.Identity"},
           pooling={"pooling_mode": "max"},
           modules=["Pooling", dense(5, 24, "activation.ReLU", output="scores"),
                    {**dense(1, 5, "activation.Tanh", output="scores"), "module_input_name": "scores"}]),
        "sigmoid", "rerank", modular=True, files=own_files(activation_fn=None, keep_in_fp32_modules=[]),
    ),
    HeadCase(
        decoder("llama", "llama_labels", "Three labels out of order on the last row, which is the end token; the padding id is one "
                "that no text ends with.", "llama", "LlamaForSequenceClassification",
                {**LLAMA, "pad_token_id": 3, "id2label": labels("no", "maybe", "yes")}, **LENGTH),
        "softmax", types=False, last_row=True,
    ),
    HeadCase(
        decoder("llama", "llama_rerank", "A cross-encoder of one label by the tokenizer's template for two texts; both sides in "
                "sight, half precision, sharded.", "llama", "LlamaForSequenceClassification",
                {**LLAMA, "pad_token_id": 3, "is_causal": False, "attention_bias": True, "id2label": {"0": "LABEL_0"}},
                storage=("F16",), shards=2, **LENGTH),
        "sigmoid", "rerank", types=False, last_row=True,
    ),
    HeadCase(
        decoder("llama_bidirec", "llama_bidirec_rerank", "NVIDIA's class: one product of the mean, no activation.", "llama_bidirec",
                "LlamaBidirectionalForSequenceClassification",
                {**LLAMA, "pooling": "avg", "temperature": 1.0, "id2label": {"0": "LABEL_0"},
                 "sbert_ce_default_activation_function": "torch.nn.modules.linear.Identity",
                 "auto_map": {"AutoConfig": CODE + "Config",
                              "AutoModelForSequenceClassification": CODE + "ForSequenceClassification"}},
                stand_in="llama_bidirec", template=BEGUN, storage=("BF16",), **LENGTH),
        "none", "rerank", types=False,
    ),
    HeadCase(
        decoder("llama_bidirec", "llama_bidirec_last", "Five labels of the last row.", "llama_bidirec",
                "LlamaBidirectionalForSequenceClassification",
                {**LLAMA, "pooling": "last", "id2label": labels("a", "b", "c", "d", "e"),
                 "problem_type": "multi_label_classification"}, stand_in="llama_bidirec", **LENGTH),
        "sigmoid", types=False,
    ),
    HeadCase(
        decoder("llama_bidirec", "llama_bidirec_first", "Two labels of the first row.", "llama_bidirec",
                "LlamaBidirectionalForSequenceClassification",
                {**LLAMA, "pooling": "cls", "id2label": labels("n", "y")}, stand_in="llama_bidirec", **LENGTH),
        "softmax", types=False,
    ),
    HeadCase(
        decoder("qwen2", "qwen2_labels", "Two labels on the end token, which another one pads.", "qwen2",
                "Qwen2ForSequenceClassification",
                {**LLAMA, "pad_token_id": 281, "id2label": labels("n", "y")},
                **{**QWEN, "tokens": {"eos": "<|endoftext|>", "pad": "<|pad|>"},
                   "tokenizer_config": {**QWEN["tokenizer_config"], "model_max_length": 32}}),
        "softmax", types=False, last_row=True,
    ),
    HeadCase(
        decoder("qwen3", "qwen3_rerank", "A cross-encoder of one label, the difference of two words' rows as converted rerankers "
                "have it; no activation.", "qwen3", "Qwen3ForSequenceClassification",
                {**LLAMA, "head_dim": 12, "pad_token_id": 3, "id2label": {"0": "LABEL_0"},
                 "sentence_transformers": {"activation_fn": "torch.nn.modules.linear.Identity", "version": "5.1.0"}},
                storage=("BF16",), **LENGTH),
        "none", "rerank", types=False, last_row=True,
    ),
    HeadCase(
        decoder("qwen3_moe", "qwen3_moe_rerank", "A cross-encoder of one label behind experts, some layers without.", "qwen3_moe",
                "Qwen3MoeForSequenceClassification",
                {**LLAMA, **EXPERTS, "num_hidden_layers": 3, "decoder_sparse_step": 2, "head_dim": 12, "pad_token_id": 3,
                 "id2label": {"0": "LABEL_0"}},
                spread=SPREAD, singly=True, storage=("BF16",), **LENGTH),
        "sigmoid", "rerank", types=False, last_row=True,
    ),
    HeadCase(
        decoder("qwen3_5", "qwen3_5_rerank", "A cross-encoder of one label behind layers of both kinds.", "qwen3_5_text",
                "Qwen3_5TextForSequenceClassification",
                {**LLAMA, **DELTA, "full_attention_interval": 2, "head_dim": 8, "pad_token_id": 3, "id2label": {"0": "LABEL_0"}},
                spread=STATES, storage=("BF16",), **LENGTH),
        "sigmoid", "rerank", types=False, last_row=True,
    ),
    HeadCase(
        decoder("mistral", "mistral_labels", "A reward of one label, as the class gives it, behind a window.", "mistral",
                "MistralForSequenceClassification",
                {**LLAMA, "sliding_window": 4, "pad_token_id": 3, "problem_type": "regression", "id2label": {"0": "reward"}},
                **LENGTH),
        "none", types=False, last_row=True,
    ),
    HeadCase(
        decoder("ministral3", "ministral3_labels", "Five labels of several at a time.", "ministral3",
                "Ministral3ForSequenceClassification",
                {**LLAMA, "head_dim": 8, "rope_parameters": GROWTH, "pad_token_id": 3,
                 "problem_type": "multi_label_classification", "id2label": labels("a", "b", "c", "d", "e")},
                template=BEGUN, **LENGTH),
        "sigmoid", types=False, last_row=True,
    ),
    HeadCase(
        gemma("gemma", "gemma_rerank", "A cross-encoder of one label on the end token; the scale of embeddings, norms less one.",
              "GemmaForSequenceClassification", {**LLAMA, "head_dim": 10, "pad_token_id": 3, "id2label": {"0": "LABEL_0"}},
              storage=("BF16",), **LENGTH),
        "sigmoid", "rerank", types=False, last_row=True,
    ),
    HeadCase(
        gemma("gemma2", "gemma2_labels", "Three labels, scores below a cap, a window of four rows.", "Gemma2ForSequenceClassification",
              {**LLAMA, "head_dim": 8, "sliding_window": 4, "query_pre_attn_scalar": 8, "attn_logit_softcapping": 2.0,
               "pad_token_id": 3, "id2label": labels("no", "maybe", "yes")}, **LENGTH),
        "softmax", types=False, last_row=True,
    ),
    HeadCase(
        gemma("gemma3_text", "gemma3_text_labels", "Two labels on the last row of both sides' sight.",
              "Gemma3TextForSequenceClassification",
              {**LLAMA, "head_dim": 8, "sliding_window": 6, "query_pre_attn_scalar": 8, "use_bidirectional_attention": True,
               "pad_token_id": 3, "id2label": labels("n", "y"), "problem_type": "multi_label_classification"}, **LENGTH),
        "sigmoid", types=False, last_row=True,
    ),
]
