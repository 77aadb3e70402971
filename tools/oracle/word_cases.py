"""Cases of decoders that rank by the next word, LogitScore, and of heads behind a chat template. As in head_cases.py, whose
packages these are; what sentence-transformers' modules make of a pair is asked of the library itself."""

from head_cases import HeadCase, dense, own_files
from llama_cases import BASE as LLAMA, BEGUN, of as of_decoder
from mistral_cases import GROWTH
from qwen_cases import QWEN

BASE = "sentence_transformers.base.modules.transformer.Transformer"
SCORE = "sentence_transformers.cross_encoder.modules.logit_score.LogitScore"

# As published with Qwen3-Reranker, in words of the tiny vocabulary.
JUDGE = """\
{%- set instruct = messages | selectattr("role", "eq", "system") | map(attribute="content") | first | default("the search", true) -%}
{{- "<|im_end|>system\\nread the document and the query. The words are \\"yes\\" or \\"no\\".<|im_end|>\\n" -}}
{{- "<|im_end|>user\\n<Instruct>: " + instruct + "\\n<Query>: " -}}
{{- messages | selectattr("role", "eq", "query") | map(attribute="content") | first -}}
{{- "\\n<Document>: " -}}
{{- messages | selectattr("role", "eq", "document") | map(attribute="content") | first -}}
{{- "<|im_end|>\\n" -}}
{%- if add_generation_prompt -%}
{{- "<|im_end|>assistant\\n<think>\\n\\n</think>\\n\\n" -}}
{%- endif -%}
"""
# Contents with types, the special token of the package, the last message told from others, an answer begun always.
TYPED = """\
{{ bos_token }}{% for message in messages %}
{% for content in message['content'] %}
{% if content['type'] == 'text' %}{{ message.role | upper }} {{ content.text }}{{ eos_token if loop.last }}{% endif %}
{% endfor %}
{% if not loop.last %} and {% endif %}
{% endfor %} is it for the reading: {{ style }}"""
NVIDIA = """\
{%- set use_prompt_template = true -%}
{%- set query = messages | selectattr("role", "eq", "query") | first -%}
{%- set document = messages | selectattr("role", "eq", "document") | first -%}
{%- set ns = namespace(query="", document="") -%}
{%- for block in query.content if block.type == "text" -%}{%- set ns.query = ns.query + block.text -%}{%- endfor -%}
{%- for block in document.content if block.type == "text" -%}{%- set ns.document = ns.document + block.text -%}{%- endfor -%}
{%- if use_prompt_template -%}{{- "query: " + ns.query + "\\n\\npassage: " + ns.document -}}
{%- else -%}{{- ns.query + "\\n" + ns.document -}}{%- endif -%}
"""
PLAIN = (
    "{% for m in messages %}{{ '<s>' + m['role'] + ' ' + m['content'] | trim + '</s>' }}{% endfor %}"
    "{% if add_generation_prompt %}the words{% endif %}"
)


def modalities(form=None, output="logits"):
    one = {"method": "forward", "method_output_name": output}
    return {"text": one, **({"message": {**one, "format": form}} if form else {})}


def files(score, form=None, template="", chat=None, **own):
    """What sentence-transformers 6.2 saves of a CrossEncoder with a LogitScore."""
    settings = {"transformer_task": "text-generation", "modality_config": modalities(form), "module_output_name": "causal_logits"}
    if chat:
        settings["processing_kwargs"] = {"chat_template": chat}
    return {
        "modules.json": [
            {"idx": 0, "name": "0", "path": "", "type": BASE},
            {"idx": 1, "name": "1", "path": "1_LogitScore", "type": SCORE},
        ],
        "sentence_bert_config.json": settings,
        "1_LogitScore/config.json": score,
        "config_sentence_transformers.json": {
            "__version__": {"sentence_transformers": "6.2.0"}, "model_type": "CrossEncoder", **own,
        },
        **({"chat_template.jinja": template} if template else {}),
    }


def score(true, false=None):
    return {"true_token_id": true, "false_token_id": false, "module_input_name": "causal_logits"}


def length(tokens, **more):
    return {"tokenizer_config": {"model_max_length": tokens, **more}}


IM = {**QWEN, "tokens": {"eos": "<|im_end|>", "pad": "<|endoftext|>"}, "template": ("$A", "$A $B")}
IDENTITY = "torch.nn.modules.linear.Identity"

