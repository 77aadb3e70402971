#!/usr/bin/env python3
"""Makes packages of full width with random weights, one a family, for families.py, and by name those of decoders.py:

    $BENCH_HOME/main/bin/python bench/make_packages.py [--layers 6] [NAME...]      default: all; 250 to 450 MB each

Published weights can't lie here, and speed doesn't depend on their values; the configurations are in shapes.py.
transformers makes the model, sentence-transformers writes the package. Tokenizers: MiniLM's WordPiece, and a byte-level
BPE and a Unigram trained on what a Debian has and on the corpus. Every package takes the mean of all rows of at most 256
tokens, but the decoder, which is whole, stored in bf16 and takes the last row."""

import argparse
import json
import shutil
import zlib

import tokenizers
import torch
import transformers
from sentence_transformers import SentenceTransformer
from sentence_transformers.base.modules import Normalize, Transformer
from sentence_transformers.sentence_transformer.modules import Pooling
from tokenizers import processors
from transformers import AutoConfig, AutoModel, PreTrainedTokenizerFast

import common
import make_tokenizers
from shapes import DECODERS, SHAPES

SPECIAL = ("<s>", "<pad>", "</s>", "<unk>", "<mask>")
ROLES = {"cls_token": "<s>", "pad_token": "<pad>", "sep_token": "</s>", "unk_token": "<unk>", "mask_token": "<mask>"}


def trained(kind):
    """A tokenizer that frames a text as <s> ... </s>, kept for the next call."""
    file = common.PACKAGES / f"tokenizer_{kind}.json"
    if not file.exists():
        texts = [*make_tokenizers.documentation(14_000_000), *make_tokenizers.library(8_000_000), *common.texts()]
        make = {"bpe": make_tokenizers.make_bpe, "unigram": make_tokenizers.make_unigram}[kind]
        tokenizer = tokenizers.Tokenizer.from_str(json.dumps(make(texts, SPECIAL)))
        tokenizer.post_processor = processors.TemplateProcessing(
            single="<s> $A </s>", pair="<s> $A </s> </s> $B </s>", special_tokens=[("<s>", 0), ("</s>", 2)]
        )
        tokenizer.save(str(file))
    return PreTrainedTokenizerFast(
        tokenizer_file=str(file), model_max_length=common.MAX_LENGTH, clean_up_tokenization_spaces=False, **ROLES
    )


def write_tokenizer(kind, folder):
    if kind == "word_piece":
        for name in ("tokenizer.json", "tokenizer_config.json", "special_tokens_map.json", "vocab.txt"):
            shutil.copy(common.package(common.MINILM) / name, folder)
    else:
        trained(kind).save_pretrained(folder)


def make(name, layers):
    shape, folder = (SHAPES | DECODERS)[name], common.package(name)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    torch.manual_seed(zlib.crc32(name.encode()))
    config = AutoConfig.for_model(shape.model_type, **{shape.layers: layers} | shape.config)
    AutoModel.from_config(config, dtype=getattr(torch, shape.dtype)).save_pretrained(folder)
    write_tokenizer(shape.tokenizer, folder)
    transformer = Transformer(str(folder), max_seq_length=common.MAX_LENGTH)
    pooling = Pooling(transformer.get_embedding_dimension(), shape.pooling)
    SentenceTransformer(modules=[transformer, pooling, Normalize()], device="cpu").save_pretrained(str(folder))


def main():
    transformers.utils.logging.disable_progress_bar()
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join([*SHAPES, *DECODERS]))
    parser.add_argument("--layers", type=int, default=6)
    args = parser.parse_args()
    for name in args.names or SHAPES:
        make(name, args.layers)
        print(common.package(name), flush=True)


if __name__ == "__main__":
    main()
