"""Units and instructions as descriptions that answer vectors, and what the catalogue lists."""

from __future__ import annotations

import json
import os
import pathlib
import tempfile
from functools import cached_property
from typing import Any, Optional, Union

import numpy as np

from . import _native
from .arrays import Format, back, broadcast, contiguous, results, words
from .errors import WrongLength, WrongType, WrongValue

#: What names a unit or an instruction: a name of the catalogue, a path that ends in .toml, the text of such a file.
Described = Union[str, "os.PathLike[str]", "Unit"]


def devices() -> list[dict]:
    """Every device of the catalogue with its instructions, and what verified each.

    >>> [device["device"] for device in devices() if "H100" in device["parts"] or device["device"] == "H100"]
    ['H100']
    """
    return json.loads(_native.devices())


def units() -> list[str]:
    """The names of all units of the catalogue.

    >>> "hopper-fp16-fp32" in units()
    True
    """
    return list(_native.units())


def instructions(device: Optional[str] = None) -> list[str]:
    """The names of all instructions of the catalogue, or of those of a device.

    >>> instructions("Sapphire Rapids")
    ['intel-tdpbf16ps', 'intel-tdpbssd', 'intel-vdpbf16ps']
    """
    if device is None:
        return list(_native.instructions())
    return list(_native.instructions_of(_text("device", device)))


def _text(name: str, value: Any) -> str:
    if isinstance(value, str):
        return value
    raise WrongType(f"{name} is {value!r}; allowed: a text")


def thread_count(threads: Optional[int]) -> Optional[int]:
    """The number of threads, if it is one."""
    if threads is None:
        return None
    if isinstance(threads, bool) or not isinstance(threads, (int, np.integer)):
        raise WrongType(f"threads is {threads!r}; allowed: a whole number from 1 to 1024, or None for all processors")
    if not 1 <= threads <= 1024:
        raise WrongValue(f"threads is {threads}; allowed: 1 to 1024, or None for all processors")
    return int(threads)


def count(name: str, value: Any, least: int = 0, most: Optional[int] = None) -> int:
    """A whole number that fits 64 bits, or is no greater than `most`."""
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)):
        raise WrongType(f"{name} is {value!r}; allowed: a whole number")
    if not least <= value <= ((1 << 64) - 1 if most is None else most):
        raise WrongValue(f"{name} is {value}; allowed: {least} to {'2^64 - 1' if most is None else most}")
    return int(value)


