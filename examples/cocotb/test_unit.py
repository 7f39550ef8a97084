"""A test of an emitted unit in cocotb: golden vectors, then random ones, with gaps and stalls; each result is compared with the
emulator.

`run.py` starts it. TENSORSMITH_UNIT_FILE names the unit file that was emitted beside the modules, VECTORS how many are fed.
"""

import itertools
import os
import random
import time
from pathlib import Path

import cocotb
from tensorsmith import Model, Scoreboard, golden_vectors, random_vector
from tensorsmith.cocotb import RegisteredDriver, StreamDriver

VECTORS = int(os.environ.get("VECTORS", "10000"))


@cocotb.test()
async def results_are_those_of_the_emulator(dut):
    """All results of the wrapper at the top, registered or stream."""
    file = Path(os.environ["TENSORSMITH_UNIT_FILE"])
    with Model.from_toml(file.read_text()) as model:
        scoreboard = Scoreboard(model, dut._log)
        driver = RegisteredDriver if hasattr(dut, "rst_ni") else StreamDriver
        driver = driver(dut, model, scoreboard, gaps=0.05, stalls=0.05)
        generator = random.Random(1)
        golden = golden_vectors(file.with_name(f"{file.stem}_vectors.hex"), model.shape)
        drawn = (random_vector(model.shape, generator) for _ in itertools.count())
        vectors = list(itertools.islice(itertools.chain(golden, drawn), VECTORS))
        await driver.start()
        start = time.process_time()
        await driver.run(vectors)
        scoreboard.compare()
        seconds = time.process_time() - start
        dut._log.info("%s", scoreboard.report())
        dut._log.info("%.0f vectors a second of the processor", VECTORS / seconds)
        scoreboard.check()
        assert scoreboard.compared == VECTORS
