"""What tests of designs share, whatever drives them: vectors from files and by chance, and a scoreboard. Needs no simulator."""

import random
from collections import deque
from pathlib import Path
from typing import Iterator, Sequence

from .model import Model, Shape, Vector

#: Vectors that the scoreboard gives the emulator at once.
BATCH = 256


def packed(values: Sequence[int], width: int) -> int:
    """Elements side by side, the first in the lowest bits."""
    word = 0
    for value in reversed(values):
        word = word << width | value
    return word


def stream_word(shape: Shape, vector: Vector) -> int:
    """A vector as tdata has it, from the top: c, scales of b, scales of a, b, a."""
    word, place = 0, 0
    for values, width in (
        (vector.a, shape.a_width),
        (vector.b, shape.b_width),
        (vector.scale_a, shape.scale_a_width),
        (vector.scale_b, shape.scale_b_width),
        ([vector.c] if shape.c_width else [], shape.c_width),
    ):
        word |= packed(values, width) << place
        place += len(values) * width
    return word


def random_vector(shape: Shape, generator: random.Random) -> Vector:
    """Random bits in every operand."""
    several = lambda count, width: [generator.getrandbits(width) for _ in range(count)]
    return Vector(
        several(shape.products, shape.a_width),
        several(shape.products, shape.b_width),
        generator.getrandbits(shape.c_width) if shape.c_width else 0,
        several(shape.scales, shape.scale_a_width),
        several(shape.scales, shape.scale_b_width),
    )


def unpacked(word: int, width: int, count: int) -> tuple[list[int], int]:
    """The lowest elements of a word, and what stands above them."""
    mask = (1 << width) - 1
    return [word >> width * index & mask for index in range(count)], word >> width * count


def golden_vectors(path: Path, shape: Shape) -> Iterator[Vector]:
    """The operands of UNIT_vectors.hex, which `emit` writes: drawn by classes that exercise every stage."""
    for line in Path(path).read_text().split():
        a, word = unpacked(int(line, 16), shape.a_width, shape.products)
        b, word = unpacked(word, shape.b_width, shape.products)
        scale_a, word = unpacked(word, shape.scale_a_width, shape.scales)
        scale_b, word = unpacked(word, shape.scale_b_width, shape.scales)
        (c,), word = unpacked(word, shape.c_width, 1)
        yield Vector(a, b, c, scale_a, scale_b)


class Scoreboard:
    """Compares answers with the emulator, in the order of their operands, some hundred at a time."""

    def __init__(self, model: Model, log=None, shown: int = 10, counted: bool = True):
        """`log` is told the first `shown` mismatches; `counted` has events counted, for units only."""
        self.model, self.log, self.shown, self.counted = model, log, shown, counted
        self.compared = self.mismatches = self.without_operands = 0
        self._vectors: deque = deque()
        self._found: deque = deque()

    def take(self, vector: Vector):
        """Operands that the design has taken."""
        self._vectors.append(vector)

    def found(self, word: int):
        """An answer of the design: flags above d."""
        self._found.append(word)
        if len(self._found) >= BATCH:
            self.compare()

    def compare(self):
        """Compares all answers that are there."""
        count = min(len(self._vectors), len(self._found))
        vectors = [self._vectors.popleft() for _ in range(count)]
        for vector, answer in zip(vectors, self.model.run_many(vectors, counted=self.counted)):
            word, expected = self._found.popleft(), answer.flags << self.model.shape.d_width | answer.d
            self.compared += 1
            if word != expected:
                self._mismatch(vector, word, expected)
        self.without_operands += len(self._found)
        self._found.clear()

    def _mismatch(self, vector: Vector, word: int, expected: int):
        self.mismatches += 1
        if self.log is not None and self.mismatches <= self.shown:
            trace = self.model.trace(vector) if self.counted else ""
            operands = " ".join(f"{name} {value}" for name, value in vector._asdict().items())
            self.log.error("result %d is %#x, expected %#x; %s\n%s", self.compared, word, expected, operands, trace)

    def report(self) -> str:
        """Compares what is left, and says in one line what came of it."""
        self.compare()
        events = self.model.events().values()
        seen = sum(count > 0 for count in events)
        return (
            f"{self.model.name}: {self.compared} results compared, {self.mismatches} mismatches, "
            f"{self.without_operands} without operands, {len(self._vectors)} outstanding, {seen} of {len(events)} events"
        )

    def check(self):
        """Raises AssertionError unless all results were right and none is missing."""
        said = self.report()
        assert self.compared > 0, f"nothing was compared: {said}"
        assert self.mismatches == self.without_operands == len(self._vectors) == 0, said
