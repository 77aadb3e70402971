"""The encoder of Jina Embeddings v3 with its task adapters as the publisher's code computes it, for what transformers'
class leaves out: the adapters, packages that say they are "xlm-roberta", and learned positions (jina-reranker-v2).

Written from jinaai/xlm-roberta-flash-implementation: configuration_xlm_roberta.py, modeling_xlm_roberta.py
(XLMRobertaModel), embedding.py, block.py (prenorm False) and modeling_lora.py (LoRAParametrization.lora_forward, which
adds B A * alpha / rank to a weight before it is used), straight down and for one text at a time; norms, softmax and products
are torch's. Registered with transformers under MODEL_TYPE, so that a package loads it like any other class.
make_family_goldens.py holds it against transformers' class where a case has no adapters. The heads are the library's: for masked
words the file imports XLM-RoBERTa's, for sequences it says that it is copied from RoBERTa's.

    flash_original.py    compares it, with learned positions, with the library's XLMRobertaModel
"""

import torch
import torch.nn.functional as F
import transformers
from transformers import AutoConfig, AutoModel, PreTrainedConfig, PreTrainedModel
from transformers.modeling_outputs import BaseModelOutput, SequenceClassifierOutput
from transformers.models.xlm_roberta.modeling_xlm_roberta import XLMRobertaClassificationHead

import key_mask
import masked_head

MODEL_TYPE = "xlm_roberta_flash"
TANH = ("gelu_new", "gelu_fast", "gelu_pytorch_tanh")


class FlashConfig(PreTrainedConfig):
    model_type = MODEL_TYPE

    def __init__(self, **kwargs):
        own = {
            "vocab_size": 250002,
            "hidden_size": 1024,
            "num_hidden_layers": 24,
            "num_attention_heads": 16,
            "intermediate_size": 4096,
            "hidden_act": "gelu",
            "max_position_embeddings": 8194,
            "type_vocab_size": 1,
            "layer_norm_eps": 1e-5,
            "position_embedding_type": "rotary",
            "rotary_emb_base": 10000.0,
            "lora_adaptations": None,
            "lora_rank": 4,
            "lora_alpha": 1,
            "hidden_dropout_prob": 0.1,
            "classifier_dropout": None,
            "pad_token_id": 1,
            "tie_word_embeddings": True,
        }
        for key, value in own.items():
            setattr(self, key, kwargs.pop(key, value))
        super().__init__(**kwargs)


class FlashRotaryEmbedding(torch.nn.Module):
    """Angles and their cosines are f32 in any run: reference.py knows modules by this name."""

    def __init__(self, config):
        super().__init__()
        dim = config.hidden_size // config.num_attention_heads
        self.frequencies = 1.0 / (
            float(config.rotary_emb_base) ** (torch.arange(0, dim, 2, dtype=torch.float32, device="cpu") / dim)
        )

    def forward(self, length):
        angles = torch.outer(torch.arange(length, dtype=torch.float32), self.frequencies)
        return angles.cos(), angles.sin()


class Adapted(torch.nn.Module):
    """A weight, and beside it a pair of small matrices for each adapter; named as torch's parametrizations name them."""

    def __init__(self, config, shape, table, bias):
        super().__init__()
        self.config = config
        self.table = table
        names = config.lora_adaptations
        if names:
            rank, (rows, cols) = config.lora_rank, shape
            low = torch.nn.Module()
            first, second = ((rows, rank), (rank, cols)) if table else ((rank, cols), (rows, rank))
            low.lora_A = torch.nn.Parameter(torch.zeros(len(names), *first))
            low.lora_B = torch.nn.Parameter(torch.zeros(len(names), *second))
            self.parametrizations = torch.nn.Module()
            self.parametrizations.weight = torch.nn.ModuleList([low])
            self.parametrizations.weight.original = torch.nn.Parameter(torch.zeros(shape))
        else:
            self.weight = torch.nn.Parameter(torch.zeros(shape))
        if bias:
            self.bias = torch.nn.Parameter(torch.zeros(shape[0]))

    def of(self, adapter):
        names = self.config.lora_adaptations
        if not names:
            return self.weight
        weight = self.parametrizations.weight.original
        if adapter is None:
            return weight
        low = self.parametrizations.weight[0]
        a, b = (m[names.index(adapter)] for m in (low.lora_A, low.lora_B))
        return weight + (a @ b if self.table else b @ a) * (self.config.lora_alpha / self.config.lora_rank)

    def forward(self, x, adapter):
        return F.embedding(x, self.of(adapter)) if self.table else F.linear(x, self.of(adapter), self.bias)


