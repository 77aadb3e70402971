"""The cases of WeightedLayerPooling, one a family whose layers are given out: each a case of that family with the module
in front of its Pooling. The weights are of both signs and far from equal, the first layer is not the embeddings in all,
and without output_hidden_states, or with equal weights, the vectors differ."""

from dataclasses import replace

from bert_member_cases import CAMEMBERT, DISTILBERT, ROBERTA, XLM_ROBERTA
from deberta_cases import DEBERTA
from gte_cases import GTE
from jina_v3_cases import JINA_V3
from modernbert_cases import MODERNBERT
from mpnet_cases import MPNET
from nomic_cases import NOMIC_BERT
from packages import Layers
from rotary_cases import EUROBERT, ULTRABERT

WEIGHTS = [0.7, -0.4, 1.3, 0.25, 0.9]


def layers(cases, name, first=0):
    case = next(c for c in cases if c.name == name)
    count = case.config[case.layers] + 1
    return replace(
        case,
        name="layers",
        about=f"The case {name} with WeightedLayerPooling from layer {first} on.",
        config={**case.config, "output_hidden_states": True},
        modules=[Layers(first, WEIGHTS[: count - first], old=first == 0), *case.modules],
        shows={"output_hidden_states": False},
        agrees="",
        hidden=(),  # those of the case that it is made of
    )


LAYERS = [
    layers(ROBERTA, "plain"),
    layers(XLM_ROBERTA, "plain", 1),
    layers(CAMEMBERT, "plain", 1),
    layers(DISTILBERT, "plain"),
    layers(MPNET, "plain"),
    layers(MODERNBERT, "plain"),
    layers(DEBERTA, "v2_conv"),
    layers(EUROBERT, "shared_heads"),
    layers(ULTRABERT, "new_keys"),
    layers(NOMIC_BERT, "native"),
    layers(GTE, "plain"),
    layers(JINA_V3, "plain"),
]
