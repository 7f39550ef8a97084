"""Drivers and a scoreboard for the wrappers that `tensorsmith emit` writes: UNIT_registered and UNIT_stream. Needs cocotb 2.

All signals are driven and read behind the falling edge of the clock, when they are settled in every simulator: what is read there
is what the next rising edge takes.
"""

import random
from collections import deque
from typing import Iterable, Optional, Sequence

from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, ReadOnly

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


class _Driver:
    def __init__(self, dut, model: Model, scoreboard: Scoreboard, seed: int, gaps: float, stalls: float):
        self.dut, self.model, self.scoreboard = dut, model, scoreboard
        self.generator, self.gaps, self.stalls = random.Random(seed), gaps, stalls

    def _happens(self, share: float) -> bool:
        return share > 0 and self.generator.random() < share

    def _word(self, d, flags) -> int:
        word = d.value.to_unsigned()
        return word | flags.value.to_unsigned() << self.model.shape.d_width if flags is not None else word


class RegisteredDriver(_Driver):
    """Feeds UNIT_registered, and hands operands and results to a scoreboard. `gaps` is the share of clocks without operands,
    `stalls` that of clocks with enable_i = 0."""

    def __init__(self, dut, model, scoreboard, seed=1, gaps=0.0, stalls=0.0):
        super().__init__(dut, model, scoreboard, seed, gaps, stalls)
        self._flags = dut.flags_o if model.shape.flags_width else None

    async def start(self, period: int = 10):
        """Starts the clock, of so many ns, and resets."""
        self.dut.enable_i.value, self.dut.valid_i.value, self.dut.rst_ni.value = 1, 0, 0
        Clock(self.dut.clk_i, period, unit="ns").start()
        for _ in range(2):
            await FallingEdge(self.dut.clk_i)
        self.dut.rst_ni.value = 1

    async def run(self, vectors: Iterable[Vector], drain: int = 64):
        """Feeds vectors, then `drain` clocks for what is under way."""
        dut, shape, falling = self.dut, self.model.shape, FallingEdge(self.dut.clk_i)
        waiting, left = iter(vectors), drain
        vector: Optional[Vector] = next(waiting, None)
        while vector is not None or left > 0:
            enabled, feeds = not self._happens(self.stalls), vector is not None and not self._happens(self.gaps)
            dut.enable_i.value, dut.valid_i.value = int(enabled), int(feeds)
            if feeds:
                dut.a_i.value, dut.b_i.value = packed(vector.a, shape.a_width), packed(vector.b, shape.b_width)
                if shape.scales:
                    dut.scale_a_i.value = packed(vector.scale_a, shape.scale_a_width)
                    dut.scale_b_i.value = packed(vector.scale_b, shape.scale_b_width)
                if shape.c_width:
                    dut.c_i.value = vector.c
            # The result stays until the next edge that counts.
            if enabled and dut.valid_o.value == 1:
                self.scoreboard.found(self._word(dut.d_o, self._flags))
            if feeds and enabled:
                self.scoreboard.take(vector)
                vector = next(waiting, None)
            left -= vector is None
            await falling


class StreamDriver(_Driver):
    """Feeds UNIT_stream, and hands operands and results to a scoreboard. `gaps` is the share of clocks in which no operands are
    offered, `stalls` that of clocks in which no result is taken. Operands that were offered stay until they are taken."""

    def __init__(self, dut, model, scoreboard, seed=1, gaps=0.0, stalls=0.0):
        super().__init__(dut, model, scoreboard, seed, gaps, stalls)

    async def start(self, period: int = 10):
        """Starts the clock, of so many ns, and resets."""
        dut = self.dut
        dut.s_axis_tvalid.value, dut.s_axis_tdata.value, dut.m_axis_tready.value, dut.aresetn.value = 0, 0, 0, 0
        dut.s_axis_tlast.value, dut.s_axis_tuser.value = 0, 0
        Clock(dut.aclk, period, unit="ns").start()
        for _ in range(2):
            await FallingEdge(dut.aclk)
        dut.aresetn.value = 1

    async def run(self, vectors: Iterable[Vector], drain: int = 64):
        """Feeds vectors, then `drain` clocks for what is under way."""
        dut, shape, falling, settled = self.dut, self.model.shape, FallingEdge(self.dut.aclk), ReadOnly()
        waiting, left, offered = iter(vectors), drain, False
        vector: Optional[Vector] = next(waiting, None)
        while vector is not None or left > 0:
            ready = not self._happens(self.stalls)
            if not offered and vector is not None and not self._happens(self.gaps):
                offered, dut.s_axis_tdata.value = True, stream_word(shape, vector)
            dut.s_axis_tvalid.value, dut.m_axis_tready.value = int(offered), int(ready)
            await settled
            if offered and dut.s_axis_tready.value == 1:
                self.scoreboard.take(vector)
                vector, offered = next(waiting, None), False
            if ready and dut.m_axis_tvalid.value == 1:
                self.scoreboard.found(self._word(dut.m_axis_tdata, None))
            left -= vector is None
            await falling
