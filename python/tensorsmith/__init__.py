"""Dot-product units and matrix instructions as a bit-exact emulator: the C library libtensorsmith from Python.

`Model` answers vectors and matrices, `Scoreboard` compares what a design answers. `tensorsmith.cocotb` drives the ports of emitted
units; it alone needs cocotb.
"""

from .errors import (
    Error,
    WrongFile,
    InternalFault,
    WrongLength,
    NoLibrary,
    UnknownName,
    Missing,
    NotUtf8,
    WrongValue,
)
from .model import Answer, Model, Shape, Vector, catalogue, version
from .scoreboard import Scoreboard, golden_vectors, random_vector

__all__ = [
    "Answer",
    "Error",
    "WrongFile",
    "InternalFault",
    "WrongLength",
    "NoLibrary",
    "Model",
    "UnknownName",
    "Missing",
    "Scoreboard",
    "Shape",
    "NotUtf8",
    "WrongValue",
    "Vector",
    "catalogue",
    "golden_vectors",
    "random_vector",
    "version",
]
