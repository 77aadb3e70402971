"""NVIDIA's Llama with both sides in sight (model type "llama_bidirec"), whose class comes with its packages: the library's
own with is_causal false, registered under that type. Upstream: llama_bidirectional_model.py of nvidia/
llama-nemotron-embed-1b-v2 and nvidia/llama-nemotron-rerank-1b-v2; a head over the mean, the first or the last row,
whose division by a temperature is left out: the cases have 1."""

import torch
import transformers
from transformers.modeling_outputs import SequenceClassifierOutput
from transformers.models.llama.modeling_llama import LlamaModel, LlamaPreTrainedModel


class LlamaBidirecConfig(transformers.LlamaConfig):
    model_type = "llama_bidirec"

    def __post_init__(self, **kwargs):
        super().__post_init__(**{"pooling": "avg", **kwargs, "is_causal": False})


class LlamaBidirecModel(LlamaModel):
    config_class = LlamaBidirecConfig


class LlamaBidirecForSequenceClassification(LlamaPreTrainedModel):
    config_class = LlamaBidirecConfig

    def __init__(self, config):
        super().__init__(config)
        self.model = LlamaBidirecModel(config)
        self.score = torch.nn.Linear(config.hidden_size, config.num_labels, bias=False)
        self.post_init()

    def forward(self, input_ids, attention_mask=None, **kwargs):
        assert len(input_ids) == 1 and (attention_mask is None or bool(attention_mask.all())), "one text, no padding"
        rows = self.model(input_ids=input_ids).last_hidden_state[0]
        pooled = {"avg": rows.mean(0), "cls": rows[0], "last": rows[-1]}[self.config.pooling]
        return SequenceClassifierOutput(logits=self.score(pooled[None]))


transformers.AutoConfig.register("llama_bidirec", LlamaBidirecConfig)
transformers.AutoModel.register(LlamaBidirecConfig, LlamaBidirecModel)
transformers.AutoModelForSequenceClassification.register(LlamaBidirecConfig, LlamaBidirecForSequenceClassification)
