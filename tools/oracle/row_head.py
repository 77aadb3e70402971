"""The class for tokens of encoders that transformers has none for. Their publishers copied BERT's
(BertForTokenClassification): `classifier` on every hidden row.

    row_head.py   compares it with BERT's own, over BERT's encoder
"""

import torch
import transformers
from torch import nn
from transformers.modeling_outputs import TokenClassifierOutput


def over(encoder_class) -> type:
    class ForTokenClassification(transformers.PreTrainedModel):
        config_class = encoder_class.config_class
        base_model_prefix = encoder_class.base_model_prefix
        _supports_sdpa = True  # asked for by name only; there is one way here

        def __init__(self, config, **_):
            super().__init__(config)
            setattr(self, self.base_model_prefix, encoder_class(config))
            self.classifier = nn.Linear(config.hidden_size, config.num_labels)
            self.post_init()

        def get_input_embeddings(self):
            return self.base_model.get_input_embeddings()

        def forward(self, input_ids, attention_mask=None, token_type_ids=None, **_):
            x = self.base_model(input_ids, attention_mask=attention_mask, token_type_ids=token_type_ids)
            return TokenClassifierOutput(logits=self.classifier(x.last_hidden_state))

    return ForTokenClassification


def register(encoder_class) -> type:
    """A package of it then loads with AutoModelForTokenClassification, like one of the library's own."""
    made = over(encoder_class)
    transformers.AutoModelForTokenClassification.register(encoder_class.config_class, made)
    return made


def check_against_bert() -> float:
    """In double, over random weights."""

    class Encoder(transformers.BertModel):
        def __init__(self, config):
            super().__init__(config, add_pooling_layer=False)

    torch.manual_seed(0)
    config = transformers.BertConfig(
        vocab_size=50, hidden_size=24, num_hidden_layers=1, num_attention_heads=3, intermediate_size=20, num_labels=5
    )
    bert, mine = transformers.BertForTokenClassification(config), over(Encoder)(config)
    with torch.no_grad():
        for p in bert.parameters():
            p.normal_(0, 0.4)
    mine.load_state_dict(bert.state_dict())
    item = {"input_ids": torch.randint(0, 50, (1, 17)), "token_type_ids": torch.randint(0, 2, (1, 17))}
    with torch.inference_mode():
        want, got = (m.eval().double()(**item).logits for m in (bert, mine))
    far = float((got - want).norm() / want.norm())
    if far > 1e-13:
        raise AssertionError(f"the head is {far:.1e} away from BERT's")
    return far


if __name__ == "__main__":
    print(f"the head against BERT's: {check_against_bert():.1e}")
