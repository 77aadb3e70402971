"""Small edits of a package folder: each function gives an edit, a function of the folder's path."""

import json
import os
import struct


def edits(*steps):
    """Several faults in one package."""

    def run(folder):
        for step in steps:
            step(folder)

    return run


# ---- files ------------------------------------------------------------------------------------------------


def write(name, content):
    def run(folder):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())

    return run


def remove(name):
    return lambda folder: (folder / name).unlink()


def rename(name, to):
    return lambda folder: (folder / name).rename(folder / to)


def copy(name, to):
    def run(folder):
        (folder / to).parent.mkdir(exist_ok=True)
        (folder / to).write_bytes((folder / name).read_bytes())

    return run


def link(name, target):
    """A symbolic link in the place of a file."""

    def run(folder):
        (folder / name).unlink(missing_ok=True)
        (folder / name).symlink_to(target)

    return run


def fifo(name):
    def run(folder):
        (folder / name).unlink(missing_ok=True)
        os.mkfifo(folder / name)

    return run


def subfolder(name):
    def run(folder):
        (folder / name).unlink(missing_ok=True)
        (folder / name).mkdir()

    return run


def sized(name, size):
    """Cut, or filled up with a hole that takes no space on the disk."""
    return lambda folder: os.truncate(folder / name, size)


def cut(name, count):
    return lambda folder: os.truncate(folder / name, (folder / name).stat().st_size - count)


def append(name, content):
    return lambda folder: (folder / name).write_bytes((folder / name).read_bytes() + content)


def flip(name, offset):
    """One bit of one byte; a negative offset counts from the end."""

    def run(folder):
        data = bytearray((folder / name).read_bytes())
        data[offset] ^= 1
        (folder / name).write_bytes(data)

    return run


# ---- JSON -------------------------------------------------------------------------------------------------


def parts_of(pointer):
    return [part.replace("~1", "/").replace("~0", "~") for part in pointer.split("/")[1:]]


def reached(value, parts):
    for part in parts:
        value = value[int(part) if isinstance(value, list) else part]
    return value


def document(name, change):
    """`change` edits the parsed file in place."""

    def run(folder):
        value = json.loads((folder / name).read_text())
        change(value)
        (folder / name).write_text(json.dumps(value, ensure_ascii=False))

    return run


def put(name, pointer, value):
    """The value at the pointer, replaced or added; "-" appends to a list."""

    def change(root):
        *way, last = parts_of(pointer)
        holder = reached(root, way)
        if last == "-":
            holder.append(value)
        else:
            holder[int(last) if isinstance(holder, list) else last] = value

    return document(name, change)


def drop(name, pointer):
    def change(root):
        *way, last = parts_of(pointer)
        holder = reached(root, way)
        del holder[int(last) if isinstance(holder, list) else last]

    return document(name, change)


# ---- safetensors ------------------------------------------------------------------------------------------


def safetensors(header, data=b""):
    """A file of this header, a text or the value of one."""
    text = header if isinstance(header, (str, bytes)) else json.dumps(header)
    raw = text if isinstance(text, bytes) else text.encode()
    return struct.pack("<Q", len(raw)) + raw + data


def read_tensors(path):
    """Name to (dtype, shape, bytes), in the order of the data."""
    raw = path.read_bytes()
    size = struct.unpack("<Q", raw[:8])[0]
    header = json.loads(raw[8 : 8 + size])
    header.pop("__metadata__", None)
    data = raw[8 + size :]
    order = sorted(header, key=lambda name: header[name]["data_offsets"])
    return {
        n: (header[n]["dtype"], header[n]["shape"], data[slice(*header[n]["data_offsets"])]) for n in order
    }


def tensors(name, change):
    """`change` edits the mapping of read_tensors in place."""

    def run(folder):
        held = read_tensors(folder / name)
        change(held)
        header, data = {}, b""
        for tensor, (dtype, shape, content) in held.items():
            header[tensor] = {
                "dtype": dtype,
                "shape": shape,
                "data_offsets": [len(data), len(data) + len(content)],
            }
            data += content
        (folder / name).write_bytes(safetensors(header, data))

    return run


WEIGHTS = "model.safetensors"


def drop_tensor(tensor, file=WEIGHTS):
    return tensors(file, lambda held: held.pop(tensor))


def add_tensor(tensor, dtype, shape, content, file=WEIGHTS):
    return tensors(file, lambda held: held.update({tensor: (dtype, shape, content)}))


def rename_tensor(tensor, to, file=WEIGHTS):
    return tensors(file, lambda held: held.update({to: held.pop(tensor)}))


def copy_tensor(tensor, to, file=WEIGHTS):
    return tensors(file, lambda held: held.update({to: held[tensor]}))


def retyped(tensor, dtype, shape, file=WEIGHTS):
    """Other words for the same bytes."""
    return tensors(file, lambda held: held.update({tensor: (dtype, shape, held[tensor][2])}))


def zeros(tensor, dtype, shape, size, file=WEIGHTS):
    return tensors(file, lambda held: held.update({tensor: (dtype, shape, bytes(size))}))


def number(tensor, index, value, file=WEIGHTS):
    """One f32 value of a tensor."""

    def change(held):
        dtype, shape, content = held[tensor]
        content = content[: 4 * index] + struct.pack("<f", value) + content[4 * index + 4 :]
        held[tensor] = (dtype, shape, content)

    return tensors(file, change)
