#!/usr/bin/env python3
"""Makes under $BENCH_HOME the packages of tasks.py, with random weights, and what the peers read of them:

    $BENCH_HOME/main/bin/python bench/tasks_packages.py [--layers 6]

cross-encoder: MiniLM's width, one label, as published re-rankers. splade: BERT's width and its masked-LM head with a tied
decoder. The graphs hold the whole task: the pooler and the classifier; the head, log(1 + relu) and the maximum over tokens."""

import argparse
import shutil

import torch
from sentence_transformers import CrossEncoder, SparseEncoder
from sentence_transformers.base.modules import Transformer
from sentence_transformers.sparse_encoder.modules import SpladePooling
from transformers import AutoConfig, AutoModelForMaskedLM, AutoModelForSequenceClassification

import common
import prepare
from make_packages import write_tokenizer

NAMES = ["input_ids", "attention_mask", "token_type_ids"]
MINI = {"hidden_size": 384, "num_attention_heads": 12, "intermediate_size": 1536, "vocab_size": 30522}
BASE = {"hidden_size": 768, "num_attention_heads": 12, "intermediate_size": 3072, "vocab_size": 30522}
MADE = {"cross-encoder": (AutoModelForSequenceClassification, MINI | {"num_labels": 1}), "splade": (AutoModelForMaskedLM, BASE)}


class Whole(torch.nn.Module):
    def __init__(self, name, attention):
        super().__init__()
        kind, self.sparse = MADE[name][0], name == "splade"
        folder = str(common.package(name))
        self.model = kind.from_pretrained(folder, attn_implementation=attention, dtype=torch.float32)

    def forward(self, input_ids, attention_mask, token_type_ids):
        logits = self.model(input_ids=input_ids, attention_mask=attention_mask, token_type_ids=token_type_ids).logits
        if not self.sparse:
            return logits
        return torch.log1p(torch.relu(logits * attention_mask[..., None])).amax(1)


def make(name, layers):
    kind, shape = MADE[name]
    folder = common.package(name)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    torch.manual_seed(7)
    config = AutoConfig.for_model("bert", **shape, num_hidden_layers=layers)
    kind.from_config(config, dtype=torch.float32).save_pretrained(folder)
    write_tokenizer("word_piece", folder)
    if name == "splade":
        transformer = Transformer(str(folder), max_seq_length=common.MAX_LENGTH, transformer_task="fill-mask")
        model = SparseEncoder(modules=[transformer, SpladePooling("max")], device="cpu")
    else:
        model = CrossEncoder(str(folder), device="cpu", max_length=common.MAX_LENGTH)
    model.save_pretrained(str(folder))


def example():
    ids, mask = prepare.example()
    return ids, mask, torch.zeros_like(ids)


def export(name):
    import openvino

    folder = common.converted(name)
    folder.mkdir(parents=True, exist_ok=True)
    torch.onnx.export(
        Whole(name, "eager").eval(), example(), str(folder / "plain.onnx"), input_names=NAMES, output_names=["answer"],
        dynamic_axes={n: {0: "batch", 1: "length"} for n in NAMES}, opset_version=17, dynamo=False,
    )  # fmt: skip
    prepare.fuse(name, folder)
    with torch.no_grad():
        graph = openvino.convert_model(Whole(name, "sdpa").eval(), example_input=example(),
                                       input=[openvino.PartialShape([-1, -1])] * 3)  # fmt: skip
    for port, port_name in zip(graph.inputs, NAMES):
        port.get_tensor().set_names({port_name})
    openvino.save_model(graph, str(folder / "openvino.xml"), compress_to_fp16=False)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--layers", type=int, default=6)
    args = parser.parse_args()
    for name in MADE:
        make(name, args.layers)
        export(name)
        print(common.package(name), flush=True)


if __name__ == "__main__":
    main()
