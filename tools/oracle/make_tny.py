#!/usr/bin/env python3
"""Writes goldens/tny: the tiny encoder of SPEC section 18 as a safetensors file of 380 bytes, and its values.
Needs Python alone. The values are worked out in exact fractions up to the norm and rounded once; SPEC's table
is checked against them.
"""

import base64
import hashlib
import json
import struct
from decimal import Decimal, getcontext
from fractions import Fraction
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2] / "goldens" / "tny"
SHA256 = "69c0b17f6095eeabe152d81ab63c632adc015005634c932d2c5993d3bcd88ca6"
HEADER = 280  # padded with blanks
TENSORS = {  # weights are [out, in]
    "encoder.bias": [0, 0, 0],
    "encoder.weight": [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 1]],
    "projection.bias": ["0.1", "-0.1"],
    "projection.weight": [[1, 0, "0.5"], [0, 1, "-0.5"]],
}
INPUTS = [[1, 2, 3, 4], [-1, 1, 1, 0]]
TABLE = [[0.94449675, -0.32852063], [0.83205026, 0.55470020]]  # as SPEC prints it: of an f32 run, 5e-8 off


def checkpoint() -> bytes:
    entries, data = {}, b""
    for name, values in TENSORS.items():
        rows = values if isinstance(values[0], list) else [values]
        flat = [float(v) for row in rows for v in row]
        shape = [len(values), len(values[0])] if isinstance(values[0], list) else [len(values)]
        entries[name] = {
            "dtype": "F32",
            "shape": shape,
            "data_offsets": [len(data), len(data) + 4 * len(flat)],
        }
        data += struct.pack(f"<{len(flat)}f", *flat)
    header = json.dumps(entries, separators=(",", ":")).encode().ljust(HEADER)
    return struct.pack("<Q", HEADER) + header + data


def linear(rows, weight, bias):
    return [
        [sum(Fraction(w) * x for w, x in zip(ws, row)) + Fraction(b) for ws, b in zip(weight, bias)]
        for row in rows
    ]


def unit(row):
    getcontext().prec = 50
    dec = [Decimal(x.numerator) / Decimal(x.denominator) for x in row]
    norm = sum(x * x for x in dec).sqrt()
    return [float(x / norm) for x in dec]


def array(rows) -> dict:
    flat = [float(v) for row in rows for v in row]
    return {
        "dtype": "f64",
        "shape": [len(rows), len(rows[0])],
        "base64": base64.b64encode(struct.pack(f"<{len(flat)}d", *flat)).decode(),
    }


def main():
    data = checkpoint()
    digest = hashlib.sha256(data).hexdigest()
    assert (len(data), digest) == (380, SHA256), (len(data), digest)
    hidden = [
        [max(x, Fraction(0)) for x in row]
        for row in linear(
            [[Fraction(x) for x in r] for r in INPUTS], TENSORS["encoder.weight"], TENSORS["encoder.bias"]
        )
    ]
    projected = linear(hidden, TENSORS["projection.weight"], TENSORS["projection.bias"])
    output = [unit(row) for row in projected]
    assert all(abs(a - b) < 1e-7 for r, s in zip(output, TABLE) for a, b in zip(r, s))
    ROOT.mkdir(parents=True, exist_ok=True)
    (ROOT / "tiny_encoder.safetensors").write_bytes(data)
    (ROOT / "golden.json").write_text(
        json.dumps(
            {
                "format": 1,
                "case": "tny",
                "about": "Linear(4,3), ReLU, Linear(3,2), L2: SPEC section 18, values by hand.",
                "made_by": {"command": "tools/oracle/make_tny.py"},
                "bytes": len(data),
                "sha256": digest,
                "inputs": INPUTS,
                "hidden": array(hidden),
                "projected": array(projected),
                "embeddings_f64": array(output),
                "tolerance": 1e-6,
            },
            indent=1,
        )
        + "\n"
    )
    print(len(data), digest, output)


if __name__ == "__main__":
    main()
