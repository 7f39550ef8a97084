"""The interpreter goes on while something is computed, an interrupt ends it, and forked processes compute too."""

import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import tensorsmith as ts

LENGTHY = """
import signal, sys, threading, time
import numpy as np
import tensorsmith as ts
unit = ts.Unit("volta-fp16-fp32")
a, b = np.ones((512, 8192), np.float16), np.ones((8192, 512), np.float16)
def box(a, b, c):
    return unit.dot(a, b, c)
def interrupt():
    time.sleep(0.7)
    signal.raise_signal(signal.SIGINT) if sys.platform == "win32" else __import__("os").kill(__import__("os").getpid(), signal.SIGINT)
# A process that was started in the background ignores interrupts from the start.
signal.signal(signal.SIGINT, signal.default_int_handler)
threading.Thread(target=interrupt, daemon=True).start()
start = time.monotonic()
try:
    CALL
except KeyboardInterrupt:
    print("interrupted", time.monotonic() - start < 6)
"""

CALLS = {
    "matmul": 'ts.matmul(a, b, engine="reference")',
    "dot": 'unit.dot(np.ones((3_000_000, 4), np.float16), np.ones(4, np.float16), engine="reference")',
    "cosim": "ts.cosim(unit, box, vectors=10**9)",
    "infer": "ts.infer(box, unit, confirm=10**9)",
    "distinguish": "ts.distinguish(unit, box, vectors=10**9)",
}


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent otherwise there")
def test_interrupts_end_it(name):
    code = LENGTHY.replace("CALL", CALLS[name])
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)
    assert (done.stdout, done.returncode) == ("interrupted True\n", 0), done.stderr
    assert "panicked" not in done.stderr


@pytest.mark.parametrize("engine", ["reference", "icarus"])
@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent otherwise there")
def test_the_next_call_does_not_wait(engine):
    """Neither for an engine of one thread that computes all of D, nor for operands of parts that are not computed any more."""
    call = f'ts.matmul(np.ones((1024, 8192), np.float16), np.ones((8192, 1024), np.float16), engine="{engine}", threads=1)'
    code = LENGTHY.replace("CALL", call) + """
    start = time.monotonic()
    ts.matmul(a[:1, :16], b[:16, :1], threads=1)
    print("next", time.monotonic() - start < 6)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=False)
    if "AbsentEngine" in done.stderr:
        pytest.skip(f"{engine} is not there")
    assert (done.stdout, done.returncode) == ("interrupted True\nnext True\n", 0), done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="the solver is a shell script")
def test_no_query_is_begun_after_an_interrupt(tmp_path):
    solver, queries = tmp_path / "bitwuzla", tmp_path / "queries"
    solver.write_text(f'#!/bin/sh\n[ "$1" = --version ] && echo 0.0.0 && exit\necho >> "{queries}"\nsleep 1\necho unknown\n')
    solver.chmod(0o755)
    code = """
import os, signal, sys, threading, time
import tensorsmith as ts
def asked():
    return os.path.getsize(sys.argv[1])
def interrupt():
    while not asked():
        time.sleep(0.01)
    time.sleep(0.2)
    os.kill(os.getpid(), signal.SIGINT)
signal.signal(signal.SIGINT, signal.default_int_handler)
if sys.argv[2:]:
    threading.Thread(target=interrupt, daemon=True).start()
try:
    ts.infer("emulator", ts.Unit("tiny-riscv"), confirm=2000, search=2000, solver="bitwuzla", threads=1)
except KeyboardInterrupt:
    at_once = asked()
    time.sleep(2.5)
    print("interrupted", at_once, asked())
else:
    print("asked", asked() > 1)
"""
    for interrupted, expected in ((["interrupted"], "interrupted 1 1\n"), ([], "asked True\n")):
        queries.write_text("")
        environment = os.environ | {"BITWUZLA": str(solver), "TENSORSMITH_CACHE": str(tmp_path / f"cache-{len(interrupted)}")}
        arguments = [sys.executable, "-c", code, str(queries), *interrupted]
        done = subprocess.run(arguments, env=environment, capture_output=True, text=True, timeout=60, check=False)
        assert (done.stdout, done.returncode) == (expected, 0), done.stderr


def test_the_interpreter_goes_on():
    a, b = np.ones((128, 2048), np.float16), np.ones((2048, 128), np.float16)
    beats, ended = [], threading.Event()

    def beat():
        while not ended.is_set():
            beats.append(time.monotonic())
            time.sleep(0.001)

    thread = threading.Thread(target=beat)
    thread.start()
    start = time.monotonic()
    ts.matmul(a, b, engine="emulator")
    end = time.monotonic()
    ended.set()
    thread.join()
    during = [beat for beat in beats if start < beat < end]
    assert len(during) > (end - start) * 20


def test_many_threads_at_once(random):
    a, b = (random.standard_normal(shape).astype(np.float16) for shape in ((8, 64), (64, 8)))
    expected, wrong = ts.matmul(a, b), []

    def work():
        for _ in range(20):
            wrong.extend([1] * int(not np.array_equal(ts.matmul(a, b, threads=2), expected)))

    threads = [threading.Thread(target=work) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_a_forked_process_computes(random):
    a, b = np.ones((4, 16), np.float16), np.ones((16, 4), np.float16)
    assert ts.matmul(a, b)[0, 0] == 16
    child = os.fork()
    if child == 0:
        os._exit(int(ts.matmul(a, b)[0, 0]))
    for _ in range(200):
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            break
        time.sleep(0.05)
    else:
        os.kill(child, signal.SIGKILL)
        pytest.fail("the child waits for threads of its parent")
    assert os.waitstatus_to_exitcode(status) == 16
