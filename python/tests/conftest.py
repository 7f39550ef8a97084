"""What the tests under pytest share."""

import os
import subprocess

import numpy as np
import pytest


@pytest.fixture
def random():
    return np.random.default_rng(1)


@pytest.fixture
def program(tmp_path):
    """Runs the command line, which TENSORSMITH names; the project's own tests do."""
    path = os.environ.get("TENSORSMITH")
    if not path:
        pytest.skip("TENSORSMITH names no program")

    def run(*arguments):
        done = subprocess.run([path, *map(str, arguments)], cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run
