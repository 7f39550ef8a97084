#!/usr/bin/env python3
"""Emits a unit and runs the cocotb tests of test_unit.py on its wrappers.

usage: python3 examples/cocotb/run.py [UNIT [SIMULATOR [FOLDER]]]

UNIT is a name of the catalogue or a unit file, volta-fp16-fp32 without one; SIMULATOR is icarus or verilator. Needs cocotb 2
(`./x setup --cocotb`), libtensorsmith (`./x c-library`), named by the variable TENSORSMITH_LIBRARY where the loader does not find it,
and the program tensorsmith on PATH, or named by TENSORSMITH.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from cocotb_tools.check_results import get_results
from cocotb_tools.runner import get_runner

ROOT = Path(__file__).resolve().parent.parent.parent
# The simulator's Python searches where this one does.
sys.path.append(str(ROOT / "python"))


def find_verilator():
    """Without a Verilator on PATH the one that `./x setup` installed is used."""
    for root in [] if shutil.which("verilator") else ROOT.glob(".tools/venv/lib/python*/site-packages/verilator"):
        os.environ["PATH"] += os.pathsep + str(root / "bin")
        os.environ["VERILATOR_ROOT"] = str(root)


def emit(unit: str, folder: Path) -> str:
    """Writes the unit's files; the name of its module."""
    program = os.environ.get("TENSORSMITH", "tensorsmith")
    if not (folder / "emitted").exists():
        subprocess.run([program, "emit", unit, "--out", str(folder / "emitted")], check=True, stdout=subprocess.DEVNULL)
    return next((folder / "emitted").glob("*.toml")).stem


def run(module: str, wrapper: str, simulator: str, folder: Path) -> int:
    """Builds one wrapper and runs its tests; how many failed."""
    emitted = folder / "emitted"
    sources = [emitted / name for name in (emitted / f"{module}.f").read_text().split()]
    build = folder / f"{simulator}-{wrapper}"
    runner, top = get_runner(simulator), f"{module}_{wrapper}"
    arguments = ["-Wno-fatal"] if simulator == "verilator" else ["-g2012"]
    runner.build(
        sources=sources, hdl_toplevel=top, build_dir=build, build_args=arguments, timescale=("1ns", "1ps"), always=True
    )
    results = runner.test(
        hdl_toplevel=top,
        test_module="test_unit",
        build_dir=build,
        extra_env={"TENSORSMITH_UNIT_FILE": str(emitted / f"{module}.toml")},
        timescale=("1ns", "1ps"),
    )
    tests, failed = get_results(results)
    return failed if tests else 1


def main() -> int:
    unit, simulator, folder = (sys.argv[1:] + ["volta-fp16-fp32", "verilator", "build"][len(sys.argv) - 1 :])[:3]
    folder = Path(folder).resolve()
    find_verilator()
    module = emit(unit, folder)
    failed = sum(run(module, wrapper, simulator, folder) for wrapper in ("registered", "stream"))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
