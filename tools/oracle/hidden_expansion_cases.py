"""Cases of late interaction whose queries end in expansion that no token sees, one a family: such rows are no keys beside
biases by distance, in windows, and where keys are shared. Made as those of multi_vector_cases.py are, and smaller."""

from dataclasses import replace

from gte_cases import GTE, NEW
from jina_cases import JINA_BERT, JINA_CODE
from jina_v3_cases import JINA_V3, XLM_ROBERTA_FLASH
from mpnet_cases import MPNET
from multi_vector_cases import OTHER_CLASS, PUNCTUATION, SIDES, expansion, native, rows
from nomic_cases import NOMIC_BERT
from rotary_cases import EUROBERT, ULTRABERT


def hidden(cases, name, about, length=12, strategy="fixed", token=None, **config):
    """The case of a family with a projection behind its encoder."""
    case = next(c for c in cases if c.name == name)
    made = native(
        replace(
            case,
            name=f"{case.family}_{strategy}",
            about=about,
            config={**case.config, **config},
            shows={},
            agrees="",
            modules=[rows(case.width, 8)],
            tokenizer_config=OTHER_CLASS["tokenizer_config"],
            max_seq_length=None,
            storage=("F16",),
            shards=1,
        ),
        {"max_seq_length": 24, "document_length": 16, "query_expansion": expansion(strategy, length, False, token)},
        SIDES, {"skiplist_words": PUNCTUATION},
    )
    return replace(made, texts=(1, 2, 4))


CASES = [
    hidden(MPNET, "plain", "A bias by distance; the padding token, whose position is its own, up to a least length.",
           strategy="min", token="<pad>", max_position_embeddings=40),
    hidden(EUROBERT, "shared_heads", "Key heads that are shared."),
    hidden(ULTRABERT, "new_keys", "Windows of two to either side, past which unseen rows see nothing.", length=20),
    hidden(NOMIC_BERT, "native", "Rotary positions."),
    hidden(GTE, "plain", "Rotary positions under transformers' own keys."),
    hidden(NEW, "plain", "NTK positions; packages of this class that say unpad_inputs are refused."),
    hidden(JINA_V3, "plain", "Two token types."),
    hidden(XLM_ROBERTA_FLASH, "without_adapters", "Without adapters."),
    hidden(JINA_BERT, "base_heads", "Scores that fall with the distance."),
    hidden(JINA_CODE, "reglu", "Scores that fall with the distance, norms of q and k."),
]
