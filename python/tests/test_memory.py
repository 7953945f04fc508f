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


def test_rows():
    # As dicts, rows take some 5 kB each, so all of them would take 500 MB.
    assert memory.growth(memory.through_rows, 100_000) < 8 * MEGABYTES


def test_batches():
    pytest.importorskip("pyarrow")
    assert memory.growth(memory.through_batches, 200_000) < 16 * MEGABYTES


def test_calls():
    # What a call leaves behind would show from some 200 bytes on.
    assert memory.growth(memory.through_calls, 16_000) < 3 * MEGABYTES
