"""Functions of Python as black boxes: compared with a unit, described by their answers, told apart.

A box is a function `box(a, b, c)` of arrays: a and b of shape (count, products), c of shape (count,), without c where there is no
addend, and with `scale_a=` and `scale_b=` of shape (count, scales) where there are scales. It returns the results, of shape (count,), of
the type of d's format or as encodings, unsigned integers of its width; a pair of results and flags where the unit has flags. It is
called on the thread that it was given on. With encodings=True operands come as encodings.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Optional, Union, cast

import numpy as np

from . import _native
from .arrays import Format, as_array, back
from .errors import WrongLength, WrongType, WrongValue
from .unit import Described, Unit, count, kind_of, thread_count, unit_of

Box = Callable[..., Any]


@dataclass(frozen=True)
class Vector:
    """The operands of one vector, as encodings."""

    a: tuple[int, ...]
    b: tuple[int, ...]
    c: int = 0
    scale_a: tuple[int, ...] = ()
    scale_b: tuple[int, ...] = ()

    @classmethod
    def _of(cls, report: dict) -> "Vector":
        lists = {name: tuple(int(bits, 16) for bits in report.get(name, ())) for name in ("a", "b", "scale_a", "scale_b")}
        return cls(c=int(report["c"], 16), **lists)


def _function(unit: Unit, box: Box, encodings: bool) -> Callable[..., np.ndarray]:
    """The function that the native side calls: words in, words out."""

    def typed(found: "_native.Words", operand: str, shape: tuple) -> np.ndarray:
        form = unit.formats[operand]
        array = back(found).reshape(shape)
        return array if encodings or form.dtype is None else array.view(form.dtype)

    def asked(a: Any, b: Any, c: Any, scale_a: Any, scale_b: Any, size: int) -> np.ndarray:
        given = [typed(a, "a", (size, unit.products)), typed(b, "b", (size, unit.products))]
        if "c" in unit.formats:
            given.append(typed(c, "c", (size,)))
        scales = {}
        if unit.scales:
            pair = (("scale_a", scale_a), ("scale_b", scale_b))
            scales = {name: typed(found, name, (size, unit.scales)) for name, found in pair}
        answer = box(*given, **scales)
        flags = None
        if unit.has_flags:
            if not isinstance(answer, tuple) or len(answer) != 2:
                raise WrongType(f"the function returned {type(answer).__name__}; allowed: a pair of results and flags")
            answer, flags = answer
        words = _results("the function's result", answer, unit.formats["d"], size)
        if flags is not None:
            raised = as_array("the function's flags", flags).astype(np.uint64)
            words = words | raised.reshape(size) << np.uint64(unit.formats["d"].width)
        return np.ascontiguousarray(words)

    return asked


def _results(name: str, answer: Any, form: Format, size: int) -> np.ndarray:
    array = as_array(name, answer)
    if array.shape != (size,):
        raise WrongLength(f"{name} has shape {array.shape}; allowed: ({size},), a result a vector")
    if form.dtype is not None and array.dtype == form.dtype:
        array = array.view(form.words)
    elif array.dtype != form.words:
        own = f"{form.dtype}, or " if form.dtype is not None else ""
        raise WrongType(f"{name} has elements of type {array.dtype}; allowed: {own}{form.words} as encodings, for {form.name}")
    mask = (1 << form.width) - 1
    if form.integer and form.width < 8:
        array = array & mask
    beyond = np.flatnonzero(array > mask)
    if len(beyond):
        place = beyond[0]
        raise WrongValue(f"{name}[{place}] is {int(array[place]):#x}; allowed: encodings of {form.name}, of {form.width} bits")
    return array.astype(np.uint64)


@dataclass(frozen=True)
class Comparison:
    """What `cosim` saw. It is true where every answer was equal.

    `first` is the first vector on which answers differed, made as small as it goes, `answers` the word of each engine to it: d, and
    flags above its bits.
    """

    unit: Unit
    compared: int
    mismatches: int
    engines: tuple[dict, ...]
    first: Optional[Vector] = None
    answers: dict[str, int] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return self.compared > 0 and self.mismatches == 0

    def __str__(self) -> str:
        text = f"{self.unit.name}: {self.compared:,} vectors compared, {self.mismatches:,} mismatches"
        if self.first is None:
            return text
        lists = [f"{name} = {','.join(map(hex, getattr(self.first, name)))}" for name in ("a", "b")]
        answers = ", ".join(f"{engine} {word:#x}" for engine, word in self.answers.items())
        return f"{text}; the first: {', '.join(lists)}, c = {self.first.c:#x}: {answers}"


def cosim(
    unit: Described,
    *boxes: Union[Box, str],
    vectors: int = 100_000,
    seed: int = 1,
    encodings: bool = False,
    reference: str = "emulator",
) -> Comparison:
    """Compares functions, or engines by name, with a unit on vectors that are shaped for it.

    >>> unit = Unit("volta-fp16-fp32")
    >>> bool(cosim(unit, unit.dot, vectors=2000))
    True
    >>> @np.errstate(invalid="ignore", over="ignore")
    ... def exact(a, b, c):
    ...     return ((a.astype("f8") * b.astype("f8")).sum(1) + c).astype("f4")
    >>> cosim(unit, exact, vectors=2000).mismatches > 100
    True
    """
    unit = Unit(unit)
    if not boxes:
        raise WrongLength("nothing to compare; allowed: at least one function or name of an engine")
    named: list[Optional[str]] = [reference]
    functions: list[Optional[Callable]] = [None]
    for box in boxes:
        if not isinstance(box, str) and not callable(box):
            raise WrongType(f"box is {box!r}; allowed: functions, and names of engines")
        named.append(box if isinstance(box, str) else None)
        functions.append(None if isinstance(box, str) else _function(unit, box, encodings))
    asked = (count("vectors", vectors, 1), count("seed", seed))
    found = json.loads(_native.cosim(unit.native, functions, named, *asked))
    first = found["first"]
    return Comparison(
        unit,
        found["compared"],
        found["mismatches"],
        tuple(found["engines"]),
        Vector._of(first["vector"]) if first else None,
        dict(_numbered(first["answers"])) if first else {},
    )


def _numbered(answers: list) -> list[tuple[str, int]]:
    """Answers by engine; of several with one name the later ones have a number."""
    seen: dict[str, int] = {}
    numbered = []
    for engine, word in answers:
        seen[engine] = seen.get(engine, 0) + 1
        numbered.append((engine if seen[engine] == 1 else f"{engine} {seen[engine]}", word))
    return numbered


@dataclass(frozen=True)
class Inference:
    """What `infer` found. `unit` is None where no description was found that explains every answer.

    `parameters` has for every field the value found, in words all values that fit as well, and each of these with the reason why it is
    not told from the one found; `files` the texts of the unit file, or of the instruction file and those of its units.

    `equivalent` has a dictionary for each description of another scheme or composition that explains every answer, too: its "scheme", its
    "composition" in words, and in "differing" the parameters, as those above, that the one found does not have or that fit with other
    values: of recorded answers, none where a function or an engine answers. "decision" is None where no solver was asked, else
    {"proved": whether both are the same for all inputs, "reason": who proved it, or why it is not known}.
    """

    unit: Optional[Unit]
    asked: int
    confirmed: int = 0
    scheme: Optional[str] = None
    parameters: dict[str, dict] = field(default_factory=dict)
    files: dict[str, str] = field(default_factory=dict)
    equivalent: tuple[dict, ...] = ()

    def __bool__(self) -> bool:
        return self.unit is not None

    @classmethod
    def _of(cls, found: dict) -> "Inference":
        if not found["found"]:
            return cls(None, found["asked"])
        files = dict(found["files"])
        fields = _parameters(found["parameters"])
        others = tuple(other | {"differing": _parameters(other["differing"])} for other in found["equivalent"])
        return cls(unit_of(files), found["asked"], found["confirmed"], found["scheme"], fields, files, others)


def _parameters(rows: list[dict]) -> dict[str, dict]:
    """Parameters by field, and their reasons by value."""
    return {row.pop("field"): row | {"indistinguishable": dict(row["indistinguishable"])} for row in rows}


def infer(
    box: Union[Box, str, "os.PathLike[str]"],
    interface: Optional[Described] = None,
    *,
    name: str = "inferred",
    confirm: Optional[int] = None,
    search: int = 1_000_000,
    seed: int = 1,
    solver: Optional[str] = None,
    timeout: int = 20,
    encodings: bool = False,
    threads: Optional[int] = None,
) -> Inference:
    """The description of a function, of an engine by name, or of what a recording holds, from answers alone.

    Of `interface` only formats and sizes are used: it is a unit or an instruction, or an interface file. `confirm` vectors have to agree
    in the end, a million without a number, and `search` vectors are searched for differences from what was not excluded. `solver`,
    "bitwuzla", "z3" or "cvc5", decides for all inputs what no vector distinguishes in the end: a vector that it finds is asked. It has
    `timeout` seconds for a query.

    A recording is a path that ends in .tsrec. It has its own interface; of a file with several, `interface` names the subject. It can be
    asked nothing more: what its answers leave open is in `parameters` and `equivalent`.

    >>> secret = Unit("tiny-truncating")
    >>> found = infer(secret.dot, secret, confirm=2000, search=2000)
    >>> found.scheme, bool(cosim(found.unit, secret.dot, vectors=2000))
    ('fused', True)
    """
    if isinstance(box, os.PathLike) or (isinstance(box, str) and box.lower().endswith(".tsrec")):
        for option, value in (("confirm", confirm), ("solver", solver)):
            if value is not None:
                raise WrongValue(f"{option} is {value!r}; allowed: None for a recording, which can be asked nothing more")
        numbers = (count("search", search, 1), count("seed", seed), thread_count(threads))
        return Inference._of(json.loads(_native.infer_recorded(os.fspath(box), _subject(interface), name, *numbers)))
    if interface is None:
        raise WrongValue("interface is None; allowed: a unit, an instruction or an interface, unless a recording is asked")
    like = Unit(interface)
    if not isinstance(box, str) and not callable(box):
        raise WrongType(f"box is {box!r}; allowed: a function, the name of an engine, or the path of a recording")
    function = None if isinstance(box, str) else _function(like, box, encodings)
    engine = box if isinstance(box, str) else None
    by = engine or getattr(box, "__name__", "a function of Python")
    if solver is not None and not isinstance(solver, str):
        raise WrongType(f"solver is {solver!r}; allowed: the name of a solver, or None")
    asked = (count("confirm", 1_000_000 if confirm is None else confirm), count("search", search, 1), count("seed", seed))
    decides = None if solver is None else (solver, count("timeout", timeout, 1, 604_800))
    return Inference._of(
        json.loads(_native.infer(like.native, function, engine, name, str(by), *asked, decides, thread_count(threads)))
    )


def _subject(interface: Optional[Described]) -> Optional[str]:
    """The name of what was recorded: that of a box need not be known otherwise."""
    if interface is None or (isinstance(interface, str) and kind_of(interface) == "name"):
        return interface
    return Unit(interface).name


@dataclass(frozen=True)
class Difference:
    """The smallest vector that was found on which two subjects differ, and the word of each: d, and flags above its bits."""

    pair: tuple[int, int]
    vector: Vector
    answers: tuple[int, int]
    found_by: str


@dataclass(frozen=True)
class Distinction:
    """What `distinguish` found: pairs that differ, and pairs that gave the same answer to every vector that was tried.

    Only where `all_inputs` is true these were all inputs there are.
    """

    differences: tuple[Difference, ...]
    alike: tuple[tuple[int, int], ...]
    tried: int
    all_inputs: bool


def distinguish(
    *subjects: Union[Described, Box],
    like: Optional[Described] = None,
    vectors: int = 1_000_000,
    seed: int = 1,
    encodings: bool = False,
) -> Distinction:
    """The smallest vector on which each two of some units, instructions or functions differ.

    All have the operands of the first unit, or of `like`; functions answer in its place.

    >>> found = distinguish("volta-fp16-fp32", Unit("volta-fp16-fp32").dot, vectors=10_000)
    >>> found.differences, found.alike
    ((), ((0, 1),))
    >>> len(distinguish("tiny-nearest", "tiny-truncating", vectors=10_000).differences)
    1
    """
    if len(subjects) < 2:
        raise WrongLength(f"{len(subjects)} subjects; allowed: at least two")
    is_box = [callable(subject) and not isinstance(subject, Unit) for subject in subjects]
    known = [Unit(cast(Any, subject)) for subject, box in zip(subjects, is_box) if not box]
    if like is None and not known:
        raise WrongValue("like is None, and all subjects are functions; allowed: a unit or instruction whose operands they take")
    common = Unit(like) if like is not None else known[0]
    units = [common if box else Unit(cast(Any, subject)) for subject, box in zip(subjects, is_box)]
    for unit in units:
        for operand in ("a", "b", "c", "scale_a", "scale_b"):
            own, other = (one.formats.get(operand) for one in (unit, common))
            if own != other or unit.products != common.products:
                said = f"{operand} {own.name if own else 'none'} and {unit.products} products"
                allowed = f"the operands of {common.name}"
                raise WrongValue(f"{unit.name} has {said}; allowed: {allowed}")
    asked = zip(units, subjects, is_box)
    functions = [_function(unit, cast(Any, subject), encodings) if box else None for unit, subject, box in asked]
    natives = [unit.native for unit in units]
    found = json.loads(_native.distinguish(natives, functions, count("vectors", vectors, 1), count("seed", seed)))
    differences = (
        Difference(tuple(one["pair"]), Vector._of(one["vector"]), tuple(one["answers"]), one["found_by"])
        for one in found["distinguished"]
    )
    return Distinction(
        tuple(differences), tuple(tuple(pair) for pair in found["indistinguishable"]), found["tried"], found["all_inputs"]
    )
