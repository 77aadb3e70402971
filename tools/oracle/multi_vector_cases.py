"""The cases of late interaction: three layouts, sides with their lengths, expansions and skip lists. Written with the
packages of family_packages.py; what a layout has beside the encoder's files is in `files`."""

import string
from dataclasses import dataclass, field

from family_packages import ROBERTA_TOKENS, FamilyCase
from packages import NEW, OLD, dense

PUNCTUATION = list(string.punctuation)
MASK = "sentence_transformers.multi_vector_encoder.modules.multi_vector_mask.MultiVectorMask"
OWN, SETTINGS, METADATA = "config_sentence_transformers.json", "sentence_bert_config.json", "artifact.metadata"
BASE = {
    "hidden_size": 24,
    "num_hidden_layers": 2,
    "num_attention_heads": 3,
    "intermediate_size": 40,
    "max_position_embeddings": 40,
}
BERT = {**BASE, "hidden_act": "gelu", "layer_norm_eps": 1e-12}
ROBERTA = {**BASE, "hidden_act": "gelu", "layer_norm_eps": 1e-5, "pad_token_id": 1, "type_vocab_size": 1}
MODERN = {
    **BASE,
    "num_hidden_layers": 3,
    "global_attn_every_n_layers": 3,
    "hidden_activation": "gelu",
    "norm_eps": 1e-5,
    "local_attention": 8,
    "pad_token_id": 0,
    "bos_token_id": None,
    "eos_token_id": None,
    "cls_token_id": 2,
    "sep_token_id": 3,
}
DISTIL = {"dim": 24, "n_layers": 2, "n_heads": 3, "hidden_dim": 40, "max_position_embeddings": 40, "activation": "gelu"}
BERT_CLASS = {"tokenizer_config": {"model_max_length": 32, "tokenizer_class": "BertTokenizer"}}
OTHER_CLASS = {"tokenizer_config": {"model_max_length": 32}}
# As PyLate stores its prefixes: ordinary added tokens, which a lowercasing normaliser never meets again.
PYLATE_MARKERS = ("[Q] ", "[D] ")
STANFORD_MARKERS = ("[unused0]", "[unused1]")


@dataclass
class MultiVectorCase:
    package: FamilyCase
    files: dict = field(default_factory=dict)  # JSON beside config.json, or over it
    modules: list | None = None  # of modules.json behind the encoder: (folder, class, its config.json)
    architecture: str = ""  # instead of the encoder's, in config.json
    added: tuple = ()  # markers among the added tokens
    m3: bool = False  # BGE-M3's head beside a dense package, whose modules are the package's
    texts: tuple = (0, 1, 2, 3, 4, 5)  # of make_multi_vector_goldens.py
    words: tuple = ()  # markers among the vocabulary's

    @property
    def name(self):
        return self.package.name


def of(family, name, about, model_type, architecture, config, **more):
    typed = BERT_CLASS if family == "bert" else OTHER_CLASS
    more = {"modules": [rows(24, 16)], **typed, **more}
    markers = 2 if more.pop("markers", False) else 0
    return FamilyCase(
        family, name, about, model_type, architecture, config, max_seq_length=None, spare_rows=markers,
        **more,
    )


def rows(width, out, activation="torch.nn.modules.linear.Identity", bias=False, named=True, **more):
    """A Dense over the rows of tokens."""
    names = {"module_input_name": "token_embeddings", "module_output_name": "token_embeddings"} if named else {}
    return dense(width, out, activation, bias, **names, **more)


def own(model_type="MultiVectorEncoder", **more):
    return {"__version__": {"sentence_transformers": "6.2.0"}, "model_type": model_type, **more}


NORMALIZE = ("3_Normalize", NEW["Normalize"], {"module_input_name": "token_embeddings", "module_output_name": "token_embeddings"})


def mask(**config):
    return ("2_MultiVectorMask", MASK, {"skiplist_words": [], "skiplist_tasks": ["document"], "keep_only_token_ids": None, **config})


