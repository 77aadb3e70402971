"""The encoder of model type "new", which transformers has no class for, written straight from its publisher's file and
registered with AutoModel, so that everything else in this folder treats it as one of the library's.

Upstream: Alibaba-NLP/new-impl, modeling.py (NewEmbeddings, NTKScalingRotaryEmbedding, NewAttention, NewGatedMLP, NewLayer,
NewLMPredictionHead)
and configuration.py (NewConfig). Its NTK form is of kexue.fm/archives/9706, formulas 6, 10, 12 and 13: always active,
because the class builds its tables for max_position_embeddings * factor rows. The norm of the embeddings is a layer norm
whatever layer_norm_type says, and so is the one of the head for masked words.

    new_model.py     compares it with the library's GteModel on a configuration that both can run
"""

import tempfile

import torch
import transformers
from torch import nn
from torch.nn import functional as F
from transformers.activations import ACT2FN
from transformers.modeling_outputs import BaseModelOutput, MaskedLMOutput

import key_mask
import pooler_head
import row_head


class NewConfig(transformers.PretrainedConfig):
    model_type = "new"
    vocab_size: int = 30528
    hidden_size: int = 768
    num_hidden_layers: int = 12
    num_attention_heads: int = 12
    intermediate_size: int = 3072
    hidden_act: str = "gelu"
    max_position_embeddings: int = 2048
    type_vocab_size: int = 1
    layer_norm_type: str = "layer_norm"
    layer_norm_eps: float = 1e-12
    position_embedding_type: str = "rope"
    rope_theta: float = 10000.0
    rope_scaling: dict | None = None
    pack_qkv: bool = True
    tie_word_embeddings: bool = True


class RmsNorm(nn.Module):
    def __init__(self, width, eps):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))
        self.eps = eps

    def forward(self, x):
        return self.weight * (x * torch.rsqrt((x * x).mean(-1, keepdim=True) + self.eps))


