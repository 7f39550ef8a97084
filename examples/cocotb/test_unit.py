"""Tests of an emitted unit in cocotb: shaped by chance, with gaps and stalls, each result compared with the emulator.

`run.py` starts them. TENSORSMITH_UNIT_FILE names the unit file that was emitted beside the modules, VECTORS how many are fed.
"""

import os
import random
import time
from pathlib import Path

import cocotb
from tensorsmith import Model
from tensorsmith.cocotb import RegisteredDriver, Scoreboard, StreamDriver, random_vector

VECTORS = int(os.environ.get("VECTORS", "10000"))


@cocotb.test()
async def results_are_those_of_the_emulator(dut):
    """All results of the wrapper at the top, registered or stream."""
    with Model.from_toml(Path(os.environ["TENSORSMITH_UNIT_FILE"]).read_text()) as model:
        scoreboard = Scoreboard(model, dut._log)
        driver = RegisteredDriver if hasattr(dut, "rst_ni") else StreamDriver
        driver = driver(dut, model, scoreboard, gaps=0.05, stalls=0.05)
        generator = random.Random(1)
        vectors = [random_vector(model.shape, generator) for _ in range(VECTORS)]
        await driver.start()
        start = time.perf_counter()
        await driver.run(vectors)
        scoreboard.compare()
        seconds = time.perf_counter() - start
        dut._log.info("%s", scoreboard.report())
        dut._log.info("%.0f vectors a second", VECTORS / seconds)
        scoreboard.check()
        assert scoreboard.compared == VECTORS
