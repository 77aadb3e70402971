"""Jina's two encoders, whose classes transformers does not have, written straight down from their publisher's files and
registered with AutoModel under MODEL_TYPES, so that a package loads either like any other class.

Upstream: jinaai/jina-bert-implementation and jinaai/jina-bert-v2-qk-post-norm, modeling_bert.py (JinaBertEmbeddings,
JinaBertSelfAttention, JinaBertMLP, JinaBertGLUMLP, JinaBertLayer, JinaBertEncoder.rebuild_alibi_tensor) and
configuration_bert.py (JinaBertConfig) of each: the classes have the same names and are not the same.

    jina_model.py    compares the parts that transformers also has: BERT's layer, and the slopes of BLOOM
"""

import math
from unittest import mock

import torch
import transformers
from torch import nn
from transformers.activations import ACT2FN
from transformers.modeling_outputs import BaseModelOutput
from transformers.models.bloom.modeling_bloom import build_alibi_tensor

import key_mask
import masked_head
import pooler_head
import row_head

MODEL_TYPES = ("jina_bert", "jina_code")
GATES = {"geglu": nn.functional.gelu, "reglu": nn.functional.relu}


def slopes(heads: int) -> list:
    """Geometric for a power of two; others take the lower power's, then every second one of the next."""

    def run(n):
        first = 2 ** -(2 ** (3 - math.log2(n)))
        return [first ** (i + 1) for i in range(n)]

    lower = 2 ** int(math.log2(heads))
    return run(lower) + run(2 * lower)[::2][: heads - lower]


def alibi(heads: int, rows: int) -> torch.Tensor:
    """[heads, rows, rows], float32 as upstream whatever the model's type."""
    places = torch.arange(rows)
    return -torch.tensor(slopes(heads), dtype=torch.float32)[:, None, None] * (places[:, None] - places).abs()


class JinaConfig(transformers.PretrainedConfig):
    vocab_size: int = 30522
    hidden_size: int = 768
    num_hidden_layers: int = 12
    num_attention_heads: int = 12
    intermediate_size: int = 3072
    hidden_act: str = "gelu"
    max_position_embeddings: int = 512
    type_vocab_size: int = 2
    layer_norm_eps: float = 1e-12
    position_embedding_type: str = "absolute"
    feed_forward_type: str = "original"
    tie_word_embeddings: bool = True


class JinaBertConfig(JinaConfig):
    model_type = "jina_bert"


class JinaCodeConfig(JinaConfig):
    model_type = "jina_code"


def module(**children) -> nn.Module:
    out = nn.Module()
    for name, child in children.items():
        setattr(out, name, child)
    return out