class NewRotaryEmbedding(nn.Module):
    """Cosines and sines, float32 as upstream whatever the model's type."""

    def __init__(self, config):
        super().__init__()
        self.config = config

    def frequencies(self):
        c = self.config
        columns = c.hidden_size // c.num_attention_heads
        exponents = torch.arange(0, columns, 2).float() / columns
        if c.rope_scaling is None:
            return 1.0 / (c.rope_theta**exponents)
        assert c.rope_scaling["type"] == "ntk" and c.rope_scaling["factor"] > 1
        factor, b = c.rope_scaling["factor"], c.rope_scaling.get("mixed_b")
        if b is None:
            return 1.0 / ((c.rope_theta * factor) ** exponents) / factor ** (2 / columns)
        a = torch.tensor(factor).log() / (columns / 2) ** b
        pairs = torch.arange(1, columns // 2 + 1).float()
        return 1.0 / (c.rope_theta**exponents) / (a * pairs**b).exp()

    def forward(self, x):
        angles = torch.outer(torch.arange(x.shape[1], dtype=torch.float32), self.frequencies())
        return angles.cos().to(x.dtype), angles.sin().to(x.dtype)


class NewEmbeddings(nn.Module):
    def __init__(self, config):
        super().__init__()
        width = config.hidden_size
        self.word_embeddings = nn.Embedding(config.vocab_size, width)
        if config.position_embedding_type == "absolute":
            self.position_embeddings = nn.Embedding(config.max_position_embeddings, width)
        if config.type_vocab_size > 0:
            self.token_type_embeddings = nn.Embedding(config.type_vocab_size, width)
        self.LayerNorm = nn.LayerNorm(width, eps=config.layer_norm_eps)


class NewAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        width = config.hidden_size
        if config.pack_qkv:
            self.qkv_proj = nn.Linear(width, 3 * width)
        else:
            self.q_proj, self.k_proj, self.v_proj = (nn.Linear(width, width) for _ in "qkv")
        self.o_proj = nn.Linear(width, width)


class NewMlp(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.up_gate_proj = nn.Linear(config.hidden_size, 2 * config.intermediate_size, bias=False)
        self.down_proj = nn.Linear(config.intermediate_size, config.hidden_size)


class NewLayer(nn.Module):
    def __init__(self, config):
        super().__init__()
        norm = {"layer_norm": nn.LayerNorm, "rms_norm": RmsNorm}[config.layer_norm_type]
        self.attention = NewAttention(config)
        self.mlp = NewMlp(config)
        self.attn_ln = norm(config.hidden_size, eps=config.layer_norm_eps)
        self.mlp_ln = norm(config.hidden_size, eps=config.layer_norm_eps)


class NewEncoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.layer = nn.ModuleList(NewLayer(config) for _ in range(config.num_hidden_layers))


class NewPreTrainedModel(transformers.PreTrainedModel):
    config_class = NewConfig
    base_model_prefix = "new"
    _supports_sdpa = True  # asked for by name only; there is one way here


def turned(x, cos, sin):
    """Column i turns with column i + half."""
    low, high = x.chunk(2, -1)
    return torch.cat((low * cos - high * sin, high * cos + low * sin), -1)


class NewModel(NewPreTrainedModel):
    def __init__(self, config, **_):
        super().__init__(config)
        self.embeddings = NewEmbeddings(config)
        self.encoder = NewEncoder(config)
        self.rotary_emb = NewRotaryEmbedding(config)
        self.post_init()

    def get_input_embeddings(self):
        return self.embeddings.word_embeddings

    def forward(self, input_ids, attention_mask=None, token_type_ids=None, **_):
        assert len(input_ids) == 1, "one text at a time"
        c, e = self.config, self.embeddings
        n, heads = input_ids.shape[1], c.num_attention_heads
        x = e.word_embeddings(input_ids)
        if c.type_vocab_size > 0:
            x = x + e.token_type_embeddings(torch.zeros_like(input_ids) if token_type_ids is None else token_type_ids)
        if c.position_embedding_type == "absolute":
            x = x + e.position_embeddings(torch.arange(n))
        else:
            assert c.position_embedding_type == "rope"
            cos, sin = self.rotary_emb(x)
        x = e.LayerNorm(x)
        hidden = key_mask.added(attention_mask, x)  # as where unpad_inputs is false
        for layer in self.encoder.layer:
            a, m = layer.attention, layer.mlp
            q, k, v = a.qkv_proj(x).chunk(3, -1) if c.pack_qkv else (a.q_proj(x), a.k_proj(x), a.v_proj(x))
            q, k, v = (t.view(1, n, heads, -1).transpose(1, 2) for t in (q, k, v))
            if c.position_embedding_type == "rope":
                q, k = turned(q, cos, sin), turned(k, cos, sin)
            scores = q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5 + hidden
            context = (scores.softmax(-1) @ v).transpose(1, 2).reshape(1, n, -1)
            x = layer.attn_ln(x + a.o_proj(context))
            up, gate = m.up_gate_proj(x).chunk(2, -1)
            x = layer.mlp_ln(x + m.down_proj(ACT2FN[c.hidden_act](gate) * up))
        return BaseModelOutput(last_hidden_state=x)


class NewLmHead(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.dense = nn.Linear(config.hidden_size, config.hidden_size)
        self.norm = nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps)
        self.decoder = nn.Linear(config.hidden_size, config.vocab_size)


class NewForMaskedLM(NewPreTrainedModel):
    _tied_weights_keys = {"lm_head.decoder.weight": "new.embeddings.word_embeddings.weight"}

    def __init__(self, config, **_):
        super().__init__(config)
        self.new = NewModel(config)
        self.lm_head = NewLmHead(config)
        self.post_init()

    def get_output_embeddings(self):
        return self.lm_head.decoder

    def forward(self, **inputs):
        x = self.new(**inputs).last_hidden_state
        x = self.lm_head.norm(ACT2FN[self.config.hidden_act](self.lm_head.dense(x)))
        return MaskedLMOutput(logits=self.lm_head.decoder(x))


transformers.AutoConfig.register("new", NewConfig)
transformers.AutoModel.register(NewConfig, NewModel)
transformers.AutoModelForMaskedLM.register(NewConfig, NewForMaskedLM)
CLASSES = {
    "NewModel": NewModel,
    "NewForMaskedLM": NewForMaskedLM,
    "NewForSequenceClassification": pooler_head.register(NewModel),
    "NewForTokenClassification": row_head.register(NewModel),
}


def distance_from_gte() -> float:
    """In double, over random weights: the library's GteModel writes the names of "new" when it saves."""
    torch.manual_seed(0)
    sizes = {
        "vocab_size": 50,
        "hidden_size": 24,
        "num_hidden_layers": 3,
        "num_attention_heads": 3,
        "intermediate_size": 20,
        "max_position_embeddings": 60,
        "type_vocab_size": 2,
        "layer_norm_eps": 1e-3,
        "hidden_act": "gelu",
    }
    rope = {"rope_type": "default", "rope_theta": 800.0}
    gte = transformers.GteModel(
        transformers.GteConfig(**sizes, rope_parameters=rope, attn_implementation="eager")
    )
    with torch.no_grad():
        for p in gte.parameters():
            p.normal_(0.3, 0.5)
    with tempfile.TemporaryDirectory() as folder:
        gte.save_pretrained(folder)
        new, info = NewModel.from_pretrained(
            folder, config=NewConfig(**sizes, rope_theta=800.0), output_loading_info=True
        )
    assert not info["missing_keys"] and not info["unexpected_keys"], info
    ids, types = torch.randint(0, 50, (1, 57)), torch.randint(0, 2, (1, 57))
    gte, new, far = gte.eval().double(), new.eval().double(), 0.0
    for keys in (57, 40):
        item = {"input_ids": ids, "token_type_ids": types, "attention_mask": (torch.arange(57) < keys).long()[None]}
        with torch.inference_mode():
            want, got = gte(**item).last_hidden_state, new(**item).last_hidden_state
        far = max(far, float((got - want).norm() / want.norm()))
    return far


def check_against_gte():
    far = distance_from_gte()
    if far > 1e-13:
        raise AssertionError(f"NewModel is {far:.1e} away from GteModel")
    return far


if __name__ == "__main__":
    print(f"NewModel against GteModel: {check_against_gte():.1e}")
