"""Nomic BERT as the published remote code computes it, for what transformers' own class cannot express: other widths
under the original keys, biases, plain MLPs, a part of each head turned, turns that stretch with the text, routed experts.

Written from nomic-ai/contrastors, src/contrastors/models/huggingface/{configuration,modeling}_hf_nomic_bert.py (commits
4ed6743d, 1e276922), straight down and for one text at a time; norms, softmax and products are torch's. Experts, which
those commits have not, are written from what text-embeddings-inference (backends/candle/src/models/nomic.rs) and vLLM
(model_executor/models/bert_with_rope.py) say of the published class: one token and one expert at a time. Registered with
transformers under MODEL_TYPE, so that a package loads it like any other class. make_family_goldens.py holds it against
transformers' class wherever a case has both."""

import torch
import torch.nn.functional as F
from transformers import AutoConfig, AutoModel, PreTrainedConfig, PreTrainedModel
from transformers.modeling_outputs import BaseModelOutput

import key_mask
import masked_head
import routers

MODEL_TYPE = "nomic_bert_original"
GATED = {"swiglu": F.silu, "geglu": F.gelu, "glu": torch.sigmoid}


class NomicOriginalConfig(PreTrainedConfig):
    model_type = MODEL_TYPE

    def __init__(self, **kwargs):
        own = {
            "vocab_size": 50257,
            "n_embd": 768,
            "n_layer": 12,
            "n_head": 12,
            "n_inner": None,
            "n_positions": 1024,
            "layer_norm_epsilon": 1e-5,
            "activation_function": "gelu_new",
            "type_vocab_size": 2,
            "rotary_emb_fraction": 0.0,
            "rotary_emb_base": 10000,
            "rotary_scaling_factor": None,
            "max_trained_positions": 2048,
            "qkv_proj_bias": True,
            "mlp_fc1_bias": True,
            "mlp_fc2_bias": True,
            "num_experts": 0,
            "moe_every_n_layers": 0,
            "moe_top_k": 1,
            "tie_word_embeddings": True,
        }
        for key, value in own.items():
            setattr(self, key, kwargs.pop(key, value))
        super().__init__(**kwargs)

    @property
    def inner(self):
        """A width beside the original keys is that of transformers' class, which rounds nothing."""
        gated = self.activation_function in GATED
        given = self.n_inner or (8 * self.n_embd // 3 if gated else 4 * self.n_embd)
        return given if hasattr(self, "intermediate_size") or not gated else (given + 255) // 256 * 256


def frequencies(config, length):
    """Of a text of this many tokens, in f32."""
    dim = int(config.n_embd // config.n_head * config.rotary_emb_fraction)
    base, factor, trained = float(config.rotary_emb_base), config.rotary_scaling_factor, config.max_trained_positions
    if factor and length > trained:
        base *= (factor * length / trained - (factor - 1)) ** (dim / (dim - 2))
    return 1.0 / (base ** (torch.arange(0, dim, 2, dtype=torch.float32) / dim))


class OriginalRotaryEmbedding(torch.nn.Module):
    """Angles and their cosines are f32 in any run: reference.py knows modules by this name."""

    def __init__(self, config):
        super().__init__()
        self.config = config

    def forward(self, length):
        angles = torch.outer(torch.arange(length, dtype=torch.float32), frequencies(self.config, length))
        return angles.cos(), angles.sin()


def turned(x, cos, sin):
    """x [heads, rows, columns]: the first 2 * pairs columns, column i with column i + pairs."""
    pairs = cos.shape[-1]
    first, second, rest = x[..., :pairs], x[..., pairs : 2 * pairs], x[..., 2 * pairs :]
    return torch.cat((first * cos - second * sin, second * cos + first * sin, rest), dim=-1)


class RoutedExperts(torch.nn.Module):
    """Every token meets the top_k experts that its router finds likeliest, of equal ones those with lower numbers.
    Their weights are the router's, which do not sum to one; a bias common to all is added once."""

    def __init__(self, config):
        super().__init__()
        rows, w = config.num_experts * config.n_inner, config.n_embd
        self.config = config
        self.router = torch.nn.Module()
        self.router.layer = torch.nn.Linear(w, config.num_experts, bias=False)
        self.experts = torch.nn.Module()
        self.experts.mlp = torch.nn.Module()
        self.experts.mlp.w1 = torch.nn.Parameter(torch.empty(rows, w))
        self.experts.mlp.w2 = torch.nn.Parameter(torch.empty(rows, w))
        self.experts.bias = torch.nn.Parameter(torch.empty(w))

    def token(self, x):
        inner, k = self.config.n_inner, self.config.moe_top_k
        likely = torch.softmax(self.router.layer(x), dim=-1)
        order = sorted(range(len(likely)), key=lambda e: (-float(likely[e]), e))
        routers.note(likely, k)
        y = torch.zeros_like(x)
        for e in order[:k]:
            first, second = (w[e * inner : (e + 1) * inner] for w in (self.experts.mlp.w1, self.experts.mlp.w2))
            y = y + likely[e] * (F.gelu(first @ x) @ second)
        return y + self.experts.bias

    def forward(self, x):
        return torch.stack([self.token(row) for row in x])


class Block(torch.nn.Module):
    def __init__(self, config, number):
        super().__init__()
        w = config.n_embd
        every = config.moe_every_n_layers
        self.config = config
        self.attn = torch.nn.Module()
        self.attn.Wqkv = torch.nn.Linear(w, 3 * w, bias=config.qkv_proj_bias)
        self.attn.out_proj = torch.nn.Linear(w, w, bias=config.qkv_proj_bias)
        self.norm1 = torch.nn.LayerNorm(w, eps=config.layer_norm_epsilon)
        if every and number % every == 1:
            self.mlp = RoutedExperts(config)
        else:
            self.mlp = torch.nn.Module()
            for name in ("fc11", "fc12") if config.activation_function in GATED else ("fc1",):
                setattr(self.mlp, name, torch.nn.Linear(w, config.inner, bias=config.mlp_fc1_bias))
            self.mlp.fc2 = torch.nn.Linear(config.inner, w, bias=config.mlp_fc2_bias)
        self.norm2 = torch.nn.LayerNorm(w, eps=config.layer_norm_epsilon)

    def attention(self, x, cos, sin, hidden):
        rows, w = x.shape
        heads = self.config.n_head
        q, k, v = self.attn.Wqkv(x).view(rows, 3, heads, w // heads).permute(1, 2, 0, 3)
        q, k = turned(q, cos, sin), turned(k, cos, sin)
        weights = torch.softmax(q @ k.transpose(1, 2) / (w // heads) ** 0.5 + hidden, dim=-1)
        return self.attn.out_proj((weights @ v).transpose(0, 1).reshape(rows, w))

    def feed_forward(self, x):
        if isinstance(self.mlp, RoutedExperts):
            return self.mlp(x)
        act = GATED.get(self.config.activation_function)
        if act is None:
            return self.mlp.fc2(F.gelu(self.mlp.fc1(x)))
        return self.mlp.fc2(self.mlp.fc11(x) * act(self.mlp.fc12(x)))

    def forward(self, x, cos, sin, hidden):
        x = self.norm1(x + self.attention(x, cos, sin, hidden))
        return self.norm2(x + self.feed_forward(x))


class NomicOriginalModel(PreTrainedModel):
    config_class = NomicOriginalConfig
    base_model_prefix = "bert"  # of the class for pre-training
    _supports_sdpa = True

    def __init__(self, config):
        super().__init__(config)
        w = config.n_embd
        self.embeddings = torch.nn.Module()
        self.embeddings.word_embeddings = torch.nn.Embedding(config.vocab_size, w)
        if config.type_vocab_size:
            self.embeddings.token_type_embeddings = torch.nn.Embedding(config.type_vocab_size, w)
        self.emb_ln = torch.nn.LayerNorm(w, eps=config.layer_norm_epsilon)
        self.rotary = OriginalRotaryEmbedding(config)
        self.encoder = torch.nn.Module()
        self.encoder.layers = torch.nn.ModuleList(Block(config, i) for i in range(config.n_layer))
        self.post_init()

    def get_input_embeddings(self):
        return self.embeddings.word_embeddings

    def forward(self, input_ids, attention_mask=None, token_type_ids=None, **kwargs):
        assert len(input_ids) == 1, "one text at a time"
        x = self.embeddings.word_embeddings(input_ids[0])
        if self.config.type_vocab_size:
            types = torch.zeros_like(input_ids) if token_type_ids is None else token_type_ids
            x = x + self.embeddings.token_type_embeddings(types[0])
        x = self.emb_ln(x)
        cos, sin = (t.to(x.dtype) for t in self.rotary(len(x)))
        hidden = key_mask.added(attention_mask, x)
        for layer in self.encoder.layers:
            x = layer(x, cos, sin, hidden)
        return BaseModelOutput(last_hidden_state=x[None])


class MaskedHead(torch.nn.Module):
    """NomicBertPreTrainingHeads of the same file."""

    def __init__(self, config):
        super().__init__()
        w, bias = config.n_embd, config.mlp_fc1_bias
        self.config = config
        self.predictions = torch.nn.Module()
        self.predictions.transform = torch.nn.Module()
        self.predictions.transform.dense = torch.nn.Linear(w, w, bias=bias)
        self.predictions.transform.layer_norm = torch.nn.LayerNorm(w, eps=config.layer_norm_epsilon)
        self.predictions.decoder = torch.nn.Linear(w, config.vocab_size, bias=bias)

    def forward(self, x):
        act = F.silu if self.config.activation_function == "swiglu" else F.gelu
        transform = self.predictions.transform
        return self.predictions.decoder(transform.layer_norm(act(transform.dense(x))))


AutoConfig.register(MODEL_TYPE, NomicOriginalConfig)
AutoModel.register(NomicOriginalConfig, NomicOriginalModel)
masked_head.register(NomicOriginalModel, "cls", MaskedHead, {"predictions.decoder.weight": masked_head.TABLE})