def expansion(strategy, length, attend=False, token=None):
    return {"strategy": strategy, "attend": attend, "token": token, "length": length}


DENSE = ("1_Dense", NEW["Dense"], None)
PYLATE_DENSE = ("1_Dense", "pylate.models.Dense.Dense", None)


def native(package, settings, own_config, mask_config, dense_rows=(DENSE,), normalize=True):
    return MultiVectorCase(
        package,
        {SETTINGS: settings, OWN: own(**own_config)},
        [*dense_rows, mask(**mask_config), *([NORMALIZE] if normalize else [])],
    )


def pylate(package, config, **more):
    return MultiVectorCase(package, {SETTINGS: {"max_seq_length": 31, "do_lower_case": False}, OWN: own("ColBERT", **config)},
                           [PYLATE_DENSE], **more)


def stanford(name, about, metadata):
    package = of("bert", name, about, "bert", "BertModel", BERT, modules=[], prefix="bert.",
                 renames=(("bert.linear.", "linear."),), more_tensors={"linear.weight": (16, 24)}, markers=True)
    return MultiVectorCase(package, {} if metadata is None else {METADATA: metadata}, None, "HF_ColBERT", words=STANFORD_MARKERS)


SIDES = {"prompts": {"query": "query: ", "document": "document: "}, "default_prompt_name": None, "similarity_fn_name": "maxsim"}

