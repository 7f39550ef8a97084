"""Dot-product units and matrix instructions as a bit-exact emulator: the C library libtensorsmith from Python.

`Model` answers vectors and matrices. `tensorsmith.cocotb` drives the ports of emitted units and compares what they answer; it alone
needs cocotb.
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
    "Shape",
    "NotUtf8",
    "WrongValue",
    "Vector",
    "catalogue",
    "version",
]
