"""Dot-product units and matrix instructions, bit for bit as hardware computes them.

For NumPy: `matmul` multiplies matrices as a device does, `Unit` answers vectors and shows every stage, `cosim`, `infer` and
`distinguish` take any function of Python as a black box; `devices`, `units` and `instructions` list the catalogue. They need NumPy and
the extension module of the wheel.

For testbenches: `Model` is the same emulator by the C library, without NumPy, `Scoreboard` compares what a design answers, and
`tensorsmith.cocotb` drives the ports of emitted units; it alone needs cocotb.
"""

from importlib import import_module as _import_module
from typing import TYPE_CHECKING as _TYPE_CHECKING

from .errors import (
    AbsentEngine,
    EngineFault,
    Error,
    InternalFault,
    Missing,
    NoLibrary,
    NotUtf8,
    UnknownName,
    WrongFile,
    WrongLength,
    WrongType,
    WrongValue,
)
from .model import Answer, Model, Shape, Vector, catalogue, version
from .scoreboard import Scoreboard, golden_vectors, random_vector

if _TYPE_CHECKING:
    from .boxes import Comparison, Distinction, Inference, cosim, distinguish, infer
    from .matrices import instruction_for, matmul
    from .unit import Unit, devices, instructions, units

#: What needs NumPy and the extension module, by the module that has it: loaded when it is first asked for.
_NUMERIC = {
    "Comparison": "boxes",
    "Inference": "boxes",
    "Distinction": "boxes",
    "cosim": "boxes",
    "distinguish": "boxes",
    "infer": "boxes",
    "instruction_for": "matrices",
    "matmul": "matrices",
    "Unit": "unit",
    "devices": "unit",
    "instructions": "unit",
    "units": "unit",
}

__all__ = [
    "AbsentEngine",
    "Answer",
    "EngineFault",
    "Error",
    "InternalFault",
    "Missing",
    "Model",
    "NoLibrary",
    "NotUtf8",
    "Scoreboard",
    "Shape",
    "UnknownName",
    "Vector",
    "WrongFile",
    "WrongLength",
    "WrongType",
    "WrongValue",
    "catalogue",
    "golden_vectors",
    "random_vector",
    "version",
    *_NUMERIC,
]


def __getattr__(name: str):
    if name == "__version__":
        try:
            from ._native import __version__ as found
        except ImportError:  # The extension module is not there, as in a checkout: the C library knows, too.
            found = version()
        globals()[name] = found
        return found
    if name in _NUMERIC:
        found = getattr(_import_module(f".{_NUMERIC[name]}", __name__), name)
        globals()[name] = found
        return found
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__():
    return sorted({*globals(), *__all__, "__version__"})