CASES = [
    native(
        of("bert", "bert_fixed", "sentence-transformers' layout: queries of a fixed length, nobody sees their expansion.",
           "bert", "BertModel", BERT),
        {"max_seq_length": 24, "document_length": 16, "query_expansion": expansion("fixed", 12)},
        SIDES, {"skiplist_words": PUNCTUATION},
    ),
    native(
        of("bert", "bert_min", "Queries of a least length, seen expansion by another token, skip list of both sides, two products.",
           "bert", "BertModel", BERT,
           modules=[rows(24, 32, "Tanh", True), rows(32, 32, "GELU", True, use_residual=True)]),
        {"max_seq_length": 24, "query_length": 14, "query_expansion": expansion("min", 9, True, "[SEP]")},
        {**SIDES, "prompts": {"query": "", "document": "document: "}, "similarity_fn_name": "meanmaxsim"},
        {"skiplist_words": [",", "!", "no such word", "##s"], "skiplist_tasks": ["query", "document"]},
        (DENSE, ("2_Dense", NEW["Dense"], None)),
    ),
    native(
        of("bert", "bert_lengths", "No expansion, lengths alone, only some tokens of documents, no normalisation.",
           "bert", "BertModel", BERT),
        {"max_seq_length": 24, "query_length": 8, "document_length": 28},
        {**SIDES, "similarity_fn_name": "cosine"}, {"keep_only_token_ids": [2, 3, 60, 61, 62, 63, 64, 65, 66, 67]},
        normalize=False,
    ),
    pylate(
        of("bert", "bert_pylate", "PyLate's layout: prefixes as added tokens, a Dense that names no input, punctuation by default.",
           "bert", "BertModel", BERT, modules=[rows(24, 16, named=False)], markers=True),
        {"query_prefix": "[Q] ", "document_prefix": "[D] ", "query_length": 12, "document_length": 18,
         "attend_to_expansion_tokens": False, "prompts": {}, "similarity_fn_name": "cosine"},
        added=PYLATE_MARKERS,
    ),
    pylate(
        of("bert", "bert_pylate_seen", "PyLate's layout: seen expansion, a prompt behind the prefix, own skip list, half precision.",
           "bert", "BertModel", BERT, modules=[rows(24, 16, named=False)], markers=True, storage=("F16",)),
        {"query_prefix": "[Q] ", "document_prefix": "[D] ", "query_length": 14, "document_length": None,
         "attend_to_expansion_tokens": True, "prompts": {"query": "the quick ", "document": "[D] brown "},
         "skiplist_words": ["!", "the"], "do_query_expansion": True},
        added=PYLATE_MARKERS,
    ),
    pylate(
        of("bert", "bert_pylate_text", "PyLate's layout without expansion or skip list; prefixes that no token spells.",
           "bert", "BertModel", BERT, modules=[rows(24, 16, named=False)]),
        {"query_prefix": "query: ", "document_prefix": "", "query_length": 10, "document_length": 18,
         "do_query_expansion": False, "skiplist_words": []},
    ),
    stanford("bert_stanford", "Stanford's layout without its metadata: markers of the vocabulary, 32 tokens.", None),
    stanford("bert_stanford_metadata", "Stanford's layout: seen expansion, lengths, other markers, punctuation scored.",
             {"query_maxlen": 10, "doc_maxlen": 14, "attend_to_mask_tokens": True, "mask_punctuation": False,
              "query_token_id": "[unused1]", "doc_token_id": "[unused0]", "dim": 16, "similarity": "cosine",
              "meta": {"hostname": "x"}}),
    native(
        of("roberta", "roberta_fixed", "Positions behind the padding id, unseen expansion.", "roberta", "RobertaModel", ROBERTA,
           tokens=ROBERTA_TOKENS),
        {"max_seq_length": 24, "query_expansion": expansion("fixed", 12)}, SIDES, {"skiplist_words": PUNCTUATION},
    ),
    native(
        of("roberta", "roberta_padding", "Expansion by the padding token, whose position is its own.", "roberta", "RobertaModel",
           ROBERTA, tokens=ROBERTA_TOKENS),
        {"max_seq_length": 24, "query_expansion": expansion("min", 12, False, "<pad>")}, SIDES, {},
    ),
    native(
        of("xlm_roberta", "xlm_roberta_fixed", "Unseen expansion.", "xlm-roberta", "XLMRobertaModel", ROBERTA, tokens=ROBERTA_TOKENS),
        {"max_seq_length": 24, "query_expansion": expansion("fixed", 12)}, SIDES, {},
    ),
    MultiVectorCase(
        FamilyCase("xlm_roberta", "xlm_roberta_m3", "BGE-M3: a dense package with its two heads beside it; no sides.",
                   "xlm-roberta", "XLMRobertaModel", ROBERTA, tokens=ROBERTA_TOKENS, pooling={"pooling_mode": "cls"},
                   tokenizer_config={"eos_token": "</s>"}),
        m3=True,
    ),
    native(
        of("camembert", "camembert_min", "Unseen expansion up to a least length.", "camembert", "CamembertModel", ROBERTA,
           tokens=ROBERTA_TOKENS),
        {"max_seq_length": 24, "query_expansion": expansion("min", 10)}, SIDES, {"skiplist_words": PUNCTUATION},
    ),
    native(
        of("distilbert", "distilbert_fixed", "A model without token types.", "distilbert", "DistilBertModel", DISTIL,
           layers="n_layers", width_key="dim"),
        {"max_seq_length": 24, "query_expansion": expansion("fixed", 12)}, SIDES, {"skiplist_words": PUNCTUATION},
    ),
    native(
        of("modernbert", "modernbert_fixed", "Windows of four to either side, past which unseen rows see nothing.", "modernbert",
           "ModernBertModel", MODERN),
        {"max_seq_length": 24, "document_length": 30, "query_expansion": expansion("fixed", 20)}, SIDES,
        {"skiplist_words": PUNCTUATION},
    ),
    pylate(
        of("modernbert", "modernbert_pylate", "PyLate's layout over ModernBERT, seen expansion.", "modernbert", "ModernBertModel",
           MODERN, modules=[rows(24, 16, named=False)], markers=True),
        {"query_prefix": "[Q] ", "document_prefix": "[D] ", "query_length": 16, "document_length": 20,
         "attend_to_expansion_tokens": True},
        added=PYLATE_MARKERS,
    ),
]