CASES = [
    HeadCase(
        of_decoder("qwen3", "qwen3_yes_no", "As Qwen3-Reranker with modules: one word's logit less another's from a tied head that is "
                   "not stored, the published template, a default instruction as the system's message, no activation, bf16.",
                   "qwen3", "Qwen3ForCausalLM",
                   {**LLAMA, "max_position_embeddings": 240, "head_dim": 12, "tie_word_embeddings": True},
                   modules=[], **{**IM, "tokenizer_config": {**QWEN["tokenizer_config"], "model_max_length": 220}}),
        "none", "rerank", limit=220, types=False, modular=True, prompt="small words for the search", chats=True,
        files=files(score(101, 78), "flat", JUDGE, {"add_generation_prompt": True}, activation_fn=IDENTITY,
                    default_prompt_name="web", prompts={"web": "small words for the search", "none": ""}),
    ),
    HeadCase(
        of_decoder("llama", "llama_one_word", "One word's logit of a head of its own: contents with types, the begin token and a "
                   "variable of the package's, no prompt, texts cut at the left; sharded.",
                   "llama", "LlamaForCausalLM", {**LLAMA, "tie_word_embeddings": False, "attention_bias": True}, modules=[],
                   shards=2, **length(48, truncation_side="left")),
        "sigmoid", "rerank", limit=48, types=False, modular=True, chats=True,
        files=files(score(23), "structured", TYPED, {"style": "small", "add_generation_prompt": False}),
    ),
    HeadCase(
        of_decoder("qwen2", "qwen2_pair_word", "A LogitScore without conversations: the pair by the tokenizer's template behind a "
                   "prompt, whatever template there is; tied by config.json, and stored too, which wins. Half precision.",
                   "qwen2", "Qwen2ForCausalLM", {**LLAMA, "tie_word_embeddings": True}, modules=[],
                   more_tensors={"lm_head.weight": (282, 24)},
                   **{**QWEN, "tokens": {"eos": "<|endoftext|>", "pad": "<|pad|>"}, "storage": ("F16",),
                      "tokenizer_config": {**QWEN["tokenizer_config"], "model_max_length": 64}}),
        "sigmoid", "rerank", limit=64, types=False, modular=True, prompt="find: ",
        files=files(score(5, 280), None, PLAIN, activation_fn="torch.nn.modules.activation.Sigmoid",
                    default_prompt_name="find", prompts={"find": "find: "}),
    ),
    HeadCase(
        of_decoder("mistral", "mistral_words", "A causal class without modules: the words yes and no of the vocabulary, a template "
                   "of the tokenizer's config, whose form is guessed, a window.", "mistral", "MistralForCausalLM",
                   {**LLAMA, "sliding_window": 6, "tie_word_embeddings": False,
                    "sbert_ce_default_activation_function": IDENTITY}, **length(40, chat_template=PLAIN)),
        "none", "rerank", limit=40, types=False, modular=True, chats=True, words={"left": "yes", "right": "no"},
    ),
    HeadCase(
        of_decoder("ministral3", "ministral3_words", "The same without any template: the pair as the tokenizer joins it, queries that "
                   "grow, a tied head.", "ministral3", "Ministral3ForCausalLM",
                   {**LLAMA, "head_dim": 8, "rope_parameters": GROWTH, "tie_word_embeddings": True},
                   **{"template": BEGUN, **length(40)}),
        "sigmoid", "rerank", limit=40, types=False, modular=True, words={"left": "yes", "right": "no"},
    ),
    HeadCase(
        of_decoder("qwen3", "qwen3_chat_class", "A class of one label behind a chat template, without modules: the reference writes "
                   "the conversation.", "qwen3", "Qwen3ForSequenceClassification",
                   {**LLAMA, "head_dim": 12, "pad_token_id": 3, "id2label": {"0": "LABEL_0"},
                    "sentence_transformers": {"activation_fn": IDENTITY, "version": "5.1.0"}}, **length(36, chat_template=PLAIN)),
        "none", "rerank", limit=36, types=False, last_row=True, modular=True, chats=True,
    ),
    HeadCase(
        of_decoder("llama", "llama_chat_class", "The same as sentence-transformers 6.2 saves it, its end written after both texts.",
                   "llama", "LlamaForSequenceClassification",
                   {**LLAMA, "pad_token_id": 3, "id2label": {"0": "LABEL_0"}}, **length(36)),
        "sigmoid", "rerank", limit=36, types=False, last_row=True, modular=True, chats=True, prompt="search",
        files={
            "modules.json": [{"idx": 0, "name": "0", "path": "", "type": BASE}],
            "sentence_bert_config.json": {
                "transformer_task": "sequence-classification", "modality_config": modalities("flat"),
                "module_output_name": "scores",
                "processing_kwargs": {"chat_template": {"add_generation_prompt": True}},
            },
            "config_sentence_transformers.json": {
                "model_type": "CrossEncoder", "default_prompt_name": "q", "prompts": {"q": "search"},
            },
            "chat_template.jinja": PLAIN,
        },
    ),
    HeadCase(
        of_decoder("ministral3", "ministral3_chat_modules", "Modules behind a conversation, as converted rerankers of NVIDIA's have "
                   "them: the mean of all rows and one product, both sides in sight, the published text form of it.",
                   "ministral3", "Ministral3Model",
                   {**LLAMA, "head_dim": 8, "rope_parameters": GROWTH, "is_causal": False},
                   **{"template": BEGUN, "modules": ["Pooling", dense(1, 24, output="scores", bias=False)], "storage": ("BF16",),
                      **length(36)}),
        "none", "rerank", limit=36, types=False, modular=True, chats=True,
        files={
            **own_files(activation_fn=IDENTITY, prompts={}, default_prompt_name=None),
            "sentence_bert_config.json": {
                "transformer_task": "feature-extraction", "modality_config": modalities("structured", "last_hidden_state"),
                "module_output_name": "token_embeddings",
                "processing_kwargs": {"chat_template": {"add_generation_prompt": False}},
            },
            "chat_template.jinja": NVIDIA,
        },
    ),
]
