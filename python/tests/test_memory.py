"""Memory does not grow with the number of rows, or of calls. `python/benches/memory.py` does the same at length."""

import importlib.util
import sys
from pathlib import Path

import pytest

if not sys.platform.startswith("linux"):
    pytest.skip("memory is read from /proc", allow_module_level=True)

SOURCE = Path(__file__).parents[1] / "benches" / "memory.py"
specification = importlib.util.spec_from_file_location("memory", SOURCE)
memory = importlib.util.module_from_spec(specification)
specification.loader.exec_module(memory)

MEGABYTES = 2**20


def least_growth(through, count, most):
    """The least growth of up to three tries. What is left behind shows each time; what other libraries do meanwhile does not."""
    tries = (memory.growth(through, count) for _ in range(3))
    grown = next(tries)
    while grown >= most and (again := next(tries, None)) is not None:
        grown = min(grown, again)
    return grown


def test_rows():
    # As dicts, rows take some 5 kB each, so all of them would take 500 MB.
    most = 8 * MEGABYTES
    assert least_growth(memory.through_rows, 100_000, most) < most


def test_batches():
    pytest.importorskip("pyarrow")
    most = 16 * MEGABYTES
    assert least_growth(memory.through_batches, 200_000, most) < most


def test_calls():
    # What a call leaves behind would show from some 200 bytes on.
    most = 3 * MEGABYTES
    assert least_growth(memory.through_calls, 16_000, most) < most
