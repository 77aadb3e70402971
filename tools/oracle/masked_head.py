"""The class for masked words of encoders that transformers has none for. Their publishers copied BERT's head, or import
XLM-RoBERTa's: here they are the library's own, over the straight-line encoders. See sparse_cases.py."""

import transformers
from torch import nn
from transformers.modeling_outputs import MaskedLMOutput
from transformers.models.bert.modeling_bert import BertOnlyMLMHead
from transformers.models.xlm_roberta.modeling_xlm_roberta import XLMRobertaLMHead

TABLE = "embeddings.word_embeddings.weight"
BERT = ("cls", BertOnlyMLMHead, {"predictions.decoder.weight": TABLE, "predictions.decoder.bias": "predictions.bias"})
ROBERTA = ("lm_head", XLMRobertaLMHead, {"decoder.weight": TABLE, "decoder.bias": "bias"})


def decoder_of(head: nn.Module) -> nn.Linear:
    return getattr(head, "predictions", head).decoder


def over(encoder_class, name: str, head_class, tied: dict) -> type:
    base = encoder_class.base_model_prefix
    places = {TABLE: f"{base}.{TABLE}"}

    class ForMaskedLM(transformers.PreTrainedModel):
        config_class = encoder_class.config_class
        base_model_prefix = base
        _tied_weights_keys = {f"{name}.{k}": places.get(v, f"{name}.{v}") for k, v in tied.items()}
        _supports_sdpa = True  # asked for by name only; there is one way here

        def __init__(self, config, **_):
            super().__init__(config)
            setattr(self, base, encoder_class(config))
            setattr(self, name, head_class(config))
            self.post_init()

        def get_input_embeddings(self):
            return self.base_model.get_input_embeddings()

        def get_output_embeddings(self):
            return decoder_of(getattr(self, name))

        def forward(self, input_ids, attention_mask=None, token_type_ids=None, **_):
            x = self.base_model(input_ids, attention_mask=attention_mask, token_type_ids=token_type_ids)
            return MaskedLMOutput(logits=getattr(self, name)(x.last_hidden_state))

    return ForMaskedLM


def register(encoder_class, name: str, head_class, tied: dict) -> type:
    """A package of it then loads with AutoModelForMaskedLM, like one of the library's own."""
    made = over(encoder_class, name, head_class, tied)
    transformers.AutoModelForMaskedLM.register(encoder_class.config_class, made)
    return made