def turned(x, cos, sin):
    """x [heads, rows, columns]: column i with column i + half."""
    first, second = x.chunk(2, dim=-1)
    return torch.cat((first * cos - second * sin, second * cos + first * sin), dim=-1)


def positions(ids, padding):
    """They count behind the padding id, and skip its own rows."""
    counted = ids.ne(padding).int()
    return (torch.cumsum(counted, 0) * counted).long() + padding


class Block(torch.nn.Module):
    def __init__(self, config):
        super().__init__()
        w, inner = config.hidden_size, config.intermediate_size
        self.config = config
        self.mixer = torch.nn.Module()
        self.mixer.Wqkv = Adapted(config, (3 * w, w), table=False, bias=True)
        self.mixer.out_proj = Adapted(config, (w, w), table=False, bias=True)
        self.norm1 = torch.nn.LayerNorm(w, eps=config.layer_norm_eps)
        self.mlp = torch.nn.Module()
        self.mlp.fc1 = Adapted(config, (inner, w), table=False, bias=True)
        self.mlp.fc2 = Adapted(config, (w, inner), table=False, bias=True)
        self.norm2 = torch.nn.LayerNorm(w, eps=config.layer_norm_eps)

    def forward(self, x, cos, sin, adapter, hidden):
        rows, w = x.shape
        heads = self.config.num_attention_heads
        q, k, v = self.mixer.Wqkv(x, adapter).view(rows, 3, heads, w // heads).permute(1, 2, 0, 3)
        if cos is not None:
            q, k = turned(q, cos, sin), turned(k, cos, sin)
        weights = torch.softmax(q @ k.transpose(1, 2) / (w // heads) ** 0.5 + hidden, dim=-1)
        x = self.norm1(x + self.mixer.out_proj((weights @ v).transpose(0, 1).reshape(rows, w), adapter))
        middle = F.gelu(self.mlp.fc1(x, adapter), approximate="tanh" if self.config.hidden_act in TANH else "none")
        return self.norm2(x + self.mlp.fc2(middle, adapter))


class FlashModel(PreTrainedModel):
    config_class = FlashConfig
    base_model_prefix = "roberta"
    _supports_sdpa = True
    adapter = None  # what the next text runs with: reference.py sets it

    def __init__(self, config):
        super().__init__(config)
        assert config.position_embedding_type in ("rotary", "absolute")
        w = config.hidden_size
        self.embeddings = torch.nn.Module()
        self.embeddings.word_embeddings = Adapted(config, (config.vocab_size, w), table=True, bias=False)
        self.embeddings.token_type_embeddings = Adapted(config, (config.type_vocab_size, w), table=True, bias=False)
        if config.position_embedding_type == "absolute":
            assert not config.lora_adaptations
            self.embeddings.position_embeddings = torch.nn.Embedding(config.max_position_embeddings, w)
        self.emb_ln = torch.nn.LayerNorm(w, eps=config.layer_norm_eps)
        self.rotary = FlashRotaryEmbedding(config)
        self.encoder = torch.nn.Module()
        self.encoder.layers = torch.nn.ModuleList(Block(config) for _ in range(config.num_hidden_layers))
        self.post_init()

    def get_input_embeddings(self):
        return self.embeddings.word_embeddings

    def forward(self, input_ids, attention_mask=None, token_type_ids=None, **kwargs):
        assert len(input_ids) == 1, "one text at a time"
        types = torch.zeros_like(input_ids) if token_type_ids is None else token_type_ids
        e, adapter = self.embeddings, self.adapter
        x = e.word_embeddings(input_ids[0], adapter)
        if self.config.position_embedding_type == "absolute":
            x = x + e.position_embeddings(positions(input_ids[0], self.config.pad_token_id))
        x = self.emb_ln(x + e.token_type_embeddings(types[0], adapter))
        turns = (None, None)
        if self.config.position_embedding_type == "rotary":
            turns = (t.to(x.dtype) for t in self.rotary(len(x)))
        cos, sin = turns
        hidden = key_mask.added(attention_mask, x, -10000.0)  # mha.py's, as it attends without flash attention
        for layer in self.encoder.layers:
            x = layer(x, cos, sin, adapter, hidden)
        return BaseModelOutput(last_hidden_state=x[None])


AutoConfig.register(MODEL_TYPE, FlashConfig)
AutoModel.register(FlashConfig, FlashModel)
masked_head.register(FlashModel, *masked_head.ROBERTA)


class FlashForSequenceClassification(PreTrainedModel):
    config_class = FlashConfig
    base_model_prefix = "roberta"
    _supports_sdpa = True

    def __init__(self, config):
        super().__init__(config)
        self.roberta = FlashModel(config)
        self.classifier = XLMRobertaClassificationHead(config)
        self.post_init()

    def get_input_embeddings(self):
        return self.roberta.get_input_embeddings()

    def forward(self, **inputs):
        return SequenceClassifierOutput(logits=self.classifier(self.roberta(**inputs).last_hidden_state))


transformers.AutoModelForSequenceClassification.register(FlashConfig, FlashForSequenceClassification)

FROM_ROBERTA = (
    ("embeddings.LayerNorm.", "emb_ln."),
    ("encoder.layer.", "encoder.layers."),
    ("attention.output.dense.", "mixer.out_proj."),
    ("attention.output.LayerNorm.", "norm1."),
    ("intermediate.dense.", "mlp.fc1."),
    ("output.dense.", "mlp.fc2."),
    ("output.LayerNorm.", "norm2."),
)


def distance_from_roberta() -> float:
    """In double, over random weights and a text that spells the padding token."""
    torch.manual_seed(0)
    sizes = {
        "vocab_size": 50, "hidden_size": 24, "num_hidden_layers": 3, "num_attention_heads": 3, "intermediate_size": 20,
        "max_position_embeddings": 60, "type_vocab_size": 2, "layer_norm_eps": 1e-3, "hidden_act": "gelu", "pad_token_id": 1,
    }
    roberta = transformers.XLMRobertaModel(
        transformers.XLMRobertaConfig(**sizes, attn_implementation="eager"), add_pooling_layer=False
    )
    with torch.no_grad():
        for p in roberta.parameters():
            p.normal_(0.3, 0.5)
    tensors = {}
    for name, value in roberta.state_dict().items():
        for old, new in FROM_ROBERTA:
            name = name.replace(old, new)
        tensors[name] = value
    for name in [n for n in tensors if ".query." in n]:
        parts = [tensors.pop(name.replace("query", part)) for part in ("query", "key", "value")]
        tensors[name.replace("attention.self.query", "mixer.Wqkv")] = torch.cat(parts)
    mine = FlashModel(FlashConfig(**sizes, position_embedding_type="absolute"))
    mine.load_state_dict(tensors)
    ids = torch.randint(2, 50, (1, 47))
    ids[0, 11] = ids[0, 12] = 1
    item = {"input_ids": ids, "token_type_ids": torch.randint(0, 2, (1, 47))}
    with torch.inference_mode():
        whole = {"attention_mask": torch.ones_like(ids)}
        want = roberta.eval().double()(**item, **whole).last_hidden_state
        got = mine.eval().double()(**item).last_hidden_state
    return float((got - want).norm() / want.norm())


def check_against_roberta() -> float:
    far = distance_from_roberta()
    if far > 1e-13:
        raise AssertionError(f"FlashModel is {far:.1e} away from XLMRobertaModel")
    return far


if __name__ == "__main__":
    print(f"FlashModel against XLMRobertaModel: {check_against_roberta():.1e}")