class Unit:
    """A unit or a matrix instruction. Two of the same description are equal.

    `Unit("hopper-fp16-fp32")` is one of the catalogue, in any spelling of case; `Unit("my-unit.toml")`, or a `pathlib.Path`, the
    one that a file describes; `Unit(text)` the one that the text of such a file describes.

    >>> unit = Unit("volta-fp16-fp32")
    >>> unit.products, unit.formats["a"].name, unit.parameters["scheme"]
    (4, 'binary16', 'fused')
    >>> unit
    Unit('volta-fp16-fp32')
    """

    def __init__(self, described: Described):
        if isinstance(described, Unit):
            self.native: _native.Subject = described.native
        elif isinstance(described, os.PathLike):
            self.native = _native.Subject(os.fspath(described), "path")
        elif isinstance(described, str):
            self.native = _native.Subject(described, kind_of(described))
        else:
            raise WrongType(f"unit is {described!r}; allowed: a name, a path, the text of a unit file, a Unit")
        self._shape = json.loads(self.native.shape())

    def __repr__(self) -> str:
        return f"Unit({self.name!r})"

    def __eq__(self, other: object) -> bool:
        return self.native.toml() == other.native.toml() if isinstance(other, Unit) else NotImplemented

    def __hash__(self) -> int:
        return hash(tuple(self.native.toml()))

    def __reduce__(self):
        return _unpickled, (self.name, self.native.toml())

    @property
    def name(self) -> str:
        """Its name in the catalogue or in its file."""
        return self.native.name

    @property
    def kind(self) -> str:
        """"unit", "instruction", or "interface" where only formats and sizes are known."""
        return self.native.kind

    @property
    def products(self) -> int:
        """Products of one result: the last dimension of a and b."""
        return self._shape["products"]

    @property
    def scales(self) -> int:
        """Scales of a in one result, and of b; 0 without scales."""
        return self._shape["scales"]

    @property
    def has_flags(self) -> bool:
        """Whether `dot` returns exception flags beside results."""
        return self._shape["flags"]

    @property
    def answer_width(self) -> int:
        """Bits of d, and of the flags above it."""
        return self._shape["answer_width"]

    @property
    def shape(self) -> Optional[tuple[int, int, int]]:
        """m, n and k of an instruction."""
        shape = self._shape["shape"]
        return None if shape is None else (shape["m"], shape["n"], shape["k"])

    @cached_property
    def formats(self) -> dict[str, Format]:
        """The formats of a, b, c, d, scale_a and scale_b, those that there are."""
        return {operand: Format(**form) for operand, form in self._shape["formats"].items()}

    @cached_property
    def parameters(self) -> dict:
        """Every field of the description, by the names that unit files and instruction files have."""
        return json.loads(self.native.parameters())

    @property
    def toml(self) -> str:
        """The text of its file. Of an instruction that names units outside the catalogue, `files` has those of the units."""
        return self.native.toml()[0][1]

    @property
    def files(self) -> dict[str, str]:
        """Names and texts of its file and, of an instruction, those of its units."""
        return dict(self.native.toml())

    def _operands(self, values: dict[str, Any], rule: Optional[str]) -> tuple[list[Any], tuple]:
        """a, b, c and the scales as encodings, and the shape of the results."""
        each = {"a": self.products, "b": self.products, "c": None, "scale_a": self.scales, "scale_b": self.scales}
        found: dict[str, np.ndarray] = {}
        for operand, value in values.items():
            if operand not in self.formats:
                if value is not None:
                    raise WrongValue(f"{operand} is given; {self.name} has none; allowed: None")
            elif value is None:
                found[operand] = self._missing(operand)
            else:
                found[operand] = words(self, operand, value, rule)
                last = each[operand]
                if last is not None and (found[operand].ndim == 0 or found[operand].shape[-1] != last):
                    allowed = f"a last dimension of {last}, the {'scales' if 'scale' in operand else 'products'} of {self.name}"
                    raise WrongLength(f"{operand} has shape {found[operand].shape}; allowed: {allowed}")
        batches = [array.shape if each[operand] is None else array.shape[:-1] for operand, array in found.items()]
        try:
            batch = np.broadcast_shapes(*batches)
        except ValueError:
            said = ", ".join(f"{operand} {array.shape}" for operand, array in found.items())
            raise WrongLength(f"shapes are {said}; allowed: batches that NumPy broadcasts to one shape") from None
        arrays: list[Any] = []
        for operand, last in each.items():
            if operand in found:
                whole = batch if last is None else (*batch, last)
                arrays.append(contiguous(broadcast(operand, found[operand], whole)))
            else:
                arrays.append(np.zeros(int(np.prod(batch)) if last is None else 0, np.uint8))
        return arrays, batch

    def _missing(self, operand: str) -> np.ndarray:
        form = self.formats[operand]
        if not operand.startswith("scale"):
            return np.zeros((), form.words)
        one = back(self.native.encode(operand, operand, np.ones(1), "exact"))
        return np.broadcast_to(one, (self.scales,))

    def dot(
        self,
        a: Any,
        b: Any,
        c: Any = None,
        *,
        scale_a: Any = None,
        scale_b: Any = None,
        operands: Optional[str] = None,
        encodings: bool = False,
        engine: Optional[str] = None,
        threads: Optional[int] = None,
    ) -> Any:
        """c + the sum of a * b, as the unit computes it: bit for bit what `tensorsmith eval` answers.

        Shapes: a (..., products), b (..., products), c (...), scale_a (..., scales), scale_b (..., scales); the batches before are
        broadcast. The result has shape (...), and is a pair of results and flags where the unit has flags. c is zero, scales are one,
        if they are not given.

        Elements are of the format's type (`unit.formats["a"].dtype`), or encodings: unsigned integers of its width. Others are refused,
        unless `operands` names a rule: "exact", "nearest" or "cut". With encodings=True results are encodings.

        >>> import numpy as np
        >>> unit = Unit("volta-fp16-fp32")
        >>> a, b = np.float16([-8192, -0.5, -0.25, -0.125]), np.float16([1024, 1, 1, 1])
        >>> float(unit.dot(a, b, np.float32(2**23)))
        0.0
        >>> unit.dot(np.ones((2, 3, 4), np.float16), b).shape
        (2, 3)
        """
        given = {"a": a, "b": b, "c": c, "scale_a": scale_a, "scale_b": scale_b}
        arrays, batch = self._operands(given, operands)
        found, flags = self.native.run(*arrays, engine, thread_count(threads))
        d = results(found, self.formats["d"], batch, encodings, a)
        if not batch and isinstance(d, np.ndarray):
            d = d[()]
        if not self.has_flags:
            return d
        raised = back(flags).reshape(batch)
        return d, raised if batch else raised[()]

    def trace(
        self, a: Any, b: Any, c: Any = None, *, scale_a: Any = None, scale_b: Any = None, operands: Optional[str] = None
    ) -> dict[str, list[int]]:
        """Every value of every stage for one vector, in the order of the datapath: exact integers, as `tensorsmith eval --trace` shows.

        Shapes: a and b (products,), c ().

        >>> stages = Unit("volta-fp16-fp32").trace([1, 1, 1, 1], [2, 2, 2, 2], 1.0)
        >>> stages["anchor"], hex(stages["packed_word"][0])
        ([1], '0x41100000')
        """
        given = {"a": a, "b": b, "c": c, "scale_a": scale_a, "scale_b": scale_b}
        arrays, batch = self._operands(given, operands)
        if batch:
            raise WrongLength(f"operands are a batch of shape {batch}; allowed: one vector")
        return {name: [int(value) for value in values] for name, values in self.native.trace(*arrays)}


def kind_of(described: str) -> str:
    if "\n" in described or "=" in described:
        return "text"
    return "path" if described.endswith(".toml") or os.sep in described else "name"


def unit_of(files: dict[str, str]) -> Unit:
    """The unit or instruction of some files, which name each other."""
    if len(files) == 1:
        return Unit(next(iter(files.values())))
    with tempfile.TemporaryDirectory() as folder:
        for file, text in files.items():
            pathlib.Path(folder, file).write_text(text, encoding="utf-8")
        return Unit(pathlib.Path(folder, next(iter(files))))


def _unpickled(name: str, files: list) -> Unit:
    """The catalogue's, if that is what was pickled: another may have its name."""
    if name in units() + instructions():
        known = Unit(name)
        if known.native.toml() == files:
            return known
    return unit_of(dict(files))
