"""Packages as the library itself writes them when a Router is the first module: the modules of a written package, in
routes, saved again. The encoder then stands in a folder of its own."""

import shutil
import tempfile
from pathlib import Path

import torch
from sentence_transformers import SentenceTransformer, SparseEncoder
from sentence_transformers.base.modules import Router
from sentence_transformers.base.modules.transformer import Transformer
from sentence_transformers.sentence_transformer.modules import Pooling
from sentence_transformers.sparse_encoder.modules import MLMTransformer, SparseStaticEmbedding, SpladePooling


def replace(package: Path, model):
    with tempfile.TemporaryDirectory() as tmp:
        model.save(str(Path(tmp) / "package"), create_model_card=False)
        shutil.rmtree(package)
        shutil.copytree(Path(tmp) / "package", package)


def encoder_of(model):
    """The Transformer module, also behind a Router."""
    routes = getattr(model[0], "sub_modules", None)
    if routes is None:
        return model[0]
    return next(m for route in routes.values() for m in route if isinstance(m, Transformer))


def save_dense(package: Path, poolings: dict):
    """A package with a Router behind Pooling: each route gets the encoder and a pooling of its own (its settings, by
    route), or, where two have the same settings, one that they share."""
    model = SentenceTransformer(str(package), device="cpu", local_files_only=True)
    encoder, _, router, *behind = model
    shared, routes = {}, {}
    for name, modules in router.sub_modules.items():
        settings = poolings[name]
        pool = shared.setdefault(str(settings), Pooling(encoder.get_embedding_dimension(), **settings))
        routes[name] = [encoder, pool, *modules]
    whole = Router(routes, default_route=router.default_route, allow_empty_key=False)
    replace(
        package,
        SentenceTransformer(
            modules=[whole, *behind], device="cpu", prompts=model.prompts, similarity_fn_name=model.similarity_fn_name
        ),
    )


def save_sparse(package: Path, kind: str, pooling: dict, weight: torch.Tensor, own: dict):
    """Documents through a masked-LM encoder of the class `kind`, queries through a table of words."""
    encoder = {"Transformer": Transformer, "MLMTransformer": MLMTransformer}[kind](str(package), transformer_task="fill-mask")
    router = Router.for_query_document(
        [SparseStaticEmbedding(encoder.tokenizer, weight=weight, frozen=True)], [encoder, SpladePooling(**pooling)]
    )
    replace(package, SparseEncoder(modules=[router], device="cpu", **own))
