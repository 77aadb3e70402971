"""The cases of every family but BERT, which has bert_cases.py; one file a family. Fields are awkward on purpose, and each
value that changes numbers is shown to do so: `shows` names another one, with which the vectors must differ."""

from bert_member_cases import CAMEMBERT, DISTILBERT, ROBERTA, XLM_ROBERTA
from deberta_cases import DEBERTA
from gemma_cases import GEMMA1, GEMMA2, GEMMA3
from gte_cases import GTE, NEW
from jina_cases import JINA_BERT, JINA_CODE
from jina_v3_cases import JINA_V3, XLM_ROBERTA_FLASH
from layer_cases import LAYERS
from llama_cases import LLAMA, LLAMA_BIDIREC
from mistral_cases import MINISTRAL3, MISTRAL
from modernbert_cases import MODERNBERT
from mpnet_cases import MPNET
from nomic_cases import NOMIC_BERT
from qwen_cases import PPLX_QWEN3, QWEN2, QWEN3
from qwen3_5_cases import QWEN3_5
from qwen_moe_cases import QWEN3_MOE
from rotary_cases import EUROBERT, ULTRABERT
from static_cases import STATIC

CASES = [
    *ROBERTA,
    *XLM_ROBERTA,
    *CAMEMBERT,
    *DISTILBERT,
    *MPNET,
    *MODERNBERT,
    *DEBERTA,
    *EUROBERT,
    *ULTRABERT,
    *NOMIC_BERT,
    *GTE,
    *NEW,
    *JINA_V3,
    *XLM_ROBERTA_FLASH,
    *JINA_BERT,
    *JINA_CODE,
    *LLAMA,
    *LLAMA_BIDIREC,
    *QWEN2,
    *QWEN3,
    *QWEN3_MOE,
    *PPLX_QWEN3,
    *QWEN3_5,
    *MISTRAL,
    *MINISTRAL3,
    *GEMMA1,
    *GEMMA2,
    *GEMMA3,
    *STATIC,
    *LAYERS,
]
