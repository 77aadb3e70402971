"""One damaged package: which golden package, what is done to it, and the whole answer that must come."""

from typing import Callable, NamedTuple

PLAN = ("plan", "--json")
BENCH = ("bench", "--json", "--shape", "4x1")  # loads the weights, and answers in JSON


class Case(NamedTuple):
    name: str
    package: str  # a folder of goldens/bert, or "family/case"
    edit: Callable
    problems: list
    options: tuple = ()
    verb: tuple = PLAN
    exit: int = 3


def problem(code, where, found, allowed):
    return {"code": code, "where": where, "found": found, "allowed": allowed}


def at(code, file, pointer, found, allowed):
    """A problem at a file, or at a pointer in it."""
    return problem(code, {"file": file, "pointer": pointer} if pointer else {"file": file}, found, allowed)


def tensor(code, file, name, found, allowed):
    return problem(code, {"file": file, "tensor": name}, found, allowed)


def indexed(code, name, found, allowed):
    """A problem at a tensor's entry in the index of a sharded package."""
    file = "model.safetensors.index.json"
    return problem(code, {"file": file, "pointer": f"/weight_map/{name}", "tensor": name}, found, allowed)


def option(code, name, found, allowed):
    return problem(code, {"option": name}, found, allowed)


def nothing(_folder):
    """The package as it is: the request is what is wrong."""
