"""How clearly routers choose. Where two experts are as likely as each other, f32 may choose otherwise than double, and both
are right: likelihoods of f32 runs are some 1e-7 off, so no case may have two that are nearer than 1e-5."""

import torch

closest = float("inf")  # between the last expert that a token is sent to and the next


def begin():
    global closest
    closest = float("inf")


def note(likelihoods, chosen: int):
    """Of every row, over all experts."""
    global closest
    if chosen < likelihoods.shape[-1]:
        best = likelihoods.topk(chosen + 1, dim=-1).values
        closest = min(closest, float((best[..., chosen - 1] - best[..., chosen]).min()))


def one_by_one(model):
    """Each expert by its own product: the way to have all at once takes no double, and only widths in fours."""
    for module in model.modules():
        if type(module).__name__.endswith("Experts") and hasattr(module, "config"):
            module.config._experts_implementation = "eager"
    return model


def watch(model):
    """Those of transformers' own classes."""

    def seen(module, _, out):
        note(torch.softmax(out[0], dim=-1), module.top_k)

    for module in model.modules():
        if type(module).__name__.endswith("TopKRouter"):
            module.register_forward_hook(seen)
    return model


def check():
    if closest < 1e-5:
        raise AssertionError(f"two experts of a token are {closest:.1e} apart")
