"""Perplexity's Qwen3 with both sides in sight (model type "bidirectional_pplx_qwen3"), whose class comes with its packages: the
library's own with is_causal false, registered under that type. Upstream: configuration.py and modeling.py of perplexity-ai/
pplx-embed-v1-0.6b, which lay a mask of padding alone over the causal one."""

import transformers


class PplxQwen3Config(transformers.Qwen3Config):
    model_type = "bidirectional_pplx_qwen3"

    def __post_init__(self, **kwargs):
        super().__post_init__(**{**kwargs, "is_causal": False})


class PplxQwen3Model(transformers.Qwen3Model):
    config_class = PplxQwen3Config


transformers.AutoConfig.register("bidirectional_pplx_qwen3", PplxQwen3Config)
transformers.AutoModel.register(PplxQwen3Config, PplxQwen3Model)
