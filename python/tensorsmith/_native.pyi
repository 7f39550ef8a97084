"""The extension module, which the rest of the package alone uses: arrays are contiguous and hold encodings."""

import os
from collections.abc import Callable
from typing import Any, Optional

import numpy as np

__version__: str

class Words:
    """A list of encodings of 1, 2, 4 or 8 bytes, whose memory others may read and write as bytes: a buffer."""

    @staticmethod
    def zeros(width: int, count: int) -> Words: ...
    @property
    def item_size(self) -> int: ...
    def __len__(self) -> int: ...
    def __buffer__(self, flags: int, /) -> memoryview: ...

class Subject:
    """A unit, an instruction, or a box of which only the interface is known."""

    def __init__(self, text: str, by: str) -> None: ...
    @property
    def name(self) -> str: ...
    @property
    def kind(self) -> str: ...
    def shape(self) -> str: ...
    def parameters(self) -> str: ...
    def toml(self) -> list[tuple[str, str]]: ...
    def encode(self, name: str, operand: str, numbers: np.ndarray, by: str) -> Words: ...
    def narrow(self, name: str, operand: str, words: np.ndarray, by: str) -> Words: ...
    def run(
        self,
        a: np.ndarray,
        b: np.ndarray,
        c: np.ndarray,
        scale_a: np.ndarray,
        scale_b: np.ndarray,
        engine: Optional[str],
        threads: Optional[int],
    ) -> tuple[Words, Words]: ...
    def trace(
        self, a: np.ndarray, b: np.ndarray, c: np.ndarray, scale_a: np.ndarray, scale_b: np.ndarray
    ) -> list[tuple[str, list[str]]]: ...

def devices() -> str: ...
def units() -> list[str]: ...
def instructions() -> list[str]: ...
def instructions_of(device: str) -> list[str]: ...
def instruction_for(device: str, a: str, b: str, c: Optional[str], converts: bool) -> str: ...
def multiply(
    subject: Subject,
    a: np.ndarray,
    b: np.ndarray,
    c: Optional[np.ndarray],
    scales: Optional[tuple[np.ndarray, np.ndarray]],
    sizes: tuple[int, int, int],
    places: list[tuple[int, ...]],
    split_k: int,
    engine: Optional[str],
    threads: Optional[int],
) -> Words: ...
def cosim(
    subject: Subject,
    functions: list[Optional[Callable[..., Any]]],
    named: list[Optional[str]],
    vectors: int,
    seed: int,
) -> str: ...
def infer(
    subject: Subject,
    function: Optional[Callable[..., Any]],
    engine: Optional[str],
    name: str,
    answered_by: str,
    confirm: int,
    search: int,
    seed: int,
    solver: Optional[tuple[str, int]],
    threads: Optional[int],
) -> str: ...
def infer_recorded(
    path: "str | os.PathLike[str]",
    subject: Optional[str],
    name: str,
    search: int,
    seed: int,
    threads: Optional[int],
) -> str: ...
def distinguish(
    subjects: list[Subject], functions: list[Optional[Callable[..., Any]]], vectors: int, seed: int
) -> str: ...
