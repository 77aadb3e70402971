"""What the straight-line classes of this folder do with the mask of one text: rows at its end may be no keys, as a query's
expansion is that no token sees. They see, and are answered, like any others."""

import torch


def added(mask, x, least=None):
    """[rows], to be added to the scores of every row; None of a text without such rows. Published files add the least number
    of their type (transformers' get_extended_attention_mask), or one that is theirs."""
    if mask is None or bool((mask == 1).all()):
        return torch.zeros((), dtype=x.dtype)
    seen = mask[0].bool()
    assert len(mask) == 1 and bool(seen[0]) and bool((seen[:-1] >= seen[1:]).all()), "one text, no padding in front"
    return (~seen).to(x.dtype) * (torch.finfo(x.dtype).min if least is None else least)