class Layer(nn.Module):
    """What both have: attention, its sum and norm."""

    def __init__(self, config):
        super().__init__()
        self.config = config
        w = config.hidden_size
        self.attention = module(
            self=module(query=nn.Linear(w, w), key=nn.Linear(w, w), value=nn.Linear(w, w)),
            output=module(dense=nn.Linear(w, w), LayerNorm=self.norm()),
        )

    def norm(self):
        return nn.LayerNorm(self.config.hidden_size, eps=self.config.layer_norm_eps)

    def attend(self, x, bias):
        rows, w = x.shape
        heads = self.config.num_attention_heads
        q, k, v = (t.view(rows, heads, -1).transpose(0, 1) for t in self.projected(x))
        scores = q @ k.transpose(1, 2) / math.sqrt(w // heads) + bias
        context = (torch.softmax(scores, dim=-1) @ v).transpose(0, 1).reshape(rows, w)
        output = self.attention.output
        return output.LayerNorm(output.dense(context) + x)

    def projected(self, x):
        own = getattr(self.attention, "self")
        return own.query(x), own.key(x), own.value(x)


class BertLayer(Layer):
    def __init__(self, config):
        super().__init__(config)
        w, inner = config.hidden_size, config.intermediate_size
        if config.feed_forward_type in GATES:
            self.mlp = module(
                gated_layers=nn.Linear(w, 2 * inner, bias=False), wo=nn.Linear(inner, w), layernorm=self.norm()
            )
        else:
            self.intermediate = module(dense=nn.Linear(w, inner))
            self.output = module(dense=nn.Linear(inner, w), LayerNorm=self.norm())

    def forward(self, x, bias):
        x = self.attend(x, bias)
        if self.config.feed_forward_type in GATES:
            gate, up = self.mlp.gated_layers(x).chunk(2, -1)
            return self.mlp.layernorm(self.mlp.wo(GATES[self.config.feed_forward_type](gate) * up) + x)
        y = ACT2FN[self.config.hidden_act](self.intermediate.dense(x))
        return self.output.LayerNorm(self.output.dense(y) + x)


class CodeLayer(Layer):
    def __init__(self, config):
        super().__init__(config)
        w, inner = config.hidden_size, config.intermediate_size
        own = getattr(self.attention, "self")
        own.layer_norm_q, own.layer_norm_k = self.norm(), self.norm()
        up = (
            {"up_gated_layer": nn.Linear(w, 2 * inner, bias=False)}
            if config.feed_forward_type in GATES
            else {"up_layer": nn.Linear(w, inner, bias=False)}
        )
        self.mlp = module(**up, down_layer=nn.Linear(inner, w))
        self.layer_norm_1, self.layer_norm_2 = self.norm(), self.norm()

    def projected(self, x):
        q, k, v = super().projected(x)
        own = getattr(self.attention, "self")
        return own.layer_norm_q(q), own.layer_norm_k(k), v

    def forward(self, x, bias):
        x = self.layer_norm_1(x + self.attend(x, bias))
        if self.config.feed_forward_type in GATES:
            up, gate = self.mlp.up_gated_layer(x).chunk(2, -1)
            y = up * GATES[self.config.feed_forward_type](gate)
        else:
            y = ACT2FN[self.config.hidden_act](self.mlp.up_layer(x))
        return self.layer_norm_2(x + self.mlp.down_layer(y))


class JinaModel(transformers.PreTrainedModel):
    config_class = JinaConfig
    base_model_prefix = "bert"
    _supports_sdpa = True  # asked for by name only; there is one way here
    layer_class = None

    def __init__(self, config):
        super().__init__(config)
        assert config.position_embedding_type == "alibi"
        w = config.hidden_size
        self.embeddings = module(
            word_embeddings=nn.Embedding(config.vocab_size, w),
            token_type_embeddings=nn.Embedding(config.type_vocab_size, w),
            LayerNorm=nn.LayerNorm(w, eps=config.layer_norm_eps),
        )
        layers = (self.layer_class(config) for _ in range(config.num_hidden_layers))
        self.encoder = module(layer=nn.ModuleList(layers))
        self.post_init()

    def get_input_embeddings(self):
        return self.embeddings.word_embeddings

    def forward(self, input_ids, attention_mask=None, token_type_ids=None, **_):
        assert len(input_ids) == 1, "one text at a time"
        e = self.embeddings
        types = torch.zeros_like(input_ids) if token_type_ids is None else token_type_ids
        x = e.LayerNorm(e.word_embeddings(input_ids[0]) + e.token_type_embeddings(types[0]))
        bias = alibi(self.config.num_attention_heads, len(x)).to(x.dtype) + key_mask.added(attention_mask, x)
        for layer in self.encoder.layer:
            x = layer(x, bias)
        return BaseModelOutput(last_hidden_state=x[None])


class JinaBertModel(JinaModel):
    config_class = JinaBertConfig
    layer_class = BertLayer


class JinaCodeModel(JinaModel):
    config_class = JinaCodeConfig
    layer_class = CodeLayer


for config_class, model_class in ((JinaBertConfig, JinaBertModel), (JinaCodeConfig, JinaCodeModel)):
    transformers.AutoConfig.register(config_class.model_type, config_class)
    transformers.AutoModel.register(config_class, model_class)
    # Both files have the heads of transformers' BERT, under Jina's names.
    pooler_head.register(model_class)
    row_head.register(model_class)
    masked_head.register(model_class, *masked_head.BERT)


def distance_from_bert() -> float:
    """In double, over random weights: with a plain MLP and flat slopes, BERT whose positions are zero."""
    torch.manual_seed(0)
    sizes = {
        "vocab_size": 50,
        "hidden_size": 24,
        "num_hidden_layers": 3,
        "num_attention_heads": 3,
        "intermediate_size": 20,
        "max_position_embeddings": 60,
        "layer_norm_eps": 1e-3,
        "hidden_act": "gelu_new",
    }
    bert = transformers.BertModel(transformers.BertConfig(**sizes, attn_implementation="eager"), add_pooling_layer=False)
    with torch.no_grad():
        for p in bert.parameters():
            p.normal_(0.3, 0.5)
        bert.embeddings.position_embeddings.weight.zero_()
    mine = JinaBertModel(JinaBertConfig(**sizes, position_embedding_type="alibi"))
    left_out = mine.load_state_dict(bert.state_dict(), strict=False)
    assert not left_out.missing_keys and left_out.unexpected_keys == ["embeddings.position_embeddings.weight"], left_out
    item = {"input_ids": torch.randint(0, 50, (1, 57)), "token_type_ids": torch.randint(0, 2, (1, 57)),
            "attention_mask": (torch.arange(57) < 40).long()[None]}
    flat = mock.patch(f"{__name__}.slopes", lambda heads: [0.0] * heads)
    with torch.inference_mode(), flat:
        want, got = (m.eval().double()(**item).last_hidden_state for m in (bert, mine))
    return float((got - want).norm() / want.norm())


def distance_from_bloom() -> float:
    """Of the slopes of up to 64 heads, relative: BLOOM's penalty per position, in float32."""
    far = 0.0
    for heads in range(1, 65):
        theirs = build_alibi_tensor(torch.ones(1, 2), heads, torch.float32)[:, 0, 1].double()
        mine = -alibi(heads, 2)[:, 0, 1].double()
        far = max(far, float(((mine - theirs) / theirs).abs().max()))
    return far


def check_against_library():
    bert, bloom = distance_from_bert(), distance_from_bloom()
    # Powers in float32 beside powers in double; seen: 5e-7.
    if bert > 1e-13 or bloom > 2e-6:
        raise AssertionError(f"JinaBertModel is {bert:.1e} away from BertModel, its slopes {bloom:.1e} from BLOOM's")
    return bert, bloom


if __name__ == "__main__":
    print("JinaBertModel against BertModel: {:.1e}, its slopes against BLOOM's: {:.1e}".format(*check_against_library()))
