"""Units and instructions that answer."""

import ctypes
from array import array
from ctypes import byref, c_char_p, c_size_t, c_uint8, c_uint64, c_void_p
from dataclasses import dataclass
from typing import Iterable, NamedTuple, Optional, Sequence

from . import library
from .errors import WrongLength, WrongValue


class Vector(NamedTuple):
    """Encodings of one vector. c counts where the unit has an addend, scales where it has scales."""

    a: Sequence[int]
    b: Sequence[int]
    c: int = 0
    scale_a: Sequence[int] = ()
    scale_b: Sequence[int] = ()


class Answer(NamedTuple):
    """A result and its exception flags, 0 where the unit has none."""

    d: int
    flags: int = 0


@dataclass(frozen=True)
class Shape:
    """Sizes, in bits where they are widths. Without an addend c_width is 0; m and n are those of an instruction's own D."""

    products: int
    scales: int
    a_width: int
    b_width: int
    c_width: int
    d_width: int
    scale_a_width: int
    scale_b_width: int
    flags_width: int
    m: int
    n: int


def version() -> str:
    """The version of the library."""
    return library.load().tensorsmith_version().decode()


def catalogue() -> list[str]:
    """The names of all units and instructions."""
    name, names = library.load().tensorsmith_catalogue_name, []
    while (found := name(len(names))) is not None:
        names.append(found.decode())
    return names


def _words(name: str, values: Iterable[int]) -> array:
    try:
        return array("Q", values)
    except (OverflowError, TypeError) as error:
        raise WrongValue(f"{name}: {error}; allowed: encodings, whole numbers from 0 to 2^64 - 1") from None


def _operands(**arrays: array) -> library.Operands:
    """The structure of some arrays, which it keeps alive."""
    operands = library.Operands()
    for name, words in arrays.items():
        if words:
            setattr(operands, name, (c_uint64 * len(words)).from_buffer(words))
        setattr(operands, f"{name}_length", len(words))
    operands.arrays = arrays
    return operands


class Model:
    """A unit or an instruction that answers; close it, or use it in a `with` statement. Threads may share it."""

    def __init__(self, name: str):
        """A unit or an instruction of the catalogue."""
        self._open(lambda unit: self._library.tensorsmith_open(name.encode(), byref(unit)))

    @classmethod
    def from_toml(cls, text: str) -> "Model":
        """A unit or an instruction by the text of its file."""
        model, encoded = cls.__new__(cls), text.encode()
        model._open(lambda unit: model._library.tensorsmith_open_toml(encoded, len(encoded), byref(unit)))
        return model

    def _open(self, open_unit):
        self._unit, self._library = None, library.load()
        unit = c_void_p()
        library.check(open_unit(unit))
        self._unit = unit
        shape = library.Shape()
        library.check(self._library.tensorsmith_shape_of(unit, byref(shape)))
        self.shape = Shape(*(getattr(shape, field) for field in Shape.__dataclass_fields__))
        self.name = self._library.tensorsmith_name_of(unit).decode()
        names = ("a", "b", "c", "d", "scale_a", "scale_b")
        formats = {name: self._library.tensorsmith_format_of(unit, number) for number, name in enumerate(names)}
        self.formats = {name: text.decode() for name, text in formats.items() if text}

    def close(self):
        """Gives the unit back; nothing may be asked of it afterwards."""
        unit, self._unit = self._unit, None
        if unit:
            self._library.tensorsmith_close(unit)

    def __enter__(self) -> "Model":
        return self

    def __exit__(self, *_):
        self.close()

    def __del__(self):
        # An open that has failed leaves nothing.
        if getattr(self, "_unit", None):
            self.close()

    def run(self, vector: Vector) -> Answer:
        """The answer to one vector."""
        return self.run_many([vector])[0]

    def run_many(self, vectors: Sequence[Vector], counted: bool = False) -> list[Answer]:
        """The answers to vectors. `counted`, for units only, has their events counted for `events`."""
        count, operands = len(vectors), self._of(vectors)
        d, flags = (c_uint64 * count)(), (c_uint8 * count)()
        run = self._library.tensorsmith_run_counted if counted else self._library.tensorsmith_run
        library.check(run(self._unit, count, byref(operands), d, count, flags, count))
        return list(map(Answer, d, flags))

    def _of(self, vectors: Sequence[Vector]) -> library.Operands:
        lengths = (self.shape.products, self.shape.products, self.shape.scales, self.shape.scales)
        for index, vector in enumerate(vectors):
            found = tuple(map(len, (vector.a, vector.b, vector.scale_a, vector.scale_b)))
            if found != lengths:
                allowed = "{} of a, {} of b, {} and {} scales".format(*lengths)
                raise WrongLength(f"vector {index} has {found} elements; allowed: {allowed}")
        flat = {
            name: _words(name, (value for vector in vectors for value in getattr(vector, name)))
            for name in ("a", "b", "scale_a", "scale_b")
        }
        has_addend = self.shape.c_width > 0
        return _operands(c=_words("c", (vector.c for vector in vectors if has_addend)), **flat)

    def multiply(
        self,
        m: int,
        n: int,
        k: int,
        a: Iterable[int],
        b: Iterable[int],
        c: Optional[Iterable[int]] = None,
        scale_a: Iterable[int] = (),
        scale_b: Iterable[int] = (),
    ) -> list[int]:
        """D = A B + C row by row: A m x k, B k x n, C and D m x n; without C zeros. k is a multiple of the shape's products."""
        names = {"a": a, "b": b, "c": c or (), "scale_a": scale_a, "scale_b": scale_b}
        operands = _operands(**{name: _words(name, values) for name, values in names.items()})
        d = (c_uint64 * (m * n))()
        library.check(self._library.tensorsmith_multiply(self._unit, m, n, k, byref(operands), d, m * n))
        return list(d)

    def trace(self, vector: Vector) -> str:
        """The intermediate values of one vector, a line a signal. For units only."""
        operands, length = self._of([vector]), c_size_t()
        trace = self._library.tensorsmith_trace
        library.check(trace(self._unit, byref(operands), None, 0, byref(length)))
        text = ctypes.create_string_buffer(length.value + 1)
        library.check(trace(self._unit, byref(operands), text, len(text), byref(length)))
        return text.value.decode()

    def events(self) -> dict[str, int]:
        """How often each event of the datapath was counted; of an instruction there is none."""
        events, name, count = {}, c_char_p(), c_uint64()
        while True:
            library.check(self._library.tensorsmith_event(self._unit, len(events), byref(name), byref(count)))
            if name.value is None:
                return events
            events[name.value.decode()] = count.value
