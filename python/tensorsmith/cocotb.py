"""Drivers for the wrappers that `tensorsmith emit` writes: UNIT_registered and UNIT_stream. Needs cocotb 2.

All signals are driven and read behind the falling edge of the clock, when they are settled in every simulator: what is read there
is what the next rising edge takes.
"""

import random
from typing import Iterable, Optional

from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, ReadOnly

from .model import Model, Vector
from .scoreboard import Scoreboard, packed, stream_word

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
